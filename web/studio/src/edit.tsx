// A position typed, or set up by hand on the board.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Info, message, type Position, position } from "./api";
import { Board } from "./board";
import { pause } from "./effect";
import { Failure, Field, Segmented } from "./parts";
import { say } from "./text";
import { useTask } from "./use";
import { boardNames, markName, marks, side } from "./words";

// written is the text of a position with those marks. The side to move follows
// from their number in games where it can; others name it.
export function written(info: Info, signs: string[], turn: string, active: string): string {
  let i = 0;
  const rows = [...(info.start.split(" ")[0] ?? "")].map((c) => (c === "/" ? c : (signs[i++] ?? "."))).join("");
  const words = info.start.split(" ");
  const side = info.positional || words.length > 2 ? (signs.filter((s) => s !== ".").length % 2 === 0 ? "x" : "o") : turn;
  return `${rows} ${side}${words.length > 2 ? " " + active : ""}`;
}

// Draft is the position that is set up, null while it is not known to be reachable.
interface Props { p: Position; draft: Position | null; onDraft: (draft: Position | null) => void; onUse: (position: string) => void; onCancel: () => void }

export function Edit({ p, draft, onDraft, onUse, onCancel }: Props) {
  const info = p.info;
  const [signs, setSigns] = useState(() => marks(p.state.position));
  const [turn, setTurn] = useState(p.state.position.split(" ")[1] ?? "x");
  const [active, setActive] = useState(p.state.position.split(" ")[2] ?? "-");
  const [text, setText] = useState(p.state.position);
  const write = (next: string) => {
    setText(next);
    if (next !== text) onDraft(null);
  };
  const [error, setError] = useState("");
  const meta = info.drawn === "nine";
  const update = (s: string[], t: string, a: string) => {
    setSigns(s);
    setTurn(t);
    setActive(a);
    write(written(info, s, t, a));
  };
  useTask(async (signal) => {
    await pause(150); // they type
    if (signal.aborted) return;
    const q = await position({ game: info.spec, position: text.trim() || info.start });
    if (signal.aborted) return;
    setError("");
    setSigns(marks(q.state.position));
    onDraft(q);
  }, (e) => setError(message(e)), [text]);
  const cycle = (i: number) => {
    const next = [...signs];
    next[i] = { ".": "x", x: "o", o: "." }[signs[i] ?? "."] ?? ".";
    update(next, turn, active);
  };
  const squares = info.squares ?? [];
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>("button, input")?.focus(), []);
  return (
    <div class="edit" ref={root} onKeyDown={(e) => { if (e.key === "Escape") onCancel(); }}>
      {squares.length > 0 && (
        <>
          <p class="muted">{say("press a square", { first: markName(info, "x"), second: markName(info, "o") })}</p>
          <Board info={info} marks={signs} legal={new Set(squares.keys())} open={meta ? new Set(boardNames.keys()) : undefined} label={say("position to set up")} flat onPlay={cycle} />
          <div class="row">
            {!info.positional && !meta && <Segmented label={say("side to move")} value={turn} options={[["x", say("to move", { side: side(info, "first") })], ["o", say("to move", { side: side(info, "second") })]]} onChange={(t) => update(signs, t, active)} />}
            {meta && (
              <label>{say("board to play in")} <select value={active} onChange={(e) => update(signs, turn, e.currentTarget.value)}>
                <option value="-">{say("any")}</option>
                {boardNames.map((n, i) => <option value={String(i + 1)} key={n}>{n}</option>)}
              </select></label>
            )}
            <button type="button" onClick={() => update(squares.map(() => "."), "x", "-")}>{say("empty it")}</button>
          </div>
        </>
      )}
      <form onSubmit={(e) => { e.preventDefault(); if (!error) onUse(text.trim()); }}>
        <Field id="position" label={say("position")}>
          <input id="position" class="code" value={text} spellcheck={false} autocapitalize="off" autocomplete="off" aria-invalid={error !== ""} aria-describedby="position-says" onInput={(e) => write(e.currentTarget.value)} />
        </Field>
        <div id="position-says" class="says">{error ? <Failure text={error} /> : <p class="muted">{draft ? say("this position can be reached") : " "}</p>}</div>
        <div class="row">
          <button type="submit" class="primary" disabled={error !== ""}>{say("use this position")}</button>
          <button type="button" onClick={onCancel}>{say("leave it")}</button>
        </div>
      </form>
    </div>
  );
}

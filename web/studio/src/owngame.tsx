// A game of one's own: the file's text, chosen or pasted.
import { useState } from "preact/hooks";
import { bringGame, type GameFile } from "./api";
import { Failure } from "./parts";
import { say } from "./text";
import type { Pending } from "./pending";
import { useTried } from "./use";

const example = `{
  "name": "three in a star",
  "squares": 7,
  "winning": [[1, 2, 3], [1, 4, 5], [1, 6, 7], [2, 4, 6], [3, 5, 7]],
  "layout": [[2, 2], [1, 1], [0, 0], [3, 1], [4, 0], [2, 3], [2, 4]]
}`;

export function OwnGame({ id, pending, onBrought }: { id: string; pending?: Pending; onBrought: (f: GameFile) => void }) {
  const [text, setText] = useState("");
  const [error, attempt] = useTried();
  const bring = async () => await attempt(() => bringGame(text).then((f) => (onBrought(f), f.spec))) ?? "";
  if (pending) pending.current = bring;
  return (
    <form class="own" onSubmit={(e) => { e.preventDefault(); e.stopPropagation(); void bring(); }}>
      <p class="muted">{say("squares and winning sets")} <button type="button" onClick={() => setText(example)}>{say("an example")}</button></p>
      <input type="file" accept=".json,application/json" aria-label={say("a game's file")} onChange={(e) => e.currentTarget.files?.[0]?.text().then(setText)} />
      <textarea id={id + "-own"} class="code" rows={8} aria-label={say("the game's text")} aria-invalid={error !== ""} spellcheck={false} value={text} onInput={(e) => setText(e.currentTarget.value)} placeholder={example} />
      <Failure text={error} />
      <button type="submit" class="primary" disabled={text.trim() === ""}>{say("play this game")}</button>
    </form>
  );
}

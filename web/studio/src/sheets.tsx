// Score sheets that are brought: chosen, pasted or dropped on the page.
import { useEffect, useRef, useState } from "preact/hooks";
import { game as describe, message, readSheets, type SheetGame } from "./api";
import { headingOf } from "./catalogue";
import { untilOver } from "./effect";
import { quitterOf } from "./game";
import { formatRoute, go, joinMoves } from "./link";
import { Failure } from "./parts";
import { memo } from "./memo";
import { say } from "./text";
import { useLatest } from "./use";
import { side } from "./words";

const queryOf = (g: SheetGame): Record<string, string> => ({ game: g.game, from: g.start ?? "", first: "human", second: "human", moves: joinMoves(g.moves), ...(named(g.first) && named(g.second) ? { firstname: g.first, secondname: g.second } : {}), ...(g.date ? { date: g.date } : {}), resigned: quitterOf(g) });

// named reports whether a sheet has a name there, not who plays by default.
const named = (name: string): boolean => name !== "" && name !== "human";

// looksLike reports whether a text is a score sheet or plain moves, so that other things may be pasted.
const looksLike = (text: string): boolean => /^\s*(\[\w+ "|1\.|[a-z]\d+[a-z]?[,\s]+[a-z]\d)/.test(text);

// Entry leads to a game of a sheet.
function Entry({ g }: { g: SheetGame }) {
  const info = useLatest(g.game, () => describe(g.game)).data ?? undefined;
  const won = g.result === "first" || g.result === "second";
  return (
    <a class="plain" href={formatRoute({ page: "explore", query: queryOf(g) })}>{info ? headingOf(g.game, info) : "…"}, {g.first} – {g.second}<br />
      <span class="muted">{say("moves and result", { n: g.moves.length, side: won && side(info, g.result) })}</span></a>
  );
}

// Sheets opens score sheets; moves that name no game are of the one that is open.
export const Sheets = memo(({ game }: { game: string }) => {
  const opened = useRef(game);
  opened.current = game;
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const [games, setGames] = useState<SheetGame[]>([]);
  const [open, setOpen] = useState(false);
  const bring = (sheet: string) => readSheets(sheet, opened.current).then(
    (r) => {
      setError(r.bad?.join("; ") ?? "");
      setGames(r.games);
      if (r.games.length === 1 && !r.bad) go({ page: "explore", query: queryOf(r.games[0]!) });
      else setOpen(true);
    },
    (e) => {
      setText(sheet);
      setGames([]);
      setError(message(e));
      setOpen(true);
    },
  );
  useEffect(untilOver((signal) => {
    addEventListener("paste", (e) => {
      const sheet = e.clipboardData?.getData("text/plain") ?? "";
      if ((e.target as Element).closest?.("input, textarea") || !looksLike(sheet)) return;
      e.preventDefault();
      bring(sheet);
    }, { signal });
    addEventListener("dragover", (e) => e.dataTransfer?.types.includes("Files") && e.preventDefault(), { signal });
    addEventListener("drop", (e) => {
      const file = e.dataTransfer?.files[0];
      if (!file || (e.target as Element).closest?.("input")) return;
      e.preventDefault();
      file.text().then(bring);
    }, { signal });
  }), []);
  return (
    <details class="card noprint" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{say("score sheets")}</summary>
      <form class="own" onSubmit={(e) => { e.preventDefault(); bring(text); }}>
        <p class="muted">{say("choose a file drop")}</p>
        <input type="file" accept=".txt,.pgn,text/plain" aria-label={say("a file of score sheets")} onChange={(e) => e.currentTarget.files?.[0]?.text().then(bring)} />
        <textarea class="code" rows={5} aria-label={say("the score sheets' text")} aria-invalid={error !== ""} spellcheck={false} value={text} onInput={(e) => setText(e.currentTarget.value)} />
        <Failure text={error} />
        <button type="submit" disabled={text.trim() === ""}>{say("open it")}</button>
      </form>
      {(games.length > 1 || games.length === 1 && error !== "") && (
        <ul class="shelf">
          {games.map((g, i) => (
            <li key={i}><Entry g={g} /></li>
          ))}
        </ul>
      )}
    </details>
  );
});

// The page that sets puzzles: positions with one right move.
import { useEffect, useRef, useState } from "preact/hooks";
import { message } from "./api";
import { BoardOf } from "./boardof";
import { capital, nameOf } from "./catalogue";
import { levelsOf } from "./board";
import { bySquare, choosesMark, squareIndex, toQuery } from "./game";
import { formatRoute, go } from "./link";
import { Announce, Failure, MarkChoice, Rules, Segmented } from "./parts";
import { answerPuzzle, type Answered, counted, daily, type Puzzle, puzzleList, puzzleOf, puzzleOfToday, solvedDay, solverFrom, themes } from "./puzzles";
import { Share } from "./share";
import { sound } from "./sound";
import { useGames, useLatest, useLifted, usePosition, useStored } from "./use";
import { plural } from "./words";

export function Puzzles({ query }: { query: Record<string, string> }) {
  const { id = "", game = "", theme = "" } = query;
  const [kept, keep] = useStored("puzzles", "");
  const solver = solverFrom(kept);
  const [turn, setTurn] = useState(0);
  const known = useGames();
  const key = JSON.stringify(id ? [id] : [game, theme, turn]);
  const all = useLatest("puzzles", (signal) => puzzleList("", "", 0, signal));
  const set = useLatest(key, async (signal): Promise<{ puzzle: Puzzle | null; day: string }> => {
    if (id === daily) return puzzleOfToday(signal);
    if (id) return { puzzle: await puzzleOf(id, signal), day: "" };
    return { puzzle: (await puzzleList(game, theme, solver.rating?.rating ?? 0, signal)).puzzle ?? null, day: "" };
  });
  const z = set.current ? set.data?.puzzle : null;
  const games = (all.data?.games ?? []).filter((g) => !theme || g.themes[theme]);
  const choose = (next: Record<string, string>) => {
    setTurn(turn + 1);
    go({ page: "puzzles", query: { game, theme, id: "", ...next } }, true);
  };
  const count = games.filter((g) => !game || g.game === game).reduce((n, g) => n + (theme ? (g.themes[theme] ?? 0) : g.count), 0);
  return (
    <div class="page two">
      <section class="main-part" aria-label="Puzzle">
        <h1>Puzzles</h1>
        <Failure text={set.error} again={set.again}><button type="button" onClick={() => choose({})}>Another puzzle</button></Failure>
        {z ? (
          <Easel key={z.id + turn} z={z} day={set.data?.day ?? ""} kept={kept} keep={keep} onNext={() => choose({})} />
        ) : !set.error && (set.current ? <p>There is no such puzzle. Choose another game or theme.</p> : <div class="waiting" />)}
      </section>
      {(z || set.error || set.current) && (
        <section class="side-part" aria-label="Choice of puzzles">
          <div class="card">
            <h2>Which puzzles</h2>
            <div class="field">
              <label for="puzzle-theme">Theme</label>
              <select id="puzzle-theme" value={theme} onChange={(e) => choose({ theme: e.currentTarget.value })}>
                {themes.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
              </select>
            </div>
            <div class="field">
              <label for="puzzle-game">Game</label>
              <select id="puzzle-game" value={game} onChange={(e) => choose({ game: e.currentTarget.value })}>
                <option value="">All games</option>
                {game && !games.some((g) => g.game === game) && <option value={game}>{game}</option>}
                {games.map((g) => <option key={g.game} value={g.game}>{capital((known && nameOf(g.game)) ?? g.title)}</option>)}
              </select>
            </div>
            <p class="muted">{all.data && `${plural(count, "puzzle")}. `}Each has exactly one right move: an exact solution or search shows it, and a second search has checked it.</p>
            <div class="row">
              <button type="button" aria-pressed={id === daily} onClick={() => go({ page: "puzzles", query: { game, theme, id: daily } }, true)}>The puzzle of the day</button>
            </div>
          </div>
          <div class="card">
            <h2>You</h2>
            {solver.tried === 0 ? <p class="muted">Your rating and your runs are kept in this browser. Only the first try of a puzzle counts, without a hint.</p> : (
              <dl class="facts solver">
                <dt>Rating</dt><dd>{solver.rating ? `${Math.round(solver.rating.rating)} ± ${Math.round(2 * solver.rating.deviation)}` : "none yet"}</dd>
                <dt>Solved at once</dt><dd>{solver.solved} of {solver.tried}</dd>
                <dt>In a row</dt><dd>{solver.streak}, at best {solver.best}</dd>
                {solver.days > 0 && <><dt>Puzzles of the day</dt><dd>{plural(solver.days, "day")} in a row</dd></>}
              </dl>
            )}
          </div>
        </section>
      )}
    </div>
  );
}

interface EaselProps { z: Puzzle; day: string; kept: string; keep: (v: string) => void; onNext: () => void }

// Easel sets one puzzle.
function Easel({ z, day, kept, keep, onNext }: EaselProps) {
  const [tried, setTried] = useState("");
  const [said, setSaid] = useState<Answered | null>(null);
  const [hints, setHints] = useState(0);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const counts = useRef(true);
  const over = said?.answer !== undefined;
  const loaded = usePosition({ game: z.game, position: z.position, moves: tried ? [tried] : [] });
  const before = usePosition({ game: z.game, position: z.position });
  const p = loaded.data;
  const [mark, setMark] = useState("x");
  const [lifted, setLifted] = useLifted(z.id);
  const [view, setView] = useStored("view", "space");
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (over) next.current?.focus();
  }, [over]);

  const answer = async (move: string) => {
    setBusy(true);
    setError("");
    try {
      const first = counts.current;
      const r = await answerPuzzle(z.id, move, first, solverFrom(kept).rating);
      counts.current = false;
      let solver = solverFrom(kept);
      if (first) solver = counted(solver, r.right, r.rating);
      if (r.right && day) solver = solvedDay(solver, day);
      keep(JSON.stringify(solver));
      setTried(move || r.answer || "");
      setSaid(r);
      sound(r.right ? "won" : "move");
    } catch (e) {
      setError(message(e));
    }
    setBusy(false);
  };
  const again = () => {
    setTried("");
    setSaid(null);
  };
  const hint = () => {
    counts.current = false;
    setHints(hints + 1);
  };
  const open = p !== null && !said && !busy && loaded.current;
  const squares = p && open ? bySquare(p, lifted) : new Map<number, string[]>();
  const onSquare = (i: number) => {
    const moves = squares.get(i);
    if (moves?.length === 0) setLifted(lifted === i ? -1 : i);
    else if (moves) void answer(moves.find((m) => m.startsWith(mark + "@")) ?? moves[0]!);
  };
  const says = said?.says ?? (hints > 0 ? z.hints.slice(0, hints).join(" ") : " ");
  return (
    <>
      <p class="statusline">{z.goal}</p>
      <p class="muted">{capital(nameOf(z.game) ?? z.title)}. Rating {z.rating}.{day && ` The puzzle of ${day}.`}</p>
      <Announce text={said ? said.says : ""} />
      {p ? <BoardOf p={p} last={squareIndex(p, tried)} view={view} busy={!open} legal={squares} onPlay={onSquare}
        label={`${z.goal} Board of ${p.info.title}. Arrow keys move, Enter plays.`} zone={lifted >= 0 ? new Set([lifted]) : undefined} /> : <div class="waiting" />}
      {p && (
        <div class="row">
          {choosesMark(before.data ?? p) && <MarkChoice value={mark} onChange={setMark} />}
          {levelsOf(p.info.squares ?? []).length > 1 && <Segmented label="View" value={view} options={[["space", "In space"], ["flat", "Flat layers"]]} onChange={setView} />}
        </div>
      )}
      <p class={`tip solved ${said ? (said.right ? "right" : "wrong") : ""}`} role="status">{says}</p>
      <Failure text={error || loaded.error} />
      <div class="row actions">
        {said && !over && <button type="button" class="primary" onClick={again}>Try again</button>}
        {!over && !said && <button type="button" disabled={hints === z.hints.length} onClick={hint}>Hint</button>}
        {!over && <button type="button" disabled={busy} onClick={() => void answer("")}>Show the answer</button>}
        <button type="button" class={over ? "primary" : ""} ref={next} onClick={onNext}>Next puzzle</button>
        <a class="button" href={formatRoute({ page: "explore", query: toQuery({ spec: z.game, start: z.position, moves: [], ply: 0, first: "human", second: "human", resigned: "" }) })}>Explore it</a>
        <Share />
      </div>
      {p && <Rules info={p.info} />}
    </>
  );
}

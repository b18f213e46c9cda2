// The page that sets puzzles: positions with one right move.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { message, type Position } from "./api";
import { BoardOf } from "./boardof";
import { capital, nameOf } from "./catalogue";
import { levelsOf } from "./board";
import { bySquare, choosesMark, squareIndex, toQuery } from "./game";
import { level, topLevel } from "./level";
import { formatRoute, go } from "./link";
import { Announce, Failure, MarkChoice, Rules, Segmented } from "./parts";
import { Piece } from "./pieces";
import { answerPuzzle, type Answered, daily, Mistakes, type Puzzle, puzzleList, puzzleOf, puzzleOfToday, type Solver, solverOf, themeName, themes } from "./puzzles";
import { Share } from "./share";
import { sound } from "./sound";
import { useGames, useLatest, useLifted, usePosition, useStored } from "./use";
import { plural } from "./words";

// sources are where puzzles come from.
const sources: [string, string][] = [["", "Collection"], [daily, "Today’s"], ["mistakes", "Mistakes"]];

interface Drawn { puzzle: Puzzle | null; day: string }

export function Puzzles({ query }: { query: Record<string, string> }) {
  const { id = "", game: asked = "", theme = "", from = "" } = query;
  const source = id === daily ? daily : from === "mistakes" ? from : "";
  const [turn, setTurn] = useState(0);
  const [solver, setSolver] = useState<Solver | null>(null);
  const [shown, setShown] = useState(false); // whether a board is: the side comes with it, and stays
  const mistakes = useRef<Mistakes | null>(null);
  const known = useGames();
  const all = useLatest("puzzles", () => puzzleList({ game: "", theme: "" }));
  const kept = useLatest("solver", solverOf);
  const set = useLatest(JSON.stringify([id, asked, theme, from, turn]), async (signal): Promise<Drawn> => {
    if (source === daily) return puzzleOfToday(signal);
    if (id) return { puzzle: await puzzleOf(id, signal), day: "" };
    if (source === "mistakes") return { puzzle: await (mistakes.current ??= new Mistakes()).next(signal), day: "" };
    return { puzzle: (await puzzleList({ game: asked, theme })).puzzle ?? null, day: "" };
  });
  const z = set.current ? set.data?.puzzle : null;
  const game = asked && !id && z ? z.game : asked; // by its own spec
  const who = solver ?? kept.data;
  const games = (all.data?.games ?? []).filter((g) => !theme || g.themes[theme]);
  const choose = (next: Record<string, string>) => {
    setTurn(turn + 1);
    go({ page: "puzzles", query: { game, theme, from, id: "", ...next } }, true);
  };
  const fromSource = (next: string) => {
    mistakes.current = null;
    choose({ from: next === "mistakes" ? next : "", id: next === daily ? daily : "" });
  };
  const count = games.filter((g) => !game || g.game === game).reduce((n, g) => n + (theme ? (g.themes[theme] ?? 0) : g.count), 0);
  const none = source !== "mistakes" ? "There is no such puzzle. Choose another game or theme."
    : "In the games that this browser keeps there is no other mistake for which one move was right. Play some, then come back.";
  return (
    <div class="page two">
      <section class="main-part" aria-label="Puzzle">
        <div class="spread">
          <h1>Puzzles</h1>
          <Segmented label="Where puzzles come from" value={source} options={sources} onChange={fromSource} />
        </div>
        <Failure text={set.error} again={set.again}><button type="button" onClick={() => choose({})}>Another puzzle</button></Failure>
        {z ? (
          <Easel key={z.id + turn} z={z} day={set.data?.day ?? ""} rating={who?.rating.rating} onShown={() => setShown(true)} onSolver={setSolver} onNext={() => choose({})} />
        ) : !set.error && (set.current ? <p>{none}</p> : <div class="waiting" />)}
      </section>
      {(shown || set.error || (set.current && !z)) && (
        <section class="side-part" aria-label="Choice of puzzles">
          <div class="card">
            <h2>You</h2>
            {!who?.tried ? <p class="muted">Only the first try of a puzzle counts, without a hint. It changes your rating, and the puzzle’s.</p> : (
              <dl class="facts solver">
                <dt>Rating</dt><dd>{`${Math.round(who.rating.rating)} ± ${Math.round(2 * who.rating.deviation)}`}</dd>
                <dt>Solved at once</dt><dd>{who.solved} of {who.tried}</dd>
                <dt>In a row</dt><dd>{who.streak}, at best {who.best}</dd>
                {who.days > 0 && <><dt>Today’s puzzle</dt><dd>{plural(who.days, "day")} in a row</dd></>}
              </dl>
            )}
          </div>
          {source !== "mistakes" && (
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
            </div>
          )}
        </section>
      )}
    </div>
  );
}

interface EaselProps { z: Puzzle; day: string; rating: number | undefined; onShown: () => void; onSolver: (s: Solver) => void; onNext: () => void }

// Turned shows whose turn it is by a piece of the game.
function Turned({ p }: { p: Position }) {
  if (p.state.turn !== "first" && p.state.turn !== "second") return null;
  return <span class="turnmark" aria-hidden="true"><Piece info={p.info} mark={p.state.turn === "first" ? "x" : "o"} /></span>;
}

// moved is what a try did to a rating and to a run.
function moved(before: number, s: Solver): string {
  const by = Math.round(s.rating.rating) - Math.round(before);
  return ` Your rating: ${Math.round(s.rating.rating)} (${by < 0 ? "−" : "+"}${Math.abs(by)}).${s.streak > 1 ? ` ${s.streak} in a row!` : ""}`;
}

// winning are the themes whose answer begins a win.
const winning = ["win", "fork", "only"];

// Easel sets one puzzle.
function Easel({ z, day, rating, onShown, onSolver, onNext }: EaselProps) {
  const [tried, setTried] = useState("");
  const [said, setSaid] = useState<Answered | null>(null);
  const [gained, setGained] = useState("");
  const [hints, setHints] = useState(0);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const counts = useRef(true);
  const over = said?.answer !== undefined;
  const loaded = usePosition({ game: z.game, position: z.position, moves: tried ? [tried] : [] });
  const before = usePosition({ game: z.game, position: z.position });
  const p = loaded.data;
  useLayoutEffect(() => {
    if (p || loaded.error) onShown();
  }, [p, loaded.error]);
  const [mark, setMark] = useState("x");
  const [lifted, setLifted] = useLifted(z.id);
  const [view, setView] = useStored("view", "space");
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (over) next.current?.focus({ preventScroll: true });
  }, [over]);

  const answer = async (move: string) => {
    setBusy(true);
    setError("");
    try {
      const first = counts.current;
      const r = await answerPuzzle(z.id, move, first);
      counts.current = false;
      if (r.solver) {
        onSolver(r.solver);
        if (first && rating !== undefined) setGained(moved(rating, r.solver));
      }
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
    setGained("");
  };
  const hint = () => {
    counts.current = false;
    setHints(Math.min(hints + 1, z.hints.length));
  };
  const turn = before.data?.state.turn;
  const longer = over && winning.includes(z.theme) && loaded.current && p?.state.result === "*" && (turn === "first" || turn === "second");
  const open = p !== null && !said && !busy && loaded.current;
  const squares = p && open ? bySquare(p, lifted) : new Map<number, string[]>();
  const onSquare = (i: number) => {
    const moves = squares.get(i);
    if (said && !over) again(); // a press after a wrong move takes it back
    else if (moves?.length === 0) setLifted(lifted === i ? -1 : i);
    else if (moves) void answer(moves.find((m) => m.startsWith(mark + "@")) ?? moves[0]!);
  };
  const onKey = (key: string): boolean => {
    if (key === "h" && open) hint();
    else if (key === "n") onNext();
    else return false;
    return true;
  };
  const played = { spec: z.game, start: z.position, moves: tried ? [tried] : [], ply: 0, first: "human", second: "human", resigned: "" };
  const says = said ? said.says + gained : hints > 0 ? z.hints.slice(0, hints).join(" ") : " ";
  return (
    <>
      <p class="statusline">{before.data && <Turned p={before.data} />}{z.goal}</p>
      <p class="muted">{capital(nameOf(z.game) ?? z.title)}. {themeName(z.theme)}. Rated {z.rating}.{day && ` The puzzle of ${day}.`}</p>
      <Announce text={said ? says : z.hints[hints - 1] ?? ""} />
      {p ? <BoardOf p={p} last={squareIndex(p, tried)} view={view} busy={busy || !loaded.current} legal={squares} onPlay={onSquare} onKey={onKey}
        label={`${z.goal} Board of ${p.info.title}. Arrow keys move, Enter plays, h gives a hint, n the next puzzle.`} zone={lifted >= 0 ? new Set([lifted]) : undefined} /> : <div class="waiting" />}
      {p && (
        <div class="row">
          {choosesMark(before.data ?? p) && <MarkChoice value={mark} onChange={setMark} />}
          {levelsOf(p.info.squares ?? []).length > 1 && <Segmented label="View" value={view} options={[["space", "In space"], ["flat", "Flat layers"]]} onChange={setView} />}
        </div>
      )}
      <p class={`tip solved ${said ? (said.right ? "right" : "wrong") : ""}`}>{says}</p>
      <Failure text={error || loaded.error} />
      <div class="row actions">
        {said && !over && <button type="button" class="primary" onClick={again}>Try again</button>}
        {!over && !said && <button type="button" disabled={hints === z.hints.length} onClick={hint}>Hint</button>}
        {!over && <button type="button" disabled={busy} onClick={() => void answer("")}>Show the answer</button>}
        <button type="button" class={over ? "primary" : ""} ref={next} onClick={onNext}>Next puzzle</button>
        {longer && <a class="button" href={formatRoute({ page: "play", query: toQuery({ ...played, ply: 1, [turn === "first" ? "second" : "first"]: level(topLevel) }) })}>Play it out</a>}
        <a class="button" href={formatRoute({ page: "explore", query: toQuery(played) })}>Explore it</a>
        <Share />
      </div>
      {p && <Rules info={p.info} />}
    </>
  );
}

// The page that sets puzzles: positions with one right move.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { message } from "./api";
import { BoardOf } from "./boardof";
import { capital, nameOf } from "./catalogue";
import { bySquare, squareIndex, toQuery } from "./game";
import { level, topLevel } from "./level";
import { addressOf, formatRoute, go, note } from "./link";
import { Announce, Choice, Failure, MarkChoice, Rules, Segmented, Within } from "./parts";
import { Turn } from "./pieces";
import { answerPuzzle, type Answered, daily, difficulties, Mistakes, noteTried, type Past, pastPuzzles, type Puzzle, puzzleList, puzzleOf, puzzleOfToday, type Solver, solverOf, themes, wasTried } from "./puzzles";
import { AllSets, noneLit } from "./sets";
import { Share } from "./share";
import { keptGames } from "./shelf";
import { sound } from "./sound";
import { say } from "./text";
import { noGame, notFound } from "./title";
import { useGames, useKeptFocus, useLatest, useLifted, usePosition, useWide } from "./use";

// sources are where puzzles come from.
const sources: [string, string][] = [["", say("collection")], [daily, say("today's")], ["mistakes", say("mistakes")]];

interface Drawn { puzzle: Puzzle | null; day: string }

export function Puzzles({ query }: { query: Record<string, string> }) {
  const { id = "", game: asked = "", theme = "", difficulty = "", from = "" } = query;
  const source = id === daily ? daily : from === "mistakes" ? from : "";
  const [turn, setTurn] = useState(0);
  const [solver, setSolver] = useState<Solver | null>(null);
  const [shown, setShown] = useState(""); // the puzzle whose board is: the side comes with the first, and stays
  useKeptFocus(shown);
  const mistakes = useRef<Mistakes | null>(null);
  const wide = useWide();
  const [panel, setPanel] = useState<Element | null>(null); // beside the board, where there is room
  const known = useGames();
  const all = useLatest("puzzles", () => puzzleList({ game: "", theme: "", difficulty: "" }));
  const kept = useLatest("solver", solverOf);
  const [past, setPast] = useState(pastPuzzles);
  const set = useLatest(JSON.stringify([id, asked, theme, difficulty, from, turn]), async (signal): Promise<Drawn> => {
    if (source === daily) return puzzleOfToday(signal);
    if (id) return { puzzle: await puzzleOf(id, signal), day: "" };
    if (source === "mistakes") return { puzzle: await (mistakes.current ??= new Mistakes()).next(signal), day: "" };
    return { puzzle: (await puzzleList({ game: asked, theme, difficulty })).puzzle ?? null, day: "" };
  });
  const z = set.current ? set.data?.puzzle : null;
  useEffect(() => {
    if (z && !id && !source) note({ page: "puzzles", query: { ...query, id: z.id } }); // so that it is there again
  }, [z]);
  const game = asked && !id && z ? z.game : asked; // by its own spec
  const who = solver ?? kept.data;
  const games = (all.data?.games ?? []).filter((g) => !theme || g.themes[theme]);
  const called = (spec: string) => capital((known && nameOf(spec)) ?? all.data?.games.find((g) => g.game === spec)?.title ?? spec);
  const choose = (next: Record<string, string>) => {
    setTurn(turn + 1);
    go({ page: "puzzles", query: { game, theme, difficulty, from, id: "", ...next } }, true);
  };
  const fromSource = (next: string) => {
    mistakes.current = null;
    choose({ from: next === "mistakes" ? next : "", id: next === daily ? daily : "" });
  };
  const count = games.filter((g) => !game || g.game === game).reduce((n, g) => n + (theme ? (g.themes[theme] ?? 0) : g.count), 0);
  return (
    <div class="page two play acted">
      <section class="main-part" aria-label={say("puzzle")}>
        <div class="spread">
          <h1 class="above">{say("puzzles")}</h1>
          <Segmented label={say("where puzzles come from")} value={source} options={sources} onChange={fromSource} />
        </div>
        <Failure text={set.error} missing={noGame(set, game) || notFound(set.gone, say("puzzle"))} again={set.again}><button type="button" onClick={() => choose({})}>{say("another puzzle")}</button></Failure>
        {z ? (
          <Easel key={z.id + turn} z={z} panel={wide ? panel : undefined} day={set.data?.day ?? ""} own={source === "mistakes"} done={source === daily && who?.day === set.data?.day} rating={who?.rating.rating} onShown={() => setShown(z.id)} onSolver={setSolver} onTried={() => setPast(pastPuzzles())} onNext={() => choose({})} />
        ) : !set.error && (set.current ? (source === "mistakes" ? <NoMistake any={mistakes.current?.any ?? false} onAgain={() => fromSource(source)} /> : <p>{say("there is no such puzzle")}</p>) : source === "mistakes" ? <p class="muted" role="status">{say("looking at your games")}</p> : <div class="waiting" />)}
      </section>
      {(shown || set.error || (set.current && !z)) && (
        <section class="side-part" aria-label={say("choice of puzzles")}>
          {wide && z && <div class="card panel" ref={setPanel} />}
          <div class="card noprint">
            <h2>{say("You")}</h2>
            {source === "mistakes" ? <p class="muted">{say("puzzles of your own are not rated")}</p> : !who?.tried ? <p class="muted">{say("only the first try")}</p> : (
              <dl class="facts solver">
                <dt>{say("rating")}</dt><dd>{`${Math.round(who.rating.rating)} ± ${Math.round(2 * who.rating.deviation)}`}{provisional(who) && " " + say("provisional")}</dd>
                <dt>{say("solved at once")}</dt><dd>{say("n of all", { n: who.solved, all: who.tried })}</dd>
                <dt>{say("in a row")}</dt><dd>{say("streak and best", { streak: who.streak, best: who.best })}</dd>
                {who.days > 0 && <><dt>{say("today's puzzle")}</dt><dd>{say("n days in a row", { days: who.days, open: who.day !== new Date().toISOString().slice(0, 10) })}</dd></>}
              </dl>
            )}
          </div>
          {source !== "mistakes" && (
            <div class="card noprint">
              <h2>{say("which puzzles")}</h2>
              <Choice id="puzzle-theme" label={say("theme")} value={theme} options={themes.filter(([t]) => !t || t === theme || !all.data || all.data.games.some((g) => (!game || g.game === game) && g.themes[t]))} onChange={(theme) => choose({ theme })} />
              <Choice id="puzzle-game" label={say("game")} value={game} options={games.map((g): [string, string] => [g.game, called(g.game)]).sort((a, b) => byNumber.compare(a[1], b[1]))} onChange={(game) => choose({ game })}>
                <option value="">{say("all games")}</option>
                {game && !games.some((g) => g.game === game) && <option value={game}>{called(game)}</option>}
              </Choice>
              <Choice id="puzzle-difficulty" label={say("difficulty")} value={difficulty} options={difficulties} onChange={(difficulty) => choose({ difficulty })} />
              {count > 0 && <div class="row"><a class="button" href={`api/v1/puzzles/sheet?game=${encodeURIComponent(game)}&theme=${theme}`} target="_blank" rel="noopener">{say("a sheet to print")}</a></div>}
              <p class="muted">{say("data each has exactly", { n: all.data ? count : 0 })}</p>
            </div>
          )}
          <History past={past} called={called} />
        </section>
      )}
    </div>
  );
}

// byNumber puts 4×4 before 10×10.
const byNumber = new Intl.Collator(undefined, { numeric: true });

const mostShown = 20;

// History links to the puzzles that were tried last, and says whether they were solved at once.
function History({ past, called }: { past: Past[]; called: (spec: string) => string }) {
  const list = past.filter((o) => o.game).slice(0, mostShown);
  if (list.length === 0) return null;
  return (
    <details class="card noprint">
      <summary>{say("puzzles tried here")}</summary>
      <ul class="past">
        {list.map((o) => (
          <li key={o.id}><a href={formatRoute({ page: "puzzles", query: { id: o.id } })}>{say("game and theme", { game: called(o.game!), theme: themes.find(([t]) => t === o.theme)?.[1] })}</a> <small>{o.solved !== undefined && say("solved at once or not", { solved: o.solved })}</small></li>
        ))}
      </ul>
    </details>
  );
}

// NoMistake says what to do where no mistake is left to set.
function NoMistake({ any, onAgain }: { any: boolean; onAgain: () => void }) {
  const played = keptGames().some((k) => k.moves.length > 1);
  return (
    <>
      <p>{say(any ? "in the games" : played ? "no mistake yet" : "games you lose")}</p>
      <div class="row">
        <a class="button primary" href="play">{say("play a game")}</a>
        {any && <button type="button" onClick={onAgain}>{say("once more")}</button>}
        <a class="button" href="puzzles?id=daily">{say("the puzzle of the day")}</a>
      </div>
    </>
  );
}

interface EaselProps { z: Puzzle; day: string; own: boolean; done: boolean; panel: Element | null | undefined; rating: number | undefined; onShown: () => void; onSolver: (s: Solver) => void; onTried: () => void; onNext: () => void }

// settled is the deviation below which a rating is more than a guess.
const settled = 110;

const provisional = (s: Solver): boolean => s.rating.deviation > settled;

// moved is what a try did to a rating and to a run.
function moved(before: number, s: Solver): string {
  const by = Math.round(s.rating.rating) - Math.round(before);
  return say("your rating", { rating: Math.round(s.rating.rating), provisional: provisional(s), sign: by < 0 ? "−" : "+", points: Math.abs(by), streak: s.streak > 1 && s.streak });
}

// winning are the themes whose answer begins a win.
const winning = ["win", "fork", "only"];

// Easel sets one puzzle.
function Easel({ z, day, own, done, panel, rating, onShown, onSolver, onTried, onNext }: EaselProps) {
  const [tried, setTried] = useState("");
  const [said, setSaid] = useState<Answered | null>(null);
  const [gained, setGained] = useState("");
  const [hints, setHints] = useState(0);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const [old] = useState(() => wasTried(z.id));
  const counts = useRef(!old);
  const refused = useRef<string[]>([]);
  const [helps, setHelps] = useState({ hints: z.hints, among: z.among }); // without what was refused
  const over = said?.answer !== undefined;
  const loaded = usePosition({ game: z.game, position: z.position, moves: tried ? [tried] : [] });
  const before = usePosition({ game: z.game, position: z.position });
  const p = loaded.data;
  useLayoutEffect(() => {
    if (p || loaded.error) onShown();
  }, [p, loaded.error]);
  const [mark, setMark] = useState("x");
  const [lifted, setLifted] = useLifted(z.id);
  const [lit, setLit] = useState(noneLit);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (over) next.current?.focus({ preventScroll: true });
  }, [over]);

  useKeptFocus(`${said !== null}`);
  const used = (solved: boolean) => {
    counts.current = false;
    noteTried(z, own, solved);
    onTried();
  };
  const answer = async (move: string) => {
    setBusy(true);
    setError("");
    try {
      const first = counts.current;
      const r = await answerPuzzle(z.id, move, first, refused.current);
      used(first && r.right);
      if (r.hints) {
        refused.current.push(move);
        setHelps({ hints: r.hints, among: r.among ?? [] });
      }
      if (r.solver) {
        onSolver(r.solver);
        if (first && rating !== undefined) setGained(moved(rating, r.solver));
      }
      if (r.right && !first && !own) setGained(say("not counted"));
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
    used(false);
    setHints(Math.min(hints + 1, helps.hints.length));
  };
  const turn = before.data?.state.turn;
  const longer = over && winning.includes(z.theme) && loaded.current && p?.state.result === "*" && (turn === "first" || turn === "second");
  const open = p !== null && !over && !busy && loaded.current;
  const asked = said ? before.data : p; // where the next move is tried
  const squares = asked && open ? bySquare(asked, lifted) : new Map<number, string[]>();
  const onSquare = (i: number) => {
    const moves = squares.get(i);
    const move = moves?.find((m) => m.startsWith(mark + "@")) ?? moves?.[0];
    if (said && !over) again(); // a press after a wrong move takes it back
    if (moves?.length === 0) setLifted(lifted === i ? -1 : i);
    else if (move && move !== tried) void answer(move);
  };
  const onKey = (key: string): boolean => {
    if (key === "h" && open && !said) hint();
    else if (key === "n") onNext();
    else return false;
    return true;
  };
  const unplayed = { spec: z.game, start: z.position, moves: [], ply: 0, first: "human", second: "human", resigned: "" };
  const played = { ...unplayed, moves: tried ? [tried] : [] };
  const opening = say(done ? "solved today" : old && !own ? "tried before" : "one move is right");
  const among = p && !said && hints === helps.hints.length ? helps.among.map((m) => squareIndex(p, m)) : [];
  const says = said ? said.says + gained : hints > 0 ? helps.hints.slice(0, hints).join(" ") : opening;
  return (
    <>
      <p class="statusline">{before.data && <Turn info={before.data.info} turn={before.data.state.turn} />}{z.goal}</p>
      <p class="muted">{say("puzzle about", { game: capital(nameOf(z.game) ?? z.title), rating: own ? 0 : z.rating, day })}</p>
      <Announce text={said ? says : helps.hints[hints - 1] ?? ""} />
      {p ? <BoardOf p={p} last={squareIndex(p, tried)} busy={busy || !loaded.current} legal={squares} onPlay={onSquare} onKey={onKey}
        label={say("goal board of title", { goal: z.goal, title: p.info.title })} zone={lifted >= 0 ? new Set([lifted]) : lit.set >= 0 ? lit.squares : new Set(among)} zoneSays={say(lifted >= 0 ? "lifted" : lit.set >= 0 ? "in the winning set" : "hint")} /> : <div class="waiting" />}
      {p && <MarkChoice p={before.data ?? p} value={mark} onChange={setMark} />}
      <Within into={panel} of="dock">
        <p class={`tip solved ${said ? (said.right ? "right" : "wrong") : ""}`}>{says}</p>
        <Failure text={error || loaded.error} />
        <div class="row actions">
          {said && !over && <button type="button" class="primary" onClick={again}>{say("try again")}</button>}
          {!over && !said && <button type="button" disabled={hints === helps.hints.length} onClick={hint}>{say("Hint")}</button>}
          {!over && <button type="button" disabled={busy} onClick={() => void answer("")}>{say("show the answer")}</button>}
          <button type="button" class={over || done ? "primary" : ""} ref={next} onClick={onNext}>{say("next puzzle")}</button>
          {longer && <a class="button" href={formatRoute({ page: "play", query: toQuery({ ...played, ply: 1, [turn === "first" ? "second" : "first"]: level(topLevel) }) })}>{say("play it out")}</a>}
          {(said || old) && <a class="button" href={formatRoute({ page: "explore", query: toQuery(played) })}>{say("explore it")}</a>}
          {/* A puzzle of an own mistake is kept for a while only; its position always opens. */}
          <Share query={toQuery(unplayed)} link={addressOf(own ? { page: "play", query: toQuery(unplayed) } : { page: "puzzles", query: { id: z.id } })} />
        </div>
      </Within>
      {p && <Rules info={p.info} />}
      {p && <AllSets info={p.info} lit={lit} onShow={setLit} />}
    </>
  );
}

// One puzzle on its board: tried, hinted at, and played on where the win takes more moves.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { message, retried } from "./api";
import { BoardOf } from "./board";
import { capital, nameOf } from "./catalogue";
import { bySquare, coming, squareIndex, toQuery } from "./game";
import { untilOver } from "./effect";
import { level, topLevel } from "./level";
import { addressOf, formatRoute } from "./link";
import { Announce, Failure, MarkChoice, OtherMoves, Rules, TakeBack, Within } from "./parts";
import { Turn } from "./pieces";
import { answerPuzzle, type Answered, type Mistake, hintOnly, noteTried, type Puzzle, type Solver, pastOf, tellAnswer, unsettled } from "./puzzles";
import { AllSets, noneLit } from "./sets";
import { Share } from "./share";
import { sound } from "./sound";
import { say } from "./text";
import { ifAway, ifSlow, useHand, useKeptFocus, usePosition } from "./use";
import { dayName, status } from "./words";

interface EaselProps {
  z: Puzzle;
  mistake?: Mistake | null; // it is of a mistake of who solves
  day?: string; // it is of that day
  done?: boolean; // it is today's, and solved
  rating?: number;
  missedOnes?: number; // puzzles that were missed and not solved since
  panel?: Element | null;
  race?: (solved: boolean, tried?: string, right?: string) => void; // told how it went, what a wrong move was and what the right one, and that it is time for the next: nothing is rated, hinted at or tried again
  onJudged?: (solved: boolean) => void; // told at once
  onShown: () => void;
  onSolver?: (s: Solver) => void;
  onTried?: () => void;
  onNext?: () => void;
}

// moved is what a try did to a rating, where that is settled, and to a run.
function moved(before: number, s: Solver): string {
  const by = Math.round(s.rating.rating) - Math.round(before);
  return say("your rating", { rating: !unsettled(s) && Math.round(s.rating.rating), left: unsettled(s), sign: by < 0 ? "−" : "+", points: Math.abs(by), streak: s.streak > 1 && s.streak });
}

// replyPause is how long a right move stands before it is answered; and in a race rightPause how long the end of a
// puzzle, and wrongPause what was said of a wrong move, in milliseconds.
const replyPause = 500;
const rightPause = 700;
const wrongPause = 2000;

// stepPause is how long each move of a line stands that is played to be seen, and mostReplies how many of them there are
// after a wrong move.
const stepPause = 900;
const mostReplies = 3;

// gameQuery is the game of a mistake, at the place where it was made.
const gameQuery = ({ puzzle, game: g }: Mistake): Record<string, string> =>
  toQuery({ spec: g.game, start: g.start, moves: g.moves, ply: puzzle.ply, first: g.first, second: g.second, resigned: g.resigned });

// begun are the themes whose answer begins what can be played out.
const begun = ["win", "fork", "only", "avoid"];

// Easel sets one puzzle.
export function Easel({ z, mistake, day = "", done = false, rating, missedOnes = 0, panel, race, onJudged, onShown, onSolver, onTried, onNext }: EaselProps) {
  const own = Boolean(mistake);
  const [line, setLine] = useState<string[]>([]); // the right moves so far, and the replies
  const [tried, setTried] = useState<string[]>([]); // what was tried then, and how it was answered at last
  const [said, setSaid] = useState<Answered | null>(null);
  const [gained, setGained] = useState("");
  const [hints, setHints] = useState(0);
  const [right, setRight] = useState(""); // what was right, where there is no second try
  const [back, setBack] = useState(false); // a wrong move was taken back
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const [sending, setSending] = useState(""); // the move that is on its way
  const [waiting, setWaiting] = useState(""); // the move that waits for the server
  const [past] = useState(() => pastOf(z.id));
  const old = past !== undefined;
  const spent = useRef<"" | "hint" | "try">(""); // by what no more try is the first
  const refused = useRef<string[]>([]);
  const later = useRef(new Set<string>()); // what is told once it is over
  const [helps, setHelps] = useState<Pick<Puzzle, "goal" | "hints" | "among" | "marks">>(z); // without what was refused
  const [at, setAt] = useState(0); // how many moves of the answer's line are on the board, where it was told
  const told = said?.line ?? [];
  const over = said?.answer !== undefined && !said.next;
  const wrong = said !== null && !said.answer;
  const moves = [...line, ...(told.length > 1 ? told.slice(0, at) : tried)];
  const loaded = usePosition({ game: z.game, position: z.position, moves });
  const before = usePosition({ game: z.game, position: z.position, moves: line });
  const p = loaded.data;
  useLayoutEffect(() => {
    if (p || loaded.error) onShown();
  }, [p, loaded.error]);
  const { mark, setMark, lifted, press } = useHand(z.id);
  const [lit, setLit] = useState(noneLit);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (over) next.current?.focus({ preventScroll: true });
  }, [over]);
  const timer = useRef(0);
  const unsent = useRef(false); // whether the move was taken back while it was sent
  useEffect(() => () => clearTimeout(timer.current), []);

  useKeptFocus(`${said !== null}`);
  const used = (by: "hint" | "try", went: Parameters<typeof noteTried>[2]) => {
    spent.current ||= by;
    if (race) return; // a try in a race is none
    noteTried(z, own, went, day);
    onTried?.();
  };
  // play makes moves on the board one after another, until something else is pressed.
  const play = (moves: string[], show: (n: number) => void, from = 1) => {
    clearTimeout(timer.current);
    show(from);
    if (from < moves.length) timer.current = window.setTimeout(() => play(moves, show, from + 1), stepPause);
  };
  const answer = async (move: string) => {
    clearTimeout(timer.current);
    timer.current = 0;
    setBusy(true);
    setSending(move);
    setBack(false);
    const answered = ifSlow((e) => {
      if (unsent.current) return;
      setWaiting(move);
      setError(message(e));
    });
    try {
      const fresh = !race && !spent.current;
      const counts = fresh && !old;
      const r = await answerPuzzle(z.id, { line, move, first: counts, again: fresh && old, refused: refused.current }).finally(answered);
      unsent.current = false;
      setError("");
      setSending("");
      setWaiting("");
      const slower = Boolean(r.slower) && refused.current.length === 0 && !race; // which is no miss yet
      const by = r.solver && rating !== undefined ? Math.round(r.solver.rating.rating) - Math.round(rating) : 0;
      const rated = rating !== undefined && (counts || ((!move || r.among?.length === 1) && by !== 0)); // what is told before a try counts as missed, also after a hint
      const points = rated && r.solver ? by : undefined;
      if (!r.next && !slower) used("try", { solved: counts && r.right, late: r.right && !counts, told: !move, move, points });
      if (r.hints) {
        refused.current.push(move);
        setHelps({ ...helps, hints: r.hints, among: r.among ?? [], marks: r.marks });
      }
      if (r.solver) {
        onSolver?.(r.solver);
        if (rated) setGained(moved(rating, r.solver));
      }
      if (r.right && !r.next && !counts && !own && !race) {
        const left = r.solver?.missed ?? 0;
        setGained(r.solver && left < missedOnes ? say("off your list", { n: left }) : day ? say("solved later", { days: r.solver?.day === day && r.solver.days }) : say("not counted", { old, hint: !old && spent.current === "hint", tried: !old && spent.current === "try" }));
      }
      if (slower) setGained(say("no miss yet"));
      const told = race && !r.right && await tellAnswer(z.id, line); // there is no second try
      const [wins, ends] = [r.refuted ?? [], r.line ?? []];
      setTried([move || r.answer!]);
      if (ends.length > 1) play(ends, setAt);
      else if (wins.length > 0 && !race) play([move, ...wins.slice(0, mostReplies)], (n) => setTried([move, ...wins].slice(0, n)));
      if (told) setRight(told.answer!);
      if (!r.next && !r.reply) onJudged?.(r.right);
      if (r.later) later.current.add(r.later);
      const more = told ? [say("right was", { move: told.answer! })] : r.answer && !r.next ? [...later.current] : r.later ? [say("reply told later")] : [];
      setSaid({ ...r, says: [r.says, ...more].join(" ") });
      sound(r.right && !r.next ? "won" : "move");
      if (r.reply) timer.current = window.setTimeout(() => goOn(r), replyPause);
      else if (race) timer.current = window.setTimeout(() => race(r.right, move, told ? told.answer : ""), r.right ? rightPause : wrongPause);
      else setBusy(false);
    } catch (e) {
      const undone = unsent.current;
      unsent.current = false;
      setError(undone ? "" : message(retried(e)));
      timer.current = undone ? 0 : ifAway(e, () => void answer(move));
      setSending(timer.current ? move : "");
      setWaiting(timer.current ? move : "");
      setBusy(timer.current !== 0);
    }
  };
  // takeBack takes back the move that waits; one that is just being sent when it fails, unless the server has it.
  const takeBack = () => {
    setSending("");
    setWaiting("");
    clearTimeout(timer.current);
    unsent.current = timer.current === 0;
    if (!unsent.current) setError("");
    setBusy(unsent.current);
  };
  // goOn answers a right move: the puzzle is over then, or the next one is looked for.
  const goOn = ({ answer, reply, next }: Answered) => {
    sound("move");
    if (next) {
      setLine([...line, answer!, reply!]);
      setTried([]);
      refused.current = [];
      setHelps(next);
      setHints(0);
    } else setTried([answer!, reply!]);
    if (!next) onJudged?.(true);
    if (race && !next) timer.current = window.setTimeout(() => race(true), rightPause);
    else setBusy(false);
  };
  const again = () => {
    clearTimeout(timer.current);
    setBack(true);
    setTried([]);
    setSaid(null);
    setGained("");
  };
  const hint = () => {
    if (hints === helps.hints.length) return;
    setSaid(null);
    used("hint", { solved: false });
    setHints(Math.min(hints + 1, helps.hints.length));
  };
  const ended = over && loaded.current && p !== null && p.state.result !== "*";
  const turn = before.data?.state.turn;
  const asks = over && !ended ? (said.right ? null : p) : before.data; // where a side is to move
  const goal = !over || !p ? helps.goal : said.right && !ended ? say("solved") : status(p);
  const longer = over && told.length < 2 && begun.includes(z.theme) && !ended && (turn === "first" || turn === "second");
  const ready = wrong ? before.current : loaded.current; // also while a wrong move is answered
  const open = p !== null && !over && !busy && ready;
  const hintable = !over && !wrong && !waiting && !busy;
  const asked = wrong ? before.data : p; // where the next move is tried
  const squares = asked && open ? bySquare(asked, lifted) : new Map<number, string[]>();
  const onSquare = (i: number) => {
    const list = squares.get(i);
    if (wrong) again(); // a press after a wrong move takes it back
    if (list) press(i, list, (move) => { if (move !== tried[0]) void answer(move); });
  };
  useLayoutEffect(untilOver((signal) => !race && addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).closest("input, select, textarea, dialog")) return;
    if (e.key === "h" && hintable) hint();
    else if (e.key === "n") onNext?.();
  }, { signal })));
  const unplayed = { spec: z.game, start: z.position, moves: [], ply: 0, first: "human", second: "human", resigned: "" };
  const played = { ...unplayed, moves: told.length > 1 ? [...line, ...told] : moves };
  const opening = mistake ? say("played here", { move: mistake.puzzle.played, right: z.right }) : say(race ? "one move is right" : done ? "solved today" : old ? "tried before" : "one move is right", { late: past && !past.solved, hint: past && hintOnly(past) });
  const marked = helps.marks && hints === 2 ? helps.marks : hints === helps.hints.length ? helps.among : [];
  const among = p && !said ? marked.map((m) => squareIndex(p, m)) : [];
  const says = waiting ? say("move waits until the server answers", { waiting }) : said ? said.says : hints > 0 ? helps.hints.slice(0, hints).join(" ") : opening;
  const undo = <TakeBack waiting={waiting} onBack={takeBack} />;
  const verdict = (
    <>
      <p class={`tip solved ${said ? (said.right ? "right" : "wrong") : ""}`}>{says}{said && gained && <span class="gained"> {gained}</span>}</p>
      {race && undo}
    </>
  );
  return (
    <>
      <p class="statusline">{asks && <Turn info={asks.info} turn={asks.state.turn} />}{goal}</p>
      <p class="muted">{say("puzzle about", { game: capital(nameOf(z.game) ?? z.title), rating: own ? 0 : z.rating, day: day && dayName(day) })}</p>
      <Announce text={waiting || said || back ? [says, said && gained].filter(Boolean).join(" ") : helps.hints[hints - 1] ?? ""} />
      {p ? <BoardOf p={p} sent={sending ? coming(p, sending) : undefined} last={squareIndex(p, moves.at(-1) ?? "")} busy={busy || !ready} legal={squares} onPlay={onSquare}
        label={say("goal board of title", { goal, title: p.info.title, race: race !== undefined })} zone={sending ? new Set([squareIndex(p, sending)]) : right ? new Set([squareIndex(p, right)]) : lifted >= 0 ? new Set([lifted]) : lit.set >= 0 ? lit.squares : new Set(among)} zoneSays={say(sending ? "waits to be sent" : right ? "the right move" : lifted >= 0 ? "lifted" : lit.set >= 0 ? "in the winning set" : "hint")} /> : <div class="waiting" />}
      {p && <OtherMoves position={p} onPlay={(m) => { if (wrong) again(); else if (open) void answer(m); }} />}
      {p && <MarkChoice p={before.data ?? p} value={mark} onChange={setMark} />}
      {race && panel === undefined ? verdict : <Within into={panel} of="dock">
        {verdict}
        {!race && <div class="row actions">
          {wrong && <button type="button" class="primary" onClick={again}>{say("try again")}</button>}
          {told.length > 1 && ([[say("step back"), at - 1], [say("step on"), at + 1]] as const).map(([name, n]) => <button type="button" key={name} disabled={n < 0 || n > told.length} onClick={() => { clearTimeout(timer.current); setAt(n); }}>{name}</button>)}
          {undo}
          {!over && !wrong && !waiting && <button type="button" title={say("key anywhere", { key: "h" })} disabled={!hintable} aria-disabled={hints === helps.hints.length} onClick={hint}>{say("Hint")}</button>}
          {!over && <button type="button" disabled={busy} onClick={() => void answer("")}>{say("show the answer")}</button>}
          <button type="button" class={over || done ? "primary" : ""} ref={next} title={say("key anywhere", { key: "n" })} onClick={onNext}>{say("next puzzle")}</button>
          {longer && <a class="button" href={formatRoute({ page: "play", query: toQuery({ ...played, ply: moves.length, [turn === "first" ? "second" : "first"]: level(topLevel) }) })}>{say("play it out")}</a>}
          {(said || old) && <a class="button" href={formatRoute({ page: "explore", query: toQuery(played) })}>{say("explore it")}</a>}
          {mistake && <a class="button" href={formatRoute({ page: "play", query: gameQuery(mistake) })}>{say("the game")}</a>}
          {/* A puzzle of an own mistake is kept for a while only; its position always opens. */}
          <Share query={toQuery(unplayed)} puzzle={own ? "" : z.id} link={addressOf(own ? { page: "play", query: toQuery(unplayed) } : { page: "puzzles", query: { id: z.id } })} />
        </div>}
      </Within>}
      <Failure text={error || loaded.error} />
      {p && <Rules info={p.info} />}
      {p && !race && <AllSets info={p.info} lit={lit} onShow={setLit} />}
    </>
  );
}

// Where a person went wrong in a game, as the server's judge says it: the one place
// that asks for it.
import { failed, type Info, type Judgement, type Known, type MistakesReply, position, post, review, type Turn } from "./api";
import { at, type Game } from "./game";
import type { Kept } from "./shelf";
import { say } from "./text";
import { other, side } from "./words";

// Turning is the move of a seat that mattered most, null where none is known, why it did, and what is known of the
// game as a whole; start is who wins it with best play or "draw", empty where that is not known. again is the last ply
// from which the game could still be saved, or that of the move. since is the first move after which all was certainly
// lost to the end, null where it was not. seen is how many moves at the end were looked at, where that is not all, and
// open how many of them could not be judged for certain; gave are the seats that certainly gave something away, and
// unsure those of which it is not certain that they did not. resigned is who gave the game up, how after a colon, and
// last what it was worth then. chance says that luck had a part in it.
export interface Turning {
  move: Judgement | null; why: string; summary: string; start: string; again: number; since: Judgement | null; seen: number; open: number;
  gave: string[]; unsure: string[]; resigned: string; last: Known | undefined; chance: boolean;
}

// clearly is by how many plies a defence is longer than another to be the better one by far.
const clearly = 5;

const lostFor = (k: Known, seat: Turn): boolean => k.value === other(seat);

// quitterOf is the seat that gave a game up, "" for none or both.
export const quitterOf = (resigned: string): string => resigned.replace(/:.*|^both.*/, "");

// soon is how many plies before a win it is near enough for anybody to see.
const soon = 3;

// lapsed reports whether a move certainly let the other side win soon where it is not known to have been
// lost, or had a much longer defence.
const lapsed = ({ before, after, turn, why }: Judgement): boolean =>
  turn !== "chance" && lostFor(after, turn) && after.plies !== undefined && after.plies <= soon &&
  (lostFor(before, turn) ? (before.plies ?? 0) >= after.plies + clearly : why !== "");

// whyOf says what a move did: of a lapse that gave nothing away, as all was lost before, what it let the other side do.
// All plies are counted from after the move.
export function whyOf(j: Judgement, info: Info): string {
  if (j.why || !lapsed(j)) return j.why;
  const let_ = { side: side(info, other(j.turn)), plies: j.before.plies! - 1, move: j.after.line?.[0] };
  return !j.after.plies ? say("it lost at once", let_) : j.after.plies === 1 ? say("it let side win at once", let_) : say("it let side win in n", { ...let_, n: j.after.plies });
}

// part is how many moves at the end of a long game are looked at by itself, longest for how long at most, and each of
// them for briefly, in milliseconds; moment is how long each move is looked at where all are.
const part = 24;
const longest = 8000;
const briefly = 100;
export const moment = 250;

// worst is the move by which a seat gave the most away, of those that certainly did.
const worst = (moves: Judgement[]): Judgement | null => {
  const lost = ({ before, after }: Judgement) => Math.abs(before.lo - after.lo);
  return moves.reduce((most: Judgement | null, j) => (j.gave && j.certain && (!most || lost(j) > lost(most)) ? j : most), null);
};

// turning is what judged moves, the last ones of a game, say of a seat: its last move that certainly gave value away or
// let the other side win soon, or after which all was certainly lost; else, unless only what is certain is wanted, the
// last that probably gave some away.
export function turning(g: Pick<Game, "resigned">, info: Info, all: Judgement[], seat: Turn, certain: boolean, whole?: { start: Known; summary: string }): Turning {
  const moves = all.filter((j) => j.turn === seat);
  const chance = all.some((j) => j.turn === "chance");
  const last = all.at(-1)?.after;
  const held = all.findLastIndex((j) => !lostFor(j.after, seat)) + 1; // where the moves begin after which all was lost
  const since = all[held] ?? null;
  const own = since?.turn === seat && since.why && (held > 0 || !lostFor(since.before, seat)) ? since : null;
  const quit = quitterOf(g.resigned) === seat && last?.value !== undefined && !lostFor(last, seat); // what cost the game is that it was given up
  const move = quit ? null : (chance ? worst(moves) : moves.findLast((j) => (j.gave && j.certain) || lapsed(j))) ?? own ?? (certain || !whole ? null : moves.findLast((j) => j.gave) ?? null);
  const earlier = !chance && move && own && own.ply < move.ply ? own : null;
  const from = moves.findLast((j) => since && j.ply <= since.ply) ?? moves[0]; // the last of its moves before all was certainly lost, or the first that is known
  const fromStart = whole?.start.value !== undefined && whole.start.value === other(seat);
  return {
    move, since, chance, resigned: g.resigned, last, summary: whole?.summary ?? "", start: whole?.start.value ?? "",
    why: move ? whyOf(move, info) + (earlier ? " " + say("it was lost since", { ply: earlier.ply, move: earlier.move, open: !earlier.certain }) : "") : "",
    again: quit ? all.at(-1)!.ply + 1 : (earlier ?? move ?? (since && !fromStart ? from : null))?.ply ?? 0,
    seen: whole ? 0 : all.length, open: all.filter((j) => j.turn !== "chance" && !j.certain).length,
    gave: all.filter((j) => j.gave && j.certain).map((j) => j.turn), unsure: all.filter((j) => !j.certain).map((j) => j.turn),
  };
}

// mistake looks for what a game turned on for a seat, and tells of what is found on the way: in all of it, or by itself
// at its end, where it stops as soon as it is clear since when all was lost.
export async function mistake(g: Game, info: Info, seat: Turn, certain: boolean, whole: boolean, signal: AbortSignal, tell: (t: Turning) => void): Promise<Turning> {
  const from = whole ? 0 : Math.max(0, g.moves.length - part);
  const stop = new AbortController();
  signal.addEventListener("abort", () => stop.abort());
  if (!whole) setTimeout(() => stop.abort(), longest);
  const all: Judgement[] = [];
  let found = turning(g, info, all, seat, certain);
  const shifted = (j: Judgement): Judgement => ({ ...j, ply: j.ply + from });
  try {
    const start = from > 0 ? (await position(at(g, from))).state.position : g.start;
    await review({ game: g.spec, position: start, moves: g.moves.slice(from) }, whole ? moment : briefly, stop.signal, (line) => {
      failed(line);
      if (line.review) found = turning(g, info, line.review.moves.map(shifted), seat, certain, from > 0 ? undefined : line.review);
      if (!line.move) return;
      all.unshift(shifted(line.move));
      found = turning(g, info, all, seat, certain);
      if (found.move) tell(found);
      if (!whole && !found.chance && found.again > 0 && all[0] !== found.since) stop.abort();
    });
  } catch (e) {
    if (signal.aborted || !stop.signal.aborted) throw e;
  }
  return found;
}

// hopeless reports whether a game was lost for a seat from its start, and nobody gave anything away.
export const hopeless = (t: Turning, seat: Turn): boolean => t.start === other(seat) && t.seen === 0 && t.gave.length === 0 && t.unsure.length === 0;

// stood says how a game was when the loser gave it up, where that was not lost: to whom it was, or to which side.
export function stood(t: Turning, loser: string, { side = "", theirs = false, yours = false }: { side?: string; theirs?: boolean; yours?: boolean }): string {
  const value = quitterOf(t.resigned) && t.last?.value;
  if (value && value === loser) return say("side was winning", { side, theirs, yours, move: t.last?.line?.[0] });
  return value === "draw" && loser ? say("it was a draw still", { yours: yours && !t.resigned.includes(":") }) : "";
}

// decided says what ended a game that a seat lost by the clock, by leaving or by resigning, where it is not known
// whether its position was lost.
function decided(t: Turning, loser: string, won: boolean): string {
  const how = /^[fs]\w+(|:time|:abandoned)$/.exec(t.resigned)?.[1];
  const open = t.last && t.last.lo < t.last.hi && (loser === "first" ? t.last.lo : -t.last.hi) < 0;
  return open && how !== undefined ? say("what decided", { time: how[1] === "t", left: how[1] === "a", theirs: !how && won, yours: !how && !won }) : "";
}

// bestPlay says who wins a game with best play, unless a seat has won or is told so: of games that were lost from the
// start, and against the top level of all that a seat could not win.
export function bestPlay(t: Turning, seat: Turn, how: "won" | "lost" | "", top: boolean, info: Info): string {
  const drawn = t.start === "draw";
  if (how === "won" || !t.start || (how && drawn && t.last?.value === "draw")) return "";
  return (top ? t.start !== seat : how === "lost" && t.start === other(seat)) ? say("without a mistake", { side: !drawn && side(info, t.start) }) : "";
}

// told says what is known of a game that is over and no move of which is known to be the one it turned on: how it went
// for a seat, won or lost or neither.
export function told(t: Turning, seat: Turn, how: "won" | "lost" | ""): string {
  const clean = (of: string): boolean => t.seen === 0 && !t.gave.includes(of) && !t.unsure.includes(of);
  const rival = other(seat);
  const flawless = clean(seat) && clean(rival);
  const summary = t.seen ? say("in the last moves", { n: t.seen, open: t.open, won: how === "won" }) : t.summary;
  const losing = how === "won" ? rival : how === "lost" ? seat : "";
  const quit = stood(t, losing, { theirs: how === "won", yours: how === "lost" });
  if (quit) return quit;
  if (how === "won" && clean(seat) && t.last) return say("nobody made a mistake", { won: true });
  const end = decided(t, losing, how === "won");
  if (end || how === "won") return end || summary;
  if (t.chance && clean(seat) && how === "lost") return say("chance decided");
  if (hopeless(t, seat)) return say("lost from the start");
  if (t.start === rival && clean(seat) && how === "") return say("held what was lost");
  if (how === "" && flawless && t.start === "draw") return say("nobody made a mistake", { won: false });
  if (how === "" && clean(seat)) return say("you gave nothing away");
  if (how === "lost" && t.since && t.start !== rival) return say("lost at the latest", { ply: t.since.ply, move: t.since.move });
  return summary;
}

// mistakesIn are puzzles of the mistakes in a game, of both seats where none is asked for.
export const mistakesIn = (g: Pick<Kept, "game" | "start" | "moves">, seat: string, signal: AbortSignal): Promise<MistakesReply["puzzles"]> =>
  post<MistakesReply>("puzzles/mistakes", { game: g.game, position: g.start, moves: g.moves, ...(seat ? { seat } : {}) }, signal).then((r) => r.puzzles);

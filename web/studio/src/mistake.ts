// Where a person went wrong in a game, as the server's judge says it: the one place
// that asks for it.
import { type Info, type Judgement, type Known, type MistakesReply, post, review, type Turn } from "./api";
import { at, type Game } from "./game";
import type { Kept } from "./shelf";
import { say } from "./text";
import { other, side } from "./words";

// Turning is the move of a seat that mattered most, null where none is known, why it did, and
// what the review says of the game as a whole; start is who wins it with best play or "draw", empty where that is not known.
// again is the last ply from which the game could still be saved, or that of the move. given says that the seat has given
// up what it would have won for certain, flawless that no move gave anything away, which is certain.
export interface Turning { move: Judgement | null; why: string; summary: string; start: string; again: number; given: string; flawless: boolean }

// clearly is by how many plies a defence is longer than another to be the better one by far.
const clearly = 5;

const lostFor = (k: Known, seat: Turn): boolean => k.value === other(seat);

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

// lostSince is the move of a seat after which all was certainly lost to the end of the game, if there is one.
const lostSince = (all: Judgement[], seat: Turn): Judgement | null => {
  const held = all.findLastIndex((j) => !lostFor(j.after, seat)) + 1; // the ply after the last that was not lost
  const j = all[held];
  return j?.turn === seat && j.gave && j.certain ? j : null;
};

// mistake looks for the last move of a seat that certainly gave value away or let the other side win
// soon, else, unless only what is certain is wanted, for the last that probably gave some away.
export async function mistake(g: Game, info: Info, seat: string, certain: boolean, signal: AbortSignal): Promise<Turning> {
  const found: Turning = { move: null, why: "", summary: "", start: "", again: 0, given: "", flawless: false };
  await review(at(g, g.moves.length), signal, (line) => {
    if (line.error) throw new Error(line.error);
    if (!line.review) return;
    const moves = line.review.moves.filter((j) => j.turn === seat);
    found.summary = line.review.summary;
    found.start = line.review.start.value ?? "";
    found.flawless = line.review.moves.every((j) => j.certain && !j.gave);
    const last = line.review.moves.at(-1)?.after;
    if (g.resigned === seat && last?.value === seat) found.given = say("you were winning", { move: last.line?.[0] });
    found.move = moves.findLast((j) => (j.gave && j.certain) || lapsed(j)) ?? (certain ? null : moves.findLast((j) => j.gave) ?? null);
    if (!found.move) return;
    const since = lostSince(line.review.moves, seat as Turn);
    const earlier = since && since.ply < found.move.ply ? since : null;
    found.again = (earlier ?? found.move).ply;
    found.why = whyOf(found.move, info) + (earlier ? " " + say("it was lost since", { ply: earlier.ply, move: earlier.move }) : "");
  });
  return found;
}

// mistakesIn are puzzles of the mistakes in a game, of both seats where none is asked for.
export const mistakesIn = (g: Pick<Kept, "game" | "start" | "moves">, seat: string, signal: AbortSignal): Promise<MistakesReply["puzzles"]> =>
  post<MistakesReply>("puzzles/mistakes", { game: g.game, position: g.start, moves: g.moves, ...(seat ? { seat } : {}) }, signal).then((r) => r.puzzles);

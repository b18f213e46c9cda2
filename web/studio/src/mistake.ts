// Where a person went wrong in a game, as the server's judge says it: the one place
// that asks for it.
import { type Judgement, review } from "./api";
import { at, type Game } from "./game";

// Turning is the last move of a seat that gave value away, null where none is known, and
// what the review says of the game as a whole.
export interface Turning { move: Judgement | null; summary: string }

// judgeTime is how long each position is looked at, in milliseconds.
const judgeTime = 250;

export async function mistake(g: Game, seat: string, signal: AbortSignal): Promise<Turning> {
  const found: Turning = { move: null, summary: "" };
  await review(at(g, g.moves.length), judgeTime, signal, (line) => {
    if (line.error) throw new Error(line.error);
    if (!line.review) return;
    found.summary = line.review.summary;
    found.move = line.review.moves.findLast((j) => j.gave && j.turn === seat) ?? null;
  });
  return found;
}

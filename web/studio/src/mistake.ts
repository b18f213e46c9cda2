// Where a person went wrong in a game: the one place that asks for it.
import type { Game } from "./game";
import { type Judged, judge } from "./review";

// mistake finds the last move of a seat that gave value away, null where there is none.
export async function mistake(g: Game, seat: string, signal: AbortSignal): Promise<Judged | null> {
  let last: Judged | null = null;
  await judge(g, signal, (j) => {
    if (j.worse && j.turn === seat) last = j;
  });
  return last;
}

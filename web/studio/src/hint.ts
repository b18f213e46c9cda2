// Hints in three strengths: where, which and why. What they say comes from the judge.
import { type Info, judge, type Judged, type Position } from "./api";
import { at, type Game } from "./game";
import { nine } from "./nine";
import { say } from "./text";
import { once, squareOf } from "./words";

export type Strength = "where" | "which" | "why";

// hintNames are what is pressed for each strength.
export const hintNames: Record<Strength, string> = { where: say("Hint"), which: say("which move?"), why: say("why") };

// following is the strength that tells more than the one before.
export const following = (before?: Strength): Strength => (before === "where" ? "which" : before ? "why" : "where");

export interface Hint { strength: Strength; text: string; squares: Set<number>; move: string }

// hintTime is how long a hint is looked for, in milliseconds.
const hintTime = 1500;

// best asks about the position of the game.
export async function best(g: Game, signal: AbortSignal): Promise<Judged> {
  const answers: Judged[] = [];
  await judge(at(g), hintTime, signal, (j) => answers.push(j));
  const last = answers.at(-1);
  if (!last) throw new Error(say("the server has not answered"));
  return last;
}

// hint tells as much as was asked for.
export function hint(b: Judged, p: Position, strength: Strength): Hint {
  const squares = p.info.squares ?? [];
  const i = squares.findIndex((s) => s.name === squareOf(b.hint));
  const zone = i >= 0 ? around(p.info, i) : new Set<number>();
  const playable = new Set(p.state.moves.map(squareOf));
  const free = [...zone].map((z) => squares[z]!.name).filter((name) => playable.has(name));
  const alike = b.moves.every((m) => m.best); // then no part of the board is better than another
  if (strength === "where" && free.length > 0 && free.length < playable.size && !alike) {
    return { strength, squares: new Set([...zone].filter((z) => playable.has(squares[z]!.name))), move: "", text: say("look at", { several: free.length > 1, squares: free.slice(0, 12).join(", ") }) };
  }
  return { strength: strength === "why" ? "why" : "which", squares: new Set(i >= 0 ? [i] : []), move: b.hint, text: strength === "why" ? once(b.why) : b.which };
}

// around is the part of the board that a square lies in: its row of a small board, its board of a meta game, the columns
// near it where marks fall, else the squares near it.
function around(info: Info, i: number): Set<number> {
  const squares = info.squares ?? [];
  const s = squares[i]!;
  const meta = info.drawn === "nine";
  const flat = squares.every((t) => t.level === 0);
  const near = (t: typeof s): boolean =>
    meta ? nine(t) === nine(s)
    : info.falls ? Math.abs(t.col - s.col) <= 1 && (flat || Math.abs(t.row - s.row) <= 1)
    : squares.length <= 16 ? t.level === s.level && t.row === s.row
    : t.level === s.level && Math.abs(t.col - s.col) <= 1 && Math.abs(t.row - s.row) <= 1;
  return new Set(squares.flatMap((t, k) => (near(t) ? [k] : [])));
}

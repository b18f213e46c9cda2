// The level of the opponent whom a link doesn't name: the first that there is, and the
// next once a person has beaten one.
import { say } from "./text";

const key = "oxo.level";
export const levelNames = [say("beginner"), say("easy"), say("medium"), say("hard"), say("strongest")];
export const topLevel = levelNames.length;

// levelOf is the level of a player, 0 for one that has none.
export function levelOf(player: string): number {
  const n = /^level:(\d)$/.exec(player)?.[1];
  return n ? Number(n) : 0;
}

export const level = (n: number): string => `level:${n}`;

export function usualOpponent(): string {
  let n = 1;
  try {
    n = Number(localStorage.getItem(key) ?? 1);
  } catch {
    // Without storage everybody begins at the first.
  }
  return level(n >= 1 && n <= topLevel ? Math.floor(n) : 1);
}

export function keepLevel(n: number): void {
  try {
    localStorage.setItem(key, String(n));
  } catch {
    // Likewise.
  }
}

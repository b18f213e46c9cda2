// The level of the opponent whom a link doesn't name: in each game the first that there is, and the
// next once a person has beaten one.
import { getItem, setItem } from "./storage";
import { say } from "./text";

const keyOf = (spec: string): string => `oxo.level:${spec}`;
export const levelNames = [say("beginner"), say("easy"), say("medium"), say("hard"), say("strongest")];
export const topLevel = levelNames.length;

// levelOf is the level of a player, 0 for one that has none.
export const levelOf = (player: string): number => Number(/^level:(\d)$/.exec(player)?.[1] ?? 0);

export const level = (n: number): string => `level:${n}`;

// usualOpponent is the first for everybody where there is no storage.
export function usualOpponent(spec: string): string {
  const n = Number(getItem(keyOf(spec)) ?? 1);
  return level(n >= 1 && n <= topLevel ? Math.floor(n) : 1);
}

export const keepLevel = (spec: string, n: number): void => setItem(keyOf(spec), String(n));

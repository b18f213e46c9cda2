// The games that this browser keeps.
import { fromQuery } from "./game";
import { setItem, storedValue } from "./storage";

export interface Kept {
  id: string;
  game: string;
  title: string;
  seats?: [string, string]; // what the sides are called
  names?: [string, string]; // of those who played it on the server
  start: string;
  moves: string[];
  first: string;
  second: string;
  resigned: string;
  result: string; // first, second, draw, or * while unfinished
  paid?: boolean; // whether it ended with a payoff
  linked?: boolean; // whether it was brought by a link, and nobody has moved here since
  mixed?: boolean; // whether others went on with it than had begun it
  swapped?: boolean; // whether the second of two at one screen played first
  online?: string; // the seat of who played it on the server, where its id names it
  when: number;
}

const key = "oxo.games";
const most = 200;

// readGames takes what is a game of a list from elsewhere.
export const readGames = (list: unknown): Kept[] =>
  (Array.isArray(list) ? (list as Kept[]).filter((g) => typeof g?.id === "string" && typeof g.game === "string" && typeof g.title === "string" && Array.isArray(g.moves) && g.moves.every((m) => typeof m === "string")) : []);

export const keptGames = (): Kept[] => readGames(storedValue(key));

// write keeps the latest games. Without storage the link of a game still holds it.
const write = (list: Kept[]): void => setItem(key, JSON.stringify(list.slice(0, most)));

// mixedNow reports whether a game that is kept was begun by others than those who play it now: how it ends tells of neither.
export const mixedNow = (old: Kept | undefined, now: Pick<Kept, "first" | "second">): boolean =>
  old !== undefined && (old.mixed || old.first !== now.first || old.second !== now.second);

// keep puts a game first, unless it is kept just so already.
export function keep(g: Kept): void {
  const list = keptGames();
  const old = list.find((k) => k.id === g.id);
  g = { ...g, linked: g.linked && (old?.linked ?? true), mixed: g.mixed || mixedNow(old, g), swapped: old ? old.swapped : g.swapped };
  if (old && JSON.stringify({ ...old, when: 0 }) === JSON.stringify({ ...g, when: 0 })) return;
  write([g, ...list.filter((k) => k.id !== g.id)]);
}

export const forget = (id: string): void => write(keptGames().filter((k) => k.id !== id));

// lastLeft is the latest game, where it goes on and a person plays in it.
export function lastLeft(): Kept | null {
  const [k] = keptGames();
  return k?.result === "*" && (k.first === "human" || k.second === "human") ? k : null;
}

const tab = "oxo.left";

// leave notes the game that is shown in this tab, as its link. Without storage the shelf
// has to do.
export const leave = (query: Record<string, string>): void => setItem(tab, JSON.stringify(query), "sessionStorage");

// unfinished is the game that was left in this tab, as its link, if it goes on.
export function unfinished(): Record<string, string> | null {
  const query = storedValue(tab, "sessionStorage") as Record<string, string> | null;
  if (!query) return null;
  const g = fromQuery(query);
  const kept = keptGames().find((k) => k.game === g.spec && k.start === g.start && k.moves.join() === g.moves.join());
  return kept?.result === "*" ? query : null;
}

// newID tells games apart in this browser.
export const newID = (): string => `${Date.now().toString(36)}-${Math.floor(Math.random() * 2 ** 32).toString(36)}`;

// beaten returns, for each game, the players that a person has beaten from its start here.
export function beaten(): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  for (const k of keptGames()) {
    const player = k.result === "first" && k.first === "human" ? k.second : k.result === "second" && k.second === "human" ? k.first : "";
    if (player && !k.start && !k.linked && !k.mixed) all.set(k.game, (all.get(k.game) ?? new Set()).add(player));
  }
  return all;
}

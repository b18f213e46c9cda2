// The games that this browser keeps.

export interface Kept {
  id: string;
  game: string;
  title: string;
  start: string;
  moves: string[];
  first: string;
  second: string;
  resigned: string;
  result: string; // first, second, draw, or * while unfinished
  when: number;
}

const key = "oxo.games";
const most = 200;

export function keptGames(): Kept[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(list) ? (list as Kept[]).filter((g) => typeof g?.game === "string" && Array.isArray(g.moves)) : [];
  } catch {
    return [];
  }
}

function write(list: Kept[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(list.slice(0, most)));
  } catch {
    // Storage is full or forbidden; the link of the game still holds it.
  }
}

// keep puts a game first, unless it is kept just so already.
export function keep(g: Kept): void {
  const list = keptGames();
  const old = list.find((k) => k.id === g.id);
  if (old && JSON.stringify({ ...old, when: 0 }) === JSON.stringify({ ...g, when: 0 })) return;
  write([g, ...list.filter((k) => k.id !== g.id)]);
}

export const forget = (id: string): void => write(keptGames().filter((k) => k.id !== id));

// newID tells games apart in this browser.
export const newID = (): string => `${Date.now().toString(36)}-${Math.floor(Math.random() * 2 ** 32).toString(36)}`;

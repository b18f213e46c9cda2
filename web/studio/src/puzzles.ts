// Puzzles as the server sets them, and the key under which it keeps who solves them.
import { Problem, remember, request } from "./api";
import type { AnswerReply, DailyReply, MistakeView, PuzzlesReply, PuzzleView, Solver, SolverReport } from "./schema";
import { mistakesIn } from "./mistake";
import { type Kept, keptGames } from "./shelf";
import { getItem, setItem, storedValue } from "./storage";
import { say } from "./text";
export type { AnswerReply as Answered, PuzzleGame, PuzzleTally, PuzzleView as Puzzle, Solver } from "./schema";

export const daily = "daily";

// settled is the deviation below which a rating is more than a guess.
const settled = 110;

// unsettled is about how many more puzzles it takes until the rating is settled, 0 where it is: by Glicko-2 each that
// is as hard as its solver is strong adds about so much to what is known.
const learned = 0.2;
export const unsettled = ({ rating: { deviation } }: Solver): number =>
  deviation > settled ? Math.ceil(((173.7 / settled) ** 2 - (173.7 / deviation) ** 2) / learned) : 0;

export const themes: [string, string][] = [
  ["", say("all themes")], ["win", say("win in n moves")], ["win-1", say("win at once")], ...[2, 3, 4].map((n): [string, string] => [`win-${n}`, say("win in n", { n, more: n === 4 })]), ["fork", say("find the fork")], ["only", say("the only move that wins")],
  ["block", say("block or lose")], ["save", say("save the draw")], ["avoid", say("complete nothing")],
];

// difficulties are how hard puzzles are beside the rating of who solves; the missed ones are as hard as they were.
export const missed = "missed";
export const difficulties: [string, string][] = [["easier", say("easier puzzles")], ["", say("about my rating")], ["harder", say("harder puzzles")], [missed, say("missed before")]];

const solverItem = "oxo.solver";

// heldSolver is the key of who solves in this browser, "" where there is none yet.
// Without storage nobody is known again.
export const heldSolver = (): string => getItem(solverItem) ?? "";

// joinSolver takes over a key from another device, unless more was tried under the one here or that can't be told; it
// reports whether that one stays.
export async function joinSolver(key: unknown): Promise<boolean> {
  const own = heldSolver();
  if (typeof key !== "string" || !/^[0-9a-f]{32}$/.test(key) || key === own) return false;
  const tried = (of: string) => request<Solver>("puzzles/solver", { headers: named(of) }).then((who) => who.tried);
  const stays = own !== "" && await Promise.all([tried(own), tried(key)]).then(([here, there]) => here > there, () => true);
  if (!stays) setItem(solverItem, key);
  return stays;
}

// solverKey is heldSolver, and draws a key where there is none.
function solverKey(): string {
  if (heldSolver() === "") setItem(solverItem, Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join(""));
  return heldSolver();
}

const triedItem = "oxo.tried";
const mostTried = 500;

// Past is a puzzle that was tried in this browser, the latest first, or looked at with a hint. Of old only the id was
// kept, and of own mistakes it is all, as their pages do not last.
// A puzzle that was solved later is late, unless the answer was told before; on is the day of the first try, move what was tried then, points what it did
// to the rating, and rated how hard the puzzle was.
export interface Past { id: string; game?: string; theme?: string; solved?: boolean; day?: string; late?: boolean; told?: boolean; on?: string; move?: string; points?: number; rated?: number }

export const pastPuzzles = (): Past[] => {
  const list = storedValue(triedItem);
  return Array.isArray(list) ? list.map((o) => (typeof o === "string" ? { id: o } : o)).filter((o) => typeof o?.id === "string") : [];
};

// pastOf is how a puzzle went that was tried before: then no try is the first.
export const pastOf = (id: string): Past | undefined => pastPuzzles().find((o) => o.id === id);

// hintOnly reports whether it was looked at with a hint and not tried.
export const hintOnly = ({ solved, move, told, late }: Past): boolean => solved === false && move === undefined && !told && !late;

const keepPast = (list: Past[]): void => setItem(triedItem, JSON.stringify(list.slice(0, mostTried)));

// joinPast adds what was tried on another device, the latest first, and returns how many puzzles that were. One that was
// tried on both is as it is here, and solved later where it was solved there.
export function joinPast(theirs: unknown): number {
  const there = new Map<string, Past>((Array.isArray(theirs) ? theirs : []).filter((o) => typeof o?.id === "string").map((o) => [o.id, o]));
  const own = pastPuzzles().map((o) => {
    const { solved, late } = there.get(o.id) ?? {};
    there.delete(o.id);
    return (solved || late) && !o.solved && !o.told ? { ...o, late: true } : o;
  });
  keepPast([...own, ...there.values()].sort((a, b) => (b.on ?? "").localeCompare(a.on ?? "")));
  return there.size;
}

// mostMissed is how many misses end a race, by its mode, under which the best race is kept.
export const mostMissed = { race: 3, "race-untimed": 3, "race-streak": 1 };

const bestOf = (mode: string): number => Number(getItem("oxo." + mode)) || 0;

export const bestRaces = (): Record<string, number> => Object.fromEntries(Object.keys(mostMissed).map((mode) => [mode, bestOf(mode)]));

// joinRaces keeps the better of two races of a mode, one of them from another device.
export function joinRaces(theirs: unknown): void {
  for (const mode in mostMissed) {
    const there = (theirs as Record<string, unknown> | undefined)?.[mode];
    if (typeof there === "number" && there > bestOf(mode)) setItem("oxo." + mode, `${there}`);
  }
}

// noteTried keeps that it was, of the first time how it went, whether it was solved later, and the day whose puzzle it is.
export function noteTried({ id, game, theme, rating: rated }: PuzzleView, own: boolean, went: { solved: boolean; late?: boolean; told?: boolean; move?: string; points?: number }, day: string): void {
  const { late, told, ...first } = went;
  const before = pastOf(id);
  const now: Past = own ? { id } : { ...first, on: new Date().toISOString().slice(0, 10), rated, ...before, id, game, theme, ...(late && !before?.told ? { late } : {}), ...(told ? { told } : {}), ...(day ? { day } : {}) };
  keepPast([now, ...pastPuzzles().filter((o) => o.id !== id)]);
}

const shownItem = "oxo.shown";
const mostShown = 60;

// shownPuzzles are those that were set last in this browser, tried or not, the latest last.
export const shownPuzzles = (): string[] => {
  const list = storedValue(shownItem);
  return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
};

export const noteShown = (id: string): void => setItem(shownItem, JSON.stringify([...shownPuzzles().filter((o) => o !== id), id].slice(-mostShown)));

const named = (key: string): Record<string, string> => (key ? { "Oxo-Solver": key } : {});

const get = <T>(path: string, signal?: AbortSignal): Promise<T> => request<T>("puzzles" + path, { signal, headers: named(heldSolver()) });

const send = <T>(path: string, body: unknown, key: string, signal?: AbortSignal): Promise<T> =>
  request<T>("puzzles" + path, { method: "POST", headers: { "Content-Type": "application/json", ...named(key) }, body: JSON.stringify(body), signal });

export const puzzleList = remember((q: { game: string; theme: string; difficulty: string; but: string }) => get<PuzzlesReply>(`?game=${encodeURIComponent(q.game)}&theme=${q.theme}${q.difficulty && (q.difficulty === missed ? "&missed=true" : "&difficulty=" + q.difficulty)}${q.but && "&but=" + q.but}`), true);
export const puzzleOf = (id: string, signal: AbortSignal): Promise<PuzzleView> => get("/" + encodeURIComponent(id), signal);
export const puzzleOfDay = (day: string, signal: AbortSignal): Promise<DailyReply> => get("/daily" + (day && "?day=" + encodeURIComponent(day)), signal);
export const solverOf = (signal: AbortSignal): Promise<Solver> => get("/solver", signal);
export const reportOf = (days: string, signal: AbortSignal): Promise<SolverReport> => get("/solver/report" + (days && "?days=" + days), signal);
// puzzleNear draws a puzzle that is about so hard and none that is easier than the least, of a game that many people
// know where none is chosen, and none of those that were set before, while there are others.
export const puzzleNear = (near: number, least: number, game: string, theme: string, but: string[], signal: AbortSignal): Promise<PuzzlesReply> => get(`?near=${near}&least=${least}&but=${but.slice(-300)}&game=${encodeURIComponent(game)}&theme=${theme}${game ? "" : "&known=true"}`, signal);

// answerPuzzle tries a move, or asks for the answer where it is empty, after the line of a puzzle that goes on.
export const answerPuzzle = (id: string, { move, first, again, ...rest }: { line: string[]; move: string; first: boolean; again: boolean; refused: string[] }): Promise<AnswerReply> =>
  send(`/${id}/answer`, { ...rest, ...(move ? { move } : {}), ...(first ? { first } : {}), ...(again ? { again } : {}) }, solverKey());

// tellAnswer asks for the answer after a line, which counts for nobody.
export const tellAnswer = (id: string, line: string[]): Promise<AnswerReply> => send(`/${id}/answer`, { line }, "");

// Mistake is a puzzle and the game in which another move was made.
export interface Mistake { puzzle: MistakeView; game: Kept }

// Mistakes are puzzles of the mistakes in the games that this browser keeps, the latest
// first; a game is looked at when it is its turn.
export class Mistakes {
  private games = keptGames().filter((g) => g.moves.length > 1);
  private found: Mistake[] = [];
  any = false; // whether one was set

  // next is a puzzle that was not set yet, null where there is none left.
  async next(signal: AbortSignal): Promise<Mistake | null> {
    while (this.found.length === 0) {
      const g = this.games[0];
      if (!g) return null;
      const seat = g.online || (g.first !== "human" ? "second" : g.second !== "human" ? "first" : "");
      try {
        this.found = (await mistakesIn(g, seat, signal)).map((puzzle) => ({ puzzle, game: g }));
      } catch (e) {
        if (!(e instanceof Problem) || e.status === 0 || e.status === 429) throw e; // else no puzzles are of such games
      }
      this.games.shift();
    }
    this.any = true;
    return this.found.shift()!;
  }
}

// Puzzles as the server sets them, and the key under which it keeps who solves them.
import { Problem, remember, request } from "./api";
import type { AnswerReply, DailyReply, MistakesReply, PuzzlesReply, PuzzleView, Solver } from "./schema";
import { keptGames } from "./shelf";
import { getItem, setItem, storedValue } from "./storage";
import { say } from "./text";
export type { AnswerReply as Answered, PuzzleView as Puzzle, Solver } from "./schema";

export const daily = "daily";

export const themes: [string, string][] = [
  ["", say("all themes")], ["win", say("win in n moves")], ["fork", say("find the fork")], ["only", say("the only move that wins")],
  ["block", say("block or lose")], ["save", say("save the draw")], ["avoid", say("complete nothing")],
];

const solverItem = "oxo.solver";

// heldSolver is the key of who solves in this browser, "" where there is none yet.
// Without storage nobody is known again.
export const heldSolver = (): string => getItem(solverItem) ?? "";

// holdSolver takes over a key, from another device.
export function holdSolver(key: unknown): void {
  if (typeof key === "string" && /^[0-9a-f]{32}$/.test(key)) localStorage.setItem(solverItem, key);
}

// solverKey is heldSolver, and draws a key where there is none.
function solverKey(): string {
  if (heldSolver() === "") {
    try {
      holdSolver(Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join(""));
    } catch {
      return "";
    }
  }
  return heldSolver();
}

const triedItem = "oxo.tried";
const mostTried = 500;

const triedIDs = (): string[] => {
  const list = storedValue(triedItem);
  return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
};

// wasTried reports whether a puzzle was tried in this browser before, or looked at with a hint: then no try is the first.
export const wasTried = (id: string): boolean => triedIDs().includes(id);

// noteTried keeps that it was.
export const noteTried = (id: string): void => setItem(triedItem, JSON.stringify([id, ...triedIDs().filter((o) => o !== id)].slice(0, mostTried)));

const named = (key: string): Record<string, string> => (key ? { "Oxo-Solver": key } : {});

const get = <T>(path: string, signal?: AbortSignal): Promise<T> => request<T>("puzzles" + path, { signal, headers: named(heldSolver()) });

const send = <T>(path: string, body: unknown, key: string, signal?: AbortSignal): Promise<T> =>
  request<T>("puzzles" + path, { method: "POST", headers: { "Content-Type": "application/json", ...named(key) }, body: JSON.stringify(body), signal });

export const puzzleList = remember((q: { game: string; theme: string }) => get<PuzzlesReply>(`?game=${encodeURIComponent(q.game)}&theme=${q.theme}`), true);
export const puzzleOf = (id: string, signal: AbortSignal): Promise<PuzzleView> => get("/" + encodeURIComponent(id), signal);
export const puzzleOfToday = (signal: AbortSignal): Promise<DailyReply> => get("/daily", signal);
export const solverOf = (signal: AbortSignal): Promise<Solver> => get("/solver", signal);
export const answerPuzzle = (id: string, move: string, first: boolean, refused: string[]): Promise<AnswerReply> =>
  send(`/${id}/answer`, { ...(move ? { move } : {}), ...(first ? { first } : {}), refused }, solverKey());

// Mistakes are puzzles of the mistakes in the games that this browser keeps, the latest
// first; a game is looked at when it is its turn.
export class Mistakes {
  private games = keptGames().filter((g) => g.moves.length > 1);
  private found: PuzzleView[] = [];
  any = false; // whether one was set

  // next is a puzzle that was not set yet, null where there is none left.
  async next(signal: AbortSignal): Promise<PuzzleView | null> {
    while (this.found.length === 0) {
      const g = this.games[0];
      if (!g) return null;
      const person = g.online ? { seat: g.online } : g.first === "human" ? (g.second === "human" ? {} : { seat: "first" }) : { seat: "second" };
      try {
        const r = await send<MistakesReply>("/mistakes", { game: g.game, position: g.start, moves: g.moves, ...person }, "", signal);
        this.found = r.puzzles;
      } catch (e) {
        if (!(e instanceof Problem) || e.status === 0 || e.status === 429) throw e; // else no puzzles are of such games
      }
      this.games.shift();
    }
    this.any = true;
    return this.found.shift()!;
  }
}

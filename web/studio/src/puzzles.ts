// Puzzles as the server sets them, and what this browser keeps of who solves them.
import { post, request } from "./api";

export interface Puzzle { id: string; game: string; title: string; position: string; theme: string; rating: number; goal: string; hints: string[] }
export interface PuzzleGame { game: string; title: string; count: number; themes: Record<string, number> }
export interface PuzzleList { count: number; games: PuzzleGame[]; puzzle?: Puzzle }
export interface Rating { rating: number; deviation: number; volatility: number }
export interface Answered { right: boolean; says: string; answer?: string; rating?: Rating }

export const daily = "daily";

export const themes: [string, string][] = [
  ["", "All themes"], ["win", "Win in so many moves"], ["fork", "Find the fork"], ["only", "The only move that wins"],
  ["block", "Block or lose"], ["save", "Save the draw"], ["avoid", "Do not complete it"],
];

export const puzzleList = (game: string, theme: string, near: number, signal: AbortSignal): Promise<PuzzleList> =>
  request(`puzzles?game=${encodeURIComponent(game)}&theme=${theme}&near=${Math.round(near)}`, { signal });
export const puzzleOf = (id: string, signal: AbortSignal): Promise<Puzzle> => request(`puzzles/${encodeURIComponent(id)}`, { signal });
export const puzzleOfToday = (signal: AbortSignal): Promise<{ day: string; puzzle: Puzzle }> => request("puzzles/daily", { signal });
export const answerPuzzle = (id: string, move: string, first: boolean, rating: Rating | undefined): Promise<Answered> =>
  post(`puzzles/${id}/answer`, { ...(move ? { move } : {}), ...(first ? { first, ...(rating ? { rating } : {}) } : {}) });

// Solver is what is kept of who solves: a rating, and puzzles in a row that were solved at
// the first try.
export interface Solver { rating?: Rating; streak: number; best: number; solved: number; tried: number; day: string; days: number }

const nobody: Solver = { streak: 0, best: 0, solved: 0, tried: 0, day: "", days: 0 };

// solverFrom reads what is kept; what can't be read counts as nothing.
export function solverFrom(text: string): Solver {
  try {
    return { ...nobody, ...(JSON.parse(text || "{}") as Partial<Solver>) };
  } catch {
    return nobody;
  }
}

// counted adds a first try.
export function counted(s: Solver, right: boolean, rating?: Rating): Solver {
  const streak = right ? s.streak + 1 : 0;
  return { ...s, rating: rating ?? s.rating, streak, best: Math.max(s.best, streak), solved: s.solved + (right ? 1 : 0), tried: s.tried + 1 };
}

// dayAfter reports whether one date of the form 2026-01-31 follows the other.
export const dayAfter = (day: string, before: string): boolean => Date.parse(day) - Date.parse(before) === 24 * 3600 * 1000;

// today adds the puzzle of a day that was solved: days in a row.
export const solvedDay = (s: Solver, day: string): Solver =>
  s.day === day ? s : { ...s, day, days: dayAfter(day, s.day) ? s.days + 1 : 1 };

// Learners that people teach by hand: what the server says of them, and how to ask.
import { post, request, type State, type Turn } from "./api";
import type { Looked, Step } from "./train";

export interface Term { feature: string; here: number; then: number }
export interface Considered extends Step { explores?: boolean; moves: Looked[]; terms?: Term[] }
export interface Changed extends Step { explores?: boolean; before: Looked[]; after: Looked[] }
export interface Taught { seat: Turn; result: string; resigned: boolean; moves: Changed[]; weights?: { feature: string; before: number; after: number }[] }
export interface Lesson {
  seat: Turn; // the learner's
  start: string;
  moves: string[];
  ply: number;
  state: State;
  owned: number[];
  over: boolean;
  result: string;
  resigned: boolean;
  steps: Step[];
  considered?: Considered;
  taught?: Taught;
  features: string[];
  weights: number[][];
}
export interface Pupil { id: string; mine: boolean; name?: string; made: string; game: string; learner: string; seats: string; head: number; results: string; games: number; wins: number; draws: number; losses: number; lesson?: Lesson }
export interface Taking extends Pupil { lesson: Lesson }
export interface NewPupil { game: string; learner: string; seats: string; head?: number; seed?: number }

export const pupils = (game: string): Promise<{ pupils: Pupil[] }> => request(`pupils?game=${encodeURIComponent(game)}`, {});
export const pupil = (id: string): Promise<Taking> => request(`pupils/${id}`, {});
export const addPupil = (p: NewPupil): Promise<Taking> => post("pupils", p);
export const teach = (p: Taking, what: { move: string } | { player: string; all?: boolean } | { resign: true }): Promise<Taking> => post(`pupils/${p.id}/move`, { ply: p.lesson.ply, ...what });
export const again = (id: string, seats = ""): Promise<Taking> => post(`pupils/${id}/again`, seats ? { seats } : {});
export const adjust = (p: Taking, weights: number[]): Promise<Taking> => post(`pupils/${p.id}/weights`, { ply: p.lesson.ply, weights });
export const rowsOf = (id: string): Promise<{ features: string[]; rows: { game: number; weights: number[] }[] }> => request(`pupils/${id}/weights`, {});
export const brainFile = (id: string): string => `api/v1/pupils/${id}/brain`;

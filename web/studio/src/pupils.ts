// Learners that people teach by hand: what the server says of them, and how to ask.
import { post, request } from "./api";
import type { LessonView as Lesson, Pupil, PupilRequest as NewPupil } from "./schema";
export type { Changed, Considered, LessonView as Lesson, Pupil, PupilRequest as NewPupil, Taught, Term } from "./schema";

export interface Taking extends Pupil { lesson: Lesson }

export const pupils = (game: string): Promise<{ pupils: Pupil[] }> => request(`pupils?game=${encodeURIComponent(game)}`, {});
export const pupil = (id: string): Promise<Taking> => request(`pupils/${id}`, {});
export const addPupil = (p: NewPupil): Promise<Taking> => post("pupils", p);
export const teach = (p: Taking, what: { move: string } | { player: string; all?: boolean } | { resign: true }): Promise<Taking> => post(`pupils/${p.id}/move`, { ply: p.lesson.ply, ...what });
export const again = (id: string, seats = ""): Promise<Taking> => post(`pupils/${id}/again`, seats ? { seats } : {});
export interface Change { weights?: number[]; depth?: number }
export const adjust = (p: Taking, to: Change): Promise<Taking> => post(`pupils/${p.id}/weights`, { ply: p.lesson.ply, ...to });
export const rowsOf = (id: string): Promise<{ features: string[]; rows: { game: number; weights: number[] }[] }> => request(`pupils/${id}/weights`, {});
export const brainFile = (id: string): string => `api/v1/pupils/${id}/brain`;

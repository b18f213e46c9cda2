// Trainings on the server: what it says of them, and how to ask.
import { useEffect, useRef, useState } from "preact/hooks";
import { post, request } from "./api";
export type { Catalogue, JobBrain, LearnerForm, Looked, Near, Offer as Offered, LearnerSetting as Setting, Step, Takes } from "./schema";
import type { BrainReply, Catalogue, JobBrain, LookReply, Looked, Step } from "./schema";
import { type Followed, type Job, type JobState, useJob } from "./job";
import { say } from "./text";

export interface TrainArgs { learner: string; against: string; games: number; start?: string; seats?: string; exam_every?: number; runs?: number }
export interface Training extends Job<TrainArgs> { brains: JobBrain[] }

export interface Beads { move: string; beads: number }
export interface Box { position: string; turn: string; stage: number; beads: Beads[] }
export interface Shown {
  summary: string[];
  weights?: { feature: string; weight: number; least_squares?: number }[];
  boxes?: Box[];
  positions?: { position: string; move?: string; seat: string; worth: number }[];
  rules?: string[];
  last?: Step[];
}
export type Brain = Omit<BrainReply, "shown"> & { shown: Shown };
export type Look = Omit<LookReply, "look"> & { look: { turn: string; resigns: number; moves: Looked[] } };
export interface Start { game: string; args: TrainArgs; pace: number; seed?: number }

export const catalogue = (game: string): Promise<Catalogue> => request(`learners?game=${encodeURIComponent(game)}`, {});
export const startTraining = (s: Start): Promise<Training> => post("jobs", { verb: "train", ...s });
export const setPace = (id: string, pace: number): Promise<Training> => post(`jobs/${id}/pace`, { pace });
export const saveBrain = (id: string, brain: string, name: string): Promise<{ brain: string }> => post(`jobs/${id}/save`, { brain, name });
export const showBrain = (brain: string): Promise<Brain> => request(`brain?brain=${encodeURIComponent(brain)}`, {});
export const look = (brain: string, moves: string[]): Promise<Look> => post("look", { brain, moves });

export const stateName: Record<JobState, string> = { queued: say("waiting"), running: say("is learning"), paused: say("paused"), done: say("finished"), failed: say("failed"), cancelled: say("stopped") };

// Run is what was measured of one run: values[k][i] is measure k after games[i].
export interface Run { games: number[]; values: number[][] }

// Basis is what the numbers of a measure are of: an exact exam, a sample of so many games or positions, or the learner's own weights, beads, rules or loss.
export interface Basis { of: "exam" | "games" | "positions" | "weights" | "beads" | "rules" | "loss"; size?: number }

export interface Measured { names: string[]; bases: Basis[]; runs: Map<number, Run>; version: number }

interface PointsLine { names?: string[]; bases?: Basis[]; runs: { run: number; games: number[]; values: (number | null)[][] }[] }

// add takes in new points. After a restart of the server some come again.
export function add(m: Measured, line: PointsLine): void {
  if (line.names) [m.names, m.bases] = [line.names, line.bases ?? []];
  for (const part of line.runs) {
    const known = m.runs.get(part.run) ?? { games: [], values: m.names.map(() => []) };
    m.runs.set(part.run, known);
    part.games.forEach((g, i) => {
      if (known.games.length > 0 && g <= known.games[known.games.length - 1]!) return;
      known.games.push(g);
      part.values[i]!.forEach((v, k) => known.values[k]?.push(v ?? NaN));
    });
  }
  m.version++;
}

export interface Trained extends Followed<Training> { measured: Measured; version: number; again: () => void }

// useTraining follows a training, with all that was measured of it; again follows one that was over and is resumed.
export function useTraining(id: string): Trained {
  const nothing = (): Measured => ({ names: [], bases: [], runs: new Map(), version: 0 });
  const all = useRef({ id, measured: nothing() });
  if (all.current.id !== id) all.current = { id, measured: nothing() };
  const { measured } = all.current;
  const [, show] = useState(0);
  const [round, setRound] = useState(0);
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  const run = useJob<Training>(id, "training", (line) => {
    add(measured, line as PointsLine);
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      show(measured.version);
    });
  }, round);
  return { ...run, measured, version: measured.version, again: () => setRound(round + 1) };
}

// Line is a line of the chart, with a band where there are several runs.
export interface Line { name: string; xs: number[]; ys: number[]; low?: number[]; high?: number[]; guessed?: boolean[] }

// lineOf makes the line of one measure: the mean over the runs that have come so
// far, and the band from the 10th to the 90th percentile.
export function lineOf(m: Measured, measure: number, name: string): Line {
  const runs = [...m.runs.values()].filter((r) => r.games.length > 0 && r.values[measure]);
  const longest = runs.reduce<Run | null>((a, b) => (a && a.games.length >= b.games.length ? a : b), null);
  if (!longest) return { name, xs: [], ys: [] };
  if (runs.length === 1) return { name, xs: longest.games, ys: longest.values[measure]! };
  const line: Line & { low: number[]; high: number[] } = { name, xs: longest.games, ys: [], low: [], high: [] };
  for (let i = 0; i < longest.games.length; i++) {
    const list: number[] = [];
    for (const r of runs) if (i < r.games.length) list.push(r.values[measure]![i]!);
    list.sort((a, b) => a - b);
    line.ys.push(list.reduce((a, b) => a + b, 0) / list.length);
    line.low.push(percentile(list, 0.1));
    line.high.push(percentile(list, 0.9));
  }
  return line;
}

function percentile(sorted: number[], share: number): number {
  const at = share * (sorted.length - 1);
  const i = Math.floor(at);
  return i + 1 >= sorted.length ? sorted[i]! : sorted[i]! + (at - i) * (sorted[i + 1]! - sorted[i]!);
}

// insideOf are the measures of what a learner has inside: weights, or the beads
// of the first box.
export const insideOf = (m: Measured): number[] => m.names.flatMap((_, i) => (m.bases[i]?.of === "weights" || m.bases[i]?.of === "beads" ? [i] : []));

// emptied is after how many games a single run's first box is empty to the end, by its exams; null where it is not.
export function emptied(m: Measured): number | null {
  const beads = m.bases.flatMap((b, i) => (b.of === "beads" ? [i] : [])), run = m.runs.get(1);
  if (!run || m.runs.size > 1 || beads.length === 0) return null;
  return run.games[run.games.findLastIndex((_, at) => beads.some((k) => run.values[k]![at] !== 0)) + 1] ?? null;
}

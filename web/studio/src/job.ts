// Jobs on the server: what all of them have, what their owners can do with
// them, and how one is followed.
import { useEffect, useState } from "preact/hooks";
import { ask, type Job, request } from "./api";
import { follow } from "./follow";
import type { JobView } from "./schema";
import { read, say } from "./text";

export type { Job } from "./api";
export type JobState = JobView["state"];
export type JobVerb = "pause" | "resume" | "cancel";

// over reports whether nothing more will happen.
export const over = (s: JobState): boolean => s === "done" || s === "failed" || s === "cancelled";

export const jobs = <J extends Job>(verb: string): Promise<{ jobs: J[] }> => request(`jobs?verb=${verb}`, {});
export const jobDo = <J extends Job>(id: string, verb: JobVerb): Promise<J> => request(`jobs/${id}/${verb}`, { method: "POST" });
export const jobFile = (id: string, name: string): string => `api/v1/jobs/${id}/files/${name}`;
export const jobSheets = (id: string): string => `api/v1/jobs/${id}/sheets`;
export const jobResult = <R>(id: string): Promise<R> => request(`jobs/${id}/result`, {});
export const dropJob = (id: string): Promise<unknown> => ask(`jobs/${id}`, { method: "DELETE" });

// Ear is told how a job goes: each line about it, the points that it measured
// if they are wanted, and that the connection is lost, with a reason where there
// is one. Gone is a job that is not there, which is not asked for again.
export interface Ear<J> {
  job: (job: J) => void;
  points?: (points: unknown) => void;
  lost: (reason: string, gone: boolean) => void;
}

// followJob follows a job until it is over or the function that it returns is
// called. What is the word for such a job.
export function followJob<J extends Job>(id: string, what: string, ear: Ear<J>): () => void {
  let after = 0;
  const told = (e: Event) => read<{ job: J; points: unknown }>((e as MessageEvent<string>).data);
  return follow<J>({
    ask: () => request(`jobs/${id}`, {}),
    take: (job) => {
      if (ear.points) return true; // the stream says the job after what was measured so far, so that both are shown at once
      ear.job(job);
      return !over(job.state);
    },
    open: () => {
      const source = new EventSource(`api/v1/jobs/${id}/stream?format=sse&after=${after}`);
      source.addEventListener("points", (e) => {
        after = Number((e as MessageEvent).lastEventId);
        ear.points?.(told(e).points);
      });
      source.addEventListener("job", (e) => {
        const { job } = told(e);
        ear.job(job);
        if (over(job.state)) source.close();
      });
      return source;
    },
    lost: ear.lost,
    missing: say("there is no such", { what }),
  });
}

export interface Followed<J> { job: J | null; error: string; lost: boolean; set: (job: J) => void }

// useJob follows a job that measures nothing; without an id there is none.
export function useJob<J extends Job>(id: string, what: string): Followed<J> {
  const [state, set] = useState<{ id: string; job: J | null; error: string; lost: boolean }>({ id, job: null, error: "", lost: false });
  useEffect(() => {
    set({ id, job: null, error: "", lost: false });
    if (!id) return;
    return followJob<J>(id, what, {
      job: (job) => set({ id, job, error: "", lost: false }),
      lost: (error, gone) => set((old) => ({ ...old, error, lost: !gone })),
    });
  }, [id]);
  const known = state.id === id ? state : { job: null, error: "", lost: false };
  return { job: known.job, error: known.error, lost: known.lost, set: (job) => set({ id, job, error: "", lost: false }) };
}

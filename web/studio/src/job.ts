// Jobs on the server: what all of them have, what their owners can do with
// them, and how one is followed.
import { useEffect, useState } from "preact/hooks";
import { ask, type Job, type JobView, request } from "./api";
import { follow } from "./follow";
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

export interface Followed<J> { job: J | null; error: string; lost: boolean; set: (job: J) => void }

const unheard = { job: null, error: "", lost: false };

// useJob follows a job until it is over; without an id there is none. What is the word for such a job. Points are told
// what it measured, if that is wanted, and another round follows one that was over once more.
export function useJob<J extends Job>(id: string, what: string, points?: (line: unknown) => void, round = 0): Followed<J> {
  const [state, set] = useState<{ id: string; job: J | null; error: string; lost: boolean }>({ id, ...unheard });
  useEffect(() => {
    if (state.id !== id) set({ id, ...unheard });
    if (!id) return;
    let after = 0;
    const told = (e: Event) => read<{ job: J; points: unknown }>((e as MessageEvent<string>).data);
    const heard = (job: J) => set({ id, job, error: "", lost: false });
    return follow<J>({
      ask: () => request(`jobs/${id}`, {}),
      take: (job) => {
        if (points) return true; // the stream says the job after what was measured so far, so that both are shown at once
        heard(job);
        return !over(job.state);
      },
      open: () => {
        const source = new EventSource(`api/v1/jobs/${id}/stream?format=sse&after=${after}`);
        source.addEventListener("points", (e) => {
          after = Number((e as MessageEvent).lastEventId);
          points?.(told(e).points);
        });
        source.addEventListener("job", (e) => {
          const { job } = told(e);
          heard(job);
          if (over(job.state)) source.close();
        });
        return source;
      },
      lost: (error, gone) => set((old) => ({ ...old, error, lost: !gone })),
      missing: say("there is no such", { what }),
    });
  }, [id, round]);
  return { ...(state.id === id ? state : unheard), set: (job) => set((old) => ({ ...old, job })) };
}

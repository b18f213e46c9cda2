// Effects that end by a signal, and things that are done again and again.
import { useEffect } from "preact/hooks";

// pause waits for so many milliseconds.
export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

// untilOver is an effect that is told by a signal when it is over, which also ends what listens by it.
export const untilOver = (effect: (signal: AbortSignal) => unknown) => () => {
  const over = new AbortController();
  effect(over.signal);
  return () => over.abort();
};

// useAgain does something at once, and again so many milliseconds after each time, until it answers false.
export function useAgain(task: (signal: AbortSignal) => Promise<unknown>, every: number, on: unknown[]): void {
  useEffect(untilOver(async (signal) => {
    while (!signal.aborted && (await task(signal)) !== false) await pause(every);
  }), on);
}

// useEvery does something every so many milliseconds, while it is wanted.
export function useEvery(every: number, task: () => void, on: unknown[], wanted = true): void {
  useEffect(() => {
    if (!wanted) return;
    const timer = setInterval(task, every);
    return () => clearInterval(timer);
  }, [...on, wanted]);
}

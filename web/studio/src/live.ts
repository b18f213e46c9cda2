// A game on the server, followed as it goes on.
import { useEffect, useState } from "preact/hooks";
import { message, type Problem, table, type Table, tableStream } from "./api";

export interface Live {
  table: Table | null;
  at: number; // when the line came, by performance.now
  connected: boolean;
  error: string;
  set: (t: Table) => void; // takes an answer that is newer than the stream
}

// again is how long after a lost stream the next one is tried.
const again = 1500;

// useTable follows a game. A lost connection is taken up again by itself: each
// line of the stream holds everything.
export function useTable(id: string, key: string): Live {
  const [state, set] = useState<{ table: Table | null; at: number; connected: boolean; error: string }>({ table: null, at: 0, connected: false, error: "" });
  const take = (t: Table) => set((old) => {
    const newer = !old.table || t.id !== old.table.id || t.ply > old.table.ply || t.state !== "playing" || t.ply === old.table.ply;
    return newer ? { table: t, at: performance.now(), connected: true, error: "" } : old;
  });
  useEffect(() => {
    let source: EventSource | null = null;
    let later = 0;
    let live = true;
    const open = () => {
      source = new EventSource(tableStream(id, key));
      source.addEventListener("session", (e) => {
        const t = JSON.parse((e as MessageEvent<string>).data) as Table;
        take(t);
        if (t.state === "over") source?.close();
      });
      source.onerror = () => {
        source?.close();
        set((old) => (old.table?.state === "over" ? old : { ...old, connected: false }));
        later = window.setTimeout(() => live && ask(), again);
      };
    };
    // The first question is an ordinary one, whose refusal has words.
    const ask = () => table(id, key).then(
      (t) => {
        if (!live) return;
        take(t);
        if (t.state !== "over") open();
      },
      (e) => {
        if (!live) return;
        const gone = (e as Problem).status === 404;
        set((old) => ({ ...old, connected: false, error: gone ? "There is no such game on this server. The link may be cut short, or the game may be from another server." : message(e) }));
        if (!gone) later = window.setTimeout(() => live && ask(), again);
      },
    );
    // A browser may keep a page that was left, with its stream: nobody is there.
    const hidden = () => {
      clearTimeout(later);
      source?.close();
    };
    const shown = (e: PageTransitionEvent) => e.persisted && ask();
    addEventListener("pagehide", hidden);
    addEventListener("pageshow", shown);
    ask();
    return () => {
      live = false;
      removeEventListener("pagehide", hidden);
      removeEventListener("pageshow", shown);
      hidden();
    };
  }, [id, key]);
  return { ...state, set: take };
}

// useNow gives the time, again and again while something runs.
export function useNow(running: boolean, every: number): number {
  const [now, set] = useState(() => performance.now());
  useEffect(() => {
    if (!running) return;
    set(performance.now());
    const timer = setInterval(() => set(performance.now()), every);
    return () => clearInterval(timer);
  }, [running, every]);
  return now;
}

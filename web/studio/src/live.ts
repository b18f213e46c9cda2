// A game on the server, followed as it goes on.
import { useEffect, useState } from "preact/hooks";
import { useEvery } from "./effect";
import { silence, table, type Table, tableStream } from "./api";
import { follow } from "./follow";
import { read, say } from "./text";

export interface Live {
  table: Table | null;
  at: number; // when the line came, by performance.now
  connected: boolean;
  error: string;
  gone: boolean; // it is not there
  set: (t: Table) => void; // takes an answer that is newer than the stream
}

// stage is how far a game has come: an answer that was long on its way takes nothing back. What its sides take back
// counts for more than all moves.
const stage = (t: Table): number[] => [["open", "playing", "over"].indexOf(t.state), t.taken_back ?? 0, t.ply];

// earlier reports whether a stage comes before another.
const earlier = (a: number[], b: number[]): boolean => {
  const i = a.findIndex((n, k) => n !== b[k]);
  return i >= 0 && a[i]! < b[i]!;
};

// useTable follows a game. A lost connection is taken up again by itself: each
// line of the stream holds everything.
export function useTable(id: string, key: string): Live {
  const [state, set] = useState<{ table: Table | null; at: number; connected: boolean; error: string; gone: boolean }>({ table: null, at: 0, connected: false, error: "", gone: false });
  // A line of the stream is newer than the one before, whatever its version, which begins anew with the server; an
  // answer may have been overtaken by a line. What is over comes from the store, where versions begin anew.
  const take = (t: Table, answer = false) => set((old) => {
    const late = old.table?.id === t.id && (earlier(stage(t), stage(old.table)) || (answer && t.state === "playing" && t.version < old.table.version && !earlier(stage(old.table), stage(t))));
    return !late ? { table: t, at: performance.now(), connected: true, error: "", gone: false } : old;
  });
  useEffect(() => follow<Table>({
    ask: () => table(id, key, AbortSignal.timeout(silence)),
    take: (t) => {
      take(t);
      return t.state !== "over";
    },
    open: () => {
      const source = new EventSource(tableStream(id, key));
      source.addEventListener("session", (e) => {
        const t = read<Table>((e as MessageEvent<string>).data);
        take(t);
        if (t.state === "over") source.close();
      });
      return source;
    },
    lost: (reason, gone) => set((old) => (!reason && old.table?.state === "over" ? old : { ...old, connected: false, error: reason || old.error, gone })),
    missing: say("there is no such game"),
  }), [id, key]);
  return { ...state, set: (t) => take(t, true) };
}

// useNow gives the time, again and again while something runs.
export function useNow(running: boolean, every: number): number {
  const [now, set] = useState(() => performance.now());
  const look = () => set(performance.now());
  useEffect(look, [running, every]);
  useEvery(every, look, [], running);
  return now;
}

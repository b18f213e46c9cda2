// What is known of every move, as the server's judge says it.
import { useState } from "preact/hooks";
import type { Note } from "./board";
import { fromOf, squareIndex } from "./game";
import { useTask } from "./use";
import { type At, busy, judge, type Judged, type JudgedMove, message, type Position } from "./api";

export interface Values { judged: Judged | null; searching: boolean; error: string }

const nothing: Values = { judged: null, searching: false, error: "" };

// lookTime is how long a position is looked at, in milliseconds.
const lookTime = 4000;

// useValues asks about a position, and again until the server is there or more changes. What was found of it stays in
// view while it is asked about again, and where the server is too busy for more.
export function useValues(at: At, p: Position | null, more: number): Values {
  const key = JSON.stringify(at);
  const [state, set] = useState<Values & { key: string }>({ ...nothing, key: "" });
  useTask((signal) => {
    if (!p || p.state.result !== "*") return;
    return judge(at, lookTime, signal, (judged) => set((old) => ({ judged: old.key === key && knowsMore(old.judged, judged) ? old.judged : judged, searching: !judged.done, error: "", key })), more > 0);
  }, (e) => set(({ judged, key: of }) => (of === key && judged && busy(e) ? { judged, searching: true, error: "", key } : { ...nothing, error: message(e), key })), [key, p !== null, more]);
  return state.key === key ? state : nothing;
}

// knowsMore reports whether an answer that was there knows what one that is under way does not know yet.
const knowsMore = (old: Judged | null, now: Judged): boolean => old !== null && !now.done && (old.hi - old.lo < now.hi - now.lo || (old.searched ?? 0) > (now.searched ?? 0));

// Row is what is known of one move; share is its part of what was searched, shade a class,
// which says of an estimate that it is one, and near how deep it is, from 1 for the result that comes soonest to 0.
export interface Row { move: string; text: string; short: string; shade: string; near?: number; best: boolean; share: number; visits: number; known: boolean }

// rowsOf lists the moves, best first.
export function rowsOf(v: Values): Row[] {
  const moves = v.judged?.moves ?? [];
  const most = Math.max(1, ...moves.map((m) => m.searched ?? 0));
  return moves.map((m) => ({ move: m.move, text: m.text, short: m.short, shade: m.lo === m.hi ? m.shade : [m.shade, "guess"].join(" "), near: nearness(m, moves), best: m.best, visits: m.searched ?? 0, known: m.lo === m.hi, share: (m.searched ?? 0) / most }));
}

// nearness spreads the plies to results of one kind evenly, so that two of them can be told apart.
function nearness(m: JudgedMove, moves: JudgedMove[]): number | undefined {
  const plies = [...new Set(moves.flatMap((o) => (o.shade === m.shade && o.lo === o.hi ? o.plies ?? [] : [])))].sort((a, b) => a - b);
  const at = m.lo === m.hi && m.plies !== undefined ? plies.indexOf(m.plies) : -1;
  return at < 0 ? undefined : plies.length === 1 ? 0.5 : 1 - at / (plies.length - 1);
}

// notesOf puts the values of moves on their squares: of those of a mark that is not
// lifted, the best on the mark.
export function notesOf(rows: Row[], p: Position, mark: string, lifted = -1): Map<number, Note> {
  const map = new Map<number, Note>();
  for (const r of rows) {
    if (mark && !r.move.startsWith(mark + "@")) continue;
    const from = fromOf(p, r.move);
    const i = from >= 0 && from !== lifted ? from : squareIndex(p, r.move);
    if (i >= 0 && !map.has(i)) map.set(i, { text: r.short, say: r.text, shade: r.shade, near: r.near, best: r.best });
  }
  return map;
}

// treeNotes are the notes on moves by their names, for those that go to no square.
export const treeNotes = (rows: Row[]): Map<string, Note> => new Map(rows.map((r) => [r.move, { text: r.short, say: r.text, shade: r.shade, near: r.near, best: r.best }]));

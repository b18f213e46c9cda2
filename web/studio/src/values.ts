// The worth of every move: exact where the position can be solved at once, by
// ever longer searches where it can't.
import { useEffect, useState } from "preact/hooks";
import type { Note } from "./board";
import { fromOf, squareIndex } from "./game";
import { ifAway } from "./use";
import { small } from "./size";
import { aborted, type At, message, type Position, search, type SearchResult, type Worth, worth } from "./api";
import { number, plural, score, type Shade, shade, short, side, verdict } from "./words";

export interface Values { exact: Worth | null; found: SearchResult | null; searching: boolean; error: string }

const nothing: Values = { exact: null, found: null, searching: false, error: "" };

// rounds are the milliseconds of the searches that follow one another.
const rounds = [150, 400, 1000, 2500];

// useValues values a position, and again until the server is there; each more
// than 0 searches on.
export function useValues(at: At, p: Position | null, more: number): Values {
  const key = JSON.stringify(at);
  const [state, set] = useState<Values & { key: string }>({ ...nothing, key: "" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!p || p.state.result !== "*") return;
    const stop = new AbortController();
    const run = async () => {
      const exact = small(p) ? await worth(at) : null;
      if (stop.signal.aborted) return;
      if (exact) return set({ ...nothing, exact, key });
      for (const time_ms of more > 0 ? [4500] : rounds) {
        set((old) => ({ ...(old.key === key ? old : nothing), exact: null, searching: true, key }));
        const found = await search(at, { algorithm: "mcts", time_ms, multipv: p.state.moves.length }, stop.signal);
        if (stop.signal.aborted) return;
        set({ ...nothing, found, searching: true, key });
        if (found.exact) break;
      }
      set((old) => ({ ...old, searching: false }));
    };
    let later = 0;
    run().catch((e) => {
      if (aborted(e) || stop.signal.aborted) return;
      set({ ...nothing, error: message(e), key });
      later = ifAway(e, () => setTurn((n) => n + 1));
    });
    return () => {
      stop.abort();
      clearTimeout(later);
    };
  }, [key, p !== null, more, turn]);
  return state.key === key ? state : nothing;
}

// Row is what is known of one move.
export interface Row { move: string; text: string; short: string; shade: Shade; best: boolean; share: number; visits: number }

// rowsOf orders the moves, best first.
export function rowsOf(v: Values, p: Position): Row[] {
  const turn = p.state.turn;
  const sign = turn === "second" ? -1 : 1;
  if (v.exact) {
    // A quick win and a slow loss come first.
    const rank = (m: { remoteness: number | null; value?: string; expected?: number }): number => {
      const s = sign * score(m);
      return s * 10000 + (m.remoteness ?? 5000) * (s > 0 ? -1 : 1);
    };
    return v.exact.moves.map((m) => ({ m, r: rank(m) + (m.best ? 0.5 : 0) })).sort((a, b) => b.r - a.r)
      .map(({ m }) => ({ move: m.move, text: verdict(m, turn), short: short(m, turn), shade: shade(m, turn), best: m.best, share: 0, visits: 0 }));
  }
  if (!v.found) return [];
  const payoffs = p.state.moves.length > 0 && (v.found.lines ?? []).some((l) => Math.abs(l.value) > 1);
  const total = Math.max(1, ...(v.found.lines ?? []).map((l) => l.visits ?? 0));
  return (v.found.lines ?? []).map((l) => {
    const s = sign * l.value;
    const share = Math.round((s + 1) * 50);
    return {
      move: l.move, best: l.move === v.found!.move, visits: l.visits ?? 0, share: (l.visits ?? 0) / total,
      text: payoffs ? `about ${number(l.value)} to ${side(p.info, "first")}` : `about ${share} %, ${plural(l.visits ?? 0, "game")}`,
      short: payoffs ? number(l.value) : `${share}`,
      shade: s > 0.15 ? "good" : s < -0.15 ? "bad" : "even",
    };
  });
}

// notesOf puts the values of moves on their squares: of those of a mark that is not
// lifted, the best on the mark.
export function notesOf(rows: Row[], p: Position, mark: string, lifted = -1): Map<number, Note> {
  const map = new Map<number, Note>();
  for (const r of rows) {
    if (mark && !r.move.startsWith(mark + "@")) continue;
    const from = fromOf(p, r.move);
    const i = from >= 0 && from !== lifted ? from : squareIndex(p, r.move);
    if (i >= 0 && !map.has(i)) map.set(i, { text: r.short, say: r.text, shade: r.shade, best: r.best });
  }
  return map;
}

// treeNotes are the notes on the moves of a tree, which has no squares.
export const treeNotes = (rows: Row[]): Map<string, Note> => new Map(rows.map((r) => [r.move, { text: r.short, say: r.text, shade: r.shade }]));

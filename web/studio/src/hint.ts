// Hints in three strengths: where, which and why.
import { type Info, type MoveWorth, type Position, search, worth } from "./api";
import type { Game } from "./game";
import { at } from "./game";
import { nine } from "./board";
import { seen, spell } from "./review";
import { small } from "./size";
import { chances, plies, plural, score, side, squareOf, standing, verdict } from "./words";

export type Strength = "where" | "which" | "why";

export interface Hint { strength: Strength; text: string; squares: Set<number>; move: string }

// Best is a best move and the reasons for it, or the move that did best in so
// many simulated games; none where it is certain.
export interface Best { move: string; why: string; games: number }

// best finds such a move, which can take a second.
export async function best(g: Game, p: Position, signal: AbortSignal): Promise<Best> {
  const turn = p.state.turn;
  const w = small(p) ? await worth(at(g)) : null;
  if (w && w.best.length > 0) {
    const move = w.best[0]!;
    const chosen = w.moves.find((m) => m.move === move)!;
    const rest = w.moves.filter((m) => !m.best);
    const worse = rest.filter((m) => score(m) !== score(chosen));
    const says = (m: MoveWorth): string => verdict(m, turn).replace(/^worth/, "is worth");
    let why = `${move} ${says(chosen)}.`;
    const also = w.best.slice(1);
    if (also.length > 0) why += ` So ${(says(chosen).startsWith("is") ? ["is", "are"] : ["does", "do"])[also.length === 1 ? 0 : 1]} ${also.slice(0, 5).join(", ")}${also.length > 5 ? " and others" : ""}.`;
    if (worse.length > 0) why += ` ${worse.length === 1 ? `Worse is ${worse[0]!.move}` : `${plies(worse.length)} are worse, such as ${worse[0]!.move}`}, which ${says(worse[0]!)}.`;
    else if (rest.length === 0) why += " All moves are equally good.";
    else why += " The other moves come to the same result, later or sooner.";
    return { move, games: 0, why: `${standing(w, p.info)} ${why}` };
  }
  const t = await seen(at(g), p.info);
  if (t?.wins) return { move: t.moves[0]!, games: 0, why: `${spell(t, side(p.info, turn), false)} Begin with ${t.moves[0]}.` };
  const r = await search(at(g), { algorithm: "mcts", time_ms: 1000, multipv: 3 }, signal);
  const lines = r.lines ?? [];
  const others = lines.slice(1).map((l) => `${l.move} ${estimate(l.value, p.info)}`);
  const games = lines.reduce((n, l) => n + (l.visits ?? 0), 0);
  const why = `${r.move} ${r.exact ? "is proven best" : "did best"} in ${plural(games, "simulated game")} ${estimate(lines[0]?.value ?? r.value ?? 0, p.info)}.`
    + (others.length > 0 ? ` After it come ${others.join(" and ")}.` : "")
    + (r.pv.length > 1 ? ` Expected play: ${r.pv.slice(0, 6).join(", ")}.` : "");
  return { move: r.move, why, games: r.exact ? 0 : games };
}

const estimate = (v: number, info: Info): string => `(about ${chances(v, info)})`;

// hint tells as much of a best move as was asked for.
export function hint(b: Best, p: Position, strength: Strength): Hint {
  const squares = p.info.squares ?? [];
  const i = squares.findIndex((s) => s.name === squareOf(b.move));
  if (strength === "where" && i >= 0) {
    const zone = around(p.info, i);
    return { strength, squares: zone, move: "", text: `Look among ${[...zone].filter((z) => p.state.moves.some((m) => squareOf(m) === squares[z]!.name)).map((z) => squares[z]!.name).slice(0, 12).join(", ")}.` };
  }
  const only = new Set(i >= 0 ? [i] : []);
  if (strength === "why") return { strength, squares: only, move: b.move, text: b.why };
  return { strength, squares: only, move: b.move, text: b.games > 0 ? `Did best in ${plural(b.games, "simulated game")}: ${b.move}.` : `A best move is ${b.move}.` };
}

// around is the part of the board that a square lies in: its row of a small
// board, its board of a meta game, else the squares near it.
function around(info: Info, i: number): Set<number> {
  const squares = info.squares ?? [];
  const s = squares[i]!;
  const meta = info.drawn === "nine";
  const near = (t: typeof s): boolean =>
    meta ? nine(t) === nine(s)
    : squares.length <= 16 ? t.level === s.level && t.row === s.row
    : t.level === s.level && Math.abs(t.col - s.col) <= 1 && Math.abs(t.row - s.row) <= 1;
  return new Set(squares.flatMap((t, k) => (near(t) ? [k] : [])));
}


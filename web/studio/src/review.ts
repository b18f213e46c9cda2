// What every move of a game was worth, and where the game was lost.
import { type At, type Info, type Position, position, search, type Threats, threats, type Turn, type Worth, worth } from "./api";
import { at, type Game } from "./game";
import { small } from "./size";
import { chances, number, other, plies, score, side } from "./words";

// Judged is the position after some moves, and what the last of them did.
export interface Judged {
  ply: number;
  move: string; // empty at the start
  turn: Turn; // who made the move
  value: number; // of the position, to First
  exact: boolean;
  worse: boolean; // the move gave value away
  text: string;
}

// estimateSims is how many games are simulated where a value is not exact.
const estimateSims = 2000;

// noticeable is how much an estimate must fall to be called a mistake.
const noticeable = 0.5;

// estimate is the mean of simulated games. The value of the best move would
// leap about where there are hundreds: a few lucky games make any of them look
// won.
async function estimate(a: At, p: Position, signal: AbortSignal): Promise<number> {
  const r = await search(a, { algorithm: "mcts", sims: estimateSims, multipv: p.state.moves.length }, signal);
  const lines = r.lines ?? [];
  const games = lines.reduce((n, l) => n + (l.visits ?? 0), 0);
  if (r.exact || games === 0) return r.value ?? 0;
  return lines.reduce((sum, l) => sum + l.value * (l.visits ?? 0), 0) / games;
}

// judge values the positions of a game one by one and tells of each. Where a
// position is too large to be solved, a win by threats is certain all the same.
export async function judge(g: Game, signal: AbortSignal, tell: (j: Judged) => void): Promise<void> {
  let before: { p: Position; w: Worth | null; t: Threats | null; value: number } | null = null;
  for (let ply = 0; ply <= g.moves.length; ply++) {
    if (signal.aborted) return;
    const p = await position(at(g, ply));
    const ended = p.state.result !== "*";
    const w = !ended && small(p) ? await worth(at(g, ply)) : null;
    const t = ended || w ? null : await seen(at(g, ply), p.info);
    let value: number;
    if (ended) value = p.state.payoff ?? score({ value: p.state.result });
    else if (w) value = score(w);
    else if (t?.wins) value = p.state.turn === "first" ? 1 : -1;
    else value = await estimate(at(g, ply), p, signal);
    if (signal.aborted) return;
    const j: Judged = { ply, move: g.moves[ply - 1] ?? "", turn: before?.p.state.turn ?? "first", value, exact: ended || w !== null || t?.wins === true, worse: false, text: "" };
    if (before && j.turn !== "chance") {
      const lost = j.turn === "first" ? before.value - value : value - before.value;
      if (before.w || !t?.wins) {
        j.worse = before.w && j.exact ? lost > 1e-9 : lost > noticeable;
        if (j.worse) j.text = before.w ? await explain(g, ply, before.p, before.w, value) : guess(p, j, before.value, before.t);
      } else {
        const instead = await stopper(g, ply, before.p, t);
        j.worse = instead !== "";
        if (j.worse) j.text = `${ply}. ${j.move} by ${side(p.info, j.turn)}: ${spell(t, side(p.info, p.state.turn))} ${instead} would have stopped that.`;
      }
    }
    if (signal.aborted) return;
    tell(j);
    before = { p, w, t, value };
  }
}

const guess = (p: Position, j: Judged, was: number, missed: Threats | null): string => missed?.wins
  ? `${j.ply}. ${j.move} by ${side(p.info, j.turn)} lets a win go. ${spell(missed, side(p.info, j.turn), false).replace(" can ", " could ")}`
  : `${j.ply}. ${j.move} by ${side(p.info, j.turn)}: by ${estimateSims} simulated games the position went from ${chances(was, p.info)} to ${chances(j.value, p.info)}. This is an estimate, not a proof.`;

// explain says what a move gave away, and why.
async function explain(g: Game, ply: number, p: Position, w: Worth, value: number): Promise<string> {
  const turn = p.state.turn;
  const move = g.moves[ply - 1]!;
  const head = `${ply}. ${move} by ${side(p.info, turn)}`;
  const kept = w.best.slice(0, 4).join(", ");
  if (w.value === undefined || w.expected !== undefined) return `${head} is worth ${number(value)} to ${side(p.info, "first")}; ${kept} ${w.best.length === 1 ? "was" : "were"} worth ${number(score(w))}.`;
  const names = { win: "a win", draw: "a draw", loss: "a loss" };
  const as = (v: number) => (v === 0 ? names.draw : (v > 0) === (turn === "first") ? names.win : names.loss);
  const keeps = w.moves.filter((m) => score(m) === score(w)).map((m) => m.move);
  const held = `${keeps.slice(0, 4).join(", ")}${keeps.length > 4 ? " and others" : ""} kept the ${as(score(w)).slice(2)}`;
  return `${head} turned ${as(score(w))} into ${as(value)}; ${held}.${await reasons(at(g, ply), other(turn), p)}`;
}

// reasons says how the winner goes on after the mistake: by threats where those
// are seen, else by the solution.
async function reasons(a: At, winner: Turn, p: Position): Promise<string> {
  if (p.info.chance) return "";
  const w = await worth(a);
  if (!w || w.value !== winner) return "";
  const who = side(p.info, winner);
  const t = await seen(a, p.info);
  if (t?.wins) return " " + spell(t, who);
  return w.remoteness === null || !w.best[0] ? "" : ` ${who} now wins in ${plies(w.remoteness)}, beginning with ${w.best[0]}.`;
}

// seen looks for a win by threats where the game has such.
export async function seen(a: At, info: Info): Promise<Threats | null> {
  return info.positional && !info.chance ? threats(a) : null;
}

// spell says a win by threats in words.
export function spell(t: Threats, who: string, lets = true): string {
  const begin = lets ? `It lets ${who}` : `${who} can`;
  if (t.moves.length === 1) return `${begin} complete ${t.sets.slice(0, 3).join(" or ")} at once.`;
  const own = t.moves.filter((_, i) => i % 2 === 0);
  const last = own.at(-2);
  const both = `${t.sets.length} threats at once with ${last}: ${t.sets.join(" and ")}. Only one can be stopped.`;
  if (t.sets.length > 1 && own.length === 2) return `${begin} make ${both}`;
  const way = own.slice(0, -2).map((m, i) => `${m} (to be answered at ${t.moves[2 * i + 1]})`).join(", ");
  if (t.sets.length > 1) return `${begin} win by threats: ${way}, then ${both}`;
  return `${begin} win by threats: ${t.moves.join(", ")}.`;
}

// stopper finds whether another move would have stopped the threats: such a
// move, or "" where none of those tried would.
async function stopper(g: Game, ply: number, p: Position, t: Threats): Promise<string> {
  const here = at(g, ply - 1);
  for (const m of new Set(t.moves)) {
    if (m === g.moves[ply - 1] || !p.state.moves.includes(m)) continue;
    const then = await threats({ ...here, moves: [...(here.moves ?? []), m] });
    if (!then.wins) return m;
  }
  return "";
}

// bestLine follows the first best move from here to the end, or for a while.
export async function bestLine(a: At, most: number): Promise<string[]> {
  const line: string[] = [];
  while (line.length < most) {
    const here = { ...a, moves: [...(a.moves ?? []), ...line] };
    const w = await worth(here);
    const next = w?.best[0];
    if (!next) break;
    line.push(next);
  }
  return line;
}

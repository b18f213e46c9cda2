// What every move of a game was worth, and where the game was lost.
import { type At, type Position, position, search, type Turn, type Worth, worth } from "./api";
import { at, type Game } from "./game";
import { small } from "./size";
import { number, other, plies, score, side, squareOf } from "./words";

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
const estimateSims = 600;

// noticeable is how much an estimate must fall to be called a mistake.
const noticeable = 0.5;

// judge values the positions of a game one by one and tells of each.
export async function judge(g: Game, signal: AbortSignal, tell: (j: Judged) => void): Promise<void> {
  let before: { p: Position; w: Worth | null; value: number } | null = null;
  for (let ply = 0; ply <= g.moves.length; ply++) {
    if (signal.aborted) return;
    const p = await position(at(g, ply));
    const ended = p.state.result !== "*";
    const w = !ended && small(p) ? await worth(at(g, ply)) : null;
    let value: number;
    if (ended) value = p.state.payoff ?? score({ value: p.state.result });
    else if (w) value = score(w);
    else value = (await search(at(g, ply), { algorithm: "mcts", sims: estimateSims }, signal)).value ?? 0;
    if (signal.aborted) return;
    const j: Judged = { ply, move: g.moves[ply - 1] ?? "", turn: before?.p.state.turn ?? "first", value, exact: ended || w !== null, worse: false, text: "" };
    if (before && j.turn !== "chance") {
      const lost = j.turn === "first" ? before.value - value : value - before.value;
      j.worse = before.w && j.exact ? lost > 1e-9 : lost > noticeable;
      if (j.worse) j.text = before.w ? await explain(g, ply, before.p, before.w, value) : guess(p, j, before.value);
    }
    if (signal.aborted) return;
    tell(j);
    before = { p, w, value };
  }
}

const guess = (p: Position, j: Judged, was: number): string =>
  `${j.ply}. ${j.move} by ${side(p.info, j.turn)}: by ${estimateSims} simulated games the position went from ${number(was)} to ${number(j.value)} for ${side(p.info, "first")}. This is an estimate, not a proof.`;

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
  return `${head} turned ${as(score(w))} into ${as(value)}; ${held}.${await threats(at(g, ply), other(turn), p)}`;
}

// threats says how the winner completes a set after the mistake: at once, or by
// several threats of which only one can be met.
async function threats(a: At, winner: Turn, p: Position): Promise<string> {
  if (!p.info.positional || p.info.chance) return "";
  const after = (moves: string[]): At => ({ ...a, moves: [...(a.moves ?? []), ...moves] });
  const w = await worth(a);
  if (!w || w.value !== winner) return "";
  const who = side(p.info, winner);
  if (w.remoteness === 1) {
    const sets = await completed(after, [], w.best);
    return sets.length > 0 ? ` It lets ${who} complete ${sets.slice(0, 3).join(" or ")} at once.` : "";
  }
  const first = w.best[0];
  if (w.remoteness !== 3 || !first) return w.remoteness === null ? "" : ` ${who} now wins in ${plies(w.remoteness)}, beginning with ${first}.`;
  // Answers that stop nothing show the threats: two of them show all.
  const answers = (await position(after([first]))).state.moves;
  const wins = new Set<string>();
  let reply = "";
  for (let looked = 0; looked < 2; looked++) {
    const next = answers.find((m) => m !== reply && ![...wins].some((win) => squareOf(win) === squareOf(m)));
    if (!next) break;
    reply = next;
    const then = await worth(after([first, reply]));
    for (const m of then?.moves ?? []) if (m.value === winner && m.remoteness === 0) wins.add(m.move);
  }
  const sets = await completed(after, [first, reply], [...wins]);
  if (sets.length > 1) return ` It lets ${who} make ${sets.length} threats at once with ${first}: ${sets.join(" and ")}. Only one can be stopped.`;
  return ` ${who} now wins in ${plies(w.remoteness)}, beginning with ${first}.`;
}

// completed names the sets that each of the moves completes.
async function completed(after: (moves: string[]) => At, before: string[], moves: string[]): Promise<string[]> {
  const sets: string[] = [];
  for (const m of moves) {
    if (before.includes(m)) continue;
    const p = await position(after([...before, m]));
    const names = p.owned.map((i) => p.info.squares?.[i]?.name ?? "");
    if (names.length > 0) sets.push(names.length > 5 ? `${names[0]} to ${names.at(-1)}` : names.join("–"));
  }
  return sets;
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

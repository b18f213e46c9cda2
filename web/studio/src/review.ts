// What every move of a game did, as the server's judge says it.
import { failed, type Info, type Judgement, type Known, review, type Turn } from "./api";
import { at, type Game } from "./game";
import { moment, whyOf } from "./mistake";
import { csv } from "./snapshot";
import { say } from "./text";
import { side } from "./words";

// Judged is the position after some moves, and what the last of them did.
export interface Judged {
  ply: number;
  value: number; // of the position, to First
  text: string; // what the move gave away or let the other side do; empty for nothing
  says: string; // what the position is worth
  proven: boolean; // that is certain
  mark: "" | "?" | "??"; // of a move that gave something away, probably or for certain
}

// worthOf is where the graph has a position: what it is worth, or is thought to be.
const worthOf = (k: Known): number => (k.lo === k.hi ? k.lo : k.estimate ?? (k.lo + k.hi) / 2);

const judged = (j: Judgement, info: Info | undefined): Judged => ({
  ply: j.ply, value: worthOf(j.after), says: j.says, proven: j.after.lo === j.after.hi,
  mark: j.gave ? j.certain ? "??" : "?" : "", text: says(j, info),
});

// says is what a move gave away or let the other side do, with its number; empty for nothing.
function says(j: Judgement, info: Info | undefined): string {
  const why = j.why || (info ? whyOf(j, info) : "");
  return why && say("ply and why", { ply: j.ply, move: j.move, side: side(info, j.turn as Turn), why });
}

export interface Review { moves: Judged[]; summary: string; csv: string } // by ply, the start first; csv with the summary

// table is a review as comma-separated values, in the columns of oxo review --csv.
function table(moves: Judgement[]): string {
  const rows: (string | number | boolean)[][] = [["ply", "move", "turn", "before_lo", "before_hi", "before_source", "after_lo",
    "after_hi", "after_source", "certain", "gave", "missed", "better", "line", "why"]];
  for (const j of moves) rows.push([j.ply, j.move, j.turn, j.before.lo, j.before.hi, j.before.source ?? "", j.after.lo,
    j.after.hi, j.after.source ?? "", j.certain, j.gave, j.missed, j.better.join(" "), j.line.join(" "), j.why]);
  return csv(rows);
}

// judge has the moves of a game judged, from the last to the first, and tells of what is
// known so far.
export async function judge(g: Game, info: Info | undefined, signal: AbortSignal, tell: (r: Review) => void): Promise<void> {
  const known: Judged[] = [];
  await review(at(g, g.moves.length), moment, signal, (line) => {
    failed(line);
    if (line.move) {
      known.unshift(judged(line.move, info));
      tell({ moves: [...known], summary: "", csv: "" });
    }
    if (line.review) {
      const start = { ply: 0, value: worthOf(line.review.start), text: "", mark: "" as const, says: line.review.start_says,
        proven: line.review.start.lo === line.review.start.hi };
      tell({ moves: [start, ...line.review.moves.map((j) => judged(j, info))], summary: line.review.summary, csv: table(line.review.moves) });
    }
  });
}

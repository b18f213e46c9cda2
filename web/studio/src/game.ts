// A game as the address of a page holds it.
import { type At, type Info, position, type Position } from "./api";
import { called } from "./catalogue";
import { usualOpponent } from "./level";
import { joinMoves, shortenName, splitMoves } from "./link";
import { nine } from "./nine";
import { hereOf } from "./plain";
import { marks, other, squareOf } from "./words";

export interface Game {
  spec: string;
  start: string; // empty for the game's own
  moves: string[];
  ply: number; // how many of the moves are shown
  first: string;
  second: string;
  resigned: string; // the seat that gave up at the end of the moves, both for a draw that they agreed on; after a colon how, if otherwise
  names?: [string, string]; // what a score sheet calls the sides
  date?: string; // the day that it names
  online?: string; // the game on the server that it is
}

// usualGame is the one that needs no name, and no rules.
export const usualGame = "ttt";

export function fromQuery(q: Record<string, string>): Game {
  const moves = splitMoves(q.moves);
  const ply = q.ply !== undefined && /^\d+$/.test(q.ply) ? Math.min(Number(q.ply), moves.length) : moves.length;
  const spec = called(q.game || usualGame);
  const names = [q.firstname, q.secondname].map((name) => shortenName(name ?? "")) as [string, string];
  return {
    spec, start: q.from ?? "", moves, ply,
    first: q.first || "human", second: q.second || (q.first && q.first !== "human" ? "human" : usualOpponent(spec)),
    resigned: /^(both|first|second)(:[a-z]+)?$/.test(q.resigned ?? "") ? q.resigned! : "",
    ...(names[0] && names[1] ? { names } : {}),
    ...(q.date ? { date: q.date } : {}),
    ...(q.online ? { online: q.online } : {}),
  };
}

export const toQuery = (g: Game): Record<string, string> => ({
  game: g.spec, from: g.start, first: g.first, second: g.second, moves: joinMoves(g.moves),
  ply: g.ply === g.moves.length ? "" : String(g.ply), resigned: g.resigned,
  ...(g.names ? { firstname: g.names[0], secondname: g.names[1] } : {}),
  ...(g.date ? { date: g.date } : {}),
  ...(g.online ? { online: g.online } : {}),
});

// at is the point of the game after some of its moves.
export const at = (g: Game, ply = g.ply): At => ({ game: g.spec, position: g.start, moves: g.moves.slice(0, ply) });

export const player = (g: Game, seat: string): string => (seat === "first" ? g.first : seat === "second" ? g.second : "");

// atOneScreen reports whether two people play here, whom no server has to answer.
export const atOneScreen = (g: Game): boolean => g.first === "human" && g.second === "human";

// givenUp is the result of a game that a seat has given up, or both.
export const givenUp = (resigned: string): string => (resigned.startsWith("both") ? "draw" : resigned.startsWith("first") ? "second" : "first");

// quitterOf is who gave a game up that is over, and how, as addresses have it; "" for nobody.
export const quitterOf = ({ termination = "normal", result }: { termination?: string; result: string }): string =>
  termination === "normal" || result === "*" ? "" : (result === "draw" ? "both" : other(result as "first")) + (termination === "resigned" || termination === "agreed" ? "" : ":" + termination);

// played continues the game from the ply shown. What came after is given up.
export function played(g: Game, move: string): Game {
  const moves = [...g.moves.slice(0, g.ply), move];
  return { ...g, moves, ply: moves.length, resigned: "", names: undefined, date: undefined };
}

// Turn is a move of a list, and how many plies have been played after it.
export interface Turn { text: string; ply: number }

// turnsOf lists the moves of a game. Where marks slip, what chance does to a
// mark is a ply of its own, and one turn with it here.
export function turnsOf({ spec, start, moves }: Pick<Game, "spec" | "start" | "moves">): Turn[] {
  if (!spec.includes("+slip")) return moves.map((text, i) => ({ text, ply: i + 1 }));
  const turns: Turn[] = [];
  let meant = /~(\S+)/.exec(start)?.[1] ?? "";
  moves.forEach((m, i) => {
    if (meant === "") {
      turns.push({ text: m, ply: i + 1 });
      meant = m;
      return;
    }
    if (i > 0) turns.pop();
    turns.push({ text: m === meant ? m : `${meant}→${m} (slipped)`, ply: i + 1 });
    meant = "";
  });
  return turns;
}

// takenBack goes back to the last turn of a person, or to the start.
export async function takenBack(g: Game): Promise<Game> {
  let ply = g.ply;
  if (g.resigned && ply === g.moves.length) return { ...g, resigned: "" };
  const of = atOneScreen(g) ? hereOf : position;
  while (ply > 0) {
    ply--;
    const p = await of(at(g, ply));
    if (player(g, p.state.turn) === "human") break;
  }
  return { ...g, moves: g.moves.slice(0, ply), ply, resigned: "" };
}

// places are the squares of games by name.
const places = new WeakMap<Info, Map<string, number>>();

// squareNamed is the square of that name, −1 if there is none.
function squareNamed(info: Info, name: string): number {
  let named = places.get(info);
  if (!named) places.set(info, named = new Map((info.squares ?? []).map((s, i) => [s.name, i])));
  return named.get(name) ?? -1;
}

// squareIndex is the square that a move goes to, −1 if it goes to none.
export const squareIndex = (p: Position, move: string | undefined): number => (move ? squareNamed(p.info, squareOf(move)) : -1);

// fromOf is the square that a move takes a mark away from, as in a1-b2; −1 where it
// places one.
export const fromOf = (p: Position, move: string): number => {
  const i = move.indexOf("-");
  return i < 0 ? -1 : squareNamed(p.info, move.slice(0, i));
};

// Coming is a mark that is not on the board yet, and its square.
export interface Coming { square: number; mark: string }

// coming is what a move that waits for the server puts on the board.
export function coming(p: Position, move: string): Coming {
  const from = fromOf(p, move);
  const named = /^([xo])@/.exec(move)?.[1];
  const own = p.state.turn === "first" || p.info.turns?.place === "cross" ? "x" : "o";
  return { square: squareIndex(p, move), mark: named ?? (from < 0 ? own : marks(p.state.position)[from]!) };
}

// bySquare lists the legal moves of each square: several where the mark can be
// chosen. Of marks that move, those of the one that is lifted; a square without
// moves has a mark to lift or put back. Moves that go to no square are left out.
export function bySquare(p: Position, lifted = -1): Map<number, string[]> {
  const map = new Map<number, string[]>();
  for (const m of p.state.moves) {
    const from = fromOf(p, m);
    if (from >= 0) map.set(from, []);
    if (from >= 0 && from !== lifted) continue;
    const i = squareIndex(p, m);
    if (i >= 0) map.set(i, [...(map.get(i) ?? []), m]);
  }
  return map;
}

// openBoards are the boards 0…8 of a meta game in which the next move may be, undefined in games that know no such thing.
export const openBoards = (p: Position): Set<number> | undefined =>
  p.info.drawn === "nine" ? new Set([...bySquare(p).keys()].map((i) => nine(p.info.squares![i]!))) : undefined;

// landing is the square that a press leads to: where marks fall, the one of its column
// that is free.
export function landing(info: Info, legal: { has: (i: number) => boolean; keys: () => Iterable<number> }, i: number): number {
  if (legal.has(i) || !info.falls) return i;
  const squares = info.squares ?? [];
  const s = squares[i];
  const flat = squares.every((q) => q.level === 0);
  return [...legal.keys()].find((k) => squares[k]?.col === s?.col && (flat || squares[k]?.row === s?.row)) ?? i;
}

// choosesMark reports whether moves name a mark too, as in x@b2.
export const choosesMark = (p: Position): boolean => p.state.moves.some((m) => m.includes("@"));

// Plain games, whose rules the page knows as well as the server: a mark of one's own on
// any free square, and whoever first owns a winning set wins.
import { type At, game, position, type Position } from "./api";
import { marks } from "./words";

// playedOut is the position after some moves of a plain game from another, nothing where
// one of them is not legal. Sets are the game's winning sets.
export function playedOut(start: Position, sets: number[][], moves: string[]): Position | null {
  const squares = start.info.squares ?? [];
  const [board = "", , ...rest] = start.state.position.split(" ");
  const signs = marks(start.state.position);
  const text = (): string => {
    let i = 0;
    return [board.replace(/[^/]/g, () => signs[i++]!), turn === "first" ? "x" : "o", ...rest].join(" ");
  };
  let { turn, result } = start.state;
  const trail = [...start.trail];
  let owned = start.owned;
  for (const move of moves) {
    const i = squares.findIndex((s) => s.name === move);
    if (result !== "*" || signs[i] !== ".") return null;
    const mark = turn === "first" ? "x" : "o";
    signs[i] = mark;
    owned = [...new Set(sets.filter((set) => set.includes(i) && set.every((k) => signs[k] === mark)).flat())].sort((a, b) => a - b);
    result = owned.length > 0 ? (turn as "first" | "second") : signs.includes(".") ? "*" : "draw";
    turn = turn === "first" ? "second" : "first";
    trail.push(text());
  }
  const legal = result === "*" ? squares.flatMap((s, i) => (signs[i] === "." ? [s.name] : [])) : [];
  return { info: start.info, state: { position: text(), turn, result, moves: legal }, trail, owned, last: moves.at(-1) ?? start.last };
}

// hereOf is the position of a game; once its rules are known to be plain, no later one is
// asked for.
export async function hereOf(a: At): Promise<Position> {
  const start = await position({ ...a, moves: [] });
  if (!start.info.plain || !a.moves?.length) return a.moves?.length ? position(a) : start;
  const { lines = [] } = await game(a.game);
  return playedOut(start, lines, a.moves) ?? position(a);
}

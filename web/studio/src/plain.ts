// Games whose rules the page knows as well as the server: what a move places and what comes
// of it are data of the game, and its winning sets.
import { type At, game, type Info, position, type Position } from "./api";
import { boardOwners, boardsOf, cellOf, hasRow, nine } from "./nine";
import { marks } from "./words";

// playedOut is the position after some moves of a game from another, nothing where one of
// them is not legal or only the server knows what comes of them.
export function playedOut(start: Position, { lines = [], bars }: Pick<Info, "lines" | "bars">, moves: string[]): Position | null {
  const { squares = [], turns } = start.info;
  if (!turns) return null;
  const { place, done, full, below, nine: on } = turns;
  const [board = "", , word = ""] = start.state.position.split(" ");
  const signs = marks(start.state.position);
  const boards = on ? boardsOf(squares) : [];
  const owners = on ? boardOwners(start.state.position, squares, signs) : [];
  let { turn, result } = start.state;
  let active = on && /\d/.test(word) ? Number(word) - 1 : -1; // any
  const free = (i: number) => signs[i] === ".";
  const closed = (b: number) => (owners[b] !== "." && !on!.open) || !boards[b]!.some(free);
  const text = (): string => {
    let i = 0;
    const rows = board.replace(/[^/]/g, () => signs[i++]!);
    return [rows, turn === "first" ? "x" : "o", ...(on ? [active < 0 ? "-" : active + 1] : []), ...(on?.open ? [owners.join("")] : [])].join(" ");
  };
  const legal = (): string[] => {
    if (result !== "*") return [];
    const to = on ? boards.flatMap((cells, b) => ((active < 0 ? !closed(b) : b === active) ? cells : [])) : squares.map((_, i) => i);
    const names = to.filter((i) => free(i) && (!below || below[i]! < 0 || !free(below[i]!))).map((i) => squares[i]!.name);
    return place === "either" ? ["x", "o"].flatMap((mark) => names.map((name) => `${mark}@${name}`)) : names;
  };
  const owns = (mark: string) => (set: number[], k: number) => set.every((i) => signs[i] === mark) && !bars?.[k]?.some((i) => signs[i] === mark);
  // completed tells of the last mark; onNine, of nine boards, also keeps who owns which and where to go on
  const completed = (i: number, mark: string): boolean => lines.some((set, k) => set.includes(i) && owns(mark)(set, k));
  const onNine = (i: number, mark: string): boolean => {
    const b = nine(squares[i]!);
    active = cellOf(squares[i]!);
    if (owners[b] !== "." || !hasRow(boards[b]!.map((k) => signs[k]!), mark)) return false;
    owners[b] = mark;
    return hasRow(owners, mark);
  };
  const most = (): Position["state"]["result"] => {
    const [x, o] = ["x", "o"].map((mark) => owners.filter((w) => w === mark).length) as [number, number];
    return x > o ? "first" : x < o ? "second" : "draw";
  };
  const trail = [...start.trail];
  for (const move of moves) {
    if (!legal().includes(move)) return null;
    const i = squares.findIndex((s) => s.name === move.slice(move.indexOf("@") + 1));
    const seat = turn === "first" ? 0 : 1;
    const mark = place === "either" ? move[0]! : place === "cross" || seat === 0 ? "x" : "o";
    signs[i] = mark;
    const ends = (on ? onNine(i, mark) : completed(i, mark)) && done[seat];
    const over = on ? boards.every((_, b) => closed(b)) : !signs.includes(".");
    result = (ends || (!over ? "*" : on?.most ? most() : full)) as typeof result;
    if (on && (result !== "*" || closed(active))) active = -1;
    turn = turn === "first" ? "second" : "first";
    trail.push(text());
  }
  const counts = ["x", "o"].filter((_, seat) => place !== "own" || done[seat]);
  const owned = result === "*" ? [] : lines.filter((set, k) => counts.some((mark) => owns(mark)(set, k)));
  return { info: start.info, state: { position: text(), turn, result, moves: legal() }, trail, owned, last: moves.at(-1) ?? start.last };
}

// hereOf is the position of a game; where its rules are known, no later one is asked for, and
// its winning sets are asked for at once: the server may go.
export async function hereOf(a: At): Promise<Position> {
  const start = await position({ ...a, moves: [] });
  const { spec, turns } = start.info;
  const sets = turns && !turns.nine ? game(spec) : {};
  if (!a.moves?.length) return start;
  return playedOut(start, await sets, a.moves) ?? position(a);
}

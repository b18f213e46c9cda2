// Nine boards in three rows of three: which square lies in which, and who owns them.
import type { Square } from "./api";

const rowsOfThree = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

// nine is the board of nine that a square lies in, from 0; cellOf is which of its squares it is.
export const nine = (s: Square): number => Math.floor(s.row / 3) * 3 + Math.floor(s.col / 3);
export const cellOf = (s: Square): number => (s.row % 3) * 3 + (s.col % 3);

// boardsOf lists the squares of each of nine boards.
export function boardsOf(squares: Square[]): number[][] {
  const boards: number[][] = Array.from({ length: 9 }, () => []);
  squares.forEach((s, i) => (boards[nine(s)]![cellOf(s)] = i));
  return boards;
}

export const hasRow = (of: string[], mark: string): boolean => rowsOfThree.some((r) => r.every((i) => of[i] === mark));

// boardOwners says who owns each of nine boards: from the position's fourth word where it
// has one, else by its rows of three.
export function boardOwners(position: string, squares: Square[], signs: string[]): string[] {
  const given = position.split(" ")[3];
  if (given && /^[xo.]{9}$/.test(given)) return [...given];
  return boardsOf(squares).map((cells) => ["x", "o"].find((mark) => hasRow(cells.map((i) => signs[i]!), mark)) ?? ".");
}

// full is a board that nobody owns and nobody can play in.
export const full = "-";

// fateOf is what has become of one of nine boards: the mark that owns it, full, or "" while it is open.
export const fateOf = (b: number, owners: string[], signs: string[], squares: Square[]): string =>
  owners[b] !== "." ? owners[b]! : squares.some((s, i) => nine(s) === b && signs[i] === ".") ? "" : full;

// bigRow is the row of boards of a meta game that one side owns, as squares of the
// board that they make up.
export function bigRow(owners: string[] = []): number[][] {
  return rowsOfThree.filter((r) => (owners[r[0]!] ?? ".") !== "." && r.every((b) => owners[b] === owners[r[0]!]));
}

// Where the lines of boards run: through the squares of a winning set, over the
// edges of boards that are joined, and as curves between points.

export type At = [number, number];

const far = (a: At, b: At): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
const text = (n: number): string => String(Math.round(n * 1000) / 1000);
const move = (p: At): string => `M${text(p[0])} ${text(p[1])}`;
const line = (p: At): string => `L${text(p[0])} ${text(p[1])}`;

// straight returns the two ends of points that lie on one line, null where they don't.
function straight(points: At[]): [At, At] | null {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const [a, b] = [sorted[0]!, sorted.at(-1)!];
  const off = points.some((p) => Math.abs((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) > 1e-3 * far(a, b));
  return off ? null : [a, b];
}

// shortest orders points so that the way through them is short: the shortest of all
// for a few points, around their middle for more.
function shortest(points: At[]): At[] {
  if (points.length > 6) {
    const [x, y] = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k]!, 0) / points.length) as At;
    return [...points].sort((a, b) => Math.atan2(a[1] - y, a[0] - x) - Math.atan2(b[1] - y, b[0] - x));
  }
  let best = points;
  let least = Infinity;
  const visit = (way: At[], rest: At[], length: number) => {
    if (length >= least) return;
    if (rest.length === 0) [best, least] = [way, length];
    rest.forEach((p, i) => visit([...way, p], rest.toSpliced(i, 1), length + (way.length > 0 ? far(way.at(-1)!, p) : 0)));
  };
  visit([], points, 0);
  return best;
}

// smooth is the curve through points (Catmull and Rom 1974, as Bézier curves).
function smooth(way: At[], closed: boolean): string {
  const n = way.length;
  const at = (i: number): At => (closed ? way[(i + n) % n]! : way[Math.max(0, Math.min(n - 1, i))]!);
  // Of a ring the handles are as long as those of a circle through a regular polygon.
  const tight = closed ? (1.5 * Math.sin((2 * Math.PI) / n)) / Math.tan(Math.PI / (2 * n)) : 6;
  let d = move(way[0]!);
  for (let i = 0; i < (closed ? n : n - 1); i++) {
    const [a, b, c, e] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    const p = [b[0] + (c[0] - a[0]) / tight, b[1] + (c[1] - a[1]) / tight, c[0] - (e[0] - b[0]) / tight, c[1] - (e[1] - b[1]) / tight, c[0], c[1]];
    d += `C${p.map(text).join(" ")}`;
  }
  return d;
}

// through draws a winning set between points: straight where it is, bent where a
// straight line would pass through a point of no concern to it, a ring where its points
// are all as far apart, else a curve.
export function through(set: At[], others: At[]): string {
  if (set.length < 2) return "";
  const ends = straight(set);
  if (ends) {
    const [a, b] = ends;
    const length = far(a, b);
    const between = others.some((p) => far(a, p) + far(p, b) < length * 1.001 + 1e-6);
    if (!between) return move(a) + line(b);
    const bow = 0.18;
    const m: At = [(a[0] + b[0]) / 2 - (b[1] - a[1]) * bow, (a[1] + b[1]) / 2 + (b[0] - a[0]) * bow];
    if (set.length === 2) return `${move(a)}Q${text(m[0])} ${text(m[1])} ${text(b[0])} ${text(b[1])}`;
    return smooth([...set].sort((p, q) => far(a, p) - far(a, q)), false);
  }
  const way = shortest(set);
  const steps = way.slice(1).map((p, i) => far(way[i]!, p));
  const back = far(way[0]!, way.at(-1)!);
  const ring = set.length > 6 || Math.max(...steps, back) < 1.1 * Math.min(...steps, back);
  return smooth(way, ring);
}

// sweep draws a completed set on a grid: as one stroke where it is straight, else
// from each square to those beside it, as the cells of a shape.
export function sweep(set: At[]): string {
  const ends = straight(set);
  if (ends) {
    const [a, b] = ends;
    const by = 0.3 / (far(a, b) || 1); // it begins and ends beyond the middle of a square
    const [x, y] = [(b[0] - a[0]) * by, (b[1] - a[1]) * by];
    return move([a[0] - x, a[1] - y]) + line([b[0] + x, b[1] + y]);
  }
  return set.flatMap((a, i) => set.slice(i + 1).filter((b) => far(a, b) < 1.01).map((b) => move(a) + line(b))).join("");
}

// around draws a completed row on a board whose edges are joined, of so many columns
// and rows: each step as it is, and where it leaves the board once more where it comes in.
export function around(set: At[], cols: number, rows: number): string {
  const key = ([x, y]: At): string => `${x},${y}`;
  const members = new Set(set.map(key));
  const wrap = ([x, y]: At): At => [(x + cols) % cols, (y + rows) % rows];
  for (const way of [[1, 0], [0, 1], [1, 1], [1, -1]] as At[]) {
    const next = (p: At): At => [p[0] + way[0], p[1] + way[1]];
    const steps = set.filter((p) => members.has(key(wrap(next(p)))));
    if (steps.length < set.length - 1) continue;
    return steps.map((p) => {
      const to = next(p);
      const on = wrap(to);
      const stroke = move(p) + line(to);
      return key(on) === key(to) ? stroke : stroke + move([on[0] - way[0], on[1] - way[1]]) + line(on);
    }).join("");
  }
  return "";
}

// stars are the points by which a large board for stones is read.
export function stars(n: number): number[] {
  const edge = n >= 13 ? 3 : 2;
  return n < 7 ? [] : n % 2 === 1 ? [edge, (n - 1) / 2, n - 1 - edge] : [edge, n - 1 - edge];
}

// cellsOf are the cells of a shape: its rows from the top, x for a cell.
export const cellsOf = (shape: string): At[] =>
  shape.split("/").flatMap((row, y) => [...row].flatMap((c, x): At[] => (c === "x" ? [[x, y]] : [])));

// ghosts are the places around a board where the squares of its other edges are shown.
export function ghosts(cols: number, rows: number): At[] {
  const list: At[] = [];
  for (let c = -1; c <= cols; c++) for (let r = -1; r <= rows; r++) if (c < 0 || r < 0 || c === cols || r === rows) list.push([c, r]);
  return list;
}

// Addresses as QR codes (ISO/IEC 18004:2015): bytes, error correction level L, up to
// version 20, which holds 858 bytes.

// eccOf is how many codewords of error correction a block has at level L, by version from 1.
const eccOf = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
// blocksOf is into how many blocks the codewords are divided.
const blocksOf = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];

// Arithmetic in the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1.
const exp = new Uint8Array(510);
const log = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  exp[i] = exp[i + 255] = x;
  log[x] = i;
  x = (x << 1) ^ (x & 0x80 ? 0x11d : 0);
}
export const times = (a: number, b: number): number => (a && b ? exp[log[a]! + log[b]!]! : 0);

// correction is the remainder of a block of data by the generator of so many codewords.
export function correction(data: number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const next = [...generator, 0];
    generator.forEach((g, k) => (next[k + 1]! ^= times(g, exp[i]!)));
    generator = next;
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  data.forEach((_, i) => {
    const lead = rest[i]!;
    generator.forEach((g, k) => (rest[i + k]! ^= times(g, lead)));
  });
  return rest.slice(data.length);
}

const centres = (version: number): number[] => {
  if (version === 1) return [];
  const n = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 4 + n * 2 + 1) / (n * 2 - 2)) * 2;
  return [6, ...Array.from({ length: n - 1 }, (_, i) => version * 4 + 10 - (n - 2 - i) * step)];
};

// codewords is how many codewords of data and of error correction a version holds.
function codewords(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  const n = centres(version).length;
  if (n > 0) modules -= (25 * n - 10) * n - 55;
  if (version >= 7) modules -= 36;
  return modules >> 3;
}

const room = (version: number): number => codewords(version) - eccOf[version - 1]! * blocksOf[version - 1]!;

// written is the text's bytes as codewords of data, after their mode and number.
function written(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const put = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((b) => put(b, 8));
  const size = room(version) * 8;
  put(0, Math.min(4, size - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  const words = Array.from({ length: bits.length / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((v, b) => 2 * v + b, 0));
  for (let pad = 0xec; words.length < size / 8; pad ^= 0xec ^ 0x11) words.push(pad);
  return words;
}

// interleaved divides data into blocks, corrects each, and takes from all blocks in turn.
function interleaved(data: number[], version: number): number[] {
  const blocks = blocksOf[version - 1]!;
  const short = Math.floor(data.length / blocks);
  const long = data.length % blocks; // so many blocks at the end have one more
  const parts = Array.from({ length: blocks }, (_, i) => {
    const extra = (k: number) => Math.max(0, k - (blocks - long));
    return data.slice(i * short + extra(i), (i + 1) * short + extra(i + 1));
  });
  const out: number[] = [];
  for (let k = 0; k <= short; k++) for (const p of parts) if (k < p.length) out.push(p[k]!);
  const checks = parts.map((p) => correction(p, eccOf[version - 1]!));
  for (let k = 0; k < eccOf[version - 1]!; k++) for (const c of checks) out.push(c[k]!);
  return out;
}

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

type Grid = (boolean | null)[][]; // by row; null is not yet drawn

// remainder is the check of format and version information.
const remainder = (value: number, length: number, generator: number): number => {
  let rest = value;
  for (let i = 0; i < length; i++) rest = (rest << 1) ^ ((rest >> (length - 1)) * generator);
  return rest;
};

function frame(version: number): Grid {
  const size = version * 4 + 17;
  const grid: Grid = Array.from({ length: size }, () => Array<boolean | null>(size).fill(null));
  const square = (cx: number, cy: number, reach: number, dark: (ring: number) => boolean) => {
    for (let y = cy - reach; y <= cy + reach; y++) for (let x = cx - reach; x <= cx + reach; x++) {
      if (grid[y] && x >= 0 && x < size) grid[y]![x] = dark(Math.max(Math.abs(x - cx), Math.abs(y - cy)));
    }
  };
  for (let i = 0; i < size; i++) grid[6]![i] = grid[i]![6] = i % 2 === 0;
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) square(x, y, 4, (r) => r !== 2 && r !== 4);
  const at = centres(version);
  const end = size - 7;
  for (const x of at) for (const y of at) {
    if (!((x === 6 && y === 6) || (x === 6 && y === end) || (x === end && y === 6))) square(x, y, 2, (r) => r !== 1);
  }
  if (version >= 7) {
    const bits = (version << 12) | remainder(version, 12, 0x1f25);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      grid[a]![b] = grid[b]![a] = ((bits >> i) & 1) === 1;
    }
  }
  return grid;
}

function format(grid: Grid, mask: number): void {
  const size = grid.length;
  const data = (1 << 3) | mask; // level L
  const bits = ((data << 10) | remainder(data, 10, 0x537)) ^ 0x5412;
  const bit = (i: number): boolean => ((bits >> i) & 1) === 1;
  for (let i = 0; i < 15; i++) {
    const [x, y] = i < 6 ? [8, i] : i < 8 ? [8, i + 1] : i === 8 ? [7, 8] : [14 - i, 8];
    grid[y]![x] = bit(i);
    if (i < 8) grid[8]![size - 1 - i] = bit(i);
    else grid[size - 15 + i]![8] = bit(i);
  }
  grid[size - 8]![8] = true;
}

// fill lays bits along the columns, two by two from the right, upwards and downwards in
// turn, on what the frame leaves.
function fill(grid: Grid, words: number[], mask: (x: number, y: number) => boolean): void {
  const size = grid.length;
  let i = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y]![x] !== null) continue;
        const bit = i < words.length * 8 ? (words[i >> 3]! >> (7 - (i & 7))) & 1 : 0;
        grid[y]![x] = (bit === 1) !== mask(x, y);
        i++;
      }
    }
  }
}

// penalty is how hard a code is to read: long runs, squares of one colour, what looks like a
// corner, and how far from half of it is dark.
function penalty(grid: Grid): number {
  const size = grid.length;
  let sum = 0;
  let dark = 0;
  const lines = [...grid, ...grid.map((_, x) => grid.map((row) => row[x]!))];
  for (const line of lines) {
    const text = line.map((d) => (d ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * ((text.match(/(?=00001011101)/g) ?? []).length + (text.match(/(?=10111010000)/g) ?? []).length);
  }
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) {
    if (grid[y]![x]) dark++;
    if (x > 0 && y > 0 && grid[y]![x] === grid[y]![x - 1] && grid[y]![x] === grid[y - 1]![x] && grid[y]![x] === grid[y - 1]![x - 1]) sum += 3;
  }
  return sum + 10 * Math.floor(Math.abs((20 * dark) / (size * size) - 10));
}

// qr is the code of a text by row, true for dark; null where the text is too long.
export function qr(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text);
  const version = eccOf.findIndex((_, i) => 4 + (i < 9 ? 8 : 16) + 8 * bytes.length <= 8 * room(i + 1)) + 1;
  if (version === 0) return null;
  const words = interleaved(written(bytes, version), version);
  let best: Grid = [];
  let least = Infinity;
  masks.forEach((mask, k) => {
    const grid = frame(version);
    format(grid, k);
    fill(grid, words, mask);
    const p = penalty(grid);
    if (p < least) [best, least] = [grid, p];
  });
  return best as boolean[][];
}

// outline is the dark squares of a code as a path, of which each is one wide.
export const outline = (code: boolean[][]): string =>
  code.flatMap((row, y) => row.flatMap((dark, x) => (dark && !row[x - 1] ? [`M${x} ${y}h${(row.indexOf(false, x) < 0 ? row.length : row.indexOf(false, x)) - x}v1H${x}z`] : []))).join("");

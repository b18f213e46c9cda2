import assert from "node:assert/strict";
import test from "node:test";
import { outline, qr } from "../src/qr";

// read reads a code of one block, version 1 to 5, as a camera's program would: its format says
// the mask, its columns give the bits.
function read(code: boolean[][]): string {
  const size = code.length;
  let format = 0;
  for (let i = 14; i >= 0; i--) {
    const [x, y] = i < 6 ? [8, i] : i < 8 ? [8, i + 1] : i === 8 ? [7, 8] : [14 - i, 8];
    format = 2 * format + Number(code[y]![x]);
  }
  const mask = ((format ^ 0x5412) >> 10) & 7;
  assert.equal((format ^ 0x5412) >> 13, 1, "the level is L");
  const flips = [(x: number, y: number) => (x + y) % 2, (_: number, y: number) => y % 2, (x: number) => x % 3, (x: number, y: number) => (x + y) % 3,
    (x: number, y: number) => ((y >> 1) + Math.floor(x / 3)) % 2, (x: number, y: number) => ((x * y) % 2) + ((x * y) % 3),
    (x: number, y: number) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x: number, y: number) => (((x + y) % 2) + ((x * y) % 3)) % 2];
  const mine = (x: number, y: number): boolean => (x < 9 && y < 9) || (x > size - 9 && y < 9) || (x < 9 && y > size - 9) || x === 6 || y === 6
    || (size > 21 && Math.abs(x - (size - 7)) < 3 && Math.abs(y - (size - 7)) < 3);
  const bits: number[] = [];
  let up = true;
  for (let x = size - 1; x > 0; x -= 2, up = !up) {
    if (x === 6) x = 5;
    for (let s = 0; s < size; s++) for (const c of [x, x - 1]) {
      const y = up ? size - 1 - s : s;
      if (!mine(c, y)) bits.push(Number(code[y]![c]) ^ Number(flips[mask]!(c, y) === 0));
    }
  }
  const take = (from: number, n: number): number => bits.slice(from, from + n).reduce((v, b) => 2 * v + b, 0);
  assert.equal(take(0, 4), 4, "bytes");
  return new TextDecoder().decode(Uint8Array.from({ length: take(4, 8) }, (_, i) => take(12 + 8 * i, 8)));
}

test("a code is read as it was written", () => {
  for (const text of ["", "oxo", "http://localhost:8210/play?game=mnk:7,6,4%2Bgravity&moves=d1,d2", "größer ≥ 3", "x".repeat(106)]) assert.equal(read(qr(text)!), text);
});

test("corners are where they must be, and the size grows with the text", () => {
  for (const [length, size] of [[17, 21], [18, 25], [106, 37], [107, 41], [858, 97]] as const) {
    const code = qr("a".repeat(length))!;
    assert.equal(code.length, size);
    assert.ok(code.every((row) => row.length === size && row.every((d) => typeof d === "boolean")));
    for (const [x, y] of [[0, 0], [size - 7, 0], [0, size - 7]] as const) {
      assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map((i) => Number(code[y + 3]![x + i])), [1, 0, 1, 1, 1, 0, 1]);
    }
  }
  assert.equal(qr("a".repeat(859)), null);
});

test("the outline covers the dark squares", () => {
  assert.equal(outline([[true, true, false], [false, false, true]]), "M0 0h2v1H0zM2 1h1v1H2z");
});

// Thinning a line of many points to what a picture can show.

// decimate returns the points of a line, by index and in order, that are enough
// to draw it on so many columns of pixels between left and right: of each
// column the first, the least, the greatest and the last point, and beside them
// the nearest points outside, so that the line leaves the picture where it
// should. xs must rise; points whose y is no number are left out.
export function decimate(xs: ArrayLike<number>, ys: ArrayLike<number>, left: number, right: number, columns: number): number[] {
  const kept: number[] = [];
  const n = Math.min(xs.length, ys.length);
  const scale = columns / (right - left || 1);
  let column = -2;
  let first = -1, least = -1, most = -1, last = -1;
  const flush = () => {
    if (first < 0) return;
    for (const i of [first, Math.min(least, most), Math.max(least, most), last]) if (kept.length === 0 || kept[kept.length - 1]! < i) kept.push(i);
    first = -1;
  };
  for (let i = 0; i < n; i++) {
    const y = ys[i]!;
    if (!Number.isFinite(y)) continue;
    // −1 is all that is left of the picture, columns all that is right of it.
    const c = Math.max(-1, Math.min(columns, Math.floor((xs[i]! - left) * scale)));
    if (c !== column) {
      flush();
      column = c;
      first = least = most = i;
    } else if (c === -1) {
      first = least = most = i; // only the nearest one counts
    } else if (c === columns) {
      continue;
    }
    if (y < ys[least]!) least = i;
    if (y > ys[most]!) most = i;
    last = i;
  }
  flush();
  return kept;
}

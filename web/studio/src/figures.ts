// Numbers as tables and the axes of charts have them.
import { locale } from "./text";

// figures writes a value with three digits that count.
export const figures = (v: number | undefined): string => (v === undefined || !Number.isFinite(v) ? "–" : Number(v.toPrecision(4)).toLocaleString(locale, { maximumSignificantDigits: 4 }).replace("-", "−"));

// ticks are about so many round numbers from lo to hi.
export function ticks(lo: number, hi: number, about: number): number[] {
  const raw = (hi - lo) / about || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= raw)!;
  const list: number[] = [];
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) list.push(k * step || 0);
  return list;
}

// Addresses as QR codes.
import encode from "qr";

const longest = 858; // bytes: more is too fine for cameras

// qr is the code of a text by row, true for dark; null where the text is too long.
export function qr(text: string): boolean[][] | null {
  if (new TextEncoder().encode(text).length > longest) return null;
  return encode(text, "raw", { ecc: "low", encoding: "byte", border: 1 }).slice(1, -1).map((row) => row.slice(1, -1));
}

// outline is the dark squares of a code as a path, of which each is one wide.
export const outline = (code: boolean[][]): string =>
  code.flatMap((row, y) => row.flatMap((dark, x) => (dark && !row[x - 1] ? [`M${x} ${y}h${(row.indexOf(false, x) < 0 ? row.length : row.indexOf(false, x)) - x}v1H${x}z`] : []))).join("");

// The winning sets that can still be owned.
import { useState } from "preact/hooks";
import { game, type Position } from "./api";
import { useLatest } from "./use";
import { count, marks } from "./words";

interface Open { squares: number[]; name: string; mark: string; need: number }

// most is how many sets are named; the others are counted.
const most = 12;

// openSets lists the sets in which only one mark lies, the nearest first.
function openSets(lines: number[][], signs: string[], names: string[]): Open[] {
  const list: Open[] = [];
  for (const squares of lines) {
    const x = squares.filter((i) => signs[i] === "x").length;
    const o = squares.filter((i) => signs[i] === "o").length;
    if ((x > 0) === (o > 0)) continue;
    const sorted = squares.map((i) => names[i] ?? "").sort(byPlace);
    list.push({ squares, name: sorted.length > 5 ? `${sorted[0]} to ${sorted.at(-1)}` : sorted.join("–"), mark: x > 0 ? "x" : "o", need: squares.length - x - o });
  }
  return list.sort((a, b) => a.need - b.need);
}

// byPlace orders names of squares: by letter, then a2 before a10.
const byPlace = (a: string, b: string): number => a.charAt(0).localeCompare(b.charAt(0)) || a.length - b.length || (a < b ? -1 : 1);

interface Props { p: Position; shown: string; onShow: (name: string, squares: number[]) => void }

// OpenSets counts the open sets of each side and shows one on the board.
export function OpenSets({ p, shown, onShow }: Props) {
  const info = useLatest(p.info.spec, () => game(p.info.spec)).data;
  const [all, setAll] = useState(false);
  if (!p.info.positional || !info?.lines) return null;
  const signs = marks(p.state.position);
  const names = (p.info.squares ?? []).map((s) => s.name);
  const list = openSets(info.lines, signs, names);
  const free = info.lines.filter((l) => l.every((i) => signs[i] === ".")).length;
  const of = (mark: string) => {
    const own = list.filter((s) => s.mark === mark);
    const near = own.filter((s) => s.need === 1).length;
    return `${count(own.length)}${near > 0 ? `, ${count(near)} of them one square short` : ""}`;
  };
  return (
    <div class="card">
      <h2>Open winning sets</h2>
      <p>Only X in them: {of("x")}. Only O: {of("o")}. Empty: {count(free)}. Dead: {count(info.lines.length - list.length - free)}.</p>
      {list.length > 0 && (
        <ul class="sets" aria-label="Sets, the nearest to complete first">
          {list.slice(0, all ? 100 : most).map((s) => (
            <li key={s.mark + s.name}>
              <button type="button" class="move" aria-pressed={shown === s.name} onClick={() => onShow(shown === s.name ? "" : s.name, shown === s.name ? [] : s.squares)}>
                <b class={"mark-" + s.mark}>{s.mark.toUpperCase()}</b> {s.name}, {s.need} to go
              </button>
            </li>
          ))}
        </ul>
      )}
      {list.length > most && !all && <button type="button" onClick={() => setAll(true)}>Show more</button>}
    </div>
  );
}

// Winning sets: all of a game's, and those that can still be owned.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { game, type Info, type Position } from "./api";
import { Card, Failure } from "./parts";
import { count, say, show } from "./text";
import { useLatest } from "./use";
import { both, markName, marks } from "./words";

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
    list.push({ squares, name: nameOfSet(placed(squares, names)), mark: x > 0 ? "x" : "o", need: squares.length - x - o });
  }
  return list.sort((a, b) => a.need - b.need);
}

const placed = (squares: number[], names: string[]): string[] => squares.map((i) => names[i] ?? "").sort(byPlace);

function nameOfSet(sorted: string[]): string {
  return sorted.length > 5 ? say("low to high", { low: sorted[0]!, high: sorted.at(-1)! }) : sorted.join("–");
}

// byPlace orders names of squares: by letter, then a2 before a10.
const byPlace = (a: string, b: string): number => a.replace(/\d+/, "").localeCompare(b.replace(/\d+/, "")) || a.length - b.length || (a < b ? -1 : 1);

// mostAll is how many of all sets are listed.
const mostAll = 300;

// Lit is a set that is shown on the board; none is -1.
export interface Lit { set: number; squares: Set<number> }

export const noneLit: Lit = { set: -1, squares: new Set() };

interface Placed { squares: number[]; sorted: string[] } // names in order

async function allSets(info: Info): Promise<Placed[]> {
  const names = (info.squares ?? []).map((s) => s.name);
  const sets = ((await game(info.spec)).lines ?? []).map((squares) => ({ squares, sorted: placed(squares, names) }));
  return sets.sort((a, b) => {
    const i = a.sorted.findIndex((name, k) => name !== b.sorted[k]);
    return i < 0 ? 0 : byPlace(a.sorted[i]!, b.sorted[i] ?? "");
  });
}

// AllSets lists the winning sets of a game where they don't speak for
// themselves, and shows one on the board.
export function AllSets({ info, lit, onShow }: { info: Info; lit: Lit; onShow: (l: Lit) => void }) {
  const [open, setOpen] = useState(false);
  const asked = useLatest(open ? info.spec : "", () => (open ? allSets(info) : Promise.resolve([])));
  if (!info.positional || !info.unseen) return null;
  const sets = asked.data ?? [];
  return (
    <details class="options" onToggle={(e) => { setOpen(e.currentTarget.open); onShow(noneLit); }}>
      <summary>{say("winning sets n", { n: sets.length > 0 && count(sets.length) })}</summary>
      <Failure text={asked.error} again={asked.again} />
      <ul class="sets" aria-label={say("winning sets")}>
        {sets.slice(0, mostAll).map((s, i) => (
          <li key={i}>
            <button type="button" class="move" aria-pressed={lit.set === i} onClick={() => onShow(lit.set === i ? noneLit : { set: i, squares: new Set(s.squares) })}>{nameOfSet(s.sorted)}</button>
          </li>
        ))}
      </ul>
      {sets.length > mostAll && <p class="muted">{say("the first n", { mostAll })}</p>}
    </details>
  );
}

interface Props { p: Position; shown: string; onShow: (name: string, squares: number[]) => void; children: ComponentChildren }

// OpenSets counts the open sets of each side and shows one on the board. The children, below it, come with it.
export function OpenSets({ p, shown, onShow, children }: Props) {
  const { data: info, error } = useLatest(p.info.spec, () => game(p.info.spec));
  const [all, setAll] = useState(false);
  if (!info && !error) return null;
  if (!p.info.positional || !info?.lines || p.state.result !== "*") return <>{children}</>;
  const signs = marks(p.state.position);
  const names = (p.info.squares ?? []).map((s) => s.name);
  const list = openSets(info.lines, signs, names);
  const free = info.lines.filter((l) => l.every((i) => signs[i] === ".")).length;
  const of = (mark: string) => {
    const own = list.filter((s) => s.mark === mark);
    const near = own.filter((s) => s.need === 1).length;
    return say("sets and near ones", { n: count(own.length), near: near > 0 && count(near) });
  };
  return (
    <><Card title={say("open winning sets")}>
      <p>{say("only x in them", { ...both(p.info), x: of("x"), o: of("o"), free: count(free), dead: count(info.lines.length - list.length - free) })}</p>
      {list.length > 0 && (
        <ul class="sets" aria-label={say("sets the nearest to complete first")}>
          {list.slice(0, all ? 100 : most).map((s) => (
            <li key={s.mark + s.name}>
              <button type="button" class="move" aria-pressed={shown === s.name} onClick={() => onShow(shown === s.name ? "" : s.name, shown === s.name ? [] : s.squares)}>
                {show("set to go", { b: <b class={"mark-" + s.mark}>{markName(p.info, s.mark)}</b>, name: s.name, need: s.need })}
              </button>
            </li>
          ))}
        </ul>
      )}
      {list.length > most && !all && <button type="button" onClick={() => setAll(true)}>{say("show more")}</button>}
    </Card>{children}</>
  );
}

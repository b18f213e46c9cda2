// The board of every game that has squares: buttons on a grid, one grid a
// level, flat or as layers in space.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Info, Square } from "./api";
import { boardNames } from "./words";
import { Space } from "./space";

export interface Note { text: string; say: string; shade: string; best?: boolean }

export interface BoardProps {
  info: Info;
  marks: string[];
  legal: Set<number>;
  last?: number[];
  won?: number[];
  zone?: Set<number>; // squares set apart
  zoneSays?: string; // why, "hint" if not said
  active?: number; // 0…9 in meta games, −1 elsewhere
  notes?: Map<number, Note>;
  owners?: string[]; // of the nine boards of a meta game
  busy?: boolean;
  label: string;
  view?: string; // space or flat, for boards of several levels
  onPlay: (square: number) => void;
  onKey?: (key: string) => boolean;
}

const signs: Record<string, string> = { x: "X", o: "O" };

export function Sign({ mark }: { mark: string }) {
  if (mark !== "x" && mark !== "o") return null;
  return (
    <svg class={"sign " + mark} viewBox="0 0 20 20" aria-hidden="true">
      {mark === "x" ? <path d="M4.500 4.500 15.500 15.500M15.500 4.500 4.500 15.500" /> : <circle cx="10" cy="10" r="6" />}
    </svg>
  );
}

// levelsOf groups the squares by level, in order.
export function levelsOf(squares: Square[]): number[][] {
  const levels: number[][] = [];
  squares.forEach((s, i) => (levels[s.level] ??= []).push(i));
  return levels.filter((l) => l);
}

export function Board(props: BoardProps) {
  const { info, marks, active = -1 } = props;
  const squares = info.squares ?? [];
  const [focus, setFocus] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const levels = levelsOf(squares);
  const cols = Math.max(...squares.map((s) => s.col)) + 1;
  const rows = Math.max(...squares.map((s) => s.row)) + 1;
  const meta = active >= 0;
  const named = (levels.length === 1 || props.view !== "space") && squares.length <= 100; // larger ones have no room
  const rim = useMemo(() => (levels.length === 1 && !named ? rimOf(squares, cols, rows) : null), [info, named]);
  useEffect(() => setFocus((f) => (f < squares.length ? f : 0)), [squares.length]);

  const move = (to: number) => {
    setFocus(to);
    root.current?.querySelector<HTMLElement>(`[data-square="${to}"]`)?.focus();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !(e.target as Element).closest(".cell")) return;
    const to = step(squares, focus, e.key);
    if (to !== null) move(to);
    else if (!props.onKey?.(e.key)) return;
    e.preventDefault();
  };

  // The boards of a meta game stand apart by a line of their own.
  const line = (n: number): number => n + 1 + (meta ? Math.floor(n / 3) : 0);

  const cell = (i: number) => {
    const s = squares[i]!;
    const mark = marks[i] ?? ".";
    const note = props.notes?.get(i);
    const legal = props.legal.has(i);
    const last = props.last?.includes(i);
    const won = props.won?.includes(i);
    const inZone = props.zone?.has(i);
    const says = [
      s.name,
      signs[mark] ?? "empty",
      meta ? `board ${nine(s) + 1}, ${boardNames[nine(s)]}` : "",
      last ? "last move" : "",
      won ? "part of the winning set" : "",
      inZone ? (props.zoneSays ?? "hint") : "",
      note?.say ?? "",
      !legal && mark === "." ? "not playable" : "",
    ];
    const classes = ["cell", legal && "legal", last && "last", won && "won", inZone && "zone", note && "shade-" + note.shade, note?.best && "best"];
    return (
      <button
        key={i}
        type="button"
        class={classes.filter(Boolean).join(" ")}
        style={{ gridColumn: `${line(s.col) + (rim ? 1 : 0)}`, gridRow: `${line(s.row)}` }}
        data-square={i}
        data-name={named ? s.name : undefined}
        tabIndex={i === focus ? 0 : -1}
        aria-label={says.filter(Boolean).join(", ")}
        aria-disabled={!legal || props.busy}
        onFocus={() => setFocus(i)}
        onClick={() => props.onPlay(i)}
      >
        <Sign mark={mark} />
        {note && mark === "." && <span class="note">{note.text}</span>}
      </button>
    );
  };

  // Of a meta game, play goes on in one board or in any where a move is legal.
  const isActive = (b: number): boolean => (active > 0 ? b + 1 === active : [...props.legal].some((i) => nine(squares[i]!) === b)) && props.legal.size > 0;
  const spot = (b: number) => ({ gridColumn: `${(b % 3) * 4 + 1} / span 3`, gridRow: `${Math.floor(b / 3) * 4 + 1} / span 3` });

  const grid = (level: number[]) => (
    <div class={meta ? "grid meta" : rim ? "grid rimmed" : "grid"} style={{ "--cols": `${cols}`, "--rows": `${rows}` }}>
      {meta && boardNames.map((name, b) => <div key={name} class={isActive(b) ? "nine active" : "nine"} style={spot(b)} />)}
      {rim?.rows.map((name, r) => <span class="rim" aria-hidden="true" key={"row" + name} style={{ gridColumn: "1", gridRow: `${r + 1}` }}>{name}</span>)}
      {level.map(cell)}
      {rim?.cols.map((name, c) => <span class="rim" aria-hidden="true" key={"col" + name} style={{ gridColumn: `${c + 2}`, gridRow: `${rows + 1}` }}>{name}</span>)}
      {meta && props.owners?.map((o, b) => o !== "." && <div key={"own" + b} class="owner" style={spot(b)}><Sign mark={o} /></div>)}
    </div>
  );

  return (
    <div class={`board${props.busy ? " busy" : ""}`} ref={root} role="group" aria-label={props.label} onKeyDown={onKeyDown}>
      {levels.length === 1 ? <Wide last={props.last?.[0]}>{grid(levels[0]!)}</Wide> : <Space flat={props.view !== "space"} layers={levels.map((l) => grid(l))} cols={cols} rows={rows} />}
    </div>
  );
}

// rimOf names the columns and rows of a grid whose squares are named by both.
function rimOf(squares: Square[], cols: number, rows: number): { cols: string[]; rows: string[] } | null {
  const rim = { cols: Array<string>(cols).fill(""), rows: Array<string>(rows).fill("") };
  for (const s of squares) {
    const [, letter, digits] = /^([a-z]+)(\d+)$/.exec(s.name) ?? [];
    if (!letter || !digits || (rim.cols[s.col] ||= letter) !== letter || (rim.rows[s.row] ||= digits) !== digits) return null;
  }
  return rim;
}

// Wide holds a board that may be wider than the screen: it fades where it goes
// on, and the last move is brought into view.
function Wide({ last, children }: { last: number | undefined; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState("");
  const look = () => {
    const e = box.current;
    if (!e) return;
    const room = e.scrollWidth - e.clientWidth;
    setMore(`${e.scrollLeft > 2 ? "more-left" : ""} ${e.scrollLeft < room - 2 ? "more-right" : ""}`.trim());
  };
  useLayoutEffect(() => {
    const watch = new ResizeObserver(look);
    watch.observe(box.current!);
    look();
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    const e = box.current!;
    const cell = last === undefined ? null : e.querySelector<HTMLElement>(`[data-square="${last}"]`);
    if (cell && (cell.offsetLeft < e.scrollLeft + 30 || cell.offsetLeft + cell.offsetWidth > e.scrollLeft + e.clientWidth - 30)) e.scrollLeft = cell.offsetLeft - e.clientWidth / 2;
    look();
  }, [last]);
  return (
    <>
      <div class={`scroll ${more}`} ref={box} onScroll={look}>{children}</div>
      {more && <p class="muted">The board is wider than the screen: push it to the side.</p>}
    </>
  );
}

// nine is the board of a meta game that a square lies in, from 0.
export const nine = (s: Square): number => Math.floor(s.row / 3) * 3 + Math.floor(s.col / 3);

const ways: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// step returns the square that a key leads to: the nearest in an arrow's
// direction, on the same level if there is one; PageUp and PageDown change
// levels.
export function step(squares: Square[], from: number, key: string): number | null {
  const at = squares[from];
  if (!at) return null;
  if (key === "Home") return 0;
  if (key === "End") return squares.length - 1;
  if (key === "PageUp" || key === "PageDown") {
    const level = at.level + (key === "PageUp" ? -1 : 1);
    const to = squares.findIndex((s) => s.level === level && s.col === at.col && s.row === at.row);
    return to < 0 ? from : to;
  }
  const way = ways[key];
  if (!way) return null;
  let best = from;
  let least = Infinity;
  squares.forEach((s, i) => {
    const along = (s.col - at.col) * way[0] + (s.row - at.row) * way[1];
    const across = Math.abs((s.col - at.col) * way[1]) + Math.abs((s.row - at.row) * way[0]);
    if (s.level !== at.level || along <= 0) return;
    const distance = along + 3 * across;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

// boardOwners says who owns each board of a meta game: from the position's
// fourth word where it has one, else by its rows of three.
export function boardOwners(position: string, squares: Square[], marks: string[]): string[] {
  const given = position.split(" ")[3];
  if (given && /^[xo.]{9}$/.test(given)) return [...given];
  const cells: string[][] = Array.from({ length: 9 }, () => Array<string>(9).fill("."));
  squares.forEach((s, i) => (cells[nine(s)]![(s.row % 3) * 3 + (s.col % 3)] = marks[i] ?? "."));
  const rows = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
  return cells.map((c) => {
    const full = rows.find((r) => c[r[0]!] !== "." && r.every((i) => c[i] === c[r[0]!]));
    return full ? c[full[0]!]! : ".";
  });
}

// Boards of several levels: side by side, or in space, turned by hand or by keys.
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { Square } from "./api";
import { say } from "./text";

// Style is an element's own style.
export type Style = Record<string, string>;

export const layerNames = (i: number): string => (i < 26 ? String.fromCharCode(97 + i) : String(i + 1));

// Layers draws levels side by side.
export function Layers({ layers }: { layers: ComponentChildren[] }) {
  return (
    <div class="layers">
      {layers.map((l, i) => (
        <div class="layer" key={i}>
          <p class="layer-name">{say("level of", { layerNames: layerNames(i) })}</p>
          {l}
        </div>
      ))}
    </div>
  );
}

type Point = [number, number, number]; // column, row, height

interface Props {
  squares: Square[];
  falls: boolean; // level a is the lowest
  cell: (i: number, style: Style) => ComponentChildren;
  won: number[][]; // completed sets
  still?: boolean; // a picture, which can't be turned
}

// usual is how a board is seen at first.
const usual = { turn: -28, tilt: 64 };
const rad = (degrees: number): number => (degrees * Math.PI) / 180;
const bead = 0.57; // as wide as this of a square
const clamp = (v: number, lo: number, hi: number): number => Math.max(lo, Math.min(hi, v));

// wiresOf are the lines of a board's levels, by their ends.
function wiresOf(squares: Square[]): Point[][] {
  return squares.flatMap((s) => [s.col === 0 && "row" as const, s.row === 0 && "col" as const].flatMap((same) => {
    const to = same && squares.findLast((t) => t.level === s.level && t[same] === s[same]);
    return to ? [[s, to].map((t): Point => [t.col, t.row, t.level])] : [];
  }));
}

// Space draws levels one above another, their squares as beads on rods, seen from far
// away at an angle (a parallel projection, so that equal lines stay equally long).
export function Space({ squares, falls, cell, won, still }: Props) {
  const [{ turn, tilt }, setView] = useState(usual);
  const drag = useRef<{ x: number; turn: number } | null>(null);
  const size = (of: (s: Square) => number) => Math.max(...squares.map(of)) + 1;
  const cells = useMemo(() => squares.map((_, i) => cell(i, {})), [cell]); // the same while the board is turned
  const wires = useMemo(() => wiresOf(squares), [squares]);
  const [cols, rows, levels] = [size((s) => s.col), size((s) => s.row), size((s) => s.level)];
  const rise = 0.7 * Math.min(cols, rows);
  const wide = Math.hypot(cols, rows);
  const [width, height] = [wide + 0.6, (levels - 1) * rise * Math.sin(rad(usual.tilt)) + wide * Math.cos(rad(usual.tilt)) + 0.6];

  const project = ([col, row, level]: Point): Point => {
    const [x, y] = [col - (cols - 1) / 2, row - (rows - 1) / 2];
    const z = (falls ? 1 : -1) * rise * (level - (levels - 1) / 2);
    const [along, across] = [x * Math.cos(rad(turn)) - y * Math.sin(rad(turn)), x * Math.sin(rad(turn)) + y * Math.cos(rad(turn))];
    return [along, across * Math.cos(rad(tilt)) - z * Math.sin(rad(tilt)), across * Math.sin(rad(tilt)) + z * Math.cos(rad(tilt))];
  };
  const raw = squares.map((s) => project([s.col, s.row, s.level]));
  const reach = (k: 0 | 1) => 2 * Math.max(...raw.map((p) => Math.abs(p[k]))) + 0.9;
  const scale = Math.min(1, width / reach(0), height / reach(1));
  const shown = (p: Point): [number, number] => [width / 2 + p[0] * scale, height / 2 + p[1] * scale];

  const path = (points: Point[]): string => points.map((p, i) => `${i > 0 ? "L" : "M"}${shown(project(p)).map((n) => n.toFixed(3)).join(" ")}`).join("");
  const sheets = Array.from({ length: levels }, (_, l) => `${path([[-0.5, -0.5, l], [cols - 0.5, -0.5, l], [cols - 0.5, rows - 0.5, l], [-0.5, rows - 0.5, l]])}Z`);
  const rods = squares.filter((s) => s.level === 0).map((s) => path([[s.col, s.row, 0], [s.col, s.row, levels - 1]])).join("");
  const grids = wires.map(path).join("");
  const ends = (set: number[]): Point[] => {
    const at = set.map((i) => squares[i]!);
    const sorted = at.sort((a, b) => a.level - b.level || a.col - b.col || a.row - b.row);
    return [sorted[0]!, sorted.at(-1)!].map((s) => [s.col, s.row, s.level]);
  };

  const rotate = (by: number, lean: number) => setView((v) => ({ turn: ((v.turn + by + 540) % 360) - 180, tilt: clamp(v.tilt + lean, 0, 85) }));
  const turns: Record<string, [number, number]> = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] };
  const onKey = (e: KeyboardEvent) => {
    const by = e.shiftKey ? turns[e.key] : undefined;
    if (!by) return;
    rotate(...by);
    e.preventDefault();
    e.stopPropagation();
  };
  const begin = (e: PointerEvent) => {
    if (still || (e.target as Element).closest("button")) return;
    drag.current = { x: e.clientX, turn };
    (e.currentTarget as Element).setPointerCapture(e.pointerId);
  };
  const moved = (e: PointerEvent) => {
    const d = drag.current;
    if (d) setView((v) => ({ turn: clamp(d.turn + (e.clientX - d.x) / 2, -180, 180), tilt: clamp(v.tilt - (e.pointerType === "mouse" ? e.movementY / 2 : 0), 0, 85) }));
  };
  const end = () => (drag.current = null);
  const percent = (n: number, of: number) => `${((100 * n) / of).toFixed(3)}%`;
  const scene = (
    <div class="scene" onPointerDown={begin} onPointerMove={moved} onPointerUp={end} onPointerCancel={end} onKeyDown={onKey} style={{ "--wide": `${width}`, "--high": `${height}` }}>
      <div class="stack">
        <svg class="frame" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {sheets.map((d, l) => <path class="sheet" d={d} key={l} />)}
          <path class="rods" d={rods} />
          <path class="wires" d={grids} />
          {!still && sheets.map((_, l) => {
            const [x, y] = shown(project([-1, rows - 0.6, l]));
            return <text class="level-letter" transform={`translate(${x} ${y})`} key={l}>{layerNames(l)}</text>;
          })}
        </svg>
        {squares.map((_, i) => {
          const [x, y] = shown(raw[i]!);
          // moved without a new layout
          return <span class="spot" key={i} style={{ transform: `translate(${percent(x - bead / 2, bead)}, ${percent(y - bead / 2, bead)}) scale(${scale.toFixed(3)})`, width: percent(bead, width), zIndex: `${10 + Math.round(raw[i]![2] * 10) + 200}` }}>{cells[i]}</span>;
        })}
        <svg class="ink over" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {won.map((set, k) => <path class="sweep" pathLength="1" d={path(ends(set))} key={k} />)}
        </svg>
      </div>
    </div>
  );
  if (still) return scene;
  return (
    <div class="space">
      {scene}
      <div class="turners">
        <label>{say("turn")} <input type="range" min="-180" max="180" value={Math.round(turn)} onInput={(e) => { const turn = Number(e.currentTarget.value); setView((v) => ({ ...v, turn })); }} /></label>
        <label>{say("tilt")} <input type="range" min="0" max="85" value={Math.round(tilt)} onInput={(e) => { const tilt = Number(e.currentTarget.value); setView((v) => ({ ...v, tilt })); }} /></label>
      </div>
    </div>
  );
}

// Boards of several levels: side by side, or in space, turned by hand or by keys.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
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
const percent = (n: number, of: number) => `${((100 * n) / of).toFixed(3)}%`;
const clamp = (v: number, lo: number, hi: number): number => Math.max(lo, Math.min(hi, v));

// Space draws levels one above another, their squares as beads on rods, seen from far
// away at an angle (a parallel projection, so that equal lines stay equally long). Turning
// changes only transforms, which need no layout and no paint.
export function Space({ squares, falls, cell, won, still }: Props) {
  const [{ turn, tilt }, setView] = useState(usual);
  const drag = useRef<{ x: number; turn: number } | null>(null);
  const size = (of: (s: Square) => number) => Math.max(...squares.map(of)) + 1;
  const [cols, rows, levels] = [size((s) => s.col), size((s) => s.row), size((s) => s.level)];
  const rise = 0.7 * Math.min(cols, rows);
  const wide = Math.hypot(cols, rows);
  const [width, height] = [wide + 0.6, (levels - 1) * rise * Math.sin(rad(usual.tilt)) + wide * Math.cos(rad(usual.tilt)) + 0.6];

  const [cos, sin, low, high] = [Math.cos(rad(turn)), Math.sin(rad(turn)), Math.cos(rad(tilt)), Math.sin(rad(tilt))];
  const project = ([col, row, level]: Point): Point => {
    const [x, y] = [col - (cols - 1) / 2, row - (rows - 1) / 2];
    const z = (falls ? 1 : -1) * rise * (level - (levels - 1) / 2);
    const across = x * sin + y * cos;
    return [x * cos - y * sin, across * low - z * high, across * high + z * low];
  };
  const raw = squares.map((s) => project([s.col, s.row, s.level]));
  const reach = (k: 0 | 1) => 2 * Math.max(...raw.map((p) => Math.abs(p[k]))) + 0.9;
  const scale = Math.min(1, width / reach(0), height / reach(1));
  const shown = (p: Point): [number, number] => [width / 2 + p[0] * scale, height / 2 + p[1] * scale];
  // corner moves the corner of what is w wide and h high; the larger z is in front.
  const corner = ([x, y]: number[], w: number, h: number, z: number) => `translate3d(${((100 * x!) / w).toFixed(2)}%, ${((100 * y!) / h).toFixed(2)}%, ${z}px)`;
  const middle = (p: Point, z: number) => `${corner(shown(p).map((n) => n - bead / 2), bead, bead, z)}scale(${scale.toFixed(3)})`;
  const sheet = `matrix(${[cos, sin * low, -sin, cos * low].map((n) => (n * scale).toFixed(4)).join()},0,0)`;
  const floor = squares.filter((s) => s.level === 0);
  const tall = (levels - 1) * rise;
  const each = Array.from({ length: levels }, (_, l) => l);
  const depth = (p: Point) => 200 + Math.round(p[2] * 10);

  const stack = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    [
      ...each.map((l) => corner(shown(project([-0.5, -0.5, l])), cols, rows, falls ? l : -l) + sheet),
      ...floor.map((s) => `${corner(shown(project([s.col, s.row, falls ? levels - 1 : 0])), 1, tall, levels)}scaleY(${(scale * high).toFixed(4)})`),
      ...raw.map((p) => middle(p, depth(p))),
      ...(still ? [] : each.map((l) => middle(project([-1, rows - 0.6, l]), 100))),
    ].forEach((t, i) => ((stack.current!.children[i] as HTMLElement).style.transform = t));
  });
  useEffect(() => { // paper has no depth
    const order = () => raw.forEach((p, i) => ((stack.current!.children[levels + floor.length + i] as HTMLElement).style.zIndex = `${depth(p)}`));
    addEventListener("beforeprint", order);
    return () => removeEventListener("beforeprint", order);
  }, [turn, tilt, squares]);
  // what is drawn once and turned as it is
  const drawn = useMemo(() => [
    ...each.map((l) => (
      <svg class="frame" viewBox={`0 0 ${cols} ${rows}`} style={{ width: percent(cols, width), height: percent(rows, height) }} aria-hidden="true" key={l}>
        <path class="sheet" d={`M0 0H${cols}V${rows}H0Z`} />
        <path class="wires" d={[...Array(cols).keys()].map((c) => `M${c + 0.5} .5V${rows - 0.5}`).join("") + [...Array(rows).keys()].map((r) => `M.5 ${r + 0.5}H${cols - 0.5}`).join("")} />
      </svg>
    )),
    ...floor.map((s) => <span class="rod" style={{ width: percent(1, width), height: percent(tall, height) }} key={`rod${s.name}`} />),
    ...squares.map((s, i) => <span class="spot" key={s.name} style={{ width: percent(bead, width) }}>{cell(i, {})}</span>),
    ...(still ? [] : each.map((l) => <svg class="spot" viewBox="0 0 1 1" style={{ width: percent(bead, width) }} aria-hidden="true" key={`name${l}`}><text class="level-letter" x=".5" y=".5">{layerNames(l)}</text></svg>)),
  ], [cell]);

  const ends = (set: number[]): string => {
    const at = set.map((i) => squares[i]!);
    const sorted = at.sort((a, b) => a.level - b.level || a.col - b.col || a.row - b.row);
    return "M" + [sorted[0]!, sorted.at(-1)!].map((s) => shown(project([s.col, s.row, s.level])).map((n) => n.toFixed(3)).join(" ")).join("L");
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
  const scene = (
    <div class="scene" onPointerDown={begin} onPointerMove={moved} onPointerUp={end} onPointerCancel={end} onKeyDown={onKey} style={{ "--wide": `${width}`, "--high": `${height}` }}>
      <div class="stack" ref={stack}>
        {drawn}
        <svg class="ink over" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {won.map((set, k) => <path class="sweep" pathLength="1" d={ends(set)} key={k} />)}
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

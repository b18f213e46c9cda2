// Boards of several levels: side by side, or in space, turned by hand or by keys.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Square } from "./api";
import { untilOver } from "./effect";
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
  views: ComponentChildren; // the choice between this view and another
}

// edgeNames are the names of columns and rows with their places beside a sheet; the letters of levels stand at its left.
function edgeNames(squares: Square[], cols: number, rows: number): { name: string; x: number; y: number }[] {
  const named = (col: number, row: number) => /^([a-z]+)(\d+)/.exec(squares.find((s) => s.col === col && s.row === row)?.name ?? "");
  return [
    ...Array.from({ length: cols }, (_, c) => ({ name: named(c, rows - 1)?.[1] ?? "", x: c + 0.5, y: rows + 0.4 })),
    ...Array.from({ length: rows }, (_, r) => ({ name: named(0, r)?.[2] ?? "", x: cols + 0.4, y: r + 0.5 })),
  ].filter((n) => n.name);
}

// usual is how a board is seen at first; one of rods, on which beads fall, from further above.
const usual = { turn: -28, tilt: 64 };
const usualOfRods = { turn: -28, tilt: 52 };
const slack = 6; // pixels by which a finger may slip without turning the board
const rad = (degrees: number): number => (degrees * Math.PI) / 180;
const bead = 0.57; // as wide as this of a square
const percent = (n: number, of: number) => `${((100 * n) / of).toFixed(3)}%`;
const short = (n: number): number => Math.round(100 * n) / 100;
const clamp = (v: number, lo: number, hi: number): number => Math.max(lo, Math.min(hi, v));

// Space draws levels one above another, their squares as beads on rods, seen from far
// away at an angle (a parallel projection, so that equal lines stay equally long). Where marks fall
// there is a board with rods, on which they come to lie one upon another. Turning
// changes only transforms, once a frame and past Preact: of sheets and rods, each a layer of
// the browser's, and of the beads on the rods where the tilt changes (whose own style has no custom
// property: one would make the browser work out the whole style anew each time). Rods are drawn from the
// back to the front and a rod's beads from below, which is right for every turn and tilt.
export function Space({ squares, falls, cell, won, still, views }: Props) {
  const first = falls ? usualOfRods : usual;
  const view = useRef(first);
  const due = useRef(0); // the frame that draws next
  const tilted = useRef<number | undefined>(undefined); // as what is on the rods is drawn
  const drag = useRef<{ x: number; turn: number; begun: boolean } | null>(null);
  const stack = useRef<HTMLDivElement>(null);
  const turners = useRef<HTMLDivElement>(null);
  const size = (of: (s: Square) => number) => Math.max(...squares.map(of)) + 1;
  const [cols, rows, levels] = [size((s) => s.col), size((s) => s.row), size((s) => s.level)];
  const rise = falls ? 1.1 * bead : 0.7 * Math.min(cols, rows);
  const wide = Math.hypot(cols, rows);
  const [width, height] = [wide + 0.6, (levels - 1) * rise * Math.sin(rad(first.tilt)) + wide * Math.cos(rad(first.tilt)) + (falls ? 1.2 : 0.6)];
  const each = Array.from({ length: levels }, (_, l) => l);
  const above = (level: number): number => (falls ? 1 : -1) * rise * (level - (levels - 1) / 2);
  const tall = (levels - 1) * rise;
  const sheets = falls ? [0] : each; // of rods only the board that they stand on, under the lowest beads
  const under = falls ? 0.45 : 0;
  // fences are rods drawn at once: of all columns in a row, and of all rows in a column
  const fences = [...Array.from({ length: rows }, (_, at) => ({ at, across: true })), ...Array.from({ length: cols }, (_, at) => ({ at, across: false }))];
  // rods have the squares over one another, and at last the letters of the levels
  const rods = useMemo(() => {
    const at: { col: number; row: number; on: number[] }[] = [];
    squares.forEach(({ col, row }, i) => {
      const rod = at.find((r) => r.col === col && r.row === row);
      if (rod) rod.on.push(i);
      else at.push({ col, row, on: [i] });
    });
    return at;
  }, [squares]);

  // draw shows the board as it is turned now.
  const draw = () => {
    const { turn, tilt } = view.current;
    const [cos, sin, low, high] = [Math.cos(rad(turn)), Math.sin(rad(turn)), Math.cos(rad(tilt)), Math.sin(rad(tilt))];
    const ground = (col: number, row: number): Point => {
      const [x, y] = [col - (cols - 1) / 2, row - (rows - 1) / 2];
      const across = x * sin + y * cos;
      return [x * cos - y * sin, across * low, across * high];
    };
    const parts = [...stack.current!.children] as HTMLElement[];
    const shapes = rods.map((r) => ground(r.col, r.row));
    const reach = (k: 0 | 1) => 2 * (Math.max(...shapes.map((p) => Math.abs(p[k]))) + k * above(falls ? levels - 1 : 0) * high) + (k ? 0.9 : 1.8);
    stack.current!.style.transform = `scale(${Math.min(1, width / reach(0), height / reach(1)).toFixed(3)})`;
    // lay puts a sheet, w wide and h high, by its corner and the ways of its edges
    const lay = (e: HTMLElement, [x, y]: Point, w: number, h: number, z: number, ...ways: number[]) =>
      (e.style.transform = `translate3d(${short((100 * (width / 2 + x)) / w)}%,${short((100 * (height / 2 + y)) / h)}%,${z}px)matrix(${ways.map((n) => n.toFixed(4)).join()},0,0)`);
    const [along, second] = [[cos, sin * low], [-sin, cos * low]] as const; // the way along columns' names, and along rows'
    const raised = (p: Point, z: number): Point => [p[0], p[1] - z * high, p[2]];
    sheets.forEach((l) => lay(parts[l]!, raised(ground(-0.5, -0.5), above(l) - under), cols, rows, 20 + above(l), ...along, ...second));
    const broad = Math.abs(cos) > Math.abs(sin); // the fences of rods that show more of themselves
    fences.forEach(({ at, across }, f) => {
      const e = parts[sheets.length + f]!;
      e.style.visibility = across === broad ? "" : "hidden";
      if (across === broad) lay(e, raised(across ? ground(-0.5, at) : ground(at, -0.5), tall / 2), across ? cols : rows, tall, 40, ...(across ? along : second), 0, high);
    });
    // a rod stands in the middle of a square of its own; the larger z is in front, none behind the stack itself
    const stand = (e: HTMLElement, p: Point, z: number) =>
      (e.style.transform = `translate3d(${short(100 * (width / 2 + p[0] - 0.5))}%,${short(100 * (height / 2 + p[1] - 0.5))}%,${short(z)}px)`);
    const before = sheets.length + fences.length;
    shapes.forEach((p, r) => stand(parts[before + r]!, p, 200 + 10 * p[2]));
    const left = shapes.reduce((a, b) => (b[0] < a[0] ? b : a)); // the letters stand at the left of the last rod there
    if (!still) stand(parts[before + rods.length]!, [left[0] - 0.7, left[1], 0], 100);
    if (tilted.current !== tilt) {
      tilted.current = tilt;
      const lifts = each.map((l) => `translateY(${short((-100 * above(l) * high) / bead)}%)`);
      const slide = (e: Element, l: number) => ((e as HTMLElement).style.transform = lifts[l]!);
      rods.forEach((rod, r) => rod.on.forEach((i, n) => slide(parts[before + r]!.children[n]!, squares[i]!.level)));
      if (!still) each.forEach((l) => slide(parts[before + rods.length]!.children[l]!, l));
    }
    won.forEach((set, k) => {
      const sorted = set.map((i) => squares[i]!).sort((a, b) => a.level - b.level || a.col - b.col || a.row - b.row);
      const ends = [sorted[0]!, sorted.at(-1)!].map((s) => {
        const p = ground(s.col, s.row);
        return `${short(width / 2 + p[0])} ${short(height / 2 + p[1] - above(s.level) * high)}`;
      });
      parts.at(-1)!.children[k]!.setAttribute("d", "M" + ends.join("L"));
    });
    return shapes;
  };
  useLayoutEffect(() => {
    tilted.current = undefined;
    draw();
  });
  useLayoutEffect(() => () => cancelAnimationFrame(due.current), []);
  useEffect(untilOver((signal) => addEventListener("beforeprint", () => // paper has no depth
    stack.current && draw().forEach((p, r) => ((stack.current!.children[sheets.length + fences.length + r] as HTMLElement).style.zIndex = `${200 + Math.round(10 * p[2])}`)), { signal })));
  // what is drawn once and turned as it is
  const drawn = useMemo(() => {
    const box = { width: percent(1, width), height: percent(1, height) };
    const spot = { width: percent(bead, 1), left: percent((1 - bead) / 2, 1), top: percent((1 - bead) / 2, 1) };
    return [
      ...sheets.map((l) => (
        <svg class="frame" viewBox={`0 0 ${cols} ${rows}`} style={{ width: percent(cols, width), height: percent(rows, height) }} aria-hidden="true" key={l}>
          <path class="sheet" d={`M0 0H${cols}V${rows}H0Z`} />
          <path class="wires" d={falls ? squares.filter((s) => s.level === 0).map((s) => `M${s.col + 0.5} ${s.row + 0.5}h0`).join("") : [...Array(cols).keys()].map((c) => `M${c + 0.5} .5V${rows - 0.5}`).join("") + [...Array(rows).keys()].map((r) => `M.5 ${r + 0.5}H${cols - 0.5}`).join("")} />
          {!still && l === (falls ? 0 : levels - 1) && edgeNames(squares, cols, rows).map(({ name, x, y }) => <text class="edge-name" x={x} y={y} key={name}>{name}</text>)}
        </svg>
      )),
      ...fences.map(({ at, across }) => {
        const n = across ? cols : rows;
        return (
          <svg class="frame" viewBox={`0 0 ${n} ${tall}`} style={{ width: percent(n, width), height: percent(tall, height) }} aria-hidden="true" key={`fence${across} ${at}`}>
            <path class="rods" d={Array.from({ length: n }, (_, k) => `M${k + 0.5} ${-under}V${tall + under}`).join("")} />
          </svg>
        );
      }),
      ...rods.map(({ col, row, on }) => (
        <div class="rod" style={box} key={`rod${col} ${row}`}>
          {on.map((i) => <span class="spot" style={{ ...spot, zIndex: `${falls ? squares[i]!.level : levels - squares[i]!.level}` }} key={i}>{cell(i, falls ? { "--fall": `${levels - squares[i]!.level}` } : {})}</span>)}
        </div>
      )),
      !still && (
        <div class="rod" style={box} aria-hidden="true" key="letters">
          {each.map((l) => <svg class="spot" viewBox="0 0 1 1" style={spot} key={l}><text class="level-letter" x=".8" y=".5">··{layerNames(l)}</text></svg>)}
        </div>
      ),
    ];
  }, [cell]);

  const show = (turn: number, tilt: number) => {
    view.current = { turn, tilt: clamp(tilt, 0, 85) };
    due.current ||= requestAnimationFrame(() => {
      due.current = 0;
      draw();
      if (drag.current?.begun) return; // to lay out sliders at every frame takes longer than to turn the board
      turners.current!.querySelectorAll("input").forEach((e, i) => {
        const value = `${Math.round(i ? view.current.tilt : view.current.turn)}`;
        if (e.value !== value) e.value = value;
      });
    });
  };
  const turns: Record<string, [number, number]> = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] };
  const onKey = (e: KeyboardEvent) => {
    const by = e.shiftKey ? turns[e.key] : undefined;
    if (!by) return;
    show(((view.current.turn + by[0] + 540) % 360) - 180, view.current.tilt + by[1]);
    e.preventDefault();
    e.stopPropagation();
  };
  const begin = (e: PointerEvent) => {
    if (!still) drag.current = { x: e.clientX, turn: view.current.turn, begun: false };
  };
  // A press on a bead is one as long as it hardly moves.
  const moved = (e: PointerEvent) => {
    const d = drag.current;
    if (d && !d.begun && Math.abs(e.clientX - d.x) > slack) {
      d.begun = true;
      (e.currentTarget as Element).setPointerCapture(e.pointerId);
    }
    if (d?.begun) show(clamp(d.turn + (e.clientX - d.x) / 2, -180, 180), view.current.tilt - (e.pointerType === "mouse" ? e.movementY / 2 : 0));
  };
  const end = () => {
    const begun = drag.current?.begun;
    drag.current = null;
    if (begun) show(view.current.turn, view.current.tilt); // the sliders follow
  };
  const scene = (
    <div class={falls ? "scene rodded" : "scene"} onPointerDown={begin} onPointerMove={moved} onPointerUp={end} onPointerCancel={end} onPointerLeave={end} onKeyDown={onKey} style={{ "--wide": `${width}`, "--high": `${height}` }}>
      <div class="stack" ref={stack}>
        {drawn}
        {won.length > 0 && (
          <svg class="ink over" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
            {won.map((_, k) => <path class="sweep" pathLength="1" key={k} />)}
          </svg>
        )}
      </div>
    </div>
  );
  if (still) return scene;
  return (
    <div class="space">
      {scene}
      <div class="turners" ref={turners}>
        <label>{say("turn")} <span><input type="range" min="-180" max="180" defaultValue={`${first.turn}`} onInput={(e) => show(Number(e.currentTarget.value), view.current.tilt)} /></span></label>
        <label>{say("tilt")} <span><input type="range" min="0" max="85" defaultValue={`${first.tilt}`} onInput={(e) => show(view.current.turn, Number(e.currentTarget.value))} /></span></label>
        {views}
      </div>
    </div>
  );
}

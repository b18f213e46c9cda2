// The drawing of a search tree at one step.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { arrange, gapX, gapY, type Placed, running, type Twig, type Walk, whole, windowAt, windowText } from "./trace";
import { number } from "./words";

const r = 15;
const least = 0.75, largest = 2.5; // how many times its usual size a tree can be read

interface TreeViewProps { walk: Walk; step: number; fit: boolean; onRoom: (enough: boolean) => void; onStep: (step: number) => void }

// TreeView shows a tree as large as there is room, or where it need not fit, in
// its usual size, following the step. It says whether there is room to read it. One
// of which steps show different parts is never larger, so as not to swell and shrink.
export function TreeView({ walk, step, fit, onRoom, onStep }: TreeViewProps) {
  const { root, width, height } = arrange(walk, step);
  const size = { width: width + 32, height: height + 10 };
  const box = useRef<HTMLDivElement>(null);
  const current = walk.steps[step]?.twig;
  const at = find(root, current);
  useLayoutEffect(() => {
    const div = box.current;
    if (div) onRoom(least * size.width <= div.clientWidth && least * size.height <= div.clientHeight);
  });
  useEffect(() => {
    const div = box.current;
    if (!div || !at) return;
    const x = at.x * gapX + gapX / 2, y = at.y * gapY + gapY / 2;
    if (x < div.scrollLeft + 60 || x > div.scrollLeft + div.clientWidth - 60) div.scrollLeft = x - div.clientWidth / 2;
    if (y < div.scrollTop + 40 || y > div.scrollTop + div.clientHeight - 40) div.scrollTop = y - div.clientHeight / 2;
  }, [step, walk, fit]);
  if (!root) return null;
  const lines: preact.JSX.Element[] = [], nodes: preact.JSX.Element[] = [];
  const draw = (p: Placed, up: Placed | null) => {
    const t = p.twig;
    const x = px(p.x), y = py(p.y);
    const state = step < t.enter ? "unseen" : t.node.kind === "cut" ? "cut" : step >= t.done ? "done" : "open";
    if (up) {
      const ux = px(up.x), uy = py(up.y);
      lines.push(<line key={"l" + t.enter} class={"edge " + state} x1={ux} y1={uy + r} x2={x} y2={y - r} />);
      lines.push(<text key={"m" + t.enter} class={"edge-name " + state} x={x + (ux - x) * 0.45} y={y - r + (uy - y + 2 * r) * 0.45}>{t.node.move}</text>);
    }
    const value = running(t, step);
    const bound = t.node.bound && t.node.bound !== "=" && step >= t.done ? t.node.bound : "";
    const text = value === null ? (unclear(t, step) ? "?" : "") : bound + brief(value);
    nodes.push(
      <g key={"n" + t.enter} class={`node ${state} ${t.node.turn} ${t === current ? "current" : ""}`} onClick={() => onStep(t.enter)}>
        {shape(t, x, y)}
        {state !== "unseen" && state !== "cut" && <text class={text.length > 4 ? "value long" : "value"} x={x} y={y + 4}>{text}</text>}
        {state === "cut" && <text class="value" x={x} y={y + 4}>✕</text>}
        {state === "open" && <text class="window" x={x} y={y - r - 6}>{windowText(windowAt(t, step))}</text>}
      </g>,
    );
    p.shown.forEach((c) => draw(c, p));
  };
  draw(root, null);
  return (
    <div class="treebox" ref={box} tabIndex={0} role="region" aria-label="Search tree; the steps below tell it in words">
      <svg viewBox={`-16 -5 ${size.width} ${size.height}`} aria-hidden="true"
        style={{ maxWidth: `${(walk.size > whole ? 1 : largest) * size.width}px`, ...(fit ? {} : { minWidth: `${size.width}px`, minHeight: `${size.height}px` }) }}>{lines}{nodes}</svg>
    </div>
  );
}

// brief has room in a node: two decimals, where the steps in words have three.
const brief = (v: number): string => number(Math.round(v * 100) / 100);

const px = (x: number): number => x * gapX + gapX / 2;
const py = (y: number): number => y * gapY + gapY / 2;

// unclear reports whether a node that is done has no value, as play goes round from it.
const unclear = (t: Twig, step: number): boolean => step >= t.done && (t.node.kind === "repeated" || t.node.kind === "searched");

// shape is a triangle up for max, down for min, a circle for chance, a square for a
// leaf and a double one for a position that is on the way to it already.
function shape(t: Twig, x: number, y: number) {
  if (t.node.kind === "repeated") return <path d={`M${x - r} ${y - r + 2}h${2 * r}v${2 * r - 4}h${-2 * r}ZM${x - r + 4} ${y - r + 6}h${2 * r - 8}v${2 * r - 12}h${8 - 2 * r}Z`} />;
  if (t.children.length === 0) return <rect x={x - r} y={y - r + 2} width={2 * r} height={2 * r - 4} rx="4" />;
  if (t.node.turn === "first") return <path d={`M${x} ${y - r - 3}L${x + r + 6} ${y + r - 1}H${x - r - 6}Z`} />;
  if (t.node.turn === "second") return <path d={`M${x} ${y + r + 3}L${x + r + 6} ${y - r + 1}H${x - r - 6}Z`} />;
  return <circle cx={x} cy={y} r={r + 1} />;
}

function find(p: Placed | null, t: Twig | undefined): Placed | null {
  if (!p || p.twig === t) return p;
  for (const c of p.shown) {
    const at = find(c, t);
    if (at) return at;
  }
  return null;
}

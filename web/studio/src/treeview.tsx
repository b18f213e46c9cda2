// The drawing of a search tree at one step.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Info } from "./api";
import { countAt, proven } from "./simulations";
import { say } from "./text";
import { arrange, type Placed, running, type Twig, viewed, type Walk, windowAt, windowText } from "./trace";
import { marks, number } from "./words";

const r = 15;
const apart = 46; // between a node and those below it
// how many times its usual size a tree can be read, at least, and is drawn at most: one that is scrolled, any, and presented
const least = 0.75, seen = 1.6, largest = 2.5, presentedLargest = 4;

interface TreeViewProps { walk: Walk; info: Info; step: number; fit: boolean; presented: boolean; onRoom: (enough: boolean) => void; onStep: (step: number) => void }

// TreeView shows a tree as large as there is room, or where it need not fit, in
// its usual size, and larger where it is presented, following the step, but from the root on. It says whether there is room to read it. One
// of which steps show different parts is never larger, so as not to swell and shrink.
export function TreeView({ walk, info, step, fit, presented, onRoom, onStep }: TreeViewProps) {
  const simulated = walk.by === "simulations";
  const { root, at, ...now } = arrange(walk, step);
  // A tree that grows is as large from the first step on as it is at the last, and grows from the middle.
  const last = simulated && now.all ? arrange(walk, walk.steps.length - 1) : now;
  const { width, height } = last.all ? last : now;
  const small = smallBoard(info);
  const under = simulated ? (small ? 15 : 18) : 0; // for visits
  const half = small ? { x: small.width / 2, up: small.height / 2 + 11, down: small.height / 2 + 11 + under } : { x: r, up: r, down: r + under };
  const gapX = small ? small.width + (presented ? 28 : 20) : hasOdds(root?.twig) ? (presented ? 76 : 60) : 44, gapY = half.up + half.down + apart;
  const px = (x: number): number => (x + (width - now.width) / 2) * gapX + gapX / 2;
  const py = (y: number): number => y * gapY + half.up + 22;
  const size = { width: width * gapX + 32, height: height * gapY - apart + 32 };
  const read = presented ? innerHeight / (small ? 800 : 650) : least; // type of a fiftieth of the screen is read from afar
  const [tall, setTall] = useState(1); // how many times its usual size all its plies have room
  const usual = presented ? Math.max(read, Math.min(seen, tall)) : 1;
  const box = useRef<HTMLDivElement>(null);
  const current = walk.steps[step]?.twig;
  const from = useRef(-1); // the step at which it began to be presented, -1 before that
  useLayoutEffect(() => {
    const div = box.current;
    if (div) setTall(div.clientHeight / size.height);
    if (div) onRoom(read * size.width <= div.clientWidth && read * size.height <= div.clientHeight);
  });
  useEffect(() => {
    const div = box.current;
    if (!presented) from.current = -1;
    else if (from.current < 0) from.current = step;
    if (!div || !at || !root) return;
    const svg = div.firstElementChild!;
    const scale = Math.min(svg.clientWidth / size.width, svg.clientHeight / size.height);
    const shown = from.current === step ? root : at; // a class sees first where the search begins
    const x = scale * px(shown.x), y = scale * py(shown.y);
    if (x < div.scrollLeft + 60 || x > div.scrollLeft + div.clientWidth - 60) div.scrollLeft = x - div.clientWidth / 2;
    const foot = scale * (half.down + 10); // below a node; what is above it stays in sight as long as it can
    if (y < div.scrollTop + 40 || y + foot > div.scrollTop + div.clientHeight) div.scrollTop = y + foot - div.clientHeight;
  }, [step, walk, fit, presented, usual]);
  if (!root) return null;
  const lines: preact.JSX.Element[] = [], nodes: preact.JSX.Element[] = [];
  const draw = (p: Placed, up: Placed | null) => {
    const t = p.twig;
    const x = px(p.x), y = py(p.y);
    const state = simulated ? (walk.steps[step]!.run!.path.includes(t) ? "open" : "done") : step < t.enter ? "later" : t.node.kind === "cut" ? "cut" : step >= t.done ? "done" : "open";
    if (up) {
      const ux = px(up.x), uy = py(up.y);
      lines.push(<line key={"l" + t.enter} class={"edge " + state} x1={ux} y1={uy + half.down} x2={x} y2={y - half.up} />);
      const part = t.node.odds ? 0.45 : 0.63; // above windows, which stand beside nodes below chance
      lines.push(<text key={"m" + t.enter} class={"edge-name " + state} x={x + (ux - x) * part} y={y - half.up + (uy - y + half.up + half.down) * part}>{t.node.odds ? say("move by chance", { move: t.node.move!, odds: number(t.node.odds) }) : t.node.move}</text>);
    }
    const count = countAt(t, step);
    const certain = proven(count);
    const value = simulated ? certain ?? count?.mean ?? null : running(t, step);
    const upper = viewed(walk.by, t, 1) < 0 ? { "≤": "≥", "≥": "≤" } : {};
    const bound = certain !== null ? "=" : t.node.bound && t.node.bound !== "=" && step >= t.done ? upper[t.node.bound as "≤"] ?? t.node.bound : "";
    const text = value === null ? (!simulated && unclear(t, step) ? "?" : "") : bound + brief(viewed(walk.by, t, value));
    nodes.push(
      <g key={"n" + t.enter} class={`node ${state} ${t.node.turn} ${t === current ? "current" : ""}`} onClick={() => onStep(t.enter)}>
        {small ? <g transform={`translate(${x - small.width / 2} ${y - half.up})`}><SmallBoard of={small} position={t.node.position} /></g> : shape(t, x, y)}
        {state !== "later" && state !== "cut" && <text class={text.length > 3 && !small ? "value long" : "value"} x={x} y={small ? y + half.down - under - 4 : y + 4}>{small && !ends(t) ? `${signOf[t.node.turn]} ${text}` : text}</text>}
        {state === "cut" && <text class="value" x={x} y={small ? y + half.down - 4 : y + 4}>✕</text>}
        {count && <text class="visits" x={x} y={y + half.down - 3}>{`${count.visits}×`}</text>}
        {state === "open" && walk.by === "window" && <text class="window" x={x + (t.node.odds ? half.x + 8 : 6)} y={y - (t.node.odds ? 0 : half.up + 6)}>{windowText(windowAt(t, step))}</text>}
      </g>,
    );
    p.shown.forEach((c) => draw(c, p));
  };
  draw(root, null);
  return (
    <div class="treebox" ref={box} tabIndex={0} role="region" aria-label={say("search tree")}>
      <svg viewBox={`-16 -5 ${size.width} ${size.height}`} aria-hidden="true"
        style={{ maxWidth: `${(!last.all ? usual : presented ? presentedLargest : largest) * size.width}px`, ...(fit ? {} : { minWidth: `${usual * size.width}px`, minHeight: `${usual * size.height}px` }) }}>{lines}{nodes}</svg>
    </div>
  );
}

// hasOdds reports whether chance moves below a node, so that its edges have more to say.
const hasOdds = (t: Twig | undefined): boolean => t !== undefined && (t.node.turn === "chance" || t.children.some(hasOdds));

// brief has room in a node: two decimals, where the steps in words have three.
const brief = (v: number): string => number(Math.round(v * 100) / 100);

const signOf: Record<string, string> = { first: "▲", second: "▼", chance: "●" };

// Small is how the boards of a game are drawn in the nodes of a tree.
interface Small { info: Info; width: number; height: number }

const square = 13; // the side of a square in a node
const mostSquares = 25;

// smallBoard is nothing where boards have no room in nodes.
function smallBoard(info: Info): Small | null {
  const squares = info.squares ?? [];
  if (squares.length === 0 || squares.length > mostSquares || info.drawn !== "grid") return null;
  const most = (of: "col" | "row") => Math.max(...squares.map((s) => s[of])) + 1;
  return { info, width: square * most("col"), height: square * most("row") };
}

function SmallBoard({ of, position }: { of: Small; position: string }) {
  const signs = marks(position);
  let wires = "", x = "", o = "";
  of.info.squares!.forEach((s, i) => {
    const [left, top] = [s.col * square, s.row * square];
    wires += `M${left} ${top}h${square}v${square}h${-square}z`;
    if (signs[i] === "x") x += `M${left + 3.5} ${top + 3.5}l6 6m0 -6l-6 6`;
    if (signs[i] === "o") o += `M${left + 3.2} ${top + 6.5}a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0 -6.6 0`;
  });
  return <><rect class="frame" x="-3" y="-3" width={of.width + 6} height={of.height + 6} rx="4" /><path class="wires" d={wires} /><path class="mark x" d={x} /><path class="mark o" d={o} /></>;
}

// unclear reports whether a node that is done has no value, as play goes round from it.
const unclear = (t: Twig, step: number): boolean => step >= t.done && (t.node.kind === "repeated" || t.node.kind === "searched");

// ends reports whether nothing comes below a node: a tree of simulations may yet grow there, unless the game is over.
export const ends = (t: Twig): boolean => (t.counts ? t.node.kind === "leaf" : t.children.length === 0);

// shape is a triangle up for max, down for min, a circle for chance, also where they are cut, a square for a
// leaf and a double one for a position that is on the way to it already.
export function shape(t: Twig, x: number, y: number) {
  if (t.node.kind === "repeated") return <path d={`M${x - r} ${y - r + 2}h${2 * r}v${2 * r - 4}h${-2 * r}ZM${x - r + 4} ${y - r + 6}h${2 * r - 8}v${2 * r - 12}h${8 - 2 * r}Z`} />;
  if (ends(t) && (t.node.kind !== "cut" || t.node.over)) return <rect x={x - r} y={y - r + 2} width={2 * r} height={2 * r - 4} rx="4" />;
  if (t.node.turn === "first") return <path d={`M${x} ${y - r - 3}L${x + r + 6} ${y + r - 1}H${x - r - 6}Z`} />;
  if (t.node.turn === "second") return <path d={`M${x} ${y + r + 3}L${x + r + 6} ${y - r + 1}H${x - r - 6}Z`} />;
  return <circle cx={x} cy={y} r={r + 1} />;
}

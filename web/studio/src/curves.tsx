// The chart of all pages: lines over games or moves, drawn on a canvas, thinned to its
// pixels. Lines differ by colour, dashes and sign; a table beside learning curves says the
// numbers.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { decimate } from "./decimate";
import { untilOver } from "./effect";
import { figures, ticks } from "./words";
import { Table } from "./parts";
import type { Drawing } from "./pen";
import { Leading, Present, useStage } from "./present";
import { count, say } from "./text";
import type { Line } from "./train";

const edge = { left: 58, right: 14, top: 12, bottom: 34 };
const colours = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5"];
const dashes = [[], [8, 4], [2, 4], [10, 4, 2, 4], [14, 4], [4, 2]];

const colourOf = (i: number): string => colours[i % colours.length]!;
const dashOf = (i: number): number[] => dashes[(i + Math.floor(i / colours.length)) % dashes.length]!;

// signs are those of lines by their corners around the middle: a circle, which has none, square, triangle, diamond,
// triangle upside down, bar.
const signs: [number, number][][] = [[], [[-4, -4], [4, -4], [4, 4], [-4, 4]], [[0, -4.5], [4.5, 4.5], [-4.5, 4.5]], [[0, -5.5], [5.5, 0], [0, 5.5], [-5.5, 0]], [[-4.5, -4.5], [4.5, -4.5], [0, 4.5]], [[-2, -5.5], [2, -5.5], [2, 5.5], [-2, 5.5]]];
const circle = "M24.5 10a4.5 4.5 0 1 1-9 0a4.5 4.5 0 1 1 9 0z";
const signOf = (i: number) => signs[i % signs.length]!;

// sign draws the sign of a line.
function sign(c: Drawing, i: number, x: number, y: number): void {
  const corners = signOf(i);
  if (corners.length === 0) {
    c.moveTo(x + 4.5, y);
    c.arc(x, y, 4.5, 0, 7);
    return;
  }
  corners.forEach(([right, down], k) => (k ? c.lineTo(x + right, y + down) : c.moveTo(x + right, y + down)));
  c.closePath();
}

// Swatch is a line as the legend shows it.
function Swatch({ i }: { i: number }) {
  return (
    <svg class={`swatch s${i % colours.length}`} viewBox="0 0 40 20" aria-hidden="true">
      <path class="stroke" d="M0 10h40" stroke-dasharray={dashOf(i).join(" ")} />
      <path d={signOf(i).length === 0 ? circle : `M${signOf(i).map(([right, down]) => `${20 + right} ${10 + down}`).join("L")}z`} />
    </svg>
  );
}

// at is the place of the last point that is not right of x.
const at = (xs: number[], x: number): number => Math.max(Math.min(0, xs.length - 1), xs.findLastIndex((v) => v <= x));

// Range is what a chart's height stands for, where that is known beforehand.
interface Range { low: number; high: number; bottom: string; top: string }

interface PlotProps extends Omit<JSX.IntrinsicElements["canvas"], "ref" | "height"> {
  lines: Line[];
  right: number; // where the chart ends
  mark: number | null; // what is pointed at
  height: number;
  large?: boolean; // as high as there is room, in large type
  unit: string;
  version: string; // another whenever something else is to be drawn
  zero?: boolean; // whether its height begins at 0
  range?: Range; // then each value holds up to the next point
  onWidth: (width: number) => void;
}

// Plot draws lines from 0 on, as wide as there is room, in the colours of the page.
function Plot({ lines, right, mark, height, large = false, unit, version, zero, range, onWidth, ...rest }: PlotProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [[width, high], setSize] = useState([0, height]);
  const [theme, setTheme] = useState(0);
  useEffect(untilOver((signal) => {
    const c = canvas.current!;
    const size = new ResizeObserver(() => {
      setSize([c.clientWidth, c.clientHeight]);
      onWidth(c.clientWidth);
    });
    size.observe(c);
    const repaint = () => setTheme((n) => n + 1);
    const marks = new MutationObserver(repaint);
    marks.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint, { signal });
    signal.addEventListener("abort", () => {
      size.disconnect();
      marks.disconnect();
    });
  }), []);
  useEffect(() => {
    const c = canvas.current!;
    if (width === 0) return;
    const dense = window.devicePixelRatio || 1, zoom = zoomOf(large);
    c.width = Math.round(width * dense);
    c.height = Math.round(high * dense);
    const g = c.getContext("2d")!;
    g.scale(dense * zoom, dense * zoom);
    paint(g, { width: width / zoom, height: high / zoom, right, mark, unit, zero, range }, lines, (name) => tint(c, name));
  }, [version, width, high, theme, right, mark]);
  return <canvas ref={canvas} class="curve" style={large ? {} : { height: `${height}px` }} {...rest} />;
}

// zoomOf is how many times its usual size a chart's type has.
const zoomOf = (large: boolean): number => (large ? 1.6 : 1);

// pointed is the place in a chart that a pointer is at.
const pointed = (e: MouseEvent, width: number, right: number, zoom = 1): number =>
  Math.max(0, Math.min(right, ((e.offsetX / zoom - edge.left) / (width / zoom - edge.left - edge.right)) * right));

interface ValuesProps { values: { x: number; y: number; guessed: boolean }[]; plies: number; at: number; range: Range; label: string; onChoose: (ply: number) => void }

// ValueChart draws the value over a game, of estimates with hollow points; a press chooses a ply.
export function ValueChart({ values, plies, at, range, label, onChoose }: ValuesProps) {
  const [width, setWidth] = useState(0);
  const right = Math.max(1, plies);
  const line: Line = { name: "", xs: values.map((v) => v.x), ys: values.map((v) => v.y), guessed: values.map((v) => v.guessed) };
  return <Plot lines={[line]} right={right} mark={at} height={180} unit={say("unit moves")} version={JSON.stringify([values, range])} range={range} onWidth={setWidth}
    role="img" aria-label={label} onClick={(e: MouseEvent) => onChoose(Math.round(pointed(e, width, right)))} />;
}

// RatingChart draws a rating over so many puzzles that were tried, from where it begins where that is known. Of the first
// puzzles of old none was kept.
export function RatingChart({ ratings: kept, begins, tried }: { ratings: number[]; begins: number | undefined; tried: number }) {
  const ratings = begins === undefined ? kept : [begins, ...kept];
  const line: Line = { name: "", xs: ratings.map((_, i) => tried - ratings.length + 1 + i), ys: ratings };
  const label = say("rating from to", { first: ratings[0]!, last: ratings.at(-1)!, best: Math.max(...kept), n: kept.length });
  return <Plot lines={[line]} right={tried} mark={null} height={160} unit={say("unit puzzles")} version={`${tried} ${ratings.length}`} onWidth={() => undefined} role="img" aria-label={label} />;
}

// mostSteps is in how many steps a class sees a curve at most.
const mostSteps = 40;

interface Props { lines: Line[]; title: string; of?: string; unit?: string; most: number; zero?: boolean; version: string; meaning?: string }

// Curves draws the lines up to so many games, or what the unit is, with a table of the
// values where the cursor is. Its files have what it shows, and say what it is of.
export function Curves({ lines, title, of, unit = say("unit games"), most, zero, version, meaning }: Props) {
  const [cursor, setCursor] = useState<number | null>(null); // in games; null is the end
  const [width, setWidth] = useState(0);
  const right = Math.max(1, most);

  const xs = lines[0]?.xs ?? [];
  const here = cursor === null ? xs.length - 1 : at(xs, cursor);
  const go = (to: number) => {
    if (xs.length === 0) return;
    const i = Math.max(0, Math.min(xs.length - 1, to));
    setCursor(i === xs.length - 1 ? null : xs[i]!);
  };
  const step = (by: number) => go(here + by);
  const stride = Math.max(1, Math.ceil(xs.length / mostSteps)); // points to a step before a class
  const stage = useStage<HTMLDivElement>({ step: Math.ceil(Math.max(0, here) / stride), end: Math.ceil(Math.max(0, xs.length - 1) / stride), to: (n) => go(n * stride), pace: 400, own: "input" });
  const onKeyDown = (e: KeyboardEvent) => {
    if (stage.full) return; // the stage takes them
    const far = Math.max(1, Math.round((lines[0]?.xs.length ?? 0) / 10));
    const by: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, PageUp: far, PageDown: -far, Home: -1e9, End: 1e9 };
    if (by[e.key] === undefined) return;
    e.preventDefault();
    step(by[e.key]!);
  };
  const onPointer = (e: PointerEvent) => setCursor(pointed(e, width, right, zoomOf(stage.full)));
  const banded = lines.some((l) => l.low);
  const shown = lines.map((l) => (cursor === null ? l.xs.length - 1 : at(l.xs, cursor)));
  const spot = cursor === null ? Math.max(0, ...lines.map((l) => l.xs[l.xs.length - 1] ?? 0)) : Math.round(cursor);
  const values = lines.map((l, i) => `${l.name} ${figures(l.ys[shown[i]!])}`).join(", ");
  return (
    <div class="curves" ref={stage.at} onKeyDown={stage.onKeyDown}>
      <h2>{title}</h2>
      <Plot lines={lines} right={right} mark={cursor} height={320} large={stage.full} unit={unit} zero={zero} version={version} onWidth={setWidth} tabIndex={0} role="slider" aria-label={say("curve over unit", { title, unit })}
        aria-valuemin={0} aria-valuemax={right} aria-valuenow={spot} aria-valuetext={say("values after", { spot: count(spot), unit, values })}
        onKeyDown={onKeyDown} onPointerMove={onPointer} onPointerDown={onPointer} onPointerLeave={() => setCursor(null)} />
      <Table kind="legend-table" label={title}
        head={<><th scope="col">{say("line")}</th><th scope="col" class="right">{say("values after", { spot: count(spot), unit, values: "" })}</th>{banded && <th scope="col" class="right">{say("10 90 of runs")}</th>}</>}>
        {lines.map((l, i) => (
          <tr key={l.name}>
            <th scope="row"><Swatch i={i} />{l.name}</th>
            <td class="right">{say("value and its end", { value: figures(l.ys[shown[i]!]), end: spot > (l.xs.at(-1) ?? spot) && count(l.xs.at(-1)!) })}</td>
            {banded && <td class="right">{l.low ? say("low to high", { low: figures(l.low[shown[i]!]), high: figures(l.high![shown[i]!]) }) : say("one run")}</td>}
          </tr>
        ))}
      </Table>
      {stage.full && <Leading of={stage} />}
      <Files drawn={(by) => drawnFile(by, stage.at.current!, lines, { width, right, unit, zero, title, of: of ?? "" })} rows={() => tableOf(lines, unit)}><Present of={stage} /></Files>
      {stage.full && meaning && <p class="muted">{meaning}</p>}
    </div>
  );
}

// Pens are what writes pictures, which comes when one is asked for.
type Pens = typeof import("./pen");

// Files saves a chart as it is shown, and its numbers.
function Files({ drawn, rows, children }: { drawn: (by: Pens) => string; rows: () => (string | number)[][]; children: ComponentChildren }) {
  const as = async (kind: "svg" | "png" | "csv", name: string) => {
    const [by, { csv, onWhite, painted, save }] = await Promise.all([import("./pen"), import("./snapshot")]);
    const text = () => onWhite(() => drawn(by));
    const content = kind === "csv" ? new Blob([csv(rows())], { type: "text/csv" })
      : kind === "svg" ? new Blob([text()], { type: "image/svg+xml" }) : await painted(text());
    if (content) save(name, content);
  };
  return (
    <div class="row noprint tools" role="group" aria-label={say("picture")}>
      <button type="button" onClick={() => as("svg", "chart.svg")}>{say("svg")}</button>
      <button type="button" onClick={() => as("png", "chart.png")}>{say("png")}</button>
      <button type="button" onClick={() => as("csv", "chart.csv")}>{say("as csv")}</button>
      {children}
    </div>
  );
}

// tableOf is the points of a chart as rows, the least and the greatest of several runs beside them.
function tableOf(lines: Line[], unit: string): (string | number)[][] {
  const banded = lines.some((l) => l.low);
  const number = (v: number | undefined) => (v === undefined || !Number.isFinite(v) ? "" : v);
  return [["line", unit, "value", ...(banded ? ["low", "high"] : [])],
    ...lines.flatMap((l) => l.xs.map((x, k) => [l.name, x, number(l.ys[k]), ...(banded ? [number(l.low?.[k]), number(l.high?.[k])] : [])]))];
}

// drawnFile is a chart as the text of an SVG file: with what it is of, the names of its axes, and its lines' names.
function drawnFile({ escaped, file, part, Pen }: Pens, host: Element, lines: Line[], { width: wide, right, unit, zero, title, of }: { width: number; right: number; unit: string; zero: boolean | undefined; title: string; of: string }): string {
  const width = Math.max(wide, 480), height = 320, top = 40, left = 24, row = 20;
  const pen = new Pen();
  paint(pen, { width, height, right, mark: null, unit, zero }, lines, (name) => tint(host, name));
  const legend = lines.map((l, i) => {
    const swatch = new Pen();
    swatch.strokeStyle = swatch.fillStyle = tint(host, colourOf(i));
    swatch.lineWidth = 2;
    swatch.setLineDash(dashOf(i));
    const y = top + height + 18 + i * row;
    swatch.moveTo(edge.left, y);
    swatch.lineTo(edge.left + 40, y);
    swatch.stroke();
    swatch.beginPath();
    sign(swatch, i, edge.left + 20, y);
    swatch.fill();
    swatch.fillStyle = tint(host, "--ink");
    swatch.textBaseline = "middle";
    swatch.fillText(l.name, edge.left + 50, y);
    return swatch.parts.join("");
  });
  const [full, high, ink] = [width + left, top + height + 18 + lines.length * row, tint(host, "--ink")];
  const middle = top + (height - edge.bottom + edge.top) / 2;
  return file(full, high, [
    part("rect", { width: full, height: high, fill: tint(host, "--surface") }),
    part("text", { x: left + edge.left, y: 24, "font-size": 16, "font-weight": 600, fill: ink }, escaped(of ? `${title}: ${of}` : title)),
    part("text", { x: 16, y: middle, transform: `rotate(-90,16,${middle})`, "text-anchor": "middle", fill: ink }, escaped(title)),
    part("g", { transform: `translate(${left} ${top})` }, pen.parts.join("")), part("g", { transform: `translate(${left} 0)` }, legend.join("")),
  ].join(""));
}

interface Frame { width: number; height: number; right: number; mark: number | null; unit: string; zero?: boolean; range?: Range }

function paint(g: Drawing, frame: Frame, list: Line[], colour: (name: string) => string): void {
  const { height, right: last, mark, unit, zero, range } = frame;
  const box = { l: edge.left, r: frame.width - edge.right, t: edge.top, b: height - edge.bottom };
  const columns = Math.max(1, Math.round(box.r - box.l));
  let lo = Infinity, hi = -Infinity;
  const kept = list.map((l) => ({ line: decimate(l.xs, l.ys, 0, last, columns), low: l.low && decimate(l.xs, l.low, 0, last, columns), high: l.high && decimate(l.xs, l.high, 0, last, columns) }));
  list.forEach((l, i) => {
    for (const [ys, ids] of [[l.ys, kept[i]!.line], [l.low, kept[i]!.low], [l.high, kept[i]!.high]] as [number[] | undefined, number[] | undefined][]) {
      for (const k of ids ?? []) {
        lo = Math.min(lo, ys![k]!);
        hi = Math.max(hi, ys![k]!);
      }
    }
  });
  if (zero) lo = Math.min(0, lo);
  if (range) [lo, hi] = [range.low, range.high];
  if (lo > hi) [lo, hi] = [0, 1];
  if (lo === hi) [lo, hi] = [lo - Math.abs(lo || 1) / 10, hi + Math.abs(hi || 1) / 10];
  const room = (hi - lo) * 0.05;
  [lo, hi] = [lo - room, hi + room];
  const X = (x: number) => box.l + (x / last) * (box.r - box.l);
  const Y = (y: number) => box.b - ((y - lo) / (hi - lo)) * (box.b - box.t);
  g.clearRect(0, 0, frame.width, height);
  g.font = "12px system-ui, sans-serif";
  g.fillStyle = colour("--muted");
  g.strokeStyle = colour("--line");
  g.lineWidth = 1;
  g.beginPath();
  g.textAlign = "right";
  g.textBaseline = "middle";
  for (const y of range ? [range.low, (range.low + range.high) / 2, range.high] : ticks(lo, hi, 5)) {
    g.moveTo(box.l, Math.round(Y(y)) + 0.5);
    g.lineTo(box.r, Math.round(Y(y)) + 0.5);
    g.fillText(y === range?.low ? range.bottom : y === range?.high ? range.top : figures(y), box.l - 6, Y(y), box.l - 8);
  }
  g.stroke();
  g.textBaseline = "top";
  for (const x of ticks(0, last, Math.max(2, Math.round(frame.width / 130))).filter(Number.isInteger)) {
    g.textAlign = X(x) > box.r - 30 ? "right" : "center";
    g.fillText(count(x), Math.min(X(x), box.r), box.b + 6);
  }
  g.textAlign = "right";
  g.fillText(unit, box.r, box.b + 20);
  g.save();
  g.beginPath();
  g.rect(box.l - 6, 0, box.r - box.l + 12, height); // with the signs of the first point and the last
  g.clip();
  list.forEach((l, i) => {
    const ids = kept[i]!;
    g.strokeStyle = g.fillStyle = colour(colourOf(i));
    if (ids.low && ids.high) {
      g.globalAlpha = 0.16;
      g.beginPath();
      ids.high.forEach((k, n) => (n ? g.lineTo(X(l.xs[k]!), Y(l.high![k]!)) : g.moveTo(X(l.xs[k]!), Y(l.high![k]!))));
      for (const k of [...ids.low].reverse()) g.lineTo(X(l.xs[k]!), Y(l.low![k]!));
      g.fill();
      g.globalAlpha = 1;
    }
    g.lineWidth = 2;
    g.lineJoin = "round";
    g.setLineDash(dashOf(i));
    g.beginPath();
    ids.line.forEach((k, n) => {
      if (n && range) g.lineTo(X(l.xs[k]!), Y(l.ys[ids.line[n - 1]!]!));
      if (n) g.lineTo(X(l.xs[k]!), Y(l.ys[k]!));
      else g.moveTo(X(l.xs[k]!), Y(l.ys[k]!));
    });
    g.stroke();
    g.setLineDash([]);
    // Every point has its sign where they have room; lines have their dashes too, which tell them apart without colour.
    g.beginPath();
    if (range || l.xs.length * 9 <= box.r - box.l) ids.line.filter((k) => Number.isFinite(l.ys[k])).forEach((k) => sign(g, i, X(l.xs[k]!), Y(l.ys[k]!)));
    g.fill();
    g.fillStyle = colour("--bg");
    for (const k of ids.line.filter((k) => l.guessed?.[k])) {
      g.beginPath();
      g.arc(X(l.xs[k]!), Y(l.ys[k]!), 2.8, 0, 7);
      g.fill();
    }
  });
  g.restore();
  if (mark !== null) {
    g.strokeStyle = colour("--muted");
    g.setLineDash([4, 4]);
    g.beginPath();
    g.moveTo(X(mark), box.t);
    g.lineTo(X(mark), box.b);
    g.stroke();
    g.setLineDash([]);
  }
}

// tint resolves a colour of the style sheet for a canvas.
function tint(host: Element, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.parentElement!.append(probe);
  const c = getComputedStyle(probe).color;
  probe.remove();
  return c;
}

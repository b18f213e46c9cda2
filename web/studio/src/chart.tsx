// The graph of value over a game.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot.css";

export interface Point { x: number; y: number }

interface Props { points: Point[]; plies: number; at: number; low: number; high: number; label: string; top: string; bottom: string; onChoose: (x: number) => void }

const height = 180;

// colour resolves a colour of the style sheet for a canvas.
function colour(host: Element, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const c = getComputedStyle(probe).color;
  probe.remove();
  return c;
}

export function Chart({ points, plies, at, low, high, label, top, bottom, onChoose }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ onChoose, at, points });
  latest.current = { onChoose, at, points };
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const div = host.current!;
    let made = "";
    const make = () => {
      const ink = colour(div, "--muted"), line = colour(div, "--accent"), grid = colour(div, "--line");
      const key = [ink, line, grid].join();
      if (key === made) return;
      made = key;
      plot.current?.destroy();
      const pad = (high - low) * 0.08 || 1;
      const u = new uPlot({
        width: div.clientWidth, height,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { time: false, range: [0, Math.max(1, plies)] }, y: { range: [low - pad, high + pad] } },
        axes: [
          { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false }, size: 28, incrs: [1, 2, 5, 10, 20, 50, 100] },
          { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { show: false }, size: 64, splits: [low, (low + high) / 2, high],
            values: (_, v) => v.map((y) => (y === low ? bottom : y === high ? top : String(Math.round(y * 100) / 100 + 0))) },
        ],
        series: [{}, { stroke: line, width: 2, paths: uPlot.paths.stepped!({ align: 1 }), points: { show: true, size: 7, fill: line } }],
        hooks: {
          drawAxes: [(u) => {
            const x = u.valToPos(latest.current.at, "x", true);
            u.ctx.save();
            u.ctx.strokeStyle = ink;
            u.ctx.setLineDash([4, 4]);
            u.ctx.beginPath();
            u.ctx.moveTo(x, u.bbox.top);
            u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
            u.ctx.stroke();
            u.ctx.restore();
          }],
        },
      }, data(latest.current.points), div);
      u.over.addEventListener("click", () => {
        const x = u.cursor.idx;
        if (x !== null && x !== undefined) latest.current.onChoose(u.data[0]![x]!);
      });
      plot.current = u;
    };
    make();
    const size = new ResizeObserver(() => plot.current?.setSize({ width: div.clientWidth, height }));
    size.observe(div);
    const theme = new MutationObserver(make);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const system = matchMedia("(prefers-color-scheme: dark)");
    system.addEventListener("change", make);
    return () => {
      size.disconnect();
      theme.disconnect();
      system.removeEventListener("change", make);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [plies, low, high, top, bottom]);
  useEffect(() => plot.current?.setData(data(points)), [points]);
  useEffect(() => plot.current?.redraw(), [at]);
  return <div class="chart" ref={host} role="img" aria-label={label} />;
}

const data = (points: Point[]): uPlot.AlignedData => [points.map((p) => p.x), points.map((p) => p.y)];

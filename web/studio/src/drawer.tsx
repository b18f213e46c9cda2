// MENACE's boxes: one as a drawer with coloured beads, and all of them at a glance.
import type { Info } from "./api";
import { Sign } from "./pieces";
import { say } from "./text";
import type { Box, Looked } from "./train";
import { marks, squareOf } from "./words";

// mostBeads is how many beads of a colour are drawn one by one.
const mostBeads = 19;

// spot is where the i-th bead of a heap lies, in a square of 40.
const spot = (i: number): [number, number] => [20 + 3.7 * Math.sqrt(i) * Math.cos(2.4 * i), 18 + 3.7 * Math.sqrt(i) * Math.sin(2.4 * i)];

interface HeapProps { colour: number; beads: number; change: number; drawn: boolean }

// Heap is the beads of one colour: those that have come are ringed, and those that
// were taken away leave a trace.
function Heap({ colour, beads, change, drawn }: HeapProps) {
  const shown = Math.min(mostBeads, Math.max(beads, beads - change));
  return (
    <svg class="heap" viewBox="0 0 40 40" aria-hidden="true">
      {Array.from({ length: shown }, (_, i) => {
        const [x, y] = spot(i);
        const kind = i >= beads ? "gone" : change > 0 && i >= Math.min(mostBeads, beads) - change ? "come" : "";
        return <circle key={i} class={`bead k${colour % 9} ${kind}`} cx={x} cy={y} r="3.4" />;
      })}
      {drawn && <circle class={`bead pulled k${colour % 9}`} cx="34" cy="6" r="5" />}
      <text x="3.5" y="36" class={`${beads}${Math.abs(change) || ""}`.length > 3 ? "many" : ""}>{beads}{change !== 0 && <tspan class={change > 0 ? "plus" : "minus"}>{change > 0 ? ` +${change}` : ` −${-change}`}</tspan>}</text>
    </svg>
  );
}

interface DrawerProps { info: Info; position: string; before: Looked[]; after?: Looked[]; drawn: string; shaking?: boolean; small?: boolean; label: string }

// Drawer is the box of a position, opened: on each free square the beads of the move
// there, and the bead that was drawn. With after, beads come and go.
export function Drawer({ info, position, before, after, drawn, shaking, small, label }: DrawerProps) {
  const squares = info.squares ?? [];
  const signs = marks(position);
  const of = (list: Looked[], name: string) => list.find((m) => m.beads !== undefined && squareOf(m.move) === name)?.beads;
  const now = after ?? before;
  const total = now.reduce((sum, m) => sum + (m.beads ?? 0), 0);
  const said = now.flatMap((m) => (m.beads === undefined ? [] : [`${m.move} ${m.beads}`])).join(", ");
  return (
    <div style={{ "--wide": `${Math.max(1, ...squares.map((s) => s.col + 1))}`, "--high": `${Math.max(1, ...squares.map((s) => s.row + 1))}` }} class={`drawer ${small ? "small" : ""} ${shaking ? "shaking" : ""} ${total === 0 ? "empty" : ""}`} role="img" aria-label={say("drawer of", { label, said: said || say("no beads"), drawn, empty: total === 0 })}>
      {squares.map((s, i) => {
        const beads = of(now, s.name);
        const was = of(before, s.name) ?? 0;
        return (
          <span key={s.name} class={drawn && squareOf(drawn) === s.name ? "drawn" : ""} style={{ gridColumn: `${s.col + 1}`, gridRow: `${s.row + 1}` }}>
            {beads === undefined ? <Sign mark={signs[i] ?? "."} /> : <Heap colour={i} beads={beads} change={after ? beads - was : 0} drawn={squareOf(drawn) === s.name && !shaking} />}
          </span>
        );
      })}
    </div>
  );
}

// Wall is all boxes of a side, the ones of this game lit.
export function Wall({ info, boxes, lit }: { info: Info; boxes: [Box, number][]; lit: Set<number> }) {
  const squares = info.squares ?? [];
  const wide = Math.max(1, ...squares.map((s) => s.col + 1)), high = Math.max(1, ...squares.map((s) => s.row + 1));
  const empty = boxes.filter(([b]) => b.beads.every((c) => c.beads === 0)).length;
  return (
    <>
      <p class="muted">{say("n boxes size lit", { n: boxes.length, size: lit.size, empty })}</p>
      <div class="wallglance" role="img" aria-label={say("all n boxes", { n: boxes.length, size: lit.size, empty })}>
        {boxes.map(([b, i]) => {
          const beads = new Map(b.beads.map((c) => [squareOf(c.move), c.beads]));
          const total = b.beads.reduce((sum, c) => sum + c.beads, 0);
          const signs = marks(b.position);
          return (
            <svg key={i} class={`tiny ${lit.has(i) ? "lit" : ""} ${total === 0 ? "empty" : ""}`} viewBox={`-1 -1 ${wide * 10 + 2} ${high * 10 + 2}`}>
              <title>{`${b.position}: ${b.beads.map((c) => `${c.move} ${c.beads}`).join(", ")}`}</title>
              <rect class="case" x="-0.5" y="-0.5" width={wide * 10 + 1} height={high * 10 + 1} rx="2" />
              {squares.map((s, k) => {
                const n = beads.get(s.name);
                const x = s.col * 10, y = s.row * 10;
                if (n) return <circle key={k} class={`bead k${k % 9}`} cx={x + 5} cy={y + 5} r={1 + 3.6 * Math.sqrt(n / total)} />;
                if (signs[k] === "x") return <path key={k} class="x" d={`M${x + 2.5} ${y + 2.5}l5 5m0-5l-5 5`} />;
                return signs[k] === "o" ? <circle key={k} class="o" cx={x + 5} cy={y + 5} r="2.8" /> : null;
              })}
            </svg>
          );
        })}
      </div>
    </>
  );
}

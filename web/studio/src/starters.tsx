// Things to begin with at one press, as pictures.
import type { ComponentChildren } from "preact";

interface StarterProps { picture: ComponentChildren; title: string; text: string; href?: string; onStart?: () => void }

// Starter leads to a page, or starts something there.
export function Starter({ picture, title, text, href, onStart }: StarterProps) {
  const inside = <>{picture}<span class="grow"><b>{title}</b><span class="muted">{text}</span></span></>;
  return <li>{href ? <a class="starter" href={href}>{inside}</a> : <button type="button" class="starter" onClick={onStart}>{inside}</button>}</li>;
}

const beads = [2, 3, 2, 3, 4, 3, 2, 3, 2]; // on the squares of a box

// Emblem is a small drawing of how a learner thinks, or of who meets whom.
export function Emblem({ of }: { of: "boxes" | "table" | "weights" | "drawer" | "constants" }) {
  return <svg class="emblem" viewBox="0 0 72 72" aria-hidden="true"><rect class="ground" width="72" height="72" rx="10" />{drawn[of]}</svg>;
}

const heap = (square: number, n: number) => {
  const x = 18 + (square % 3) * 18, y = 18 + Math.floor(square / 3) * 18;
  return Array.from({ length: n }, (_, i) => <circle key={`${square} ${i}`} class={`bead k${square}`} cx={x + (i % 2) * 6 - 3} cy={y + Math.floor(i / 2) * 6 - 3} r="2.6" />);
};

const bar = (i: number, length: number, bad = false) => <rect key={i} class={bad ? "minus" : "plus"} x={bad ? 36 - length : 36} y={12 + i * 9} width={length} height="5" rx="2" />;

const drawn = {
  boxes: beads.flatMap((n, square) => heap(square, n)),
  table: Array.from({ length: 25 }, (_, i) => <rect key={i} class="plus" opacity={0.15 + 0.17 * ((i * 7) % 6)} x={10 + (i % 5) * 11} y={10 + Math.floor(i / 5) * 11} width="9" height="9" rx="2" />),
  weights: [<path key="axis" class="axis" d="M36 8V64" />, bar(0, 24), bar(1, 12, true), bar(2, 18), bar(3, 6), bar(4, 20, true), bar(5, 10)],
  drawer: [<path key="hand" class="axis" d="M10 22H62V58H10zM28 22V14H44V22" />, ...heap(4, 4), ...heap(6, 3), ...heap(8, 2)],
  constants: [14, 22, 30, 38, 46, 54].map((y, i) => <path key={y} class={`line s${i % 3}`} d={`M10 36C22 36 26 ${y} 62 ${y}`} />),
};


// What boards are made of beside their squares: marks, rims, crossings and shapes.
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Info, Square } from "./api";
import { type At, cellsOf, stars } from "./ink";
import type { Style } from "./space";
import { memo } from "./memo";
import { say } from "./text";
import { useMore } from "./use";
import { lookOf, side } from "./words";

export function Sign({ mark }: { mark: string }) {
  if (mark !== "x" && mark !== "o") return null;
  return (
    <svg class={"sign " + mark} viewBox="0 0 20 20" aria-hidden="true">
      {mark === "x" ? <><path pathLength="1" d="M4.5 4.5 15.5 15.5" /><path class="second" pathLength="1" d="M15.5 4.5 4.5 15.5" /></> : <circle pathLength="1" cx="10" cy="10" r="6" />}
    </svg>
  );
}

// Piece is a mark as it lies on a game's board.
export const Piece = memo(({ info, mark }: { info: Info; mark: string }) => {
  const look = lookOf(info);
  if (look === "" || (mark !== "x" && mark !== "o")) return <Sign mark={mark} />;
  return <span class={`${look} is-${mark}`}><Sign mark={mark} /></span>;
});

// Crossings are the lines of a board for stones, and its star points.
export function Crossings({ cols, rows, style }: { cols: number; rows: number; style: Style }) {
  let d = "";
  for (let c = 0; c < cols; c++) d += `M${c + 0.5} .5V${rows - 0.5}`;
  for (let r = 0; r < rows; r++) d += `M.5 ${r + 0.5}H${cols - 0.5}`;
  return (
    <svg class="ink" viewBox={`0 0 ${cols} ${rows}`} aria-hidden="true" style={style}>
      <path class="wires" d={d} />
      {stars(cols).flatMap((c) => stars(rows).map((r) => <circle cx={c + 0.5} cy={r + 0.5} r="0.11" key={`${c} ${r}`} />))}
    </svg>
  );
}

// Shape shows the shape whose copies win.
export function Shape({ shape }: { shape: string }) {
  const cells = cellsOf(shape);
  const size = [0, 1].map((k) => Math.max(...cells.map((c) => c[k]!)) + 1) as At;
  return (
    <figure class="shape">
      <svg viewBox={`0 0 ${size[0]} ${size[1]}`} width={size[0] * 26} height={size[1] * 26} aria-hidden="true">
        {cells.map(([x, y]) => <rect x={x + 0.05} y={y + 0.05} width="0.9" height="0.9" rx="0.12" key={`${x} ${y}`} />)}
      </svg>
      <figcaption>{say("the shape turned or mirrored")}</figcaption>
    </figure>
  );
}

// rimOf names the columns and rows of a grid whose squares are named by both.
export function rimOf(squares: Square[], cols: number, rows: number): { cols: string[]; rows: string[] } | null {
  const rim = { cols: Array<string>(cols).fill(""), rows: Array<string>(rows).fill("") };
  for (const s of squares) {
    const [, letter, digits] = /^([a-z]+)(\d+)$/.exec(s.name) ?? [];
    if (!letter || !digits || (rim.cols[s.col] ||= letter) !== letter || (rim.rows[s.row] ||= digits) !== digits) return null;
  }
  return rim;
}

// Wide holds a board that may be wider than the screen: it fades where it goes
// on, and the last move is brought into view.
export function Wide({ last, children }: { last: number | undefined; children: ComponentChildren }) {
  const { box, more, look } = useMore();
  useLayoutEffect(() => {
    const e = box.current!;
    const cell = last === undefined ? null : e.querySelector<HTMLElement>(`[data-square="${last}"]`);
    if (cell && (cell.offsetLeft < e.scrollLeft + 30 || cell.offsetLeft + cell.offsetWidth > e.scrollLeft + e.clientWidth - 30)) e.scrollLeft = cell.offsetLeft - e.clientWidth / 2;
    look();
  }, [last]);
  return (
    <>
      <div class={`scroll ${more}`} ref={box} onScroll={look}>{children}</div>
      {more && <p class="muted">{say("the board is wider")}</p>}
    </>
  );
}

// Turn shows a side as the mark that it places, where each has its own.
export const Turn = ({ info, turn }: { info: Info; turn: string }) => (
  info.squares?.length && (info.turns?.place ?? "own") === "own" && (turn === "first" || turn === "second") ? <span class="turnmark" aria-hidden="true"><Piece info={info} mark={turn === "first" ? "x" : "o"} /></span> : null
);

// Side names a side by its mark, where it has its own: its name is told then, and not shown.
export const Side = ({ info, seat }: { info: Info; seat: string }) => {
  const mark = Turn({ info, turn: seat });
  return <>{mark}<b class={mark ? "unseen" : ""}>{side(info, seat)}</b></>;
};

// shortName is how many letters a name has at most that is written large, and nameEnd how many at the end of a longer one
// stay in sight.
const shortName = 14, nameEnd = 9;

// Name is what somebody is called. Where there is no room for a long name its middle gives way, as many differ at the end.
export function Name({ text }: { text: string }) {
  const letters = [...text];
  if (letters.length <= shortName) return <span class="ellipsis" title={text}>{text}</span>;
  return (
    <span class="long" title={text}>
      <span class="unseen">{text}</span>
      <span class="ellipsis" aria-hidden="true">{letters.slice(0, -nameEnd).join("")}</span><span aria-hidden="true">{letters.slice(-nameEnd).join("")}</span>
    </span>
  );
}

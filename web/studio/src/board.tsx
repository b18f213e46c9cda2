// The board of every game that has squares: buttons on a grid, on points or in space,
// drawn as the game's kind says.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { game, type Info, type Position, type Square } from "./api";
import { untilOver } from "./effect";
import { type Coming, landing as landingOf, openBoards } from "./game";
import { around, type At, ghosts, sweep, through } from "./ink";
import { bigRow, boardOwners, fateOf, full, nine } from "./nine";
import { Announce, Segmented } from "./parts";
import { Crossings, Piece, rimOf, Shape, Sign, Wide } from "./pieces";
import { Layers, Space, type Style } from "./space";
import { say, show } from "./text";
import { useLatest, usePrinted, useStored } from "./use";
import { boardNames, completedToLose, lookOf, markName, marks, side } from "./words";

export interface Note { text: string; say: string; shade: string; near?: number; best?: boolean }

export interface BoardProps {
  info: Info;
  marks: string[];
  legal: Set<number>;
  last?: number[];
  won?: number[][]; // completed sets, as squares
  lost?: boolean; // by whoever completed them, or by whom the page is for
  zone?: Set<number>; // squares set apart
  zoneSays?: string; // why, "hint" if not said
  sent?: Coming; // a mark that waits for the server, which is shown faintly
  open?: Set<number>; // the boards 0…8 of a meta game in which the next move may be; undefined in other games
  notes?: Map<number, Note>;
  owners?: string[]; // of the nine boards of a meta game
  busy?: boolean;
  label: string;
  flat?: boolean; // levels lie side by side
  still?: boolean; // a picture of a board, which is not played on
  onPlay?: (square: number) => void;
}

// levelsOf groups the squares by level, in order.
export function levelsOf(squares: Square[]): number[][] {
  const levels: number[][] = [];
  squares.forEach((s, i) => (levels[s.level] ??= []).push(i));
  return levels.filter((l) => l);
}

// useSets are the winning sets of a game, where they are wanted.
function useSets(spec: string, wanted: boolean): number[][] {
  const asked = useLatest(wanted ? spec : "", async () => (wanted ? ((await game(spec)).lines ?? []) : []));
  return wanted ? (asked.data ?? []) : [];
}

// Boards with more sets than that show only those through a square.
const mostDrawn = 60;

// fine is the size in pixels below which a finger aims first.
const fine = 24;

// fingers reports whether a click came from a finger and is too fine for one: on a small square, or in space on one whose
// middle is near that of one of the others.
function fingers(e: MouseEvent, others: (square: number) => boolean): boolean {
  const pressed = e.currentTarget as Element, r = pressed.getBoundingClientRect();
  const close = (o: DOMRect) => Math.hypot(o.x + o.width / 2 - r.x - r.width / 2, o.y + o.height / 2 - r.y - r.height / 2) < fine;
  const cells = () => [...(pressed.closest(".scene")?.querySelectorAll<HTMLElement>(".cell") ?? [])];
  return e.detail > 0 && matchMedia("(pointer: coarse)").matches &&
    (Math.min(r.width, r.height) < fine || cells().some((c) => others(Number(c.dataset.square)) && close(c.getBoundingClientRect())));
}

// keyColumns is how many columns of a board have a key, 0 where marks do not fall into columns.
export const keyColumns = (info: Info): number => {
  const squares = info.squares ?? [];
  return info.falls && levelsOf(squares).length === 1 ? Math.min(9, Math.max(...squares.map((s) => s.col)) + 1) : 0;
};

export function Board(props: BoardProps) {
  const { info, marks, open, still = false } = props;
  const squares = info.squares ?? [];
  const [focus, setFocus] = useState(0);
  const [near, setNear] = useState(-1); // the square that is pointed at
  const [aim, setAim] = useState(-1);
  const root = useRef<HTMLDivElement>(null);
  const levels = levelsOf(squares);
  const cols = Math.max(...squares.map((s) => s.col)) + 1;
  const rows = Math.max(...squares.map((s) => s.row)) + 1;
  const meta = open !== undefined;
  const printed = usePrinted();
  const [view, setView] = useStored("view", "space");
  const deep = levels.length > 1 && (still || (!props.flat && view === "space" && !printed)); // on paper there is nothing to turn, and room to write
  const placed = deep || info.drawn === "points";
  const look = lookOf(info);
  const named = !still && !deep && squares.length <= 100 && look !== "stone" && look !== "disc"; // others have no room
  const rim = useMemo(() => (!still && levels.length === 1 && !placed && (!named || meta) ? rimOf(squares, cols, rows) : null), [info, named]);
  const apart = rim || meta || info.wraps ? 1 : 0; // columns before the first square
  useEffect(() => setFocus((f) => (f < squares.length ? f : 0)), [squares.length]);
  useEffect(() => setAim(-1), [info, marks.join("")]);
  const sets = useSets(info.spec, info.drawn === "points");
  const won = !meta ? (props.won ?? []) : info.turns?.nine && info.turns.done.some(Boolean) ? bigRow(props.owners) : []; // in Weger's game no row of boards wins
  const owned = new Set(props.won?.flat());

  const landing = (i: number): number => landingOf(info, props.legal, i);
  // What is aimed at is the empty square where the mark comes to lie: a ring around a mark would look like one. Where marks
  // fall the rods are told apart, at the height that is pressed.
  const play = (i: number, e: MouseEvent) => {
    const to = landing(i);
    if (aim !== to && props.legal.has(to) && marks[to] === "." && fingers(e, (o) => landing(o) !== to && (!info.falls || squares[o]!.level === squares[i]!.level))) return setAim(to);
    setAim(-1);
    props.onPlay?.(to);
  };

  const move = (to: number) => {
    setFocus(to);
    root.current?.querySelector<HTMLElement>(`[data-square="${to}"]`)?.focus();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !(e.target as Element).closest(".cell")) return;
    const to = step(squares, focus, e.key);
    if (to === null) return;
    move(to);
    e.preventDefault();
  };
  // A column's number drops into it wherever the focus is, but where text or a choice is typed. The listener is that of
  // the board in sight from the moment it is drawn.
  useLayoutEffect(untilOver((signal) => props.onPlay && keyColumns(info) > 0 && addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || Number(e.key) > keyColumns(info) || (e.target as Element).closest("input, select, textarea, dialog")) return;
    const column = [...props.legal.keys()].find((i) => squares[i]!.col === Number(e.key) - 1);
    if (column === undefined) return;
    move(column);
    props.onPlay!(column);
  }, { signal })));

  // The boards of a meta game stand apart by a line of their own.
  const line = (n: number): number => n + 1 + (meta ? Math.floor(n / 3) : 0);
  const lands = near >= 0 && info.falls && !props.busy ? landing(near) : -1;

  const cell = (i: number, style: Style) => {
    const s = squares[i]!;
    const mark = marks[i] ?? ".";
    const note = props.notes?.get(i);
    const legal = props.legal.has(i);
    const falls = !legal && mark === "." && props.legal.has(landing(i)); // a press marks the square that is free below
    const last = props.last?.includes(i);
    const won = owned.has(i);
    const inZone = props.zone?.has(i);
    const sent = mark === "." && props.sent?.square === i;
    const classes = ["cell", legal && "legal", last && "last", won && "won", inZone && "zone", sent && "sent", note && "shade-" + note.shade, note?.best && "best", i === aim && "aimed", i === lands && props.legal.has(i) && "lands"].filter(Boolean).join(" ");
    const face = (
      <>
        {look === "disc" && <span class="hole" />}
        <Piece info={info} mark={sent ? props.sent!.mark : mark} />
        {look === "disc" && <span class="plate" />}
        {note && mark === "." && <span class="note">{note.text}</span>}
      </>
    );
    const inward = { ...style, "--row": `${s.row + 1}`, ...(note?.near !== undefined ? { "--near": `${note.near}` } : {}) };
    if (still) return <span key={i} class={classes} style={inward}>{face}</span>;
    const says = [
      s.name,
      markName(info, mark),
      meta ? boardSays(info, nine(s), fateOf(nine(s), props.owners ?? [], marks, squares)) : "",
      last ? say("last move") : "",
      won ? say("part of the winning set") : "",
      inZone ? (props.zoneSays ?? say("hint")) : "",
      note?.say ?? "",
      falls ? say("falls to", { square: squares[landing(i)]!.name }) : !legal && mark === "." ? say("not playable") : "",
    ];
    return (
      <button
        key={i}
        type="button"
        class={classes}
        style={inward}
        data-square={i}
        data-name={named ? s.name : undefined}
        tabIndex={i === focus ? 0 : -1}
        aria-label={says.filter(Boolean).join(", ")}
        aria-disabled={!(legal || falls) || props.busy}
        onFocus={(e) => { setFocus(i); setNear(e.currentTarget.matches(":focus-visible") ? i : -1); }}
        onBlur={() => setNear(-1)}
        onMouseEnter={() => setNear(i)}
        onMouseLeave={() => setNear(-1)}
        onClick={(e) => play(i, e)}
      >
        {face}
      </button>
    );
  };

  const spot = (b: number) => ({ gridColumn: `${(b % 3) * 4 + 1 + apart} / span 3`, gridRow: `${Math.floor(b / 3) * 4 + 1} / span 3` });
  const whole = meta ? { gridColumn: `${1 + apart} / span 11`, gridRow: "1 / span 11" } : { gridColumn: `${1 + apart} / span ${cols}`, gridRow: `${1 + (info.wraps ? 1 : 0)} / span ${rows}` };

  const grid = (level: number[]) => {
    const centre = (i: number): At => (meta ? [(i % 3) + 0.5, Math.floor(i / 3) + 0.5] : [squares[i]!.col + 0.5, squares[i]!.row + 0.5]);
    const struck = won.filter((set) => meta || set.every((i) => level.includes(i))).map((set) => set.map(centre));
    const kind = ["grid", meta && "meta", rim && !meta && "rimmed", look && look + "s", info.wraps && "wraps", levels.length === 1 && !meta && squares.length <= 16 && "large"];
    return (
      <div class={kind.filter(Boolean).join(" ")} style={{ "--cols": `${cols}`, "--rows": `${rows}` }}>
        {meta && boardNames.map((name, b) => <div key={name} class={open.has(b) ? "nine active" : "nine"} style={spot(b)} />)}
        {look === "stone" && <Crossings cols={cols} rows={rows} style={whole} />}
        {info.wraps && ghosts(cols, rows).map(([c, r]) => (
          <span class="ghost" aria-hidden="true" key={`${c} ${r}`} style={{ gridColumn: `${c + 2}`, gridRow: `${r + 2}` }}>
            <Sign mark={marks[squares.findIndex((s) => s.col === (c + cols) % cols && s.row === (r + rows) % rows)] ?? "."} />
          </span>
        ))}
        {rim?.rows.map((name, r) => <span class="rim rows" aria-hidden="true" key={"row" + name} style={{ gridColumn: "1", gridRow: `${line(r)}` }}>{name}</span>)}
        {level.map((i) => cell(i, { gridColumn: `${line(squares[i]!.col) + apart}`, gridRow: `${line(squares[i]!.row) + (info.wraps ? 1 : 0)}` }))}
        {rim?.cols.map((name, c) => <span class="rim cols" aria-hidden="true" key={"col" + name} style={{ gridColumn: `${line(c) + 1}`, gridRow: `${line(rows - 1) + 1}` }}>{name}</span>)}
        {meta && props.owners?.map((o, b) => o !== "." && <div key={"own" + b} class={`owner is-${o}`} style={spot(b)}><Sign mark={o} /></div>)}
        {struck.length > 0 && (
          <svg class="ink over" viewBox={meta ? "0 0 3 3" : `0 0 ${cols} ${rows}`} preserveAspectRatio="none" aria-hidden="true" style={whole}>
            {struck.map((set, k) => <path class="sweep" pathLength="1" d={info.wraps ? around(set, cols, rows) : sweep(set)} key={k} />)}
          </svg>
        )}
      </div>
    );
  };

  const points = () => {
    const at: At[] = info.places ?? squares.map((s) => [s.col, s.row]);
    const gap = Math.min(...at.flatMap((p, i) => at.slice(i + 1).map((q) => Math.hypot(p[0] - q[0], p[1] - q[1]))), 1e9);
    const unit = gap > 1e8 ? 1 : gap;
    const dot = 0.62 * unit;
    const least = [0, 1].map((k) => Math.min(...at.map((p) => p[k]!)) - 0.55 * unit) as At;
    const size = [0, 1].map((k) => Math.max(...at.map((p) => p[k]!)) + 0.55 * unit - least[k]!) as At;
    const curve = (set: number[]) => through(set.map((i) => at[i]!), at.filter((_, i) => !set.includes(i)));
    const percent = (n: number, k: 0 | 1) => `${((100 * n) / size[k]).toFixed(3)}%`;
    const box = `${least[0]} ${least[1]} ${size[0]} ${size[1]}`;
    return (
      <div class="points" style={{ "--wide": `${size[0]}`, "--high": `${size[1]}`, "--dots": `${size[0] / unit}` }}>
        <svg class="ink" viewBox={box} aria-hidden="true">
          {sets.length <= mostDrawn && sets.map((set, k) => <path d={curve(set)} key={k} />)}
          {near >= 0 && sets.map((set, k) => set.includes(near) && <path class="lit" d={curve(set)} key={k} />)}
          {won.map((set, k) => <path class="sweep" pathLength="1" d={curve(set)} key={k} />)}
        </svg>
        {squares.map((_, i) => cell(i, { left: percent(at[i]![0] - least[0] - dot / 2, 0), top: percent(at[i]![1] - least[1] - dot / 2, 1), width: percent(dot, 0) }))}
      </div>
    );
  };

  const drawn = () => {
    const views = <Segmented label={say("view")} value={view} options={[["space", say("in space")], ["flat", say("flat layers")]]} onChange={setView} />;
    if (deep) return <Space squares={squares} falls={info.falls ?? false} cell={cell} won={won} still={still} views={views} />;
    if (levels.length > 1) return <><Layers layers={levels.map(grid)} />{!props.flat && <div class="turners">{views}</div>}</>;
    const flat = info.drawn === "points" ? points() : grid(levels[0]!);
    return still ? flat : <Wide last={props.last?.[0]}>{flat}</Wide>;
  };
  if (still) return <div class="board still" aria-hidden="true">{drawn()}</div>;
  return (
    <div class={`board${props.busy ? " busy" : ""}${props.lost ? " loses" : ""}`} ref={root} role="group" aria-label={props.label} onKeyDown={onKeyDown}>
      {drawn()}
      {info.shape && <Shape shape={info.shape} />}
      {aim >= 0 && (
        <div class="aimbar">
          <button type="button" class="primary" onClick={() => { setAim(-1); props.onPlay?.(landing(aim)); }}>{show("play name", { name: squares[landing(aim)]?.name })}</button>
          <button type="button" onClick={() => setAim(-1)}>{say("not there")}</button>
        </div>
      )}
    </div>
  );
}

// lost says that whom the page is for has.
interface PositionProps extends Omit<BoardProps, "info" | "marks" | "last" | "legal" | "won" | "open" | "owners"> { p: Position; last: number; legal: Map<number, string[]> }

// Score is how many boards each side has won, where whoever has more of them wins.
function Score({ p, owners }: { p: Position; owners: string[] }) {
  const [x, o] = ["x", "o"].map((mark) => owners.filter((w) => w === mark).length);
  const [first, second] = [side(p.info, "first"), side(p.info, "second")];
  return <p class="scoreline" aria-label={say("boards", { first, x: x!, second, o: o! })}><span class="mark-x"><b>{x}</b> {first}</span><span class="mark-o"><b>{o}</b> {second}</span><span class="muted">{say("boards won of nine")}</span></p>;
}

// boardSays names one of nine boards, and says what has become of it.
const boardSays = (info: Info, b: number, fate: string): string =>
  say("board n board", { n: b + 1, board: boardNames[b]!, won: fate && fate !== full && markName(info, fate), full: fate === full });

// newsOf says which of nine boards the last move has won or filled.
function newsOf(p: Position, owners: string[], signs: string[]): string {
  const before = p.trail.at(-2), squares = p.info.squares ?? [];
  if (!before) return "";
  const had = marks(before), owned = boardOwners(before, squares, had);
  const fates = owners.map((_, b) => !fateOf(b, owned, had, squares) && fateOf(b, owners, signs, squares));
  return fates.map((fate, b) => fate && boardSays(p.info, b, fate)).filter(Boolean).join();
}

export function BoardOf({ p, last, legal, lost, still, ...rest }: PositionProps) {
  const signs = marks(p.state.position);
  const open = openBoards(p);
  const owners = open ? boardOwners(p.state.position, p.info.squares ?? [], signs) : undefined;
  return (
    <>
      {owners && !still && p.info.turns?.nine?.most && <Score p={p} owners={owners} />}
      <Board info={p.info} marks={signs} legal={new Set(legal.keys())} last={last >= 0 ? [last] : []} won={still ? [] : p.owned} lost={lost || completedToLose(p)} still={still} open={open} owners={owners} {...rest} />
      {owners && !still && <Announce text={newsOf(p, owners, signs)} />}
    </>
  );
}

const ways: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// step returns the square that a key leads to: the nearest in an arrow's
// direction, on the same level if there is one; PageUp and PageDown change
// levels.
export function step(squares: Square[], from: number, key: string): number | null {
  const at = squares[from];
  if (!at) return null;
  if (key === "Home") return 0;
  if (key === "End") return squares.length - 1;
  if (key === "PageUp" || key === "PageDown") {
    const level = at.level + (key === "PageUp" ? -1 : 1);
    const to = squares.findIndex((s) => s.level === level && s.col === at.col && s.row === at.row);
    return to < 0 ? from : to;
  }
  const way = ways[key];
  if (!way) return null;
  let best = from;
  let least = Infinity;
  squares.forEach((s, i) => {
    const along = (s.col - at.col) * way[0] + (s.row - at.row) * way[1];
    const across = Math.abs((s.col - at.col) * way[1]) + Math.abs((s.row - at.row) * way[0]);
    if (s.level !== at.level || along <= 0) return;
    const distance = along + 3 * across;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

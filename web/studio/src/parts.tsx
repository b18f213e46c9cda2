// Small parts that the pages share.
import { type ComponentChildren, render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Info, message, type Position } from "./api";
import { capital } from "./catalogue";
import { untilOver } from "./effect";
import { choosesMark, type Game, squareIndex, turnsOf } from "./game";
import { Icon } from "./icons";
import { onlyHere } from "./link";
import { type Job, jobDo, type JobVerb, over } from "./job";
import { say, show } from "./text";
import { notFound, useTitle } from "./title";
import { useMore } from "./use";
import { both, markName } from "./words";

// Announce speaks to screen readers and shows nothing.
export function Announce({ text }: { text: string }) {
  return <div class="unseen" role="status" aria-live="polite">{text}</div>;
}

// alerted has the failures in sight by their text: several of one text are told once.
const alerted = new Map<string, object>();

// sentence is a text of the server's, which begins small, as one.
const sentence = (text: string): string => capital(/[.!?…:]$/.test(text) ? text : text + ".");

// Failure says what is wrong and what to do; again is what to try again, and missing the page's title where what
// its address names is not there.
export function Failure({ text, missing = "", again, children }: { text: string; missing?: string; again?: () => void; children?: ComponentChildren }) {
  useTitle("missing", text && missing);
  const me = useRef({}).current;
  if (text && !alerted.has(text)) alerted.set(text, me);
  useLayoutEffect(() => () => { if (alerted.get(text) === me) alerted.delete(text); }, [text]);
  if (!text) return null;
  return (
    <div class="failure" role={alerted.get(text) === me ? "alert" : undefined}>
      <p>{sentence(text)}</p>
      {(again || children) && <div class="row">{again && <button type="button" onClick={again}>{say("try again")}</button>}{children}</div>}
    </div>
  );
}

// TakeBack takes back the move that waits for the server, where one does.
export const TakeBack = ({ waiting, onBack }: { waiting: string; onBack: () => void }) => (waiting ? <button type="button" onClick={onBack}>{say("take move back", { waiting })}</button> : null);

// NotYet is the page of a thing of some kind that has not come, or is not there; the children lead elsewhere.
export const NotYet = ({ kind, error, gone, children }: { kind: string; error: string; gone: boolean; children: ComponentChildren }) => (
  <div class="page">
    <h1>{kind}</h1>
    <Failure text={error} missing={notFound(gone, kind)}>{children}</Failure>
    {!error && <div class="waiting" />}
  </div>
);

// Within shows its parts in an element elsewhere on the page, nowhere while that is not there (null), or, where none is
// given, where it stands, in a division of that class.
export function Within({ into, of, children }: { into?: Element | null; of: string; children: ComponentChildren }) {
  useLayoutEffect(() => {
    if (into) render(<>{children}</>, into);
  });
  useLayoutEffect(() => () => {
    if (into) render(null, into);
  }, [into]);
  return into === undefined ? <div class={of}>{children}</div> : null;
}

// Heading is the heading of a page about one thing, after which the page is titled, and after how that stands.
export function Heading({ text, stands = "" }: { text: string; stands?: string }) {
  useTitle("subject", (stands ? say("page of title", { page: text, title: stands }) : text).replace(/\.$/, ""));
  return <h1>{text}</h1>;
}

// OnlyHere says of a link that it leads nowhere else, where that is so, and how it would.
export const OnlyHere = () => (onlyHere() ? <p class="muted">{say("this link is for this machine", { port: location.port || "80" })}</p> : null);

// Titled is the heading of a game, which stands so, with its rules, which are unfolded below it.
export function Titled({ text, stands, info }: { text: string; stands: string; info?: Info }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <div class="titled"><Heading text={text} stands={stands} /><button type="button" class="noprint" disabled={!info} aria-expanded={open} onClick={() => setOpen(!open)}>{say("rules")}</button></div>
      {open && info && <Rules info={info} />}
    </>
  );
}

// Card is a part of a page, under its title.
export const Card = ({ title, kind = "", children }: { title: string; kind?: string; children: ComponentChildren }) => <div class={`card ${kind}`}><h2>{title}</h2>{children}</div>;

interface TableProps { kind?: string; label: string; head: ComponentChildren; role?: "group" | "region"; class?: string; children: ComponentChildren }

// Table is one that may be wider than the screen, and fades where it goes on, with a row of names over its columns. The
// class is that of its box, which may be higher than the screen too.
export function Table({ kind, label, head, role = "group", class: around = "tablewide", children }: TableProps) {
  const { box, more, look } = useMore();
  return (
    <div class={`${around} ${more}`} tabIndex={0} role={role} aria-label={label} ref={box} onScroll={look}>
      <table class={kind}>
        <thead><tr>{head}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

// Lost says that the connection is lost, and what that does not harm.
export function Lost({ lost, so }: { lost: boolean; so: string }) {
  return lost ? <p class="lost" role="status">{say("the connection is lost", { so })}</p> : null;
}

interface SteeringProps<J> { job: J; end: string; onDone: (job: J) => void; onFail: (text: string) => void }

// Steering is the buttons with which its owner pauses a job, goes on with it and
// ends it.
export function Steering<J extends Job>({ job, end, onDone, onFail }: SteeringProps<J>) {
  if (!job.mine || over(job.state)) return null;
  const act = (verb: JobVerb) => jobDo<J>(job.id, verb).then((j) => { onFail(""); onDone(j); }, (e) => onFail(message(e)));
  const paused = job.state === "paused";
  return (
    <>
      <button type="button" class={paused ? "primary" : ""} onClick={() => act(paused ? "resume" : "pause")}>{paused ? say("go on") : say("pause")}</button>
      <button type="button" onClick={() => act("cancel")}>{end}</button>
    </>
  );
}

interface MovesProps { game: Pick<Game, "spec" | "start" | "moves" | "ply">; marks?: Map<number, string>; onPly: (ply: number) => void }

// Moves lists the moves played; each is a button that shows the position after it, with its mark where there is one. Where
// nothing has the focus that hears them, the arrow keys step, from the moment that the position is drawn.
export function Moves({ game, marks, onPly }: MovesProps) {
  const { moves, ply } = game;
  const turns = turnsOf(game);
  const done = turns.filter((t) => t.ply <= ply).length;
  const begun = done < turns.length && ply > (turns[done - 1]?.ply ?? 0); // chance is still to be drawn
  const current = begun ? done : done - 1;
  const back = turns[current - 1]?.ply ?? 0, on = turns[current + (begun ? 0 : 1)]?.ply ?? ply;
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const box = list.current?.getBoundingClientRect(), at = list.current?.children[Math.max(0, current)]?.getBoundingClientRect();
    if (box && at) list.current!.scrollTop += Math.max(0, at.bottom - box.bottom) - Math.max(0, box.top - at.top);
  }, [current, turns.length]);
  useLayoutEffect(untilOver((signal) => addEventListener("keydown", (e) => {
    const to = (e.target as Element).closest("a, button, input, select, textarea, summary, dialog, [tabindex='0']") || e.ctrlKey || e.altKey || e.metaKey ? undefined : { ArrowLeft: back, ArrowRight: on }[e.key];
    if (to !== undefined && to !== ply) onPly(to);
  }, { signal })));
  return (
    <div class="moves steps">
      <div class="row tight" role="group" aria-label={say("walk through the game")}>
        <button type="button" class="icon" aria-label={say("to the start")} disabled={ply === 0} onClick={() => onPly(0)}><Icon name="start" /></button>
        <button type="button" class="icon" aria-label={say("one move back")} disabled={ply === 0} onClick={() => onPly(back)}><Icon name="back" /></button>
        <button type="button" class="icon" aria-label={say("one move on")} disabled={ply === moves.length} onClick={() => onPly(on)}><Icon name="on" /></button>
        <button type="button" class="icon" aria-label={say("to the end")} disabled={ply === moves.length} onClick={() => onPly(moves.length)}><Icon name="end" /></button>
        <span class="muted">{say("n of all", { n: current + 1, all: turns.length })}</span>
      </div>
      {moves.length === 0 ? <p class="muted">{say("no moves yet")}</p> : (
        <ol class="movelist" ref={list} aria-label={say("moves")}>
          {turns.map((t, i) => (
            <li key={i}>
              <button type="button" class={i > current ? "move later" : "move"} aria-current={i === current ? "step" : undefined} onClick={() => onPly(t.ply)}>{t.text}{marks?.has(t.ply) && <b class="fault" role="img" aria-label={say("a mistake", { probably: marks.get(t.ply) === "?" })}>{marks.get(t.ply)}</b>}</button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

// Legend says what the signs on the squares mean, and in a list where there is one; guessed says that some are estimates.
export const Legend = ({ info, list, guessed }: { info: Info; list?: boolean; guessed?: boolean }) => {
  const signs = info.chance ? show("a number from 1", { ...both(info), one: <b>1</b>, zero: <b>0</b>, minus: <b>−1</b> })
    : show("b wins in 3", { plus: <b class="shade-good">+3</b>, zero: <b class="shade-even">=</b>, minus: <b class="shade-bad">−2</b> });
  const certain = <>{signs} {say("best move marked", { list })}</>;
  if (info.drawn === "tree") return <p class="muted legend">{say("a number is a payoff", { first: both(info).first, chance: info.chance, list })}</p>;
  return (
    <details class="muted legend">
      <summary>{guessed ? say("a number alone", { chance: info.chance }) : certain}</summary>
      {guessed && <>{certain} </>}{say("where a position", { chance: info.chance, list })}
    </details>
  );
};

// Command is a command line: it breaks between words, and within none of its options.
export const Command = ({ children }: { children: string | (string | number)[] }) => <code>{[children].flat().join("").split(/((?<!\S)-[\w-]+)/).map((part, i) => (i % 2 ? <span class="unbroken" key={i}>{part}</span> : part))}</code>;

// Rules says how a game is played.
export const Rules = ({ info }: { info: Info }) => <p class="muted break">{info.rules}</p>;

interface SureProps { name: string; question?: string; yes: string; no?: string; onYes: () => void }

// Sure is a button that asks whether the person is sure. The focus stays where
// the answer is.
export function Sure({ name, question, yes, no = say("answer no"), onYes }: SureProps) {
  const [sure, setSure] = useState<boolean | null>(null); // null until it was pressed
  const at = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (sure !== null) at.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [sure]);
  return (
    <span class={sure ? "row asking" : "row"} ref={at} onKeyDown={(e) => { if (e.key === "Escape" && sure) setSure(false); }}>
      {sure ? <>{question && <span>{question}</span>}<button type="button" class="primary" key="yes" onClick={onYes}>{yes}</button><button type="button" onClick={() => setSure(false)}>{no}</button></>
        : <button type="button" key="name" onClick={() => setSure(true)}>{name}</button>}
    </span>
  );
}

// Remove is the cross that takes something off a list. It is pressed twice, as
// what it takes away does not come back; loses says what else goes with it.
export function Remove({ label, loses = say("remove"), onYes }: { label: string; loses?: string; onYes: () => void }) {
  const [sure, setSure] = useState(false);
  const at = useRef<HTMLButtonElement>(null);
  // What was pressed may be gone from the button by now, but not from the event's path.
  useEffect(untilOver((signal) => ["click", "focusin"].forEach((of) => addEventListener(of, (e) => e.composedPath().includes(at.current!) || setSure(false), { signal }))), []);
  return (
    <button type="button" ref={at} class={sure ? "remove" : "icon"} aria-label={sure ? say("press again", { label }) : label}
      onClick={() => (sure ? onYes() : setSure(true))} onKeyDown={(e) => { if (e.key === "Escape") setSure(false); }}>
      {sure ? loses : <Icon name="close" />}
    </button>
  );
}

// MarkChoice chooses which mark the next move places, where it may be either.
export function MarkChoice({ p, value, onChange }: { p: Position; value: string; onChange: (v: string) => void }) {
  if (!choosesMark(p)) return null;
  return (
    <div class="row">
      <Segmented label={say("mark to place")} value={value} options={["x", "o"].map((mark) => [mark, markName(p.info, mark)])} onChange={onChange} />
      <span class="muted">{say("mark at square", { mark: markName(p.info, "o") })}</span>
    </div>
  );
}

interface SegmentedProps { label: string; value: string; options: [string, string][]; onChange: (v: string) => void }

// Segmented is a row of buttons of which one is chosen.
export function Segmented({ label, value, options, onChange }: SegmentedProps) {
  return (
    <div class="segmented" role="group" aria-label={label}>
      {options.map(([v, name]) => (
        <button type="button" key={v} aria-pressed={v === value} onClick={() => onChange(v)}>{name}</button>
      ))}
    </div>
  );
}

interface ChoiceProps { id: string; label: string; value: string; options: [string, string][]; invalid?: boolean; below?: ComponentChildren; children?: ComponentChildren; onChange: (v: string) => void }

// Choice is a field of which one option is chosen; children are options before the others.
export function Choice({ id, label, value, options, invalid, below, children, onChange }: ChoiceProps) {
  return (
    <Field id={id} label={label}>
      <select id={id} value={value} aria-invalid={invalid} onChange={(e) => onChange(e.currentTarget.value)}>
        {children}
        {options.map(([v, name]) => <option value={v} key={v}>{name}</option>)}
      </select>
      {below}
    </Field>
  );
}

// Field is a place to enter something, under its label.
export const Field = ({ id, label, children }: { id: string; label: string; children: ComponentChildren }) => <div class="field"><label for={id}>{label}</label>{children}</div>;

// NameField is the field of the name by which somebody plays online.
export const NameField = ({ value, onChange }: { value: string; onChange: (name: string) => void }) => (
  <Field id="name" label={say("your name")}>
    <input id="name" value={value} maxLength={40} autocomplete="nickname" placeholder={say("guest")} onInput={(e) => onChange(e.currentTarget.value)} />
  </Field>
);

interface EntryProps { current: boolean; name: ComponentChildren; about: string; children?: ComponentChildren; onOpen: () => void }

// Entry is one of a list that is opened by a press; the children are what else can be done with it.
export const Entry = ({ current, name, about, children, onOpen }: EntryProps) => (
  <li class={current ? "current" : ""}>
    <button type="button" class="plain break" aria-current={current ? "true" : undefined} onClick={onOpen}>
      <span>{name}</span>
      <span class="muted">{about}</span>
    </button>
    {children}
  </li>
);

interface MoveButtonsProps { position: Position; notes?: Map<string, { text: string; say: string; shade: string; best?: boolean }>; onPlay: (move: string) => void }

// TreeMoves draws a position without squares: the way to it and its moves.
export function TreeMoves({ path, ...rest }: MoveButtonsProps & { path: string[] }) {
  return (
    <div class="treemoves">
      <p class="muted">{say("at the root", { path: path.join(say("then")) })}</p>
      <OtherMoves {...rest} />
    </div>
  );
}

// OtherMoves are buttons for the moves that go to no square, such as to pass: all of a tree.
export function OtherMoves({ position: p, notes, onPlay }: MoveButtonsProps) {
  const tree = !p.info.squares?.length;
  const moves = p.state.moves.filter((m) => squareIndex(p, m) < 0);
  if (moves.length === 0) return null;
  return (
    <div class="row" role="group" aria-label={say("moves without a square", { tree })}>
      {moves.map((m) => {
        const note = notes?.get(m);
        return (
          <button type="button" class={`branch ${note ? "shade-" + note.shade : ""} ${note?.best ? "best" : ""}`} key={m} aria-label={say("branch m note", { tree, m, note: note ? ` ${note.text}, ${note.say}` : "" })} onClick={() => onPlay(m)}>
            {m}{note && <> <span class="note">{note.text}</span></>}
          </button>
        );
      })}
    </div>
  );
}

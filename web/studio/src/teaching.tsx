// What pages share on which learners are taught: the learner, its board, its results.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { away, busy as occupied, gone, type Info, message, type Position, retried } from "./api";
import { BoardOf } from "./board";
import { pause } from "./effect";
import { again } from "./follow";
import { bySquare, coming, squareIndex } from "./game";
import { MarkChoice, OtherMoves, TreeMoves } from "./parts";
import { pupil, type Taking } from "./pupils";
import { count, say, show } from "./text";
import { ifSlow, useHand, useTask } from "./use";

export interface Class { p: Taking | null; error: string; gone: boolean; busy: boolean; sending: string; waiting: string; back: () => void; act: (task: () => Promise<Taking>, move?: string) => Promise<Taking | null>; set: (p: Taking | null) => void; clear: () => void; insist: (task: () => Promise<Taking>) => Promise<Taking | null>; latest: () => Taking | null }

// useClass is the learner of that id, with what is done in its lessons, one thing
// after another. What is done while the server is away is sent again until it answers; sending is the move that is on its way, and waiting what it is once
// it waits, which back takes back, unless the server has it.
export function useClass(id: string): Class {
  const [state, set] = useState<{ id: string; p: Taking | null; error: string; gone?: boolean }>({ id, p: null, error: "" });
  const keep = (p: Taking | null) => {
    newest.current = p;
    set({ id: p?.id ?? "", p, error: "" });
  };
  const [busy, setBusy] = useState(false);
  const under = useRef(false);
  const newest = useRef<Taking | null>(null);
  const [sending, setSending] = useState("");
  const [waiting, setWaiting] = useState("");
  const back = useRef(() => {});
  const left = useRef(false);
  useEffect(() => () => { left.current = true; }, []);
  useTask((signal) => {
    if (!id) newest.current = null;
    if (!id || state.p?.id === id) return;
    if (state.id !== id) set({ id, p: null, error: "" });
    return pupil(id).then((p) => { if (!signal.aborted) keep(p); });
  }, (e) => set({ id, p: null, error: message(e), gone: gone(e) }), [id]);
  const act = async (task: () => Promise<Taking>, move = ""): Promise<Taking | null> => {
    if (under.current) return null;
    under.current = true;
    setBusy(true);
    setSending(move);
    let asked = false, undone = false;
    const undo = new Promise<void>((done) => {
      back.current = () => {
        undone = true;
        setSending("");
        setWaiting("");
        if (!asked) set((old) => ({ ...old, error: "" }));
        done();
      };
    });
    try {
      let p: Taking | null = null;
      const late = (e: unknown) => {
        setWaiting(move);
        set((old) => ({ ...old, error: message(e) }));
      };
      while (!p && !undone) {
        asked = true;
        p = await task().finally(move ? ifSlow(late) : undefined).catch((e) => {
          asked = false;
          if (left.current || !away(e) && !occupied(e)) throw e;
          if (undone) return set((old) => ({ ...old, error: "" })), null;
          late(retried(e));
          return Promise.race([pause(again), undo]).then(() => null);
        });
      }
      if (p) keep(p);
      return p;
    } catch (e) {
      set((old) => ({ ...old, error: message(e) }));
      return null;
    } finally {
      under.current = false;
      setBusy(false);
      setSending("");
      setWaiting("");
    }
  };
  // insist waits for what is under way.
  const insist = async (task: () => Promise<Taking>): Promise<Taking | null> => {
    for (let tries = 0; under.current && tries < 50; tries++) await pause(40);
    return act(task);
  };
  const known = !id || state.id === id;
  return { p: known && id ? state.p : null, error: known ? state.error : "", gone: known && Boolean(state.gone), busy, sending, waiting, back: () => back.current(), act, set: keep, clear: () => set((old) => ({ ...old, error: "" })), insist, latest: () => newest.current };
}

// thought is how long a learner takes over a move that is watched, in milliseconds.
const thought = 700;

// useShown is the game as it is shown: after a move of the teacher's the learner
// takes its time, unless quick.
export function useShown(p: Taking | null, info: Info | null, quick: boolean): { position: Position | null; thinking: boolean } {
  const known = useRef("");
  const [thinking, setThinking] = useState(false);
  const key = p ? `${p.id} ${p.games} ${p.lesson.ply} ${p.lesson.over}` : "";
  const c = p?.lesson.considered;
  const last = p?.lesson.steps[p.lesson.steps.length - 1];
  const moved = Boolean(c && (last?.learner && last.move === c.move && last.position === c.position || !c.move));
  const changed = known.current !== "" && known.current !== key && known.current.split(" ")[0] === p?.id && moved && !quick;
  useEffect(() => {
    known.current = key;
    if (!changed) return setThinking(false);
    setThinking(true);
    const timer = setTimeout(() => setThinking(false), thought);
    return () => clearTimeout(timer);
  }, [key]);
  const wait = thinking || changed; // also in the first frame
  const position = useMemo((): Position | null => {
    if (!p || !info) return null;
    const { lesson } = p;
    const state = wait && c ? { position: c.position, turn: lesson.seat, result: "*" as const, moves: [] } : lesson.state;
    const moves = wait && c?.move ? lesson.moves.slice(0, -1) : lesson.moves;
    return { info, state, trail: [], owned: wait ? [] : lesson.owned, last: moves[moves.length - 1] ?? "" };
  }, [key, info, wait]);
  return { position, thinking: wait };
}

interface BoardProps { position: Position; yours: boolean; busy: boolean; sending?: string; label: string; path: string[]; onPlay: (move: string) => void }

// LessonBoard is the board of a game that a learner is taught by.
export function LessonBoard({ position: p, yours, busy, sending = "", label, path, onPlay }: BoardProps) {
  const { mark, setMark, lifted, press } = useHand(p.state.position);
  if (!p.info.squares?.length) return <TreeMoves position={p} path={path} onPlay={(m) => yours && onPlay(m)} />;
  const squares = bySquare(p, lifted);
  const onSquare = (i: number) => {
    const moves = squares.get(i);
    if (yours && !busy && moves) press(i, moves, onPlay);
  };
  return (
    <>
      <BoardOf p={p} last={squareIndex(p, p.last)} label={label} legal={yours ? squares : new Map()} busy={busy} sent={sending ? coming(p, sending) : undefined} zone={sending ? new Set([squareIndex(p, sending)]) : lifted >= 0 ? new Set([lifted]) : undefined} zoneSays={say(sending ? "waits to be sent" : "lifted")} onPlay={onSquare} />
      <OtherMoves position={p} onPlay={(m) => yours && !busy && onPlay(m)} />
      <MarkChoice p={p} value={mark} onChange={setMark} />
    </>
  );
}

const letters: Record<string, string> = { w: "W", t: "D", l: "L" };
const words: Record<string, string> = { w: say("won"), t: say("drawn"), l: say("lost") };

// Strip is how the games went for the learner, one after the other.
export function Strip({ results }: { results: string }) {
  const shown = [...results].slice(-200);
  const first = results.length - shown.length;
  return (
    <ol class="strip" aria-label={say("games shown", { shown: shown.map((r, i) => `${first + i + 1} ${words[r]}`).join(", ") || say("no games yet") })}>
      {shown.map((r, i) => <li key={i} class={r} title={say("game n", { n: first + i + 1, words: words[r]! })}>{letters[r]}</li>)}
    </ol>
  );
}

// boxed reports whether a learner is MENACE, with boxes and beads.
export const boxed = (learner: string): boolean => learner.startsWith("menace");
export const machine = (p: Taking): string => (boxed(p.learner) ? "MENACE" : say("the learner"));

// Tally says how often the learner has won, drawn and lost.
export const Tally = ({ p }: { p: Taking }) => (
  <p class="scoreline">
    <span>{show("side won", { side: <b>{count(p.wins)}</b> })}</span><span>{show("b drawn", { b: <b>{count(p.draws)}</b> })}</span><span>{show("b lost", { b: <b>{count(p.losses)}</b> })}</span>
    <span class="muted">{say("by machine in n games head", { machine: machine(p), n: p.results.length, head: p.head > 0 && count(p.head) })}</span>
  </p>
);

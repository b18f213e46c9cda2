// A race through puzzles that get harder: as many as one can in three minutes, until three were missed, or the first.
import { useEffect, useState } from "preact/hooks";
import { capital, nameOf } from "./catalogue";
import { Easel } from "./easel";
import { useEvery } from "./effect";
import { formatRoute } from "./link";
import { Announce, Failure } from "./parts";
import { mostMissed, type Puzzle, puzzleNear } from "./puzzles";
import { say } from "./text";
import { useKeptFocus, useLatest, useStored } from "./use";
import { clockFace } from "./words";

const raceTime = 3 * 60_000; // in milliseconds

type Mode = keyof typeof mostMissed;

const modes: [Mode, string][] = [["race", say("three minutes")], ["race-untimed", say("no clock")], ["race-streak", say("one life")]];

// The ratings of the puzzles of a race: of the first one, and by how much each next one is harder.
const easiest = 800;
const harder = 60;

interface Missed { z: Puzzle; tried: string; right: string }

// Run is a race; row has a tick for each puzzle that was solved, and a cross for each missed one.
interface Run { mode: Mode; until: number; solved: number; hardest: number; least: number; missed: Missed[]; seen: string[]; row: string; over: boolean }

interface Props { game: string; theme: string; panel?: Element | null; onRunning: (runs: boolean) => void; onShown: () => void }

export function Race({ game, theme, panel, onRunning, onShown }: Props) {
  const [run, setRun] = useState<Run | null>(null);
  const bests = { race: useStored("race", ""), "race-untimed": useStored("race-untimed", ""), "race-streak": useStored("race-streak", "") };
  const [drawn, setDrawn] = useState(""); // the puzzle whose board is there
  useKeptFocus(drawn);
  const [before, setBefore] = useState(0); // the best of the races before the last
  const record = (mode: Mode) => Number(bests[mode][0]) || 0;
  const set = useLatest(JSON.stringify([run?.seen, run?.over, game, theme]), async (signal): Promise<Puzzle | null> => {
    if (!run || run.over) return null;
    const { puzzle } = await puzzleNear(easiest + harder * run.solved, run.least, game, theme, run.seen, signal);
    if (puzzle && !run.seen.includes(puzzle.id)) return puzzle;
    if (puzzle) end(run); // all were set
    return null;
  });
  const begin = (mode: Mode) => {
    setBefore(record(mode));
    setRun({ mode, until: Date.now() + raceTime, solved: 0, hardest: 0, least: 0, missed: [], seen: [], row: "", over: false });
  };
  const end = (r: Run) => {
    if (r.solved > record(r.mode)) bests[r.mode][1](`${r.solved}`);
    setRun({ ...r, over: true });
  };
  const [judged, setJudged] = useState<{ id: string; solved: boolean } | null>(null); // the puzzle that is still shown
  const went = (z: Puzzle, solved: boolean, tried = "", right = "") => {
    const r = { ...run!, seen: [...run!.seen, z.id], solved: run!.solved + Number(solved), hardest: Math.max(run!.hardest, solved ? z.rating : 0), least: solved ? z.rating : run!.least, row: run!.row + (solved ? "✓" : "✗"), missed: solved ? run!.missed : [...run!.missed, { z, tried, right }] };
    if (r.missed.length === mostMissed[r.mode] || late(r)) end(r);
    else setRun(r);
  };
  const late = (r: Run) => r.mode === "race" && Date.now() >= r.until;
  useEffect(() => {
    if (!run || run.over) onShown();
  }, [run?.over]);
  const runs = run !== null && !run.over;
  useEffect(() => onRunning(runs), [runs]);
  useEffect(() => () => onRunning(false), []);
  const choice = (
    <div class="row">
      {modes.map(([mode, name]) => <button type="button" key={mode} class={mode === (run?.mode ?? "race") ? "primary" : ""} onClick={() => begin(mode)}>{name}</button>)}
    </div>
  );
  if (!run) {
    return (
      <>
        <p>{say("as many as you can", { missed: mostMissed.race })}</p>
        {choice}
        <p class="muted">{say("best of races", { timed: record("race"), untimed: record("race-untimed"), streak: record("race-streak") })}</p>
      </>
    );
  }
  if (run.over) {
    const result = say("race is over", { timed: late(run), missed: run.missed.length === mostMissed[run.mode] && run.missed.length, solved: run.solved, hardest: run.hardest, best: before, record: run.solved > before });
    return (
      <>
        <p class="statusline ended">{result}</p>
        <Announce text={result} />
        <p aria-hidden="true">{run.row}</p>
        {run.missed.length > 0 && <h2>{say("missed ones")}</h2>}
        <ul class="past">
          {run.missed.map(({ z, tried, right }) => <li key={z.id}><a href={formatRoute({ page: "puzzles", query: { id: z.id } })}>{say("game and theme", { game: capital(nameOf(z.game) ?? z.title), theme: z.goal })}</a> <small>{say("tried and right", { tried, right })}</small></li>)}
        </ul>
        {choice}
      </>
    );
  }
  const z = set.data; // the last one stays until the next is there
  const now = z && judged?.id === z.id && !run.seen.includes(z.id) ? judged : null;
  const score = (more: boolean | undefined) => say("solved and missed", { solved: run.solved + Number(more === true), missed: run.missed.length + Number(more === false), most: mostMissed[run.mode] });
  return (
    <>
      <p class="racing">
        {run.mode === "race" && <TimeLeft until={run.until} onEnd={() => end(run)} />}
        <span class="grow">{score(now?.solved)}</span>
        <button type="button" onClick={() => end(run)}>{say("stop")}</button>
      </p>
      <Announce text={z && set.current ? `${score(undefined)} ${z.goal}` : ""} />
      <Failure text={set.error} again={set.again} />
      {z ? <Easel key={run.seen.length - Number(!set.current)} z={z} panel={panel} race={(...how) => went(z, ...how)} onJudged={(solved) => setJudged({ id: z.id, solved })} onShown={() => { setDrawn(z.id); onShown(); }} />
        : set.current ? <p>{say("there is no such puzzle")}</p> : <div class="waiting" />}
    </>
  );
}

// TimeLeft counts down, and tells when nothing is left.
function TimeLeft({ until, onEnd }: { until: number; onEnd: () => void }) {
  const [left, setLeft] = useState(until - Date.now());
  useEvery(100, () => setLeft(until - Date.now()), [until]);
  useEffect(() => {
    if (left <= 0) onEnd();
  }, [left <= 0]);
  return <b class={`clock ${left < 20_000 ? "short" : ""}`} role="timer">{clockFace(Math.max(0, left))}</b>;
}

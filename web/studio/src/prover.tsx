// Proving a game: a job of the server, from the choice of the game to the proof.
import { useEffect, useState } from "preact/hooks";
import { message, post } from "./api";
import { capital, titleOf, provable } from "./catalogue";
import { dropJob, type Followed, type Job, jobFile, jobResult, type JobState, over } from "./job";
import { formatRoute, go } from "./link";
import { Announce, Failure, Lost, Remove, Steering } from "./parts";
import { GameChoice } from "./setup";
import { useGames, useLatest, useWrong } from "./use";
import { count, lasting, sides, when } from "./words";

// usual is a game that is neither proved at once nor in hours.
const usual = "mnk:5,5,4";

// limits are how long a search may take, as the server reads them.
const limits: [string, string][] = [["", "Never"], ["1m", "1 minute"], ["10m", "10 minutes"], ["1h", "1 hour"], ["8h", "8 hours"]];
const limitName = (time: string): string => limits.find(([t]) => t === time)?.[1] ?? time;

// Proving is a job that proves. Its proof is listed under that id.
export interface Proving extends Job<{ time?: string }> { data?: { question: string; proof: number; disproof: number; nodes: number; seconds: number }; proof?: string }

// Proved is what such a job came to, once it is done.
interface Proved { value: string; proved: string; nodes: number; proof_nodes: number }

const stateName: Record<JobState, string> = { queued: "waiting for its turn", running: "being proved", paused: "paused", done: "finished", failed: "failed", cancelled: "ended" };

interface ProverProps { spec: string; time: string; run: Followed<Proving>; list: Proving[]; onChange: () => void }

// Prover is the card where proofs are started and followed; list is what was
// started from this browser.
export function Prover({ spec, time, run, list, onChange }: ProverProps) {
  const known = useGames();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState({ text: "", of: "" });
  const game = spec || usual;
  const asked = game + time;
  const job = run.job;
  const done = job?.state === "done" ? job.id : "";
  const result = useLatest(done, () => (done ? jobResult<Proved>(done) : Promise.resolve(null)));
  const proved = done && result.current ? result.data : null;
  const open = (game: string, job: string, limit = time) => go({ page: "proofs", query: { game, time: limit, job } }, true);
  const start = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const j = await post<Proving>("jobs", { verb: "prove", game, ...(time ? { args: { time } } : {}) });
      setError({ text: "", of: "" });
      open(game, j.id);
      onChange();
    } catch (e) {
      setError({ text: message(e), of: asked });
    }
    setBusy(false);
  };
  const drop = (j: Proving) => dropJob(j.id).then(() => {
    if (j.id === job?.id) open(game, "");
    onChange();
  }, (e) => setError({ text: message(e), of: asked }));
  return (
    <div class="card">
      <h2>Prove a game</h2>
      <p>The server looks for a strategy that no reply refutes, and goes on when this page is closed. Small games take seconds; large ones take hours, or longer than anybody waits.</p>
      <GameChoice id="game" known={known} spec={game} suits={provable} onChoose={(g) => open(g, job?.id ?? "")} />
      <div class="field">
        <label for="time">Give up after</label>
        <select id="time" value={time} onChange={(e) => open(game, job?.id ?? "", e.currentTarget.value)}>
          {limits.map(([t, name]) => <option value={t} key={t}>{name}</option>)}
          {!limits.some(([t]) => t === time) && <option value={time}>{time}</option>}
        </select>
      </div>
      <Failure text={error.of === asked ? error.text : ""} />
      <div class="row"><button type="button" class="primary" aria-disabled={busy} onClick={start}>Prove it</button></div>
      <Announce text={job ? `${lineOf(job)} ${proved ? found(proved) : ""}` : ""} />
      {job && <Course run={run} job={job} proved={proved} onChange={onChange} key={job.id} />}
      <Failure text={(job && run.lost ? "" : run.error) || result.error} />
      {list.length > 0 && (
        <>
          <h3>Started here</h3>
          <ul class="shelf">{list.map((j) => <Entry j={j.id === job?.id ? job : j} key={j.id} current={j.id === job?.id} onOpen={() => open(j.game, j.id)} onDrop={() => drop(j)} />)}</ul>
        </>
      )}
    </div>
  );
}

const gameOf = (j: Proving): string => capital(titleOf(j.game));
const lineOf = (j: Proving): string => `${gameOf(j)}: ${stateName[j.state]}.`;

// found says what was proved.
const found = (r: Proved): string => (r.proved === "nothing" ? "Nothing was proved." : `Proved: ${sides(r.proved)}.`);

// Course is how one proof goes, and what came of it.
function Course({ run, job: j, proved: r, onChange }: { run: Followed<Proving>; job: Proving; proved: Proved | null; onChange: () => void }) {
  const [error, setError] = useWrong(run.lost);
  useEffect(() => {
    if (over(j.state)) onChange(); // the lists say so too
  }, [j.state]);
  const d = j.data;
  return (
    <section class="course" aria-label="The proof that was asked for">
      <p class={`statusline ${over(j.state) ? "ended" : ""}`}>{lineOf(j)}</p>
      {!over(j.state) && (
        <table class="facts">
          <tbody>
            <tr><th scope="row">In question now</th><td>{d ? sides(d.question) : "–"}</td></tr>
            <tr><th scope="row">Positions searched</th><td>{d ? count(d.nodes) : "–"}</td></tr>
            <tr><th scope="row">Time, since it last started</th><td>{d ? lasting(d.seconds) : "–"}{j.args?.time ? `; it gives up after ${limitName(j.args.time)}` : ""}</td></tr>
            <tr><th scope="row">Proof and disproof number</th><td>{d ? `${count(d.proof)} and ${count(d.disproof)}` : "–"}</td></tr>
          </tbody>
        </table>
      )}
      {!over(j.state) && <Lost lost={run.lost} so="the search goes on" />}
      {r && j.files.length > 0 && <p class="good">{found(r)} {count(r.nodes)} {r.nodes === 1 ? "position was" : "positions were"} searched; the strategy has {count(r.proof_nodes)}.</p>}
      {r && <Failure text={j.files.length === 0 ? `There is no proof: the search has ended without an answer.${j.args?.time ? ` It was to give up after ${limitName(j.args.time)}.` : ""}` : j.proof ? "" : "The server does not list it, as it has as many proofs as it keeps. Download it, or it goes when this search is deleted."} />}
      <Failure text={j.state === "failed" ? `There is no proof. ${capital(j.error ?? "")}.` : error} />
      {j.state === "cancelled" && <p>There is no proof, as the search was ended before it was found.</p>}
      <div class="row actions">
        <Steering job={j} end="End it" onDone={run.set} onFail={setError} />
        {j.proof && <a class="button primary" href={formatRoute({ page: "proofs", query: { id: j.proof } })}>Open the proof</a>}
        {j.files.map((f) => <a class="button" key={f.name} href={jobFile(j.id, f.name)} download={f.name}>Download it</a>)}
      </div>
    </section>
  );
}

interface EntryProps { j: Proving; current: boolean; onOpen: () => void; onDrop: () => void }

function Entry({ j, current, onOpen, onDrop }: EntryProps) {
  const made = when(j.made);
  return (
    <li class={current ? "current" : ""}>
      <button type="button" class="plain break" aria-current={current ? "true" : undefined} onClick={onOpen}>
        <span>{gameOf(j)}, {stateName[j.state]}</span>
        <span class="muted">{made}</span>
      </button>
      <Remove label={`Delete the search for a proof of ${gameOf(j)}, ${made}`} onYes={onDrop} />
    </li>
  );
}

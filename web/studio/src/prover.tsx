// Proving a game: a job of the server, from the choice of the game to the proof.
import { useEffect, useRef } from "preact/hooks";
import { game as described, type Info, post } from "./api";
import { capital, headingOf, known as namesKnown, provable, titleOf } from "./catalogue";
import { dropJob, type Followed, type Job, jobFile, jobResult, type JobState, over } from "./job";
import { formatRoute, go } from "./link";
import { Announce, Card, Choice, Entry, Failure, Field, Lost, Remove, Steering } from "./parts";
import { chosen, type Pending } from "./setup";
import { GameChoice } from "./setup";
import { count, say } from "./text";
import { notFound } from "./title";
import { useGames, useLatest, useTried, useWrong } from "./use";
import { lasting, side, sides, when } from "./words";

// usual is a game that is neither proved at once nor in hours.
const usual = "mnk:5,5,4";

// limits are how long a search may take, as the server reads them.
const limits: [string, string][] = [["", say("never")], ["1m", say("n minutes", { n: 1 })], ["10m", say("n minutes", { n: 10 })], ["1h", say("n hours", { n: 1 })], ["8h", say("n hours", { n: 8 })]];
const limitName = (time: string): string => limits.find(([t]) => t === time)?.[1] ?? time;

// claims are what of a game can be proved, as the server reads them; of some games also within how many plies.
const claims = ["first", "second", "draw", "not-lose:first", "not-lose:second"];

// Proving is a job that proves. Its proof is listed under that id.
export interface Proving extends Job<{ time?: string; claim?: string }> { data?: { question: string; proof: number; disproof: number; nodes: number; seconds: number }; proof?: string }

// Proved is what such a job came to, once it is done.
interface Proved { value: string; proved: string; refuted?: boolean; nodes: number; proof_nodes: number }

const stateName: Record<JobState, string> = { queued: say("waiting for its turn"), running: say("being proved"), paused: say("paused"), done: say("finished"), failed: say("failed"), cancelled: say("ended") };

interface ProverProps { spec: string; time: string; claim: string; run: Followed<Proving>; list: Proving[]; onChange: () => void }

// Prover is the card where proofs are started and followed; list is what was
// started from this browser.
export function Prover({ spec, time, claim, run, list, onChange }: ProverProps) {
  const known = useGames();
  const [error, attempt, , busy] = useTried();
  const tried = useRef(""); // what the error is about
  const job = run.job;
  const shown = spec || job?.game || usual;
  const asked = [shown, time, claim].join();
  const pending: Pending = useRef(null);
  const done = job?.state === "done" ? job.id : "";
  const result = useLatest(done, () => (done ? jobResult<Proved>(done) : Promise.resolve(null)));
  const proved = done && result.current ? result.data : null;
  const open = (game: string, job: string, more = {}) => go({ page: "proofs", query: { game, time, claim, job, ...more } }, true);
  const start = () => busy || attempt(async () => {
    tried.current = asked;
    const game = await chosen(pending, shown);
    if (!game) return;
    const j = await post<Proving>("jobs", { verb: "prove", game, args: { ...(time && { time }), ...(claim && { claim }) } });
    open(game, j.id);
    onChange();
  });
  const info = useLatest(job?.game ?? "", async () => (job ? described(job.game) : null)).data ?? undefined;
  const drop = (j: Proving) => attempt(async () => {
    tried.current = asked;
    await dropJob(j.id);
    if (j.id === job?.id) open(shown, "");
    onChange();
  });
  return (
    <Card title={say("prove a game")}>
      <p>{say("the server looks")}</p>
      <GameChoice id="game" known={known} spec={shown} suits={provable} pending={pending} onChoose={(g) => open(g, job?.id ?? "")} />
      <div class="pair">
        <Field id="claim" label={say("what to prove")}>
          <input id="claim" list="claims" value={claim} maxLength={20} title={say("claims are")} placeholder={say("what it is worth")} autocapitalize="none" spellcheck={false} onInput={(e) => open(shown, job?.id ?? "", { claim: e.currentTarget.value.trim() })} />
          <datalist id="claims">{claims.map((c) => <option value={c} key={c} />)}</datalist>
        </Field>
        <Choice id="time" label={say("give up after")} value={time} options={limits.some(([t]) => t === time) ? limits : [...limits, [time, time]]} onChange={(time) => open(shown, job?.id ?? "", { time })} />
      </div>
      <Failure text={tried.current === asked ? error : ""} />
      <div class="row"><button type="button" class="primary" aria-disabled={busy} onClick={start}>{say("prove it")}</button></div>
      <Announce text={job ? `${lineOf(job, info)} ${proved ? found(proved, job.args?.claim, info) : ""}` : ""} />
      {job && <Course run={run} job={job} proved={proved} info={info} onChange={onChange} key={job.id} />}
      <Failure text={(job && run.lost ? "" : run.error) || result.error} missing={notFound(!job && !run.lost && run.error !== "", say("proofs"))} />
      {list.length > 0 && (
        <>
          <h3>{say("started here")}</h3>
          <ul class="shelf">{list.map((j) => <Own j={j.id === job?.id ? job : j} key={j.id} current={j.id === job?.id} onOpen={() => open(j.game, j.id)} onDrop={() => drop(j)} />)}</ul>
        </>
      )}
    </Card>
  );
}

const gameOf = (j: Proving, info?: Info): string => (namesKnown() ? headingOf(j.game, info) : titleOf(j.game));
const lineOf = (j: Proving, info?: Info): string => `${gameOf(j, info)}: ${stateName[j.state]}.`;

// asks says what a proof is of: a seat's win, or more than so much for it.
function asks(question: string, info: Info | undefined): string {
  const win = /^(first|second)>0$/.exec(question);
  return win ? say("does side win", { side: side(info, win[1]!) }) : sides(question, info);
}

// found says what was proved.
const found = (r: Proved, claim: string | undefined, info: Info | undefined): string =>
  [r.refuted && claim && say("claim is not so", { claim }), r.proved === "nothing" ? say("nothing was proved") : say("proved", { sides: sides(r.proved, info) })].filter(Boolean).join(" ");

// proofNumber is a proof number as people read it; what nothing can show has 2³⁰ or more.
const proofNumber = (n: number): string => (n >= 2 ** 30 ? "∞" : count(n));

// Course is how one proof goes, and what came of it.
function Course({ run, job: j, proved: r, info, onChange }: { run: Followed<Proving>; job: Proving; proved: Proved | null; info: Info | undefined; onChange: () => void }) {
  const [error, setError] = useWrong(run.lost);
  useEffect(() => {
    if (over(j.state)) onChange(); // the lists say so too
  }, [j.state]);
  const d = j.data;
  const went = useRef(false); // what was seen to go on keeps its place for what came of it
  went.current ||= !over(j.state);
  return (
    <section class="course" aria-label={say("the proof that was asked for")}>
      <p class={`statusline ${over(j.state) ? "ended" : ""}`}>{lineOf(j, info)}</p>
      <div class="steady">
        {went.current && (
          <table class={over(j.state) ? "facts past" : "facts"}>
            <tbody>
              <tr><th scope="row">{say("in question now")}</th><td>{d ? asks(d.question, info) : "–"}</td></tr>
              <tr><th scope="row">{say("positions searched")}</th><td>{d ? count(d.nodes) : "–"}</td></tr>
              <tr><th scope="row">{say("time since it last started")}</th><td>{say("time and limit", { time: d ? lasting(d.seconds) : "–", limit: j.args?.time && limitName(j.args.time) })}</td></tr>
              <tr><th scope="row">{say("proof and disproof number")}</th><td>{d ? say("proof and disproof", { proof: proofNumber(d.proof), disproof: proofNumber(d.disproof) }) : "–"}</td></tr>
            </tbody>
          </table>
        )}
        {over(j.state) && (
          <div>
            {r && j.files.length > 0 && <p class="good">{say("found n positions were searched", { found: found(r, j.args?.claim, info), nodes: r.nodes, proof_nodes: count(r.proof_nodes) })}</p>}
            {r && <Failure text={j.files.length === 0 ? say("there is no proof the", { limit: j.args?.time && limitName(j.args.time) }) : j.proof ? "" : say("the server does not")} />}
            <Failure text={j.state === "failed" ? say("there is no proof error", { error: capital(j.error ?? "") }) : ""} />
            {j.state === "cancelled" && <p>{say("there is no proof as")}</p>}
          </div>
        )}
      </div>
      {!over(j.state) && <Lost lost={run.lost} so={say("the search goes on")} />}
      <Failure text={error} />
      <div class="row actions">
        <Steering job={j} end={say("end it")} onDone={run.set} onFail={setError} />
        {j.proof && <a class="button primary" href={formatRoute({ page: "proofs", query: { id: j.proof } })}>{say("open the proof")}</a>}
        {j.files.map((f) => <a class="button" key={f.name} href={jobFile(j.id, f.name)} download={f.name}>{say("download it")}</a>)}
      </div>
    </section>
  );
}

interface OwnProps { j: Proving; current: boolean; onOpen: () => void; onDrop: () => void }

function Own({ j, current, onOpen, onDrop }: OwnProps) {
  const made = when(j.made);
  const info = useLatest(j.game, () => described(j.game)).data ?? undefined;
  return (
    <Entry current={current} name={`${gameOf(j, info)}, ${stateName[j.state]}`} about={made} onOpen={onOpen}>
      <Remove label={say("delete the search", { gameOf: gameOf(j, info), made })} onYes={onDrop} />
    </Entry>
  );
}

// The cluster: its jobs, the machines that work on them, and the queue.
import { cluster, type ClusterJob, type ClusterView, type ClusterWorker, endClusterJob, message } from "./api";
import { capital } from "./catalogue";
import { formatRoute } from "./link";
import { Announce, Card, Command, Failure, Sure, Table } from "./parts";
import { count, say, show } from "./text";
import { notFound } from "./title";
import { usePolled, useTitles } from "./use";
import { lasting, when } from "./words";

// every is how long after an answer the next one is asked for.
const every = 2000;

export function ClusterPage({ query }: { query: Record<string, string> }) {
  const { data: view, error, set, fail } = usePolled(cluster, every, say("this server has no cluster"));
  const end = (id: string) => endClusterJob(id).then(set, (e) => fail(message(e)));
  const one = view?.snapshot.jobs.find((j) => j.id === query.job);
  return (
    <div class="page two">
      <section class="main-part" aria-label={say("jobs")}>
        <h1>{say("cluster")}</h1>
        {query.job
          ? <p class="lead"><a href="cluster">{say("all jobs")}</a></p>
          : <p class="lead">{show("jobs that many machines share", { code: <Command>oxo VERB … --on ADDRESS</Command> })}</p>}
        <Failure text={error} />
        {!view && !error && <div class="waiting tall" />}
        {view && query.job && (one
          ? <JobCard key={one.id} j={one} trusted={view.trusted} onEnd={end} />
          : <Failure text={say("there is no such job")} missing={notFound(true, say("cluster"))} />)}
        {view && !query.job && <JobList jobs={view.snapshot.jobs} />}
      </section>
      <section class="side-part" aria-label={say("workers")}>
        {view && <Workers list={view.snapshot.workers} view={view} />}
      </section>
    </div>
  );
}

const stateWords: Record<string, string> = { waiting: say("waiting"), running: say("running"), done: say("done"), failed: say("failed"), cancelled: say("cancelled") };

const verbWords: Record<string, string> = { train: say("training"), match: say("match"), tournament: say("tournament"), tune: say("tuning"), prove: say("proof"), solve: say("solution") };

const verbOf = (j: ClusterJob): string => verbWords[j.job.verb] ?? capital(j.job.verb);

// how says how far a job has come.
function how(j: ClusterJob): string {
  const s = j.status;
  if (!s || j.state !== "running") return stateWords[j.state] ?? j.state;
  return say("stage done of parts", {
    round: s.stage > 0 && s.stage + 1, done: count(s.done), parts: count(s.parts),
    rate: s.rate > 0 && (s.rate >= 10 ? count(Math.round(s.rate)) : s.rate.toPrecision(2)), left: s.left !== null && lasting(s.left),
  });
}

function JobList({ jobs }: { jobs: ClusterJob[] }) {
  const titleOf = useTitles(jobs.map((j) => j.job.game));
  if (jobs.length === 0) return <div class="card"><p class="muted">{show("no jobs", { code: <Command>oxo tournament perfect heuristic random --on ADDRESS</Command> })}</p></div>;
  return (
    <Card title={say("jobs")}>
      <ul class="shelf whole">
        {jobs.map((j) => (
          <li key={j.id}>
            <a class="plain" href={formatRoute({ page: "cluster", query: { job: j.id } })}>
              {verbOf(j)}, {titleOf(j.job.game)}<span class="muted"> {say("of priority", { priority: j.priority })}</span><br />
              <span class="muted">{how(j)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function JobCard({ j, trusted, onEnd }: { j: ClusterJob; trusted: boolean; onEnd: (id: string) => void }) {
  const runs = j.state === "running" || j.state === "waiting";
  const titleOf = useTitles([j.job.game]);
  return (
    <Card title={`${verbOf(j)}, ${titleOf(j.job.game)}`}>
      <p class={runs ? "statusline" : "statusline ended"}>{capital(how(j))}</p>
      <Announce text={runs ? "" : capital(how(j))} />
      {j.status && j.state === "running" && <progress max={Math.max(1, j.status.parts)} value={j.status.done} aria-label={say("parts done")} />}
      {j.status?.report.line && runs && <p class="muted">{j.status.report.line}</p>}
      {j.error && <Failure text={j.error} />}
      {j.aside && j.aside.length > 1 && <ul class="muted">{j.aside.map((a) => <li key={a.name}>{a.name}: {a.error}</li>)}</ul>}
      <div class="tablewide">
        <table class="facts">
          <tbody>
            <tr><th scope="row">{say("name")}</th><td><code>{j.id}</code></td></tr>
            <tr><th scope="row">{say("priority")}</th><td>{j.priority}</td></tr>
            <tr><th scope="row">{say("seed")}</th><td>{j.job.seed}</td></tr>
            <tr><th scope="row">{say("submitted")}</th><td>{when(j.created)}</td></tr>
            {j.ended && <tr><th scope="row">{capital(say("ended"))}</th><td>{when(j.ended)}</td></tr>}
          </tbody>
        </table>
      </div>
      {j.state === "done" && <p class="muted">{show("fetch what came of it with", { code: <Command>oxo jobs result {j.id} --out FOLDER</Command> })}</p>}
      {runs && trusted && (
        <Sure name={say("cancel")} yes={say("cancel it for good")} no={say("let it go on")} onYes={() => onEnd(j.id)} />
      )}
      {runs && !trusted && <p class="muted">{say("it can be cancelled", { id: j.id })}</p>}
    </Card>
  );
}

const levels = [say("high"), say("normal"), say("low")];

function Workers({ list, view }: { list: ClusterWorker[]; view: ClusterView }) {
  const workers = list.filter((w) => w.slots > 0);
  const q = view.snapshot.queue;
  return (
    <>
      <Card title={say("workers")}>
        {workers.length === 0 && <p class="muted">{say("none start")}</p>}
        {workers.length > 0 && (
          <ul class="shelf whole">
            {workers.map((w) => (
              <li key={w.id}>
                <span class="plain">
                  <span>{w.host}<span class="muted"> {say("slots at once", { n: w.slots })}</span></span>
                  <span class="muted">{w.trouble ? w.trouble : say("parts done failed", { n: w.parts, failed: w.failed > 0 && count(w.failed) })}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={say("queue")}>
        <Table label={say("queue")} head={<><th scope="col">{say("priority")}</th><th scope="col">{capital(say("waiting"))}</th><th scope="col">{say("under way")}</th></>}>
          {levels.map((p) => <tr key={p}><th scope="row">{p}</th><td>{count(q.waiting[p] ?? 0)}</td><td>{count(q.underway[p] ?? 0)}</td></tr>)}
        </Table>
      </Card>
    </>
  );
}

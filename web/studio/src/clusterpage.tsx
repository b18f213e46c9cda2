// The cluster: its jobs, the machines that work on them, and the queue.
import { useEffect, useState } from "preact/hooks";
import { cluster, type ClusterJob, type ClusterView, type ClusterWorker, endClusterJob, message, Problem } from "./api";
import { capital, titleOf } from "./catalogue";
import { formatRoute } from "./link";
import { Announce, Failure } from "./parts";
import { count, lasting } from "./words";

// every is how long after an answer the next one is asked for.
const every = 2000;

interface Seen { view: ClusterView | null; error: string }

// useCluster looks at the cluster again and again.
function useCluster(): Seen & { set: (v: ClusterView) => void; fail: (text: string) => void } {
  const [state, set] = useState<Seen>({ view: null, error: "" });
  useEffect(() => {
    let live = true;
    let later = 0;
    const look = async () => {
      try {
        const view = await cluster();
        if (live) set({ view, error: "" });
      } catch (e) {
        const none = e instanceof Problem && e.status === 404;
        if (live) set((old) => ({ ...old, error: none ? "This server has no cluster. It has one when it is started with: oxo serve --cluster" : message(e) }));
        if (none) return;
      }
      if (live) later = window.setTimeout(look, every);
    };
    look();
    return () => {
      live = false;
      clearTimeout(later);
    };
  }, []);
  return { ...state, set: (view) => set({ view, error: "" }), fail: (error) => set((old) => ({ ...old, error })) };
}

export function ClusterPage({ query }: { query: Record<string, string> }) {
  const { view, error, set, fail } = useCluster();
  const end = (id: string) => endClusterJob(id).then(set, (e) => fail(message(e)));
  const one = view?.snapshot.jobs.find((j) => j.id === query.job);
  return (
    <div class="page two">
      <section class="main-part" aria-label="Jobs">
        <h1>Cluster</h1>
        {query.job
          ? <p class="lead"><a href="cluster">All jobs</a></p>
          : <p class="lead">Jobs that many machines share. They are begun with <code>oxo VERB … --on ADDRESS</code> and go on when this page is closed.</p>}
        <Failure text={error} />
        {!view && !error && <div class="waiting tall" />}
        {view && query.job && (one
          ? <JobCard key={one.id} j={one} trusted={view.trusted} onEnd={end} />
          : <Failure text="There is no such job. It may have been removed." />)}
        {view && !query.job && <JobList jobs={view.snapshot.jobs} />}
      </section>
      <section class="side-part" aria-label="Workers">
        {view && <Workers list={view.snapshot.workers} view={view} />}
      </section>
    </div>
  );
}

const stateWords: Record<string, string> = { waiting: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled" };

const verbWords: Record<string, string> = { train: "Training", match: "Match", tournament: "Tournament", tune: "Tuning", prove: "Proof", solve: "Solution" };

const title = (j: ClusterJob): string => `${verbWords[j.job.verb] ?? capital(j.job.verb)}, ${titleOf(j.job.game)}`;

// how says how far a job has come.
function how(j: ClusterJob): string {
  const s = j.status;
  if (!s || j.state !== "running") return stateWords[j.state] ?? j.state;
  const stage = s.stage > 0 ? `round ${s.stage + 1}, ` : "";
  const pace = s.rate > 0 ? `, ${s.rate >= 10 ? count(Math.round(s.rate)) : s.rate.toPrecision(2)} a second` : "";
  const left = s.left !== null ? `, ${lasting(s.left)} left` : "";
  return `${stage}${count(s.done)} of ${count(s.parts)} parts${pace}${left}`;
}

function JobList({ jobs }: { jobs: ClusterJob[] }) {
  if (jobs.length === 0) return <div class="card"><p class="muted">No jobs. Begin one with: oxo tournament perfect heuristic random --on ADDRESS</p></div>;
  return (
    <div class="card">
      <h2>Jobs</h2>
      <ul class="shelf whole">
        {jobs.map((j) => (
          <li key={j.id}>
            <a class="plain" href={formatRoute({ page: "cluster", query: { job: j.id } })}>
              {title(j)}<span class="muted"> · {j.priority} priority</span><br />
              <span class="muted">{how(j)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function JobCard({ j, trusted, onEnd }: { j: ClusterJob; trusted: boolean; onEnd: (id: string) => void }) {
  const [sure, setSure] = useState(false);
  const runs = j.state === "running" || j.state === "waiting";
  return (
    <div class="card">
      <h2>{title(j)}</h2>
      <p class={runs ? "statusline" : "statusline ended"}>{capital(how(j))}</p>
      <Announce text={runs ? "" : capital(how(j))} />
      {j.status && j.state === "running" && <progress max={Math.max(1, j.status.parts)} value={j.status.done} aria-label="Parts done" />}
      {j.status?.report.line && runs && <p class="muted">{j.status.report.line}</p>}
      {j.error && <Failure text={j.error} />}
      {j.aside && j.aside.length > 1 && <ul class="muted">{j.aside.map((a) => <li key={a.name}>{a.name}: {a.error}</li>)}</ul>}
      <div class="tablewide">
        <table class="facts">
          <tbody>
            <tr><th scope="row">Name</th><td><code>{j.id}</code></td></tr>
            <tr><th scope="row">Priority</th><td>{j.priority}</td></tr>
            <tr><th scope="row">Seed</th><td>{j.job.seed}</td></tr>
            <tr><th scope="row">Submitted</th><td>{new Date(j.created).toLocaleString("en-GB")}</td></tr>
            {j.ended && <tr><th scope="row">Ended</th><td>{new Date(j.ended).toLocaleString("en-GB")}</td></tr>}
          </tbody>
        </table>
      </div>
      {j.state === "done" && <p class="muted">Fetch what came of it with: <code>oxo jobs result {j.id} --out FOLDER</code></p>}
      {runs && trusted && (
        <div class="row">
          {sure
            ? <><button type="button" class="primary" onClick={() => onEnd(j.id)}>Cancel it for good</button><button type="button" onClick={() => setSure(false)}>Let it go on</button></>
            : <button type="button" onClick={() => setSure(true)}>Cancel…</button>}
        </div>
      )}
      {runs && !trusted && <p class="muted">It can be cancelled on the server's own machine, or with: oxo jobs cancel {j.id}</p>}
    </div>
  );
}

const levels = ["high", "normal", "low"];

function Workers({ list, view }: { list: ClusterWorker[]; view: ClusterView }) {
  const workers = list.filter((w) => w.slots > 0);
  const q = view.snapshot.queue;
  return (
    <>
      <div class="card">
        <h2>Workers</h2>
        {workers.length === 0 && <p class="muted">None. Start one, here or elsewhere, with: oxo worker</p>}
        {workers.length > 0 && (
          <ul class="shelf whole">
            {workers.map((w) => (
              <li key={w.id}>
                <span class="plain">
                  <span>{w.host}<span class="muted"> · {w.slots === 1 ? "one part" : `${count(w.slots)} parts`} at once</span></span>
                  <span class="muted">{w.trouble ? w.trouble : `${w.parts === 1 ? "one part" : `${count(w.parts)} parts`} done${w.failed > 0 ? `, ${count(w.failed)} failed` : ""}`}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="card">
        <h2>Queue</h2>
        <div class="tablewide">
          <table>
            <thead><tr><th scope="col">Priority</th><th scope="col">Waiting</th><th scope="col">Under way</th></tr></thead>
            <tbody>
              {levels.map((p) => <tr key={p}><th scope="row">{p}</th><td>{count(q.waiting[p] ?? 0)}</td><td>{count(q.underway[p] ?? 0)}</td></tr>)}
            </tbody>
          </table>
        </div>
      </div>
    </>
  );
}

// The page to watch a program learn on.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { message } from "./api";
import { BrainView } from "./brainview";
import { brainName, capital } from "./catalogue";
import { Curves } from "./curves";
import { Icon } from "./icons";
import { dropJob, jobDo, jobFile, jobs, over } from "./job";
import { LearnerChoice, Options, parseLearner, Save, spell, valueOf, whatFor } from "./learner";
import { formatRoute, go } from "./link";
import { Announce, Card, Choice, Entry, Failure, Field, Lost, Sure } from "./parts";
import { Share } from "./share";
import { Emblem, Starter } from "./starters";
import { chosen, type Pending } from "./setup";
import { GameChoice, SpecChoice } from "./setup";
import { named, say } from "./text";
import { noGame, notFound } from "./title";
import { type Basis, type Catalogue, catalogue, emptied, insideOf, type LearnerForm, type Line, lineOf, type Measured, saveBrain, setPace, type Setting, startTraining, stateName, type TrainArgs, type Training, useTraining } from "./train";
import { useBrains, useGames, useLatest, useTitleOf, useTitles, useWrong } from "./use";
import { when } from "./words";

// paces are how fast a training may go, in exams a second.
const paces: [string, string][] = [["0", say("as fast as it goes")], ...[20, 5, 1].map((n): [string, string] => [`${n}`, say("exams a second", { n })])];

// inside stands for all that a learner has inside, as a measure.
const inside = "inside";

export function Learn({ query }: { query: Record<string, string> }) {
  const spec = query.game || "ttt";
  useTitleOf(say("learn"), query.job ? "" : query.game);
  const also = (query.also ?? "").split(",").filter((id) => id);
  const set = (more: Record<string, string>, replace = true) => go({ page: "learn", query: { ...query, game: spec, ...more } }, replace);
  const list = useLatest("trainings", () => jobs<Training>("train").then((r) => r.jobs));
  const known = useGames();
  const chosen = query.job ?? "";
  const opened = (t: Training) => {
    list.again();
    set({ game: t.game, job: t.id, also: chosen ? [chosen, ...also].slice(0, 4).join(",") : "", measure: query.measure ?? "", at: "" }, false);
  };
  return (
    <div class="page two wide">
      <section class="main-part" aria-label={say("learning")}>
        <h1>{say("watch it learn")}</h1>
        {chosen ? <Course id={chosen} also={also.filter((id) => id !== chosen).slice(0, 4)} measure={query.measure ?? ""} at={query.at ?? ""}
            onSet={set} onChange={list.again} onGone={() => { list.again(); set({ job: "", also: "", measure: "", at: "" }); }} key={chosen} />
          : <Begin spec={spec} onStarted={opened} />}
      </section>
      <section class="side-part" aria-label={say("setup and trainings")}>
        <Setup spec={spec} known={known} query={query} onSet={set} onGame={(g) => set({ game: g })} onStarted={opened} />
        <Trainings list={list.data ?? []} error={list.error} onAgain={list.again} chosen={chosen} also={also} onOpen={(t) => set({ game: t.game, job: t.id, also: "", at: "" }, false)}
          onCompare={(id, on) => set({ also: (on ? [...also, id] : also.filter((o) => o !== id)).join(",") })} />
      </section>
    </div>
  );
}

// ready are trainings that one press starts, each another way to learn.
const ready: { of: "boxes" | "table" | "weights"; title: string; text: string; args: TrainArgs; pace: number; seed?: number }[] = [
  { of: "boxes", title: say("matchboxes and beads"), text: say("michie's menace plays itself"), args: { learner: "menace", against: "itself", games: 10_000, exam_every: 100 }, pace: 20, seed: 1 },
  { of: "boxes", title: say("menace as in 1961"), text: say("michie's own rewards"), args: { learner: "menace:as=michie", against: "optimal", seats: "first", games: 1000, exam_every: 10 }, pace: 20 },
  { of: "table", title: say("from nothing by itself"), text: say("q learning plays both"), args: { learner: "q", against: "itself", games: 20_000, exam_every: 200 }, pace: 20 },
  { of: "weights", title: say("a few weights"), text: say("temporal differences weigh what"), args: { learner: "td", against: "itself", games: 5000, exam_every: 50 }, pace: 20 },
];

// Begin is what is there before a training is chosen.
function Begin({ spec, onStarted }: { spec: string; onStarted: (t: Training) => void }) {
  const [error, setError] = useState("");
  const start = (r: (typeof ready)[number]) => startTraining({ game: "ttt", pace: r.pace, args: r.args, seed: r.seed }).then(onStarted, (e) => setError(message(e)));
  return (
    <>
      <p class="lead">{say("a learner begins")}</p>
      <Failure text={error} />
      <h2>{say("watch one")}</h2>
      <ul class="starters">{ready.map((r) => <Starter key={r.title} picture={<Emblem of={r.of} />} title={r.title} text={r.text} onStart={() => start(r)} />)}</ul>
      <h2>{say("take part")}</h2>
      <ul class="starters">
        <Starter picture={<Emblem of="drawer" />} title={say("teach one yourself")} text={say("play it and see")} href={formatRoute({ page: "teach", query: { game: spec } })} />
        <Starter picture={<Emblem of="constants" />} title={say("weger's laboratory")} text={say("six constants find their")} href={formatRoute({ page: "weger", query: {} })} />
      </ul>
    </>
  );
}

// Course is one training: its controls, its curve, its brain.
function Course({ id, also, measure, at, onSet, onChange, onGone }: { id: string; also: string[]; measure: string; at: string; onSet: (more: Record<string, string>) => void; onChange: () => void; onGone: () => void }) {
  const main = useTraining(id);
  const others = [useTraining(also[0] ?? ""), useTraining(also[1] ?? ""), useTraining(also[2] ?? ""), useTraining(also[3] ?? "")];
  const [error, setError] = useWrong(main.lost);
  const [said, setSaid] = useState("");
  const j = main.job;
  const { learner, options } = parseLearner(j?.args?.learner ?? "");
  useTitleOf(say("learn"), j?.game, learner);
  const titleOf = useTitles([j?.game ?? ""]);
  const state = j?.state;
  useEffect(() => {
    if (state && over(state)) onChange(); // the list says so too
  }, [state]);
  const attempt = (task: Promise<unknown>, done = "") => task.then(() => { setError(""); setSaid(done); }, (e) => { setError(message(e)); setSaid(""); });
  const all = [main, ...others].filter((t) => t.job);
  const version = all.map((t) => `${t.job!.id}:${t.version}`).join();
  const names = main.measured.names;
  const within = insideOf(main.measured);
  const now = names.includes(measure) ? measure : measure === inside ? inside : usual(main.measured, j?.args);
  const lines = useMemo(() => {
    if (now === inside) return within.map((k): Line => lineOf(main.measured, k, measureName(names[k]!)));
    const label = (t: Training, i: number) => say("learner against", { learner: t.args?.learner ?? say("learner"), against: t.args?.against ?? say("itself"), which: all.some((o, k) => k !== i && o.job!.args?.learner === t.args?.learner && o.job!.args?.against === t.args?.against) ? `, ${i + 1}` : "" });
    return all.flatMap((t, i) => {
      const k = t.measured.names.indexOf(now);
      return k < 0 ? [] : [lineOf(t.measured, k, label(t.job!, i))];
    });
  }, [version, now]);
  const most = Math.max(1, ...all.map((t) => (over(t.job!.state) ? 0 : t.job!.args?.games ?? 0)), ...lines.map((l) => l.xs[l.xs.length - 1] ?? 0));
  const brains = (j?.brains ?? []).filter((b) => b.run === 1);
  const kept = brains.find((b) => String(b.games) === at);
  const offer = useLatest(j ? "learners " + j.game : "", async () => (j ? catalogue(j.game) : null));
  const empty = offer.data?.learners.find((l) => l.name === learner)?.settings.find((s) => s.key === "empty");
  const resigned = empty && valueOf(empty, options) === "resign" ? emptied(main.measured) : null;
  const alive = brains.length > 0 || j?.state === "running" && main.measured.runs.size > 0; // else there is no brain to ask for
  const brain = kept ? kept.brain : brains.length > 0 && j && over(j.state) ? brains[brains.length - 1]!.brain : `${id}/1`;
  // What a class is led through are the states that are kept, and the learner as it is where it still learns.
  const stops = [...brains.map((b) => String(b.games)), ...(j && over(j.state) && brains.length > 0 ? [] : [""])];
  const stop = kept ? stops.indexOf(at) : stops.length - 1;
  const games = Number(stops[stop] || j?.done);
  const states = { step: stop, end: stops.length - 1, to: (n: number) => onSet({ at: stops[n] ?? "" }), name: games === 0 ? say("the beginning untaught") : say("n games", { n: games }) };
  if (!j) return <div class="tall"><Failure text={main.error} missing={notFound(!main.lost, say("training"))}><button type="button" onClick={onGone}>{say("choose another")}</button></Failure></div>;
  return (
    <>
      <p class="statusline">{say("learner on game against", { learner: j.args?.learner ?? "", game: titleOf(j.game), against: j.args?.against ?? say("itself"), state: stateName[j.state] })}</p>
      <p class="muted steady">{j.line || say("n games to play", { games: j.args?.games ?? 0 })}</p>
      <progress class="wide-bar" value={j.done} max={Math.max(1, j.total)} aria-label={say("games played")} />
      <Announce text={stateName[j.state]} />
      <Failure text={j.error ?? ""} />
      <Failure text={error} />
      <Lost lost={main.lost && !over(j.state)} so={say("the training goes on")} />
      <div class="row actions">
        {j.state === "paused" || j.state === "cancelled" ? <button type="button" class="primary" disabled={!j.mine} onClick={() => attempt(jobDo<Training>(id, "resume").then((t) => { main.set(t); main.again(); onChange(); }))}>{say("resume")}</button>
          : <button type="button" disabled={!j.mine || (j.state !== "running" && j.state !== "queued")} onClick={() => attempt(jobDo<Training>(id, "pause").then(main.set))}>{say("pause")}</button>}
        <button type="button" disabled={!j.mine || over(j.state)} onClick={() => attempt(jobDo<Training>(id, "cancel").then(main.set))}>{say("stop")}</button>
        <label class="inline">{say("speed")}
          <select id="speed" value={String(j.pace)} disabled={!j.mine || over(j.state)} onChange={(e) => attempt(setPace(id, Number(e.currentTarget.value)).then(main.set))}>
            {!paces.some(([v]) => v === String(j.pace)) && <option value={String(j.pace)}>{say("exams a second", { n: j.pace })}</option>}
            {paces.map(([v, name]) => <option value={v} key={v}>{name}</option>)}
          </select>
        </label>
        {j.mine && <Sure name={say("delete")} question={say("delete it for good")} yes={say("yes delete")} onYes={() => attempt(dropJob(id).then(onGone))} />}
      </div>
      {names.length === 0 && !over(j.state) || !offer.data && !offer.error ? <p class="tall muted">{say("nothing measured yet")}</p> : <>
      <div class="card">
        <Choice id="measure" label={say("measure")} value={now} options={names.map((n) => [n, capital(measureName(n))])} onChange={(measure) => onSet({ measure })}>
          {names.length === 0 && <option value={now}>{say("nothing measured yet")}</option>}
          {within.length > 0 && <option value={inside}>{say("what it has inside", { inner: inner(main.measured) })}</option>}
        </Choice>
        <p class="muted meaning">{meaning(now, main.measured)}</p>
        {resigned !== null && <p class="lost">{say("its first box is empty", { n: resigned })}</p>}
        <Curves lines={lines} title={now === inside ? capital(inner(main.measured)) : capital(now ? measureName(now) : say("curve"))} of={titleOf(j.game)} most={most} zero={/^(exploitability|mistakes)/.test(now)} version={version + now} meaning={meaning(now, main.measured)} />
        {all.map((t, i) => <Used key={i} learner={t.job!.args?.learner ?? ""} of={offer.data} />)}
        <div class="row">
          {j.files.map((f) => <a class="button" key={f.name} href={jobFile(id, f.name)} download={f.name}>{f.name}</a>)}
          <Share />
        </div>
      </div>
      <Card title={say("inside the learner")}>
        <div class="row">
          <label class="inline">{say("at")}
            <select id="at" value={kept ? at : ""} onChange={(e) => onSet({ at: e.currentTarget.value })}>
              <option value="">{over(j.state) ? say("the end") : say("this moment")}</option>
              {brains.map((b) => <option value={String(b.games)} key={b.games}>{b.games === 0 ? say("the beginning untaught") : say("n games", { n: b.games })}</option>)}
            </select>
          </label>
          {alive && <>
            <a class="button" href={formatRoute({ page: "play", query: { game: j.game, first: "human", second: `brain:${brain}` } })}>{say("play against it first")}</a>
            <a class="button" href={formatRoute({ page: "play", query: { game: j.game, first: `brain:${brain}`, second: "human" } })}>{say("play against it second")}</a>
          </>}
        </div>
        {alive && <BrainView spec={j.game} brain={brain} version={kept || over(j.state) ? "kept" : String(j.done)} states={states} />}
        {!alive && <p class="muted">{say("it has learned nothing yet")}</p>}
        {alive && j.mine && <Save onSave={(name) => attempt(saveBrain(id, brain, name), say("saved as name", { name }))} said={said} what={kept ? brainName(kept.brain) : say("the learner as it is")} />}
      </Card>
      </>}
    </>
  );
}

// Used says with which options a learner trains, given and usual ones: those first that are not the usual ones.
function Used({ learner: text, of }: { learner: string; of: Catalogue | null }) {
  const { learner, options } = parseLearner(text);
  const kind = of?.learners.find((l) => l.name === learner);
  if (!kind) return null;
  const [changed, usual] = [true, false].map((other) => kind.settings.filter((s) => (valueOf(s, options) !== s.value) === other)) as [Setting[], Setting[]];
  const line = (s: Setting) => `${capital(s.about ?? s.key)}: ${valueOf(s, options)}`;
  return (
    <details class="used-options">
      <summary class="muted">{say("options of name", { name: learner, usual: changed.length === 0 })}</summary>
      <ul class="muted">{changed.map((s) => <li key={s.key}><strong>{line(s)}</strong></li>)}{usual.map((s) => <li key={s.key}>{line(s)}</li>)}</ul>
    </details>
  );
}

const beaded = (m: Measured): boolean => m.bases.some((b) => b.of === "beads");

const inner = (m: Measured): string => (beaded(m) ? say("beads in the first box") : say("weights"));

// measureName is what the page calls a measure, which data names: of an exam, beads of a move, or a weight.
function measureName(name: string): string {
  const [, of, seat, against] = /^(.+) as (first|second)(?: against (.+))?$/.exec(name) ?? [];
  const move = /^beads on (.+)$/.exec(name)?.[1];
  if (move) return say("beads on", { move });
  if (!of) return named("feature", name);
  return say("measure of", { of: measured[of]?.() ?? of, second: seat === "second", against: against === "the best response" ? say("the best response") : against });
}

const measured: Record<string, () => string> = {
  "% won": () => say("percent won"), "% lost": () => say("percent lost"), "% not lost": () => say("percent not lost"), "% score": () => say("percent score"),
  exploitability: () => say("exploitability"), mistakes: () => say("mistakes measured"),
};

// meaning explains a measure.
function meaning(measure: string, m: Measured): string {
  if (measure === inside) return beaded(m) ? say("how many beads") : say("the weights");
  const basis: Basis | undefined = m.bases[m.names.indexOf(measure)];
  switch (basis?.of) {
    case "exam": {
      const second = / as second\b/.test(measure);
      if (measure.startsWith("exploitability")) return say("what it loses seat", { second });
      if (measure.startsWith("mistakes")) return say("in how many positions", { second });
      return say("exact no games are sampled", { second, best: measure.includes("best response") });
    }
    case "games": return say("a sample of games", { n: basis.size ?? 0 });
    case "positions": return say("a sample of positions", { n: basis.size ?? 0 });
    case "loss": return say("how wrong it was");
    case "rules": return say("how many rules");
  }
  return "";
}

// usual is the measure that is shown unless another is chosen.
function usual(m: Measured, args?: TrainArgs): string {
  const seat = args?.seats === "second" ? "second" : "first";
  return m.names.find((n) => n === "exploitability as " + seat) ?? m.names.find((_, k) => m.bases[k]?.size) ?? (insideOf(m).length > 0 ? inside : m.names[0] ?? "");
}

// fields are the setup of a training; the learner is a name with the options that are not the usual ones.
const fields = ["learner", "against", "seats", "start", "games", "exam", "runs", "pace"] as const;
type Form = Record<(typeof fields)[number], string>;

// formOf is what a link says of the setup.
const formOf = (query: Record<string, string>): Partial<Form> => Object.fromEntries(fields.filter((f) => query[f]).map((f) => [f, query[f]!]));

// usualForm is the setup where the link says nothing: what the server calls usual, so that it trains what the command line does.
function usualForm(c: Catalogue | null, kind?: LearnerForm, games?: string): Form {
  const { against = "", games: many = 0, runs = 1, exams = 1 } = c?.usual ?? {};
  return { learner: "menace", against, seats: c?.seats[0]?.spec ?? "", start: kind?.start ?? "", games: many ? String(many) : "", exam: many ? String(Math.max(1, Math.floor(Number(games ?? many) / exams))) : "", runs: String(runs), pace: "20" };
}

// startName says how games begin that begin after random moves.
function startName(spec: string): string {
  const [, from, to] = /^empty\+(\d+)(?:-(\d+))?$/.exec(spec) ?? [];
  return from ? say("at the start after random moves", { from, to: to ?? false }) : spec;
}

interface SetupProps { spec: string; known: ReturnType<typeof useGames>; query: Record<string, string>; onSet: (more: Record<string, string>) => void; onGame: (spec: string) => void; onStarted: (t: Training) => void }

function Setup({ spec, known, query, onSet, onGame, onStarted }: SetupProps) {
  const offer = useLatest("learners " + spec, () => catalogue(spec));
  const [said, setForm] = useState(() => formOf(query));
  useEffect(() => setForm(formOf(query)), [fields.map((f) => query[f] ?? "").join("\n")]); // a link may have brought another
  const { learner, options } = parseLearner(said.learner ?? usualForm(null).learner);
  const [opened] = useState(Object.keys(options).length > 0); // what a link brought is to be seen
  const [error, setError] = useState({ text: "", field: "" });
  const [busy, setBusy] = useState(false);
  const c = offer.data;
  const able = c?.learners.filter((l) => !l.refused) ?? [];
  // What a link names stays, for the server to refuse; else what the game has.
  const kind: LearnerForm | undefined = able.find((l) => l.name === learner) ?? (query.learner ? undefined : able[0]);
  const unable = query.learner ? whatFor(c, learner) : "";
  const brains = useBrains(spec);
  const shelves = [{ name: "", offers: (c?.against ?? []).map((o) => ({ spec: o.spec, name: `${o.spec}: ${o.about}` })) }, { name: say("learned here"), offers: brains }];
  const usually = usualForm(c, kind, said.games);
  const form: Form = { ...usually, ...said };
  const opponent = form.against;
  const about = c?.against.find((o) => o.spec === opponent)?.about;
  const given = kind?.name === learner ? options : {};
  // A field that is being typed may be empty; the link keeps what it was.
  const put = (more: Partial<Form>) => {
    setForm({ ...said, ...more });
    onSet(Object.fromEntries(Object.entries(more).flatMap(([f, v]) => (v ? [[f, v === usually[f as keyof Form] ? "" : v]] : []))));
  };
  const pending: Pending = useRef(null);
  const [wanted, setWanted] = useState(false);
  useEffect(() => { // once what there is for the game that was chosen is known
    if (!wanted || !offer.current) return;
    setWanted(false);
    void start();
  }, [wanted, offer.current]);
  const start = async () => {
    if (!kind || !c || busy) return;
    const text = spell(kind, given, ["features"]);
    setBusy(true);
    try {
      onStarted(await startTraining({ game: spec, pace: c.exact ? Number(form.pace) : 0, args: {
        learner: text, against: opponent, games: Number(form.games), runs: Number(form.runs), seats: form.seats, start: said.start,
        ...(c.exact ? { exam_every: Number(form.exam) } : {}),
      } }));
      setError({ text: "", field: "" });
    } catch (e) {
      setError({ text: message(e), field: (e as { field?: string }).field ?? "" });
    }
    setBusy(false);
  };
  const bad = (name: string) => error.field === "args." + name;
  const starts = (c?.starts ?? []).map((o): [string, string] => [o.spec, o.spec === "empty" ? say("at the start") : `${o.spec}: ${o.about}`]);
  if (!starts.some(([spec]) => spec === usually.start)) starts.unshift([usually.start, startName(usually.start)]);
  const choice = (id: keyof Form, label: string, list: [string, string][], value = form[id]) => (
    <Choice id={id} label={label} value={value} options={list} invalid={bad(id)} onChange={(v) => put({ [id]: v })} below={<Whole text={list.find(([v]) => v === value)?.[1] ?? ""} always={false} />}>
      {!list.some(([v]) => v === value) && <option value={value}>{value}</option>}
    </Choice>
  );
  const numeral = (id: keyof Form, label: string, max: number, wrong = bad(id)) => (
    <Field id={id} label={label}>
      <input id={id} type="number" inputMode="numeric" min={1} max={max} required value={form[id]} aria-invalid={wrong} onInput={(e) => put({ [id]: e.currentTarget.value })} />
    </Field>
  );
  return (
    <Card title={say("a new training")}>
      <GameChoice id="game" known={known} spec={spec} pending={pending} onChoose={onGame} />
      <Failure text={offer.error} missing={noGame(offer, spec)} again={offer.again} />
      <form onSubmit={(e) => { e.preventDefault(); void chosen(pending, spec).then((game) => setWanted(game !== "")); }} class="setup">
        <LearnerChoice of={c} kind={kind} unable={unable && learner} invalid={unable !== "" || bad("learner")} onChoose={(learner) => put({ learner })}
          below={unable ? <Failure text={unable} /> : <Whole text={kind ? `${kind.name}: ${kind.about}` : ""} always />} />
        <Options kind={kind} given={given} open={opened} onSpell={(learner) => put({ learner })} />
        <Field id="against" label={say("opponent")}>
          {c ? <SpecChoice id="against" label={say("opponent")} shelves={shelves} forms={known?.players ?? []} spec={opponent} invalid={bad("against")} atOnce onChoose={(v) => put({ against: v })} />
            : <select id="against" value={opponent}><option>{opponent || "…"}</option></select>}
          <Whole text={about ? `${opponent}: ${about}` : ""} always />
        </Field>
        <div class="pair">
          {choice("seats", say("its side"), [["alternate", say("both in turn")], ["first", say("first")], ["second", say("second")]])}
          {choice("start", say("games begin"), starts)}
        </div>
        <div class="pair">
          {numeral("games", say("games"), 100_000_000)}
          {numeral("runs", say("runs side by side"), 1000)}
        </div>
        {(!c || c.exact) && (
          <>
            {numeral("exam", say("exam every games"), 100_000_000, bad("exam_every"))}
            {choice("pace", say("speed"), paces)}
          </>
        )}
        {c && !c.exact && <p class="muted">{say("too many positions for exact exams")}</p>}
        <Failure text={error.text} />
        <div class="row"><button type="submit" class="primary" disabled={!kind} aria-disabled={busy}>{say("start")}</button></div>
      </form>
    </Card>
  );
}

// fits is how many letters a select shows on most screens.
const fits = 36;

// Whole repeats what a select may cut. Where it always has its place, nothing
// moves when another is chosen.
const Whole = ({ text, always }: { text: string; always: boolean }) => (always || text.length > 18 ? <p class={`muted hint break ${always ? "whole" : ""}`}>{text.length > fits ? text + "." : ""}</p> : null);

function Trainings({ list, error, onAgain, chosen, also, onOpen, onCompare }: { list: Training[]; error: string; onAgain: () => void; chosen: string; also: string[]; onOpen: (t: Training) => void; onCompare: (id: string, on: boolean) => void }) {
  const titleOf = useTitles(list.map((t) => t.game));
  if (list.length === 0 && !error) return null;
  return (
    <Card title={say("your trainings")}>
      <Failure text={error} again={onAgain} />
      <ul class="shelf">
        {list.map((t) => {
          const name = say("learner on game against", { learner: t.args?.learner ?? "", game: titleOf(t.game), against: t.args?.against ?? say("itself"), state: "" });
          const made = when(t.made);
          const beside = also.includes(t.id);
          return (
            <Entry key={t.id} current={t.id === chosen} name={name} about={`${say("n games", { n: t.args?.games ?? 0 })}, ${made}`} onOpen={() => onOpen(t)}>
              {chosen && t.id !== chosen && (
                <button type="button" class="compare-button" aria-pressed={beside} aria-label={say("compare with name made", { name, made })} onClick={() => onCompare(t.id, !beside)}>{beside ? <Icon name="close" /> : say("compare")}</button>
              )}
            </Entry>
          );
        })}
      </ul>
    </Card>
  );
}

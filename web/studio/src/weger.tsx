// Weger's laboratory: a learner and a player with fixed constants at the meta board,
// move by move, with the constants of both in view and in reach.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { choose, game, type Info, message, standings, startTournament, type State, type Tournament } from "./api";
import { capital } from "./catalogue";
import { Contents, Fold, ToTop, usePart } from "./contents";
import { Curves } from "./curves";
import { pause, untilOver } from "./effect";
import { useJob } from "./job";
import { formatRoute, go } from "./link";
import { Announce, Card, Choice, Command, Failure, Rules, Segmented, Table, TakeBack } from "./parts";
import { addPupil, adjust, again, brainFile, type Change, pupils, rowsOf, type Taking, teach, type Term } from "./pupils";
import { type Class, LessonBoard, Strip, Tally, useClass } from "./teaching";
import { say, show } from "./text";
import { catalogue, type Line } from "./train";
import { onItsWay, useLatest, usePosition, useTried } from "./use";
import { figures, side, status } from "./words";

const spec = "meta";
const seriesLength = 20;
const features = ["boards", "centres", "corners", "sides", "blocks", "potentials"];

// constants are sets by name.
const sets: [string, string][] = [["3/1/0.5/0.5/0.5/0.5", say("3 1 ½ ½ ½ ½")], ["3/2/0.5/0.5/0.5/0.5", say("3 2 ½ ½ ½ ½")], ["1/1/1/1/1/1", say("all ones")], ["3.074038/1.049451/0.767944/0.605861/0.281883/0.220823", say("the author's best")]];

// rules are learners with their names here.
const rules: [string, string][] = [["td-leaf", say("weger's rule")], ["td-leaf:bug=published", say("weger's rule as published")], ["td-leaf:rule=textbook", say("the textbook's rule")], ["td-leaf:rule=tdleaf", say("tdleaf λ")], ["td:features=weger", say("temporal differences one move ahead")], ["lms:features=weger", say("least mean squares")], ["evolve:features=weger", say("weights that are bred")]];

const paces: [string, string][] = [["key", say("by a key or button")], ["1500", say("a move every 1")], ["500", say("two moves a second")], ["100", say("ten moves a second")], ["game", say("game by game")]];

const numbers = (text: string): number[] => text.split("/").map(Number);
const staticOf = (weights: number[], depth: string): string => `static:weights=${weights.map((w) => String(w)).join("/")},depth=${depth}`;

type Mode = "watch" | "learner" | "static";

// learnerOf is the learner's spec with how far it looks ahead, where it searches.
const learnerOf = (rule: string, ahead: string): string => (rule.startsWith("td-leaf") && ahead !== "3" && !rule.includes("depth=") ? `${rule}${rule.includes(":") ? "," : ":"}depth=${ahead}` : rule);

// unbegun is a series that the server knows nothing of yet: the first thing that is done
// to it begins it.
const unbegun = (learner: string, state: State): Taking => ({
  id: "", game: spec, learner, seats: "first", seed: 1, made: "", mine: true, games: 0, head: 0, wins: 0, draws: 0, losses: 0, results: "",
  lesson: { features, weights: [features.map(() => 1)], state, start: state.position, moves: [], steps: [], owned: [], ply: 0, over: false, resigned: false, result: "*", seat: "first" },
});

// parts are those to which the contents lead: three of the games, and the players'.
const parts = [
  { id: "constants", name: say("its constants move by move") }, { id: "measure", name: say("the honest measure") }, { id: "printed", name: say("the printed figure") },
  { id: "learner-set-up", name: capital(say("the learner")) }, { id: "fixed-player", name: say("the fixed player") }, { id: "rules", name: say("the game") },
];

export function Weger({ query }: { query: Record<string, string> }) {
  const set = (more: Record<string, string>, replace = true) => go({ page: "weger", query: { ...query, ...more } }, replace);
  const info = useLatest("game " + spec, () => game(spec)).data;
  const start = usePosition({ game: spec, moves: [] });
  const c = useClass(query.pupil ?? "");
  const [fixed, setFixed] = useState(() => numbers(query.static || sets[0]![0]));
  const depth = query.depth || "3";
  const mode = (query.mode as Mode) || "watch";
  const other = staticOf(fixed, depth);
  const [typed, setTyped] = useState("");
  const [error, attempt] = useTried();
  const rule = query.rule || rules[0]![0];
  const learner = learnerOf(rule === "typed" ? typed.trim() : rule, query.ahead || "3");
  const p = c.p ?? (!query.pupil && start.data ? unbegun(learner, start.data.state) : null);
  const begun = useRef(""); // the series that was begun while it was shown
  const begin = (more: Record<string, string>) => attempt(async () => {
    const made = await addPupil({ game: spec, learner, seats: "first", seed: 1 });
    if (made.lesson.features.length === 0) throw new Error(say("learner has no weights", { learner }));
    if (!query.pupil) begun.current = made.id;
    c.set(made);
    set({ pupil: made.id, ...more }, false);
    return made;
  });
  usePart(query.part, Boolean((p && info) || mode === "static"));
  return (
    <div class="page two wide">
      <section class="main-part" aria-label={say("laboratory")}>
        <h1>{say("weger's laboratory")}</h1>
        <Contents page="weger" query={query} parts={[...(mode === "static" ? [] : parts.slice(0, 3)), ...parts.slice(3)]} />
        {mode === "static" ? <Against player={other} /> : <>
          {!p?.id && <p class="lead">{say("a learner with six")}</p>}
          <Failure text={error || c.error || start.error} again={c.error ? c.clear : undefined} />
          {p && info && <Series key={p.id === begun.current ? "" : p.id} c={c} p={p} info={info} other={other} mode={mode} query={query} onBegin={() => begin({})} onSet={set} />}
          {!(p && info) && <div class="waiting tall" />}
          {p && info && <Printed onSetUp={() => { setFixed(numbers(sets[0]![0])); go({ page: "weger", query: { rule: rules[1]![0], pace: "game" } }, false); scrollTo(0, 0); }} />}
        </>}
      </section>
      {((p && info) || mode === "static" || c.error || start.error) && <section class="side-part" aria-label={say("players")}>
        <Card title={say("who plays")}>
          <Segmented label={say("who plays")} value={mode} options={[["watch", say("learner fixed")], ["learner", say("learner you")], ["static", say("you fixed")]]} onChange={(m) => set({ mode: m === "watch" ? "" : m })} />
        </Card>
        <Learner c={c} p={p} rule={rule} typed={typed} onType={setTyped} query={query} onBegin={begin} onSet={set} />
        <Fold id="fixed-player" title={say("the fixed player")}>
          <Choice id="set" label={say("its constants")} value={sets.find(([v]) => v === fixed.join("/"))?.[0] ?? ""} options={sets} onChange={(v) => { setFixed(numbers(v)); set({ static: v }); }}>
            {!sets.some(([v]) => v === fixed.join("/")) && <option value="">{say("as set below")}</option>}
          </Choice>
          <Sliders id="fixed" names={features} values={fixed} onChange={setFixed} onDone={(w) => set({ static: w.join("/") })} />
          <Depth id="depth" label={say("plies that it looks ahead")} value={depth} onChange={(d) => set({ depth: d === "3" ? "" : d })} />
        </Fold>
        {info && <Fold id="rules" title={say("the game")}><Rules info={info} /></Fold>}
        <ToTop />
      </section>}
    </div>
  );
}

const Depth = ({ id, label, value, onChange }: { id: string; label: string; value: string; onChange: (d: string) => void }) => (
  <Choice id={id} label={label} value={value} options={["1", "2", "3", "4"].map((d) => [d, d])} onChange={onChange} />
);

// Sliders are constants that can be changed.
function Sliders({ id, names, values, disabled, onChange, onDone }: { id: string; names: string[]; values: number[]; disabled?: boolean; onChange: (w: number[]) => void; onDone: (w: number[]) => void }) {
  const put = (i: number, text: string, done: boolean) => {
    const v = Number(text);
    if (text === "" || !Number.isFinite(v)) return;
    const next = values.map((w, k) => (k === i ? v : w));
    onChange(next);
    if (done) onDone(next);
  };
  return (
    <table class="constants">
      <tbody>
        {names.map((name, i) => {
          const v = Math.round((values[i] ?? 0) * 1000) / 1000;
          return (
            <tr key={name}>
              <th scope="row"><label for={`${id}-${i}`}>{name}</label></th>
              <td><input id={`${id}-${i}`} type="range" min={Math.min(-1, v)} max={Math.max(6, v)} step="0.01" value={v} disabled={disabled} onInput={(e) => put(i, e.currentTarget.value, false)} onChange={(e) => put(i, e.currentTarget.value, true)} /></td>
              <td><input type="number" aria-label={say("name as a number", { name })} step="0.01" value={v} disabled={disabled} onChange={(e) => put(i, e.currentTarget.value, true)} /></td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface LearnerProps { c: Class; p: Taking | null; rule: string; typed: string; query: Record<string, string>; onType: (text: string) => void; onBegin: (more: Record<string, string>) => Promise<Taking | null>; onSet: (more: Record<string, string>, replace?: boolean) => void }

// Learner is who learns, with its constants.
function Learner({ c, p, rule, typed, query, onType, onBegin, onSet }: LearnerProps) {
  const offer = useLatest("learners " + spec, () => catalogue(spec)).data;
  const known = useLatest("pupils " + spec, () => pupils(spec).then((r) => r.pupils));
  const pending = useRef<Change | null>(null);
  const [moved, setMoved] = useState<number[] | null>(null); // while a slider moves
  useEffect(() => { if (p?.results) known.again(); }, [p?.results]);
  const now = p?.lesson.weights[p.lesson.weights.length - 1] ?? [];
  const flush = async (change: Change) => {
    pending.current = { ...pending.current, ...change };
    if (!c.latest() && !(await onBegin({}))) pending.current = null;
    else await c.insist(async () => {
      const at = c.latest()!, wanted = pending.current;
      pending.current = null;
      return wanted ? adjust(at.lesson.over ? await again(at.id) : at, wanted) : at;
    });
    setMoved(null);
  };
  const ahead = p?.lesson.depth ? String(p.lesson.depth) : query.ahead || "3";
  const look = (d: string) => {
    onSet({ ahead: d === "3" ? "" : d });
    if (p?.id && p.mine && p.lesson.depth) void flush({ depth: Number(d) });
  };
  return (
    <Fold id="learner-set-up" title={capital(say("the learner"))}>
      <Choice id="rule" label={say("who learns")} value={rule} onChange={(v) => onSet({ rule: v === rules[0]![0] ? "" : v })}
        options={[...rules.filter(([v]) => !offer || offer.learners.some((l) => l.name === v.split(":")[0] && !l.refused)), ["typed", say("another one typed")]]} />
      {rule === "typed" && <div class="field"><label for="typed">{say("its spec")}</label><input id="typed" value={typed} placeholder="td-leaf:alpha=0.01" spellcheck={false} autocapitalize="off" autocomplete="off" onInput={(e) => onType(e.currentTarget.value)} /></div>}
      <Depth id="ahead" label={say("plies that it looks ahead")} value={ahead} onChange={look} />
      <div class="row"><button type="button" onClick={() => onBegin({ mode: "" })}>{say("new series")}</button>
        {known.data && known.data.length > 0 && <select class="grow" aria-label={say("series of before")} value={p?.id ?? ""} onChange={(e) => e.currentTarget.value && onSet({ pupil: e.currentTarget.value }, false)}>
          {!p?.id && <option value="">{say("choose a series")}</option>}
          {known.data.map((k) => <option value={k.id} key={k.id}>{k.learner}, {say("n games", { n: k.results.length })}</option>)}
        </select>}
      </div>
      {p && <>
        <p class="muted">{say("learner its", { learner: p.learner })}</p>
        <Sliders id="learner" names={p.lesson.features} values={moved ?? now} disabled={!p.mine} onChange={setMoved} onDone={(weights) => flush({ weights })} />
        <div class="row"><button type="button" disabled={!p.mine} onClick={() => flush({ weights: now.map(() => 1) })}>{capital(say("all ones"))}</button>{p.id && <a class="button" href={brainFile(p.id)} download="weger.brain">{say("its file")}</a>}</div>
      </>}
    </Fold>
  );
}

interface SeriesProps { c: Class; p: Taking; info: Info | null; other: string; mode: Mode; query: Record<string, string>; onBegin: () => Promise<Taking | null>; onSet: (more: Record<string, string>, replace?: boolean) => void }

// Series is the games of a learner, with what they do to its constants.
function Series({ c, p, info, other, mode, query, onBegin, onSet }: SeriesProps) {
  const pace = query.pace || "500";
  const [going, setGoing] = useState(false);
  const rest = useRef({ c, other, pace, mode });
  rest.current = { c, other, pace, mode };
  const { lesson } = p;
  const old = useLatest(`rows ${p.id} ${p.results.length}`, () => (p.results ? rowsOf(p.id) : Promise.resolve({ features: lesson.features, rows: [] })));
  const rows = useMemo(() => [...(old.data?.rows.map((r) => r.weights) ?? []), ...(lesson.over ? [] : lesson.weights)], [old.data, lesson]);
  const lines = useMemo(() => lesson.features.slice(0, 12).map((name, k): Line => ({ name, xs: rows.map((_, i) => i), ys: rows.map((r) => r[k]!) })), [rows]);

  const step = async (whole: boolean): Promise<boolean> => {
    const { c, other } = rest.current;
    if (!c.latest()) {
      const made = await onBegin();
      if (!made || !whole) return made !== null;
    }
    return c.latest() !== null && (await c.insist(() => {
      const now = c.latest()!;
      return now.lesson.over ? again(now.id) : teach(now, { player: other, all: whole });
    })) !== null;
  };
  useEffect(untilOver(async (signal) => {
    for (let began = true; going && !signal.aborted && rest.current.mode === "watch"; began = false) {
      const { pace, c } = rest.current;
      const at = c.latest();
      const whole = at !== null && at.lesson.over && at.results.length > 0 && at.results.length % seriesLength === 0;
      if (pace === "key" || (whole && !began) || !(await step(pace === "game"))) break;
      await pause(pace === "game" ? 60 : Number(pace));
    }
    if (!signal.aborted) setGoing(false);
  }), [going]);
  useEffect(() => {
    setGoing(false);
    if (mode === "learner" && !p.id) void onBegin();
  }, [mode]);
  useLayoutEffect(untilOver((signal) => addEventListener("keydown", (e) => {
    if (e.key !== "n" || e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).closest("input, select, textarea") || rest.current.mode !== "watch") return;
    e.preventDefault();
    void step(false);
  }, { signal })), []);
  const at = info && { info, state: lesson.state, trail: [], owned: lesson.owned, last: lesson.moves[lesson.moves.length - 1] ?? "" };
  const line = lesson.over ? (lesson.result === "draw" ? say("a tie") : say("side wins the", { side: side(info ?? undefined, lesson.result), result: lesson.result === lesson.seat ? "won" : "lost" })) : at ? status(at) : "";
  const game = p.results.length + (lesson.over ? 0 : 1);
  return (
    <>
      <p class={`statusline ${lesson.over ? "ended" : ""}`}>{say("game game of the series", { game, side: side(info ?? undefined, lesson.seat), line })}</p>
      <Announce text={line} />
      {at && <LessonBoard position={at} yours={mode === "learner" && p.mine && !lesson.over} busy={c.busy} path={lesson.moves} label={say("the meta board", { watched: true })} sending={c.sending} onPlay={(move) => c.act(() => teach(p, { move }), move)} />}
      <Failure text={c.error} again={c.waiting ? undefined : c.clear}><TakeBack waiting={c.waiting} onBack={c.back} /></Failure>
      {p.mine && <div class="row actions">
        {mode === "watch" && pace !== "key" && <button type="button" class="primary" onClick={() => setGoing(!going)}>{going ? say("stop") : lesson.ply || p.games ? say("play on") : say("play")}</button>}
        {mode === "watch" && <button type="button" class={pace === "key" ? "primary" : ""} title={say("n")} disabled={going} onClick={() => step(false)}>{lesson.over ? say("next game") : say("one move")}</button>}
        {mode === "watch" && <button type="button" disabled={going || lesson.over} onClick={() => step(true)}>{say("to the end of the game")}</button>}
        {mode === "learner" && (lesson.over ? <button type="button" class="primary" onClick={() => c.act(() => again(p.id))}>{say("next game")}</button> : <button type="button" disabled={c.busy} onClick={() => c.act(() => teach(p, { resign: true }))}>{say("give up")}</button>)}
        {mode === "watch" && <label class="inline">{say("pace")}
          <select id="pace" value={pace} onChange={(e) => onSet({ pace: e.currentTarget.value === "500" ? "" : e.currentTarget.value })}>{paces.map(([v, name]) => <option value={v} key={v}>{name}</option>)}</select>
        </label>}
      </div>}
      <Tally p={p} />
      <Strip results={p.results} />
      <Fold id="constants" fold="no" title={say("its constants move by move")}>
        <p class="muted">{say("n points", { n: rows.length })}</p>
        <Curves lines={lines} title={say("constants over moves")} of={p.learner} unit={say("unit moves")} most={Math.max(10, rows.length - 1)} version={`${p.id} ${rows.length}`} />
      </Fold>
      <Why id="why" title={say("why it played move", { move: lesson.considered?.move ?? "" })} terms={lesson.considered?.terms} />
      <Why id="why-fixed" title={say("why the fixed player moved")} terms={lesson.answered} />
      <Measure p={p} other={other} />
    </>
  );
}

// Printed tells of the published figure and sets its series up.
const Printed = ({ onSetUp }: { onSetUp: () => void }) => (
  <Fold id="printed" title={say("the printed figure")}>
    <p>{say("printed against")}</p>
    <div class="row"><button type="button" onClick={onSetUp}>{say("set up the printed series")}</button><span class="muted">{say("then press play")}</span><a href={formatRoute({ page: "claims", query: { item: "weger-series" } })}>{say("with 3 2")}</a></div>
    <p class="muted break">{show("on the command line", { code: <Command>oxo train td-leaf:bug=published --game meta --seats first --games 20 --against {staticOf(numbers(sets[0]![0]), "3")} --out weger.brain</Command> })}</p>
  </Fold>
);

// Why says why a player chose a move: the features of the position and of the one that it
// looked forward to, times the constants that it had then.
function Why({ id, title, terms }: { id: string; title: string; terms: Term[] | undefined }) {
  if (!terms) return null;
  const sum = (of: "here" | "then") => terms.reduce((s, t) => s + t[of] * t.weight, 0);
  return (
    <Fold id={id} title={title}>
      <p class="muted">{say("features of the position")}</p>
      <Table kind="learned" label={say("features and constants")}
        head={<><th scope="col">{say("feature")}</th><th scope="col" class="right">{say("constant")}</th><th scope="col" class="right">{say("in this position")}</th><th scope="col" class="right">×</th><th scope="col" class="right">{say("expected")}</th><th scope="col" class="right">×</th></>}>
        {terms.map((t) => (
          <tr key={t.feature}><th scope="row">{t.feature}</th><td class="right">{figures(t.weight)}</td><td class="right">{figures(t.here)}</td><td class="right">{figures(t.here * t.weight)}</td><td class="right">{figures(t.then)}</td><td class="right">{figures(t.then * t.weight)}</td></tr>
        ))}
        <tr class="made"><th scope="row">{say("sum")}</th><td /><td /><td class="right">{figures(sum("here"))}</td><td /><td class="right">{figures(sum("then"))}</td></tr>
      </Table>
    </Fold>
  );
}

const measured = 200;

// Measure plays the learner, as it is, from random openings on both sides.
function Measure({ p, other }: { p: Taking; other: string }) {
  const [id, setID] = useState("");
  const [error, attempt] = useTried();
  const { job } = useJob<Tournament>(id, "tournament");
  const table = useLatest(`measure ${id} ${job?.done ?? 0}`, () => (id ? standings(id) : Promise.resolve(null))).data;
  const row = table?.rows.find((r) => r.name.startsWith("brain:"));
  const score = row?.cross.find((s) => s && s.wins + s.draws + s.losses > 0);
  const start = () => attempt(() => startTournament(spec, [`brain:${p.id}/1@${p.games}`, other], measured, 4, "").then((t) => setID(t.id)));
  return (
    <Fold id="measure" title={say("the honest measure")}>
      <p class="muted">{say("one series says little", { measured })}</p>
      <Failure text={error} />
      <div class="row">
        <button type="button" disabled={p.games === 0 || (job !== null && job.state !== "done")} onClick={start}>{say("measure")}</button>
        <span role="status">{id && !score ? say("it plays on") : score ? say("wins won draws tied losses lost", { wins: score.wins, draws: score.draws, losses: score.losses, n: Math.round((1000 * (score.wins + score.draws / 2)) / (score.wins + score.draws + score.losses)) / 10, done: job && job.done < job.total ? job.done : 0 }) : p.games === 0 ? say("it has learned nothing yet") : ""}</span>
        {id && <a class="button" href={formatRoute({ page: "arena", query: { job: id } })}>{say("the games")}</a>}
      </div>
    </Fold>
  );
}

// Against is a game of a person against the fixed player, as its constants are at
// each move.
function Against({ player }: { player: string }) {
  const [moves, setMoves] = useState<string[]>([]);
  const [seat, setSeat] = useState("first");
  const [error, setError] = useState("");
  const [last, setLast] = useState<{ move: string; terms?: Term[] }>({ move: "" }); // of the fixed player
  const loaded = usePosition({ game: spec, moves });
  const p = loaded.data;
  const yours = Boolean(p && loaded.current && p.state.result === "*" && p.state.turn === seat);
  const sending = onItsWay(loaded, moves);
  const waiting = loaded.error && loaded.away ? sending : "";
  const its = Boolean(p && loaded.current && p.state.result === "*" && p.state.turn !== seat);
  const now = useRef(player);
  now.current = player;
  useEffect(untilOver((signal) => its && choose({ game: spec, moves }, now.current, moves.length, signal).then((m) => { if (!signal.aborted) { setLast(m); setMoves([...moves, m.move]); } }, (e) => signal.aborted || setError(message(e)))), [its, moves.length]);
  const begin = (seat: string) => { setSeat(seat); setMoves([]); setError(""); };
  return (
    <>
      <p class="statusline">{waiting ? say("move waits until the server answers", { waiting }) : p ? status(p) : " "}</p>
      {p && <LessonBoard position={p} yours={yours} busy={!loaded.current || its} path={moves} label={say("the meta board", { watched: false })} sending={sending} onPlay={(m) => setMoves([...moves, m])} />}
      <Failure text={error || loaded.error} again={loaded.again}><TakeBack waiting={waiting} onBack={() => setMoves(moves.slice(0, -1))} /></Failure>
      <div class="row actions">
        <button type="button" class="primary" onClick={() => begin("first")}>{say("new game first", { you: true })}</button>
        <button type="button" onClick={() => begin("second")}>{say("new game first", { you: false })}</button>
        <button type="button" disabled={moves.length < 2} onClick={() => setMoves(moves.slice(0, moves.length - (yours ? 2 : 1)))}>{say("undo")}</button>
      </div>
      {moves.includes(last.move) && <Why id="why" title={say("why it played move", { move: last.move })} terms={last.terms} />}
    </>
  );
}

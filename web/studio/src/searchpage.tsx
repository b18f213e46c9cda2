// The page that shows a search step by step and compares algorithms.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ablate, type AblateResult, type At, position, type Position, type SearchOptions, type SearchResult, search } from "./api";
import { Small } from "./matchbox";
import { currentRoute, go } from "./link";
import { Card, Choice, Failure, Table } from "./parts";
import { Leading, Present, useStage } from "./present";
import { Share } from "./share";
import { GameChoice } from "./setup";
import { count, locale, say } from "./text";
import { noGame } from "./title";
import { compared, proven, tellSimulated, walkSimulations } from "./simulations";
import { type Count, opening, type Step, tell, walk, windowText } from "./trace";
import { TreeView } from "./treeview";
import { useAbort, useGames, useLatest, useStored, useTitleOf, useTried } from "./use";
import { number, side } from "./words";

const plain = ["minimax", "alphabeta", "negamax", "pvs", "mtdf", "mcts"];
export { GameTree } from "./gametree"; // for Play, which need not be heavier for it

const chancy = ["expectiminimax", "star1", "star2", "mcts"];
const loopy = ["minimax", "alphabeta", "negamax", "pvs", "mtdf", "mcts"]; // the first one and the last end by themselves
const windowed = ["alphabeta", "pvs", "mtdf"];
const names: Record<string, string> = {
  minimax: say("minimax"), alphabeta: say("alpha beta"), negamax: say("negamax"), pvs: say("principal variation"), mtdf: "MTD(f)",
  expectiminimax: say("expectiminimax"), star1: say("star1"), star2: say("star2"), mcts: say("monte carlo tree search"),
};

// examples are small positions to begin with.
const examples = [
  { name: say("the textbook's tree"), game: "tree:three-ply", from: "" },
  { name: say("a tree with chance"), game: "tree:chance", from: "" },
  { name: say("the race of 4 squares"), game: "race:4", from: "" },
  { name: say("tic tac toe squares left", { n: 4 }), game: "ttt", from: "xo./xo./..x o" },
  { name: say("tic tac toe squares left", { n: 5 }), game: "ttt", from: "x.o/.x./..o x" },
];

interface Form { game: string; from: string; a: string; b: string; depth: number; memo: string; symmetry: string; order: string; stop: string; deepen: string; eval: string; sims: string; explore: string; proof: string }

const start = examples[0]!.game;

const usualSims = "100";

// read has the form from an address; a whole tree is searched to its end.
function read(q: Record<string, string>, whole: boolean): Form {
  const game = q.game || start;
  const depth = /^\d{1,3}$/.test(q.depth ?? "") ? Number(q.depth) : whole || q.from ? 0 : 2;
  return { game, from: q.from ?? "", a: q.a ?? "", b: q.b ?? "", depth, memo: q.memo ?? "", symmetry: q.symmetry ?? "none", order: q.order ?? "natural", stop: q.stop ?? "none", deepen: q.deepen ?? "", eval: q.eval ?? "", sims: q.sims ?? "", explore: Number(q.explore) > 0 ? q.explore! : "", proof: q.proof ?? "" };
}

// stopOf is where a search stops early, and else whether its window is open at first: the star algorithms
// prune by the bounds of the leaves.
const stopOf = (form: Form, open: boolean): string => (form.stop !== "best" && open ? "open" : form.stop);

// memories are what can be remembered in a game of so many plies.
const memories = (plies: number): [string, string][] => [["", say("automatic")], ["none", say("None")], ["all", say("all positions")], ...Array.from({ length: Math.min(plies, 16) - 1 }, (_, i): [string, string] => [`level=${i + 1}`, say("after n plies only", { n: i + 1 })])];

interface Answer { key: string; p: Position; a: SearchResult; b: SearchResult }

export function SearchPage({ query }: { query: Record<string, string> }) {
  const { step = "", ...rest } = query;
  useTitleOf(say("search"), query.game);
  const here: At = { game: rest.game || start, position: rest.from ?? "" };
  const place = useLatest(JSON.stringify(here), () => position(here));
  const { info } = place.data ?? {};
  const whole = info?.drawn === "tree" || Boolean(info?.loopy);
  const form = useMemo(() => read(rest, whole), [JSON.stringify(rest), whole]);
  const set = (f: Omit<Form, "depth"> & { depth: number | "" }, another = false) => go({ page: "search", query: { ...f, depth: String(f.depth) } }, !another, another);
  const known = useGames();
  const algorithms = info?.chance ? chancy : info?.loopy ? loopy : plain;
  const a = algorithms.includes(form.a) ? form.a : algorithms[algorithms === loopy ? 0 : 1]!;
  const b = algorithms.includes(form.b) ? form.b : algorithms === loopy && form.depth === 0 ? a : algorithms.find((other) => other !== a)!;
  const unknown = info ? [form.a, form.b].find((asked) => asked && !algorithms.includes(asked)) : undefined;
  const options = (algorithm: string, trace: boolean): SearchOptions => algorithm === "mcts" ? { algorithm, sims: Number(form.sims || usualSims), ...(form.explore && { explore: Number(form.explore) }), ...(form.proof === "no" && { proof: "no" }), trace }
    : { algorithm, depth: form.depth, memo: form.memo, symmetry: form.symmetry, order: form.order, stop: stopOf(form, windowed.includes(algorithm)), deepen: form.deepen, eval: form.depth > 0 ? form.eval : "", trace };
  const key = JSON.stringify([here, a, b, form, place.current]);
  const answer = useLatest<Answer | null>(key, async (signal) => {
    if (!place.current || !place.data) return null;
    // Recording takes time of its own, which shows where searches are short.
    const traced = await search(here, options(a, true), signal);
    const [ra, rb] = await Promise.all([traced.seconds < 0.5 ? search(here, options(a, false), signal) : traced, search(here, options(b, false), signal)]);
    return { key, p: place.data, a: { ...ra, trace: traced.trace }, b: rb };
  });
  const result = answer.data;
  // The address may have another search by now, which it keeps.
  const stepped = (n: number) => {
    const { step: _, ...now } = currentRoute().query;
    if (JSON.stringify(now) === JSON.stringify(rest)) go({ page: "search", query: { ...rest, step: String(n) } }, true);
  };
  const list = new Intl.ListFormat(locale);
  const select = (label: string, id: string, value: string, list: [string, string][], change: (v: string) => void) => (
    <Choice id={id} label={label} value={value} options={list} onChange={change} />
  );
  const simulated = a === "mcts" || b === "mcts";
  const searched = [a, b].find((v) => v !== "mcts"); // an algorithm that looks ahead in plies
  const evaluations = [...new Set([...(info?.evaluations ?? []), ...(form.eval && form.eval !== "none" ? [form.eval] : [])])];
  const choices: [string, string][] = algorithms.map((v) => [v, names[v] ?? v]);
  return (
    <div class="page two wide broad">
      <section class="main-part" aria-label={say("search step by step")}>
        <h1>{say("search step by step")}</h1>
        <div class="row chips" role="group" aria-label={say("examples")}>
          {examples.map((e) => <button type="button" key={e.name} aria-pressed={e.game === form.game && e.from === form.from && (!info || form.depth === 0)}
            onClick={() => set({ ...form, game: e.game, from: e.from, a: "", b: "", eval: "", depth: 0 }, true)}>{e.name}</button>)}
        </div>
        <Failure text={place.error || answer.error} missing={noGame(place, form.game)} again={() => { place.again(); answer.again(); }}>
          {!place.error && <button type="button" onClick={() => set({ ...form, depth: 2, order: "natural" })}>{say("search 2 plies deep")}</button>}
          <button type="button" onClick={() => set({ ...read({}, true), depth: "" }, true)}>{say("show the textbook's tree")}</button>
        </Failure>
        <Failure text={unknown ? say("no steps of algorithm", { algorithm: unknown, names: list.format(algorithms.map((v) => names[v]!)) }) : ""} />
        {result ? <Stepper key={result.key} result={result} step={Number(step) || 0} onStep={stepped} name={names[result.a.algorithm] ?? result.a.algorithm} /> : <div class="treebox">{!place.error && !answer.error && <p class="muted searching" role="status">{say("searching")}</p>}</div>}
        {result && <div class="cards">
          <Compare result={result} />
          {(!result.p.info.loopy || form.depth > 0) && <Combinations key={JSON.stringify([here, form.depth, form.stop, form.deepen, form.eval])} here={here} form={form} open={!result.p.info.chance} />}
        </div>}
      </section>
      {(result || place.error || answer.error) && <section class="side-part" aria-label={say("setup and comparison")}>
        <Card title={say("what to search")}>
          <GameChoice id="game" known={known} spec={form.game} onChoose={(game) => set({ ...read({ game }, false), depth: "", memo: form.memo, order: form.order }, true)} />
          <PositionField key={form.game + form.from} game={form.game} value={place.data?.state.position ?? ""} onUse={(from) => set({ ...form, from }, true)} />
          {select(say("algorithm"), "a", a, choices, (v) => set({ ...form, a: v }))}
          {select(say("compare with"), "b", b, choices, (v) => set({ ...form, b: v }))}
          {simulated && (
            <Options of={searched && names.mcts}>
              {select(say("simulations"), "sims", form.sims || usualSims, [...new Set(["10", "30", usualSims, "1000", "10000", form.sims || usualSims])].map((n) => [n, count(Number(n))]), (v) => set({ ...form, sims: v === usualSims ? "" : v }))}
              <div class="pair">
                {select(say("exploration constant"), "explore", form.explore, [["", say("the usual one")], ...[...new Set(["0.1", "0.35", "0.7", "1", "1.41", "2", "4", ...(form.explore ? [form.explore] : [])])].sort((x, y) => Number(x) - Number(y)).map((c): [string, string] => [c, number(Number(c))])], (v) => set({ ...form, explore: v }))}
                {select(say("prove positions"), "proof", form.proof === "no" ? "no" : "", [["", say("prove yes")], ["no", say("answer no")]], (v) => set({ ...form, proof: v }))}
              </div>
            </Options>
          )}
          {searched && (
            <Options of={simulated && names[searched]}>
              <div class="pair">
                {select(say("depth"), "depth", String(form.depth), [["0", say("to the end")], ...[1, 2, 3, 4, 5, 6].map((d): [string, string] => [String(d), say("n plies", { n: d })])], (v) => set({ ...form, depth: Number(v) }))}
                {select(say("transposition table"), "memo", form.memo, memories(info?.max_plies ?? 0), (v) => set({ ...form, memo: v }))}
              </div>
              <div class="pair">
                {select(say("symmetry"), "symmetry", form.symmetry, [["none", say("not used")], ["first", say("first move")], ["all", say("all moves")]], (v) => set({ ...form, symmetry: v }))}
                {select(say("order of moves"), "order", form.order, [["natural", say("as they come")], ["killers", say("killers")], ["best", say("best known first")], ["perfect", say("best first")], ["worst", say("worst first")]], (v) => set({ ...form, order: v }))}
              </div>
              <div class="pair">
                {select(say("stop early"), "stop", form.stop, [["none", say("answer no")], ["best", say("at the best value")]], (v) => set({ ...form, stop: v }))}
                {select(say("iterative deepening"), "deepen", form.deepen, [["", say("automatic")], ["yes", say("depth 1 2")], ["no", say("answer no")]], (v) => set({ ...form, deepen: v }))}
              </div>
              {form.depth > 0 && evaluations.length > 0 && select(say("evaluation at the limit"), "eval", form.eval, [["", say("the usual one")], ...evaluations.map((e): [string, string] => [e, e]), ["none", say("None")]], (v) => set({ ...form, eval: v }))}
            </Options>
          )}
        </Card>
      </section>}
    </div>
  );
}

// Options are of one of two algorithms where that is named, and else of both.
const Options = ({ of, children }: { of: string | false | undefined; children: ComponentChildren }) => of ? <fieldset class="entrants of"><legend>{of}</legend>{children}</fieldset> : <>{children}</>;

function PositionField({ game, value, onUse }: { game: string; value: string; onUse: (p: string) => void }) {
  const [text, setText] = useState<string | null>(null);
  const [error, attempt] = useTried();
  const submit = (e: Event) => {
    e.preventDefault();
    const typed = (text ?? value).trim();
    attempt(() => position({ game, position: typed }).then(() => onUse(typed)));
  };
  return (
    <form class="field" onSubmit={submit}>
      <label for="from">{say("position")}</label>
      <div class="row nowrap">
        <input id="from" class="code" value={text ?? value} spellcheck={false} autocapitalize="off" autocomplete="off" aria-invalid={error !== ""} onInput={(e) => setText(e.currentTarget.value)} />
        <button type="submit">{say("use")}</button>
      </div>
      <Failure text={error} />
    </form>
  );
}

// pace is the milliseconds between steps that follow by themselves.
const pace = 700;

interface StepperProps { result: Answer; name: string; step: number; onStep: (n: number) => void }

// Stepper goes through a search; the address counts its steps from 1, and 0 is the one to
// open at. Presented, the tree and one sentence have the screen.
function Stepper({ result, name, step: counted, onStep }: StepperProps) {
  const w = useMemo(() => (result.a.algorithm === "mcts" ? walkSimulations : walk)(result.a.trace ?? { game: "", nodes: 0, omitted: 0, passes: [] }, result.a.algorithm), [result]);
  const [room, setRoom] = useState(false); // for the tree
  const [whole, setWhole] = useStored("tree", "large"); // where there is none
  const fit = room || whole === "fit";
  const end = Math.max(0, w.steps.length - 1);
  const within = (s: number): number => Math.max(0, Math.min(end, s));
  const [step, setStep] = useState(() => (counted === 0 ? opening(w) : within(counted - 1)));
  const to = (s: number) => setStep(within(s));
  const stage = useStage<HTMLDivElement>({ step, end, to, pace, own: fit ? "input" : "input, .treebox", always: true });
  // The address follows when the steps have come to rest, as browsers bear only
  // so many changes of it; a link or the back button leads to its step. What was told
  // may come back late, when the steps have gone on.
  const last = useRef(counted);
  const told = useRef(new Set<number>());
  useEffect(() => {
    if (counted === last.current || told.current.has(counted)) return;
    last.current = counted;
    told.current.clear();
    to(counted === 0 ? opening(w) : counted - 1);
  }, [counted]);
  useEffect(() => {
    if (step + 1 === last.current || (last.current === 0 && step === opening(w))) return;
    const timer = setTimeout(() => {
      last.current = step + 1;
      told.current.add(step + 1);
      onStep(step + 1);
    }, 250);
    return () => clearTimeout(timer);
  }, [step]);
  const now = w.steps[step];
  const { cuts = 0, omitted = 0, nodes: recorded = 0 } = result.a.trace ?? {};
  const said = now ? (now.run ? tellSimulated(now, step) : tell(now, w.by)) : say("this algorithm leaves no");
  const past = w.steps.slice(0, step + 1);
  const gone = past.filter((s) => s.kind === "cut").length, left = past.filter((s) => s.kind === "return").length;
  const first = result.p.info.squares?.length ? side(result.p.info, "first") : "";
  const detail = now?.run ? say("what the tree of simulations shows", { name, formula: now.run.all.formula, c: number(now.run.all.explore), half: now.run.all.half !== 1 && number(now.run.all.half), rave: now.run.all.formula === "UCT-RAVE", judged: now.run.all.formula === "PUCT", first })
    : say("what the tree shows", { name, nodes: result.a.nodes, cuts: cuts > 0 && count(cuts), searched: count(step + 1 - gone - left), pruned: count(gone), recorded: omitted > 0 && count(recorded), all: count(recorded + omitted), loopy: result.p.info.loopy, mover: w.by === "mover", scores: result.a.score !== undefined, first });
  return (
    <div onKeyDown={stage.onKeyDown} class="stepper" ref={stage.at}>
      <TreeView walk={w} info={result.p.info} step={step} fit={fit} presented={stage.full} onRoom={setRoom} onStep={to} />
      <Leading of={stage} none={w.steps.length === 0}>
        <label class="grow">
          <span class="unseen">{say("step")}</span>
          <input type="range" min="0" max={end} value={step} onInput={(e) => to(Number(e.currentTarget.value))} />
        </label>
      </Leading>
      <div class="telling">
        {now && <Small kind="" info={result.p.info} position={now.twig.node.position} label={say("position of", { position: now.twig.node.position })} />}
        <p class="told" role="status">{said}</p>
        <p class="muted detail">
          {detail} {w.by === "window" && say("what a window is")} <span class="noprint">{say("press a node")}</span>
        </p>
      </div>
      <div class="row tools">
        <button type="button" aria-pressed={whole === "fit"} disabled={room} onClick={() => setWhole(whole === "fit" ? "large" : "fit")}>{say("fit the tree")}</button>
        <Present of={stage} />
        <Share drawn={{ name: "tree", selector: ".treebox svg", caption: `${said} ${detail}` }} />
      </div>
      {now?.run && <Compared step={now} at={step} />}
    </div>
  );
}

// Compared is a table of the moves that a simulation selects from, or that are below the node of a step.
function Compared({ step, at }: { step: Step; at: number }) {
  const list = compared(step, at);
  if (list.length === 0) return null;
  const selects = step.kind === "select";
  const certain = (c: Count | undefined): string => { const worth = proven(c); return worth === null ? "" : `= ${number(worth)}`; };
  return (
    <Table class="tablebox short dense" role="region" label={say("moves compared")}
      head={<><th scope="col">{say("move")}</th><th scope="col">{say("visits")}</th><th scope="col">{say("mean")}</th><th scope="col">{say("proven worth")}</th>{selects && <th scope="col">{say("score by", { formula: step.run!.all.formula })}</th>}</>}>
      {list.map(({ move, selected, count: c, tried }) => (
        <tr key={move} class={selected ? "chosen" : ""}><th scope="row">{move}</th><td>{count(c?.visits ?? 0)}</td><td>{c ? number(c.mean) : "–"}</td><td>{certain(c)}</td>
          {selects && <td>{tried?.ruled_out ? say("ruled out") : tried ? (tried.score === null ? say("a new move") : number(tried.score)) : ""}</td>}</tr>
      ))}
    </Table>
  );
}

// leaves are the rows of trees, whose leaves are told one by one.
const leaves: [string, (r: SearchResult) => string][] = [
  [say("leaves looked at"), (r) => (r.evaluated ? r.evaluated.map(number).join(" ") : "–")],
  [say("leaves never seen"), (r) => (r.pruned?.length ? r.pruned.map(number).join(" ") : r.evaluated ? say("none") : "–")],
];

// deepened is the row of searches of which some went to lesser depths first.
const deepened: [string, (r: SearchResult) => string][] = [[say("iterative deepening"), (r) => (r.deepened ? say("depth 1 2") : say("answer no"))]];

function Compare({ result }: { result: Answer }) {
  const list = result.a.algorithm === result.b.algorithm ? [result.a] : [result.a, result.b];
  const most = Math.max(result.a.nodes, result.b.nodes, 1);
  const known = result.a.standing ?? result.b.standing;
  const rows: [string, (r: SearchResult) => string][] = [
    [say("value"), (r) => say("value and doubt", { value: r.value === null ? "?" : number(r.value), score: r.score !== undefined && number(r.score), noise: r.noise === undefined ? "" : r.noise.toPrecision(2), rough: !r.exact })],
    [say("move"), (r) => r.move || say("none")],
    [say("nodes"), (r) => count(r.nodes)],
    ...(list.some((r) => r.evaluated) ? leaves : []),
    ...(list.some((r) => r.deepened) ? deepened : []),
    [say("table entries"), (r) => count(r.stored)],
    [say("time"), (r) => (r.seconds < 0.001 ? say("under 1 ms") : say("n ms", { n: (r.seconds * 1000).toFixed(0) }))],
  ];
  return (
    <Card title={list.length > 1 ? say("side by side") : names[list[0]!.algorithm] ?? ""}>
      <table class="compare">
        <thead><tr><td />{list.map((r, i) => <th scope="col" key={i}>{names[r.algorithm] ?? r.algorithm}</th>)}</tr></thead>
        <tbody>
          {rows.map(([name, text]) => (
            <tr key={name}><th scope="row">{name}</th>{list.map((r, i) => (
              <td key={i}>{text(r)}{name === say("nodes") && <meter min={0} max={most} value={r.nodes} aria-label={say("share of the larger count")} />}</td>
            ))}</tr>
          ))}
        </tbody>
      </table>
      {known && <p>{say("known for certain", { known })}</p>}
      {[...new Set(list.filter((r) => r.gives_away).map((r) => r.move))].map((move) => (
        <p class="given" key={move}>{say("another is certainly better", { move, better: list.find((r) => r.move === move && r.gives_away)?.better?.[0] ?? "", names: new Intl.ListFormat(locale).format(list.filter((r) => r.move === move).map((r) => names[r.algorithm] ?? r.algorithm)) })}</p>
      ))}
      {list.every((r) => r.move && r.exact) && <p>{say("of moves worth the same")}</p>}
      {[...new Set(list.flatMap((r) => (r.eval ? [r.eval] : [])))].map((name) => <p class="muted" key={name}>{say("evaluation", { name, rows: name === "rows" })}</p>)}
      {list.some((r) => !r.complete) && <p class="muted">{say("a search that was")}</p>}
    </Card>
  );
}

// told has the words of the menus for what the server calls each idea.
const told = (word: string): string => ({ none: say("answer no"), all: say("all moves"), first: say("first move"), natural: say("as they come"), best: say("best known first"), killers: say("killers") })[word] ?? word;

// Combinations measures all ways to search what the page searches.
function Combinations({ here, form, open }: { here: At; form: Form; open: boolean }) {
  const [rows, setRows] = useState<AblateResult | null>(null);
  const [error, attempt, setError, busy] = useTried();
  const task = useAbort();
  const { from, depth } = form;
  const deepen = form.deepen === "yes", stop = stopOf(form, open);
  const run = () => {
    setError("");
    return attempt(() => ablate(here, { depth, stop, deepen, eval: depth > 0 ? form.eval : "" }, task.start()).then(setRows));
  };
  return (
    <Card kind={rows ? "" : "noprint"} title={say("what each idea saves")}>
      <p class="muted">{say("nodes from the start", { from, depth, deepen, stop: stop === "best" })}{rows && ` ${say("first window", { window: windowText([rows.alpha, rows.beta]) })}`}</p>
      <div class="row"><button type="button" onClick={run} disabled={busy}>{say("measure all")}</button><span role="status" class="muted">{busy ? say("measuring") : !rows || error ? "" : rows.rows.length < rows.of ? say("measured in part", { n: rows.rows.length, of: rows.of, seconds: rows.seconds.toFixed(1) }) : say("measured")}</span></div>
      <Failure text={error} />
      {rows && (
        <Table class="tablebox short dense" role="region" label={say("combinations")}
          head={<><th scope="col">{say("algorithm")}</th><th scope="col">{say("nodes")}</th><th scope="col">{say("transposition table")}</th><th scope="col">{say("symmetry")}</th><th scope="col">{say("order")}</th></>}>
          {rows.rows.map((r, i) => (
            <tr key={i}><td>{names[r.algorithm] ?? r.algorithm}</td><td>{r.complete ? count(r.nodes) : say("over nodes", { nodes: count(r.nodes) })}</td><td>{r.memory === "all" ? say("all positions") : told(r.memory)}</td><td>{told(r.symmetry)}</td><td>{told(r.order)}</td></tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

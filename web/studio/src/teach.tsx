// The page to teach a learner on: you play, it learns after each game, and you see
// what that changed.
import { useEffect, useRef, useState } from "preact/hooks";
import { game, type Info, message } from "./api";
import { capital } from "./catalogue";
import { Drawer, Wall } from "./drawer";
import { pause, untilOver } from "./effect";
import { Icon } from "./icons";
import { dropJob } from "./job";
import { LearnerChoice, Options, parseLearner, Save, spell, whatFor } from "./learner";
import { formatRoute, go } from "./link";
import { Small } from "./matchbox";
import { Announce, Card, Choice, Entry, Failure, Field, Remove, Rules, Table, TakeBack } from "./parts";
import { Leading, Present, useStage } from "./present";
import { Share } from "./share";
import { addPupil, again, brainFile, type Changed, type Considered, type Lesson, type NewPupil, type Pupil, pupils, type Taking, type Taught, teach } from "./pupils";
import { chosen, type Pending } from "./setup";
import { GameChoice, SpecChoice } from "./setup";
import { Emblem } from "./starters";
import { boxed, type Class, LessonBoard, machine, Strip, Tally, useClass, useShown } from "./teaching";
import { count, say, show } from "./text";
import { noGame, notFound } from "./title";
import { type Box, catalogue, type Looked, type Near, saveBrain, showBrain } from "./train";
import { useGames, useLatest, useTried } from "./use";
import { figures, other, side, when } from "./words";

const yourself = "you";
const second = "second"; // a second machine, which learns too
const trained = "trained"; // a second machine with a head start of trainedBy games
const trainedBy = 100;

// teachers are who may play against the learner.
const teachers = [{ spec: yourself, name: say("You") }, { spec: "random", name: say("a player that moves at random") }, { spec: "heuristic", name: say("a player by rules of thumb") }, { spec: "perfect", name: say("a perfect player") }, { spec: second, name: say("a second machine which learns too") }, { spec: trained, name: say("a second machine after", { trainedBy }) }];

export function Teach({ query }: { query: Record<string, string> }) {
  const spec = query.game || "ttt";
  const set = (more: Record<string, string>, replace = true) => go({ page: "teach", query: { ...query, game: spec, ...more } }, replace);
  const list = useLatest("pupils " + spec, () => pupils(spec).then((r) => r.pupils));
  const info = useLatest("game " + spec, () => game(spec));
  const chosen = query.pupil ?? "";
  const c = useClass(chosen);
  const rival = useClass(query.rival ?? "");
  const matchboxes = boxed(query.learner || "menace") && spec === "ttt";
  return (
    <div class="page two wide">
      <section class="main-part" aria-label={say("teaching")}>
        <h1>{say("teach it yourself")}</h1>
        {chosen ? <Lessons c={c} rival={rival} list={list.data ?? []} info={info.data} query={query} onSet={set} onGone={() => { list.again(); set({ pupil: "", rival: "" }); }} onChange={list.again} />
          : <>
            <p class="lead">{say("matchboxes it knows only the rules", { matchboxes: matchboxes ? say("here is a machine") : say("here is a learner") })}</p>
            <ol class="lead claims">
              <li>{say("play against it matchboxes", { boxes: matchboxes })}</li>
              <li>{matchboxes ? say("when it wins beads") : say("after each game you")}</li>
              <li>{say("game after game")}</li>
            </ol>
            <div class="row"><button type="submit" form="begin" class="primary">{say("start")}</button>
              {list.data?.[0] && <button type="button" onClick={() => set({ pupil: list.data![0]!.id, rival: "", by: "" }, false)}>{say("go on with name", { name: list.data[0].name || list.data[0].learner })}</button>}
            </div>
            <div class="machine"><Emblem of={matchboxes ? "boxes" : "table"} /></div>
          </>}
      </section>
      <section class="side-part" aria-label={say("setup and learners")}>
        <Begin key={spec} spec={spec} query={query} fresh={!chosen} onGame={(g) => set({ game: g, pupil: "", rival: "", learner: "", head: "" })}
          onBegun={(p) => { c.set(p); list.again(); set({ pupil: p.id, rival: "", by: "" }, false); }} onSet={set} />
        <Yours list={list.data ?? []} error={list.error} onAgain={list.again} chosen={chosen} onOpen={(p) => set({ pupil: p.id, rival: "", by: "" }, false)} />
        {info.data && <Card title={say("the game")}><Rules info={info.data} /></Card>}
      </section>
    </div>
  );
}

interface LessonsProps { c: Class; rival: Class; list: Pupil[]; info: Info | null; query: Record<string, string>; onSet: (more: Record<string, string>) => void; onGone: () => void; onChange: () => void }

// Lessons is a learner with its game, what it thinks, and what it has learned.
function Lessons({ c, rival, list, info, query, onSet, onGone, onChange }: LessonsProps) {
  const { p } = c;
  const known = useGames();
  const by = query.by || yourself;
  const [going, setGoing] = useState(false);
  const [said, setSaid] = useState("");
  const { position, thinking } = useShown(p, info, going);
  const lesson = p?.lesson;
  const others = list.filter((o) => o.id !== p?.id);
  const mine = p?.mine ?? false;
  const yours = Boolean(lesson && mine && !lesson.over && !thinking && by === yourself);
  const rest = useRef({ c, rival, by });
  rest.current = { c, rival, by };
  useEffect(() => {
    if (lesson?.over) onChange();
  }, [lesson?.over, p?.games]);

  const step = async (whole: boolean): Promise<boolean> => {
    const { c, rival, by } = rest.current;
    if (!c.p) return false;
    const now = c.p;
    if (by === second) return rival.p ? duel(c, rival) : false;
    if (now.lesson.over) return (await c.act(() => again(now.id))) !== null;
    return (await c.act(() => teach(now, { player: by, all: whole }))) !== null;
  };
  useEffect(untilOver(async (signal) => {
    while (going && !signal.aborted && await step(rest.current.by !== second)) await pause(rest.current.by === second ? 60 : 350);
    if (!signal.aborted) setGoing(false);
  }), [going]);
  const choose = async (v: string) => {
    setGoing(false);
    const known = others.find((o) => o.id === v);
    if (p && (known || v === second || v === trained)) { // each keeps to one side from now on
      const { seat } = p.lesson;
      const made = await rival.act(() => (known ? again(known.id, other(seat)) : addPupil({ game: p.game, learner: p.learner, seats: other(seat), head: v === trained ? trainedBy : 0 })));
      if (made && (await c.act(() => again(p.id, seat)))) onSet({ by: second, rival: made.id });
      onChange();
      return;
    }
    onSet({ by: v === yourself ? "" : v, rival: "" });
  };

  if (!p || !info) return <div class="tall"><Failure text={c.error} missing={notFound(c.gone, say("teach it yourself"))}><button type="button" onClick={onGone}>{say("choose another")}</button></Failure></div>;
  const end = lesson!.over && !thinking ? ended(p, info) : "";
  const line = c.waiting ? say("move waits until the server answers", { waiting: c.waiting }) : thinking ? say("it thinks of a move", { it: capital(machine(p)), boxes: boxed(p.learner) }) : end || (by === yourself ? say("your turn you", { side: side(info, other(p.lesson.seat)), fresh: !p.results }) : "");
  return (
    <>
      <p class={`statusline ${end ? "ended" : ""}`}>{line || " "}</p>
      <Announce text={line} />
      <Tally p={p} />
      <Strip results={p.results} />
      {!mine && <p class="muted">{say("somebody else teaches it")}</p>}
      <div class="bench">
      <div>
      {position ? <LessonBoard position={position} yours={yours} busy={c.busy || thinking} path={p.lesson.moves} label={say("board", { side: side(info, other(p.lesson.seat)) })} sending={c.sending} onPlay={(move) => c.act(() => teach(p, { move }), move)} /> : <div class="waiting" />}
      <Failure text={c.error || rival.error} again={c.busy || rival.busy ? undefined : () => { c.clear(); rival.clear(); }}><TakeBack waiting={c.waiting} onBack={c.back} /></Failure>
      {mine && <div class="row actions">
        {by === yourself && (lesson!.over ? <button type="button" class="primary" disabled={c.busy || thinking} onClick={() => c.act(() => again(p.id))}>{say("next game")}</button>
          : <>
            <button type="button" disabled={c.busy || thinking} onClick={() => c.act(() => teach(p, { resign: true }))}>{say("give up and lose")}</button>
            <button type="button" disabled={c.busy || thinking || p.lesson.steps.every((s) => s.learner)} onClick={() => c.act(() => again(p.id))}>{say("begin again nothing learned")}</button>
          </>)}
        {by !== yourself && <>
          <button type="button" class="primary" disabled={c.busy && !going} onClick={() => setGoing(!going)}>{going ? say("stop") : say("let them play on")}</button>
          <button type="button" disabled={going || c.busy || rival.busy} onClick={() => step(false)}>{lesson!.over ? say("next game") : say("one move")}</button>
        </>}
      </div>}
      {mine && <div class="row actions against">
        <Field id="by" label={say("against it plays")}>
          <SpecChoice id="by" label={say("against it plays")} forms={known?.players ?? []} spec={by === second && query.rival ? query.rival : by} onChoose={choose}
            shelves={[{ name: "", offers: teachers }, { name: say("your other learners which learn too"), offers: others.map((o) => ({ spec: o.id, name: say("learner n games taught", { learner: o.learner, n: o.results.length }) })) }]} />
        </Field>
      </div>}
      </div>
      <div class="beside">
        <Thought p={p} info={info} thinking={thinking} />
        {p.lesson.taught && !thinking && <Learned taught={p.lesson.taught} info={info} />}
        {boxed(p.learner) && isFlat(info) && <ShownBoxes key={p.games} lesson={p.lesson} info={info} thinking={thinking} />}
      </div>
      </div>
      {by === second && rival.p && <div class="card"><h2>{say("the second machine plays side", { side: side(info, rival.p.lesson.seat) })}</h2><Tally p={rival.p} /><Strip results={rival.p.results} /></div>}
      <Glance p={p} info={info} />
      <Card title={say("keep it")}>
        <p class="muted">{say("it is kept here")}</p>
        <div class="row">
          <a class="button" href={formatRoute({ page: "play", query: { game: p.game, ...(p.lesson.seat === "first" ? { first: `brain:${p.id}/1`, second: "human" } : { first: "human", second: `brain:${p.id}/1` }) } })}>{say("play it without teaching")}</a>
          <a class="button" href={brainFile(p.id)} download="taught.brain">{say("its file for oxo train resume")}</a>
          <Share />
        </div>
        {mine && <Save what={say("the learner as it is")} said={said} onSave={(name) => saveBrain(p.id, "1", name).then(() => setSaid(say("saved as name", { name })), (e) => setSaid(message(e)))} />}
        {mine && <div class="row"><Remove label={say("forget this learner")} onYes={() => dropJob(p.id).then(onGone)} /><span class="muted">{say("forget it for good")}</span></div>}
      </Card>
    </>
  );
}

// duel lets the two machines that play each other make one more move: what one has
// played, the other is told.
async function duel(a: Class, b: Class): Promise<boolean> {
  const [x, y] = [a.p!, b.p!];
  const tell = async (c: Class, p: Taking, from: Taking): Promise<boolean> => {
    const move = from.lesson.moves[p.lesson.ply];
    return (await c.act(() => teach(p, move === undefined ? { resign: true } : { move }))) !== null;
  };
  if (x.lesson.over && y.lesson.over) return (await a.act(() => again(x.id))) !== null && (await b.act(() => again(y.id))) !== null;
  if (x.lesson.over) return tell(b, y, x);
  if (y.lesson.over) return tell(a, x, y);
  if (y.lesson.ply < x.lesson.ply) return tell(b, y, x);
  if (x.lesson.ply < y.lesson.ply) return tell(a, x, y);
  return (await a.act(() => again(x.id))) !== null && (await b.act(() => again(y.id))) !== null; // they have lost each other
}

// ended says how the game ended, for the learner.
function ended(p: Taking, info: Info): string {
  const { lesson } = p;
  const it = capital(machine(p));
  if (lesson.taught?.resigned) return say("resigned because this box is empty", { it });
  if (lesson.result === "draw") return say("a draw learned", { it });
  const won = lesson.result === lesson.seat;
  return say("side wins won", { side: side(info, lesson.result), it, won, resigned: lesson.resigned });
}

// Thought is what the learner makes of the position that it moves in: its box, or
// what it thinks its moves worth.
function Thought({ p, info, thinking }: { p: Taking; info: Info; thinking: boolean }) {
  const c = p.lesson.considered;
  const taught = p.lesson.taught;
  if (!c) return <div class="card"><h2>{say("what it thinks")}</h2><p class="muted">{say("it has not moved yet")}</p></div>;
  if (boxed(p.learner)) {
    if (taught && !thinking) return null; // shown with what it learned
    const forced = c.box === undefined;
    return (
      <Card title={say("its box for this position")}>
        <p class="muted">{forced ? say("only one move is left move", { move: c.move }) : thinking ? say("it shakes the box") : drew(c)}</p>
        {!forced && <Drawer info={info} position={c.position} before={c.moves} drawn={thinking ? "" : c.move} shaking={thinking} label={say("box of position", { position: c.position, ended: false })} />}
      </Card>
    );
  }
  if (taught && !thinking) return null;
  return (
    <Card title={say("what it thinks of its moves")}>
      <p class="muted">{say("in the position before", { thinking, move: c.move || say("none"), explores: !thinking && c.explores })}</p>
      <Worths info={info} list={c.moves} made={thinking ? "" : c.move} />
    </Card>
  );
}

const most = 12;

// Worths lists moves by what they are thought worth, before and after a game.
function Worths({ info, list, after, made }: { info: Info; list: Looked[]; after?: Looked[]; made: string }) {
  const value = (m: Looked) => m.worth ?? m.odds;
  const order = list.map((m, i) => ({ m, now: after?.[i] })).sort((a, b) => value(b.m) - value(a.m));
  const shown = order.filter(({ m }, i) => i < most || m.move === made);
  const worth = list.some((m) => m.worth !== undefined);
  return (
    <>
      <Table kind="learned" label={say("table")}
        head={<><th scope="col">{say("move")}</th><th scope="col" class="right">{worth ? say("worth") : say("chance")}</th>{after && <th scope="col" class="right">{say("after")}</th>}<th scope="col" class="right">{worth ? say("played in") : ""}</th></>}>
        {shown.map(({ m, now }) => (
          <tr key={m.move} class={m.move === made ? "made" : ""}>
            <th scope="row">{m.move}{m.move === made ? " ★" : ""}</th>
            <td class="right">{told(value(m))}</td>
            {after && <td class={`right ${!now || told(value(now)) === told(value(m)) ? "" : value(now) > value(m) ? "up" : "down"}`}>{now ? told(value(now)) : ""}</td>}
            <td class="right">{worth ? `${Math.round(100 * m.odds)} %` : ""}</td>
          </tr>
        ))}
      </Table>
      <Neighbours info={info} before={list.find((m) => m.move === made)?.near} after={after?.find((m) => m.move === made)?.near} made={made} />
      {order.length > shown.length && <p class="muted">{say("and n moves thought worth less", { n: order.length - shown.length })}</p>}
    </>
  );
}

// Neighbours are the stored examples that the worth of the move made is taken from.
function Neighbours({ info, before, after, made }: { info: Info; before?: Near[]; after?: Near[]; made: string }) {
  const row = (list: Near[] | undefined, words: string) => list && list.length > 0 && (
    <>
      <p class="muted">{list[0]!.apart === 0 ? say("words it remembers what", { words, made }) : say("words the examples nearest", { words, made })}</p>
      <ul class="lessons">
        {list.slice(0, 4).map((x) => <li key={x.position}><Small info={info} position={x.position} label={say("example position", { position: x.position })} /><p class="muted">{say("apart and worth", { apart: x.apart === 0 ? say("the same") : say("n squares apart", { apart: x.apart }), worth: figures(x.worth) })}</p></li>)}
      </ul>
    </>
  );
  return <>{row(before, say("before"))}{row(after, say("after it"))}</>;
}

const told = (v: number): string => (Math.abs(v) >= 1e8 ? (v > 0 ? say("a win") : say("a loss")) : figures(v));

// Learned is what the game changed: beads that came and went, worths, weights.
function Learned({ taught, info }: { taught: Taught; info: Info }) {
  const own = taught.moves.filter((m) => m.learner);
  const beads = own.some((m) => m.box !== undefined);
  const changed = (m: Changed) => m.before.some((b, i) => told(b.worth ?? b.odds) !== told(m.after[i]?.worth ?? m.after[i]?.odds ?? 0));
  const weights = (taught.weights ?? []).filter((w) => w.before !== w.after);
  return (
    <Card title={say("what it learned from this game")}>
      {beads && (
        <ol class="lessons" aria-label={say("its boxes")}>
          {own.filter((m) => m.box !== undefined).map((m, i) => (
            <li key={i}>
              {isFlat(info) && <Drawer info={info} position={m.position} before={m.before} after={m.after} drawn={m.move} small label={say("box of position", { position: m.position, ended: true })} />}
              <p class="muted">{change(m)}</p>
            </li>
          ))}
        </ol>
      )}
      {!beads && own.filter(changed).map((m, i) => (
        <details key={i} open={i < 2}>
          <summary>{say("move n", { n: taught.moves.indexOf(m) + 1, move: m.move, explores: m.explores })}</summary>
          <Worths info={info} list={m.before} after={m.after} made={m.move} />
        </details>
      ))}
      {weights.length > 0 && (
        <Table kind="learned" label={say("table")} head={<><th scope="col">{say("weight")}</th><th scope="col" class="right">{say("Before")}</th><th scope="col" class="right">{say("after")}</th></>}>
          {weights.map((w) => <tr key={w.feature}><th scope="row">{w.feature}</th><td class="right">{figures(w.before)}</td><td class={`right ${w.after > w.before ? "up" : "down"}`}>{figures(w.after)}</td></tr>)}
        </Table>
      )}
      {!beads && weights.length === 0 && !own.some(changed) && <p class="muted">{say("nothing that it thinks")}</p>}
    </Card>
  );
}

// isFlat reports whether boxes can be drawn.
const isFlat = (info: Info): boolean => info.squares?.every((s) => s.level === 0) ?? false;

// drew says which bead fell out of a box.
const drew = (c: Considered): string => (c.move ? say("a bead fell out", { move: c.move, explores: c.explores, alike: c.moves.some((m) => m.beads === undefined) }) : say("the box is empty"));

// ShownBoxes shows a class one box after the other: after a game all of it with what has changed, else the one that it
// drew from last.
function ShownBoxes({ lesson: { taught, considered: c }, info, thinking }: { lesson: Lesson; info: Info; thinking: boolean }) {
  const boxes = taught && !thinking ? taught.moves.filter((m) => m.learner && m.box !== undefined).map((m) => ({ ...m, said: change(m), ended: true }))
    : c && c.box !== undefined ? [{ position: c.position, before: c.moves, after: undefined, move: thinking ? "" : c.move, said: thinking ? say("it shakes the box") : drew(c), ended: false }] : [];
  const [at, to] = useState(0);
  const end = Math.max(0, boxes.length - 1), step = Math.min(at, end);
  const stage = useStage<HTMLDivElement>({ step, end, to, pace: 2500, own: "input" });
  const box = boxes[step];
  if (!box) return null;
  return (
    <div class="shownbox" ref={stage.at} onKeyDown={stage.onKeyDown}>
      {stage.full && (
        <>
          <p class="telling" role="status" tabIndex={0}>{box.said}</p>
          <Drawer info={info} position={box.position} before={box.before} after={box.after} drawn={box.move} label={say("box of position", { position: box.position, ended: box.ended })} />
          <Leading of={stage} />
        </>
      )}
      <div class="row tools"><Present of={stage} /></div>
    </div>
  );
}

// change says how many beads came to the bead that was drawn, or went.
function change(m: Changed): string {
  if (!m.move) return say("this box was empty");
  const i = m.before.findIndex((b) => b.move === m.move);
  const by = (m.after[i]?.beads ?? 0) - (m.before[i]?.beads ?? 0);
  return say("drew move explores", { move: m.move, explores: m.explores, by: by === 0 ? say("no bead changed") : by > 0 ? say("n beads came in", { by }) : say("n beads taken away", { by: -by }) });
}

// Glance is all that it has learned: all boxes with those of this game lit.
function Glance({ p, info }: { p: Taking; info: Info }) {
  const shown = useLatest(`taught ${p.id} ${p.games}`, () => showBrain(`${p.id}/1`));
  const b = shown.data?.shown;
  if (!b) return shown.error ? <Failure text={shown.error} again={shown.again} /> : <div class="waiting tall" />;
  if (!b.boxes) return <div class="card"><h2>{say("all that it knows")}</h2><p class="muted">{b.summary.join("; ")}.</p><ul class="claims">{b.rules?.slice(0, 40).map((r) => <li key={r}>{r}</li>)}</ul></div>;
  const seat = p.lesson.seat;
  const boxes = b.boxes.flatMap((x, i): [Box, number][] => (x.turn === seat ? [[x, i]] : []));
  return (
    <Card title={say("all its boxes")}>
      {info.drawn === "grid" ? <Wall info={info} boxes={boxes} lit={new Set(p.lesson.steps.flatMap((s) => (s.box === undefined ? [] : [s.box])))} /> : <p class="muted">{b.summary.join("; ")}.</p>}
    </Card>
  );
}

// headStarts are what a learner may begin with: its spec, games by itself, and words.
function headStarts(learner: string): [string, string, number, string][] {
  if (learner !== "menace") return [["none", "", 0, say("none it")], ...[100, 1000].map((n): [string, string, number, string] => [`${n}`, "", n, say("games by itself", { n, filled: false })])];
  return [
    ["more", "as=michie,beads=8/4/2/1", 0, say("more beads")],
    ["none", "as=michie", 0, say("none michie's")],
    ["50", "as=michie,beads=8/4/2/1", 50, say("more beads and 50")],
    ...[500, 1000].map((n): [string, string, number, string] => [`${n}`, "", n, say("games by itself", { n, filled: true })]),
  ];
}

interface BeginProps { spec: string; query: Record<string, string>; fresh: boolean; onGame: (spec: string) => void; onSet: (more: Record<string, string>) => void; onBegun: (p: Taking) => void }

// Begin is the setup of a new learner.
function Begin({ spec, query, fresh, onGame, onSet, onBegun }: BeginProps) {
  const known = useGames();
  const offer = useLatest("learners " + spec, () => catalogue(spec));
  const [error, attempt] = useTried();
  const [wanted, setWanted] = useState(false);
  const pending: Pending = useRef(null);
  const { learner, options } = parseLearner(query.learner || "menace");
  const answer = offer.current ? offer.data : null; // else it may be of the game before
  const able = offer.data?.learners.filter((l) => !l.refused) ?? [];
  const kind = able.find((l) => l.name === learner) ?? (query.learner ? undefined : able[0]);
  const heads = headStarts(kind?.name ?? learner);
  const head = heads.find(([k]) => k === query.head) ?? heads[0]!;
  const unable = query.learner && whatFor(answer, learner) || query.head && query.head !== head[0] && say("there is no head start head", { head: query.head, heads: heads.map(([k]) => k).join(", ") }) || "";
  const typed = Object.keys(options).length > 0 && kind?.name === learner;
  const given = typed ? options : parseLearner("x:" + head[1]).options;
  const start = async () => {
    if (!kind || unable) return setWanted(false);
    await attempt(() => addPupil({ game: spec, learner: spell(kind, given), seats: (query.seats || "first") as NewPupil["seats"], head: head[2] }).then(onBegun));
    setWanted(false);
  };
  // Who presses Start before the learners are known has not pressed in vain.
  const ready = answer !== null && (kind !== undefined || unable !== "");
  useEffect(() => {
    if (wanted && ready) void start();
  }, [wanted, ready]);
  return (
    <Card title={say("a new learner")}>
      <form onSubmit={(e) => { e.preventDefault(); void chosen(pending, spec).then((game) => setWanted(game !== "")); }} id="begin">
        {!fresh && <div class="row"><button type="submit" aria-disabled={wanted}>{say("start a new one")}</button></div>}
        <Failure text={error || unable} />
        <GameChoice id="game" known={known} spec={spec} pending={pending} onChoose={onGame} />
        <Failure text={offer.error} missing={noGame(offer, spec)} again={offer.again} />
        <LearnerChoice of={offer.data} kind={kind} unable={unable && learner} onChoose={(name) => onSet({ learner: name === "menace" ? "" : name, head: "" })} />
        <Choice id="head" label={say("head start")} value={head[0]} options={heads.map(([k, , , name]) => [k, name])}
          onChange={(v) => onSet({ head: v === heads[0]![0] ? "" : v, learner: kind && kind.name !== "menace" ? kind.name : "" })} />
        <Choice id="seats" label={say("it plays")} value={query.seats || "first"} onChange={(v) => onSet({ seats: v === "first" ? "" : v })}
          options={[["first", say("first and you second")], ["second", say("second and you first")], ["alternate", say("both in turn")]]} />
        <Options kind={kind} given={given} open={typed} onSpell={(learner) => onSet({ learner })} />
      </form>
      <p class="muted">{show("to let it learn", { a: (t) => <a href={formatRoute({ page: "learn", query: { game: spec } })}>{t}</a> })}</p>
    </Card>
  );
}

function Yours({ list, error, onAgain, chosen, onOpen }: { list: Pupil[]; error: string; onAgain: () => void; chosen: string; onOpen: (p: Pupil) => void }) {
  if (list.length === 0 && !error) return null;
  return (
    <Card title={say("your learners")}>
      <Failure text={error} again={onAgain} />
      <ul class="shelf">
        {list.map((p) => (
          <Entry key={p.id} current={p.id === chosen} name={p.name || p.learner} onOpen={() => onOpen(p)}
            about={say("n games taught", { n: p.results.length, wins: count(p.wins), draws: count(p.draws), losses: count(p.losses), when: when(p.made) })}>{p.id === chosen && <Icon name="on" />}</Entry>
        ))}
      </ul>
    </Card>
  );
}

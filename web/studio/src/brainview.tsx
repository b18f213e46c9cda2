// What a learner has learned: matchboxes with beads, weights as bars, and what
// it makes of a position.
import { useState } from "preact/hooks";
import { game, type Info, position, type Position } from "./api";
import { BoardOf, type Note } from "./board";
import { capital } from "./catalogue";
import { bySquare } from "./game";
import { Small } from "./matchbox";
import { Failure, OtherMoves, Segmented, Table } from "./parts";
import { Leading, Present, useStage } from "./present";
import { count, named, say } from "./text";
import { type Box, look, type Looked, showBrain, type Shown, type Step } from "./train";
import { useLatest } from "./use";
import { emptyBox, figures, marks, side, squareOf } from "./words";

// mostBoxes is how many boxes are drawn at once.
const mostBoxes = 200;

// States are those of a learner that were kept, of which one is shown, by name.
export interface States { step: number; end: number; to: (step: number) => void; name: string }

// BrainView shows a brain; version changes whenever it has learned more.
export function BrainView({ spec, brain, version, states }: { spec: string; brain: string; version: string; states?: States }) {
  const info = useLatest("game " + spec, () => game(spec));
  const shown = useLatest(`${brain} ${version}`, () => showBrain(brain));
  const b = shown.data;
  return (
    <>
      <Failure text={b ? "" : shown.error} again={shown.again} />
      <div class="inside">
        {b && <p class="muted">{say("learner n games", { learner: b.learner, games: b.games, itself: b.against === "itself", wins: count(b.wins), draws: count(b.draws), losses: count(b.losses), summary: b.shown.summary.join("; ") })}</p>}
        {b && info.data && b.shown.boxes && <Boxes shown={b.shown} info={info.data} games={b.games} />}
        {b?.shown.weights && <Weights list={b.shown.weights} />}
        {b?.shown.rules && <ul class="plainlist">{b.shown.rules.map((r) => <li key={r}>{r}</li>)}</ul>}
      </div>
      {info.data && <LookAt info={info.data} brain={brain} version={version} kind={b?.learner ?? ""} states={states} />}
    </>
  );
}

// fewWeights are shown of many until all are asked for.
const fewWeights = 10;

// Weights draws weights as bars from a middle line: of many those that say most.
function Weights({ list: whole }: { list: NonNullable<Shown["weights"]> }) {
  const [all, setAll] = useState(whole.length <= 2 * fewWeights);
  const list = all ? whole : [...whole].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, fewWeights);
  const most = Math.max(1e-12, ...list.map((w) => Math.abs(w.weight)));
  return (
    <>
    <Table kind="weights" label={capital(say("weights"))}
      head={<><th scope="col">{say("feature")}</th><th scope="col" class="right">{say("weight")}</th><th scope="col"><span class="unseen">{say("bar")}</span></th></>}>
      {list.map((w) => {
        const half = (Math.abs(w.weight) / most) * 49;
        return (
          <tr key={w.feature}>
            <th scope="row">{named("feature", w.feature)}</th>
            <td class="right">{figures(w.weight)}</td>
            <td class="barcell">
              <svg class="bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
                <rect class={w.weight < 0 ? "minus" : "plus"} x={w.weight < 0 ? 50 - half : 50} y="1" width={half} height="10" />
                <path d="M50 0v12" />
              </svg>
            </td>
          </tr>
        );
      })}
    </Table>
    {whole.length > 2 * fewWeights && <button type="button" aria-expanded={all} onClick={() => setAll(!all)}>{all ? say("fewer") : say("show all n", { n: whole.length })}</button>}
    </>
  );
}

// Boxes draws the boxes of one stage, and those that were used in the last game.
function Boxes({ shown, info, games }: { shown: Shown; info: Info; games: number }) {
  const boxes = shown.boxes ?? [];
  const last = shown.last ?? [];
  const [stage, setStage] = useState("1");
  const end = useEnd(info.spec, last).data;
  const [turn, setTurn] = useState("");
  const seat = turn || (last.find((s) => s.learner)?.turn ?? "first");
  const used = new Map(last.flatMap((s): [number, Step][] => (s.box === undefined ? [] : [[s.box, s]])));
  const stages = [...new Set(boxes.filter((b) => b.turn === seat).map((b) => b.stage))].sort((a, b) => a - b);
  const here = stages.includes(Number(stage)) ? Number(stage) : stages[0] ?? 1;
  const list = boxes.flatMap((b, i): [Box, number][] => (b.turn === seat && b.stage === here ? [[b, i]] : []));
  return (
    <>
      <h3>{say("the last game and its boxes")}</h3>
      {last.length > 0 && <p class="muted">{say("beads after it")}</p>}
      {last.length === 0 ? <p class="muted boxes used">{games > 0 ? say("it resigned at once") : say("no game yet")}</p> : (
        <ol class="boxes used" aria-label={say("the last game")}>
          {last.map((s, i) => (
            <li key={i}>
              {s.box !== undefined && boxes[s.box] ? <BoxOf box={asPlayed(info, s, boxes[s.box]!)} info={info} used drew={s.move} />
                : <Small info={info} position={s.position} label={say("position of", { position: s.position })} />}
              <span class="muted">{say("side and move", { side: side(info, s.turn), move: s.move, forced: s.box === undefined && s.learner })}</span>
            </li>
          ))}
          {end?.result === "*" && (
            <li>
              <Small info={info} position={end.position} label={say("position of", { position: end.position })} />
              <span class="muted">{say("side resigned", { side: side(info, end.turn), emptyBox })}</span>
            </li>
          )}
        </ol>
      )}
      <h3>{say("all boxes")}</h3>
      <div class="row">
        <Segmented label={say("whose boxes")} value={seat} options={[["first", say("to move", { side: side(info, "first") })], ["second", say("to move", { side: side(info, "second") })]]} onChange={setTurn} />
        <Segmented label={say("which move")} value={String(here)} options={stages.map((s): [string, string] => [String(s), say("move s", { s })])} onChange={setStage} />
        <span class="muted">{say("n boxes", { n: list.length, side: side(info, seat), s: here, shown: list.length > mostBoxes && mostBoxes })}</span>
      </div>
      <ul class="boxes wall" aria-label={say("boxes")} tabIndex={0}>
        {list.slice(0, mostBoxes).map(([b, i]) => <li key={b.position}><BoxOf box={b} info={info} used={used.has(i)} /></li>)}
      </ul>
    </>
  );
}

// useEnd is the position after the steps of a game. Where the game is not over
// there, whose turn it is has resigned.
function useEnd(spec: string, steps: Step[]) {
  const last = steps[steps.length - 1];
  return useLatest(`${spec} ${last?.position} ${last?.move}`, async () => (last ? (await position({ game: spec, position: last.position, moves: [last.move] })).state : null));
}

// BoxOf is a matchbox: its position, and on each square the beads of its move.
function BoxOf({ box, info, used, drew = "" }: { box: Box; info: Info; used: boolean; drew?: string }) {
  const beads = new Map(box.beads.map((b) => [squareOf(b.move), b.beads]));
  const total = box.beads.reduce((sum, b) => sum + b.beads, 0);
  const said = box.beads.map((b) => `${b.move} ${b.beads}`).join(", ");
  return <Small info={info} position={box.position} beads={beads} total={total} used={used} drew={squareOf(drew)} label={say("box of", { position: box.position, used, drew, empty: total === 0, said })} />;
}

// asPlayed is a box turned as the game was, which shows one position of all that are the same but for a turn or a
// reflection; as it is where none of them has the bead of the move.
function asPlayed(info: Info, step: Step, box: Box): Box {
  const squares = info.squares ?? [];
  const wide = Math.max(...squares.map((s) => s.col)), high = Math.max(...squares.map((s) => s.row));
  const from = marks(step.position), to = marks(box.position);
  for (let k = 0; k < 8 && squares.length > 0; k++) {
    const turned = squares.map(({ col, row }) => {
      const [c, r] = k & 4 ? [row, col] : [col, row];
      const [x, y] = [k & 1 ? wide - c : c, k & 2 ? high - r : r];
      return squares.findIndex((s) => s.col === x && s.row === y);
    });
    if (turned.some((t, i) => t < 0 || from[i] !== to[t])) continue;
    const beads = box.beads.map((b) => ({ ...b, move: squares[turned.findIndex((t) => squares[t]!.name === squareOf(b.move))]!.name }));
    if (beads.some((b) => b.move === squareOf(step.move))) return { ...box, position: step.position, beads };
  }
  return box;
}

// LookAt asks the brain about positions: press a square to go on.
function LookAt({ info, brain, version, kind, states = { step: 0, end: 0, to: () => {}, name: "" } }: { info: Info; brain: string; version: string; kind: string; states?: States }) {
  const [moves, setMoves] = useState<string[]>([]);
  const asked = useLatest(`${brain} ${version} ${moves.join()}`, () => look(brain, moves));
  const stage = useStage<HTMLDivElement>({ ...states, pace: 1500, own: "input, .cell" });
  if (!info.squares?.length) return null;
  const l = asked.data;
  const p: Position | null = l && { info, state: l.state, trail: [], owned: [], last: moves[moves.length - 1] ?? "" };
  const legal = p && asked.current && p.state.result === "*" ? bySquare(p) : new Map<number, string[]>();
  const notes = new Map<number, Note>();
  const odds = (l?.look.moves ?? []).map((m) => m.odds);
  const best = Math.max(0, ...odds), apart = odds.some((o) => o < best);
  const noteOf = (m: Looked): Note => ({ text: noteText(m), say: noteSays(m), shade: m.odds > 0 ? (m.odds === best && apart ? "good" : "even") : "none", best: m.odds > 0 && m.odds === best });
  if (l) info.squares.forEach((s, i) => {
    const m = l.look.moves.filter((x) => squareOf(x.move) === s.name).sort((a, b) => b.odds - a.odds)[0];
    if (m) notes.set(i, noteOf(m));
  });
  const words = l?.look.moves.some((m) => m.beads !== undefined) ? "beads" : l?.look.moves.some((m) => m.worth !== undefined) ? "worth" : "chance";
  const what = words === "beads" ? say("beads of each move") : words === "worth" ? say("what it thinks each") : say("how likely");
  return (
    <div class="lookat" ref={stage.at} onKeyDown={stage.onKeyDown}>
      <h3>{say("its view of a position")}</h3>
      {stage.full && states.name && <p class="telling" tabIndex={0}>{`${capital(states.name)}. ${what}`}</p>}
      <p class="muted">{what} <span class="noprint">{say("press a square to go on")}</span> {kind && l?.look.resigns ? say("it resigns with probability resigns", { resigns: figures(l.look.resigns) }) : ""}</p>
      <Failure text={asked.error} again={asked.again} />
      {p && <BoardOf p={p} last={-1} legal={legal} notes={notes} busy={!asked.current} flat
        label={say("what the learner makes")} onPlay={(i) => { const m = legal.get(i)?.[0]; if (m) setMoves([...moves, m]); }} />}
      {p && <OtherMoves position={p} notes={new Map(l!.look.moves.map((m) => [m.move, noteOf(m)]))} onPlay={(m) => asked.current && setMoves([...moves, m])} />}
      {stage.full && states.end > 0 && <Leading of={stage} />}
      <div class="row tools">
        <button type="button" disabled={moves.length === 0} onClick={() => setMoves(moves.slice(0, -1))}>{say("take back")}</button>
        <button type="button" disabled={moves.length === 0} onClick={() => setMoves([])}>{say("to the start")}</button>
        <span class="muted">{moves.length === 0 ? say("the start") : moves.join(" ")}</span>
        <Present of={stage} />
      </div>
    </div>
  );
}

const short = (v: number): string => (Math.abs(v) >= 1e6 ? (v > 0 ? "win" : "loss") : v === 0 ? "0" : String(Number(v.toPrecision(2))).replace("-", "−"));
const noteText = (m: Looked): string => (m.beads !== undefined ? count(m.beads) : m.worth !== undefined ? short(m.worth) : m.odds > 0 ? percent(m).replace("%", "") : "");
const percent = (m: Looked): string => `${Math.round(100 * m.odds)}%`;
const noteSays = (m: Looked): string =>
  [m.beads === undefined ? "" : say("n beads", { n: m.beads }), m.worth === undefined ? "" : say("worth short", { short: short(m.worth) }), say("played in percent", { percent: percent(m) })].filter((t) => t).join(", ");


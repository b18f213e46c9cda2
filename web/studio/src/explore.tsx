// The page that tells what every move is worth.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Info, message, type Position } from "./api";
import { capital, headingOf } from "./catalogue";
import { BoardOf, levelsOf } from "./board";
import { ValueChart } from "./curves";
import { Census } from "./census";
import { Edit } from "./edit";
import { at, bySquare, choosesMark, type Game, played, squareIndex, toQuery, turnsOf } from "./game";
import { formatRoute, go } from "./link";
import { Announce, Card, Failure, Heading, Legend, MarkChoice, Moves, OtherMoves, Rules, Table, TreeMoves } from "./parts";
import { Present, useStage } from "./present";
import { Share } from "./share";
import { judge, type Review } from "./review";
import { save } from "./snapshot";
import { OpenSets } from "./sets";
import { GameChoice } from "./setup";
import { say } from "./text";
import { noGame } from "./title";
import { useGame, useHand, usePosition, useTask } from "./use";
import { notesOf, rowsOf, treeNotes, useValues, type Row, type Values } from "./values";
import { marks, movesBack, number, once, side, status, unplayable } from "./words";

export function Explore({ query }: { query: Record<string, string> }) {
  const set = (next: Game) => go({ page: "explore", query: toQuery({ ...next, resigned: next.moves.join() === g.moves.join() ? next.resigned : "" }) }, true);
  const [g, known] = useGame(query, set);
  const here = at(g);
  const loaded = usePosition(here);
  const shown = known ? loaded.data : null; // a game's title may take more lines than what it is called
  const p = loaded.current ? shown : null;
  const [more, setMore] = useState(0);
  const values = useValues(here, p, more);
  const rows = p ? rowsOf(values) : [];
  const told = useRef(false); // what stands below the values comes after them, as they take room
  told.current ||= (values.judged !== null && !values.searching) || values.error !== "" || (p !== null && p.state.result !== "*");
  const { mark, setMark, lifted, press } = useHand(JSON.stringify(here));
  const [editing, setEditing] = useState(false); // nothing that is known of the position in view stands beside another
  const [draft, setDraft] = useState<Position | null>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const edited = useRef(false);
  useLayoutEffect(() => {
    if (!editing && edited.current) edit.current?.focus();
    edited.current = editing;
  }, [editing]);
  const [heard, setHeard] = useState("");
  const [faults, setFaults] = useState(new Map<number, string>());
  const [lit, setLit] = useState<{ name: string; squares: number[] }>({ name: "", squares: [] });
  useEffect(() => {
    setMore(0);
    setLit({ name: "", squares: [] });
  }, [JSON.stringify(here)]);

  const play = (move: string) => {
    if (!p || !p.state.moves.includes(move)) return;
    setHeard(say("side plays move", { side: side(p.info, p.state.turn), move, ply: 0 }));
    set(played(g, move));
  };
  const squares = p ? bySquare(p, lifted) : new Map<number, string[]>();
  const onSquare = (i: number) => {
    const moves = squares.get(i);
    if (moves) press(i, moves, play);
    else if (p) setHeard(unplayable(p, i));
  };
  const stands = (of: Position): string => status(of, g.ply === g.moves.length ? g.resigned : "");
  const line = editing ? (draft ? status(draft) : "") : p ? stands(p) : "";
  const turns = turnsOf(g);
  const stage = useStage<HTMLElement>({ step: turns.filter((t) => t.ply <= g.ply).length, end: turns.length, to: (n) => set({ ...g, ply: turns[n - 1]?.ply ?? 0 }), pace: 2500, own: "input, .cell" });
  const standing = stage.full && p?.state.result === "*" ? values.judged?.standing : ""; // which stands beside the board else
  const last = shown ? squareIndex(shown, g.moves[g.ply - 1]) : -1;

  return (
    <div class="page two play">
      <section class="main-part" aria-label={say("position")} ref={stage.at} onKeyDown={editing ? undefined : stage.onKeyDown}>
        <Heading text={say("page of title", { page: say("explore"), title: headingOf(g.spec, shown?.info) })} stands={shown && !editing && !loaded.error && (g.start || g.moves.length > 0) ? stands(shown) : ""} />
        {g.names && !editing && <p class="muted break">{`${side(shown?.info, "first")}: ${g.names[0]}; ${side(shown?.info, "second")}: ${g.names[1]}`}</p>}
        {g.online && <p><a href={formatRoute({ page: "online", query: { id: g.online } })}>{say("back to the game online")}</a></p>}
        <p class="statusline telling" tabIndex={stage.full ? 0 : undefined}>{[line, standing].filter(Boolean).join(" ") || " "}</p>
        <Announce text={editing ? line : p ? `${heard || movesBack(g)} ${line}` : ""} />
        <Failure text={loaded.error} missing={noGame(loaded, g.spec)} again={loaded.again}>
          {(g.start || g.moves.length > 0) && <button type="button" onClick={() => set({ ...g, start: "", moves: [], ply: 0 })}>{say("go to the start")}</button>}
          <button type="button" onClick={() => set({ ...g, spec: "ttt", start: "", moves: [], ply: 0 })}>{say("explore tic tac toe")}</button>
        </Failure>
        {!shown && !loaded.error && <div class="waiting" />}
        {shown && !editing && (shown.info.squares?.length ? (
          <BoardOf p={shown} legal={squares} last={last} zone={new Set(lifted >= 0 ? [lifted] : lit.squares)} zoneSays={lifted >= 0 ? say("lifted") : say("in name", { name: lit.name })}
            notes={p ? notesOf(rows, p, choosesMark(p) ? mark : "", lifted) : undefined} label={say("board of title", { title: shown.info.title })} onPlay={onSquare} />
        ) : <TreeMoves position={shown} path={g.moves.slice(0, g.ply)} notes={treeNotes(rows)} onPlay={play} />)}
        {shown && editing && <Edit key={shown.info.spec} p={shown} draft={draft} onDraft={setDraft} onUse={(start) => { setEditing(false); set({ ...g, start, moves: [], ply: 0 }); }} onCancel={() => setEditing(false)} />}
        {shown && !editing && (
          <>
            {shown.info.squares?.length ? <OtherMoves position={shown} notes={treeNotes(rows)} onPlay={play} /> : null}
            <Moves game={g} marks={faults} onPly={(ply) => set({ ...g, ply })} />
            <MarkChoice p={shown} value={mark} onChange={setMark} />
            <div class="row actions tools">
              {!stage.full && <>
                <button type="button" ref={edit} onClick={() => { setDraft(p); setEditing(true); }}>{say("set up a position")}</button>
                <button type="button" onClick={() => go({ page: "play", query: toQuery({ ...g, names: undefined, date: undefined, online: undefined }) })}>{say("play from here")}</button>
                <Share query={toQuery(g)} drawn={{ name: "values", selector: ".board", caption: [line, values.judged?.standing, values.judged?.lo === values.judged?.hi && rows.some((r) => r.best) && capital(say("best move marked", { list: false }))].filter(Boolean).join(" ") }} />
              </>}
              <Present of={stage} />
            </div>
            {hasMap(shown) && ["first", "second"].map((seat) => <p class="muted noprint" key={seat}>{mapOf(g, shown.info, seat)}</p>)}
            {shown.info.squares?.length ? <Legend info={shown.info} list /> : null}
          </>
        )}
        {shown && !editing && <ValueGraph g={g} p={shown} proven={values.judged !== null && values.judged.lo === values.judged.hi} onFaults={setFaults} onPly={(ply) => set({ ...g, ply })} onShow={(ply) => { set({ ...g, ply }); stage.at.current?.querySelector(".board")?.scrollIntoView({ block: "nearest" }); }} />}
      </section>
      {/* It comes with the board, as what it says of the game takes room. */}
      {(shown || loaded.error) && (
        <section class={shown && !told.current ? "side-part early" : "side-part"} aria-label={say("values and moves")}>
          <div class="card choice">
            <GameChoice id="game" known={known} spec={g.spec} onChoose={(spec) => set({ ...g, spec, start: "", moves: [], ply: 0, names: undefined, date: undefined, online: undefined })} />
            {shown && <Rules info={shown.info} />}
          </div>
          {!editing && <Card title={say("what each move is worth")}>
            {shown && <MoveValues values={values} rows={rows} p={shown} ready={p !== null} onPlay={play} onMore={() => setMore((n) => n + 1)} />}
          </Card>}
          {shown && !editing && told.current && <OpenSets p={shown} shown={lit.name} onShow={(name, squares) => setLit({ name, squares })}><Census key={shown.info.spec} info={shown.info} /></OpenSets>}
        </section>
      )}
    </div>
  );
}

// hasMap reports whether the map of optimal play of a position is small enough to be drawn.
const hasMap = (p: Position): boolean => p.info.drawn === "grid" && !p.info.chance && !choosesMark(p) && p.state.result === "*"
  && levelsOf(p.info.squares ?? []).length === 1 && marks(p.state.position).filter((m) => m === ".").length <= 9;

// mapOf leads to the picture of a seat's map.
const mapOf = (g: Game, info: Info, seat: string) => {
  const { game, from, moves, ply } = toQuery(g) as Record<"game" | "from" | "moves" | "ply", string>;
  return <a target="_blank" rel="noreferrer" href={"api/v1/picture.svg?" + new URLSearchParams({ game, from, moves, ply, map: seat })}>{say("map for side", { side: side(info, seat) })}</a>;
};

// mostWhole is how many moves are listed in full; of more the list is pushed up and down.
const mostWhole = 16;

interface MoveValuesProps { values: Values; rows: Row[]; p: Position; ready: boolean; onPlay: (m: string) => void; onMore: () => void }

function MoveValues({ values, rows, p, ready, onPlay, onMore }: MoveValuesProps) {
  const judged = values.judged;
  const steady = useSteady(rows, values.searching);
  const guessed = useRef(""); // the position whose rows were estimates: they keep their height
  if (!rows.every((r) => r.known)) guessed.current = p.state.position;
  const whose = p.info.chance || p.info.drawn === "tree" ? "first" : p.state.turn; // where worths are numbers
  if (p.state.result !== "*") return <p>{status(p)}</p>;
  const unknown = judged && !judged.done && judged.lo === -1 && judged.hi === 1; // so far
  return (
    <>
      <p class="standing" role="status">{judged && !unknown ? judged.standing : values.error ? "" : ready ? say("working it out") : " "}</p>
      <Failure text={values.error}><button type="button" onClick={onMore}>{say("search again")}</button></Failure>
      {judged?.left_out && <p class="muted">{say("left out", { left_out: judged.left_out.join("; ") })}</p>}
      <Table class={`tablebox ${p.state.moves.length > mostWhole ? "full" : "short"}`} role="region" label={say("moves by worth")} kind={guessed.current === p.state.position ? "estimated" : ""}
        head={<><th scope="col">{say("move")}</th><th scope="col">{say("worth to side", { side: side(p.info, whose) })}</th></>}>
        {steady.map((r, i) => (
          <tr key={i} class={r.best ? "best" : ""}>
            <td><button type="button" class={"move shade-" + r.shade} style={r.near === undefined ? {} : { "--near": `${r.near}` }} onClick={() => onPlay(r.move)}>{r.move}</button></td>
            <td>{r.text}{r.best ? " ★" : ""}{r.visits > 0 && <meter min={0} max={1} value={r.share} aria-label={say("what was searched", { move: r.move })} />}</td>
          </tr>
        ))}
      </Table>
      {judged && !judged.certain && <button type="button" disabled={values.searching} onClick={onMore}>{say("search longer")}</button>}
      {judged && <p class="bestline">{once(judged.why, judged.standing)}</p>}
      {judged && judged.source === "solution" && (judged.line ?? []).length > 0 && <p class="bestline">{say("best play", { line: judged.line!.join(", ") })}</p>}
    </>
  );
}

// useSteady has rows in the order in which they came first, until the search is over; the best are first as soon as
// they are known.
function useSteady(rows: Row[], searching: boolean): Row[] {
  const rank = useRef(new Map<string, number>());
  const steady = searching && rows.every((r) => rank.current.has(r.move)) ? [...rows].sort((a, b) => Number(b.best) - Number(a.best) || rank.current.get(a.move)! - rank.current.get(b.move)!) : rows;
  rank.current = new Map(steady.map((r, i) => [r.move, i]));
  return steady;
}

// ValueGraph draws the value over the game and tells where it was lost. Proven says that the worth of the
// position shown is: where the review has not found it, it is asked for once more, as the judge knows now.
function ValueGraph({ g, p, proven, onFaults, onPly, onShow }: { g: Game; p: Position | null; proven: boolean; onFaults: (byPly: Map<number, string>) => void; onPly: (ply: number) => void; onShow: (ply: number) => void }) {
  const key = JSON.stringify([g.spec, g.start, g.moves]);
  const [review, setReview] = useState<Review>({ moves: [], summary: "", csv: "" });
  const judged = review.moves;
  const [error, setError] = useState("");
  const latest = judged.find((j) => j.ply === g.ply);
  const behind = proven && review.summary !== "" && latest && !latest.proven ? `${key} ${g.ply}` : "";
  const asked = useRef({ key: "", behind: "" });
  if (behind) asked.current.behind = behind;
  const again = useTask((signal) => {
    if (asked.current.key !== key) setReview({ moves: [], summary: "", csv: "" });
    asked.current.key = key;
    setError("");
    return g.moves.length > 0 ? judge(g, p?.info, signal, (r) => !signal.aborted && setReview(r)) : undefined;
  }, (e) => setError(message(e)), [key, asked.current.behind]);
  const points = useMemo(() => judged.map((j) => ({ x: j.ply, y: j.value, guessed: !j.proven })), [judged]);
  useEffect(() => onFaults(new Map(judged.flatMap((j) => (j.mark ? [[j.ply, j.mark]] : [])))), [judged]);
  const low = Math.min(-1, ...points.map((q) => q.y));
  const high = Math.max(1, ...points.map((q) => q.y));
  const plain = low === -1 && high === 1;
  const mistakes = review.summary ? judged.filter((j) => j.text !== "") : [];
  const first = side(p?.info, "first"), second = side(p?.info, "second");
  return (
    <section class="review" aria-label={say("review of the game")}>
      <h2>{say("the game so far")}</h2>
      {g.moves.length === 0 ? <p class="muted">{say("play some moves")}</p> : (
        <>
          <ValueChart values={points} plies={g.moves.length} at={g.ply} range={{ low, high, top: plain ? say("chart side wins", { side: first }) : number(high), bottom: plain ? say("chart side wins", { side: second }) : number(low) }}
            label={say("value after each move to first", { first, judged: judged.map((j) => (j.proven ? "" : "≈") + number(j.value)).join(", ") })} onChoose={onPly} />
          <p class="muted">{latest ? say("after move ply", { ply: latest.ply, says: latest.says }) : " "}</p>
          <Failure text={error} again={again} />
          <div>
            {error ? null : !review.summary && <p class="muted">{say("looking at the moves", { n: judged.length, all: g.moves.length })}</p>}
            <p role="status">{error ? "" : review.summary}</p>
            {review.summary && !error && points.some((q) => q.guessed) && <p class="muted">{say("hollow points are estimates")}</p>}
            {review.summary && !error && <p><button type="button" onClick={() => save("review.csv", new Blob([review.csv], { type: "text/csv" }))}>{say("as csv")}</button></p>}
            {mistakes.length > 0 && (
                <ul class="mistakes">
                  {mistakes.map((j) => (
                    <li key={j.ply}>
                      <span>{j.text}</span> <button type="button" onClick={() => onShow(j.ply - 1)}>{say("show the position before")}</button>
                    </li>
                  ))}
                </ul>
              )}
          </div>
        </>
      )}
    </section>
  );
}

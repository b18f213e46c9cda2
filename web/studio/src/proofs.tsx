// The page of proofs: the search for new ones, what the server has, what each
// claims, a check by a second program, and a game against the strategy.
import { useEffect, useRef, useState } from "preact/hooks";
import { bringProof, type CheckLine, checkProof, game, type Info, type Position, type Proof, type ProofClaim, proofFile, proofs, walk, type Walk } from "./api";
import { BoardOf } from "./board";
import { capital } from "./catalogue";
import { Picture } from "./gallery";
import { bySquare, squareIndex } from "./game";
import { jobs, useJob } from "./job";
import { Fold, folded, show as showPart, usePart } from "./contents";
import { formatRoute, go, joinMoves, splitMoves } from "./link";
import { Announce, Card, Command, Failure, Heading, Rules, Segmented } from "./parts";
import { Leading, Present, useStage } from "./present";
import { Prover, type Proving } from "./prover";
import { count, say, show } from "./text";
import { notFound } from "./title";
import { useAbort, useLatest, useTried } from "./use";
import { other, outcome, side, sides } from "./words";

export function Proofs({ query }: { query: Record<string, string> }) {
  const list = useLatest("proofs", () => proofs().then((r) => r.proofs));
  const own = useLatest("proving", () => jobs<Proving>("prove").then((r) => r.jobs));
  const run = useJob<Proving>(query.job ?? "", say("search for a proof"));
  const chosen = list.data?.find((p) => p.id === query.id);
  const [follows] = useState(Boolean(query.job)); // who comes for a search sees it first
  const ready = useRef(false); // all is shown at once at first, so that nothing jumps
  const stood = useRef<Set<string> | null>(null); // what the shelf began with, which stays where it is
  ready.current ||= list.data !== null && (own.data !== null || own.error !== "") && (!query.job || run.job !== null || run.error !== "");
  usePart(query.part, ready.current);
  if (query.id && chosen) stood.current = null; // who comes back sees all in order
  if (query.id && chosen && !chosen.claims.some((c) => c.nodes > 0)) return <Stated proof={chosen} />;
  if (query.id && chosen) return <Against proof={chosen} seat={query.seat ?? ""} replies={splitMoves(query.replies)} key={chosen.id} />;
  if (ready.current) stood.current ??= list.data && new Set(list.data.map((p) => p.id));
  const { of = "", shows = "" } = query;
  const found = list.data?.filter((p) => p.title.toLowerCase().includes(of.trim().toLowerCase()) && (!shows || (shows === "win") === (winnerOf(p) !== "")));
  const all = of.trim() !== "" || shows !== "";
  const shelf = (
    <>
      {(list.data?.length ?? 0) > long && <Filter of={of} shows={shows} found={all && found ? found.length : null} onChange={(next) => go({ page: "proofs", query: { ...query, ...next } }, true)} />}
      <Shelf id="more" label={say("proofs")} list={found?.filter((p) => stood.current?.has(p.id))} all={all} />
    </>
  );
  return (
    <div class="page">
      <h1>{say("proofs")}</h1>
      <p class="lead">{say("a proof")} <a class="noprint" href={formatRoute({ page: "proofs", query: { ...query, part: "own" } })} onClick={() => showPart("own")}>{say("prove a game")}</a></p>
      <Failure text={list.error} again={() => { list.again(); own.again(); }} />
      {query.id && list.data && <Failure text={say("there is no proof", { id: query.id })} missing={notFound(true, say("proofs"))} />}
      {!ready.current && !list.error && <div class="waiting tall" />}
      {ready.current && list.data && (
        <>
          {!follows && shelf}
          <div class="cards" id="own" tabIndex={-1}>
            {own.data ? <Prover spec={query.game ?? ""} time={query.time ?? ""} claim={query.claim ?? ""} run={run} list={own.data} onChange={() => { list.again(); own.again(); }} />
              : <Failure text={own.error} again={own.again} />}
            <Bring onBrought={(p) => { list.again(); go({ page: "proofs", query: { id: p.id } }); }} />
          </div>
          {follows && shelf}
          <Shelf id="more-since" label={say("proofs since")} list={found?.filter((p) => !stood.current?.has(p.id))} all={all} />
        </>
      )}
    </div>
  );
}

// winnerOf is the seat that wins by a proof, "" where none does.
const winnerOf = (p: Proof): string => p.claims.find((c) => c.wins)?.seat ?? (p.value === "draw" ? "" : p.value);

// said is what a proof claims, in a sentence.
function said(p: Proof): string {
  const names = (s: string) => side(p, s);
  const winner = p.claims.find((c) => c.wins);
  if (winner) return say("claimed win", { us: names(winner.seat), plies: winner.plies, alone: true });
  const none = /^(first|second)>(\d+)$/.exec(p.shows);
  if (none) return say("claimed bound", { you: names(none[1]!), plies: none[2]!, alone: true });
  if (p.value === "draw") return say("nobody loses");
  if (p.value === "first" || p.value === "second") return say("side wins", { side: names(p.value) });
  return p.claims.map((c) => say("claimed hold", { us: names(c.seat), alone: true })).join(" ");
}

// long is a list that can be filtered.
const long = 12;

interface FilterProps { of: string; shows: string; found: number | null; onChange: (next: { of?: string; shows?: string }) => void }

// Filter chooses among the proofs by the game and by what is shown, and says how many are left.
const Filter = ({ of, shows, found, onChange }: FilterProps) => (
  <div class="row filter noprint" role="search">
    <input type="search" aria-label={say("game's name")} placeholder={say("game's name")} value={of} onInput={(e) => onChange({ of: e.currentTarget.value })} />
    <Segmented label={say("what is shown")} value={shows} options={[["", say("all of them")], ["win", say("a side wins")], ["draw", say("nobody wins")]]} onChange={(shows) => onChange({ shows })} />
    <span class="muted" role="status">{found !== null && say("n proofs", { n: found })}</span>
  </div>
);

// few is how many proofs a small screen shows unfolded.
const few = 6;

function Shelf({ id, label, list = [], all }: { id: string; label: string; list?: Proof[]; all: boolean }) {
  const [least] = useState(folded() ? few : Infinity);
  const most = all ? Infinity : least;
  const listed = (some: Proof[]) => <ul class="proofs" aria-label={label}>{some.map((p) => <Entry key={p.id} p={p} />)}</ul>;
  if (list.length === 0) return null;
  return (
    <>
      {listed(list.slice(0, most))}
      {list.length > most && <Fold id={id} title={say("n more proofs", { n: list.length - most })}>{listed(list.slice(most))}</Fold>}
    </>
  );
}

function Entry({ p }: { p: Proof }) {
  return (
    <li>
      <a class={`card proof ${p.start && !p.begins?.length ? "bare" : ""}`} href={formatRoute({ page: "proofs", query: { id: p.id } })}>
        {p.named ? <Picture printed spec={p.game} start={p.start ? "" : p.position} moves={p.begins ?? []} /> : <span class="picture" />}
        <span class="grow">
          <b>{say("title and place", { title: capital(p.title), placed: !p.start })}</b>
          <span class={`verdict ${winnerOf(p) ? "is-" + winnerOf(p) : ""}`}>{said(p)}</span>
          <span class="muted">{say("size of a proof", { n: p.nodes, size: size(p.bytes), brought: p.from === "uploaded", proved: p.from !== "uploaded" && p.from !== "built in" })}</span>
        </span>
      </a>
    </li>
  );
}

const size = (bytes: number): string => (bytes < 10_000 ? say("n bytes", { n: count(bytes) }) : say("n kb", { n: count(Math.round(bytes / 1000)) }));

function Bring({ onBrought }: { onBrought: (p: Proof) => void }) {
  const [error, attempt, setError, busy] = useTried();
  const bring = (file: File | undefined) => {
    if (!file) return;
    setError("");
    void attempt(() => bringProof(file).then(onBrought));
  };
  return (
    <Card kind="bring" title={say("bring a proof")}>
      <p>{show("make one with code", { code: <Command>oxo prove mnk:6,6,4 --out 664.proof</Command> })}</p>
      <input type="file" aria-label={say("a proof's file")} disabled={busy} onChange={(e) => bring(e.currentTarget.files?.[0])} />
      <Failure text={error} />
    </Card>
  );
}

// Against is one proof: a game against it, its claims, its check.
function Against({ proof, seat, replies }: { proof: Proof; seat: string; replies: string[] }) {
  const set = (next: { seat?: string; replies?: string[] }) =>
    go({ page: "proofs", query: { id: proof.id, seat: next.seat ?? seat, replies: joinMoves(next.replies ?? replies) } }, true);
  const walkers = proof.claims.filter((c) => c.nodes > 0);
  const loaded = useLatest(JSON.stringify([proof.id, seat, replies]), () => walk(proof.id, seat, replies));
  const w = loaded.data;
  const p: Position | null = w && { info: w.info, state: w.state, trail: [], owned: w.owned, last: w.moves.at(-1) ?? "" };
  const over = w !== null && (w.over || w.state.result !== "*");
  const legal = p && loaded.current && !over ? bySquare(p) : new Map<number, string[]>();
  const line = w && p ? told(w, p) : " ";
  const ahead = useRef(replies); // those that were played after these, which can be shown again
  if (ahead.current.slice(0, replies.length).join() !== replies.join()) ahead.current = replies;
  const stage = useStage<HTMLElement>({ step: replies.length, end: ahead.current.length, to: (n) => set({ replies: ahead.current.slice(0, n) }), pace: 2500, own: "input, .cell" });
  return (
    <div class="page two play">
      <section class="main-part" aria-label={say("a game against the proof")} ref={stage.at} onKeyDown={stage.onKeyDown}>
        <Heading text={`${capital(proof.title)}: ${said(proof)}`} />
        <p class={`statusline telling ${over ? "ended" : ""}`} tabIndex={stage.full ? 0 : undefined}>{line}</p>
        <Announce text={line} />
        <Failure text={loaded.error} again={loaded.again}><button type="button" onClick={() => set({ replies: [] })}>{say("start again")}</button></Failure>
        {!p && !loaded.error && <div class="waiting" />}
        {w && p && <BoardOf p={p} last={squareIndex(p, w.moves.at(-1))} legal={legal} busy={!loaded.current}
          label={say("board of title arrow", { title: proof.title, proof: true, columns: 0, more: false })} onPlay={(i) => { const m = legal.get(i)?.[0]; if (m) set({ replies: [...replies, m] }); }} />}
        {stage.full && stage.end > 0 && <Leading of={stage} />}
        <div class="row actions tools">
          <button type="button" disabled={replies.length === 0} onClick={() => set({ replies: replies.slice(0, -1) })}>{say("take back")}</button>
          <button type="button" disabled={replies.length === 0} onClick={() => set({ replies: [] })}>{say("start again")}</button>
          {walkers.length > 1 && w && <Segmented label={say("whom the proof plays")} value={w.seat} options={walkers.map((c) => [c.seat, say("it plays side", { side: side(w.info, c.seat) })])} onChange={(s) => set({ seat: s, replies: [] })} />}
          <Present of={stage} />
        </div>
      </section>
      {/* It comes with the board, which may take less room than is kept for it. */}
      {(w || loaded.error) && <section class="side-part" aria-label={say("claims and check")}>
        <About proof={proof} info={w?.info} />
        {w && (
          <Card title={say("the game against it")}>
            <Rules info={w.info} />
            {w.moves.length === 0 ? <p class="muted">{say("no moves yet you")}</p> : (
              <ol class="walked">{w.moves.map((m, i) => <li key={i}><b>{m}</b> {w.notes[i] ? <span>{say("the proof", { reason: reason(w.notes[i]!) })}</span> : <span class="muted">{say("you")}</span>}</li>)}</ol>
            )}
          </Card>
        )}
      </section>}
    </div>
  );
}

// About is what a proof claims, how it was found, and its check.
const About = ({ proof, info }: { proof: Proof; info: Info | undefined }) => (
  <>
    <Card title={say("what it claims")}>
      <ul class="claims">{proof.claims.map((c) => <li key={c.seat + c.wins}>{claim(c, info)}</li>)}</ul>
      {!proof.start && <p class="muted break">{say("it begins from position", { position: proof.position })}</p>}
      <div class="row">
        <a class="button" href={proofFile(proof.id)} download={`${proof.id}.proof`}>{say("download it")}</a>
        <a class="button" href="proofs">{say("all proofs")}</a>
      </div>
    </Card>
    <Found proof={proof} />
    <Check proof={proof} info={info} />
  </>
);

// Stated is a proof without a strategy, which nobody can play against: strategy stealing shows its claim.
function Stated({ proof }: { proof: Proof }) {
  const info = useLatest(proof.game, () => game(proof.game)).data ?? undefined;
  return (
    <div class="page">
      <Heading text={`${capital(proof.title)}: ${said(proof)}`} />
      <div class="cards"><About proof={proof} info={info} /></div>
    </div>
  );
}

// Found is the size of a proof, how it was found, and the command that finds it again.
function Found({ proof: p }: { proof: Proof }) {
  const s = p.search;
  return (
    <Card title={say("how it was found")}>
      <table class="facts">
        <tbody>
          <tr><th scope="row">{say("size")}</th><td>{say("n positions in size", { nodes: p.nodes, size: size(p.bytes) })}</td></tr>
          {p.method && <tr><th scope="row">{say("method")}</th><td>{settled(p) ? say("by the start alone") : say("method and doubt", { method: capital(p.method), unsure: !s && p.nodes > 0 })}</td></tr>}
          {!settled(p) && <tr><th scope="row">{say("searched")}</th><td>{s ? say("n positions", { n: s.nodes }) : say("the file does not say")}</td></tr>}
          {s && p.from === "built in" && <tr><th scope="row">{say("processor time")}</th><td>{s.seconds < 0.01 ? say("less than 0.01 s") : say("n s", { n: s.seconds })}</td></tr>}
        </tbody>
      </table>
      {p.prove && <><p>{say(p.from === "built in" ? "anybody can find it again" : "a proof of the same claim")}</p><p class="break"><Command>{p.prove}</Command></p></>}
    </Card>
  );
}

// settled reports whether a proof needs no reply to be played, as its start says all.
const settled = (p: Proof): boolean => p.claims.some((c) => c.at_start) && p.claims.every((c) => c.at_start || c.nodes === 0);

// claim says what is claimed for a side and how it is shown.
function claim(c: ProofClaim, info: Info | undefined): string {
  const head = { side: side(info, c.seat), wins: c.wins, plies: c.plies };
  if (c.nodes === 0) return say("strategy stealing", head);
  if (c.at_start) return say("settled at the start", { ...head, pairs: c.pairs ?? 0, sum: c.sum, others: Boolean(c.sum && c.pairs), you: side(info, other(c.seat)) });
  const ends = [
    [c.threats, say("a win by threats")], [c.pairings, say("a pairing of squares")],
    [c.potential, say("the erdős selfridge count")], [c.settled, say("a position in which")],
  ].filter(([n]) => Number(n) > 0).map(([n, what]) => say("n by what", { n: count(Number(n)), what: what! }));
  return say("a strategy of", { ...head, nodes: c.nodes, ends: ends.join(", ") });
}

// claimed is what the proof claims in a game against it.
function claimed(w: Walk): string {
  const us = side(w.info, w.seat), you = side(w.info, other(w.seat));
  if (w.wins) return say("claimed win", { us, plies: w.plies, alone: false });
  return w.plies ? say("claimed bound", { you, plies: w.plies, alone: false }) : say("claimed hold", { us, alone: false });
}

// told says how the game against the proof stands.
function told(w: Walk, p: Position): string {
  const you = side(w.info, other(w.seat)), claim = claimed(w);
  if (w.over) return say("the plies are over", { plies: w.plies!, claim });
  if (w.state.result !== "*") {
    const kept = w.state.result === w.seat || (!w.wins && w.state.result === "draw");
    const more = kept && !w.wins && w.state.result === w.seat; // than was claimed
    return `${outcome(p, "")} ${more ? say("the proof claims less", { claim }) : kept ? say("as the proof claims") : say("the proof has failed")}`;
  }
  const why = w.notes.at(-1);
  if (w.moves.length === 0) return say("you play you and begin", { you, claim });
  return why ? say("the proof plays", { at: w.moves.at(-1)!, reason: reason(why), claim, you }) : say("your turn as you", { you });
}

// reason says why the proof plays a move.
const reason = (note: string): string => (note === "the proof's move" ? say("as its strategy says") : note);

// Check has the server check the proof and shows what was checked.
function Check({ proof, info }: { proof: Proof; info: Info | undefined }) {
  const [line, setLine] = useState<CheckLine | null>(null);
  const [error, attempt, setError] = useTried();
  const task = useAbort();
  const check = async () => {
    setError("");
    setLine({ share: 0, seconds: 0 });
    const done = await attempt(() => checkProof(proof.id, task.start(), setLine).then(() => true));
    if (!done) setLine(null);
  };
  const r = line?.result;
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (r) shown.current?.scrollIntoView({ block: "nearest" });
  }, [r]);
  return (
    <Card title={say("check it")}>
      <p class="muted">{say("the checker searches nothing", { settled: settled(proof) })}</p>
      {proof.verify && <><p>{say("on your own machine")}</p><p class="break"><Command>{proof.verify}</Command></p></>}
      <button type="button" class="primary" disabled={line !== null && !r} onClick={check}>{say("check it here")}</button>
      <div class="checked" role="status" ref={shown}>
        {line && !r && <progress max={1} value={line.share} aria-label={say("share of the proof")} />}
        {r?.ok && <p class="good">{say("it holds", { sides: sides(r.claim, info), settled: settled(proof), nodes: r.nodes, replies: r.replies, seconds: line!.seconds < 0.001 ? say("less than a millisecond") : say("n s", { n: line!.seconds.toFixed(3) }) })}</p>}
        {r && !r.ok && <Failure text={say("it does not hold", { limited: !!r.limited, reason: r.reason! })} />}
        <Failure text={error} />
      </div>
    </Card>
  );
}

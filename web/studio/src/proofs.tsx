// The page of proofs: the search for new ones, what the server has, what each
// claims, a check by a second program, and a game against the strategy.
import { useRef, useState } from "preact/hooks";
import { aborted, bringProof, type CheckLine, checkProof, type Info, message, type Position, type Proof, type ProofClaim, proofFile, proofs, walk, type Walk } from "./api";
import { BoardOf } from "./boardof";
import { levelsOf } from "./board";
import { capital } from "./catalogue";
import { Picture } from "./gallery";
import { bySquare, squareIndex } from "./game";
import { jobs, useJob } from "./job";
import { formatRoute, go, joinMoves, splitMoves } from "./link";
import { Announce, Failure, Rules, Segmented } from "./parts";
import { Prover, type Proving } from "./prover";
import { useAbort, useLatest, useStored } from "./use";
import { count, other, outcome, side, sides } from "./words";

export function Proofs({ query }: { query: Record<string, string> }) {
  const list = useLatest("proofs", () => proofs().then((r) => r.proofs));
  const own = useLatest("proving", () => jobs<Proving>("prove").then((r) => r.jobs));
  const run = useJob<Proving>(query.job ?? "", "search for a proof");
  const chosen = list.data?.find((p) => p.id === query.id);
  const ready = useRef(false); // all is shown at once at first, so that nothing jumps
  ready.current ||= list.data !== null && (own.data !== null || own.error !== "") && (!query.job || run.job !== null || run.error !== "");
  if (query.id && chosen) return <Against proof={chosen} seat={query.seat ?? ""} replies={splitMoves(query.replies)} key={chosen.id} />;
  return (
    <div class="page">
      <h1>Proofs</h1>
      <p class="lead">A proof is a file that shows who wins, whatever the other side does. A second program, which shares nothing with the one that found it, can check every reply. Open one to check it and to play against it, or have another game proved.</p>
      <Failure text={list.error} again={() => { list.again(); own.again(); }} />
      {query.id && list.data && <Failure text={`There is no proof “${query.id}” on this server. Bring its file below, or open another one.`} />}
      {!ready.current && !list.error && <div class="waiting" />}
      {ready.current && list.data && (
        <>
          <ul class="proofs" aria-label="Proofs">{list.data.map((p) => <Entry key={p.id} p={p} />)}</ul>
          <div class="cards">
            {own.data ? <Prover spec={query.game ?? ""} time={query.time ?? ""} run={run} list={own.data} onChange={() => { list.again(); own.again(); }} />
              : <Failure text={own.error} again={own.again} />}
            <Bring onBrought={(p) => { list.again(); go({ page: "proofs", query: { id: p.id } }); }} />
          </div>
        </>
      )}
    </div>
  );
}

// winnerOf is the seat that wins by a proof, "" where none does.
const winnerOf = (p: Proof): string => p.claims.find((c) => c.wins)?.seat ?? (p.value === "draw" ? "" : p.value);

// said is what a proof claims, in a sentence.
function said(p: Proof): string {
  const names = (s: string) => (s === "first" ? "X" : "O");
  const winner = p.claims.find((c) => c.wins);
  if (winner) return `${names(winner.seat)} wins${winner.plies ? ` within ${winner.plies} plies` : ""}.`;
  const none = /^(first|second)>(\d+)$/.exec(p.shows);
  if (none) return `${names(none[1]!)} does not win within ${none[2]} plies.`;
  if (p.value === "draw") return "Nobody loses: a draw with best play.";
  if (p.value === "first" || p.value === "second") return `${names(p.value)} wins.`;
  return p.claims.map((c) => `${names(c.seat)} does not lose.`).join(" ");
}

function Entry({ p }: { p: Proof }) {
  return (
    <li>
      <a class="card proof" href={formatRoute({ page: "proofs", query: { id: p.id } })}>
        {p.named ? <Picture spec={p.game} start={p.start ? "" : p.position} moves={p.start ? undefined : []} /> : <span class="picture" />}
        <span class="grow">
          <b>{capital(p.title)}{p.start ? "" : ", from a position"}</b>
          <span class={`verdict ${winnerOf(p) ? "is-" + winnerOf(p) : ""}`}>{said(p)}</span>
          <span class="muted">{count(p.nodes)} {p.nodes === 1 ? "position" : "positions"}, {size(p.bytes)}{p.from === "built in" ? "" : p.from === "uploaded" ? ", brought here" : ", proved here"}</span>
        </span>
      </a>
    </li>
  );
}

const size = (bytes: number): string => (bytes < 10_000 ? `${count(bytes)} bytes` : `${count(Math.round(bytes / 1000))} kB`);

function Bring({ onBrought }: { onBrought: (p: Proof) => void }) {
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const bring = async (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    setError("");
    try {
      onBrought(await bringProof(file));
    } catch (e) {
      setError(message(e));
    }
    setBusy(false);
  };
  return (
    <div class="card bring">
      <h2>Bring a proof</h2>
      <p>Make one with <code>oxo prove mnk:6,6,4 --out 664.proof</code> and choose the file here. It is checked before it is kept.</p>
      <input type="file" aria-label="A proof’s file" disabled={busy} onChange={(e) => bring(e.currentTarget.files?.[0])} />
      <Failure text={error} />
    </div>
  );
}

// Against is one proof: a game against it, its claims, its check.
function Against({ proof, seat, replies }: { proof: Proof; seat: string; replies: string[] }) {
  const set = (next: { seat?: string; replies?: string[] }) =>
    go({ page: "proofs", query: { id: proof.id, seat: next.seat ?? seat, replies: joinMoves(next.replies ?? replies) } }, true);
  const [view, setView] = useStored("view", "space");
  const walkers = proof.claims.filter((c) => c.nodes > 0);
  const loaded = useLatest(JSON.stringify([proof.id, seat, replies]), () => walk(proof.id, seat, replies));
  const w = loaded.data;
  const p: Position | null = w && { info: w.info, state: w.state, trail: [], owned: w.owned, last: w.moves.at(-1) ?? "" };
  const over = w !== null && w.state.result !== "*";
  const legal = p && loaded.current && !over ? bySquare(p) : new Map<number, string[]>();
  const line = w && p ? told(w, p) : " ";
  return (
    <div class="page two">
      <section class="main-part" aria-label="A game against the proof">
        <h1>{capital(proof.title)}: {said(proof)}</h1>
        <p class={`statusline ${over ? "ended" : ""}`}>{line}</p>
        <Announce text={line} />
        <Failure text={loaded.error} again={loaded.again}><button type="button" onClick={() => set({ replies: [] })}>Start again</button></Failure>
        {!p && !loaded.error && <div class="waiting" />}
        {w && p && <BoardOf p={p} last={squareIndex(p, w.moves.at(-1))} legal={legal} view={view} busy={!loaded.current}
          label={`Board of ${proof.title}. Arrow keys move, Enter plays against the proof.`} onPlay={(i) => { const m = legal.get(i)?.[0]; if (m) set({ replies: [...replies, m] }); }} />}
        <div class="row actions">
          <button type="button" disabled={replies.length === 0} onClick={() => set({ replies: replies.slice(0, -1) })}>Take back</button>
          <button type="button" disabled={replies.length === 0} onClick={() => set({ replies: [] })}>Start again</button>
          {walkers.length > 1 && w && <Segmented label="Whom the proof plays" value={w.seat} options={walkers.map((c) => [c.seat, `It plays ${side(w.info, c.seat)}`])} onChange={(s) => set({ seat: s, replies: [] })} />}
          {levelsOf(w?.info.squares ?? []).length > 1 && <Segmented label="View" value={view} options={[["space", "In space"], ["flat", "Flat layers"]]} onChange={setView} />}
        </div>
      </section>
      <section class="side-part" aria-label="Claims and check">
        <div class="card">
          <h2>What it claims</h2>
          <ul class="claims">{proof.claims.map((c) => <li key={c.seat + c.wins}>{claim(c, w?.info)}</li>)}</ul>
          {!proof.start && <p class="muted break">It begins from {proof.position}.</p>}
          <div class="row">
            <a class="button" href={proofFile(proof.id)} download={`${proof.id}.proof`}>Download it</a>
            <a class="button" href="proofs">All proofs</a>
          </div>
        </div>
        <Found proof={proof} />
        <Check proof={proof} />
        {w && (
          <div class="card">
            <h2>The game against it</h2>
            <Rules info={w.info} />
            {w.moves.length === 0 ? <p class="muted">No moves yet. You begin.</p> : (
              <ol class="walked">{w.moves.map((m, i) => <li key={i}><b>{m}</b> {w.notes[i] ? <span>the proof: {reason(w.notes[i]!)}</span> : <span class="muted">you</span>}</li>)}</ol>
            )}
          </div>
        )}
      </section>
    </div>
  );
}

// Found is the size of a proof, how it was found, and the command that finds it again.
function Found({ proof: p }: { proof: Proof }) {
  const s = p.search;
  return (
    <div class="card">
      <h2>How it was found</h2>
      <table class="facts">
        <tbody>
          <tr><th scope="row">Size</th><td>{count(p.nodes)} {p.nodes === 1 ? "position" : "positions"} in {size(p.bytes)}</td></tr>
          {p.method && <tr><th scope="row">Method</th><td>{capital(p.method)}{s ? "" : ", if oxo found it"}</td></tr>}
          <tr><th scope="row">Searched</th><td>{s ? `${count(s.nodes)} ${s.nodes === 1 ? "position" : "positions"}` : "The file does not say"}</td></tr>
          {s && p.from === "built in" && <tr><th scope="row">Processor time</th><td>{s.seconds < 0.01 ? "Less than 0.01 s" : `${s.seconds} s`}</td></tr>}
        </tbody>
      </table>
      {p.prove && <><p>Anybody can find it again:</p><pre class="break">{p.prove}</pre></>}
    </div>
  );
}

// claim says what is claimed for a side and how it is shown.
function claim(c: ProofClaim, info: Info | undefined): string {
  const within = c.plies ? ` within ${c.plies} plies` : "";
  const head = `${side(info, c.seat)} ${c.wins ? "wins" : "does not lose"}${within}`;
  if (c.nodes === 0) return `${head}: strategy stealing shows it, as an extra mark never hurts.`;
  const ends = [
    [c.threats, "a win by threats that follow each other"], [c.pairings, "a pairing of squares"],
    [c.potential, "the Erdős–Selfridge count"], [c.settled, "a position in which nothing else can happen"],
  ].filter(([n]) => Number(n) > 0).map(([n, what]) => `${count(Number(n))} by ${what}`);
  return `${head}: a strategy of ${count(c.nodes)} ${c.nodes === 1 ? "position" : "positions"}${ends.length > 0 ? `, of which ${c.nodes === 1 ? "it ends" : "end"} ${ends.join(", ")}` : ""}.`;
}

// told says how the game against the proof stands.
function told(w: Walk, p: Position): string {
  const us = side(w.info, w.seat), you = side(w.info, other(w.seat));
  const claims = w.wins ? `it claims that ${us} wins` : `it claims that ${us} does not lose`;
  if (w.state.result !== "*") {
    const kept = w.state.result === w.seat || (!w.wins && w.state.result === "draw");
    return `${outcome(p, "")} ${kept ? "As the proof claims." : "The proof has failed: please report this."}`;
  }
  const why = w.notes.at(-1);
  if (w.moves.length === 0) return `You play ${you} and begin; ${claims}.`;
  return why ? `The proof plays ${w.moves.at(-1)}, ${reason(why)}; ${claims}. Your turn, as ${you}.` : `Your turn, as ${you}.`;
}

// reason says why the proof plays a move.
const reason = (note: string): string => (note === "the proof's move" ? "as its strategy says" : note);

// Check has the server check the proof and shows what was checked.
function Check({ proof }: { proof: Proof }) {
  const [line, setLine] = useState<CheckLine | null>(null);
  const [error, setError] = useState("");
  const task = useAbort();
  const at = useRef<HTMLDivElement>(null);
  const check = () => {
    setError("");
    setLine({ share: 0, seconds: 0 });
    checkProof(proof.id, task.start(), setLine).catch((e) => {
      if (aborted(e)) return;
      setError(message(e));
      setLine(null);
    });
  };
  const r = line?.result;
  return (
    <div class="card" ref={at}>
      <h2>Check it</h2>
      <p class="muted">The checker searches nothing. It replays the strategy against every legal reply, from the squares and the winning sets alone.</p>
      {proof.verify && <><p>On your own machine, with the file:</p><pre class="break">{proof.verify}</pre></>}
      <button type="button" class="primary" disabled={line !== null && !r} onClick={check}>Check it here</button>
      <div class="checked" role="status">
        {line && !r && <progress max={1} value={line.share} aria-label="Share of the proof that was read" />}
        {r?.ok && <p class="good">It holds: {sides(r.claim)}. {count(r.nodes)} {r.nodes === 1 ? "position" : "positions"} and {count(r.replies)} {r.replies === 1 ? "reply" : "replies"} were checked in {line!.seconds < 0.001 ? "less than a millisecond" : `${line!.seconds.toFixed(3)} s`}.</p>}
        {r && !r.ok && <Failure text={`It does not hold: ${r.reason}.`} />}
        <Failure text={error} />
      </div>
    </div>
  );
}

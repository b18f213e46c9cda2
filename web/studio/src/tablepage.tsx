// A game on the server: an invitation, a game being played or watched, a game
// that is over.
import { useEffect, useMemo, useState } from "preact/hooks";
import { acceptTable, type Clock, game, type Info, message, openTable, type Position, position, type SeatView, type Table, tableDo, tableMove, type Turn } from "./api";
import { BoardOf } from "./boardof";
import { levelsOf } from "./board";
import { capital } from "./catalogue";
import { bySquare, choosesMark, squareIndex } from "./game";
import { addressOf, formatRoute, go, joinMoves } from "./link";
import { type Live, useNow, useTable } from "./live";
import { Announce, CopyLink, Failure, Lost, MarkChoice, Moves, Rules, Segmented, Sure, TreeMoves } from "./parts";
import { heldSeat, holdSeat } from "./seats";
import { keep } from "./shelf";
import { ifAway, useLatest, useLifted, useStored } from "./use";
import { other, outcome, side, status } from "./words";

// grace is how long after the other side has left its game can be claimed, as
// the server has it.
const grace = 30_000;

const address = (query: Record<string, string>): string => addressOf({ page: "online", query });

// clockText says what a game's clocks allow.
export function clockText(c: Clock | undefined): string {
  if (!c) return "no clocks";
  const minutes = c.bank_ms / 60_000;
  const bank = Number.isInteger(minutes) ? `${minutes} ${minutes === 1 ? "minute" : "minutes"}` : `${c.bank_ms / 1000} s`;
  return c.increment_ms ? `${bank} and ${c.increment_ms / 1000} s a move` : bank;
}

export function TablePage({ id, invite }: { id: string; invite: string }) {
  const held = heldSeat(id);
  const [key, setKey] = useState(held?.key ?? "");
  const live = useTable(id, key);
  const t = live.table;
  const info = useLatest(t?.game ?? "", () => (t ? game(t.game) : new Promise<Info>(() => {}))).data;
  const seat = held && key ? held.seat : "";
  if (!t || !info) {
    return (
      <div class="page">
        <h1>Game online</h1>
        <Failure text={live.error}><a class="button" href="online">To the games that are open</a></Failure>
        {!live.error && <div class="waiting" />}
      </div>
    );
  }
  if (t.state === "open" && !seat) {
    return <Invitation t={t} info={info} invite={invite} onAccept={(k, s) => {
      holdSeat({ id, key: k, seat: s, title: info.title, when: Date.now() });
      setKey(k);
      go({ page: "online", query: { id } }, true);
    }} />;
  }
  return <Game t={t} info={info} live={live} seat={seat} secret={key} invite={t.state === "open" ? held?.invite ?? "" : ""} />;
}

function Invitation({ t, info, invite, onAccept }: { t: Table; info: Info; invite: string; onAccept: (key: string, seat: string) => void }) {
  const [name, setName] = useStored("name", "");
  const [error, setError] = useState("");
  const maker = t.maker === "first" ? t.first : t.second;
  const welcome = invite !== "" || t.public;
  const accept = async (e: Event) => {
    e.preventDefault();
    try {
      const o = await acceptTable(t.id, invite, name.trim());
      onAccept(o.key ?? "", o.seat);
    } catch (e) {
      setError(message(e));
    }
  };
  return (
    <div class="page narrow">
      <h1>{capital(info.title)}: {welcome ? "you are invited" : "not begun yet"}</h1>
      {welcome ? (
        <form class="card" onSubmit={accept}>
          <p><b>{maker.name}</b> asks you to play {info.title}. You would play {side(info, other(t.maker))}{other(t.maker) === "first" ? ", who moves first" : ""}; {clockText(t.clock)}.</p>
          <Rules info={info} />
          <div class="field">
            <label for="name">Your name</label>
            <input id="name" value={name} maxLength={40} autocomplete="nickname" placeholder="somebody" onInput={(e) => setName(e.currentTarget.value)} />
          </div>
          <Failure text={error}><a class="button" href="online">To the games that are open</a></Failure>
          <div class="row"><button type="submit" class="primary">Accept and play</button></div>
        </form>
      ) : <p>It waits for the player who was invited. This page shows the game as soon as it begins.</p>}
    </div>
  );
}

// Waiting is a move that the server does not have yet.
interface Waiting { move: string; ply: number; away: boolean; tries: number }

interface GameProps { t: Table; info: Info; live: Live; seat: string; secret: string; invite: string }

function Game({ t, info, live, seat, secret, invite }: GameProps) {
  const [ply, setPly] = useState<number | null>(null); // null follows the game
  const [mark, setMark] = useState("x");
  const [lifted, setLifted] = useLifted(`${t.id} ${t.ply} ${ply}`);
  const [view, setView] = useStored("view", "space");
  const [error, setError] = useState("");
  const [sending, setSending] = useState(false);
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const now = ply === null || ply >= t.ply;
  const past = useLatest(now ? "" : JSON.stringify([t.id, ply]), () => position({ game: t.game, position: t.start, moves: t.moves.slice(0, ply ?? 0) }));
  const present: Position = useMemo(() => ({
    info, trail: [], owned: t.owned, last: t.moves.at(-1) ?? "",
    state: { position: t.position, turn: t.turn, result: t.state === "over" && t.termination === "normal" ? t.result : "*", moves: t.legal, payoff: t.payoff },
  }), [t, info]);
  const p = now ? present : (past.data ?? present);
  const shownPly = now ? t.ply : ply!;
  const yours = t.state === "playing" && t.turn === seat && now && !sending && !waiting;
  const squares = yours ? bySquare(p, lifted) : new Map<number, string[]>();
  const me = seat === "first" ? t.first : t.second;
  const them = seat === "first" ? t.second : t.first;
  const rival = other(seat as Turn);

  useEffect(() => setError(""), [t.version]);
  useEffect(() => {
    if (t.state !== "over" || !seat || t.moves.length === 0) return;
    const resigned = t.termination === "resigned" || t.termination === "time" || t.termination === "abandoned" ? (t.result === "first" ? "second" : t.result === "second" ? "first" : "") : "";
    keep({ id: t.id, game: t.game, title: info.title, start: t.start === info.start ? "" : t.start, moves: t.moves, first: "human", second: "human", resigned, result: t.result, when: Date.now() });
  }, [t.state]);

  const send = async (what: () => Promise<Table>) => {
    setSending(true);
    setError("");
    try {
      live.set(await what());
      setPly(null);
    } catch (e) {
      setError(message(e));
    }
    setSending(false);
  };
  const play = (move: string) => {
    if (!yours) return;
    setError("");
    setWaiting({ move, ply: t.ply, away: false, tries: 0 });
  };
  // A move waits until the server has it, however long that is away. What the server
  // refuses, or what the game has gone on without, is taken back with words.
  useEffect(() => {
    if (!waiting) return;
    const back = (why: string) => {
      setWaiting(null);
      if (why) setError(`${waiting.move} was taken back: ${why}`);
    };
    if (t.ply > waiting.ply || t.state !== "playing") return back(t.moves[waiting.ply] === waiting.move ? "" : "the game went on without it.");
    let on = true;
    let later = 0;
    tableMove(t.id, secret, waiting.move, waiting.ply).then(
      (next) => {
        if (!on) return;
        live.set(next);
        setPly(null);
        setWaiting(null);
      },
      (e) => {
        if (!on) return;
        later = ifAway(e, () => setWaiting({ ...waiting, away: true, tries: waiting.tries + 1 }));
        if (!later) back(message(e));
        else if (!waiting.away) setWaiting({ ...waiting, away: true });
      },
    );
    return () => {
      on = false;
      clearTimeout(later);
    };
  }, [waiting?.move, waiting?.tries, t.ply, t.state]);
  const onSquare = (i: number) => {
    const moves = squares.get(i);
    if (moves?.length === 0) setLifted(lifted === i ? -1 : i);
    else if (moves) play(moves.find((m) => m.startsWith(mark + "@")) ?? moves[0]!);
  };
  const line = waiting?.away ? `${waiting.move} waits until the server answers.` : headline(t, info, seat);
  const aimed = waiting ? squareIndex(p, waiting.move) : lifted;
  const moved = t.moves.filter((m) => !m.startsWith("~")).length;
  const lastMover = t.ply > 0 ? `${t.moves.at(-1)} was played. ` : "";
  const query = { game: t.game, from: t.start === info.start ? "" : t.start, moves: joinMoves(t.moves), first: "human", second: "human" };

  return (
    <div class="page two">
      <section class="main-part" aria-label="Game">
        <h1>{capital(info.title)}</h1>
        <p class={`statusline ${t.state === "over" ? "ended" : ""}`}>{line}</p>
        <Announce text={`${lastMover}${line}${t.draw_offer === rival ? ` ${them.name} offers a draw.` : ""}`} />
        {t.state === "open" && invite && (
          <div class="card">
            <h2>Send this link</h2>
            <p>Whoever opens it first plays {side(info, other(t.maker))} against you.</p>
            <CopyLink id="invitation" label="Invitation" address={address({ id: t.id, invite })} />
          </div>
        )}
        {waiting?.away && <div class="row"><button type="button" onClick={() => setWaiting(null)}>Take {waiting.move} back</button></div>}
        <Player t={t} info={info} seat={seat ? rival : "second"} at={live.at} you={false} />
        {info.squares?.length ? <BoardOf p={p} last={squareIndex(p, t.moves[shownPly - 1])} view={view} busy={sending || waiting !== null} legal={squares} zone={aimed >= 0 ? new Set([aimed]) : undefined} zoneSays={waiting ? "waits to be sent" : "lifted"} label={`Board of ${info.title}. Arrow keys move, Enter plays.`} onPlay={onSquare} />
          : <TreeMoves position={p} path={t.moves.slice(0, shownPly)} onPlay={play} />}
        <Player t={t} info={info} seat={seat || "first"} at={live.at} you={seat !== ""} />
        <Failure text={error} />
        {t.state !== "over" && <Lost lost={!live.connected} so="your moves are safe" />}
        <div class="row">
          {choosesMark(p) && yours && <MarkChoice value={mark} onChange={setMark} />}
          {levelsOf(info.squares ?? []).length > 1 && <Segmented label="View" value={view} options={[["space", "In space"], ["flat", "Flat layers"]]} onChange={setView} />}
        </div>
        {seat && t.state === "playing" && (
          <div class="row actions">
            {moved < 2 ? <button type="button" onClick={() => send(() => tableDo(t.id, secret, "abort"))}>Call the game off</button>
              : <Sure name="Resign" question="Give the game up?" yes="Yes, resign" onYes={() => send(() => tableDo(t.id, secret, "resign"))} />}
            {moved >= 2 && <Draw t={t} seat={seat} them={them} onDraw={() => send(() => tableDo(t.id, secret, "draw"))} />}
            <Claim t={t} them={them} onClaim={() => send(() => tableDo(t.id, secret, "claim"))} />
          </div>
        )}
        {seat && t.state === "open" && <div class="row"><button type="button" onClick={() => send(() => tableDo(t.id, secret, "abort"))}>Withdraw it</button></div>}
        {t.state === "over" && (
          <div class="row actions">
            {t.moves.length > 0 && <a class="button primary" href={formatRoute({ page: "explore", query: { ...query, first: "", second: "" } })}>Look at the game in Explore</a>}
            {seat && <Again t={t} info={info} me={me} them={them} seat={seat} onError={setError} />}
            <a class="button" href={formatRoute({ page: "online", query: { game: t.game } })}>Another game online</a>
          </div>
        )}
      </section>
      <section class="side-part" aria-label="Moves and links">
        <div class="card">
          <h2>Moves</h2>
          <Moves game={{ spec: t.game, start: t.start, moves: t.moves, ply: shownPly }} onPly={(n) => setPly(n >= t.ply ? null : n)} />
          {!now && t.state === "playing" && <p class="muted">You look back. <button type="button" onClick={() => setPly(null)}>To the game</button></p>}
        </div>
        <div class="card">
          <h2>Rules</h2>
          <Rules info={info} />
        </div>
        {t.state !== "open" && (
          <div class="card">
            <h2>{t.state === "over" ? "Share it" : "Let others watch"}</h2>
            <CopyLink id="watching" label="Link to watch" address={address({ id: t.id })} />
          </div>
        )}
      </section>
    </div>
  );
}

// headline says whose turn it is, or how the game ended.
function headline(t: Table, info: Info, seat: string): string {
  const name = (s: string) => side(info, s);
  if (t.state === "open") return t.to ? `Waiting for ${t.to} to accept.` : "Waiting for the other side to accept.";
  if (t.state === "playing") {
    const p: Position = { info, trail: [], owned: [], last: "", state: { position: t.position, turn: t.turn, result: "*", moves: t.legal } };
    return seat === "" ? status(p) : t.turn === seat ? `Your turn: ${status(p)}` : `${status(p)}`;
  }
  if (t.termination === "normal") {
    return outcome({ info, trail: [], owned: t.owned, last: "", state: { position: t.position, turn: t.turn, result: t.result, moves: [], payoff: t.payoff } }, "");
  }
  if (t.termination === "agreed") return "A draw: both sides agreed on it.";
  if (t.result === "*") return `No result: ${t.reason ?? "the game was called off"}.`.replace("first", name("first")).replace("second", name("second"));
  const winner = t.result as Turn;
  const why = ({ resigned: "resigned", time: "ran out of time", abandoned: "has left" } as Record<string, string>)[t.termination ?? ""] ?? "gave up";
  return `${name(other(winner))} ${why}. ${name(winner)} wins.`;
}

// Player is a side with its name and its clock.
function Player({ t, info, seat, at, you }: { t: Table; info: Info; seat: string; at: number; you: boolean }) {
  const s: SeatView = seat === "first" ? t.first : t.second;
  const now = useNow(s.running && t.state === "playing", 100);
  const left = s.left_ms === undefined ? undefined : Math.max(0, s.left_ms - (s.running && t.state === "playing" ? now - at : 0));
  const state = t.state === "over" ? "" : !s.taken ? "not here yet" : t.state !== "playing" ? "" : s.present || you ? "here" : "away";
  return (
    <div class={`player ${t.state === "playing" && t.turn === seat ? "turn" : ""}`}>
      <b>{side(info, seat)}</b>
      <span class="grow ellipsis">{s.taken ? s.name : "open"}{you ? " (you)" : s.bot ? ", a bot" : ""}</span>
      <span class="muted">{state}</span>
      {left !== undefined && <span class={`clock ${left < 20_000 ? "short" : ""}`} role="timer" aria-label={`Clock of ${side(info, seat)}: ${clockFace(left)}`}>{clockFace(left)}</span>}
    </div>
  );
}

function clockFace(ms: number): string {
  const s = Math.ceil(ms / 1000);
  if (ms < 20_000) return `0:${(Math.floor(ms / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor(s / 60) % 60;
  const seconds = String(s % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

// Draw offers a draw to a person, or accepts theirs.
function Draw({ t, seat, them, onDraw }: { t: Table; seat: string; them: SeatView; onDraw: () => void }) {
  const yours = t.draw_offer === seat;
  const theirs = Boolean(t.draw_offer) && !yours;
  if (them.bot && !t.draw_offer) return null;
  return (
    <>
      <button type="button" class={theirs ? "primary" : ""} aria-disabled={yours} onClick={() => yours || onDraw()}>{yours ? "Draw offered" : theirs ? "Accept the draw" : "Offer a draw"}</button>
      {yours && <span class="muted">It stands until {them.name} has moved.</span>}
      {theirs && <span>{them.name} offers a draw. To decline it, play on.</span>}
    </>
  );
}

// Claim is offered when the other side has been away for long enough.
function Claim({ t, them, onClaim }: { t: Table; them: SeatView; onClaim: () => void }) {
  const [since, set] = useState<number | null>(null);
  const away = t.state === "playing" && !them.present;
  useEffect(() => set(away ? performance.now() : null), [away, t.ply]);
  const now = useNow(away, 500);
  if (since === null) return null;
  const wait = Math.ceil((grace - Math.max(0, now - since)) / 1000);
  return <button type="button" disabled={wait > 0} onClick={onClaim}>{wait > 0 ? `${them.name} is away: claim the win in ${wait} s` : "Claim the win"}</button>;
}

// Again opens the next game with the sides swapped.
function Again({ t, info, me, them, seat, onError }: { t: Table; info: Info; me: SeatView; them: SeatView; seat: string; onError: (text: string) => void }) {
  const open = async () => {
    try {
      const o = await openTable({ game: t.game, seat: other(seat as Turn), name: me.name, clock: t.clock, ...(t.start !== info.start ? { position: t.start } : {}), ...(them.bot ? { to: them.name } : {}) });
      holdSeat({ id: o.session.id, key: o.key ?? "", seat: o.seat, title: info.title, invite: o.invite, when: Date.now() });
      go({ page: "online", query: { id: o.session.id } });
    } catch (e) {
      onError(message(e));
    }
  };
  return <button type="button" onClick={open}>New game, sides swapped</button>;
}


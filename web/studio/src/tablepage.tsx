// A game on the server: an invitation, a game being played or watched, a game
// that is over.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { acceptTable, type Clock, game, type Info, message, type Position, position, type SeatView, type Table, table, type Phrase, tableDo, tableMove, tableSay, type Turn } from "./api";
import { BoardOf, keyColumns } from "./board";
import { called, headingOf } from "./catalogue";
import { untilOver } from "./effect";
import { After, Slot, Tally, Turned } from "./ending";
import { bySquare, coming, fromQuery, openBoards, squareIndex, quitterOf } from "./game";
import { addressOf, formatRoute, go, joinMoves, note } from "./link";
import { beginSeat, endSeat, heldSeat, holdSeat, howEnded, isBegun, isDeclined, isWithdrawn, scoreOf } from "./held";
import { type Live, useNow, useTable } from "./live";
import { Announce, Card, Failure, Heading, MarkChoice, Moves, NameField, NotYet, OtherMoves, Rules, Sure, TakeBack, Titled, TreeMoves } from "./parts";
import { Again, NextOfTwo, useNext } from "./rematch";
import { CopyLink } from "./share";
import { keep } from "./shelf";
import { Name, Side, Turn as ToMove } from "./pieces";
import { sound } from "./sound";
import { say, show } from "./text";
import { useWaiting } from "./waiting";
import { useTitle } from "./title";
import { ifAway, slow, useHand, useKeptFocus, useLatest, useStored, useTried, useWide } from "./use";
import { clockFace, lasting, other, outcome, side, status } from "./words";

const address = (query: Record<string, string>): string => addressOf({ page: "online", query });

// spanText says a time in milliseconds exactly, in whole minutes where it can.
const spanText = (ms: number): string => (Number.isInteger(ms / 60_000) ? say("n minutes", { n: ms / 60_000 }) : say("n s", { n: ms / 1000 }));

// clockText says what a game's clocks allow.
export function clockText(c: Clock | undefined): string {
  if (!c) return say("no clocks");
  const bank = spanText(c.bank_ms);
  return c.increment_ms ? say("bank and n s a move", { bank, n: c.increment_ms / 1000 }) : bank;
}

export function TablePage({ id, invite }: { id: string; invite: string }) {
  const held = heldSeat(id);
  const [key, setKey] = useState(held?.key ?? "");
  const live = useTable(id, key);
  const t = live.table;
  const info = useLatest(t?.game ?? "", () => (t ? game(t.game) : new Promise<Info>(() => {}))).data;
  const seat = held && key ? held.seat : "";
  // An offer of another game that nobody has accepted is shown where it was made: on the page of the last game.
  const last = t && !isBegun(t) && held?.after && heldSeat(held.after) ? held.after : "";
  useEffect(() => {
    if (last) go({ page: "online", query: { id: last } }, true);
  }, [last]);
  if (!t || !info || last) return <NotYet kind={say("game online")} error={live.error} gone={live.gone}><a class="button" href="online">{say("to the games that are open")}</a></NotYet>;
  if (t.state === "open" && !seat) {
    return <Invitation t={t} info={info} invite={invite} onAccept={(k, s) => {
      holdSeat({ id, key: k, seat: s, title: headingOf(t.game, info), when: Date.now() });
      setKey(k);
      go({ page: "online", query: { id } }, true);
    }} />;
  }
  return <Game t={t} info={info} live={live} seat={seat} secret={key} invited={invite !== ""} invite={t.state === "open" ? held?.invite ?? "" : ""} />;
}

function Invitation({ t, info, invite, onAccept }: { t: Table; info: Info; invite: string; onAccept: (key: string, seat: string) => void }) {
  const [name, setName] = useStored("name", "");
  const [error, attempt] = useTried();
  const maker = t.maker === "first" ? t.first : t.second;
  const heading = headingOf(t.game, info);
  const title = heading.toLowerCase() === info.title.toLowerCase() ? info.title : heading; // by one name all over the page
  const welcome = invite !== "" || t.public;
  const accept = (e: Event) => {
    e.preventDefault();
    attempt(() => acceptTable(t.id, invite, name.trim()).then((o) => onAccept(o.key ?? "", o.seat)));
  };
  return (
    <div class="page narrow">
      <Heading text={`${heading}: ${welcome ? say("you are invited") : say("not begun yet")}`} />
      {welcome ? (
        <form class="card" onSubmit={accept}>
          <p>{show("b asks you to play title", { name: <b>{maker.name}</b>, title, side: side(info, other(t.maker)), first: other(t.maker) === "first", clocks: clockText(t.clock) })}</p>
          <Rules info={info} />
          <p class="muted">{leaving(maker)} {firstMove(t)}</p>
          <NameField value={name} onChange={setName} />
          <Failure text={error}><a class="button" href="online">{say("to the games that are open")}</a></Failure>
          <div class="row"><button type="submit" class="primary">{say("accept and play")}</button></div>
        </form>
      ) : <p>{say("it waits", { link: !t.to })}</p>}
    </div>
  );
}

const day = 86_400_000;

// leaving says what comes of staying away.
const leaving = (s: SeatView): string => say("who stays away", { day: s.grace_ms >= day, long: spanText(s.grace_ms) });

// firstMove says what comes of a first move that is not made.
const firstMove = (t: Table): string => (t.first_move_ms === undefined ? "" : say("without a first move", { n: t.first_move_ms / 60_000 }));

// GameProps are what a game is shown by. Invited says that whoever looks came by an invitation.
interface GameProps { t: Table; info: Info; live: Live; seat: string; secret: string; invited: boolean; invite: string }

function Game({ t, info, live, seat, secret, invited, invite }: GameProps) {
  const [ply, setPly] = useState<number | null>(null); // null follows the game
  const { mark, setMark, lifted, press } = useHand(`${t.id} ${t.ply} ${ply}`);
  const [error, attempt, setError, sending] = useTried();
  const [waiting, setWaiting] = useWaiting(t.id);
  const [outside, setOutside] = useState(-1); // at which ply a square was pressed that is in no open board
  const [late, setLate] = useState(""); // a move that came after the end
  const now = ply === null || ply >= t.ply;
  const past = useLatest(now ? "" : JSON.stringify([t.id, ply]), () => position({ game: t.game, position: t.start, moves: t.moves.slice(0, ply ?? 0) }));
  const present = useMemo(() => positionOf(t, info), [t, info]);
  const p = now ? present : (past.data ?? present);
  const shownPly = now ? t.ply : ply!;
  const yours = t.state === "playing" && t.turn === seat && now && !sending && !waiting;
  const squares = yours ? bySquare(p, lifted) : new Map<number, string[]>();
  const me = seat === "first" ? t.first : t.second;
  const them = seat === "first" ? t.second : t.first;
  const rival = other(seat as Turn);
  const next = useNext(t, seat, secret, live.set);
  const theirName = them.taken ? them.name : t.to; // of who has not come, as far as it is known

  useEffect(() => setError(""), [t.version]);
  useEffect(() => { // the address of an open game is the invitation, until somebody has come
    if (seat) note({ page: "online", query: { id: t.id, invite } });
  }, [invite]);
  useEffect(() => {
    if (t.state === "playing" && seat) beginSeat(t.id);
    if (t.state !== "over" || !seat) return;
    endSeat(t.id, t.moves.length === 0, howEnded(t, seat));
    if (t.moves.length === 0 || t.result === "*") return; // nobody goes on with it
    keep({ id: t.id, game: called(t.game), title: info.title, seats: info.seats, names: namesOf(t), start: t.start === info.start ? "" : t.start, moves: t.moves, first: "human", second: "human", resigned: quitterOf(t), result: t.result, paid: t.payoff !== undefined, online: seat, when: Date.now() });
  }, [t.state]);

  const send = (what: () => Promise<Table>) => {
    setError("");
    return attempt(async () => {
      live.set(await what());
      setPly(null);
    });
  };
  const play = (move: string) => {
    if (!yours) return;
    setError("");
    setWaiting({ move, ply: t.ply, away: false, tries: 0 });
  };
  // A move waits until the server has it, however long that is away. What the server
  // refuses, or what the game has gone on without, is taken back with words.
  useEffect(untilOver((signal) => {
    if (!waiting) return;
    const back = (why: string) => {
      setWaiting(null);
      if (why) setError(say("move was taken back", { move: waiting.move, why }));
    };
    if (t.state === "over" && t.moves[waiting.ply] !== waiting.move) {
      setLate(waiting.move);
      return back("");
    }
    if (t.ply < waiting.ply) return back(say("it was taken back meanwhile"));
    if (t.ply > waiting.ply || t.state !== "playing") return back(t.moves[waiting.ply] === waiting.move ? "" : say("the game went on without it"));
    let later = window.setTimeout(() => setWaiting({ ...waiting, away: true }), slow);
    signal.addEventListener("abort", () => clearTimeout(later));
    tableMove(t.id, secret, waiting.move, waiting.ply).then(
      (next) => {
        if (signal.aborted) return;
        live.set(next);
        setPly(null);
        setWaiting(null);
      },
      (e) => {
        if (signal.aborted) return;
        clearTimeout(later);
        later = ifAway(e, () => setWaiting({ ...waiting, away: true, tries: waiting.tries + 1 }));
        if (!later) void table(t.id, secret).then((n) => { live.set(n); return n.ply !== waiting.ply; }, () => false).then((gone) => !signal.aborted && !gone && back(message(e)));
        else if (!waiting.away) setWaiting({ ...waiting, away: true });
      },
    );
  }), [waiting?.move, waiting?.tries, t.ply, t.state]);
  const onSquare = (i: number) => {
    const moves = squares.get(i);
    setOutside(yours && !moves && openBoards(p) !== undefined ? t.ply : -1);
    if (moves) press(i, moves, play);
  };
  const lost = t.state !== "over" && !live.connected;
  const backward = !now && t.state === "playing";
  const head = waiting?.away ? say("move waits until the server answers", { waiting: waiting.move })
    : lost ? say("the connection is lost", { so: waiting ? say("your move waits here") : seat ? say("your moves are safe") : say("the game goes on") }) : headline(t, info, seat);
  const wish = useRef({ ply: t.ply, by: "", turn: "", lapsed: -1 }); // of the one whose request stood last
  if (t.takeback_offer) wish.current = { ply: t.ply, by: t.takeback_offer, turn: t.turn, lapsed: -1 };
  else if (wish.current.by) wish.current = { ...wish.current, by: "", lapsed: wish.current.by === seat && wish.current.turn !== seat && t.ply > wish.current.ply ? t.ply : -1 };
  const lapsed = seat && t.state === "playing" && wish.current.lapsed === t.ply ? say("your request lapsed", { name: them.name }) : "";
  const offered = useOffers(t, seat);
  const open = waiting?.away || lost ? "" : offered || lapsed; // told by itself, so that nothing is told again with it
  useKeptFocus(`${t.state} ${t.ply} ${t.draw_offer} ${t.draw_declined} ${t.takeback_offer} ${t.takeback_declined}`);
  const back = useRef({ times: t.taken_back, moves: t.moves, gone: [] as string[] }); // what was taken back last
  if (back.current.times !== t.taken_back) back.current = { times: t.taken_back, moves: t.moves, gone: back.current.moves.slice(t.ply) };
  else if (back.current.moves.length !== t.ply) back.current = { times: t.taken_back, moves: t.moves, gone: [] };
  useEffect(() => { // who looked back follows the game again
    if (ply !== null && ply >= t.ply) setPly(null);
  }, [t.ply]);
  const theirs = (offered: string | undefined): boolean => Boolean(offered) && offered !== seat;
  useTitle("waits", !seat || t.state === "open" ? "" : next.asks || (t.state === "playing" && (theirs(t.draw_offer) || theirs(t.takeback_offer))) ? say("an offer waits") : t.state === "playing" && t.turn === seat && !waiting ? say("it is your turn") : "");
  const aimed = waiting ? squareIndex(p, waiting.move) : lifted;
  const moved = t.moves.filter((m) => !m.startsWith("~")).length;
  const quit = t.state === "over" && t.termination !== "normal"; // then the last move was told before
  const lastMover = quit ? "" : back.current.gone.length > 0 ? say("was taken back", { moves: list(back.current.gone) }) : t.ply > 0 && !waiting?.away ? say("at was played", { at: t.moves.at(-1)! }) : "";
  const [firstname, secondname] = namesOf(t);
  const query = { game: called(t.game), from: t.start === info.start ? "" : t.start, moves: joinMoves(t.moves), first: "human", second: "human", resigned: quitterOf(t), firstname, secondname, date: t.made.slice(0, 10), online: t.id };

  const act = (verb: Parameters<typeof tableDo>[2]) => void send(() => tableDo(t.id, secret, verb));
  const giveUp = moved < 2 ? <Sure name={say("call the game off")} question={say("end it without a result")} yes={say("yes call it off")} onYes={() => act("abort")} />
    : <Sure name={say("resign")} question={say("give the game up")} yes={say("yes resign")} onYes={() => act("resign")} />;

  const wide = useWide();
  const watching = <CopyLink id="watching" label={say("link to watch")} address={address({ id: t.id })} />;
  const ended = t.state === "over" && (
    <Ended t={t} info={info} seat={seat} query={query}>
      <div class="row actions">
        {seat ? <Again t={t} info={info} me={me} them={them} seat={seat} secret={secret} next={next} onError={setError} /> : <NextOfTwo t={t} onSeen={live.set} />}
        {t.moves.length > 0 && <a class="button" href={formatRoute({ page: "explore", query })}>{say("look at the game")}</a>}
        {t.moves.length > 0 && <a class="button" href={`api/v1/sessions/${t.id}/sheet`} download={`${t.game.replace(/[^\w+]+/g, "-")}-${t.made.slice(0, 10)}.txt`}>{say("score sheet")}</a>}
        <a class="button" href={formatRoute({ page: "online", query: { game: called(t.game) } })}>{say("another game online")}</a>
      </div>
    </Ended>
  );

  const [quiet, setQuiet] = useStored("quiet", "");
  const heard = t.said && t.said.by !== seat && !quiet ? say("name says phrase", { name: them.name, phrase: phrases[t.said.phrase] }) : "";
  const talk = seat && isBegun(t) && !t.first.bot && !t.second.bot && <Talk quiet={quiet !== ""} onQuiet={(on) => setQuiet(on ? "1" : "")} onSay={(phrase) => void send(() => tableSay(t.id, secret, phrase))} />;
  const steps = !invite && (
    <Card title={say("moves")}>
      <Moves game={{ spec: t.game, start: t.start, moves: t.moves, ply: shownPly }} onPly={(n) => setPly(n >= t.ply ? null : n)} />
    </Card>
  );

  return (
    <div class="page two play acted">
      <section class="main-part" aria-label={say("game")}>
        <Titled text={headingOf(t.game, info)} stands={t.state === "open" ? "" : t.state === "playing" ? status(present) : ending(t, info, seat)} info={info} />
        <p class={`statusline ${t.state === "over" ? "ended" : lost ? "away" : ""}`}><ToMove info={info} turn={now && t.state === "playing" ? t.turn : ""} />{backward && !lost && !waiting ? <><span class="grow"><span class="muted">{say("you look back")}</span>{open || (t.turn === seat ? ` ${say("it is your turn")}.` : "")}</span><button type="button" onClick={() => setPly(null)}>{say("to the game")}</button></> : outside === t.ply ? say("only the lit boards") : <span>{head}{seat && !waiting && !theirs(t.draw_offer) && !theirs(t.takeback_offer) ? <Away t={t} them={them} live={live}>{open}</Away> : open}</span>}</p>
        {!seat && t.state !== "open" && !isWithdrawn(t) && <p class="muted">{invited ? say("somebody else has accepted") : say("you watch")}</p>}
        <Announce text={outside === t.ply ? say("only the lit boards") : lastMover + head} />
        <Announce text={open + next.says} />
        <Announce text={heard} />
        {invite ? ( // in the place of the board, whose parts come all at once when somebody has accepted
          <Card title={say("send this link")}>
            <p>{say("whoever accepts it first", { side: side(info, other(t.maker)), clocks: t.clock && clockText(t.clock) })} {leaving(me)} {firstMove(t)}</p>
            <CopyLink id="invitation" label={say("invitation")} address={address({ id: t.id, invite })} />
          </Card>
        ) : (
          <>
            <Player t={t} info={info} seat={seat ? rival : "second"} live={live} you={false} seated={seat !== ""} quiet={quiet !== ""} />
            {info.squares?.length ? <BoardOf p={p} last={squareIndex(p, t.moves[shownPly - 1])} busy={sending || waiting !== null} legal={squares} zone={aimed >= 0 ? new Set([aimed]) : undefined} sent={waiting ? coming(p, waiting.move) : undefined} zoneSays={waiting ? say("waits to be sent") : say("lifted")} label={say("board of title arrow", { title: info.title, columns: keyColumns(info), proof: false, more: false })} onPlay={backward ? () => setPly(null) : onSquare} />
              : <TreeMoves position={p} path={t.moves.slice(0, shownPly)} onPlay={backward ? () => setPly(null) : play} />}
            <Player t={t} info={info} seat={seat || "first"} live={live} you={seat !== ""} seated={seat !== ""} below />
          </>
        )}
        {!invite && seat && t.state === "playing" && info.squares?.length ? <OtherMoves position={p} onPlay={backward ? () => setPly(null) : play} /> : null}
        {yours && <MarkChoice p={p} value={mark} onChange={setMark} />}
        {seat && t.state === "playing" && (
          <div class="row actions answered">
            {waiting?.away ? <TakeBack waiting={waiting.move} onBack={() => setWaiting(null)} /> : (
              <Claim t={t} them={them} live={live} may={moved >= 2} onClaim={() => act("claim")} instead={giveUp}>
                <Takeback t={t} seat={seat} them={them} onAct={act} onRefused={setError} giveUp={giveUp}>
                  {moved >= 2 && <Draw t={t} seat={seat} them={them} onDraw={act} onRefused={setError} />}
                </Takeback>
              </Claim>
            )}
          </div>
        )}
        <Failure text={late ? say("move came too late", { move: late }) : error} />
        {seat && t.state === "open" && <div class="row"><button type="button" onClick={() => act("abort")}>{say("withdraw it")}</button>{t.public && <a class="button" href="online">{say("to the games that are open")}</a>}</div>}
        {!wide && <>{ended}{steps}{talk}</>}
      </section>
      <section class="side-part" aria-label={say("moves and links")} key={"side" + invite}>
        <Slot over={wide && ended}>
          <Card title={say("rules")}>
            <Rules info={info} />
            {t.state === "playing" && <details><summary>{say("let others watch")}{t.watchers > Number(!seat) && <span class="muted"> · {say("n watch now", { n: t.watchers })}</span>}</summary>{watching}</details>}
          </Card>
        </Slot>
        {seat && info.drawn !== "tree" && <Tally count={scoreOf(t, seat)} player={theirName || say("opponent")} />}
        {wide && <>{steps}{talk}</>}
        {t.state === "over" && !isWithdrawn(t) && <Card title={say("share it")}>{watching}</Card>}
      </section>
    </div>
  );
}

// positionOf is where a game stands, whose result is that of the play alone.
const positionOf = (t: Table, info: Info): Position => ({
  info, trail: [], owned: t.owned, last: t.moves.at(-1) ?? "",
  state: { position: t.position, turn: t.turn, result: t.state === "over" && t.termination === "normal" ? t.result : "*", moves: t.legal, payoff: t.payoff },
});

// fared is how a game that is over went for who holds a seat in it: won, lost or drawn; "" for who only
// watched, and where the payoff says more.
function fared(t: Table, seat: string): "won" | "lost" | "drawn" | "" {
  if (!seat || t.state !== "over" || t.payoff !== undefined || t.result === "*") return "";
  return t.result === "draw" ? "drawn" : t.result === seat ? "won" : "lost";
}

// Ended is what follows a game, which the query has as addresses do: for who played, how it went and why, as after a
// game against a player.
function Ended({ t, info, seat, query, children }: { t: Table; info: Info; seat: string; query: Record<string, string>; children: ComponentChildren }) {
  const how = fared(t, seat);
  useEffect(() => { how && sound(how); }, []);
  return <After won={how === "won"} said={how === "won" ? say("you won") : how === "lost" ? say("you lost this one") : how ? say("a draw") : ending(t, info, seat)}>
    {seat && t.moves.length > 0 && t.result !== "*" && <Turned g={fromQuery(query)} info={info} seat={seat as Turn} how={how === "drawn" ? "" : how} />}
    {children}
  </After>;
}

// headline says whose turn it is, or how the game ended, first to who holds a seat how it went for that.
function headline(t: Table, info: Info, seat: string): string {
  const [how, fate, name] = [ending(t, info, seat), fared(t, seat), nameOf(t, other(seat as Turn))];
  const by = t.termination as "time" | "resigned" | "abandoned";
  if (["time", "resigned", "abandoned"].includes(by) && (fate === "won" || fate === "lost")) return say(({ time: "ended on time", resigned: "ended by resigning", abandoned: "ended by leaving" } as const)[by], { won: fate === "won", name });
  return { won: say("you won as", { how }), lost: say("you lost as", { how }), drawn: how, "": how }[fate];
}

// named has a game's sides called as who plays them.
const named = (t: Table, info: Info): Info => ({ ...info, seats: namesOf(t) });

// ending is what anybody may know of whose turn it is, or how the game ended.
function ending(t: Table, info: Info, seat: string): string {
  if (t.state === "open") return say("waiting for to to accept", { to: t.to });
  if (t.state === "playing") {
    const says = status(positionOf(t, seat ? info : named(t, info)));
    return seat === "" ? says : t.turn === seat ? say("your turn", { status: says }) : say("their turn", { name: nameOf(t, other(seat as Turn)), status: says });
  }
  const quitter = quitterOf(t);
  if (quitter || t.termination === "normal") return outcome(positionOf(t, seat && !quitter ? info : named(t, info)), quitter);
  if (isWithdrawn(t)) return say(isDeclined(t) ? "the invitation was declined" : "the invitation was withdrawn");
  return say("no result reason", { reason: t.reason?.replace(/^(first|second)\b/, (by) => (by === seat ? say("you") : nameOf(t, by) || side(info, by))) ?? say("the game was called off") });
}

// phrases are what two players can say to each other.
const phrases: Record<Phrase, string> = { hello: say("hello"), "good-game": say("good game"), thanks: say("thanks"), "one-moment": say("one moment please") };

// resting is how long a phrase has to wait after one's last, in milliseconds.
const resting = 3000;

// Talk says ready phrases to the other side, or has its own hidden.
function Talk({ quiet, onQuiet, onSay }: { quiet: boolean; onQuiet: (on: boolean) => void; onSay: (phrase: Phrase) => void }) {
  const [rests, rest] = useState(false);
  useEffect(() => {
    const later = rests ? setTimeout(() => rest(false), resting) : 0;
    return () => clearTimeout(later);
  }, [rests]);
  return (
    <Card title={say("say something")}>
      <div class="row actions">{Object.entries(phrases).map(([phrase, text]) => (
        <button type="button" key={phrase} aria-disabled={rests} onClick={() => { if (rests) return; rest(true); onSay(phrase as Phrase); }}>{text}</button>
      ))}</div>
      <label class="inline"><input type="checkbox" checked={quiet} onChange={(e) => onQuiet(e.currentTarget.checked)} /> {say("hide what the other side says")}</label>
    </Card>
  );
}

// Player is a side with its name and its clock, which shows what was known last while the connection is lost.
function Player({ t, info, seat, live, you, seated, quiet, below }: { t: Table; info: Info; seat: string; live: Live; you: boolean; seated: boolean; quiet?: boolean; below?: boolean }) {
  const s: SeatView = seat === "first" ? t.first : t.second;
  const first = t.state === "playing" && t.turn === seat ? t.first_move_ms : undefined;
  const now = useNow((s.running || first !== undefined) && t.state === "playing" && live.connected, 100);
  const left = s.left_ms === undefined ? undefined : Math.max(0, s.left_ms - (s.running && t.state === "playing" ? Math.max(0, now - live.at) : 0));
  const gone = t.state === "over" && (s.bot || isWithdrawn(t) || !seated);
  const state = gone || !live.connected ? "" : !s.taken ? (t.to ? say("not here yet") : "") : t.state === "open" ? "" : s.present || you ? say("here") : say("away");
  const until = first === undefined ? "" : say("first move within", { also: state && !you, clockFace: clockFace(Math.max(0, first - Math.max(0, now - live.at))) });
  const name = s.taken ? s.name : you ? say("open") : t.to || say("open");
  return (
    <div class={`player${below ? " below" : ""}${t.state === "playing" && t.turn === seat ? " turn" : ""}`}>
      <Side info={info} seat={seat} />
      <span class="grow named"><Name text={name} /><span>{say("who it is", { you, bot: !you && s.bot })}</span></span>
      {t.said?.by === seat && (you || !quiet) && <span class="said">{phrases[t.said.phrase]}</span>}
      <span class="muted">{you && until ? "" : state}{until}</span>
      {left !== undefined && <span class={`clock ${t.state === "playing" && left < 20_000 ? "short" : ""}`} role="timer" aria-label={say("clock of side", { side: side(info, seat), clockFace: clockFace(left) })}>{clockFace(left)}</span>}
    </div>
  );
}

const namesOf = (t: Table): [string, string] => [t.first.name, t.second.name];

const nameOf = (t: Table, seat: string): string => (seat === "first" ? t.first : t.second).name;

// takenBack are the moves that go where a wish to take one back is granted.
const takenBack = (t: Table): string[] => t.moves.slice(t.takeback_ply ?? t.ply);

// list names moves, one after the other.
const list = (moves: string[]): string => moves.join(", ");

// offers is what either side has offered or asked for: of several what is to be answered first. It is short, so that the board stays where it is.
function offers(t: Table, seat: string): string {
  if (t.state !== "playing") return "";
  const [draw, takeback, moves] = [t.draw_offer, t.takeback_offer, list(takenBack(t))];
  if (takeback && takeback !== seat) return say("name wants to take back", { name: nameOf(t, takeback), moves });
  if (draw && draw !== seat) return say("name offers a draw", { name: nameOf(t, draw) });
  if (takeback) return say("may be taken back", { n: takenBack(t).length, moves });
  return draw ? say("draw stands until they move") : "";
}

// useOffers is what stands between the sides, else how one's own wish was answered, until something else has stood since.
function useOffers(t: Table, seat: string): string {
  const [told, tell] = useState<string[]>([]); // the answers that something else has followed
  const standing = offers(t, seat);
  const answers = seat === "" || t.state !== "playing" ? [] : [t.takeback_declined === seat && say("takeback refused"), t.draw_declined === seat && say("draw declined")]
    .flatMap((says) => (says ? [{ says, key: `${says} ${t.ply} ${t.taken_back}` }] : []));
  useEffect(() => {
    if (standing) tell(answers.map((a) => a.key));
  }, [standing]);
  return standing || (answers.find((a) => !told.includes(a.key))?.says ?? "");
}

interface TakebackProps { t: Table; seat: string; them: SeatView; onAct: (verb: "takeback" | "grant-takeback" | "decline-takeback") => void; onRefused: (text: string) => void; giveUp: ComponentChildren; children?: ComponentChildren }

// Takeback asks a person to have one's last move back. What they ask for is answered before all else that can be done but
// giving the game up.
function Takeback({ t, seat, them, onAct, onRefused, giveUp, children }: TakebackProps) {
  const refused = t.takeback_declined === seat;
  const asked = Boolean(t.draw_offer) && t.draw_offer !== seat && !t.takeback_offer; // to answer first
  const none = them.bot || t.contest || asked || t.ply === 0 || (t.ply === 1 && t.turn === seat);
  const moves = list(takenBack(t));
  if (t.takeback_offer && t.takeback_offer !== seat) {
    return (
      <>
        <button type="button" class="primary" key="grant" aria-label={say("grant the takeback", { name: them.name, moves })} onClick={() => onAct("grant-takeback")}>{say("allow")}</button>
        <button type="button" key="refuse" onClick={() => onAct("decline-takeback")}>{say("refuse the takeback")}</button>
        {giveUp}
      </>
    );
  }
  return (
    <>
      {giveUp}
      {children}
      {none ? null : t.takeback_offer ? <button type="button" key="withdraw" onClick={() => onAct("decline-takeback")}>{say("no longer ask to take back")}</button>
        : <button type="button" key="ask" aria-disabled={refused} onClick={() => (refused ? onRefused(say("takeback was refused", { name: them.name })) : onAct("takeback"))}>{say("take back")}</button>}
    </>
  );
}

// Draw offers a draw to a person, or accepts or declines theirs.
function Draw({ t, seat, them, onDraw, onRefused }: { t: Table; seat: string; them: SeatView; onDraw: (verb: "draw" | "decline-draw") => void; onRefused: (text: string) => void }) {
  const yours = t.draw_offer === seat;
  const declined = t.draw_declined === seat;
  const theirs = Boolean(t.draw_offer) && !yours;
  const refused = declined && !theirs && !yours;
  if (them.bot && !t.draw_offer) return null;
  return (
    <>
      <button type="button" class={theirs ? "primary" : ""} aria-disabled={yours || refused} onClick={() => (refused ? onRefused(say("draw was declined", { name: them.name })) : yours || onDraw("draw"))}>{say(yours ? "draw offered" : theirs ? "accept the draw" : "offer a draw")}</button>
      {theirs && <button type="button" aria-label={say("decline the draw")} onClick={() => onDraw("decline-draw")}>{say("decline")}</button>}
    </>
  );
}

// noticed is for how long the other side is away before that is said: whoever accepts comes a moment later.
const noticed = 2000;

// counted is how many seconds before a game can be claimed they are counted down.
const counted = 60;

// useGone is for how many milliseconds the other side has been away, 0 for not at all, and while nothing is known of that.
function useGone({ t, them, live }: { t: Table; them: SeatView; live: Live }): number {
  const away = t.state === "playing" && them.away_ms !== undefined && live.connected;
  const now = useNow(away, 500);
  const gone = away ? them.away_ms! + Math.max(0, now - live.at) : 0;
  return gone >= noticed ? gone : 0;
}

// Away says beside whose turn it is for how long the other side has been away, else what it is given.
function Away({ children, ...of }: { t: Table; them: SeatView; live: Live; children: string }) {
  const gone = useGone(of);
  return gone > 0 ? <span class="muted"> {say("name has been away", { name: of.them.name, long: lasting(gone / 1000) })}</span> : <>{children}</>;
}

// Claim is offered when the other side has been away for long enough, in the place of what else there is to do with
// it, but for what stands instead; may says that a game can be claimed.
function Claim({ t, them, live, may, onClaim, instead, children }: { t: Table; them: SeatView; live: Live; may: boolean; onClaim: () => void; instead: ComponentChildren; children: ComponentChildren }) {
  const gone = useGone({ t, them, live });
  const wait = Math.ceil((them.grace_ms - gone) / 1000);
  const shown = may && gone > 0 && wait <= counted;
  return (
    <>
      <Announce text={!shown ? "" : say(wait > 0 ? "name has left for now" : "name can be beaten", { name: them.name })} />
      {shown && instead}
      {!shown ? children : wait > 0 ? <button type="button" disabled>{say("name is away", { name: them.name, wait })}</button>
        : <Sure name={say("claim the win")} question={say("end the game name has left", { name: them.name })} yes={say("yes claim")} onYes={onClaim} />}
    </>
  );
}

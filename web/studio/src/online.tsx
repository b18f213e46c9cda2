// Playing with somebody elsewhere, or with a connected bot: where games are
// opened and found.
import { useMemo, useRef, useState } from "preact/hooks";
import { acceptTable, bots, type Clock, game, type Info, message, type Offer, openTable, played, position, seeks, type StandingRow, standings, type Table, type Tournament } from "./api";
import { chosen, type Pending } from "./setup";
import { GameChoice } from "./setup";
import { Card, Choice, Command, Failure, Field, NameField, Remove } from "./parts";
import { formatRoute, go } from "./link";
import { dropSeat, type Held, heldSeat, heldSeats, holdSeat, useHeld } from "./held";
import { Picture } from "./gallery";
import { keptGames } from "./shelf";
import { useGames, useLatest, usePolled, useStored, useTried, useWide } from "./use";
import { called, capital, headingOf, titleOf } from "./catalogue";
import { jobs, over } from "./job";
import { clockText, TablePage } from "./tablepage";
import { count, say, show } from "./text";
import { elo, other, side, when } from "./words";

const clocks = ["1+2", "5+3", "15+10"];
const own = "own";

// The server's limits of clocks, in seconds.
const [leastBank, mostBank, mostMore] = [1, 86_400, 3600];

// clockOf reads clocks as this browser keeps them: minutes, a plus, and seconds a move; null is what can't be one.
function clockOf(text: string): Clock | null {
  const [minutes = 0, more = 0] = text.split("+").map((n) => (n === "" ? NaN : Number(n)));
  const bank = Math.round(minutes * 60);
  return bank >= leastBank && bank <= mostBank && more >= 0 && more <= mostMore ? { bank_ms: bank * 1000, increment_ms: Math.round(more * 1000) } : null;
}

export function Online({ query }: { query: Record<string, string> }) {
  return query.id ? <TablePage id={query.id} invite={query.invite ?? ""} key={query.id} /> : <Lobby query={query} />;
}

const link = "link";
const anybody = "anybody";

function Lobby({ query }: { query: Record<string, string> }) {
  const known = useGames();
  const spec = query.game || "ttt";
  const from = query.from ?? "";
  const [seat, setSeat] = useState<NonNullable<Offer["seat"]>>("random");
  const [clock, setClock] = useStored("clock", "");
  const timed = clock === "" ? undefined : clockOf(clock);
  const [name, setName] = useStored("name", "");
  const [whom, setWhom] = useState(query.to ? "bot:" + query.to : link);
  const [error, attempt, setError, opening] = useTried();
  const hall = useHall();
  const measured = useMeasured(spec, hall.bots);
  const pending: Pending = useRef(null);
  const wide = useWide();
  // On a phone offers stand before the form; where they do is settled at first, so that it stays under the finger.
  const offered = useRef<boolean | null>(null);
  if (hall.loaded) offered.current ??= hall.seeks.some((t) => !heldSeat(t.id));
  const early = !wide && offered.current === true;
  const offers = (
    <Card title={say("open to anybody")}>
      <Failure text={hall.error} />
      {hall.seeks.length === 0 ? <p class="muted">{say("nobody is looking")}</p> : (
        <ul class="shelf">{hall.seeks.map((t) => <Seek key={t.id} t={t} info={hall.infos.get(t.game)} name={name.trim()} onError={setError} />)}</ul>
      )}
    </Card>
  );
  const open = async (whom: string) => {
    if (timed === null) return setError(say("a clock has", { most: count(mostBank / 60), more: count(mostMore) }));
    setError("");
    await attempt(async () => {
      const game = await chosen(pending, spec);
      const begun = game === spec ? from : "";
      if (!game) return;
      const p = await position({ game, position: begun });
      const o = await openTable({
        game, seat, name: name.trim(), clock: timed,
        ...(begun ? { position: begun } : {}), ...(whom.startsWith("bot:") ? { to: whom.slice(4) } : whom === anybody ? { public: true } : {}),
      });
      holdSeat({ id: o.session.id, key: o.key ?? "", seat: o.seat, title: headingOf(game, p.info), invite: o.invite, when: Date.now() });
      go({ page: "online", query: { id: o.session.id } });
    });
  };
  return (
    <div class="page two">
      <section class="main-part" aria-label={say("open a game")}>
        <h1>{say("play online")}</h1>
        {!wide && <Mine />}
        {early && offers}
        {!wide && !hall.loaded ? <div class="tall" /> : <><p>{say("open a game and send")}</p>
        <form class="card" onSubmit={(e) => { e.preventDefault(); open(whom); }}>
          <h2>{say("a new game")}</h2>
          {from && <p class="muted">{show("it begins from the position code", { code: <code class="break">{from}</code> })} <button type="button" onClick={() => go({ page: "online", query: { game: spec } }, true)}>{say("begin at the start")}</button></p>}
          <GameChoice id="game" known={known} spec={spec} pending={pending} onChoose={(game) => go({ page: "online", query: { game } }, true)} />
          <div class="pair">
            <Choice id="whom" label={say("against")} value={whom} onChange={setWhom}
              options={[[link, say("somebody i send a link")], [anybody, say("anybody on this server")], ...hall.bots.map((b): [string, string] => ["bot:" + b, say("spec a bot", { spec: b })])]} />
            <Choice id="seat" label={say("you play")} value={seat} onChange={(v) => setSeat(v as typeof seat)}
              options={[["random", say("either side drawn")], ["first", say("first")], ["second", say("second")]]} />
            <ClockChoice value={clock} invalid={timed === null} onChange={setClock} />
            <NameField value={name} onChange={setName} />
          </div>
          <Failure text={error} />
          <div class="row"><button type="submit" class="primary" disabled={opening}>{whom.startsWith("bot:") ? say("challenge it") : say("open the game")}</button></div>
        </form></>}
      </section>
      {hall.loaded && <section class="side-part" aria-label={say("games to join")}>
        {!early && offers}
        <Card title={say("connected bots")}>
          {hall.bots.length === 0 ? <p class="muted">{say("no program is connected")}</p> : (
            <>
              <ul class="plainlist">{hall.bots.map((b) => <li key={b}><span>{b}<br /><Strength known={measured?.get(b)} waits={!measured} /></span> <button type="button" aria-label={say("play against b", { b })} aria-describedby="begins" disabled={opening} onClick={() => open("bot:" + b)}>{say("play")}</button></li>)}</ul>
              <p class="muted" id="begins">{say("play begins", { game: titleOf(spec), clock: clockText(timed ?? undefined), first: seat === "first", second: seat === "second", random: seat === "random" })}</p>
            </>
          )}
          <div class="row"><a class="button" href={formatRoute({ page: "play", query: { game: spec, from } })}>{say("play against oxo")}</a></div>
          <details class="muted"><summary>{say("connect a program")}</summary>{show("how to connect", { code: <Command>oxo bot --server {location.origin} perfect</Command>, a: (t) => <a href="docs">{t}</a> })}</details>
        </Card>
        {wide && <Mine />}
        <Card title={capital(say("being played"))}>
          {hall.played.length > 0 ? <ul class="shelf">{hall.played.map((t) => <Played key={t.id} t={t} info={hall.infos.get(t.game)} />)}</ul> : <p class="muted">{say("none is played")}</p>}
        </Card>
      </section>}
    </div>
  );
}

// ClockChoice chooses the clocks, of a few or by minutes and seconds.
function ClockChoice({ value, invalid, onChange }: { value: string; invalid: boolean; onChange: (v: string) => void }) {
  const [typed, setTyped] = useState(value !== "" && !clocks.includes(value));
  const [minutes = "", more = ""] = value.split("+");
  const number = (id: string, label: string, shown: string, made: (n: string) => string, alone: string) => (
    <Field id={id} label={label}>
      <input id={id} inputMode="decimal" autocomplete="off" value={shown} aria-invalid={invalid && clockOf(alone) === null} onInput={(e) => onChange(made(e.currentTarget.value.trim().replace(",", ".")))} />
    </Field>
  );
  return (
    <Choice id="clock" label={say("clock for each side")} value={typed ? own : value} onChange={(v) => { setTyped(v === own); onChange(v === own ? value || clocks[1]! : v); }}
      options={[["", say("None")], ...clocks.map((c): [string, string] => [c, capital(clockText(clockOf(c)!))]), [own, say("your own clock")]]}
      below={typed && <div class="pair">{number("minutes", say("minutes"), minutes, (n) => `${n}+${more}`, `${minutes}+0`)}{number("more", say("seconds a move"), more, (n) => `${minutes}+${n}`, `1+${more}`)}</div>} />
  );
}

interface Hall { seeks: Table[]; played: Table[]; bots: string[]; infos: Map<string, Info | undefined>; loaded: boolean; error: string }

// useHall asks now and then who waits for a game, and who plays one that anybody could have accepted, and what games these are.
function useHall(): Hall {
  const { data, error } = usePolled(async () => {
    const [open, connected, on] = await Promise.all([seeks(), bots(), played()]);
    const infos = new Map(await Promise.all([...open.sessions, ...on.sessions].map(async (t) => [t.game, await game(t.game).catch(() => undefined)] as const)));
    return { seeks: open.sessions, bots: connected.bots, played: on.sessions, infos };
  }, 3000, say("this server keeps no"));
  return { seeks: [], played: [], bots: [], infos: new Map(), ...data, loaded: data !== null || error !== "", error };
}

// Measured is what is known of a bot's strength: how it stands in a tournament.
interface Measured { job: string; row: StandingRow }

// useMeasured looks for each bot in the latest tournament of one's own in a game; null while that is not known.
const useMeasured = (spec: string, bots: string[]): Map<string, Measured> | null => useLatest(`measured ${called(spec)} ${bots}`, async () => {
  const known = new Map<string, Measured>();
  const list = bots.length > 0 ? (await jobs<Tournament>("tournament")).jobs.filter((t) => over(t.state) && called(t.game) === called(spec)) : [];
  for (const t of list) for (const row of (await standings(t.id).catch(() => null))?.rows ?? []) {
    const bot = row.name.slice("bot:".length);
    if (row.name === "bot:" + bot && bots.includes(bot) && !known.has(bot)) known.set(bot, { job: t.id, row });
  }
  return known;
}).data;

const Strength = ({ known, waits }: { known: Measured | undefined; waits: boolean }) => (
  <span class="muted">{known ? show("rated in your tournament", { rating: elo(known.row.rating), error: Math.round(known.row.error), n: known.row.games, a: (t) => <a href={formatRoute({ page: "arena", query: { job: known.job } })}>{t}</a> }) : waits ? " " : say("strength not measured")}</span>
);

function Seek({ t, info, name, onError }: { t: Table; info: Info | undefined; name: string; onError: (text: string) => void }) {
  const maker = t.maker === "first" ? t.first : t.second;
  const mine = heldSeats().some((h) => h.id === t.id);
  const accept = () => acceptTable(t.id, "", name).then(
    (o) => {
      holdSeat({ id: t.id, key: o.key ?? "", seat: o.seat, title: headingOf(t.game, info), when: Date.now() });
      go({ page: "online", query: { id: t.id } });
    },
    (e) => onError(message(e)),
  );
  return (
    <li>
      <span class="grow plain">{headingOf(t.game, info)}<br /><span class="muted">{info && say("name plays side", { name: maker.name, side: side(info, t.maker), you: side(info, other(t.maker)) })} {clockText(t.clock)}</span></span>
      {mine ? <a class="button" href={formatRoute({ page: "online", query: { id: t.id } })}>{say("yours")}</a>
        : <button type="button" aria-label={say("accept the game of name", { name: maker.name })} onClick={accept}>{say("accept")}</button>}
    </li>
  );
}

function Played({ t, info }: { t: Table; info: Info | undefined }) {
  const names = { a: t.first.name, b: t.second.name };
  return (
    <li>
      <span class="grow plain">{headingOf(t.game, info)}<br /><span class="muted break">{names.a} – {names.b}{t.watchers > 0 && ` · ${say("n watch now", { n: t.watchers })}`}</span></span>
      <a class="button" aria-label={say("watch a and b", names)} href={formatRoute({ page: "online", query: { id: t.id } })}>{say("watch")}</a>
    </li>
  );
}

function Mine() {
  const sorted = () => heldSeats().sort((a, b) => Number(Boolean(a.over)) - Number(Boolean(b.over))); // first what goes on
  const [list, set] = useState(sorted);
  if (list.length === 0) return <p class="muted"><a href="move">{say("take over from another device")}</a></p>;
  return (
    <div class="card">
      <div class="spread"><h2>{say("your games online")}</h2><a href="move">{say("to another device")}</a></div>
      <ul class="shelf">
        {list.map((h, i) => <Seat key={h.id} h={h} changes={!h.over || i < mostAsked} onDrop={() => { dropSeat(h.id); set(sorted()); }} />)}
      </ul>
    </div>
  );
}

// mostAsked is of how many of the latest games it is asked whether another is wanted.
const mostAsked = 5;

function Seat({ h, changes, onDrop }: { h: Held; changes: boolean; onDrop: () => void }) {
  const { t, says } = useHeld(h, changes);
  const k = useMemo(() => keptGames().find((k) => k.id === h.id), [h.id]);
  const shown = t ? { spec: t.game, start: t.start, moves: t.moves } : k && { spec: k.game, start: k.start, moves: k.moves };
  return (
    <li>
      {shown ? <Picture {...shown} /> : <span class="picture" />}
      <a class="plain" href={formatRoute({ page: "online", query: { id: h.id } })}>{capital(h.title)}<br /><span class="muted">{says ? `${capital(says)} · ` : ""}{shown && shown.moves.length > 0 && `${say("moves and result", { n: shown.moves.length, side: "" })} · `}{when(h.at ?? h.when)}</span></a>
      <Remove label={say("forget this game of title", { title: h.title, made: "" })} loses={h.over ? undefined : say("give up your seat")} onYes={onDrop} />
    </li>
  );
}

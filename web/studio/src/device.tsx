// Moving one's games and seats to another device, by a code that works once.
import { useState } from "preact/hooks";
import { giveHandover, type Handover, showHandover, takeHandover } from "./api";
import { useEvery } from "./effect";
import { addressOf } from "./link";
import { Failure, Field, OnlyHere } from "./parts";
import { useTable } from "./live";
import { type Held, heldSeats, holdSeat, readSeats } from "./held";
import { bestRaces, heldSolver, joinPast, joinRaces, joinSolver, pastPuzzles } from "./puzzles";
import { QR } from "./share";
import { keep, keptGames, readGames } from "./shelf";
import { getItem, setItem } from "./storage";
import { locale, say, show } from "./text";
import { useTried } from "./use";

// named is where the name is kept that somebody plays by online; who has one here keeps it.
const named = "oxo.name";

// spaced writes a code as people read it to each other.
const spaced = (code: string): string => code.replace(/(.{4})(?=.)/g, "$1 ");

// followed is how many games are followed meanwhile: a browser has six connections to a server at most.
const followed = 3;

// asking is how often it is asked whether a code was used, in milliseconds.
const asking = 3000;

// Present keeps a person present in a game that goes on, where the other side waits for a move.
function Present({ h }: { h: Held }) {
  useTable(h.id, h.key);
  return null;
}

export function Device({ query }: { query: Record<string, string> }) {
  const [given, setGiven] = useState<Handover | null>(null);
  const [code, setCode] = useState(query.code ?? "");
  const [error, attempt] = useTried();
  const [wrong, attemptTo] = useTried();
  const [taken, setTaken] = useState("");
  const [games, seats, tried] = [keptGames(), heldSeats(), pastPuzzles().length];
  const [used, setUsed] = useState(false);
  useEvery(asking, () => showHandover(given!.code).then(({ there }) => {
    if (there) return;
    setUsed(Date.now() < Date.parse(given!.expires));
    setGiven(null);
  }, () => {}), [given], given !== null);
  const give = () => attempt(() => giveHandover(JSON.stringify({ games, seats, solver: heldSolver(), tried: pastPuzzles(), races: bestRaces(), name: getItem(named) })).then((h) => { setGiven(h); setUsed(false); }));
  const take = (e: Event) => {
    e.preventDefault();
    setTaken("");
    return attemptTo(async () => {
      const { data } = await takeHandover(code);
      const all = JSON.parse(data) as { games?: unknown; seats?: unknown; solver?: unknown; tried?: unknown; races?: unknown; name?: unknown };
      const [theirs, held] = [readGames(all.games), readSeats(all.seats)];
      theirs.toReversed().forEach(keep);
      held.toReversed().forEach(holdSeat);
      const puzzles = joinPast(all.tried);
      joinRaces(all.races);
      if (typeof all.name === "string" && !getItem(named)) setItem(named, all.name.slice(0, 40));
      const stays = await joinSolver(all.solver);
      setTaken(say("n games and n", { games: theirs.length, seats: held.length, puzzles, stays }));
    });
  };
  return (
    <div class="page narrow">
      {seats.filter((h) => !h.over).slice(0, followed).map((h) => <Present key={h.id} h={h} />)}
      <h1>{say("to another device")}</h1>
      <p>{say("your games your seats")}</p>
      <section class="card" aria-label={say("from here")}>
        <h2>{say("from here")}</h2>
        <p class="muted">{say("n games and n seats", { games: games.length, seats: seats.length, puzzles: tried })}</p>
        <Failure text={error} />
        {given ? (
          <div class="shared">
            <QR text={addressOf({ page: "move", query: { code: given.code } })} label={say("the link")} />
            <p role="status"><span class="bigcode">{spaced(given.code)}</span><br />{say("until", { time: new Date(given.expires).toLocaleTimeString(locale, { timeStyle: "short" }) })}<br />{show("type it at", { address: <b class="break">{addressOf({ page: "move", query: {} })}</b> })}</p>
            <OnlyHere />
          </div>
        ) : <button type="button" class="primary" disabled={games.length + seats.length === 0 && heldSolver() === ""} onClick={give}>{say("make a code")}</button>}
        {used && <p role="status">{say("the code was used")}</p>}
      </section>
      <form class="card" onSubmit={take}>
        <h2>{say("to here")}</h2>
        <Field id="code" label={say("the code")}>
          <div class="row nowrap">
            <input id="code" class="code" value={code} autocapitalize="characters" autocomplete="off" spellcheck={false} aria-invalid={wrong !== ""} onInput={(e) => setCode(e.currentTarget.value)} />
            <button type="submit" disabled={code.trim() === ""}>{say("take them over")}</button>
          </div>
        </Field>
        <Failure text={wrong} />
        <p class="muted" role="status">{taken || " "}</p>
        {taken && <a class="button primary" href="play">{say("go on")}</a>}
      </form>
    </div>
  );
}

// Moving one's games and seats to another device, by a code that works once.
import { useState } from "preact/hooks";
import { giveHandover, type Handover, message, takeHandover } from "./api";
import { addressOf } from "./link";
import { Failure } from "./parts";
import { heldSeats, holdSeat, readSeats } from "./seats";
import { heldSolver, holdSolver } from "./puzzles";
import { QR } from "./share";
import { keep, keptGames, readGames } from "./shelf";
import { plural } from "./words";

// spaced writes a code as people read it to each other.
const spaced = (code: string): string => code.replace(/(.{4})(?=.)/g, "$1 ");

export function Device({ query }: { query: Record<string, string> }) {
  const [given, setGiven] = useState<Handover | null>(null);
  const [code, setCode] = useState(query.code ?? "");
  const [error, setError] = useState("");
  const [wrong, setWrong] = useState("");
  const [taken, setTaken] = useState("");
  const [games, seats] = [keptGames(), heldSeats()];
  const give = () => giveHandover(JSON.stringify({ games, seats, solver: heldSolver() })).then((h) => { setGiven(h); setError(""); }, (e) => setError(message(e)));
  const take = async (e: Event) => {
    e.preventDefault();
    setTaken("");
    try {
      const { data } = await takeHandover(code);
      const all = JSON.parse(data) as { games?: unknown; seats?: unknown; solver?: unknown };
      const [theirs, held] = [readGames(all.games), readSeats(all.seats)];
      theirs.toReversed().forEach(keep);
      held.forEach(holdSeat);
      holdSolver(all.solver);
      setWrong("");
      setTaken(`${plural(theirs.length, "game")} and ${plural(held.length, "seat")} are here now too.`);
    } catch (e) {
      setWrong(message(e));
    }
  };
  return (
    <div class="page narrow">
      <h1>To another device</h1>
      <p>Your games, your seats in games online and the key to your puzzle rating are kept by this browser. A code takes a copy of them to another one.</p>
      <section class="card" aria-label="From here">
        <h2>From here</h2>
        <p class="muted">{plural(games.length, "game")} and {plural(seats.length, "seat")}. Whoever has the code can play for you: it works once, for ten minutes.</p>
        <Failure text={error} />
        {given ? (
          <div class="shared">
            <QR text={addressOf({ page: "move", query: { code: given.code } })} label="The link with the code, for a camera" />
            <p role="status"><span class="bigcode">{spaced(given.code)}</span><br />until {new Date(given.expires).toLocaleTimeString([], { timeStyle: "short" })}</p>
          </div>
        ) : <button type="button" class="primary" disabled={games.length + seats.length === 0 && heldSolver() === ""} onClick={give}>Make a code</button>}
      </section>
      <form class="card" onSubmit={take}>
        <h2>To here</h2>
        <div class="field">
          <label for="code">The code</label>
          <div class="row nowrap">
            <input id="code" class="code" value={code} autocapitalize="characters" autocomplete="off" spellcheck={false} aria-invalid={wrong !== ""} onInput={(e) => setCode(e.currentTarget.value)} />
            <button type="submit" disabled={code.trim() === ""}>Take them over</button>
          </div>
        </div>
        <Failure text={wrong} />
        <p class="muted" role="status">{taken || " "}</p>
      </form>
    </div>
  );
}

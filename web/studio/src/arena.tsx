// The arena: tournaments among players, and what came of them.
import { useRef, useState } from "preact/hooks";
import { type Games, message, startTournament, type Tournament } from "./api";
import { capital, offeredPlayers, playerForms, playerName } from "./catalogue";
import { Contest, stateName } from "./contest";
import { Fold } from "./contents";
import { useEvery } from "./effect";
import { dropJob, jobs } from "./job";
import { Picture } from "./gallery";
import { formatRoute, go } from "./link";
import { Card, Choice, Failure, Remove } from "./parts";
import { chosen, type Pending } from "./setup";
import { GameChoice } from "./setup";
import { Starter } from "./starters";
import { count, say } from "./text";
import { useBots, useBrains, useGames, useLatest, useRefusals, useTitles, useTried } from "./use";

export function Arena({ query }: { query: Record<string, string> }) {
  return query.job ? <Contest id={query.job} key={query.job} /> : <Start query={query} />;
}

// ready are tournaments that one press starts.
const ready: { game: string; title: string; text: string; players: string[]; games: number }[] = [
  { game: "ttt", title: say("does perfection pay"), text: say("perfect play two sets"), players: ["perfect", "heuristic", "rows", "random"], games: 20 },
  { game: "mnk:7,6,4+gravity", title: say("how far apart are the levels"), text: say("levels 1 to 3"), players: ["level:1", "level:2", "level:3", "random"], games: 100 },
  { game: "mnk:4,4,4", title: say("search or simulate"), text: say("minimax against monte carlo on 4×4"), players: ["minimax:depth=2", "mcts:sims=200", "rows"], games: 20 },
];

const usual = ["perfect", "heuristic", "rows", "random"];
const given = [0, 1, 2, 3, 4, 6];
const rounds = [2, 10, 20, 50, 100, 400, 1000];
const clocks: [string, string][] = [["10s", say("10 s a game")], ["1m+1s", say("minutes and s a move", { n: 1, s: 1 })], ["5m+3s", say("minutes and s a move", { n: 5, s: 3 })]];
const isBot = (player: string): boolean => player.startsWith("bot:");

function Start({ query }: { query: Record<string, string> }) {
  const known = useGames();
  const spec = query.game || "ttt";
  const [players, setPlayers] = useState(usual);
  const [games, setGames] = useState(20);
  const [openings, setOpenings] = useState(2);
  const [clock, setClock] = useState("");
  const timed = clock || (players.some(isBot) ? "1m+1s" : ""); // bots must have clocks
  const [error, attempt, setError] = useTried();
  const pending: Pending = useRef(null);
  const list = useLatest("tournaments", () => jobs<Tournament>("tournament").then((r) => r.jobs));
  const titleOf = useTitles((list.data ?? []).map((t) => t.game));
  useEvery(3000, list.again, [list.data], list.current && Boolean(list.data?.some((t) => t.state === "queued" || t.state === "running"))); // they go on meanwhile
  const start = (game: string, players: string[], games: number, openings: number, timed: string) => {
    setError("");
    return attempt(() => startTournament(game, players, games, openings, timed).then((t) => go({ page: "arena", query: { job: t.id } })));
  };
  const pairs = (players.length * (players.length - 1)) / 2;
  return (
    <div class="page two">
      <section class="main-part" aria-label={say("a new tournament")}>
        <h1>{say("arena")}</h1>
        <p class="lead">{say("everybody meets everybody")}</p>
        <ul class="starters">{ready.map((r) => <Starter key={r.title} picture={<Picture spec={r.game} />} title={r.title} text={r.text} onStart={() => start(r.game, r.players, r.games, 2, "")} />)}</ul>
        <Fold id="new" title={say("a new tournament")} fold={query.game ? "no" : "small"}>
          <GameChoice id="game" known={known} spec={spec} pending={pending} onChoose={(game) => go({ page: "arena", query: { game } }, true)} />
          <Entrants known={known} spec={spec} chosen={players} onChange={setPlayers} />
          <div class="pair">
            <Choice id="games" label={say("games between each two")} value={`${games}`} options={rounds.map((n) => [`${n}`, count(n)])} onChange={(n) => setGames(Number(n))} />
            <Choice id="openings" label={say("moves given at the start")} value={`${openings}`} options={given.map((n) => [`${n}`, n === 0 ? say("none") : `${n}`])} onChange={(n) => setOpenings(Number(n))} />
            <Choice id="clock" label={say("clock for each side")} value={timed} options={clocks} onChange={setClock}>
              {!players.some(isBot) && <option value="">{say("none")}</option>}
            </Choice>
          </div>
          <p class="muted">{players.length < 2 ? say("choose two players or more") : say("n games openings", { n: count(pairs * games), how: openings > 0 ? say("given moves may lose by themselves") : say("without given moves players") })}</p>
          <div class="row"><button type="button" class="primary" disabled={players.length < 2} onClick={() => chosen(pending, spec).then((game) => { if (game) void start(game, players, games, openings, timed); })}>{say("start it")}</button></div>
        </Fold>
        <Failure text={error} />
      </section>
      <section class="side-part" aria-label={say("your tournaments")}>
        <Card title={say("your tournaments")}>
          <Failure text={list.error} again={list.again} />
          {!list.error && !list.data?.length && <p class="muted" style={list.data ? "" : "visibility: hidden"}>{say("none yet")}</p>}
          {list.data && list.data.length > 0 && <ul class="shelf">{list.data.map((t) => <Entry key={t.id} t={t} title={titleOf(t.game)} onGone={list.again} onError={setError} />)}</ul>}
        </Card>
      </section>
    </div>
  );
}

function Entry({ t, title, onGone, onError }: { t: Tournament; title: string; onGone: () => void; onError: (text: string) => void }) {
  const who = (t.args?.players ?? []).map(playerName).join(", ");
  return (
    <li>
      <a class="plain" href={formatRoute({ page: "arena", query: { job: t.id } })}>{capital(title)}, {stateName(t.state)}<br /><span class="muted">{who}</span></a>
      <Remove label={say("delete the tournament of title", { title })} onYes={() => dropJob(t.id).then(onGone, (e) => onError(message(e)))} />
    </li>
  );
}

interface EntrantsProps { known: Games | null; spec: string; chosen: string[]; onChange: (players: string[]) => void }

// Entrants chooses who takes part: players by name, brains that were saved, bots
// that are connected, and whatever is typed.
function Entrants({ known, spec, chosen, onChange }: EntrantsProps) {
  const [text, setText] = useState("");
  const connected = useBots().map((b) => ({ spec: "bot:" + b, name: playerName("bot:" + b) }));
  const offers = [...offeredPlayers(known, spec, useRefusals(spec).refused).flatMap((s) => s.offers).filter((o) => o.spec !== "human"), ...useBrains(spec), ...connected];
  const typed = chosen.filter((c) => !offers.some((o) => o.spec === c)).map((c) => ({ spec: c, name: playerName(c) }));
  const set = (player: string, on: boolean) => onChange(on ? [...chosen, player] : chosen.filter((c) => c !== player));
  const add = (e: Event) => {
    e.preventDefault();
    const player = text.trim();
    if (player && !chosen.includes(player)) onChange([...chosen, player]);
    setText("");
  };
  return (
    <fieldset class="entrants">
      <legend>{say("players")}</legend>
      <div class="checks">
        {[...offers, ...typed].map((o) => (
          <label key={o.spec}><input type="checkbox" checked={chosen.includes(o.spec)} onChange={(e) => set(o.spec, e.currentTarget.checked)} /> {o.name}</label>
        ))}
      </div>
      <form class="row nowrap" onSubmit={add}>
        <input aria-label={say("another player typed")} value={text} spellcheck={false} autocapitalize="off" autocomplete="off" list="arena-forms" placeholder="mcts:sims=1000"
          onInput={(e) => setText(e.currentTarget.value)} />
        <datalist id="arena-forms">{playerForms(known, spec).map((p) => <option value={p.form} key={p.form}>{p.about}</option>)}</datalist>
        <button type="submit">{say("add")}</button>
      </form>
    </fieldset>
  );
}

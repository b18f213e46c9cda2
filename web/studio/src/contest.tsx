// A tournament: how it stands while it is played, its players rated, its games.
import { useEffect, useState } from "preact/hooks";
import { type ContestGame, contestGames, judge, type StandingRow, standings, type Tournament } from "./api";
import { capital, playerName } from "./catalogue";
import { jobSheets, over, useJob } from "./job";
import { formatRoute, joinMoves } from "./link";
import { Announce, Card, Failure, Heading, Lost, NotYet, Steering, Table } from "./parts";
import { Share } from "./share";
import { csv, save } from "./snapshot";
import { count, say, show } from "./text";
import { useHeadingOf, useLatest, useTask, useWrong } from "./use";
import { elo, ticks } from "./words";

const states: Record<string, string> = { queued: say("waiting"), running: say("being played"), paused: say("paused"), done: say("finished"), failed: say("failed"), cancelled: say("stopped") };
export const stateName = (s: string): string => states[s] ?? s;

// useStandings asks for a tournament’s table and latest games whenever there is news of it, one question at a time; at is
// the tournament when it was asked.
function useStandings(id: string, most: number, news: Tournament | null) {
  const [at, setAt] = useState(news);
  const { data, current, error } = useLatest(JSON.stringify([id, most, at]), async () => {
    const [s, { games, count }] = await Promise.all([standings(id), contestGames(id, most)]);
    return { s, games, count, at };
  });
  useEffect(() => {
    if (current || error) setAt(news);
  }, [news, current, error]);
  return { s: null, games: noGames, count: 0, at: null, ...data, error };
}

const noGames: ContestGame[] = [];

const openingOf = (g: ContestGame): string => JSON.stringify({ game: g.game, position: g.start ?? "", moves: g.moves.slice(0, g.opening) });

// lookTime is how long an opening is looked at, in milliseconds.
const lookTime = 2000;

// useDecided says who wins after the given moves of games, by opening, where that is certain. It
// asks once no clock of theirs runs.
function useDecided(games: ContestGame[], asks: boolean): Map<string, string> {
  const [decided, set] = useState(new Map<string, string>());
  const look = async (signal: AbortSignal) => {
    for (const key of new Set(games.filter((g) => g.opening > 0 || g.start).map(openingOf)))
      await judge(JSON.parse(key), lookTime, signal, (j) => j.value && set((old) => new Map(old).set(key, j.value!)));
  };
  useTask((signal) => (asks ? look(signal) : undefined), () => {}, [games, asks]);
  return decided;
}

export function Contest({ id }: { id: string }) {
  const [most, setMost] = useState(20);
  const { job: t, error, lost, set } = useJob<Tournament>(id, "tournament");
  const { s, games, count: played, error: unseen, at } = useStandings(id, most, t);
  const [wrong, setWrong] = useWrong(lost);
  const title = useHeadingOf(t?.game ?? "");
  const decided = useDecided(games, t !== null && over(t.state));
  const lostBy = (g: ContestGame): string => {
    const winner = decided.get(openingOf(g));
    return winner === "first" || winner === "second" ? playerName(winner === "first" ? g.second : g.first) : "";
  };
  // The tables come with the rest: they would push what is below them.
  if (!t || !title || (!s && !unseen)) return <NotYet kind={say("tournament")} error={error} gone={!lost}><a class="button" href="arena">{say("to the arena")}</a></NotYet>;
  const name = say("tournament of title", { title });
  const done = s?.games ?? 0;
  const total = s?.total || t.total;
  const state = at?.state ?? t.state; // that the standings belong to
  const line = say("state of games", { state: capital(stateName(state)), done: count(done), total: count(total) });
  return (
    <div class="page two">
      <section class="main-part" aria-label={say("standings")}>
        <Heading text={name} />
        <p class={`statusline ${over(state) ? "ended" : ""}`}>{line}</p>
        <Announce text={over(state) ? line : ""} />
        <progress max={Math.max(1, total)} value={done} aria-label={say("games played")} />
        <Failure text={t.state === "failed" ? say("the tournament failed", { error: t.error! }) : wrong || error || unseen} />
        {!over(t.state) && <Lost lost={lost} so={say("the tournament goes on")} />}
        <div class="row actions">
          <Steering job={t} end={say("stop for good")} onDone={set} onFail={setWrong} />
          <a class="button" href={formatRoute({ page: "arena", query: { game: t.game } })}>{say("another tournament")}</a>
          <Share drawn={{ name: "ratings", selector: ".ratings", caption: `${name}. ${line} ${s?.rows[0] ? meaning(s.rows[0]) : ""}` }} sheets={over(t.state) && played > 0 ? jobSheets(id) : ""} />
        </div>
        <Ratings rows={s?.rows ?? []} />
        <Cross rows={s?.rows ?? []} />
      </section>
      <section class="side-part" aria-label={say("games")}>
        <Card title={say("games")}>
          {games.length === 0 ? <p class="muted">{say("none has ended yet")}</p> : (
            <ul class="shelf games">
              {games.map((g) => (
                <li key={g.number}>
                  <a class="plain" href={formatRoute({ page: "explore", query: { game: g.game, from: g.start ?? "", moves: joinMoves(g.moves) } })}>
                    {g.number}. {playerName(g.first)} – {playerName(g.second)}: <span class="score">{points(g)}</span><br />
                    <span class="muted">{say("moves of a game", { n: g.moves.length, opening: g.opening, given: !g.opening && g.start, lost: lostBy(g), reason: g.termination !== "normal" && (g.reason || g.termination) })}</span>
                  </a>
                </li>
              ))}
            </ul>
          )}
          {played > games.length && most < 100 && <button type="button" onClick={() => setMost(100)}>{say("show the latest 100 of played", { all: played <= 100, played: count(played) })}</button>}
        </Card>
      </section>
    </div>
  );
}

const points = (g: ContestGame): string => ({ first: "1–0", second: "0–1", draw: "½–½" })[g.result as string] ?? say("no result");

// ranked puts the best first.
const ranked = (rows: StandingRow[]): StandingRow[] => [...rows].sort((a, b) => b.rating - a.rating);

// half writes points.
const half = (n: number): string => `${Math.floor(n) === 0 && n % 1 ? "" : count(Math.floor(n))}${n % 1 ? "½" : ""}`;

// table has the players as comma-separated values, the best first: what each scored, and against whom.
const table = (rows: StandingRow[]): string => csv([
  ["player", "games", "points", "rating", "error", ...ranked(rows).map((r) => "against_" + r.name)],
  ...ranked(rows).map((r) => [r.name, r.games, r.score, r.rating.toFixed(1), r.error.toFixed(1),
    ...ranked(rows).map((c) => (c === r ? "" : (({ wins, draws }) => wins + draws / 2)(r.cross[rows.indexOf(c)]!)))]),
]);

// meaning says what ratings and their bars stand for.
const meaning = ({ added }: StandingRow): string => say("elo around the mean", { added: added ? added.toFixed(2) : "" });

// Ratings draws each player's rating with its error.
function Ratings({ rows }: { rows: StandingRow[] }) {
  if (rows.length === 0) return <div class="card"><h2>{say("ratings")}</h2><p class="muted">{say("they come with the first games")}</p></div>;
  const low = Math.min(...rows.map((r) => r.rating - r.error)), high = Math.max(...rows.map((r) => r.rating + r.error));
  const at = (x: number) => `${3 + (94 * (x - low)) / Math.max(1, high - low)}%`; // of the width, so that signs keep their shape
  const axis = ticks(low, high, 3);
  const lines = axis.map((x) => <line class={x === 0 ? "zero" : "tick"} x1={at(x)} x2={at(x)} y1="0" y2="20" key={x} />);
  return (
    <Card title={say("ratings")}>
      <Table kind="ratings" label={say("ratings")} role="region"
        head={<><th scope="col">{say("player")}</th><th scope="col">{say("rating")}</th><th scope="col">{say("points")}</th></>}>
        {ranked(rows).map((r) => {
          const faults = r.faults.time + r.faults.illegal + r.faults.crashed;
          return (
            <tr key={r.name}>
              <th scope="row">{playerName(r.name)}{faults > 0 && <span class="fault"> {show("n games lost by a fault", { faults, last: r.faults.last })}</span>}</th>
              <td>
                {elo(r.rating)} ± {Math.round(r.error)}
                <svg class="span" role="img" aria-label={say("in 19 of 20", { least: elo(r.rating - r.error), most: elo(r.rating + r.error) })}>
                  {lines}
                  <line x1={at(r.rating - r.error)} x2={at(r.rating + r.error)} y1="10" y2="10" />
                  <circle cx={at(r.rating)} cy="10" r="4" />
                </svg>
              </td>
              <td>{say("n of all", { n: half(r.score), all: count(r.games) })}</td>
            </tr>
          );
        })}
        <tr class="axis" aria-hidden="true">
          <td class="right">{say("unit elo")}</td>
          <td><svg class="span">{axis.map((x) => <text x={at(x)} y="14" key={x}>{elo(x)}</text>)}</svg></td>
          <td />
        </tr>
      </Table>
      <p class="muted">{meaning(rows[0]!)}</p>
      <button type="button" onClick={() => save("tournament.csv", new Blob([table(rows)], { type: "text/csv" }))}>{say("as csv")}</button>
    </Card>
  );
}

// Cross is the table of everybody against everybody.
function Cross({ rows }: { rows: StandingRow[] }) {
  if (rows.length === 0) return null;
  const best = ranked(rows);
  return (
    <Card title={say("everybody against everybody")}>
      <Table kind="cross" label={say("cross table")} role="region"
        head={<><th scope="col">{say("wins draws losses of")}</th>{best.map((c, i) => <th scope="col" key={c.name} title={playerName(c.name)}>{say("against n", { n: i + 1 })}</th>)}</>}>
        {best.map((r, i) => (
          <tr key={r.name}>
            <th scope="row">{i + 1}. {playerName(r.name)}</th>
            {best.map((c) => {
              const score = r.cross[rows.indexOf(c)]!;
              if (c === r) return <td key={c.name} class="self">–</td>;
              const sum = score.wins + score.draws + score.losses;
              const ahead = score.wins - score.losses;
              const sure = Math.abs(ahead) > Math.sqrt(score.wins + score.losses); // by more than a standard deviation of chance
              return <td key={c.name} class={sum === 0 ? "" : !sure ? "shade-even" : ahead > 0 ? "shade-good" : "shade-bad"} style={{ "--near": `${Math.abs(ahead) / Math.max(1, sum)}` }} aria-label={say("wins draws and losses", score)}>+{score.wins} ={score.draws} −{score.losses}</td>;
            })}
          </tr>
        ))}
      </Table>
    </Card>
  );
}

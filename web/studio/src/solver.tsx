// Who solves puzzles: the rating and what it is made of, and the days whose puzzles were solved.
import { useRef, useState } from "preact/hooks";
import { RatingChart } from "./curves";
import { useEvery } from "./effect";
import { formatRoute } from "./link";
import { Card, Failure, Segmented, Table } from "./parts";
import { daily, type Past, type PuzzleTally, reportOf, type Solver, themes, unsettled } from "./puzzles";
import { locale, say } from "./text";
import { useLatest } from "./use";
import { dayName, lasting } from "./words";

interface CardProps { who: Solver; called: (spec: string) => string; onRedo?: () => void }

// ratingText is a rating and twice its deviation.
const ratingText = ({ rating, deviation }: Solver["rating"]): string => `${Math.round(rating)} ± ${Math.round(2 * deviation)}`;

// SolverFacts says what is kept of who solves, and more where it is opened.
export function SolverFacts({ who, called, onRedo }: CardProps) {
  const [open, setOpen] = useState(false);
  const left = unsettled(who);
  return (
    <>
      <dl class="facts solver">
        <dt>{say("rating")}</dt><dd>{left > 0 ? say("after n more", { n: left }) : ratingText(who.rating)}</dd>
        <dt>{say("solved at once")}</dt><dd>{say("n of all", { n: who.solved, all: who.tried })}</dd>
        <dt>{say("in a row")}</dt><dd>{say("streak and best", { streak: who.streak, best: who.best })}</dd>
        {who.days > 0 && <><dt>{say("today's puzzle")}</dt><dd>{say("n days in a row", { days: who.days, open: who.day !== isoDay(new Date()) })}</dd></>}
      </dl>
      {onRedo && <div class="row"><button type="button" onClick={onRedo}>{say("redo the missed ones", { n: who.missed ?? 0 })}</button></div>}
      <details onToggle={(e) => setOpen(e.currentTarget.open)}>
        <summary>{say("over time and by game")}</summary>
        {open && <Report tried={who.tried} called={called} />}
      </details>
    </>
  );
}

const periods: [string, string][] = [...["7", "30", "90"].map((n): [string, string] => [n, say("n days", { n })]), ["", say("all of it")]];

// Report draws the rating over the puzzles, and says how those of each game and theme went.
function Report({ tried, called }: { tried: number; called: (spec: string) => string }) {
  const [days, setDays] = useState(""); // of the period, all without
  const report = useLatest(`report ${tried} ${days}`, (signal) => reportOf(days, signal));
  const r = report.data;
  if (!r) return <Failure text={report.error} again={report.again} />;
  const rows = (list: PuzzleTally[], field: "game" | "theme", name: (of: string) => string | undefined) => list.map((t) => (
    <tr key={t.of}>
      <th scope="row"><a href={formatRoute({ page: "puzzles", query: { [field]: t.of } })}>{name(t.of) ?? t.of}</a></th>
      <td class="right">{say("n of all", { n: t.solved, all: t.tried })}</td>
      <td class="right">{ratingText(t.rating)}</td>
    </tr>
  ));
  const head = (first: string) => <><th scope="col">{first}</th><th scope="col" class="right">{say("solved at once")}</th><th scope="col" class="right">{say("rating")}</th></>;
  return (
    <>
      <Segmented label={say("period")} value={days} options={periods} onChange={setDays} />
      {r.ratings.length > 1 && <RatingChart ratings={r.ratings} begins={r.begins} tried={days ? r.ratings.length : tried} />}
      {r.games.length > 0 && (
        <>
          <Table kind="ratings" label={say("by theme")} head={head(say("theme"))}>{rows(r.themes, "theme", (of) => themes.find(([t]) => t === of)?.[1])}</Table>
          <Table kind="ratings" label={say("by game")} head={head(say("game"))}>{rows(r.games, "game", called)}</Table>
        </>
      )}
      <p class="muted" role="status">{r.games.length > 0 ? say("a rating by game begins") : say("nothing tried then")}{r.undated ? " " + say("tried without a day", { n: r.undated }) : ""}</p>
    </>
  );
}

const isoDay = (d: Date): string => d.toISOString().slice(0, 10);
const weeksShown = 4;
const dayLength = 86_400_000; // in milliseconds

// Days is a calendar of the last puzzles of a day, in UTC as the server's days are, and says when the next one comes.
export function Days({ day, past }: { day: string; past: Past[] }) {
  const [now, setNow] = useState(Date.now());
  const opened = useRef(now);
  useEvery(1000, () => setNow(Date.now()), []);
  const today = Math.floor(now / dayLength) * dayLength;
  const came = day !== "" && Date.parse(day) === today - dayLength && opened.current < today;
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * dayLength;
  const first = monday - (weeksShown - 1) * 7 * dayLength;
  const dates = Array.from({ length: weeksShown * 7 }, (_, i) => new Date(first + i * dayLength));
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "narrow", timeZone: "UTC" });
  return (
    <Card kind="noprint" title={say("puzzles of days")}>
      <ol class="calendar">
        {dates.slice(0, 7).map((d) => <li aria-hidden="true" class="muted" key={d.getUTCDay()}>{weekday.format(d)}</li>)}
        {dates.filter((d) => d.getTime() <= today).map((d) => {
          const iso = isoDay(d);
          const tried = past.find((o) => o.day === iso);
          const of: Record<string, string> = d.getTime() === today ? {} : { day: iso };
          return (
            <li key={iso}>
              <a href={formatRoute({ page: "puzzles", query: { id: daily, ...of } })} aria-current={iso === day ? "date" : undefined} class={tried ? (tried.solved ? "right" : tried.late ? "late" : "wrong") : ""}
                aria-label={say("day and how it went", { day: dayName(iso), solved: tried?.solved, late: tried && !tried.solved && tried.late, missed: tried && !tried.solved && !tried.late })}>{d.getUTCDate()}</a>
            </li>
          );
        })}
      </ol>
      {came && <p role="status"><a href={formatRoute({ page: "puzzles", query: { id: daily } })}>{say("a new one is here")}</a></p>}
      <p class="muted">{say("the next one comes in", { time: lasting((today + dayLength - now) / 1000) })}</p>
    </Card>
  );
}

// The page that sets puzzles: positions with one right move.
import { useEffect, useRef, useState } from "preact/hooks";
import { capital, nameOf } from "./catalogue";
import { Easel } from "./easel";
import { formatRoute, go, note } from "./link";
import { Announce, Card, Choice, Failure, Segmented } from "./parts";
import { daily, difficulties, missed, type Mistake, Mistakes, noteShown, type Past, pastPuzzles, type Puzzle, type PuzzleGame, puzzleList, puzzleOf, puzzleOfDay, shownPuzzles, type Solver, solverOf, themes } from "./puzzles";
import { Race } from "./race";
import { keptGames } from "./shelf";
import { Days, SolverFacts } from "./solver";
import { say } from "./text";
import { noGame, notFound, useTitle } from "./title";
import { dayName } from "./words";
import { useGames, useKeptFocus, useLatest, useWide } from "./use";

// sources are where puzzles come from.
const sources: [string, string][] = [["", say("collection")], [daily, say("today's")], ["mistakes", say("mistakes")], ["race", say("race")]];

interface Drawn { puzzle: Puzzle | null; hardest?: number; day?: string; mistake?: Mistake | null }

export function Puzzles({ query }: { query: Record<string, string> }) {
  const { id = "", game: asked = "", theme = "", difficulty = "", from = "", day = "" } = query;
  const source = id === daily ? daily : from === "mistakes" || from === "race" ? from : "";
  const [turn, setTurn] = useState(0);
  const [solver, setSolver] = useState<Solver | null>(null);
  const [shown, setShown] = useState(""); // the puzzle whose board is: the side comes with the first, and stays
  useKeptFocus(shown);
  const mistakes = useRef<Mistakes | null>(null);
  const wide = useWide();
  const [panel, setPanel] = useState<Element | null>(null); // beside the board, where there is room
  const known = useGames();
  const all = useLatest("puzzles", () => puzzleList({ game: "", theme: "", difficulty: "", but: "" }));
  const kept = useLatest("solver", solverOf);
  const [past, setPast] = useState(pastPuzzles);
  const [racing, setRacing] = useState(false);
  const [printed, setPrinted] = useState(""); // how many puzzles on a sheet
  const [lot, setLot] = useState(newLot);
  const set = useLatest(JSON.stringify([id, day, asked, theme, difficulty, from, turn]), async (signal): Promise<Drawn> => {
    if (source === daily) return puzzleOfDay(day, signal);
    if (source === "race") return { puzzle: null };
    if (id) return { puzzle: await puzzleOf(id, signal) };
    if (source !== "mistakes") {
      const { puzzle, hardest } = await puzzleList({ game: asked, theme, difficulty, but: shownPuzzles().join() });
      return { puzzle: puzzle ?? null, hardest };
    }
    const mistake = await (mistakes.current ??= new Mistakes()).next(signal);
    return { puzzle: mistake?.puzzle ?? null, mistake };
  });
  const z = set.current ? set.data?.puzzle : null;
  useTitle("subject", z?.goal.replace(/\.$/, "") ?? "");
  useEffect(() => {
    if (z && !set.data?.mistake) noteShown(z.id);
    if (z && !id && !source) note({ page: "puzzles", query: { ...query, id: z.id } }); // so that it is there again
  }, [z]);
  const game = asked && !id && z ? z.game : asked; // by its own spec
  const who = solver ?? kept.data;
  const games = (all.data?.games ?? []).filter((g) => !theme || g.themes[theme]);
  const called = (spec: string) => capital((known && nameOf(spec)) ?? all.data?.games.find((g) => g.game === spec)?.title ?? spec);
  const choose = (next: Record<string, string>) => {
    setTurn(turn + 1);
    go({ page: "puzzles", query: { game, theme, difficulty, from, id: "", day: "", ...next } }, false, true);
  };
  const fromSource = (next: string) => {
    mistakes.current = null;
    choose({ from: next === daily ? "" : next, id: next === daily ? daily : "", difficulty: "" });
  };
  const main = useRef<HTMLElement>(null);
  const redo = () => {
    choose({ game: "", theme: "", difficulty: missed, from: "" });
    main.current?.scrollIntoView();
  };
  const ofTheme = (t: string) => (all.data?.games ?? []).filter((g) => !game || g.game === game).reduce((n, g) => n + (g.themes[t] ?? 0), 0);
  const count = games.filter((g) => !game || g.game === game).reduce((n, g) => n + (theme ? (g.themes[theme] ?? 0) : g.count), 0);
  return (
    <div class="page two play acted">
      <section class="main-part" aria-label={say("puzzle")} ref={main}>
        <div class="spread">
          <h1 class="above">{say("puzzles")}</h1>
          <Segmented label={say("where puzzles come from")} value={source} options={sources} onChange={fromSource} />
        </div>
        <Failure text={set.error} missing={noGame(set, game) || notFound(set.gone, say("puzzle"))} again={set.again}><button type="button" onClick={() => choose({})}>{say("another puzzle")}</button></Failure>
        <Announce text={z && turn > 0 ? `${called(z.game)}. ${z.goal}` : ""} />
        {source === "race" ? <Race key={game + theme} game={game} theme={theme} panel={wide ? panel : undefined} onRunning={setRacing} onShown={() => setShown("race")} /> : z ? (
          <Easel key={z.id + turn} z={z} panel={wide ? panel : undefined} day={set.data?.day} mistake={set.data?.mistake} done={source === daily && who?.day === set.data?.day && who!.days > 0} rating={who?.rating.rating} missedOnes={who?.missed} onShown={() => setShown(z.id)} onSolver={setSolver} onTried={() => setPast(pastPuzzles())} onNext={() => choose({})} />
        ) : !set.error && (set.current ? (source === "mistakes" ? <NoMistake any={mistakes.current?.any ?? false} onAgain={() => fromSource(source)} /> : <NoneLeft text={say(difficulty === missed ? "nothing is missed" : "there is no such puzzle")} onAll={() => choose({ game: "", theme: "", difficulty: "" })} />) : source === "mistakes" ? <p class="muted" role="status">{say("looking at your games")}</p> : <div class="waiting" />)}
      </section>
      {(shown || set.error || (set.current && !z)) && (
        <section class="side-part" aria-label={say("choice of puzzles")}>
          {wide && (z || racing) && <div class="card panel" ref={setPanel} />}
          <Card kind="noprint" title={say("You")}>
            {source === "mistakes" || source === "race" ? <p class="muted">{say(source === "race" ? "races are not rated" : "puzzles of your own are not rated")}</p> : !who?.tried ? <p class="muted">{say("only the first try")}</p> : (
              <SolverFacts who={who} called={called} onRedo={who.missed && difficulty !== missed ? redo : undefined} />
            )}
          </Card>
          {source === daily && <Days day={set.data?.day ?? ""} past={past} />}
          {source !== "mistakes" && !racing && (
            <Card kind="noprint" title={say("which puzzles")}>
              <Choice id="puzzle-theme" label={say("theme")} value={theme} options={themes.filter(([t]) => !t || t === theme || !all.data || ofTheme(t) > 0).map(([t, name]) => [t, t && all.data ? say("name and count", { name, n: ofTheme(t) }) : name])} onChange={(theme) => choose({ theme })} />
              <Choice id="puzzle-game" label={say("game")} value={game} options={sorted(games, called).map((g): [string, string] => [g.game, say("name and count", { name: called(g.game), n: theme ? g.themes[theme]! : g.count })])} onChange={(game) => choose({ game })}>
                <option value="">{say(source === "race" ? "well-known games" : "all games")}</option>
                {game && !games.some((g) => g.game === game) && <option value={game}>{called(game)}</option>}
              </Choice>
              {source !== "race" && <Choice id="puzzle-difficulty" label={say("difficulty")} value={difficulty} options={difficulties.filter(([d]) => d !== missed || who?.missed || difficulty === missed)} onChange={(difficulty) => choose({ difficulty })} />}
              {source !== "race" && count > 0 && (
                <div class="row sheet">
                  <select aria-label={say("puzzles on the sheet")} value={printed} onChange={(e) => setPrinted(e.currentTarget.value)}>
                    {["", "12", "24"].map((n) => <option value={n} key={n}>{n ? say("n on the sheet", { n }) : say("one page")}</option>)}
                  </select>
                  <a class="button" href={`api/v1/puzzles/sheet?game=${encodeURIComponent(game)}&theme=${theme}${printed && "&count=" + printed}${nearOf(difficulty, who)}&seed=${lot}`} target="_blank" rel="noopener" onClick={() => setTimeout(() => setLot(newLot()))}>{say("a sheet to print")}</a>
                </div>
              )}
              {source !== "race" && <p class="muted">{say("data each has exactly", { n: all.data ? count : 0, hardest: set.current ? set.data?.hardest : 0 })}</p>}
            </Card>
          )}
          <History past={past} called={called} />
        </section>
      )}
    </div>
  );
}

// nearOf is how hard the puzzles of a sheet are to be, where one that is easier or harder was asked for.
const nearOf = (difficulty: string, who: Solver | null): string =>
  difficulty === "easier" || difficulty === "harder" ? `&near=${Math.max(600, Math.round((who?.tried ? who.rating.rating : 950) + (difficulty === "easier" ? -250 : 250)))}` : "";

// newLot is what the puzzles of a sheet are drawn from: they are the same ones when its page is loaded again.
const newLot = (): number => 1 + Math.floor(Math.random() * 1e6);

// byNumber puts 4×4 before 10×10.
const byNumber = new Intl.Collator(undefined, { numeric: true });

// sorted has the games that many know first, in the order in which the server has them, and then the others by name.
const sorted = (games: PuzzleGame[], called: (spec: string) => string): PuzzleGame[] =>
  [...games.filter((g) => g.known), ...games.filter((g) => !g.known).sort((a, b) => byNumber.compare(called(a.game), called(b.game)))];

// NoneLeft says that there is no puzzle of what was chosen, and leads back to all.
function NoneLeft({ text, onAll }: { text: string; onAll: () => void }) {
  return <><p>{text}</p><div class="row"><button type="button" class="primary" onClick={onAll}>{say("all puzzles")}</button></div></>;
}

const shownAtOnce = 20;

// History links to the puzzles that were tried, the latest first, and says when and how each went.
function History({ past, called }: { past: Past[]; called: (spec: string) => string }) {
  const [shown, setShown] = useState(shownAtOnce);
  const all = past.filter((o) => o.game);
  const list = all.slice(0, shown);
  if (list.length === 0) return null;
  const went = ({ solved, late, move, points, rated, on }: Past) => solved === undefined ? "" : say("how it went", { solved, late: !solved && late, missed: !solved && !late, move: !solved && move, changed: points !== undefined, sign: (points ?? 0) < 0 ? "−" : "+", points: Math.abs(points ?? 0), rated, day: on && dayName(on) });
  return (
    <details class="card noprint">
      <summary>{say("puzzles tried here", { n: all.length })}</summary>
      <ul class="past">
        {list.map((o) => (
          <li key={o.id}><a href={formatRoute({ page: "puzzles", query: { id: o.id } })}>{say("game and theme", { game: called(o.game!), theme: themes.find(([t]) => t === o.theme)?.[1] })}</a> <small>{went(o)}</small></li>
        ))}
      </ul>
      {all.length > shown && <button type="button" onClick={() => setShown(shown + shownAtOnce)}>{say("show more")}</button>}
    </details>
  );
}

// NoMistake says what to do where no mistake is left to set.
function NoMistake({ any, onAgain }: { any: boolean; onAgain: () => void }) {
  const played = keptGames().some((k) => k.moves.length > 1);
  return (
    <>
      <p>{any || played ? say("no mistake", { any }) : say("games you lose")}</p>
      <div class="row">
        <a class="button primary" href="play">{say("play a game")}</a>
        {any && <button type="button" onClick={onAgain}>{say("once more")}</button>}
        <a class="button" href="puzzles?id=daily">{say("the puzzle of the day")}</a>
      </div>
    </>
  );
}

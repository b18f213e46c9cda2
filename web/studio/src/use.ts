// Hooks that the pages share.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { untilOver, useAgain } from "./effect";
import { again as pause } from "./follow";
import { fromQuery, type Game } from "./game";
import { currentRoute } from "./link";
import { hereOf } from "./plain";
import { called, headingOf, nameOf, stocked } from "./catalogue";
import { aborted, away, bots, busy, game as describe, games, gone, offeredFor, type At, type Games, message, position, type Position, Problem, retried, savedBrains } from "./api";
import { getItem, setItem } from "./storage";
import { say } from "./text";
import { useTitle } from "./title";

// Loaded is an answer; where there is none, away says that nobody answered, and gone that what was asked for is not there.
export interface Loaded<T> { data: T | null; error: string; field: string; current: boolean; away: boolean; gone: boolean }

// slow is after how long, in milliseconds, it is said that nobody has answered yet.
export const slow = 3000;

// ifSlow tells that nobody has answered yet, unless what it returns is called before.
export function ifSlow(tell: (e: Problem) => void): () => void {
  const timer = setTimeout(() => tell(new Problem(say("the server has not answered"), 0)), slow);
  return () => clearTimeout(timer);
}

const rest = 5000; // for a server that is busy, in milliseconds

// ifAway asks again in a moment where an error is that nobody answered, or that the server
// is busy. It returns the timer.
export const ifAway = (e: unknown, ask: () => void): number => (away(e) ? window.setTimeout(ask, pause) : busy(e) ? window.setTimeout(ask, rest) : 0);

// useTask does something whenever what it depends on changes, and again until the server is
// there. The signal tells that nobody waits for it any more; the rest is told to fail. It
// returns what begins it anew.
export function useTask(task: (signal: AbortSignal) => Promise<unknown> | undefined, fail: (e: unknown) => void, on: unknown[]): () => void {
  const [turn, setTurn] = useState(0);
  const again = () => setTurn((n) => n + 1);
  useEffect(untilOver((signal) => task(signal)?.catch((e) => {
    if (aborted(e) || signal.aborted) return;
    fail(retried(e));
    const later = ifAway(e, again);
    signal.addEventListener("abort", () => clearTimeout(later));
  })), [...on, turn]);
  return again;
}

// useLatest asks whenever key changes, and again until the server is there. The
// last answer stays in view until the next one comes, so that nothing jumps. The
// signal tells that nobody waits for an answer any more. Keys of which same makes one have the same answer; where it is soon to be
// there, it is told when it is late.
export function useLatest<T>(key: string, ask: (signal: AbortSignal) => Promise<T>, same = (key: string) => key, soon = false): Loaded<T> & { again: () => void } {
  const [state, set] = useState<Loaded<T> & { key: string }>({ data: null, error: "", field: "", current: false, away: false, gone: false, key: "" });
  const failed = (e: unknown) => set((old) => ({ ...old, error: message(e), field: (e as Problem).field ?? "", current: false, away: away(e), gone: gone(e), key }));
  const again = useTask((signal) => {
    const there = soon ? ifSlow(failed) : () => {};
    signal.addEventListener("abort", there);
    return ask(signal).finally(there).then((data) => signal.aborted || set({ data, error: "", field: "", current: true, away: false, gone: false, key }));
  }, failed, [key]);
  const stale = same(state.key) !== same(key);
  return { ...state, error: stale ? "" : state.error, current: state.current && !stale, again };
}

// usePosition is a position of a game. Of plain games here has it worked out on this page.
// It stays the same while a game takes its own spec in place of another name.
export const usePosition = (at: At, here = false): Loaded<Position> & { again: () => void } =>
  useLatest(JSON.stringify(at), () => (here ? hereOf(at) : position(at)), ownSpec, true);

// onItsWay is the last of the moves that lead to a position which has not come, where that follows on the one in view; "" else.
export const onItsWay = ({ current, data }: Loaded<Position>, moves: string[]): string => (!current && data?.state.moves.includes(moves.at(-1) ?? "") ? moves.at(-1)! : "");

// ownSpec is the key of a position with the game's own spec.
const ownSpec = (key: string): string => {
  const at = key && JSON.parse(key) as At;
  return at ? JSON.stringify({ ...at, game: called(at.game) }) : "";
};

export function useGames(): Games | null {
  const { data, error } = useLatest("games", () => games(null).then(stocked));
  return data ?? (error ? noGames : null); // pages that wait for it show what they have
}

const noGames: Games = { games: [], players: [] };

// useHeadingOf is a game's name over its page, of one that is not offered the server's; "" until it is there.
export function useHeadingOf(spec: string): string {
  const known = useGames();
  const asked = known && spec && !nameOf(spec) ? spec : "";
  const { data, current, error } = useLatest(asked, async () => (asked ? describe(asked) : null));
  return known && spec && (!asked || (current && data) || error) ? headingOf(spec, data ?? undefined) : "";
}

// useTitles says what games are called: those that are offered by their names, others as the server calls them; … until
// that is there.
export function useTitles(specs: string[]): (spec: string) => string {
  const asked = useGames() ? [...new Set(specs)].filter((s) => s && !nameOf(s)).sort() : [];
  const { data } = useLatest(asked.join(" "), async () => new Map(await Promise.all(asked.map(async (s) => [s, (await describe(s).catch(() => null))?.title ?? s] as const))));
  return (spec) => nameOf(spec) ?? data?.get(spec) ?? "…";
}

// useTitleOf has a page whose address names a game titled after both, and after the learner there.
export function useTitleOf(page: string, spec = "", learner = ""): void {
  const title = useHeadingOf(spec);
  useTitle("subject", title && say("page of title", { page, title: learner ? say("title and learner", { title, learner }) : title }));
}

// useGame is the game of an address, by its own spec as soon as games' other names are known, when
// set puts it into the address too.
export function useGame(query: Record<string, string>, set: (g: Game) => void): [Game, Games | null] {
  const known = useGames();
  useEffect(() => {
    const now = currentRoute().query; // a move may have been made meanwhile
    if (now.game && called(now.game) !== now.game) set(fromQuery(now));
  }, [known, query.game]);
  return [useMemo(() => fromQuery(query), [JSON.stringify(query), known]), known];
}

// useBrains lists the brains that were saved for a game, as players.
export function useBrains(spec: string): { spec: string; name: string }[] {
  const ask = () => savedBrains(spec).then((r) => r.brains.map((b) => ({ spec: "brain:" + b.brain, name: say("brain learned by learner", { brain: b.brain, learner: b.learner }) })));
  return useLatest("brains " + spec, ask).data ?? [];
}

// refusals says of players that are offered by name why they don't play a game.
export const refusals = async (spec: string): Promise<Map<string, string>> =>
  new Map((await offeredFor(spec)).players.filter((p) => p.refused).map((p) => [p.spec, p.refused!.replace(/^player "[^"]*": /, "")]));

const noRefusals = new Map<string, string>();

// useRefusals are those of a game; known says that they are this game's, or that there is no learning them.
export function useRefusals(spec: string): { refused: Map<string, string>; known: boolean } {
  const { data, current, error } = useLatest("refusals " + spec, () => refusals(spec));
  return { refused: data ?? noRefusals, known: current || error !== "" };
}

// useBots lists the bots that are connected to the server, and looks again now
// and then.
export function useBots(): string[] {
  const [list, set] = useState<string[]>([]);
  useAgain((signal) => bots().then((r) => signal.aborted || set((old) => (old.join() === r.bots.join() ? old : r.bots)), () => {}), 3000, []);
  return list;
}

// useAbort returns a function that begins a task and aborts the one before;
// leaving the page aborts the last.
export function useAbort(): { start: () => AbortSignal; stop: () => void } {
  const ref = useRef<AbortController | null>(null);
  useEffect(() => () => ref.current?.abort(), []);
  return {
    start: () => {
      ref.current?.abort();
      ref.current = new AbortController();
      return ref.current.signal;
    },
    stop: () => ref.current?.abort(),
  };
}

// useWrong is what went wrong, in words. It is forgotten when a connection that
// was lost is there again: what failed meanwhile can be done now.
export function useWrong(lost: boolean): [string, (says: string) => void] {
  const [wrong, set] = useState("");
  useEffect(() => {
    if (!lost) set("");
  }, [lost]);
  return [wrong, set];
}

// useTried tries things, and has in words what went wrong in the last of them, and whether one is under way.
// An attempt answers what came of it, null where it failed.
export function useTried(): [error: string, attempt: <T>(task: () => Promise<T>) => Promise<T | null>, set: (says: string) => void, busy: boolean] {
  const [error, set] = useState("");
  const [busy, setBusy] = useState(false);
  const attempt = <T>(task: () => Promise<T>): Promise<T | null> => {
    setBusy(true);
    return task().then((done) => (set(""), done), (e) => (set(message(e)), null)).finally(() => setBusy(false));
  };
  return [error, attempt, set, busy];
}

// usePolled asks now and then, so many milliseconds after each answer, until what it asks for
// is not there, which none says in words.
export function usePolled<T>(ask: () => Promise<T>, every: number, none: string): { data: T | null; error: string; set: (data: T) => void; fail: (text: string) => void } {
  const [state, set] = useState<{ data: T | null; error: string }>({ data: null, error: "" });
  const fail = (error: string) => set((old) => ({ ...old, error }));
  useAgain(async (signal) => {
    try {
      const data = await ask();
      if (!signal.aborted) set({ data, error: "" });
    } catch (e) {
      if (!signal.aborted) fail(gone(e) ? none : message(e));
      return !gone(e);
    }
  }, every, []);
  return { ...state, set: (data) => set({ data, error: "" }), fail };
}

// useKeptFocus puts the focus on the board where it was lost, as a button that was pressed is gone; of says when that may be.
export function useKeptFocus(of: string): void {
  const last = useRef<EventTarget | null>(null);
  useEffect(untilOver((signal) => addEventListener("focusin", (e) => { last.current = e.target; }, { signal })), []);
  useEffect(() => {
    const gone = last.current instanceof Element && !last.current.isConnected;
    if (gone && document.activeElement === document.body) document.querySelector<HTMLElement>('.board [tabindex="0"]')?.focus({ preventScroll: true });
  }, [of]);
}

// useStored is a state that this browser keeps.
export function useStored(key: string, initial: string): [string, (v: string) => void] {
  const [value, set] = useState(() => getItem("oxo." + key) ?? initial);
  return [value, (v) => {
    set(v);
    setItem("oxo." + key, v);
  }];
}

const paper = globalThis.matchMedia?.("print");

// upright is a screen at whose foot stands what is pressed in a game, and wide one on which it stands beside the board.
const wide = globalThis.matchMedia?.("(min-width: 861px) and (min-height: 481px)");

function useMedia(media: MediaQueryList | undefined): boolean {
  const [is, set] = useState(media?.matches ?? false);
  useEffect(untilOver((signal) => media!.addEventListener("change", () => set(media!.matches), { signal })), []);
  return is;
}

// useWide reports whether the screen is a wide one.
export const useWide = (): boolean => useMedia(wide);

// usePrinted reports whether the page is shown as it is printed.
export function usePrinted(): boolean {
  const [printed, set] = useState(paper?.matches ?? false);
  useEffect(untilOver((signal) => {
    const changed = (e?: Event) => set(paper!.matches || e?.type === "beforeprint");
    changed();
    paper!.addEventListener("change", changed, { signal });
    addEventListener("beforeprint", changed, { signal }); // which browsers tell for certain before they print
    addEventListener("afterprint", changed, { signal });
  }), []);
  return printed;
}

// useMore tells on which sides a box goes on that may be wider than the screen, as classes, which look works out anew.
export function useMore(): { box: { current: HTMLDivElement | null }; more: string; look: () => void } {
  const box = useRef<HTMLDivElement>(null);
  const [more, set] = useState("");
  const look = () => {
    const e = box.current;
    if (!e) return;
    const room = e.scrollWidth - e.clientWidth;
    const left = e.scrollLeft + (getComputedStyle(e).direction === "rtl" ? room : 0);
    set(`${left > 2 ? "more-left" : ""} ${left < room - 2 ? "more-right" : ""}`.trim());
  };
  useLayoutEffect(() => {
    const watch = new ResizeObserver(look);
    for (const e of [box.current!, ...box.current!.children]) watch.observe(e);
    look();
    return () => watch.disconnect();
  }, []);
  return { box, more, look };
}

// Hand is what a person is about to place or to move: the mark, and the square of one that is lifted, −1 for none. A
// press on a square with these moves lifts its mark, puts it back, or plays one of them.
export interface Hand { mark: string; setMark: (mark: string) => void; lifted: number; press: (square: number, moves: string[], play: (move: string) => void) => void }

// useHand is one's hand at a position, which key names; another position has nothing lifted.
export function useHand(key: string): Hand {
  const [mark, setMark] = useState("x");
  const [state, set] = useState({ key, square: -1 });
  const lifted = state.key === key ? state.square : -1;
  return { mark, setMark, lifted, press: (square, moves, play) => {
    if (moves.length === 0) set({ key, square: square === lifted ? -1 : square });
    else play(moves.find((m) => m.startsWith(mark + "@")) ?? moves[0]!);
  } };
}

// The studio's frame: navigation, theme, and the page that the address names.
import { type ComponentType, render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Gallery } from "./gallery";
import { Half, Icon } from "./icons";
import { position } from "./api";
import { useCalls } from "./calls";
import { useAgain } from "./effect";
import { currentRoute, formatRoute, go, listen, useRoute } from "./link";
import { Announce, Failure } from "./parts";
import { Sign } from "./pieces";
import { Play } from "./play";
import { leave, unfinished } from "./shelf";
import { say } from "./text";
import { useTitle } from "./title";
import { useSender } from "./waiting";
import { useGames, useLatest, useStored } from "./use";
import "./style.css";
import "./teach.css";

type Show = ComponentType<{ query: Record<string, string> }>;

interface Page { path: string; name: string; show: () => Promise<Show>; under?: string; game?: boolean; cluster?: boolean }

// pages are all pages, each in a file of its own that comes once it is shown, but for the first; those under another are not in the navigation.
// Those of a game hand it on to each other; those of a cluster are there where
// the server has one.
const pages: Page[] = [
  { path: "play", name: say("play"), show: async () => Play, game: true },
  { path: "explore", name: say("explore"), show: () => import("./explore").then((m) => m.Explore), game: true },
  { path: "puzzles", name: say("puzzles"), show: () => import("./puzzlepage").then((m) => m.Puzzles) },
  { path: "learn", name: say("learn"), show: () => import("./learn").then((m) => m.Learn) },
  { path: "search", name: say("search"), show: () => import("./searchpage").then((m) => m.SearchPage) },
  { path: "arena", name: say("arena"), show: () => import("./arena").then((m) => m.Arena) },
  { path: "proofs", name: say("proofs"), show: () => import("./proofs").then((m) => m.Proofs) },
  { path: "cluster", name: say("cluster"), show: () => import("./clusterpage").then((m) => m.ClusterPage), cluster: true },
  { path: "online", name: say("play online"), show: () => import("./online").then((m) => m.Online), under: "online" },
  { path: "teach", name: say("teach it yourself"), show: () => import("./teach").then((m) => m.Teach), under: "learn" },
  { path: "claims", name: say("printed claims"), show: () => import("./claims").then((m) => m.Claims), under: "learn" },
  { path: "move", name: say("to another device"), show: () => import("./device").then((m) => m.Device), under: "play" },
  { path: "docs", name: say("the api"), show: () => import("./docs").then((m) => m.Docs), under: "arena" },
  { path: "weger", name: say("weger's laboratory"), show: () => import("./weger").then((m) => m.Weger), under: "learn" },
];

// elsewhere is an address that is no page: a game by a name that people type, or
// nothing.
const elsewhere: Page = { path: "", name: say("not found"), show: async () => Elsewhere };

const pageOf = (path: string): Page => pages.find((p) => p.path === path) ?? elsewhere;

// shown are the pages that have come.
const shown = new Map<Page, Show>();

const bring = async (page: Page): Promise<void> => { shown.set(page, await page.show()); };

// Part shows a page as soon as its file has come.
function Part({ page, query }: { page: Page; query: Record<string, string> }) {
  const [failed, setFailed] = useState(false);
  const [, come] = useState(0);
  useAgain(async (signal) => !shown.has(page) && bring(page).then(() => signal.aborted || come(1), () => signal.aborted || setFailed(true)), 3000, []);
  const Page = shown.get(page);
  if (Page) return <Page query={query} />;
  return (
    <div class="page narrow">
      <h1>{page.name}</h1>
      {failed ? <Failure text={say("the page did not come")} again={() => location.reload()} /> : <div class="waiting tall" />}
    </div>
  );
}

function Elsewhere() {
  const { page } = useRoute();
  const known = useGames();
  const found = useLatest(page, () => (page.includes("/") ? Promise.reject(page) : position({ game: page }))); // no game's name has a slash
  useEffect(() => {
    if (found.current) go({ page: "play", query: { game: page } }, true);
  }, [found.current]);
  return (
    <div class="page narrow">
      <h1>{found.error ? say("nothing is here") : say("one moment")}</h1>
      {found.error && (
        <>
          <p class="break">{say("no page and no", { page })}</p>
          <p><a href="play">{say("to the start")}</a></p>
          <Gallery current="" ready={known !== null} />
        </>
      )}
    </div>
  );
}

// themes follow one another: the system's, light, dark.
const themes = ["", "light", "dark"];
const themeNames: Record<string, string> = { "": say("as the system"), light: say("light"), dark: say("dark") };

function App() {
  const route = useRoute();
  const page = pageOf(route.page);
  const [theme, setTheme] = useStored("theme", "");
  const [still, setStill] = useStored("still", "");
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const before = useRef("");
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }, [theme]);
  useEffect(() => {
    if (still) document.documentElement.dataset.still = "";
    else delete document.documentElement.dataset.still;
  }, [still]);
  useTitle("page", page.name);
  // Another page, or another thing on it, begins at its top; one to which the
  // back button returns is where it was.
  const { id = "", job = "", game = "", item = "" } = route.query;
  useLayoutEffect(() => {
    const fresh = !history.state;
    if (fresh) history.replaceState({ seen: true }, "");
    if (!first.current && fresh) scrollTo(0, 0);
    if (!first.current && (fresh || page.path !== before.current)) main.current?.focus({ preventScroll: true });
    first.current = false;
    before.current = page.path;
  }, [page, id, job, game, item]);
  useEffect(() => {
    if (page.path === "play") leave(route.query);
  }, [route]);
  const left = page.game ? null : unfinished();
  const waits = useSender(page.path === "online" ? id : "");
  const calls = useCalls(page.path === "online" ? id : "");
  const called = calls.map((c) => `${c.title}: ${c.says}`).join("; ");
  useTitle("waits", calls[0] ? say("call", { says: calls[0].says, another: page.path === "play" || (page.path === "online" && id !== "") }) : "");
  const cluster = useGames()?.cluster ?? false;
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); main.current?.focus(); }}>{say("skip to the page")}</a>
      <header>
        <a class="brand" href={formatRoute({ page: "play", query: {} })} aria-label={say("oxo to the start")}><Sign mark="o" /><Sign mark="x" /><Sign mark="o" /></a>
        <nav aria-label={say("pages")}>
          {pages.filter((p) => !p.under && (!p.cluster || cluster || p === page)).map((p) => (
            <a key={p.path} href={formatRoute({ page: p.path, query: !p.game ? {} : page.game ? route.query : p.path === "play" && left ? left : game ? { game } : {} })}
              aria-current={p === page ? "page" : p.path === page.under ? "true" : undefined}>{p.name}</a>
          ))}
        </nav>
        <a class="toonline" href={formatRoute({ page: "online", query: calls.length === 1 ? { id: calls[0]!.id } : {} })} title={called} aria-label={say("play online called", { called })} aria-current={page.path === "online" ? "page" : undefined}>{say("online")}{called && <i class="calls" />}</a>
        <button type="button" class="icon" title={say("sound and motion", { still: still || say("on"), change: false })} aria-label={say("sound and motion", { still: still || say("on"), change: true })} onClick={() => setStill(still ? "" : "off")}><Icon name={still ? "silent" : "sound"} /></button>
        <button type="button" class="icon" title={say("colours", { theme: themeNames[theme] ?? theme, change: false })} aria-label={say("colours", { theme: themeNames[theme] ?? theme, change: true })}
          onClick={() => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]!)}><Half /></button>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <Part page={page} query={route.query} key={page.path} />
      </main>
      <Announce text={called} />
      {waits && <p class="waits" role="status"><a href={formatRoute({ page: "online", query: { id: waits.held.id } })}>{waits.held.title}: {waits.says}</a></p>}
      <footer><a href="claims">{say("printed claims")}</a> · <a href="licences.txt">{say("licences")}</a> · <a href="docs">{say("the api")}</a></footer>
    </>
  );
}

listen();
await bring(pageOf(currentRoute().page)).catch(() => {}); // Part says so
render(<App />, document.getElementById("app")!);

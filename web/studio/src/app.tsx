// The studio's frame: navigation, theme, and the page that the address names.
import { type ComponentType, render } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Arena } from "./arena";
import { Claims } from "./claims";
import { ClusterPage } from "./clusterpage";
import { Device } from "./device";
import { Docs } from "./docs";
import { Gallery } from "./gallery";
import { Half, Icon } from "./icons";
import { Explore } from "./explore";
import { Learn } from "./learn";
import { position } from "./api";
import { formatRoute, go, listen, useRoute } from "./link";
import { Online } from "./online";
import { Sign } from "./pieces";
import { Play } from "./play";
import { leave, unfinished } from "./shelf";
import { Proofs } from "./proofs";
import { Puzzles } from "./puzzlepage";
import { SearchPage } from "./searchpage";
import { Teach } from "./teach";
import { say } from "./text";
import { Weger } from "./weger";
import { useGames, useLatest, useStored } from "./use";
import "./style.css";

interface Page { path: string; name: string; show: ComponentType<{ query: Record<string, string> }>; under?: string; game?: boolean; cluster?: boolean }

// pages are all pages; those under another are not in the navigation.
// Those of a game hand it on to each other; those of a cluster are there where
// the server has one.
const pages: Page[] = [
  { path: "play", name: say("play"), show: Play, game: true },
  { path: "explore", name: say("explore"), show: Explore, game: true },
  { path: "puzzles", name: say("puzzles"), show: Puzzles },
  { path: "learn", name: say("learn"), show: Learn },
  { path: "search", name: say("search"), show: SearchPage },
  { path: "arena", name: say("arena"), show: Arena },
  { path: "proofs", name: say("proofs"), show: Proofs },
  { path: "cluster", name: say("cluster"), show: ClusterPage, cluster: true },
  { path: "online", name: say("play online"), show: Online, under: "play" },
  { path: "teach", name: say("teach it yourself"), show: Teach, under: "learn" },
  { path: "claims", name: say("printed claims"), show: Claims, under: "learn" },
  { path: "move", name: say("to another device"), show: Device, under: "play" },
  { path: "docs", name: say("the api"), show: Docs, under: "arena" },
  { path: "weger", name: say("weger's laboratory"), show: Weger, under: "learn" },
];

// elsewhere is an address that is no page: a game by a name that people type, or
// nothing.
const elsewhere: Page = { path: "", name: say("not found"), show: Elsewhere };

function Elsewhere() {
  const { page } = useRoute();
  const known = useGames();
  const found = useLatest(page, () => position({ game: page }));
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
  const page = pages.find((p) => p.path === route.page) ?? elsewhere;
  const [theme, setTheme] = useStored("theme", "");
  const [still, setStill] = useStored("still", "");
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const shown = useRef("");
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }, [theme]);
  useEffect(() => {
    if (still) document.documentElement.dataset.still = "";
    else delete document.documentElement.dataset.still;
  }, [still]);
  useEffect(() => {
    document.title = say("name oxo", { name: page.name });
  }, [page]);
  // Another page, or another thing on it, begins at its top; one to which the
  // back button returns is where it was.
  const { id = "", job = "" } = route.query;
  useLayoutEffect(() => {
    const fresh = !history.state;
    if (fresh) history.replaceState({ seen: true }, "");
    if (!first.current && fresh) scrollTo(0, 0);
    if (!first.current && (fresh || page.path !== shown.current)) main.current?.focus({ preventScroll: true });
    first.current = false;
    shown.current = page.path;
  }, [page, id, job]);
  const game = route.query.game ?? "";
  useEffect(() => {
    if (page.path === "play") leave(route.query);
  }, [route]);
  const left = page.game ? null : unfinished();
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
        <button type="button" class="icon" title={say("sound and motion", { still: still || say("on") })} aria-label={say("sound and motion still", { still: still || say("on") })} onClick={() => setStill(still ? "" : "off")}><Icon name={still ? "silent" : "sound"} /></button>
        <button type="button" class="icon" title={say("colours", { theme: themeNames[theme] ?? theme })} aria-label={say("colours theme", { theme: themeNames[theme] ?? theme })}
          onClick={() => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]!)}><Half /></button>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <page.show query={route.query} key={page.path} />
      </main>
      <footer><a href="claims">{say("printed claims")}</a> · <a href="licences.txt">{say("licences")}</a> · <a href="docs">{say("the api")}</a></footer>
    </>
  );
}

listen();
render(<App />, document.getElementById("app")!);

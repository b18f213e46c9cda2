// The studio's frame: navigation, theme, and the page that the address names.
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Half } from "./icons";
import { Explore } from "./explore";
import { formatRoute, useRoute } from "./link";
import { Play } from "./play";
import { SearchPage } from "./searchpage";
import { useStored } from "./use";
import "./style.css";

const pages = [
  { path: "play", name: "Play", show: Play },
  { path: "explore", name: "Explore", show: Explore },
  { path: "search", name: "Search", show: SearchPage },
];

// themes follow one another: the system's, light, dark.
const themes = ["", "light", "dark"];
const themeNames: Record<string, string> = { "": "as the system", light: "light", dark: "dark" };

function App() {
  const route = useRoute();
  const page = pages.find((p) => p.path === route.page) ?? pages[0]!;
  const [theme, setTheme] = useStored("theme", "");
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }, [theme]);
  useEffect(() => {
    document.title = `${page.name} · oxo`;
    if (!first.current) main.current?.focus();
    first.current = false;
  }, [page]);
  const game = route.query.game ?? "";
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); main.current?.focus(); }}>Skip to the page</a>
      <header>
        <a class="brand" href="#/play" aria-label="oxo, to the start">oxo</a>
        <nav aria-label="Pages">
          {pages.map((p) => (
            <a key={p.path} href={formatRoute({ page: p.path, query: p.path !== "search" && page.path !== "search" ? route.query : game && p.path !== "search" ? { game } : {} })}
              aria-current={p === page ? "page" : undefined}>{p.name}</a>
          ))}
        </nav>
        <button type="button" class="icon" title={`Colours: ${themeNames[theme] ?? theme}`} aria-label={`Colours: ${themeNames[theme] ?? theme}. Change`}
          onClick={() => setTheme(themes[(themes.indexOf(theme) + 1) % themes.length]!)}><Half /></button>
      </header>
      <main id="main" tabIndex={-1} ref={main}>
        <page.show query={route.query} key={page.path} />
      </main>
      <footer><a href="licences.txt">Licences</a> · <a href="api/v1/docs">The API</a></footer>
    </>
  );
}

render(<App />, document.getElementById("app")!);

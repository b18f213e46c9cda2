package studio_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"oxo/store"
	"oxo/web"
	"oxo/web/studio"
)

// shotsEnv names the folder that keeps the screenshots; without it they go to
// a temporary one.
const shotsEnv = "OXO_SCREENSHOTS"

// slowest is how long a page may take to show what a test waits for, on the
// slowest machine that runs the tests.
const slowest = 60 * time.Second

//go:embed testdata/axe.min.js
var axe string

// device is a screen to test on.
type device struct {
	name          string
	width, height int64
	touch         bool
	scheme        string
}

var (
	desktop = device{"desktop", 1280, 900, false, "light"}
	phone   = device{"phone", 360, 740, true, "light"}
)

func (d device) dark() device {
	d.scheme = "dark"
	return d
}

// allDevices are both sizes in both colour schemes.
func allDevices() []device { return []device{desktop, desktop.dark(), phone, phone.dark()} }

// bothSizes are a desktop and a phone, one of them dark: what a scheme changes are colours alone, and TestEdges shows
// every page at both sizes in both.
func bothSizes() []device { return []device{desktop, phone.dark()} }

func (d device) String() string { return d.name + "-" + d.scheme }

// findBrowser returns the path of a Chromium, best of one without windows, which takes two thirds of the time.
func findBrowser() (string, error) {
	for _, name := range []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser",
		"google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium found; install it, on Debian by: apt-get update && apt-get install -y chromium")
}

// browser is the one that all tests share; each page has a profile of its own.
var browser context.Context

func TestMain(m *testing.M) {
	code, err := runWithBrowser(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func runWithBrowser(m *testing.M) (int, error) {
	path, err := findBrowser()
	if err != nil {
		return 0, err
	}
	profile, err := os.MkdirTemp("", "oxo-browser-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(profile)
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", false), chromedp.WSURLReadTimeout(slowest))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	browser, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		return 0, fmt.Errorf("start %s: %w", path, err)
	}
	return m.Run(), nil
}

// newServer serves the studio and its API, with a store of its own.
func newServer(t *testing.T) *httptest.Server {
	t.Helper()
	return newHost(t).server
}

// host is a server whose program can be stopped and started again while its
// address stays.
type host struct {
	*testing.T
	server *httptest.Server
	kept   *store.Store
	more   func(*web.Config)          // what the test wants otherwise; nil for nothing
	now    atomic.Pointer[web.Server] // nil while it is stopped
}

func newHost(t *testing.T) *host {
	t.Helper()
	return newHostWith(t, nil)
}

func newHostWith(t *testing.T, more func(*web.Config)) *host {
	t.Helper()
	kept, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &host{T: t, kept: kept, more: more}
	h.start()
	h.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := h.now.Load()
		if s == nil {
			panic(http.ErrAbortHandler) // hangs up
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		h.stop() // ends the streams, for which the next would wait
		h.server.Close()
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func (h *host) start() {
	h.Helper()
	files, err := fs.Sub(studio.Files, "dist")
	if err != nil {
		h.Fatal(err)
	}
	o := web.Config{Studio: files, Local: true, Version: "test", Store: h.kept, NotFound: store.ErrNotFound,
		Taken: store.ErrTaken}
	if h.more != nil {
		h.more(&o)
	}
	s, err := web.New(o)
	if err != nil {
		h.Fatal(err)
	}
	h.now.Store(s)
}

func (h *host) stop() {
	if s := h.now.Swap(nil); s != nil {
		s.Close()
	}
}

// tab is a page in the browser. It notes what must not happen: errors on the
// console, and requests to other hosts.
type tab struct {
	*testing.T
	ctx    context.Context
	server *httptest.Server
	device device

	mu       sync.Mutex
	refused  bool // whether refused requests are expected
	problems []string
	asked    []string // all requests: method, address and what was sent
}

// newTab opens the page that the hash names, in a test that runs beside others.
func newTab(t *testing.T, server *httptest.Server, d device, hash string) *tab {
	t.Helper()
	t.Parallel()
	return anotherTab(t, server, d, hash)
}

// anotherTab opens the page for another person, whose browser knows nothing of
// those of the others.
func anotherTab(t *testing.T, server *httptest.Server, d device, hash string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*slowest)
	t.Cleanup(cancel)
	b := &tab{T: t, ctx: ctx, server: server, device: d}
	b.run() // makes the tab
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatal(err)
	}
	view := []chromedp.EmulateViewportOption{}
	if d.touch {
		view = append(view, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	b.run(
		command(network.Enable, network.EnableParams{}), command(cdplog.Enable, cdp.Empty{}),
		command(runtime.Enable, cdp.Empty{}),
		chromedp.EmulateViewport(d.width, d.height, view...),
		command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: d.scheme}}}),
		command(page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: shiftScript + twiceScript}),
	)
	b.open(hash)
	t.Cleanup(b.check)
	return b
}

// medium shows the page on the screen or as it is printed, and tells it, as browsers do when they print:
// an emulated medium tells it when a frame is drawn, which may be never.
func (b *tab) medium(name string) {
	b.Helper()
	b.run(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: name}))
	eval[bool](b, `dispatchEvent(new Event(`+quote(map[string]string{"print": "beforeprint", "screen": "afterprint"}[name])+`))`)
}

// command is the action that sends a command of the browser's protocol.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// shiftScript adds up how far things on the page jump by themselves: until the
// test acts, as after that they have reason to, however late an answer comes.
// That the screen gets its size counts as recent input too.
const shiftScript = `window.shifted = 0; window.shifts = [];
new PerformanceObserver(l => { for (const e of l.getEntries()) if (!window.acted && !e.hadRecentInput) {
  window.shifted += e.value;
  window.shifts.push(e.value.toFixed(3) + ": " + e.sources.map(s => (s.node?.className || s.node?.nodeName) + " from " + [s.previousRect.x, s.previousRect.y] + " to " + [s.currentRect.x, s.currentRect.y]).join(", "));
} }).observe({type: "layout-shift", buffered: true});`

// twiceScript complains where two live parts of a page that are there both tell screen readers one sentence
// within a second, whatever page a test is on.
const twiceScript = `(() => {
	const live = "[role=status],[role=alert],[aria-live]", heard = new Map(), last = new WeakMap();
	const hear = (e) => {
		const text = e.textContent.trim(), now = performance.now();
		if (text === last.get(e)) return;
		last.set(e, text);
		for (const s of text.split(/(?<=[.?!]) /)) {
			const before = heard.get(s);
			if (s.length > 1 && before?.e.isConnected && before.e !== e && now - before.at < 1000) console.error("said twice: " + s);
			heard.set(s, {e, at: now});
		}
	};
	new MutationObserver((list) => {
		const alerts = list.flatMap((m) => [...m.addedNodes].flatMap((n) => n.querySelectorAll ? [n.closest("[role=alert]"), ...n.querySelectorAll("[role=alert]")] : []));
		for (const e of new Set([...list.map((m) => (m.target.nodeType === 1 ? m.target : m.target.parentElement)?.closest(live)), ...alerts])) if (e) hear(e);
	}).observe(document, {subtree: true, childList: true, characterData: true});
})();`

// maxShift is the layout shift up to which a page counts as steady. Rows of estimates change
// their order while a search goes on; other pages keep to noShift, which rounds to 0.00.
const (
	maxShift = 0.02
	noShift  = 0.005
)

func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.asked = append(b.asked, requestLine(e.Request))
		if u := e.Request.URL; !strings.HasPrefix(u, b.server.URL+"/") && !strings.HasPrefix(u, "data:") &&
			u != "about:blank" {
			b.problems = append(b.problems, "request leaves the machine: "+u)
		}
	case *runtime.EventExceptionThrown:
		b.problems = append(b.problems,
			fmt.Sprintf("exception: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning ||
			e.Type == runtime.ConsoleAPICalledTypeAssert {
			for _, arg := range e.Args {
				b.problems = append(b.problems, fmt.Sprintf("console %s: %s %s", e.Type, arg.Value, arg.Description))
			}
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError && !(b.refused && e.Entry.Source == cdplog.EntrySourceNetwork) {
			b.problems = append(b.problems, "log: "+e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// requestLine writes a request in a line.
func requestLine(r *network.Request) string {
	line := r.Method + " " + r.URL
	for _, part := range r.PostDataEntries {
		line += " " + string(part.Bytes)
	}
	return line
}

// expectRefusals says that the test sends what the server must refuse; the
// browser logs each such answer.
func (b *tab) expectRefusals() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused = true
}

// check reports what went wrong unseen.
func (b *tab) check() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		b.Error(p)
	}
}

func (b *tab) run(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// address is that of the page, as open takes it.
func (b *tab) address() string {
	b.Helper()
	return eval[string](b, "location.pathname.slice(1) + location.search + location.hash")
}

// open loads a page of the studio by its address, without the server's. A browser that is to go to another
// part of a page loads nothing, so that it is sent away first; else it stays in the process it has.
func (b *tab) open(hash string) {
	b.Helper()
	to := b.server.URL + "/" + hash
	if page, _, _ := strings.Cut(to, "#"); eval[string](b, `location.href.split("#")[0]`) == page {
		b.run(chromedp.Navigate("about:blank"))
	}
	b.run(chromedp.Navigate(to))
	b.until("the page is there", `document.querySelector("h1")`)
}

// navigated is what the browser answers to a script whose page went away before it ended.
const navigated = "Inspected target navigated or closed"

// eval evaluates a script that gives a string, number or boolean; again, where the page went away under it.
func eval[T any](b *tab, script string) T {
	b.Helper()
	out, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	for err != nil && strings.Contains(err.Error(), navigated) && b.ctx.Err() == nil {
		out, err = chromedp.Run(b.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	}
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// quote writes a Go string as a JavaScript one.
func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always have JSON
	}
	return string(data)
}

// until waits for a script to give true.
func (b *tab) until(what, script string) {
	b.Helper()
	deadline := time.Now().Add(slowest)
	const shortest, longest = 5 * time.Millisecond, 50 * time.Millisecond
	for pause := shortest; !eval[bool](b, "Boolean("+script+")"); pause = min(2*pause, longest) {
		if time.Now().After(deadline) {
			b.shot("stuck")
			b.Fatalf("%s: still not so after %v; the page says:\n%s", what, slowest,
				eval[string](b, "document.body.innerText"))
		}
		time.Sleep(pause)
	}
}

// says waits for the part of the page that the selector names to hold a text.
func (b *tab) says(selector, text string) {
	b.Helper()
	b.until(fmt.Sprintf("%s says %q", selector, text),
		fmt.Sprintf(`[...document.querySelectorAll(%s)].some(e => e.textContent.includes(%s))`, quote(selector),
			quote(text)))
}

// button is the script for the enabled button or link of that name.
func button(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("button,a,summary")].find(e => !e.disabled && (e.getAttribute("aria-label") ?? e.textContent) === %s)`, quote(name))
}

// click presses the middle of what a script finds, by mouse or finger.
func (b *tab) click(what, script string) {
	b.Helper()
	b.until("there is "+what, script)
	at := eval[[]float64](b, fmt.Sprintf(
		`(() => { window.acted = true; const e = %s; e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, script))
	if b.device.touch {
		b.run(chromedp.TapXY(at[0], at[1]))
	} else {
		b.run(chromedp.MouseClickXY(at[0], at[1]))
	}
}

func (b *tab) press(name string) { b.Helper(); b.click("button "+name, button(name)) }

// square is the script for a square of the board by its name.
func square(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("button.cell")].find(e => e.getAttribute("aria-label").split(",")[0] === %s)`, quote(name))
}

// play presses a square.
func (b *tab) play(name string) {
	b.Helper()
	b.until(name+" can be played", square(name)+`?.getAttribute("aria-disabled") === "false"`)
	b.click("square "+name, square(name))
}

// holds waits for a square's name to say so, such as "b2, X".
func (b *tab) holds(name, what string) {
	b.Helper()
	b.until(name+" holds "+what, fmt.Sprintf(`%s?.getAttribute("aria-label").includes(%s)`, square(name), quote(what)))
}

// choose sets a select.
func (b *tab) choose(id, value string) {
	b.Helper()
	b.until(id+" offers "+value, fmt.Sprintf(
		`[...document.getElementById(%s)?.options ?? []].some(o => o.value === %s)`, quote(id), quote(value)))
	eval[bool](b, fmt.Sprintf(`(() => { window.acted = true; const e = document.getElementById(%s); e.value = %s; e.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`, quote(id), quote(value)))
}

// write types over what a field holds.
func (b *tab) write(selector, text string) {
	b.Helper()
	b.until("there is "+selector, fmt.Sprintf("document.querySelector(%s)", quote(selector)))
	// In one step, as a page that gets an answer meanwhile may put another value in the field.
	if !eval[bool](b, fmt.Sprintf(`(() => { window.acted = true; const e = document.querySelector(%s); e.focus(); e.select();
		return document.execCommand("insertText", false, %s); })()`, quote(selector), quote(text))) {
		b.Fatalf("nothing can be typed into %s", selector)
	}
}

// focus gives what a script finds the focus.
func (b *tab) focus(script string) {
	b.Helper()
	b.until("there is "+script, script)
	eval[bool](b, fmt.Sprintf("(%s).focus() ?? true", script))
}

// keys presses keys on whatever has the focus.
func (b *tab) keys(keys ...string) {
	b.Helper()
	eval[bool](b, "window.acted = true")
	for _, k := range keys {
		b.run(chromedp.KeyEvent(k))
	}
}

// passScript passes over the page as a reader does, for what is drawn once it is in sight, waits for pictures of games,
// goes back, and counts those that stay empty. Where the server is away there are none to wait for.
const passScript = `(async () => {
	if (document.querySelector(".failure")) return 0;
	const at = scrollY, frames = () => new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)));
	const empty = () => [...document.querySelectorAll(".picture:empty")].filter(e => e.checkVisibility());
	for (const until = performance.now() + 10000; empty().length && performance.now() < until;) {
		empty()[0].scrollIntoView({block: "start", behavior: "instant"});
		await frames();
	}
	if (scrollY !== at) scrollTo({top: at, behavior: "instant"});
	return empty().length;
})()`

// shot keeps a picture of the whole page.
func (b *tab) shot(name string) {
	b.Helper()
	if empty := eval[int](b, passScript); empty > 0 {
		b.Errorf("%s on %s: %d pictures of games stay empty", name, b.device, empty)
	}
	dir := os.Getenv(shotsEnv)
	if dir == "" {
		dir = b.TempDir()
	}
	yes := true
	data, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		r, err := cdp.Call(ctx, t, page.CaptureScreenshot,
			page.CaptureScreenshotParams{CaptureBeyondViewport: &yes, OptimizeForSpeed: &yes})
		return r.Data, err
	})
	if err != nil {
		b.Errorf("screenshot %s: %v", name, err)
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%s.png", name, b.device)), data, 0o644); err != nil {
		b.Fatal(err)
	}
}

// contrasted has the pictures whose contrasts were looked at, by name and scheme: they are the same on every
// screen, and half of what axe takes.
var contrasted sync.Map

// sound checks what holds of every page: accessibility, nothing wider than the
// screen, nothing that jumped. It keeps a picture.
func (b *tab) sound(name string) {
	b.Helper()
	b.until("what follows a game has risen", `!document.querySelector(".ending")?.getAnimations().length`)
	b.shot(name)
	if !eval[bool](b, "Boolean(window.axe)") {
		eval[bool](b, axe+";true")
	}
	_, again := contrasted.LoadOrStore(name+b.device.scheme, true)
	for _, v := range eval[[]string](b, fmt.Sprintf(`axe.run(document, {resultTypes: ["violations"], preload: false, elementRef: false,
		rules: {"color-contrast": {enabled: %t}}}).then(r => r.violations.map(v =>
		v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html + " " + n.failureSummary).join(" | ")))`, !again)) {
		b.Errorf("%s on %s: accessibility: %s", name, b.device, v)
	}
	if wide := eval[float64](b, "document.documentElement.scrollWidth - "+
		"document.documentElement.clientWidth"); wide > 0 {
		b.Errorf("%s on %s is %v pixels wider than the screen: %s", name, b.device, wide, eval[string](b, widest))
	}
	if lines := eval[int](b, `new Set([...document.querySelectorAll("header nav a")].map(e => e.offsetTop)).size`); lines > 1 {
		b.Errorf("%s on %s: the navigation takes %d lines", name, b.device, lines)
	}
	if shift := eval[float64](b, "window.shifted"); shift > maxShift {
		b.Errorf("%s on %s: the layout jumps by %.3f: %s", name, b.device, shift,
			eval[string](b, `window.shifts.join("; ")`))
	}
}

// widest names the elements that reach beyond the screen.
const widest = `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).slice(0, 5).map(e => e.tagName + "." + e.className).join(" ")`

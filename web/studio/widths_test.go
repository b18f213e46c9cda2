package studio_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Screens at the edges: the narrowest, a desktop's at 400 %, which is as narrow and low, and a phone on its side.
var (
	narrow = device{"narrow", 320, 640, true, "light"}
	zoomed = device{"zoomed", 320, 225, false, "light"}
	lying  = device{"lying", 844, 390, true, "dark"}
	tablet = device{"tablet", 820, 1180, true, "light"}
)

// everyPage has an address of each page.
var everyPage = []struct{ name, address, shows string }{
	{"start", "", ".gallery"},
	{"play", "play?first=human&second=human&moves=a1,b2", ".cell.last"},
	{"gomoku", "play?game=mnk:15,15,5&first=human&second=human&moves=h8", ".cell.last"},
	{"explore", "explore?game=ttt&moves=a1", ".bestline"},
	{"learn", "learn", "#learner"},
	{"search", "search", ".told"},
	{"boards", "search?game=ttt&from=xo./xo./..x%20o", ".node .mark"},
	{"arena", "arena", ".checks"},
	{"proofs", "proofs", ".proof .board"},
	{"puzzles", "puzzles", ".cell"},
	{"online", "online", "#whom"},
	{"teach", "teach", "h1"},
	{"weger", "weger", "h1"},
	{"claims", "claims", ".plainlist"},
	{"move", "move", "#code"},
	{"api", "docs", "#show-position"},
}

// TestEdges shows every page on a phone and on a desktop, light and dark, on a tablet, on the
// narrowest screen, on a desktop at 400 % and on a phone that lies on its side: all is in order for screen readers,
// nothing is wider than the screen, and nothing jumps.
func TestEdges(t *testing.T) {
	for _, d := range append(allDevices(), tablet, narrow, zoomed, lying) {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play")
			for _, p := range everyPage {
				b.open(p.address)
				// a picture comes when it is in sight, which on the lowest screen none is at first
				b.until(p.name+" is there", `(document.querySelector(".proof")?.scrollIntoView({block: "nearest"}),
					document.querySelector(`+quote(p.shows)+`))`)
				b.sound("edge-" + p.name)
				if shift := eval[float64](b, "window.shifted"); shift > noShift {
					t.Errorf("%s on %s: the layout jumps by %.3f: %s", p.name, d, shift,
						eval[string](b, `window.shifts.join("; ")`))
				}
			}
		})
	}
}

// TestOnlineComesStill goes from the game to the games online, on a phone that lies on its side: nothing jumps while
// the list of games is waited for.
func TestOnlineComesStill(t *testing.T) {
	b := newTab(t, newServer(t), lying, "play")
	b.says(".statusline", "Your turn")
	eval[bool](b, `(document.querySelector(".toonline").click(), window.shifted = 0, true)`)
	b.says("h2", "A new game")
	b.until("the list is there", `document.querySelector(".side-part")`)
	if shift := eval[float64](b, "window.shifted"); shift > noShift {
		t.Errorf("the layout jumps by %.3f: %s", shift, eval[string](b, `window.shifts.join("; ")`))
	}
}

// TestZoomed plays at 400 %: boards are as wide as the screen, whole from left to right.
func TestZoomed(t *testing.T) {
	b := newTab(t, newServer(t), zoomed, "play")
	for _, c := range []struct{ game, move, holds string }{
		{"ttt", "b2", ".cell"}, {"connect4", "d1", ".cell"}, {"ultimate", "e5", ".cell"},
		{"fano", "4", ".points"}, {"qubic", "b2b", ".stack"},
	} {
		b.open("play?first=human&second=human&game=" + c.game)
		b.play(c.move)
		b.holds(c.move, map[bool]string{true: "Red", false: "X"}[c.game == "connect4"])
		b.shot("zoomed-" + c.game)
		across := eval[float64](b, `(() => { const all = [...document.querySelectorAll("`+c.holds+`")].map(e => e.getBoundingClientRect());
			const left = Math.min(...all.map(r => r.left)), right = Math.max(...all.map(r => r.right));
			return left < 0 || right > innerWidth ? -1 : right - left; })()`)
		if across < 220 {
			t.Errorf("at 400 %% the board of %s is %.0f pixels wide, of 320 (-1: beyond the screen)", c.game, across)
		}
	}
}

// opened are states of pages that come with what is pressed or was carried out, and what must be so there.
var opened = []struct {
	name, so string
	open     func(*tab)
}{
	{"review", `document.querySelector(".mistakes button")`, func(b *tab) {
		b.open("explore?game=ttt&moves=a1,b2,c3,a3,c1,b1,c2")
		b.says(".mistakes", "4. a3 by O")
	}},
	{"set-up", `document.querySelector(".edit .cell")`, func(b *tab) {
		b.open("explore?game=ttt&moves=a1")
		b.press("Set up a position")
		b.says("#position-says", "can be reached")
	}},
	{"share", `document.querySelector("dialog").getBoundingClientRect().bottom <= innerHeight`, func(b *tab) {
		b.open("play?game=ttt&first=human&second=human&moves=a1,b2")
		b.press("Share")
		b.until("a code", `document.querySelector("dialog[open] .qr path")`)
	}},
	{"own-game", `document.querySelector(".own textarea")`, func(b *tab) {
		b.open("play?first=human&second=human")
		b.choose("game", "own")
		b.press("an example")
	}},
	{"proof", whole(".unbroken"), func(b *tab) {
		b.open("proofs?id=ttt-misere")
		b.press("Check it here")
		b.says(".checked", "It holds")
	}},
	{"tournament", pushed, func(b *tab) {
		b.open("arena?job=" + b.job(`{verb: "tournament", game: "ttt", seed: 1, args: {
			players: ["perfect", "rows", "random", "mcts:sims=20,explore=1.41421,temperature=0.5"], games: 2}}`))
		b.says(".statusline", "Finished")
		b.open(b.address()) // who follows the link later sees nothing jump
		b.says(".games", "Random")
	}},
	{"training", `document.querySelector(".weights")`, func(b *tab) {
		b.open("learn?job=" + b.job(`{verb: "train", game: "ttt", seed: 1, args: {
			learner: "lms", against: "perfect", games: 40}}`))
		b.says(".statusline", "finished")
		b.says(".weights", "own open lines")
	}},
	{"daily", `document.querySelector(".cell")`, func(b *tab) {
		b.open("puzzles?id=daily")
		b.says(".muted", "The puzzle of ")
	}},
	{"puzzle-sheet", `document.querySelectorAll("main svg").length === 4`, func(b *tab) {
		b.open("api/v1/puzzles/sheet?game=qubic")
	}},
}

// whole asks whether all that the selector names stands on one line each.
func whole(selector string) string {
	return fmt.Sprintf(`(all => all.length > 0 && all.every(e => e.getClientRects().length < 2))(
		[...document.querySelectorAll(%s)])`, quote(selector))
}

// pushed pushes a cross table to its end, and asks whether it says who is who, and whether ratings and games need none.
const pushed = `((cross, ratings) => {
	cross.scrollLeft = cross.scrollWidth;
	return cross.querySelector("tbody th").getBoundingClientRect().left >= cross.getBoundingClientRect().left &&
		ratings.scrollWidth <= ratings.clientWidth &&
		[...document.querySelectorAll(".games li > *")].every(e => e.scrollWidth <= e.clientWidth);
})(document.querySelector(".tablewide:has(.cross)"), document.querySelector(".tablewide:has(.ratings)"))`

// job has the server carry out a job, which JavaScript says, and returns its name.
func (b *tab) job(request string) string {
	b.Helper()
	return eval[string](b, fmt.Sprintf(`fetch("api/v1/jobs", {
		method: "POST", headers: {"Content-Type": "application/json"},
		body: JSON.stringify(%s)}).then(r => r.json()).then(j => j.id)`, request))
}

// TestOpened opens what pages have to open, on the screens at the edges.
func TestOpened(t *testing.T) {
	for _, d := range []device{zoomed, lying} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play")
			for _, o := range opened {
				o.open(b)
				b.until(o.name+" is in order", o.so)
				b.sound("opened-" + o.name)
			}
			b.open("docs?operation=show-position")
			b.until("names of parameters are whole", whole(".docs th code"))
			b.until("it is in sight", `document.activeElement.id === "show-position"`)
			b.shot("opened-operation")
		})
	}
}

// TestLying plays in space on a phone on its side: the whole board is in view at once, level upon level and
// side by side, and a finger aims at its squares.
func TestLying(t *testing.T) {
	b := newTab(t, newServer(t), lying, "play")
	high := func(selector string) {
		b.Helper()
		r := eval[float64](b, `document.querySelector(`+quote(selector)+`).getBoundingClientRect().height / innerHeight`)
		if r > 0.95 {
			t.Errorf("%s is %.2f as high as the screen", selector, r)
		}
	}
	for _, game := range []string{"cube:5,3", "qubic"} {
		b.open("play?first=human&second=human&moves=a1a&game=" + game)
		b.holds("a1a", "X")
		high(".main-part .scene")
	}
	b.sound("lying-space")
	b.play("b2b")
	b.press("Play b2b")
	b.holds("b2b", "O")
	b.press("Flat")
	b.until("levels lie side by side", `document.querySelector(".main-part .layers")`)
	high(".main-part .layers")
	b.sound("lying-flat")
}

// lateScript lets every answer of the server come later, one more than the other.
const lateScript = `(() => {
	const ask = window.fetch;
	let n = 0;
	window.fetch = (...a) => ask(...a).then((r) => new Promise((f) => setTimeout(() => f(r), 100 + 130 * (n++ % 3))));
})();`

// TestLate shows every page while the server is slow: nothing jumps when answers come.
func TestLate(t *testing.T) {
	named := everyPage[0]
	// by a name that gives way to its spec
	named.name, named.address = "named", "play?game=connect4&first=human&second=human"
	for _, d := range []device{desktop, phone, lying} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play")
			b.run(command(page.AddScriptToEvaluateOnNewDocument,
				page.AddScriptToEvaluateOnNewDocumentParams{Source: lateScript}))
			for _, p := range append(slices.Clone(everyPage), named) {
				b.open(p.address)
				b.until(p.name+" is there", `document.querySelector(`+quote(p.shows)+`)`)
				b.until("all is answered", `performance.now() - Math.max(...performance.getEntriesByType("resource").map(e => e.responseEnd)) > 600`)
				if shift := eval[float64](b, "window.shifted"); shift > noShift {
					t.Errorf("%s on %s: the layout jumps by %.3f: %s", p.name, d, shift,
						eval[string](b, `window.shifts.join("; ")`))
				}
			}
		})
	}
}

// TestAskedOnce loads every page while no clock ticks: nothing is asked for twice.
func TestAskedOnce(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play")
	b.run(command(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: "window.setInterval = () => 0"}))
	for _, p := range everyPage {
		b.run(chromedp.Navigate("about:blank"))
		b.mu.Lock()
		b.asked = nil
		b.mu.Unlock()
		b.open(p.address)
		b.until(p.name+" is there", `document.querySelector(`+quote(p.shows)+`)`)
		b.until("all is answered", `performance.now() - Math.max(...performance.getEntriesByType("resource").map(e => e.responseEnd)) > 300`)
		b.mu.Lock()
		count := map[string]int{}
		for _, line := range b.asked {
			// A browser asks itself for the icon again where the address has changed, and has it for a day.
			if count[line]++; count[line] == 2 && !strings.HasSuffix(line, " about:blank") &&
				!strings.HasSuffix(line, "/icon.svg") {
				t.Errorf("%s asks twice: %s", p.name, line)
			}
		}
		b.mu.Unlock()
	}
}

// TestPrint prints every page: without what is pressed, nothing cut off by the paper's edge.
func TestPrint(t *testing.T) {
	b := newTab(t, newServer(t), device{"paper", 720, 1000, false, "dark"}, "play")
	b.medium("print")
	for _, p := range everyPage {
		b.open(p.address)
		b.until(p.name+" is there", `document.querySelector(`+quote(p.shows)+`)`)
		b.shot("print-" + p.name)
		if wide := eval[float64](b, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("%s is %v pixels wider than the paper: %s", p.name, wide, eval[string](b, widest))
		}
		if cut := eval[int](b, `[...document.querySelectorAll("main pre")].filter(e => e.scrollWidth > e.clientWidth + 1).length`); cut > 0 {
			t.Errorf("%s cuts %d programs off", p.name, cut)
		}
		b.until("pictures below the screen are drawn too", `[...document.querySelectorAll(".proofs .picture")].every(e => e.childElementCount > 0)`)
		if eval[bool](b, `getComputedStyle(document.querySelector("header")).display !== "none" ||
			[...document.querySelectorAll("main button:not(.cell):not(.move):not(.branch):not(.starter)")].some(e => e.offsetWidth > 0)`) {
			t.Errorf("%s prints what can only be pressed", p.name)
		}
		if eval[bool](b, `[...document.querySelectorAll("main :is(select, input, .setup)")].some(e => e.offsetWidth > 0)`) {
			t.Errorf("%s prints what can only be chosen: %s", p.name, eval[string](b,
				`[...document.querySelectorAll("main :is(select, input, .setup)")].filter(e => e.offsetWidth > 0).map(e => e.id || e.outerHTML.slice(0, 80)).join(" ")`))
		}
	}
}

// TestPrintSpace prints a board of several levels: level by level, with the names of its squares to
// write down, and on the screen it stands in space again.
func TestPrintSpace(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=qubic&first=human&second=human&moves=b2b,c3c")
	b.until("it stands in space", `document.querySelector(".board .stack")`)
	b.medium("print")
	b.until("four levels are printed", `document.querySelectorAll(".layers .grid").length === 4`)
	b.until("squares have their names", `getComputedStyle(document.querySelector(".layers .cell"), "::before").content === '"a4a"'`)
	b.shot("print-space")
	b.says(".choices p", "Whoever first owns a straight line of 4")
	b.until("the rules are printed", `document.querySelector(".choices p").offsetWidth > 0`)
	if eval[bool](b, `[...document.querySelectorAll("main select")].some(e => e.offsetWidth > 0)`) {
		t.Error("choices are printed")
	}
	b.medium("screen")
	b.until("it stands in space again", `document.querySelector(".board .stack")`)
}

// pseudoScript chooses the language that is none, and keeps what the server answers, as it comes: each
// answer by itself, as several come at once. What is said by key it leaves out, but of printed claims, which
// are quoted.
const pseudoScript = `if (location.protocol !== "about:") localStorage.setItem("oxo.language", "pseudo");
	const parts = []; const saidByKey = /"(title|name|label|shelf|about|summary|description|rules|goal|standing|says)": ?"(\\.|[^"\\])*"/g;
	Object.defineProperty(window, "answers", { get: () => parts.map(p => p.includes('"citation"') ? p : p.replace(saidByKey, "")).join(" ") });
	const ask = window.fetch; window.fetch = async (...a) => {
		const r = await ask(...a), part = r.clone().body?.pipeThrough(new TextDecoderStream()).getReader(), i = parts.push("") - 1;
		(async () => { for (let p; part && !(p = await part.read()).done;) parts[i] += p.value.toLowerCase(); })().catch(() => {});
		return r;
	};`

// englishLeft has the words on a page that neither the pseudo-language nor the server wrote: no
// names of formats, algorithms and features.
const englishLeft = `(() => {
	const notation = /^(oxo|svg|png|csv|json|mtd|tdleaf|boards|centres|corners|sides|blocks|potentials)$/i;
	const all = [], shown = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (shown.nextNode()) all.push([shown.currentNode.parentElement, shown.currentNode.data]);
	for (const e of document.querySelectorAll("[title], [aria-label], [placeholder], [alt]"))
		for (const a of ["title", "aria-label", "placeholder", "alt"]) all.push([e, e.getAttribute(a) ?? ""]);
	return all.filter(([e]) => !e.closest("script, noscript, style, code, .code, textarea"))
		.flatMap(([, text]) => (text.match(/[a-z]{3,}/gi) ?? []).filter(w => !notation.test(w) && !answers.includes(w.toLowerCase())).map(w => w + " in " + text)).slice(0, 9).join("; ");
})()`

// servedInEnglish is what the server has sent with its messages and is still in its English: what is known of
// a position and its moves, what a puzzle asks for, of which type a parameter of the API is.
const servedInEnglish = `[...document.querySelectorAll(".standing, .bestline, .statusline, .docs td:nth-child(2)")]
	.map(e => e.textContent.replace(/"[^"]*"/g, "")).filter(text => /[a-z]{4}/i.test(text)).join("; ")`

// TestMirrored shows every page in a language that runs from right to left, which is made from the
// tables of English: no English is left but what comes without a key, nothing is wider than the
// screen, titles stand at the right, and boards are not mirrored.
func TestMirrored(t *testing.T) {
	for _, d := range []device{desktop, phone.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play")
			b.run(command(page.AddScriptToEvaluateOnNewDocument,
				page.AddScriptToEvaluateOnNewDocumentParams{Source: pseudoScript}))
			for _, p := range everyPage {
				b.open(p.address)
				b.until(p.name+" is there", `document.querySelector(`+quote(p.shows)+`)`)
				b.shot("mirrored-" + p.name)
				left := eval[string](b, englishLeft)
				for tries := 0; left != "" && tries < 50; tries++ { // the copy of an answer may come late
					time.Sleep(100 * time.Millisecond)
					left = eval[string](b, englishLeft)
				}
				if left != "" {
					t.Errorf("%s on %s keeps English: %s", p.name, d, left)
				}
				if english := eval[string](b, servedInEnglish); english != "" {
					t.Errorf("%s on %s keeps the server's English: %s", p.name, d, english)
				}
				wide := eval[float64](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
				if wide > 0 {
					t.Errorf("%s on %s is %v pixels wider than the screen: %s", p.name, d, wide,
						eval[string](b, mirroredWidest))
				}
				if eval[bool](b, anyRuns("main :is(h2, p, label)", "ltr")) {
					t.Errorf("%s on %s: words run from left to right", p.name, d)
				}
				if eval[bool](b, anyRuns(".board", "rtl")) {
					t.Errorf("%s on %s: a board is mirrored", p.name, d)
				}
			}
		})
	}
}

// TestMirroredTraining: how far a training has come, what is measured and the names of what it weighs are said
// in the page's language.
func TestMirroredTraining(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play")
	b.run(command(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: pseudoScript}))
	b.open("learn?job=" + b.job(`{verb: "train", game: "ttt", seed: 1, args: {
		learner: "lms", against: "perfect", games: 40}}`))
	b.until("all games are counted", `document.querySelector(".steady")?.textContent.match(/40/g)?.length === 2`)
	b.until("weights are there", `document.querySelector(".weights tbody th")`)
	for _, selector := range []string{".steady", "#measure", ".weights"} {
		said := eval[string](b, fmt.Sprintf(`document.querySelector(%s).textContent`, quote(selector)))
		said = regexp.MustCompile("random|heuristic|winratio").ReplaceAllString(said, "") // players' own names
		if english := regexp.MustCompile(`[a-z]{4}\w*`).FindString(said); english != "" {
			t.Errorf("%s says %q: %s", selector, english, said)
		}
	}
	if now := eval[string](b, `document.querySelector("#measure").value`); now != "exploitability as first" {
		t.Errorf("shown is %s", now)
	}
}

// mirroredWidest names the elements that reach beyond the left of the screen.
const mirroredWidest = `[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().left < -1).slice(0, 5).map(e => e.tagName + "." + e.className).join(" ")`

// anyRuns asks whether an element that the selector names runs in a direction.
func anyRuns(selector, direction string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].some(e => getComputedStyle(e).direction === %s)`,
		quote(selector), quote(direction))
}

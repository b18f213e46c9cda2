package studio_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"

	"oxo/lab"
)

// TestAddresses opens pages by their paths, by addresses of old and by names that people
// type; the back button leads back, and what is nowhere says so.
func TestAddresses(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=connect4&first=human&second=human&moves=d1")
	b.holds("d1", "Red")
	b.until("the address is a path", `location.pathname === "/play" && location.hash === "" && location.search.includes("moves=d1")`)
	b.click("Explore in the navigation", `document.querySelector('nav a[href^="explore"]')`)
	b.until("another page is shown", `location.pathname === "/explore" && document.querySelector("h1").textContent.startsWith("Explore")`)
	eval[bool](b, `(history.back(), true)`)
	b.until("the page of before", `location.pathname === "/play"`)
	b.holds("d1", "Red")
	b.open("explore?game=ttt&moves=a1")
	b.holds("a1", "X")
	eval[bool](b, `(location.hash = "#/arena", true)`)
	b.says("h1", "rena")
	for name, spec := range map[string]string{"gomoku": "mnk:15,15,5", "fano": "plane:projective,2",
		"3d": "qubic"} {
		b.open(name)
		b.until(name+" opens its game",
			fmt.Sprintf(`location.pathname === "/play" && location.search.includes(%s)`, quote(spec)))
		b.says(".statusline", map[bool]string{true: "Black to move", false: "X to move"}[name == "gomoku"])
	}
	b.expectRefusals()
	b.open("tic-tac-two")
	b.says("h1", "Nothing is here")
	b.sound("nowhere")
}

// TestShare takes a game out as a link, a code, pictures, a score sheet and a frame, and
// brings it in again.
func TestShare(t *testing.T) {
	for _, d := range []device{desktop, phone.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play?game=ttt&first=human&second=human&moves=a1,b2,c3")
			b.holds("c3", "X")
			b.press("Share")
			b.until("the box is open, with a code", `document.querySelector("dialog[open] .qr path")`)
			b.sound("share")
			for _, what := range []string{"picture.svg", "picture.png", "sheet"} {
				if status := eval[float64](b, fmt.Sprintf(
					`fetch(document.querySelector('dialog a[href*=%s]').href).then(r => r.status)`, quote(what))); status != 200 {
					t.Errorf("%s: %v", what, status)
				}
			}
			sheet := eval[string](b, `fetch(document.querySelector("dialog a[href*=sheet]").href).then(r => r.text())`)
			b.press("Close")
			b.until("the box is closed", `!document.querySelector("dialog")`)
			eval[bool](b, fmt.Sprintf(`(() => { const d = new DataTransfer(); d.setData("text/plain", %s);
				document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true})); return true; })()`, quote(sheet)))
			b.until("the sheet is opened", `location.pathname === "/explore" && location.search.includes("moves=a1,b2,c3")`)
			b.holds("c3", "X")
			b.open("play?game=connect4&first=human&second=human")
			b.says("summary", "Score sheets")
			// pasted again and again, as the page may not listen yet
			b.until("plain moves are of the open game", `(() => { const d = new DataTransfer(); d.setData("text/plain", "1. d1 d2 2. e1");
				if (location.pathname !== "/explore") document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true}));
				return location.pathname === "/explore" && location.search.includes("moves=d1,d2,e1"); })()`)
			b.holds("e1", "Red")
		})
	}
}

// TestShareValues takes a picture of a board with the values that are shown on it, in their colours.
func TestShareValues(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "explore?game=ttt&moves=a1,b2")
	b.until("the values are there", `document.querySelectorAll(".board .note").length === 7`)
	b.press("Share")
	b.says("dialog h3", "What each move is worth")
	eval[bool](b, `(() => { const make = URL.createObjectURL; URL.createObjectURL = (f) => { f.text().then(t => window.taken = t); return make.call(URL, f); }; return true; })()`)
	b.click("the first SVG", `[...document.querySelectorAll("dialog button")].find(e => e.textContent === "SVG")`)
	b.until("the drawing has the board", `window.taken?.startsWith("<svg")`)
	drawn := `new DOMParser().parseFromString(window.taken, "image/svg+xml")`
	b.until("each square has its value and its colour", drawn+`.querySelectorAll("text").length >= 7 &&
		[...document.querySelectorAll(".board .cell")].every(e => window.taken.includes(getComputedStyle(e).backgroundColor))`)
	b.until("and the marks are drawn", drawn+`.querySelectorAll("svg svg").length >= 2`)
	b.until("squares have their names, best moves their frames, and words stand below", drawn+`.querySelectorAll("rect[fill=none][stroke]").length === document.querySelectorAll(".cell.best").length &&
		["a1", "c3"].every(name => [...`+drawn+`.querySelectorAll("text")].some(e => e.textContent === name)) &&
		[...`+drawn+`.querySelectorAll("text")].map(e => e.textContent).join(" ").endsWith("A frame: a best move.")`)
}

// TestShareTree takes pictures of a search's tree for slides: on white in dark colours too, with words below, large.
func TestShareTree(t *testing.T) {
	b := newTab(t, newServer(t), desktop.dark(), "search")
	b.says(".told", "Prune node 2–2")
	b.press("Share")
	eval[bool](b, `(() => { const make = URL.createObjectURL; URL.createObjectURL = (f) => { f.type === "image/png" ? createImageBitmap(f).then(i => window.wide = i.width) :
		f.text().then(t => window.taken = new DOMParser().parseFromString(t, "image/svg+xml")); return make.call(URL, f); }; return true; })()`)
	b.press("SVG")
	b.until("it is on white, and so are its labels", `window.taken?.querySelector("rect").getAttribute("fill") === "#ffffff" &&
		[...window.taken.querySelectorAll("text[paint-order=stroke]")].every(e => e.getAttribute("stroke") === "rgb(255, 255, 255)")`)
	b.until("it says what it shows", `[...window.taken.querySelectorAll("text")].map(e => e.textContent).join(" ").includes("Prune node 2–2: the value of node 2 is at most 2 already")`)
	b.press("PNG")
	b.until("it is large", `window.wide >= 2400`)
	b.open("search?game=ttt&from=x.o/.x./..o%20x&depth=0&a=mcts&step=15")
	b.says(".told", "Simulation 4")
	b.press("Share")
	eval[bool](b, `(() => { const make = URL.createObjectURL; URL.createObjectURL = (f) => { f.text().then(t => window.taken = new DOMParser().parseFromString(t, "image/svg+xml")); return make.call(URL, f); }; return true; })()`)
	b.press("SVG")
	b.until("a tree that has begun to grow has no more room than it takes", `(svg => svg && svg.width.baseVal.value < 300 && svg.height.baseVal.value < 300)(window.taken?.querySelector("svg svg"))`)
}

// TestSheetResults: a game that was not decided on the board ends in Explore as its score sheet says.
func TestSheetResults(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?game=ttt&first=human&second=human")
	for _, c := range []struct{ result, termination, want string }{
		{"1-0", "time", "O ran out of time. X wins."},
		{"0-1", "resigned", "X resigned. O wins."},
		{"0-1", "illegal", "X broke the rules. O wins."},
		{"1/2-1/2", "agreed", "A draw: both sides agreed on it."},
		{"1-0", "adjudicated", "X wins, as an arbiter decided."},
	} {
		b.open("play?game=ttt&first=human&second=human")
		b.says("summary", "Score sheets")
		b.click("score sheets", `[...document.querySelectorAll("summary")].find(e => e.textContent === "Score sheets")`)
		b.write(".own textarea", "[Game \"ttt\"]\n[Result \""+c.result+"\"]\n[Termination \""+c.termination+"\"]\n\n"+
			"1. b2 a3 2. c3 "+c.result+"\n")
		b.press("Open it")
		b.says(".statusline", c.want)
		b.keys(kb.ArrowLeft)
		b.says(".statusline", "X to move")
	}
}

// TestSheetNames: of several games of a score sheet each is listed by its game's name and who won, and keeps the names
// of its players; one that can't be read is named.
func TestSheetNames(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=human")
	sheet := "[Game \"mnk:3,3,3\"]\n[Date \"1979.12.??\"]\n[First \"Anna\"]\n[Second \"Ben\"]\n[Result \"1-0\"]\n\n" +
		"1. a1 b1\n2. a2 b2\n3. a3 1-0\n\n"
	b.says("summary", "Score sheets")
	b.click("score sheets", `[...document.querySelectorAll("summary")].find(e => e.textContent === "Score sheets")`)
	b.write(".own textarea", sheet+"[Game \"ttt\"] 1. a1 a1 *\n"+sheet)
	b.press("Open it")
	b.says(".shelf a", "Tic-tac-toe, Anna – Ben")
	b.says(".shelf a", "5 moves, X won")
	b.says(".own .failure", "Game 2: move 2 by second")
	b.click("the first game", `[...document.querySelectorAll(".shelf a")].find(e => e.textContent.includes("Anna"))`)
	b.says(".main-part", "X: Anna; O: Ben")
	again := b.sheet()
	for _, line := range []string{`[Date "1979.12.??"]`, `[First "Anna"]`, `[Second "Ben"]`} {
		if !strings.Contains(again, line) {
			t.Errorf("taken out again it is without %s:\n%s", line, again)
		}
	}
	b.press("One move back")
	b.says(".statusline", "X to move")
	b.click("another move", square("c3"))
	b.until("its moves are the address's", `location.search.includes("c3")`)
	if other := b.sheet(); strings.Contains(other, "1979") || strings.Contains(other, "Anna") {
		t.Errorf("another game is called as that of the sheet:\n%s", other)
	}
}

// sheet is the score sheet that the page has to take out.
func (b *tab) sheet() string {
	b.Helper()
	b.press("Share")
	b.until("there is a score sheet", `document.querySelector("dialog a[href*=sheet]")`)
	text := eval[string](b, `fetch(document.querySelector("dialog a[href*=sheet]").href).then(r => r.text())`)
	b.press("Close")
	b.until("the box is closed", `!document.querySelector("dialog")`)
	return text
}

// TestSheetDay: a score sheet of a game that was played here has the day on which it was, whenever it is taken out; of
// one that a link has brought nobody knows it.
func TestSheetDay(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=human&moves=a1,b2")
	b.holds("b2", "O")
	if sheet := b.sheet(); strings.Contains(sheet, "[Date") {
		t.Errorf("a game from elsewhere has a day:\n%s", sheet)
	}
	b.play("c3")
	b.holds("c3", "X")
	eval[bool](b, `localStorage.setItem("oxo.games", JSON.stringify(JSON.parse(localStorage.getItem("oxo.games")).map(
		g => ({...g, when: new Date(2026, 0, 31, 12).getTime()})))) ?? true`)
	if sheet := b.sheet(); !strings.Contains(sheet, `[Date "2026.01.31"]`) {
		t.Errorf("it is without its day:\n%s", sheet)
	}
}

// TestFrame shows a board in a frame of another site, where nothing else of the server can be
// framed.
func TestFrame(t *testing.T) {
	server := newServer(t)
	b := newTab(t, server, phone, "embed?game=connect4&moves=d1,d2,e1&ply=2")
	b.sound("embed")
	b.press("On")
	b.says("p", "Move 3 of 3")
	const ground = `[...document.querySelectorAll("svg")].filter(e => e.checkVisibility())
		.map(e => e.querySelector("rect").getAttribute("fill")).join(" ")`
	const day, night = "rgb(246,246,244)", "rgb(21,23,27)"
	for theme, want := range map[string]string{"": day + " " + night, "&theme=light": day + " " + day,
		"&theme=dark": night + " " + night} {
		b.open("embed?game=connect4" + theme)
		got := eval[string](b, ground)
		b.run(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}))
		if got += " " + eval[string](b, ground); got != want {
			t.Errorf("by day and by night a frame with %q has grounds %s, want %s", theme, got, want)
		}
		b.shot("embed-by-night" + theme)
		b.run(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}}))
	}
	for path, framed := range map[string]bool{"/embed?game=ttt": true, "/play?game=ttt": false, "/docs": false} {
		r, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if got := strings.Contains(r.Header.Get("Content-Security-Policy"), "frame-ancestors *"); got != framed {
			t.Errorf("%s may be framed: %v", path, got)
		}
	}
}

// TestPuzzlePressedInFrame: in a frame of the size that is offered a move is made in the picture of every kind of
// board, by mouse and by keyboard; its squares are large enough for a finger, and nothing has to be scrolled.
func TestPuzzlePressedInFrame(t *testing.T) {
	b := newTab(t, newServer(t), device{"frame", 420, 560, false, "light"}, "embed")
	for _, game := range []string{"mnk:15,15,5", "cube:4,3", "cube:3,3", "mnk:6,5,4+gravity", "mnk:4,3,3+wild",
		"plane:affine,4", "ultimate", "torus:4,4,4"} {
		z := lab.CarriedPuzzles(game, "")[0]
		b.open("embed?puzzle=" + z.ID)
		b.says("p", "Press ")
		b.sound("embed-" + game)
		const seen = `[...document.querySelectorAll("svg a")].filter(e => e.checkVisibility())`
		if least := eval[float64](b, `Math.min(...`+seen+`.flatMap(e => [...e.querySelectorAll("polygon")])
			.flatMap(e => [e.getBoundingClientRect().width, e.getBoundingClientRect().height]))`); least < 24 {
			t.Errorf("%s: a square is only %.1f pixels wide", game, least)
		}
		if high := eval[int](b, "document.documentElement.scrollHeight"); high > 560 {
			t.Errorf("%s: the frame is %d pixels high", game, high)
		}
		if listed := eval[int](b, `document.querySelectorAll("nav a").length`); listed != 1 {
			t.Errorf("%s: %d links are listed", game, listed)
		}
		link := fmt.Sprintf(`%s.find(e => e.querySelector("title").textContent === %q)`, seen, z.Answer)
		if game == "cube:4,3" {
			plain := eval[string](b, `getComputedStyle(`+link+`.querySelector("polygon")).stroke`)
			b.keys(kb.Tab)
			b.focus(link)
			if eval[string](b, `getComputedStyle(document.activeElement.querySelector("polygon")).stroke`) == plain {
				t.Error("the link that has the focus is not seen to")
			}
			b.shot("embed-focus")
			b.keys(kb.Enter)
		} else {
			b.click(z.Answer, link+`.querySelector("polygon:last-child")`)
		}
		b.says("p", "Right: "+z.Answer)
	}
}

// TestDevice moves a game from one browser to another by a code.
func TestDevice(t *testing.T) {
	server := newServer(t)
	b := newTab(t, server, desktop, "play?game=ttt&first=human&second=human")
	b.play("b2")
	b.says(".shelf", "1 move so far")
	b.open("move")
	b.press("Make a code")
	b.until("there is a code", `document.querySelector(".bigcode")`)
	b.says(".shared", "There open http")
	b.sound("move")
	code := eval[string](b, `document.querySelector(".bigcode").textContent`)
	other := anotherTab(t, server, phone, "move#code="+strings.ReplaceAll(code, " ", ""))
	other.press("Take them over")
	other.says(".muted", "1 game and 0 seats in games online are here now too.")
	other.sound("move-taken")
	b.says("[role=status]", "The code was used")
	b.sound("move-used")
	other.open("play")
	other.says(".shelf", "1 move so far")
	other.expectRefusals()
	other.open("move#code=" + strings.ReplaceAll(code, " ", ""))
	other.press("Take them over")
	other.says(".failure", "a code works once")
}

// TestDeviceInGame: who makes a code stays in the game that goes on, which comes with the code, as does the name.
func TestDeviceInGame(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, desktop, "online?game=ttt")
	bob := anotherTab(t, server, phone, "online")
	invited(t, ann, bob)
	bob.open("move")
	eval[bool](ann, `(window.away = 0, setInterval(() => window.away += document.querySelector(".player").textContent.includes("away"), 50) > 0)`)
	bob.press("Make a code")
	bob.until("there is a code", `document.querySelector(".bigcode")`)
	ann.says(".player", "here")
	time.Sleep(3 * time.Second)
	if away := eval[int](ann, "away"); away > 20 {
		t.Errorf("who makes a code is away for %d of 60 looks", away)
	}
	code := eval[string](bob, `document.querySelector(".bigcode").textContent`)
	other := anotherTab(t, server, phone, "move#code="+strings.ReplaceAll(code, " ", ""))
	other.press("Take them over")
	other.says(".muted", "0 games and 1 seat in games online are here now too.")
	other.open("online")
	other.until("the name has come too", `document.getElementById("name")?.value === "Bob"`)
}

// TestDevicePuzzles: the puzzles that were tried and the best races join those of the other device, where the rating of
// more puzzles stays.
func TestDevicePuzzles(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	list := lab.CarriedPuzzles("mnk:4,4,4+misere", "save")
	solves := func(d device, from, n int) *tab {
		b := anotherTab(t, server, d, "puzzles")
		for i, z := range list[from : from+n] {
			b.open("puzzles?id=" + z.ID)
			b.until("the board is there", `document.querySelectorAll(".cell").length === 16`)
			b.play(z.Answer)
			b.says(".solver", fmt.Sprintf(" of %d", i+1))
		}
		return b
	}
	first, second, third := solves(desktop, 0, 2), solves(phone, 2, 1), solves(desktop, 1, 3)
	eval[bool](first, `localStorage.setItem("oxo.race", "7") ?? localStorage.setItem("oxo.race-streak", "2") ?? true`)
	eval[bool](second, `localStorage.setItem("oxo.race", "5") ?? localStorage.setItem("oxo.race-streak", "4") ?? true`)
	first.open("move")
	first.says(".card", "2 puzzles tried")
	for _, to := range []*tab{second, third} {
		first.open("move")
		first.press("Make a code")
		first.until("there is a code", `document.querySelector(".bigcode")`)
		to.open("move#code=" + strings.ReplaceAll(eval[string](first, `document.querySelector(".bigcode").textContent`), " ", ""))
		to.press("Take them over")
	}
	second.says(".muted", "are here now too, and 2 puzzles that were tried there.")
	second.open("puzzles")
	second.says(".solver", "2 of 2")
	second.says("details:has(.past) summary", "Puzzles tried here (3)")
	second.open("puzzles?from=race")
	second.says(".main-part", "7")
	second.until("the better race of each mode", `localStorage.getItem("oxo.race") + localStorage.getItem("oxo.race-streak") === "74"`)
	third.says(".muted", "and 1 puzzle that was tried there. The puzzle rating of this device stays")
	third.sound("move-rating-stays")
	third.open("puzzles")
	third.says(".solver", "3 of 3")
	third.says("details:has(.past) summary", "Puzzles tried here (4)")
}

// TestClaims walks from the list of printed claims to an experiment.
func TestClaims(t *testing.T) {
	for _, d := range []device{desktop, phone.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "claims")
			b.says("h2", "Meta Tic-Tac-Toe")
			b.sound("claims")
			b.unfold(eval[string](b, `document.querySelector('a[href="claims?item=quiz-boxes"]').closest("details").id`))
			b.click("a claim", `document.querySelector('a[href="claims?item=quiz-boxes"]')`)
			b.says(".sides", "304")
			b.until("an experiment begins at its top", "scrollY === 0")
			b.until("two sides", `document.querySelectorAll(".sides .card").length === 2`)
			b.sound("claim")
			b.open("claims?item=course-nodes")
			b.says(".sides", "109,601") // counts in full
			b.open("claims?item=notes-none")
			b.says(".failure", "no claim")
		})
	}
}

// TestAPIPage reads the page of the API on either screen.
func TestAPIPage(t *testing.T) {
	for _, d := range []device{desktop.dark(), phone} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "docs?operation=show-position")
			b.says("pre", "A bot in Python")
			b.says("#show-position", "body, required, string, 1 to 200 characters")
			b.says(".docs", "body, integer, 0 to 400")
			b.until("it is in sight", `document.activeElement.id === "show-position"`)
			b.until("nothing is deleted", `!document.querySelector('[id^="delete-"] form')`)
			send := `document.querySelector("#show-position details button")`
			b.click("Try it", `document.querySelector("#show-position details summary")`)
			b.click("Send", send)
			b.says("#show-position pre", `"title": "tic-tac-toe"`)
			b.sound("api")
			b.expectRefusals()
			b.write("#show-position textarea", `{"game":"nogame"}`)
			b.click("Send", send)
			b.says("#show-position pre", "422 application/problem+json")
		})
	}
}

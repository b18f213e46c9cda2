package studio_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestRefused shows what the server refuses, and what to do about it.
func TestRefused(t *testing.T) {
	server := newServer(t)
	b := newTab(t, server, phone, "")
	b.expectRefusals()
	b.open("#/play?game=ultimate&first=human&second=human&moves=a9,c1")
	b.says(".failure", "c1")
	b.press("Play tic-tac-toe")
	b.says(".statusline", "X to move")

	b.open("#/explore?game=chess")
	b.says(".failure", `no kind of game is called "chess"`)
	b.sound("refused")
	b.press("Explore tic-tac-toe")
	b.says(".standing", "a draw")

	// A typed game and a typed position are refused in their own place.
	b.choose("game", "typed")
	b.write(`[aria-label="Game, typed"]`, "mnk:3,3")
	b.press("Use it")
	b.says(".field .failure", "3 whole numbers")
	b.choose("game", "ttt")
	b.until("it is forgotten with another choice", `!document.querySelector(".field .failure")`)
	b.press("Set up a position")
	b.write("#position", "xxx/ooo/... x")
	b.says("#position-says .failure", "Position")
	b.until("it can't be used", `[...document.querySelectorAll("button")].find(e => e.textContent === "Use this position").disabled`)
	b.write("#position", "xx./oo./... x")
	b.says("#position-says", "can be reached")
	b.press("Use this position")
	b.says(".standing", "X wins in 1 move")
	b.holds("c3", "wins in 1")

	// A player that can't play this game makes room for one that can.
	b.open("#/play?game=race:4&first=human&second=heuristic")
	b.play("2")
	b.says(".failure", "heuristic")
	b.press("Let Monte Carlo, 1 s play instead")
	b.says(".muted", "2 of 2")

	// Where that is known it is said before anybody has moved, and after a move nobody is said to be choosing.
	b.open("#/play?game=ultimate&first=human&second=perfect")
	b.says(".failure", "Perfect play doesn’t play this game: it needs the solution")
	b.says(".statusline", "X to move")
	b.sound("refused-before")
	eval[bool](b, listen)
	b.play("e5")
	b.until("it can be tried again", button("Try again"))
	b.says(".statusline", "O to move in board 5, centre.")
	b.until("all is told", `window.told.some(t => t.startsWith("O to move"))`)
	b.saidOnce()
	b.press("Undo")
	b.press("Let Monte Carlo, 1 s play instead")
	b.until("nothing is wrong", `!document.querySelector(".failure")`)
	b.says(".opponent", "Opponent: Monte Carlo, 1 s")
}

// TestServerComesBack opens pages while the server is away: each says so, and
// works once it is there, by itself or at once when asked to try again.
func TestServerComesBack(t *testing.T) {
	h := newHost(t)
	b := newTab(t, h.server, desktop, "#/play?game=ttt&first=human&second=human")
	b.expectRefusals()
	b.says(".statusline", "X to move")
	for _, c := range []struct{ hash, there string }{
		{"#/search?game=tree:three-ply",
			`document.querySelector(".told")?.textContent.includes("Prune") && document.querySelector(".compare")`},
		{"#/learn?game=ttt", `document.querySelector("#learner")?.value === "menace" && [...document.querySelectorAll("button")].some(e => e.textContent === "Start" && !e.disabled)`},
		{"#/explore?game=ttt%2Bmisere",
			`document.querySelector(".standing")?.textContent.includes("It is a draw") && document.querySelector(".bestline")`},
		{"#/proofs", `document.querySelector(".proofs") && document.querySelector("#time")`},
		{"#/play?game=cube:3,3", `document.querySelectorAll("button.cell").length === 27`},
		{"#/search?game=tree:chance", `document.querySelector(".told") && document.querySelector(".compare")`},
		{"#/explore?game=ttt%2Bnotakto", `document.querySelector(".standing")?.textContent.includes("First wins in")`},
	} {
		h.stop()
		eval[bool](b, fmt.Sprintf(`(location.hash = %s, true)`, quote(c.hash)))
		// A page that has not been shown yet can't even come.
		b.until("it says that the server is away",
			`/The server does not answer|The page did not come/.test(document.querySelector(".failure")?.textContent)`)
		b.until("it can be tried again", button("Try again"))
		b.shot("away")
		h.start()
		if c.hash == "#/proofs" {
			b.press("Try again")
		}
		b.until(c.hash+" works", c.there)
		b.until("nothing says that the server is away", `!document.querySelector(".failure")`)
	}

	// Values that could not be asked for are asked for again.
	b.open("#/explore?game=ttt%2Bwild")
	b.says(".standing", "First wins in")
	h.stop()
	b.click("b2", square("b2"))
	b.says(".failure", "The server does not answer.")
	h.start()
	b.says(".bestline", "One line of best play")
	b.until("nothing says that the server is away", `!document.querySelector(".failure")`)
}

// TestServerGone tells people that the server has gone.
func TestServerGone(t *testing.T) {
	server := newServer(t)
	b := newTab(t, server, desktop, "#/play?game=ttt&first=human&second=perfect")
	b.expectRefusals()
	b.says(".statusline", "X to move")
	server.Close()
	b.play("b2")
	b.says(".failure", "The server does not answer.")
}

// TestMoveWaits makes moves while the server is away: they wait where everybody sees it, can be
// taken back, and are sent when it is there again.
func TestMoveWaits(t *testing.T) {
	h := newHost(t)
	b := newTab(t, h.server, desktop, "play?game=race:6&first=human&second=human")
	b.expectRefusals()
	b.says(".statusline", "X to move")
	h.stop()
	b.play("2")
	b.says(".statusline", "2 waits until the server answers.")
	b.holds("2", "waits to be sent")
	b.press("Take 2 back")
	b.until("it is taken back", `!location.search.includes("moves")`)
	b.play("2")
	b.holds("2", "waits to be sent")
	h.start()
	b.holds("2", "X")
	b.says(".statusline", "O to move")
}

// TestTwoNeedNoServer plays games of two people on one screen to their ends while the server is away, and takes moves
// back: from the start on nothing is asked for.
func TestTwoNeedNoServer(t *testing.T) {
	for _, spec := range []string{"ttt", "mnk:15,15,5", "connect4", "cube:3,3+gravity", "mnk:4,4,3+misere",
		"mnk:3,3,3+notakto", "mnk:3,3,3+wild", "mnk:6,6,5+order", "mnk:6,6,5+chaos", "mnk:3,3,3+maker",
		"plane:projective,2", "torus:4,4,4", "animal:snaky,8,8", "ultimate", "ultimate+open", "meta"} {
		t.Run(spec, func(t *testing.T) {
			h := newHost(t)
			b := newTab(t, h.server, phone, "play?first=human&second=human&game="+url.QueryEscape(spec))
			b.expectRefusals()
			b.says(".statusline", "to move")
			b.shot("two-" + spec)
			b.until("all is answered", `performance.now() - Math.max(...performance.getEntriesByType("resource").map(e => e.responseEnd)) > 500`)
			h.stop()
			before := b.apiRequests()
			const legal = `[...document.querySelectorAll("button.cell[aria-disabled=false]")]`
			made := func(n int) string {
				return fmt.Sprintf(`new URLSearchParams(location.search).get("moves")?.split(",").length === %d`, n)
			}
			for ply := range 2 {
				b.until("a move is there to be made", legal+".length > 0")
				eval[bool](b, fmt.Sprintf(`(%s[%d].click(), true)`, legal, ply))
				b.until("it is made", made(ply+1))
			}
			b.press("Undo")
			b.until("it is taken back", made(1))
			for !eval[bool](b, fmt.Sprintf(`(async () => {
				const over = () => document.querySelector(".statusline.ended") !== null;
				for (let n = 0; n < 50 && !over(); n++) {
					const list = %s;
					list[Math.floor(Math.random() * list.length)]?.click();
					await new Promise((drawn) => setTimeout(drawn));
				}
				return over();
			})()`, legal)) {
			}
			b.until("the page says how", `/ wins|draw/.test(document.querySelector(".statusline").textContent)`)
			b.says(".dock .after", "Play again")
			b.until("no failure is told", `!document.querySelector(".failure")`)
			if asked := b.apiRequests(); len(asked) > len(before) {
				t.Errorf("while it was played, the page asked %q", asked[len(before):])
			}
		})
	}
}

// apiRequests are what the page has asked the server for, its files and the positions in pictures of games apart.
func (b *tab) apiRequests() []string {
	played := eval[string](b, `new URLSearchParams(location.search).get("moves") ?? ""`)
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(b.asked), func(line string) bool {
		var body struct{ Moves []string }
		_, text, _ := strings.Cut(line, " {")
		pictured := json.Unmarshal([]byte("{"+text), &body) == nil &&
			!strings.HasPrefix(played, strings.Join(body.Moves, ","))
		return !strings.Contains(line, "/api/") || pictured
	})
}

// TestOnlineMoveWaits does so in a game with somebody else.
func TestOnlineMoveWaits(t *testing.T) {
	h := newHost(t)
	ann := newTab(t, h.server, desktop, "online?game=ttt")
	ann.expectRefusals()
	ann.choose("seat", "first")
	ann.press("Open the game")
	ann.until("there is an invitation", `document.getElementById("invitation")`)
	bob := anotherTab(t, h.server, phone, pageOf(eval[string](ann, `document.getElementById("invitation").value`)))
	bob.expectRefusals()
	bob.press("Accept and play")
	ann.says(".statusline", "Your turn")
	h.stop()
	ann.play("b2")
	ann.says(".statusline", "b2 waits until the server answers.")
	ann.holds("b2", "waits to be sent")
	ann.shot("online-waits")
	h.start()
	ann.holds("b2", "X")
	bob.holds("b2", "X")
}

package studio_test

import (
	"fmt"
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
	b.says("#position-says .failure", "position")
	b.until("it can't be used", `[...document.querySelectorAll("button")].find(e => e.textContent === "Use this position").disabled`)
	b.write("#position", "xx./oo./... x")
	b.says("#position-says", "can be reached")
	b.press("Use this position")
	b.says(".standing", "X wins in 1 ply")
	b.holds("c3", "wins in 1")

	// A player that can't play this game makes room for one that can.
	b.open("#/play?game=race:4&first=human&second=heuristic")
	b.play("2")
	b.says(".failure", "heuristic")
	b.press("Let Monte Carlo, 1 s play instead")
	b.says(".muted", "2 of 2")
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
			`document.querySelector(".told")?.textContent.includes("Cut") && document.querySelector(".compare")`},
		{"#/learn?game=ttt", `document.querySelector("#learner")?.value === "menace" && [...document.querySelectorAll("button")].some(e => e.textContent === "Start" && !e.disabled)`},
		{"#/explore?game=ttt%2Bmisere",
			`document.querySelector(".standing")?.textContent.includes("It is a draw") && document.querySelector(".bestline")`},
		{"#/proofs", `document.querySelector(".proofs") && document.querySelector("#time")`},
		{"#/play?game=cube:3,3", `document.querySelectorAll("button.cell").length === 27`},
		{"#/search?game=tree:chance", `document.querySelector(".told") && document.querySelector(".compare")`},
		{"#/explore?game=ttt%2Bnotakto", `document.querySelector(".standing")?.textContent.includes("X wins in")`},
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
	b.says(".standing", "X wins in")
	h.stop()
	b.click("b2", square("b2"))
	b.says(".failure", "The server does not answer.")
	h.start()
	b.says(".bestline", "Best play")
	b.until("nothing says that the server is away", `!document.querySelector(".failure")`)
}

// TestServerGone tells people that the server has gone.
func TestServerGone(t *testing.T) {
	server := newServer(t)
	b := newTab(t, server, desktop, "#/play?game=ttt&first=human&second=human")
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
	b := newTab(t, h.server, desktop, "play?game=ttt%2Bmisere&first=human&second=human")
	b.expectRefusals()
	b.says(".statusline", "X to move")
	h.stop()
	b.play("b2")
	b.says(".statusline", "b2 waits until the server answers.")
	b.holds("b2", "waits to be sent")
	b.press("Take b2 back")
	b.until("it is taken back", `!location.search.includes("b2")`)
	b.play("a1")
	b.holds("a1", "waits to be sent")
	h.start()
	b.holds("a1", "X")
	b.says(".statusline", "O to move")
}

// TestTwoNeedNoServer plays a game of two people on one screen to its end while the server is
// away.
func TestTwoNeedNoServer(t *testing.T) {
	h := newHost(t)
	b := newTab(t, h.server, phone, "play?game=mnk:3,3,3&first=human&second=human")
	b.expectRefusals()
	b.play("b2")
	b.holds("b2", "X")
	h.stop()
	for _, move := range []string{"a1", "a3", "c1", "b1", "b3"} {
		b.play(move)
	}
	b.says(".statusline", "X to move")
	b.play("c3")
	b.play("c2")
	b.play("a2")
	b.says(".statusline", "A draw.")
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

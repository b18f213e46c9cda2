package studio_test

import "testing"

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
	b.says(".standing", "X wins in 1 move")
	b.holds("c3", "wins in 1")

	// A player that can't play this game makes room for one that can.
	b.open("#/play?game=race:4&first=human&second=heuristic")
	b.play("2")
	b.says(".failure", "heuristic")
	b.press("Let Monte Carlo, 1 s play instead")
	b.says(".muted", "2 of 2")
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

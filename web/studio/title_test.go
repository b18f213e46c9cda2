package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"oxo/lab"
)

// TestTitlesOfNothing opens addresses of what is not there: the title says so, as the page does, until the next
// page.
func TestTitlesOfNothing(t *testing.T) {
	b := newTab(t, newServer(t), handheld, "play")
	b.expectRefusals()
	for _, c := range []struct{ address, title string }{
		{"play?game=nosuch:1", "No such game: nosuch:1"},
		{"#/play?game=nosuch:1", "No such game: nosuch:1"},
		{"explore?game=mnk:99,99,99", "No such game: mnk:99,99,99"},
		{"search?game=nosuch", "No such game: nosuch"},
		{"learn?game=nosuch", "No such game: nosuch"},
		{"teach?game=nosuch", "No such game: nosuch"},
		{"puzzles?game=nosuch", "No such game: nosuch"},
		{"claims?item=nosuch", "Printed claims: not found"},
		{"learn?job=nosuch", "Training: not found"},
		{"teach?pupil=nosuch", "Teach it yourself: not found"},
		{"arena?job=nosuch", "Tournament: not found"},
		{"proofs?id=nosuch", "Proofs: not found"},
		{"proofs?job=nosuch", "Proofs: not found"},
		{"puzzles?id=nosuch", "Puzzle: not found"},
		{"online?id=nosuch", "Game online: not found"},
		{"nosuchpage", "Not found"},
		{"play?game=ttt&moves=z9", "Tic-tac-toe"}, // there is such a game
	} {
		b.open(c.address)
		b.until("the page says so", `document.querySelector(".failure, .page > p")`)
		b.until(fmt.Sprintf("%s is called %s and not %s", c.address, c.title, eval[string](b, "document.title")),
			"document.title === "+quote(c.title+" · oxo"))
	}
	b.open("play?game=nosuch:1")
	b.says(".failure", "nosuch")
	b.press("Play tic-tac-toe")
	b.until("the title is the page's again", `document.title === "Tic-tac-toe · oxo"`)
}

// TestTitles opens addresses of things: the title names what is shown, as other sites do beside a link there, and the
// page again on the next.
func TestTitles(t *testing.T) {
	var l lab.Lab
	z := lab.CarriedPuzzles("cube:4,3", "")[0]
	g, err := l.Game(z.Game)
	if err != nil {
		t.Fatal(err)
	}
	text, err := lab.DescribePuzzle(g, &z)
	if err != nil {
		t.Fatal(err)
	}
	b := newTab(t, newServer(t), desktop, "play")
	for _, c := range []struct{ address, title string }{
		{"play", "Tic-tac-toe"},
		{"play?game=connect4", "Connect Four"},
		{"play?game=connect4&moves=d1,d2", "Connect Four: Red to move"},
		{"play?game=ttt&first=human&second=human&moves=a1,b1,a2,b2,a3",
			"Tic-tac-toe: X wins, with a3, a2, a1 complete"},
		{"play?game=ttt&first=human&second=human&moves=a1,b1&resigned=first", "Tic-tac-toe: X resigned. O wins"},
		{"explore?game=qubic", "Explore: Qubic 4×4×4"},
		{"explore?game=ttt&moves=a1,b2", "Explore: Tic-tac-toe: X to move"},
		{"explore?game=ttt&moves=a1,b1&resigned=first", "Explore: Tic-tac-toe: X resigned. O wins"},
		{"explore?game=mnk:4,3,3", "Explore: 4×3, 3 in a row"},
		{"learn", "Learn"},
		{"learn?game=ttt", "Learn: Tic-tac-toe"},
		{"search", "Search"},
		{"search?game=mnk:4,3,3", "Search: 4×3, 3 in a row"},
		{"arena?game=ttt", "Arena"},
		{"teach?game=ttt", "Teach it yourself"},
		{"puzzles?from=race", "Puzzles"},
		{"puzzles?id=" + z.ID, strings.TrimSuffix(text.Goal, ".")},
		{"docs", "The API"},
		{"docs?operation=print-puzzles", "A sheet of puzzles to print"},
		{"proofs", "Proofs"},
		{"proofs?id=ttt", "Tic-tac-toe: Nobody loses: a draw with best play"},
		{"arena?job=" + b.job(`{verb: "tournament", game: "mnk:4,3,3", args: {players: ["random", "heuristic"], games: 2}}`),
			"Tournament: 4×3, 3 in a row"},
		{"learn?job=" + b.job(`{verb: "train", game: "mnk:4,3,3", args: {learner: "menace", games: 20}}`),
			"Learn: 4×3, 3 in a row, menace"},
	} {
		b.open(c.address)
		b.until(c.address+" is called "+c.title, "document.title === "+quote(c.title+" · oxo"))
		shared := eval[string](b, `document.querySelector("meta[property='og:title']").content`)
		// The page of a game goes on with how it stands, which changes; the preview's description says that.
		stands := strings.Contains(c.address, "moves=") &&
			strings.HasPrefix(c.title, strings.TrimSuffix(shared, " · oxo"))
		if c.address != "play" && !stands && shared != c.title+" · oxo" {
			t.Errorf("other sites call %s %q, the page itself %q", c.address, shared, c.title+" · oxo")
		}
	}
	b.click("Learn in the navigation", `document.querySelector('nav a[href^="learn"]')`)
	b.until("the title is the next page's", `document.title === "Learn · oxo"`)
}

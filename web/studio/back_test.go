package studio_test

import (
	"fmt"
	"strings"
	"testing"
)

// back presses the browser's back button, once the script has been answered, so that it is pressed once.
func (b *tab) back() {
	b.Helper()
	eval[bool](b, `(window.acted = true, setTimeout(() => history.back()), true)`)
}

// idShown waits for the address to name another puzzle than those, with its board there, and returns its id.
func (b *tab) idShown(others ...string) string {
	b.Helper()
	const id = `new URLSearchParams(location.search).get("id")`
	b.until("another puzzle is set", fmt.Sprintf(`%s && !%s.includes(%s) && document.querySelector(".cell")`, id,
		quote(strings.Join(others, " ")), id))
	return eval[string](b, id)
}

// TestBackInPuzzles: each puzzle and each source of them is one step back, moves are none, and a puzzle that is
// gone back to does not count again.
func TestBackInPuzzles(t *testing.T) {
	z, _ := aPuzzle(t, "mnk:4,4,4", "fork")
	b := newTab(t, newServer(t), desktop, "play")
	b.open("puzzles?id=" + z.ID)
	b.until("the board is there", `document.querySelectorAll(".cell").length === 16`)
	b.playOn(&z)
	b.says(".solver", "1 of 1")
	b.press("Next puzzle")
	second := b.idShown(z.ID)
	b.press("Next puzzle")
	b.idShown(z.ID, second)
	b.back()
	b.until("the puzzle before", `location.search.includes(`+quote(second)+`)`)
	b.back()
	b.until("the first one", `location.search.includes(`+quote(z.ID)+`)`)
	b.says(".tip.solved", "You have tried this one before")
	b.playOn(&z)
	b.says(".gained", "Not counted")
	b.says(".solver", "1 of 1")
	b.back()
	b.until("moves are no steps back", `location.pathname === "/play"`)

	b.open("puzzles")
	first := b.idShown()
	b.press("Today’s")
	b.until("today’s", `location.search.includes("id=daily")`)
	b.press("Race")
	b.until("the race", `location.search.includes("from=race")`)
	b.press("Three minutes")
	b.until("a race is on", `document.querySelector(".racing")`)
	b.back()
	b.until("today’s again", `location.search.includes("id=daily") && !document.querySelector(".racing")`)
	b.back()
	b.until("the first one again", `location.search.includes(`+quote(first)+`)`)
}

// TestBackInSearch: another tree is one step back, steps of a search are none.
func TestBackInSearch(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play")
	b.open("search")
	of := func(game string) string {
		return fmt.Sprintf(`new URLSearchParams(location.search).get("game") === %q`, game)
	}
	pressed := func(name string) { b.until(name+" is shown", button(name)+`?.ariaPressed === "true"`) }
	pressed("The textbook’s tree")
	b.press("A tree with chance")
	b.until("its address", of("tree:chance"))
	b.says("main", "Star1, in all")
	b.press("One step on")
	b.until("the step is in the address", `/step=/.test(location.search)`)
	b.press("The race of 4 squares")
	b.until("its address", of("race:4"))
	b.back()
	b.until("the tree before, at its step", of("tree:chance")+` && /step=/.test(location.search)`)
	pressed("A tree with chance")
	b.back()
	b.until("the first tree", `location.pathname === "/search" && !location.search`)
	pressed("The textbook’s tree")
	b.back()
	b.until("the page before", `location.pathname === "/play"`)
}

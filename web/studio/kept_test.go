package studio_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestFocusKept resigns and begins again by keyboard: the focus stays in the main part of the page, and what was heard
// before is not said again.
func TestFocusKept(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=human&moves=a1,b2")
	b.says(".statusline", "X to move")
	focus := func(name string) {
		b.until("there is "+name, button(name))
		eval[bool](b, `(`+button(name)+`.focus(), true)`)
	}
	focus("Undo")
	b.keys(kb.Enter)
	b.until("a move is taken back", `location.search.includes("moves=a1") && !location.search.includes("b2")`)
	b.until("it is announced", `[...document.querySelectorAll("[aria-live]")].some(e => e.textContent.includes("Taken back"))`)
	focus("Resign")
	b.keys(kb.Enter)
	b.says(".statusline", "O resigned")
	b.until("nothing says that it was taken back",
		`![...document.querySelectorAll("[aria-live]")].some(e => e.textContent.includes("Taken back"))`)
	b.until("the board has the focus", `document.activeElement.closest(".board")`)
	focus("Play again")
	b.keys(kb.Enter)
	b.says(".statusline", "X to move")
	b.until("the board has the focus", `document.activeElement.closest(".board")`)
}

// TestHintsNarrow asks for hints where a part of the board has all the moves that there are: the first names the move.
func TestHintsNarrow(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?game=ultimate&moves=e5&first=human&second=human")
	b.says(".statusline", "O to move")
	b.press("Hint")
	b.says(".tip", "The search prefers ")
	b.open("play?game=ttt&moves=a1&first=human&second=human")
	b.press("Hint")
	b.says(".tip", "Look among ")
}

// TestNoOperation follows a link to an operation that the API does not have.
func TestNoOperation(t *testing.T) {
	b := newTab(t, newServer(t), phone, "docs?operation=nosuch")
	b.says(".failure", "There is no operation “nosuch”.")
}

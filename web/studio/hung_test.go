package studio_test

import (
	"testing"

	"oxo/lab"
)

// hang has the page's questions to the server, from now on, not answered.
const hang = `(() => { window.answered = window.fetch; window.fetch = () => new Promise(() => {}); return true; })()`

// TestHungServer makes moves while the server takes questions and answers none: each is on its square at once, then it
// is said that it waits, and it can be taken back.
func TestHungServer(t *testing.T) {
	server := newServer(t)
	for _, c := range []struct{ name, address, move string }{
		{"play", "play?game=ttt&first=human&second=level:1", "b2"},
		{"weger", "weger?mode=static", "e5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newTab(t, server, phone, c.address)
			b.until("it can be played", square(c.move)+`?.getAttribute("aria-disabled") === "false"`)
			b.hung(c.move)
			b.says(".statusline", "to move")
		})
	}
	t.Run("puzzle", func(t *testing.T) {
		z := lab.CarriedPuzzles("cube:4,3", "")[0]
		b := newTab(t, server, phone, "puzzles?id="+z.ID)
		b.until("it can be played", `document.querySelector(".cell.legal")`)
		b.hung(z.Answer)
	})
	t.Run("teach", func(t *testing.T) {
		b := newTab(t, server, phone, "teach?game=ttt")
		b.press("Start")
		b.until("it is one's turn", `document.querySelector(".cell.legal")`)
		b.hung(eval[string](b, `document.querySelector(".cell.legal").ariaLabel.split(",")[0]`))
	})
}

// hung makes a move that the server does not answer to, and takes it back.
func (b *tab) hung(move string) {
	b.Helper()
	eval[bool](b, hang)
	b.play(move)
	b.until("it is on its square", square(move)+`?.classList.contains("sent")`)
	b.until("it is said that it waits", `[...document.querySelectorAll(".statusline, .tip")].some(e => e.textContent.includes("`+
		move+` waits until the server answers."))`)
	b.shot("hung")
	b.press("Take " + move + " back")
	b.until("it is taken back", `!document.querySelector(".sent") && !`+button("Take "+move+" back"))
}

package studio_test

import (
	"fmt"
	"testing"
)

// laptop is a window on a small one, low as browsers leave it.
var laptop = device{"laptop", 1366, 650, false, "light"}

// TestLaptop: on a low and wide screen what is pressed, and what is said, is in sight before anything is scrolled:
// in a game, after it, in puzzles and in searches.
func TestLaptop(t *testing.T) {
	for name, page := range map[string]struct {
		address, press string
		seen           []string
	}{
		"hint":   {"play?game=connect4", "Hint", []string{".dock button", ".dock .tip", ".main-part button.cell"}},
		"stones": {"play?game=gomoku", "Hint", []string{".dock button", ".dock .tip", ".main-part button.cell"}},
		"over": {"play?game=ttt&first=human&second=level:2&moves=a1,b2,c3,a3,b1,c1", "",
			[]string{".ending button", ".ending .why"}},
		"rods": {"play?game=qubic", "Hint", []string{".panel button", ".panel .tip", ".main-part button.cell"}},
		"puzzle": {"puzzles?game=mnk:15,15,5", "Hint",
			[]string{".panel button", ".panel .tip", ".main-part button.cell"}},
		"puzzle-meta": {"puzzles?game=meta", "Hint",
			[]string{".panel button", ".panel .tip", ".main-part button.cell"}},
		"puzzle-elly": {"puzzles?id=4a5cb6da4e4d", "Hint",
			[]string{".panel button", ".main-part button.cell", ".shape"}},
		"puzzle-qubic": {"puzzles?game=qubic", "Hint", []string{".panel button", ".panel .tip"}},
		"search":       {"search", "", []string{".treebox + .row button", ".told"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTab(t, newServer(t), laptop, page.address)
			b.until("all of it is there", fmt.Sprintf(`document.querySelector(%s)`, quote(page.seen[0])))
			if page.press != "" {
				b.until("there is "+page.press, button(page.press))
				eval[bool](b, button(page.press)+".click() ?? true") // a pointer would scroll to it
				b.until("it is answered", `/\w/.test(document.querySelector(".dock .tip, .panel .tip")?.textContent)`)
			}
			for _, selector := range page.seen {
				b.until(selector+" is in sight", fmt.Sprintf(`document.querySelector(%s) && %s === ""`, quote(selector), outOfSight(selector)))
			}
			b.shot("laptop-" + name)
		})
	}
}

// TestLevelsKeepPlace: the board stays where it is, whichever opponent is chosen.
func TestLevelsKeepPlace(t *testing.T) {
	for _, d := range []device{laptop, phone} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play?game=ttt")
			const top = `document.querySelector(".board").getBoundingClientRect().top`
			b.until("the board is there", `document.querySelectorAll(".main-part .cell").length === 9`)
			before := eval[float64](b, top)
			for _, level := range []string{"Level 2, Easy", "Level 5, Strongest", "2 players", "Level 1, Beginner"} {
				b.press(level)
				b.until(level, `document.querySelector('.opponent [aria-pressed="true"]').ariaLabel === `+quote(level)+` || document.querySelector('.opponent [aria-pressed="true"]').textContent === `+quote(level))
				if after := eval[float64](b, top); after != before {
					t.Errorf("%s: the board is at %v, before at %v", level, after, before)
				}
			}
		})
	}
}

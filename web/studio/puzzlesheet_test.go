package studio_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestPuzzleSheet opens a sheet to print from the choice of puzzles: four of the game, their answers on another
// page.
func TestPuzzleSheet(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "puzzles?game=qubic")
	b.until("a sheet is offered", button("A sheet to print"))
	b.open(eval[string](b, button("A sheet to print")+`.getAttribute("href")`))
	b.until("four boards are on it", `document.querySelectorAll("main svg[role=img]").length === 4`)
	b.until("the rules stand below them",
		`document.querySelector(".puzzles + div .rules").textContent.includes("straight line of 4")`)
	b.until("four answers", `document.querySelectorAll(".answers li").length === 4`)
	b.says("h1", "Puzzles: Qubic")
	if about := eval[string](b, `document.querySelector(".about").innerText`); !regexp.MustCompile(
		`^(Win by force|Find the fork|The only move|Block|Save).*\s\w+ \d+, \d{4}$`).MatchString(about) {
		t.Errorf("the head says %q", about)
	}
	eval[bool](b, `window.print = () => { window.pages = document.querySelectorAll(".page").length; }; true`)
	b.press("Print")
	b.until("it is printed", `window.pages === 1`)
	b.medium("print")
	b.until("on paper there is no button", `!document.querySelector("button").checkVisibility() && document.querySelector("time").checkVisibility()`)
	b.shot("puzzle-sheet")
	for query, want := range map[string]int{"game=qubic": 2, "game=mnk:4,4,4&count=6": 2, "game=mnk:4,4,4&count=12": 4,
		"count=24": 8, "game=mnk:15,15,5&count=6": 4} {
		b.open("api/v1/puzzles/sheet?seed=5&" + query)
		b.until("the sheet is there", `document.querySelector(".answers")`)
		for paper, size := range map[string][2]float64{"A4": {8.27, 11.69}, "Letter": {8.5, 11}} {
			all := b.printedPages(size)
			eval[bool](b, `document.querySelector(".answers").remove() === undefined`)
			if asked := b.printedPages(size); all != want || asked != want-1 {
				t.Errorf("%s on %s: %d pages, %d before the answers, want %d, %d", query, paper, all, asked, want,
					want-1)
			}
			b.open("api/v1/puzzles/sheet?seed=5&" + query)
		}
	}
}

// printedPages is how many pages the page has on paper of that width and height in inches.
func (b *tab) printedPages(size [2]float64) (n int) {
	b.Helper()
	b.run(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		r, err := cdp.Call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: size[0], PaperHeight: size[1]})
		if err == nil {
			n = len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(r.Data, -1))
		}
		return err
	}))
	return n
}

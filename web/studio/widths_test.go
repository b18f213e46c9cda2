package studio_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// Screens at the edges: the narrowest, which is also a desktop's at 400 %, and a phone on its side.
var (
	narrow = device{"narrow", 320, 640, true, "light"}
	lying  = device{"lying", 844, 390, true, "dark"}
	tablet = device{"tablet", 820, 1180, true, "light"}
)

// everyPage has an address of each page.
var everyPage = []struct{ name, address, shows string }{
	{"start", "", ".gallery"},
	{"play", "play?first=human&second=human&moves=a1,b2", ".cell.last"},
	{"gomoku", "play?game=mnk:15,15,5&first=human&second=human&moves=h8", ".cell.last"},
	{"explore", "explore?game=ttt&moves=a1", ".bestline"},
	{"learn", "learn", "#learner"},
	{"search", "search", ".told"},
	{"boards", "search?game=ttt&from=xo./xo./..x%20o", ".node .mark"},
	{"arena", "arena", ".checks"},
	{"proofs", "proofs", ".proof .board"},
	{"puzzles", "puzzles", ".cell"},
	{"online", "online", "#whom"},
	{"teach", "teach", "h1"},
	{"weger", "weger", "h1"},
	{"claims", "claims", ".plainlist"},
	{"move", "move", "#code"},
}

// TestEdges shows every page on the narrowest screen, on a phone that lies on its side, on a
// tablet and on a desktop: nothing is wider than the screen, and nothing jumps.
func TestEdges(t *testing.T) {
	for _, d := range []device{narrow, lying, tablet, desktop} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play")
			for _, p := range everyPage {
				b.open(p.address)
				b.until(p.name+" is there", `document.querySelector(`+quote(p.shows)+`)`)
				b.sound("edge-" + p.name)
				if shift := eval[float64](b, "window.shifted"); shift > noShift {
					t.Errorf("%s on %s: the layout jumps by %.3f", p.name, d, shift)
				}
			}
		})
	}
}

// TestPrint prints every page: without what is pressed, nothing cut off by the paper's edge.
func TestPrint(t *testing.T) {
	b := newTab(t, newServer(t), device{"paper", 720, 1000, false, "dark"}, "play")
	b.run(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	for _, p := range everyPage {
		b.open(p.address)
		b.until(p.name+" is there", `document.querySelector(`+quote(p.shows)+`)`)
		b.shot("print-" + p.name)
		if wide := eval[float64](b, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
			t.Errorf("%s is %v pixels wider than the paper: %s", p.name, wide, eval[string](b, widest))
		}
		if eval[bool](b, `getComputedStyle(document.querySelector("header")).display !== "none" ||
			[...document.querySelectorAll("main button:not(.cell):not(.move):not(.branch)")].some(e => e.offsetWidth > 0)`) {
			t.Errorf("%s prints what can only be pressed", p.name)
		}
	}
}

package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// handheld is a phone as most are, upright.
var handheld = device{"handheld", 390, 844, true, "light"}

// covered names the squares, by their middles in sight, that something else lies over.
const covered = `[...document.querySelectorAll(".main-part button.cell")].filter(e => {
	const r = e.getBoundingClientRect(), x = r.x + r.width / 2, y = r.y + r.height / 2;
	return y < innerHeight && document.elementFromPoint(x, y)?.closest(".dock");
}).map(e => e.getAttribute("aria-label")).join(" ")`

// outOfSight names what the selector names and is not wholly in sight.
func outOfSight(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].filter(e => { const r = e.getBoundingClientRect();
		return r.top < 0 || r.bottom > innerHeight || r.left < 0 || r.right > innerWidth; }).map(e => e.textContent || e.getAttribute("aria-label")).join(" ")`,
		quote(selector))
}

// smallTargets names what can be pressed and is lower or narrower than 24 pixels, but squares, which are aimed at, and
// links within a text. Of a box in its label that is the label.
const smallTargets = `[...new Set([...document.querySelectorAll("a, button, input, summary, select, textarea, [role=button]")]
	.filter(e => !e.matches(".cell") && !(e.matches("a") && getComputedStyle(e).display === "inline" &&
		/[^\s·]/.test([...e.parentElement.childNodes].map(n => n.nodeType === 3 ? n.data : "").join(""))))
	.map(e => e.closest("label") ?? e))].filter(e => {
		const r = e.getBoundingClientRect();
		return e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && r.width > 1 && r.height > 1 && (r.width < 23.9 || r.height < 23.9);
	}).map(e => e.outerHTML.slice(0, 120) + " " + e.offsetWidth + "x" + e.offsetHeight).join("\n")`

// TestTargets looks at all that can be pressed on every page, with all that is folded open, on a phone: a finger meets
// it.
func TestTargets(t *testing.T) {
	b := newTab(t, newServer(t), handheld, "play")
	for _, p := range append(everyPage[:len(everyPage):len(everyPage)], []struct{ name, address, shows string }{
		{"end", "play?first=human&second=level:2&moves=a1,a2,b1,b2,c1", ".ending .why"},
		{"lost", "play?first=human&second=level:2&moves=a1,a2,b1,b2,c3,c2", ".ending .why"},
		{"qubic", "play?game=qubic&moves=a1a", ".stack"},
		{"tree", "play?game=tree:three-ply&first=human&second=human", ".branch"},
		{"review", "explore?game=ttt&moves=a1,b1,a2,b2,a3", ".mistakes"},
		{"race", "puzzles?from=race", ".side-part"},
		{"mcts", "search?game=ttt&from=xo./xo./..x%20o&a=mcts", ".told"},
		{"lesson", "claims?part=weger", "details[open]"},
	}...) {
		b.open(p.address)
		b.until(p.name+" is there", `document.querySelector(`+quote(p.shows)+`)`)
		eval[bool](b, `(document.querySelectorAll("details").forEach(e => e.open = true), true)`)
		b.shot("targets-" + p.name)
		if small := eval[string](b, smallTargets); small != "" {
			t.Errorf("%s has targets below 24 pixels: %s", p.name, small)
		}
	}
}

// TestActionsInReach plays on a tall board on phones: before anything is scrolled what is pressed in a game, the
// status and the whole board are in sight, squares are large enough for fingers, and nothing lies over them.
func TestActionsInReach(t *testing.T) {
	small := device{"small", 375, 667, true, "light"}
	for _, d := range []device{handheld, handheld.dark(), phone, lying, small, narrow} {
		t.Run(fmt.Sprintf("%s-%d", d, d.width), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play?game=qubic&first=human&second=human&moves=b2b,c3c")
			b.holds("c3c", "O")
			for _, selector := range []string{".dock button", ".main-part .statusline", ".main-part button.cell"} {
				if left := eval[string](b, outOfSight(selector)); left != "" {
					t.Errorf("out of sight: %s", left)
				}
			}
			if over := eval[string](b, covered); over != "" {
				t.Errorf("squares under the buttons: %s", over)
			}
			aims := d.height < phone.height // squares are small there
			if !aims {
				if size := eval[float64](b, `document.querySelector(".main-part button.cell").offsetWidth`); size < 24 {
					t.Errorf("squares are %v pixels wide", size)
				}
			}
			b.sound("reach")
			b.play("d1d")
			if aims {
				b.until("a finger aims first", button("Play d1d"))
				if over := eval[string](b, strings.ReplaceAll(covered, ".dock", ".aimbar")); over != "" {
					t.Errorf("squares under what is aimed with: %s", over)
				}
				b.press("Play d1d")
			}
			b.holds("d1d", "X")
			b.press("New game")
			b.until("a new game has begun", `!document.querySelector(".board:not(.still) .bead")`)
		})
	}
}

// TestPuzzleInReach sets a puzzle on a tall board on small phones: all of its board is in sight, above the buttons.
func TestPuzzleInReach(t *testing.T) {
	for _, d := range []device{narrow, {"small", 375, 667, true, "light"}} {
		t.Run(fmt.Sprintf("%s-%d", d, d.width), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "puzzles?game=qubic")
			b.until("the board is there", `document.querySelector(".dock button") && document.querySelector(".main-part .scene button.cell")`)
			if over := eval[string](b, covered) + eval[string](b, outOfSight(".main-part button.cell")); over != "" {
				t.Errorf("squares under the buttons, or out of sight: %s", over)
			}
			if rows := eval[float64](b, `document.querySelector(".above + .segmented").offsetHeight`); rows > 48 {
				t.Errorf("where puzzles come from takes %v pixels", rows)
			}
			b.sound("puzzle-reach")
		})
	}
}

// TestTurnersInReach plays a board in space online: nothing lies over what turns it and lays it flat, before anything
// is scrolled. On low phones it lies below the screen.
func TestTurnersInReach(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, desktop, "online?game=qubic")
	bob := anotherTab(t, server, handheld, "online")
	invited(t, ann, bob)
	ann.play("b2b")
	bob.holds("b2b", "X")
	const over = `[...document.querySelectorAll(".turners :is(button, input)")].filter(e => {
		if (below) e.scrollIntoView({block: "end"});
		const r = e.getBoundingClientRect();
		return [0.1, 0.5, 0.9].some(y => document.elementFromPoint(r.x + r.width / 2, r.y + r.height * y) !== e);
	}).map(e => e.textContent || e.type).join(" ")`
	looks := func(b *tab, width, height int64, below bool) {
		t.Helper()
		b.run(chromedp.EmulateViewport(width, height))
		if left := eval[string](b, fmt.Sprintf("(below => %s)(%t)", over, below)); left != "" {
			t.Errorf("%d×%d: %s can't be pressed", width, height, left)
		}
	}
	for range 2 { // in space, and flat
		for _, size := range [][2]int64{{1440, 900}, {1440, 1100}, {1280, 900}, {1366, 768}} {
			looks(ann, size[0], size[1], false)
		}
		ann.shot("turners")
		ann.press("Flat")
	}
	looks(bob, 390, 844, false)
	looks(bob, 360, 740, true)
}

// TestAfterLoss loses games on phones: what leads on is in sight at once, below the board, and nothing jumps when it is
// found out where the game turned.
func TestAfterLoss(t *testing.T) {
	for _, d := range []device{handheld, phone.dark()} {
		for game, moves := range map[string]string{"ttt": "a1,b2,c3,a3,b1,c1", "connect4": "a1,d1,a2,d2,b1,d3,b2,d4"} {
			t.Run(game+"-"+d.String(), func(t *testing.T) {
				b := newTab(t, newServer(t), d, "play?game="+game+"&first=human&second=level:2&moves="+moves)
				b.until("it can be tried again", `document.querySelector(".dock")?.textContent.includes("Try again from move")`)
				if said := eval[string](b, `[...document.querySelectorAll(".dock button")].map(e => e.textContent).join(", ")`); !strings.
					HasSuffix(said, ", Play again, Easier: level 1") {
					t.Errorf("what leads on is %s", said)
				}
				for _, selector := range []string{".dock button", ".main-part .cell"} {
					if left := eval[string](b, outOfSight(selector)); left != "" {
						t.Errorf("out of sight: %s", left)
					}
				}
				if over := eval[string](b, covered); over != "" {
					t.Errorf("squares under the buttons: %s", over)
				}
				if shift := eval[float64](b, "window.shifted"); shift > noShift {
					t.Errorf("the layout jumps by %.3f: %s", shift, eval[string](b, `window.shifts.join("; ")`))
				}
				b.sound("after-loss-" + game)
				b.press("Easier: level 1")
				b.says(".opponent", "Beginner")
			})
		}
	}
}

// TestActionsGiveWay reaches every square of a board higher than the screen by keyboard: buttons at the foot of the
// screen are not in the way of what has the focus, and come after the board.
func TestActionsGiveWay(t *testing.T) {
	b := newTab(t, newServer(t), narrow, "play?game=cube:5,3&first=human&second=human&moves=b2b")
	b.holds("b2b", "X")
	if left := eval[string](b, outOfSight(".dock button")); left != "" {
		t.Errorf("out of sight: %s", left)
	}
	last := square("e1e")
	b.focus(last)
	b.until("nothing lies over the last square", fmt.Sprintf(`(e => { const r = e.getBoundingClientRect();
		return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.closest("button") === e; })(%s)`, last))
	if !eval[bool](b, `Boolean(document.querySelector(".board").compareDocumentPosition(document.querySelector(".dock")) & Node.DOCUMENT_POSITION_FOLLOWING)`) {
		t.Error("buttons come before the board")
	}
	b.sound("gives-way")
}

// TestShortListsAreWhole explores boards of up to sixteen squares: the list of moves is not pushed up and down, that
// of a larger board is.
func TestShortListsAreWhole(t *testing.T) {
	for _, d := range []device{handheld, desktop} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "explore?game=ttt")
			for _, c := range []struct {
				game string
				rows int
				all  bool
			}{{"ttt", 9, true}, {"mnk:4,4,4", 16, true}, {"mnk:5,5,4", 25, false}} {
				b.open("explore?game=" + c.game)
				b.until("all moves are listed", fmt.Sprintf(`document.querySelectorAll(".tablebox tbody tr").length === %d`, c.rows))
				b.shot("list-" + c.game)
				if got := eval[bool](b, `(e => e.scrollHeight <= e.clientHeight)(document.querySelector(".tablebox"))`); got != c.all {
					t.Errorf("%s: the list of moves is whole: %v", c.game, got)
				}
			}
		})
	}
}

// TestTreeIsReadable shows a search with boards in its nodes: on a phone each square of a board is as large as on a
// desktop, the node of the step is in sight, and all of the tree is a push away; Fit the tree shows it whole.
func TestTreeIsReadable(t *testing.T) {
	const squares = `document.querySelector(".node .wires").getBoundingClientRect().width / 3`
	for _, d := range []device{handheld, handheld.dark(), narrow, desktop} {
		t.Run(fmt.Sprintf("%s-%d", d, d.width), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "search?game=ttt&from=xo./xo./..x%20o")
			b.until("the tree is there", `document.querySelector(".node.current .mark")`)
			b.sound("tree")
			if size := eval[float64](b, squares); d.touch && size < 13 {
				t.Errorf("squares in nodes are %.1f pixels wide", size)
			}
			if !eval[bool](b, `((n, box) => n.left >= box.left && n.right <= box.right && n.top >= box.top && n.bottom <= box.bottom)(
				document.querySelector(".node.current .frame").getBoundingClientRect(), document.querySelector(".treebox").getBoundingClientRect())`) {
				t.Error("the node of the step is out of sight")
			}
			whole := `(e => e.scrollWidth <= e.clientWidth)(document.querySelector(".treebox"))`
			if d.touch == eval[bool](b, whole) {
				t.Errorf("the tree fits: %v", !d.touch)
			}
			if d.touch {
				b.press("Fit the tree")
				b.until("the tree is whole", whole)
			}
		})
	}
}

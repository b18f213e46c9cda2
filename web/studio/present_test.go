package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// presented shows a part of the page to a class, in which the picture grows and type is large, leads through its
// steps by the keys of people and of presenters' remotes, and leaves by Escape.
func (b *tab) presented(name, part, picture, present string, steps map[string]string) {
	b.Helper()
	size := fmt.Sprintf(`(r => Math.round(r.width) + " " + Math.round(r.height))(document.querySelector(%s).getBoundingClientRect())`, quote(picture))
	stood := eval[string](b, size)
	b.click("Present", present)
	b.until("it has the screen", `document.fullscreenElement?.matches(`+quote(part)+`) && `+button("Leave"))
	if name == "curve" || strings.HasPrefix(name, "explore") {
		b.until("it is said what its numbers mean", `[...document.querySelectorAll(":fullscreen > :is(p.muted, .legend)")].some(e =>
			e.checkVisibility() && /best play|wins in 3/.test(e.textContent))`)
	}
	b.until("the picture has other measures", size+" !== "+quote(stood))
	if type_ := eval[float64](b, `parseFloat(getComputedStyle(document.querySelector(":fullscreen > :is(.telling, h2)")).fontSize)`); type_ < 22 {
		b.Errorf("its sentence is %v pixels large", type_)
	}
	for _, k := range []struct{ key, step string }{
		{kb.Home, "first"}, {kb.PageDown, "second"}, {kb.PageUp, "first"}, {kb.ArrowRight, "second"},
		{kb.ArrowLeft, "first"}, {kb.End, "last"}, {kb.PageDown, "last"},
	} {
		b.keys(k.key)
		b.until(fmt.Sprintf("the key %q leads to the %s step", k.key, k.step), steps[k.step])
	}
	b.keys(kb.Home)
	b.until("it is at its first step", steps["first"])
	b.keys(" ")
	b.until("it runs to its last step", steps["last"])
	b.sound("present-" + name)
	if out := eval[string](b, outOfSight(":fullscreen > *")); out != "" {
		b.Errorf("out of sight: %s", out)
	}
	b.keys(kb.Escape)
	b.until("it has given the screen back, and all is as large as it was", `document.fullscreenElement === null && `+size+" === "+quote(stood))
}

// present is the button that shows the part that the selector names.
func present(part string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].flatMap(e => [...e.querySelectorAll("button")]).find(e => e.textContent === "Present")`,
		quote(part))
}

// searching reports whether the judge is still at work on the page.
const searching = `[...document.querySelectorAll("button")].some(e => e.textContent === "Search longer" && e.disabled)`

// TestPresentExplore shows a class a game with what its moves are worth, on boards of several kinds.
func TestPresentExplore(t *testing.T) {
	for game, moves := range map[string]string{"ttt": "a1,b2,c3", "connect4": "d1,d2,d3", "qubic": "a1a,b2b,c3c",
		"ultimate": "e5,e6,d8", "fano": "1,2,3"} {
		t.Run(game, func(t *testing.T) {
			b := newTab(t, newServer(t), desktop, "explore?game="+game+"&moves="+moves)
			b.until("values are on the board, no better ones come, and the game is judged", `!`+searching+` && document.querySelector(".cell .note") && document.querySelector(".review [role=status]").textContent`)
			at := map[string]string{"first": `location.search.endsWith("ply=0")`,
				"second": `location.search.endsWith("ply=1")`, "last": `!location.search.includes("ply=")`}
			b.presented("explore-"+game, "section.main-part", ".board .cell", present(".main-part > .actions"), at)
		})
	}
}

// TestPresentAtOnce shows a class all of a tree from the beginning where it can be read so, on small projectors and
// phones on their side, whose boards have most of the height; nothing covers anything else.
func TestPresentAtOnce(t *testing.T) {
	const part = `document.fullscreenElement`
	for _, d := range []device{{"projector", 1280, 720, false, "light"}, {"sideways", 844, 390, true, "dark"}} {
		for name, page := range map[string]string{"tree": "search?game=ttt&from=xo./xo./..x%20o&step=12",
			"textbook": "search", "board": "explore?game=ttt&moves=a3"} {
			t.Run(d.name+"-"+name, func(t *testing.T) {
				b := newTab(t, newServer(t), d, page)
				b.until("there is a picture", `document.querySelector(".node, .board .note")`)
				b.click("Present", present(".stepper, .main-part > .actions"))
				b.until("it has the screen", part)
				b.until("the words, the picture and the buttons stand apart, all of them in sight", `(list => list.length === 4
					&& list.every(r => r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth)
					&& list.every((r, i) => list.every((q, k) => i === k || r.right <= q.left || q.right <= r.left || r.bottom <= q.top || q.bottom <= r.top)))(
					[...`+part+`.querySelectorAll(":scope > :is(.treebox, .board, .telling, .steps, .tools)")].map(e => e.getBoundingClientRect()))`)
				if name == "board" {
					b.until("the board is large", `document.querySelector(".board .grid").offsetHeight > innerHeight / 2`)
					return
				}
				b.until("all of the tree is in sight", `[...document.querySelectorAll(".node")].every(e => {
					const n = e.getBoundingClientRect(), box = document.querySelector(".treebox").getBoundingClientRect();
					return n.left >= box.left && n.right <= box.right && n.top >= box.top && n.bottom <= box.bottom; })`)
				b.shot("at-once")
			})
		}
	}
}

// TestPresentLearn shows a class the curve of a training, and the beads of its first box as it learns.
func TestPresentLearn(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "learn")
	b.open("learn?job=" + b.job(`{verb: "train", game: "ttt", seed: 1, args: {
		learner: "menace", against: "perfect", seats: "first", games: 300, exam_every: 100}}`))
	b.says(".statusline", "finished")
	b.until("there are beads", `document.querySelector(".lookat .note")`)
	const spot = `document.querySelector(".curves canvas").ariaValueNow === `
	b.presented("curve", ".curves", ".curves canvas", present(".curves"),
		map[string]string{"first": spot + `"0"`, "second": spot + `"100"`, "last": spot + `"300"`})
	const at = `document.getElementById("at")`
	b.presented("beads", ".lookat", ".lookat .cell", present(".lookat"), map[string]string{"first": at + `.value === "0"`,
		"second": at + `.selectedIndex === 2`, "last": at + `.selectedIndex === ` + at + `.length - 1`})
}

// TestPresentProof shows a class a game against a proof, whose replies can be shown again.
func TestPresentProof(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "proofs")
	b.until("proofs are listed", `document.querySelector("a.proof")`)
	b.click("the first proof", `document.querySelector("a.proof")`)
	for n := range 2 {
		b.until("it is one's turn", `[...document.querySelectorAll(".cell")].filter(e => e.getAttribute("aria-disabled") === "false").length > 0`)
		b.click("a free square", `[...document.querySelectorAll(".cell")].find(e => e.getAttribute("aria-disabled") === "false")`)
		b.until("the reply is in the address", fmt.Sprintf(`new URLSearchParams(location.search).get("replies")?.split(",").length === %d`, n+1))
	}
	const shown = `(new URLSearchParams(location.search).get("replies") ?? "").split(",").filter(Boolean).length === `
	b.presented("proof", "section.main-part", ".board .cell", present(".main-part > .actions"),
		map[string]string{"first": shown + "0", "second": shown + "1", "last": shown + "2"})
}

// TestCensus tells how many positions a game has once it is asked, in a card that a class can be shown and that is
// printed then.
func TestCensus(t *testing.T) {
	for game, says := range map[string]string{
		"ttt": "Tic-tac-toe has 5,478 positions, 765 up to symmetry, and 255,168 games; " +
			"its game tree has 549,946 nodes.",
		"qubic": "too many positions to count at once: ",
	} {
		t.Run(game, func(t *testing.T) {
			b := newTab(t, newServer(t), device{"projector", 1280, 720, false, "light"}, "explore?game="+game)
			b.until("the card is there, not counted, and not printed, and nothing moves it any more", `!`+searching+` && document.querySelector("#census.noprint:not([open])") &&
				!performance.getEntriesByType("resource").some(e => e.name.endsWith("/count"))`)
			b.says(".side-part", "Open winning sets") // which stand above it
			b.click("the card", `document.querySelector("#census summary")`)
			b.says("#census .telling", says)
			b.until("it has a row for each ply, and is printed", `document.querySelectorAll("#census tbody tr").length > 3 &&
				!document.querySelector("#census.noprint")`)
			b.medium("print")
			b.until("it is on paper", `document.querySelector("#census .tablebox").checkVisibility()`)
			b.medium("screen")
			b.click("Present", present(".census"))
			b.until("its table is in large type and in sight", `document.fullscreenElement?.matches(".census") && (e => e &&
				parseFloat(getComputedStyle(e).fontSize) >= 20 && e.getBoundingClientRect().bottom <= innerHeight)(
				document.querySelector(".census tr:last-child td"))`)
			b.sound("census-" + game)
			b.keys(kb.Escape)
			b.until("it has given the screen back", `document.fullscreenElement === null`)
		})
	}
}

// TestPresentTeach shows a class the boxes of a game that was taught, one after the other, with the beads that came and
// went in large type.
func TestPresentTeach(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "teach")
	b.press("Start")
	b.says(".card", "A bead fell out")
	b.click("Present", present(".shownbox"))
	b.until("the box has the screen, in large type", `document.fullscreenElement?.matches(".shownbox") && (e => e &&
		e.offsetHeight > innerHeight / 2 && e.querySelector(".heap text").getBoundingClientRect().height > 24)(
		document.querySelector(":fullscreen .drawer"))`)
	b.says(":fullscreen .telling", "A bead fell out")
	b.keys(kb.Escape)
	b.until("it has given the screen back", `document.fullscreenElement === null`)
	for !b.firstFree() {
	}
	b.says(".card", "What it learned from this game")
	const at, steps = `document.querySelector(":fullscreen .steps .fixed")?.textContent.`, `document.querySelectorAll(".beside .lessons .drawer").length`
	const picture = ":fullscreen .drawer, .beside:not(:has(:fullscreen)) .drawer"
	b.presented("teach", ".shownbox", picture, present(".shownbox"),
		map[string]string{"first": at + `startsWith("1 ")`, "second": at + `startsWith("2 ")`, "last": at + "startsWith(" + steps + ` + " ")`})
}

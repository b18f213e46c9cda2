package studio_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"
)

// TestBoards draws every kind of board, and plays a move on each.
func TestBoards(t *testing.T) {
	server := newServer(t)
	for _, c := range []struct {
		name, query string
		squares     int
		move        string // by a person, second to play after the moves of the query
	}{
		{"4x4", "game=mnk:4,4,4&moves=b2", 16, "c3"},
		{"gomoku", "game=mnk:15,15,5&moves=h8", 225, "j9"},
		{"connect-four", "game=mnk:7,6,4%2Bgravity&moves=d1", 42, "d2"},
		{"wild", "game=ttt%2Bwild&moves=o@b2", 9, "a1"},
		{"torus", "game=torus:4,4,4&moves=b2", 16, "a1"},
		{"cube", "game=cube:3,3&moves=b2b", 27, "a1a"},
		{"qubic", "game=qubic&moves=a1a", 64, "d4d"},
		{"meta", "game=meta&moves=e5", 81, "d6"},
		{"ultimate", "game=ultimate&moves=a9,b8,d6,a7,c1,h1,d2,c4,h3,e9,d8,a4,a3,a8", 81, "b6"},
		{"fano", "game=plane:projective,2&moves=1", 7, "4"},
		{"affine", "game=plane:affine,4&moves=1", 16, "6"},
		{"animal", "game=animal:knobby,5,5&moves=c3", 25, "b2"},
		{"race", "game=race:7&moves=2", 7, "6"},
	} {
		for _, d := range []device{desktop, phone.dark()} {
			t.Run(c.name+"/"+d.String(), func(t *testing.T) {
				b := newTab(t, server, d, "#/play?first=human&second=human&"+c.query)
				b.says(".statusline", "to move")
				if n := eval[int](b, `document.querySelectorAll("button.cell").length`); n != c.squares {
					t.Errorf("%d squares, want %d", n, c.squares)
				}
				b.play(c.move)
				if small := eval[bool](b, square(c.move)+".getBoundingClientRect().width < 24"); small && d.touch {
					b.press("Play " + c.move) // a finger aims first
				}
				b.until(c.move+" is the last move", square(c.move)+`?.getAttribute("aria-label").includes("last move")`)
				if d.touch {
					b.sound("board-" + c.name)
					return
				}
				b.shot("board-" + c.name)
				if eval[bool](b, `!document.querySelector(".main-part .scene")`) {
					return
				}
				b.press("Flat")
				b.until("the layers lie side by side",
					`!document.querySelector(".main-part .scene") && document.querySelector(".layers")`)
				b.sound("flat-" + c.name)
			})
		}
	}
}

// TestSpaceTurns turns a stack of boards by hand and by keyboard; its buttons
// stay buttons.
func TestSpaceTurns(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=qubic&first=human&second=human")
	b.says(".statusline", "X to move")
	names := eval[string](b, `[...document.querySelectorAll(".scene .edge-name")].map((e) => e.textContent).join("")`)
	if names != "abcd4321" {
		t.Errorf("beside the sheet stand %q", names)
	}
	turned := `document.querySelector(".scene .rod").style.transform`
	was := eval[string](b, turned)
	eval[bool](b, `(() => { document.querySelector(".turners input").focus(); return true; })()`)
	b.keys(kb.ArrowRight)
	b.until("it is turned by keyboard", fmt.Sprintf(`%s !== %s`, turned, quote(was)))
	was = eval[string](b, turned)
	b.focus(square("a1a"))
	eval[bool](b, `document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", shiftKey: true, bubbles: true})) || true`)
	b.until("it is turned from a square", fmt.Sprintf(`%s !== %s`, turned, quote(was)))
	b.play("a1a")
	b.holds("a1a", "X")
	b.shot("space-names")
}

// TestTurnsOnceAFrame turns a stack of boards several times within a frame, by slider and by hand: sheets and
// rods are moved once, and nothing on them is touched.
func TestTurnsOnceAFrame(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?game=qubic&first=human&second=human")
	b.says(".statusline", "X to move")
	const slide = `const range = document.querySelector(".turners input");
		for (const v of [10, 20, 30]) { range.value = v; range.dispatchEvent(new Event("input", {bubbles: true})); }`
	const drag = `const scene = document.querySelector(".scene"); scene.setPointerCapture = () => 0;
		for (const [type, clientX] of [["down", 200], ["move", 190], ["move", 180], ["move", 170]])
			scene.dispatchEvent(new PointerEvent("pointer" + type, {bubbles: true, clientX, pointerType: "touch"}));`
	for _, by := range []string{slide, drag} {
		said := eval[string](b, `new Promise(done => { window.acted = true;
			const seen = [], watch = new MutationObserver(l => seen.push(...l));
			watch.observe(document.querySelector(".space"), {subtree: true, childList: true, attributes: true, characterData: true});
			`+by+`
			requestAnimationFrame(() => requestAnimationFrame(() => {
				const parts = new Set(seen.map(m => m.target)), turned = [...parts].filter(e => e.matches(".stack, .frame, .rod"));
				done(parts.size === turned.length && seen.length === parts.size && parts.size > 20 ? "" :
					seen.length + " changes of " + parts.size + " elements, " + turned.length + " of them sheets and rods");
			})); })`)
		if said != "" {
			t.Errorf("turning makes %s: %s", said, by)
		}
	}
}

// TestTurnsFromBead drags a stack of boards by one of its beads: it turns, and nothing is marked; a press marks it.
func TestTurnsFromBead(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=qubic&first=human&second=human")
	b.says(".statusline", "X to move")
	at := eval[[]float64](b, `(() => { window.acted = true; const r = `+square("b2b")+`.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
	for i, kind := range []input.DispatchMouseEventType{"mousePressed", "mouseMoved", "mouseMoved", "mouseReleased"} {
		b.run(command(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind,
			X: at[0] + float64(min(i, 2)*30), Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1}))
	}
	b.until("it is turned", `document.querySelector(".turners input").value === "2"`)
	b.holds("b2b", "empty")
	b.play("b2b")
	b.says(".statusline", "O to move")
}

// TestSpaceInReach looks in several ways at a stack of boards: what is in front of
// a square's middle is that square, or one of another level, and nothing else.
func TestSpaceInReach(t *testing.T) {
	for _, d := range []device{desktop, phone} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/play?game=qubic&first=human&second=human")
			b.says(".statusline", "X to move")
			for _, view := range []struct {
				turn, tilt int
				hidden     bool // behind squares of other levels
			}{{-28, 64, false}, {0, 64, false}, {120, 64, false}, {180, 64, false}, {-28, 80, false}, {60, 50, true},
				{-28, 30, true}} {
				eval[bool](b, fmt.Sprintf(`(() => { window.acted = true; [%d, %d].forEach((v, i) => {
					const e = document.querySelectorAll(".turners input")[i]; e.value = v; e.dispatchEvent(new Event("input", {bubbles: true})); }); return true; })()`, view.turn, view.tilt))
				b.until("it is turned", fmt.Sprintf(
					`document.querySelectorAll(".turners input")[0].value === "%d" && document.querySelectorAll(".turners input")[1].value === "%d"`, view.turn, view.tilt))
				eval[bool](b, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "+
					"done(true))))")
				covered := eval[string](b, fmt.Sprintf(`[...document.querySelectorAll("button.cell")].filter(c => {
					c.scrollIntoView({block: "center"});
					const r = c.getBoundingClientRect(), e = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)?.closest(".cell");
					return e !== c && !(e && %t);
				}).map(c => c.ariaLabel).join("; ")`, view.hidden))
				if covered != "" {
					t.Errorf("turned by %d and tilted by %d, out of reach are %s", view.turn, view.tilt, covered)
				}
			}
			b.open("#/play?game=qubic&first=human&second=human")
			b.play("c4c")
			b.holds("c4c", "X")
		})
	}
}

// TestLargeOnPhone fits a large board to a phone's width, names its columns and
// rows, and lets a finger aim.
func TestLargeOnPhone(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=mnk:15,15,5&first=human&second=human&moves=h8")
	b.holds("h8", "last move")
	if rim := eval[string](b, `[...document.querySelectorAll(".rim")].map(e => e.textContent).join(" ")`); rim != "15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 a b c d e f g h i j k l m n o" {
		t.Errorf("the rim says %q", rim)
	}
	if wide := eval[float64](b, `document.querySelector(".scroll").scrollWidth - document.querySelector(".scroll").clientWidth`); wide > 0 {
		t.Errorf("the board is %v pixels wider than its place", wide)
	}
	b.open("#/play?game=mnk:20,20,5&first=human&second=human&moves=t20")
	b.holds("t20", "last move")
	b.until("all of it is in view", `!document.querySelector(".scroll.more-left, .scroll.more-right") && `+
		square("t20")+`.getBoundingClientRect().right <= innerWidth`)
	const below = `document.querySelector(".main-part > .card").getBoundingClientRect().top + scrollY`
	stood := eval[float64](b, below)
	b.play("k10")
	b.until("a finger aims first", button("Play k10"))
	if stands := eval[float64](b, below); stands != stood {
		t.Errorf("what stands below the board moves from %v to %v", stood, stands)
	}
	b.shot("aimed")
	b.press("Play k10")
	b.holds("k10", "last move")
}

// TestAimInSpace turns a board in space until its squares come to lie close to one another, where a finger aims first;
// seen as at first, it plays.
func TestAimInSpace(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?first=human&second=human&game=qubic")
	b.says(".statusline", "X to move")
	b.click("a bead", square("a1a"))
	b.holds("a1a", "last move")
	b.until("the board is tilted", `(e => { e.value = 85; return e.dispatchEvent(new Event("input", {bubbles: true})); })(document.querySelectorAll(".turners input")[1])`)
	b.click("a bead between others", square("d1d"))
	b.until("a finger aims first", button("Play d1d"))
	b.press("Play d1d")
	b.holds("d1d", "last move")
}

// TestAimIsNoMark aims with a finger at the top of a column's discs: the ring is on the empty square where the disc
// comes to lie. By keyboard the focus on a stone or a bead is no ring.
func TestAimIsNoMark(t *testing.T) {
	server := newServer(t)
	for _, c := range []struct{ game, taken, free string }{
		{"mnk:20,20,5%2Bgravity&moves=k1", "k1", "k2"}, {"mnk:20,20,5&moves=k10", "k10", ""},
	} {
		t.Run(c.game, func(t *testing.T) {
			b := newTab(t, server, phone, "play?first=human&second=human&game="+c.game)
			b.holds(c.taken, "last move")
			b.click("a square that is taken", square(c.taken))
			aimed := `[...document.querySelectorAll(".cell.aimed")].map(e => e.getAttribute("aria-label").split(",")[0]).join(" ")`
			if c.free == "" {
				if got := eval[string](b, aimed); got != "" {
					t.Errorf("aimed at is %s, which is taken", got)
				}
				return
			}
			b.until("the free square above is aimed at", aimed+" === "+quote(c.free))
			b.shot("aimed-column")
			b.press("Play " + c.free)
			b.holds(c.free, "last move")
		})
	}
	for game, taken := range map[string]string{"gomoku&moves=h8": "h8", "qubic&moves=a1a": "a1a"} {
		t.Run("keys-"+game, func(t *testing.T) {
			b := newTab(t, server, desktop, "play?first=human&second=human&game="+game)
			b.holds(taken, "last move")
			b.focus(square(taken))
			b.keys(kb.ArrowRight, kb.ArrowLeft)
			b.until("the focus is back", `document.activeElement === `+square(taken))
			look := eval[string](b, `(s => s.outlineStyle + " " + s.borderTopLeftRadius)(getComputedStyle(document.activeElement))`)
			if look != "dashed 3px" {
				t.Errorf("the focus on a mark is %s", look)
			}
			b.shot("focus-on-mark")
		})
	}
}

// TestWinningSets shows the sets of a game whose board doesn't tell them, one of
// them on the board, and none of a game whose rows everybody sees.
func TestWinningSets(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=plane:projective,2&first=human&second=human")
	b.click("the list of sets", `document.querySelector("details summary")`)
	b.says("details summary", "Winning sets: 7")
	if n := eval[int](b, `document.querySelectorAll(".sets li").length`); n != 7 {
		t.Errorf("%d sets are listed", n)
	}
	if first := eval[string](b, `document.querySelector(".sets li").textContent`); first != "1–2–5" {
		t.Errorf("the first set is %s", first)
	}
	lit := `[...document.querySelectorAll(".cell.zone")].map(e => e.dataset.name).sort().join("–")`
	b.click("a set", `document.querySelector(".sets li:nth-child(2) button")`)
	b.until("its squares are shown", lit+` === document.querySelector(".sets li:nth-child(2) button").textContent`)
	b.play("1")
	b.until("they are still shown", lit+` === document.querySelector(".sets [aria-pressed=true]").textContent`)
	b.shot("winning-sets")
	b.open("#/play?game=ttt&first=human&second=human")
	b.says(".statusline", "X to move")
	b.until("none is shown", lit+` === "" && !document.querySelector("details:not(.card)")`)
}

// TestShadesDiffer tells wins, draws and losses apart by shade alone, near or far, sooner from later ones, and
// their numbers from what they stand on.
func TestShadesDiffer(t *testing.T) {
	for _, d := range []device{desktop, desktop.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/play?first=human&second=human")
			b.says(".statusline", "X to move")
			for _, near := range []string{"1", "0.5", "0"} {
				low := eval[float64](b, fmt.Sprintf(contrastScript, near,
					`Math.min(...[[0, 1], [0, 2], [1, 2]].map(([i, j]) => ratio(all[i][0], all[j][0])))`))
				text := eval[float64](b, fmt.Sprintf(contrastScript, near,
					`Math.min(...all.map(([ground, ink]) => ratio(ground, ink)))`))
				if low < 3 || text < 4.5 {
					t.Errorf("at %s the shades differ by %.2f, the numbers on them by %.2f", near, low, text)
				}
			}
			b.open("explore?game=mnk:4,3,3")
			b.until("how soon is on the board", `["+7", "+9"].every(t => [...document.querySelectorAll(".cell .note")].some(e => e.textContent === t))`)
			b.until("wins in 7 and in 9 moves differ", `(() => {`+lightScript+`
				const ground = text => light(getComputedStyle([...document.querySelectorAll(".cell")].find(c => c.querySelector(".note")?.textContent === text)).backgroundColor);
				return ratio(ground("+7"), ground("+9")) >= 1.3;
			})()`)
		})
	}
}

// TestValuesReadable shows what moves are worth on boards of every look, on a small screen: each
// number stands out from what it is on, and within it. Estimates are paler than what is certain.
func TestValuesReadable(t *testing.T) {
	for _, d := range []device{narrow, narrow.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "explore")
			for _, c := range []struct{ game, certain string }{
				{"ttt&moves=a1", "draws"}, {"connect4&moves=d1", "loses in"},
				{"ultimate&moves=e5", ""}, {"mnk:15,15,5&moves=h8", ""},
			} {
				b.open("explore?game=" + c.game)
				b.until("values are on the board", `document.querySelector(".cell .note")`)
				b.says("table", cmp.Or(c.certain, "has about"))
				b.shot("values-" + c.game[:3])
				if faint := eval[string](b, faintScript); faint != "" {
					t.Errorf("%s: %s", c.game, faint)
				}
				if guess := eval[bool](b, `Boolean(document.querySelector(".cell.guess"))`); guess != (c.certain == "") {
					t.Errorf("%s: shown as estimates: %v", c.game, guess)
				}
			}
		})
	}
}

// TestLitValuesReadable shows an open winning set among the values: those of its squares stand out as the others do.
func TestLitValuesReadable(t *testing.T) {
	for _, d := range []device{phone, phone.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/explore")
			for _, game := range []string{
				"ttt&moves=a1,b2,a2", "connect4&moves=d1,a1,d2,a2", "mnk:15,15,5&moves=h8", "fano&moves=1,2",
				"cube:3,3&moves=a1a",
			} {
				b.open("#/explore?game=" + game)
				b.until("values are on the board", `document.querySelector(".cell .note")`)
				b.click("an open set", `document.querySelector(".sets button")`)
				b.until("squares with a value are pointed at", `document.querySelector(".cell.zone .note")`)
				b.shot("lit-" + game[:3])
				if faint := eval[string](b, faintScript); faint != "" {
					t.Errorf("%s: %s", game, faint)
				}
			}
		})
	}
}

// TestHintOrValues: of a hint and of the values, whose frames mean different things, the board shows what was asked
// for last.
func TestHintOrValues(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?first=human&second=human&game=ttt&moves=a1,b2")
	b.says(".statusline", "X to move")
	for range 2 {
		b.press("Values")
		b.until("values alone", `document.querySelector(".cell .note") && !document.querySelector(".cell.zone")`)
		b.press("Hint")
		b.until("the hint alone", `!document.querySelector(".cell .note") && document.querySelector(".cell.zone")`)
	}
}

// TestBoardAfterGames: a board waits for the list of games, so that a hint is asked of the game by its own spec.
func TestBoardAfterGames(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play")
	b.run(command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		const ask = window.fetch;
		window.fetch = (...a) => ask(...a).then((r) => new Promise((f) => setTimeout(() => f(r), /\/games$/.test(r.url) ? 3000 : 0)));`}))
	b.open("play?game=connect4&first=human&second=human")
	b.press("Hint")
	b.until("it is answered", `document.querySelector(".dock .tip")?.textContent.startsWith("Look")`)
	if strings.Contains(b.address(), "connect4") {
		t.Fatalf("the board came before the list of games: %s", b.address())
	}
	b.says(".dock .tip", "Look")
}

// faintScript names notes that are wider than what they stand on, or whose colour is near its own.
const faintScript = `(() => {` + lightScript + `
	return [...document.querySelectorAll(":is(.cell .note, .move[class*=shade-])")].filter(e => !e.closest(".shade-none")).map(n => {
		const cell = n.closest(".cell, .move"), under = [n, cell.querySelector(".hole"), cell].find(e => e && !isNaN(light(getComputedStyle(e).backgroundColor)));
		if (!under) return n.textContent + " stands on nothing";
		const range = document.createRange(); range.selectNodeContents(n);
		const [ink, ground] = [light(getComputedStyle(n).color), light(getComputedStyle(under).backgroundColor)];
		const ring = parseFloat(/(\S+)px inset$/.exec(getComputedStyle(under).boxShadow)?.[1] ?? "0");
		const room = under.getBoundingClientRect().width - 2 * ring - range.getBoundingClientRect().width;
		return ratio(ink, ground) < 4.5 ? n.textContent + " differs by " + ratio(ink, ground).toFixed(2) : room < 0 ? n.textContent + " is wider by " + -room : "";
	}).filter(Boolean).slice(0, 5).join("; ");
})()`

// lightScript measures colours (WCAG 2, relative luminance and contrast ratio): those that let others
// through have no luminance.
const lightScript = `
	const paint = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
	const light = colour => { paint.clearRect(0, 0, 1, 1); paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1);
		const [r, g, b, a] = [...paint.getImageData(0, 0, 1, 1).data].map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return a < 1 ? NaN : 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);`

// contrastScript measures the colours of the three values at a nearness.
const contrastScript = `(() => {` + lightScript + `
	const all = ["good", "even", "bad"].map(shade => { const e = document.createElement("b");
		e.className = "shade-" + shade; e.style.setProperty("--near", %q); document.body.append(e);
		const s = getComputedStyle(e), is = [light(s.backgroundColor), light(s.color)]; e.remove(); return is; });
	return %s;
})()`

// TestFalls drops discs by pressing the top of their column, or the key of its number.
func TestFalls(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=connect4&first=human&second=human")
	b.click("the top of a column", square("c6")) // at once, while the game takes its own spec
	b.holds("c1", "Red")
	b.until("the game has its own spec", `document.querySelector("#game")?.value === "mnk:7,6,4+gravity"`)
	b.click("the top of the same column", square("c6"))
	b.holds("c2", "Yellow")
	b.press("Undo") // which has the focus then
	b.until("it is taken back", `!new URLSearchParams(location.search).get("moves").includes(",")`)
	b.until("c2 is empty again", "!"+square("c2")+`.getAttribute("aria-label").includes("Yellow")`)
	b.keys("5")
	b.holds("e1", "Yellow")
	b.keys("5")
	b.holds("e2", "Red")
	b.until("the label tells of the keys", `document.querySelector(".board").ariaLabel.includes("1 to 7 drop into a column")`)
}

// TestLinesLit draws the lines of a plane, and lights those through the point that has
// the focus.
func TestLinesLit(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=fano&first=human&second=human")
	b.until("seven lines are drawn", `document.querySelectorAll(".main-part .ink path").length === 7`)
	b.focus(square("3"))
	b.until("three are lit", `document.querySelectorAll(".main-part .ink .lit").length === 3`)
	b.open("#/play?game=ttt&first=human&second=human&moves=a1,b2,b1,c3,c1")
	b.until("a won row is struck through", `document.querySelectorAll(".main-part .sweep").length === 1`)
	b.open("#/play?game=mnk:5,5,3&first=human&second=human&moves=b3,a1,d3,e1,c2,a5,c4,e5,c3")
	b.until("both of two rows are", `document.querySelectorAll(".main-part .sweep").length === 2`)
	b.says(".statusline", "X wins, with c4–c3–c2 and b3–c3–d3 complete.")
	b.open("#/play?game=torus:3,3,3&first=human&second=human&moves=a1,b1,c2,b2,b3")
	b.until("so is one over the edges",
		`document.querySelector(".main-part .sweep")?.getAttribute("d").split("M").length > 3`)
}

// TestMarks places either mark where the rules leave the choice.
func TestMarks(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=ttt%2Bwild&first=human&second=human")
	b.play("b2")
	b.holds("b2", "X")
	b.press("O")
	b.play("a1")
	b.holds("a1", "O")
	b.says(".movelist", "o@a1")
}

// TestChance lets marks slip where chance says, and walks a tree with chance.
func TestChance(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=ttt%2Bslip=0.5&first=human&second=human")
	b.play("b2")
	b.says(".statusline", "O to move")
	b.until("one mark is on the board", `document.querySelectorAll("button.cell .sign").length === 1`)
	b.open("#/play?game=ttt%2Bslip=0.5&first=human&second=human&moves=b2,b2,a1,c3")
	b.says(".statusline", "X to move")
	if says := eval[string](b, `[...document.querySelectorAll(".movelist li")].map(e => e.textContent).join("; ")`); says != "b2; a1→c3 (slipped)" {
		t.Errorf("the list of moves says %q", says)
	}
	b.says(".muted", "2 of 2")
	b.press("One move back")
	b.says(".muted", "1 of 2")
	b.says(".statusline", "O to move")
	b.press("To the end")
	b.shot("slip")
	b.open("#/play?game=tree:chance&first=human&second=human")
	b.press("Branch 1")
	b.says(".statusline", "Min to move")
	b.press("Branch 1")
	b.says(".statusline", "Payoff to Max")
	b.sound("tree")
}

// TestStones: where marks are stones everything that is said, seen and heard calls the sides Black and White.
func TestStones(t *testing.T) {
	for _, d := range []device{phone, desktop} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play?first=human&second=human&game=mnk:15,15,5&moves=h8")
			b.holds("h8", "h8, Black")
			b.says(".statusline", "White to move")
			noMarks := func(page string) {
				b.Helper()
				if said := eval[string](b, `[...document.querySelectorAll("main, main [aria-label]")].map(e => e.getAttribute("aria-label") ?? e.innerText).map(s => /^(?!Notakto).*\b[XO]\b.*/m.exec(s)?.[0] ?? "").join("\n").trim()`); said != "" {
					b.Errorf("%s says X or O: %q", page, said)
				}
			}
			noMarks("the page to play on")
			b.shot("stones-play")
			won := "game=mnk:15,15,5&first=human&second=human&moves=h8,a1,h9,a2,h10,a3,h11,a4,h12"
			b.open("play?" + won)
			b.says(".statusline", "Black wins")
			b.says(".ending", "Black wins")
			b.until("it is kept", `document.querySelector(".shelf")?.innerText.includes("Black won")`)
			noMarks("a won game")
			b.shot("stones-won")
			b.open("explore?game=mnk:15,15,5&moves=h8,a1,h9,a2,h10,a3,h11,a4")
			b.says(".standing", "Black")
			b.says("main", "Only Black in them")
			noMarks("what is known")
			b.shot("stones-explore")
		})
	}
}

// TestNineBoards: while the program thinks too, the board of the next move is marked; squares without room for
// their names have them at the edges.
func TestNineBoards(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?first=human&second=level:3&game=ultimate")
	b.says(".statusline", "X to move")
	eval[bool](b, `(window.least = 9, new MutationObserver(() => window.least = Math.min(window.least,
		document.querySelectorAll(".nine.active").length)).observe(document, {subtree: true, childList: true, attributes: true}), true)`)
	b.play("e5")
	b.until("the program has moved", `document.querySelectorAll("button.cell .sign").length === 2 && document.querySelector("button.cell.legal")`)
	if least := eval[int](b, `window.least`); least < 1 {
		t.Error("no board was marked while the program was to move")
	}
	const edges = `[...document.querySelectorAll(".meta .rim")].filter(e => getComputedStyle(e).visibility === "visible").map(e => e.textContent).join("")`
	if names := eval[string](b, edges); names != "987654321abcdefghi" {
		t.Errorf("the edges say %q", names)
	}
	if wide := eval[int](b, `(e => e.scrollWidth - e.clientWidth)(document.querySelector(".scroll:has(.meta)"))`); wide > 0 {
		t.Errorf("the board is %d pixels wider than its place", wide)
	}
}

// TestStonesInPuzzles: puzzles say it too.
func TestStonesInPuzzles(t *testing.T) {
	b := newTab(t, newServer(t), phone, "puzzles?game=mnk:15,15,5")
	b.until("a puzzle is there", `/(Black|White) to move/.test(document.querySelector("main").innerText)`)
	b.press("Hint")
	b.shot("stones-puzzle")
	if text := eval[string](b, `document.querySelector("main").innerText`); strings.Contains(text, "X to move") ||
		strings.Contains(text, "O to move") {
		t.Errorf("the puzzle says %q", text)
	}
}

// TestRods: where marks fall in space there is a board of rods. A press on any place of one drops a bead on it, by
// finger and by keys, and the bead falls unless motion is not wanted.
func TestRods(t *testing.T) {
	for _, d := range []device{phone, desktop} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play?first=human&second=human&game=cube:4,3%2Bgravity")
			b.holds("b2d", "falls to b2a")
			if sheets := eval[int](b, `document.querySelectorAll(".board:not(.still) .sheet").length`); sheets != 1 {
				t.Errorf("%d sheets, of rods only the board that they stand on", sheets)
			}
			b.until("an empty place is not drawn", `getComputedStyle(`+square("b2d")+`).boxShadow === "none"`)
			b.click("the top of a rod", square("b2d"))
			b.holds("b2a", "b2a, X, last move")
			b.until("the bead falls", `getComputedStyle(`+square("b2a")+`.querySelector(".bead")).animationName === "thread"`)
			b.focus(square("b2c"))
			b.keys("\r")
			b.holds("b2b", "b2b, O, last move")
			b.sound("rods")
			b.click("the switch of motion", `[...document.querySelectorAll("button")].find(e => e.ariaLabel?.startsWith("Sound and motion"))`)
			b.until("nothing falls", `getComputedStyle(`+square("b2b")+`.querySelector(".bead")).animationName === "none"`)
		})
	}
}

// TestLosingSets: where a set is completed by the side that loses or did not want it, the page says so; and where sides
// have no marks of their own, no mark stands for whose turn it is.
func TestLosingSets(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?first=human&second=human&game=ttt%2Bmisere&moves=a1,b2,a2,b3,a3")
	b.says(".statusline", "O wins: X completed a3, a2, a1.")
	b.open("play?first=human&second=human&game=ttt%2Bmisere&moves=a1")
	b.says(".statusline", "O to move")
	b.until("O stands for its turn", `document.querySelector(".statusline .turnmark")`)
	b.open("play?first=human&second=human&game=ttt%2Bnotakto&moves=a1")
	b.says(".statusline", "Second to move")
	b.until("no mark stands for a side", `!document.querySelector(".statusline .turnmark")`)
	b.open("play?first=human&second=human&game=ttt%2Bnotakto&moves=a1,b2,a3,c2,b1,b3")
	b.says(".statusline", "First wins: Second completed b3, b2, b1.")
	b.open("play?first=human&second=human&game=ttt&moves=a1,b2,a2,b3,a3")
	b.says(".statusline", "X wins, with a3, a2, a1 complete.")
}

package studio_test

import (
	"testing"
)

// slim is a phone of the usual width.
var slim = device{"slim", 390, 844, true, "light"}

// firstFree presses the first square that can be played, when it is the person's
// turn; it reports whether the game is over.
func (b *tab) firstFree() (over bool) {
	b.Helper()
	const next = `[...document.querySelectorAll("button")].find(e => e.textContent === "Next game" && !e.disabled)`
	const free = `[...document.querySelectorAll('.board:not(.busy) .cell[aria-disabled="false"]')][0]`
	b.until("it is my turn, or the game is over", next+" || "+free)
	if eval[bool](b, "Boolean("+next+")") {
		return true
	}
	b.click("a free square", free)
	return false
}

// beadsReadable holds the numbers of beads to be of 12 pixels and more, and to lie within their squares.
func (b *tab) beadsReadable() {
	b.Helper()
	if small := eval[[]string](b, `[...document.querySelectorAll(".heap text")].filter(e => { const box = e.getBBox(), px = e.ownerSVGElement.clientWidth / 40;
		return parseFloat(getComputedStyle(e).fontSize) * px < 12 && !e.matches(".many") || box.x + box.width > 40; }).map(e => e.textContent)`); len(small) > 0 {
		b.Errorf("beads' numbers that are small or cut off: %q", small)
	}
}

// TestTeachFromScratch: a person who has never been here teaches MENACE, sees its
// box, the bead that is drawn and the beads that come and go, and finds all of it
// again after a reload and a restart of the server.
func TestTeachFromScratch(t *testing.T) {
	for _, d := range []device{desktop, slim, desktop.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			h := newHost(t)
			b := newTab(t, h.server, d, "#/learn")
			b.expectRefusals()
			eval[bool](b, `(document.querySelector("main a[href*=teach]").click(), true)`)
			b.until("Start is offered", button("Start"))
			b.sound("teach-begin")
			b.press("Start")
			b.says(".statusline", "Your turn: you play O.")
			b.says(".card", "A bead fell out")
			b.until("the box is drawn with beads and one pulled out",
				`document.querySelectorAll(".drawer .bead").length > 20 && document.querySelector(".drawer .pulled")`)
			b.until("all boxes are there, one of them lit",
				`document.querySelectorAll(".wallglance .tiny").length === 304 && document.querySelectorAll(".tiny.lit").length === 1`)
			b.beadsReadable()
			b.sound("teach-turn")
			for range 6 {
				if b.firstFree() {
					break
				}
			}
			b.says(".statusline", "learned from")
			b.says(".card", "What it learned from this game")
			b.until("beads came or went", `document.querySelector(".drawer .plus, .drawer .minus")`)
			b.until("the strip has the game", `document.querySelectorAll(".strip li").length === 1`)
			b.beadsReadable()
			b.sound("teach-learned")
			b.press("Next game")
			b.says(".statusline", "Your turn")
			b.firstFree()
			b.until("the machine has answered", `document.querySelectorAll(".cell .sign").length >= 3`)
			b.says(".statusline", "Your turn")
			h.stop()
			h.start()
			b.open(b.address())
			b.until("the game is there after a restart",
				`document.querySelectorAll(".cell .sign").length >= 3 && document.querySelectorAll(".strip li").length === 1`)
			b.choose("by", "random")
			b.press("Let them play on")
			b.until("games go by", `document.querySelectorAll(".strip li").length >= 5`)
			b.press("Stop")
			b.choose("by", "second")
			b.says("h2", "The second machine plays O")
			b.press("Let them play on")
			b.until("both have learned", `document.querySelectorAll(".card .strip li").length >= 2`)
			b.press("Stop")
			b.sound("teach-duel")
			b.write(`[aria-label="Name to save it under"]`, "taught-"+d.String())
			b.press("Save")
			b.says("[role=status]", "Saved as taught-")
		})
	}
}

// TestTeachOthers: learners of other kinds show what they think, and other games can
// be taught.
func TestTeachOthers(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/teach?learner=lms&seats=second")
	b.press("Start")
	b.says(".statusline", "Your turn: you play X.")
	b.play("b2")
	b.says(".card", "What it thinks of its moves")
	b.says(".learned", "Value")
	for {
		for !b.firstFree() {
		}
		b.says(".card", "What it learned from this game")
		const drawn = `document.querySelector(".statusline").textContent.includes("A draw")`
		b.until("it says what changed, or the game was drawn", `document.querySelector(".learned th") || `+drawn)
		if !eval[bool](b, drawn) {
			break
		}
		b.press("Next game") // weights of nothing learn nothing from a draw
		b.says(".statusline", "Your turn")
	}
	b.says(".learned", "After")
	b.sound("teach-lms")
	b.open("#/teach?game=qubic&learner=td")
	b.press("Start")
	b.says(".statusline", "Your turn: you play O.")
	b.open("#/teach?game=mnk:3,3,3%2Bmisere&learner=nearest&head=100")
	b.press("Start")
	b.says(".statusline", "Your turn")
	for !b.firstFree() {
	}
	b.says(".lessons", "worth")
	b.sound("teach-nearest")
}

// TestTeachFits: the whole board is in sight in a window of usual width.
func TestTeachFits(t *testing.T) {
	for _, d := range []device{{"wide", 1300, 1000, false, "light"}, {"small", 1024, 768, false, "light"},
		{"narrow", 900, 768, false, "light"}, slim} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/teach")
			for _, game := range []string{"ttt", "mnk:4,4,4", "mnk:5,5,4", "mnk:7,7,5"} {
				b.open("#/teach?game=" + game + "&learner=td")
				b.press("Start")
				b.says(".statusline", "Your turn")
				b.until(game+": the board is no wider than its place", `(() => {
					const wide = document.querySelector(".bench .scroll");
					return wide && wide.scrollWidth <= wide.clientWidth && !document.querySelector(".bench").textContent.includes("wider than");
				})()`)
				b.sound("fits-" + game)
			}
		})
	}
}

// TestTeachStays: the board stays where it is, however long what is said over it.
func TestTeachStays(t *testing.T) {
	for _, d := range []device{phone, handheld, {"upright", 600, 900, true, "light"},
		{"narrow", 900, 768, false, "light"}, {"small", 1024, 768, false, "light"}, desktop, lying} {
		t.Run(d.name, func(t *testing.T) {
			b := newTab(t, newServer(t), d, "teach?game=ttt")
			b.press("Start")
			b.says(".statusline", "Your turn")
			by := eval[float64](b, `(() => {
				const top = () => document.querySelector(".board").getBoundingClientRect().top, before = top();
				document.querySelector(".statusline").textContent = "The learner resigned: this box is empty. You win, and it learned.";
				return top() - before;
			})()`)
			if by != 0 {
				t.Errorf("the board moves by %v", by)
			}
		})
	}
}

// TestWegerLaboratory: from the untouched page, where a board and both sets of
// constants stand, the published series is played and drawn, constants are set while
// it goes on, and a person takes either side.
func TestWegerLaboratory(t *testing.T) {
	for _, d := range []device{desktop, slim} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/weger")
			b.says(".statusline", "Game 1 of the series")
			b.until("there are a board and twelve constants", `document.querySelectorAll(".cell").length === 81 &&
				document.querySelectorAll(".constants input[type=range]").length === 12`)
			b.sound("weger-untouched")
			b.press("One move")
			b.until("it has begun", `document.querySelectorAll(".cell .sign").length === 1`)
			b.unfold("printed")
			b.press("Set up the printed series")
			b.until("the board is empty again", `document.querySelectorAll(".cell .sign").length === 0`)
			b.press("One move")
			b.press("One move")
			b.says("h2", "Why it played")
			b.sound("weger-begin")
			b.press("Play on")
			b.until("twenty games are played", `document.querySelectorAll(".strip li").length === 20`)
			b.until("as printed", `[...document.querySelectorAll(".strip li")].map(e => e.textContent).join("") === "LLLLLLLLLWLLLLLWWWWW"`)
			b.until("with enough points", `Number(/([\d,]+) points/.exec(document.body.textContent)[1].replace(",", "")) >= 500`)
			b.says(".legend-table", "3.046")
			b.sound("weger-series")
			b.unfold("measure")
			b.press("Measure")
			b.says("[role=status]", "% of the points")
			b.sound("weger-measured")
			b.choose("pace", "key")
			b.press("Next game")
			b.press("One move")
			b.run()
			eval[bool](b, `(() => { const e = document.querySelector("#learner-5"); e.value = "4"; e.dispatchEvent(new Event("input", {bubbles: true})); e.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
			b.until("the constant is set", `/potentials\s*4/.test(document.querySelector(".legend-table").innerText)`)
			b.press("One move")
			b.says("h2", "Why the fixed player moved last as it did")
			b.choose("ahead", "1")
			b.says(".side-part", "depth=1")
			b.press("One move")
			b.says(".scoreline", "boards won")
			b.press("Learner – you")
			b.until("it is my turn", `document.querySelector('.cell[aria-disabled="false"]')`)
			b.firstFree()
			b.press("You – fixed")
			b.until("the board is empty", `document.querySelectorAll(".cell .sign").length === 0`)
			b.firstFree()
			b.until("it answers", `document.querySelectorAll(".cell .sign").length === 2`)
			b.says("h2", "Why it played")
		})
	}
}

// TestSecondMachineTrained: a second machine may have a head start, of games by itself.
func TestSecondMachineTrained(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "teach")
	b.press("Start")
	b.until("who may play is there", `document.querySelector("#by option[value=trained]")`)
	b.choose("by", "trained")
	b.says("h2", "The second machine plays O")
	list := eval[string](b, `fetch("api/v1/pupils").then(r => r.json()).then(l => l.pupils.map(p => p.head + " " + p.games).sort().join())`)
	if list != "0 0,100 100" {
		t.Errorf("head starts and games are %s", list)
	}
}

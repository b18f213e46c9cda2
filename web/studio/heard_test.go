package studio_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// listen notes what screen readers are told from now on: the text of each live part of the page
// when it changes.
const listen = `window.told = []; window.last = new Map(); const live = "[role=status],[role=alert],[aria-live]";
for (const e of document.querySelectorAll(live)) window.last.set(e, e.textContent.trim());
new MutationObserver((list) => {
	const changed = list.map((m) => (m.target.nodeType === 1 ? m.target : m.target.parentElement)?.closest(live));
	for (const e of new Set(changed)) {
		const text = e?.textContent.trim();
		if (text && text !== window.last.get(e)) window.told.push(text);
		if (e) window.last.set(e, text);
	}
}).observe(document.body, {subtree: true, childList: true, characterData: true}); true`

// TestNothingSaidTwice plays and explores: no sentence is told to screen readers twice for one
// move.
func TestNothingSaidTwice(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=human")
	for _, page := range []struct{ address, move, ready string }{
		{"play?game=ttt&first=human&second=human", "b2", "O to move."},
		{"play?game=ttt&first=human&second=human&moves=a1,b1,a2,b2", "a3", "X wins"},
		{"explore?game=ttt&moves=a1,b1", "a2", "O to move."},
	} {
		b.open(page.address)
		b.until("the move can be made", square(page.move)+`?.getAttribute("aria-disabled") !== "true"`)
		b.until("all is there", `!location.href.includes("explore") || document.querySelector(".bestline") &&
			document.querySelector(".standing").textContent.includes("solved") && document.querySelector(".review [role=status]").textContent`)
		eval[bool](b, listen)
		b.click(page.move, square(page.move))
		b.says(".statusline", page.ready)
		b.holds(page.move, "X")
		b.until("all is said", `!document.body.textContent.includes("Working it out") && window.told.length > 0`)
		b.saidOnce()
	}
}

// saidOnce holds what was told since listen to have no sentence twice.
func (b *tab) saidOnce() {
	b.Helper()
	count := map[string]int{}
	for _, text := range eval[[]string](b, "window.told") {
		for _, sentence := range strings.SplitAfter(text, ". ") {
			count[strings.TrimSpace(sentence)]++
		}
	}
	for sentence, n := range count {
		if n > 1 {
			b.Errorf("%s: %q is said %d times", b.address(), sentence, n)
		}
	}
}

// TestPuzzleSaidOnce takes two hints, the second of which is told alone, and gives the answer.
func TestPuzzleSaidOnce(t *testing.T) {
	z, _ := aPuzzle(t, "mnk:4,4,4", "fork")
	b := newTab(t, newServer(t), desktop, "puzzles?id="+z.ID)
	b.until("the move can be made", square(z.Answer)+`?.getAttribute("aria-disabled") === "false"`)
	eval[bool](b, listen)
	b.press("Hint")
	b.until("a hint is told", "window.told.length === 1")
	b.press("Hint")
	b.until("another hint is told", "window.told.length === 2")
	b.play(z.Answer)
	b.says(".solved.right", "Right: "+z.Answer)
	b.until("the answer is told", "window.told.length > 2")
	b.saidOnce()
}

// TestSmallBoardsTold: of nine boards each square says who has won its board, or that it is drawn, and the move that
// does so is told.
func TestSmallBoardsTold(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ultimate&first=human&second=human&moves=e5,d4,a1,b2,e4,e2")
	b.holds("f6", "empty, board 5, centre")
	b.until("no board is won yet", `![...document.querySelectorAll("[role=status], .cell")].some(e => /won by/.test(e.ariaLabel ?? e.textContent))`)
	b.play("e6")
	b.says("[role=status]", "board 5, centre, won by X")
	b.holds("f6", "board 5, centre, won by X, not playable")
	b.holds("e6", "X, board 5, centre, won by X, last move")
	b.open("play?game=meta&first=human&second=human&moves=" +
		"e4,d3,a9,b8,d6,b9,d9,c9,g9,a8,a6,c7,h2,f5,i5,g6,c8,g4,a1,a3,a7,c1,i1,g3")
	b.holds("b7", "empty, board 1, top left")
	b.play("b7")
	b.says("[role=status]", "board 1, top left, drawn")
	b.holds("a9", "X, board 1, top left, drawn")
}

// TestLookingBackTold steps back through a game: what is told is where in it one is, and whose turn it was.
func TestLookingBackTold(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=human&moves=a1,b2")
	b.play("c3")
	b.says("[role=status]", "X plays c3. O to move.")
	b.press("One move back")
	b.says("[role=status]", "After move 2 of 3, b2. X to move.")
	b.press("To the start")
	b.says("[role=status]", "The start, before 3 moves. X to move.")
	b.until("the last move is told no more", `![...document.querySelectorAll("[role=status]")].some(e => e.textContent.includes("plays c3"))`)
}

// TestForcedColours shows a won game in the system's own colours: the winning line, the last move
// and the board to play in still differ from the rest.
func TestForcedColours(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play")
	b.run(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}}))
	style := func(selector, pseudo, property string) string {
		t.Helper()
		b.until("there is "+selector, `document.querySelector(`+quote(selector)+`)`)
		return eval[string](b, `getComputedStyle(document.querySelector(`+quote(selector)+`), `+quote(pseudo)+`).`+property)
	}
	for _, page := range []struct{ name, address string }{
		{"ttt", "play?game=ttt&first=human&second=human&moves=a1,b1,a2,b2,a3"},
		{"connect4", "play?game=mnk:7,6,4%2Bgravity&first=human&second=human&moves=a1,b1,a2,b2,a3,b3,a4"},
		{"gomoku", "play?game=mnk:15,15,5&first=human&second=human&moves=a1,b1,a2,b2,a3,b3,a4,b4,a5"},
		{"fano", "play?game=fano&first=human&second=human&moves=1,4,2"},
	} {
		b.open(page.address)
		if page.name != "fano" {
			line, other := style(".cell.won", "", "outlineStyle"), style(".cell:not(.won)", "", "outlineStyle")
			if line == other {
				t.Errorf("%s: a square of the winning line has the outline of others, %s", page.name, line)
			}
		}
		mark, ground := style(".cell.last", "::after", "backgroundColor"), style(".cell.last", "", "backgroundColor")
		if mark == ground {
			t.Errorf("%s: the last move is marked in %s on %s", page.name, mark, ground)
		}
		b.shot("forced-" + page.name)
	}
	b.open("play?game=ultimate&first=human&second=human&moves=e5")
	if style(".nine.active", "", "outlineStyle") == style(".nine:not(.active)", "", "outlineStyle") {
		t.Error("the board to play in is framed as the others are")
	}
	b.shot("forced-ultimate")
}

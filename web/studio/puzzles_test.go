package studio_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"oxo/lab"
)

// aPuzzle returns a carried puzzle of a game and a move of it that is not right.
func aPuzzle(t *testing.T, game string, theme lab.Theme) (z lab.Puzzle, wrong string) {
	t.Helper()
	list := lab.CarriedPuzzles(game, theme)
	if len(list) == 0 {
		t.Fatalf("no puzzle of %s", game)
	}
	z = list[len(list)/2]
	return z, wrongMove(t, &z)
}

// wrongMove returns a move of a puzzle that is not its answer.
func wrongMove(t *testing.T, z *lab.Puzzle) string {
	t.Helper()
	g, err := (&lab.Lab{}).Game(z.Game)
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Parse(z.Position)
	if err != nil {
		t.Fatal(err)
	}
	return s.Moves[slices.IndexFunc(s.Moves, func(m string) bool { return m != z.Answer })]
}

// TestPuzzlePage tries a wrong move, hears why, tries again and finds the right one.
func TestPuzzlePage(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			z, wrong := aPuzzle(t, "mnk:4,4,4+misere", "save")
			b := newTab(t, newServer(t), d, "#/puzzles?id="+z.ID)
			b.says(".statusline", "to move: ")
			b.until("the board is there", fmt.Sprintf(`document.querySelectorAll(".cell").length === %d`, 16))
			b.sound("puzzle-" + d.String())
			if eval[bool](b, "Boolean("+button("Explore it")+")") {
				t.Error("Explore gives the answer before the first try")
			}
			b.press("Hint")
			b.says(".solved", ".")
			b.play(wrong)
			b.says(".solved.wrong", "Not "+wrong)
			b.press("Try again")
			b.until("the wrong move is taken back", `!document.querySelector(".solved.wrong")`)
			b.play(wrong)
			b.says(".solved.wrong", "Not "+wrong)
			b.play(wrong)
			b.until("a press on the wrong move takes it back", `!document.querySelector(".solved.wrong")`)
			b.press("Hint")
			b.says(".solved", z.Answer)
			b.until("what the hint names is marked", `document.querySelector('.cell.zone[data-name="`+z.Answer+`"]')`)
			if said := eval[string](b, `document.querySelector(".solved").textContent`); strings.Contains(said, wrong) {
				t.Errorf("%s was refused, and the hint names it: %s", wrong, said)
			}
			b.play(z.Answer)
			b.says(".solved.right", "Right: "+z.Answer)
			b.sound("puzzle-right-" + d.String())
			b.press("Share")
			b.until("the frame sets the puzzle, which has no score sheet", `document.querySelector("dialog")?.textContent.includes("It sets the puzzle, and says whether a move is right.") &&
				!document.querySelector("dialog a[href*=sheet]")`)
			b.press("Close")
			b.press("Next puzzle")
			b.until("another puzzle is set", fmt.Sprintf(`!location.href.includes(%q)`, z.ID))
			b.says(".statusline", "to move")
			b.until("the board has the focus", `document.activeElement.closest(".board")`)
			b.press("Hint")
			b.press("Answer")
			b.says(".gained", "Your rating") // which was told before a try
		})
	}
}

// playOn makes the right moves of a puzzle that goes on, and waits for each reply.
func (b *tab) playOn(z *lab.Puzzle) {
	b.Helper()
	g, err := (&lab.Lab{}).Game(z.Game)
	if err != nil {
		b.Fatal(err)
	}
	var line []string
	for {
		left, err := lab.PuzzleAfterLine(g, z, line)
		if err != nil {
			b.Fatal(err)
		}
		tried, err := lab.TryPuzzleMove(b.Context(), g, z, line, left.Answer)
		if err != nil {
			b.Fatal(err)
		}
		b.play(left.Answer)
		b.says(".solved.right", tried.Says)
		if tried.Next == nil {
			return
		}
		line = append(line, tried.Answer, tried.Reply)
		b.says(".statusline", tried.Next.Goal)
	}
}

// TestPuzzleGoesOn plays a win of three moves to its end: a wrong move on the way is taken back to the reply, and the
// answer is told of there.
func TestPuzzleGoesOn(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			list := slices.DeleteFunc(slices.Clone(lab.CarriedPuzzles("mnk:5,5,4", "win")),
				func(z lab.Puzzle) bool { return z.Plies != 5 })
			z := &list[len(list)/2]
			b := newTab(t, newServer(t), d, "puzzles?id="+z.ID)
			b.says(".statusline", "win by force in 3 moves")
			b.playOn(z)
			b.says(".solved.right", " wins.")
			b.says(".statusline", " wins")
			b.until("the row is swept", `document.querySelector(".sweep")`)
			b.sound("puzzle-won-" + d.String())
			b.open("puzzles?id=" + list[0].ID)
			g, err := (&lab.Lab{}).Game(list[0].Game)
			if err != nil {
				t.Fatal(err)
			}
			first, err := lab.TryPuzzleMove(t.Context(), g, &list[0], nil, list[0].Answer)
			if err != nil {
				t.Fatal(err)
			}
			b.says(".statusline", "win by force in 3 moves")
			b.play(list[0].Answer)
			b.says(".statusline", "to move: go on")
			wrong := wrongMove(t, first.After)
			b.play(wrong)
			b.says(".solved.wrong", wrong)
			b.press("Try again")
			b.until("the reply is still there", square(first.Reply)+`.getAttribute("aria-label").startsWith(`+quote(first.Reply+", ")+`) && !/empty/.test(`+square(first.Reply)+`.ariaLabel)`)
			b.press("Answer")
			b.says(".solved", "It is "+first.After.Answer+".")
			b.says(".solver", "1 of 2")
			b.says(".solved", "Then ")
			b.says(".statusline", " wins") // the line is played to its end
			b.press("Back")
			b.until("its last move is taken back", `!document.querySelector(".statusline").textContent.includes(" wins")`)
			b.press("On")
			b.says(".statusline", " wins")
		})
	}
}

// TestToldOnceSolved: what would give the answer away of a wrong move is told once a win of more moves is there, and a
// puzzle that is solved asks for nothing any more.
func TestToldOnceSolved(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "puzzles?id=d40162c768b2")
	b.says(".statusline", "to move: make two threats")
	b.play("d2")
	b.says(".solved.wrong", "Why is told once this is solved.")
	b.press("Try again")
	b.play("a4")
	b.says(".statusline", "to move: go on")
	b.play("a2")
	b.says(".solved.right", "After d2 play goes on a4")
	b.says(".solved.right", "Not counted: another move was tried first.")
	z, _ := aPuzzle(t, "mnk:4,3,3", "block")
	b.open("puzzles?id=" + z.ID)
	b.says(".statusline", "to move: block")
	b.focus("document.querySelector('h1').closest('main').querySelector('input, button, a')")
	b.keys("h") // wherever the focus is
	b.says(".solved", "See what ")
	b.play(z.Answer)
	b.says(".solved.right", "Not counted: there was a hint.")
	b.until("nothing is asked for", `document.querySelector(".statusline").textContent === "Solved."`)
	b.open("puzzles?id=a3633c0be34c")
	b.says(".statusline", "to move: ")
	b.press("Answer")
	b.says(".solved", "Then ")
	b.says(".statusline", " wins")
	b.press("Back")
	b.until("whose turn it is", `/^[XO] to move\.$/.test(document.querySelector(".statusline").textContent)`)
}

// TestRaceMiss: of a wrong move in a race, which goes on before the puzzle is solved, nothing is told later, and the
// next puzzle may be as easy.
func TestRaceMiss(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "puzzles?from=race&game=mnk:4,3,3&theme=fork")
	b.press("Without a clock")
	b.until("a puzzle is set", `document.querySelector('.cell:not([aria-disabled="true"])')`)
	z := b.puzzleShown("mnk:4,3,3", "fork")
	g, err := (&lab.Lab{}).Game(z.Game)
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Parse(z.Position)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range s.Moves {
		tried, err := lab.TryPuzzleMove(t.Context(), g, &z, nil, m)
		if err != nil || tried.Later == "" {
			continue
		}
		b.play(m)
		b.until("only the right one is told", `(said => said?.endsWith("Right was `+z.Answer+`.") && !said.includes("told once"))(
			document.querySelector(".tip.wrong")?.textContent)`)
		b.until("the next one is asked for", `performance.getEntriesByType("resource").some(e => e.name.includes("?near=800&least=0&but=`+z.ID+`"))`)
		return
	}
	t.Errorf("%s: nothing is told later", z.ID)
}

// puzzleShown is which of the puzzles of 4×3 with a theme is on the board.
func (b *tab) puzzleShown(game string, theme lab.Theme) lab.Puzzle {
	b.Helper()
	board := eval[string](b, `[..."321"].flatMap(row => [..."abcd"].map(col => / ([XO])/.exec(document.querySelector(
		'.cell[data-name="' + col + row + '"]').ariaLabel)?.[1].toLowerCase() ?? ".")).join("")`)
	for _, z := range lab.CarriedPuzzles(game, theme) {
		if stands, _, _ := strings.Cut(z.Position, " "); strings.ReplaceAll(stands, "/", "") == board {
			return z
		}
	}
	b.Fatalf("no puzzle is %s", board)
	return lab.Puzzle{}
}

// TestRace solves one puzzle of a race without a clock and misses three: what was reached is kept, and those missed can
// be opened. With a clock time is shown.
func TestRace(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "puzzles?from=race&game=mnk:4,3,3&theme=block")
			b.says(".main-part", "3 misses end the race")
			b.sound("race-" + d.String())
			b.until("a game can be chosen", `document.getElementById("puzzle-game")`)
			b.press("Without a clock")
			b.until("a race under way stays in its game", `!document.getElementById("puzzle-game")`)
			played, right := "", "" // in the last one
			for n := range 4 {
				b.says(".racing", fmt.Sprintf("Solved: %d. Missed: %d of 3.", min(n, 1), max(0, n-1)))
				b.until("the next one is open", `document.querySelector('.cell:not([aria-disabled="true"])') && document.querySelector(".tip:not(.right, .wrong)")`)
				if n > 0 {
					b.until("the focus stays on the board", `document.activeElement.closest(".board")`)
					b.until("the score and what is to be done are told", `/\d of 3\. . to move/.test(document.querySelector(".racing + .unseen").textContent)`)
				}
				z := b.puzzleShown("mnk:4,3,3", "block")
				move := z.Answer
				if n > 0 {
					move = wrongMove(t, &z)
				}
				played, right = move, z.Answer
				b.play(move)
				if n > 0 {
					b.says(".tip.wrong", "Right was "+z.Answer+".")
					b.until("what is said has its place beside the board, where there is room",
						fmt.Sprintf(`Boolean(document.querySelector(".panel .tip.wrong")) === %v`, d == desktop))
					b.says(".racing", fmt.Sprintf("Missed: %d of 3.", n)) // at once
					b.until("it is marked", square(z.Answer)+`.classList.contains("zone")`)
				}
			}
			b.says(".statusline.ended", "3 missed: 1 puzzle solved, the hardest rated ")
			b.says(".statusline.ended", "Your best so far!")
			b.until("those missed are links", `document.querySelectorAll(".main-part .past a").length === 3`)
			b.says(".past li:last-child", "You played "+played+"; right was "+right+".")
			b.until("each has its tick or cross", `document.querySelector(".main-part").textContent.includes("✓✗✗✗")`)
			b.sound("race-over-" + d.String())
			b.press("Three minutes")
			b.says(".racing .clock", "2:5")
			b.press("Stop")
			b.says(".statusline.ended", "0 puzzles solved. Your best: 0.")
			b.press("First miss ends")
			b.says(".racing", "Missed: 0 of 1.")
			b.press("Stop")
			b.says(".statusline.ended", "0 puzzles solved.")
			b.open("puzzles?from=race")
			b.says(".main-part", "Your best without a clock: 1.")
		})
	}
}

// TestOwnMistakes sets the mistake of a game that this browser keeps.
func TestOwnMistakes(t *testing.T) {
	for _, d := range []device{desktop, phone} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/play?game=ttt&first=human&second=human&moves=a1,b2,c1,a3,b1")
			b.says(".statusline", "X wins")
			b.open("#/puzzles?from=mistakes")
			b.says(".statusline", "O to move: block, or lose at once")
			b.says(".solved", "In your game a3 was played here")
			b.play("a3")
			b.says(".solved.wrong", "Not a3")
			b.play("a3") // once more takes it back, which is told
			b.until("it is told", `[...document.querySelectorAll(".unseen")].some(e => e.textContent.includes("In your game a3 was played here"))`)
			b.play("b1") // at once
			b.says(".solved.right", "Right: b1")
			b.sound("own-mistake-" + d.String())
			b.until("the game is a link, to where it was", `new URLSearchParams(`+button("The game")+`.search).get("ply") === "3" &&
				new URLSearchParams(`+button("The game")+`.search).get("moves") === "a1,b2,c1,a3,b1"`)
			b.press("Next puzzle")
			b.says(".main-part", "No other mistake")
			b.open("play?game=ttt&first=human&second=level:2&moves=a2,b2,c2,b1,b3,a1,c1,c3")
			b.says(".ending .why", "Look at your move")
			b.open("#/puzzles?from=mistakes")
			b.says(".statusline", "X to move: save the draw. 6 moves do.")
			b.says(".solved", "In your game c2 was played here. 6 moves are right: make one of them on the board.")
			b.sound("own-mistake-several-" + d.String())
			b.play("b3")
			b.says(".solved.right", "Right: b3. Right as well: a3, ")
			b.press("Next puzzle")
			b.says(".statusline", "O to move: block, or lose at once")
			b.until("the board is there", `document.querySelectorAll(".cell").length === 9`)
			b.press("Next puzzle")
			b.says(".main-part", "No other mistake")
			b.press("The same once more")
			b.says(".statusline", "X to move: save the draw")
			b.until("the board is there", `document.querySelectorAll(".cell").length === 9`)
			b.press("Next puzzle")
			b.says(".statusline", "O to move: block, or lose at once")
			b.press("Today’s")
			b.says(".muted", "The puzzle of ")
			// Of a game that was played online it is the mistakes of who played it here.
			eval[bool](b, `localStorage.setItem("oxo.games", JSON.stringify(JSON.parse(localStorage.getItem("oxo.games")).filter(
				g => g.second === "human").map(g => ({...g, online: "first"})))) ?? true`)
			b.open("#/puzzles?from=mistakes")
			b.says(".main-part", "makes a puzzle yet")
		})
	}
}

// TestOwnMistakeOffered loses games: one's mistakes are offered as puzzles only where one of that game makes one.
func TestOwnMistakeOffered(t *testing.T) {
	const asked = `performance.getEntriesByType("resource").some(e => e.name.endsWith("/puzzles/mistakes") && e.responseEnd > 0)`
	for moves, offered := range map[string]bool{"ttt&first=human&second=level:2&moves=a1,b2,c3,a3,b1,c1": true,
		"mnk:4,3,3&first=level:2&second=human&moves=b2,a1,c2,a2,d2": false} {
		for _, d := range []device{desktop, phone} {
			t.Run(moves+"/"+d.String(), func(t *testing.T) {
				b := newTab(t, newServer(t), d, "play?game="+moves)
				why := map[bool]string{true: "Look at your move", false: "It was lost from the start"}
				b.says(".ending .why", why[offered])
				link := `[...document.querySelectorAll(".ending a")].find(e => e.textContent === "Your mistakes as puzzles")`
				b.until("the game was looked at for puzzles", asked)
				b.until("its mistakes are offered where they are", fmt.Sprintf(`%s?.checkVisibility({visibilityProperty: true}) === %v`, link, offered))
				b.sound(fmt.Sprintf("own-mistake-offered-%v", offered))
				if shift := eval[float64](b, "window.shifted"); d.touch && shift > noShift {
					t.Errorf("the layout jumps by %.3f: %s", shift, eval[string](b, `window.shifts.join("; ")`))
				}
				if offered {
					b.press("Your mistakes as puzzles")
					b.says(".solved", "In your game ")
				}
			})
		}
	}
}

// TestNoMistakes asks for mistakes where no game was played: the page says how one comes to be, and
// leads to the board.
func TestNoMistakes(t *testing.T) {
	b := newTab(t, newServer(t), phone, "puzzles?from=mistakes")
	b.says(".main-part", "a move that is wrong for certain")
	b.sound("no-mistakes")
	b.press("Play a game")
	b.says(".statusline", "X to move")
}

// TestPuzzleCounts keeps a rating and a run of the first tries, and sets the puzzle of the
// day.
func TestPuzzleCounts(t *testing.T) {
	z, _ := aPuzzle(t, "mnk:4,4,4", "fork")
	b := newTab(t, newServer(t), desktop, "#/puzzles?id="+z.ID)
	b.says(".side-part", "Only the first try")
	b.until("the board is there", `document.querySelectorAll(".cell").length === 16`)
	b.playOn(&z)
	b.says(".solved.right", "Your rating comes after about ") // no number is said before it is settled
	b.until("nothing is counted in points", `!/[+−]\d/.test(document.querySelector(".solved").textContent)`)
	b.says(".solver", "after about ")
	b.until("no number is told", `!/\d{3}/.test(document.querySelector(".solver").textContent)`)
	b.says(".solver", "1 of 1")
	b.until("a won game is not played out", "!"+button("Play it out"))
	b.open("#/puzzles?id=" + z.ID)
	b.says(".solver", "1 of 1") // the server knows who comes back
	far, _ := aPuzzle(t, "mnk:5,4,4+gravity", "only")
	b.open("#/puzzles?id=" + far.ID)
	b.until("the board is there", `document.querySelectorAll(".cell").length === 20`)
	b.play(far.Answer)
	b.says(".solver", "2 of 2")
	b.press("Play it out") // the other side answers at once
	b.says("body", "2 moves so far")
	other, miss := aPuzzle(t, "mnk:4,3,3", "block")
	b.open("#/puzzles?id=" + other.ID)
	b.until("the board is there", `document.querySelectorAll(".cell").length === 12`)
	b.play(miss)
	b.says(".solved.wrong", "Not "+miss)
	b.says(".solver", "2 of 3")
	b.press("Answer")
	b.says(".solved", "It is "+other.Answer)
	b.press("Once more the one that you missed")
	b.says(".solved", "You have tried this one before")
	b.until("it is the one that was missed", `location.search.includes("`+other.ID+`")`)
	b.play(other.Answer)
	b.says(".solved.right", "Off your list of missed ones, 0 left.")
	b.until("none is missed", `![...document.querySelectorAll("button")].some(e => e.textContent.includes("missed"))`)
	b.press("Next puzzle")
	b.says(".main-part", "No puzzle is left that you have missed")
	b.press("All puzzles")
	b.says(".statusline", "to move")
	b.until("the missed ones are asked for no more", `document.getElementById("puzzle-difficulty").value === ""`)
	b.open("puzzles?difficulty=missed")
	b.says(".main-part", "No puzzle is left that you have missed")
	b.press("Collection")
	b.says(".statusline", "to move")
	b.open("#/puzzles?id=daily")
	b.says(".muted", "The puzzle of ")
	b.open("#/puzzles?game=qubic&theme=win")
	b.says(".statusline", "to move: win")
	b.sound("puzzle-qubic")
}

// TestPuzzleAddress: the address of a puzzle that was drawn names it, so that a reload and the link that is shared lead
// to it again, and the next puzzle is another one.
func TestPuzzleAddress(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "puzzles?game=mnk:7,6,4%2Bgravity&theme=win")
	b.says("main .muted", "Connect Four. Rated ")
	b.until("the address names the puzzle", `new URLSearchParams(location.search).get("id")`)
	b.until("every square of a column can be pressed", `document.querySelectorAll('.cell[aria-disabled="true"]').length ===
		document.querySelectorAll(".cell").length - [...document.querySelectorAll(".cell")].filter(e => /, (falls to \w\d|empty)$/.test(e.ariaLabel)).length`)
	b.until("a mark falls", `[...document.querySelectorAll(".cell")].some(e => /^[a-g]6, empty, falls to [a-g][1-5]$/.test(e.ariaLabel))`)
	eval[bool](b, `(navigator.clipboard.writeText = async (text) => { window.copied = text; }) && true`)
	b.press("Share")
	b.focus(button("Copy link"))
	b.keys(kb.Enter)
	here := b.address()
	b.until("the link is the puzzle’s", `/puzzles\?id=[0-9a-f]+$/.test(window.copied)`)
	goal := eval[string](b, `document.querySelector(".board").innerHTML`)
	b.open(here)
	b.until("it is there again", `document.querySelector(".board")?.innerHTML === `+quote(goal))
	b.press("Hint")
	b.open(here)
	b.until("after a hint no try is the first, on the page loaded anew either", `JSON.parse(localStorage.getItem("oxo.tried"))[0].id === new URLSearchParams(location.search).get("id")`)
	b.press("Answer")
	b.says(".solved", "It is ")
	b.until("what was told is missed", `document.querySelector("dl.solver") && /rating/.test(document.querySelector(".gained").textContent)`)
	b.until("it is kept as one that was set", `JSON.parse(localStorage.getItem("oxo.shown")).at(-1) === new URLSearchParams(location.search).get("id")`)
	b.press("Next puzzle")
	b.until("another puzzle is set", `(id => id && !`+quote(here)+`.includes(id))(new URLSearchParams(location.search).get("id"))`)
	b.until("what was chosen is still", `document.getElementById("puzzle-theme").value === "win"`)
	b.until("only themes that the game has are offered", `document.getElementById("puzzle-theme").options.length < 11`)
	b.open("puzzles?from=mistakes")
	b.says(".side-part", "Puzzles of your own mistakes are not rated.")
}

// TestPuzzleChoice: games that many know are offered first, the others in the order of their names, and a puzzle
// that is harder or easier is rated so.
func TestPuzzleChoice(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "puzzles?difficulty=harder")
	b.says("main .muted", "Rated 1")
	b.until("games are in the order of their names", `(names => /^Tic-tac-toe/.test(names[0]) && names.length > 27 &&
		names.slice(7).join() === names.slice(7).sort(new Intl.Collator(undefined, {numeric: true}).compare).join())(
		[...document.getElementById("puzzle-game")?.options ?? []].slice(1).map(o => o.textContent))`)
	rated := func() int {
		return eval[int](b, `+/Rated ([\d,]+)/.exec(document.querySelector("main .muted").textContent)[1].replace(",", "")`)
	}
	hard := rated()
	b.choose("puzzle-difficulty", "easier")
	b.until("another is set", fmt.Sprintf(`!document.querySelector("main .muted").textContent.includes("Rated %d")`, hard))
	b.says("main .muted", "Rated ")
	if easy := rated(); easy+200 > hard {
		t.Errorf("a harder puzzle is rated %d, an easier one %d", hard, easy)
	}
	b.until("the address says it", `new URLSearchParams(location.search).get("difficulty") === "easier"`)
}

// TestPuzzleHistory: the puzzles that were tried are links, the latest first, and say whether they were solved at once;
// those of which only the id was kept are not listed, and still known.
func TestPuzzleHistory(t *testing.T) {
	right, _ := aPuzzle(t, "mnk:4,4,4", "fork")
	missed, wrong := aPuzzle(t, "mnk:4,3,3", "block")
	old, _ := aPuzzle(t, "mnk:4,4,3", "win")
	b := newTab(t, newServer(t), phone, "puzzles?id="+right.ID)
	b.says(".statusline", "to move")
	b.until("nothing was tried", `!document.querySelector(".past")`)
	eval[bool](b, `localStorage.setItem("oxo.tried", JSON.stringify([`+quote(old.ID)+`])) ?? true`)
	b.playOn(&right)
	b.says(".past", "solved at once")
	b.open("puzzles?id=" + missed.ID)
	b.says(".statusline", "to move")
	b.play(wrong)
	b.says(".solved.wrong", "Not "+wrong)
	b.play(missed.Answer)
	b.says(".solved.right", "Right")
	b.until("both are listed", `[...document.querySelectorAll(".past li")].map(e => e.textContent).join("|")
		.replaceAll(/\w+ \d+, \d{4}/g, "DAY").replaceAll(/[+−]\d+/g, "±n").replaceAll(/rated \d+/g, "rated n") ===
		"4×3, 3 in a row. Block, or lose at once solved, not at once, tried `+wrong+`, ±n; rated n, DAY|4×4, four in a row. Find the fork solved at once, ±n; rated n, DAY"`)
	b.until("each is a link", `document.querySelector(".past a").getAttribute("href") === "puzzles?id=`+missed.ID+`"`)
	b.open("puzzles?id=" + old.ID)
	b.says(".solved", "You have tried this one before")
	b.says("summary", "Puzzles tried here")
	eval[bool](b, `document.querySelector("details:has(.past)").open = true`)
	b.sound("puzzle-history")
}

// TestPastDays: the calendar leads to the puzzles of past days, marks those that were solved, and says when the next
// one comes.
func TestPastDays(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			// A day of the last weeks whose puzzle takes one move: the calendar begins 21 days ago or before.
			// Yesterday's, which may have been begun before midnight, counts for a while.
			day := time.Now().UTC().AddDate(0, 0, -1)
			z := lab.DailyPuzzle(day)
			for range 20 {
				day = day.AddDate(0, 0, -1)
				of := lab.DailyPuzzle(day)
				if !of.GoesOn() && strings.HasPrefix(of.Game, "mnk:") && !strings.Contains(of.Answer, "@") {
					z = of
					break
				}
			}
			b := newTab(t, newServer(t), d, "puzzles?id=daily")
			b.says(".calendar ~ p", "The next one comes in ")
			b.until("today is marked", `document.querySelector('.calendar [aria-current="date"]').textContent === String(new Date().getUTCDate())`)
			b.click("that day", fmt.Sprintf(`document.querySelector('.calendar a[href$="day=%s"]')`, day.Format(time.DateOnly)))
			b.says(".muted", "The puzzle of "+day.Format("January 2, 2006"))
			b.until("nothing was tried", `!document.querySelector(".calendar :is(.right, .wrong)")`)
			b.play(z.Answer)
			b.says(".solved.right", "Right")
			b.until("the day is marked", `document.querySelector('.calendar [aria-current="date"]').ariaLabel.endsWith(", solved at once")`)
			b.sound("puzzle-days-" + d.String())
			if strings.Contains(eval[string](b, `document.querySelector(".solver").textContent`), "Today") {
				t.Error("a past day counts as a day in a row")
			}
		})
	}
}

// TestSolverOverTime: what is kept of a solver is a curve of the rating, and a table by theme and game that leads to
// more of them.
func TestSolverOverTime(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "puzzles")
			b.says(".side-part", "Only the first try")
			for i, right := range []bool{true, false, true} {
				z := lab.CarriedPuzzles("mnk:4,4,4+misere", "save")[i]
				b.open("puzzles?id=" + z.ID)
				b.until("the board is there", `document.querySelectorAll(".cell").length === 16`)
				move := z.Answer
				if !right {
					move = wrongMove(t, &z)
				}
				b.play(move)
				b.says(".solver", fmt.Sprintf(" of %d", i+1))
			}
			b.press("Over time and by game")
			b.says(".side-part .ratings", "Save the draw2 of 3")
			b.says(".side-part .ratings", "4×4, 4 in a row, misère2 of 3")
			b.until("the curve is drawn", `document.querySelector('.side-part canvas[aria-label^="The rating over 3 puzzles, from 1000 to "]').width > 100`)
			b.sound("solver-" + d.String())
			b.press("7 days")
			b.until("which is all", `document.querySelector('.side-part details [aria-pressed=true]').textContent === "7 days" &&
				document.querySelector('.side-part canvas[aria-label^="The rating over 3 puzzles, from 1000 to "]')`)
			b.click("the game", `[...document.querySelectorAll(".side-part .ratings a")].find(e => e.textContent.includes("misère"))`)
			b.until("its puzzles are set", `document.getElementById("puzzle-game")?.value === "mnk:4,4,4+misere"`)
		})
	}
}

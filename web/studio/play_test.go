package studio_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestPages looks at pages after a game, of a position and of a search.
func TestPages(t *testing.T) {
	server := newServer(t)
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, server, d, "")
			b.says(".statusline", "X to move")
			b.sound("play")

			b.open("#/play?game=ttt&first=human&second=human&moves=a1,b2,b1,c1,a3,a2,c2,b3,c3")
			b.says(".statusline", "draw")
			b.sound("play-over")

			b.open("#/explore?game=ttt&moves=a1,b1,b2,c3,a3")
			b.says(".standing", "X wins")
			b.says(".review", "turned a draw into a loss")
			b.sound("explore")

			b.open("#/search")
			b.says(".told", "Prune node 2–2")
			b.says(".compare", "11")
			b.press("To the last step")
			b.says(".told", "its value is 3")
			b.sound("search")
			b.press("Tic-tac-toe, 4 squares left")
			b.says(".told", "is at most 1 already, and max has α = 1 elsewhere.")
			b.open(eval[string](b, `location.pathname.slice(1) + location.search.replace(/&step=\d+/, "") + "&stop=best"`))
			b.says(".told", "is at most −1 already, and no value is less than α = −1.")
		})
	}
}

// TestFirstOpponent opens games without saying who plays: the opponent is the first
// level, and the next once that has been beaten.
func TestFirstOpponent(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play")
	b.until("a beginner plays", `document.querySelector("#second")?.value === "level:1"`)
	b.until("the level is in sight", `document.querySelector(".opponent").getBoundingClientRect().bottom < innerHeight`)
	b.open("#/play?game=ttt&first=human&second=level:1&moves=a1,b2,b1,c3")
	b.play("c1")
	b.says(".ending h2", "You won!")
	b.says(".statusline", "You won! X wins, with a1, b1, c1 complete.")
	b.until("the level that was beaten has a tick",
		`document.querySelector(".opponent .beaten")?.getAttribute("aria-label") === "Level 1, Beginner, beaten"`)
	b.says(".ending .why", "Their mistake was move 4, c3: It turned a draw into a loss. "+
		"X could then win at once with c1")
	b.until("a win is not tried again", `!document.querySelector(".ending").textContent.includes("Try again")`)
	b.says(".tally", "You 1")
	b.sound("play-beaten")
	b.press("Level 5, Strongest")
	b.until("a level that is pressed after the end begins a game", `!document.querySelector(".ending") && document.querySelector("#second")?.value === "level:5"`)
	b.open("#/play?game=ttt&first=human&second=level:1&moves=a1,b2,b1,c3")
	b.play("c1")
	b.press("Next: level 2")
	b.until("the next level plays", `document.querySelector("#second")?.value === "level:2"`)
	b.until("the board is in sight", `document.querySelector(".board").getBoundingClientRect().top >= 0`)
	b.holds("c1", "empty")
	b.open("#/play?game=ttt")
	b.until("it is remembered", `document.querySelector("#second")?.value === "level:2"`)
	b.open("play?game=ultimate&first=human&second=human&moves=i3,i8,g6,a7,c3,g9,c8,i4,g1,a1,c2,g4,a2,b4,d3,b8,d6,c7," +
		"g3,c9,g8,c4,h2,d4,b3,f8,i6,h8,f4,e5,e4,f2,h5,f5,h6,d9,i9,h7,d1,b2,d5,a4,b1,f3,g7,a3,d2,f6,h9,e9,e7,e8,d7,c1")
	b.says(".statusline", "O wins, with three boards in a row: top left, left, and bottom left.")
	b.open("#/play?game=ultimate")
	b.until("another game begins with a beginner", `document.querySelector("#second")?.value === "level:1"`)
	b.until("who was beaten in the other is told", `document.querySelector('.worlds a[href$="game=ttt"] .beat')?.textContent === "✓1"`)
	b.press("Level 4, Hard")
	b.until("another level plays", `document.querySelector("#second")?.value === "level:4"`)
	b.open("#/play?game=ultimate&first=human&second=mcts:sims=200")
	b.until("who is named plays", `document.querySelector("#second")?.value === "mcts:sims=200"`)
}

// TestLearnFromMistake opens a lost game, is told where, and goes on from there.
func TestLearnFromMistake(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=ttt&first=human&second=level:2&moves=a1,b2,b1,c1,c3,a3")
	b.says(".ending h2", "You lost")
	b.says(".why", "turned a draw into a loss")
	b.press("Try again from move 5")
	b.holds("c3", "empty")
	b.says(".statusline", "X to move")
	b.says(".tally", "You 0Drawn 0Easy (level 2) 0") // a game that a link brings counts for nobody
}

// TestMissedBlock loses a game that was lost two moves before by not seeing a row of three: that is what is told, and
// it is tried again from where the game could still be saved.
func TestMissedBlock(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=connect4&first=human&second=level:5&moves=g1,d1,e1,c1,g2,b1,f1,a1")
	b.says(".ending h2", "You lost")
	b.says(".why", "Look at your move 7, f1: It let Yellow win at once with a1. The best defence would have lasted "+
		"33 moves, both sides counted. All was lost since move 5, g2.")
	b.sound("play-missed")
	b.press("Try again from move 5")
	b.holds("g2", "empty")
}

// TestLongGameExplained: of long games the end is looked at by itself, so that a sentence and a move to try again from
// come without being asked for; of a game that was lost from the start, and of one of chance, what is said is true.
func TestLongGameExplained(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=mnk:15,15,5&second=level:4&moves="+
		"a9,d9,l6,n11,h14,o3,a8,e8,d8,e10,l15,f11,g8,g12,d5,c8")
	b.says(".why", "2 threats at once with g12")
	b.press("Try again from move 13")
	b.holds("g8", "empty")
	b.open("#/play?game=ultimate&second=level:4&moves=e7,e1,d1,a1,c1,i1,h1,e3,d9,a8,b4,e2,f4,i3,g9,a9,b7,i2,h4," +
		"i5,h5,f6,h9,f9,g8,c6,h8,d6,a7,a2,b5,e6,d8,a5,c4,a3")
	b.until("it is tried again",
		`/Try again from move/.test(document.querySelector(".ending")?.parentElement.textContent)`)
	b.says(".ending", "Where did it turn?")
	b.open("#/play?game=ttt%2Bslip=0.2&second=level:4&moves=b3,b3,b2,b2,c1,c1,c2,c2,a3,a2,a1,a1,b1,b1,c3,c3")
	b.says(".why", "Look at your move 13, b1")
	b.open("#/play?game=mnk:4,4,4%2Bmaker&second=level:4&moves=b4,c3,a4,d4,b2,b3,a1,a3,c1,a2,c2,d3,c4,b1,d1,d2")
	b.says(".why", "It was lost from the start: no move gave anything away, and there was nothing to save. "+
		"With best play Breaker wins this game.")
	b.press("Try it from the other side")
	b.until("the other side is played", `document.querySelector("#first")?.value === "level:4" && document.querySelector("#second").value === "human"`)
	b.says(".statusline", "Your turn: Breaker to move")
	b.open("#/play?game=tree:three-ply&first=human&second=perfect&moves=2,1")
	b.says(".why", "Look at your move 1, 2: It was worth 2 to Max where 3 was to be had.")
	b.until("the tree is drawn", `document.querySelector(".treebox .node.current")`)
	b.sound("play-tree-over")
	b.until("what a tree pays is no score", `document.querySelector(".ending") && !document.querySelector(".tally")`)
	b.press("Try again from move 1")
	b.until("all moves are there again", `document.querySelectorAll(".branch").length === 3`)
}

// TestLostBetween draws games in which a mistake was made good by the other side: not all was lost since then.
func TestLostBetween(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=ttt&first=level:3&second=human&moves=b2,a1,b3,b1,a2,a3,c3,c2,c1")
	b.says(".ending h2", "A draw")
	b.says(".why", "turned")
	if said := eval[string](b, `document.querySelector(".why").textContent`); strings.Contains(said, "lost since") {
		t.Errorf("a drawn game: %q", said)
	}
}

// TestLinkedWin opens a link of a game that somebody else has won: nobody here has, and the level stays.
func TestLinkedWin(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?game=ttt&first=human&second=level:1&moves=a1,a3,b1,b3,c1")
	b.says(".ending h2", "X wins")
	b.until("nothing is celebrated", `!document.querySelector(".triumph") && !document.querySelector(".statusline").textContent.includes("You")`)
	b.open("")
	b.says(".statusline", "Your turn")
	if pressed := eval[string](b, `document.querySelector(".levels [aria-pressed=true], .segmented [aria-pressed=true]")?.textContent`); pressed != "1" {
		t.Errorf("after another's game the level is %q", pressed)
	}
}

// TestLevelInBetween chooses another level in the middle of a game: it begins anew, as a level is beaten by whole
// games.
func TestLevelInBetween(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=ttt&first=human&second=level:1")
	b.play("b2")
	b.says(".statusline", "Your turn: X to move")
	b.press("Level 5, Strongest")
	b.until("another game", `document.querySelector("#second")?.value === "level:5"`)
	b.holds("b2", "empty")
	b.open("#/play?game=ttt&first=human&second=level:1&moves=b2,b3")
	b.holds("b3", "O")
	b.press("Level 5, Strongest")
	b.until("another level", `document.querySelector("#second")?.value === "level:5"`)
	b.holds("b2", "X") // the position of a link is played on by whom one likes
}

// TestGivenUp ends games in which nobody has completed anything: the judge says of each by itself how it stood.
func TestGivenUp(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=ttt&first=human&second=level:1&moves=b2,a2,a3,c1,c3,b3")
	b.press("Resign")
	b.says(".why", "You were winning: a1.")
	b.press("Try again from move 7")
	b.holds("b3", "O")
	b.play("a1")
	b.says(".ending h2", "You won!")
	b.open("#/play?game=ttt&first=human&second=level:1&moves=b2&resigned=second:time")
	b.says(".why", "With best play it was still a draw when the game ended.")
	b.open("#/play?game=mnk:15,15,5&first=human&second=level:1&moves=h8,a1&resigned=first:time")
	b.says(".why", "known")
}

// TestBestPlayTold loses to the strongest level: what best play gives is told.
func TestBestPlayTold(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=ttt&first=human&second=level:5&moves=b3,a3,c2,a1,a2,b2,b1,c3")
	b.says(".ending", "With best play this game is a draw.")
	b.sound("play-best")
	b.open("#/play?game=ttt&first=human&second=level:5&moves=c3,b2,a3,b3,b1,c2,a2,a1")
	b.play("c1")
	b.says(".ending", "You held the strongest level, and nobody can do better here!")
	b.says(".ending a", "Try another world")
	b.sound("play-held")
}

// TestMisses presses where nobody may play, which is told with the reason, and loses a row, which is red.
func TestMisses(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=ultimate&first=human&second=human&moves=e5")
	b.until("the board is there", square("a1"))
	b.click("a square of another board", square("a1"))
	b.says(".tip", "a1 can’t be played: play in the lit board, centre.")
	b.click("the square that is taken", square("e5"))
	b.says(".tip", "e5 is taken.")
	b.play("e4")
	b.until("what was said is gone", `!document.querySelector(".tip")?.textContent.includes("taken")`)
	b.open("#/play?game=ttt&first=human&second=human&moves=a1,b1,a2,b2")
	b.choose("first", "level:5")
	b.says(".statusline", "You lost. X wins, with ")
	b.until("its row is no good news", `document.querySelector(".board.loses .cell.won")`)
}

// TestLostRow completes a row that loses, and one that wins of whatever mark.
func TestLostRow(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=ttt%2Bmisere&first=human&second=human&moves=a1,b2,a2,b1,a3")
	b.says(".statusline", "O wins: X completed a3, a2, a1.")
	b.until("the row is one that lost", `document.querySelector(".board.loses .cell.won")`)
	b.sound("play-lost-row")
	b.open("#/play?game=ttt%2Bwild&first=human&second=human&moves=x@a1,x@b2,x@a3,x@c3")
	b.says(".statusline", "Second wins, with c3, b2, a1 complete.")
	b.until("the row is one that won", `document.querySelector(".cell.won") && !document.querySelector(".board.loses")`)
}

// TestBoardStaysAtEnd ends a game on a phone: how it ended takes more lines than whose turn it was.
func TestBoardStaysAtEnd(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=connect4&first=human&second=human&moves=g1,d1,e1,c1,g2,b1,f1")
	b.says(".statusline", "Yellow to move")
	top := `document.querySelector(".main-part .board").getBoundingClientRect().top + scrollY`
	before := eval[float64](b, top)
	b.play("a1")
	b.says(".statusline", "Yellow wins, with a1, b1, c1, d1 complete")
	if after := eval[float64](b, top); after != before {
		t.Errorf("the board moved from %v to %v", before, after)
	}
}

// TestNames opens games by the names that people type, and says so where nothing is.
func TestNames(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/connect4")
	b.says("h1", "Connect Four")
	b.until("the game has its own spec", `document.querySelector("#game")?.value === "mnk:7,6,4+gravity"`)
	b.open("#/play?game=Fano")
	b.says("h1", "Fano plane")
	b.open("play?game=connect four")
	b.until("a title is a name", `document.querySelector("#game")?.value === "mnk:7,6,4+gravity"`)
	b.expectRefusals()
	b.open("play/foo/bar")
	b.says("main", "No page and no game is called “play/foo/bar”")
	b.click("the way to the start", `document.querySelector('main a[href="play"]')`)
	b.until("it is the first page", `location.pathname === "/play" && document.querySelector(".board")`)
	b.open("#/nowhere")
	b.says("main", "No page and no game is called “nowhere”")
	b.until("other games are shown", `document.querySelectorAll(".gallery a").length === 9`)
	b.sound("nowhere")
}

// TestPictures shows all games as pictures, and opens one.
func TestPictures(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play")
	b.press("All games")
	b.until("all are offered", `document.querySelectorAll(".gallery a").length >= 20`)
	b.click("the last picture", `[...document.querySelectorAll(".gallery a")].at(-1)`)
	b.until("it is another game", `location.href.includes("game=")`)
	b.open("#/play")
	b.until("pictures hold marks",
		`[...document.querySelectorAll(".picture")].filter(e => e.querySelector(".sign")).length >= 9`)
}

// TestPlayLevel chooses an opponent by strength, who answers, also on a large
// board.
func TestPlayLevel(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/play?game=mnk:7,6,4%2Bgravity")
	b.until("levels are in a group of their own",
		`[...document.querySelectorAll("#second optgroup")].map(e => e.label + e.children.length)[0] === "By strength5"`)
	b.choose("second", "level:3")
	b.until("the link names the level", `location.href.includes("level%3A3") || location.href.includes("level:3")`)
	b.play("d1")
	b.says(".movelist", "d1")
	b.until("the level has answered", `document.querySelectorAll(".movelist button").length >= 2`)
	b.says(".statusline", "Red to move")
	b.sound("play-level")

	b.open("#/play?game=mnk:20,20,5&first=level:1&second=level:1")
	b.until("two beginners play", `document.querySelectorAll(".movelist button").length >= 4`)
}

// TestPlayByMouse plays a game with everything that the page offers.
func TestPlayByMouse(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=ttt&second=perfect")
	b.says(".statusline", "X to move")
	b.play("b2")
	b.holds("b2", "X")
	b.says(".statusline", "X to move") // perfect play has answered
	b.says(".movelist", "b2")
	b.press("Undo")
	b.holds("b2", "empty")

	b.press("Hint")
	b.says(".tip", "All moves are equally good")
	b.press("Why?")
	b.says(".tip", "draw")
	b.until("the opponent is listed by name", `document.querySelector("#second").value === "perfect"`)

	b.choose("second", "human")
	for _, m := range []string{"a1", "a2", "b1", "b2", "c1"} {
		b.play(m)
	}
	b.says(".statusline", "X wins, with a1, b1, c1 complete")
	b.holds("b1", "part of the winning set")
	b.holds("c1", "last move")
	b.until("the square under the pointer is as green as the others", `(c => c.length === 3 && new Set(c.map(e =>
		getComputedStyle(e).backgroundColor)).size === 1)([...document.querySelectorAll(".cell.won")])`)
	b.sound("play-won")

	// The link opens the game at any ply; playing there forks it.
	b.press("One move back")
	b.press("One move back")
	b.says(".statusline", "O to move")
	b.open(b.address())
	b.says(".movelist .later", "c1")
	b.play("c2")
	b.holds("c2", "O")
	b.says(".muted", "4 of 4")
	b.press("Resign")
	b.says(".statusline", "X resigned. O wins.")

	b.press("Play again")
	b.holds("c2", "empty")
	b.press("New game, sides swapped")
	b.holds("c2", "empty")
	b.says(".shelf", "O won")

	// A person returning finds the game.
	b.open("")
	b.says(".statusline", "X to move")
	b.says(".shelf", "O won")
	b.click("the kept game", `document.querySelector(".shelf .plain")`)
	b.says(".statusline", "X resigned. O wins.")
	b.click("the button to forget it", `document.querySelector(".shelf .icon")`)
	b.click("the same button again", `document.querySelector(".shelf .remove")`)
	b.until("it is forgotten", `!document.querySelector(".shelf")`)
}

// TestPlayIsLeft leaves an unfinished game for other pages, from which Play in
// the header leads back to it; once it is over, to a new one.
func TestPlayIsLeft(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=mnk:4,4,4&first=human&second=human")
	b.play("b2")
	b.holds("b2", "X")
	b.press("Learn")
	b.says("h1", "Watch it learn")
	b.press("Play")
	b.holds("b2", "X")
	b.press("Resign")
	b.says(".statusline", "O resigned")
	b.press("Search")
	b.says("h1", "Search")
	b.press("Play")
	b.says(".muted", "0 of 0")
}

// TestPlayByKeyboard plays a whole game without a mouse, on a phone's screen.
func TestPlayByKeyboard(t *testing.T) {
	b := newTab(t, newServer(t), phone.dark(), "#/play?game=ttt&first=human&second=human")
	b.says(".statusline", "X to move")
	// The first stop is the link over the navigation.
	b.keys(kb.Tab)
	b.until("the link to skip has the focus", `document.activeElement.className === "skip"`)
	b.keys(kb.Enter)
	b.until("the page has the focus", `document.activeElement.id === "main"`)
	b.keys(kb.Tab)
	b.until("the rules have the focus", `document.activeElement.textContent === "Rules"`)
	b.keys(kb.Tab)
	b.until("the choice of opponent has the focus", `document.activeElement.textContent === "2 players"`)
	b.keys(kb.ArrowLeft)
	b.until("arrows move in it", `document.activeElement.textContent === "5"`)
	b.keys(kb.Tab)
	b.until("the choice is left", `document.activeElement.textContent === "2 players" || document.activeElement.dataset.square`)
	if eval[bool](b, `document.activeElement.textContent === "2 players"`) {
		b.keys(kb.Tab)
	}
	b.until("the board has the focus", `document.activeElement.getAttribute("aria-label").startsWith("a3, empty")`)
	b.keys(kb.Enter)
	b.holds("a3", "X")
	b.until("the move is announced",
		`[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("X plays a3. O to move"))`)
	b.keys(kb.ArrowRight, " ")
	b.holds("b3", "O")
	b.says("[aria-live]", "O plays b3. X to move.")
	b.until("a hint can be asked for", `!`+button("Hint")+`.disabled`)
	b.keys("h")
	b.says(".tip", "Look among")
	b.keys("h")
	b.says(".tip", "A best move is")
	b.keys("h")
	b.says(".tip", "wins")
	b.keys("u")
	b.holds("b3", "empty")
	b.keys(kb.Enter)
	b.holds("b3", "O")
	b.keys(kb.ArrowDown, kb.ArrowLeft, kb.Enter) // a2
	b.holds("a2", "X")
	b.keys(kb.End, kb.Enter) // c1
	b.holds("c1", "O")
	b.keys(kb.ArrowLeft, kb.ArrowLeft, kb.Enter) // a1
	b.says(".statusline", "X wins, with a3, a2, a1 complete")
	b.until("whoever won at this screen is celebrated", `document.querySelector(".ending.triumph .burst")`)
	b.says(".tally", "Player 1 (X) 1Drawn 0Player 2 (O) 0") // of the two at this screen
	b.press("New game, sides swapped")
	b.says(".tally", "Player 1 (O) 1Drawn 0Player 2 (X) 0")
	for _, square := range []string{"b2", "a1", "b3", "a2", "b1"} {
		b.play(square)
	}
	b.says(".tally", "Player 1 (O) 1Drawn 0Player 2 (X) 1")
}

// TestLinkBringsGame follows a link on a page where a game and a player were
// typed: the fields hold those of the link.
func TestLinkBringsGame(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=mnk:9,9,5&first=human&second=minimax:depth%3D1")
	typed := func(label, text string) {
		b.until(label+" is "+text, fmt.Sprintf(`document.querySelector('[aria-label="%s, typed"]')?.value === %s`,
			label, quote(text)))
	}
	typed("Game", "mnk:9,9,5")
	typed("White, second", "minimax:depth=1")
	eval[bool](b, `(location.hash = "#/play?game=mnk:8,8,4&first=human&second=minimax:depth%3D3", true)`)
	b.says("h1", "8×8, 4 in a row")
	typed("Game", "mnk:8,8,4")
	typed("O, second", "minimax:depth=3")
}

// TestPlayGrid chooses a grid by its columns, rows and how many in a row win.
func TestPlayGrid(t *testing.T) {
	for _, d := range []device{desktop, phone.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/play?game=ttt&first=human&second=human")
			b.choose("game", "sizes:mnk")
			for i, size := range []string{"20", "20", "5"} {
				b.write("#game-size"+strconv.Itoa(i), size)
			}
			b.press("Use it")
			b.says("h1", "20×20, 5 in a row")
			b.play("t20")
			if d.touch {
				b.press("Play t20") // a finger aims first
			}
			b.holds("t20", "Black")
			b.sound("play-grid")
		})
	}
}

// TestValuesOnPlay shows what moves are worth while a game is played, on a person's
// turns, until another game is opened by its link.
func TestValuesOnPlay(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/play?game=ttt&first=human&second=human&moves=a1,b2,b1")
	b.says(".statusline", "O to move")
	notes := `[...document.querySelectorAll(".cell .note")].map(e => e.textContent).join(" ")`
	b.until("no worth is shown", notes+` === ""`)
	b.press("Values")
	b.until("one move draws, the others lose", notes+`.split(" ").sort().join(" ") === "= −2 −2 −2 −2 −2"`)
	b.says(".legend", "wins in 3 plies")
	b.shot("values-on-play")
	b.play("c1")
	b.says(".statusline", "X to move")
	b.until("the next worths are shown", notes+`.split(" ").length === 5`)
	b.open("#/play?game=tree:three-ply&first=human&second=human")
	b.press("Values")
	b.until("so are those of a tree, without colours, the best one framed", `[...document.querySelectorAll(".branch")].map(e =>
		e.textContent + (e.className.match(/good|even|bad/) ?? "") + (e.classList.contains("best") ? "!" : "")).join() === "1 3!,2 2,3 2"`)
	b.says(".legend", "A number is what Max gets with best play; a frame: a best move.")
	b.until("the tree is drawn, with the values of its leaves", `document.querySelectorAll(".treebox .node").length === 13 &&
		document.querySelectorAll(".treebox .value").length === 9`)
	b.click("branch 2", `document.querySelectorAll(".branch")[1]`)
	b.until("the path is marked", `document.querySelectorAll(".treebox .edge.played").length === 1`)
	b.shot("values-on-tree")
	b.open("#/play?game=tree:chance&first=human&second=human")
	b.press("Values")
	b.says(".legend", "on average")
	b.open("#/play?game=ttt&first=human&second=human&moves=a1")
	b.says(".statusline", "O to move")
	b.until("whoever comes has an empty board", notes+` === ""`)
	b.press("Values")
	b.until("they are shown", notes+`.split(" ").length === 8`)
	b.press("Values")
	b.until("they are gone", notes+` === ""`)
}

// TestOfferedPlayersShown: Play offers no player that doesn't play the game, and where the game
// is changed it says who makes room for whom, and why.
func TestOfferedPlayersShown(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play")
	b.open("play?game=ttt&first=human&second=winratio")
	b.until("it is offered in a small game", `document.querySelector("#second option[value=winratio]")`)
	b.choose("game", "meta")
	b.says(".tip", "Largest share of wins doesn’t play here, Monte Carlo, 1 s does instead: it needs the solution")
	b.until("who doesn't play is not offered", `document.querySelector("#second option[value=random]") &&
		!document.querySelector("#second option[value=winratio], #second option[value=rows]")`)
	b.shot("play-replaced")
}

// TestEdgesMeet: on a desktop the board, what stands over it and what stands beside it share their edges, and
// those of the page.
func TestEdgesMeet(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "")
	b.until("all is there", `document.querySelector(".gallery .picture .board")`)
	edge := func(selector, side string) float64 {
		return eval[float64](b, fmt.Sprintf(`document.querySelector(%s).getBoundingClientRect().%s`, quote(selector), side))
	}
	for _, e := range []struct{ one, other, side string }{
		{"h1", ".main-part .grid", "left"}, {".opponent", ".main-part .grid", "right"},
		{"h1", ".brand", "left"}, {".side-part", "header button.icon:last-of-type", "right"},
	} {
		if one, other := edge(e.one, e.side), edge(e.other, e.side); math.Abs(one-other) > 4 {
			t.Errorf("%s of %s at %v, of %s at %v", e.side, e.one, one, e.other, other)
		}
	}
	b.until("three pictures stand in a row",
		`new Set([...document.querySelectorAll(".gallery li")].map(e => e.offsetLeft)).size === 3`)
	b.until("the choice of game is in sight", `document.querySelector("#game").getBoundingClientRect().bottom < innerHeight`)
	b.says(".tally", "You 0Drawn 0Beginner (level 1) 0")
}

// TestComesBack opens the start where a game was left: it stands under the board in sight, and goes
// on at one press.
func TestComesBack(t *testing.T) {
	for _, d := range []device{{"wide phone", 390, 844, true, "light"}, desktop} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play?game=mnk:4,4,4&first=human&second=human&moves=a1,b2")
			b.holds("b2", "O")
			b.open("")
			b.says(".left", "2 moves so far")
			b.until("the board is as empty as ever", `!document.querySelector(".board:not(.still) .cell .sign")`)
			b.until("its picture is there", `document.querySelector(".left .picture .board")`)
			b.until("it is in sight", `document.querySelector(".left").getBoundingClientRect().bottom < innerHeight`)
			b.sound("comes-back")
			b.click("the game that was left", `document.querySelector(".left")`)
			b.holds("b2", "O")
			b.press("Resign")
			b.open("")
			b.says(".statusline", "X to move")
			b.until("what is over is not gone back to", `!document.querySelector(".left")`)
		})
	}
}

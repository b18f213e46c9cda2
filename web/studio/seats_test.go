package studio_test

import "testing"

// TestChangedPlayers has others take over games: one that is over is never theirs, and one that goes on counts for
// nobody.
func TestChangedPlayers(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=level:1&moves=a1,b1,a2,b2")
	tally := func(text string) {
		t.Helper()
		b.until("the score is "+text, `document.querySelector(".tally").innerText.replace(/\s+/g, " ").startsWith("`+text+`")`)
	}
	b.play("a3")
	b.says(".ending h2", "You won!")
	tally("You 1")
	b.choose("second", "level:5")
	b.until("a new game begins", `!document.querySelector(".ending") && document.querySelector("#second").value === "level:5"`)
	b.holds("a3", "empty")
	tally("You 0")

	// Two computers make room for people.
	b.open("play?game=ttt&first=level:1&second=level:1&moves=a1,b1,a2,b2,a3")
	b.says(".ending", "X wins.")
	b.choose("first", "human")
	b.says(".statusline", "Your turn: X to move")
	b.holds("a3", "empty")

	// Of two people one makes room for the strongest level.
	b.open("play?game=ttt&first=human&second=human&moves=a1,b1,a2")
	b.play("b2")
	b.press("Level 5, Strongest")
	b.holds("b2", "O")
	b.play("a3")
	b.says(".ending h2", "You won!")
	b.until("nobody has beaten that", `!document.querySelector(".ending").textContent.includes("strongest level") &&
		!document.querySelector(".opponent .beaten[title=Strongest]")`)
	tally("You 0")
	b.press("Undo") // goes on with the same moves
	b.holds("a3", "empty")
	b.play("a3")
	b.says(".ending h2", "You won!")
	tally("You 0")

	// In the middle of a game a level makes room for another, also in the list.
	b.open("play?game=ttt&first=human&second=level:1")
	b.play("b2")
	b.says(".statusline", "Your turn: X to move")
	b.choose("second", "level:2")
	b.holds("b2", "empty")
	b.play("b2")
	b.says(".statusline", "Your turn: X to move")
	b.press("2 players")
	b.holds("b2", "X")
}

// TestScoreKeepsEnded takes a resignation back: the game that was lost stays in the score.
func TestScoreKeepsEnded(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=level:1")
	lost := func(text string) {
		t.Helper()
		b.until(text, `document.querySelector(".tally").innerText.endsWith("1")`)
	}
	b.play("b2")
	b.says(".statusline", "Your turn: X to move")
	b.press("Resign")
	lost("it is lost")
	b.press("Undo")
	b.says(".statusline", "Your turn: X to move")
	lost("it is lost still")
}

// TestGivenUpByTwo gives up a won game at one screen: it is said that it was.
func TestGivenUpByTwo(t *testing.T) {
	b := newTab(t, newServer(t), phone, "play?game=ttt&first=human&second=human&moves=a1,b1,a2,b2")
	b.press("Resign")
	b.says(".ending h2", "O wins.")
	b.says(".why", "X was winning: a3.")
}

// TestToldOfThisGame opens a game of before after another: nothing of that is told, and what is taken back is.
func TestToldOfThisGame(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=level:1&moves=a1,b1,a2,b2")
	told := `[...document.querySelectorAll('[aria-live="polite"]')].map(e => e.textContent).join(" ")`
	b.play("a3")
	b.until("the move is told", told+`.includes("X plays a3")`)
	b.press("Play again")
	b.play("c3")
	b.says(".statusline", "Your turn: X to move")
	b.click("the game of before", `[...document.querySelectorAll(".shelf .plain")].find(e => e.textContent.includes("X won"))`)
	b.says(".statusline", "You won")
	b.until("no move is told", `!`+told+`.includes("plays")`)
	b.press("Play again")
	b.says(".statusline", "Your turn: X to move")
	eval[bool](b, hang)
	b.play("b3")
	b.press("Take b3 back")
	b.until("that it is taken back is told", told+`.includes("Taken back.")`)
}

// TestKeysAnywhere presses the keys of a game where no square has the focus, on a board and on a tree.
func TestKeysAnywhere(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=tree:three-ply&first=human&second=human")
	for _, address := range []string{"play?game=tree:three-ply&first=human&second=human",
		"play?game=ttt&first=human&second=human&moves=b2"} {
		b.open(address)
		b.says(".statusline", "to move")
		eval[bool](b, `(document.activeElement.blur(), true)`)
		b.keys("v")
		b.until("the values are asked for", button("Values")+`.getAttribute("aria-pressed") === "true"`)
		b.keys("h")
		b.says(".tip", " ")
		b.until("a hint has come", `!`+button("Hint"))
	}
	b.keys("u")
	b.holds("b2", "empty")
}

// TestDisarmed arms the crosses of two games: only the last one is.
func TestDisarmed(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=human&moves=a1,b1,a2,b2")
	b.until("it is kept", `document.querySelectorAll(".shelf li").length === 1`)
	b.open("play?game=ttt&first=human&second=human&moves=b2")
	b.until("it is kept", `document.querySelectorAll(".shelf li").length === 2`)
	b.click("a cross", `document.querySelectorAll(".shelf .icon")[0]`)
	b.until("it asks", `document.querySelectorAll(".shelf .remove").length === 1`)
	b.click("the other cross", `document.querySelector(".shelf .icon")`)
	b.until("only one asks", `document.querySelectorAll(".shelf .remove").length === 1`)
	b.press("Values")
	b.until("none asks", `!document.querySelector(".shelf .remove")`)
}

package studio_test

import "testing"

// TestCalls: on every page the header and the title say what calls to a game on the server: that somebody has accepted,
// one's turn, an offer, another game. What is shown on the page of the game calls to nothing; Explore leads back.
func TestCalls(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, desktop, "online?game=ttt")
	ann.choose("seat", "second")
	ann.press("Open the game")
	ann.until("the address is the invitation", `document.getElementById("invitation")?.value === location.href`)
	link := ann.address()
	ann.click("another page", `[...document.querySelectorAll("nav a")].find(e => e.textContent === "Puzzles")`)
	bob := anotherTab(t, server, phone, link)
	bob.write("#name", "Bob")
	bob.press("Accept and play")
	bob.says(".statusline", "Your turn")
	called := func(b *tab, says string) {
		t.Helper()
		b.until("the header says "+says, `document.querySelector(".toonline").ariaLabel === "Play online. Tic-tac-toe: `+
			says+`" && document.querySelector(".calls")`)
		b.until("so does the title", `document.title.startsWith("● `+says+` – ")`)
	}
	called(ann, "Bob has accepted")
	bob.until("nothing calls to the game that is shown", `!document.querySelector(".calls")`)
	bob.play("b2")
	called(ann, "Your turn")
	ann.sound("calls")
	ann.click("the mark, which leads to the game", `document.querySelector(".toonline")`)
	ann.says(".statusline", "Your turn")
	ann.until("nothing calls there", `!document.querySelector(".calls")`)
	ann.play("a1")
	bob.says(".statusline", "Your turn")
	ann.press("Resign")
	ann.press("Yes, resign")
	bob.press("Look at the game in Explore")
	bob.says("h1", "Explore")
	ann.press("New game, sides swapped")
	called(bob, "Guest asks for another game")
	bob.sound("calls-explore")
	bob.click("the way back", `[...document.querySelectorAll("main a")].find(e => e.textContent === "Back to the game online")`)
	bob.press("Accept and play")
	ann.says(".statusline", "turn: X to move")
}

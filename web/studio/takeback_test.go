package studio_test

import "testing"

// TestTakenBack: one side wants a move back, the other refuses at first and then grants it, also to who watches. Who
// has looked back follows the game again.
func TestTakenBack(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, phone, "online?game=ttt")
	bob := anotherTab(t, server, desktop, "online")
	invited(t, ann, bob)
	cat := anotherTab(t, server, desktop, pageOf(eval[string](ann, `document.getElementById("watching").value`)))
	told := func(text string) string {
		return `[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("` + text + `"))`
	}
	ann.until("there is nothing to take back", button("Call the game off")+` && !`+button("Take back"))
	ann.play("b2")
	ann.until("one move can be taken back", button("Take back"))
	bob.says(".statusline", "Your turn")
	bob.until("there is nothing of one's own to take back", `!`+button("Take back"))
	ann.press("Take back")
	bob.says(".statusline", "Ann wants to take b2 back.")
	bob.play("a1")
	ann.says(".statusline", "Your turn: X to move. Your request lapsed: Bob moved.")
	ann.press("Take back")
	ann.says(".statusline", "b2, a1 go back if they agree.")
	bob.says(".statusline", "Ann’s turn: X to move. Ann wants to take b2, a1 back.")
	cat.says(".statusline", "Ann wants to take b2, a1 back.")
	bob.until("it is told", told("Ann wants to take b2, a1 back."))
	bob.until("the game can be given up still", button("Resign"))
	bob.oneRow()
	bob.sound("online-takeback")
	ann.press("Don’t take back")
	bob.until("nothing is asked", `!`+button("Refuse")+` && `+button("Take back"))
	ann.press("Take back")
	bob.press("Refuse")
	ann.says(".statusline", "Refused. Ask after a move.")
	ann.until("it can't be asked again", button("Take back")+`?.getAttribute("aria-disabled") === "true"`)
	ann.oneRow()
	ann.sound("online-refused")
	ann.press("Take back")
	ann.says(".failure", "Bob refused: ask after the next move.")
	bob.press("Offer a draw") // after which no refusal is told again
	ann.says(".statusline", "Bob offers a draw.")
	ann.until("what was said before is gone, and moves nothing any more", `!document.querySelector(".failure")`)
	ann.press("Decline the draw")
	bob.says(".statusline", "Draw declined.")
	ann.until("it is not told as if it were refused anew", `!/Refused|offers/.test(document.querySelector(".statusline").textContent)`)
	bob.press("Offer a draw")
	bob.says(".failure", "Ann declined: offer again after your next move.")
	ann.play("c3")
	bob.says(".statusline", "Your turn")
	ann.press("Take back")
	ann.press("One move back")
	bob.press("Allow Ann to take c3 back")
	for _, b := range []*tab{ann, bob, cat} {
		b.holds("c3", "empty")
		b.holds("a1", "O")
		b.until("it is told", told("Taken back: c3."))
	}
	ann.says(".statusline", "Your turn: X to move")
	ann.play("c1")
	ann.holds("c1", "X")
	bob.holds("c1", "X")
	// Who asks at one's own turn takes back what came after it too.
	bob.play("a3")
	ann.holds("a3", "O")
	ann.press("Take back")
	bob.press("Allow Ann to take c1, a3 back")
	ann.holds("c1", "empty")
	cat.holds("a3", "empty")
	ann.open("") // and comes back to the game as it stands
	ann.click("the game", `document.querySelector(".left")`)
	ann.holds("c1", "empty")
	ann.says(".statusline", "Your turn")
}

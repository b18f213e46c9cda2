package studio_test

import "testing"

// TestTakenBack: one side wants a move back, the other refuses at first and then grants it, also to who watches.
func TestTakenBack(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, phone, "online?game=ttt")
	bob := anotherTab(t, server, desktop, "online")
	invited(t, ann, bob)
	cat := anotherTab(t, server, desktop, pageOf(eval[string](ann, `document.getElementById("watching").value`)))
	const granted = "Let them take it back"
	ann.play("b2")
	bob.play("a1")
	ann.says(".statusline", "Your turn")
	ann.press("Take back")
	ann.says(".actions", "It is taken back if Bob agrees before anybody moves.")
	bob.says(".statusline", "The other side’s turn: X to move. Ann wants to take a move back.")
	cat.says(".statusline", "Ann wants to take a move back.")
	bob.until("it is told", `[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("Ann wants to take a move back."))`)
	bob.sound("online-takeback")
	bob.press("Refuse")
	ann.says(".actions", "Bob has refused it.")
	ann.sound("online-refused")
	ann.play("c3")
	bob.says(".statusline", "Your turn")
	bob.until("nothing is asked", `!`+button(granted)+` && `+button("Take back"))
	ann.press("Take back")
	bob.press(granted)
	for _, b := range []*tab{ann, bob, cat} {
		b.holds("c3", "empty")
		b.holds("a1", "O")
		b.until("it is told", `[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("A move was taken back."))`)
	}
	ann.says(".statusline", "Your turn: X to move")
	ann.play("c1")
	bob.holds("c1", "X")
	// Who asks out of turn takes back what came after it too.
	bob.play("a3")
	ann.holds("a3", "O")
	ann.press("Take back")
	bob.press(granted)
	ann.holds("c1", "empty")
	cat.holds("a3", "empty")
	ann.open("") // and comes back to the game as it stands
	ann.open("online")
	ann.click("the game", `document.querySelector(".left, .held a, main a[href*='id=']")`)
	ann.holds("c1", "empty")
	ann.says(".statusline", "Your turn")
}

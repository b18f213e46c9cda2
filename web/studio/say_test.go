package studio_test

import "testing"

// TestSay: two who play say ready phrases to each other, in the game and after it; who does not want to hear any does
// not, and who watches does not either.
func TestSay(t *testing.T) {
	ann, bob := begunOnline(t)
	bob.press("Hello")
	ann.says(".player .said", "Hello")
	ann.until("it is told", `[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent === "Bob: Hello")`)
	bob.says(".player.below .said", "Hello")
	bob.until("the next one waits", button("Thanks")+`.getAttribute("aria-disabled") === "true"`)
	bob.sound("online-said")
	ann.until("it is gone after a while", `!document.querySelector(".said")`)
	ann.press("Resign")
	ann.press("Yes, resign")
	bob.says(".statusline", "You won!")
	bob.sound("online-said-before") // and all is in its place
	bob.press("Good game")
	ann.says(".player .said", "Good game")
	ann.sound("online-said-after")
	ann.click("the switch", `[...document.querySelectorAll("label input")].find(e => e.parentElement.textContent.includes("Hide what the other side says"))`)
	ann.until("nothing is heard", `!document.querySelector(".said")`)
}

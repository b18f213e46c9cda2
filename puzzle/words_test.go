package puzzle

import (
	"strings"
	"testing"
)

// TestMessages says all that there is to say of puzzles: no key lacks its text, no text its arguments, and none
// is unused.
func TestMessages(t *testing.T) {
	used := map[string]bool{"thousands": true}
	say := func(key, text string) {
		if used[key] = true; words[key] == "" || text == "" || strings.ContainsAny(text, "{}") {
			t.Errorf("%q is said as %q", key, text)
		}
	}
	for _, v := range []Attempt{Right, Ends, Slower, Worse, Other} {
		say("tried."+string(v), (&Puzzle{Unique: Wins}).Tried(v, "a1", "X wins."))
	}
	say("solution", (&Puzzle{Unique: Wins}).Solution())
	for plies := range 5 {
		z := &Puzzle{Plies: plies}
		say(z.goalMessage("X").Key, z.Goal("X"))
		say(z.soonMessage().Key, words.Say(z.soonMessage()))
		for _, z.Theme = range Themes() {
			say(z.goalMessage("X").Key, z.Goal("X"))
			say(z.hintMessage("X", "O").Key, z.Hint("X", "O"))
		}
		for _, z.Unique = range []Uniqueness{Wins, Draws, Fastest, Survives} {
			say(z.othersMessage().Key, z.Others())
		}
	}
	if len(used) != len(words) {
		t.Errorf("%d texts, of which %d are used", len(words), len(used))
	}
}

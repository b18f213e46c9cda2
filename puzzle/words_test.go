package puzzle

import (
	"slices"
	"strings"
	"testing"
)

// TestSoon: a win is asked for in moves of its own side where that makes the last one, else in those of both sides.
func TestSoon(t *testing.T) {
	for plies, want := range []string{1: "X to move: win at once.",
		2: "X to move: win by force in 2 moves, both sides counted.", 3: "X to move: win by force in 2 moves.",
		6: "X to move: win by force in 6 moves, both sides counted."} {
		z := &Puzzle{Theme: Win, Unique: Fastest, Plies: plies}
		if said := words.Say(z.GoalMessage("X", "O")); want != "" && said != want {
			t.Errorf("%d plies: %q, want %q", plies, said, want)
		}
	}
}

// TestMessages says all that there is to say of puzzles: no key lacks its text, no text its arguments, and none
// is unused.
func TestMessages(t *testing.T) {
	used := map[string]bool{"thousands": true}
	say := func(key, text string) {
		if used[key] = true; words[key] == "" || text == "" || strings.ContainsAny(text, "{}") {
			t.Errorf("%q is said as %q", key, text)
		}
	}
	for plies := range 5 {
		z := &Puzzle{Plies: plies}
		say(z.GoalMessage("X", "O").Key, words.Say(z.GoalMessage("X", "O")))
		say(z.winLengthMessage().Key, words.Say(z.winLengthMessage()))
		for _, z.Theme = range Themes() {
			for _, z.Unique = range []Uniqueness{Draws, Wins, Several} {
				say(z.GoalMessage("X", "O").Key, words.Say(z.GoalMessage("X", "O")))
				say(z.HintMessage("X", "O").Key, words.Say(z.HintMessage("X", "O")))
				of := Puzzle{Theme: z.Theme, Also: []string{"b1"}, Unique: z.Unique} // of a mistake
				say(of.GoalMessage("X", "O").Key, words.Say(of.GoalMessage("X", "O")))
				say(of.HintMessage("X", "O").Key, words.Say(of.HintMessage("X", "O")))
			}
		}
		for _, z.Unique = range []Uniqueness{Wins, Draws, Fastest, Survives} {
			say(z.OthersMessage().Key, z.Others())
			say(z.OneMessage().Key, words.Say(z.OneMessage()))
		}
	}
	for key := range words {
		said := strings.HasPrefix(key, "tried.") ||
			slices.Contains([]string{"hint.three", "hint.among", "hint.lines", "hint.stops", "it", "them"}, key)
		if !used[key] && !said { // by the laboratory
			t.Errorf("nothing says %q", key)
		}
	}
}

package show

import (
	"strings"
	"testing"

	"oxo/message"
)

// TestText: what is rounded to zero is written without a sign, and one thing is not many.
func TestText(t *testing.T) {
	tiny := -1e-9
	shown := Shown{Weights: []Weight{{"constant", tiny, &tiny}},
		Positions: []Valued{{Worth: tiny, Seat: "first", Position: "p"}}}
	shown.Tell(CountMessage(1, "weight", "weights"), CountMessage(1234, "box", "boxes"))
	text := shown.String()
	if strings.Contains(text, "-0.0000") || strings.Count(text, " 0.0000") != 3 ||
		!strings.HasPrefix(text, "1 weight\n1,234 boxes\n") {
		t.Error(text)
	}
}

// TestNine: a net over nine boards says how it came about.
func TestNine(t *testing.T) {
	for key, want := range map[string]string{
		"brain.nine.net": "games are played by searches of 8 simulations by the net as it was up to " +
			"1,000 games before",
		"brain.nine.random": "games are played by searches of 8 simulations by random games",
	} {
		var shown Shown
		if shown.Tell(message.Of(key, message.Args{"n": 8, "games": 1000})); shown.Summary[0] != want {
			t.Error(shown.Summary)
		}
	}
}

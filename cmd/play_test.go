package cmd

import (
	"bufio"
	"bytes"
	"regexp"
	"strings"
	"testing"

	"oxo/lab"
)

// TestLevelsClimb: who knows nothing meets a beginner, and who wins the next level; a draw or a loss leads to the same
// one again, as does a game against a player that was named.
func TestLevelsClimb(t *testing.T) {
	tests := []struct {
		options lab.SessionOptions
		lines   string
		want    []string // in this order
	}{
		{lab.SessionOptions{Seed: 5}, "b2 a3 c1  resign quit",
			[]string{"O: level:1", "stronger than level 1 of 5", "X wins", "Enter to play level 2", "O: level:2",
				"O wins", "Enter to play level 2"}},
		{lab.SessionOptions{Seed: 5}, "b2 a3 c1 undo resign  quit", []string{"Enter to play level 2", "O wins",
			"Enter to play level 1", "O: level:1"}},
		{lab.SessionOptions{Second: "random", Seed: 1}, "resign  quit",
			[]string{"O: random", "O wins", "Enter to play again", "O: random"}},
		{lab.SessionOptions{Second: lab.Human, Seed: 1}, "quit", []string{"X: level:1, O: human"}},
		{lab.SessionOptions{First: "random", Seed: 1}, "quit", []string{"X: random, O: human"}},
	}
	for _, test := range tests {
		l := &lab.Lab{}
		game, err := l.Game("ttt")
		if err != nil {
			t.Fatal(err)
		}
		var told bytes.Buffer
		series := gameSeries{app: &app{lab: l, printer: printer{out: &told}}, game: game, options: test.options,
			level: 1, attended: true}
		in := strings.NewReader(strings.ReplaceAll(test.lines, " ", "\n") + "\n")
		if err := series.play(t.Context(), bufio.NewReader(in)); err != nil {
			t.Fatal(err)
		}
		quoted := make([]string, len(test.want))
		for i, text := range test.want {
			quoted[i] = regexp.QuoteMeta(text)
		}
		if !regexp.MustCompile("(?s)" + strings.Join(quoted, ".*")).MatchString(told.String()) {
			t.Errorf("%+v, %q: %q in this order were to be in\n%s", test.options, test.lines, test.want, told.String())
		}
	}
}

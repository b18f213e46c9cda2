package sheet_test

import (
	"slices"
	"strings"
	"testing"

	"oxo/lab"
	"oxo/lab/sheet"
)

// TestOf writes puzzles of boards of several kinds: each has its board with all marks and the names to
// answer by, and its answer stands after all boards.
func TestOf(t *testing.T) {
	var list []lab.Puzzle
	for _, kind := range []string{"mnk:4,4,4", "cube:4,3", "plane:"} {
		all := lab.CarriedPuzzles("", "")
		i := slices.IndexFunc(all, func(z lab.Puzzle) bool { return strings.HasPrefix(z.Game, kind) })
		list = append(list, all[i])
	}
	var l lab.Lab
	data, err := sheet.Of(l.Game, list)
	if err != nil {
		t.Fatal(err)
	}
	boards, answers, ok := strings.Cut(string(data), `<div class="answers">`)
	if !ok || strings.Count(boards, "<svg") != 3 || strings.Count(answers, "<li>") != 3 ||
		strings.Contains(answers, "<svg") {
		t.Fatalf("%s", data)
	}
	marks := func(mark string) (n int) {
		for i := range list {
			word, _, _ := strings.Cut(list[i].Position, " ")
			n += strings.Count(word, mark)
		}
		return n
	}
	if n := strings.Count(boards, "<path"); n != marks("x") {
		t.Errorf("%d marks of X, want %d", n, marks("x"))
	}
	if n := strings.Count(boards, "<circle"); n != marks("o") {
		t.Errorf("%d marks of O, want %d", n, marks("o"))
	}
	for i := range list {
		if !strings.Contains(answers, list[i].Answer) {
			t.Errorf("no answer %s", list[i].Answer)
		}
	}
	if n := strings.Count(boards, `class="level"`); n != 4 {
		t.Errorf("%d levels have their letter, want 4", n)
	}
	if _, err := sheet.Of(l.Game, []lab.Puzzle{{Game: "chess"}}); err == nil {
		t.Error("a sheet of no game")
	}
}

// TestNames writes by what name each kind of board's squares are answered: numbers on the empty ones,
// else letters under the columns, more of them beyond z.
func TestNames(t *testing.T) {
	var l lab.Lab
	wide := strings.Repeat(".", 30)
	for _, c := range []struct{ game, position, has, not string }{
		{"plane:projective,2", "x.o.... x", ">2</text>", ">1</text>"},
		{"mnk:30,3,3", wide + "/" + wide + "/" + wide + " x", ">ad</text>", ">ae</text>"},
	} {
		data, err := sheet.Of(l.Game, []lab.Puzzle{{ID: "one", Game: c.game, Position: c.position}})
		if err != nil {
			t.Fatal(err)
		}
		if page := string(data); !strings.Contains(page, c.has) || strings.Contains(page, c.not) {
			t.Errorf("%s: want %q and no %q in\n%s", c.game, c.has, c.not, page)
		}
	}
}

package sheet_test

import (
	"fmt"
	"regexp"
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
	data, err := sheet.Of(&l, l.Game, list)
	if err != nil {
		t.Fatal(err)
	}
	boards, answers, ok := strings.Cut(string(data), `<div class="answers">`)
	if !ok || strings.Count(boards, `role="img"`) != 3 || strings.Count(answers, "<li>") != 3 ||
		strings.Contains(answers, "<svg") {
		t.Fatalf("%s", data)
	}
	if strings.Count(boards, "Answer:") != 3 || !strings.Contains(boards, "Name:") ||
		strings.Contains(boards, list[0].ID) || !strings.Contains(answers, list[0].ID) {
		t.Error("no lines to write on, or identities that stand before the answers")
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
		if !strings.Contains(answers, "<li>"+list[i].Answer+". "+list[i].Others()) {
			t.Errorf("no answer %s and why", list[i].Answer)
		}
	}
	if n := strings.Count(boards, `class="level"`); n != 4 {
		t.Errorf("%d levels have their letter, want 4", n)
	}
	if _, err := sheet.Of(&l, l.Game, []lab.Puzzle{{Game: "chess"}}); err == nil {
		t.Error("a sheet of no game")
	}
}

// TestWholeAnswers: the answer of a fork is its one move, and after it the line to the win.
func TestWholeAnswers(t *testing.T) {
	z := lab.CarriedPuzzles("mnk:4,4,4", "fork")[0]
	var l lab.Lab
	data, err := sheet.Of(&l, l.Game, []lab.Puzzle{z})
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`<li>` + z.Answer + ` \(then [a-d][1-4], [a-d][1-4]\)\. No other move wins[^<]*<`).Match(data) {
		_, answers, _ := strings.Cut(string(data), `<div class="answers">`)
		t.Errorf("%s, %s: %s", z.Position, z.Answer, answers)
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
		data, err := sheet.Of(&l, l.Game, []lab.Puzzle{{ID: "one", Game: c.game, Position: c.position}})
		if err != nil {
			t.Fatal(err)
		}
		if page := string(data); !strings.Contains(page, c.has) || strings.Contains(page, c.not) {
			t.Errorf("%s: want %q and no %q in\n%s", c.game, c.has, c.not, page)
		}
	}
}

// TestRules prints the rules of each game below the puzzles of a page, once, with the shape that wins or all lines
// of a board that does not show them, and with each puzzle which of nine boards is to be played in.
func TestRules(t *testing.T) {
	var l lab.Lab
	var list []lab.Puzzle
	for _, game := range []string{"animal:tippy,4,4", "plane:affine,4", "ultimate", "mnk:4,4,3+misere"} {
		of := lab.CarriedPuzzles(game, "")
		list = append(list, of[0], of[1])
	}
	data, err := sheet.Of(&l, l.Game, list)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for i := 0; i < len(list); i += 2 {
		g, err := l.Game(list[i].Game)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(page, g.Info().Rules); n != 1 {
			t.Errorf("the rules of %s are there %d times", list[i].Game, n)
		}
		if want := fmt.Sprintf("(%d, %d):</b>", i+1, i+2); !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for what, want := range map[string]int{`<svg class="shape"`: 1, `<svg class="line"`: 20, `class="frame`: 18,
		"The next move is in": 2} {
		if n := strings.Count(page, what); n != want {
			t.Errorf("%s is there %d times, want %d", what, n, want)
		}
	}
	shape, _, _ := strings.Cut(page[strings.Index(page, `<svg class="shape"`):], "</svg>")
	if n := strings.Count(shape, "<rect"); n != 4 {
		t.Errorf("a shape of %d cells, want 4", n)
	}
	shaded := 0
	for _, z := range list[4:6] {
		if strings.Fields(z.Position)[2] != "-" {
			shaded++
		}
	}
	if n := strings.Count(page, "frame active"); n != shaded || strings.Count(page, "in the shaded board") != shaded {
		t.Errorf("%d shaded boards, want %d", n, shaded)
	}
}

// TestPages: the answers follow the last page of puzzles, on its back or on that of an empty page, and what is to fill
// one page does.
func TestPages(t *testing.T) {
	var l lab.Lab
	small, large := lab.CarriedPuzzles("mnk:4,4,4", ""), lab.CarriedPuzzles("ultimate", "")
	for _, c := range []struct {
		list      []lab.Puzzle
		one       bool
		pages, of int
	}{
		{small[:6], false, 1, 6}, {small[:7], false, 2, 7}, {small[:13], false, 3, 13}, {large[:5], false, 2, 5},
		{slices.Concat(small[:4], large[:1]), false, 2, 5}, {small[:9], true, 1, 6}, {large[:6], true, 1, 4},
		{large[:2], true, 1, 2}, {slices.Concat(large[:1], small[:5]), true, 1, 4},
	} {
		write := sheet.Of
		if c.one {
			write = sheet.One
		}
		data, err := write(&l, l.Game, c.list)
		if err != nil {
			t.Fatal(err)
		}
		page := string(data)
		pages, of := strings.Count(page, `<div class="puzzles"`), strings.Count(page, "<li>")
		if pages != c.pages || of != c.of || strings.Count(page, "<section>") != c.of {
			t.Errorf("%d puzzles, %v: %d pages of %d puzzles, want %d, %d", len(c.list), c.one, pages, of, c.pages,
				c.of)
		}
		empty := ""
		if pages%2 == 0 {
			empty = "<div class=\"page\"></div>\n"
		}
		if !strings.Contains(page, "</p>\n</div></div>\n"+empty+"<div class=\"answers\">") {
			t.Errorf("%d puzzles, %v: the answers are not on the back of page %d", len(c.list), c.one, pages)
		}
	}
}

// TestSides prints stones where the sides are called after them, and else says whose marks are X.
func TestSides(t *testing.T) {
	drawn := lab.Lab{Drawn: true}
	for _, c := range []struct{ game, position, has, not string }{
		{"mnk:15,15,5", strings.Repeat(".............../", 14) + "x.o............ x", `class="stone x"`, "is X"},
		{"mnk:4,4,4+maker", "x.o./..../..../.... x", "Maker is X, Breaker is O.", "stone x"},
		{"ttt+order", "x.o/.../... x", "<path d=", "is X"},
	} {
		data, err := sheet.Of(&drawn, drawn.Game, []lab.Puzzle{{ID: "one", Game: c.game, Position: c.position}})
		if err != nil {
			t.Fatal(err)
		}
		if page := string(data); !strings.Contains(page, c.has) || strings.Contains(page, c.not) {
			t.Errorf("%s: want %q and no %q in\n%s", c.game, c.has, c.not, page)
		}
	}
}

// TestTitled: games are called as on their pages, and numbers are said to be ratings.
func TestTitled(t *testing.T) {
	var l lab.Lab
	list := lab.CarriedPuzzles("mnk:7,6,4+gravity", "")
	z := list[len(list)-1] // of more than a thousand, which the puzzle page writes in one
	data, err := sheet.Of(&l, l.Game, []lab.Puzzle{z})
	want := fmt.Sprintf("<p>Connect Four; rated %d</p>", z.Rating)
	if err != nil || !strings.Contains(string(data), want) {
		t.Errorf("no %q, %v", want, err)
	}
}

// TestEitherMark: where either mark may be placed, the answer says in words which mark goes where.
func TestEitherMark(t *testing.T) {
	all := lab.CarriedPuzzles("", "")
	i := slices.IndexFunc(all, func(z lab.Puzzle) bool { return strings.HasPrefix(z.Answer, "o@") })
	if i < 0 {
		t.Fatal("no puzzle's answer names a mark")
	}
	var l lab.Lab
	data, err := sheet.One(&l, l.Game, all[i:i+1])
	if err != nil {
		t.Fatal(err)
	}
	if want := "<li>O on " + all[i].Answer[2:] + ". "; !strings.Contains(string(data), want) {
		t.Errorf("the sheet lacks %q", want)
	}
}

// TestOwners: of nine boards those that are won, by a row of three, have their owner's mark over them.
func TestOwners(t *testing.T) {
	var l lab.Lab
	z := lab.CarriedPuzzles("ultimate", "")[0]
	g, err := l.Game(z.Game)
	if err != nil {
		t.Fatal(err)
	}
	info := g.Info()
	owners := info.BoardOwners(z.Position)
	data, err := sheet.Of(&l, l.Game, []lab.Puzzle{z})
	if err != nil {
		t.Fatal(err)
	}
	for mark, drawn := range map[string]string{"x": `<path class="owner"`, "o": `<circle class="owner"`} {
		if want, n := strings.Count(owners, mark), strings.Count(string(data), drawn); n != want || want == 0 {
			t.Errorf("%s owns %d boards of %s, and %d are drawn", mark, want, z.Position, n)
		}
	}
}

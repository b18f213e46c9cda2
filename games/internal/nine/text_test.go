package nine

import (
	"math/rand/v2"
	"strings"
	"testing"

	"oxo"
)

const emptyRows = "........./........./........./........./........./........./........./........./........."

// rows returns the nine rows of a position, the given ones on top and the
// rest, and those given as "", empty.
func rows(top ...string) string {
	for i, row := range top {
		if row == "" {
			top[i] = "........."
		}
	}
	for len(top) < 9 {
		top = append(top, ".........")
	}
	return strings.Join(top, "/")
}

func TestSquares(t *testing.T) {
	for _, c := range []struct {
		m    int
		name string
	}{{0, "a9"}, {8, "c7"}, {9, "d9"}, {4*9 + 4, "e5"}, {6*9 + 6, "a1"}, {80, "i1"}, {2*9 + 2, "i9"}} {
		if got := square(c.m); got != c.name {
			t.Errorf("move %d is %s, want %s", c.m, got, c.name)
		}
		if m, err := parseMove(Pos{}, c.name); err != nil || int(m) != c.m {
			t.Errorf("%s is move %d, %v, want %d", c.name, m, err, c.m)
		}
	}
}

// TestParseRefuses: each text is refused for the reason given and no other.
func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		rules        Rules
		text, reason string
	}{
		{0, emptyRows + " x", "2 words"},
		{0, emptyRows + " x - .........", "4 words"},
		{0, emptyRows + "/......... x -", "10 rows"},
		{0, strings.Replace(emptyRows, ".", "", 1) + " x -", `row 1 "........": 8 squares`},
		{0, "////////" + " x -", `row 1 "": 0 squares`},
		{0, rows(".........", "...X.....") + " x -", `row 2 "...X.....", square 4`},
		{0, emptyRows + " X -", `side to move "X"`},
		{0, emptyRows + " x 0", `active board "0"`},
		{0, emptyRows + " x 10", `active board "10"`},
		{0, emptyRows + " o -", "it is x's turn"},
		{0, rows("x........") + " x 1", "it is o's turn"},
		{0, rows("xx.......") + " o 2", "2 x and 0 o"},
		{0, rows("o........") + " o 1", "0 x and 1 o"},
		{0, rows("ooo", "xxx", "...") + " x -", `row 1 "ooo": 3 squares`},
		{0, rows("ooo......", "xxx......") + " x 2", "board 1: both x and o have three in a row"},
		{0, rows("xxxooo...", "...oo....", "xxx......") + " o 7", "board 1: x has three in a row twice"},
		{0, emptyRows + " x 5", "active board 5 at the start of the game, want -"},
		{Points, emptyRows + " x -", "active board - at the start of the game, want 5"},
		{0, rows("x........") + " o -", "no active board, but x can't have sent o to a closed one"},
		{0, rows("x........") + " o 2", "active board 2, but x has not played that cell"},
		{0, rows("x...x....", ".........", ".o..o....") + " x 8",
			"x was sent to board 8 2 times and played there 0 times"},
		{0, rows("xxx......", "......oo.") + " o 1", "active board 1 is closed, want -"},
		// f5 and h5 lead round and round, and b9 from nowhere to board 2.
		{0, rows(".x.......", "", "", "", ".....x.o.") + " o 2", "no mark of x can have been the last move"},
		// o's only mark on a cell 6 is in board 4, next to three in a row.
		{0, "x..xxoo../.xoo...../ooo...x../........./o..o..x../xxx.....x/.oxxo.ox./...x..o../.o....... x 6",
			"no mark of o can have been the last move"},
		// o has boards 1, 3, 4, 5, 7 and 9, three times three in a row, and no board is in all of them.
		{0, "ooox....x/xx..x..x./x..x.xooo/..oxox.../.o.xo.o../o.x.ox..x/.o....ooo/.o.xx..../xo..xox.. x -",
			"no mark of o can have been the last move"},
		// Sent to board 7, x completed board 4 last, when o had three in a row there.
		{Open, "........./...x..x../........./.......o./ooo..xx../xxx..x.../.....o.../......oo./......... o 7 " +
			"...x.....", "no mark of x can have been the last move"},
		{Points, rows("x........") + " o 1", "x was sent to board 5 1 times and played there 0 times"},
		{Open, emptyRows + " x - ........", `owners "........": 8 boards`},
		{Open, emptyRows + " x - ....?....", `owners "....?....", board 5`},
		{Open, emptyRows + " x - ....x....", "board 5 is owned by a side without three in a row"},
		{Open, rows("xxx......", "ooo......") + " x 2", "board 1: x and o have three in a row, and a fourth word"},
		{Open, rows("xxx......", "......oo.") + " o 1 .........", "board 1: three in a row and no owner"},
		{0, rows("xxxxxxxxx", ".........", ".........", "ooo......", "......ooo", "...ooo...") + " x -",
			"x has won, so x moved last"},
		{0, rows("xxxxxxxxx", ".........", ".........", "ooooooooo", "x........") + " o -",
			"both x and o have three boards in a row"},
		{0, rows("xxxxxxxxx", ".........", ".........", "oo.oo.oo.", ".........", "oo.......") + " o 3",
			"the game is over: active board 3, want -"},
	} {
		p, err := parse(c.rules, c.text)
		if err == nil {
			t.Errorf("%s: taken for %s, want a refusal: %s", c.text, format(p), c.reason)
		} else if !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s:\n got %v\nwant %s", c.text, err, c.reason)
		}
	}
}

func TestParseMoveRefuses(t *testing.T) {
	sent, err := parse(0, "x......../oooooo.../........./xx.xx..x./........./........./........./........./......... "+
		"x 6")
	if err != nil {
		t.Fatal(err)
	}
	// g6 is cell 1 of board 6 and sends o to board 1, which is closed.
	free, err := playText(sent, "g6")
	if err != nil {
		t.Fatal(err)
	}
	over := sent
	for r := rand.NewPCG(3, 3); over.Outcome() == oxo.Ongoing; {
		moves := over.Moves(nil)
		over = over.Play(moves[r.Uint64()%uint64(len(moves))])
	}
	for _, c := range []struct {
		p            Pos
		text, reason string
	}{
		{sent, "j5", "a1 to i9"},
		{sent, "a0", "a1 to i9"},
		{sent, "e55", "a1 to i9"},
		{sent, "h6", "taken"},
		{sent, "e5", "is in board 5: play in board 6"},
		{free, "b9", "is in board 1, which is closed"},
		{over, "i1", "the game is over"},
	} {
		m, err := parseMove(c.p, c.text)
		if err == nil || m != oxo.NoMove {
			t.Errorf("%s: %s is taken", format(c.p), c.text)
		} else if !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %s", format(c.p), err, c.reason)
		}
	}
}

func playText(p Pos, moves ...string) (Pos, error) {
	for _, text := range moves {
		m, err := parseMove(p, text)
		if err != nil {
			return p, err
		}
		p = p.Play(m)
	}
	return p, nil
}

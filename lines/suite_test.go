package lines

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"oxo/games/cube"
	"oxo/threats"
)

var update = flag.Bool("update", false, "generate testdata/tactics.txt again")

const tactics = "testdata/tactics.txt"

// arenas are the boards of the suite.
func arenas(t *testing.T) map[string]threats.Board {
	qubic, err := cube.New(4, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]threats.Board{
		"mnk:15,15,5":       grid(15, 15, 5),
		"mnk:20,20,5":       grid(20, 20, 5),
		"mnk:15,15,5+exact": exactGrid(15, 15, 5),
		"cube:4,3":          threats.FromBoard(qubic),
	}
}

// problem is a position with something to find: to complete a line (win), to
// stop one from being completed (block), to win by continuous threats (fours),
// or to stop such a win (meet).
type problem struct {
	game, kind string
	mark       []uint8
	side       int
}

func (q problem) String() string {
	text := make([]byte, len(q.mark))
	for s, m := range q.mark {
		text[s] = "xo."[m]
	}
	return fmt.Sprintf("%s %s %s %c", q.game, q.kind, text, "xo"[q.side])
}

func parseProblem(line string) (q problem, err error) {
	words := strings.Fields(line)
	if len(words) != 4 {
		return q, fmt.Errorf("%q: game, kind, marks and side", line)
	}
	q = problem{game: words[0], kind: words[1], side: strings.Index("xo", words[3])}
	for _, c := range words[2] {
		q.mark = append(q.mark, uint8(strings.IndexRune("xo.", c)))
	}
	return q, nil
}

// missing returns the empty squares of the lines that side needs just so many
// more marks for, by a pass over all lines.
func missing(b threats.Board, mark []uint8, side, rest int) []int {
	var list []int
next:
	for l, need := range b.Need {
		n := 0
		for _, s := range need {
			if mark[s] == empty {
				n++
			} else if mark[s] != uint8(side) {
				continue next
			}
		}
		if n != rest {
			continue
		}
		if b.Bar != nil {
			for _, s := range b.Bar[l] {
				if mark[s] == uint8(side) {
					continue next
				}
			}
		}
		for _, s := range need {
			if mark[s] == empty && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}

// scan returns the squares on which side would complete a line.
func scan(b threats.Board, mark []uint8, side int) []int { return missing(b, mark, side, 1) }

// tries counts the calls of exhaust. A problem that takes too many is none.
var tries int

const tooMany = 2000

// exhaust reports whether side, to move, wins at once or by continuous
// threats, by trying all of them.
func exhaust(b threats.Board, mark []uint8, side int) bool {
	if tries++; tries > tooMany {
		return false
	}
	if len(scan(b, mark, side)) > 0 {
		return true
	}
	enemy := scan(b, mark, side^1)
	if len(enemy) > 1 {
		return false
	}
	for _, s := range missing(b, mark, side, 2) {
		if (len(enemy) == 0 || s == enemy[0]) && threatWins(b, mark, side, s) {
			return true
		}
	}
	return false
}

// threatWins reports whether a mark of side on s begins a win by continuous
// threats, or completes a line.
func threatWins(b threats.Board, mark []uint8, side, s int) bool {
	if slices.Contains(scan(b, mark, side), s) {
		return true
	}
	mark[s] = uint8(side)
	defer func() { mark[s] = empty }()
	if len(scan(b, mark, side^1)) > 0 {
		return false
	}
	ends := scan(b, mark, side)
	if len(ends) != 1 {
		return len(ends) > 1
	}
	mark[ends[0]] = uint8(side ^ 1)
	defer func() { mark[ends[0]] = empty }()
	return exhaust(b, mark, side)
}

// solved reports whether a move answers the problem.
func (q problem) solved(b threats.Board, s int) bool {
	if q.mark[s] != empty {
		return false
	}
	switch q.kind {
	case "win":
		return slices.Contains(scan(b, q.mark, q.side), s)
	case "block":
		return slices.Equal(scan(b, q.mark, q.side^1), []int{s})
	case "fours":
		return threatWins(b, q.mark, q.side, s)
	}
	q.mark[s] = uint8(q.side)
	defer func() { q.mark[s] = empty }()
	return !exhaust(b, q.mark, q.side^1)
}

// kindOf says what there is to find in a position that nobody has won, or "".
func kindOf(b threats.Board, mark []uint8, side int, want map[string]int) string {
	tries = 0
	kind := kindNow(b, mark, side)
	if tries > tooMany || want[kind] == 0 {
		return ""
	}
	if kind != "meet" {
		return kind
	}
	q := problem{kind: "meet", mark: mark, side: side}
	for _, s := range missing(b, mark, side^1, 2) {
		tries = 0
		if q.solved(b, s) && tries <= tooMany {
			return "meet"
		}
	}
	return ""
}

// generate makes the suite: positions of games between two careless players,
// so many of each kind for each board.
func generate(t *testing.T) []problem {
	var list []problem
	for _, game := range []string{"mnk:15,15,5", "mnk:20,20,5", "mnk:15,15,5+exact", "cube:4,3"} {
		b := arenas(t)[game]
		want := map[string]int{"win": 10, "block": 12, "fours": 20, "meet": 20}
		x := mustSearcher(t, b, 1<<16, Tuning{})
		r := rand.New(rand.NewPCG(2026, uint64(b.Squares)))
		for range 400 {
			x.p.reset()
			side := 0
			for x.p.empty > 0 && x.p.count[0][0]+x.p.count[1][0] == 0 {
				x.moves = x.moves[:0]
				x.appendScoredMoves(side, 0, noSquare, nil)
				mark := slices.Clone(x.p.mark)
				if kind := kindOf(b, mark, side, want); want[kind] > 0 && r.IntN(2) == 0 {
					want[kind]--
					list = append(list, problem{game, kind, mark, side})
					break
				}
				n := min(len(x.moves), 6)
				if x.p.empty == x.p.n {
					n = len(x.moves)
				}
				for i := range n {
					bringBestForward(x.moves, i)
				}
				x.p.play(side, int(x.moves[r.IntN(n)].square))
				side ^= 1
			}
		}
		for kind, n := range want {
			if n > 0 {
				t.Fatalf("%s: %d problems too few of %s", game, n, kind)
			}
		}
	}
	return list
}

// TestTacticsSequential has the player answer every problem of the suite within a number
// of positions. What an answer is, exhaustive search says.
func TestTacticsSequential(t *testing.T) {
	if *update {
		var text strings.Builder
		for _, q := range generate(t) {
			fmt.Fprintln(&text, q)
		}
		if err := os.MkdirAll(filepath.Dir(tactics), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(tactics, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.Open(tactics)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	boards := arenas(t)
	players := map[string]*searcher{}
	for game, b := range boards {
		players[game] = mustSearcher(t, b, 1<<20, Tuning{})
	}
	n := 0
	for in := bufio.NewScanner(file); in.Scan(); n++ {
		q, err := parseProblem(in.Text())
		if err != nil {
			t.Fatal(err)
		}
		b, x := boards[q.game], players[q.game]
		tries = 0
		if kind := kindNow(b, q.mark, q.side); kind != q.kind {
			t.Errorf("problem %d: there is %q to find, not %q", n+1, kind, q.kind)
		}
		x.setPosition(func(s int) int { return int(q.mark[s]) })
		f := x.findMove(context.Background(), q.side, PlayerOptions{Nodes: 5_000}, nil, nil)
		tries = 0
		if !q.solved(b, f.square) || tries > tooMany {
			t.Errorf("problem %d, %s: %d does not answer %s", n+1, q.kind, f.square, q)
		}
	}
	if n < 200 {
		t.Errorf("only %d problems", n)
	}
}

// kindNow says what there is to find, if a threat can be met at all.
func kindNow(b threats.Board, mark []uint8, side int) string {
	switch {
	case len(scan(b, mark, side)) > 0:
		return "win"
	case len(scan(b, mark, side^1)) > 1:
		return ""
	case exhaust(b, mark, side):
		return "fours"
	case len(scan(b, mark, side^1)) == 1:
		return "block"
	case exhaust(b, mark, side^1):
		return "meet"
	}
	return ""
}

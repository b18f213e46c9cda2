package drop_test

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
	"oxo/solve"
)

//go:embed testdata/positions.txt
var positionsFile string

// published is a position of Connect Four whose worth others have published.
type published struct {
	columns string // that were played
	class   string // by marks made and to go
	at      board.Pos64
	want    solve.Verdict
}

func connectFour(t testing.TB) *board.Board {
	return must(t)(grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true}))
}

func publishedPositions(t testing.TB, on *board.Board) (positions []published) {
	const squares = 42
	start := board.Game64("g", "g", on, board.Normal).Start
	for line := range strings.Lines(positionsFile) {
		columns, score, ok := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		left, err := strconv.Atoi(score)
		if !ok || err != nil {
			t.Fatalf("%q is no position", line)
		}
		p := published{columns: columns, at: start}
		for _, c := range columns {
			moves := p.at.Moves(nil)
			p.at = p.at.Play(moves[slices.IndexFunc(moves, func(m oxo.Move) bool { return rune(m%7) == c-'1' })])
		}
		marks := len(columns)
		p.want = solve.Verdict{Outcome: oxo.Drawn, Remoteness: squares - marks}
		if left != 0 {
			winner := marks & 1
			if left < 0 {
				winner, left = winner^1, -left
			}
			p.want = solve.VerdictOf(oxo.WinFor(oxo.Seat(winner)), squares+2-2*left-(winner^1)-marks)
		}
		p.class = [...]string{"2 to 14", "2 to 14", "15 to 28", "29 to 41"}[(marks+13)/14] + " marks, " +
			[...]string{"to 14", "15 to 28", "over 28"}[(p.want.Remoteness-1)/14] + " to go"
		positions = append(positions, p)
	}
	return positions
}

// check solves the position and compares.
func (p published) check(t testing.TB, s *drop.Solver) {
	if v, err := s.Solve(ctx, p.at); v != p.want || err != nil {
		t.Errorf("%s: %+v, published as %+v %v", p.columns, v, p.want, err)
	}
}

// TestPublishedSequential solves positions whose worth others have published, but for those of the hardest class.
func TestPublishedSequential(t *testing.T) {
	on := connectFour(t)
	s, err := drop.New(on, board.Normal, drop.SolverOptions{})
	if err != nil {
		t.Fatal(err)
	}
	solved := map[string]int{}
	for _, p := range publishedPositions(t, on) {
		if solved[p.class]++; p.class == "2 to 14 marks, over 28 to go" || testing.Short() && solved[p.class] > 20 {
			continue
		}
		p.check(t, s)
	}
	if len(solved) != 6 {
		t.Errorf("there are positions of the classes %v, want 6", solved)
	}
}

package tiers_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/gametest/cases"
	"oxo/solve"
	"oxo/solve/tiers"
)

// strong is a strong solution with all its tables in memory.
type strong struct {
	space  *tiers.Space
	tables [][][]byte // by marks and slice
	counts []tiers.Counts
}

func (s *strong) load(marks, index int) ([]byte, error) { return s.tables[marks][index], nil }

// least returns the least memory that a game can be solved with by tiers.
func least(t testing.TB, b *board.Board, r board.Rules) int64 {
	t.Helper()
	low, high := int64(0), int64(1)<<40
	for low < high {
		if mid := (low + high) / 2; mid >= 0 {
			if _, err := tiers.New(b, r, mid); err != nil {
				low = mid + 1
			} else {
				high = mid
			}
		}
	}
	return low
}

// TestStopped: what lists, finds and solves ends when its context does.
func TestStopped(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	space, err := tiers.New(b, board.Normal, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if _, err := space.Slices(over, 8); !errors.Is(err, context.Canceled) {
		t.Errorf("slices: %v", err)
	}
	if list, err := space.Slices(t.Context(), 8); err != nil || len(list) == 0 {
		t.Errorf("%d slices, %v", len(list), err)
	}
	none := func(int, []byte) ([]byte, error) { return nil, errors.New("asked") }
	_, err = space.FindReachable(over, tiers.Task{Marks: 8, AdjacentTier: none})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("reachable: %v", err)
	}
}

// solveAll solves a game by tiers.
func solveAll(t testing.TB, b *board.Board, r board.Rules, memory int64) *strong {
	t.Helper()
	space, err := tiers.New(b, r, memory)
	if err != nil {
		t.Fatal(err)
	}
	n := space.MaxMarks()
	s := &strong{space: space, tables: make([][][]byte, n+1), counts: make([]tiers.Counts, n+1)}
	reached := make([][][]byte, n+1)
	each := func(marks int, do func(index int)) {
		list, err := space.Slices(t.Context(), marks)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			do(i)
		}
	}
	// Buffers are written over as soon as they may be, to show that nobody
	// reads them later.
	from := func(tables [][]byte) tiers.SliceSource {
		return func(i int, buf []byte) ([]byte, error) { return append(buf[:0], tables[i]...), nil }
	}
	if space.NeedsReachable() {
		for marks := range n + 1 {
			each(marks, func(i int) {
				var before tiers.SliceSource
				if marks > 0 {
					before = from(reached[marks-1])
				}
				data, err := space.FindReachable(t.Context(), tiers.Task{Marks: marks, Index: i, AdjacentTier: before})
				if err != nil {
					t.Fatal(err)
				}
				reached[marks] = append(reached[marks], data)
			})
		}
	}
	for marks := n; marks >= 0; marks-- {
		each(marks, func(i int) {
			task := tiers.Task{Marks: marks, Index: i}
			if marks < n {
				task.AdjacentTier = from(s.tables[marks+1])
			}
			task.Reached = func(buf []byte) ([]byte, error) { return append(buf[:0], reached[marks][i]...), nil }
			data, counts, err := space.SolveSlice(t.Context(), task)
			if err != nil {
				t.Fatal(err)
			}
			s.tables[marks] = append(s.tables[marks], data)
			s.counts[marks].Add(counts)
		})
	}
	return s
}

// compare compares every position that can be reached with the solution by
// depth-first search, which knows nothing of tiers, and the counts of each tier.
func compare(t *testing.T, g *oxo.Game[board.Pos64], s *strong) {
	t.Helper()
	slow, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	values := s.space.Values(s.load)
	tier := map[board.Pos64]bool{g.Start: true}
	for marks := 0; len(tier) > 0; marks++ {
		next := map[board.Pos64]bool{}
		var counts tiers.Counts
		counts.Stored = s.counts[marks].Stored
		for p := range tier {
			want, _ := slow.At(p)
			x, o := p.Marks()
			got, ok, err := values.VerdictAt(t.Context(), x, o)
			if err != nil || !ok || got != want {
				t.Fatalf("%s is worth %+v (%t, %v), want %+v", g.Format(p), got, ok, err, want)
			}
			counts.Positions++
			switch want.Outcome {
			case oxo.FirstWins:
				counts.First++
			case oxo.SecondWins:
				counts.Second++
			default:
				counts.Draw++
			}
			for _, m := range p.Moves(nil) {
				next[p.Play(m)] = true
			}
		}
		if s.counts[marks] != counts {
			t.Errorf("%d marks: counted %+v, want %+v", marks, s.counts[marks], counts)
		}
		tier = next
	}
}

// compareWhole: what is solved in memory, by calls that each end before long, has the same tables.
func compareWhole(t *testing.T, s *strong) {
	t.Helper()
	whole := s.space.NewInMemorySolution()
	var values *tiers.Values
	for looks := 1; values == nil; looks++ {
		var err error
		values, err = whole.SolveValues(&brief{t.Context(), looks})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	for marks, tables := range s.tables {
		for i, table := range tables {
			if got, err := values.Table(marks, i); err != nil || !slices.Equal(got, table) {
				t.Fatalf("%d marks, slice %d: another table, %v", marks, i, err)
			}
		}
	}
}

// TestWholeAtOnce: many who ask at once wait for the same tables, and look them up on their own.
func TestWholeAtOnce(t *testing.T) {
	space, err := tiers.New(mustGrid(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}), board.Normal, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	whole := space.NewInMemorySolution()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			values, err := whole.SolveValues(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			v, ok, err := values.VerdictAt(t.Context(), board.Set{}, board.Set{})
			if want := (solve.Verdict{Outcome: oxo.Drawn, Remoteness: 9}); v != want || !ok || err != nil {
				t.Errorf("the start is worth %+v (%t, %v), want %+v", v, ok, err, want)
			}
		})
	}
	all.Wait()
}

// brief is a context that ends after so many looks.
type brief struct {
	context.Context
	looks int
}

func (c *brief) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

func mustGrid(t testing.TB, s grid.Shape) *board.Board {
	t.Helper()
	b, err := grid.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestAllRules solves 3×3 and 4×3 by every rule, with and without gravity, and
// with rows that can be too long, in as little memory as can be and in plenty.
func TestAllRules(t *testing.T) {
	boards := map[string]*board.Board{
		"ttt":               mustGrid(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}),
		"4,2,2+exact":       mustGrid(t, grid.Shape{Cols: 4, Rows: 2, Run: 2, Exact: true}),
		"3,3,2+exact+falls": mustGrid(t, grid.Shape{Cols: 3, Rows: 3, Run: 2, Exact: true, Gravity: true}),
		"3,3,3+gravity":     mustGrid(t, grid.Shape{Cols: 3, Rows: 3, Run: 3, Gravity: true}),
		"torus:3,3,3":       mustGrid(t, grid.Shape{Cols: 3, Rows: 3, Run: 3, Torus: true}),
	}
	for name, b := range boards {
		for _, r := range board.AllRules {
			t.Run(name+"+"+r.Name, func(t *testing.T) {
				for _, memory := range []int64{least(t, b, r), 1 << 20} {
					all := solveAll(t, b, r, memory)
					compare(t, board.Game64(name, name, b, r), all)
					compareWhole(t, all)
				}
			})
		}
	}
}

// TestBoards compares larger boards.
func TestBoards(t *testing.T) {
	three, err := cube.New(3, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		board *board.Board
		rules board.Rules
	}{
		"mnk:4,3,3":           {mustGrid(t, grid.Shape{Cols: 4, Rows: 3, Run: 3}), board.Normal},
		"mnk:4,3,3+misere":    {mustGrid(t, grid.Shape{Cols: 4, Rows: 3, Run: 3}), board.Misere},
		"mnk:4,3,3+gravity":   {mustGrid(t, grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true}), board.Normal},
		"mnk:5,2,3+exact":     {mustGrid(t, grid.Shape{Cols: 5, Rows: 2, Run: 3, Exact: true}), board.Normal},
		"mnk:4,3,3+maker":     {mustGrid(t, grid.Shape{Cols: 4, Rows: 3, Run: 3}), board.Maker},
		"mnk:4,4,4+notakto":   {mustGrid(t, grid.Shape{Cols: 4, Rows: 4, Run: 4}), board.Notakto},
		"cube:3,2+wild":       {three, board.Wild},
		"mnk:5,2,3+chaos":     {mustGrid(t, grid.Shape{Cols: 5, Rows: 2, Run: 3}), board.Chaos},
		"torus:4,3,3+breaker": {mustGrid(t, grid.Shape{Cols: 4, Rows: 3, Run: 3, Torus: true}), board.Breaker},
	} {
		t.Run(name, func(t *testing.T) {
			b, r := c.board, c.rules
			compare(t, board.Game64(name, name, b, r), solveAll(t, b, r, least(t, b, r)))
		})
	}
}

// publicLimit is the most positions of a public case that every run solves.
const publicLimit = 300_000

func TestPublicCases(t *testing.T) {
	solved := 0
	for _, c := range cases.Read(t, "../../board/testdata/positional.json") {
		if c.Positions > publicLimit {
			continue
		}
		solved++
		t.Run(c.ID, func(t *testing.T) { checkCase(t, c) })
	}
	if solved < 150 {
		t.Errorf("only %d cases are small enough", solved)
	}
}

func checkCase(t *testing.T, c cases.Case) {
	b, rules := c.Game(t)
	s := solveAll(t, b, rules, least(t, b, rules)+4096)
	v, ok, err := s.space.Values(s.load).VerdictAt(t.Context(), board.Set{}, board.Set{})
	if err != nil || !ok || v.Outcome.String() != c.Value || v.Remoteness != c.Remoteness {
		t.Errorf("worth %v in %d plies (%t, %v), want %s in %d", v.Outcome, v.Remoteness, ok, err, c.Value,
			c.Remoteness)
	}
	var all tiers.Counts
	for marks, n := range s.counts {
		all.Add(n)
		if marks < len(c.PositionsPerPly) && n.Positions != c.PositionsPerPly[marks] {
			t.Errorf("%d marks: %d positions, want %d", marks, n.Positions, c.PositionsPerPly[marks])
		}
	}
	if all.Positions != c.Positions {
		t.Errorf("%d positions, want %d", all.Positions, c.Positions)
	}
	for value, n := range map[string]uint64{"first": all.First, "second": all.Second, "draw": all.Draw} {
		if want, ok := c.ByValue[value]; ok && n != want {
			t.Errorf("%d positions are worth %s, want %d", n, value, want)
		}
	}
}

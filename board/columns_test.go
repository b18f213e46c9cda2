package board_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
)

// TestPlayoutInColumns: on grids with gravity of every size the kernel ends each playout
// as the same moves end it when they are played one by one.
func TestPlayoutInColumns(t *testing.T) {
	for cols := 1; cols <= 9; cols++ {
		for rows := 1; cols*(rows+1) <= 66; rows++ {
			for run := 2; run <= min(5, max(cols, rows)); run++ {
				rules := []board.Rules{board.Normal, board.Misere, board.Maker}[(cols+rows+run)%3]
				b := must(t)(grid.New(grid.Shape{Cols: cols, Rows: rows, Run: run, Gravity: true}))
				if b.N <= 64 {
					checkDrops(t, board.Game64("g", "g", b, rules), cols <= 8 && run <= 4 && cols*(rows+1) <= 64)
				}
			}
		}
	}
}

// checkDrops compares the playouts from the positions of one game.
func checkDrops(t *testing.T, g *oxo.Game[board.Pos64], exactly bool) {
	t.Helper()
	r := rand.NewPCG(1963, uint64(g.MaxPlies))
	for p := g.Start; p.Outcome() == oxo.Ongoing; {
		seed := r.Uint64()
		got, want := g.Playout(p, rand.NewPCG(seed, 1)), dropByDrop(p, rand.NewPCG(seed, 1))
		if exactly && got != want || got == oxo.Ongoing {
			t.Fatalf("%v, %s: %s ends %v, move by move %v", p.Board().Lines[0].Need.Squares(), p.Rules().Name,
				g.Format(p), got, want)
		}
		moves := p.Moves(nil)
		p = p.Play(moves[r.Uint64()%uint64(len(moves))])
	}
}

// dropByDrop draws as the kernel draws and plays each move by the rules.
func dropByDrop(p board.Pos64, r *rand.PCG) oxo.Outcome {
	playable := p.Playable().Squares()
	var rest uint64
	for drawn := 0; p.Outcome() == oxo.Ongoing; drawn++ {
		if drawn%8 == 0 {
			rest = r.Uint64()
		}
		var k uint64
		k, rest = bits.Mul64(rest, uint64(len(playable)))
		square := playable[k]
		p = p.Play(oxo.Move(square))
		if playable[k] -= p.Board().Cols; playable[k] < 0 {
			playable[k] = playable[len(playable)-1]
			playable = playable[:len(playable)-1]
		}
	}
	return p.Outcome()
}

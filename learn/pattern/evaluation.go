package pattern

import (
	"sync"

	"oxo"
	"oxo/board"
)

// mostSure is the most that an evaluation says of a position that is not over: in
// floating-point numbers tanh comes to 1.
const mostSure = 1 - 1e-6

// Evaluation returns the function that says what a position on a board that is not over
// is worth to First by a net, between -1 and 1. Many goroutines may use it at once, while
// the net does not learn. Of positions that are on no board it says 0.
func Evaluation[P oxo.Position[P]](net *Net) func(P) float64 {
	judge := func(P) float64 { return 0 }
	switch to := any(&judge).(type) { // rather than of each position, which would box it
	case *func(board.Pos64) float64:
		*to = evaluation[board.Pos64](net)
	case *func(board.Pos256) float64:
		*to = evaluation[board.Pos256](net)
	}
	return judge
}

// evaluation returns the net as an evaluation for searches, which may ask from many goroutines.
func evaluation[P interface {
	oxo.Position[P]
	board.Positional
}](net *Net) func(P) float64 {
	judges := sync.Pool{New: func() any { return net.Judge() }}
	return func(p P) float64 {
		j := judges.Get().(*Judge)
		defer judges.Put(j)
		x, o := p.Marks()
		moved := p.Turn().Other()
		return moved.Sign() * max(-mostSure, min(mostSure, j.Worth(x, o, moved)))
	}
}

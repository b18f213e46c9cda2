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
// the net does not learn. Of positions that are on no board marks says those that the net sees.
func Evaluation[P oxo.Position[P]](net *Net, marks func(P) (x, o board.Set)) func(P) float64 {
	switch to := any(&marks).(type) { // rather than of each position, which would box it
	case *func(board.Pos64) (x, o board.Set):
		*to = board.Pos64.Marks
	case *func(board.Pos256) (x, o board.Set):
		*to = board.Pos256.Marks
	}
	judges := sync.Pool{New: func() any { return net.Judge() }}
	return func(p P) float64 {
		j := judges.Get().(*Judge)
		defer judges.Put(j)
		x, o := marks(p)
		moved := p.Turn().Other()
		return moved.Sign() * max(-mostSure, min(mostSure, j.Worth(x, o, moved)))
	}
}

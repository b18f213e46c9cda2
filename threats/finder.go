package threats

import (
	"context"

	"oxo/board/bitset"
)

// Finder holds a position of a board known at run time, and finds wins by threats
// in it. One goroutine at a time may use it.
type Finder struct{ boardFinder }

// boardFinder is a [Finder] without its type parameters.
type boardFinder interface {
	// Reset empties the board.
	Reset()
	// Forget lets go of the positions that are remembered as refuted.
	Forget()
	// Play puts a mark of side on a free square, and Undo takes back the last one.
	Play(side, sq int)
	Undo()
	// Hash tells positions apart by their marks and the side to move.
	Hash(side int) uint64

	// Completion returns a square on which side completes a line, −1 where there is
	// none, and whether there is another one.
	Completion(side int) (sq int, more bool)

	// WinsByThreats reports whether side, if it were to move, wins at once or by continuous threats, as
	// [Search].FindWin does. Line and Zone then tell how. Line is to be read before the next search.
	WinsByThreats(ctx context.Context, side int, maxNodes uint64, mode Mode) bool
	Line() []int
	Zone() [7]uint64

	// ForcedSequence returns the moves of both sides in turn of the win of side that WinsByThreats found
	// last, here: the last one completes a line; of the replies that can't help, the first.
	ForcedSequence(side int) []int

	// WinningMoves returns the first moves of all wins of side by continuous threats, if it
	// were to move, ascending, and whether no search was stopped by its limit.
	WinningMoves(ctx context.Context, side int, maxNodes uint64) (moves []int, complete bool)

	// SlowWinningMove returns the first move of a win of side, if it were to move, by threats and
	// threats one level slower, −1 where it finds none; see [SlowerSearch].
	SlowWinningMove(ctx context.Context, side int, maxNodes uint64, mode Mode) int

	// SlowWinningMoves returns the first moves of such wins, those that take as few slow threats as the
	// shortest, ascending; see [SlowerSearch.WinningMoves].
	SlowWinningMoves(ctx context.Context, side int, maxNodes uint64, mode Mode) []int

	// Nodes returns how many positions all these visited since the start.
	Nodes() uint64
}

// NewFinder returns a finder on the empty board. A side that can't own lines has none. It remembers 1<<logFastRefuted
// positions refuted by continuous threats, and 1<<logSlowRefuted by slower ones.
func NewFinder(b Board, canOwnLines [2]bool, logFastRefuted, logSlowRefuted int) (*Finder, error) {
	switch n, words := b.Squares, b.Words(); {
	case n <= 64 && words <= 4:
		return newSizedFinder[[1]uint64, [4]uint64](b, canOwnLines, logFastRefuted, logSlowRefuted)
	case n <= 64 && words <= 8:
		return newSizedFinder[[1]uint64, [8]uint64](b, canOwnLines, logFastRefuted, logSlowRefuted)
	case n <= 64 && words <= 16:
		return newSizedFinder[[1]uint64, [16]uint64](b, canOwnLines, logFastRefuted, logSlowRefuted)
	case n <= 256 && words <= 40:
		return newSizedFinder[[4]uint64, [40]uint64](b, canOwnLines, logFastRefuted, logSlowRefuted)
	case words <= 80:
		return newSizedFinder[[7]uint64, [80]uint64](b, canOwnLines, logFastRefuted, logSlowRefuted)
	case words <= 256:
		return newSizedFinder[[7]uint64, [256]uint64](b, canOwnLines, logFastRefuted, logSlowRefuted)
	default:
		return newSizedFinder[[7]uint64, [16384]uint64](b, canOwnLines, logFastRefuted, logSlowRefuted)
	}
}

// sizedFinder is a finder of boards of one size.
type sizedFinder[S bitset.Squares, Q Lines] struct {
	g      *Geometry[S, Q]
	fast   *Search[S, Q]
	slower *SlowerSearch[S, Q]
	played states[S, Q] // the empty board, and what followed up to now
	now    int
}

// newSizedFinder returns a finder for boards whose squares and lines fit into those words.
func newSizedFinder[S bitset.Squares, Q Lines](b Board, canOwnLines [2]bool, logFastRefuted,
	logSlowRefuted int) (*Finder, error) {
	g, err := NewGeometry[S, Q](b)
	if err != nil {
		return nil, err
	}
	x := &sizedFinder[S, Q]{g: g, fast: NewSearch(g, logFastRefuted)}
	x.slower = NewSlowerSearch(x.fast, logSlowRefuted)
	*x.played.at(0, &x.fast.charge) = g.EmptyBoard(canOwnLines)
	return &Finder{x}, nil
}

// at returns the position at hand, which the finder's searches begin from and do not change.
func (x *sizedFinder[S, Q]) at() *State[S, Q] { return x.played[x.now] }

func (x *sizedFinder[S, Q]) Reset() { x.now = 0 }

// Forget clears the refuted positions of both searches, the continuous one's and the slower one's.
func (x *sizedFinder[S, Q]) Forget() {
	clear(x.fast.Refuted)
	clear(x.slower.Refuted)
}

// Play adds a position after the present one, so that Undo is one step back. It does not ask whether sq is free.
func (x *sizedFinder[S, Q]) Play(side, sq int) {
	next := x.played.at(x.now+1, &x.fast.charge)
	*next = *x.at()
	x.g.Play(next, side, sq)
	x.now++
}

func (x *sizedFinder[S, Q]) Undo() { x.now-- }

// Hash has one key for side 1 to move, and none for side 0.
func (x *sizedFinder[S, Q]) Hash(side int) uint64 {
	if side == 1 {
		return x.at().Hash ^ x.g.Turn
	}
	return x.at().Hash
}

func (x *sizedFinder[S, Q]) Completion(side int) (sq int, more bool) {
	return x.g.Completion(x.at(), side)
}

// WinsByThreats leaves the line and zone of a win in the continuous search, where Line and Zone read them.
func (x *sizedFinder[S, Q]) WinsByThreats(ctx context.Context, side int, maxNodes uint64, mode Mode) bool {
	x.fast.setContext(ctx)
	x.fast.Mode = mode
	return x.fast.FindWin(x.at(), side, maxNodes)
}

func (x *sizedFinder[S, Q]) Line() []int     { return x.fast.Line }
func (x *sizedFinder[S, Q]) Nodes() uint64   { return x.fast.Nodes }
func (x *sizedFinder[S, Q]) Zone() [7]uint64 { return toWidestSet(x.fast.Zone) }

// ForcedSequence plays the winner's moves that the search noted and after each the first completion as the reply. Where
// there are two completions no reply helps, and the other one ends the line.
func (x *sizedFinder[S, Q]) ForcedSequence(side int) []int {
	p := *x.at()
	var line []int
	for _, sq := range x.fast.Line {
		line = append(line, sq)
		if bitset.Has(x.g.Completions(&p, side), sq) {
			break
		}
		x.g.Play(&p, side, sq)
		ends := x.g.Completions(&p, side)
		reply := bitset.First(ends)
		x.g.Play(&p, side^1, reply)
		line = append(line, reply)
		if ends = bitset.Rest(ends); !bitset.Empty(ends) {
			return append(line, bitset.First(ends))
		}
	}
	return line
}

// WinningMoves searches in mode Useful; squares come in ascending order.
func (x *sizedFinder[S, Q]) WinningMoves(ctx context.Context, side int, maxNodes uint64) (list []int, complete bool) {
	x.fast.setContext(ctx)
	x.fast.Mode = Useful
	moves, all := x.fast.WinningMoves(x.at(), side, maxNodes)
	return squareList(moves), all
}

// squareList returns the squares of a set, ascending; none is an empty list, not nil.
func squareList[S bitset.Squares](s S) []int {
	list := []int{}
	for ; !bitset.Empty(s); s = bitset.Rest(s) {
		list = append(list, bitset.First(s))
	}
	return list
}

// SlowWinningMove sets the context and mode of the continuous search, which the slower one asks on its way.
func (x *sizedFinder[S, Q]) SlowWinningMove(ctx context.Context, side int, maxNodes uint64, mode Mode) int {
	x.fast.setContext(ctx)
	x.fast.Mode = mode
	if x.slower.FindWin(x.at(), side, maxNodes) {
		return x.slower.Move
	}
	return -1
}

// SlowWinningMoves are none where the limit of maxNodes came first or there is no such win.
func (x *sizedFinder[S, Q]) SlowWinningMoves(ctx context.Context, side int, maxNodes uint64, mode Mode) []int {
	x.fast.setContext(ctx)
	x.fast.Mode = mode
	return squareList(x.slower.WinningMoves(x.at(), side, maxNodes))
}

// toWidestSet returns a set as the largest, so that callers need not know for which size of board a finder is.
func toWidestSet[S bitset.Squares](s S) (wide [7]uint64) {
	for i := 0; i < len(s); i++ {
		wide[i] = s[i]
	}
	return wide
}

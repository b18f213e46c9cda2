package opened

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"oxo"
	"oxo/board"
	"oxo/games/kind"
	"oxo/judge"
	"oxo/threats"
)

// gomoku is how many in a row the gomocup protocol is about.
const gomoku = 5

// IsFiveInARow reports whether the game is five in a row on a grid whose edges are not joined, by free
// choice of the square. It goes by the winning sets and not by the name, so that any spec of such a
// game will do: there are exactly those rows that a grid of that size has.
func (b *TypedGame[P]) IsFiveInARow() bool {
	if !b.RacesForLines() || b.Board != nil && b.Board.Cols == 0 {
		return false
	}
	cols, rows := 0, 0
	for _, s := range b.View.Squares {
		cols, rows = max(cols, s.Col+1), max(rows, s.Row+1)
	}
	across, down := max(cols-gomoku+1, 0), max(rows-gomoku+1, 0)
	return len(b.Lines) == across*rows+down*cols+2*across*down &&
		!slices.ContainsFunc(b.Lines, func(line []int) bool { return isNotFiveInARow(b, line) })
}

// isNotFiveInARow reports whether the squares are not five side by side.
func isNotFiveInARow[P oxo.Position[P]](b *TypedGame[P], line []int) bool {
	if len(line) != gomoku {
		return true
	}
	line = slices.Sorted(slices.Values(line))
	step := func(i int) [2]int {
		from, to := b.View.Squares[line[i]], b.View.Squares[line[i+1]]
		return [2]int{to.Col - from.Col, to.Row - from.Row}
	}
	for i := range gomoku - 1 {
		if s := step(i); s != step(0) || max(s[0], -s[0]) > 1 || max(s[1], -s[1]) > 1 {
			return true
		}
	}
	return false
}

// logThreats is the size of what a search for threats remembers, as a power of 2.
const logThreats = 16

// finder is a game's search for threats, which one goroutine at a time may use. It is
// made when it is first asked for.
type finder struct {
	mu   sync.Mutex
	made *threats.Finder
}

// WithThreatFinder hands out the game's search for threats, to one at a time. It reports whether the game
// has such a search: one without chance and payoffs in which both sides want to own a set. The finder
// may not be kept.
func (b *TypedGame[P]) WithThreatFinder(use func(judge.Finder[P])) bool {
	if b.Lines == nil || b.Odds != nil || b.Payoff != nil || !b.WantsLines {
		return false
	}
	b.finder.mu.Lock()
	defer b.finder.mu.Unlock()
	if b.finder.made == nil {
		on := threats.Board{Squares: len(b.View.Squares), Need: b.Lines, Bar: b.Bars}
		if b.Board != nil {
			on = threats.FromBoard(b.Board)
		}
		made, err := threats.NewFinder(on, [2]bool{true, true}, logThreats, logThreats)
		if err != nil {
			return false
		}
		b.finder.made = made
	}
	use(threatFinder[P]{b, b.finder.made})
	return true
}

// threatFinder looks for threats as the judge asks for them.
type threatFinder[P oxo.Position[P]] struct {
	b    *TypedGame[P]
	made *threats.Finder
}

// setPosition takes over a position.
func (f threatFinder[P]) setPosition(p P) {
	f.made.Reset()
	for sq := range f.b.View.Squares {
		if mark := f.b.Mark(p, sq); mark < 2 {
			f.made.Play(mark, sq)
		}
	}
}

// Forget lets go of what was refuted.
func (f threatFinder[P]) Forget() { f.made.Forget() }

// FindWin returns the moves of a win by threats, nil where none was found. Limit is in positions. The
// moves are those of both sides, the replies being forced.
func (f threatFinder[P]) FindWin(ctx context.Context, p P, seat oxo.Seat, limit int) []oxo.Move {
	f.setPosition(p)
	return f.winningLine(ctx, seat, limit)
}

// winningLine returns the moves of a win of seat from the position at hand.
func (f threatFinder[P]) winningLine(ctx context.Context, seat oxo.Seat, limit int) (line []oxo.Move) {
	if f.made.WinsByThreats(ctx, int(seat), uint64(limit), threats.Useful) {
		for _, sq := range f.made.ForcedSequence(int(seat)) {
			line = append(line, oxo.Move(sq))
		}
	}
	return line
}

// FindWins returns the moves of each win by threats, by their first moves. A reply to the first move
// is the square that completes the set that it threatens.
func (f threatFinder[P]) FindWins(ctx context.Context, p P, seat oxo.Seat, limit int) (lines [][]oxo.Move) {
	f.setPosition(p)
	moves, _ := f.made.WinningMoves(ctx, int(seat), uint64(limit))
	for _, sq := range moves {
		line := []oxo.Move{oxo.Move(sq)}
		f.made.Play(int(seat), sq)
		if reply, _ := f.made.Completion(int(seat)); reply >= 0 {
			f.made.Play(int(seat.Other()), reply)
			line = append(append(line, oxo.Move(reply)), f.winningLine(ctx, seat, limit)...)
			f.made.Undo()
		}
		f.made.Undo()
		lines = append(lines, line)
	}
	return lines
}

// FindSlowWins returns all moves that begin a win by slower threats, as few of them as the shortest takes.
func (f threatFinder[P]) FindSlowWins(ctx context.Context, p P, seat oxo.Seat, limit int) (moves []oxo.Move) {
	f.setPosition(p)
	for _, sq := range f.made.SlowWinningMoves(ctx, int(seat), uint64(limit), threats.Useful) {
		moves = append(moves, oxo.Move(sq))
	}
	return moves
}

// FindSlowWin returns a move that begins a win by slower threats.
func (f threatFinder[P]) FindSlowWin(ctx context.Context, p P, seat oxo.Seat, limit int) oxo.Move {
	f.setPosition(p)
	return oxo.Move(f.made.SlowWinningMove(ctx, int(seat), uint64(limit), threats.Useful)) // -1 is NoMove
}

// SquareNamed returns the square of that name.
func (b *TypedGame[P]) SquareNamed(name string) (int, error) {
	if b.Board != nil {
		return b.Board.SquareNamed(name)
	}
	all := b.View.Squares
	at := slices.IndexFunc(all, func(s kind.Square) bool { return s.Name == strings.ToLower(name) })
	if at < 0 {
		return 0, fmt.Errorf("no such square; squares are %s to %s", all[0].Name, all[len(all)-1].Name)
	}
	return at, nil
}

// CompareSquareNames orders names of squares: by letter, then a2 before a10.
func CompareSquareNames(a, b string) int {
	return cmp.Or(cmp.Compare(strings.TrimRight(a, "0123456789"), strings.TrimRight(b, "0123456789")),
		cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// CompletedSets names the winning sets that the last move has completed: those of one mark. Sets of a side that
// gains nothing by them, as Breaker, are none.
func (b *TypedGame[P]) CompletedSets(p P) []string {
	var sets []string
	matter := [...]bool{setsMatterForMark(b, 0), setsMatterForMark(b, 1), false}
	// Each mark is read once, as there can be a hundred times as many sets as squares.
	marks := make([]int, len(b.View.Squares))
	for sq := range marks {
		marks[sq] = b.Mark(p, sq)
	}
	for i, set := range b.Lines {
		mark := marks[set[0]]
		if matter[mark] && !slices.ContainsFunc(set, func(sq int) bool { return marks[sq] != mark }) &&
			(b.Bars == nil || !slices.ContainsFunc(b.Bars[i], func(sq int) bool { return marks[sq] == mark })) {
			sets = append(sets, setName(b, set))
		}
	}
	return sets
}

// setsMatterForMark reports whether sets of such marks mean anything.
func setsMatterForMark[P oxo.Position[P]](b *TypedGame[P], mark int) bool {
	at, ok := any(b.Start).(board.Positional)
	if !ok {
		return true
	}
	rules := at.Rules()
	return rules.Counts(mark)
}

// OpenFor reports whether a winning set of which each side has so many marks can still become one that means something.
func OpenFor[P oxo.Position[P]](b *TypedGame[P], first, second int) bool {
	return second == 0 && setsMatterForMark(b, 0) || first == 0 && setsMatterForMark(b, 1)
}

// setName names a winning set by its squares.
func setName[P oxo.Position[P]](b *TypedGame[P], set []int) string {
	var names []string
	for _, sq := range set {
		names = append(names, b.View.Squares[sq].Name)
	}
	if slices.SortFunc(names, CompareSquareNames); len(names) > 5 {
		names = []string{names[0] + " to " + names[len(names)-1]}
	}
	return strings.Join(names, "–")
}

// plainSquares is the largest board on which alphabeta is the textbook's: on
// larger ones it searches by counts of lines, where the game is one of lines.
const plainSquares = 36

// RacesForLines reports whether both sides want to own a winning set, and may mark
// any square for it. There alpha-beta is the stronger search; in other games
// Monte-Carlo tree search is, within the same time (docs/search.md).
func (b *TypedGame[P]) RacesForLines() bool { return b.Lines != nil && b.WantsLines && b.free }

// SearchesByLines reports whether alphabeta searches by counts of lines here.
func (b *TypedGame[P]) SearchesByLines() bool {
	return b.RacesForLines() && len(b.View.Squares) > plainSquares
}

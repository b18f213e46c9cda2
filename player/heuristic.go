package player

import (
	"fmt"
	"slices"
	"strings"

	"oxo"
	"oxo/board"
)

// Heuristic plays by the rules of Newell and Simon (Human Problem Solving,
// 1972) in their order, on any board with winning sets: win; block; fork;
// block a fork; centre; opposite corner; empty corner; empty side; else the
// square on most lines that it can still own. Where a rule names several
// squares it draws among them.
//
// To block a fork it makes a threat whose answer gives the opponent no fork
// and no threat of his own, or else takes the square of the fork: just taking
// it loses by force against two opposite corners.
//
// An even board has no centre. Boards that are not square grids have no
// corners and no sides either.
type Heuristic[P oxo.Position[P]] struct{ Flaws HeuristicFlaws }

// HeuristicFlaws are what is wrong with the heuristic of Danenberg's notes on Mitchell's
// Machine Learning (2011), each by itself, so that what it costs can be measured.
type HeuristicFlaws struct {
	Seat   bool // it sees the board as First even where it is Second
	Gap    bool // two lines that lack the same square count as a fork
	Fork   bool // it blocks a fork by taking a square of it
	Corner bool // the corner it takes is opposite to one of its own
	Edge   bool // it knows no rule of empty corners, only one of sides
}

// FlawNames are the flaws by name.
const FlawNames = "seat, gap, fork, corner, edge"

// ParseHeuristicFlaws reads flaws by their names, joined with +; published stands for those
// that the notes' program has.
func ParseHeuristicFlaws(text string) (s HeuristicFlaws, err error) {
	slips := map[string][]*bool{"seat": {&s.Seat}, "gap": {&s.Gap}, "fork": {&s.Fork}, "corner": {&s.Corner},
		"edge": {&s.Edge}, "published": {&s.Seat, &s.Gap, &s.Fork, &s.Corner}}
	for name := range strings.SplitSeq(text, "+") {
		if slips[name] == nil {
			return s, fmt.Errorf("slip %q: there are %s, joined with +, and published for those of the notes' program",
				name, FlawNames)
		}
		for _, slip := range slips[name] {
			*slip = true
		}
	}
	return s, nil
}

// Policy spreads over the squares that the first rule with any names.
func (f Heuristic[P]) Policy(p P, moves []oxo.Move, probs []float64) {
	view := any(p).(board.Positional)
	s := moverView{board: view.Board(), free: view.Playable(), flaws: f.Flaws}
	s.mine, s.theirs = view.Marks()
	if p.Turn() == oxo.Second && !f.Flaws.Seat {
		s.mine, s.theirs = s.theirs, s.mine
	}
	squares := s.chooseSquares()
	chosen := make([]bool, len(moves))
	for i, m := range moves {
		chosen[i] = squares.Has(board.Square(m))
	}
	spreadEvenly(chosen, probs)
}

// moverView is a position as the side to move sees it.
type moverView struct {
	board        *board.Board
	mine, theirs board.Set
	free         board.Set // playable squares
	flaws        HeuristicFlaws
}

// chooseSquares returns the squares of the first rule that finds any.
// The order of the list is that of the book; the last rule finds a square wherever one is playable.
func (s *moverView) chooseSquares() board.Set {
	for _, rule := range []func() board.Set{
		func() board.Set { return s.completingSquares(s.mine) },
		func() board.Set { return s.completingSquares(s.theirs) },
		func() board.Set { return s.forkSquares(s.mine, s.theirs) },
		s.forkBlockingSquares,
		s.freeCentre,
		s.oppositeCorners,
		s.emptyCorners,
		func() board.Set { return s.free.And(sides(s.board)) },
	} {
		if squares := rule(); !squares.Empty() {
			return squares
		}
	}
	return s.squaresOnMostOpenLines()
}

// completingSquares returns the playable squares that complete a line of marks.
func (s *moverView) completingSquares(marks board.Set) board.Set {
	var squares board.Set
	for i := range s.free.All() {
		if ownsLineThrough(s.board, marks.With(i), i) {
			squares = squares.With(i)
		}
	}
	return squares
}

// ownsLineThrough reports whether marks own a line through square i.
func ownsLineThrough(b *board.Board, marks board.Set, i int) bool {
	return slices.ContainsFunc(b.LinesThrough(i), func(k int) bool { return b.Lines[k].Owned(marks) })
}

// threatsThrough returns the squares that would complete a line of own through
// square i, which own has just taken.
func (s *moverView) threatsThrough(own, other board.Set, i int) board.Set {
	var squares board.Set
	for _, k := range s.board.LinesThrough(i) {
		line := s.board.Lines[k]
		missing := line.Need.Minus(own)
		if missing.Len() == 1 && !missing.Meets(other) && !line.Bar.Meets(own) {
			squares = squares.Or(missing)
		}
	}
	return squares
}

// forkSquares returns the playable squares that make two threats at once.
func (s *moverView) forkSquares(own, other board.Set) board.Set {
	var squares board.Set
	for i := range s.free.All() {
		if s.threatsThrough(own.With(i), other, i).Len() >= 2 || s.flaws.Gap && s.countThreatLines(own.With(i),
			other) >= 2 {
			squares = squares.With(i)
		}
	}
	return squares
}

// countThreatLines counts the lines that lack one mark to be own's.
func (s *moverView) countThreatLines(own, other board.Set) int {
	n := 0
	for _, line := range s.board.Lines {
		if missing := line.Need.Minus(own); missing.Len() == 1 && !missing.Meets(other) && !line.Bar.Meets(own) {
			n++
		}
	}
	return n
}

// forkBlockingSquares returns the squares that keep the opponent from two threats at once, or force an answer
// that is none of these.
// A square that does both, forces and takes the fork's, goes before one that only forces.
func (s *moverView) forkBlockingSquares() board.Set {
	danger := s.forkSquares(s.theirs, s.mine)
	if danger.Empty() || s.flaws.Fork {
		return danger
	}
	var forcing board.Set
	for i := range s.free.All() {
		mine := s.mine.With(i)
		for answer := range s.threatsThrough(mine, s.theirs, i).All() {
			if s.threatsThrough(s.theirs.With(answer), mine, answer).Len() < 2 {
				forcing = forcing.With(i)
			}
		}
	}
	if both := forcing.And(danger); !both.Empty() {
		return both
	}
	if !forcing.Empty() {
		return forcing
	}
	return danger
}

// isSquareGrid reports whether the board is a grid with equal sides.
func isSquareGrid(b *board.Board) bool {
	return b.Cols > 1 && b.Cols == b.Rows && (b.Levels == 1 || b.Levels == b.Cols)
}

// freeCentre returns the centre, where it is free.
func (s *moverView) freeCentre() board.Set {
	b := s.board
	if !isSquareGrid(b) || b.Cols%2 == 0 {
		return board.Set{}
	}
	return s.free.And(board.SetOf(b.N / 2))
}

// corners returns the squares that are at an end in every direction.
func corners(b *board.Board) board.Set {
	var squares board.Set
	if isSquareGrid(b) {
		for i, at := range b.Layout {
			if atEnd(at.Col, b.Cols) && atEnd(at.Row, b.Rows) && atEnd(at.Level, b.Levels) {
				squares = squares.With(i)
			}
		}
	}
	return squares
}

// sides returns the squares at an end in some direction that are no corners.
func sides(b *board.Board) board.Set {
	var squares board.Set
	if isSquareGrid(b) {
		for i, at := range b.Layout {
			if atEnd(at.Col, b.Cols) || atEnd(at.Row, b.Rows) || b.Levels > 1 && atEnd(at.Level, b.Levels) {
				squares = squares.With(i)
			}
		}
	}
	return squares.Minus(corners(b))
}

// atEnd reports whether i is the first or the last of n rows, columns or levels.
func atEnd(i, n int) bool { return i == 0 || i == n-1 }

// oppositeCorners returns the playable corners opposite to one of theirs,
// unless a mark of mine already blocks the line between the two: then the
// corner has nothing left to stop.
// Squares are numbered row by row, so that the one opposite to i through the centre is N−1−i.
func (s *moverView) oppositeCorners() board.Set {
	var squares board.Set
	if s.flaws.Corner {
		for i := range corners(s.board).And(s.mine).All() {
			squares = squares.With(s.board.N - 1 - i)
		}
		return s.free.And(squares)
	}
	for i := range corners(s.board).And(s.theirs).All() {
		if opposite := s.board.N - 1 - i; s.free.Has(opposite) && !s.blocksAllLinesBetween(i, opposite) {
			squares = squares.With(opposite)
		}
	}
	return squares
}

// emptyCorners returns the corners that are free.
func (s *moverView) emptyCorners() board.Set {
	if s.flaws.Edge {
		return board.Set{}
	}
	return s.free.And(corners(s.board))
}

// blocksAllLinesBetween reports whether I have a mark on every line through both squares.
func (s *moverView) blocksAllLinesBetween(i, j int) bool {
	lines := 0
	for _, k := range s.board.LinesThrough(i) {
		if need := s.board.Lines[k].Need; need.Has(j) {
			if !need.Meets(s.mine) {
				return false
			}
			lines++
		}
	}
	return lines > 0
}

// squaresOnMostOpenLines returns the playable squares on most lines that hold no mark of
// theirs.
func (s *moverView) squaresOnMostOpenLines() board.Set {
	var squares board.Set
	most := -1
	for i := range s.free.All() {
		n := 0
		for _, k := range s.board.LinesThrough(i) {
			if !s.board.Lines[k].Need.Meets(s.theirs) {
				n++
			}
		}
		if n > most {
			most, squares = n, board.Set{}
		}
		if n == most {
			squares = squares.With(i)
		}
	}
	return squares
}

package space

import (
	"oxo/board"
)

// Picture is the marks of a position.
type Picture struct{ x, o board.Set }

// DistanceToNearest returns the number of squares in which p differs from the image that
// is nearest to it.
func (p Picture) DistanceToNearest(images []Picture) int {
	least := board.MaxSquares
	for _, q := range images {
		differ := p.x.Minus(q.x).Or(q.x.Minus(p.x)).Or(p.o.Minus(q.o)).Or(q.o.Minus(p.o))
		least = min(least, differ.Len())
	}
	return least
}

// mostSymmetries is the most automorphisms that pictures are carried by; of a
// larger group only the identity is used.
const mostSymmetries = 1024

// imagesFunc returns the function that gives a position's distinct images under
// the automorphisms of its board, itself first; nil where positions are not on
// a board.
func (a *Graph[P]) imagesFunc() func(n Node) []Picture {
	start, ok := any(a.Game.Start).(board.Positional)
	if !ok {
		return nil
	}
	perms := start.Board().Group().Elements(mostSymmetries)
	return func(n Node) []Picture {
		x, o := any(a.position[n]).(board.Positional).Marks()
		list := []Picture{{x, o}}
		seen := map[Picture]bool{list[0]: true}
		for _, perm := range perms {
			p := Picture{x.Image(perm), o.Image(perm)}
			if !seen[p] {
				seen[p] = true
				list = append(list, p)
			}
		}
		return list
	}
}

// boardAndMarksFunc returns the game's board and the function that gives a position's marks; nil
// where positions are not on a board.
func (a *Graph[P]) boardAndMarksFunc() (*board.Board, Marks) {
	switch a := any(a).(type) { // rather than of each position, which would box it
	case *Graph[board.Pos64]:
		return a.Game.Start.Board(), func(n Node) (x, o board.Set) { return a.position[n].Marks() }
	case *Graph[board.Pos256]:
		return a.Game.Start.Board(), func(n Node) (x, o board.Set) { return a.position[n].Marks() }
	}
	return nil, nil
}

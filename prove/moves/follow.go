package moves

import (
	"errors"
	"fmt"

	"oxo"
)

// Followed says what a strategy comes to.
type Followed struct {
	Moves   []uint8 // as the forms have them, in the order in which positions are visited
	Replies uint64  // of the other side that were looked at
	Longest int     // plies of the longest game that ends
	Ranks   []int   // of a win where play can go in circles, one a move; else none
}

// ErrBroken is why a strategy does not show what it is asked for.
var ErrBroken = errors.New("the strategy does not keep what it claims")

// Follow visits all positions to which a strategy of the question's side comes from root, those with fewer plies
// first and then by their form, each form once. choose returns the move of the side in a position of a form, as the
// form has it where turned is set, else as the position has it; left is how many plies still count there. The error
// wraps ErrBroken where the strategy fails, or is that of choose or of the disk.
func (g *Provable[P]) Follow(root P, q Question,
	choose func(p P, form string, left int) (m oxo.Move, turned bool, err error)) (*Followed, error) {
	return g.followInRoom(Room{}, root, q, choose)
}

// followInRoom is Follow where the positions lie in a room. It visits one level while it collects the next, so two are
// held at a time.
func (g *Provable[P]) followInRoom(room Room, root P, q Question,
	choose func(p P, form string, left int) (m oxo.Move, turned bool, err error)) (*Followed, error) {
	f := &Followed{Moves: []uint8{}} // none is a strategy too, where all that follows is settled
	next, ply := g.newLevel(room), 0
	defer func() { next.closeFiles() }()
	// A root in which the other side moves is no position of the strategy, but those after its replies are.
	if root.Turn() != q.Seat {
		ply = 1
		if err := g.collectOpenReplies(f, root, q, 0, next); err != nil {
			return nil, err
		}
	} else {
		form, _ := g.Form(root)
		next.held[form] = root
	}
	for ; !next.empty(); ply += 2 {
		level := next
		next = g.newLevel(room)
		err := level.forEachInOrder(func(form string, p P) error {
			m, turned, err := choose(p, form, q.Plies-ply)
			if err != nil {
				return err
			}
			if m, err = g.recordMove(f, p, m, turned); err != nil {
				return err
			}
			after := p.Play(m)
			if s := g.claimStateAfter(f, after, q, ply+1); s == broken {
				return fmt.Errorf("%w: %s, the move %s", ErrBroken, g.Format(p), g.FormatMove(p, m))
			} else if s == kept {
				return nil
			}
			return g.collectOpenReplies(f, after, q, ply+1, next)
		})
		level.closeFiles()
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

// recordMove takes a move down as the form has it, and returns it as the position has it. It finds the one from the
// other by trying all moves of p, so a move that is not legal is an error that wraps ErrBroken.
func (g *Provable[P]) recordMove(f *Followed, p P, m oxo.Move, turned bool) (played oxo.Move, err error) {
	_, symmetry := g.Form(p)
	for _, own := range p.Moves(nil) {
		image := g.Turn(symmetry, own)
		if !turned && own == m || turned && image == m {
			f.Moves = append(f.Moves, uint8(image))
			return own, nil
		}
	}
	return 0, fmt.Errorf("%w: %s has no such move", ErrBroken, g.Format(p))
}

// claimStateAfter returns how the question stands after ply plies, and takes down where a game ends. A position that a
// theorem settles counts as kept, and as a game that ends as late as the theorem allows.
func (g *Provable[P]) claimStateAfter(f *Followed, p P, q Question, ply int) claimState {
	if p.Outcome() != oxo.Ongoing {
		f.Longest = max(f.Longest, ply)
	}
	s := g.claimStateAt(p, q, q.Plies-ply)
	if s == open && g.Settled != nil {
		if plies, ok := g.Settled(p, q, q.Plies-ply); ok {
			f.Longest = max(f.Longest, ply+plies)
			return kept
		}
	}
	return s
}

// collectOpenReplies puts what the replies in p lead to, after ply plies, into next: those positions where the question
// is still open. The first reply that breaks the claim is an error.
func (g *Provable[P]) collectOpenReplies(f *Followed, p P, q Question, ply int, next *level[P]) error {
	for _, m := range p.Moves(nil) {
		f.Replies++
		after := p.Play(m)
		switch g.claimStateAfter(f, after, q, ply+1) {
		case broken:
			return fmt.Errorf("%w: %s, the reply %s", ErrBroken, g.Format(p), g.FormatMove(p, m))
		case open:
			form, _ := g.Form(after)
			if err := next.put(form, after); err != nil {
				return err
			}
		}
	}
	return nil
}

package moves

import (
	"errors"
	"fmt"
	"slices"

	"oxo"
)

// Followed says what a strategy comes to.
type Followed struct {
	Moves   []oxo.Move // as the forms have them, in the order in which positions are visited
	Replies uint64     // of the other side that were looked at
	Longest int        // plies of the longest game that ends
}

// ErrBroken is why a strategy does not show what it is asked for.
var ErrBroken = errors.New("the strategy does not keep what it claims")

// Follow visits all positions to which a strategy of the question's side comes from root, those
// with fewer plies first and then by their form, each form once. choose returns the move of the side
// in a position of a form, as the form has it where turned is set, else as the position has it.
func (g *Game[P]) Follow(root P, q Question,
	choose func(p P, form string, left int) (m oxo.Move, turned bool, err error)) (*Followed, error) {
	f := &Followed{}
	next := map[string]P{}
	ply := 0
	if root.Turn() == q.Seat {
		form, _ := g.Form(root)
		next[form] = root
	} else if err := g.follow(f, root, q, 0, next); err != nil {
		return nil, err
	} else {
		ply = 1
	}
	for ; len(next) > 0; ply += 2 {
		level := next
		next = make(map[string]P, 2*len(level))
		forms := make([]string, 0, len(level))
		for form := range level {
			forms = append(forms, form)
		}
		slices.Sort(forms)
		for _, form := range forms {
			p := level[form]
			m, turned, err := choose(p, form, q.Plies-ply)
			if err != nil {
				return nil, err
			}
			if m, err = g.both(f, p, m, turned); err != nil {
				return nil, err
			}
			after := p.Play(m)
			if s := g.ends(f, after, q, ply+1); s == broken {
				return nil, fmt.Errorf("%w: %s, the move %s", ErrBroken, g.Format(p), g.FormatMove(p, m))
			} else if s == kept {
				continue
			}
			if err := g.follow(f, after, q, ply+1, next); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// both takes a move down as the form has it, and returns it as the position has it.
func (g *Game[P]) both(f *Followed, p P, m oxo.Move, turned bool) (oxo.Move, error) {
	_, symmetry := g.Form(p)
	for _, own := range p.Moves(nil) {
		image := g.Turn(symmetry, own)
		if !turned && own == m || turned && image == m {
			f.Moves = append(f.Moves, image)
			return own, nil
		}
	}
	return 0, fmt.Errorf("%w: %s has no such move", ErrBroken, g.Format(p))
}

// ends returns how the question stands after ply plies, and takes down where a game ends.
func (g *Game[P]) ends(f *Followed, p P, q Question, ply int) state {
	if p.Outcome() != oxo.Ongoing {
		f.Longest = max(f.Longest, ply)
	}
	s := g.stands(p, q, q.Plies-ply)
	if s == open && g.Settled != nil {
		if plies, ok := g.Settled(p, q, q.Plies-ply); ok {
			f.Longest = max(f.Longest, ply+plies)
			return kept
		}
	}
	return s
}

// follow puts what the replies in p lead to, after ply plies, into next.
func (g *Game[P]) follow(f *Followed, p P, q Question, ply int, next map[string]P) error {
	for _, m := range p.Moves(nil) {
		f.Replies++
		after := p.Play(m)
		switch g.ends(f, after, q, ply+1) {
		case broken:
			return fmt.Errorf("%w: %s, the reply %s", ErrBroken, g.Format(p), g.FormatMove(p, m))
		case open:
			form, _ := g.Form(after)
			if _, known := next[form]; !known {
				next[form] = g.Class(after)
			}
		}
	}
	return nil
}

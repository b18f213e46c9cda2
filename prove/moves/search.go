package moves

import (
	"context"
	"fmt"
	"slices"

	"oxo"
	"oxo/search/proof"
)

// restrictedQuestion is a question that is searched with some of the moves of its side: those that leave
// the other at most few replies, or else the fewest. few is everything where all moves are.
type restrictedQuestion[P oxo.Position[P]] struct {
	Question
	g       *Provable[P]
	few     int
	verdict proof.Status
}

// questionView is a position as a restricted question sees it, a game that the side of the question wins or loses. It
// is comparable, so that the prover can keep what it knows of it in a table; the same position with other plies left is
// another.
type questionView[P oxo.Position[P]] struct {
	p     P
	left  int8 // plies that still count
	quest *restrictedQuestion[P]
}

const (
	everything = 1 << 20
	entryBytes = 70 // about what a position takes in the table
)

// widths are how many replies count as few, round by round.
var widths = []int{0, 2, 4, 6, 8, everything}

// Turn is the turn of the position.
func (v questionView[P]) Turn() oxo.Seat { return v.p.Turn() }

// Outcome is a win of the question's side where its strategy has reached what it claims.
func (v questionView[P]) Outcome() oxo.Outcome {
	switch v.quest.g.claimStateAt(v.p, v.quest.Question, int(v.left)) {
	case kept:
		return oxo.WinFor(v.quest.Seat)
	case broken:
		return oxo.WinFor(v.quest.Seat.Other())
	}
	return oxo.Ongoing
}

// Play goes to the representative of the class of the position after m, so that symmetric positions are searched
// once.
func (v questionView[P]) Play(m oxo.Move) questionView[P] {
	v.p = v.quest.g.Representative(v.p.Play(m))
	v.left--
	return v
}

// Moves appends the moves that the restricted question tries. For the other side these are all, as a strategy must
// answer every reply. For the side of the question it is a move that wins at once, if there is one; else those after
// which the other has few replies and those that gain something. Where no move leaves few, those stay that leave the
// fewest.
func (v questionView[P]) Moves(buf []oxo.Move) []oxo.Move {
	at := len(buf)
	buf = v.p.Moves(buf)
	if v.quest.few == everything || v.p.Turn() != v.quest.Seat {
		return buf
	}
	var room [128]int
	replies := room[:0]
	least := everything
	for _, m := range buf[at:] {
		q := v.p.Play(m)
		switch q.Outcome() {
		case oxo.Ongoing:
		case oxo.WinFor(v.quest.Seat):
			buf[at] = m
			return buf[:at+1]
		default:
			replies = append(replies, everything)
			continue
		}
		n := int(v.quest.g.Perft(q, 1))
		if v.quest.g.Gains(v.p, q) {
			n = 0
		} else {
			least = min(least, n)
		}
		replies = append(replies, n)
	}
	few := max(least, v.quest.few)
	keep := at
	for i, n := range replies {
		if n <= few {
			buf[keep] = buf[at+i]
			keep++
		}
	}
	return buf[:keep]
}

// search is a number of restricted questions about one position in one table. They share the table, as a question is
// part of the view that is looked up. It belongs to one goroutine.
type search[P oxo.Position[P]] struct {
	g      *Provable[P]
	root   P
	prover *proof.Prover[questionView[P]]
	nodes  uint64
	most   uint64 // of nodes
	all    bool   // no move of the side of a question is left out
	tell   func(Progress)
}

// newSearch returns a search that takes about so many bytes. It returns an error where the prover refuses the game.
func newSearch[P oxo.Position[P]](g *Provable[P], root P, bytes int) (*search[P], error) {
	prover, err := proof.NewProver(&oxo.Game[questionView[P]]{
		Spec: g.Spec, MaxMoves: g.MaxMoves, MaxPlies: g.MaxPlies,
		Perft:   func(v questionView[P], depth int) uint64 { return g.Perft(v.p, depth) },
		WinsNow: func(v questionView[P]) bool { return g.WinsNow(v.p) },
	}, bytes)
	if err != nil {
		return nil, fmt.Errorf("prove %s: %w", g.Spec, err)
	}
	return &search[P]{g: g, root: root, prover: prover}, nil
}

// restrictedQuestions returns the searches for a question, the one with the fewest moves first.
func (s *search[P]) restrictedQuestions(q Question) []*restrictedQuestion[P] {
	var list []*restrictedQuestion[P]
	for _, few := range widths {
		if s.all && few != everything {
			continue
		}
		list = append(list, &restrictedQuestion[P]{Question: q, g: s.g, few: few})
	}
	return list
}

// searchRound goes on with the open ones of the restricted questions of one question: the first searches so many
// positions more, each further one half as many. It returns the one that has shown a yes, or nil,
// and whether the question is decided.
func (s *search[P]) searchRound(ctx context.Context, restricted []*restrictedQuestion[P],
	nodes uint64) (yes *restrictedQuestion[P], decided bool) {
	for _, q := range restricted {
		if q.verdict == proof.Disproven {
			continue
		}
		if ctx.Err() != nil || s.nodes >= s.most {
			return nil, false
		}
		a := s.prover.Prove(ctx, questionView[P]{s.root, int8(q.Plies), q}, q.Seat, min(nodes, s.most-s.nodes))
		s.nodes += a.Nodes
		if s.tell != nil {
			s.tell(Progress{q.Question, a.Proof, a.Disproof, s.nodes, uint64(s.prover.Stored()) * entryBytes})
		}
		q.verdict = a.Verdict
		switch {
		case a.Verdict == proof.Proven:
			return q, true
		case a.Verdict == proof.Disproven && q.few == everything:
			return nil, true
		}
		nodes = max(nodes/2, 1)
	}
	return nil, false
}

// extractStrategy follows what a restricted question has shown. What the table has lost is searched again, without a
// limit of nodes; the error is that of ctx where this is broken off.
func (s *search[P]) extractStrategy(ctx context.Context, q *restrictedQuestion[P]) (*Followed, error) {
	return s.g.Follow(s.root, q.Question, func(p P, _ string, left int) (oxo.Move, bool, error) {
		v := questionView[P]{p, int8(left), q}
		if v.Outcome() != oxo.Ongoing { // nothing can happen any more, at the root
			return p.Moves(nil)[0], false, nil
		}
		a := s.prover.Prove(ctx, v, q.Seat, 0)
		if a.Verdict != proof.Proven {
			return 0, false, fmt.Errorf("prove %s: %w", s.g.Spec, context.Cause(ctx))
		}
		if !slices.Contains(p.Moves(nil), a.Move) {
			return 0, false, fmt.Errorf("prove %s: no move in %s", s.g.Spec, s.g.Format(p))
		}
		return a.Move, false, nil
	})
}

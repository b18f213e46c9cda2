// Package exam grades ways to play by the truth: from the values of all positions it works out, sampling nothing,
// how games end and where value is given away ([Examiner]). Where a game is too large for that, a [Sample] of
// positions whose values are known takes its place.
package exam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"oxo"
	"oxo/board"
	"oxo/learn/space"
	"oxo/player"
)

// Exam is how good a way to play is, exactly: nothing is sampled.
type Exam struct {
	Game     string   `json:"game"`
	AsFirst  SeatExam `json:"as_first" doc:"moving first"`
	AsSecond SeatExam `json:"as_second" doc:"moving second"`
	// Exploitability is the mean of both seats'.
	Exploitability float64 `json:"exploitability"`
}

// SeatExam grades one seat.
type SeatExam struct {
	VsRandom    Score            `json:"vs_random" doc:"against random moves"`
	VsHeuristic *Score           `json:"vs_heuristic,omitempty" doc:"against the heuristic, where it knows the game"`
	VsBest      Score            `json:"vs_best" doc:"against the reply that is worst for it"`
	Vs          map[string]Score `json:"vs,omitempty" doc:"against others, by name"` // against others asked for

	// Exploitability, in payoffs of the game, is how much less than its value it gets against
	// the best response; 0 where it plays perfectly.
	Exploitability float64 `json:"exploitability"`
	// Mistakes counts the positions that it can reach, whatever the other
	// side does, in which it may make a move worth less than another.
	Mistakes int `json:"mistakes" doc:"positions that it can reach where it may give value away"`
	// Decisions counts the positions that it can reach and where it moves.
	Decisions int `json:"decisions" doc:"positions that it can reach where it chooses"`
	// Worst are the mistakes that give most away, a position's the mean by how it moves there; of those that give
	// the same away, those with the fewest plies before them.
	Worst []string `json:"worst,omitempty" doc:"the positions where it gives most away on average, most first"`
}

// Score is how games against one opponent end: probabilities. Optimal is the
// share of its moves that keep the position's value, each weighted by how
// often it is made; nil where it makes none and in games that can go on for ever.
type Score struct {
	Win     float64  `json:"win" doc:"probability that it wins"`
	Draw    float64  `json:"draw" doc:"probability of a draw"`
	Loss    float64  `json:"loss" doc:"probability that it loses"`
	Optimal *float64 `json:"optimal" doc:"share of its moves that keep the value, by how often each is made; null where it makes no move, or games can go on for ever"`
	// Resigned is the part of Loss in which it gave up, as MENACE does where a
	// box is empty.
	Resigned float64 `json:"resigned,omitempty" doc:"probability that it resigned, of the losses"`
	// Payoff is the mean of what the games pay it; nil where games pay for nothing but who wins.
	Payoff *float64 `json:"payoff,omitempty" doc:"the mean payoff to it, where games have payoffs of their own"`
}

// Points is the mean of wins and half the draws.
func (s Score) Points() float64 { return s.Win + s.Draw/2 }

// Examiner grades ways to play a game whose positions have all been
// enumerated. It may be used by several goroutines at once.
type Examiner struct {
	space     *space.Space
	game      string
	random    space.Mix
	heuristic space.Mix
	others    map[string]space.Mix
}

// NewExaminer returns the examiner of a complete graph. Where the heuristic
// player knows the game it is one of the opponents; others may be added by
// name. It refuses graphs whose values are not known, and gives up where ctx is done.
func NewExaminer[P oxo.Position[P]](ctx context.Context, a *space.Graph[P],
	others map[string]oxo.Policy[P]) (*Examiner, error) {
	if !a.Complete() {
		return nil, errors.New("an exact exam needs a game whose positions can all be enumerated")
	}
	if err := a.CheckValues(); err != nil {
		return nil, fmt.Errorf("an exact exam of %s: %w", a.Game.Spec, err)
	}
	x := &Examiner{space: a.Space, game: a.Game.Spec, others: map[string]space.Mix{}}
	var err error
	if x.random, err = space.Compile(ctx, a, player.Random[P]{}); err != nil {
		return nil, err
	}
	if view, ok := any(a.Game.Start).(board.Positional); ok && view.Rules().Name == "" {
		if x.heuristic, err = space.Compile(ctx, a, player.Heuristic[P]{}); err != nil {
			return nil, err
		}
	}
	for name, policy := range others {
		if x.others[name], err = space.Compile(ctx, a, policy); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// Heuristic returns the compiled heuristic player, nil where there is none.
func (x *Examiner) Heuristic() space.Mix { return x.heuristic }

// Random returns the compiled player that draws among all moves, each as likely as the others.
func (x *Examiner) Random() space.Mix { return x.random }

// mostWorst is how many mistakes are listed.
const mostWorst = 5

// Exam grades a way to play on both seats: m has a probability for each edge of the space. Where those of a
// position add up to less than 1, the rest is the probability that it resigns.
func (x *Examiner) Exam(m space.Mix) Exam {
	e, _ := x.ExamWithin(context.Background(), m) // which never ends
	return e
}

// ExamWithin is Exam, or ctx's error where that ends before it is done with the next opponent.
func (x *Examiner) ExamWithin(ctx context.Context, m space.Mix) (e Exam, err error) {
	e.Game = x.game
	s := newScorer(x.space, m)
	s.ctx = ctx
	if e.AsFirst, err = x.gradeSeat(s, oxo.First); err != nil {
		return e, err
	}
	e.AsSecond, err = x.gradeSeat(s, oxo.Second)
	e.Exploitability = (e.AsFirst.Exploitability + e.AsSecond.Exploitability) / 2
	return e, err
}

// gradeSeat grades the policy of a scorer in one seat, against each opponent and the best response. It sets the
// scorer's seat, and gives up where the scorer's context is done.
func (x *Examiner) gradeSeat(s *scorer, seat oxo.Seat) (e SeatExam, err error) {
	s.seat = seat
	opponents := 2 + len(x.others) // random, and the best response
	if x.heuristic != nil {
		opponents++
	}
	done := opponents * int(seat)
	next := func() error {
		done++
		return space.PollAndTell(s.ctx, space.Grading, done-1, 2*opponents)
	}
	if err := next(); err != nil {
		return e, err
	}
	e.VsRandom, _ = s.scoreAgainst(x.random)
	if x.heuristic != nil {
		if err := next(); err != nil {
			return e, err
		}
		score, _ := s.scoreAgainst(x.heuristic)
		e.VsHeuristic = &score
	}
	for name, m := range x.others {
		if err := next(); err != nil {
			return e, err
		}
		if e.Vs == nil {
			e.Vs = map[string]Score{}
		}
		e.Vs[name], _ = s.scoreAgainst(m)
	}
	if err := next(); err != nil {
		return e, err
	}
	// The best response is the opponent that plays knowing m; what it gets beyond the game's value was given away.
	var worth float64
	e.VsBest, worth = s.scoreAgainst(nil)
	e.Exploitability = x.space.Scale * max(0, space.Sign(seat)*x.space.Value(x.space.Start)-worth)
	if e.Exploitability < 1e-12 {
		e.Exploitability = 0
	}
	s.countMistakes(&e)
	return e, nil
}

// scorer works out how games end for a way to play on one seat, from the ends of the game back to its start. at has
// the prospect of each node against the opponent of the last call of score, and seen is used by countMistakes
// alone. It belongs to one goroutine.
type scorer struct {
	ctx   context.Context
	space *space.Space
	mix   space.Mix
	seat  oxo.Seat
	at    []prospect
	seen  []bool
}

// rounding is how far sums of probabilities may be from the truth.
const rounding = 1e-12

// prospect is what a position promises the examined seat: the probabilities
// of winning, of losing and of giving up, the expected worth, and the expected
// numbers of its moves and of those that keep the value.
type prospect struct{ win, loss, resigned, worth, moves, optimal float64 }

// newScorer returns a scorer of a way to play; whoever uses it sets its seat.
func newScorer(s *space.Space, m space.Mix) *scorer {
	return &scorer{space: s, mix: m, at: make([]prospect, s.Len()), seen: make([]bool, s.Len())}
}

// scoreAgainst returns how games against the other side's mix end, and what they are worth to the seat, from -1 to 1. A
// nil mix is the best response, which makes the worth least; among equals it wins more often. In games that can go
// in circles what was computed for another opponent is cleared first, as the sweeps begin with it and end when
// little changes.
func (x *scorer) scoreAgainst(other space.Mix) (score Score, worth float64) {
	s := x.space
	if s.Loopy() {
		clear(x.at)
	}
	s.Sweep(func(n space.Node) float64 {
		old := x.at[n]
		p := x.prospectAgainst(n, other)
		x.at[n] = p
		return max(math.Abs(p.win-old.win), math.Abs(p.loss-old.loss), math.Abs(p.worth-old.worth))
	})
	p := x.at[s.Start]
	score = Score{Win: p.win, Loss: p.loss, Draw: 1 - p.win - p.loss, Resigned: p.resigned}
	if score.Draw < rounding {
		score.Draw = 0
		// What alone is left is certain, and its sum of probabilities may be off 1 by rounding.
		switch {
		case score.Win == 0:
			score.Loss = 1
		case score.Loss == 0:
			score.Win = 1
		}
	}
	if s.Pays {
		payoff := s.Scale * p.worth
		score.Payoff = &payoff
	}
	if p.moves-p.resigned > rounding { // it does more than resign
		share := min(1, p.optimal/p.moves)
		score.Optimal = &share
	}
	return score, p.worth
}

// prospectAgainst returns how the game ends from a node on where the opponent plays like other, or its best response
// where that is nil. It reads the prospects of the node's children, which must be known, or in a game that goes in
// circles as far as the sweeps have come.
func (x *scorer) prospectAgainst(n space.Node, other space.Mix) prospect {
	s := x.space
	if s.Over(n) {
		p := prospect{worth: s.WorthTo(n, x.seat)}
		switch s.Outcome(n).Value(x.seat) {
		case oxo.Win:
			p.win = 1
		case oxo.Loss:
			p.loss = 1
		}
		return p
	}
	turn := s.Turn(n)
	if other == nil && turn == x.seat.Other() {
		return x.worstReplyProspect(n)
	}
	own := turn == x.seat
	odds := x.mix
	if turn == oxo.Chance {
		odds = s.Odds()
	} else if !own {
		odds = other
	}
	from, _ := s.Edges(n)
	var p prospect
	// left is the probability that the examined side makes no move at all, and good that it makes one that keeps
	// the value.
	left, good := 1.0, 0.0
	for e, c := range s.Children(n) {
		w := odds[int(from)+e]
		if w == 0 {
			continue
		}
		left -= w
		if own && s.KeepsWorth(n, c) {
			good += w
		}
		q := &x.at[c]
		p.win += w * q.win
		p.loss += w * q.loss
		p.resigned += w * q.resigned
		p.worth += w * q.worth
		p.moves += w * q.moves
		p.optimal += w * q.optimal
	}
	if own {
		if left > 1e-9 { // it resigns
			p.loss += left
			p.resigned += left
			p.worth -= left
		}
		p.moves++
		p.optimal += good
	}
	// Where games can go on for ever, the expected number of moves need not be finite.
	if s.Loopy() {
		p.moves, p.optimal = 0, 0
	}
	return p
}

// worstReplyProspect returns the prospect after the other side's best move; of moves that leave the examined seat the
// same worth, the one by which it loses most often.
func (x *scorer) worstReplyProspect(n space.Node) prospect {
	children := x.space.Children(n)
	p := x.at[children[0]]
	for _, c := range children[1:] {
		q := x.at[c]
		if d := q.worth - p.worth; d < -1e-12 || d < 1e-12 && q.loss > p.loss+1e-12 {
			p = q
		}
	}
	return p
}

// countMistakes counts the positions that the seat can reach and those in which it may give value away, breadth
// first from the start, and lists the worst of these. The other side may make any move, so no opponent matters.
// Resigning is a mistake wherever the position is not lost.
func (x *scorer) countMistakes(e *SeatExam) {
	s := x.space
	clear(x.seen)
	queue := append(make([]space.Node, 0, s.Len()), s.Start)
	x.seen[s.Start] = true
	var worst worstMistakes
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		if s.Over(n) {
			continue
		}
		own := s.Turn(n) == x.seat
		if own {
			e.Decisions++
		}
		mistake, left, given := false, 1.0, 0.0
		from, _ := s.Edges(n)
		for k, c := range s.Children(n) {
			if own {
				w := x.mix[int(from)+k]
				if w == 0 {
					continue
				}
				left -= w
				given += w * space.Sign(x.seat) * (s.Value(n) - s.Value(c))
				mistake = mistake || !s.KeepsWorth(n, c)
			}
			if !x.seen[c] {
				x.seen[c] = true
				queue = append(queue, c)
			}
		}
		if worth := space.Sign(x.seat) * s.Value(n); own && left > 1e-9 && worth > -1 {
			mistake, given = true, given+left*(worth+1)
		}
		if mistake {
			e.Mistakes++
			worst.add(n, given)
		}
	}
	for _, m := range worst {
		e.Worst = append(e.Worst, s.Format(m.node))
	}
}

// worstMistakes are positions by how much value is given away there, most first, and among equals in the order in which
// they were added.
type worstMistakes []struct {
	node  space.Node
	given float64
}

// add adds a position where so much is given away, if it is one of the worst.
func (w *worstMistakes) add(n space.Node, given float64) {
	at := len(*w)
	for at > 0 && given > (*w)[at-1].given+rounding {
		at--
	}
	if at < mostWorst {
		*w = slices.Insert(*w, at, struct {
			node  space.Node
			given float64
		}{n, given})
		*w = (*w)[:min(mostWorst, len(*w))]
	}
}

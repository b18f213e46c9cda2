package moves

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"oxo"
)

// Budget bounds the work of [Prove]. The zero value means no limits but 256 megabytes.
type Budget struct {
	Time   time.Duration
	Nodes  uint64
	Memory int64 // bytes, about
	All    bool  // never leave out a move of the side of a question

	Progress func(Progress) // is called now and then, if set
}

// Progress tells how far a search has come, with the numbers of the question under way.
type Progress struct {
	Question
	Proof, Disproof uint32
	Nodes           uint64 // positions searched so far, for all questions
	Memory          uint64 // bytes that their table holds
}

// Claim is a question with the strategy that answers it with yes.
type Claim struct {
	Question
	*Followed
}

// Findings are what was proved. No says that what was asked for is not so, or not known to be so
// within the limits; Claims are then those that could be shown all the same.
type Findings struct {
	Claims []Claim
	Nodes  uint64
	No     error
}

const (
	usualMemory = 256 << 20
	firstRound  = 1 << 16 // positions of the first search of a question
	longestTurn = 1 << 22 // of any that may be broken off by time
)

// ErrNot is the answer no to a question, which no strategy goes with.
var ErrNot = errors.New("it is not so")

// ErrLimits says that the limits came first.
var ErrLimits = errors.New("not decided within the limits")

// Prove looks for strategies from root, a position in which play goes on. Asked about
// questions it answers these. Asked none it finds the value: a win, for which it looks for shorter
// ones as long again, or else that neither side loses. It goes on until it has its answer, ctx
// is done or a limit is met.
func Prove[P oxo.Position[P]](ctx context.Context, g *Provable[P], root P, asked []Question,
	o Budget) (*Findings, error) {
	if root.Outcome() != oxo.Ongoing {
		return nil, fmt.Errorf("prove %s: the game is over", g.Spec)
	}
	for _, q := range asked {
		if q.Plies < 1 || q.Plies > g.MaxPlies {
			return nil, fmt.Errorf("prove %s: %v: the number of plies must be from 1 to %d", g.Spec, q, g.MaxPlies)
		}
	}
	o.Memory = cmp.Or(o.Memory, usualMemory)
	s, err := newSearch(g, root, int(o.Memory/4*3))
	if err != nil {
		return nil, err
	}
	s.all = o.All
	if s.most, s.tell = o.Nodes, o.Progress; s.most == 0 {
		s.most = math.MaxUint64
	}
	limited, cancel := oxo.WithTimeLimit(ctx, o.Time)
	defer cancel()
	r := &Findings{}
	if len(asked) > 0 {
		err = s.answerQuestions(ctx, limited, asked, r)
	} else {
		err = s.proveValue(ctx, limited, r)
	}
	r.Nodes = s.nodes
	return r, err
}

// answerQuestions answers all of the questions, one after the other, each with a search that grows from round to round.
// It ends without an error at the first that is not answered by yes, and says so in r.No.
func (s *search[P]) answerQuestions(ctx, limited context.Context, asked []Question, r *Findings) error {
	for _, q := range asked {
		yes, decided := s.searchUntil(limited, s.restrictedQuestions(q), math.MaxUint64)
		if yes == nil {
			r.No = fmt.Errorf("%v: %w", q, notProvedError(decided))
			return nil
		}
		if err := s.addClaim(ctx, yes, r); err != nil {
			return err
		}
	}
	return nil
}

// searchUntil searches a question in rounds that grow, until it is decided, a limit is met, or s has searched until so
// many nodes in all.
func (s *search[P]) searchUntil(ctx context.Context, quests []*restrictedQuestion[P],
	until uint64) (yes *restrictedQuestion[P], decided bool) {
	for nodes := uint64(firstRound); ; nodes = min(2*nodes, longestTurn) {
		yes, decided = s.searchRound(ctx, quests, nodes)
		if yes != nil || decided || s.ended(ctx) || s.nodes >= until {
			return yes, decided
		}
	}
}

// notProvedError is the error of a question that is not answered by yes: it is decided, or ran into its limits.
func notProvedError(decided bool) error {
	if decided {
		return ErrNot
	}
	return ErrLimits
}

// ended reports whether a limit is met: that of nodes, or ctx is done.
func (s *search[P]) ended(ctx context.Context) bool { return ctx.Err() != nil || s.nodes >= s.most }

// addClaim adds the strategy of a question whose answer is yes. It takes the context without the limit of time, as
// what is proved is worth writing down.
func (s *search[P]) addClaim(ctx context.Context, yes *restrictedQuestion[P], r *Findings) error {
	f, err := s.extractStrategy(ctx, yes)
	if err != nil {
		return err
	}
	r.Claims = append(r.Claims, yes.Claim(f))
	return nil
}

// proveValue finds out who wins, or that neither side loses: it takes turns among four questions, so that one which is
// hard does not keep another from its answer. A win replaces all claims before it; of draws both sides' claims are
// needed.
func (s *search[P]) proveValue(ctx, limited context.Context, r *Findings) error {
	var of [4][]*restrictedQuestion[P] // first wins, second wins, first does not lose, second does not
	var done [4]bool
	for k := range of {
		of[k] = s.restrictedQuestions(Question{Seat: oxo.Seat(k % 2), Wins: k < 2, Plies: s.g.MaxPlies})
	}
	for nodes := uint64(firstRound); len(r.Claims) < 2; nodes = min(2*nodes, longestTurn) {
		for k := range of {
			if done[k] {
				continue
			}
			var yes *restrictedQuestion[P]
			yes, done[k] = s.searchRound(limited, of[k], nodes)
			switch {
			case yes != nil && yes.Wins:
				r.Claims = nil
				if err := s.addClaim(ctx, yes, r); err != nil {
					return err
				}
				return s.shortenWin(ctx, limited, r)
			case yes != nil:
				if err := s.addClaim(ctx, yes, r); err != nil {
					return err
				}
			case s.ended(limited):
				r.No = ErrLimits
				return nil
			}
		}
	}
	return nil
}

// shortenWin looks for a win in fewer plies than the one found, as long as that took again. It returns nil as soon as
// it finds none; what was found stays.
func (s *search[P]) shortenWin(ctx, limited context.Context, r *Findings) error {
	for {
		q := r.Claims[0].Question
		q.Plies--
		yes, _ := s.searchUntil(limited, s.restrictedQuestions(q), s.nodes+max(s.nodes, firstRound))
		if yes == nil {
			return nil
		}
		r.Claims = nil
		if err := s.addClaim(ctx, yes, r); err != nil {
			return err
		}
	}
}

// String says what the question asks, such as first<=43, for first to win within 43 plies, or
// first>27, for second to keep it from that.
func (q Question) String() string {
	if q.Wins {
		return fmt.Sprintf("%v<=%d", q.Seat, q.Plies)
	}
	return fmt.Sprintf("%v>%d", q.Seat.Other(), q.Plies)
}

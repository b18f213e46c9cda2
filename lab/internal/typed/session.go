package typed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"oxo"
	"oxo/arena"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/learn"
)

// session is a game in progress: the trail of positions, the moves between them, and a player for each
// seat that is not a person's. It implements game.Session.
type session[P oxo.Position[P]] struct {
	*opened.TypedGame[P]
	specs    [2]string
	players  [2]oxo.Player[P] // nil for a person
	chance   *rand.Rand
	seed     uint64
	trail    []P // every position so far
	moves    []oxo.Move
	resigned bool
	// how the player to move lost by its own fault, where it did not resign; a Termination of oxo.Record
	spoiled string
}

// NewSession begins a game. Each player draws from the session's seed and its seat, chance from the
// seed alone, so that the same seed plays the same game.
func (f typedGame[P]) NewSession(o game.SessionOptions) (game.Session, error) {
	b := f.b
	p, err := sessionStart(b, o)
	if err != nil {
		return nil, err
	}
	s := &session[P]{TypedGame: b, specs: [2]string{o.First, o.Second}, seed: o.Seed, trail: []P{p},
		chance: rand.New(rand.NewPCG(o.Seed, 2))}
	for seat, spec := range s.specs {
		if spec == game.Human {
			continue
		}
		m, err := players.OpenPlayerFrom(b, spec, p)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if s.players[seat], err = m(rand.New(rand.NewPCG(o.Seed, uint64(seat)))); err != nil {
			return nil, errors.Join(fmt.Errorf("player %q: %w", spec, err), s.Close())
		}
		if starter, ok := s.players[seat].(oxo.Starter[P]); ok {
			if err := starter.Start(context.Background(), p, oxo.Seat(seat)); err != nil {
				return nil, errors.Join(fmt.Errorf("player %q: %w", spec, err), s.Close())
			}
		}
	}
	return s, nil
}

// sessionStart returns the position to begin from. One that no play leads to is for players who go by marks alone.
func sessionStart[P oxo.Position[P]](b *opened.TypedGame[P], o game.SessionOptions) (P, error) {
	p, err := opened.ParseOrStart(b.Game, o.Position)
	if err == nil || !o.Playable || b.ParsePlayable == nil {
		return p, err
	}
	played, refusal := b.ParsePlayable(o.Position)
	if refusal != nil {
		return p, err
	}
	for _, spec := range []string{o.First, o.Second} {
		if refusal := players.RefuseUnlessByMarks(b.Lab, spec); refusal != nil {
			return p, fmt.Errorf("%w; from there %w", err, refusal)
		}
	}
	return played, nil
}

// currentPosition is the last of the trail, which is never empty.
func (s *session[P]) currentPosition() P { return s.trail[len(s.trail)-1] }

func (s *session[P]) State() game.State { return s.StateOf(s.currentPosition()) }

// Over is also true after a resignation, which the position does not show.
func (s *session[P]) Over() bool { return s.resigned || s.currentPosition().Outcome() != oxo.Ongoing }

// Person is false while chance is to move.
func (s *session[P]) Person() bool {
	turn := s.currentPosition().Turn()
	return !s.Over() && turn != oxo.Chance && s.players[turn] == nil
}

// play makes a move that is known to be legal.
func (s *session[P]) play(m oxo.Move) {
	s.trail = append(s.trail, s.currentPosition().Play(m))
	s.moves = append(s.moves, m)
}

// Move reads a move in text, checks it and plays it, for whichever side is to move.
func (s *session[P]) Move(text string) error {
	if s.Over() {
		return errors.New("the game is over")
	}
	m, err := s.ParseMove(s.currentPosition(), text)
	if err != nil {
		return err
	}
	s.play(m)
	return nil
}

// Step has chance or the player to move. An empty move is a resignation. A player's fault, such as an
// illegal move, ends the game against it, and is the error too.
func (s *session[P]) Step(ctx context.Context) (move string, err error) {
	defer oxo.RecoverInto(&err)
	p := s.currentPosition()
	switch turn := p.Turn(); {
	case s.Over():
		return "", errors.New("the game is over")
	case turn == oxo.Chance:
		m := s.DrawChanceMove(p, p.Moves(nil), s.chance)
		s.play(m)
		return s.FormatMove(p, m), nil
	case s.players[turn] == nil:
		return "", errors.New("it is a person's turn")
	default:
		c, err := s.Ask(ctx, s.players[turn], p, p.Moves(nil))
		if err != nil {
			if fault, ok := errors.AsType[arena.Fault](err); ok && ctx.Err() == nil {
				s.resigned, s.spoiled = true, fault.Termination()
			}
			return "", fmt.Errorf("player %q: %w", s.specs[turn], err)
		}
		if c.Resign {
			s.resigned = true
			return "", nil
		}
		s.play(c.Move)
		return s.FormatMove(p, c.Move), nil
	}
}

// Undo goes back by a resignation or by moves of all sides, to where a person is to move.
func (s *session[P]) Undo() (undone bool) {
	for s.resigned || len(s.moves) > 0 {
		if s.resigned {
			s.resigned, s.spoiled = false, ""
		} else {
			s.trail, s.moves = s.trail[:len(s.trail)-1], s.moves[:len(s.moves)-1]
		}
		undone = true
		if s.Person() {
			break
		}
	}
	return undone
}

// CompletedSetSquares lists the completed sets of the sides that gain or lose by them, each as its squares.
func (s *session[P]) CompletedSetSquares() [][]int {
	sets := [][]int{}
	if s.currentPosition().Outcome() == oxo.Ongoing {
		return sets
	}
	if wide, ok := any(s.currentPosition()).(interface{ Owned() [][]int }); ok {
		return append(sets, wide.Owned()...)
	}
	view, ok := any(s.currentPosition()).(board.Positional)
	if !ok {
		return sets
	}
	x, o := view.Marks()
	rules := view.Rules()
	for _, l := range view.Board().Lines {
		if rules.Counts(0) && l.Owned(x) || rules.Counts(1) && l.Owned(o) {
			sets = append(sets, l.Need.Squares())
		}
	}
	return sets
}

// LastMoveTerms are those of the player that has just moved, if it is one that explains itself.
func (s *session[P]) LastMoveTerms() []learn.Term {
	if len(s.moves) == 0 || s.trail[len(s.moves)-1].Turn() == oxo.Chance {
		return nil
	}
	p, ok := s.players[s.trail[len(s.moves)-1].Turn()].(interface{ Terms() []learn.Term })
	if !ok {
		return nil
	}
	return p.Terms()
}

// Close closes the players that hold something open, as programs do.
func (s *session[P]) Close() error {
	var err error
	for _, p := range s.players {
		if c, ok := p.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// Resign ends the game: the side to move loses.
func (s *session[P]) Resign() { s.resigned = true }

// Record returns the game as score sheets have it. One that is not over ends as abandoned.
func (s *session[P]) Record() oxo.Record {
	r := oxo.Record{Game: s.Spec, First: s.specs[0], Second: s.specs[1], Seed: s.seed, Moves: []string{},
		Final: s.Format(s.currentPosition()), Result: s.currentPosition().Outcome().String(),
		Termination: oxo.EndNormal}
	if s.trail[0] != s.Start {
		r.Start = s.Format(s.trail[0])
	}
	for i, m := range s.moves {
		r.Moves = append(r.Moves, s.FormatMove(s.trail[i], m))
	}
	switch {
	case s.resigned:
		r.Result, r.Termination = oxo.WinFor(s.currentPosition().Turn().Other()).String(), cmp.Or(s.spoiled,
			oxo.EndResigned)
	case !s.Over():
		r.Termination = oxo.EndAbandoned
	}
	return r
}

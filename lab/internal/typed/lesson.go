package typed

import (
	"context"
	"errors"
	"slices"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/learn"
	"oxo/learn/show"
)

// lesson shows a learn.Lesson, which plays ahead by itself, as a session, step by step. It implements
// game.Lesson.
type lesson[P oxo.Position[P]] struct {
	*session[P]
	game  *learn.Lesson
	ended bool // without an end by the rules: it went in circles
}

// BeginLesson begins a game that a person teaches a trainer's learner, whose opponent
// is [game.Human]. Where ctx is done before its end, nothing is learned from it. The lesson has to be closed.
// Neither seat has a player: the learner plays inside the learn.Lesson.
func (f learning[P]) BeginLesson(ctx context.Context, t *learn.Trainer) (game.Lesson, error) {
	played, err := t.BeginLesson(ctx)
	if err != nil {
		return nil, err
	}
	p, err := f.b.Game.Parse(played.Start())
	if err != nil {
		played.Leave()
		return nil, err
	}
	specs := [2]string{game.Human, game.Human}
	specs[played.Seat()] = t.Spec().String()
	return &lesson[P]{session: &session[P]{TypedGame: f.b, specs: specs, trail: []P{p}}, game: played}, nil
}

func (s *lesson[P]) Over() bool { return s.ended || s.session.Over() }

// Person reports whether the person is to move and has seen all that was played.
func (s *lesson[P]) Person() bool {
	return !s.Over() && s.game.Waits() && len(s.moves) == len(s.game.PlayedEdges())
}

// Move plays the person's move, by its index among the legal ones, and has the learner go on. The error of a
// move that can't be read leaves the game unchanged.
func (s *lesson[P]) Move(text string) error {
	if !s.Person() {
		return errors.New("it is not your turn")
	}
	before := s.currentPosition()
	if err := s.session.Move(text); err != nil {
		return err
	}
	return s.game.PlayTeacherMove(int32(slices.Index(before.Moves(nil), s.moves[len(s.moves)-1])))
}

// Step shows the next move of the learner or chance, which has been played. An empty move without an error is
// the end of the game otherwise than by a move.
func (s *lesson[P]) Step(context.Context) (string, error) {
	if s.Over() || s.Person() {
		return "", errors.New("there is nothing to be played but by a person")
	}
	// An edge is a move's place among the legal ones of its position.
	if edges := s.game.PlayedEdges(); len(s.moves) < len(edges) {
		p := s.currentPosition()
		m := p.Moves(nil)[edges[len(s.moves)]]
		s.play(m)
		return s.FormatMove(p, m), nil
	}
	// All moves are shown and the game is not over: the learner has resigned, or play went in circles too long.
	taught, err := s.game.Taught()
	if err != nil {
		return "", err
	}
	s.resigned, s.ended = taught.Resigned, !taught.Resigned
	return "", nil
}

// Undo takes nothing back, as the learner has seen the move.
func (s *lesson[P]) Undo() bool { return false }

// Resign gives the game up for the person. It does nothing while somebody else is to move.
func (s *lesson[P]) Resign() {
	if s.Person() && s.game.PlayTeacherMove(-1) == nil {
		s.resigned = true
	}
}

func (s *lesson[P]) Taught() (*learn.Taught, error) { return s.game.Taught() }
func (s *lesson[P]) Steps() []show.Step             { return s.game.PlayedSteps() }
func (s *lesson[P]) Considered(ctx context.Context) *learn.Considered {
	return s.game.EvaluateLastTurn(ctx)
}
func (s *lesson[P]) Seat() oxo.Seat { return s.game.Seat() }

// Close leaves the lesson's game. It never fails.
func (s *lesson[P]) Close() error {
	s.game.Leave()
	return nil
}

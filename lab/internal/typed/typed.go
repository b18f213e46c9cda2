// Package typed is where the type of positions is erased: what can be done with a game is
// generic over it, and instantiated here and nowhere else. What leaves the package is text.
package typed

import (
	"errors"

	"oxo"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
	"oxo/lab/internal/learners"
	"oxo/lab/internal/opened"
)

// What a game of a known position type can do, a subject each.
type (
	solving[P oxo.Position[P]]    struct{ b *opened.TypedGame[P] }
	searching[P oxo.Position[P]]  struct{ b *opened.TypedGame[P] }
	proving[P oxo.Position[P]]    struct{ b *opened.TypedGame[P] }
	contesting[P oxo.Position[P]] struct{ b *opened.TypedGame[P] }
	learning[P oxo.Position[P]]   struct {
		learners.Trainable[P]
		b *opened.TypedGame[P]
	}
	records[P oxo.Position[P]] struct{ b *opened.TypedGame[P] }
)

// typedGame is a game of a known position type behind the interface Game.
type typedGame[P oxo.Position[P]] struct{ b *opened.TypedGame[P] }

// erase puts a game behind the interface Game.
func erase[P oxo.Position[P]](b *opened.TypedGame[P]) game.Game {
	b.Erased = typedGame[P]{b}
	return b.Erased
}

func (f typedGame[P]) Info() game.Info              { return f.b.Info() }
func (f typedGame[P]) Held() int64                  { return f.b.HeldBytes() }
func (f typedGame[P]) Checkable() certify.Checkable { return f.b }
func (f typedGame[P]) Solving() game.Solving        { return solving[P](f) }
func (f typedGame[P]) Judging() game.Judging        { return judging[P](f) }
func (f typedGame[P]) Searching() game.Searching    { return searching[P](f) }
func (f typedGame[P]) Learning() game.Learning      { return learning[P]{learners.Of(f.b), f.b} }
func (f typedGame[P]) Contesting() game.Contesting  { return contesting[P](f) }
func (f typedGame[P]) Records() game.Records        { return records[P](f) }

// Parse reads a position as the game writes it; an empty text is the start of the game.
func (f typedGame[P]) Parse(position string) (game.State, error) {
	p, err := opened.ParseOrStart(f.b.Game, position)
	if err != nil {
		return game.State{}, err
	}
	return f.b.StateOf(p), nil
}

// Proving is an error of games with chance, and of games that neither a board of winning sets nor a proof by moves
// fits.
func (f typedGame[P]) Proving() (game.Proving, error) {
	switch {
	case f.b.Board == nil && f.b.ProvableByMoves() == nil && !opened.IsRace(f.b):
		return nil, opened.UnprovableError(f.b)
	case f.b.Odds != nil:
		return nil, errors.New("proofs are of games without chance")
	}
	return proving[P](f), nil
}

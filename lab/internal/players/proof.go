package players

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/opened"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// moveProver plays a certificate whose strategies are moves alone. One plays one game; the certificate
// is shared.
type moveProver[P oxo.Position[P]] struct {
	g        *moves.Provable[P]
	of       *certify.Certificate
	wins     bool
	strategy *moves.Strategy[P]
}

// Start refuses a game in which the certificate has no strategy for the seat.
func (w *moveProver[P]) Start(_ context.Context, _ P, seat oxo.Seat) error {
	c, err := w.of.MoveClaim(seat.String())
	if err != nil {
		return err
	}
	w.wins = c.Wins
	p, err := w.g.Parse(w.of.Summary.Position)
	if err == nil {
		w.strategy, err = w.g.Read(p, moves.Question{Seat: c.Seat, Wins: c.Wins, Plies: c.Plies}, c.Moves, w.of.Room)
	}
	return err
}

// Choose returns the certificate's move. The score is 1 where it claims a win, else 0, and exact: the
// certificate was checked.
func (w *moveProver[P]) Choose(_ context.Context, p P) (oxo.Choice, error) {
	if w.strategy == nil {
		return oxo.Choice{}, moves.ErrNoAnswer
	}
	m, _, err := w.strategy.Move(p)
	if err != nil {
		return oxo.Choice{}, err
	}
	score := 0.0
	if w.wins {
		score = 1
	}
	return oxo.Choice{Move: m, Score: score, Scored: true, Exact: true}, nil
}

// readProof reads the certificate in a file, or the one of that name which the program has with it. A
// file takes precedence over a carried proof of the same name. The check may be ended through the
// lab's Ending.
func readProof[P oxo.Position[P]](b *opened.TypedGame[P], path string) (*certify.Certificate, error) {
	limits := certify.Limits{Memory: b.Lab.ProofMemory, Disk: b.Lab.Scratch}
	file, size, err := b.Lab.Open(path)
	if carried := opened.CarriedOf(path); err != nil && carried != nil {
		return carried.Open(b.Erased, limits)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ctx := b.Lab.Ending
	if ctx == nil {
		ctx = context.Background()
	}
	c, err := certify.OpenAbout(ctx, b.Erased, file, size, limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// openProof opens the player that plays a certificate.
func openProof[P oxo.Position[P]](b *opened.TypedGame[P], path string) (maker[P], error) {
	c, err := readProof(b, path)
	if err != nil {
		return nil, err
	}
	if c.Proof.ByMoves() {
		g := b.ByMoves()
		return func(*rand.Rand) (oxo.Player[P], error) { return &moveProver[P]{g: g, of: c}, nil }, nil
	}
	return func(*rand.Rand) (oxo.Player[P], error) {
		return &proofPlayer[P]{proof: c.Proof, about: c.Summary.Position}, nil
	}, nil
}

// proofPlayer plays by a proof. From a position that the proof does not lead to it plays by
// one that it finds itself.
type proofPlayer[P oxo.Position[P]] struct {
	proof  *certificate.Proof
	about  string // the position that the proof begins with
	walker *certificate.Walker
}

// Start refuses a game in which the proof has no strategy for the seat, or from another
// position about which nothing can be proved in time.
func (w *proofPlayer[P]) Start(ctx context.Context, p P, seat oxo.Seat) error {
	if p.Outcome() != oxo.Ongoing {
		return nil
	}
	g := w.proof.Game
	if g.Marks != marksOf(p) || g.Turn != p.Turn() {
		if err := w.proveAgain(ctx, seat, p); err != nil {
			return fmt.Errorf("the certificate is about %s, and from here %w", w.about, err)
		}
		return nil
	}
	var err error
	w.walker, err = certificate.NewWalker(w.proof, seat)
	return err
}

// marksOf returns the marks of a position, X's and O's.
func marksOf[P any](p P) [2]board.Set {
	x, o := any(p).(board.Positional).Marks()
	return [2]board.Set{x, o}
}

// Choose returns the proof's move. Where the strategy leaves the reply out, as one that can't help, it
// proves the position anew within anewTime.
func (w *proofPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	err := certificate.ErrOff
	var move oxo.Move
	if w.walker != nil && w.walker.Seat() == p.Turn() {
		move, _, err = w.walker.Next(marksOf(p))
	}
	if errors.Is(err, certificate.ErrOff) {
		if err = w.proveAgain(ctx, p.Turn(), p); err == nil {
			move, _, err = w.walker.Next(marksOf(p))
		}
	}
	if err != nil {
		return oxo.Choice{}, err
	}
	score := 0.0
	if w.walker.Wins() {
		score = 1
	}
	return oxo.Choice{Move: move, Score: score, Scored: true, Exact: true}, nil
}

// anewTime is how long a position off the proof may take to be proved.
const anewTime = time.Minute

// proveAgain proves what can be proved of p for the seat.
func (w *proofPlayer[P]) proveAgain(ctx context.Context, seat oxo.Seat, p P) error {
	g := w.proof.Game
	g.Marks, g.Turn = marksOf(p), p.Turn()
	r, err := prove.Prove(ctx, g, prove.Options{Time: anewTime})
	if err != nil {
		return err
	}
	if r.Proof == nil {
		return errors.New("nothing could be proved in time")
	}
	w.walker, err = certificate.NewWalker(r.Proof, seat)
	return err
}

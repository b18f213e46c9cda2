package players

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/certify"
	"oxo/lab/internal/opened"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// moveProofPlayer plays a certificate whose strategies are moves alone. One plays one game; the certificate
// is shared.
// wins and seat are those of the claim that Start has found for its seat; until then strategy is nil.
type moveProofPlayer[P oxo.Position[P]] struct {
	b        *opened.TypedGame[P]
	of       *certify.Certificate
	wins     bool
	seat     oxo.Seat
	strategy moves.Answers[P]

	after func() (oxo.Player[P], error) // opens who goes on after the plies of the claim
	then  oxo.Player[P]
}

// Start refuses a game in which the certificate has no strategy for the seat.
func (w *moveProofPlayer[P]) Start(_ context.Context, _ P, seat oxo.Seat) error {
	c, err := w.of.StrongestMoveClaim(seat.String())
	if err != nil {
		return err
	}
	w.wins, w.seat = c.Wins, c.Seat
	w.strategy, err = opened.ReadMoveStrategy(w.b, w.of.Summary.Position, c, w.of.Room)
	return err
}

// Choose returns the certificate's move. The score is 1 where it claims a win, else 0, and exact: the
// certificate was checked. Once the claim is kept, and does not say any more what to play, another player goes on.
func (w *moveProofPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	if w.strategy == nil {
		return oxo.Choice{}, moves.ErrNoAnswer
	}
	m, listed, err := w.strategy.Move(p)
	if errors.Is(err, moves.ErrOver) || err == nil && !listed && w.strategy.Kept(p) {
		return w.chooseAfterProof(ctx, p)
	}
	if err != nil {
		return oxo.Choice{}, err
	}
	score := 0.0
	if w.wins {
		score = 1
	}
	return oxo.Choice{Move: m, Score: score, Scored: true, Exact: true}, nil
}

// chooseAfterProof has the other player choose, which is opened at its first move.
func (w *moveProofPlayer[P]) chooseAfterProof(ctx context.Context, p P) (oxo.Choice, error) {
	if w.then == nil {
		then, err := w.after()
		if err != nil {
			return oxo.Choice{}, err
		}
		if s, ok := then.(oxo.Starter[P]); ok {
			if err := s.Start(ctx, p, w.seat); err != nil {
				return oxo.Choice{}, err
			}
		}
		w.then = then
	}
	return w.then.Choose(ctx, p)
}

// openPlayerAfterProof opens the player that goes on after the plies of a claim: the perfect one, or where the game is
// too large for it one that searches for a while.
func openPlayerAfterProof[P oxo.Position[P]](b *opened.TypedGame[P], r *rand.Rand) (oxo.Player[P], error) {
	m, err := openPerfectPlayer(b, "")
	if err != nil {
		m, err = OpenPlayer(b, "mcts:time=1s")
	}
	if err != nil {
		return nil, err
	}
	return m(r)
}

// readCertificate reads the certificate in a file, or the one of that name or game which the program has with it. A
// file takes precedence over a carried proof of the same name. The check may be ended through the
// lab's Ending.
func readCertificate[P oxo.Position[P]](b *opened.TypedGame[P], path string) (*certify.Certificate, error) {
	limits := certify.Limits{Memory: b.Lab.ProofMemory, Disk: b.Lab.Scratch}
	file, size, err := b.Lab.OpenNamedFile(path)
	if err != nil {
		carried := opened.FindCarriedProof(path)
		if g, unknown := b.Lab.Game(path); carried == nil && unknown == nil {
			carried = opened.FindCarriedProof(g.Info().Spec)
		}
		if carried == nil {
			return nil, err
		}
		return carried.Open(b.Erased, limits)
	}
	defer file.Close()
	ctx := b.Lab.Ending
	if ctx == nil {
		ctx = context.Background()
	}
	c, err := certify.VerifyAndOpenFor(ctx, b.Erased, file, size, limits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// openProofPlayer opens the player that plays a certificate.
// The certificate is read and checked once, for all games.
func openProofPlayer[P oxo.Position[P]](b *opened.TypedGame[P], path string) (playerMaker[P], error) {
	c, err := readCertificate(b, path)
	if err != nil {
		return nil, err
	}
	if c.Proof.ByMoves() {
		return func(r *rand.Rand) (oxo.Player[P], error) {
			after := func() (oxo.Player[P], error) { return openPlayerAfterProof(b, r) }
			return &moveProofPlayer[P]{b: b, of: c, after: after}, nil
		}, nil
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
		if err := w.proveAgain(ctx, seat, p); err != nil && !errors.Is(err, errLost) {
			return fmt.Errorf("the certificate is about %s, and from here %w", w.about, err)
		}
		return nil
	}
	var err error
	w.walker, err = certificate.NewWalker(w.proof, seat)
	return err
}

// marksOf returns the marks of a position, X's and O's.
// The game is positional, as all are of which there are such proofs.
func marksOf[P any](p P) [2]board.Set {
	x, o := any(p).(board.Positional).Marks()
	return [2]board.Set{x, o}
}

// Choose returns the proof's move. Where the strategy leaves the reply out, as one that can't help, it
// proves the position anew within anewTime. Where an opening has left it a lost one, all moves are equally good.
func (w *proofPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	err := certificate.ErrOff
	var move oxo.Move
	if w.walker != nil && w.walker.Seat() == p.Turn() {
		move, _, err = w.walker.NextMove(marksOf(p))
	}
	if errors.Is(err, certificate.ErrOff) {
		if err = w.proveAgain(ctx, p.Turn(), p); err == nil {
			move, _, err = w.walker.NextMove(marksOf(p))
		}
	}
	switch {
	case errors.Is(err, errLost):
		return oxo.Choice{Move: p.Moves(nil)[0], Score: -1, Scored: true, Exact: true}, nil
	case err != nil:
		return oxo.Choice{}, err
	}
	score := 0.0
	if w.walker.Wins() {
		score = 1
	}
	return oxo.Choice{Move: move, Score: score, Scored: true, Exact: true}, nil
}

// errLost says that a position is proved to be lost, so that there is no strategy for it.
var errLost = errors.New("the other side wins")

// anewTime is how long a position off the proof may take to be proved.
const anewTime = time.Minute

// proveAgain proves what can be proved of p for the seat.
// A walker of what it proves takes the place of the one before.
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
	w.walker = nil
	wins := func(c certificate.Claim) bool { return c.Wins && c.Seat == seat.Other() }
	if slices.ContainsFunc(r.Proof.Claims, wins) {
		return errLost
	}
	w.walker, err = certificate.NewWalker(r.Proof, seat)
	return err
}

// CheckSeat returns why the certificate can't be played in a seat, nil where it can.
func (w *moveProofPlayer[P]) CheckSeat(seat oxo.Seat) error {
	_, err := w.of.StrongestMoveClaim(seat.String())
	return err
}

// CheckSeat returns why the proof can't be played in a seat from its start, nil where it can.
func (w *proofPlayer[P]) CheckSeat(seat oxo.Seat) error {
	_, err := certificate.NewWalker(w.proof, seat)
	return err
}

// PlaysProof reports whether a spec is of a player by a certificate.
func PlaysProof(spec string) bool { return strings.HasPrefix(spec, "perfect:proof=") }

// CheckBothSeats returns why a player can't play both seats from the start, as one by a proof of what one side does;
// nil where it can. A proof that is moves from its start can't play from openings. No other player is opened.
func CheckBothSeats[P oxo.Position[P]](spec string, openings bool,
	open func(*rand.Rand) (oxo.Player[P], error)) error {
	if !PlaysProof(spec) {
		return nil
	}
	p, err := open(rand.New(rand.NewPCG(0, 0)))
	if w, ok := p.(*moveProofPlayer[P]); ok && openings {
		return fmt.Errorf("its proof has moves from %s on, and none from openings; play without them",
			w.of.Summary.Position)
	} else if openings {
		return err // each opening is proved anew
	}
	one, ok := p.(interface{ CheckSeat(oxo.Seat) error })
	if err != nil || !ok {
		return err
	}
	if err := cmp.Or(one.CheckSeat(oxo.First), one.CheckSeat(oxo.Second)); err != nil {
		return fmt.Errorf("%w, and players change seats", err)
	}
	return nil
}

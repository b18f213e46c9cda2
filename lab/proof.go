package lab

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"oxo"
	"oxo/board"
	"oxo/prove"
	"oxo/prove/verify"
)

// certificate reads a proof of this game that holds.
func (b *bound[P]) certificate(path string) (*prove.Proof, error) {
	if b.board == nil {
		return nil, b.noBoard("proofs")
	}
	data, err := b.lab.readFile(path)
	if err != nil {
		return nil, err
	}
	if r := verify.Check(bytes.NewReader(data)); !r.OK {
		return nil, fmt.Errorf("%s: the certificate does not hold: %s", path, r.Reason)
	}
	p, err := prove.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !b.is(p.Game.Board, p.Game.Rules) {
		return nil, fmt.Errorf("%s: the certificate is of %q, not of %q", path, p.Game.Spec, b.Spec)
	}
	return p, nil
}

// is reports whether this is the positional game on that board by those rules.
func (b *bound[P]) is(other *board.Board, r board.Rules) bool {
	own := b.board
	if own == nil || own.N != other.N || len(own.Lines) != len(other.Lines) || (own.Below == nil) != (other.Below == nil) ||
		!sameRules(any(b.Start).(board.Positional).Rules(), r) {
		return false
	}
	for i := range own.Below {
		if own.Below[i] != other.Below[i] {
			return false
		}
	}
	lines := make(map[board.Line]bool, len(own.Lines))
	for _, l := range own.Lines {
		lines[l] = true
	}
	for _, l := range other.Lines {
		if !lines[l] {
			return false
		}
	}
	return true
}

// openProof opens the player that plays a certificate.
func openProof[P oxo.Position[P]](b *bound[P], path string) (maker[P], error) {
	proof, err := b.certificate(path)
	if err != nil {
		return nil, err
	}
	return func(*rand.Rand) (oxo.Player[P], error) { return &prover[P]{proof: proof}, nil }, nil
}

// prover plays by a proof. After a reply that the proof shows to be no better
// than another one, and so does not spell out, it proves the position anew.
type prover[P oxo.Position[P]] struct {
	proof   *prove.Proof
	walkers [2]*prove.Walker
}

// Choose returns the proof's move.
func (w *prover[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	seat := p.Turn()
	x, o := any(p).(board.Positional).Marks()
	marks := [2]board.Set{x, o}
	if w.walkers[seat] == nil {
		var err error
		if w.walkers[seat], err = prove.NewWalker(w.proof, seat); err != nil {
			return oxo.Choice{}, err
		}
	}
	move, _, err := w.walkers[seat].Next(marks)
	if errors.Is(err, prove.ErrOff) {
		move, err = w.anew(ctx, seat, marks)
	}
	if err != nil {
		return oxo.Choice{}, err
	}
	score := 0.0
	if w.walkers[seat].Wins() {
		score = 1
	}
	return oxo.Choice{Move: move, Score: score, Scored: true, Exact: true}, nil
}

// anewTime is how long a position off the proof may take to be proved.
const anewTime = time.Minute

func (w *prover[P]) anew(ctx context.Context, seat oxo.Seat, marks [2]board.Set) (oxo.Move, error) {
	g := w.proof.Game
	g.Marks, g.Turn = marks, seat
	r, err := prove.Prove(ctx, g, prove.Options{Time: anewTime})
	if err != nil {
		return 0, err
	}
	if r.Proof == nil {
		return 0, errors.New("nothing could be proved about this position in time")
	}
	if w.walkers[seat], err = prove.NewWalker(r.Proof, seat); err != nil {
		return 0, err
	}
	move, _, err := w.walkers[seat].Next(marks)
	return move, err
}

// Place writes the position with these marks of First and Second.
func (b *bound[P]) Place(marks [2]board.Set) (string, error) {
	if b.board == nil {
		return "", fmt.Errorf("%s has no squares to mark", b.Spec)
	}
	p, err := b.Game.Parse(b.board.Format(marks[0], marks[1]))
	if err != nil {
		return "", err
	}
	return b.Format(p), nil
}

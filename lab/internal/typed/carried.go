package typed

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/games/ultimate"
	"oxo/judge"
	"oxo/lab/internal/nine"
	"oxo/prove/verify"
)

// Carried are the proofs that the program has with it, made by oxo prove GAME --out FILE.
//
//go:embed proofs/*.proof
var Carried embed.FS

// embeddedProofName is the name of the file that a proof of a game is carried in.
func embeddedProofName(spec string) string {
	return "proofs/" + strings.Map(func(r rune) rune {
		if strings.ContainsRune(":,+=", r) {
			return '-'
		}
		return r
	}, spec) + ".proof"
}

// knownStrategies returns the positions of the proofs of the game that the program has with it,
// and of those that the lab is given, each checked. They are read once, in the background
// where that takes longer than the context lasts.
func (b *typedGame[P]) knownStrategies(ctx context.Context) (*judge.Strategies[P], error) {
	if b.board == nil && nineBoards(b) == nil || b.Odds != nil {
		return nil, nil
	}
	k := &b.knowing
	k.read.Do(func() {
		k.ready = make(chan struct{})
		go func() {
			defer close(k.ready)
			k.strategies, k.err = b.readStrategies(context.WithoutCancel(ctx))
		}()
	})
	select {
	case <-k.ready:
		return k.strategies, k.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// readStrategies is knownStrategies of a game that can be proved.
func (b *typedGame[P]) readStrategies(ctx context.Context) (*judge.Strategies[P], error) {
	nines := nineBoards(b)
	var files [][]byte
	for _, spec := range []string{b.Spec, b.identity, strings.Replace(b.Spec, "mnk:3,3,3", "ttt", 1)} {
		if data, err := Carried.ReadFile(embeddedProofName(spec)); err == nil {
			files = append(files, data)
			break
		}
	}
	if b.lab.Proofs != nil {
		files = append(files, b.lab.Proofs(b.Spec)...)
	}
	own, err := b.checkerGame("")
	if err != nil {
		return nil, nil
	}
	all := judge.NewStrategies(b.Game)
	for _, data := range files {
		v, err := b.lab.answerQuestion(ctx, bytes.NewReader(data), int64(len(data)), verify.Question{Game: own,
			Anywhere: true},
			b, Question{})
		if err != nil {
			return nil, err
		}
		c, err := v.openCertificate(data, 0)
		switch {
		case err != nil: // one that is refused shows nothing
		case nines != nil:
			addNine(any(all).(*judge.Strategies[ultimate.Pos]), nines, c)
		default:
			all.Add(c.proof, b.positionWithMarks)
		}
	}
	return all, nil
}

// addNine takes up the positions of a checked proof of a game of nine boards: of its claims that
// a side wins, or never loses. That there is no win within so many plies says nothing of what a
// position is worth.
func addNine(all *judge.Strategies[ultimate.Pos], g *nine.Game, c *Certificate) {
	for i := range c.proof.Claims {
		claim := &c.proof.Claims[i]
		if !claim.Wins && claim.Plies < g.MaxPlies {
			continue
		}
		if s, err := nine.Follow(g, c.Summary.Position, claim); err == nil {
			s.Each(func(p ultimate.Pos) { all.Put(p, claim.Seat, claim.Wins) })
		}
	}
}

// positionWithMarks returns the position with these marks, and refuses one in which another
// side is to move.
func (b *typedGame[P]) positionWithMarks(marks [2]board.Set, turn oxo.Seat) (P, error) {
	p, err := b.Game.Parse(b.board.Format(marks[0], marks[1]))
	if err == nil && p.Turn() != turn {
		err = fmt.Errorf("%s: %v is to move there", b.Format(p), p.Turn())
	}
	return p, err
}

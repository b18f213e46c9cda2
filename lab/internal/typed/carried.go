package typed

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/games/ultimate"
	"oxo/judge"
	"oxo/lab/internal/nine"
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
// and of those that the lab is given, each checked. They are read once.
func (b *openedGame[P]) knownStrategies(ctx context.Context) (*judge.Strategies[P], error) {
	k := &b.knowing
	k.mu.Lock()
	defer k.mu.Unlock()
	nines := b.nineBoards()
	if k.strategies != nil || b.board == nil && nines == nil || b.Odds != nil {
		return k.strategies, nil
	}
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
	if _, err := b.checkerGame(""); err != nil {
		return nil, nil
	}
	all := judge.NewStrategies(b.Game)
	for _, data := range files {
		c, err := OpenAbout(ctx, b.erased, data)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch {
		case err != nil: // one that is refused shows nothing
		case nines != nil:
			addNine(any(all).(*judge.Strategies[ultimate.Pos]), nines, c)
		default:
			all.Add(c.proof, b.positionWithMarks)
		}
	}
	k.strategies = all
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
func (b *openedGame[P]) positionWithMarks(marks [2]board.Set, turn oxo.Seat) (P, error) {
	p, err := b.Game.Parse(b.board.Format(marks[0], marks[1]))
	if err == nil && p.Turn() != turn {
		err = fmt.Errorf("%s: %v is to move there", b.Format(p), p.Turn())
	}
	return p, err
}

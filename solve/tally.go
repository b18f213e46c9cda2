package solve

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"oxo"
)

// Ends counts the games below a position by how they end. The counts are exact
// up to 2⁵³.
type Ends = Counts[float64]

// Tallies holds the Ends of every position of a game.
// Positions of a class share an entry: the one of their representative.
type Tallies[P oxo.Position[P]] struct {
	game *oxo.Game[P]
	ends *valueTable[P, Ends]
}

// ErrEndless is the error of a count of games in which play can go in circles.
var ErrEndless = errors.New("play can go in circles, so games can't be counted")

// TallyGames counts the games below every position. It refuses games in which
// play can go in circles or with more than limit classes (0: no limit), and
// stops early with ctx's error.
func TallyGames[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], limit int) (*Tallies[P], error) {
	if g.Loopy() {
		return nil, ErrEndless
	}
	t := &Tallies[P]{game: g, ends: newTable[P, Ends](g)}
	within, charge := g.WithCancelableCanonical(ctx), oxo.NewCharge(ctx)
	defer charge.SetBytes(0)
	var err error
	visits, depth := 0, 0
	var visit func(p P) Ends
	visit = func(p P) Ends {
		// Looked at seldom, as a look takes longer than a visit.
		if visits++; visits%pollEvery == 0 {
			charge.SetBytes(t.Bytes())
			err = cmp.Or(err, ctx.Err())
		}
		e, ok := t.ends.get(p)
		if ok || err != nil {
			return e
		}
		moves := p.Moves(nil)
		if o := p.Outcome(); o != oxo.Ongoing {
			e.add(o, 1)
		} else if err = g.OngoingFault(p, len(moves), depth); err != nil {
			return e
		}
		depth++
		for _, m := range moves {
			e = e.plus(visit(within.Representative(p.Play(m))))
		}
		depth--
		t.ends.put(p, e)
		if n := t.ends.len(); limit > 0 && n > limit {
			err = cmp.Or(err, fmt.Errorf("%w: more than %d", ErrTooLarge, limit))
		}
		return e
	}
	visit(within.Representative(g.Start))
	return t, cmp.Or(err, ctx.Err()) // after which forms are not to be relied on
}

// Bytes returns how much memory the table takes.
func (t *Tallies[P]) Bytes() int64 { return t.ends.bytes() }

// At returns the games below p, which must be a position of the game.
// Of any other position it returns zeros.
func (t *Tallies[P]) At(p P) Ends {
	e, _ := t.ends.get(t.game.Representative(p))
	return e
}

// Write writes the table as a file of the game of that identity.
// An entry is three float64, 24 bytes, the least significant byte first: First's wins, Second's, draws.
func (t *Tallies[P]) Write(w io.Writer, identity string) error {
	return writeTable(w, header{Game: identity, Kind: "tally", Symmetry: t.game.Canonical != nil}, t.game, t.ends,
		func(b []byte, e Ends) []byte {
			for _, x := range []float64{e.First, e.Second, e.Draw} {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
			return b
		})
}

// ReadTallies reads a table that Write wrote for the game of that identity.
// A file of another game or kind, or of positions without symmetry where the game has it, is refused.
func ReadTallies[P oxo.Position[P]](r io.Reader, g *oxo.Game[P], identity string) (*Tallies[P], error) {
	t := &Tallies[P]{game: g, ends: newTable[P, Ends](g)}
	_, err := readTable(r, header{Game: identity, Kind: "tally", Symmetry: g.Canonical != nil}, g, t.ends,
		func(b []byte) (Ends, int) {
			if len(b) < 24 {
				return Ends{}, 0
			}
			at := func(i int) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:])) }
			return Ends{at(0), at(1), at(2)}, 24
		})
	return t, err
}

package typed

import (
	"io"

	"oxo"
	"oxo/solve"
)

// GamesBelow is how the games below a position end, all sequences of moves counted alike.
type GamesBelow struct {
	Move   string  `json:"move"`
	First  float64 `json:"first"`
	Second float64 `json:"second"`
	Draw   float64 `json:"draw"`
}

// Tallies reads how games end below each move of a position from a table that the
// player winratio keeps.
func (f solving[P]) Tallies(table io.Reader, position string) ([]GamesBelow, error) {
	p, err := parse(f.b.Game, position)
	if err != nil {
		return nil, err
	}
	t, err := solve.ReadTallies(table, f.b.Game, f.b.identity)
	if err != nil {
		return nil, err
	}
	list := []GamesBelow{}
	if p.Outcome() == oxo.Ongoing {
		for _, m := range p.Moves(nil) {
			e := t.At(p.Play(m))
			list = append(list, GamesBelow{f.b.FormatMove(p, m), e.First, e.Second, e.Draw})
		}
	}
	return list, nil
}

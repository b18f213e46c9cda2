package typed

import (
	"io"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/solve"
)

// ReadTallies reads how games end below each move of a position from a table that the
// player winratio keeps.
func (f solving[P]) ReadTallies(table io.Reader, position string) ([]game.GamesBelow, error) {
	p, err := opened.ParseOrStart(f.b.Game, position)
	if err != nil {
		return nil, err
	}
	t, err := solve.ReadTallies(table, f.b.Game, f.b.Identity)
	if err != nil {
		return nil, err
	}
	list := []game.GamesBelow{}
	if p.Outcome() == oxo.Ongoing {
		for _, m := range p.Moves(nil) {
			e := t.At(p.Play(m))
			list = append(list, game.GamesBelow{Move: f.b.FormatMove(p, m), First: e.First, Second: e.Second,
				Draw: e.Draw})
		}
	}
	return list, nil
}

package nine

import (
	"math/big"

	"oxo"
)

// Game returns the game of the given rules, with all its kernels. Symmetries are those of the square, which the
// rules all keep: the first board of Points is the one in the centre.
func Game(spec, title string, r Rules) *oxo.Game[Pos] {
	return &oxo.Game[Pos]{
		Spec:          spec,
		Title:         title,
		Start:         start(r),
		MaxMoves:      81,
		MaxPlies:      81,
		Format:        format,
		Parse:         func(text string) (Pos, error) { return parse(r, text) },
		FormatMove:    func(_ Pos, m oxo.Move) string { return square(int(m)) },
		ParseMove:     parseMove,
		Symmetries:    big.NewInt(8),
		Canonical:     canonical,
		Perft:         perft,
		Playout:       playout,
		WinsNow:       winsNow,
		MinMovesToWin: minMovesToWin,
	}
}

package cmd

import (
	"bytes"
	"cmp"
	"fmt"

	"oxo/lab"
)

// printWinratioTallies prints how games end below each move of a position, by the table that
// the player winratio keeps.
func (a *app) printWinratioTallies(path string, data []byte, game, position string) error {
	g, err := a.lab.Game(cmp.Or(game, "ttt"))
	if err != nil {
		return err
	}
	list, err := g.Solving().ReadTallies(bytes.NewReader(data), position)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	state, err := g.Parse(position)
	if err != nil {
		return err
	}
	answer := struct {
		Game     string           `json:"game"`
		Position string           `json:"position"`
		Tallies  []lab.GamesBelow `json:"tallies"`
	}{g.Info().Spec, state.Position, list}
	return a.answer(answer, func() {
		a.printf("%s at %s: games below each move\n  %-6s %14s %14s %14s\n", answer.Game, answer.Position, "move",
			"first wins", "second wins", "drawn")
		for _, t := range list {
			a.printf("  %-6s %14.0f %14.0f %14.0f\n", t.Move, t.First, t.Second, t.Draw)
		}
	})
}

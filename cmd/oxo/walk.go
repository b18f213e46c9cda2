package main

import (
	"bufio"

	"github.com/spf13/cobra"

	"oxo"
	"oxo/lab"
	"oxo/prove"
)

func (a *app) walkVerb() *cobra.Command {
	var game string
	c := &cobra.Command{
		Use:     "walk FILE",
		Short:   "walk through a certificate: play the other side against it",
		Example: "  oxo prove mnk:4,3,3 --out 433.proof\n  oxo walk 433.proof",
		Args:    exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := prove.ReadFile(args[0])
			if err != nil {
				return err // it names the file
			}
			if game == "" {
				game = p.Game.Spec
			}
			g, err := a.lab.Game(game)
			if err != nil {
				return err
			}
			seat := oxo.First
			if w, err := prove.NewWalker(p, seat); err != nil || !w.Wins() {
				if v, err := prove.NewWalker(p, oxo.Second); err == nil && (w == nil || v.Wins()) {
					seat = oxo.Second
				}
			}
			o := lab.SessionOptions{First: human, Second: human}
			players := [2]*string{&o.First, &o.Second}
			*players[seat] = "perfect:proof=" + args[0]
			if o.Position, err = g.Place(p.Game.Marks); err != nil {
				return err
			}
			s, err := g.NewSession(o)
			if err != nil {
				return err
			}
			defer s.Close()
			t := &table{app: a, session: s, info: g.Info(), names: sides(g.Info()), show: a.out,
				draw: a.newCanvas(g.Info())}
			return t.run(c.Context(), bufio.NewReader(a.in))
		},
	}
	c.Flags().StringVar(&game, "game", "", "the certificate's game, where its file: has moved (default as the certificate says)")
	return c
}

// human is the spec of a person.
const human = "human"

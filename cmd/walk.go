package cmd

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"oxo/lab"
)

func walkVerb(a *app) *cobra.Command {
	var game string
	c := &cobra.Command{
		Use:     "walk FILE",
		Short:   "walk through a certificate: play the other side against it",
		Example: "  oxo prove mnk:4,3,3 --out 433.proof\n  oxo walk 433.proof",
		Args:    exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			file, size, err := openCertificate(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			if size > mostWalked {
				return fmt.Errorf("%s: %d MB are more than can be played; oxo verify checks it", args[0], size>>20)
			}
			data, err := io.ReadAll(io.NewSectionReader(file, 0, size))
			if err != nil {
				return err
			}
			proof, err := a.lab.Certificate(c.Context(), data, lab.Question{Game: game, Anywhere: true})
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			seat, err := proof.Seat()
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			g := proof.Game()
			o := lab.SessionOptions{First: human, Second: human, Position: proof.Summary.Position}
			players := [2]*string{&o.First, &o.Second}
			*players[seat] = "perfect:proof=" + args[0]
			s, err := g.NewSession(o)
			if err != nil {
				return err
			}
			defer s.Close()
			t := &table{app: a, game: g, session: s, info: g.Info(), names: g.Info().Seats, show: a.out,
				draw: a.newCanvas(g.Info())}
			return t.run(c.Context(), bufio.NewReader(a.in))
		},
	}
	c.Flags().StringVar(&game, "game", "",
		"the certificate's game, where its file: has moved (default as the certificate says)")
	return c
}

// mostWalked is how many bytes a certificate has at most that is played.
const mostWalked = 1 << 28

// human is the spec of a person.
const human = "human"

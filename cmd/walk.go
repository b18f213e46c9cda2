package cmd

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"oxo"
	"oxo/lab"
)

// walkVerb returns the verb that plays against a certificate.
func walkVerb(a *app) *cobra.Command {
	var game string
	var memory int64
	c := &cobra.Command{
		Use:   "walk FILE",
		Short: "walk through a certificate: play the other side against it",
		Long: "walk through a certificate: play the other side against it.\nWith --json the board is shown on the " +
			"error output, and the game's record is printed at its end.",
		Example: "  oxo prove mnk:4,3,3 --out 433.proof\n  oxo walk 433.proof\n" +
			"  oxo walk mnk:7,6,4+gravity      # the one that oxo has with it",
		Args: exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			boundMemory(memory)
			a.lab.ProofMemory = memory / 2 // as much again is garbage
			proof, of, err := a.openProof(c, args[0], game)
			if err != nil {
				return err
			}
			path := args[0]
			if of != nil {
				path = of.FileID()
			}
			seat, wins, plies, err := proof.StrongestClaim()
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			g := proof.Game()
			o := lab.SessionOptions{First: lab.Human, Second: lab.Human, Position: proof.Summary.Position}
			// The certificate plays its side as a perfect player does that looks moves up in it.
			players := [2]*string{&o.First, &o.Second}
			*players[seat] = "perfect:proof=" + path
			s, err := g.NewSession(o)
			if err != nil {
				return err
			}
			defer s.Close()
			t := newTerminalGame(a, g, s)
			t.claim = claimText(g.Info(), seat, wins, plies)
			if !wins {
				t.plies = plies
			}
			if err := t.run(c.Context(), bufio.NewReader(a.in)); err != nil {
				return err
			}
			return a.answer(s.Record(), func() {})
		},
	}
	c.Flags().StringVar(&game, "game", "",
		"the certificate's game, where its file: has moved (default as the certificate says)")
	bytesVar(c.Flags(), &memory, "memory", 1<<30, "about how much memory to use at most; positions beyond it go to "+
		"disk, into the folder that TMPDIR names")
	return c
}

// claimText says what a certificate claims for a side, whose strategy is walked through. Plies are those within which
// the claim holds, 0 for the whole game.
func claimText(info lab.Info, seat oxo.Seat, wins bool, plies int) string {
	switch us, them := info.Seats[seat], info.Seats[seat.Other()]; {
	case wins && plies > 0:
		return fmt.Sprintf("%s wins within %d plies", us, plies)
	case wins:
		return us + " wins"
	case plies > 0:
		return fmt.Sprintf("%s does not win within %d plies", them, plies)
	default:
		return us + " does not lose"
	}
}

// openProof opens a certificate that holds, about any position of that game, empty for the one it names: the file
// at path, or where there is none the one that the program has with it of the game called so, which is returned
// too. The verb c is named in the error of a name of neither.
func (a *app) openProof(c *cobra.Command, path, game string) (*lab.Certificate, *lab.CarriedProof, error) {
	file, size, err := openCertificate(path)
	if errors.Is(err, fs.ErrNotExist) {
		name := path
		if g, err := a.lab.Game(path); err == nil {
			name = g.Info().Spec
		}
		if of := lab.CarriedNamed(name); of != nil {
			proof, err := a.lab.OpenCarriedCertificate(of)
			return proof, of, err
		}
		err = fmt.Errorf("%s: %q is no file, and no game whose proof oxo has with it; see oxo proofs", c.Name(), path)
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	proof, err := a.lab.Certificate(c.Context(), file, size, lab.Question{Game: game, Anywhere: true,
		Limits: lab.Limits{Memory: a.lab.ProofMemory, Disk: newScratchFile}})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return proof, nil, nil
}

// proofsVerb returns the verb that lists the proofs that the program has with it.
func proofsVerb(a *app) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "proofs [GAME or FILE]",
		Short: "list the proofs that oxo has with it, or tell of one: what it shows, how it was found, how to " +
			"repeat it",
		Example: "  oxo proofs\n  oxo proofs mnk:7,6,4+gravity --out c4.proof\n  oxo verify c4.proof\n" +
			"  oxo proofs 664.proof",
		Args: atMostArgs("GAME or FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if out != "" {
					return fmt.Errorf("proofs: --out %s: name the proof", out)
				}
				return a.listProofs()
			}
			proof, of, err := a.openProof(c, args[0], "")
			if err != nil {
				return err
			}
			e := proofEntry{CertificateSummary: proof.Summary}
			name := cmp.Or(out, args[0])
			if of != nil {
				e.Search, name = &of.Search, cmp.Or(out, of.FileID()+".proof")
			}
			e.Prove, e.Verify = e.Commands(name)
			switch {
			case out != "" && of == nil:
				return fmt.Errorf("proofs: --out %s: %s is a file already", out, args[0])
			case out != "":
				if err := writeAtomically(out, of.Data()); err != nil {
					return err
				}
			}
			return a.printProofEntry(args[0], &e)
		},
	}
	c.Flags().StringVar(&out, "out", "", "the file to write a proof to that oxo has with it")
	annotateFiles(c.Flags(), fileWritten, "out")
	return c
}

// proofEntry is a proof with what finding it took, where that is known, and the commands that find and check it.
type proofEntry struct {
	lab.CertificateSummary
	Search *lab.ProofSearch `json:"search,omitempty" doc:"what finding it took, where that is known"`
	Prove  string           `json:"prove" doc:"the command that finds a proof of the same claim; empty where none does"`
	Verify string           `json:"verify" doc:"the command that checks its file"`
}

// listProofs prints a line for each proof that the program has with it, or with --json all of them.
func (a *app) listProofs() error {
	list := []proofEntry{}
	all := lab.Carried()
	for i := range all {
		c, err := a.lab.OpenCarriedCertificate(&all[i])
		if err != nil {
			return err
		}
		e := proofEntry{CertificateSummary: c.Summary, Search: &all[i].Search}
		e.Prove, e.Verify = e.Commands(all[i].FileID() + ".proof")
		list = append(list, e)
	}
	return a.answer(proofsAnswer{list}, func() {
		for i, e := range list {
			a.printf("  %-20s %-10s %9s positions  %7s bytes  %s\n", all[i].Game, e.Shows,
				groupThousands(uint64(e.Nodes)), groupThousands(uint64(e.Bytes)), e.Title)
		}
		a.printf("\n%d proofs; oxo proofs GAME tells of one, and oxo walk GAME plays it\n", len(list))
	})
}

// printProofEntry prints what a proof shows, what finding it took, and the commands that find, check and play it.
// Name is how the person called it.
func (a *app) printProofEntry(name string, e *proofEntry) error {
	if a.json {
		return a.printJSON(e)
	}
	a.printf("%s: %s\n", e.Title, e.Shows)
	a.printf("  game         %s\n  position     %s\n", e.Game, e.Position)
	a.printf("  size         %s in %s bytes\n", countOf(e.Nodes, "position", "positions"),
		groupThousands(uint64(e.Bytes)))
	switch {
	case e.Nodes == 0:
		a.printf("  found        %s, without a search\n", e.Method)
	case e.Search == nil:
		a.printf("  found        the file does not say how; oxo finds such proofs by: %s\n", e.Method)
	default:
		a.printf("  found        %s; %s positions searched, %.2f s of processor time\n", e.Method,
			groupThousands(e.Search.Nodes), e.Search.Seconds)
	}
	switch {
	case e.Prove == "":
	case e.Search != nil:
		a.printf("  find it      %s\n", e.Prove)
	default:
		a.printf("  find one     %s\n               (of the same claim; it may be another file)\n", e.Prove)
	}
	a.printf("  check it     %s\n", e.Verify)
	if e.Nodes > 0 {
		a.printf("  play it      oxo walk %s\n", name)
	}
	return nil
}

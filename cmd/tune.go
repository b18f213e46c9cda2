package cmd

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"oxo/lab"
)

// tuneFlags are those of oxo tune and oxo submit tune.
type tuneFlags struct {
	args      lab.TuneArgs
	game      string
	constants []string
}

func (t *tuneFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&t.game, "game", "ttt", "the game to play")
	f.StringArrayVar(&t.constants, "constant", nil, "a constant, once for each: NAME=START,MIN,MAX[,STEP]")
	f.IntVar(&t.args.Iterations, "iterations", 50, "how often the constants are moved")
	f.IntVar(&t.args.Trials, "trials", 4, "trials in an iteration; more of them keep more workers busy")
	f.IntVar(&t.args.Games, "games", 20, "games a trial, even")
	f.IntVar(&t.args.Openings, "openings", 2, "plies given before the players go on")
	f.Float64Var(&t.args.Rate, "rate", 1, "how many steps a trial won by all games moves a constant at first")
	f.IntVar(&t.args.Check, "check", 400, "games at the end between the tuned player and the one at the start, even")
}

// read reads the constants.
func (t *tuneFlags) read(player string) error {
	t.args.Player, t.args.Constants = player, nil
	for _, text := range t.constants {
		name, rest, found := strings.Cut(text, "=")
		words := strings.Split(rest, ",")
		if !found || len(words) < 3 || len(words) > 4 {
			return fmt.Errorf("--constant %q: give NAME=START,MIN,MAX or NAME=START,MIN,MAX,STEP", text)
		}
		var numbers [4]float64
		for i, word := range words {
			var err error
			if numbers[i], err = strconv.ParseFloat(word, 64); err != nil || math.IsNaN(numbers[i]) || math.IsInf(numbers[i], 0) {
				return fmt.Errorf("--constant %q: %q is no number", text, word)
			}
		}
		t.args.Constants = append(t.args.Constants, lab.Constant{Name: name, Start: numbers[0], Min: numbers[1], Max: numbers[2], Step: numbers[3]})
	}
	return nil
}

func (a *app) tuneVerb() *cobra.Command {
	var t tuneFlags
	var seed uint64
	var workers int
	var path string
	c := &cobra.Command{
		Use:   "tune PLAYER",
		Short: "tune constants of a player by SPSA with paired games",
		Long: "tune constants of a player by SPSA with paired games. In the player's spec {name} stands for a constant.\n" +
			"At the end the tuned player plays the one at the start, with an error bar.",
		Example: "  oxo tune 'mcts:sims=100,explore={c}' --constant c=0.3,0.05,4 --game ultimate\n" +
			"  oxo submit tune 'static:weights={a}/1/.5/.5/.5/.5,depth=3' --constant a=3,0,6 --game meta",
		Args: exactly("PLAYER"),
		RunE: func(c *cobra.Command, words []string) error {
			if err := t.read(words[0]); err != nil {
				return err
			}
			if path != "" {
				if err := writable(path); err != nil {
					return err
				}
			}
			args, err := json.Marshal(t.args)
			if err != nil {
				return err
			}
			show, wipe := a.progress()
			defer wipe()
			r, err := a.lab.RunJob(c.Context(), lab.Job{Verb: "tune", Game: t.game, Args: args, Seed: seed},
				lab.RunOptions{Workers: workers, Progress: func(r lab.Report) { show("%s", r.Line) }})
			if err != nil {
				return err
			}
			wipe()
			if path != "" {
				if err := writeWhole(path, r.Files["path.csv"]); err != nil {
					return fmt.Errorf("%s: %w", filepath.Base(path), err)
				}
			}
			if a.json {
				return a.printJSON(r.JSON)
			}
			var s lab.TuneSummary
			if err := json.Unmarshal(r.JSON, &s); err != nil {
				return err
			}
			a.printf("%s, %d games on %s\n", s.Player, s.Games, s.Game)
			for i, name := range s.Names {
				a.printf("  %-12s %10.5g   from %g\n", name, s.Values[i], s.Start[i])
			}
			if m := s.Check; m != nil {
				a.printf("  against the start: %d won, %d drawn, %d lost, Elo %+.0f ± %.0f\n", m.Wins, m.Draws, m.Losses, m.Elo.Elo, m.Error)
			}
			return nil
		},
	}
	t.flags(c.Flags())
	c.Flags().Uint64Var(&seed, "seed", 1, "what all draws come from")
	c.Flags().IntVar(&workers, "workers", 0, "trials at once (default one a core)")
	c.Flags().StringVar(&path, "path", "", "a CSV file for the constants after each iteration")
	return c
}

func (a *app) submitTune(s *submission) *cobra.Command {
	var t tuneFlags
	c := &cobra.Command{
		Use: "tune PLAYER", Short: "tune constants of a player by SPSA, a part a trial", Args: exactly("PLAYER"),
		RunE: func(c *cobra.Command, words []string) error {
			if err := t.read(words[0]); err != nil {
				return err
			}
			return a.submit(c, s, "tune", t.game, t.args)
		},
	}
	t.flags(c.Flags())
	return c
}

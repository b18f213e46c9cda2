package cmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo/arena"
	"oxo/lab"
)

// contest is what the verbs match and tournament share.
type contest struct {
	o                         lab.TournamentOptions
	game, list, journal, save string
	sprt                      string
}

func (k *contest) flags(c *cobra.Command, games int) {
	f := c.Flags()
	f.StringVar(&k.game, "game", "ttt", "the game to play")
	f.IntVar(&k.o.Games, "games", games, "games between each two players; seats are swapped, so an even number")
	f.IntVar(&k.o.Openings, "openings", 0, "plies given before the players go on: all openings up to symmetry, or random ones where there are too many")
	f.StringVar(&k.list, "opening-file", "", "a file of openings, one a line: moves from the start, or a position")
	f.StringVar(&k.o.Time, "time-control", "", "clocks, such as 100ms/move, 1m, or 1m+1s (default none)")
	f.DurationVar(&k.o.Margin, "margin", 50*time.Millisecond, "how far a clock may be overstepped")
	f.BoolVar(&k.o.Adjudge, "adjudicate", false, "end a game as soon as its value is known; the record says so")
	f.StringVar(&k.journal, "journal", "", "a file that keeps finished games; the same command goes on from it")
	f.StringVar(&k.save, "save", "", "a file to add the games to as score sheets")
	f.Uint64Var(&k.o.Seed, "seed", 1, "what players, chance and openings draw from")
	f.IntVar(&k.o.Workers, "workers", 0, "games at once (default one a core)")
}

// run plays the contest.
func (a *app) contest(c *cobra.Command, k *contest, players []string) (*arena.Standings, error) {
	g, err := a.lab.Game(k.game)
	if err != nil {
		return nil, err
	}
	k.o.Players = players
	if k.list != "" {
		f, err := os.Open(k.list)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		k.o.OpeningList = f
	}
	if k.journal != "" {
		f, err := os.OpenFile(k.journal, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if err := lockFile(f); err != nil {
			return nil, fmt.Errorf("--journal %s: another match or tournament is writing it", k.journal)
		}
		k.o.Journal = f
	}
	if k.sprt != "" {
		if k.o.SPRT, err = parseSPRT(k.sprt); err != nil {
			return nil, err
		}
	}
	sheets, restored := map[int]*arena.Sheet{}, map[int]*arena.Sheet{}
	if k.save != "" && k.journal != "" && filepath.Clean(k.save) == filepath.Clean(k.journal) {
		return nil, fmt.Errorf("--save %s: that is the journal; name another file", k.save)
	}
	if k.save != "" {
		if err := writable(k.save); err != nil {
			return nil, err
		}
		k.o.KeepSheet = func(n int, s *arena.Sheet) { sheets[n] = s }
		k.o.Restored = func(n int, s *arena.Sheet) { restored[n] = s }
	}
	show, wipe := a.progress()
	defer wipe()
	k.o.Progress = func(s *arena.Standings) {
		show("%d of %d games, %s scores %.1f of %d", s.Games, s.Total, s.Names[0], s.Score(0).Points(), s.Score(0).Games())
	}
	s, err := g.Tournament(c.Context(), k.o)
	// What a journal holds is saved by the run that ends the contest, of one
	// without what was played.
	if err != nil && k.journal != "" {
		return nil, err
	}
	if len(sheets) > 0 {
		maps.Copy(sheets, restored)
		inOrder := make([]*arena.Sheet, 0, len(sheets))
		for _, n := range slices.Sorted(maps.Keys(sheets)) {
			inOrder = append(inOrder, sheets[n])
		}
		err = errors.Join(err, addSheets(k.save, inOrder...))
	}
	return s, err
}

// addSheets adds games to the end of a file of score sheets.
func addSheets(path string, sheets ...*arena.Sheet) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, s := range sheets {
		if err := arena.WriteSheet(f, s); err != nil {
			return err
		}
	}
	return f.Close()
}

// parseSPRT reads elo0,elo1 or elo0,elo1,alpha,beta.
func parseSPRT(text string) (*arena.SPRT, error) {
	s := arena.SPRT{Alpha: 0.05, Beta: 0.05}
	words := strings.Split(text, ",")
	for i, to := range []*float64{&s.Elo0, &s.Elo1, &s.Alpha, &s.Beta}[:min(len(words), 4)] {
		x, err := strconv.ParseFloat(strings.TrimSpace(words[i]), 64)
		if err != nil || len(words) != 2 && len(words) != 4 {
			return nil, fmt.Errorf("sprt %q: give elo0,elo1 or elo0,elo1,alpha,beta, as in 0,10", text)
		}
		*to = x
	}
	return &s, s.Check()
}

func (a *app) matchVerb() *cobra.Command {
	var k contest
	c := &cobra.Command{
		Use:     "match A B",
		Short:   "play two players against each other and measure the difference",
		Example: "  oxo match mcts:sims=200 mcts:sims=50 --game mnk:7,6,4+gravity --games 200 --openings 2\n  oxo match perfect random --games 1000",
		Args:    exactly("A", "B"),
		RunE: func(c *cobra.Command, args []string) error {
			k.o.Twins = true
			s, err := a.contest(c, &k, args)
			if err != nil {
				return err
			}
			m := s.Match()
			if a.json {
				return errors.Join(a.printJSON(m), fair(m.Faults[:]...))
			}
			a.printMatch(args, k.game, m, k.o.SPRT != nil)
			return fair(m.Faults[:]...)
		},
	}
	k.flags(c, 100)
	c.Flags().StringVar(&k.sprt, "sprt", "", "stop as soon as elo0 or elo1 is accepted: elo0,elo1[,alpha,beta]")
	return c
}

func (a *app) printMatch(names []string, game string, m arena.MatchResult, sprt bool) {
	a.printf("%s against %s on %s: %d won, %d drawn, %d lost\n", names[0], names[1], game, m.Wins, m.Draws, m.Losses)
	a.printf("  pairs by points 0, ½, 1, 1½, 2: %v\n", m.Pairs)
	a.printf("  Elo %+.1f ± %.1f, normalized %+.1f ± %.1f, likelihood of superiority %.4f\n", m.Elo.Elo, m.Error, m.Normalized, m.NormalizedError, m.LOS)
	if sprt {
		a.printf("  SPRT: log-likelihood ratio %.3f, %s\n", m.LLR, cmp.Or(m.Verdict, arena.Undecided.String()))
	}
	for i, f := range m.Faults {
		a.printFaults(names[i], f)
	}
}

func (a *app) printFaults(name string, f arena.Faults) {
	if f.Sum() > 0 {
		a.printf("  %s lost %d games by its own fault: %d on time, %d by illegal moves, %d by crashing; last: %s\n",
			name, f.Sum(), f.Time, f.Illegal, f.Crashed, f.Last)
	}
}

// fair returns errNo where a player broke the rules by an illegal move. To be
// late, or not to be there, is to lose by them.
func fair(faults ...arena.Faults) error {
	for _, f := range faults {
		if f.Illegal > 0 {
			return errNo
		}
	}
	return nil
}

func (a *app) tournamentVerb() *cobra.Command {
	var k contest
	c := &cobra.Command{
		Use:     "tournament PLAYER…",
		Short:   "play several players against one another and rate them",
		Example: "  oxo tournament perfect heuristic rows random --game ttt --games 100",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("tournament: at least two players are needed; usage: %s", c.UseLine())
			}
			s, err := a.contest(c, &k, args)
			if err != nil {
				return err
			}
			rows, err := s.Rows(c.Context(), k.o.Seed)
			if err != nil {
				return err
			}
			faults := make([]arena.Faults, len(rows))
			for i, r := range rows {
				faults[i] = r.Faults
			}
			if a.json {
				return errors.Join(a.printJSON(map[string]any{"game": k.game, "names": s.Names, "games": s.Games, "rows": rows}), fair(faults...))
			}
			a.printTable(s.Names, rows)
			return fair(faults...)
		},
	}
	k.flags(c, 20)
	c.Flags().BoolVar(&k.o.Gauntlet, "gauntlet", false, "only the first player meets the others")
	return c
}

// printTable prints a row for each player, and its points against each.
func (a *app) printTable(names []string, rows []arena.Row) {
	width := 8
	for _, r := range rows {
		width = max(width, len(r.Name))
	}
	a.printf("%-*s %6s %8s %8s %7s  ", width, "player", "games", "score", "rating", "error")
	for i := range names {
		a.printf(" %9d", i+1)
	}
	a.printf("\n")
	for _, r := range rows {
		a.printf("%-*s %6d %8.1f %8.1f %7.1f  ", width, r.Name, r.Games, r.Score, r.Rating, r.Error)
		for j, x := range r.Cross {
			text := "-"
			if names[j] != r.Name {
				text = fmt.Sprintf("%g/%d", x.Points(), x.Games())
			}
			a.printf(" %9s", text)
		}
		a.printf("\n")
	}
	a.printf("columns: ")
	for i, name := range names {
		a.printf(" %d %s", i+1, name)
	}
	a.printf("\n")
	for _, r := range rows {
		a.printFaults(r.Name, r.Faults)
	}
}

// sheets reads score sheets from a file, - for standard input.
func (a *app) sheets(path string) ([]*arena.Sheet, error) {
	var in io.Reader = a.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	sheets, err := a.lab.ReadSheets(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(sheets) == 0 {
		return nil, fmt.Errorf("%s: there is no game in it", path)
	}
	return sheets, nil
}

// pickSheet returns game n of the file, counted from 1.
func (a *app) pickSheet(path string, n int) (*arena.Sheet, lab.Game, error) {
	sheets, err := a.sheets(path)
	if err != nil {
		return nil, nil, err
	}
	if n < 1 || n > len(sheets) {
		return nil, nil, fmt.Errorf("%s: no game %d; there are %d", path, n, len(sheets))
	}
	g, err := a.lab.Game(sheets[n-1].Game)
	return sheets[n-1], g, err
}

func (a *app) reviewVerb() *cobra.Command {
	var number int
	var perMove time.Duration
	c := &cobra.Command{
		Use:     "review FILE",
		Short:   "mark the moves of a game that gave value away, with the better ones",
		Example: "  oxo match heuristic random --games 2 --save games.pgn\n  oxo review games.pgn --number 2",
		Args:    exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			sheet, g, err := a.pickSheet(args[0], number)
			if err != nil {
				return err
			}
			stop := a.clock("looking at the moves")
			list, err := g.Review(c.Context(), sheet, perMove)
			stop()
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"game": sheet.Game, "moves": list})
			}
			a.printf("%s: %s against %s, %s\n", sheet.Game, sheet.First, sheet.Second, sheet.Result)
			for _, j := range list {
				note, known := j.After, ""
				if !j.Exact {
					known = " (by search)"
				}
				if j.Gave {
					note = fmt.Sprintf("%s → %s, better %s", j.Before, j.After, strings.Join(j.Better, " "))
				}
				mark := " "
				if j.Gave {
					mark = "?"
				}
				a.printf("%4d. %-6s %-6s%s %s%s\n", j.Ply, j.Turn, j.Move, mark, note, known)
				if j.Why != "" {
					a.printf("%8s%s\n", "", j.Why)
				}
			}
			return nil
		},
	}
	c.Flags().IntVar(&number, "number", 1, "which game of the file")
	c.Flags().DurationVar(&perMove, "time", time.Second, "how long to search a position whose truth is not known")
	return c
}

func (a *app) replayVerb() *cobra.Command {
	var number int
	var out string
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "step through a game in the terminal, or write it for other programs",
		Long: "step through a game in the terminal: Enter goes on, b goes back, a number goes to that ply, q ends.\nIn a pipe all positions are printed.\n" +
			"With --out the game is written instead, for other programs: as SGF to a file that ends in .sgf, for Piskvork to one in .psq.",
		Example: "  oxo replay games.pgn\n  oxo replay games.pgn --number 3 --out game.sgf",
		Args:    exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			sheet, g, err := a.pickSheet(args[0], number)
			if err != nil {
				return err
			}
			if out != "" {
				return exportSheet(g, sheet, out)
			}
			trail, err := g.Trail(sheet)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"game": sheet.Game, "moves": sheet.Moves, "result": sheet.Result, "positions": trail})
			}
			return a.step(c.Context(), g.Info(), sheet, trail)
		},
	}
	c.Flags().IntVar(&number, "number", 1, "which game of the file")
	c.Flags().StringVar(&out, "out", "", "write the game to this file, .sgf or .psq")
	return c
}

func exportSheet(g lab.Game, sheet *arena.Sheet, path string) error {
	var b bytes.Buffer
	if err := g.Export(&b, sheet, strings.TrimPrefix(filepath.Ext(path), ".")); err != nil {
		return fmt.Errorf("--out %s: %w", path, err)
	}
	return writeWhole(path, b.Bytes())
}

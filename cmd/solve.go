package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"oxo"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/lab/picture"
)

// solveVerb returns the verb that finds exact values.
func solveVerb(a *app) *cobra.Command {
	var out, db, mapFile, mapSeat string
	c := a.verbCommand(jobs.Solve, func(c *cobra.Command, k *verbRun) error {
		args := k.args.(*jobs.SolveArgs)
		g, err := a.lab.Game(k.game)
		if err != nil {
			return err
		}
		if mapFile != "" || c.Flags().Changed("seat") {
			return a.drawReplyMap(c, g, args.Position, mapFile, mapSeat)
		}
		args.Strong = args.Strong || out != ""
		if out == "" && args.Strong {
			out = solutionFileName(g.Info().Spec)
		}
		switch {
		case db != "" && args.Strong:
			return errors.New("solve: --db reads a strong solution and --strong writes one; give one of them")
		case db != "" && args.Tiers:
			return errors.New("solve: --tiers makes a solution and --db reads one; a file of tiers needs only --db")
		case db != "":
			r, err := lookUpSolution(c.Context(), g, db, args.Position)
			if err != nil {
				return err
			}
			return a.answer(r, func() { a.printSolve(g.Info(), r) })
		}
		r, seconds, err := k.solve(c, g, args, out)
		if err != nil {
			return ignoreDetached(err)
		}
		if a.json {
			more := []any{"seconds", seconds}
			if args.Strong {
				more = append(more, "file", out)
			}
			return a.printResultJSON(r, more...)
		}
		var told jobs.TierResult
		if err := json.Unmarshal(r.JSON, &told); err != nil {
			return err
		}
		told.Seconds = seconds
		a.printSolve(g.Info(), &told.SolveResult)
		a.printTiers(&told)
		if args.Strong {
			a.printf("  strong solution written to %s\n", out)
		}
		return nil
	})
	c.Flags().StringVar(&out, "out", "", "the file for --strong")
	c.Flags().StringVar(&db, "db", "",
		"answer from a file that --strong wrote, or from a book of oxo book and by search beyond it")
	c.Flags().StringVar(&mapFile, "map", "",
		"draw the map of optimal play of a small game: a .svg or .png file; in the square of each reply is the board "+
			"that follows it")
	annotateFiles(c.Flags(), fileWritten, "out", "map")
	annotateFiles(c.Flags(), fileRead, "db")
	c.Flags().StringVar(&mapSeat, "seat", "first", "whose moves the map has: first or second")
	return c
}

// drawReplyMap writes the map of optimal play of a seat to a file. Flags of what is no map are refused.
func (a *app) drawReplyMap(c *cobra.Command, g lab.Game, position, path, seatName string) error {
	seat := oxo.SeatNamed(seatName)
	format := strings.TrimPrefix(filepath.Ext(path), ".")
	var other string
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"map", "seat", "game", "position", "json"}, f.Name) {
			other = f.Name
		}
	})
	switch {
	case path != "" && other != "":
		return fmt.Errorf("solve: --%s does not go with --map, which draws a picture and solves no further", other)
	case path == "":
		return errors.New("solve: --seat is of a map: give it a file with --map")
	case seat == oxo.Chance:
		return fmt.Errorf("solve: --seat %q: it is first or second", seatName)
	case format != "svg" && format != "png":
		return fmt.Errorf("solve: --map %s: it must end in .svg or .png", path)
	}
	m, err := g.Solving().ReplyMap(c.Context(), position, seat)
	if err != nil {
		return err
	}
	if err := writeAtomicallyWith(path, func(f *os.File) error {
		return picture.DrawReplyMap(f, format, g.Info(), m, false)
	}); err != nil {
		return err
	}
	return a.answerf(mapAnswer{g.Info().Spec, path}, "map of optimal play written to %s\n", path)
}

// solve solves, and writes the file of a strong solution. It says before what it will take. What takes
// long is kept in a folder, here beside that file, and goes on where it was stopped. Without --strong
// no file is written, but the folder is kept under the name that the file would have, and a hash of
// the position where that is not the start.
func (k *verbRun) solve(c *cobra.Command, g lab.Game, args *jobs.SolveArgs,
	out string) (*jobs.JobResult, float64, error) {
	j, err := k.job()
	if err != nil {
		return nil, 0, err
	}
	w, err := jobs.OpenJob(c.Context(), k.lab, j)
	if err != nil {
		return nil, 0, err
	}
	k.printSolvePlan(w.SolvePlan())
	if s := w.SolvePlan().Estimate.Seconds; s == nil || *s >= keptFrom {
		if _, standing, _ := lab.KnownForCertain(c.Context(), g.Judging(), args.Position, 0); standing != "" {
			fmt.Fprintf(k.errs, "oxo: known already: %s\n", standing)
		}
	}
	if k.nats.url != "" {
		r, seconds, err := k.runHereOrOnCluster(c, jobs.RunOptions{}, jobs.SolutionFile)
		if err == nil {
			err = writeResultFile(r, jobs.SolutionFile, out)
		}
		return r, seconds, err
	}
	var o jobs.RunOptions
	begin := time.Now()
	path := strings.TrimSuffix(cmp.Or(out, solutionFileName(g.Info().Spec)), ".oxo")
	if args.Position != "" {
		path += fmt.Sprintf("-%08x", crc32.ChecksumIEEE([]byte(args.Position)))
	}
	done, err := keepInFolder(&o, w, args.Tiers, path, j)
	if err != nil {
		return nil, 0, err
	}
	var r *jobs.JobResult
	if !args.Strong {
		r, err = k.runHere(c, w, o)
	} else {
		err = writeAtomicallyWith(out, func(f *os.File) (err error) {
			o.Create = func(string) (io.WriteCloser, error) { return stayOpen{f}, nil }
			r, err = k.runHere(c, w, o)
			return err
		})
	}
	switch left := done(err == nil); {
	case c.Context().Err() == nil:
	case left != "":
		fmt.Fprintf(k.errs, "oxo: what was done is kept in %s; the same command goes on from there\n", left)
	default:
		fmt.Fprintln(k.errs, "oxo: nothing is kept; the same command begins anew")
	}
	return r, time.Since(begin).Seconds(), err
}

// worthSaying is from how many seconds on an estimate is said.
const worthSaying = 1

// printSolvePlan says what a solution is expected to take.
func (a *printer) printSolvePlan(p *lab.Plan) {
	memory := jobs.Bytes(max(1, p.Estimate.Bytes>>20) << 20)
	method := p.Method
	if p.First != "" {
		method = p.First + ", of which nothing is kept where it is stopped, then by " + method
	}
	then := ""
	if p.Then != "" {
		then = "; should it grow far larger than guessed, by " + p.Then
	}
	switch s := p.Estimate.Seconds; {
	case s == nil:
		fmt.Fprintf(a.errs, "oxo: by %s: nobody can tell how long it takes; tables of up to %v\n", method, memory)
	case *s >= worthSaying:
		took := time.Duration(*s * float64(time.Second)).Round(time.Second)
		fmt.Fprintf(a.errs, "oxo: by %s: about %v of one core, tables of up to %v%s\n", method, took, memory, then)
	}
}

// keepInFolder has work that takes long kept in a folder at a path: tiers from the start on, other work from its
// first checkpoint on. The function that it returns removes the folder of work that is
// done, or returns its name where there is one.
func keepInFolder(o *jobs.RunOptions, w *jobs.Work, asked bool, path string,
	j jobs.Job) (func(done bool) (left string), error) {
	if w.SolvePlan().Method != lab.ByTiers {
		late := &lateFolder{path: path + ".solve", job: j}
		o.State = late
		return func(done bool) string {
			switch {
			case late.folder == "":
				return ""
			case done:
				late.folder.remove() // it is of no use any more
			case time.Since(late.saved) > time.Second:
				return fmt.Sprintf("%s as it was %v ago", late.folder, time.Since(late.saved).Round(time.Second))
			}
			return string(late.folder)
		}, nil
	}
	if !asked && *w.SolvePlan().Estimate.Seconds < keptFrom {
		return func(bool) string { return "" }, nil
	}
	folder, err := openJobFolder(path+".tiers", j)
	if err != nil {
		return nil, err
	}
	o.State, o.Blobs = folder, folderBlobs{folder}
	return func(done bool) string {
		if done {
			folder.remove()
		}
		return string(folder)
	}, nil
}

// keptFrom is from how many seconds on tiers are kept on disk, and what is known already is said.
const keptFrom = 5

// stayOpen is a file that somebody else closes.
type stayOpen struct{ io.Writer }

func (stayOpen) Close() error { return nil }

// printTiers prints how many positions of each tier are worth what. A slice is the part of a tier that
// is worked out at once, as its table must fit the memory.
func (a *printer) printTiers(r *jobs.TierResult) {
	if len(r.Tiers) == 0 {
		return
	}
	a.printf("  %5s  %15s  %15s  %15s  %15s  %6s\n", "marks", "positions", "first wins", "second wins", "draw",
		"slices")
	for _, t := range r.Tiers {
		a.printf("  %5d  %15s  %15s  %15s  %15s  %6d\n", t.Marks, groupThousands(t.Positions), groupThousands(t.First),
			groupThousands(t.Second), groupThousands(t.Draw), t.Slices)
	}
}

// lookUpSolution answers from a file of a solution.
func lookUpSolution(ctx context.Context, g lab.Game, path, position string) (*lab.SolveResult, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := g.Solving().LookUpSolution(ctx, f, position)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// solutionFileName makes a file name of a spec. It is the same for the same game, so that a run that
// was stopped finds its folder again.
func solutionFileName(spec string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:,+/\=`, r) {
			return '-'
		}
		return r
	}, spec) + ".oxo"
}

// mostKeeps is how many moves are named that keep a value.
const mostKeeps = 20

// printSolve prints a position's exact value, its best moves and how that was found.
func (a *printer) printSolve(info lab.Info, r *lab.SolveResult) {
	a.printf("%s: %s\n", r.Game, info.Title)
	a.printf("  position    %s\n", r.Position)
	value := worthText(r.Value, r.Expected, info.Chance, r.Remoteness)
	over := r.Remoteness != nil && *r.Remoteness == 0
	switch {
	case over && r.Value == oxo.Drawn.String():
		value = "draw; the game is over there"
	case over:
		value = fmt.Sprintf("%s has won; the game is over there", r.Value)
	case r.Moves == nil && r.Remoteness == nil && r.Bounds == nil:
		value = r.Value + "; in how many plies is not known"
	case r.Bounds != nil && r.Bounds[0] == 1:
		value = fmt.Sprintf("%s wins within %s", r.Value, countOf(r.Bounds[1], "ply", "plies"))
	case r.Bounds != nil:
		value = fmt.Sprintf("%s wins in %d to %d plies", r.Value, r.Bounds[0], r.Bounds[1])
	}
	// Only at a chance node is there something after the position, and nothing of it is best.
	moves, best := "moves", strings.Join(r.Best, " ")
	text, alike := commonWorthText(r, info.Chance)
	switch {
	case over:
		best = "none"
	case r.Best == nil:
		best = "not known"
	case len(r.Best) == 0 && len(r.Moves) > 0:
		moves, best = "outcomes", "nobody chooses here: chance draws an outcome"
	case alike && len(r.Best) == len(r.Moves) && r.Others == 0:
		best = "every move"
	}
	a.printf("  value       %s\n", value)
	a.printf("  best        %s\n", best)
	if n := len(r.Keeps); n > 0 {
		list := strings.Join(r.Keeps[:min(n, mostKeeps)], " ")
		if n > mostKeeps {
			list += fmt.Sprintf(" and %d more", n-mostKeeps)
		}
		a.printf("  keeps       %s (known to keep the value)\n", list)
	}
	if alike {
		a.printf("  %-10s  each of the %d: %s\n", moves, len(r.Moves), text)
	} else if len(r.Moves) > 0 {
		a.printf("  %s\n", moves)
		for _, m := range r.Moves {
			mark := " "
			if m.Best {
				mark = "*"
			}
			a.printf("    %s %-6s  %s\n", mark, m.Move, moveWorthText(m, info.Chance))
		}
	}
	if r.Others > 0 {
		a.printf("  others      %s, none as good: only a win was looked for\n", countOf(r.Others, "move", "moves"))
	}
	if r.Method != "" {
		a.printf("  method      %s\n", r.Method)
	}
	what := countOf(r.Positions, "position", "positions")
	switch {
	case r.Classes > 0:
		what += ", " + groupThousands(uint64(r.Classes)) + " stored"
	case r.Positions == 0:
		what = "known beforehand"
	default:
		what += " searched"
	}
	a.printf("  %s, %.3f s\n", what, r.Seconds)
}

// mostListed is how many moves of the same worth are listed one by one.
const mostListed = 9

// commonWorthText returns in words what each of more than mostListed moves is worth, where that is the same; else
// false.
func commonWorthText(r *lab.SolveResult, chance bool) (text string, alike bool) {
	for _, m := range r.Moves {
		switch own := moveWorthText(m, chance); text {
		case "", own:
			text = own
		default:
			return "", false
		}
	}
	return text, len(r.Moves) > mostListed
}

// moveWorthText says in words what a move is worth. Its own ply counts too, as in the value of the position.
func moveWorthText(m lab.Worth, chance bool) string {
	if m.Remoteness == nil {
		return worthText(m.Value, m.Expected, chance, nil)
	}
	plies := *m.Remoteness + 1
	return worthText(m.Value, m.Expected, chance, &plies)
}

// worthText says a value in words. A payoff is expected where there is chance, else certain.
func worthText(value string, payoff *float64, chance bool, remoteness *int) string {
	switch {
	case payoff != nil && chance:
		return fmt.Sprintf("%.12g expected for first", *payoff+0)
	case payoff != nil:
		return fmt.Sprintf("%.12g for first", *payoff+0)
	case remoteness == nil:
		return value + " (play need never end)"
	case value == "draw":
		return "draw, " + countOf(*remoteness, "ply", "plies") + " to the end"
	}
	return value + " wins in " + countOf(*remoteness, "ply", "plies")
}

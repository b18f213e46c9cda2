package cmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"oxo/lab/jobs"
	"oxo/learn/chart"
)

// terminal is the name under which a curve is drawn in letters instead of into a file.
const terminal = "-"

// curveFiles is what to make of a learning curve.
type curveFiles struct {
	csv, plot, lines string

	former *chart.Curve // that a training which is resumed goes on with; nil where there is none
}

// addFlags adds the flags of where a learning curve goes.
func (d *curveFiles) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&d.csv, "curve", "",
		"write the learning curve as CSV: exact exams or samples, and weights or beads, by games trained; with "+
			"--resume a curve that is in the file goes on")
	flags.StringVar(&d.plot, "plot", "", "draw the learning curve: a .svg or .png file, or - for the terminal")
	flags.StringVar(&d.lines, "lines", "", "which lines to plot: those whose name has this in it, or one of several "+
		"joined with | (default exploitability where exams are exact, else % won)")
	annotateFiles(flags, fileWritten, "curve", "plot")
}

func (d *curveFiles) wanted() bool { return d.csv != "" || d.plot != "" }

// prepareResume refuses what is for learners that begin, and reads the curve of a training that is
// resumed after so many games, if its file is there.
func (d *curveFiles) prepareResume(games int, options, watched bool) error {
	switch {
	case options:
		return errors.New("train: --options: they are a new learner's; a brain's own are in its file")
	case watched && d.wanted():
		return errors.New("train: --resume: what --watch writes to --curve begins with a learner that knows nothing; " +
			"leave --curve out")
	case d.csv == "":
		return nil
	}
	if info, err := os.Stat(d.csv); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // whether it can be written is checked elsewhere
	}
	data, err := os.ReadFile(d.csv)
	if err == nil {
		d.former, err = chart.ReadCSV(bytes.NewReader(data))
	}
	if err != nil {
		return fmt.Errorf("train: --curve %s: a curve that is there goes on with --resume, but %w", d.csv, err)
	}
	if n := len(d.former.Games); n > 0 && d.former.Games[n-1] > games {
		return fmt.Errorf("train: --curve %s: it has come to %d games, and the brain of --resume to %d: name another "+
			"file", d.csv, d.former.Games[n-1], games)
	}
	return nil
}

// checkDrawable refuses before training what can't be drawn after it, or not go on with the curve that
// is there. It opens the job to learn the lines' names, which depend on the game: exams only where it is
// small enough. Where --lines was left out the lines are the first of the usual ones that are there, else all.
func (d *curveFiles) checkDrawable(c *cobra.Command, k *verbRun) error {
	chosen := c.Flags().Changed("lines")
	switch format := d.format(); {
	case d.plot == "" && chosen:
		return fmt.Errorf("train: --lines %q: lines are drawn by --plot", d.lines)
	case d.plot == "" && d.former == nil:
		return nil
	case d.plot == terminal && k.json:
		return errors.New("train: --plot -: it is drawn in letters, which --json does not print; name a file")
	case d.plot != "" && d.plot != terminal && format != "svg" && format != "png":
		return fmt.Errorf("train: --plot %s: the file must end in .svg or .png, or be - for the terminal", d.plot)
	}
	w, err := k.openJob(c.Context())
	if err != nil {
		return err
	}
	names, err := jobs.CurveLineNames(c.Context(), w)
	if err != nil {
		return err
	}
	for _, usual := range []string{"exploitability", "% won", "%"} {
		if !chosen && d.lines == "" && strings.Contains(strings.Join(names, "\n"), usual) {
			d.lines = usual
		}
	}
	switch {
	case d.former != nil && !slices.Equal(names, d.former.Names()):
		return fmt.Errorf("train: --curve %s: the curve there has other columns than this training's, so it can't "+
			"go on; name another file", d.csv)
	case d.plot == "":
	case slices.ContainsFunc(names, d.includesLine):
	case chosen:
		return fmt.Errorf("train: --lines %q: no line has that in its name; there are %s", d.lines,
			strings.Join(names, ", "))
	}
	return nil
}

// includesLine reports whether the line of that name is to be drawn.
func (d *curveFiles) includesLine(name string) bool {
	return slices.ContainsFunc(strings.Split(d.lines, "|"), func(w string) bool { return strings.Contains(name, w) })
}

// format is the kind of picture that the file's ending names, svg or png.
func (d *curveFiles) format() string { return strings.TrimPrefix(filepath.Ext(d.plot), ".") }

// writeCurve writes the curve of a training, of one that was stopped as far as it came. One that
// was stopped before it was measured has none, which is no error.
func (d *curveFiles) writeCurve(a *app, r *jobs.JobResult, curve *chart.Curve) error {
	if curve == nil {
		return nil
	}
	var err error
	if d.former != nil {
		err = writeAtomicallyWith(d.csv, func(f *os.File) error { return curve.WriteCSV(f) })
	} else {
		err = writeResultFile(r, "curve.csv", d.csv)
	}
	if err != nil || d.plot == "" {
		return err
	}
	curve = curve.WithLines(d.includesLine)
	if d.plot == terminal {
		return curve.WriteText(a.out, cmp.Or(terminalColumns(a.out), 80))
	}
	return writeAtomicallyWith(d.plot, func(f *os.File) error { return curve.WritePlot(f, d.format()) })
}

// printPaths says where the curve is, and which of its measures are samples, of how much: what is counted in a few
// games is not exact.
func (d *curveFiles) printPaths(a *app, curve *chart.Curve, written bool) {
	written = written && curve != nil
	for _, path := range []string{d.csv, d.plot} {
		switch {
		case path == "", path == terminal:
		case written:
			a.printf("learning curve written to %s\n", path)
		default:
			a.printf("no learning curve was written to %s: no point of it was measured\n", path)
		}
	}
	if !written {
		return
	}
	for _, l := range curve.Lines {
		if sample := l.Basis.SampleLabel(); sample != "" {
			a.printf("  %s: %s\n", l.Name, sample)
		}
	}
}

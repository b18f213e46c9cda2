// Package chart holds learning curves and draws them as SVG, PNG, text and CSV. A curve is made by [JoinRuns] from
// the measurements of several runs, or read back by [ReadCSV].
package chart

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"oxo/learn/exam"
)

// Curve is a learning curve over several runs that differ in their seed alone: how some measures change with the
// number of games. Games grows, and each line has one number for each of its entries.
type Curve struct {
	Title string   `json:"title" doc:"of the plot"`
	Games []int    `json:"games" doc:"after how many games it was measured"`
	Runs  int      `json:"runs" doc:"how many"`
	Lines []Series `json:"lines" doc:"what is plotted, a line for each measure"` // one a measure
}

// Series is one measure: its mean over the runs, and the band between the 10th and the 90th percentile. The three
// lists are as long as the Games of the curve; with one run they are equal.
type Series struct {
	Name  string     `json:"name"`
	Basis exam.Basis `json:"basis" doc:"what its numbers are of"`
	Mean  []float64  `json:"mean" doc:"the mean over the runs"`
	Low   []float64  `json:"low" doc:"the low end of the band"`
	High  []float64  `json:"high" doc:"the high end of the band"`
}

// JoinRuns makes a curve of the values of several runs: values[run][point][k] is the measure names[k], which is of
// bases[k], at games[point]. Of runs with fewer points than others, as those of a training that was stopped, it has
// what all have. It returns an error where names is empty. The curve shares games and has no title yet.
func JoinRuns(games []int, names []string, bases []exam.Basis, values [][][]float64) (*Curve, error) {
	if len(names) == 0 {
		return nil, errors.New("this learner has nothing to measure here")
	}
	for _, run := range values {
		games = games[:min(len(games), len(run))]
	}
	c := &Curve{Runs: len(values), Games: games}
	for k, name := range names {
		s := seriesOfRuns(name, values, k, len(games))
		if k < len(bases) { // points that were measured before bases were kept have none
			s.Basis = bases[k]
		}
		c.Lines = append(c.Lines, s)
	}
	return c, nil
}

// seriesOfRuns puts the k-th measure of all runs together, at so many points, which every run must have.
func seriesOfRuns(name string, values [][][]float64, k, points int) Series {
	s := Series{Name: name}
	for point := range points {
		var list []float64
		sum := 0.0
		for _, run := range values {
			list = append(list, run[point][k])
			sum += run[point][k]
		}
		slices.Sort(list)
		s.Mean = append(s.Mean, sum/float64(len(list)))
		s.Low = append(s.Low, percentile(list, 0.1))
		s.High = append(s.High, percentile(list, 0.9))
	}
	return s
}

// percentile returns the value below which a share of the sorted list lies, between neighbours in proportion. A
// share is from 0 to 1; the list is not empty.
func percentile(list []float64, share float64) float64 {
	at := share * float64(len(list)-1)
	// The place of the share in the list, counted from 0, falls between two entries as a rule.
	i := int(at)
	if i+1 >= len(list) {
		return list[i]
	}
	return list[i] + (at-float64(i))*(list[i+1]-list[i])
}

// sampleMark is what [Series.label] has after the name of a line that is a sample.
const sampleMark = " (a sample of "

// label is what plots and tables call the line: its name, and of a sample that it is one and of how much each point
// is, so that nobody takes what is counted in a few games for exact.
func (s *Series) label() string {
	if sample := s.Basis.SampleLabel(); sample != "" {
		return s.Name + " (" + sample + ")"
	}
	return s.Name
}

// WithLines returns the curve with the lines that keep accepts, in the same order; the curve itself stays as it is.
func (c *Curve) WithLines(keep func(name string) bool) *Curve {
	d := *c
	d.Lines = nil
	for _, s := range c.Lines {
		if keep(s.Name) {
			d.Lines = append(d.Lines, s)
		}
	}
	return &d
}

// WriteFiles writes curve.csv, and curve.svg with the lines that say how well the learner plays: those of games won
// where there are some, else all percentages, or all lines where none is one. It opens each by create, closes it,
// and stops at the first error.
func (c *Curve) WriteFiles(create func(name string) (io.WriteCloser, error)) error {
	graded := c
	// The later kind in this list takes precedence, where there are lines of it.
	for _, kind := range []string{"%", "% won"} {
		if some := c.WithLines(func(name string) bool { return strings.HasPrefix(name, kind) }); len(some.Lines) > 0 {
			graded = some
		}
	}
	for _, f := range []struct {
		name  string
		write func(w io.Writer) error
	}{{"curve.csv", c.WriteCSV}, {"curve.svg", func(w io.Writer) error { return graded.WritePlot(w, "svg") }}} {
		w, err := create(f.name)
		if err != nil {
			return err
		}
		if err := errors.Join(f.write(w), w.Close()); err != nil {
			return err
		}
	}
	return nil
}

// WriteCSV writes the curve as a table: a row a point, and for each measure its mean, its 10th and its 90th
// percentile, which are empty with one run, as they say nothing of how sure its values are. The first row names the
// columns, and says which are samples; numbers have up to 8 digits.
func (c *Curve) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	head := []string{"games"}
	for _, s := range c.Lines {
		// Three columns for each measure, in which ReadCSV recognizes a curve.
		head = append(head, s.label(), s.label()+" p10", s.label()+" p90")
	}
	rows := [][]string{head}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }
	for i, g := range c.Games {
		row := []string{strconv.Itoa(g)}
		for _, s := range c.Lines {
			low, high := "", ""
			if c.Runs > 1 {
				low, high = number(s.Low[i]), number(s.High[i])
			}
			row = append(row, number(s.Mean[i]), low, high)
		}
		rows = append(rows, row)
	}
	return out.WriteAll(rows)
}

// ReadCSV reads a curve of one run that [Curve.WriteCSV] wrote, so that a training that is resumed can go on with
// it. It refuses one of several runs, as the values of each are lost. What its numbers are of is not in it, nor is
// a title.
func ReadCSV(r io.Reader) (*Curve, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	// encoding/csv sees to it that all rows are as long as the first.
	if len(rows) == 0 || rows[0][0] != "games" || len(rows[0])%3 != 1 {
		return nil, errors.New("it is no learning curve: its columns are not games and three for each measure")
	}
	c := &Curve{Runs: 1}
	for k := 1; k < len(rows[0]); k += 3 {
		name, _, _ := strings.Cut(rows[0][k], sampleMark)
		c.Lines = append(c.Lines, Series{Name: name})
	}
	for _, row := range rows[1:] {
		games, err := strconv.Atoi(row[0])
		if err != nil {
			return nil, fmt.Errorf("%q is no number of games", row[0])
		}
		c.Games = append(c.Games, games)
		for k := range c.Lines {
			own := row[1+3*k:][:3]
			x, err := strconv.ParseFloat(own[0], 64)
			if err != nil {
				return nil, fmt.Errorf("after %d games: %q is no number", games, own[0])
			}
			// Before they were left empty, both ends of the band were the value itself.
			if own[1] != own[2] || own[1] != "" && own[1] != own[0] {
				return nil, errors.New("it is of several runs, and a training goes on in one")
			}
			// In a single run the mean and both ends of the band are the value itself.
			s := &c.Lines[k]
			s.Mean, s.Low, s.High = append(s.Mean, x), append(s.Low, x), append(s.High, x)
		}
	}
	return c, nil
}

// PrecededBy returns the curve with the points of a former part of the same training before its own. A point that ends
// the one and begins the other is there once. Their lines must have the same names in the same order. Neither of
// the two curves is changed.
func (c *Curve) PrecededBy(former *Curve) *Curve {
	d, from := *c, 0
	// Where the former part was measured at its end and this one at its beginning, that is the same point.
	if n := len(former.Games); n > 0 && len(c.Games) > 0 && c.Games[0] == former.Games[n-1] {
		from = 1
	}
	d.Games = slices.Concat(former.Games, c.Games[from:])
	d.Lines = slices.Clone(c.Lines)
	for k := range d.Lines {
		s, before := &d.Lines[k], &former.Lines[k]
		s.Mean = slices.Concat(before.Mean, s.Mean[from:])
		s.Low = slices.Concat(before.Low, s.Low[from:])
		s.High = slices.Concat(before.High, s.High[from:])
	}
	return &d
}

// Names lists what the lines measure, in the order of the lines.
func (c *Curve) Names() (names []string) {
	for _, s := range c.Lines {
		names = append(names, s.Name)
	}
	return names
}

package chart

import (
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"oxo/pen"
)

// colours tell lines apart, also for most people who see few colours (Okabe
// and Ito, "Color universal design", 2008).
var colours = []color.NRGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {120, 94, 240, 255},
}

// The ink of letters and axes, the ground, and the ink of the grid.
var (
	black = color.NRGBA{A: 255}
	white = color.NRGBA{255, 255, 255, 255}
	pale  = color.NRGBA{221, 221, 221, 255}
)

// What a plot measures, in pixels: without the names, which stand to the right of plotWidth, and the size of
// letters. The axes leave plotLeft, plotTop and plotBottom for what is written beside them.
const (
	plotWidth  = 504
	plotHeight = 324
	plotMargin = 8
	plotLeft   = 60
	plotTop    = 34
	plotBottom = 44
	nameSize   = 11
	titleSize  = 13
)

// WritePlot draws the curve as an "svg" or "png": games to the right, each measure a line with the band of its
// runs, and their names beside it all, where they hide nothing. Colours and names are in the order of the lines.
// Another format is an error.
func (c *Curve) WritePlot(w io.Writer, format string) error {
	// The picture is as much wider as the longest name asks for, and higher where there are more names than fit
	// beside the axes.
	widest := 0.0
	for _, s := range c.Lines {
		widest = max(widest, pen.Width(s.label(), nameSize))
	}
	width := plotWidth + widest + 40 + 2*plotMargin
	height := max(plotHeight, plotTop+float64(len(c.Lines)+1)*(nameSize+4))
	p, err := pen.New(format, width, height, white)
	if err != nil {
		return err
	}
	f := c.plotAxes()
	f.draw(p, c.Title)
	for i, s := range c.Lines { // all bands below all lines
		if c.Runs > 1 {
			// The band is one outline: along its high end and back along its low end.
			band := f.path(c.Games, s.High)
			back := f.path(c.Games, s.Low)
			slices.Reverse(back)
			ink := colours[i%len(colours)]
			ink.A = 40
			p.Fill(append(band, back...), ink)
		}
	}
	// The lines, and to the right of the axes a short piece of each with its name, one below the other in the same
	// order.
	for i, s := range c.Lines {
		ink, dashes := colours[i%len(colours)], dashPattern(i/len(colours))
		p.Stroke(f.path(c.Games, s.Mean), 1.5, ink, dashes)
		y := plotTop + float64(i)*(nameSize+4) + nameSize/2
		p.Stroke([]pen.Point{pen.At(plotWidth+plotMargin, y), pen.At(plotWidth+plotMargin+26, y)}, 1.5, ink, dashes)
		p.Text(pen.At(plotWidth+plotMargin+32, y+nameSize/3), 0, nameSize, false, black, s.label())
	}
	return p.WriteImage(w)
}

// dashPattern tells lines of one colour apart: its second line has dashes, its third dots between. round is how
// many lines before have the same colour; of the first, 0, the line has no gaps.
func dashPattern(round int) (dashes []float64) {
	for n := range round {
		dashes = append(dashes, 6/float64(2*n+1), 3)
	}
	return dashes
}

// axes is the axes of a plot: games go from 0 to games, values from low to high, which differ.
type axes struct {
	games     float64 // to the right
	low, high float64 // upwards
	unit      string
}

// plotAxes returns the ranges of games and values that all lines and bands fit into. Percentages get all from 0 to
// 100, so that plots of different learners can be compared.
func (c *Curve) plotAxes() axes {
	f := axes{games: 1, low: math.Inf(1), high: math.Inf(-1), unit: c.commonUnit()}
	if len(c.Games) > 0 {
		f.games = max(1, float64(c.Games[len(c.Games)-1]))
	}
	for _, s := range c.Lines {
		for i := range s.Mean {
			for _, list := range [][]float64{s.Mean, s.Low, s.High} {
				if i < len(list) {
					f.low, f.high = min(f.low, list[i]), max(f.high, list[i])
				}
			}
		}
	}
	switch {
	case strings.HasPrefix(f.unit, "%"):
		f.low, f.high = 0, 100
	case !(f.low < f.high): // one value, or none
		// A line that never changes spans no range, so it gets one around it.
		at := 0.0
		if !math.IsInf(f.low, 0) {
			at = f.low
		}
		f.low, f.high = at-1, at+1
	}
	return f
}

// toPixel returns where a point is drawn: pixels count downwards, values up.
func (f axes) toPixel(games, value float64) pen.Point {
	return pen.At(plotLeft+games/f.games*(plotWidth-plotLeft-plotMargin),
		plotHeight-plotBottom-(value-f.low)/(f.high-f.low)*(plotHeight-plotTop-plotBottom))
}

// path returns where the points of a line are drawn, as far as there are both games and values.
func (f axes) path(games []int, values []float64) []pen.Point {
	var path []pen.Point
	for i := range min(len(games), len(values)) {
		path = append(path, f.toPixel(float64(games[i]), values[i]))
	}
	return path
}

// draw draws the axes with their words, and the title, smaller where it is long.
func (f axes) draw(p pen.Pen, title string) {
	// Grid lines and their numbers come first, so that axes and lines lie over them.
	for _, g := range ticks(0, f.games) {
		p.Stroke([]pen.Point{f.toPixel(g, f.low), f.toPixel(g, f.high)}, 0.5, pale, nil)
		p.Text(pen.At(f.toPixel(g, 0).X, plotHeight-plotBottom+nameSize+4), 0.5, nameSize, false, black, number(g))
	}
	for _, v := range ticks(f.low, f.high) {
		at := f.toPixel(0, v)
		p.Stroke([]pen.Point{at, f.toPixel(f.games, v)}, 0.5, pale, nil)
		p.Text(pen.At(plotLeft-5, at.Y+nameSize/3), 1, nameSize, false, black, number(v))
	}
	p.Stroke([]pen.Point{f.toPixel(0, f.high), f.toPixel(0, f.low), f.toPixel(f.games, f.low)}, 1, black, nil)
	// The title shrinks until it fits into the picture without the names; the words at the axes are short enough.
	const room = plotWidth - 2*plotMargin
	size := titleSize * min(1, room/pen.Width(title+" ", titleSize))
	p.Text(pen.At(plotWidth/2, plotTop-14), 0.5, size, false, black, title)
	p.Text(pen.At((plotLeft+plotWidth)/2, plotHeight-plotMargin), 0.5, nameSize, false, black, "training games")
	p.Text(pen.At(plotMargin+nameSize, (plotTop+plotHeight-plotBottom)/2), 0.5, nameSize, true, black, f.unit)
}

// number writes a value at an axis with at most 6 digits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// ticks returns round numbers from low to high, some five of them: multiples of 1, 2 or 5 times a power of ten. The
// small addition keeps the last one where rounding would lose it. low must be less than high.
func ticks(low, high float64) []float64 {
	// The step is the largest such number that is at most a quarter of the range: first the power of ten, then 5 or
	// 2 times that if it is still small enough.
	step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
	for _, times := range []float64{5, 2} {
		if step*times <= (high-low)/4 {
			step *= times
			break
		}
	}
	var list []float64
	for i := math.Ceil(low / step); i <= high/step+1e-9; i++ {
		list = append(list, i*step)
	}
	return list
}

// commonUnit says what the lines measure, as far as all measure the same; nothing where they differ.
// A unit is the first word of a line's name, or what its basis says; a plot of several units has no word at its
// axis.
func (c *Curve) commonUnit() string {
	units := map[string]bool{}
	for _, s := range c.Lines {
		first, _, _ := strings.Cut(s.Name, " ")
		switch {
		case s.Basis.Of == "positions":
			units["% of positions"] = true
		case first == "%":
			units["% of games"] = true
		case s.Basis.Of == "exam": // mistakes, exploitability
			units[first] = true
		case s.Basis.Of == "weights":
			units["weight"] = true
		default: // beads, rules, loss
			units[s.Basis.Of] = true
		}
	}
	for unit := range units {
		if len(units) == 1 {
			return unit
		}
	}
	return ""
}

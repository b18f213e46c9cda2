package learn

import (
	"fmt"
	"image/color"
	"io"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// colours tell lines apart, also for most people who see few colours (Okabe
// and Ito, "Color universal design", 2008).
var colours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {120, 94, 240, 255},
}

// WritePlot draws the curve as an "svg" or "png": games to the right, each
// measure a line with the band of its runs.
func (c *Curve) WritePlot(w io.Writer, format, yLabel string) error {
	if format != "svg" && format != "png" {
		return fmt.Errorf("a plot in %q: it can be svg or png", format)
	}
	p := plot.New()
	p.Title.Text = c.Title
	p.X.Label.Text = "training games"
	p.Y.Label.Text = yLabel
	p.Title.Padding, p.X.Padding, p.Y.Padding = vg.Points(8), vg.Points(4), vg.Points(4)
	p.Legend.Top, p.Legend.Left = false, false
	p.BackgroundColor = color.White
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{}
	p.Add(plotter.NewGrid())
	for i, s := range c.Lines {
		ink := colours[i%len(colours)]
		if c.Runs > 1 {
			band, err := plotter.NewPolygon(c.outline(s))
			if err != nil {
				return err
			}
			band.Color = color.NRGBA{ink.R, ink.G, ink.B, 40}
			band.LineStyle.Width = 0
			p.Add(band)
		}
		points := make(plotter.XYs, len(c.Games))
		for j, g := range c.Games {
			points[j] = plotter.XY{X: float64(g), Y: s.Mean[j]}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = ink, vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(s.Name, line)
	}
	out, err := p.WriterTo(7*vg.Inch, 4.5*vg.Inch, format)
	if err != nil {
		return err
	}
	_, err = out.WriteTo(w)
	return err
}

// ticks are the usual ones, without needless zeros behind the point.
type ticks struct{ plot.DefaultTicks }

func (t ticks) Ticks(least, most float64) []plot.Tick {
	list := t.DefaultTicks.Ticks(least, most)
	for i := range list {
		if list[i].Label != "" {
			list[i].Label = strconv.FormatFloat(list[i].Value, 'g', 6, 64)
		}
	}
	return list
}

// outline goes along the top of the band and back along its bottom.
func (c *Curve) outline(s Series) plotter.XYs {
	var points plotter.XYs
	for i, g := range c.Games {
		points = append(points, plotter.XY{X: float64(g), Y: s.High[i]})
	}
	for i := len(c.Games) - 1; i >= 0; i-- {
		points = append(points, plotter.XY{X: float64(c.Games[i]), Y: s.Low[i]})
	}
	return points
}

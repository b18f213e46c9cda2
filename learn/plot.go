package learn

import (
	"fmt"
	"image/color"
	"io"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colours tell lines apart, also for most people who see few colours (Okabe
// and Ito, "Color universal design", 2008).
var colours = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {120, 94, 240, 255},
}

// WritePlot draws the curve as an "svg" or "png": games to the right, each
// measure a line with the band of its runs, and their names beside it all, where
// they hide nothing.
func (c *Curve) WritePlot(w io.Writer, format string) error {
	if format != "svg" && format != "png" {
		return fmt.Errorf("a plot in %q: it can be svg or png", format)
	}
	p, names := plot.New(), plot.NewLegend()
	p.Title.Text = c.Title
	p.X.Label.Text = "training games"
	p.Y.Label.Text = c.unit()
	p.Title.Padding, p.X.Padding, p.Y.Padding = vg.Points(8), vg.Points(4), vg.Points(4)
	p.BackgroundColor = nil // the whole picture has one
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{}
	names.Top, names.Left, names.Padding = true, true, vg.Points(3)
	p.Add(plotter.NewGrid())
	if c.Runs > 1 { // all bands below all lines
		for i, s := range c.Lines {
			band, err := plotter.NewPolygon(c.outline(s))
			if err != nil {
				return err
			}
			ink := colours[i%len(colours)]
			band.Color = color.NRGBA{ink.R, ink.G, ink.B, 40}
			band.LineStyle.Width = 0
			p.Add(band)
		}
	}
	for i, s := range c.Lines {
		points := make(plotter.XYs, len(c.Games))
		for j, g := range c.Games {
			points[j] = plotter.XY{X: float64(g), Y: s.Mean[j]}
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = colours[i%len(colours)], vg.Points(1.5)
		for range i / len(colours) { // a colour's second line has dashes, its third dots between
			line.Dashes = append(line.Dashes, vg.Points(6/float64(len(line.Dashes)+1)), vg.Points(3))
		}
		p.Add(line)
		names.Add(s.Name, line)
	}
	if p.Y.Label.Text == percent {
		p.Y.Min, p.Y.Max = 0, 100
	}
	const margin = 8
	width, height := 7*vg.Inch, 4.5*vg.Inch
	if title := p.Title.TextStyle; title.Width(c.Title) > width-4*margin {
		p.Title.TextStyle.Font.Size *= (width - 4*margin) / title.Width(c.Title)
	}
	room := names.Rectangle(draw.Canvas{}).Size()
	height = max(height, room.Y+5*margin)
	out, err := draw.NewFormattedCanvas(width+room.X+3*margin, height, format)
	if err != nil {
		return err
	}
	all := draw.New(out)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	p.Draw(draw.Crop(all, margin, -room.X-2*margin, margin, -margin))
	names.Draw(draw.Crop(all, width+2*margin, -margin, margin, -4*margin))
	_, err = out.WriteTo(w)
	return err
}

const percent = "% of games"

// unit says what the lines measure, as far as all measure the same.
func (c *Curve) unit() string {
	units := map[string]bool{}
	for _, s := range c.Lines {
		switch first, _, _ := strings.Cut(s.Name, " "); first {
		case "%":
			units[percent] = true
		case "beads", "mistakes", "exploitability":
			units[first] = true
		default:
			units["weight"] = true
		}
	}
	for unit := range units {
		if len(units) == 1 {
			return unit
		}
	}
	return ""
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

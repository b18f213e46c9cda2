package pen_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"oxo/pen"
)

var (
	white = color.NRGBA{255, 255, 255, 255}
	red   = color.NRGBA{255, 0, 0, 255}
	blue  = color.NRGBA{0, 0, 255, 255}
)

// drawn is what some calls draw as a PNG of 100 by 100 points.
func drawn(t *testing.T, calls func(p pen.Pen)) image.Image {
	t.Helper()
	p, err := pen.New("png", 100, 100, white)
	if err != nil {
		t.Fatal(err)
	}
	calls(p)
	var to bytes.Buffer
	if err := p.WriteImage(&to); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&to)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// at is the colour at a point, of which a PNG has four pixels.
func at(img image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(img.At(2*x, 2*y)).(color.NRGBA)
}

// TestShapes looks at points inside and outside of each shape.
func TestShapes(t *testing.T) {
	img := drawn(t, func(p pen.Pen) {
		p.Fill([]pen.Point{pen.At(10, 10), pen.At(30, 10), pen.At(30, 30), pen.At(10, 30)}, red)
		p.Stroke([]pen.Point{pen.At(10, 50), pen.At(90, 50)}, 4, blue, []float64{20, 20})
		p.Disc(pen.At(20, 80), 10, red)
		p.Ring(pen.At(60, 80), 15, 4, blue)
		p.Fill([]pen.Point{pen.At(90, -20), pen.At(120, -20), pen.At(120, 8), pen.At(90, 8)}, blue) // partly outside
	})
	for _, c := range []struct {
		x, y int
		want color.NRGBA
	}{{20, 20, red}, {35, 20, white}, {20, 50, blue}, {40, 50, white}, {60, 50, blue}, {20, 55, white},
		{20, 80, red}, {26, 86, red}, {29, 89, white}, {60, 80, white}, {75, 80, blue}, {60, 65, blue}, {80, 80, white},
		{95, 4, blue}, {95, 12, white}} {
		if got := at(img, c.x, c.y); got != c.want {
			t.Errorf("at %d, %d is %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// TestText: letters are as large as they are asked for, and stand where they are meant to.
func TestText(t *testing.T) {
	for _, c := range []struct {
		turns   float64
		upright bool
		want    image.Rectangle // in points, about
	}{{0, false, image.Rect(50, 38, 70, 52)}, {0.5, false, image.Rect(40, 38, 60, 52)},
		{1, false, image.Rect(30, 38, 50, 52)}, {0, true, image.Rect(38, 30, 52, 50)},
		{1, true, image.Rect(38, 50, 52, 70)}} {
		img := drawn(t, func(p pen.Pen) { p.Text(pen.At(50, 50), c.turns, 20, c.upright, red, "HH") })
		var got image.Rectangle
		for y := range 100 {
			for x := range 100 {
				if at(img, x, y) != white {
					got = got.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		if !got.In(c.want.Inset(-2)) || !c.want.Inset(3).In(got) {
			t.Errorf("text with turns %v, upright %v covers %v, want about %v", c.turns, c.upright, got, c.want)
		}
	}
}

// TestEscaped: what is written can't be taken for a shape.
func TestEscaped(t *testing.T) {
	p, err := pen.New("svg", 10, 10, white)
	if err != nil {
		t.Fatal(err)
	}
	p.Text(pen.At(1, 1), 0, 4, false, red, `<script>&"`)
	var to strings.Builder
	if err := p.WriteImage(&to); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(to.String(), "<script") || !strings.Contains(to.String(), "&lt;script&gt;&amp;") {
		t.Errorf("the SVG is %s", &to)
	}
	if _, err := pen.New("gif", 1, 1, white); err == nil {
		t.Error("there is a pen for gif")
	}
}

// Package pen draws shapes, as SVG and as PNG alike: the same calls give the same
// picture in either.
package pen

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/f64"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Point is a point of a picture: how far it is to the right of the left edge and down from the top, in pixels. A
// drawing may go beyond the picture; what does is not seen.
type Point struct{ X, Y float64 }

// At is the point so far to the right and down.
func At(x, y float64) Point { return Point{x, y} }

// Pen draws a picture, what comes later over what was there. Lengths are in pixels, and an ink lets as much of the
// ground through as its alpha says. A pen is for one picture and one goroutine.
type Pen interface {
	// Fill fills the area within the outline, whose last point is joined to its first.
	Fill(outline []Point, ink color.NRGBA)
	// Stroke draws a line; dashes are lengths drawn and left out in turn.
	Stroke(path []Point, width float64, ink color.NRGBA, dashes []float64)
	// Disc fills a circle. Ring draws its edge, with half of the width to either side of the radius.
	Disc(centre Point, radius float64, ink color.NRGBA)
	Ring(centre Point, radius, width float64, ink color.NRGBA)
	// Text writes from at, or around it or up to it where anchor is 0.5 or 1;
	// vertical from below.
	Text(at Point, anchor float64, size float64, vertical bool, ink color.NRGBA, words string)
	// Link makes areas lead to an address under a name, where the format has links; of others nothing is drawn.
	Link(address, name string, areas [][]Point)
	// WriteImage writes the picture that was drawn, after which the pen is of no more use.
	WriteImage(w io.Writer) error
}

// New returns a pen for an "svg" or "png" of that size, in pixels, on a ground of that colour, whose alpha an SVG
// does not have. A PNG has twice as many pixels to each side. Any other format is an error.
func New(format string, width, height float64, ground color.NRGBA) (Pen, error) {
	switch format {
	case "svg":
		return newSVG(width, height, ground), nil
	case "png":
		return newPNG(width, height, ground), nil
	}
	return nil, fmt.Errorf("a picture in %q: it can be svg or png", format)
}

// Width is about how wide a text of that size is, in pixels: letters of most fonts are a little wider than half of
// their height.
func Width(words string, size float64) float64 { return 0.56 * size * float64(len([]rune(words))) }

// svgPen draws an SVG.
type svgPen struct{ bytes.Buffer }

// newSVG begins a drawing as SVG, with its ground.
func newSVG(width, height float64, ground color.NRGBA) *svgPen {
	p := &svgPen{}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" `+
		`font-family="sans-serif">`+"\n", width, height, width, height)
	fmt.Fprintf(p, `<rect width="%.0f" height="%.0f" fill="%s"/>`+"\n", width, height, paint(ground))
	return p
}

// paint is an ink's colour as SVG has it, without its alpha.
func paint(ink color.NRGBA) string {
	return fmt.Sprintf("rgb(%d,%d,%d)", ink.R, ink.G, ink.B)
}

// opacity is an ink's alpha from 0, not seen at all, to 1.
func opacity(ink color.NRGBA) float64 { return float64(ink.A) / 255 }

// writePointsAttribute writes the points of a path as an attribute.
func (p *svgPen) writePointsAttribute(path []Point) {
	p.WriteString(` points="`)
	for _, at := range path {
		fmt.Fprintf(p, "%.2f,%.2f ", at.X, at.Y)
	}
	p.WriteByte('"')
}

// Fill writes a polygon, its points in hundredths of a pixel.
func (p *svgPen) Fill(outline []Point, ink color.NRGBA) {
	p.WriteString("<polygon")
	p.writePointsAttribute(outline)
	fmt.Fprintf(p, ` fill="%s" fill-opacity="%.2f"/>`+"\n", paint(ink), opacity(ink))
}

// Stroke writes a polyline that is not filled, with a stroke-dasharray where there are dashes.
func (p *svgPen) Stroke(path []Point, width float64, ink color.NRGBA, dashes []float64) {
	p.WriteString("<polyline")
	p.writePointsAttribute(path)
	fmt.Fprintf(p, ` fill="none" stroke="%s" stroke-width="%g" stroke-opacity="%.2f"`, paint(ink), width, opacity(ink))
	// The attribute begins with the first length and ends behind the last; without dashes there is none.
	for i, d := range dashes {
		fmt.Fprintf(p, "%s%g", [2]string{` stroke-dasharray="`, " "}[min(i, 1)], d)
	}
	if len(dashes) > 0 {
		p.WriteByte('"')
	}
	p.WriteString("/>\n")
}

// Disc writes a filled circle without an edge.
func (p *svgPen) Disc(centre Point, radius float64, ink color.NRGBA) {
	fmt.Fprintf(p, `<circle cx="%.2f" cy="%.2f" r="%.2f" fill="%s" fill-opacity="%.2f"/>`+"\n", centre.X, centre.Y,
		radius, paint(ink), opacity(ink))
}

// Ring writes a circle that is edge alone; SVG too draws half of a width to either side of the radius.
func (p *svgPen) Ring(centre Point, radius, width float64, ink color.NRGBA) {
	fmt.Fprintf(p, `<circle cx="%.2f" cy="%.2f" r="%.2f" fill="none" stroke="%s" stroke-width="%.2f" `+
		`stroke-opacity="%.2f"/>`+"\n", centre.X, centre.Y, radius, paint(ink), width, opacity(ink))
}

// Text writes words that the reader's own sans-serif font shows. An anchor is 0, 0.5 or 1, and an ink's alpha is left
// out.
func (p *svgPen) Text(at Point, anchor float64, size float64, vertical bool, ink color.NRGBA, words string) {
	fmt.Fprintf(p, `<text x="%.2f" y="%.2f" font-size="%.2f" text-anchor="%s" fill="%s"`, at.X, at.Y, size,
		[3]string{"start", "middle", "end"}[int(2*anchor)], paint(ink))
	if vertical {
		fmt.Fprintf(p, ` transform="rotate(-90 %.2f %.2f)"`, at.X, at.Y)
	}
	p.WriteByte('>')
	_ = xml.EscapeText(p, []byte(words)) // a buffer takes all
	p.WriteString("</text>\n")
}

// Link writes an anchor with its name as title, over areas that are not seen but can be clicked.
func (p *svgPen) Link(address, name string, areas [][]Point) {
	p.WriteString(`<a rel="nofollow" href="`)
	_ = xml.EscapeText(p, []byte(address)) // a buffer takes all
	p.WriteString(`"><title>`)
	_ = xml.EscapeText(p, []byte(name))
	p.WriteString("</title>")
	for _, area := range areas {
		p.WriteString("<polygon")
		p.writePointsAttribute(area)
		p.WriteString(` fill-opacity="0"/>`)
	}
	p.WriteString("</a>\n")
}

// WriteImage ends the SVG and writes it. The error is w's.
func (p *svgPen) WriteImage(w io.Writer) error {
	p.WriteString("</svg>\n")
	_, err := p.WriteTo(w)
	return err
}

// pngPen draws a PNG, twice as large as it is told.
type pngPen struct{ *image.RGBA }

// pngScale is how many pixels of a PNG are one of the drawing, so that it is sharp on fine screens.
const pngScale = 2

// newPNG begins a drawing as PNG.
func newPNG(width, height float64, ground color.NRGBA) *pngPen {
	p := &pngPen{image.NewRGBA(image.Rect(0, 0, int(pngScale*width), int(pngScale*height)))}
	draw.Draw(p, p.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	return p
}

func (p *pngPen) Fill(outline []Point, ink color.NRGBA) { p.fillShapes(ink, outline) }

// fillShapes fills several outlines as one shape, on no more of the picture than they cover. An outline that turns the
// other way around within another one is a hole in it.
func (p *pngPen) fillShapes(ink color.NRGBA, outlines ...[]Point) {
	box := boundingBox(outlines).Intersect(p.Rect)
	if box.Empty() {
		return
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for _, outline := range outlines {
		for i, at := range outline {
			x, y := float32(pngScale*at.X)-float32(box.Min.X), float32(pngScale*at.Y)-float32(box.Min.Y)
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
	r.Draw(p, box, image.NewUniform(ink), image.Point{})
}

// boundingBox is the smallest rectangle of whole pixels of the PNG around some outlines, empty where they have no
// points.
func boundingBox(outlines [][]Point) image.Rectangle {
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, outline := range outlines {
		for _, at := range outline {
			low = Point{min(low.X, at.X), min(low.Y, at.Y)}
			high = Point{max(high.X, at.X), max(high.Y, at.Y)}
		}
	}
	if low.X > high.X {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(pngScale*low.X)), int(math.Floor(pngScale*low.Y)),
		int(math.Ceil(pngScale*high.X)), int(math.Ceil(pngScale*high.Y)))
}

// circleOutline is the outline of a circle, its corners less than a pixel from it.
func circleOutline(centre Point, radius float64) []Point {
	outline := make([]Point, max(16, int(4*radius)))
	for i := range outline {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(outline)))
		outline[i] = Point{centre.X + radius*cos, centre.Y + radius*sin}
	}
	return outline
}

func (p *pngPen) Disc(centre Point, radius float64, ink color.NRGBA) {
	p.Fill(circleOutline(centre, radius), ink)
}

// Ring fills between two circles: what the inner one turns against the outer one is left out.
func (p *pngPen) Ring(centre Point, radius, width float64, ink color.NRGBA) {
	inner := circleOutline(centre, max(0, radius-width/2))
	slices.Reverse(inner)
	p.fillShapes(ink, circleOutline(centre, radius+width/2), inner)
}

// Stroke draws each piece of the line as a rectangle.
func (p *pngPen) Stroke(path []Point, width float64, ink color.NRGBA, dashes []float64) {
	if len(dashes) == 0 {
		dashes = []float64{math.Inf(1), 0}
	}
	k, left := 0, dashes[0] // the dash under way, and what is left of it
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		length := math.Hypot(to.X-from.X, to.Y-from.Y)
		for done := 0.0; done < length; {
			step := min(left, length-done)
			if k%2 == 0 {
				p.drawSegment(pointAlong(from, to, done/length), pointAlong(from, to, (done+step)/length), width, ink)
			}
			done += step
			if left -= step; left <= 0 {
				k = (k + 1) % len(dashes)
				left = dashes[k]
			}
		}
	}
}

// pointAlong is the point on the way from a to b after that share of it, 0 being a and 1 being b.
func pointAlong(a, b Point, share float64) Point {
	return Point{a.X + share*(b.X-a.X), a.Y + share*(b.Y-a.Y)}
}

// drawSegment draws one straight piece of a path, as a rectangle that ends where the piece does. A piece without a
// length is not drawn.
func (p *pngPen) drawSegment(a, b Point, width float64, ink color.NRGBA) {
	length := math.Hypot(b.X-a.X, b.Y-a.Y)
	if length == 0 {
		return
	}
	x, y := (b.Y-a.Y)/length*width/2, (a.X-b.X)/length*width/2
	p.Fill([]Point{{a.X + x, a.Y + y}, {b.X + x, b.Y + y}, {b.X - x, b.Y - y}, {a.X - x, a.Y - y}}, ink)
}

// Text draws letters of a fixed size, all of one width, and then as large as is asked for.
func (p *pngPen) Text(at Point, anchor float64, size float64, vertical bool, ink color.NRGBA, words string) {
	face := inconsolata.Regular8x16
	letters := image.NewAlpha(image.Rect(0, 0, font.MeasureString(face, words).Ceil(), face.Height+face.Descent))
	d := font.Drawer{Dst: letters, Src: image.Opaque, Face: face, Dot: fixed.P(0, face.Ascent)}
	d.DrawString(words)
	scale := pngScale * size / float64(face.Height)
	wide, over := scale*float64(letters.Rect.Dx()), scale*float64(face.Ascent)
	// The matrix takes the letters into the picture, and box is where they come to lie, with room for what is below
	// the line.
	x, y := pngScale*at.X-anchor*wide, pngScale*at.Y-over
	m := f64.Aff3{scale, 0, x, 0, scale, y}
	box := image.Rect(int(x), int(y), int(x+wide)+2, int(y+1.25*pngScale*size)+2)
	if vertical {
		x, y = pngScale*at.X-over, pngScale*at.Y+anchor*wide
		m = f64.Aff3{0, scale, x, -scale, 0, y}
		box = image.Rect(int(x), int(y-wide)-1, int(x+1.25*pngScale*size)+2, int(y)+2)
	}
	box = box.Intersect(p.Rect)
	scaled := image.NewAlpha(box)
	draw.CatmullRom.Transform(scaled, m, letters, letters.Rect, draw.Over, nil)
	draw.DrawMask(p, box, image.NewUniform(ink), image.Point{}, scaled, box.Min, draw.Over)
}

func (p *pngPen) Link(string, string, [][]Point) {}

func (p *pngPen) WriteImage(w io.Writer) error { return png.Encode(w, p) }

package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	points "golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// svgPen draws an SVG.
type svgPen struct{ bytes.Buffer }

func newSVG(width, height float64) *svgPen {
	p := &svgPen{}
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="sans-serif">`+"\n", width, height, width, height)
	fmt.Fprintf(p, `<rect width="%.0f" height="%.0f" fill="white"/>`+"\n", width, height)
	return p
}

func paint(ink color.NRGBA) string {
	return fmt.Sprintf("rgb(%d,%d,%d)", ink.R, ink.G, ink.B)
}

func (p *svgPen) points(path []xy) {
	p.WriteString(` points="`)
	for _, at := range path {
		fmt.Fprintf(p, "%.2f,%.2f ", at.x, at.y)
	}
	p.WriteByte('"')
}

func (p *svgPen) fill(outline []xy, ink color.NRGBA) {
	p.WriteString("<polygon")
	p.points(outline)
	fmt.Fprintf(p, ` fill="%s" fill-opacity="%.2f"/>`+"\n", paint(ink), float64(ink.A)/255)
}

func (p *svgPen) stroke(path []xy, width float64, ink color.NRGBA, dashes []float64) {
	p.WriteString("<polyline")
	p.points(path)
	fmt.Fprintf(p, ` fill="none" stroke="%s" stroke-width="%g"`, paint(ink), width)
	for i, d := range dashes {
		fmt.Fprintf(p, "%s%g", [2]string{` stroke-dasharray="`, " "}[min(i, 1)], d)
	}
	if len(dashes) > 0 {
		p.WriteByte('"')
	}
	p.WriteString("/>\n")
}

func (p *svgPen) text(at xy, turns float64, size float64, upright bool, words string) {
	fmt.Fprintf(p, `<text x="%.2f" y="%.2f" font-size="%.2f" text-anchor="%s"`, at.x, at.y, size,
		[3]string{"start", "middle", "end"}[int(2*turns)])
	if upright {
		fmt.Fprintf(p, ` transform="rotate(-90 %.2f %.2f)"`, at.x, at.y)
	}
	p.WriteByte('>')
	_ = xml.EscapeText(p, []byte(words)) // a buffer takes all
	p.WriteString("</text>\n")
}

func (p *svgPen) end(w io.Writer) error {
	p.WriteString("</svg>\n")
	_, err := p.WriteTo(w)
	return err
}

// pngPen draws a PNG, twice as large as it is told.
type pngPen struct{ *image.RGBA }

const pngScale = 2

func newPNG(width, height float64) *pngPen {
	p := &pngPen{image.NewRGBA(image.Rect(0, 0, int(pngScale*width), int(pngScale*height)))}
	draw.Draw(p, p.Bounds(), image.White, image.Point{}, draw.Src)
	return p
}

func (p *pngPen) fill(outline []xy, ink color.NRGBA) {
	r := vector.NewRasterizer(p.Rect.Dx(), p.Rect.Dy())
	for i, at := range outline {
		x, y := float32(pngScale*at.x), float32(pngScale*at.y)
		if i == 0 {
			r.MoveTo(x, y)
		} else {
			r.LineTo(x, y)
		}
	}
	r.ClosePath()
	r.Draw(p, p.Rect, image.NewUniform(ink), image.Point{})
}

// stroke draws each piece of the line as a rectangle.
func (p *pngPen) stroke(path []xy, width float64, ink color.NRGBA, dashes []float64) {
	if len(dashes) == 0 {
		dashes = []float64{math.Inf(1), 0}
	}
	k, left := 0, dashes[0] // the dash under way, and what is left of it
	for i := 1; i < len(path); i++ {
		from, to := path[i-1], path[i]
		length := math.Hypot(to.x-from.x, to.y-from.y)
		for done := 0.0; done < length; {
			step := min(left, length-done)
			if k%2 == 0 {
				p.piece(along(from, to, done/length), along(from, to, (done+step)/length), width, ink)
			}
			done += step
			if left -= step; left <= 0 {
				k = (k + 1) % len(dashes)
				left = dashes[k]
			}
		}
	}
}

func along(a, b xy, share float64) xy { return xy{a.x + share*(b.x-a.x), a.y + share*(b.y-a.y)} }

func (p *pngPen) piece(a, b xy, width float64, ink color.NRGBA) {
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return
	}
	x, y := (b.y-a.y)/length*width/2, (a.x-b.x)/length*width/2
	p.fill([]xy{{a.x + x, a.y + y}, {b.x + x, b.y + y}, {b.x - x, b.y - y}, {a.x - x, a.y - y}}, ink)
}

// text writes in letters of one size, whatever size is asked for.
func (p *pngPen) text(at xy, turns float64, size float64, upright bool, words string) {
	face := inconsolata.Regular8x16
	to := draw.Image(p)
	width := font.MeasureString(face, words)
	x, y := points.I(int(pngScale*at.x))-width.Mul(points.Int26_6(64*turns)), points.I(int(pngScale*at.y))
	if upright {
		to, x, y = turned{p}, points.I(-int(pngScale*at.y))-width.Mul(points.Int26_6(64*turns)),
			points.I(int(pngScale*at.x))
	}
	d := font.Drawer{Dst: to, Src: image.Black, Face: face, Dot: points.Point26_6{X: x, Y: y}}
	d.DrawString(words)
}

// turned is a picture that is looked at from its right side, so that what is
// written in it runs upwards.
type turned struct{ draw.Image }

func (t turned) Bounds() image.Rectangle {
	b := t.Image.Bounds()
	return image.Rect(-b.Max.Y, b.Min.X, -b.Min.Y, b.Max.X)
}
func (t turned) At(x, y int) color.Color     { return t.Image.At(y, -x) }
func (t turned) Set(x, y int, c color.Color) { t.Image.Set(y, -x, c) }

func (p *pngPen) end(w io.Writer) error { return png.Encode(w, p) }

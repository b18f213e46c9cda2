package search

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"oxo"
)

// WriteSVG draws the recorded trees below each other: for each node its position,
// its window, and what it returned, for each edge its move; the branches that
// were cut are crossed out in red, and leaves carry the order in which they
// were evaluated.
func (t *Tracer[P]) WriteSVG(w io.Writer) error {
	var roots []*drawnNode
	wide, high := 0.0, drawMargin
	for _, pass := range t.Passes {
		root := newDrawnNode(pass, pass.windowed())
		levels := root.levelHeights(0, nil)
		root.layOut(drawMargin, high, levels)
		wide = max(wide, root.span)
		for _, h := range levels {
			high += h + drawGap
		}
		roots = append(roots, root)
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f">`+"\n",
		wide+2*drawMargin, high+drawMargin, wide+2*drawMargin, high+drawMargin)
	fmt.Fprint(out, drawStyle)
	for _, root := range roots {
		root.writeSVG(out)
	}
	if nodes := t.Omitted - t.OmittedCuts; nodes > 0 {
		fmt.Fprintf(out, `<text x="%.0f" y="%.0f" class="note">%d more nodes are not drawn</text>`+"\n", drawMargin,
			high, nodes)
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

const (
	drawMargin = 16.0
	drawGap    = 46.0 // between levels, where the edges run
	drawAside  = 10.0 // between neighbours
	drawLine   = 13.0 // height of a line of text
	drawLetter = 6.7  // width of a letter
)

const drawStyle = `<style>
rect { fill: #fff; stroke: #555; }
rect.max { fill: #e3eefb; } rect.min { fill: #fdebd9; } rect.chance { fill: #eee6f7; rx: 12; } rect.leaf { fill: #f4f4f4; }
rect.cut { fill: #fff; stroke: #c22; stroke-dasharray: 3 2; }
line { stroke: #777; } line.cut, line.bar { stroke: #c22; } line.cut { stroke-dasharray: 4 3; } line.bar { stroke-width: 2; }
text { font: 11px monospace; text-anchor: middle; fill: #222; }
text.move { fill: #06c; paint-order: stroke; stroke: #fff; stroke-width: 4px; } text.value { font-weight: bold; } text.window { fill: #777; } text.order { fill: #080; }
text.cut { fill: #c22; } text.note { text-anchor: start; }
</style>
`

// drawnNode is a node with its place in the drawing.
type drawnNode struct {
	node       *TraceNode
	lines      []drawnLine
	wide, high float64 // of the box
	span       float64 // of the box or what is below it, whichever is wider
	x, y       float64 // the middle of the box's top
	below      []*drawnNode
}

// drawnLine is a line of text in a node.
type drawnLine struct{ class, text string }

// newDrawnNode returns the node with all that is below it, sized but not placed.
func newDrawnNode(n *TraceNode, windows bool) *drawnNode {
	d := &drawnNode{node: n, lines: n.boxLines(windows)}
	letters := 0
	for _, l := range d.lines {
		letters = max(letters, len([]rune(l.text)))
	}
	d.wide = float64(letters)*drawLetter + 10
	d.high = float64(len(d.lines))*drawLine + 7
	for i, child := range n.Children {
		c := newDrawnNode(child, windows)
		d.below = append(d.below, c)
		if i > 0 {
			d.span += drawAside
		}
		d.span += c.span
	}
	d.span = max(d.span, d.wide)
	return d
}

// boxLines returns the lines in a node's box, with its window or without.
func (n *TraceNode) boxLines(windows bool) []drawnLine {
	if n.Kind == CutOff {
		return []drawnLine{{"cut", "cut"}}
	}
	var lines []drawnLine
	board, side, _ := strings.Cut(n.Position, " ")
	for row := range strings.SplitSeq(board, "/") {
		lines = append(lines, drawnLine{"", row})
	}
	if n.Kind != AtLeaf {
		lines = append(lines, drawnLine{"", strings.TrimSpace(side + " " + n.role())})
		if windows {
			lines = append(lines, drawnLine{"window", formatWindow(float64(n.Alpha), float64(n.Beta))})
		}
	}
	value := formatNumber(float64(n.Value))
	switch {
	case n.Kind == Repeated, n.Kind == Searched && math.IsNaN(float64(n.Value)):
		value = "?"
	case n.Kind == Unfinished:
		value = "unfinished"
	case n.Bound != "=" || n.Visits > 0:
		value = n.Bound + " " + value
	}
	lines = append(lines, drawnLine{"value", value})
	switch {
	case n.Visits > 0:
		lines = append(lines, drawnLine{"order", "×" + strconv.FormatUint(n.Visits, 10)})
	case n.Kind == AtLeaf:
		lines = append(lines, drawnLine{"order", "#" + strconv.Itoa(n.Leaf)})
	case n.Kind != Searched && n.Kind != Unfinished:
		lines = append(lines, drawnLine{"order", string(n.Kind)})
	}
	return lines
}

// role returns what a node's mover does with the values below it.
func (n *TraceNode) role() string {
	return [...]string{"max", "min", "chance"}[oxo.SeatNamed(n.Turn)]
}

// windowed reports whether a node here or below was searched with a window.
func (n *TraceNode) windowed() bool {
	return !math.IsInf(float64(n.Alpha), -1) || !math.IsInf(float64(n.Beta), 1) ||
		slices.ContainsFunc(n.Children, (*TraceNode).windowed)
}

// formatWindow writes a window; a null window as the value that it asks about.
func formatWindow(low, high float64) string {
	above, null := asksAbove(low, high)
	switch {
	case !null:
		return "[" + formatNumber(low) + ", " + formatNumber(high) + "]"
	case above:
		return "> " + formatNumber(low) + "?"
	}
	return "≥ " + formatNumber(high) + "?"
}

// asksAbove reports whether a window is a null window, and whether it asks for what is above
// its low end rather than for its high end: the number that is written shorter.
func asksAbove(low, high float64) (above, null bool) {
	a, b := strconv.FormatFloat(low, 'g', -1, 64), strconv.FormatFloat(high, 'g', -1, 64)
	return len(a) <= len(b), high == justAbove(low)
}

// formatNumber writes a number shortly.
func formatNumber(v float64) string {
	switch {
	case math.IsInf(v, -1):
		return "−∞"
	case math.IsInf(v, 1):
		return "∞"
	}
	return strings.Replace(strconv.FormatFloat(v+0, 'g', 5, 64), "-", "−", 1)
}

// levelHeights returns the greatest height of the boxes at each level.
func (d *drawnNode) levelHeights(level int, highest []float64) []float64 {
	if level == len(highest) {
		highest = append(highest, 0)
	}
	highest[level] = max(highest[level], d.high)
	for _, c := range d.below {
		highest = c.levelHeights(level+1, highest)
	}
	return highest
}

// layOut puts the box and what is below it into the space that starts at left
// and top.
func (d *drawnNode) layOut(left, top float64, levels []float64) {
	d.x, d.y = left+d.span/2, top
	var below float64
	for _, c := range d.below {
		below += c.span
	}
	below += drawAside * float64(max(0, len(d.below)-1))
	left += (d.span - below) / 2
	for _, c := range d.below {
		c.layOut(left, top+levels[0]+drawGap, levels[1:])
		left += c.span + drawAside
	}
}

// writeSVG writes the edges below the box, the box, and what is below it.
func (d *drawnNode) writeSVG(w io.Writer) {
	for _, c := range d.below {
		class := ""
		if c.node.Kind == CutOff {
			class = "cut"
		}
		fromY := d.y + d.high
		fmt.Fprintf(w, `<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, d.x, fromY, c.x, c.y)
		if class != "" {
			fmt.Fprintf(w, `<line class="bar" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, c.x-6, c.y-9, c.x+6, c.y-5)
		}
		move := c.node.Move
		if c.node.Odds != 0 {
			move += " p=" + formatNumber(c.node.Odds)
		}
		fmt.Fprintf(w, `<text class="move" x="%.1f" y="%.1f">%s</text>`+"\n", c.x, c.y-12, html.EscapeString(move))
	}
	n := d.node
	class := n.role()
	switch n.Kind {
	case AtLeaf:
		class = "leaf"
	case CutOff:
		class = "cut"
	}
	fmt.Fprintf(w, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, class, d.x-d.wide/2, d.y, d.wide,
		d.high)
	for i, l := range d.lines {
		fmt.Fprintf(w, `<text class="%s" x="%.1f" y="%.1f">%s</text>`, l.class, d.x, d.y+drawLine*float64(i+1),
			html.EscapeString(l.text))
	}
	fmt.Fprintln(w)
	for _, c := range d.below {
		c.writeSVG(w)
	}
}

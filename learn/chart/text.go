package chart

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
)

// Text plots have so many rows, and columns no fewer and no more than these.
const (
	textRows    = 16
	textNarrow  = 24
	textWide    = 100
	textNumbers = 8 // columns of the numbers beside the values' axis
)

// WriteText draws the means of the curve in letters, a line's letter where it runs, at most so many columns wide,
// but never fewer than textNarrow; where lines meet, the first one's letter stands. The lines' names follow, each
// with its value at the end.
func (c *Curve) WriteText(out io.Writer, columns int) error {
	w := bufio.NewWriter(out)
	f := c.plotAxes()
	width := min(max(columns, textNarrow), textWide) - textNumbers - 2
	rows := make([][]byte, textRows)
	for i := range rows {
		rows[i] = []byte(strings.Repeat(" ", width))
	}
	// The last line is drawn first, so that the letters of those before it cover its own.
	for k := len(c.Lines) - 1; k >= 0; k-- {
		// Each column stands for a number of games, from 0 at the left to all at the right.
		before := -1 // the row of the column before
		for x := range width {
			value, ok := c.meanAt(k, f.games*float64(x)/float64(width-1))
			if !ok {
				continue
			}
			y := int(math.Round((f.high - value) / (f.high - f.low) * (textRows - 1)))
			rows[y][x] = lineLetter(k)
			for ; before >= 0 && before != y; before += cmp.Compare(y, before) { // steep lines have no gaps
				rows[before][x] = lineLetter(k)
			}
			before = y
		}
	}
	if c.Title != "" {
		fmt.Fprintln(w, c.Title)
	}
	for y, row := range rows {
		mark := ""
		if y%5 == 0 {
			mark = fmt.Sprintf("%.4g", f.high-(f.high-f.low)*float64(y)/(textRows-1))
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%*s |%s", textNumbers, mark, row), " "))
	}
	fmt.Fprintf(w, "%*s +%s\n", textNumbers, "", strings.Repeat("-", width))
	last := number(f.games) + " games"
	fmt.Fprintf(w, "%*s 0%*s\n", textNumbers, "", width, last)
	for k, s := range c.Lines {
		if end := len(s.Mean); end > 0 {
			fmt.Fprintf(w, "  %c  %s: %.4g\n", lineLetter(k), s.label(), s.Mean[end-1])
		}
	}
	if len(c.Lines) > 1 {
		fmt.Fprintln(w, "  where lines meet, the first one's letter stands")
	}
	return w.Flush()
}

// lineLetter is what the k-th line is drawn with, from 0; they repeat after 52.
func lineLetter(k int) byte {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	return letters[k%len(letters)]
}

// meanAt is the mean of the k-th line after so many games, on the straight line between the points beside it; ok is
// false outside of its points, before the first one and after the last one.
func (c *Curve) meanAt(k int, games float64) (value float64, ok bool) {
	mean := c.Lines[k].Mean
	for i := range mean {
		to := float64(c.Games[i])
		switch {
		case to < games:
		case i == 0:
			return mean[0], to == games
		default:
			from := float64(c.Games[i-1])
			return mean[i-1] + (mean[i]-mean[i-1])*(games-from)/(to-from), true
		}
	}
	return 0, false
}

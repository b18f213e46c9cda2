package typed

import (
	"fmt"
	"io"

	"oxo/arena"
)

// ExportSheet writes a game as other programs keep it: "sgf" for the readers of
// SGF, "psq" for Piskvork. Both know only grids that are played on from the
// empty board, one mark a move.
func (f records[P]) ExportSheet(w io.Writer, s *arena.Sheet, format string) error {
	info := f.b.Info()
	cols, rows, levels := info.Extent()
	g := arena.Grid{Cols: cols, Rows: rows}
	switch {
	case levels != 1 || len(info.Squares) != cols*rows:
		return fmt.Errorf("%s: the squares of %s are not one grid", format, f.b.Spec)
	case f.b.Odds != nil:
		return fmt.Errorf("%s: it can't tell what chance did in %s", format, f.b.Spec)
	}
	switch format {
	case "sgf":
		if f.b.IsFiveInARow() {
			g.Kind = 4 // SGF's number for it
		}
		return arena.WriteSGF(w, s, g)
	case "psq":
		return arena.WritePSQ(w, s, g)
	}
	return fmt.Errorf("format %q: there are sgf and psq", format)
}

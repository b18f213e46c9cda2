package jobs

import (
	"context"
	"fmt"

	"oxo/arena"
)

// Rows rates the players of a tournament under way or finished, as [arena.Fit]
// does it. It refuses standings that are not square.
func (d StandingsData) Rows(ctx context.Context) ([]arena.Row, error) {
	n := len(d.Names)
	if len(d.Cross) != n || len(d.Faults) != n {
		return nil, fmt.Errorf("a cross table of %d rows and faults of %d for %d players", len(d.Cross), len(d.Faults),
			n)
	}
	for i, row := range d.Cross {
		if len(row) != n {
			return nil, fmt.Errorf("a cross table with %d columns in row %d for %d players", len(row), i, n)
		}
	}
	s := arena.Standings{Names: d.Names, Games: d.Games, Total: d.Total, Cross: d.Cross, Faults: d.Faults}
	return s.Rows(ctx)
}

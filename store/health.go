package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Damage is something of the file that is not as it was written.
type Damage struct {
	Table string `json:"table"` // empty where it is the file itself
	Row   string `json:"row"`   // its key, or what is wrong with the file
}

func (d Damage) String() string { return strings.TrimSpace(d.Table + " " + d.Row) }

// mostDamage is how many damages of one kind are listed.
const mostDamage = 1000

// CheckIntegrity goes through all that the file holds: its structure, each row's checksum, and that no move is
// missing. It returns what is damaged, and [Store.CheckHealth] goes by that from then on. It reads the whole
// file, so the server does it once a day and on demand; writes go on meanwhile.
func (s *Store) CheckIntegrity(ctx context.Context) ([]Damage, error) {
	found := []Damage{}
	queries := []struct{ table, query string }{
		{"", fmt.Sprintf("PRAGMA integrity_check(%d)", mostDamage)},
		{"moves", `SELECT DISTINCT game || ' of a game that is missing' FROM moves WHERE game NOT IN (SELECT id FROM games)`},
		{"games", `SELECT id || ' has lost a move' FROM games WHERE (plies, plies - 1) IS NOT
			(SELECT count(*), coalesce(max(ply), -1) FROM moves WHERE game = id AND ply >= 0)`},
	}
	for _, l := range layouts {
		key := "quote(" + strings.Join(l.keyColumns(), ") || ' ' || quote(") + ")"
		queries = append(queries, struct{ table, query string }{l.name,
			fmt.Sprintf("SELECT %s FROM %s WHERE NOT %s LIMIT %d", key, l.name, l.intactCondition(), mostDamage)})
	}
	for _, q := range queries {
		err := s.forEachRow(ctx, s.db, func(row *sql.Rows) error {
			var text string
			err := row.Scan(&text)
			if err == nil && (q.table != "" || text != "ok") {
				found = append(found, Damage{q.table, text})
			}
			return err
		}, q.query)
		switch {
		case errors.Is(err, ErrDamaged):
			found = append(found, Damage{q.table, err.Error()})
		case err != nil:
			return nil, err
		}
	}
	s.health.Lock()
	defer s.health.Unlock()
	clear(s.rotten)
	for _, d := range found[:min(len(found), mostRotten)] {
		s.rotten[d.String()] = struct{}{}
	}
	return found, nil
}

// probeEvery is how often it is tried at most whether the file can be written.
const probeEvery = time.Second

// CheckHealth is an error where the file can't be read or written, and ErrDamaged where
// something in it was found to be.
func (s *Store) CheckHealth(ctx context.Context) error {
	if err := s.db.PingContext(ctx); err != nil {
		return err
	}
	s.health.Lock()
	rotten := len(s.rotten)
	s.health.Unlock()
	if rotten > 0 {
		return fmt.Errorf("%d things: %w", rotten, ErrDamaged)
	}
	s.probing.Lock() // not health, which the writer takes when it meets damage
	defer s.probing.Unlock()
	if time.Since(s.probed) >= probeEvery {
		s.unfit = s.exec(fmt.Sprintf("PRAGMA user_version = %d", version)) // writes a page as it is
		s.probed = time.Now()
	}
	return s.unfit
}

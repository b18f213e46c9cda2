package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// OrderStore keeps what an operator asks a running server to do, and who is banned.
type OrderStore struct{ *file }

// Order is something that the operator asks of the server, and what came of it.
type Order struct {
	Seq    int64  `json:"seq"`
	Made   int64  `json:"made"` // Unix time in milliseconds
	Verb   string `json:"verb"`
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Ended  int64  `json:"ended,omitempty"` // 0 until it is carried out
	Answer string `json:"answer,omitempty"`
	Failed bool   `json:"failed,omitempty"`
}

// AddOrder puts down an order for the server. Orders are numbered from 1 in the order in which they
// are given.
func (s *OrderStore) AddOrder(verb, kind, id string) (seq int64, err error) {
	err = s.runWrite(func(tx *sql.Tx) error {
		if err := tx.QueryRow("SELECT coalesce(max(seq), 0) + 1 FROM orders").Scan(&seq); err != nil {
			return err
		}
		_, err := tx.Exec(insert["orders"], seq, nowMillis(), verb, kind, id, nil, nil, nil)
		return err
	})
	return seq, err
}

// EndOrder notes what came of an order. An order is ended once: the error is ErrNotFound where it has
// been.
func (s *OrderStore) EndOrder(seq int64, answer string, failed bool) error {
	return s.updateIntactRow("orders", fmt.Sprintf("order %d", seq), "ended = ?2, answer = ?3, failed = ?4",
		" AND ended IS NULL", seq, nowMillis(), answer, failed)
}

// Orders returns at most so many orders, the latest first, or those that are still to
// be carried out, the oldest first.
func (s *OrderStore) Orders(ctx context.Context, pending bool, limit int) ([]Order, error) {
	which := "true ORDER BY seq DESC LIMIT ?"
	if pending {
		which = "ended IS NULL ORDER BY seq LIMIT ?"
	}
	list := []Order{}
	err := s.forEachRow(ctx, s.db, func(row *sql.Rows) error {
		var o Order
		var whole bool
		if err := row.Scan(&o.Seq, &o.Made, &o.Verb, &o.Kind, &o.ID, &o.Ended, &o.Answer, &o.Failed,
			&whole); err != nil || !whole {
			return s.noteDamage("an order")
		}
		list = append(list, o)
		return nil
	}, "SELECT seq, made, verb, kind, id, coalesce(ended, 0), coalesce(answer, ''), coalesce(failed, 0), "+
		intact["orders"]+" FROM orders WHERE "+which, limit)
	return list, err
}

// Ban has somebody turned away, or not any more. What was banned already has a new date.
func (s *OrderStore) Ban(kind, id string, banned bool) error {
	return s.runWrite(func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM bans WHERE kind = ? AND id = ? COLLATE NOCASE", kind, id)
		if err == nil && banned {
			_, err = tx.Exec(insert["bans"], kind, id, nowMillis())
		}
		return err
	})
}

// Bans returns who is turned away, kind and id.
func (s *OrderStore) Bans(ctx context.Context) (kindsAndIDs [][2]string, err error) {
	list, err := s.intactColumn(ctx, "bans", "kind || ' ' || id", "true")
	bans := make([][2]string, len(list))
	for i, text := range list {
		bans[i][0], bans[i][1], _ = strings.Cut(text, " ")
	}
	return bans, err
}

// shown are what an operator can list, with the columns and the rows of a table. A
// thing is told from others of its kind by the first column.
var shown = map[string]struct{ table, columns, which, order string }{
	"job": {"jobs", "id, owner, state, made, doc", "true", "made DESC"},
	"game": {"games", "id, state, made, plies, " + seatText("first", 0, "name") + ", " +
		seatText("first_from", 0, "from") + ", " +
		seatText("second", 1, "name") + ", " + seatText("second_from", 1, "from") + ", doc", "true", "made DESC"},
	"bot":     {"bots", "name AS id, made", "true", "made DESC"},
	"proof":   {"files", "name AS id, made, length(data) AS bytes, doc", "kind = 'proof'", "made DESC"},
	"file":    {"files", "name AS id, made, length(data) AS bytes, doc", "kind = 'game'", "made DESC"},
	"brain":   {"brains", "name AS id, made, length(data) AS bytes, doc", "true", "made DESC"},
	"visitor": {"jobs", "owner AS id, count(*) AS jobs, max(made) AS made", "true GROUP BY owner", "max(made) DESC"},
	"ban":     {"bans", "kind || ' ' || id AS id, made", "true", "made DESC"},
}

// seatText is a column with what a game's description says of a seat, and null where it says nothing.
func seatText(column string, seat int, field string) string {
	return fmt.Sprintf("CASE WHEN json_valid(doc) THEN nullif(json_extract(doc, '$.seats[%d].%s'), '') END AS %s",
		seat, field, column)
}

// ListableKinds are what can be listed.
func ListableKinds() []string { return slices.Sorted(maps.Keys(shown)) }

// errEnough ends a list that is as long as wished.
var errEnough = errors.New("enough")

// ListThings lists what there is of a kind, the latest first, or the one with an id where
// that is not empty; the names of bots are compared without case. Where the text is not empty, it is in one of the
// columns, in capitals or not; what is JSON is not looked into. What is JSON in the store is so in the answer.
func (s *OrderStore) ListThings(ctx context.Context, kind, onlyID, text string, limit int) ([]map[string]any, error) {
	k, ok := shown[kind]
	if !ok {
		return nil, fmt.Errorf("nothing here is a %q; a kind is one of %s", kind, strings.Join(ListableKinds(), ", "))
	}
	text = strings.ToLower(text)
	list := []map[string]any{}
	err := s.forEachRow(ctx, s.db, func(row *sql.Rows) error {
		names, values, err := scanAll(row)
		thing, has := map[string]any{}, text == ""
		for i, name := range names {
			if values[i] == nil {
				continue
			}
			thing[name] = values[i]
			switch value, ok := values[i].(string); {
			case ok && name == "doc" && json.Valid([]byte(value)):
				thing[name] = json.RawMessage(value)
			case ok && name != "doc":
				has = has || strings.Contains(strings.ToLower(value), text)
			}
		}
		if has {
			list = append(list, thing)
		}
		if err == nil && len(list) == limit {
			err = errEnough
		}
		return err
	}, "SELECT * FROM (SELECT "+k.columns+" FROM "+k.table+" WHERE "+k.which+" ORDER BY "+k.order+
		") WHERE ?1 = '' OR id = ?1 OR ?2 AND id = ?1 COLLATE NOCASE", onlyID, kind == "bot")
	if errors.Is(err, errEnough) {
		err = nil
	}
	return list, err
}

// Drop forgets a thing with all that belongs to it. The error is ErrNotFound where it is not there. A
// job's blobs and lines go with it, by the schema's foreign keys.
func (s *OrderStore) Drop(kind, id string) error {
	steps := map[string][]string{
		"game": {"DELETE FROM moves WHERE game = ?1", "DELETE FROM games WHERE id = ?1"},
		"job":  {"DELETE FROM jobs WHERE id = ?1"},
		"bot": {"DELETE FROM tokens WHERE bot = ?1 COLLATE NOCASE",
			"DELETE FROM bots WHERE name = ?1 COLLATE NOCASE"},
		"proof": {"DELETE FROM files WHERE kind = 'proof' AND name = ?1"},
		"file":  {"DELETE FROM files WHERE kind = 'game' AND name = ?1"},
		"brain": {"DELETE FROM brains WHERE name = ?1"},
	}[kind]
	if steps == nil {
		return errors.New("a " + kind + " can't be removed")
	}
	return s.runWrite(func(tx *sql.Tx) error {
		var n int64
		for _, step := range steps {
			r, err := tx.Exec(step, id)
			if err == nil {
				n, err = r.RowsAffected()
			}
			if err != nil {
				return s.translateSQLiteError(err, nil)
			}
		}
		if n == 0 {
			return fmt.Errorf("%s %q: %w", kind, id, ErrNotFound)
		}
		return nil
	})
}

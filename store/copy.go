package store

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// exportRow is a row of a table in an export. Blobs are base64 in an object.
type exportRow struct {
	Table string         `json:"table"`
	Row   map[string]any `json:"row"`
}

// blob is how an export writes bytes.
type blob struct {
	Base64 string `json:"base64"`
}

// Backup writes a copy of the file, whole as of one moment, while others read
// and write. The target must not exist.
func (s *Store) Backup(ctx context.Context, target string) error {
	_, err := s.db.ExecContext(ctx, "VACUUM INTO ?", target)
	return err
}

// Export writes everything as JSON, a row a line, as of one moment. It stops at a row
// that is damaged: `oxo admin check` names all of them.
func (s *Store) Export(ctx context.Context, w io.Writer) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing was written
	out := bufio.NewWriter(w)
	for _, l := range layouts {
		if err := s.exportTable(ctx, tx, out, l); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return out.Flush()
}

// exportTable writes the rows of a table. Each row's checksum is compared first, and the sum itself is
// left out: it is made anew on import.
func (s *Store) exportTable(ctx context.Context, tx *sql.Tx, w io.Writer, l tableLayout) error {
	e := json.NewEncoder(w)
	return s.forEachRow(ctx, tx, func(row *sql.Rows) error {
		var whole bool
		columns, values, err := scanAll(row, &whole)
		if err != nil {
			return err
		}
		if !whole {
			return s.noteDamage(fmt.Sprintf("the row with %s %v", columns[0], values[0]))
		}
		fields := map[string]any{}
		for i, name := range columns {
			fields[name] = values[i]
			if b, ok := values[i].([]byte); ok {
				fields[name] = blob{base64.StdEncoding.EncodeToString(b)}
			}
		}
		return e.Encode(exportRow{l.name, fields})
	}, "SELECT "+l.columns+", "+l.intactCondition()+" FROM "+l.name)
}

// Import reads what Export wrote, all or nothing. A row that is there already is left as it is; imported
// counts the new ones. The number of plies that a game has counted is set right at the end, as its
// moves come after it.
func (s *Store) Import(r io.Reader) (imported int, err error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	err = s.runWrite(func(tx *sql.Tx) error {
		for number := 1; ; number++ {
			var l exportRow
			switch err := d.Decode(&l); {
			case err == io.EOF:
				_, err := tx.Exec("UPDATE games SET plies = max(plies, (SELECT count(*) FROM moves WHERE game = id))")
				return err
			case err != nil:
				return fmt.Errorf("line %d: %w", number, err)
			}
			added, err := importRow(tx, l)
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			imported += added
		}
	})
	if err != nil {
		return 0, err
	}
	return imported, nil
}

// importRow adds a row, and returns how many were added: 0 where it is there. A column that the row
// does not name is null. Columns that this version does not know are refused.
func importRow(tx *sql.Tx, l exportRow) (added int, err error) {
	t, ok := tableNamed(l.Table)
	if !ok {
		names := make([]string, len(layouts))
		for i, t := range layouts {
			names[i] = t.name
		}
		return 0, fmt.Errorf("no table %q; there are %s", l.Table, strings.Join(names, ", "))
	}
	columns := strings.Split(t.columns, ", ")
	values := make([]any, len(columns))
	for name, v := range l.Row {
		i := slices.Index(columns, name)
		if i < 0 {
			return 0, fmt.Errorf("table %s has no column %q", l.Table, name)
		}
		var err error
		if values[i], err = importedColumnValue(v); err != nil {
			return 0, fmt.Errorf("column %s: %w", name, err)
		}
	}
	result, err := tx.Exec(t.insertStatement()+" ON CONFLICT DO NOTHING", values...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// importedColumnValue turns a value of an export into what the database takes.
func importedColumnValue(v any) (any, error) {
	switch v := v.(type) {
	case nil, string:
		return v, nil
	case json.Number:
		return v.Int64()
	case map[string]any:
		text, _ := v["base64"].(string)
		return base64.StdEncoding.DecodeString(text)
	}
	return nil, fmt.Errorf("a text, a whole number, null or a blob is needed, not %T", v)
}

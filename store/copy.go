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

// tables are all tables, each after those that it refers to.
var tables = []string{"games", "moves", "bots", "tokens", "jobs", "job_blobs", "job_lines", "brains", "files"}

// line is a row of a table in an export. Blobs are base64 in an object.
type line struct {
	Table string         `json:"table"`
	Row   map[string]any `json:"row"`
}

type blob struct {
	Base64 string `json:"base64"`
}

// Backup writes a copy of the file, whole as of one moment, while others read
// and write. The target must not exist.
func (s *Store) Backup(ctx context.Context, target string) error {
	_, err := s.db.ExecContext(ctx, "VACUUM INTO ?", target)
	return err
}

// Export writes everything as JSON, a row a line, as of one moment.
func (s *Store) Export(ctx context.Context, w io.Writer) error {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing was written
	out := bufio.NewWriter(w)
	for _, table := range tables {
		if err := exportTable(ctx, tx, out, table); err != nil {
			return fmt.Errorf("export %s: %w", table, err)
		}
	}
	return out.Flush()
}

func exportTable(ctx context.Context, tx *sql.Tx, w io.Writer, table string) error {
	rows, err := tx.QueryContext(ctx, "SELECT * FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	values, places := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		places[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		row := map[string]any{}
		for i, name := range columns {
			row[name] = values[i]
			if b, ok := values[i].([]byte); ok {
				row[name] = blob{base64.StdEncoding.EncodeToString(b)}
			}
		}
		if err := e.Encode(line{table, row}); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Import reads what Export wrote, all or nothing. A row that is there already
// is left as it is; n counts the new ones.
func (s *Store) Import(r io.Reader) (n int, err error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	err = s.do(func(tx *sql.Tx) error {
		for number := 1; ; number++ {
			var l line
			switch err := d.Decode(&l); {
			case err == io.EOF:
				return nil
			case err != nil:
				return fmt.Errorf("line %d: %w", number, err)
			}
			added, err := importRow(tx, l)
			if err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			n += added
		}
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

func importRow(tx *sql.Tx, l line) (int, error) {
	if !slices.Contains(tables, l.Table) {
		return 0, fmt.Errorf("no table %q; there are %s", l.Table, strings.Join(tables, ", "))
	}
	known, err := columnsOf(tx, l.Table)
	if err != nil {
		return 0, err
	}
	var names, marks []string
	var values []any
	for name, v := range l.Row {
		if !slices.Contains(known, name) {
			return 0, fmt.Errorf("table %s has no column %q", l.Table, name)
		}
		if v, err = columnValue(v); err != nil {
			return 0, fmt.Errorf("column %s: %w", name, err)
		}
		names, marks, values = append(names, name), append(marks, "?"), append(values, v)
	}
	result, err := tx.Exec("INSERT INTO "+l.Table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(marks, ", ")+") ON CONFLICT DO NOTHING", values...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// columnValue turns a value of an export into what the database takes.
func columnValue(v any) (any, error) {
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

func columnsOf(tx *sql.Tx, table string) ([]string, error) {
	rows, err := tx.Query("SELECT * FROM " + table + " LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rows.Columns()
}

package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"oxo/strictjson"
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

// exportEnd is the last line of an export: how many rows come before it, and the SHA-256 of their lines.
type exportEnd struct {
	Rows   int    `json:"rows"`
	SHA256 string `json:"sha256"`
}

// tally counts lines and sums their bytes up.
type tally struct {
	rows int
	sum  hash.Hash
}

func newTally() *tally { return &tally{sum: sha256.New()} }

// Write adds lines, or parts of them.
func (y *tally) Write(p []byte) (int, error) {
	y.rows += bytes.Count(p, []byte("\n"))
	return y.sum.Write(p)
}

// end is the last line after those that were added.
func (y *tally) end() exportEnd { return exportEnd{y.rows, hex.EncodeToString(y.sum.Sum(nil))} }

// Export writes everything as JSON, a row a line, as of one moment, and a last line by which it is known to be whole,
// and returns how many rows there are. It stops at a row that is damaged: `oxo admin check` names all of them.
func (s *Store) Export(ctx context.Context, w io.Writer) (rows int, err error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() // nothing was written
	out, lines := bufio.NewWriter(w), newTally()
	for _, l := range layouts {
		if err := s.exportTable(ctx, tx, io.MultiWriter(out, lines), l); err != nil {
			return 0, fmt.Errorf("%s: %w", l.name, err)
		}
	}
	if err := json.NewEncoder(out).Encode(map[string]any{"end": lines.end()}); err != nil {
		return 0, err
	}
	return lines.rows, out.Flush()
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

// ErrNoEnd says that an export lacks its last line.
var ErrNoEnd = errors.New("it has no end line: it was cut short, or an older oxo has written it")

// Import reads what Export wrote, all or nothing. A row that is there already is left as it is; imported
// counts the new ones. What is not as it was written is refused by the last line, or with ErrNoEnd for want of it,
// unless it may be without. The number of plies that a game has counted is set right at the end, as its
// moves come after it.
func (s *Store) Import(r io.Reader, mayLackEnd bool) (imported int, err error) {
	in, lines := bufio.NewReader(r), newTally()
	err = s.runWrite(func(tx *sql.Tx) error {
		for ended := false; ; {
			text, err := in.ReadBytes('\n')
			switch {
			case err == io.EOF && len(text) == 0 && (ended || mayLackEnd):
				_, err := tx.Exec("UPDATE games SET plies = max(plies, (SELECT count(*) FROM moves WHERE game = id))")
				return err
			case err == io.EOF && len(text) == 0:
				return ErrNoEnd
			case err != nil && err != io.EOF:
				return err
			}
			var added int
			if ended {
				err = errors.New("there is something after the end line")
			} else if added, ended, err = importLine(tx, text, lines); err == nil {
				lines.Write(text)
			}
			if err != nil {
				return fmt.Errorf("line %d: %w", lines.rows+1, err)
			}
			imported += added
		}
	})
	if err != nil {
		return 0, err
	}
	return imported, nil
}

// importLine adds the row of a line, or compares what came before with the last line.
func importLine(tx *sql.Tx, text []byte, before *tally) (added int, ended bool, err error) {
	if err := strictjson.CheckNames(text, "table", "row", "end"); err != nil {
		return 0, false, err
	}
	var line struct {
		exportRow
		End *exportEnd `json:"end"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&line); err != nil {
		return 0, false, err
	}
	if _, err := d.Token(); err != io.EOF {
		return 0, false, errors.New("there is more than one row on it")
	}
	switch {
	case line.End == nil:
		added, err = importRow(tx, line.exportRow)
	case line.End.Rows != before.rows:
		err = fmt.Errorf("%d rows were written and %d are here", line.End.Rows, before.rows)
	case *line.End != before.end():
		err = errors.New("the rows are not as they were written: their checksum is another")
	}
	return added, line.End != nil, err
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
		text, ok := v["base64"].(string)
		if !ok || len(v) != 1 {
			return nil, errors.New("a blob is an object with base64 alone")
		}
		return base64.StdEncoding.DecodeString(text)
	}
	return nil, fmt.Errorf("a text, a whole number, null or a blob is needed, not %T", v)
}

package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// AddFile keeps a file of a kind under a name; doc is JSON that says what it
// is. A file of that kind and name that is there already stays as it is.
func (s *Store) AddFile(kind, name string, doc, data []byte) error {
	return s.do(func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO files (kind, name, made, doc, data) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", kind, name, now(), string(doc), data)
		return err
	})
}

// File returns what a file is and the file, or ErrNotFound.
func (s *Store) File(ctx context.Context, kind, name string) (doc, data []byte, err error) {
	var text string
	err = s.db.QueryRowContext(ctx, "SELECT doc, data FROM files WHERE kind = ? AND name = ?", kind, name).Scan(&text, &data)
	if errors.Is(err, sql.ErrNoRows) {
		err = fmt.Errorf("file %q: %w", name, ErrNotFound)
	}
	return []byte(text), data, err
}

// Files returns what the files of a kind are, the latest first.
func (s *Store) Files(ctx context.Context, kind string, limit int) (docs [][]byte, err error) {
	return s.texts(ctx, "SELECT doc FROM files WHERE kind = ? ORDER BY made DESC, rowid DESC LIMIT ?", kind, limit)
}

package store

import (
	"context"
	"fmt"
)

// FileStore keeps files that visitors gave: their descriptions and their bytes.
type FileStore struct{ *file }

// AddFileIfAbsent keeps a file of a kind under a name; doc is JSON that says what it
// is. A file of that kind and name that is there already stays as it is.
func (s *FileStore) AddFileIfAbsent(kind, name string, doc, data []byte) error {
	return s.exec(insert["files"]+" ON CONFLICT DO NOTHING", kind, name, nowMillis(), string(doc), data)
}

// AddOrReplaceFile is AddFileIfAbsent, but takes the place of a file of that kind and name. The new row has the time
// of now, so that it is listed as the latest.
func (s *FileStore) AddOrReplaceFile(kind, name string, doc, data []byte) error {
	return s.exec(insert["files"]+` ON CONFLICT DO UPDATE
		SET made = excluded.made, doc = excluded.doc, data = excluded.data, sum = excluded.sum`, kind, name, nowMillis(),
		string(doc), data)
}

// File returns what a file is and the file, or ErrNotFound.
func (s *FileStore) File(ctx context.Context, kind, name string) (doc, data []byte, err error) {
	return s.twoColumns(ctx, "files", fmt.Sprintf("file %q", name), "doc, data", "kind = ? AND name = ?", kind, name)
}

// Files returns what the files of a kind are, the latest first.
func (s *FileStore) Files(ctx context.Context, kind string, limit int) (docs [][]byte, err error) {
	return s.intactDocs(ctx, "files", "kind = ? ORDER BY made DESC, rowid DESC LIMIT ?", kind, limit)
}

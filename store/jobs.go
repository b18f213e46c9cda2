package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// AddJob adds a job. The store only keeps its owner, its state and doc, which
// is JSON; owner and state are what jobs can be listed by.
func (s *Store) AddJob(id, owner, state string, doc []byte) error {
	return s.exec(errors.New("the job was not added"), "INSERT INTO jobs (id, owner, state, made, doc) VALUES (?, ?, ?, ?, ?)", id, owner, state, now(), string(doc))
}

// SaveJob changes a job's state and description.
func (s *Store) SaveJob(id, state string, doc []byte) error {
	return s.exec(noJob(id), "UPDATE jobs SET state = ?, doc = ? WHERE id = ?", state, string(doc), id)
}

// DropJob forgets a job with all that it has put down and said.
func (s *Store) DropJob(id string) error {
	return s.exec(noJob(id), "DELETE FROM jobs WHERE id = ?", id)
}

func noJob(id string) error { return fmt.Errorf("job %q: %w", id, ErrNotFound) }

// Job returns a job's description, or ErrNotFound.
func (s *Store) Job(ctx context.Context, id string) (doc []byte, err error) {
	return s.bytes(ctx, noJob(id), "SELECT doc FROM jobs WHERE id = ?", id)
}

// Jobs returns the descriptions of an owner's jobs, the latest first.
func (s *Store) Jobs(ctx context.Context, owner string, limit int) (docs [][]byte, err error) {
	return s.texts(ctx, "SELECT doc FROM jobs WHERE owner = ? ORDER BY made DESC, rowid DESC LIMIT ?", owner, limit)
}

// JobsIn returns the descriptions of the jobs in a state, the oldest first.
func (s *Store) JobsIn(ctx context.Context, state string, limit int) (docs [][]byte, err error) {
	return s.texts(ctx, "SELECT doc FROM jobs WHERE state = ? ORDER BY made, rowid LIMIT ?", state, limit)
}

// PutBlob keeps what a job puts down under a name, in place of what it put
// there before.
func (s *Store) PutBlob(job, name string, data []byte) error {
	if data == nil {
		data = []byte{}
	}
	return s.exec(noJob(job), `INSERT INTO job_blobs (job, name, data) SELECT id, ?2, ?3 FROM jobs WHERE id = ?1
		ON CONFLICT DO UPDATE SET data = excluded.data`, job, name, data)
}

// Blob returns what a job has put down under a name, or ErrNotFound.
func (s *Store) Blob(ctx context.Context, job, name string) (data []byte, err error) {
	return s.bytes(ctx, fmt.Errorf("job %q: %q: %w", job, name, ErrNotFound), "SELECT data FROM job_blobs WHERE job = ? AND name = ?", job, name)
}

// Blobs returns the names of what a job has put down, in their order, and the
// sizes.
func (s *Store) Blobs(ctx context.Context, job string) (names []string, sizes []int, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT name, length(data) FROM job_blobs WHERE job = ? ORDER BY name", job)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var size int
		if err := rows.Scan(&name, &size); err != nil {
			return nil, nil, err
		}
		names, sizes = append(names, name), append(sizes, size)
	}
	return names, sizes, rows.Err()
}

// DropBlobs forgets what a job has put down under those names.
func (s *Store) DropBlobs(job string, names ...string) error {
	return s.do(func(tx *sql.Tx) error {
		for _, name := range names {
			if _, err := tx.Exec("DELETE FROM job_blobs WHERE job = ? AND name = ?", job, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// AddLine adds a line, JSON, to what a job has said; its number must be higher
// than those before.
func (s *Store) AddLine(job string, seq int, line []byte) error {
	return s.exec(fmt.Errorf("job %q: line %d is not the next", job, seq), `INSERT INTO job_lines (job, seq, line) SELECT id, ?2, ?3 FROM jobs
		WHERE id = ?1 AND ?2 > coalesce((SELECT max(seq) FROM job_lines WHERE job = ?1), 0)`, job, seq, string(line))
}

// Lines returns at most so many of a job's lines, those after a number.
func (s *Store) Lines(ctx context.Context, job string, after, limit int) (seqs []int, lines [][]byte, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT seq, line FROM job_lines WHERE job = ? AND seq > ? ORDER BY seq LIMIT ?", job, after, limit)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int
		var line string
		if err := rows.Scan(&seq, &line); err != nil {
			return nil, nil, err
		}
		seqs, lines = append(seqs, seq), append(lines, []byte(line))
	}
	return seqs, lines, rows.Err()
}

// LastLine returns the number of a job's last line, 0 where there is none.
func (s *Store) LastLine(ctx context.Context, job string) (seq int, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM job_lines WHERE job = ?", job).Scan(&seq)
	return seq, err
}

// AddBrain keeps a brain under a name; doc is JSON that says what it is. The
// error is ErrTaken where there is one of that name.
func (s *Store) AddBrain(name string, doc, data []byte) error {
	return s.exec(fmt.Errorf("brain %q: %w", name, ErrTaken), "INSERT INTO brains (name, made, doc, data) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", name, now(), string(doc), data)
}

// DropBrain forgets a brain.
func (s *Store) DropBrain(name string) error {
	return s.exec(noBrain(name), "DELETE FROM brains WHERE name = ?", name)
}

func noBrain(name string) error { return fmt.Errorf("brain %q: %w", name, ErrNotFound) }

// Brain returns what a brain is and the brain, or ErrNotFound.
func (s *Store) Brain(ctx context.Context, name string) (doc, data []byte, err error) {
	var text string
	err = s.db.QueryRowContext(ctx, "SELECT doc, data FROM brains WHERE name = ?", name).Scan(&text, &data)
	if errors.Is(err, sql.ErrNoRows) {
		err = noBrain(name)
	}
	return []byte(text), data, err
}

// Brains returns what the brains are, the latest first.
func (s *Store) Brains(ctx context.Context, limit int) (docs [][]byte, err error) {
	return s.texts(ctx, "SELECT doc FROM brains ORDER BY made DESC, rowid DESC LIMIT ?", limit)
}

// texts returns a query's only column as bytes.
func (s *Store) texts(ctx context.Context, query string, args ...any) ([][]byte, error) {
	list, err := s.column(ctx, query, args...)
	docs := make([][]byte, len(list))
	for i, text := range list {
		docs[i] = []byte(text)
	}
	return docs, err
}

// bytes returns a query's only value, or none where there is no row.
func (s *Store) bytes(ctx context.Context, none error, query string, args ...any) ([]byte, error) {
	var data []byte
	err := s.db.QueryRowContext(ctx, query, args...).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, none
	}
	return data, err
}

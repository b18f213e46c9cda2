package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// JobStore keeps jobs, what they have written, and what they said while they ran.
type JobStore struct{ *file }

// AddJob adds a job. The store only keeps its owner, its state and doc, which
// is JSON; owner and state are what jobs can be listed by.
func (s *JobStore) AddJob(id, owner, state string, doc []byte) error {
	return s.execOne(errors.New("the job was not added"), insert["jobs"], id, owner, state, nowMillis(), string(doc))
}

// SaveJob changes a job's state and description.
func (s *JobStore) SaveJob(id, state string, doc []byte) error {
	return s.updateIntactRow("jobs", jobLabel(id), "state = ?2, doc = ?3", "", id, state, string(doc))
}

// DropJob forgets a job with all that it has put down and said.
func (s *JobStore) DropJob(id string) error {
	return s.execOne(jobNotFound(id), "DELETE FROM jobs WHERE id = ?", id)
}

func jobLabel(id string) string { return fmt.Sprintf("job %q", id) }

func jobNotFound(id string) error { return fmt.Errorf("%s: %w", jobLabel(id), ErrNotFound) }

// Job returns a job's description, or ErrNotFound.
func (s *JobStore) Job(ctx context.Context, id string) (doc []byte, err error) {
	doc, _, err = s.twoColumns(ctx, "jobs", jobLabel(id), "doc, NULL", "id = ?", id)
	return doc, err
}

// Jobs returns the descriptions of an owner's jobs, the latest first.
func (s *JobStore) Jobs(ctx context.Context, owner string, limit int) (docs [][]byte, err error) {
	return s.intactDocs(ctx, "jobs", "owner = ? ORDER BY made DESC, rowid DESC LIMIT ?", owner, limit)
}

// JobsIn returns the descriptions of the jobs in a state, the oldest first.
func (s *JobStore) JobsIn(ctx context.Context, state string, limit int) (docs [][]byte, err error) {
	return s.intactDocs(ctx, "jobs", "state = ? ORDER BY made, rowid LIMIT ?", state, limit)
}

// PutBlob keeps what a job puts down under a name, in place of what it put there before. A job that
// was dropped meanwhile takes none: the error is ErrNotFound.
func (s *JobStore) PutBlob(job, name string, data []byte) error {
	if data == nil {
		data = []byte{}
	}
	return s.execOne(jobNotFound(job), insert["job_blobs"]+` AND EXISTS (SELECT 1 FROM jobs WHERE id = ?1)
		ON CONFLICT DO UPDATE SET data = excluded.data, sum = excluded.sum`, job, name, data)
}

// Blob returns what a job has put down under a name, or ErrNotFound.
func (s *JobStore) Blob(ctx context.Context, job, name string) (data []byte, err error) {
	data, _, err = s.twoColumns(ctx, "job_blobs", fmt.Sprintf("%s: %q", jobLabel(job), name), "data, NULL",
		"job = ? AND name = ?", job, name)
	return data, err
}

// Blobs returns the names of what a job has put down, in their order, and the
// sizes.
func (s *JobStore) Blobs(ctx context.Context, job string) (names []string, sizes []int, err error) {
	err = s.forEachRow(ctx, s.db, func(row *sql.Rows) error {
		var name string
		var size int
		err := row.Scan(&name, &size)
		names, sizes = append(names, name), append(sizes, size)
		return err
	}, "SELECT name, length(data) FROM job_blobs WHERE job = ? ORDER BY name", job)
	return names, sizes, err
}

// DropBlobs forgets what a job has put down under those names.
// All go in one transaction; that there is nothing under a name is no error.
func (s *JobStore) DropBlobs(job string, names ...string) error {
	return s.runWrite(func(tx *sql.Tx) error {
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
func (s *JobStore) AddLine(job string, seq int, line []byte) error {
	return s.execOne(fmt.Errorf("%s: line %d is not the next", jobLabel(job), seq), insert["job_lines"]+` AND EXISTS (SELECT 1 FROM jobs WHERE id = ?1)
		AND ?2 > coalesce((SELECT max(seq) FROM job_lines WHERE job = ?1), 0)`, job, seq, string(line))
}

// Lines returns at most so many of a job's lines, those after a number. They come in the order of
// their numbers, each with its own.
func (s *JobStore) Lines(ctx context.Context, job string, afterSeq, limit int) (seqs []int, lines [][]byte, err error) {
	err = s.forEachRow(ctx, s.db, func(row *sql.Rows) error {
		var seq int
		var line []byte
		var whole bool
		if err := row.Scan(&seq, &line, &whole); err != nil || !whole {
			return s.noteDamage(fmt.Sprintf("%s: a line", jobLabel(job)))
		}
		seqs, lines = append(seqs, seq), append(lines, line)
		return nil
	}, "SELECT seq, line, "+intact["job_lines"]+" FROM job_lines WHERE job = ? AND seq > ? ORDER BY seq LIMIT ?",
		job, afterSeq, limit)
	return seqs, lines, err
}

// LastLine returns the number of a job's last line, 0 where there is none.
func (s *JobStore) LastLine(ctx context.Context, job string) (seq int, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM job_lines WHERE job = ?", job).Scan(&seq)
	return seq, s.translateSQLiteError(err, nil)
}

package store

import (
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
)

func TestJobs(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for _, id := range []string{"a", "b", "c"} {
		must(t, s.AddJob(id, "me", "queued", []byte(`"`+id+`"`)))
	}
	must(t, s.AddJob("d", "you", "running", []byte(`"d"`)))
	if err := s.AddJob("a", "me", "queued", []byte("{}")); err == nil {
		t.Error("a job was added twice")
	}
	must(t, s.SaveJob("b", "running", []byte(`"B"`)))
	if err := s.SaveJob("x", "running", nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("saving no job: %v", err)
	}
	must(t, s.Close())
	s = open(t, dir)
	list := func(docs [][]byte, err error) string {
		must(t, err)
		text := ""
		for _, d := range docs {
			text += string(d)
		}
		return text
	}
	if got := list(s.Jobs(t.Context(), "me", 2)); got != `"c""B"` {
		t.Errorf("my two latest jobs: %s", got)
	}
	if got := list(s.JobsIn(t.Context(), "running", 9)); got != `"B""d"` {
		t.Errorf("jobs that run: %s", got)
	}
	if doc, err := s.Job(t.Context(), "b"); string(doc) != `"B"` || err != nil {
		t.Errorf("job b: %s, %v", doc, err)
	}
	must(t, s.DropJob("b"))
	if _, err := s.Job(t.Context(), "b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a job that was dropped: %v", err)
	}
	if err := s.DropJob("b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("dropped twice: %v", err)
	}
}

func TestBlobsAndLines(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.AddJob("j", "me", "running", []byte("{}")))
	must(t, s.PutBlob("j", "file/b", nil))
	must(t, s.PutBlob("j", "file/a", []byte("old")))
	must(t, s.PutBlob("j", "file/a", []byte("new one")))
	must(t, s.PutBlob("j", "mark", []byte("x")))
	if err := s.PutBlob("x", "file/a", nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("put down by no job: %v", err)
	}
	must(t, s.DropBlobs("j", "mark", "none"))
	names, sizes, err := s.Blobs(t.Context(), "j")
	must(t, err)
	if len(names) != 2 || names[0] != "file/a" || sizes[0] != 7 || sizes[1] != 0 {
		t.Errorf("blobs %v of sizes %v", names, sizes)
	}
	if data, err := s.Blob(t.Context(), "j", "file/a"); string(data) != "new one" || err != nil {
		t.Errorf("blob: %s, %v", data, err)
	}
	if _, err := s.Blob(t.Context(), "j", "mark"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a blob that was dropped: %v", err)
	}
	for seq, line := range []string{"p", "q", "r"} {
		must(t, s.AddLine("j", 2*seq+1, []byte(line)))
	}
	for _, seq := range []int{0, 4, 5} {
		if err := s.AddLine("j", seq, nil); err == nil {
			t.Errorf("line %d was taken after line 5", seq)
		}
	}
	if err := s.AddLine("x", 1, nil); err == nil {
		t.Error("no job said something")
	}
	seqs, lines, err := s.Lines(t.Context(), "j", 1, 1)
	if err != nil || len(seqs) != 1 || seqs[0] != 3 || string(lines[0]) != "q" {
		t.Errorf("the line after 1: %v %s %v", seqs, lines, err)
	}
	if last, err := s.LastLine(t.Context(), "j"); last != 5 || err != nil {
		t.Errorf("last line %d, %v", last, err)
	}
	must(t, s.DropJob("j"))
	if names, _, err := s.Blobs(t.Context(), "j"); len(names) > 0 || err != nil {
		t.Errorf("blobs of a job that was dropped: %v, %v", names, err)
	}
	if last, err := s.LastLine(t.Context(), "j"); last != 0 || err != nil {
		t.Errorf("last line of a job that was dropped: %d, %v", last, err)
	}
}

func TestBrains(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.AddBrain("clever", []byte(`1`), []byte("brain")))
	must(t, s.AddBrain("dull", []byte(`2`), []byte("brain too")))
	if err := s.AddBrain("dull", []byte(`3`), []byte("x")); !errors.Is(err, ErrTaken) {
		t.Errorf("a name twice: %v", err)
	}
	docs, err := s.Brains(t.Context(), 9)
	if err != nil || len(docs) != 2 || string(docs[0]) != "2" {
		t.Errorf("brains: %s, %v", docs, err)
	}
	if doc, data, err := s.Brain(t.Context(), "clever"); string(doc) != "1" || string(data) != "brain" || err != nil {
		t.Errorf("brain: %s %s %v", doc, data, err)
	}
	must(t, s.DropBrain("clever"))
	if _, _, err := s.Brain(t.Context(), "clever"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a brain that was dropped: %v", err)
	}
	if err := s.DropBrain("clever"); !errors.Is(err, ErrNotFound) {
		t.Errorf("dropped twice: %v", err)
	}
}

// TestMigrates opens a file of the first version: what it holds stays, and what
// came later is there.
func TestMigrates(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "oxo.db"))
	must(t, err)
	first, err := schema.ReadFile("schema/1.sql")
	must(t, err)
	_, err = db.ExecContext(t.Context(), string(first)+
		";PRAGMA user_version = 1; INSERT INTO games VALUES ('g', 'open', 1, '{}');")
	must(t, errors.Join(err, db.Close()))
	s := open(t, dir)
	if ids, err := s.Games(t.Context(), "open", 9); len(ids) != 1 || err != nil {
		t.Errorf("games of the older file: %v, %v", ids, err)
	}
	must(t, s.AddJob("j", "me", "queued", []byte("{}")))
}

package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"oxo/lab/jobs"
)

// names lists what is in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestFolderBegins: whatever a killed run has left of a folder, the next one begins;
// a folder with anything else in it is refused.
func TestFolderBegins(t *testing.T) {
	j, other := jobs.Job{Verb: "solve", Game: "ttt"}, jobs.Job{Verb: "solve", Game: "qubic"}
	for name, left := range map[string]func(path string) error{
		"nothing":          func(string) error { return nil },
		"an empty folder":  func(path string) error { return os.Mkdir(path, 0o755) },
		"half of an older": func(path string) error { return os.Mkdir(path, 0o755) }, // with what follows
	} {
		path := filepath.Join(t.TempDir(), "a.tiers")
		if err := left(path); err != nil {
			t.Fatal(err)
		}
		if name == "half of an older" {
			if err := os.WriteFile(filepath.Join(path, ".job.123"), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		f, err := openJobFolder(path, j)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := f.Save("outputs/1", []byte("one")); err != nil {
			t.Fatal(err)
		}
		if f, err = openJobFolder(path, j); err != nil {
			t.Errorf("%s, gone on with: %v", name, err)
		} else if data, err := f.Load("outputs/1"); err != nil || string(data) != "one" {
			t.Errorf("%s: loaded %q %v", name, data, err)
		}
		if _, err := openJobFolder(path, other); err == nil || !strings.Contains(err.Error(), "another job") {
			t.Errorf("%s: another job: %v", name, err)
		}
		if err := f.remove(); err != nil {
			t.Fatal(err)
		}
		if left := names(t, filepath.Dir(path)); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
	path := filepath.Join(t.TempDir(), "somebody's")
	if err := os.MkdirAll(filepath.Join(path, "work"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := openJobFolder(path, j); err == nil || !strings.Contains(err.Error(), "of no job") {
		t.Errorf("somebody's folder: %v", err)
	}
	if left := names(t, path); len(left) != 1 {
		t.Errorf("somebody's folder has %v", left)
	}
}

// TestFolderDamaged: a bit that flips in a file of a folder is an error that says so,
// and files that were written without a seal are read as they are.
func TestFolderDamaged(t *testing.T) {
	f, err := openJobFolder(filepath.Join(t.TempDir(), "a.tiers"), jobs.Job{Verb: "solve", Game: "ttt"})
	if err != nil {
		t.Fatal(err)
	}
	shelf := folderBlobs{f}
	want := bytes.Repeat([]byte{0, 1, '\n', 255}, 100)
	for _, put := range []struct {
		file string
		put  func() error
		get  func() ([]byte, error)
	}{
		{"output", func() error { return f.Save("output", want) }, func() ([]byte, error) { return f.Load("output") }},
		{"shelf/table", func() error { return shelf.Put("table", want) },
			func() ([]byte, error) { return shelf.Get("table", make([]byte, 7)) }},
		{"shelf/table", func() error { return shelf.Put("table", want) },
			func() ([]byte, error) { return shelf.Get("table", make([]byte, 7000)) }},
	} {
		if err := put.put(); err != nil {
			t.Fatal(err)
		}
		if got, err := put.get(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", put.file, len(got), err)
		}
		data, err := os.ReadFile(f.path(put.file))
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{0, 200, len(want), len(want) + 3, len(data) - 2} {
			data[at] ^= 4
			if err := os.WriteFile(f.path(put.file), data, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := put.get(); err == nil || !strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s with another byte %d: %v", put.file, at, err)
			}
			data[at] ^= 4
		}
		if err := os.WriteFile(f.path(put.file), want, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := put.get(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s without a seal: %d bytes, %v", put.file, len(got), err)
		}
	}
}

// TestSweep: what a killed run has left is removed by the next that writes into the
// folder; what is being written and what is new stays.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * partAge)
	for _, name := range []string{part + "killed", part + "writing", "kept"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, part+"folder", "in"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names(t, dir) {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, part+"new"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, part+"writing"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := lockFile(f); err != nil {
		t.Fatal(err)
	}
	if err := writeAtomically(filepath.Join(dir, "file"), nil); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(names(t, dir), " "); got != strings.Join([]string{part + "new", part + "writing", "file",
		"kept"}, " ") {
		t.Errorf("there are %s", got)
	}
}

// TestJobDifference says how a job differs from the one whose folder is there, in words of the command line.
func TestJobDifference(t *testing.T) {
	kept := []byte(`{"verb":"solve","game":"mnk:5,4,4","args":{"tiers":true,"memory":1073741824},"seed":0}`)
	for args, want := range map[string]string{
		`{"tiers":true,"memory":2147483648}`:           ", with memory 1GB instead of 2GB",
		`{"tiers":true}`:                               ", with memory 1GB instead of none",
		`{"tiers":true,"memory":1073741824,"limit":5}`: ", with limit none instead of 5",
	} {
		j := jobs.Job{Verb: "solve", Game: "mnk:5,4,4", Args: []byte(args)}
		if got := jobDifference(kept, j); got != want {
			t.Errorf("%s: %q, not %q", args, got, want)
		}
	}
	if got := jobDifference(kept, jobs.Job{Verb: "solve", Game: "ttt"}); got != ", solve mnk:5,4,4" {
		t.Errorf("another game: %q", got)
	}
	if got := jobDifference([]byte("something else"), jobs.Job{Verb: "solve"}); got != "" {
		t.Errorf("no job: %q", got)
	}
}

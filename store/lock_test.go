package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	release, err := Lock(dir)
	must(t, err)
	if _, err := Lock(dir); !errors.Is(err, ErrInUse) {
		t.Errorf("locked twice: %v", err)
	}
	other, err := Lock(t.TempDir())
	must(t, err)
	must(t, other())
	open(t, dir) // needs no lock
	must(t, release())
	release, err = Lock(dir)
	must(t, err)
	must(t, release())
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if _, err := Lock(file); err == nil {
		t.Error("a file is no folder")
	}
}

// TestTables has an export leave nothing out.
func TestTables(t *testing.T) {
	s := open(t, t.TempDir())
	names, err := s.column(t.Context(), "SELECT name FROM sqlite_master WHERE type = 'table'")
	must(t, err)
	for _, name := range names {
		listed := false
		for _, table := range tables {
			listed = listed || table == name
		}
		if !listed {
			t.Errorf("the table %s is not exported", name)
		}
	}
	if len(names) != len(tables) {
		t.Errorf("%v are exported of %v", tables, names)
	}
}

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	release, err := LockFolder(dir)
	must(t, err)
	if _, err := LockFolder(dir); !errors.Is(err, errInUse) {
		t.Errorf("locked twice: %v", err)
	}
	other, err := LockFolder(t.TempDir())
	must(t, err)
	must(t, other())
	open(t, dir) // needs no lock
	must(t, release())
	release, err = LockFolder(dir)
	must(t, err)
	must(t, release())
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if _, err := LockFolder(file); err == nil {
		t.Error("a file is no folder")
	}
	dir = t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "server.lock"), 0o700))
	if _, err := LockFolder(dir); err == nil || !strings.HasSuffix(err.Error(), "server.lock: is a directory") {
		t.Errorf("what can't be opened: %v", err)
	}
}

// TestTables has an export leave nothing out.
func TestTables(t *testing.T) {
	s := open(t, t.TempDir())
	rows, err := s.db.Query("SELECT m.name, group_concat(c.name, ', ') FROM sqlite_master m, " +
		"pragma_table_info(m.name) c WHERE m.type = 'table' GROUP BY m.name")
	must(t, err)
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var name, columns string
		must(t, rows.Scan(&name, &columns))
		l, ok := tableNamed(name)
		if columns = strings.TrimSuffix(strings.Replace(columns, ", plies", "", 1), ", sum"); !ok ||
			l.columns != columns {
			t.Errorf("of the table %s the columns %q are summed and exported, of %q", name, l.columns, columns)
		}
	}
	if must(t, rows.Err()); n != len(layouts) {
		t.Errorf("%d tables are exported of %d", len(layouts), n)
	}
}

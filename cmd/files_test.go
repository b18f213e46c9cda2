package cmd

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDevice has devices written to and not replaced.
func TestDevice(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return // there is no such device
	}
	if _, direct, err := resolveTarget("/dev/null"); err != nil || !direct {
		t.Fatalf("/dev/null: direct %v, %v", direct, err)
	}
	if err := writeAtomically("/dev/null", []byte("something")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode()&os.ModeDevice == 0 {
		t.Fatalf("/dev/null is no device any more: %v, %v", info, err)
	}
	if err := checkWritable("/dev/null"); err != nil {
		t.Error(err)
	}
}

// TestWriteWhole leaves a file as it was where writing fails, and nothing beside it.
func TestWriteWhole(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"one", "two"} {
		if err := writeAtomically(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
	err := writeAtomicallyWith(path, func(f *os.File) error { f.WriteString("half"); return errNo })
	if !errors.Is(err, errNo) {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "two" {
		t.Errorf("%q, %v; want what was there before", got, err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

// TestKept keeps work behind a link, whole or not at all, and removes it.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "file"), link); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	for _, path := range []string{filepath.Join(dir, "file"), link} {
		work := keptFile(path)
		never := func(io.Reader) error { return errNo }
		if err := work.Read(never); err != nil {
			t.Errorf("what is not there is read: %v", err)
		}
		if err := keptFile(filepath.Join(dir, "file")).Write(func(w io.Writer) error {
			return writeAll(w,
				"one")
		}); err != nil {
			t.Fatal(err)
		}
		half := func(w io.Writer) error { return errors.Join(writeAll(w, "half"), errNo) }
		if err := work.Write(half); !errors.Is(err, errNo) {
			t.Error(err)
		}
		if err := work.Read(func(r io.Reader) error {
			if got, err := io.ReadAll(r); err != nil || string(got) != "one" {
				t.Errorf("%s keeps %q, %v", path, got, err)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if err := work.Read(never); !errors.Is(err, errNo) || !strings.Contains(err.Error(), path) {
			t.Errorf("an error that does not name the file: %v", err)
		}
		for range 2 {
			if err := work.Remove(); err != nil {
				t.Error(err)
			}
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
}

// TestKeptDamaged has work refused of which any bit was turned over, and reads what earlier
// versions kept, without a seal.
func TestKeptDamaged(t *testing.T) {
	work := keptFile(filepath.Join(t.TempDir(), "work"))
	content := "the state of unfinished work"
	if err := work.Write(func(w io.Writer) error { return writeAll(w, content) }); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(string(work))
	if err != nil {
		t.Fatal(err)
	}
	read := func(data []byte) (got string, err error) {
		if err := os.WriteFile(string(work), data, 0o644); err != nil {
			t.Fatal(err)
		}
		err = work.Read(func(r io.Reader) error {
			data, err := io.ReadAll(r)
			got = string(data)
			return err
		})
		return got, err
	}
	if got, err := read(whole); got != content || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := read([]byte(content)); got != content || err != nil {
		t.Errorf("without a seal %q, %v", got, err)
	}
	for bit := range 8 * len(whole) {
		damaged := bytes.Clone(whole)
		damaged[bit/8] ^= 1 << (bit % 8)
		if got, err := read(damaged); err == nil || !strings.Contains(err.Error(), string(work)+" is damaged") {
			t.Errorf("bit %d turned over: %q, %v", bit, got, err)
		}
	}
	longer := append(bytes.Clone(whole), "\nmore"...)
	for _, damaged := range [][]byte{whole[:len(whole)-1], whole[:len(whole)-20], longer} {
		if got, err := read(damaged); err == nil || !strings.Contains(err.Error(), string(work)+" is damaged") {
			t.Errorf("cut or with something after it: %q, %v", got, err)
		}
	}
}

func writeAll(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}

// TestJournalInUse has a journal refused that another run is writing.
func TestJournalInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := lockFile(f); err != nil {
		t.Fatal(err)
	}
	play := func() (int, string) {
		var out, errs bytes.Buffer
		status := runCommandLine(t.Context(), []string{"match", "perfect", "random", "--games", "2", "--journal", path},
			strings.NewReader(""), &out, &errs)
		return status, errs.String()
	}
	other, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if lockFile(other) == nil {
		if runtime.GOOS == "linux" || runtime.GOOS == "darwin" {
			t.Error("the journal is locked twice")
		}
		return // this system has no such locks
	}
	if status, said := play(); status != exitRefuse ||
		!strings.Contains(said, "another match or tournament is writing it") {
		t.Errorf("status %d, %q", status, said)
	}
	f.Close()
	if status, said := play(); status != exitDone {
		t.Errorf("status %d, %q", status, said)
	}
}

// TestSameTarget: a file is the same by every path to it, whether it is there or not.
func TestSameTarget(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("there", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, link := range [][2]string{{dir, "folder"}, {"there", "link"}} {
		if err := os.Symlink(link[0], link[1]); err != nil {
			t.Skipf("links are for administrators on this system: %v", err)
		}
	}
	for _, c := range []struct {
		one, other string
		same       bool
	}{
		{"new", "./new", true}, {"new", filepath.Join(dir, "new"), true}, {"new", "folder/new", true},
		{"there", "link", true}, {"there", "folder/link", true}, {"new", "newer", false}, {"new", "there", false},
		{"", "", false}, {"new", "", false},
	} {
		if isSameFile(c.one, c.other) != c.same {
			t.Errorf("%q and %q: %v", c.one, c.other, !c.same)
		}
	}
}

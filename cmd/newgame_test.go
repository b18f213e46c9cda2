package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewGame: what is written is a program that builds, with a game that passes
// the conformance kit.
func TestNewGame(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	oxo := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := runCommandLine(t.Context(), args, strings.NewReader(""), &out, &out)
		return code, out.String()
	}
	for name, want := range map[string]string{"": "a name is", "../x": "a name is", "Hop": "a name is",
		"range": "a name is", "main": "a name is", "ttt": "already"} {
		if code, said := oxo("new", "game", name); code != exitRefuse || !strings.Contains(said, want) {
			t.Errorf("%q: %d, %s", name, code, said)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Fatalf("refused, it left %v, %v", left, err)
	}
	if code, said := oxo("new", "game", "hop", "--oxo", root); code != exitDone ||
		!strings.Contains(said, filepath.Join("hop", "hop", "testdata", "hop.perft")) {
		t.Fatalf("%d, %s", code, said)
	}
	if code, said := oxo("new", "game", "hop"); code != exitRefuse || !strings.Contains(said, "there already") {
		t.Errorf("written over: %d, %s", code, said)
	}
	// A workspace takes the versions that oxo takes, so that nothing is downloaded.
	work := "go 1.26.0\n\nuse (\n\t./hop\n\t" + root + "\n)\n"
	if err := os.WriteFile("go.work", []byte(work), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"vet", "./..."}, {"test", "./hop"}} {
		c := exec.Command("go", args...)
		c.Dir = "hop"
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go %v: %v\n%s", args, err, out)
		}
	}
}

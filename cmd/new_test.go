package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNew: what is written is a program that builds, with a game that passes the conformance kit,
// a player or a learner that pass their tests.
func TestNew(t *testing.T) {
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
		"range": "keyword", "func": "keyword", "main": "is a program", "init": "imports no package",
		"cmd": "main.go imports", "lab": "main.go imports", "kind": "kind.go is", "vendor": "copies of other modules",
		"testdata": "leaves a folder", "ttt": "already"} {
		if code, said := oxo("new", "game", name); code != exitRefuse || !strings.Contains(said, want) {
			t.Errorf("%q: %d, %s", name, code, said)
		}
	}
	for folder, want := range map[string]string{"none": "no Go module", "nope": `the module "nope", not oxo`,
		"oxo": "has no package lab"} {
		if err := os.MkdirAll(filepath.Join("src", folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if folder != "none" {
			path := filepath.Join("src", folder, "go.mod")
			if err := os.WriteFile(path, []byte("// one\n\nmodule "+folder+" // of ours\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if code, said := oxo("new", "game", "hop", "--oxo", "src/"+folder); code != exitRefuse ||
			!strings.Contains(said, want) {
			t.Errorf("with the source in %s: %d, %s", folder, code, said)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) != 1 {
		t.Fatalf("refused, it left %v, %v", left, err)
	}
	if code, said := oxo("new", "game", "hop", "--oxo", root); code != exitDone ||
		!strings.Contains(said, filepath.Join("hop", "hop", "testdata", "hop.perft")) {
		t.Fatalf("%d, %s", code, said)
	}
	checkSourceFromHere(t, oxo, root)
	if code, said := oxo("new", "game", "hop"); code != exitRefuse || !strings.Contains(said, "there already") {
		t.Errorf("written over: %d, %s", code, said)
	}
	uses, others := "\t./hop\n", []string{"vet", "./..."}
	for what, taken := range map[string]string{"player": "menace", "learner": "heuristic"} {
		code, said := oxo("new", what, taken, "--oxo", root)
		if code != exitRefuse || !strings.Contains(said, "is taken by") {
			t.Errorf("%s %s: %d, %s", what, taken, code, said)
		}
		if code, said := oxo("new", what, what+"1", "--oxo", root); code != exitDone {
			t.Errorf("%s: %d, %s", what, code, said)
		}
		uses += "\t./" + what + "1\n"
	}
	// Names that the skeleton's files import build too.
	for _, name := range []string{"oxo", "message", "fmt", "string"} {
		if code, said := oxo("new", "game", name, "--oxo", root); code != exitDone {
			t.Fatalf("%s: %d, %s", name, code, said)
		}
		uses += "\t./" + name + "\n"
		others = append(others, "../"+name+"/...")
	}
	// A workspace takes the versions that oxo takes, so that nothing is downloaded.
	if err := os.WriteFile("go.work", []byte("go 1.26.0\n\nuse (\n"+uses+"\t"+root+"\n)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{others, {"test", "./hop", "../player1/player1", "../learner1/learner1"}} {
		c := exec.Command("go", args...)
		c.Dir = "hop"
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("go %v: %v\n%s", args, err, out)
		}
	}
}

// checkSourceFromHere checks that --oxo is a path as seen from the current folder, and that go.mod names the same
// folder as seen from the new one.
func checkSourceFromHere(t *testing.T, oxo func(args ...string) (int, string), root string) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Rel(here, root)
	if err != nil {
		t.Skipf("no path leads from the temporary folder to the source, which lies on another disk: %v", err)
	}
	if code, said := oxo("new", "game", "near", "--oxo", source); code != exitDone {
		t.Fatalf("--oxo %s: %d, %s", source, code, said)
	}
	text, err := os.ReadFile(filepath.Join("near", "go.mod"))
	want := "replace oxo => ../" + filepath.ToSlash(source) + "\n"
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}

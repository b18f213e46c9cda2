// Package nets_test has programs of other people's, in Python, learn and be graded.
package nets_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"oxo/lab"
	"oxo/learn/exam"
)

// grade examines a player of 3×3.
func grade(t *testing.T, player string) *exam.Exam {
	t.Helper()
	l := lab.Lab{ReadFile: os.ReadFile, Commands: true}
	g, err := l.Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	e, err := g.Learning().ExamPlayer(t.Context(), player)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// python finds a Python that has what is imported, or skips.
func python(t *testing.T, imports, debian string) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import "+imports).Run() == nil {
			return name
		}
	}
	t.Skipf("there is no Python with %s here; on Debian: apt-get install %s", imports, debian)
	return ""
}

// TestPolicy grades the program that answers with weights of moves: they are the same in
// every position, so its first move is drawn as they say.
func TestPolicy(t *testing.T) {
	e := grade(t, "engine:policy:"+python(t, "sys", "python3")+" policy.py")
	if s := e.AsFirst.VsRandom; s.Win < .65 || s.Win > .75 || e.AsFirst.Exploitability < .5 {
		t.Errorf("as First %+v", e.AsFirst)
	}
}

// TestLearn grades a net after few games: better than chance is enough here.
func TestLearn(t *testing.T) {
	name, file := python(t, "numpy", "python3-numpy"), filepath.Join(t.TempDir(), "own.net")
	if out, err := exec.Command(name, "learn.py", file, "1", "1000").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	e := grade(t, "dense:"+file)
	if random := grade(t, "random"); e.AsFirst.VsRandom.Win < random.AsFirst.VsRandom.Win+.1 {
		t.Errorf("%v wins as First, random %v", e.AsFirst.VsRandom.Win, random.AsFirst.VsRandom.Win)
	}
}

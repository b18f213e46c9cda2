package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestSeedsSequential runs the commands of docs/seeds.md one after the other, as people would, and
// asks whether the studio has its pages. Commands that wait for a person or a program are
// left out.
func TestSeedsSequential(t *testing.T) {
	table, err := os.ReadFile("../docs/seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	studio, err := os.ReadFile("../web/studio/src/app.tsx")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	commands := 0
	for line := range strings.SplitSeq(string(table), "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || cells[0] == "| item" || strings.HasPrefix(cells[0], "| ---") {
			continue
		}
		if !slices.Contains([]string{"W", "P", "–"}, cells[1]) {
			t.Errorf("%s: it is neither W, P nor –", line)
		}
		for _, m := range regexp.MustCompile("`(oxo [^`]*)`").FindAllStringSubmatch(cells[2], -1) {
			if command := m[1]; command != "oxo play" && !strings.Contains(command, "human") &&
				!strings.Contains(command, "--listen") && command != "oxo reproduce" {
				script.WriteString("exec " + command + "\n")
				commands++
			}
		}
		for _, m := range regexp.MustCompile("page `([a-z]+)`").FindAllStringSubmatch(cells[2], -1) {
			if !strings.Contains(string(studio), `path: "`+m[1]+`"`) {
				t.Errorf("%s: the studio has no page %s", line, m[1])
			}
		}
	}
	if commands < 40 {
		t.Errorf("only %d commands are found", commands)
	}
	file := filepath.Join(t.TempDir(), "seeds.txtar")
	if err := os.WriteFile(file, []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Files: []string{file}})
}

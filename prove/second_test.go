package prove_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"oxo/prove"
)

// table returns the rows of the table in docs/data/proofs.md: the game, its options and its
// value.
func table(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile("../docs/data/proofs.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^` ]+)( --[^`]+)?` \\| (first|second|draw) \\|").FindAllStringSubmatch(
		string(text), -1)
	if len(rows) < 50 {
		t.Fatalf("only %d rows were found", len(rows))
	}
	return rows
}

// TestSecondCheckerSequential has a checker that was written from docs/certificate.md
// alone, in another language, check the proofs of the table up to that of qubic.
func TestSecondCheckerSequential(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the second checker needs node, which ./check installs")
	}
	args := []string{"../examples/checker/checker.mjs"}
	var values []string
	dir := t.TempDir()
	for _, row := range table(t) {
		r, err := prove.Prove(t.Context(), game(t, row[1]), prove.Options{Memory: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := r.Proof.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.proof", len(values)))
		if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		args, values = append(args, path), append(values, row[3])
		if row[1] == "qubic" {
			break
		}
	}
	out, err := exec.Command(node, args...).Output()
	if err != nil {
		t.Errorf("%v", err)
	}
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if len(lines) != len(values) || len(values) < 25 {
		t.Fatalf("%d verdicts of %d files", len(lines), len(values))
	}
	for i, line := range lines {
		var v struct {
			OK            bool
			Value, Reason string
		}
		if err := json.Unmarshal(line, &v); err != nil || !v.OK || v.Value != values[i] {
			t.Errorf("%s: %s, %v", values[i], line, err)
		}
	}
}

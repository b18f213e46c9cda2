package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestDistIsCurrent compares the committed pages with what the sources give.
func TestDistIsCurrent(t *testing.T) {
	files, err := bundle("..")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("../dist")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(files) {
		t.Errorf("dist has %d files, the sources give %d", len(entries), len(files))
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("../dist", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("dist/%s is not what the sources give; run go generate ./web/studio", name)
		}
	}
}

// maxScript is how many bytes of script, compressed, a browser may have to
// load for the first page.
const maxScript = 90_000

func TestScriptIsSmall(t *testing.T) {
	files, err := bundle("..")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"app.js"}
	for _, m := range regexp.MustCompile(`rel="modulepreload" href="(.*?)"`).FindAllStringSubmatch(
		string(files["index.html"]), -1) {
		names = append(names, m[1])
	}
	sum := 0
	for _, name := range names {
		if len(files[name]) == 0 {
			t.Fatalf("there is no %s", name)
		}
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write(files[name]); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		sum += packed.Len()
	}
	t.Logf("script: %d bytes compressed in %d files", sum, len(names))
	if sum > maxScript || len(names) < 2 {
		t.Errorf("the script takes %d bytes compressed in %v, more than %d", sum, names, maxScript)
	}
}

// TestRun builds into a copy and refuses sources that are broken.
func TestRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "web", "studio")
	for _, part := range []string{"src", "vendor", "../../examples/bots"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join("..", part))); err != nil {
			t.Fatal(err)
		}
	}
	if err := buildDist(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "dist", "app.css")); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "app.tsx"), []byte("let x = ;"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := buildDist(dir); err == nil {
		t.Error("a syntax error was not reported")
	}
}

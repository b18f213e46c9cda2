package studio_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// TestUnits runs the tests in test/, of what needs no page, under Node.
func TestUnits(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the tests of the TypeScript need node, which ./check installs")
	}
	sources, err := filepath.Glob("test/*.test.ts")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no tests in test/: %v", err)
	}
	vendor, err := filepath.Abs("vendor")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	built := api.Build(api.BuildOptions{
		EntryPoints: sources, Bundle: true, Write: true, Outdir: dir, OutExtension: map[string]string{".js": ".mjs"},
		Format: api.FormatESModule, Platform: api.PlatformNode, TsconfigRaw: "{}", JSX: api.JSXAutomatic,
		JSXImportSource: "preact",
		Alias: map[string]string{
			"preact":             filepath.Join(vendor, "preact/preact.mjs"),
			"preact/hooks":       filepath.Join(vendor, "preact/hooks.mjs"),
			"preact/jsx-runtime": filepath.Join(vendor, "preact/jsxRuntime.mjs"),
			"qr":                 filepath.Join(vendor, "qr/qr.mjs"),
		},
	})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	for _, f := range built.OutputFiles {
		if out, err := exec.CommandContext(t.Context(), node, "--test", f.Path).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(f.Path), err, out)
		}
	}
}

// TestNoImportCircles finds sources that import each other in a circle.
func TestNoImportCircles(t *testing.T) {
	files, err := filepath.Glob("src/*.ts*")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d sources: %v", len(files), err)
	}
	imports := map[string][]string{}
	from := regexp.MustCompile(`(?m)^(?:import|export) .*from "\./([a-z]+)";$`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(filepath.Base(f), ".")
		for _, m := range from.FindAllStringSubmatch(string(text), -1) {
			imports[name] = append(imports[name], m[1])
		}
	}
	done := map[string]bool{}
	var visit func(name string, path []string)
	visit = func(name string, path []string) {
		if i := slices.Index(path, name); i >= 0 {
			t.Errorf("a circle: %s", strings.Join(append(path[i:], name), " → "))
			return
		}
		if done[name] {
			return
		}
		for _, to := range imports[name] {
			visit(to, append(path, name))
		}
		done[name] = true
	}
	for name := range imports {
		visit(name, nil)
	}
}

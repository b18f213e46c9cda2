package studio_test

import (
	"os/exec"
	"path/filepath"
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
	vendor, err := filepath.Abs("vendor/preact")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	built := api.Build(api.BuildOptions{
		EntryPoints: sources, Bundle: true, Write: true, Outdir: dir, OutExtension: map[string]string{".js": ".mjs"},
		Format: api.FormatESModule, Platform: api.PlatformNode, TsconfigRaw: "{}", JSX: api.JSXAutomatic,
		JSXImportSource: "preact",
		Alias: map[string]string{
			"preact":             filepath.Join(vendor, "preact.mjs"),
			"preact/hooks":       filepath.Join(vendor, "hooks.mjs"),
			"preact/jsx-runtime": filepath.Join(vendor, "jsxRuntime.mjs"),
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

// Build bundles the studio: it reads ../src and ../vendor and writes ../dist.
// Run it by go generate ./web/studio.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "build the studio:", err)
		os.Exit(1)
	}
}

// run builds the studio in folder dir and replaces its dist.
func run(dir string) error {
	files, err := bundle(dir)
	if err != nil {
		return err
	}
	dist := filepath.Join(dir, "dist")
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dist, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// static are the files of src that are copied as they are.
var static = []string{"index.html", "theme.js", "icon.svg", "../../../examples/bots/bot.py"}

// licences are the texts that the bundle carries in licences.txt.
var licences = []string{"preact", "qr"}

// bundle returns the files of dist by name. The same sources give the same
// bytes on every machine.
func bundle(dir string) (map[string][]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	vendor := func(name string) string { return filepath.Join(dir, "vendor", filepath.FromSlash(name)) }
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     dir,
		EntryPoints:       []string{"src/app.tsx"},
		Outdir:            "dist",
		Bundle:            true,
		Format:            api.FormatESModule,
		Splitting:         true,
		ChunkNames:        "[name]-[hash]",
		Metafile:          true,
		Target:            api.ES2022,
		JSX:               api.JSXAutomatic,
		JSXImportSource:   "preact",
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		TsconfigRaw:       "{}",
		Alias: map[string]string{
			"preact":             vendor("preact/preact.mjs"),
			"preact/hooks":       vendor("preact/hooks.mjs"),
			"preact/jsx-runtime": vendor("preact/jsxRuntime.mjs"),
			"qr":                 vendor("qr/qr.mjs"),
		},
	})
	if len(result.Errors) > 0 {
		return nil, errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	files := map[string][]byte{}
	for _, f := range result.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	for _, name := range static {
		if files[filepath.Base(name)], err = os.ReadFile(filepath.Join(dir, "src", name)); err != nil {
			return nil, err
		}
	}
	if files["index.html"], err = preloading(files["index.html"], result.Metafile); err != nil {
		return nil, err
	}
	for _, name := range licences {
		text, err := os.ReadFile(vendor(name + "/LICENSE"))
		if err != nil {
			return nil, err
		}
		files["licences.txt"] = fmt.Appendf(files["licences.txt"], "%s\n\n%s\n", name, text)
	}
	return files, nil
}

// entry is the script that the page loads.
const entry = `<script type="module" src="app.js"></script>`

// preloading has the page name all parts of its script, so that a browser asks for them at once.
func preloading(page []byte, metafile string) ([]byte, error) {
	var made struct {
		Outputs map[string]struct {
			Imports []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &made); err != nil {
		return nil, err
	}
	parts := []string{"dist/app.js"}
	for i := 0; i < len(parts); i++ {
		for _, other := range made.Outputs[parts[i]].Imports {
			if other.Kind == "import-statement" && !slices.Contains(parts, other.Path) {
				parts = append(parts, other.Path)
			}
		}
	}
	var links strings.Builder
	for _, part := range parts[1:] {
		fmt.Fprintf(&links, "<link rel=\"modulepreload\" href=\"%s\">\n", path.Base(part))
	}
	return bytes.Replace(page, []byte(entry), []byte(links.String()+entry), 1), nil
}

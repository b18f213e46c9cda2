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

// main bundles in the working directory, which is web/studio under go generate.
func main() {
	if err := buildDist("."); err != nil {
		fmt.Fprintln(os.Stderr, "build the studio:", err)
		os.Exit(1)
	}
}

// buildDist builds the studio in folder dir and replaces its dist.
// What was in dist before is taken away, so that no file of an earlier build stays. Nothing is touched where the
// bundle fails.
func buildDist(dir string) error {
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
// Paths are from src; in dist each has its last element as its name.
var static = []string{"index.html", "theme.js", "icon.svg", "../../../examples/bots/bot.py"}

// licences are the texts that the bundle carries in licences.txt.
// They are of the folders of vendor whose code is in the bundle.
var licences = []string{"preact", "qr"}

// bundle returns the files of dist by name. The same sources give the same
// bytes on every machine.
func bundle(dir string) (map[string][]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	sources, err := splitTexts(filepath.Join(dir, "src"))
	if err != nil {
		return nil, err
	}
	// Modules come from vendor alone, so that nothing is fetched.
	vendor := func(name string) string { return filepath.Join(dir, "vendor", filepath.FromSlash(name)) }
	// Chunks have a digest in their names, so that a changed one has another address.
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
		Plugins: []api.Plugin{loads(sources)},
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
	if files["index.html"], err = withPreloadLinks(files["index.html"], result.Metafile); err != nil {
		return nil, err
	}
	files["licences.txt"], err = licenceTexts(vendor)
	return files, err
}

// licenceTexts returns the licences, one after another, each under its name; vendor is the path of what is named in
// the folder of that name.
func licenceTexts(vendor func(name string) string) (texts []byte, err error) {
	for _, name := range licences {
		text, err := os.ReadFile(vendor(name + "/LICENSE"))
		if err != nil {
			return nil, err
		}
		texts = fmt.Appendf(texts, "%s\n\n%s\n", name, text)
	}
	return texts, nil
}

// loads has esbuild read the sources of src, by their names, as they are given.
func loads(sources map[string]string) api.Plugin {
	return api.Plugin{Name: "sources", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: `/src/\w+\.tsx?$`}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			source := sources[filepath.Base(a.Path)]
			return api.OnLoadResult{Contents: &source, Loader: api.LoaderDefault}, nil
		})
	}}
}

// entry is the script that the page loads.
// It stands so in index.html.
const entry = `<script type="module" src="app.js"></script>`

// withPreloadLinks has the page name all parts of its script, so that a browser asks for them at once.
// The metafile is esbuild's account of what each output imports. Parts that are loaded later, on demand, are left
// out.
func withPreloadLinks(page []byte, metafile string) ([]byte, error) {
	var made struct {
		Outputs map[string]struct {
			Imports []struct{ Path, Kind string }
		}
	}
	if err := json.Unmarshal([]byte(metafile), &made); err != nil {
		return nil, err
	}
	// The list grows while it is gone through, until all that is imported is in it.
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

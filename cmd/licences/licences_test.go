package licences

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the licences and the page of docs/ anew")

// known tells a licence by words that only it has.
var known = []struct {
	spdx  string
	words *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`(?i)apache license\s+version 2\.0`)},
	{"MIT", regexp.MustCompile(`(?i)permission is hereby granted, free of charge, to any person obtaining`)},
	{"BSD-3-Clause", regexp.MustCompile(
		`(?i)redistribution and use in source and binary forms[\s\S]*(neither the name|names? of (the|its) (copyright holder|contributors))`)},
	{"BSD-2-Clause", regexp.MustCompile(`(?i)redistribution and use in source and binary forms`)},
	{"blessing", regexp.MustCompile(`(?i)the author disclaims copyright to this source code|public domain`)},
}

// spdx names the licence of a text, or returns "" where it is none that is known.
func spdx(text string) string {
	for _, k := range known {
		if k.words.MatchString(text) {
			return k.spdx
		}
	}
	return ""
}

// linked lists the modules that the program is built from on some systems: their
// paths, versions and folders.
func linked(t *testing.T) map[[2]string]string {
	t.Helper()
	found := map[[2]string]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		c := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", "oxo/cmd/oxo")
		c.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if words := strings.Fields(line); len(words) == 3 {
				found[[2]string{words[0], words[1]}] = words[2]
			}
		}
	}
	return found
}

// legal is what files with licences are called.
var legal = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice)`)

// licenceOf reads the licences in a module's folder.
func licenceOf(dir string) (names, text string, err error) {
	var parts, found []string
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", "", err
	}
	for _, f := range files {
		if !legal.MatchString(f.Name()) || f.IsDir() || strings.HasSuffix(f.Name(), "LOGO") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return "", "", err
		}
		parts = append(parts, string(data))
		if name := spdx(string(data)); name != "" && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		err = fmt.Errorf("%s: no licence that is known", dir)
	}
	return strings.Join(found, " AND "), strings.Join(parts, "\n\n"), err
}

// collect reads the licences of everything that is linked, Go's own and those of what
// the studio's pages are built from included.
func collect(t *testing.T) []Licence {
	t.Helper()
	modules := linked(t)
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules[[2]string{"Go", runtime.Version()}] = strings.TrimSpace(string(root))
	var studio struct {
		DevDependencies map[string]string
	}
	if data, err := os.ReadFile("../../web/studio/package.json"); err != nil || json.Unmarshal(data, &studio) != nil {
		t.Fatal("package.json: ", err)
	}
	vendor, err := filepath.Glob("../../web/studio/vendor/*")
	if err != nil || len(vendor) == 0 {
		t.Fatal("no vendored packages: ", err)
	}
	for _, dir := range vendor {
		modules[[2]string{filepath.Base(dir), studio.DevDependencies[filepath.Base(dir)]}] = dir
	}
	var list []Licence
	for _, m := range slices.SortedFunc(maps.Keys(modules),
		func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) }) {
		names, text, err := licenceOf(modules[m])
		if m[0] == "Go" {
			m[1] = "" // whichever builds it
		}
		if err != nil {
			t.Error(err)
		}
		list = append(list, Licence{m[0], m[1], names, text})
	}
	return list
}

// page is the page of docs/.
func page(list []Licence) string {
	var b strings.Builder
	b.WriteString("# Licences\n\nWhat the program is built from, with the licence of each (`oxo licences --texts` " +
		"prints them).\nA test keeps this page equal to what is linked. The licence of oxo itself is its owner's to " +
		"choose.\n\n| module | version | licence |\n| --- | --- | --- |\n")
	for _, l := range list {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", l.Module, l.Version, l.Licence)
	}
	return b.String()
}

// TestLicences compares what the program carries, and the page, with what is linked.
func TestLicences(t *testing.T) {
	const docs = "../../docs/licences.md"
	want := collect(t)
	if *update && !t.Failed() {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err := json.NewEncoder(z).Encode(want); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		if os.WriteFile("licences.json.gz", b.Bytes(), 0o644) != nil ||
			os.WriteFile(docs, []byte(page(want)), 0o644) != nil {
			t.Fatal("not written")
		}
		return
	}
	got, err := All()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(docs)
	if err != nil || string(text) != page(want) {
		t.Errorf("%s is of other modules: go test ./cmd/licences -update", docs)
	}
	same := func(a, b Licence) bool { return a == b || a.Module == "Go" && b.Module == "Go" }
	if !slices.EqualFunc(got, want, same) {
		t.Error("the licences are of other modules: go test ./cmd/licences -update")
	}
}

// TestKnown tells licences apart.
func TestKnown(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                 "Apache-2.0",
		"Permission is hereby granted, free of charge, to any person obtaining a copy": "MIT",
		"Redistribution and use in source and binary forms ... Neither the name of X":  "BSD-3-Clause",
		"Redistribution and use in source and binary forms are permitted":              "BSD-2-Clause",
		"All rights reserved.": "",
	} {
		if got := spdx(text); got != want {
			t.Errorf("%q is taken for %q, not %q", text, got, want)
		}
	}
}

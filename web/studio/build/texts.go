package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// message is a line of en.ts with a text: its key, quoted or not, and what it says.
var message = regexp.MustCompile(`(?m)^  ("(?:[^"\\]|\\.)+"|\w+): ".*",\n`)

// splitTexts reads the sources in folder src and returns them by their names, with each text of en.ts that a single
// source says moved there: it is loaded with the page that says it. Other texts stay in en.ts. A source says a text
// where it has its key in double quotes.
func splitTexts(src string) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(src, "*.ts*"))
	if err != nil {
		return nil, err
	}
	sources := map[string]string{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		sources[filepath.Base(p)] = string(text)
	}
	const english = "en.ts"
	said := map[string]string{} // texts by the source that alone says them
	kept := message.ReplaceAllStringFunc(sources[english], func(line string) string {
		key := message.FindStringSubmatch(line)[1]
		if !strings.HasPrefix(key, `"`) {
			key = `"` + key + `"`
		}
		if by := sayers(sources, key, english); len(by) == 1 && by[0] != "text.ts" {
			said[by[0]] += line
			return ""
		}
		return line
	})
	sources[english] = kept
	for name, lines := range said {
		sources[name] = fmt.Sprintf("import { add as addTexts } from \"./text\";\naddTexts({\n%s});\n%s", lines,
			sources[name])
	}
	return sources, nil
}

// sayers lists the sources, but for one, that have a key in quotes.
func sayers(sources map[string]string, quoted, but string) (names []string) {
	for name, text := range sources {
		if name != but && strings.Contains(text, quoted) {
			names = append(names, name)
		}
	}
	return names
}

package main

import (
	"os"
	"strings"
	"testing"
)

// TestSplitTexts: each text stands once, in en.ts where several sources say it and else in the one that does; the
// sources are otherwise as they were.
func TestSplitTexts(t *testing.T) {
	english, err := os.ReadFile("../src/en.ts")
	if err != nil {
		t.Fatal(err)
	}
	split, err := splitTexts("../src")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for name, text := range split {
		source, err := os.ReadFile("../src/" + name)
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = string(source)
		if name != "en.ts" && !strings.HasSuffix(text, string(source)) {
			t.Errorf("%s is another", name)
		}
	}
	moved := 0
	for _, line := range message.FindAllString(string(english), -1) {
		at := ""
		for name, text := range split {
			if strings.Contains(text, line) {
				if at != "" {
					t.Errorf("%q is in %s and in %s", line, at, name)
				}
				at = name
			}
		}
		if at == "" {
			t.Errorf("%q is nowhere", line)
		}
		if at == "en.ts" {
			continue
		}
		moved++
		key := `"` + strings.Trim(message.FindStringSubmatch(line)[1], `"`) + `"`
		for name, source := range sources {
			if name != at && name != "en.ts" && strings.Contains(source, key) {
				t.Errorf("%s says %s, which comes with %s", name, key, at)
			}
		}
	}
	if moved < 500 {
		t.Errorf("%d texts come with their pages, at least 500 are expected to", moved)
	}
}

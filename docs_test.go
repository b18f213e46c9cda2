package oxo_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What a reader of the documents can finish, in words of prose.
const (
	mostProse = 16_000 // of all pages
	mostPage  = 1_500  // of a page
)

// notProse are pages that are looked up, not read: a specification and what is generated.
var notProse = []string{"certificate.md", "reference.md", "licences.md"}

// TestDocs keeps the documents within what people finish, and their links to files that are here.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Glob("docs/*/*.md")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, page := range append(pages, data...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		linked(t, page, string(text))
		if slices.Contains(notProse, filepath.Base(page)) {
			continue
		}
		words := proseWords(string(text))
		if words > mostPage {
			t.Errorf("%s has %d words of prose: at most %d", page, words, mostPage)
		}
		total += words
	}
	if total > mostProse || total < mostProse/2 {
		t.Errorf("the documents have %d words of prose: at most %d", total, mostProse)
	}
}

// proseWords counts the words of a page without those of tables and of code that is set apart.
func proseWords(text string) (n int) {
	code := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			code = !code
		case code, strings.HasPrefix(line, "    "), strings.HasPrefix(strings.TrimSpace(line), "|"):
		default:
			n += len(strings.Fields(line))
		}
	}
	return n
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// linked sees that what a page links to within the project is there.
func linked(t *testing.T, page, text string) {
	t.Helper()
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
			t.Errorf("%s links to %s, which is not here", page, m[1])
		}
	}
}

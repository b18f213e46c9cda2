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

// TestUnit: the server's unit names the host that its proxy passes on, and logs, as server.md has it.
func TestUnit(t *testing.T) {
	text, err := os.ReadFile("docs/deploy/oxo-serve.service")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--host oxo.example.org", "--log info --json"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the unit has no %s", want)
		}
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

var (
	codeWord = regexp.MustCompile("`([^`]+)`")
	codeName = regexp.MustCompile(`^(?:[A-Za-z]+\.)?([A-Za-z]+)$`)
)

// TestReadmeNames: what the README tells people to read is there, and what an item names besides is
// declared in a file or folder of the item.
func TestReadmeNames(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n## Where to start reading\n")
	part, _, _ := strings.Cut(rest, "\n## ")
	names := 0
	for _, item := range regexp.MustCompile(`\n(?:\d+\.|\|) `).Split(part, -1) {
		var source strings.Builder
		for _, m := range codeWord.FindAllStringSubmatch(item, -1) {
			if !strings.Contains(m[1], "/") && !strings.HasSuffix(m[1], ".go") || strings.HasPrefix(m[1], "POST ") {
				continue
			}
			// A file is named by its path, or by its name where its folder stands before it.
			files, _ := filepath.Glob(m[1])
			if len(files) == 0 {
				files, _ = filepath.Glob("*/" + m[1])
			}
			if len(files) == 0 {
				files, _ = filepath.Glob("*/*/" + m[1])
			}
			if len(files) == 0 {
				t.Errorf("the README names %s, which is not there", m[1])
			}
			for _, file := range files {
				inside, _ := filepath.Glob(filepath.Join(file, "*.go"))
				for _, file := range append(inside, file) {
					code, _ := os.ReadFile(file) // a folder has none
					source.Write(code)
				}
			}
		}
		for _, m := range codeWord.FindAllStringSubmatch(item, -1) {
			name := codeName.FindStringSubmatch(m[1])
			if name == nil || name[1] == "go" || source.Len() == 0 {
				continue
			}
			names++
			if !regexp.MustCompile(`(?m)^(func (\(.*?\) )?|type |\t)` + name[1] + `[\[( ]`).MatchString(source.String()) {
				t.Errorf("the README names %s, which its files don't declare: %s", m[1], item)
			}
		}
	}
	if names < 12 {
		t.Errorf("only %d names looked at", names)
	}
}

// TestPagesInline finds words that stand inline in the pages that Go writes: what people read or hear
// is said by its key.
func TestPagesInline(t *testing.T) {
	pages := regexp.MustCompile("(?s)<!doctype html>.*?</html>")
	notSaid := regexp.MustCompile(`(?s)\{\{.*?\}\}|<style>.*?</style>|<code>.*?</code>|/api/v1/[\w./]*|\boxo\b`)
	attribute := regexp.MustCompile(`\s(?:title|alt|placeholder|aria-label|name="description" content)="([^"]*)"`)
	word := regexp.MustCompile(`\pL{2,}[^<]*`)
	found := 0
	for _, pattern := range []string{"cmd/*.go", "lab/*/*.go", "web/*.go", "web/*/*.go", "web/studio/src/*.html"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil || strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, page := range pages.FindAllString(string(source), -1) {
				found++
				page = notSaid.ReplaceAllString(page, "")
				said := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, "<")
				for _, a := range attribute.FindAllStringSubmatch(page, -1) {
					said += "<" + a[1]
				}
				for _, w := range word.FindAllString(said, -1) {
					t.Errorf("%s says %q inline", file, w)
				}
			}
		}
	}
	if found != 4 {
		t.Errorf("%d pages found, want the studio's, that without one, the frame's and the sheet's", found)
	}
}

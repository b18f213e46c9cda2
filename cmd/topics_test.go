package cmd

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"oxo"
	"oxo/arena"
	"oxo/games/file"
	"oxo/games/tree"
	"oxo/lab"
)

// TestReference: docs/reference.md is what oxo help reference prints.
func TestReference(t *testing.T) {
	a := &app{lab: &lab.Lab{}}
	page, err := os.ReadFile("../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	if got := referencePage(a); got != string(page) {
		t.Error("docs/reference.md is not what the program says; write it with: oxo help reference >docs/reference.md")
	}
	for _, topic := range topics() {
		if text := topic.text(a); len(text) < 100 || !strings.HasSuffix(text, "\n") {
			t.Errorf("%s: %q", topic.name, text)
		}
	}
}

// TestRecordsTopic: the topic lists every tag that score sheets are written with.
func TestRecordsTopic(t *testing.T) {
	const all = "x"
	full := arena.Sheet{Record: oxo.Record{Game: all, First: all, Second: all, Start: all, Final: all,
		Termination: all}, Title: all, File: all, TimeControl: all, Reason: all}
	var b strings.Builder
	if err := arena.WriteSheet(&b, &full); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if tag, _, is := strings.Cut(line, " "); is && tag[0] == '[' && !strings.Contains(aboutRecords, tag+" ") {
			t.Errorf("%s is written and not listed", tag)
		}
	}
}

// TestFileExamples: the examples of files are games.
func TestFileExamples(t *testing.T) {
	a := &app{lab: &lab.Lab{}}
	seen := 0
	for _, k := range a.lab.ListKinds() {
		if k.File == nil {
			continue
		}
		seen++
		var err error
		switch k.Name {
		case "file":
			_, err = file.Parse([]byte(k.File.Example))
		case "tree":
			_, err = tree.Parse(strings.NewReader(k.File.Example))
		}
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		for _, f := range k.File.Fields {
			if !strings.Contains(k.File.Example, `"`+f+`"`) {
				t.Errorf("%s: the example has no %s", k.Name, f)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d kinds of files", seen)
	}
}

// TestFieldsHaveMeanings: every field that --json prints is explained, and nothing
// else is.
func TestFieldsHaveMeanings(t *testing.T) {
	for _, r := range jsonResults {
		eachJSONField(reflect.TypeOf(r.of), "", map[reflect.Type]bool{}, func(path, kind, meaning string) {
			if meaning == "" {
				t.Errorf("%s: %s (%s) has no meaning", r.verb, path, kind)
			}
		})
	}
	read := map[string]bool{}
	for _, r := range jsonResults {
		namesOf(reflect.TypeOf(r.of), map[reflect.Type]bool{}, read)
	}
	for key := range meanings {
		if !read[key] {
			t.Errorf("no result has a field %s", key)
		}
	}
}

// TestJSONOfEveryVerb: the topic tells what each verb prints, but of those that it leaves out by what they are for.
func TestJSONOfEveryVerb(t *testing.T) {
	leftOut := strings.Fields("bot engine jobs worker serve export import backup admin completion")
	var told []string
	for _, r := range jsonResults {
		told = append(told, strings.FieldsFunc(r.verb, func(c rune) bool { return strings.ContainsRune(" ,", c) })...)
	}
	for _, name := range verbNames((&app{lab: &lab.Lab{}}).root()) {
		if slices.Contains(told, name) == slices.Contains(leftOut, name) {
			t.Errorf("%s: it is told of or left out, one of both", name)
		}
	}
}

// namesOf adds the fields of a type and of those in it, and whether one of that name is without doc.
func namesOf(t reflect.Type, seen map[reflect.Type]bool, to map[string]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array ||
		t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	for f := range t.Fields() {
		f := f
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		to[name] = to[name] || f.Tag.Get("doc") == ""
		namesOf(f.Type, seen, to)
	}
}

// TestCommandWords: what the prompts of play offer beside moves is known for a command, so that a move of that name
// is told.
func TestCommandWords(t *testing.T) {
	for line := range strings.Lines(commands + onlineCommands) {
		if word := strings.Fields(line)[0]; word != "a" && word != "move" && !isCommand(word) {
			t.Errorf("%q is offered, and no command", word)
		}
	}
}

// TestFileFlags: what every flag that names a file does with it is said, so that no file is written by two names.
func TestFileFlags(t *testing.T) {
	alone := []string{"game", "creds", "cluster-keys", "nats-token", "nkey", "tls-ca", "tls-cert", "tls-key"}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			look(sub)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			_, written := f.Annotations[fileWritten]
			_, read := f.Annotations[fileRead]
			if f.Value.Type() == "string" && !written && !read && !slices.Contains(alone, f.Name) &&
				regexp.MustCompile(`\bfile\b|\bdraw the\b|\bCSV\b`).MatchString(f.Usage) {
				t.Errorf("%s --%s, %s: is the file read or written?", c.CommandPath(), f.Name, f.Usage)
			}
		})
	}
	look((&app{lab: &lab.Lab{}}).root())
}

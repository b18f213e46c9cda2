package web

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"oxo/games/kind"
	verdict "oxo/judge"
	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/learn/show"
	"oxo/learn/space"
	"oxo/message"
	"oxo/puzzle"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

var update = flag.Bool("update", false, "write the studio's types anew")

// TestSchema compares the studio's types of questions and answers with the document of the
// API: go test -run TestSchema ./web -update writes them. A type is written where a source of
// the studio imports it, or a type that is written has it.
func TestSchema(t *testing.T) {
	const file = "studio/src/schema.ts"
	declarations := map[string]string{}
	schemas := newTester(t, hosted(newMemory())).server.API.OpenAPI().Components.Schemas.Map()
	for name, schema := range schemas {
		what, is := "interface", ""
		if len(schema.Properties) == 0 {
			what, is = "type", "= "
		}
		name = typeName(name)
		declarations[name] = fmt.Sprintf("\nexport %s %s %s%s\n", what, name, is, typeOf(schema, ""))
	}
	wanted := map[string]bool{}
	var want func(text string)
	want = func(text string) {
		for _, name := range capitalized.FindAllString(text, -1) {
			if declaration, ok := declarations[name]; ok && !wanted[name] {
				wanted[name] = true
				want(comment.ReplaceAllString(declaration, ""))
			}
		}
	}
	sources, err := filepath.Glob("studio/*/*.ts*")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		if data, err := os.ReadFile(source); err != nil {
			t.Fatal(err)
		} else {
			for _, names := range imported.FindAllStringSubmatch(string(data), -1) {
				want(names[1])
			}
		}
	}
	var text strings.Builder
	text.WriteString("// Types of the API's questions and answers, made from its OpenAPI document by TestSchema.\n")
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		text.WriteString(declarations[name])
	}
	compareFile(t, file, text.String())
}

// TestRefusals: each refusal that the server has a key for has its text, and each text is a refusal's.
func TestRefusals(t *testing.T) {
	words, used := service.Words(), map[string]bool{"thousands": true}
	call := regexp.MustCompile(`(?:NewProblem|StoreProblem|BusyProblem|laterProblem|jobBlob)\([^"\n]*"([^"\n]+)"`)
	for _, pattern := range []string{"*.go", "service/*.go", "live/*.go", "jobs/*.go", "puzzles/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil || strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, m := range call.FindAllSubmatch(data, -1) {
				if key := "refused." + string(m[1]); words[key] == "" && words[key+kindGame] == "" {
					t.Errorf("%s: nothing says %q", file, key)
				}
			}
			for key := range words {
				name := strings.TrimPrefix(key, "refused.")
				used[key] = used[key] || strings.Contains(string(data), `"`+name+`"`) ||
					name == "files.full."+kindGame || name == "files.full."+kindProof
			}
		}
	}
	for key := range words {
		if !used[key] {
			t.Errorf("nothing is refused by %q", key)
		}
	}
}

// compareFile compares a source of the studio with what it is made of, or writes it.
func compareFile(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != text {
		t.Errorf("%s is not what it is made of: go test -run %s ./web -update", file, t.Name())
	}
}

// TestEnglish compares the studio's table of what the server says with the tables of the rooms that
// say it, and with the lists whose texts are said by their places: go test -run TestEnglish ./web
// -update writes it.
func TestEnglish(t *testing.T) {
	const file = "studio/src/english.ts"
	all := message.Table{}
	tables := []message.Table{verdict.Words(), puzzle.Words(), kind.Words(), service.Words(), show.Words(),
		lab.RefusalWords(), progress.Words(), space.Words()}
	for _, k := range lab.BuiltIn() {
		tables = append(tables, k.Words)
	}
	tables = append(tables, listed(t))
	for _, table := range tables {
		for key, english := range table {
			if strings.HasPrefix(key, "option.") {
				continue // which the server says itself
			}
			if other := all[key]; other != "" && other != english {
				t.Errorf("%q is said as %q and as %q", key, other, english)
			}
			all[key] = english
		}
	}
	const about = "// The English of what the server says by key, made from its tables by TestEnglish"
	var text, names strings.Builder
	text.WriteString(about + ".\nimport { names } from \"./names\";\n\n" +
		"export const english: Record<string, string> = {\n  ...names,\n")
	names.WriteString(about + ":\n// what the studio says by itself, in every language.\n" +
		"export const names: Record<string, string> = {\n")
	for _, key := range slices.Sorted(maps.Keys(all)) {
		to := &text
		if strings.HasPrefix(key, "feature.") || strings.HasPrefix(key, "declined.") { // of which errors say more
			to = &names
		}
		fmt.Fprintf(to, "  %q: %q,\n", key, all[key])
	}
	compareFile(t, file, text.String()+"};\n")
	compareFile(t, "studio/src/names.ts", names.String()+"};\n")
}

var (
	capitalized = regexp.MustCompile(`\b[A-Z]\w*`)
	imported    = regexp.MustCompile(`\{([^{}]*)\} from "[./]*/schema"`)
	comment     = regexp.MustCompile(`//.*`)
)

// typeName returns the name of a schema as a type's: accept-gameRequest is AcceptGameRequest.
func typeName(name string) string {
	words := strings.Split(name[strings.LastIndex(name, "/")+1:], "-")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// typeOf writes a schema as a type of TypeScript; lines of objects begin with indent.
func typeOf(s *huma.Schema, indent string) string {
	text := "unknown"
	switch {
	case s.Ref != "":
		text = typeName(s.Ref)
	case len(s.Enum) > 0:
		var values []string
		for _, v := range s.Enum {
			values = append(values, fmt.Sprintf("%#v", v))
		}
		text = strings.Join(values, " | ")
	case s.Type == huma.TypeString, s.Type == huma.TypeBoolean:
		text = s.Type
	case s.Type == huma.TypeInteger, s.Type == huma.TypeNumber:
		text = "number"
	case s.Type == huma.TypeArray:
		if text = typeOf(s.Items, indent); strings.Contains(text, "|") {
			text = "(" + text + ")"
		}
		if text += "[]"; s.MinItems != nil && s.MaxItems != nil && *s.MinItems == *s.MaxItems {
			item := strings.TrimSuffix(text, "[]")
			text = "[" + strings.Join(slices.Repeat([]string{item}, *s.MinItems), ", ") + "]"
		}
	case len(s.Properties) > 0:
		text = fieldsOf(s, indent)
	case s.Type == huma.TypeObject:
		text = "{ [key: string]: unknown }"
		if of, ok := s.AdditionalProperties.(*huma.Schema); ok {
			text = "{ [key: string]: " + typeOf(of, indent) + " }"
		}
	}
	if s.Nullable {
		text += " | null"
	}
	return text
}

// fieldsOf writes the fields of an object.
func fieldsOf(s *huma.Schema, indent string) string {
	var text strings.Builder
	text.WriteString("{\n")
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if name == "$schema" {
			continue
		}
		optional, about := "?", ""
		if slices.Contains(s.Required, name) {
			optional = ""
		}
		if d := s.Properties[name].Description; d != "" {
			about = " // " + d
		}
		fmt.Fprintf(&text, "%s  %s%s: %s;%s\n", indent, name, optional, typeOf(s.Properties[name], indent+"  "), about)
	}
	return text.String() + indent + "}"
}

// listed has the texts of the lists of games, players and learners by key.
func listed(t *testing.T) message.Table {
	t.Helper()
	all := message.Table{}
	var collect func(value any)
	collect = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, inner := range v {
				collect(inner)
			}
		case map[string]any:
			said, _ := v["said"].(map[string]any)
			for field, list := range said {
				if field == "refused" {
					continue // an error, which has a text of its own
				}
				m := list.([]any)[0].(map[string]any)
				key, text := m["key"].(string), v[field].(string)
				if other := all[key]; other != "" && other != text {
					t.Errorf("%q is said as %q and as %q", key, other, text)
				}
				all[key] = text
			}
			for _, inner := range v {
				collect(inner)
			}
		}
	}
	x := newTester(t, hosted(newMemory()))
	for _, path := range []string{"/games", "/learners?game=ttt", "/learners?game=meta", "/learners?game=mnk:5,5,4"} {
		var reply any
		x.answered(http.StatusOK, http.MethodGet, service.Root+path, nil, &reply)
		collect(reply)
	}
	return all
}

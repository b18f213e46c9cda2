package oxo_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// What a reader can take in at once.
const (
	mostColumns  = 120 // of a line; a tab counts as four
	mostLines    = 60  // of a function
	mostBranches = 25  // of a function
	mostMethods  = 40  // of a type
	mostRoom     = 3500
	mostRooms    = 3 // that define a type of one name

	leastWords    = 15. // lines of comment in a hundred that are not blank
	leastCmdWords = 8.  // the same in cmd, whose flags say themselves what they are
)

// TestHouse keeps lines, functions, types and rooms within what a reader can take in.
// Tests are held to the width of lines only.
func TestHouse(t *testing.T) {
	rooms, methods, types := map[string]int{}, map[string]int{}, map[string]string{}
	named := map[string][]string{}                    // rooms, by the name of a type
	words := map[bool]*wordShare{false: {}, true: {}} // of cmd or not
	files := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() {
			if file != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		files++
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		narrow(t, file, source)
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		room := path.Dir(filepath.ToSlash(file))
		rooms[room] += bytes.Count(source, []byte("\n"))
		words[room == "cmd" || strings.HasPrefix(room, "cmd/")].count(room, source)
		return short(t, room, file, source, methods, types, named)
	})
	if err != nil {
		t.Fatal(err)
	}
	for room, lines := range rooms {
		if lines > mostRoom && room != "cmd" {
			t.Errorf("room %s has %d lines; split it: at most %d", room, lines, mostRoom)
		}
	}
	for name, n := range methods {
		if n > mostMethods {
			t.Errorf("type %s has %d methods; split it: at most %d", name, n, mostMethods)
		}
	}
	for name, rooms := range named {
		if len(rooms) > mostRooms {
			t.Errorf("type %s is defined in %s: at most in %d rooms", name, strings.Join(rooms, ", "), mostRooms)
		}
	}
	for cmd, least := range map[bool]float64{false: leastWords, true: leastCmdWords} {
		if share := words[cmd].percent(); share < least {
			t.Errorf("comments are %.2f %% of the lines (of cmd: %t): at least %v %%", share, cmd, least)
		}
	}
	if files < 300 {
		t.Errorf("only %d files looked at", files)
	}
}

// wordShare counts lines that are not blank, and those of them that are comments.
type wordShare struct{ words, lines int }

// count adds the lines of a source. Those of the examples don't count.
func (w *wordShare) count(room string, source []byte) {
	for line := range bytes.Lines(source) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !strings.HasPrefix(room, "examples") {
			w.lines++
			if bytes.HasPrefix(line, []byte("//")) {
				w.words++
			}
		}
	}
}

// percent returns how many lines in a hundred are comments.
func (w *wordShare) percent() float64 { return 100 * float64(w.words) / float64(max(1, w.lines)) }

// narrow looks at the width of lines. Raw strings and the tags of fields can't be broken.
func narrow(t *testing.T, file string, source []byte) {
	t.Helper()
	raw := map[int]bool{}
	set := token.NewFileSet()
	in := set.AddFile(file, set.Base(), len(source))
	var s scanner.Scanner
	s.Init(in, source, nil, 0)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.STRING && text[0] == '`' {
			for i := range strings.Count(text, "\n") + 1 {
				raw[in.Line(pos)+i] = true
			}
		}
	}
	n := 0
	for line := range bytes.Lines(source) {
		n++
		width := len([]rune(strings.TrimRight(string(line), "\n"))) + 3*bytes.Count(line, []byte("\t"))
		if width > mostColumns && !raw[n] {
			t.Errorf("%s:%d is %d columns wide: at most %d", file, n, width, mostColumns)
		}
	}
}

// short looks at the length of functions, counts the methods of types, sees that no two types
// of a room, whose names are noted in types, differ by case only, and notes the room by the name of
// each type that it defines. Programs of others, as the examples are, name their types themselves.
func short(t *testing.T, room, file string, source []byte, methods map[string]int, types map[string]string,
	named map[string][]string) error {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	most := mostLines
	if room == "cmd" {
		most = 80 // where flags are declared
	}
	for _, d := range parsed.Decls {
		for _, spec := range typesOf(d) {
			name := spec.Name.Name
			if !spec.Assign.IsValid() && !strings.HasPrefix(room, "examples/") {
				named[name] = append(named[name], room)
			}
			key := room + "." + strings.ToLower(name)
			if other := types[key]; other != "" && other != name {
				t.Errorf("%s: types %s and %s differ by case only", file, other, name)
			}
			types[key] = name
		}
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if f.Recv != nil {
			methods[room+"."+receiver(f.Recv.List[0].Type)]++
		}
		lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1
		if list := tableOf(f); list != nil {
			lines -= set.Position(list.End()).Line - set.Position(list.Pos()).Line
		}
		if lines > most {
			t.Errorf("%s: %s has %d lines: at most %d", file, f.Name.Name, lines, most)
		}
		if n := branches(f); n > mostBranches {
			t.Errorf("%s: %s has %d branches: at most %d", file, f.Name.Name, n, mostBranches)
		}
	}
	return nil
}

// typesOf lists the types that a declaration names.
func typesOf(d ast.Decl) (types []*ast.TypeSpec) {
	if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
		for _, spec := range g.Specs {
			types = append(types, spec.(*ast.TypeSpec))
		}
	}
	return types
}

// receiver names the type of a method.
func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// tableOf returns the list of values that a function ends with returning, nil where it
// returns something else: a list is no course of events, however long it is.
func tableOf(f *ast.FuncDecl) ast.Node {
	if f.Body == nil || len(f.Body.List) == 0 {
		return nil
	}
	r, ok := f.Body.List[len(f.Body.List)-1].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return nil
	}
	if list, ok := r.Results[0].(*ast.CompositeLit); ok {
		return list
	}
	return nil
}

// branches counts where a function's course divides: conditions, loops, cases.
func branches(f *ast.FuncDecl) (n int) {
	ast.Inspect(f, func(node ast.Node) bool {
		switch node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CaseClause, *ast.CommClause:
			n++
		}
		return true
	})
	return n
}

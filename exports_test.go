package oxo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestExports: every function, variable and constant that a package exports is named by another one, or by its own
// tests from outside, which are its examples. Members of an enumeration go with its type, and types with what returns
// them.
func TestExports(t *testing.T) {
	exported := map[string]string{} // by path and name, where it is
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != "." || d.Name() == "node_modules" ||
			d.Name() == "out" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		noteUses(parsed, used)
		room := path.Join("oxo", path.Dir(filepath.ToSlash(file)))
		if !strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(room, "oxo/examples") {
			for _, name := range exportsOf(parsed) {
				exported[room+"."+name] = file
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range exported {
		if !used[name] {
			t.Errorf("%s: nobody else names %s: it needs no capital", file, name)
		}
	}
	if len(exported) < 500 {
		t.Errorf("only %d exported names looked at", len(exported))
	}
}

// noteUses notes what a file names of the packages that it imports.
func noteUses(file *ast.File, used map[string]bool) {
	paths := map[string]string{} // by the name of a package here
	for _, i := range file.Imports {
		at, err := strconv.Unquote(i.Path.Value)
		if err != nil || at != "oxo" && !strings.HasPrefix(at, "oxo/") {
			continue
		}
		name := path.Base(at)
		if i.Name != nil {
			name = i.Name.Name
		}
		paths[name] = at
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && paths[of.Name] != "" {
				used[paths[of.Name]+"."+s.Sel.Name] = true
			}
		}
		return true
	})
}

// exportsOf lists the functions, variables and constants that a file exports, those of enumerations left out.
func exportsOf(file *ast.File) (names []string) {
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			typed := false
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					typed = typed || d.Tok == token.CONST && v.Type != nil
					for _, id := range v.Names {
						if !typed {
							add(id)
						}
					}
				}
			}
		}
	}
	return names
}

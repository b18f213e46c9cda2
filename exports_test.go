package oxo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestExports: every function, variable and constant that a package exports is named by another one, or by its own
// tests from outside, which are its examples. Of constants that are declared together one is enough, and types go with
// what returns them.
func TestExports(t *testing.T) {
	exported := map[string][]string{} // by path and name, all that are declared with it
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
			for _, together := range exportsOf(parsed) {
				for i, name := range together {
					together[i] = room + "." + name
				}
				exported[together[0]] = together
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, together := range exported {
		if !slices.ContainsFunc(together, func(name string) bool { return used[name] }) {
			t.Errorf("nobody else names %s: it needs no capital", strings.Join(together, " or "))
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

// exportsOf lists the functions, variables and constants that a file exports, constants that are declared together in
// one list.
func exportsOf(file *ast.File) (lists [][]string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				lists = append(lists, []string{d.Name.Name})
			}
		case *ast.GenDecl:
			var together []string
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					for _, id := range v.Names {
						if id.IsExported() {
							together = append(together, id.Name)
						}
					}
				}
			}
			if d.Tok == token.CONST && len(together) > 0 {
				lists = append(lists, together)
				continue
			}
			for _, name := range together {
				lists = append(lists, []string{name})
			}
		}
	}
	return lists
}

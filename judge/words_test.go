package judge

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestWords: no message that the package makes lacks its text, whatever source a key is made of, and every
// text's key is one that it makes, whole or of parts.
func TestWords(t *testing.T) {
	parts := map[string]bool{} // the package's string literals but those of the table
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				return n.Names[0].Name != "words"
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && len(text) > 1 {
					parts[text] = true
				}
			case *ast.CallExpr:
				checkKey(t, n)
			}
			return true
		})
	}
	for key := range words {
		if !isMadeOf(key, parts) && key != "list" && key != "thousands" {
			t.Errorf("nothing says %q", key)
		}
	}
	for _, source := range []string{End, Reply, Certificate, Solution, Falling, Threats, Proof, Numbers, Strongest} {
		if words["by."+source] == "" {
			t.Errorf("what %s shows is not said", source)
		}
	}
}

// checkKey looks at a call of message.Of with the key itself.
func checkKey(t *testing.T, call *ast.CallExpr) {
	of, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || of.Sel.Name != "Of" {
		return
	}
	if lit, ok := call.Args[0].(*ast.BasicLit); ok {
		if key, err := strconv.Unquote(lit.Value); err != nil || words[key] == "" {
			t.Errorf("%s has no text", lit.Value)
		}
	}
}

// isMadeOf reports whether a key is one of the parts, or several one after another.
func isMadeOf(key string, parts map[string]bool) bool {
	if parts[key] {
		return true
	}
	for i := 1; i < len(key); i++ {
		if parts[key[:i]] && isMadeOf(key[i:], parts) {
			return true
		}
	}
	return false
}

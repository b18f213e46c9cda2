package cmd

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"oxo/lab"
)

//go:embed skeleton
var skeleton embed.FS

// skeletonFiles are the files of a program with a game of its own, by template.
var skeletonFiles = map[string]string{
	"go.mod.tmpl":       "go.mod",
	"main.go.tmpl":      "main.go",
	"game.go.tmpl":      "{{.Name}}/{{.Name}}.go",
	"kind.go.tmpl":      "{{.Name}}/kind.go",
	"game_test.go.tmpl": "{{.Name}}/{{.Name}}_test.go",
	"perft.tmpl":        "{{.Name}}/testdata/{{.Name}}.perft",
}

// gameName is what a new game can be called: a name of a package.
var gameName = regexp.MustCompile(`^[a-z][a-z0-9]{0,30}$`)

// newVerb returns the verb that writes the beginning of a program.
func newVerb(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "new",
		Short: "write the beginning of a program with a game of your own",
	}
	setUpGroupCommand(a, c)
	var module string
	game := &cobra.Command{
		Use:   "game NAME",
		Short: "write the folder NAME: a Go program that is oxo and the game NAME",
		Long: "write the folder NAME: a Go program that is oxo and the game NAME.\n" +
			"The game in it is a small one that works; change it to yours. See docs/library.md.",
		Example: "  oxo new game hop --oxo ~/src/oxo",
		Args:    exactArgs("NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			written, err := a.writeGameSkeleton(args[0], module)
			if err != nil {
				return fmt.Errorf("new game: %w", err)
			}
			return a.answerf(map[string]any{"name": args[0], "files": written},
				"%s\nGo on with: cd %s && go mod tidy && go test ./... && go run . play %s\n",
				strings.Join(written, "\n"), args[0], args[0])
		},
	}
	game.Flags().StringVar(&module, "oxo", "../oxo", "the folder of oxo's source, seen from the new one")
	c.AddCommand(game)
	return c
}

// unusableNames are the names that the skeleton can't be written with, and why.
var unusableNames = map[string]string{
	"main":     "a package of that name is a program, which no other imports",
	"init":     "Go imports no package of that name",
	"cmd":      "main.go imports oxo/cmd beside the game",
	"lab":      "main.go imports oxo/lab beside the game",
	"kind":     "kind.go is the file of the game's kind",
	"vendor":   "go looks for copies of other modules in a folder of that name",
	"testdata": "go leaves a folder of that name out",
}

// refuseName says why no game can be called so, nil where one can.
func refuseName(l *lab.Lab, name string) error {
	if !gameName.MatchString(name) {
		return fmt.Errorf("%q: a name is lower-case letters and digits and begins with a letter, as a Go package's; "+
			"31 at most", name)
	}
	if token.IsKeyword(name) {
		return fmt.Errorf("%q: a keyword of Go can't be the name of the game's package", name)
	}
	if why := unusableNames[name]; why != "" {
		return fmt.Errorf("%q: %s; choose another name", name, why)
	}
	if k, err := l.KindOf(name); err == nil {
		return fmt.Errorf("%q: there is a kind of game of that name already: %s", name, k.About)
	}
	return nil
}

// moduleLine is the line of a go.mod that says what the module is called.
var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// refuseSource says why the folder source does not have oxo's source, nil where it does. Named is how it was given.
func refuseSource(source, named, name string) error {
	refuse := func(what string) error {
		return fmt.Errorf("--oxo %s: %s, seen from the folder %s; say where oxo's source is", named, what, name)
	}
	text, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return refuse("there is no Go module")
	}
	module := ""
	if found := moduleLine.FindSubmatch(text); found != nil {
		module = string(found[1])
	}
	if module != "oxo" {
		return refuse(fmt.Sprintf("it is the module %q, not oxo", module))
	}
	if _, err := os.Stat(filepath.Join(source, "lab", "lab.go")); err != nil {
		return refuse("the module oxo there has no package lab")
	}
	return nil
}

// writeGameSkeleton writes the folder and returns the paths of its files.
func (a *app) writeGameSkeleton(name, module string) ([]string, error) {
	if err := refuseName(a.lab, name); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(name); err == nil {
		return nil, fmt.Errorf("%s is there already", name)
	}
	source := module
	if !filepath.IsAbs(source) {
		source = filepath.Join(name, source)
	}
	if err := refuseSource(source, module, name); err != nil {
		return nil, err
	}
	files, err := fillSkeleton(name, module)
	if err != nil {
		return nil, err
	}
	var written []string
	for path, data := range files {
		path = filepath.Join(name, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := writeAtomically(path, data); err != nil {
			return nil, err
		}
		written = append(written, path)
	}
	slices.Sort(written)
	return written, nil
}

// fillSkeleton returns the files of a game's program by their paths. Paths are templates too. What is
// Go is formatted, which also shows that it parses.
func fillSkeleton(name, module string) (map[string][]byte, error) {
	with := struct{ Name, Oxo string }{name, module}
	fill := func(text string) []byte {
		var b bytes.Buffer
		if err := template.Must(template.New("").Parse(text)).Execute(&b, with); err != nil {
			panic(err) // the skeleton is part of the program
		}
		return b.Bytes()
	}
	files := map[string][]byte{}
	for from, to := range skeletonFiles {
		text, err := skeleton.ReadFile("skeleton/" + from)
		if err != nil {
			return nil, err
		}
		data := fill(string(text))
		if strings.HasSuffix(to, ".go") {
			if data, err = format.Source(data); err != nil {
				return nil, err
			}
		}
		files[string(fill(to))] = data
	}
	return files, nil
}

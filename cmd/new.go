package cmd

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"oxo"
	"oxo/lab"
	"oxo/learn/model"
	"oxo/learn/space"
)

//go:embed skeleton
var skeleton embed.FS

// program is what a program of one's own has that oxo has not: a game, a player or a learner.
type program struct {
	what, works, try string                     // try is the command to go on with, but for the name
	files            map[string]string          // beside those that all have, by template
	part             func(name string) lab.Part // one of that name, for the lab to say whether it is taken
}

// programs are the kinds of programs that can be begun.
var programs = []program{
	{"game", "The game in it is a small one that works", "play %s",
		map[string]string{"kind.go.tmpl": "{{.Name}}/kind.go", "perft.tmpl": "{{.Name}}/testdata/{{.Name}}.perft"},
		nil},
	{"player", "The player in it plays all games", "play ttt --second %s", nil,
		func(name string) lab.Part {
			p := lab.Player{Open: func(*oxo.Game[oxo.Any], string) (func(*rand.Rand) oxo.Player[oxo.Any], error) {
				return nil, errors.ErrUnsupported
			}}
			p.Name = name
			return p
		}},
	{"learner", "The learner in it learns games that are small enough to list", "train %s", nil,
		func(name string) lab.Part {
			return lab.Learner{Name: name, Build: func(*space.Space, any, *rand.Rand) (*model.Learner, error) {
				return nil, errors.ErrUnsupported
			}}
		}},
}

// skeletonFiles are the files that all programs have, by template; .What is what they have beside.
var skeletonFiles = map[string]string{
	"go.mod.tmpl":            "go.mod",
	"main.go.tmpl":           "main.go",
	"{{.What}}.go.tmpl":      "{{.Name}}/{{.Name}}.go",
	"{{.What}}_test.go.tmpl": "{{.Name}}/{{.Name}}_test.go",
}

// packageName is what a game, player or learner of one's own can be called: a name of a package.
var packageName = regexp.MustCompile(`^[a-z][a-z0-9]{0,30}$`)

// newVerb returns the verb that writes the beginning of a program.
func newVerb(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "new",
		Short: "write the beginning of a program with a game, player or learner of your own",
	}
	setUpGroupCommand(a, c)
	for _, p := range programs {
		var source string
		one := &cobra.Command{
			Use:   p.what + " NAME",
			Short: fmt.Sprintf("write the folder NAME: a Go program that is oxo and the %s NAME", p.what),
			Long: fmt.Sprintf("write the folder NAME: a Go program that is oxo and the %s NAME.\n"+
				"%s; change it to yours. See docs/library.md.", p.what, p.works),
			Example: fmt.Sprintf("  oxo new %s hop --oxo ~/src/oxo", p.what),
			Args:    exactArgs("NAME"),
			RunE: func(_ *cobra.Command, args []string) error {
				written, err := a.writeSkeleton(p, args[0], source)
				if err != nil {
					return fmt.Errorf("new %s: %w", p.what, err)
				}
				return a.answerf(newAnswer{pagesAnswer{written}, args[0]},
					"%s\nGo on with: cd %s && go mod tidy && go test ./... && go run . "+p.try+"\n",
					strings.Join(written, "\n"), args[0], args[0])
			},
		}
		one.Flags().StringVar(&source, "oxo", "oxo", "the folder of oxo's source")
		c.AddCommand(one)
	}
	return c
}

// unusableNames are the names that the skeleton can't be written with, and why.
var unusableNames = map[string]string{
	"main":     "a package of that name is a program, which no other imports",
	"init":     "Go imports no package of that name",
	"cmd":      "main.go imports oxo/cmd beside it",
	"lab":      "main.go imports oxo/lab beside games",
	"kind":     "kind.go is the file of the game's kind",
	"vendor":   "go looks for copies of other modules in a folder of that name",
	"testdata": "go leaves a folder of that name out",
}

// refuseName says why none can be called so, nil where one can.
func (p *program) refuseName(l *lab.Lab, name string) error {
	if !packageName.MatchString(name) {
		return fmt.Errorf("%q: a name is lower-case letters and digits and begins with a letter, as a Go package's; "+
			"31 at most", name)
	}
	if token.IsKeyword(name) {
		return fmt.Errorf("%q: a keyword of Go can't be the name of a package", name)
	}
	if why := unusableNames[name]; why != "" {
		return fmt.Errorf("%q: %s; choose another name", name, why)
	}
	if k, err := l.KindOf(name); err == nil {
		return fmt.Errorf("%q: there is a kind of game of that name already: %s", name, k.About)
	}
	if p.part == nil {
		return nil
	}
	bare := l.Bare()
	return bare.Add(p.part(name))
}

// moduleLine is the line of a go.mod that says what the module is called.
var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// refuseSource says why the folder source does not have oxo's source, nil where it does.
func refuseSource(source string) error {
	refuse := func(what string) error {
		return fmt.Errorf("--oxo %s: %s; say where oxo's source is", source, what)
	}
	text, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return refuse("there is no Go module there")
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

// writeSkeleton writes the folder name, of a program on oxo's source, and returns the paths of its files.
func (a *app) writeSkeleton(p program, name, source string) ([]string, error) {
	if err := p.refuseName(a.lab, name); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(name); err == nil {
		return nil, fmt.Errorf("%s is there already", name)
	}
	if err := refuseSource(source); err != nil {
		return nil, err
	}
	if !filepath.IsAbs(source) {
		source = filepath.ToSlash(filepath.Join("..", source)) // as the new folder sees it
	}
	files, err := p.fillSkeleton(name, source)
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

// fillSkeleton returns the files of a program by their paths, source as its folder sees it. Paths are
// templates too. What is Go is formatted, which also shows that it parses.
func (p *program) fillSkeleton(name, source string) (map[string][]byte, error) {
	with := struct{ What, Name, Oxo string }{p.what, name, source}
	fill := func(text string) []byte {
		var b bytes.Buffer
		if err := template.Must(template.New("").Parse(text)).Execute(&b, with); err != nil {
			panic(err) // the skeleton is part of the program
		}
		return b.Bytes()
	}
	files, wanted := map[string][]byte{}, maps.Clone(skeletonFiles)
	maps.Copy(wanted, p.files)
	for from, to := range wanted {
		text, err := skeleton.ReadFile("skeleton/" + string(fill(from)))
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

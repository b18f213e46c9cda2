package cmd

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"oxo/cmd/licences"
)

// gamesVerb returns the verb that lists games, players and learners.
func gamesVerb(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "games [GAME]",
		Short:   "list the games, players and learners, and how they are named; or tell of one game or kind",
		Example: "  oxo games\n  oxo games mnk\n  oxo games connect4\n  oxo games --json",
		Args:    atMostArgs("GAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return a.showKind(args[0])
			}
			games := a.lab.ListKinds()
			var learners [][2]string // as players are
			for _, f := range a.lab.LearnerForms() {
				learners = append(learners, [2]string{learnerForm(f), f.About})
			}
			var players [][2]string
			for _, p := range a.lab.PlayerKinds() {
				players = append(players, [2]string{p.Form, p.About})
			}
			if a.json {
				return a.printJSON(listsAnswer{games, players, learners})
			}
			a.printf("Games\n")
			for _, g := range games {
				a.printf("  %-38s %s\n", g.Form, g.About)
			}
			a.printf("\nOptions, joined with + as in mnk:4,4,4+misere+gravity\n")
			for _, g := range games {
				if len(g.Options) > 0 {
					a.printf("  %-10s %s\n", strings.SplitN(g.Form, ":", 2)[0], strings.Join(g.Options, " "))
				}
			}
			a.printf("\nPlayers\n")
			for _, p := range players {
				a.printf("  %-38s %s\n", p[0], p[1])
			}
			a.printf("\nLearners, for oxo train: each with its options and what they are if left out; --options says " +
				"what they mean\n")
			for _, l := range learners {
				a.printf("  %s\n      %s\n", l[0], l[1])
			}
			return nil
		},
	}
}

// option is an option of a kind of games, and what it means.
type option struct {
	Option string `json:"option" doc:"the option, without its +"`
	About  string `json:"about" doc:"what it means"`
}

// showKind prints what is known of a kind of games, whose name or one of whose games is given. A spec
// such as mnk:4,4,4 shows its kind with the rules of that game, a name alone with those of the kind's
// example. A game may be given by a name such as connect4, too.
func (a *app) showKind(spec string) error {
	name, _, one := strings.Cut(strings.ReplaceAll(spec, "+", ":"), ":")
	k, err := a.lab.KindOf(name)
	if err != nil {
		if g, unknown := a.lab.Game(spec); unknown == nil { // by a word that people type for it
			return a.showKind(g.Info().Spec)
		}
		return fmt.Errorf("games: %w", err)
	}
	example, rules := k.Example, ""
	if one {
		example = spec
	}
	if example != "" {
		g, err := a.lab.Game(example)
		if err != nil {
			return err
		}
		rules = g.Info().Rules
		levels := k.Levels[:0:0]
		for _, l := range k.Levels {
			if !one || l.Game == g.Info().Spec {
				levels = append(levels, l)
			}
		}
		k.Levels = levels // of one game, its own alone
	}
	options := []option{}
	for _, m := range k.OptionMeanings() {
		options = append(options, option{m[0], m[1]})
	}
	if a.json {
		return a.printJSON(kindAnswer{k, options, rules})
	}
	a.printf("%s: %s\n", k.Form, k.About)
	if rules != "" {
		a.printf("\n%s: %s\n", example, rules)
	}
	head := func(title string, rows int) {
		if rows > 0 {
			a.printf("\n%s\n", title)
		}
	}
	head("Options", len(options))
	for _, o := range options {
		a.printf("  +%-12s %s\n", o.Option, o.About)
	}
	head("Such as", len(k.Offers))
	for _, o := range k.Offers {
		a.printf("  %-24s %s\n", o.Spec, o.Name)
	}
	head("Players of this game alone", len(k.Only))
	for _, p := range k.Only {
		a.printf("  %-24s %s\n", p.Form, p.About)
	}
	head("Levels, Elo in matches with the level below", len(k.Levels))
	for _, f := range k.Levels {
		a.printf("  %-24s level:%d %s, ± %.0f\n", f.Game, f.Level, f.Text(), f.Error)
	}
	return nil
}

const version = "0.1.0"

// versionVerb returns the verb that says which program this is.
func versionVerb(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print version, commit and Go version",
		Args:  exactArgs(),
		RunE:  func(*cobra.Command, []string) error { return answerVersion(a) },
	}
}

// answerVersion says which program this is.
func answerVersion(a *app) error { return a.answerf(programVersion(), "%s\n", programVersion()) }

// buildInfo says of what a program was made.
type buildInfo struct {
	Version string `json:"version" doc:"of the program"`
	Commit  string `json:"commit" doc:"that it was built from"`
	Go      string `json:"go" doc:"the version of Go that built it"`

	modified bool // since the commit
}

// unknownCommit stands for the commit of a program that was built from none.
const unknownCommit = "unknown"

// String is the line that oxo --version prints.
func (m buildInfo) String() string {
	return fmt.Sprintf("oxo %s, commit %s, %s", m.Version, m.Commit, m.Go)
}

// programVersion says of what this program was made.
func programVersion() buildInfo {
	m := buildInfo{Version: version, Commit: unknownCommit}
	if info, ok := debug.ReadBuildInfo(); ok {
		m.Go = info.GoVersion
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				m.Commit = s.Value
			case "vcs.modified":
				m.modified = s.Value == "true"
			}
		}
	}
	return m
}

// licencesVerb returns the verb that lists what the program is built from.
func licencesVerb(a *app) *cobra.Command {
	var texts bool
	c := &cobra.Command{
		Use:   "licences",
		Short: "list what the program is built from, and under what licence each may be used",
		Args:  atMostArgs(),
		RunE: func(*cobra.Command, []string) error {
			list, err := licences.All()
			if err != nil {
				return err
			}
			if !texts {
				for i := range list {
					list[i].Text = ""
				}
			}
			return a.answer(licencesAnswer{list}, func() {
				for _, l := range list {
					a.printf("%-42s %-36s %s\n", l.Module, l.Version, l.Licence)
					if texts {
						a.printf("\n%s\n\n", l.Text)
					}
				}
			})
		},
	}
	c.Flags().BoolVar(&texts, "texts", false, "print the licences themselves, too")
	return c
}

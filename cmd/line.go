package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/learn"
	"oxo/learn/model"
)

// gameWord is how the use of a verb whose first word is its game names it.
const gameWord = "GAME"

// firstArgumentName returns what a verb takes as its first word; empty for none.
func firstArgumentName(c *cobra.Command) string {
	words := strings.Fields(c.Use)
	if len(words) < 2 {
		return ""
	}
	return strings.Trim(words[1], "[]…")
}

// addGameFlag gives a verb whose first word is its game the flag --game too. Both forms may be given
// if they agree. It wraps the command's own check and run, so that a verb knows of one form only.
func addGameFlag(c *cobra.Command) {
	if firstArgumentName(c) != gameWord || c.Flags().Lookup("game") != nil {
		return
	}
	var game string
	c.Flags().StringVar(&game, "game", "", "the game, instead of the first word")
	check, run := c.Args, c.RunE
	with := func(c *cobra.Command, words []string) []string {
		if !c.Flags().Changed("game") || len(words) > 0 && words[0] == game {
			return words
		}
		return append([]string{game}, words...)
	}
	c.Args = func(c *cobra.Command, words []string) error {
		err := check(c, with(c, words))
		if err != nil && c.Flags().Changed("game") && check(c, words) == nil {
			return fmt.Errorf("%s: %s and --game %s: give one game", c.Name(), words[0], game)
		}
		return err
	}
	c.RunE = func(c *cobra.Command, words []string) error { return run(c, with(c, words)) }
}

// gameOfBrains returns the game of the first brain among specs of players, which is the one that is meant where none is
// named; empty for none. A file that holds no brain is left to who opens the player.
func gameOfBrains(l *lab.Lab, players ...string) string {
	for _, spec := range players {
		path, found := strings.CutPrefix(spec, "brain:")
		if !found {
			continue
		}
		if data, err := l.ReadFile(path); err == nil {
			if brain, err := learn.ReadBrain(data); err == nil {
				return brain.Game
			}
		}
	}
	return ""
}

// gameUsage says how else a verb takes its game.
func gameUsage(c *cobra.Command) string {
	switch {
	case c.Flags().Lookup("game") == nil:
		return ""
	case firstArgumentName(c) == gameWord:
		return "; the game is its first word, or --game SPEC"
	}
	return "; a game is named by --game SPEC"
}

// addCompletions has the shell complete games, players, learners and algorithms with
// their options wherever a verb takes one.
func (a *app) addCompletions(c *cobra.Command) {
	players := func(typed string) []string { return playerSpecs(a.lab, typed) }
	lists := map[string]func(typed string) []string{
		"GAME": a.gameSpecs, "KIND": a.kindNames, "PLAYER": players, "A": players, "B": players,
		"LEARNER": func(typed string) []string {
			return learnerSpecs(a.lab, typed)
		},
		"PROTOCOL": func(string) []string { return []string{"gomocup", "codingame", "ugi", "quiz"} },
		"TOPIC":    func(string) []string { return topicNames() },
		"VERB":     func(string) []string { return verbNames(c.Root()) },
	}
	complete := func(list func(typed string) []string) cobra.CompletionFunc {
		return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return matchingCompletions(list(typed), typed)
		}
	}
	if words := strings.Fields(c.Use)[1:]; len(words) > 0 && !c.HasSubCommands() {
		c.ValidArgsFunction = func(c *cobra.Command, given []string, typed string) ([]string,
			cobra.ShellCompDirective) {
			at := min(len(given), len(words)-1)
			word := words[at]
			if len(given) > at && !strings.HasSuffix(strings.Trim(word, "[]"), "…") {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var offered []string
			for either := range strings.SplitSeq(strings.Trim(word, "[]…"), "|") {
				if lists[either] == nil {
					return nil, cobra.ShellCompDirectiveDefault
				}
				offered = append(offered, lists[either](typed)...)
			}
			return matchingCompletions(offered, typed)
		}
	}
	for name, list := range map[string]func(typed string) []string{
		"game": a.gameSpecs, "player": players, "first": players, "second": players,
		"against":   func(typed string) []string { return append(players(typed), learn.Itself, "pool") },
		"algorithm": func(string) []string { return lab.AlgorithmNames() },
	} {
		if c.Flags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, complete(list)) // a verb is completed once
		}
	}
	for _, sub := range c.Commands() {
		a.addCompletions(sub)
	}
}

// matchingCompletions returns those of the list that begin with what was typed. What can
// go on with options has no space after it.
func matchingCompletions(list []string, typed string) ([]string, cobra.ShellCompDirective) {
	how := cobra.ShellCompDirectiveNoFileComp
	list = slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !strings.HasPrefix(s, typed) })
	goesOn := func(s string) bool { return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "=") }
	if slices.ContainsFunc(list, goesOn) {
		how |= cobra.ShellCompDirectiveNoSpace
	}
	return list, how
}

// verbNames lists the verbs under one, for completion.
func verbNames(c *cobra.Command) []string {
	var list []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			list = append(list, sub.Name())
		}
	}
	return list
}

// kindNames lists the names of the kinds of games, for completion.
func (a *app) kindNames(string) []string {
	var list []string
	for _, k := range a.lab.ListKinds() {
		list = append(list, k.Name)
	}
	return list
}

// gameSpecs lists the games that have a name, and where a game was typed up to a +, that game with each of its
// options. The list is sorted, and has no word twice.
func (a *app) gameSpecs(typed string) []string {
	var list []string
	name, _, _ := strings.Cut(typed, ":")
	name, _, _ = strings.Cut(name, "+")
	upTo, optioned := beforeLast(typed, "+")
	for _, k := range a.lab.ListKinds() {
		if !optioned {
			for _, o := range k.Offers {
				list = append(list, o.Spec)
			}
			if k.Form != k.Name {
				list = append(list, k.Name+":")
			} else {
				list = append(list, k.Name)
			}
		} else if k.Name == name {
			for _, o := range k.Options {
				list = append(list, upTo+"+"+o)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// beforeLast returns what of a text comes before the last of those; the whole text where there is none.
func beforeLast(text, separator string) (before string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, false
	}
	return text[:i], true
}

// playerSpecs lists the players, and where one was typed up to its options, that player with each of them, the
// value left to be typed.
func playerSpecs(l *lab.Lab, typed string) []string {
	var list []string
	for _, p := range l.PlayerKinds() {
		list = append(list, expandForm(p.Form, typed)...)
	}
	return list
}

// expandForm makes words of a form such as "mcts:sims=N or :time=D[,eval=E]". Of a form whose name was
// not typed in full it makes the name; of others what was typed with each option's key added.
func expandForm(form, typed string) []string {
	name, options, more := strings.Cut(form, ":")
	name, _, _ = strings.Cut(name, " ")
	name = strings.TrimSuffix(name, ",")
	if !strings.HasPrefix(typed, name+":") {
		if more {
			return []string{name, name + ":"}
		}
		return []string{name}
	}
	upTo, second := beforeLast(typed, ",")
	if upTo += ","; !second {
		upTo = name + ":"
	}
	var list []string
	for _, word := range strings.FieldsFunc(options, func(r rune) bool { return strings.ContainsRune(" ,:[]", r) }) {
		if key, _, found := strings.Cut(word, "="); found {
			list = append(list, upTo+key+"=")
		}
	}
	return list
}

// learnerSpecs is playerSpecs of learners.
func learnerSpecs(l *lab.Lab, typed string) []string {
	var list []string
	for _, f := range l.LearnerForms() {
		list = append(list, expandForm(learnerForm(f), typed)...)
	}
	return list
}

// learnerForm writes a learner with its options and what they are if left out, in the form of its specs.
func learnerForm(f model.Form) string {
	form := f.Name
	for i, s := range f.Settings {
		form += fmt.Sprintf("%c%s=%s", ":,"[min(i, 1)], s.Key, s.Value)
	}
	return form
}

package typed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"oxo/board"
)

// spec is a game spec taken apart: kind:args+option+option.
type spec struct {
	text    string
	kind    string
	args    string
	options []string
}

// pathKinds are the kinds whose argument can be a path, which may hold a plus
// sign: only known options are taken off its end.
var pathKinds = []string{"file", "tree"}

// geometry are the options that change the board or the placing of marks, not
// the meaning of a completed set.
var geometry = []string{"gravity", "exact"}

func splitSpec(text string) spec {
	s := spec{text: text}
	s.kind, s.args, _ = strings.Cut(text, ":")
	if slices.Contains(pathKinds, s.kind) {
		for {
			i := strings.LastIndexByte(s.args, '+')
			if i < 0 || !knownOption(s.args[i+1:]) {
				return s
			}
			s.options = append([]string{s.args[i+1:]}, s.options...)
			s.args = s.args[:i]
		}
	}
	words := strings.Split(text, "+")
	s.kind, s.args, _ = strings.Cut(words[0], ":")
	s.options = words[1:]
	return s
}

func knownOption(word string) bool {
	return slices.Contains(geometry, word) || strings.HasPrefix(word, "slip=") || slices.Contains(ruleWords(), word)
}

// ruleWords returns the options that name rules, each once.
func ruleWords() []string {
	var words []string
	for _, r := range board.AllRules {
		for _, w := range strings.Split(r.Name, "+") {
			if w != "" && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	return words
}

// optionWords lists the options of positional games, for error messages.
func optionWords() string {
	return strings.Join(append(append(ruleWords(), geometry...), "slip=P"), ", ")
}

// settings are the options of a positional game.
type settings struct {
	rules          board.Rules
	gravity, exact bool
}

// readOptions reads the options of a positional game. It refuses unknown ones,
// ones given twice, and combinations without meaning.
func readOptions(words []string) (settings, error) {
	var s settings
	var rules []string
	slip := 0.0
	for i, w := range words {
		if slices.Contains(words[:i], w) {
			return s, fmt.Errorf("option %q is given twice", w)
		}
		switch value, isSlip := strings.CutPrefix(w, "slip="); {
		case isSlip:
			p, err := strconv.ParseFloat(value, 64)
			if err != nil || !(0 < p && p < 1) {
				return s, fmt.Errorf("option %q: the probability must lie between 0 and 1, both excluded", w)
			}
			if slip != 0 {
				return s, fmt.Errorf("option %q: slip is given twice", w)
			}
			slip = p
		case w == "gravity":
			s.gravity = true
		case w == "exact":
			s.exact = true
		case slices.Contains(ruleWords(), w):
			rules = append(rules, w)
		default:
			return s, fmt.Errorf("unknown option %q; options are %s", w, optionWords())
		}
	}
	r, err := findRules(rules)
	if err != nil {
		return s, err
	}
	s.rules = r
	s.rules.Slip = slip
	return s, nil
}

// findRules returns the rules that the words name together.
func findRules(words []string) (board.Rules, error) {
	for _, r := range board.AllRules {
		names := strings.FieldsFunc(r.Name, func(c rune) bool { return c == '+' })
		if len(names) == len(words) && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(names, w) }) {
			return r, nil
		}
	}
	has := func(w string) bool { return slices.Contains(words, w) }
	both := strings.Join(words, " and ")
	switch {
	case has("misere") && (has("maker") || has("breaker")):
		return board.Rules{}, fmt.Errorf("options %s: a Maker who must not own a set is Avoider; use avoider or enforcer", both)
	case has("misere") && (has("avoider") || has("enforcer")):
		return board.Rules{}, fmt.Errorf("options %s: Avoider who wins by owning a set is Maker; use maker or breaker", both)
	case has("misere") && has("notakto"):
		return board.Rules{}, fmt.Errorf("options %s: in notakto completing a set loses already", both)
	case has("misere") && (has("order") || has("chaos")):
		return board.Rules{}, fmt.Errorf("options %s: one side wants a set and the other none already; swap order and chaos instead", both)
	}
	return board.Rules{}, fmt.Errorf("options %s: each names a game of its own; choose one", both)
}

// suffix writes the options in their canonical order.
func (s settings) suffix() string {
	text := ""
	if s.rules.Name != "" {
		text += "+" + s.rules.Name
	}
	if s.gravity {
		text += "+gravity"
	}
	if s.exact {
		text += "+exact"
	}
	if s.rules.Slip != 0 {
		text += "+slip=" + strconv.FormatFloat(s.rules.Slip, 'g', -1, 64)
	}
	return text
}

// describe says the options in words.
func (s settings) describe() string {
	text := ""
	names := map[string]string{
		"misere": "misère", "maker": "Maker–Breaker, Maker first", "breaker": "Maker–Breaker, Breaker first",
		"avoider": "Avoider–Enforcer, Avoider first", "enforcer": "Avoider–Enforcer, Enforcer first",
		"wild": "wild", "wild+misere": "wild misère", "notakto": "notakto",
		"order": "Order and Chaos, Order first", "chaos": "Order and Chaos, Chaos first",
	}
	if s.rules.Name != "" {
		text += ", " + names[s.rules.Name]
	}
	if s.gravity {
		text += ", marks fall"
	}
	if s.exact {
		text += ", longer rows don't count"
	}
	if s.rules.Slip != 0 {
		text += fmt.Sprintf(", a mark slips with probability %g", s.rules.Slip)
	}
	return text
}

// numbers reads exactly n whole numbers joined with commas.
func numbers(args string, n int) ([]int, error) {
	words := strings.Split(args, ",")
	if args == "" || len(words) != n {
		if n == 1 {
			return nil, fmt.Errorf("%q: a whole number is needed", args)
		}
		return nil, fmt.Errorf("%q: %d whole numbers joined with commas are needed", args, n)
	}
	list := make([]int, n)
	for i, w := range words {
		v, err := strconv.Atoi(w)
		if err != nil {
			return nil, fmt.Errorf("%q is no whole number", w)
		}
		list[i] = v
	}
	return list, nil
}

package kind

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"oxo/board"
	"oxo/message"
)

// Positional is a kind of games with squares and winning sets.
type Positional struct {
	Kind
	Open func(s Spec) (Design, error)
}

// ErrTooLarge is that a board has more squares than positional games have. Another
// kind of the same name may know it.
var ErrTooLarge = fmt.Errorf("at most %d squares", board.MaxSquares)

// Design is a positional game that is yet to be made.
type Design struct {
	Spec     string
	Title    message.Message
	Identity string // tells the game from all others, in files; empty, it is its spec
	Board    *board.Board
	Settings
	Aim  message.Message // what the winning sets are, as in "whoever first owns {aim}"
	Look                 // Drawn is empty where the board's layout says it; the board says what falls
}

// Settings are the options of a positional game.
type Settings struct {
	Rules          board.Rules
	Gravity, Exact bool // Gravity says what the spec says; the board knows what falls
}

// The options that change the board or the placing of marks, not the meaning of
// a completed set.
const (
	Gravity = "gravity"
	Exact   = "exact"
	slip    = "slip="
)

// geometry are the options that Split takes off the end of a path, beside those of rules and slips.
var geometry = []string{Gravity, Exact}

// PositionalOptions returns the options of all positional games, and after them those
// more.
func PositionalOptions(more ...string) []string {
	var list []string
	for _, r := range board.AllRules {
		if r.Name != "" {
			list = append(list, r.Name)
		}
	}
	return append(append(list, slip+"P"), more...)
}

// RuleWords returns the options that name rules, each once.
func RuleWords() []string {
	var words []string
	for _, r := range board.AllRules {
		for w := range strings.SplitSeq(r.Name, "+") {
			if w != "" && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	return words
}

// Opener returns how a kind is opened whose options are just those of positional
// games: it reads them, and adds them to the spec and title that build gives.
func Opener(build func(s Spec, o Settings) (Design, error)) (open func(Spec) (Design, error)) {
	return func(s Spec) (Design, error) {
		o, err := s.ReadSettings(s.Options)
		if err != nil {
			return Design{}, err
		}
		d, err := build(s, o)
		if err != nil {
			return Design{}, err
		}
		d.Settings = o
		d.Spec += o.Suffix()
		d.Title = o.TitleWithOptions(d.Title)
		return d, nil
	}
}

// ReadSettings reads the options of a positional game, from its spec or from elsewhere. It refuses unknown ones,
// ones given twice, and combinations without meaning.
// The order of the words does not matter; Suffix writes them in the canonical one.
func (of Spec) ReadSettings(words []string) (Settings, error) {
	var s Settings
	var rules []string
	p := 0.0
	for i, w := range words {
		if slices.Contains(words[:i], w) {
			return s, fmt.Errorf("option %q is given twice", w)
		}
		switch value, slips := strings.CutPrefix(w, slip); {
		case slips:
			v, err := strconv.ParseFloat(value, 64)
			if err != nil || !(0 < v && v < 1) {
				return s, fmt.Errorf("option %q: the probability must lie between 0 and 1, both excluded", w)
			}
			if p != 0 {
				return s, fmt.Errorf("option %q: slip is given twice", w)
			}
			p = v
		case w+"=" == slip:
			return s, fmt.Errorf("option %q needs a probability, as in %s0.1", w, slip)
		case w == Gravity:
			s.Gravity = true
		case w == Exact:
			s.Exact = true
		case slices.Contains(RuleWords(), w):
			rules = append(rules, w)
		default:
			return s, fmt.Errorf("unknown option %q; options are %s", w, strings.Join(of.Accepted, ", "))
		}
	}
	r, err := rulesNamed(rules)
	if err != nil {
		return s, err
	}
	s.Rules = r
	s.Rules.Slip = p
	return s, nil
}

// rulesNamed returns the rules that the words name together.
// No words are the usual rules, which have the empty name.
func rulesNamed(words []string) (board.Rules, error) {
	for _, r := range board.AllRules {
		names := strings.FieldsFunc(r.Name, func(c rune) bool { return c == '+' })
		if len(names) == len(words) &&
			!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(names, w) }) {
			return r, nil
		}
	}
	both := strings.Join(words, " and ")
	if slices.Contains(words, "misere") {
		for _, c := range misereIs {
			if slices.Contains(words, c[0]) {
				return board.Rules{}, fmt.Errorf("options %s: %s", both, c[1])
			}
		}
	}
	return board.Rules{}, fmt.Errorf("options %s: each names a game of its own; choose one", both)
}

// RefuseExact refuses the option exact.
func (s Settings) RefuseExact() error {
	if s.Exact {
		return fmt.Errorf("option %s: only rows on a grid can be too long", Exact)
	}
	return nil
}

// options are the words that say the settings, in their canonical order.
func (s Settings) options() (list []string) {
	if s.Rules.Name != "" {
		list = append(list, s.Rules.Name)
	}
	if s.Gravity {
		list = append(list, Gravity)
	}
	if s.Exact {
		list = append(list, Exact)
	}
	if s.Rules.Slip != 0 {
		list = append(list, slip+strconv.FormatFloat(s.Rules.Slip, 'g', -1, 64))
	}
	return list
}

// Suffix writes the options in their canonical order.
func (s Settings) Suffix() (text string) {
	for _, w := range s.options() {
		text += "+" + w
	}
	return text
}

// TitleWithOptions returns the title of a game with the options after it.
func (s Settings) TitleWithOptions(title message.Message) message.Message {
	for _, w := range s.options() {
		option := message.Message{Key: "title." + w}
		if strings.HasPrefix(w, slip) {
			option = message.Of("title.slip", message.Args{"p": s.Rules.Slip})
		}
		title = message.Of("title.with", message.Args{"title": title, "option": option})
	}
	return title
}

// Explain says how a positional game is played in which the winning sets are
// such, and in which marks fall or not.
func (s Settings) Explain(aim message.Message, falls bool) []message.Message {
	list := []message.Message{{Key: [...]string{"place.own", "place.either", "place.cross"}[s.Rules.Place]}}
	if falls {
		list = append(list, message.Message{Key: "falls"})
	}
	if s.Rules.Slip != 0 {
		list = append(list, message.Of("slips", message.Args{"p": s.Rules.Slip}))
	}
	return append(list, message.Of("end."+cmp.Or(s.Rules.Name, "normal"), message.Args{"aim": aim}))
}

// Explain says how the game is played.
func (d *Design) Explain() []message.Message {
	list := d.Settings.Explain(d.Aim, d.Board.Below != nil)
	// On a larger board, or one that takes more steps to be sure, the rules say no less: only not that draws can't be.
	const small, steps = 32, 2000
	end := &list[len(list)-1]
	if words[end.Key+".drawless"] != "" && d.Board.N <= small && alwaysCompleted(d.Board, steps) {
		end.Key += ".drawless"
	}
	return list
}

// roles are what the two sides are called by the rules under which their marks do not say it: by what each is after, or
// by who moves first where both place the same marks.
var roles = map[string][]message.Message{
	"maker":       sides("maker", "breaker"),
	"breaker":     sides("breaker", "maker"),
	"avoider":     sides("avoider", "enforcer"),
	"enforcer":    sides("enforcer", "avoider"),
	"order":       sides("order", "chaos"),
	"chaos":       sides("chaos", "order"),
	"wild":        sides("first", "second"),
	"wild+misere": sides("first", "second"),
	"notakto":     sides("first", "second"),
}

// sides returns the messages that name the two sides, in the order of the seats.
func sides(first, second string) []message.Message {
	return []message.Message{{Key: "side." + first}, {Key: "side." + second}}
}

// View returns how the game is drawn.
func (d *Design) View() View {
	v, on := View{Look: d.Look}, BoardView(d.Board)
	v.Drawn, v.Falls, v.Squares = cmp.Or(d.Drawn, on.Drawn), on.Falls, on.Squares
	v.Roles = roles[d.Rules.Name]
	return v
}

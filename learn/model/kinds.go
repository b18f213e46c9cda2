package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/show"
	"oxo/learn/space"
)

// ParseWithSavedSettings reads a learner's spec as [Parse] does, with all its settings as they were, whatever the usual
// ones are now. A brain that was kept goes on as it was taught, where the usual values have changed since.
func ParseWithSavedSettings(learner string, saved []Setting, more ...Kind) (Spec, error) {
	s, err := Parse(learner, more...)
	if err != nil {
		return Spec{}, err
	}
	text, said := s.kind.Name+":", map[string]bool{}
	for _, v := range saved {
		text += v.Key + "=" + v.Value + ","
		said[v.Key] = true
	}
	for word := range strings.SplitSeq(s.kind.Was, ",") {
		if key, _, _ := strings.Cut(word, "="); !said[key] {
			text += word + ","
		}
	}
	text = strings.TrimRight(text, ":,")
	full, err := Parse(text, more...)
	full.given, full.kept = learner, true
	return full, err
}

// Kind is one kind of learner: how its specs are read, and how it is made. To add one to oxo's own is to add a line to
// kinds; programs hand theirs to a lab.
type Kind struct {
	Name  string // the word that its specs begin with
	About string // what it is, in a line

	// Read reads the options; what it returns is handed to Build. Where it is nil, there are no options.
	Read func(o *option.Reader) any

	// Build makes the learner for the game of a space, or says why it can't learn that. All chance is of r.
	Build func(s *space.Space, options any, r *rand.Rand) (*Learner, error)

	// Refuse says why Build would fail, where that would take long to build; else nil.
	Refuse func(s *space.Space, options any) error

	// Was are options of now, as they were before there was a choice: those of brains that say nothing of them.
	Was string
}

// guarded returns a kind from outside whose faults are errors: a panic, and a learner that lacks a module.
func (k Kind) guarded() *Kind {
	read, build, refuse := k.Read, k.Build, k.Refuse
	k.Read = func(o *option.Reader) (options any) {
		if read != nil {
			o.Fail(oxo.CatchPanic(func() error { options = read(o); return nil }))
		}
		return options
	}
	k.Build = func(s *space.Space, options any, r *rand.Rand) (l *Learner, err error) {
		defer oxo.RecoverInto(&err)
		l, err = build(s, options, r)
		if err == nil && (l == nil || l.Hypothesis == nil || l.Critic == nil || l.Generalizer == nil ||
			l.Memory == nil) {
			err = errors.New("its Build returns neither all four modules nor an error")
		}
		return l, err
	}
	if refuse != nil {
		k.Refuse = func(s *space.Space, options any) error {
			return oxo.CatchPanic(func() error { return refuse(s, options) })
		}
	}
	return &k
}

// kinds lists the kinds of learners, in the order in which help and lists have them: oxo's own, and then more.
func kinds(more ...Kind) []*Kind {
	list := []*Kind{
		{"menace", "Michie's matchboxes", readMenace, buildMenace, nil, "as=michie"},
		{"table", "the worth of every position met, from how games ended", readTable, buildTable, nil, ""},
		{"lms", "a weighted sum of features, by least mean squares",
			func(o *option.Reader) any { return readLinear(o, "0.01", "outcome", "0") }, buildLinear, nil, ""},
		{"td", "a weighted sum of features, by temporal differences",
			func(o *option.Reader) any { return readLinear(o, "0.02", "successor", "0.7") }, buildLinear, nil, ""},
		{"q", "the worth of every move in every position", readQ, buildTable, nil, ""},
		{"td-leaf", "a weighted sum of features at the leaves of a search", readLeaf, buildLeaf, nil, ""},
		{"evolve", "a population of weights, bred by tournament", readEvolve, buildEvolve, nil,
			"loss=1,rivals=population"},
		{"ntuple", "a weighted sum of what winning sets hold, from tables",
			func(o *option.Reader) any { return readTupleOptions(o) }, buildNet, checkNetPossible, ""},
		{"net", "a small neural net over what winning sets hold", readNet, buildNet, checkNetPossible, ""},
		{"tree", "a decision tree of features, which is rules", readTree, buildTree, nil, ""},
		{"nearest", "stored examples; a position is worth what the nearest are", readNearest, buildNearest, nil,
			"target=outcome,tries=skip"},
	}
	for _, k := range more {
		list = append(list, k.guarded())
	}
	return list
}

// Learner is what a kind puts together for the trainer. One value may be several of the modules.
type Learner struct {
	Hypothesis  Hypothesis
	Critic      Critic
	Generalizer Generalizer
	Memory      Memory
}

// Memory is what a learner knows, to be kept, brought back and shown.
type Memory interface {
	Save() any                       // a value that encoding/json writes and Load reads
	Load(data json.RawMessage) error // into a learner of the same spec
	Check() error                    // an error where it has become meaningless
	Bytes() int64                    // about how much memory it takes beside the space
	Show(most int) show.Shown        // for people; most is how many positions to list

	// Probes returns a few numbers to plot over games: what they are, as [exam.Basis] has it,
	// their names, and what takes them.
	Probes() (of string, names []string, take func() []float64)
}

// Undoer is a memory or a generator that changes while a game goes on, not only after it.
type Undoer interface {
	Snapshot() // notes how it is
	Rollback() // and makes it so again
}

// Spec is a learner's spec, read.
type Spec struct {
	kind     *Kind
	open     any
	settings []Setting
	given    string
	kept     bool  // it is of a brain, whose settings stay as they are
	err      error // why it means nothing for the game that it is for
}

// ErrNoLearner is of a spec whose name is no learner's.
var ErrNoLearner = errors.New("no learner is called")

// Parse reads a learner's spec: a name, and options as in
// table:epsilon=0.1,factor=0.5. It is of one of oxo's kinds, or of more. The error says which word is wrong.
func Parse(text string, more ...Kind) (Spec, error) {
	name, args, _ := strings.Cut(text, ":")
	var names []string
	for _, k := range kinds(more...) {
		names = append(names, k.Name)
		if k.Name != name {
			continue
		}
		o, err := option.Parse(args)
		if err != nil {
			return Spec{}, fmt.Errorf("learner %q: %w", text, err)
		}
		open := k.Read(o)
		if err := o.Err(); err != nil {
			return Spec{}, fmt.Errorf("learner %q: %w", text, err)
		}
		return Spec{kind: k, open: open, settings: o.Settings, given: text}, nil
	}
	return Spec{}, fmt.Errorf("learner %q: %w %q; there are %s", text, ErrNoLearner, name, strings.Join(names, ", "))
}

// AdaptedTo returns the spec as it is for the game of space: what nobody said is what is usual
// there. Where the game has not the usual features, they are the first that it has.
func (s Spec) AdaptedTo(space *space.Space) Spec {
	if s.kind.Name == "net" && space.Nine != nil {
		return s.adaptedToNine()
	}
	usual := map[string]string{}
	odd := func(v Setting) bool { return v.Key == "features" && !slices.Contains(space.FeatureSets, v.Value) }
	if len(space.FeatureSets) > 0 && slices.ContainsFunc(s.settings, odd) {
		usual["features"] = space.FeatureSets[0]
	}
	_, args, _ := strings.Cut(s.given, ":")
	o, err := option.Parse(args)
	if _, ok := s.open.(netOptions); err == nil && ok && !s.kept {
		maps.Copy(usual, usualNetOptions(space, s.kind.Name, o.Given))
	}
	if err != nil || len(usual) == 0 {
		return s
	}
	maps.Copy(usual, o.Given)
	o.Given = usual
	return Spec{kind: s.kind, open: s.kind.Read(o), settings: o.Settings, given: s.given, kept: s.kept}
}

// nineKind is what net is in games on nine boards.
var nineKind = &Kind{"net", "a small neural net over nine boards, taught by the search that it guides", readNine,
	buildNine, func(*space.Space, any) error { return nil }, ""}

// adaptedToNine returns the spec of net as it is in games on nine boards.
// An error in its options is kept, and is that of Build: For has none to return.
func (s Spec) adaptedToNine() Spec {
	_, args, _ := strings.Cut(s.given, ":")
	o, err := option.Parse(args)
	if err != nil {
		return s
	}
	open := nineKind.Read(o)
	err = o.Err()
	if s.kept {
		for i, v := range o.Settings {
			if k := slices.IndexFunc(s.settings, func(w Setting) bool { return w.Key == v.Key }); k >= 0 {
				o.Settings[i].Value, o.Given[v.Key] = s.settings[k].Value, s.settings[k].Value
			}
		}
		open = nineKind.Read(&option.Reader{Given: o.Given})
	}
	return Spec{nineKind, open, o.Settings, s.given, s.kept, err}
}

// UsualStart is how games begin for the learner where nobody says so.
func (s Spec) UsualStart(space *space.Space) string {
	switch s.open.(type) {
	case netOptions:
		if !space.Complete() {
			return "empty+6"
		}
	case nineOptions:
		return "empty+0-11"
	}
	return EmptyStart
}

// EmptyStart is the experiment generator of games that begin at the start of the game.
const EmptyStart = "empty"

// Build makes the learner for the game of a space; r is its source of chance.
// The error begins with the learner as it was written.
func (s Spec) Build(space *space.Space, r *rand.Rand) (*Learner, error) {
	l, err := (*Learner)(nil), s.err
	if err == nil {
		l, err = s.kind.Build(space, s.open, r)
	}
	if err != nil {
		return nil, fmt.Errorf("learner %q: %w", s, err)
	}
	return l, nil
}

// CheckLearnable returns why the learner can't learn the game of a space, nil where Build would make it.
func (s Spec) CheckLearnable(space *space.Space) error {
	err := error(nil)
	if s = s.AdaptedTo(space); s.err != nil {
		err = s.err
	} else if s.kind.Refuse != nil {
		err = s.kind.Refuse(space, s.open)
	} else {
		_, err = s.kind.Build(space, s.open, rand.New(rand.NewPCG(0, 0)))
	}
	if err != nil {
		err = fmt.Errorf("learner %q: %w", s, err)
	}
	return err
}

// With returns the spec with that value of an option, which is refused where it is none.
// All its other settings stay as they are, the usual ones too.
func (s Spec) With(key, value string) (Spec, error) {
	name, args, _ := strings.Cut(s.given, ":")
	list := slices.DeleteFunc(strings.Split(args, ","), func(o string) bool {
		return o == "" || strings.HasPrefix(o, key+"=")
	})
	settings := slices.Clone(s.settings)
	for i := range settings {
		if settings[i].Key == key {
			settings[i].Value = value
		}
	}
	return ParseWithSavedSettings(name+":"+strings.Join(append(list, key+"="+value), ","), settings, *s.kind)
}

// String returns the spec as it was written.
func (s Spec) String() string { return s.given }

// Name returns the kind of learner.
func (s Spec) Name() string { return s.kind.Name }

// Settings lists all options with their values.
func (s Spec) Settings() []Setting { return s.settings }

// Form describes a kind of learner, for lists.
type Form struct {
	Name     string    `json:"name"`
	Key      string    `json:"-"` // of its texts: a name may stand for another learner in other games
	About    string    `json:"about"`
	Start    string    `json:"start" doc:"how games begin where nobody says so"`
	Settings []Setting `json:"settings"` // with the usual values
}

// Forms lists the kinds of learners: oxo's own, and then more.
func Forms(more ...Kind) []Form { return FormsUsualIn(new(space.Space), more...) }

// FormsUsualIn is Forms with what is usual in the game, and which features it has.
func FormsUsualIn(s *space.Space, more ...Kind) []Form {
	var list []Form
	for _, k := range kinds(more...) {
		o := &option.Reader{}
		spec := Spec{kind: k, open: k.Read(o), settings: o.Settings, given: k.Name}.AdaptedTo(s)
		settings, key := spec.settings, k.Name
		if spec.kind == nineKind {
			key = "net.nine"
		}
		for i := range settings {
			if settings[i].Key == "features" && len(s.FeatureSets) > 0 {
				settings[i].Takes = &Takes{Kind: "text", Words: s.FeatureSets}
			}
		}
		list = append(list, Form{k.Name, key, spec.kind.About, spec.UsualStart(s), settings})
	}
	return list
}

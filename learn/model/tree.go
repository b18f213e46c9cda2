package model

import (
	"encoding/json"
	"math/rand/v2"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/regress"
	"oxo/learn/show"
	"oxo/learn/space"
	"oxo/message"
)

// regressionTree is the hypothesis that a board is worth what boards of like features were:
// a [regress.Tree], grown again from all examples whenever there are a twentieth more games.
type regressionTree struct {
	treeOptions
	features *space.Features
	tree     regress.Tree
	due      int // games at which it is grown again
}

// treeOptions are the options that readTree explains: height in questions, least in examples.
type treeOptions struct {
	benchOptions
	set    string
	height int
	least  int
	rate   float64
}

// readTree has a board taught what a search of one ply says, unless target and depth say otherwise.
func readTree(o *option.Reader) any {
	t := treeOptions{benchOptions: benchOptions{judges: bothSeats, graded: hundred, gamma: 1, factor: 1}}
	t.set = readFeatures(o, "threats")
	t.height = o.Integer("height", "12", 1, 100, "how many questions a rule may ask")
	t.least = o.Integer("least", "1", 1, 1<<30, "how many examples a rule needs")
	t.rate = o.Number("rate", "0.02", 0, 1, "how much a new example counts at least beside all like it before")
	t.readBoardOptions(o)
	t.readTargetOptions(o, "search", "0", false)
	t.explore = readExploreOptions(o, "0.3")
	t.readTries(o, "skip")
	return t
}

// buildTree begins with a tree without examples; features that the game has not are an error.
func buildTree(s *space.Space, open any, _ *rand.Rand) (*Learner, error) {
	t := &regressionTree{treeOptions: open.(treeOptions)}
	var err error
	if t.features, err = s.Features(t.set); err != nil {
		return nil, err
	}
	t.tree = regress.Tree{Names: t.features.Names, Least: t.least, Rate: t.rate}
	return newValueLearner(s, t.benchOptions, t), nil
}

func (t *regressionTree) value(n space.Node, _ int32, seat oxo.Seat) float64 {
	return t.tree.Value(t.features.Of(n, seat))
}

func (t *regressionTree) Learn(e Example) { t.tree.Add(t.features.Of(e.Node, e.Seat), e.Target) }

// finishGame grows the tree again where that is due, next after a twentieth more games, at least one.
func (t *regressionTree) finishGame(games int) {
	if games >= t.due {
		t.due = games + max(1, games/20)
		t.tree.Grow(t.height)
	}
}

// treeSaved is the tree with its examples in a brain; Due and Games count games.
type treeSaved struct {
	regress.Saved
	Due   int `json:"due"`
	Games int `json:"games"`
}

func (t *regressionTree) save(games int) any { return treeSaved{t.tree.Save(), t.due, games} }

// restore brings back the examples and the tree grown of them, and returns how many games were played.
func (t *regressionTree) restore(data json.RawMessage) (games int, err error) {
	var saved treeSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return 0, err
	}
	t.due = saved.Due
	return saved.Games, t.tree.Load(saved.Saved)
}

func (t *regressionTree) Check() error { return nil }
func (t *regressionTree) Bytes() int64 { return t.tree.Bytes() }

// Show lists up to most rules of the tree, and says how many there are.
func (t *regressionTree) Show(most int) show.Shown {
	rules := t.tree.Rules()
	var shown show.Shown
	shown.TellRules(rules[:min(most, len(rules))])
	shown.Tell(message.Of("brain.tree", message.Args{"rules": show.CountMessage(len(rules), "rule", "rules"),
		"examples": show.CountMessage(t.tree.Examples(), "example", "examples"), "win": hundred}))
	return shown
}

func (t *regressionTree) Probes() (of string, names []string, take func() []float64) {
	return "rules", []string{"rules"}, func() []float64 { return []float64{float64(t.tree.Leaves())} }
}

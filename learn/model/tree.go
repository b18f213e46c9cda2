package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"oxo"
	"oxo/learn/space"
)

// regressionTree is the hypothesis that a board is worth what boards of like features were:
// a regression tree (Breiman, Friedman, Olshen and Stone, Classification and
// Regression Trees, 1984), grown again from all examples whenever there are a
// twentieth more games. Each path from its root to a leaf is a rule.
type regressionTree struct {
	treeOptions
	features *space.Features
	rows     []row
	index    map[string]int // of a row, by its features
	branches []branch       // the first is the root; none before the first game
	due      int            // games at which it is grown again
}

type treeOptions struct {
	benchOptions
	set    string
	height int
	least  int
	rate   float64
}

// rowFor is what is known of all boards with the same features.
type row struct {
	X     []float64 `json:"x"`
	Worth float64   `json:"worth"`
	Seen  int       `json:"seen"`
}

// branch is a node of the tree: boards of which feature At is at most Limit go
// to branch Low, others to High; at a leaf both are 0.
type branch struct {
	At    int     `json:"at"`
	Limit float64 `json:"limit"`
	Low   int     `json:"low"`
	High  int     `json:"high"`
	Worth float64 `json:"worth"` // the mean of the examples below
	Seen  int     `json:"seen"`
}

func readTree(o *options) any {
	t := treeOptions{benchOptions: benchOptions{judges: bothSeats, graded: hundred, gamma: 1, factor: 1}}
	t.set = o.readFeatures("threats")
	t.height = o.integer("height", "12", 1, 100, "how many questions a rule may ask")
	t.least = o.integer("least", "1", 1, 1<<30, "how many examples a rule needs")
	t.rate = o.number("rate", "0.02", 0, 1, "how much a new example counts at least beside all like it before")
	t.readBoards(o, "known")
	t.readTargets(o, "search", "0", false)
	t.explore = readExplore(o, "0.3")
	t.readTries(o, "skip")
	return t
}

func buildTree(s *space.Space, open any, _ *rand.Rand) (*Learner, error) {
	t := &regressionTree{treeOptions: open.(treeOptions), index: map[string]int{}}
	var err error
	if t.features, err = s.Features(t.set); err != nil {
		return nil, err
	}
	return newValueLearner(s, t.benchOptions, t), nil
}

func (t *regressionTree) value(n space.Node, _ int32, seat oxo.Seat) float64 {
	if len(t.branches) == 0 {
		return 0
	}
	x, b := t.features.Of(n, seat), &t.branches[0]
	for b.Low > 0 {
		if x[b.At] <= b.Limit {
			b = &t.branches[b.Low]
		} else {
			b = &t.branches[b.High]
		}
	}
	return b.Worth
}

func (t *regressionTree) fit(e Example) {
	r := t.rowFor(t.features.Of(e.Node, e.Seat))
	r.Seen++
	r.Worth += max(1/float64(r.Seen), t.rate) * (e.Target - r.Worth)
}

// rowFor returns the row of those features.
func (t *regressionTree) rowFor(x []float64) *row {
	var key []byte
	for _, v := range x {
		key = strconv.AppendFloat(key, v, 'g', -1, 64)
		key = append(key, ' ')
	}
	i, ok := t.index[string(key)]
	if !ok {
		i = len(t.rows)
		t.index[string(key)] = i
		t.rows = append(t.rows, row{X: slices.Clone(x)})
	}
	return &t.rows[i]
}

func (t *regressionTree) finishGame(games int) {
	if games < t.due {
		return
	}
	t.due = games + max(1, games/20)
	all := make([]*row, len(t.rows))
	for i := range t.rows {
		all[i] = &t.rows[i]
	}
	t.branches = t.branches[:0]
	t.addBranch(all, t.height)
}

// addBranch adds the branch for those rows and what is below it, and returns its
// place.
func (t *regressionTree) addBranch(rows []*row, height int) int {
	place, b := len(t.branches), branch{}
	for _, r := range rows {
		b.Seen += r.Seen
		b.Worth += float64(r.Seen) * r.Worth
	}
	b.Worth /= float64(max(1, b.Seen))
	t.branches = append(t.branches, b)
	at, limit, ok := t.bestSplit(rows, &b)
	if height == 0 || !ok {
		return place
	}
	var low, high []*row
	for _, r := range rows {
		if r.X[at] <= limit {
			low = append(low, r)
		} else {
			high = append(high, r)
		}
	}
	b.At, b.Limit = at, limit
	b.Low = t.addBranch(low, height-1)
	b.High = t.addBranch(high, height-1)
	t.branches[place] = b
	return place
}

// bestSplit returns the question that leaves the least squared error, the first of
// equals; none where all is of one worth or too little is on a side.
func (t *regressionTree) bestSplit(rows []*row, all *branch) (at int, limit float64, ok bool) {
	if !slices.ContainsFunc(rows, func(r *row) bool { return r.Worth != rows[0].Worth }) {
		return 0, 0, false
	}
	best := -1.0
	for k := range t.features.Names {
		slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(a.X[k], b.X[k]) })
		seen, sum := 0, 0.0
		for i, r := range rows[:len(rows)-1] {
			seen += r.Seen
			sum += float64(r.Seen) * r.Worth
			if r.X[k] == rows[i+1].X[k] || seen < t.least || all.Seen-seen < t.least {
				continue
			}
			// What the squared error shrinks by, but for a constant.
			rest := all.Worth*float64(all.Seen) - sum
			gain := sum*sum/float64(seen) + rest*rest/float64(all.Seen-seen) - all.Worth*all.Worth*float64(all.Seen)
			if gain > best+1e-9 {
				best, at, limit, ok = gain, k, r.X[k], true
			}
		}
	}
	return at, limit, ok
}

type treeSaved struct {
	Features []string `json:"features"`
	Rows     []row    `json:"rows"`
	Branches []branch `json:"branches"`
	Due      int      `json:"due"`
	Games    int      `json:"games"`
}

func (t *regressionTree) save(games int) any {
	return treeSaved{t.features.Names, t.rows, t.branches, t.due, games}
}

func (t *regressionTree) restore(data json.RawMessage) (int, error) {
	var saved treeSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return 0, err
	}
	if !slices.Equal(saved.Features, t.features.Names) {
		return 0, fmt.Errorf("its rules are of other features")
	}
	t.rows, t.due = nil, saved.Due
	clear(t.index)
	for _, r := range saved.Rows {
		if len(r.X) != len(saved.Features) || r.Seen < 1 {
			return 0, fmt.Errorf("an example has %d features, not %d, or was seen %d times", len(r.X),
				len(saved.Features), r.Seen)
		}
		*t.rowFor(r.X) = r
	}
	for i, b := range saved.Branches {
		if b.Low == 0 && b.High == 0 {
			continue
		}
		if b.At < 0 || b.At >= len(saved.Features) || min(b.Low, b.High) <= i ||
			max(b.Low, b.High) >= len(saved.Branches) {
			return 0, fmt.Errorf("branch %d of its tree leads nowhere", i)
		}
	}
	t.branches = saved.Branches
	return saved.Games, nil
}

func (t *regressionTree) check() error { return nil }

func (t *regressionTree) bytes() int64 { return int64(len(t.rows) * (96 + 24*len(t.features.Names))) }

func (t *regressionTree) show(most int) Shown {
	rules := t.rules(0, make([]bounds, len(t.features.Names)))
	slices.SortStableFunc(rules, func(a, b rule) int { return cmp.Compare(b.worth, a.worth) })
	shown := Shown{Summary: []string{fmt.Sprintf("%s, of %s; a win is worth %d",
		countOf(len(rules), "rule", "rules"), countOf(len(t.rows), "example", "examples"),
		hundred)}}
	for _, r := range rules[:min(most, len(rules))] {
		shown.Rules = append(shown.Rules, r.text)
	}
	return shown
}

// rule is a path from the root to a leaf in words.
type rule struct {
	worth float64
	text  string
}

// bounds are what a path asks of a feature: more than low, at most high.
type bounds struct {
	low, high     float64
	above, atMost bool
}

// rules returns those of a branch, within what was asked on the way to it.
func (t *regressionTree) rules(place int, asked []bounds) []rule {
	if len(t.branches) == 0 {
		return nil
	}
	b := &t.branches[place]
	if b.Low == 0 {
		return []rule{{b.Worth, t.ruleText(b, asked)}}
	}
	low, high := slices.Clone(asked), slices.Clone(asked)
	low[b.At].high, low[b.At].atMost = b.Limit, true
	high[b.At].low, high[b.At].above = b.Limit, true
	return append(t.rules(b.Low, low), t.rules(b.High, high)...)
}

// ruleText says a rule: where what holds, what a board is worth.
func (t *regressionTree) ruleText(b *branch, asked []bounds) string {
	var where []string
	for i, q := range asked {
		name := t.features.Names[i]
		switch {
		case q.above && q.atMost:
			where = append(where, fmt.Sprintf("%s is more than %v and at most %v", name, q.low, q.high))
		case q.above:
			where = append(where, fmt.Sprintf("%s is more than %v", name, q.low))
		case q.atMost:
			where = append(where, fmt.Sprintf("%s is at most %v", name, q.high))
		}
	}
	if where == nil {
		return fmt.Sprintf("A board is worth %.1f (of %d).", b.Worth, b.Seen)
	}
	return fmt.Sprintf("A board is worth %.1f where %s (of %d).", b.Worth, strings.Join(where, ", "), b.Seen)
}

func (t *regressionTree) probes() ([]string, func() []float64) {
	return []string{"rules"}, func() []float64 { return []float64{float64((len(t.branches) + 1) / 2)} }
}

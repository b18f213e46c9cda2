// Package regress fits numbers to features: by least squares exactly ([Normal]) and by a
// tree of questions ([Tree]). It knows nothing of games.
package regress

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Tree is a regression tree (Breiman, Friedman, Olshen and Stone, Classification and
// Regression Trees, 1984) over named features. Each path from its root to a leaf is a rule.
type Tree struct {
	Names []string
	Least int     // how many examples a rule needs
	Rate  float64 // how much a new example counts at least beside all like it before

	rows     []Row
	index    map[string]int // of a row, by its features
	branches []Branch       // the first is the root; none before it has grown
}

// Row is what is known of all examples with the same features: their mean worth, in which later ones count more if
// the tree has a Rate, and how many there were.
type Row struct {
	X     []float64 `json:"x"`
	Worth float64   `json:"worth"`
	Seen  int       `json:"seen"`
}

// Branch is a node of the tree: examples of which feature At is at most Limit go
// to branch Low, others to High; at a leaf both are 0.
type Branch struct {
	At    int     `json:"at"`
	Limit float64 `json:"limit"`
	Low   int     `json:"low"`
	High  int     `json:"high"`
	Worth float64 `json:"worth"` // the mean of the examples below
	Seen  int     `json:"seen"`
}

// Value returns what features are worth, 0 before the tree has grown.
func (t *Tree) Value(x []float64) float64 {
	if len(t.branches) == 0 {
		return 0
	}
	b := &t.branches[0]
	for b.Low > 0 {
		if x[b.At] <= b.Limit {
			b = &t.branches[b.Low]
		} else {
			b = &t.branches[b.High]
		}
	}
	return b.Worth
}

// Add adds the example that features are worth so much. The tree stays as it is until it is grown again.
func (t *Tree) Add(x []float64, worth float64) {
	r := t.rowFor(x)
	r.Seen++
	r.Worth += max(1/float64(r.Seen), t.Rate) * (worth - r.Worth)
}

// rowFor returns the row of those features, a new one where they were not met before. It copies x. The row is valid
// until the next call, which may move all rows.
func (t *Tree) rowFor(x []float64) *Row {
	var key []byte
	for _, v := range x {
		key = strconv.AppendFloat(key, v, 'g', -1, 64)
		key = append(key, ' ')
	}
	i, ok := t.index[string(key)]
	if !ok {
		if t.index == nil {
			t.index = map[string]int{}
		}
		i = len(t.rows)
		t.index[string(key)] = i
		t.rows = append(t.rows, Row{X: slices.Clone(x)})
	}
	return &t.rows[i]
}

// Grow grows the tree anew from all examples; no rule asks more questions than height. Equal examples in equal
// order give equal trees.
func (t *Tree) Grow(height int) {
	all := make([]*Row, len(t.rows))
	for i := range t.rows {
		all[i] = &t.rows[i]
	}
	t.branches = t.branches[:0]
	t.addBranch(all, height)
}

// addBranch adds the branch for those rows and what is below it, and returns its place. It changes the order of
// rows. A branch comes before all that are below it, which Load relies on.
func (t *Tree) addBranch(rows []*Row, height int) int {
	place, b := len(t.branches), Branch{}
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
	var low, high []*Row
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

// bestSplit returns the question that leaves the least squared error, the first of equals; ok is false where all is
// of one worth, or where every question has fewer than Least examples on a side. It changes the order of rows. all
// is the branch of the rows, with their mean and number of examples.
func (t *Tree) bestSplit(rows []*Row, all *Branch) (feature int, limit float64, ok bool) {
	if !slices.ContainsFunc(rows, func(r *Row) bool { return r.Worth != rows[0].Worth }) {
		return 0, 0, false
	}
	best := -1.0
	for k := range t.Names {
		slices.SortStableFunc(rows, func(a, b *Row) int { return cmp.Compare(a.X[k], b.X[k]) })
		seen, sum := 0, 0.0
		for i, r := range rows[:len(rows)-1] {
			seen += r.Seen
			sum += float64(r.Seen) * r.Worth
			if r.X[k] == rows[i+1].X[k] || seen < t.Least || all.Seen-seen < t.Least {
				continue
			}
			// What the squared error shrinks by, but for a constant.
			rest := all.Worth*float64(all.Seen) - sum
			gain := sum*sum/float64(seen) + rest*rest/float64(all.Seen-seen) - all.Worth*all.Worth*float64(all.Seen)
			if gain > best+1e-9 {
				best, feature, limit, ok = gain, k, r.X[k], true
			}
		}
	}
	return feature, limit, ok
}

// Saved is a tree and its examples as text: what encoding/json writes and reads.
type Saved struct {
	Features []string `json:"features"`
	Rows     []Row    `json:"rows"`
	Branches []Branch `json:"branches"`
}

// Save returns the tree as text. It shares its rows and branches with the tree.
func (t *Tree) Save() Saved { return Saved{t.Names, t.rows, t.branches} }

// Load brings a tree back. It refuses one of other features, or that leads nowhere, and keeps the slices of what it
// is given. After an error the tree is not to be used.
func (t *Tree) Load(saved Saved) error {
	if !slices.Equal(saved.Features, t.Names) {
		return fmt.Errorf("its rules are of other features")
	}
	t.rows, t.index = nil, nil
	for _, r := range saved.Rows {
		if len(r.X) != len(saved.Features) || r.Seen < 1 {
			return fmt.Errorf("an example has %d features, not %d, or was seen %d times", len(r.X),
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
			return fmt.Errorf("branch %d of its tree leads nowhere", i)
		}
	}
	t.branches = saved.Branches
	return nil
}

// Examples returns how many examples differ in their features.
func (t *Tree) Examples() int { return len(t.rows) }

// Leaves returns how many rules the tree has.
func (t *Tree) Leaves() int { return (len(t.branches) + 1) / 2 }

// Bytes is about how much memory the examples take.
func (t *Tree) Bytes() int64 { return int64(len(t.rows) * (96 + 24*len(t.Names))) }

// Rule is a path from the root to a leaf: what examples have to be like, what those are worth, and how many there
// were. Features that it does not ask for are not in Asked.
type Rule struct {
	Asked []Bounds
	Worth float64
	Seen  int
}

// Bounds are what a rule asks of a feature: more than Low, at most High, which may be infinite.
type Bounds struct {
	Feature   string
	Low, High float64
}

// Rules returns the rules, those of the most worth first; none before the tree has grown.
func (t *Tree) Rules() []Rule {
	if len(t.branches) == 0 {
		return nil
	}
	whole := make([]Bounds, len(t.Names))
	for i, name := range t.Names {
		whole[i] = Bounds{name, math.Inf(-1), math.Inf(1)}
	}
	rules := t.rulesBelow(0, whole)
	slices.SortStableFunc(rules, func(a, b Rule) int { return cmp.Compare(b.Worth, a.Worth) })
	return rules
}

// rulesBelow returns the rules of a branch, to which features within bounds lead. There are bounds for each
// feature, in the order of Names, infinite where nothing was asked; rulesBelow may change the slice.
func (t *Tree) rulesBelow(place int, within []Bounds) []Rule {
	b := &t.branches[place]
	if b.Low == 0 {
		all := func(q Bounds) bool { return math.IsInf(q.Low, -1) && math.IsInf(q.High, 1) }
		return []Rule{{slices.DeleteFunc(within, all), b.Worth, b.Seen}}
	}
	low, high := slices.Clone(within), slices.Clone(within)
	low[b.At].High, high[b.At].Low = b.Limit, b.Limit
	return append(t.rulesBelow(b.Low, low), t.rulesBelow(b.High, high)...)
}

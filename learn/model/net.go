package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/learn/option"
	"oxo/learn/pattern"
	"oxo/learn/show"
	"oxo/learn/space"
	"oxo/message"
)

// net is a hypothesis over what tuples of squares hold: a neural net, or a weighted sum (ntuple) without layers.
type net struct {
	netOptions
	board  *board.Board
	marks  space.Marks
	texts  bool // the squares of the board stand for letters of texts
	tuples *pattern.Tuples
	net    *pattern.Net
	judge  *pattern.Judge
	fallen float64 // what is left of the first steps
}

// netOptions are the options of ntuple and net; of ntuple the shape has no layers.
type netOptions struct {
	benchOptions
	kinds string
	share string
	eta   float64
	fall  float64 // games after which steps are half as large
	shape pattern.Shape
}

// readNet reads the options of net: those of ntuple, and the widths of one to three layers.
func readNet(o *option.Reader) any {
	n := readTupleOptions(o)
	for _, width := range o.Numbers("layers", "16/16", 2, 256, 3,
		"how many numbers each layer has: the vectors of the tables, then each behind their sum") {
		n.shape.Layers = append(n.shape.Layers, int(width))
	}
	return n
}

// readTupleOptions reads what both have.
func readTupleOptions(o *option.Reader) netOptions {
	n := netOptions{benchOptions: benchOptions{judges: reached, graded: 1, gamma: 1, factor: 1, known: true}}
	var kinds []string
	for _, k := range pattern.TupleKinds() {
		kinds = append(kinds, k[0]+", "+k[1])
	}
	n.kinds = o.Text("tuples", "usual", "squares that are looked at together, joined with +: "+
		strings.Join(kinds, "; "))
	n.share = o.Word("share", "usual", "tuples that share a table: none, those that symmetries of the board carry to "+
		"each other, or also those moved along a grid; usual is translates on flat grids from 36 squares on where "+
		"marks don't fall, else orbits, and none for squares", "usual", "none", "orbits", "translates")
	n.shape.Apart = o.Word("sides", "apart", "whether the sides have tables of their own", "apart", "alike") == "apart"
	n.eta = o.Number("eta", "1", 0, 1000, "η, the size of the first steps, which fall by themselves")
	n.fall = o.Number("fall", "1e9", 1, 1e12, "games after which steps are half as large, besides what they fall by "+
		"themselves; after twice as many a third, and so on")
	n.readTargetOptions(o, "successor", "0.7", true)
	n.explore = readExploreOptions(o, "0.5")
	n.readTries(o, "skip")
	return n
}

// seenBoard returns the board that a net sees positions on, and their marks: in games that have none the letters of
// their texts, one by one.
func (o *netOptions) seenBoard(s *space.Space) (*board.Board, space.Marks, error) {
	if o.target == "solver" && s.Solved == nil {
		return nil, nil, errNoSolver
	}
	if s.Board != nil {
		return s.Board, s.Marks, nil
	}
	if o.kinds != "squares" || o.sharing() != pattern.Alone {
		return nil, nil, fmt.Errorf("tuples=%s, share=%s: %w; it takes tuples=squares alone", o.kinds, o.share,
			ErrNoSquares)
	}
	return s.Letters()
}

// checkNetPossible says without making tables why there is no net for the game of a space.
func checkNetPossible(s *space.Space, open any) error {
	o := open.(netOptions)
	b, _, err := o.seenBoard(s)
	if err != nil {
		return err
	}
	return pattern.CheckNetSize(b, o.kinds, o.sharing(), o.shape)
}

// ErrNoSquares is the error of learners that look at squares, of games without.
var ErrNoSquares = errors.New("its positions have no squares and winning sets to look at")

var errNoSolver = errors.New("target=solver: the game has no solver that answers at once")

// manySquares is from which size on rows of a direction of a flat grid share a table.
const manySquares = 36

// usualNetOptions are the options that are usual for nets in some games: on a large flat grid rows of
// a direction share a table; where marks fall, what they can fall to is looked at, the sides have
// tables in common, and a solver that answers at once is asked. How these were found: docs/nets.md.
func usualNetOptions(s *space.Space, kind string, given map[string]string) map[string]string {
	switch b := s.Board; {
	case b == nil:
		return map[string]string{"tuples": "squares"}
	case given["tuples"] == "squares": // alike, they would not show how marks lie to each other
		return nil
	case b.Below == nil && b.Levels == 1 && b.Cols > 0 && b.N >= manySquares:
		return map[string]string{"share": "translates"}
	case b.Below == nil || s.Solved == nil:
		return nil
	}
	usual := map[string]string{"tuples": "reach", "sides": "alike", "target": "solver", "eta": "5", "fall": "500000",
		"epsilon": "0.6"}
	if kind == "net" {
		usual["layers"], usual["eta"] = "32/32", "2"
	}
	return usual
}

// buildNet draws the first weights of hidden layers by r. Tuples that the board has not, and
// tables that would be too large, are errors.
func buildNet(s *space.Space, open any, r *rand.Rand) (*Learner, error) {
	o := open.(netOptions)
	n := &net{netOptions: o, texts: s.Board == nil, fallen: 1}
	var err error
	if n.board, n.marks, err = o.seenBoard(s); err != nil {
		return nil, err
	}
	if n.tuples, err = pattern.NewTuples(n.board, o.kinds, o.sharing()); err != nil {
		return nil, err
	}
	if n.net, err = pattern.NewNet(n.tuples, o.shape, r); err != nil {
		return nil, err
	}
	n.judge = n.net.Judge()
	return newValueLearner(s, o.benchOptions, n), nil
}

// sharing is orbits unless said otherwise: single squares, alike in an orbit, would not
// show how marks lie to each other.
func (o *netOptions) sharing() pattern.Sharing {
	switch {
	case o.share == "none" || o.share == "usual" && o.kinds == "squares":
		return pattern.Alone
	case o.share == "translates":
		return pattern.Translates
	}
	return pattern.Orbits
}

// value is what a board is worth to the seat that has moved to it, 1 the most.
func (n *net) value(at space.Node, _ int32, seat oxo.Seat) float64 {
	x, o := n.marks(at)
	return n.judge.Worth(x, o, seat)
}

// Learn takes a step of η·Rate·fallen, which Adagrad makes smaller, toward the target.
func (n *net) Learn(e Example) {
	x, o := n.marks(e.Node)
	n.net.Learn(x, o, e.Seat, e.Target, n.eta*e.Rate*n.fallen)
}

func (n *net) finishGame(games int) { n.fallen = 1 / (1 + float64(games)/n.fall) }

// Check is an error where a weight has run off to infinity.
func (n *net) Check() error {
	if err := n.net.Check(); err != nil {
		return fmt.Errorf("%w: eta=%v is too large", err, n.eta)
	}
	return nil
}

func (n *net) Bytes() int64 { return n.net.Bytes() }

// netSaved is the net in a brain, as [pattern.Saved] has it, and how many games it was taught by.
type netSaved struct {
	Games int `json:"games"`
	pattern.Saved
}

func (n *net) save(games int) any { return netSaved{games, n.net.Save()} }

// restore has steps go on as small as they were after so many games.
func (n *net) restore(data json.RawMessage) (games int, err error) {
	var saved netSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return 0, err
	}
	n.finishGame(saved.Games)
	return saved.Games, n.net.Load(saved.Saved)
}

// Show lists the rows that say most: their weights, or where a row is many numbers, what each would say alone. Of rows
// that are alike, which hold as many marks of each side and as many free squares, it is the one that says most.
func (n *net) Show(most int) show.Shown {
	table := n.net.Table()
	var shown show.Shown
	shown.Tell(message.Of("brain.net", message.Args{"tuples": n.tuples.Len(), "kinds": n.kinds,
		"contents": len(table)}))
	says := func(r pattern.Row) float64 { return r.Vector[0] }
	if len(n.shape.Layers) > 0 {
		says = n.net.WorthAlone
		shown.Tell(message.Of("brain.net.layers", message.Args{"numbers": n.shape.Layers[0],
			"layers": fmt.Sprint(n.shape.Layers)}))
	}
	type family struct {
		best pattern.Row
		says float64
		rows int
	}
	families := map[[5]int]*family{}
	var list []*family
	for _, row := range table {
		if n.cannotOccur(row) {
			continue
		}
		key := [5]int{row.X.Len(), row.O.Len(), row.Reach.Len(), row.Squares.Len(), int(row.Seat)}
		f, w := families[key], says(row)
		if f == nil {
			f = &family{best: row, says: w}
			families[key], list = f, append(list, f)
		}
		if f.rows++; math.Abs(w) > math.Abs(f.says) {
			f.best, f.says = row, w
		}
	}
	slices.SortStableFunc(list, func(a, b *family) int {
		return cmp.Compare(math.Abs(b.says), math.Abs(a.says))
	})
	for _, f := range list[:min(most, len(list))] {
		w := show.Weight{Feature: n.describeRow(f.best), Weight: f.says}
		if f.rows > 1 {
			w.Feature += fmt.Sprintf(" (and %d alike, which say no more)", f.rows-1)
		}
		shown.Weights = append(shown.Weights, w)
	}
	return shown
}

// cannotOccur reports whether the side that did not move last owns a whole winning set: play was over before that move.
func (n *net) cannotOccur(row pattern.Row) bool {
	other := row.O
	if n.shape.Apart && row.Seat == oxo.Second {
		other = row.X
	}
	owned := func(l board.Line) bool { return l.Need.Minus(other).Empty() }
	return !n.texts && slices.ContainsFunc(n.board.Lines, owned)
}

// describeRow says what a row stands for.
func (n *net) describeRow(row pattern.Row) string {
	var parts []string
	for _, part := range []struct {
		what string
		on   board.Set
	}{{"x on", row.X}, {"o on", row.O}, {"next to fall to", row.Reach},
		{"nothing on", row.Squares.Minus(row.X).Minus(row.O).Minus(row.Reach)}} {
		if part.on.Empty() {
			continue
		}
		var words []string
		if !n.texts {
			words = append(words, part.what)
		}
		for i := range part.on.All() {
			words = append(words, n.board.Names[i])
		}
		parts = append(parts, strings.Join(words, " "))
	}
	after := "x"
	if n.shape.Apart {
		after = strings.ToLower(row.Seat.String())
	}
	return fmt.Sprintf("%s, after a move of %s", strings.Join(parts, ", "), after)
}

func (n *net) Probes() (string, []string, func() []float64) { return "", nil, nil }

package space

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"oxo"
	"oxo/board"
)

// ErrTooLarge is returned, wrapped, where a game has more positions than may
// be enumerated.
var ErrTooLarge = errors.New("too many positions to enumerate")

// Graph is a game's [Space] and the positions that its nodes stand for. A
// complete graph may be shared by many learners at once; one that grows
// belongs to one learner.
type Graph[P oxo.Position[P]] struct {
	*Space
	Game *oxo.Game[P]

	position []P
	node     map[P]Node
	moves    []oxo.Move
}

// Bytes returns about how much memory the graph takes: the fields of each
// position, and twice its size and a word for finding it again.
func (g *Graph[P]) Bytes() int64 {
	return int64(len(g.position))*(24+3*int64(reflect.TypeFor[P]().Size())) + 12*int64(len(g.child))
}

// NewLazyGraph returns the graph that holds the start and takes in other positions
// as they are met.
func NewLazyGraph[P oxo.Position[P]](g *oxo.Game[P]) *Graph[P] {
	lo, hi := g.PayoffBounds()
	a := &Graph[P]{Space: &Space{Scale: cmp.Or(max(-lo, hi), 1), Pays: g.Payoff != nil}, Game: g, node: map[P]Node{}}
	a.expand = a.expandNode
	a.Format = func(n Node) string { return g.Format(a.position[n]) }
	a.FormatMove = func(n Node, edge int) string {
		p := a.position[n]
		return g.FormatMove(p, p.Moves(nil)[edge])
	}
	a.Find = func(text string) (Node, error) {
		p, err := g.Parse(text)
		if err != nil {
			return None, err
		}
		return a.Node(p)
	}
	for _, m := range featureSetsOf(g) {
		if slices.Contains(m.names, constant) || len(a.FeatureSets) == 0 { // the others are parts
			a.FeatureSets = append(a.FeatureSets, m.name)
		}
	}
	a.Space.Features = a.featureSet
	a.Searcher = func(set string, depth int) (Searcher, error) { return newLeafSearch(a, set, depth) }
	a.Pictures = a.imagesFunc()
	a.Board, a.Marks = a.boardAndMarksFunc()
	a.Nine = a.nineBoards()
	a.Space.Forget = a.reset
	a.Start = a.intern(g.Start)
	return a
}

// Enumerate returns the graph of every position that can be reached. It stops
// with ctx's error, or with ErrTooLarge where there are more than limit.
func Enumerate[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], limit int) (*Graph[P], error) {
	a := NewLazyGraph(g)
	if err := a.expandFrom(ctx, 0, limit); err != nil {
		return nil, err
	}
	if err := a.analyseComplete(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// OnePlyGraph returns the graph of the start and of where its moves lead, cut off there and taken
// for complete: on it one asks what learns a game that can be enumerated.
func OnePlyGraph[P oxo.Position[P]](g *oxo.Game[P]) *Graph[P] {
	a := NewLazyGraph(g)
	a.expandNode(a.Start)
	w := &whole{loopy: g.Loopy(), value: make([]float64, a.Len())}
	for n := range Node(a.Len()) {
		w.order, w.class = append(w.order, n), append(w.class, n)
		if a.span[n].from < 0 {
			a.span[n] = span{}
		}
	}
	a.whole = w
	return a
}

// mostIllegal is how many squares a board has at most whose illegal positions are listed.
const mostIllegal = 10

// EnumeratePlayable returns the graph of every position that can be reached, with the same
// numbers as in that of [Enumerate], and of every board besides that can be played on.
func EnumeratePlayable[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], limit int) (*Graph[P], error) {
	if err := CheckIllegalListable(g); err != nil {
		return nil, err
	}
	a := NewLazyGraph(g)
	if err := a.expandFrom(ctx, 0, limit); err != nil {
		return nil, err
	}
	reachable := Node(a.Len())
	for p := range playableBoards(g, a.Board) {
		if n := a.intern(p); n >= reachable {
			a.Illegal = append(a.Illegal, n)
		}
	}
	if err := a.expandFrom(ctx, reachable, limit); err != nil {
		return nil, err
	}
	find := a.Find
	a.Find = func(text string) (Node, error) {
		if p, err := g.ParsePlayable(text); err == nil {
			return a.Node(p)
		}
		return find(text)
	}
	if err := a.analyseComplete(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// CheckIllegalListable refuses games whose illegal positions can't be listed.
func CheckIllegalListable[P oxo.Position[P]](g *oxo.Game[P]) error {
	view, ok := any(g.Start).(board.Positional)
	switch {
	case !ok || g.ParsePlayable == nil:
		return fmt.Errorf("%s has no boards that can be played on though no play leads to them", g.Spec)
	case view.Board().N > mostIllegal:
		return fmt.Errorf("%s has %d squares, and boards that no play leads to are listed on at most %d", g.Spec,
			view.Board().N, mostIllegal)
	}
	return nil
}

// playableBoards yields all boards that can be played on, with each side to move.
func playableBoards[P oxo.Position[P]](g *oxo.Game[P], b *board.Board) iter.Seq[P] {
	return func(yield func(P) bool) {
		boards := 1
		for range b.N {
			boards *= 3
		}
		for k := range boards {
			var x, o board.Set
			for i, rest := 0, k; i < b.N; i, rest = i+1, rest/3 {
				switch rest % 3 {
				case 1:
					x = x.With(i)
				case 2:
					o = o.With(i)
				}
			}
			for _, side := range []string{" x", " o"} {
				if p, err := g.ParsePlayable(b.Format(x, o) + side); err == nil && !yield(p) {
					return
				}
			}
		}
	}
}

// expandFrom takes in all positions that follow the nodes from n on.
func (a *Graph[P]) expandFrom(ctx context.Context, n Node, limit int) error {
	return oxo.CatchPanic(func() error {
		for ; int(n) < a.Len(); n++ {
			if a.Len() > limit {
				return fmt.Errorf("%s: %w: more than %d", a.Game.Spec, ErrTooLarge, limit)
			}
			if n%pollEvery == 0 {
				if err := PollAndTell(ctx, Listing, int(n), 0); err != nil {
					return err
				}
			}
			a.expandNode(n)
		}
		return nil
	})
}

// analyseComplete works out what is known of a graph that has all its positions. It gives up where ctx is done, with
// its error.
func (a *Graph[P]) analyseComplete(ctx context.Context) error {
	w := &whole{order: a.topologicalOrder(), class: make([]Node, a.Len())}
	w.loopy = len(w.order) < a.Len()
	if w.loopy {
		w.order = w.order[:0]
		for n := range a.Len() {
			w.order = append(w.order, Node(n))
		}
	}
	within := a.Game.WithCancelableCanonical(ctx)
	for n, p := range a.position {
		if n%pollEvery == 0 {
			if err := PollAndTell(ctx, Classing, n, a.Len()); err != nil {
				return err
			}
		}
		w.class[n] = Node(n)
		if c, ok := a.node[within.Representative(p)]; ok {
			w.class[n] = c
		}
	}
	if err := ctx.Err(); err != nil { // the last class may be none
		return err
	}
	a.whole = w
	w.value = a.solveValues()
	return nil
}

// Node returns the number of p. It fails where the graph is complete and p is
// not in it.
func (a *Graph[P]) Node(p P) (Node, error) {
	if n, ok := a.node[p]; ok {
		return n, nil
	}
	if a.Complete() {
		return None, fmt.Errorf("position %q can't be reached in %s", a.Game.Format(p), a.Game.Spec)
	}
	return a.intern(p), nil
}

// Position returns the position that n stands for.
func (a *Graph[P]) Position(n Node) P { return a.position[n] }

// intern returns p's node, new if need be.
func (a *Graph[P]) intern(p P) Node {
	if n, ok := a.node[p]; ok {
		return n
	}
	n := Node(len(a.position))
	a.node[p] = n
	a.position = append(a.position, p)
	a.turn = append(a.turn, p.Turn())
	o, worth := p.Outcome(), 0.0
	if o != oxo.Ongoing {
		worth = a.Game.PayoffToFirst(p) / a.Scale
	}
	a.outcome = append(a.outcome, o)
	a.worth = append(a.worth, worth)
	a.span = append(a.span, span{-1, -1})
	return n
}

// expandNode takes in the positions that follow n.
func (a *Graph[P]) expandNode(n Node) {
	p := a.position[n]
	a.moves = p.Moves(a.moves[:0])
	if len(a.moves) == 0 && !a.Over(n) {
		panic(a.Game.OngoingFault(p, 0, 0))
	}
	from := int32(len(a.child))
	for _, m := range a.moves {
		a.child = append(a.child, a.intern(p.Play(m)))
		if a.Game.Odds != nil {
			odds := 0.0
			if p.Turn() == oxo.Chance {
				odds = a.Game.Odds(p, m)
			}
			a.odds = append(a.odds, odds)
		}
	}
	a.span[n] = span{from, int32(len(a.child))}
}

// reset empties a graph that has grown large; the start stays. Numbers given
// before mean nothing afterwards.
func (a *Graph[P]) reset() {
	if a.Complete() {
		return
	}
	clear(a.node)
	a.position = a.position[:0]
	a.turn, a.outcome, a.worth = a.turn[:0], a.outcome[:0], a.worth[:0]
	a.span, a.child, a.odds = a.span[:0], a.child[:0], a.odds[:0]
	a.Start = a.intern(a.Game.Start)
}

// topologicalOrder returns the nodes in an order in which each comes before all that
// can follow it (Kahn, Communications of the ACM 5, 1962, p. 558). Nodes on or
// behind a circle are left out.
func (s *Space) topologicalOrder() []Node {
	waits := make([]int32, s.Len())
	for _, c := range s.child {
		waits[c]++
	}
	order := make([]Node, 0, s.Len())
	for n, w := range waits {
		if w == 0 {
			order = append(order, Node(n))
		}
	}
	for i := 0; i < len(order); i++ {
		for _, c := range s.Children(order[i]) {
			if waits[c]--; waits[c] == 0 {
				order = append(order, c)
			}
		}
	}
	return order
}

// solveValues returns the worth of each node to First under best play. Play that
// never ends is worth 0. Where play can go in circles it sweeps until nothing
// changes.
func (s *Space) solveValues() []float64 {
	value := make([]float64, s.Len())
	s.Sweep(func(n Node) float64 {
		old := value[n]
		value[n] = s.bestChildWorth(n, value)
		return value[n] - old
	})
	return value
}

// bestChildWorth returns the worth of n to First where those of its children are known.
func (s *Space) bestChildWorth(n Node, value []float64) float64 {
	if s.Over(n) {
		return s.worth[n]
	}
	children := s.Children(n)
	v := value[children[0]]
	switch s.Turn(n) {
	case oxo.First:
		for _, c := range children[1:] {
			v = max(v, value[c])
		}
	case oxo.Second:
		for _, c := range children[1:] {
			v = min(v, value[c])
		}
	default:
		v = 0
		for e, c := range children {
			v += s.odds[int(s.span[n].from)+e] * value[c]
		}
	}
	return v
}

// settled is the change below which sweeps over a loopy game end, and sweeps
// the most of them.
const (
	settled = 1e-14
	sweeps  = 100_000
)

// Sweep calls visit for every node, children before parents. In loopy games,
// where there is no such order, it does so again until visit, which returns by
// how much the node's value changed, returns next to nothing for all.
func (s *Space) Sweep(visit func(n Node) float64) {
	for range sweeps {
		most := 0.0
		for _, n := range slices.Backward(s.whole.order) {
			d := visit(n)
			most = max(most, d, -d)
		}
		if !s.whole.loopy || most < settled {
			return
		}
	}
}

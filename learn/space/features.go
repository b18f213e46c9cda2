package space

import (
	"fmt"
	"slices"

	"oxo"
	"oxo/board"
	"oxo/games/meta"
)

// featureList is a set of named features of positions of one kind, V, as a
// seat sees them. To add a set is to add a line to boardFeatures or
// nineFeatures.
type featureList[V any] struct {
	name    string
	names   func(v V) []string
	measure func(v V, x []float64)
}

// boardFeatures lists the sets of features of games on a board.
func boardFeatures() []featureList[*boardView] {
	return []featureList[*boardView]{
		// Lines, threats, forks and traps.
		{"threats", fixedNames[*boardView]("constant",
			"own line", "other line", "threat that can be carried out", "threat against", "two threats of one's own",
			"reply that forks", "own open lines", "other open lines", "own centre", "own corners"),
			(*boardView).measureThreats},
		// Marks and open lines of each side.
		{"counts", fixedNames[*boardView]("constant", "own marks", "other marks", "own open lines", "other open lines"),
			(*boardView).measureCounts},
		// Line, fork, centre, opposite corner, corner and side of each side.
		{"twelve", fixedNames[*boardView]("constant",
			"own line", "own fork", "own centre", "own opposite corner", "own corner", "own side",
			"other line", "other fork", "other centre", "other opposite corner", "other corner", "other side"),
			(*boardView).measureTwelve},
		// Each square: 1 own, -1 the other's.
		{"squares", squareNames, (*boardView).measureSquares},
		// Completed lines.
		{"wins", fixedNames[*boardView]("constant", "own line", "other line"), (*boardView).measureWins},
	}
}

// compositionFeatures are what features of boards are composed of besides the sets.
func compositionFeatures() []featureList[*boardView] {
	each := func(name, feature string, count func(v *boardView, own, other board.Set) int) featureList[*boardView] {
		return featureList[*boardView]{name, fixedNames[*boardView]("own "+feature, "other "+feature),
			func(v *boardView, x []float64) {
				x[0], x[1] = float64(count(v, v.mine, v.theirs)), float64(count(v, v.theirs, v.mine))
			}}
	}
	held := func(squares func(v *boardView) board.Set) func(v *boardView, own, _ board.Set) int {
		return func(v *boardView, own, _ board.Set) int { return own.And(squares(v)).Len() }
	}
	return []featureList[*boardView]{
		each("marks", "marks", func(_ *boardView, own, _ board.Set) int { return own.Len() }),
		each("open", "open lines", func(v *boardView, _, other board.Set) int { return v.countOpenLines(other) }),
		each("winning", "winning squares",
			func(v *boardView, own, other board.Set) int { return v.threats(own, other).Len() }),
		each("forks", "forking squares", func(v *boardView, own, _ board.Set) int { return v.forks(own).Len() }),
		each("centre", "centre", func(v *boardView, own, _ board.Set) int { return int(oneIf(v.holdsCentre(own))) }),
		each("corners", "corners", held(func(v *boardView) board.Set { return v.corners })),
		each("sides", "sides", held(func(v *boardView) board.Set { return v.sides })),
		each("opposite", "opposite corners", (*boardView).countOppositeCorners),
		{"turn", fixedNames[*boardView]("turn"), func(v *boardView, x []float64) { x[0] = oneIf(v.moves) }},
	}
}

// nineFeatures lists those of nine boards.
func nineFeatures() []featureList[metaView] {
	return []featureList[metaView]{
		// Own less the other's.
		{"weger", fixedNames[metaView]("boards", "centres", "corners", "sides", "blocks", "potentials"),
			metaView.measureWeger},
	}
}

// Features measures positions: each is a list of numbers, as a seat sees it.
type Features struct {
	Set   string
	Names []string

	measure func(n Node, seat oxo.Seat, x []float64)
	known   []bool // of a complete space, by node and seat
	kept    []float64
	scratch []float64
}

// Of returns the features of n for a seat. They are valid until the next call
// and must not be changed.
func (f *Features) Of(n Node, seat oxo.Seat) []float64 {
	k := len(f.Names)
	if f.known == nil {
		f.measure(n, seat, f.scratch)
		return f.scratch
	}
	i := 2*int(n) + int(seat)
	x := f.kept[i*k : (i+1)*k]
	if !f.known[i] {
		f.measure(n, seat, x)
		f.known[i] = true
	}
	return x
}

// featureSet is a feature set for positions of type P.
type featureSet[P oxo.Position[P]] struct {
	name    string
	names   []string
	measure func(p P, seat oxo.Seat, x []float64)
}

// featureSetsOf returns the feature sets that positions of g have.
func featureSetsOf[P oxo.Position[P]](g *oxo.Game[P]) []featureSet[P] {
	var list []featureSet[P]
	switch start := any(g.Start).(type) {
	case board.Positional:
		if start.Rules().Place != board.Own {
			return nil
		}
		corners, sides := cornersOf(start.Board()), sidesOf(start.Board())
		look := func(p P, seat oxo.Seat) *boardView {
			view := any(p).(board.Positional)
			v := &boardView{board: view.Board(), free: view.Playable(), corners: corners, sides: sides,
				moves: p.Turn() == seat && p.Outcome() == oxo.Ongoing}
			v.mine, v.theirs = view.Marks()
			if seat == oxo.Second {
				v.mine, v.theirs = v.theirs, v.mine
			}
			return v
		}
		for _, f := range slices.Concat(boardFeatures(), compositionFeatures()) {
			list = append(list, featureSet[P]{f.name, f.names(look(g.Start, oxo.First)),
				func(p P, seat oxo.Seat, x []float64) { f.measure(look(p, seat), x) }})
		}
	case meta.Pos:
		for _, f := range nineFeatures() {
			// P is meta.Pos here: asserting that of the function and not of
			// each position keeps positions from being boxed.
			var see any = func(p meta.Pos, seat oxo.Seat, x []float64) { f.measure(metaView{p, seat}, x) }
			list = append(list, featureSet[P]{f.name, f.names(metaView{start, oxo.First}),
				see.(func(P, oxo.Seat, []float64))})
		}
	}
	return list
}

// composeNamed returns the measure that a text makes of the game's.
func composeNamed[P oxo.Position[P]](g *oxo.Game[P], name string) (featureSet[P], error) {
	list := featureSetsOf(g)
	if list == nil {
		return featureSet[P]{}, fmt.Errorf("features=%s: %s %w", name, g.Spec, ErrNoFeatures)
	}
	m, err := compose(list, name)
	if err != nil {
		return featureSet[P]{}, fmt.Errorf("features=%s: in %s %w", name, g.Spec, err)
	}
	return m, nil
}

// featureSet returns the features of a name, which keep what they have measured where all positions
// are known.
func (a *Graph[P]) featureSet(name string) (*Features, error) {
	m, err := composeNamed(a.Game, name)
	if err != nil {
		return nil, err
	}
	f := &Features{Set: name, Names: m.names, scratch: make([]float64, len(m.names))}
	f.measure = func(n Node, seat oxo.Seat, x []float64) { m.measure(a.position[n], seat, x) }
	if a.Complete() {
		f.known = make([]bool, 2*a.Len())
		f.kept = make([]float64, 2*a.Len()*len(m.names))
	}
	return f, nil
}

func fixedNames[V any](names ...string) func(V) []string {
	return func(V) []string { return names }
}

// metaView is a position of nine boards as a seat sees it.
type metaView struct {
	p    meta.Pos
	seat oxo.Seat
}

// measureWeger measures Weger's six features.
func (v metaView) measureWeger(x []float64) {
	for i, phi := range meta.Features(v.p, v.seat) {
		x[i] = float64(phi)
	}
}

package oxo

// Any is a position of any game, for what plays or looks at all of them alike: it is a [Position], so that whatever
// takes one does. Its moves are those of the position that it stands for. The zero value is none.
type Any struct{ of anyPosition }

// anyPosition is a position whose type is not known.
type anyPosition interface {
	Turn() Seat
	Outcome() Outcome
	Moves(buf []Move) []Move
	play(m Move) anyPosition
	position() any
}

// onePosition is a position as an anyPosition.
type onePosition[P Position[P]] struct{ p P }

func (o onePosition[P]) Turn() Seat              { return o.p.Turn() }
func (o onePosition[P]) Outcome() Outcome        { return o.p.Outcome() }
func (o onePosition[P]) Moves(buf []Move) []Move { return o.p.Moves(buf) }
func (o onePosition[P]) play(m Move) anyPosition { return onePosition[P]{o.p.Play(m)} }
func (o onePosition[P]) position() any           { return o.p }

// AnyOf returns p as a position of any game.
func AnyOf[P Position[P]](p P) Any { return Any{onePosition[P]{p}} }

// Turn returns who acts.
func (a Any) Turn() Seat { return a.of.Turn() }

// Outcome returns how the game stands.
func (a Any) Outcome() Outcome { return a.of.Outcome() }

// Moves appends the legal moves to buf, in ascending order, and returns it.
func (a Any) Moves(buf []Move) []Move { return a.of.Moves(buf) }

// Play returns the position after m, which must be legal.
func (a Any) Play(m Move) Any { return Any{a.of.play(m)} }

// Position returns the position that it stands for, of its own type, as of a board.Pos64 or a type of a game of yours.
func (a Any) Position() any { return a.of.position() }

// AnyGame returns the game with its positions as those of any game. All facts about it stay, and its kernels.
func AnyGame[P Position[P]](g *Game[P]) *Game[Any] {
	all := &Game[Any]{
		Spec: g.Spec, Title: g.Title, Start: AnyOf(g.Start), MaxMoves: g.MaxMoves, MaxPlies: g.MaxPlies,
		Odds: ofAny2(g.Odds), Payoff: ofAny(g.Payoff), MinPayoff: g.MinPayoff, MaxPayoff: g.MaxPayoff,
		Format: ofAny(g.Format), Parse: anyParsed(g.Parse), FormatMove: ofAny2(g.FormatMove),
		ParsePlayable: anyParsed(g.ParsePlayable), Symmetries: g.Symmetries, Canonical: anyCanonical(g.Canonical),
		Code: ofAny(g.Code), Perft: ofAny2(g.Perft), Playout: ofAny2(g.Playout), WinsNow: ofAny(g.WinsNow),
		MinMovesToWin: ofAny2(g.MinMovesToWin),
	}
	if g.ParseMove != nil {
		all.ParseMove = func(a Any, text string) (Move, error) { return g.ParseMove(typed[P](a), text) }
	}
	if g.CanonicalUntil != nil {
		all.CanonicalUntil = func(stop func() bool) func(a Any) (Any, uint64) {
			return anyCanonical(g.CanonicalUntil(stop))
		}
	}
	if g.Decode != nil {
		all.Decode = func(code uint64) (Any, bool) {
			p, ok := g.Decode(code)
			return AnyOf(p), ok
		}
	}
	if g.AlphaBeta != nil {
		all.AlphaBeta = func(a Any, alpha, beta int) (worth int, nodes uint64, ok bool) {
			return g.AlphaBeta(typed[P](a), alpha, beta)
		}
	}
	if g.Minimax != nil {
		all.Minimax = func(a Any) (worth int, nodes uint64, ok bool) { return g.Minimax(typed[P](a)) }
	}
	return all
}

// typed returns the position that a stands for. It panics where that is of another type.
func typed[P Position[P]](a Any) P { return a.of.(onePosition[P]).p }

// ofAny has a function take positions of any game; nil stays nil.
func ofAny[P Position[P], R any](f func(p P) R) func(a Any) R {
	if f == nil {
		return nil
	}
	return func(a Any) R { return f(typed[P](a)) }
}

// ofAny2 is ofAny of a function with one argument more.
func ofAny2[P Position[P], T, R any](f func(p P, x T) R) func(a Any, x T) R {
	if f == nil {
		return nil
	}
	return func(a Any, x T) R { return f(typed[P](a), x) }
}

// anyParsed has a function that reads a position return one of any game; nil stays nil.
func anyParsed[P Position[P]](parse func(text string) (P, error)) func(text string) (Any, error) {
	if parse == nil {
		return nil
	}
	return func(text string) (Any, error) {
		p, err := parse(text)
		return AnyOf(p), err
	}
}

// anyCanonical has a canonical form take and return positions of any game; nil stays nil.
func anyCanonical[P Position[P]](form func(p P) (P, uint64)) func(a Any) (Any, uint64) {
	if form == nil {
		return nil
	}
	return func(a Any) (Any, uint64) {
		p, n := form(typed[P](a))
		return AnyOf(p), n
	}
}

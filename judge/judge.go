// Package judge says what is known of a position, from every room that knows
// something: an interval of worths with its reason, and an estimate inside it with
// its noise where the interval is no single value.
//
// A [Judge] is a game and a list of [Source]s in order of what they cost. Each only
// narrows: what a position is worth follows from its moves, and what contradicts
// is left out and named. Nothing certain is compared with an estimate: [Answer]
// tells moves that are certainly best or lost from those that are only guessed
// about.
package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"oxo"
	"oxo/message"
)

// Source is one way to know something of a position.
type Source[P oxo.Position[P]] struct {
	// Name is what answers call the source by, in Known, Estimate and LeftOut. It is one of the constants from
	// [End] to [Strongest]; two sources may share one.
	Name string

	// Share is what part of the budget left in a round the source may take; 0: it
	// costs nothing, and is asked whatever the budget.
	Share float64

	// TimeShare is Share of a budget of time, where that is another; else 0.
	TimeShare float64

	// Times is whether the source tells how long play lasts too: it is asked until that is known of all
	// moves, not only who wins.
	Times bool

	// Ask tells the query what it finds. It returns true where asking again, with
	// a larger budget, would tell no more. An error leaves the source out.
	Ask func(ctx context.Context, q *Query[P]) (done bool, err error)
}

// Budget is how much work an answer may take: positions, which gives the same answer
// every time, or time. The zero value asks for what is known for nothing.
type Budget struct {
	// Where both are given, Nodes is the limit.
	Nodes uint64
	Time  time.Duration

	Choice bool   // a move is wanted: nothing is looked for once one is certainly best
	Worth  bool   // who wins is wanted: nothing is looked for once that is certain
	Seed   uint64 // what searches draw from
}

// Judge answers for positions of one game. Its methods may be called by several goroutines at once as
// far as its sources may be asked so: all else that they share is behind a lock.
type Judge[P oxo.Position[P]] struct {
	Game    *oxo.Game[P]
	Sources []Source[P]
	NoDraws bool // who does not lose wins

	// Promise says how good a move looks to the side to move, without a search: of moves of which the same is known
	// the hint is the one that promises most. Nil where all look alike.
	Promise func(p P, m oxo.Move) int

	// kept has a lock of its own. Only answers with a budget of time read it and add to it.
	// Twin returns the position with the two marks exchanged, where that is worth the same and no symmetry of the
	// game; nil where there is none.
	Twin func(p P) P

	kept answerCache[P]
}

// Query is a position that sources are asked about. A source reads the exported fields, tells what it
// finds by the Tell methods, and may call PublishFindings after each part of its work, so that what it
// found counts even if its time ends. What it told is gathered until then, and at the end of Ask.
type Query[P oxo.Position[P]] struct {
	Game   *oxo.Game[P]
	Pos    P
	After  []P    // the positions after its moves
	Nodes  uint64 // the most positions to search; 0 where the context's deadline is the limit
	Seed   uint64 // what searches draw from
	Choice bool   // nothing but a move to play is wanted
	Worth  bool   // nothing but what the position is worth is wanted

	timed  bool // how long play lasts is wanted too, of the source that is asked
	noDraw bool // who does not lose wins
	twin   func(p P) P
	// answer is what is known so far. As soon as sources are asked it is no longer changed but replaced by a
	// changed copy, so that whoever was told it may go on reading.
	answer *Answer
	images []int    // of each move the first one that leads to its image under a symmetry; nil where nobody asked yet
	looked []uint64 // by move, in how many nodes a proof was looked for after it
	chosen uint64   // nodes of the longest search that chose a move
	unused bool     // the source had nothing to look for: its share is left to the others
	// source is the name of the source that is asked now, found what it told since its findings were last merged,
	// and commit merges them into the answer. All three are set anew for each source.
	source string
	found  []finding
	commit func()
}

// finding is something that a source has found of the position, -1, or of a move.
type finding struct {
	at int
	Known
	// With prefer the finding says only that a search would play the move, and Known means nothing.
	prefer bool
	forget bool // what was estimated before is no estimate any more
}

// TellPosition tells something certain of the position.
func (q *Query[P]) TellPosition(k Known) { q.TellMove(-1, k) }

// TellMove tells something certain of the position after a move.
// The place i is that of the move in After. Worths are to First, whoever is to move. In a game without
// draws a bound that excludes a side's win settles the worth: it is the other side's.
func (q *Query[P]) TellMove(i int, k Known) {
	k.Source = q.source
	if q.noDraw && k.Hi < q.answer.whole.Hi {
		k.Hi = q.answer.whole.Lo
	} else if q.noDraw && k.Lo > q.answer.whole.Lo {
		k.Lo = q.answer.whole.Hi
	}
	q.found = append(q.found, finding{at: i, Known: k})
	if i < 0 || k.Source == End || k.Source == Reply { // which look at every move
		return
	}
	k.Line, k.Holding = nil, nil // those of another move
	for _, j := range q.symmetricMoves(i) {
		q.found = append(q.found, finding{at: j, Known: k})
	}
}

// symmetricMoves returns the other moves that lead to images, under symmetries, of the position after a move: what is
// certain of one of them is of all.
func (q *Query[P]) symmetricMoves(i int) (list []int) {
	q.groupSymmetricMoves()
	for k, at := range q.images {
		if at == q.images[i] && k != i {
			list = append(list, k)
		}
	}
	return list
}

// groupSymmetricMoves finds, once, of each move the first one that leads to its image. In a game without canonical
// forms images stays nil, and no move is known to be like another.
func (q *Query[P]) groupSymmetricMoves() {
	if q.Game.Canonical == nil || q.images != nil {
		return
	}
	// first is the place of the first move that leads to a class, by the representative of the class.
	first := make(map[P]int, len(q.After))
	for k, p := range q.After {
		class := q.Game.Representative(p)
		at, ok := first[class]
		if !ok && q.twin != nil {
			at, ok = first[q.Game.Representative(q.twin(p))]
		}
		if !ok {
			at, first[class] = k, k
		}
		q.images = append(q.images, at)
	}
}

// shareSymmetricEstimates gives moves that lead to images of one another the same estimate: that of the preferred move,
// else the one from most positions.
func (q *Query[P]) shareSymmetricEstimates(a *Answer) {
	q.groupSymmetricMoves()
	from := map[int]int{} // by the first move of the images
	// Choose, of each class of images, the move whose estimate the others get, and then give it to them.
	for i, class := range q.images {
		at, ok := from[class]
		if e := a.Moves[i].Estimate; e.Searched > 0 && (!ok || i == a.prefer || at != a.prefer &&
			e.Searched > a.Moves[at].Estimate.Searched) {
			from[class] = i
		}
	}
	for i, class := range q.images {
		if at, ok := from[class]; ok {
			a.Moves[i].setEstimate(a.Moves[at].Estimate)
		}
	}
}

// TellEstimate tells an estimate of the position, -1, or of the position after a move. It replaces the
// estimate that was there, and is dropped where the worth is known or nothing was searched.
func (q *Query[P]) TellEstimate(i int, e Estimate) {
	q.found = append(q.found, finding{at: i, Known: Known{Interval: q.answer.whole, Estimate: e}})
}

// PreferMove tells which move a search would play. It is the hint as long as no move is certainly
// best, and this one is neither certainly worse nor lost.
func (q *Query[P]) PreferMove(i int) { q.found = append(q.found, finding{at: i, prefer: true}) }

// PublishFindings passes on what was found so far. They are merged into the answer, which is told.
// Findings that contradict what is known leave the source out, and with it all that it finds later.
func (q *Query[P]) PublishFindings() { q.commit() }

// Enough reports whether what was told answers the question. A source that works move by move asks
// after each one, and stops where it is true.
func (q *Query[P]) Enough() bool {
	return q.answer.allProven(q.timed) || q.Choice && len(q.answer.BestMoves()) > 0 || q.Worth && q.answer.Proven()
}

// nodesDividedBy returns one of so many parts of the positions that the source may look at, one at least; 0
// stays 0, which is no limit.
func (q *Query[P]) nodesDividedBy(parts int) uint64 {
	if q.Nodes == 0 {
		return 0
	}
	return max(1, q.Nodes/uint64(parts))
}

// moveIndex returns the place of a move in After and in the answer's Moves, or -1 where the position does not have
// it.
func (q *Query[P]) moveIndex(m oxo.Move) int {
	return slices.IndexFunc(q.answer.Moves, func(o Option) bool { return o.Move == m })
}

// rounds are how long the first rounds of an answer in time take; the last one takes what is left.
// Early rounds let every source have a say within a second, so that whoever waits sees an answer grow;
// the sources that are not done are asked again with more time.
var rounds = []time.Duration{150 * time.Millisecond, 600 * time.Millisecond}

// ExplainMove answers for one move of a position alone, of which it knows what Ask finds of the position after it, and
// says it as v does of a move among others. With the context's error it says what was known by then.
func (j *Judge[P]) ExplainMove(ctx context.Context, v *Voice[P], position, move string, b Budget) (said message.Message,
	err error) {
	p, err := j.Game.Parse(position)
	if err != nil {
		return said, err
	}
	m, err := j.Game.ParseMove(p, move)
	if err != nil {
		return said, err
	}
	after, err := j.Ask(ctx, p.Play(m), b, nil, nil)
	a := &Answer{Turn: p.Turn(), Moves: []Option{{Move: m, Known: after.Known}}, whole: after.whole}
	return v.ExplainMove(p, a, 0)[0], err
}

// Ask answers for p within the budget. KnownAfter is what is known of positions after its moves beforehand,
// nil for nothing. Each better answer is told, where tell is not nil, and the last one is returned,
// with the context's error where that ended the work. Sources without a share are asked once, at
// first. With a budget of nodes the others are asked once, one after another, so that the answer
// depends on nothing but the question; with a budget of time they are asked in rounds until all are
// done, the question is answered or the time is over. A position in which the game is over has an
// answer without sources.
func (j *Judge[P]) Ask(ctx context.Context, p P, b Budget, knownAfter map[oxo.Move]Known,
	tell func(*Answer)) (*Answer, error) {
	lo, hi := j.Game.PayoffBounds()
	a := &Answer{Known: Known{Interval: oxo.Interval{Lo: lo, Hi: hi}}, Turn: p.Turn(), Over: p.Outcome() != oxo.Ongoing,
		Hint: -1, whole: oxo.Interval{Lo: lo, Hi: hi}, prefer: -1}
	if a.Over {
		a.Known = Known{Interval: oxo.Exactly(j.Game.PayoffToFirst(p)), Source: End, Timed: pliesMatter(j.Game),
			Estimate: Estimate{}}
		a.Done = true
		if tell != nil {
			tell(a)
		}
		return a, ctx.Err()
	}
	q := &Query[P]{Game: j.Game.WithCancelableCanonical(ctx), Pos: p, Seed: b.Seed, Choice: b.Choice, Worth: b.Worth,
		noDraw: j.NoDraws, twin: j.Twin, answer: a}
	for _, m := range p.Moves(nil) {
		o := Option{Move: m, Known: Known{Interval: a.whole}}
		if k, ok := knownAfter[m]; ok {
			o.Known = k
		}
		if j.Promise != nil {
			o.promise = j.Promise(p, m)
		}
		a.Moves = append(a.Moves, o)
		q.After = append(q.After, p.Play(m))
	}
	q.looked = make([]uint64, len(a.Moves))
	r := &answering[P]{Judge: j, q: q, tell: tell, done: make([]bool, len(j.Sources)), keeps: b.Time > 0}
	if r.keeps {
		j.kept.recall(p, a, r.odds)
		defer func() { j.kept.store(p, q.After, q.answer) }()
	}
	// What is known for nothing comes first, and spares the other sources what it settles.
	r.askSources(ctx, Budget{}, true)
	switch {
	case b.Nodes > 0:
		r.askSources(ctx, Budget{Nodes: b.Nodes}, false)
	case b.Time > 0:
		end := time.Now().Add(b.Time)
		for i := 0; time.Until(end) > 0 && ctx.Err() == nil; i++ {
			left := time.Until(end)
			if i < len(rounds) && rounds[i] < left/2 {
				left = rounds[i]
			}
			// Stop where no source would tell more in a longer round, or nothing is left to ask.
			if !r.askSources(ctx, Budget{Time: left}, false) {
				break
			}
		}
	}
	q.answer.Done = true
	last := q.answer.withConsistentEstimates()
	if tell != nil {
		tell(last)
	}
	return last, ctx.Err()
}

// answering is the work on one answer.
type answering[P oxo.Position[P]] struct {
	*Judge[P]
	q    *Query[P]
	tell func(*Answer)
	done []bool // sources that have no more to say

	// keeps says that what is certain is kept as soon as it is: whoever asks meanwhile knows it too.
	keeps bool
}

// askSources asks each source once, and reports whether any has more to say. WithoutShare asks those without
// one, else those with one. A source gets its share of what the sources before it in the round left:
// of the time what is really left, of the nodes what they did not get. A source that had nothing to
// look for leaves its nodes to those after it.
func (r *answering[P]) askSources(ctx context.Context, b Budget, withoutShare bool) (more bool) {
	end := time.Now().Add(b.Time)
	nodes := b.Nodes
	for i := range r.Sources {
		s := &r.Sources[i]
		r.q.timed = s.Times
		if r.done[i] || ctx.Err() != nil || (s.Share == 0) != withoutShare || !withoutShare && r.q.Enough() {
			continue
		}
		within, cancel := ctx, func() {}
		r.q.Nodes, r.q.unused = 0, false
		switch {
		// A source that costs nothing has no limit but the caller's context.
		case withoutShare:
		case b.Nodes > 0:
			r.q.Nodes = max(1, uint64(float64(nodes)*s.Share))
		default:
			// The last millisecond is no time to begin.
			left := time.Until(end)
			if left < time.Millisecond {
				return true
			}
			within, cancel = context.WithTimeout(ctx, time.Duration(float64(left)*cmp.Or(s.TimeShare, s.Share)))
		}
		r.askSource(within, i)
		cancel()
		if !r.q.unused {
			nodes -= min(nodes, r.q.Nodes)
		}
		more = more || !r.done[i]
	}
	if withoutShare {
		r.publishAnswer()
	}
	return more
}

// askSource asks one source. That its time is over is no fault: what it found until then counts. Any
// other error drops it.
func (r *answering[P]) askSource(ctx context.Context, i int) {
	s, q := &r.Sources[i], r.q
	q.source, q.found = s.Name, nil
	q.commit = func() {
		if err := r.mergeFindings(); err != nil {
			r.dropSource(i, err)
		} else {
			r.publishAnswer()
		}
	}
	done, err := s.Ask(ctx, q)
	r.done[i] = r.done[i] || done
	switch {
	case err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled):
		r.dropSource(i, err)
	case len(q.found) > 0:
		q.commit()
	}
}

// dropSource takes no more from a source. What it told since it last published is discarded, what it
// published before stays. The answer names it and why.
func (r *answering[P]) dropSource(i int, err error) {
	r.q.found, r.done[i] = nil, true
	own := r.q.answer.clone()
	own.LeftOut = append(own.LeftOut, LeftOut{r.Sources[i].Name, err})
	own.chooseHint()
	r.q.answer = own
}

// mergeFindings adds what was found to a copy of the answer, which replaces it where nothing
// contradicts. Answers that were told are never changed: whoever holds one may read it while the work
// goes on. The error says which source is at fault, as what was known before came from sources that
// agreed.
func (r *answering[P]) mergeFindings() error {
	q := r.q
	a := q.answer.clone()
	for _, f := range q.found {
		k := &a.Known
		if f.at >= 0 {
			k = &a.Moves[f.at].Known
		}
		switch {
		case f.prefer:
			a.prefer = f.at
		case f.forget:
			k.Estimate = Estimate{}
		case f.Estimate.Searched > 0:
			k.setEstimate(f.Estimate)
		case !k.narrow(f.Known):
			return fmt.Errorf("a fault: it says %v of what is known to be %v by %s", f.Interval, k.Interval, k.Source)
		}
	}
	// Moves that are images of one another are worth the same, so they get the same estimate.
	if slices.ContainsFunc(q.found, func(f finding) bool { return f.Estimate.Searched > 0 || f.prefer }) {
		q.shareSymmetricEstimates(a)
	}
	certain := slices.ContainsFunc(q.found, func(f finding) bool {
		return f.Interval != a.whole && !f.prefer && !f.forget
	})
	q.found = nil
	// What follows from the findings is worked out once, when all of them are in.
	if !a.propagateBounds(r.odds) {
		return errors.New("a fault: what it says of the moves contradicts what is known")
	}
	a.chooseHint()
	q.answer = a
	if r.keeps && certain {
		r.kept.store(q.Pos, q.After, a)
	}
	return nil
}

// odds is how likely chance makes the move at place i of the answer. It may be called only where chance is to act:
// other games have no odds.
func (r *answering[P]) odds(i int) float64 { return r.q.Game.Odds(r.q.Pos, r.q.answer.Moves[i].Move) }

// publishAnswer tells the answer as it is now. The first one has no hint yet and gets it here.
func (r *answering[P]) publishAnswer() {
	if r.q.answer.Hint < 0 {
		own := r.q.answer.clone()
		own.chooseHint()
		r.q.answer = own
	}
	if r.tell != nil {
		r.tell(r.q.answer.withConsistentEstimates())
	}
}

// pliesMatter reports whether plies to the end mean something in a game. They mean nothing where
// chance acts or an end has a payoff: there what counts is the expected payoff alone.
func pliesMatter[P oxo.Position[P]](g *oxo.Game[P]) bool { return g.Odds == nil && g.Payoff == nil }

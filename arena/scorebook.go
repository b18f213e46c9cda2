package arena

import (
	"fmt"
	"slices"

	"oxo"
)

// gamePlace is where a game stands in a tournament. Games are numbered round by
// round: in each round every two entrants that meet play one pair, the games
// of a pair after each other.
type gamePlace struct {
	number, round int
	first, second int // entrants
}

// result is how a game ended.
type result struct {
	outcome             oxo.Outcome // Ongoing if it has not
	termination, reason string
	paid                *float64 // to First, where the game has payoffs of its own
}

// scoreBook keeps the results of a tournament and counts them. It is used by one goroutine; the
// workers send it their results.
type scoreBook struct {
	pairings  []pairing
	first     int // the number of games[0]
	games     []result
	before    []bool // games that were known before the workers began
	sprt      *SPRT  // pairs are counted in their order, up to its decision
	next      int    // the first game that is not counted in order
	standings *Standings
}

// newScoreBook returns the book of the tournament's range of games, none of them played.
func (t *Tournament[P]) newScoreBook() *scoreBook {
	names := make([]string, len(t.Entrants))
	for i, e := range t.Entrants {
		names[i] = e.Name
	}
	count := t.endGameNumber() - t.From
	return &scoreBook{pairings: t.pairings(), first: t.From, next: t.From, games: make([]result, count),
		before: make([]bool, count), sprt: t.SPRT, standings: NewStandings(names, t.Games())}
}

// placeOfGame returns the round of a game and who has which seat: the second game of a pair swaps them. It
// is a function of the number alone, so that a range of games can be played anywhere.
// An even number is the first game of its pair.
func (b *scoreBook) placeOfGame(number int) gamePlace {
	pair := number / 2
	meet := b.pairings[pair%len(b.pairings)]
	at := gamePlace{number, pair / len(b.pairings), meet.a, meet.b}
	if number%2 == 1 {
		at.first, at.second = meet.b, meet.a
	}
	return at
}

// resultOf returns how game n ended, if it has.
func (b *scoreBook) resultOf(n int) result { return b.games[n-b.first] }

// isRestored reports whether game n was known before the workers began.
func (b *scoreBook) isRestored(n int) bool { return b.before[n-b.first] }

// restoreGame enters a game of a journal, which paid First so much. Games outside the range belong to another
// run and are left out.
func (b *scoreBook) restoreGame(n int, s *Sheet, paid *float64) error {
	if n < b.first || n-b.first >= len(b.games) {
		return nil
	}
	at := b.placeOfGame(n)
	names := b.standings.Names
	if s.First != names[at.first] || s.Second != names[at.second] {
		return fmt.Errorf("journal: game %d is between %q and %q, not %q and %q", n, s.First, s.Second, names[at.first],
			names[at.second])
	}
	for _, o := range []oxo.Outcome{oxo.FirstWins, oxo.SecondWins, oxo.Drawn} {
		if s.Result == o.String() {
			b.before[n-b.first] = true
			b.enterResult(n, result{o, s.Termination, s.Reason, paid})
			return nil
		}
	}
	return fmt.Errorf("journal: game %d has the result %q; results are first, second and draw", n, s.Result)
}

// allEnded reports whether all games have ended.
func (b *scoreBook) allEnded() bool {
	return !slices.ContainsFunc(b.games, func(r result) bool { return r.outcome == oxo.Ongoing })
}

// enterResult notes how a game ended and counts it, unless pairs are counted in
// their order.
// n^1 is the other game of the pair.
func (b *scoreBook) enterResult(n int, r result) {
	b.games[n-b.first] = r
	if b.sprt == nil {
		b.countGame(n)
		if b.resultOf(n^1).outcome != oxo.Ongoing {
			b.countPair(n / 2)
		}
	}
}

// countPairsUntilDecision counts the pairs that are due in their order, up to the decision. The sequential test
// is valid only for pairs in an order that does not depend on how long they took.
func (b *scoreBook) countPairsUntilDecision() {
	if b.sprt == nil {
		return
	}
	for !b.isDecided() && b.next < b.first+len(b.games) && b.resultOf(b.next).outcome != oxo.Ongoing &&
		b.resultOf(b.next+1).outcome != oxo.Ongoing {
		b.countGame(b.next)
		b.countGame(b.next + 1)
		b.countPair(b.next / 2)
		b.next += 2
		b.standings.LLR, b.standings.Verdict = b.sprt.Decide(b.standings.Cross[0][1].Pairs)
	}
}

// isDecided reports whether the sequential test has come to a decision.
func (b *scoreBook) isDecided() bool { return b.standings.Verdict != Undecided }

// countGame counts a game that has ended in the standings.
func (b *scoreBook) countGame(n int) {
	at := b.placeOfGame(n)
	b.standings.countGame(at.first, at.second, b.resultOf(n))
}

// countPair counts a pair whose two games have ended, by the half points of its first entrant.
// It has First in the one and Second in the other, so that both values are from its side, 1, 0 or
// −1: a pair makes 0 to 4 half points.
func (b *scoreBook) countPair(pair int) {
	at := b.placeOfGame(2 * pair)
	halves := 2 + int(b.resultOf(2*pair).outcome.Value(oxo.First)) + int(b.resultOf(2*pair+1).outcome.Value(oxo.Second))
	b.standings.countPair(at.first, at.second, halves)
}

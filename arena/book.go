package arena

import (
	"fmt"

	"oxo"
)

// place is where a game stands in a tournament. Games are numbered round by
// round: in each round every two entrants that meet play one pair, the games
// of a pair after each other.
type place struct {
	number, round int
	first, second int // entrants
}

// result is how a game ended.
type result struct {
	outcome             oxo.Outcome // Ongoing if it has not
	termination, reason string
}

// book keeps the results of a tournament and counts them.
type book struct {
	pairings  []pairing
	first     int // the number of games[0]
	games     []result
	before    []bool // games that were known before the workers began
	sprt      *SPRT  // pairs are counted in their order, up to its decision
	next      int    // the first game that is not counted in order
	standings *Standings
}

func (t *Tournament[P]) newBook() *book {
	b := &book{pairings: t.pairings(), sprt: t.SPRT}
	names := make([]string, len(t.Entrants))
	for i, e := range t.Entrants {
		names[i] = e.Name
	}
	b.next = t.From
	total := 2 * t.Pairs * len(b.pairings)
	b.first = t.From
	b.games, b.before = make([]result, t.last()-t.From), make([]bool, t.last()-t.From)
	b.standings = newStandings(names, total)
	return b
}

func (b *book) place(n int) place {
	pair := n / 2
	meet := b.pairings[pair%len(b.pairings)]
	at := place{n, pair / len(b.pairings), meet.a, meet.b}
	if n%2 == 1 {
		at.first, at.second = meet.b, meet.a
	}
	return at
}

func (b *book) game(n int) result { return b.games[n-b.first] }

// known reports whether game n was known before the workers began.
func (b *book) known(n int) bool { return b.before[n-b.first] }

// restore enters a game of a journal. Games outside the range belong to another
// run and are left out.
func (b *book) restore(n int, s *Sheet) error {
	if n < b.first || n-b.first >= len(b.games) {
		return nil
	}
	at := b.place(n)
	names := b.standings.Names
	if s.First != names[at.first] || s.Second != names[at.second] {
		return fmt.Errorf("journal: game %d is between %q and %q, not %q and %q", n, s.First, s.Second, names[at.first],
			names[at.second])
	}
	for _, o := range []oxo.Outcome{oxo.FirstWins, oxo.SecondWins, oxo.Drawn} {
		if s.Result == o.String() {
			b.before[n-b.first] = true
			b.enter(n, result{o, s.Termination, s.Reason})
			return nil
		}
	}
	return fmt.Errorf("journal: game %d has the result %q; results are first, second and draw", n, s.Result)
}

// complete reports whether all games from first up to but not last have ended.
func (b *book) complete(first, last int) bool {
	for _, r := range b.games[first-b.first : last-b.first] {
		if r.outcome == oxo.Ongoing {
			return false
		}
	}
	return true
}

// enter notes how a game ended and counts it, unless pairs are counted in
// their order.
func (b *book) enter(n int, r result) {
	b.games[n-b.first] = r
	if b.sprt == nil {
		b.count(n)
		if b.game(n^1).outcome != oxo.Ongoing {
			b.countPair(n / 2)
		}
	}
}

// advance counts the pairs that are due in their order, up to the decision.
func (b *book) advance() {
	if b.sprt == nil {
		return
	}
	for !b.decided() && b.next < b.first+len(b.games) && b.game(b.next).outcome != oxo.Ongoing &&
		b.game(b.next+1).outcome != oxo.Ongoing {
		b.count(b.next)
		b.count(b.next + 1)
		b.countPair(b.next / 2)
		b.next += 2
		b.standings.LLR, b.standings.Verdict = b.sprt.Decide(b.standings.Cross[0][1].Pairs)
	}
}

func (b *book) decided() bool { return b.standings.Verdict != Undecided }

func (b *book) count(n int) {
	at, r := b.place(n), b.game(n)
	b.standings.count(at.first, at.second, r.outcome, r.termination, r.reason)
}

func (b *book) countPair(pair int) {
	at := b.place(2 * pair)
	halves := 2 + int(b.game(2*pair).outcome.Value(oxo.First)) + int(b.game(2*pair+1).outcome.Value(oxo.Second))
	b.standings.countPair(at.first, at.second, halves)
}

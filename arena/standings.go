package arena

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"oxo"
)

// Standings is how a tournament stands.
type Standings struct {
	Names []string `json:"names"`
	Games int      `json:"games"` // counted
	Total int      `json:"total"` // to be played

	// Cross[i][j] is the score of entrant i against entrant j.
	Cross [][]Score `json:"cross"`

	// Faults are the games that each entrant lost otherwise than by the rules
	// of the game or by resigning.
	Faults []Faults `json:"faults"`

	// LLR and Verdict are those of a tournament with a sequential test.
	LLR     float64  `json:"-"`
	Verdict Decision `json:"-"`
}

// Faults counts the games that an entrant lost by a fault of its own.
type Faults struct {
	Time    int    `json:"time" doc:"on time"`
	Illegal int    `json:"illegal" doc:"by illegal moves"`
	Crashed int    `json:"crashed" doc:"by crashing"`
	Last    string `json:"last,omitempty" doc:"the reason of the latest"`
}

// Sum returns the number of faults.
func (f Faults) Sum() int { return f.Time + f.Illegal + f.Crashed }

// Add returns the sum of two counts; the second one's are the later faults.
func (f Faults) Add(g Faults) Faults {
	g.Last = cmp.Or(g.Last, f.Last)
	return Faults{f.Time + g.Time, f.Illegal + g.Illegal, f.Crashed + g.Crashed, g.Last}
}

// countFault counts a game that was lost by a fault; other ends are none.
func (f *Faults) countFault(termination, reason string) {
	switch termination {
	case oxo.EndTime:
		f.Time++
	case oxo.EndIllegal:
		f.Illegal++
	case oxo.EndCrashed:
		f.Crashed++
	default:
		return
	}
	f.Last = reason
}

// NewStandings returns the standings of a tournament of so many games, none of them played.
func NewStandings(names []string, total int) *Standings {
	s := &Standings{Names: names, Total: total, Cross: make([][]Score, len(names)), Faults: make([]Faults, len(names))}
	for i := range s.Cross {
		s.Cross[i] = make([]Score, len(names))
	}
	return s
}

// countGame counts how a game between first and second ended.
func (s *Standings) countGame(first, second int, r result) {
	s.Games++
	a, b := &s.Cross[first][second], &s.Cross[second][first]
	a.Paid, b.Paid = sumOf(a.Paid, r.paid, 1), sumOf(b.Paid, r.paid, -1)
	switch r.outcome {
	case oxo.FirstWins:
		a.Wins++
		b.Losses++
		s.Faults[second].countFault(r.termination, r.reason)
	case oxo.SecondWins:
		a.Losses++
		b.Wins++
		s.Faults[first].countFault(r.termination, r.reason)
	default:
		a.Draws++
		b.Draws++
	}
}

// countPair counts a complete pair, of which i made that many half points.
func (s *Standings) countPair(i, j, halfPoints int) {
	s.Cross[i][j].Pairs[halfPoints]++
	s.Cross[j][i].Pairs[4-halfPoints]++
}

// Score returns an entrant's score against all others.
func (s *Standings) Score(i int) Score {
	var sum Score
	for _, c := range s.Cross[i] {
		sum = sum.Add(c)
	}
	return sum
}

// Row is an entrant's line in the table of a tournament.
type Row struct {
	Name   string  `json:"name"`
	Games  int     `json:"games"`
	Score  float64 `json:"score" doc:"points: 1 for a win, ½ for a draw"` // points
	Rating float64 `json:"rating" doc:"Elo around the pool's mean of 0"`
	Error  float64 `json:"error" doc:"half of the rating's 95 % interval"`
	Added  float64 `json:"added,omitempty" doc:"wins and losses that ratings count besides between every two players, to be bounded"`
	Faults Faults  `json:"faults" doc:"games lost by a player's own fault"`
	Cross  []Score `json:"cross" doc:"the score against each player, in their order"`
}

// Rows rates the pool and returns a row for each entrant, in their order; see
// [FitRatings]. It refuses standings, such as some that were read, that are not square.
func (s *Standings) Rows(ctx context.Context) ([]Row, error) {
	n := len(s.Names)
	if len(s.Cross) != n || len(s.Faults) != n ||
		slices.ContainsFunc(s.Cross, func(row []Score) bool { return len(row) != n }) {
		return nil, fmt.Errorf("the cross table and the faults are not of the %d players", n)
	}
	ratings, err := FitRatings(ctx, s.Cross)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(s.Names))
	for i, name := range s.Names {
		score := s.Score(i)
		r := ratings[i]
		rows[i] = Row{name, score.Games(), score.Points(), r.Elo, r.Error, r.Added, s.Faults[i], s.Cross[i]}
	}
	return rows, nil
}

// MatchResult is a tournament of two from the first one's side.
type MatchResult struct {
	Score
	Elo
	Faults  [2]Faults `json:"faults" doc:"games lost by a player's own fault"`
	LLR     float64   `json:"llr" doc:"log-likelihood ratio of the test"`
	Verdict string    `json:"verdict,omitempty" doc:"what the test accepted"`
}

// Match returns the result of a tournament of two.
func (s *Standings) Match() MatchResult {
	m := MatchResult{Score: s.Cross[0][1], Elo: s.Cross[0][1].Pairs.Elo(), Faults: [2]Faults{s.Faults[0], s.Faults[1]},
		LLR: s.LLR}
	if s.Verdict != Undecided {
		m.Verdict = s.Verdict.String()
	}
	return m
}

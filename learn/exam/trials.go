package exam

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"oxo"
)

// Trial is a position in which some move gives value away, and which moves keep it. So a player that draws among
// all moves is wrong at times in every trial.
type Trial struct {
	Position string
	Keeps    []bool // of each move, in the order of the game's
	Quiet    bool   // no move ends the game
	Game     int    // of which of the games of the sample it is
}

// Sample says where the trials of a sample come from: from games of random moves until
// there are Marks marks, and from then on of moves of which three in four keep the value.
type Sample struct {
	Trials []Trial
	Games  int
	Marks  int
	Seed   uint64
}

// Sampled is how often a player keeps the value in the trials of a sample.
type Sampled struct {
	Positions Share  `json:"positions"`
	Quiet     Share  `json:"quiet" doc:"those in which no move ends the game"`
	Games     int    `json:"games"` // that the positions are of
	Marks     int    `json:"marks" doc:"how many marks the positions have at least"`
	Seed      uint64 `json:"seed"`
}

// Share is a share of so many positions, with a 95 % confidence interval from games.
type Share struct {
	Of    int     `json:"of" doc:"how many there were"`
	Kept  float64 `json:"kept" doc:"the share of them in which the value was kept, each weighed by how likely the choice was"`
	Error float64 `json:"error" doc:"half of its 95 % interval"`
	Low   float64 `json:"low" doc:"where that interval begins, by games"`
	High  float64 `json:"high" doc:"where it ends"`
}

// solvedSquares is on how many free squares a solver is asked without waiting long; fuller boards are solved
// sooner.
const solvedSquares = 28

// NewSample draws n trials on a board of so many squares, or a few more, as it takes all of the last game; value
// says what a position that is not over is worth to the side to move. Equal seeds give equal samples. It returns an
// error where 100 games a trial were not enough, as in a game where no move gives value away.
func NewSample[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], squares, n int, seed uint64,
	value func(context.Context, P) (oxo.Value, error)) (*Sample, error) {
	s := &Sample{Marks: max(0, squares-solvedSquares), Seed: seed}
	r := rand.New(rand.NewPCG(seed, 5))
	for ; len(s.Trials) < n; s.Games++ {
		if s.Games > 100*n {
			return nil, fmt.Errorf("%s: in %d games there were %d positions in which a move gives value away", g.Spec,
				s.Games, len(s.Trials))
		}
		p := g.Start
		for ply := 0; p.Outcome() == oxo.Ongoing; ply++ {
			moves := p.Moves(nil)
			if ply >= s.Marks {
				t, good, err := newTrial(ctx, g, p, moves, value)
				if err != nil {
					return nil, err
				}
				if len(good) < len(moves) {
					t.Game = s.Games
					s.Trials = append(s.Trials, t)
				}
				// Play that mostly keeps the value stays longer in positions where it can be given away.
				if r.IntN(4) > 0 {
					moves = good
				}
			}
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
	return s, nil
}

// newTrial returns the trial that a position is, and its moves that keep the value. Where all moves do, it is none.
// Game is left for the caller to set.
func newTrial[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, moves []oxo.Move,
	value func(context.Context, P) (oxo.Value, error)) (t Trial, good []oxo.Move, err error) {
	t = Trial{Position: g.Format(p), Quiet: true}
	values, best := make([]oxo.Value, len(moves)), oxo.Loss
	for e, m := range moves {
		after := p.Play(m)
		if o := after.Outcome(); o != oxo.Ongoing {
			values[e], t.Quiet = o.Value(p.Turn()), false
		} else {
			v, err := value(ctx, after)
			if err != nil {
				return t, nil, err
			}
			values[e] = -v
		}
		best = max(best, values[e])
	}
	for e, v := range values {
		t.Keeps = append(t.Keeps, v == best)
		if v == best {
			good = append(good, moves[e])
		}
	}
	return t, good, nil
}

// Grade asks for the odds of the moves of each trial, in the order of the game's: odds fills in w, which is all 0
// before, with probabilities. It stops at the first error of odds.
func (s *Sample) Grade(odds func(t *Trial, w []float64) error) (*Sampled, error) {
	kept := make([]float64, len(s.Trials))
	for i := range s.Trials {
		t := &s.Trials[i]
		w := make([]float64, len(t.Keeps))
		if err := odds(t, w); err != nil {
			return nil, err
		}
		for e, keeps := range t.Keeps {
			if keeps {
				kept[i] += w[e]
			}
		}
	}
	return &Sampled{
		Positions: s.keptShare(kept, func(*Trial) bool { return true }),
		Quiet:     s.keptShare(kept, func(t *Trial) bool { return t.Quiet }),
		Games:     s.Games, Marks: s.Marks, Seed: s.Seed,
	}, nil
}

// keptShare sums up the trials that count. Its interval is that of a ratio of sums over games, to which two games are
// added that keep the value throughout and two that never do, each of a mean number of positions: that few games were
// all alike is no certainty (Agresti and Coull, "Approximate is better than 'exact' for interval estimation of binomial
// proportions", The American Statistician 52, 1998). It is cut off at 0 and 1.
func (s *Sample) keptShare(kept []float64, counts func(*Trial) bool) (of Share) {
	sum := 0.0
	for i := range s.Trials {
		if counts(&s.Trials[i]) {
			of.Of++
			sum += kept[i]
		}
	}
	if of.Of == 0 {
		return of
	}
	of.Kept = sum / float64(of.Of)
	// Positions of one game resemble each other, so what counts as one independent observation is a game.
	games, last := 0.0, -1
	for i := range s.Trials {
		if t := &s.Trials[i]; counts(t) && t.Game != last {
			last = t.Game
			games++
		}
	}
	size := float64(of.Of) / games
	all := float64(of.Of) + 4*size
	middle := (sum + 2*size) / all
	// off has, for each game, by how much its positions together are off the middle.
	off := make([]float64, s.Games)
	for i := range s.Trials {
		if t := &s.Trials[i]; counts(t) {
			off[t.Game] += kept[i] - middle
		}
	}
	square := 2 * size * size * (middle*middle + (1-middle)*(1-middle))
	for _, d := range off {
		square += d * d
	}
	half := 1.96 * math.Sqrt(square) / all
	of.Low, of.High = max(0, middle-half), min(1, middle+half)
	of.Error = (of.High - of.Low) / 2
	return of
}

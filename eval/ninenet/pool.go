package ninenet

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"oxo"
	"oxo/games/ultimate"
)

// Transcript is a game to learn from: its moves, and of each position how likely the mover is to
// win and to lose, in 254ths; 255 both where that is not known.
type Transcript struct {
	Start string `json:"start"`
	Moves []byte `json:"moves"`
	Win   []byte `json:"win"`
	Loss  []byte `json:"loss"`
}

// How probabilities are written: certain stands for 1, and unknown for one that nobody has told.
const (
	unknown = 255
	certain = 254
)

// NewTranscript returns the record of a game of so many moves, of which nothing is known.
func NewTranscript(start string, moves int) Transcript {
	g := Transcript{start, make([]byte, moves), make([]byte, moves), make([]byte, moves)}
	for i := range moves {
		g.Win[i], g.Loss[i] = unknown, unknown
	}
	return g
}

// Judge sets what the i-th position is worth to its mover, from -1 to 1, and how likely it is drawn.
func (g *Transcript) Judge(i int, worth, draw float64) {
	g.Win[i] = byte(math.Round(certain * (1 + worth - draw) / 2))
	g.Loss[i] = byte(math.Round(certain * (1 - worth - draw) / 2))
}

// Pool is the last games that a trainer learns from. Examples are in the order of the games and of their moves;
// positions of which nothing is known have none.
type Pool struct {
	game     *oxo.Game[ultimate.Pos]
	trainer  *NetTrainer
	games    []Transcript
	Examples []Example // the positions of the games
}

// mostExamples is how many positions a pool holds.
const mostExamples = 600_000

// NewPool returns a pool without games.
func NewPool(g *oxo.Game[ultimate.Pos], s *NetTrainer) *Pool { return &Pool{game: g, trainer: s} }

// Add adds a game and forgets the oldest, an eighth of all examples at once, where there are too many. It returns
// the examples of the game, and none and no error where nothing of it is known, when the game is not kept.
func (p *Pool) Add(g Transcript) ([]Example, error) {
	own, err := p.examplesOf(g)
	if err != nil || len(own) == 0 {
		return nil, err
	}
	p.games, p.Examples = append(p.games, g), append(p.Examples, own...)
	if len(p.Examples) > mostExamples {
		games, examples := 0, 0
		for ; examples < mostExamples/8; games++ {
			for _, w := range p.games[games].Win {
				if w != unknown {
					examples++
				}
			}
		}
		p.games, p.Examples = slices.Delete(p.games, 0, games), slices.Delete(p.Examples, 0, examples)
	}
	return own, nil
}

// Games returns the games of the pool, the oldest first; the slice is the pool's own.
func (p *Pool) Games() []Transcript { return p.games }

// ReplaceGames makes the games the pool's in place of those it has. It refuses what are none.
func (p *Pool) ReplaceGames(games []Transcript) error {
	p.games, p.Examples = nil, nil
	for i, g := range games {
		if _, err := p.Add(g); err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return nil
}

// examplesOf returns the positions of a game that something is known of.
func (p *Pool) examplesOf(g Transcript) (list []Example, err error) {
	at, err := p.game.Parse(g.Start)
	if err != nil {
		return nil, err
	}
	if len(g.Win) != len(g.Moves) || len(g.Loss) != len(g.Moves) {
		return nil, errors.New("not every position is judged")
	}
	for i, m := range g.Moves {
		if at.Outcome() != oxo.Ongoing || !slices.Contains(at.Moves(nil), oxo.Move(m)) {
			return nil, fmt.Errorf("move %d is none", i+1)
		}
		switch win, loss := int(g.Win[i]), int(g.Loss[i]); {
		case win == unknown && loss == unknown:
		case win+loss > unknown: // one more by rounding
			return nil, fmt.Errorf("position %d is won and lost", i+1)
		default:
			list = append(list, p.trainer.NewExample(at, float64(win)/certain, float64(loss)/certain))
		}
		at = at.Play(oxo.Move(m))
	}
	return list, nil
}

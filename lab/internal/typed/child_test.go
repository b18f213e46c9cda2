package typed

import (
	"context"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
	"oxo/player"
)

// aware is how often a child lets no win in one move happen, where a move prevents it.
const aware = .7

// childGames are games of every kind and rule in which a child meets level 1.
var childGames = []string{"ttt", "ttt+misere", "ttt+wild", "ttt+notakto", "ttt+order", "ttt+chaos", "ttt+maker",
	"ttt+breaker", "ttt+avoider", "ttt+enforcer", "ttt+slip=0.1", "mnk:4,4,3+gravity", "mnk:7,6,4+gravity", "mnk:5,5,4",
	"mnk:6,6,4", "mnk:9,9,5", "mnk:15,15,5", "mnk:9,9,5+exact", "torus:5,5,4", "cube:3,3", "qubic", "cube:4,3+gravity",
	"animal:elly,5,5", "plane:affine,4", "plane:projective,3", "meta", "ultimate", "ultimate+most", "ultimate+open",
	"race:4", "race:6", "torus:4,4,4+misere", "mnk:6,6,5+order", "mnk:6,6,5+chaos", "mnk:20,20,5",
	"cube:5,3", "animal:snaky,8,8", "mnk:8,8,5+gravity", "mnk:4,4,4+wild", "mnk:5,5,4+maker", "mnk:5,5,4+breaker"}

// TestChild lets a child meet level 1, from both seats by turns: it is to have at least two
// fifths of the points in every game.
func TestChild(t *testing.T) {
	for _, spec := range childGames {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
			if err != nil {
				t.Fatal(err)
			}
			const games = 60
			share, err := g.(interface {
				childShare(games int) (float64, error)
			}).childShare(games)
			t.Logf("of %d games the child has %.2f of the points", games, share)
			if err != nil || share < .4 {
				t.Errorf("the child has %.2f of the points: %v", share, err)
			}
		})
	}
}

// childMoves is how many moves a child makes in its first minute, at seven and a half seconds a
// move; to begin another game takes it as long as a move.
const childMoves = 8

// TestChildWins lets 200 children sit down at the studio's first page, tic-tac-toe as First against
// level 1: three in five win a game within a minute, in which more than one may be played.
func TestChildWins(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	const sessions = 200
	atOnce, won, err := g.(interface {
		childWins(sessions int) (int, int, error)
	}).childWins(sessions)
	t.Logf("%d of %d children win their first game, %d one within %d moves", atOnce, sessions, won, childMoves)
	if err != nil || won < sessions*3/5 || atOnce < sessions/2 {
		t.Errorf("%d of %d children win their first game, %d one in time: %v", atOnce, sessions, won, err)
	}
}

// childWins counts the sessions of which the first game is won, and those in which one is won in time.
func (f typedGame[P]) childWins(sessions int) (atOnce, won int, err error) {
	for n := range sessions {
		for made, games := 0, 0; made < childMoves; games++ {
			score, moves, err := f.childGame(n+sessions*games, oxo.First)
			if err != nil {
				return atOnce, won, err
			}
			made += moves
			if score <= 0 || made > childMoves {
				made++
				continue
			}
			if won++; games == 0 {
				atOnce++
			}
			break
		}
	}
	return atOnce, won, nil
}

func (f typedGame[P]) childShare(games int) (float64, error) {
	points := 0.0
	for n := range games {
		score, _, err := f.childGame(n, oxo.Seat(n%2))
		if err != nil {
			return 0, err
		}
		points += (1 + score) / 2
	}
	return points / float64(games), nil
}

// childGame plays a child's game number n against level 1: what it is worth to the child, after how
// many moves of its own.
func (f typedGame[P]) childGame(n int, seat oxo.Seat) (score float64, moves int, err error) {
	b := f.b
	m, err := players.OpenPlayer(b, "level:1")
	if err != nil {
		return 0, 0, err
	}
	r := rand.New(rand.NewPCG(uint64(n), 1))
	opponent, err := m(r)
	if err != nil {
		return 0, 0, err
	}
	played := player.NewSamplingPlayer(players.Beginner[P]{Rules: b.Game, Careful: aware}, r)
	p := b.Start
	for p.Outcome() == oxo.Ongoing {
		mover := opponent
		switch p.Turn() {
		case oxo.Chance:
			p = byChance(b.Game, p, r)
			continue
		case seat:
			mover = played
			moves++
		}
		c, err := mover.Choose(context.Background(), p)
		if err != nil {
			return 0, 0, err
		}
		p = p.Play(c.Move)
	}
	return seat.Score(b.PayoffToFirst(p)), moves, nil
}

// byChance lets chance move.
func byChance[P oxo.Position[P]](g *oxo.Game[P], p P, r *rand.Rand) P {
	moves := p.Moves(nil)
	w := make([]float64, len(moves))
	for i, m := range moves {
		w[i] = g.Odds(p, m)
	}
	at := r.Float64()
	for i := range w {
		if at -= w[i]; at < 0 {
			return p.Play(moves[i])
		}
	}
	return p.Play(moves[0])
}

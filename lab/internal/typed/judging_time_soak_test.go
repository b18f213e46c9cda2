//go:build soak && unix

package typed

import (
	"context"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"oxo"
	"oxo/lab/internal/game"
)

// processorTime returns the seconds of processor time of this process.
func processorTime(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// TestConnectFourKnownSoak asks about positions of games of Connect Four between beginners, one
// of each game, and says how much processor time it takes until who wins is certain.
func TestConnectFourKnownSoak(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:7,6,4+gravity")
	if err != nil {
		t.Fatal(err)
	}
	games := *askedAbout
	within := map[float64]int{}
	for n := range games {
		position, ply := positionOfGame(t, g, uint64(n))
		began, took := processorTime(t), -1.0
		ctx, stop := context.WithCancel(t.Context())
		j, err := g.Judging().Judge(ctx, game.JudgeOptions{Position: position, Time: 2 * time.Minute},
			func(j *game.Judged) {
				if took < 0 && j.Lo == j.Hi {
					took = processorTime(t) - began
					stop()
				}
			})
		stop()
		if err != nil && took < 0 {
			t.Fatal(err)
		}
		for _, limit := range []float64{.3, 1, 3, 10} {
			if took >= 0 && took <= limit {
				within[limit]++
			}
		}
		if took < 0 || took > 1 {
			t.Logf("%s, ply %d: %.1f s, %s", position, ply, took, j.Standing)
		}
	}
	t.Logf("of %d positions so many were known within so many seconds: %v", games, within)
}

// positionOfGame returns a position of a game between two beginners that is not over, and its ply.
func positionOfGame(t *testing.T, g game.Game, seed uint64) (string, int) {
	r := rand.New(rand.NewPCG(seed, 4))
	s, err := g.NewSession(game.SessionOptions{First: "level:2", Second: "level:2", Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	positions := []string{s.State().Position}
	for s.State().Result == oxo.Ongoing.String() {
		if _, err := s.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		positions = append(positions, s.State().Position)
	}
	ply := r.IntN(len(positions) - 1)
	return positions[ply], ply
}

// TestFirstHintSoak asks about the start and positions of games of every kind, each kind of a lab of its
// own, and says how much processor time goes until there is a hint with what is known or expected of
// it: for the first question, and at most.
func TestFirstHintSoak(t *testing.T) {
	for _, spec := range everyKind {
		g := openKind(t, spec)
		var first, most float64
		for n := range *hintsAsked {
			position := ""
			if n > 0 {
				position, _ = positionOfGame(t, g, uint64(n))
			}
			began, hinted := processorTime(t), -1.0
			ctx, stop := context.WithCancel(t.Context())
			o := game.JudgeOptions{Position: position, Time: 20 * time.Second}
			_, err := g.Judging().Judge(ctx, o, func(j *game.Judged) {
				if hinted < 0 && (j.Turn == oxo.Chance.String() || j.Hint != "" && j.Moves[0].Short != "?") {
					hinted = processorTime(t) - began
					stop()
				}
			})
			stop()
			if hinted < 0 {
				t.Errorf("%s %s: no hint, %v", spec, position, err)
			}
			if n == 0 {
				first = hinted
			}
			most = max(most, hinted)
		}
		t.Logf("| `%s` | %.2f | %.2f |", spec, first, most)
	}
}

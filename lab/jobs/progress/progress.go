// Package progress has what jobs say of how far they have come, by key.
package progress

import (
	"fmt"
	"time"

	"oxo/lab"
	"oxo/learn"
	"oxo/message"
)

// Words returns the English of the messages.
func Words() message.Table { return words }

var words = message.Table{
	"thousands": ",",

	"progress.done":  "done",
	"progress.of":    "{n} of {of} games",
	"progress.games": "{n} games",
	"progress.part":  "{part}: {says}",

	"progress.results": "{games}, {won} won, {drawn} drawn, {lost} lost",
	"progress.itself":  "{games}, First won {won}, {drawn} drawn, Second won {lost}",
	"progress.score":   "{games}, {player} scores {points} of {played}",
	"progress.tuning":  "iteration {n} of {of}: {values}",
	"progress.tuned":   "check: the tuned player scores {points} of {played}",

	"progress.proof":     "{question}: proof {proof}, disproof {disproof}, {nodes} nodes",
	"progress.value":     "{value}, {nodes} nodes",
	"progress.positions": "{n} positions",
	"progress.share":     "{percent} %",
	"progress.solution":  "{n} positions by {method}",
	"progress.left":      "{solution}, of about {of}, about {left} left",
}

// Of is a message of this package.
func Of(key string, args message.Args) message.Message { return message.Of("progress."+key, args) }

// GamesPlayed says how many games have been played, and of how many where that is known; 0 for not.
func GamesPlayed(n, total int) message.Message {
	if total == 0 {
		return Of("games", message.Args{"n": n})
	}
	return Of("of", message.Args{"n": n, "of": total})
}

// GameResults says how games went for who learns, or for both sides where that plays against itself.
func GameResults(games message.Message, against string, t learn.Tally) message.Message {
	key := "results"
	if against == learn.Itself {
		key = learn.Itself
	}
	return Of(key, message.Args{"games": games, "won": t.Wins, "drawn": t.Draws, "lost": t.Losses})
}

// SolutionProgress says how far a solution is. The time left goes by the positions that a guess expects, which
// the message calls about so many.
func SolutionProgress(g lab.Going) message.Message {
	m := Of("solution", message.Args{"n": g.Positions, "method": g.Method})
	if g.Of <= float64(g.Positions) || g.Positions == 0 {
		return m
	}
	left := time.Duration(float64(g.Took) * (g.Of/float64(g.Positions) - 1))
	return Of("left", message.Args{"solution": m, "of": uint64(g.Of), "left": left.Round(time.Second).String()})
}

// Points writes points as they are, with their halves.
func Points(points float64) string { return fmt.Sprintf("%.1f", points) }

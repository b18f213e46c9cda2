package lab

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"oxo/puzzle"
)

// MinePuzzleCollection mines the collection that the program carries anew, so many games at once, and
// writes it. ReportGame is told of each game and of how many puzzles it gave; calls of it follow
// one another. The same seed gives the same collection.
func MinePuzzleCollection(ctx context.Context, l *Lab, seed uint64, workers int, w io.Writer,
	reportGame func(game string, found, wanted int)) error {
	games := make(chan string)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	var list []Puzzle
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			for game := range games {
				own, err := minePuzzlesOfGame(ctx, l, game, PuzzleOptions{Count: collected[game], Seed: seed})
				if err != nil {
					stop(fmt.Errorf("%s: %w", game, err))
				}
				mu.Lock()
				list = append(list, own...)
				reportGame(game, len(own), collected[game])
				mu.Unlock()
			}
		})
	}
	for _, game := range slices.Sorted(maps.Keys(collected)) {
		games <- game
	}
	close(games)
	done.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	puzzle.SortByGameAndRating(list)
	return puzzle.WriteCollection(w, list)
}

// minePuzzlesOfGame mines the puzzles of a game. It stops at the wanted number; a game that gives fewer is no
// error.
func minePuzzlesOfGame(ctx context.Context, l *Lab, game string, o PuzzleOptions) (list []Puzzle, err error) {
	g, err := l.Game(game)
	if err != nil {
		return nil, err
	}
	_, err = g.Judging().MinePuzzles(ctx, o, func(z Puzzle) { list = append(list, z) })
	return list, err
}

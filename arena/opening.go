package arena

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo"
)

// Opening is where a game begins: a position to start from and moves from it
// that are already played. From them both games of a pair go on.
type Opening[P oxo.Position[P]] struct {
	Start    P
	Moves    []oxo.Move
	Position P // after the moves
}

// NoOpening is the game's start.
func NoOpening[P oxo.Position[P]](g *oxo.Game[P]) Opening[P] {
	return Opening[P]{Start: g.Start, Position: g.Start}
}

// maxOpenings is the most openings that are listed.
// Each is held in memory with its moves.
const maxOpenings = 100_000

// AllOpenings lists the openings of exactly so many plies, chance's included, one
// for each class of positions under the game's symmetries; finished games are
// none. It fails where there are more than 100,000.
func AllOpenings[P oxo.Position[P]](g *oxo.Game[P], plies int) ([]Opening[P], error) {
	if plies < 0 {
		return nil, fmt.Errorf("openings of %d plies: the number must be at least 0", plies)
	}
	level := []Opening[P]{NoOpening(g)}
	var moves []oxo.Move
	for i := 0; i < plies && len(level) > 0; i++ {
		var next []Opening[P]
		seen := map[P]bool{}
		for _, o := range level {
			moves = o.Position.Moves(moves[:0])
			for _, m := range moves {
				p := o.Position.Play(m)
				if class := g.Representative(p); seen[class] || p.Outcome() != oxo.Ongoing {
					continue
				} else if seen[class] = true; len(seen) > maxOpenings {
					return nil, fmt.Errorf("openings of %d plies: there are more than %d; draw random ones instead",
						plies, maxOpenings)
				}
				next = append(next, Opening[P]{o.Start, append(slices.Clip(o.Moves), m), p})
			}
		}
		level = next
	}
	if len(level) == 0 {
		return nil, fmt.Errorf("openings of %d plies: every game of %s is over by then", plies, g.Spec)
	}
	return level, nil
}

// RandomOpenings draws count openings of uniformly random plies, chance's by
// its odds. No two are the same up to symmetry as long as others turn up, and
// none is a finished game.
// The same game, plies, count and seed give the same openings.
func RandomOpenings[P oxo.Position[P]](g *oxo.Game[P], plies, count int, seed uint64) ([]Opening[P], error) {
	if plies < 0 || count < 1 {
		return nil, fmt.Errorf("%d random openings of %d plies: at least 1 of at least 0 are needed", count, plies)
	}
	// Once that many draws have brought nothing new, no more are made in search of it.
	const tries = 200 // before a class is taken twice, or a game is taken to be always over
	r := rand.New(rand.NewPCG(seed, 3))
	list := make([]Opening[P], 0, min(count, maxOpenings))
	seen := map[P]bool{}
	others := true // whether there may be classes not yet seen
	for len(list) < count {
		var found *Opening[P]
		for range tries {
			o := randomOpening(g, plies, r)
			if o.Position.Outcome() != oxo.Ongoing || len(o.Moves) < plies {
				continue
			}
			found = &o
			if !others || !seen[g.Representative(o.Position)] {
				break
			}
		}
		if found == nil {
			return nil, fmt.Errorf("openings of %d plies: every game of %s that was tried is over by then", plies,
				g.Spec)
		}
		class := g.Representative(found.Position)
		others = others && !seen[class]
		seen[class] = true
		list = append(list, *found)
	}
	return list, nil
}

// randomOpening plays up to so many random moves from the start.
func randomOpening[P oxo.Position[P]](g *oxo.Game[P], plies int, r *rand.Rand) Opening[P] {
	o := NoOpening(g)
	var moves []oxo.Move
	for len(o.Moves) < plies && o.Position.Outcome() == oxo.Ongoing {
		moves = o.Position.Moves(moves[:0])
		m := moves[r.IntN(len(moves))]
		if o.Position.Turn() == oxo.Chance {
			m = g.DrawChanceMove(o.Position, moves, r)
		}
		o.Moves = append(o.Moves, m)
		o.Position = o.Position.Play(m)
	}
	return o
}

// Shuffle puts the openings into a random order.
func Shuffle[P oxo.Position[P]](openings []Opening[P], seed uint64) {
	r := rand.New(rand.NewPCG(seed, 4))
	r.Shuffle(len(openings), func(i, j int) { openings[i], openings[j] = openings[j], openings[i] })
}

// ReadOpenings reads a list of openings, one a line: moves from the start with
// blanks between them, or a position. Empty lines and lines that begin with #
// are skipped.
func ReadOpenings[P oxo.Position[P]](g *oxo.Game[P], r io.Reader) ([]Opening[P], error) {
	var list []Opening[P]
	lines := bufio.NewScanner(skipByteOrderMark(r))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		o, err := ParseOpening(g, text)
		if err != nil {
			return nil, fmt.Errorf("openings: line %d: %w", n, err)
		}
		list = append(list, o)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("openings: the list is empty")
	}
	return list, nil
}

// ParseOpening reads one opening: moves from the start, or a position.
// Of two errors it returns that of the way in which the text seems to be meant: a slash, or a dot or hyphen, is of
// positions.
func ParseOpening[P oxo.Position[P]](g *oxo.Game[P], text string) (Opening[P], error) {
	o, err := parseOpeningMoves(g, text)
	if err != nil {
		p, positionErr := g.Parse(text)
		switch {
		case positionErr == nil:
			o = Opening[P]{Start: p, Position: p}
		case strings.Contains(text, "/") || len(o.Moves) == 0 && strings.ContainsAny(text, ".-"):
			return o, positionErr
		default:
			return o, err
		}
	}
	if o.Position.Outcome() != oxo.Ongoing {
		return o, fmt.Errorf("opening %q: the game is over", text)
	}
	return o, nil
}

// parseOpeningMoves reads moves from the start.
func parseOpeningMoves[P oxo.Position[P]](g *oxo.Game[P], text string) (Opening[P], error) {
	o := NoOpening(g)
	for i, word := range strings.Fields(text) {
		m, err := g.ParseMove(o.Position, word)
		if err != nil {
			return o, fmt.Errorf("move %d: %w", i+1, err)
		}
		o.Moves = append(o.Moves, m)
		o.Position = o.Position.Play(m)
	}
	return o, nil
}

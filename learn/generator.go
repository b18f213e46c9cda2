package learn

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"oxo"
)

// GeneratorForms lists how experiment generators are named.
func GeneratorForms() [][2]string {
	return [][2]string{
		{"empty", "always the start of the game"},
		{"random", "a random legal position that is not over"},
		{"retry", "the last game with another move taken somewhere"},
		{"endgames", "ends of games of perfect play, at first near the end, then longer ones"},
		{"mix", "one of these, drawn for each game"},
	}
}

// ParseGenerator returns the experiment generator of that name; empty text is
// "empty". A number of random moves to play from each start may be added, as
// in empty+4.
func ParseGenerator(s *Space, text string) (Generator, error) {
	name, plies, extra := strings.Cut(text, "+")
	g, err := generator(s, name)
	if err != nil || !extra {
		return g, err
	}
	n, err := strconv.Atoi(plies)
	if err != nil || n < 0 || n > 1000 {
		return nil, fmt.Errorf("start %q: after + comes a number of random moves, as in empty+4", text)
	}
	return opening{s, g, n}, nil
}

func generator(s *Space, name string) (Generator, error) {
	switch name {
	case "", "empty":
		return empty{s}, nil
	case "random":
		return anywhere{s}, nil
	case "retry":
		return retry{s}, nil
	case "endgames":
		if !s.Complete() || s.whole.loopy {
			return nil, fmt.Errorf("start %q: the game must be one that can be solved at once and always ends", name)
		}
		return endgames{s}, nil
	case "mix":
		list := mix{empty{s}, anywhere{s}, retry{s}}
		if s.Complete() && !s.whole.loopy {
			list = append(list, endgames{s})
		}
		return list, nil
	}
	var names []string
	for _, f := range GeneratorForms() {
		names = append(names, f[0])
	}
	return nil, fmt.Errorf("start %q: there are %s", name, strings.Join(names, ", "))
}

// empty starts every game at the start.
type empty struct{ space *Space }

func (g empty) Next(int, *Trace, *rand.Rand) Node { return g.space.Start }

// anywhere starts at a random position that is legal and not over: each with
// equal probability in a complete space, else where a random number of random
// moves leads.
type anywhere struct{ space *Space }

func (g anywhere) Next(_ int, _ *Trace, r *rand.Rand) Node {
	s := g.space
	if s.Complete() {
		for {
			if n := Node(r.IntN(s.Len())); !s.over(n) {
				return n
			}
		}
	}
	line := s.stroll(s.Start, -1, r)
	return line[r.IntN(len(line))]
}

// stroll plays random moves, at most that many unless negative, and returns
// the positions on the way that are not over.
func (s *Space) stroll(n Node, plies int, r *rand.Rand) []Node {
	line := []Node{n}
	for ; plies != 0 && len(line) < longest; plies-- {
		if s.turn[n] == oxo.Chance {
			n = s.children(n)[s.chance(n, r)]
		} else {
			children := s.children(n)
			n = children[r.IntN(len(children))]
		}
		if s.over(n) {
			break
		}
		line = append(line, n)
	}
	return line
}

// retry starts after another move in the last game.
type retry struct{ space *Space }

func (g retry) Next(_ int, last *Trace, r *rand.Rand) Node {
	if last == nil || len(last.Choices) == 0 {
		return g.space.Start
	}
	for range 8 {
		i := r.IntN(len(last.Choices))
		children := g.space.children(last.Nodes[i])
		e := r.IntN(len(children))
		if int32(e) != last.Choices[i].Edge && !g.space.over(children[e]) {
			return children[e]
		}
	}
	return g.space.Start
}

// endgames starts within a game of perfect play, at first one ply before its
// end, and every reverseEvery games a ply earlier; at its start it begins
// again.
type endgames struct{ space *Space }

const reverseEvery = 100

func (g endgames) Next(games int, _ *Trace, r *rand.Rand) Node {
	s := g.space
	var line []Node
	for n := s.Start; !s.over(n); {
		line = append(line, n)
		children := s.children(n)
		if s.turn[n] == oxo.Chance {
			n = children[s.chance(n, r)]
			continue
		}
		var good []Node
		for _, c := range children {
			if s.keeps(n, c) {
				good = append(good, c)
			}
		}
		n = good[r.IntN(len(good))]
	}
	back := games/reverseEvery%len(line) + 1
	return line[len(line)-back]
}

// keeps reports whether the move from n to its child keeps n's worth.
func (s *Space) keeps(n, child Node) bool {
	d := s.whole.value[n] - s.whole.value[child]
	return d < 1e-9 && d > -1e-9
}

// mix draws one of several generators for each game.
type mix []Generator

func (g mix) Next(games int, last *Trace, r *rand.Rand) Node {
	return g[r.IntN(len(g))].Next(games, last, r)
}

// opening plays random moves from each start, but never to the end.
type opening struct {
	space *Space
	from  Generator
	plies int
}

func (g opening) Next(games int, last *Trace, r *rand.Rand) Node {
	line := g.space.stroll(g.from.Next(games, last, r), g.plies, r)
	return line[len(line)-1]
}

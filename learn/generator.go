package learn

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/space"
)

// GeneratorForms lists how experiment generators are named.
// Each is a name and a line about it, in the order in which they are shown.
func GeneratorForms() [][2]string {
	return [][2]string{
		{"empty", "always the start of the game"},
		{"random", "a random legal position that is not over"},
		{"retry", "the last game with another move taken somewhere"},
		{"untried", "a position that a move not taken in any earlier game leads to"},
		{"unsure", "where the learner thinks its two best moves most alike, of some positions drawn at random"},
		{"endgames", "ends of games of perfect play, at first near the end, then longer ones"},
		{"sheets", "ends of the games of a file of score sheets, at first near the end, then longer ones"},
		{illegalStart, "a random board that no play leads to and that can be played on"},
		{"mix", "one of these, drawn for each game"},
	}
}

// illegalStart begins games at boards that no play leads to.
const illegalStart = "illegal"

// ParseGenerator returns the experiment generator of that name; empty text is
// "empty". A number of random moves to play from each start may be added, as
// in empty+4, or empty+0-8 for any number from 0 to 8. The games are those of score sheets,
// each move by its edge, for "sheets".
func ParseGenerator(s *space.Space, text string, games [][]int32) (Generator, error) {
	name, plies, extra := strings.Cut(text, "+")
	g, err := generatorNamed(s, name, games)
	if err != nil || !extra {
		return g, err
	}
	least, most, ranges := strings.Cut(plies, "-")
	if !ranges {
		most = least
	}
	n, err := strconv.Atoi(least)
	m, bad := strconv.Atoi(most)
	if err != nil || bad != nil || n < 0 || m < n || m > 1000 {
		return nil, fmt.Errorf("start %q: after + comes a number of random moves, as in empty+4 or "+
			"empty+0-8", text)
	}
	return afterRandomMoves{s, g, n, m}, nil
}

// generatorNamed returns the generator of a name without arguments.
// The error says why the space has no such starts, or which names there are.
func generatorNamed(s *space.Space, name string, games [][]int32) (Generator, error) {
	switch name {
	case "", "empty":
		return gameStart{s}, nil
	case "random":
		return randomPosition{s}, nil
	case "retry":
		return afterOtherMove{s}, nil
	case "untried":
		if err := s.RequireComplete("which moves were taken"); err != nil {
			return nil, fmt.Errorf("start %q: %w", name, err)
		}
		return &afterUntriedMove{space: s, taken: make([]byte, s.EdgeCount()), among: make([]byte, s.Len())}, nil
	case "unsure":
		return leastSure{s}, nil
	case "endgames":
		if !s.Complete() || s.Loopy() {
			return nil, fmt.Errorf("start %q: the game must be one that can be solved at once and always ends", name)
		}
		return endgames{s}, nil
	case "sheets":
		return &sheetEndings{s, games}, nil
	case illegalStart:
		if len(s.Illegal) == 0 {
			return nil, fmt.Errorf("start %q: no boards are listed here that no play leads to", name)
		}
		return illegalBoard{s}, nil
	case "mix":
		list := generatorMix{gameStart{s}, randomPosition{s}, afterOtherMove{s}}
		if s.Complete() && !s.Loopy() {
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

// gameStart starts every game at the start.
type gameStart struct{ space *space.Space }

func (g gameStart) NextStart(model.Hypothesis, int, *model.Trace, *rand.Rand) space.Node {
	return g.space.Start
}

// randomPosition starts at a random position that is legal and not over: each with
// equal probability in a complete space, else where a random number of random
// moves leads.
type randomPosition struct{ space *space.Space }

// NextStart draws of all positions until one is not over, or plays a random game, of which it draws one position.
func (g randomPosition) NextStart(_ model.Hypothesis, _ int, _ *model.Trace, r *rand.Rand) space.Node {
	s := g.space
	if s.Complete() {
		// Positions that are over are drawn again; the start is not over, so that this ends.
		for {
			if n := space.Node(r.IntN(s.Len())); !s.Over(n) {
				return n
			}
		}
	}
	line := randomWalk(s, s.Start, -1, r)
	return line[r.IntN(len(line))]
}

// randomWalk plays random moves, at most that many unless negative, and returns
// the positions on the way that are not over.
// n itself is the first of them, and the walk ends at an end of the game.
func randomWalk(s *space.Space, n space.Node, plies int, r *rand.Rand) []space.Node {
	line := []space.Node{n}
	for ; plies != 0 && len(line) < longest; plies-- {
		if s.Turn(n) == oxo.Chance {
			n = s.Children(n)[s.DrawChance(n, r)]
		} else {
			children := s.Children(n)
			n = children[r.IntN(len(children))]
		}
		if s.Over(n) {
			break
		}
		line = append(line, n)
	}
	return line
}

// afterOtherMove starts after another move in the last game.
// Eight draws are made for a move that was not taken and does not end the game; else the game begins at the start.
type afterOtherMove struct{ space *space.Space }

// NextStart draws a move of the last game and another move in its place, up to eight times. Before the first game, and
// where all draws fail, it is the start of the game.
func (g afterOtherMove) NextStart(_ model.Hypothesis, _ int, last *model.Trace, r *rand.Rand) space.Node {
	if last == nil || len(last.Choices) == 0 {
		return g.space.Start
	}
	for range 8 {
		i := r.IntN(len(last.Choices))
		children := g.space.Children(last.Nodes[i])
		e := r.IntN(len(children))
		if int32(e) != last.Choices[i].Edge && !g.space.Over(children[e]) {
			return children[e]
		}
	}
	return g.space.Start
}

// afterUntriedMove starts after a move that no earlier game took, from a position of one
// that was played: at first the start, and there too where nothing is left to try.
// A move counts as taken too when it was the way to a start. met may hold positions from which all was taken by now:
// they are dropped when they are drawn.
type afterUntriedMove struct {
	space *space.Space
	taken []byte       // 1 for each edge that was
	met   []space.Node // positions of games in which not every move was taken
	among []byte       // 1 for each of them

	before *afterUntriedMove // as it was before the game under way
}

// Snapshot copies what NextStart changes, which is all but the space.
func (g *afterUntriedMove) Snapshot() {
	g.before = &afterUntriedMove{taken: slices.Clone(g.taken), met: slices.Clone(g.met), among: slices.Clone(g.among)}
}

// Rollback brings back what Snapshot copied; it takes the copies, so that it goes once for each Snapshot.
func (g *afterUntriedMove) Rollback() {
	g.taken, g.met, g.among = g.before.taken, g.before.met, g.before.among
}

func (g *afterUntriedMove) save() any { return untriedSaved{g.taken, g.met} }

// load refuses what does not fit the space: a brain comes from a file.
func (g *afterUntriedMove) load(data json.RawMessage) error {
	var saved untriedSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	if len(saved.Taken) != len(g.taken) {
		return fmt.Errorf("it knows of %d moves, not of %d", len(saved.Taken), len(g.taken))
	}
	g.taken, g.met = saved.Taken, saved.Met
	for _, n := range g.met {
		if n < 0 || int(n) >= len(g.among) || g.space.Over(n) {
			return fmt.Errorf("no move can be taken in position %d", n)
		}
		g.among[n] = 1
	}
	return nil
}

// untriedSaved is what a brain keeps of such a generator.
type untriedSaved struct {
	Taken []byte       `json:"taken"`
	Met   []space.Node `json:"met"`
}

// NextStart notes the moves of the last game as taken and the positions that still have others, draws one of the
// latter, and goes on behind one of its untried moves. Those of chance are not tried.
func (g *afterUntriedMove) NextStart(_ model.Hypothesis, _ int, last *model.Trace, r *rand.Rand) space.Node {
	s := g.space
	if last != nil {
		for i, c := range last.Choices {
			n := last.Nodes[i]
			from, to := s.Edges(n)
			if c.Edge >= 0 {
				g.taken[from+c.Edge] = 1
			}
			left := slices.Contains(g.taken[from:to], 0)
			if s.Turn(n) != oxo.Chance && g.among[n] == 0 && left {
				g.among[n] = 1
				g.met = append(g.met, n)
			}
		}
	}
	for len(g.met) > 0 {
		i := r.IntN(len(g.met))
		children := s.Children(g.met[i])
		from, _ := s.Edges(g.met[i])
		// The moves are gone through from a random one on, up to one that is new and does not end the game.
		first := r.IntN(len(children))
		for k := range children {
			e := (first + k) % len(children)
			if g.taken[int(from)+e] == 0 {
				g.taken[int(from)+e] = 1
				if !s.Over(children[e]) {
					return children[e]
				}
			}
		}
		g.met[i] = g.met[len(g.met)-1]
		g.met = g.met[:len(g.met)-1]
	}
	return s.Start
}

// leastSure starts where the hypothesis is least sure which move to make: where the
// best two are thought most alike, or where it has no worths, it draws from the
// most moves; of looks positions on the way of random games.
type leastSure struct{ space *space.Space }

// looks is how many positions are looked at for a start.
const looks = 8

// NextStart plays one random game and compares up to looks positions of it by [bestMoveMargin]. Where none has two
// moves of a player, it is the start of the game.
func (g leastSure) NextStart(h model.Hypothesis, _ int, _ *model.Trace, r *rand.Rand) space.Node {
	s := g.space
	start, least := s.Start, math.Inf(1)
	line := randomWalk(s, s.Start, -1, r)
	for range looks {
		n := line[r.IntN(len(line))]
		if s.Turn(n) == oxo.Chance || len(s.Children(n)) < 2 {
			continue
		}
		if margin := bestMoveMargin(s, h, n); margin < least {
			start, least = n, margin
		}
	}
	return start
}

// bestMoveMargin is by how much the best move of n is thought better than the second:
// in worth where moves have one, else in probability.
func bestMoveMargin(s *space.Space, h model.Hypothesis, n space.Node) float64 {
	children := s.Children(n)
	scores := make([]float64, len(children))
	if w, ok := h.(model.Valuer); ok {
		for e, c := range children {
			scores[e] = w.Worth(n, e, c)
		}
	} else {
		h.Odds(n, scores)
	}
	slices.Sort(scores)
	return scores[len(scores)-1] - scores[len(scores)-2]
}

// endgames starts within a game of perfect play, at first one ply before its
// end, and every reverseEvery games a ply earlier; at its start it begins
// again.
type endgames struct{ space *space.Space }

// reverseEvery is how many games begin at the same distance from the end.
const reverseEvery = 100

// NextStart takes of a game of n plies the position before its last ply while games are below reverseEvery, and a ply
// earlier for every reverseEvery games more, modulo n.
func (g endgames) NextStart(_ model.Hypothesis, games int, _ *model.Trace, r *rand.Rand) space.Node {
	s := g.space
	var line []space.Node
	// One game of perfect play is played anew for each start, all moves that keep the worth being as likely.
	for n := s.Start; !s.Over(n); {
		line = append(line, n)
		children := s.Children(n)
		if s.Turn(n) == oxo.Chance {
			n = children[s.DrawChance(n, r)]
			continue
		}
		var good []space.Node
		for _, c := range children {
			if s.KeepsWorth(n, c) {
				good = append(good, c)
			}
		}
		n = good[r.IntN(len(good))]
	}
	back := games/reverseEvery%len(line) + 1
	return line[len(line)-back]
}

// sheetEndings starts within a game of score sheets, each of which is as likely, and goes
// backwards like [endgames].
type sheetEndings struct {
	space *space.Space
	games [][]int32 // the edges of the moves of each from the start of the game
}

// NextStart goes back from the end of the game drawn as [endgames] does, modulo the plies of that game.
func (g *sheetEndings) NextStart(_ model.Hypothesis, games int, _ *model.Trace, r *rand.Rand) space.Node {
	n := g.space.Start
	game := g.games[r.IntN(len(g.games))]
	back := games/reverseEvery%len(game) + 1
	for _, edge := range game[:len(game)-back] {
		n = g.space.Children(n)[edge]
	}
	return n
}

func (g *sheetEndings) save() any { return g.games }

// load checks every move, as a brain comes from a file, and takes all or nothing.
func (g *sheetEndings) load(data json.RawMessage) error {
	var games [][]int32
	if err := json.Unmarshal(data, &games); err != nil {
		return err
	}
	if len(games) == 0 {
		return fmt.Errorf("there are no games to begin in")
	}
	for i, game := range games {
		n := g.space.Start
		for k, edge := range game {
			if g.space.Over(n) || edge < 0 || int(edge) >= len(g.space.Children(n)) {
				return fmt.Errorf("game %d has no move %d", i+1, k+1)
			}
			n = g.space.Children(n)[edge]
		}
		if len(game) == 0 {
			return fmt.Errorf("game %d has no moves", i+1)
		}
	}
	g.games = games
	return nil
}

// illegalBoard starts at a board that no play leads to, each as likely.
type illegalBoard struct{ space *space.Space }

// NextStart draws one of the boards of space.Illegal, of which there is at least one.
func (g illegalBoard) NextStart(_ model.Hypothesis, _ int, _ *model.Trace, r *rand.Rand) space.Node {
	return g.space.Illegal[r.IntN(len(g.space.Illegal))]
}

// generatorMix draws one of several generators for each game.
type generatorMix []Generator

// NextStart asks one of the generators, each as likely; the others do not see the last game.
func (g generatorMix) NextStart(h model.Hypothesis, games int, last *model.Trace, r *rand.Rand) space.Node {
	return g[r.IntN(len(g))].NextStart(h, games, last, r)
}

// afterRandomMoves plays random moves from each start, but never to the end.
type afterRandomMoves struct {
	space       *space.Space
	from        Generator
	least, most int // moves
}

// NextStart plays least to most random moves, each number as likely, from where the inner generator starts. A game that
// ends sooner starts at its last position that is not over.
func (g afterRandomMoves) NextStart(h model.Hypothesis, games int, last *model.Trace, r *rand.Rand) space.Node {
	from, plies := g.from.NextStart(h, games, last, r), g.least
	if g.most > g.least {
		plies += r.IntN(g.most - g.least + 1)
	}
	line := randomWalk(g.space, from, plies, r)
	return line[len(line)-1]
}

// Snapshot is of the inner generator, where that changes within a game: random moves leave nothing behind.
func (g afterRandomMoves) Snapshot() {
	if c, ok := g.from.(model.Undoer); ok {
		c.Snapshot()
	}
}

// Rollback brings the inner generator back to its last Snapshot.
func (g afterRandomMoves) Rollback() {
	if c, ok := g.from.(model.Undoer); ok {
		c.Rollback()
	}
}

// save is what the inner generator keeps in a brain, nil where it keeps nothing.
func (g afterRandomMoves) save() any {
	if k, ok := g.from.(savedGenerator); ok {
		return k.save()
	}
	return nil
}

// load hands the text of a brain to the inner generator, which refuses what does not fit.
func (g afterRandomMoves) load(data json.RawMessage) error {
	if k, ok := g.from.(savedGenerator); ok {
		return k.load(data)
	}
	return nil
}

// savedGenerator is a generator that has something to keep in a brain.
// save returns what JSON can write; load gets that text, and may be given anything.
type savedGenerator interface {
	save() any
	load(data json.RawMessage) error
}

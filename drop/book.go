package drop

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"oxo/board"
)

// Book has the scores of all positions of a game that can be reached in so many
// plies or fewer. A file of it is
//
//	the line "oxo book 1"
//	a line of JSON, the header
//	a byte for each class of positions after that many plies in which the game
//	goes on, by ascending key: its score
//	a bit for each of the header's next, by ascending key, the lowest of a byte
//	first: whether its score is the least that those scores leave it
//	the SHA-256 of all that
//
// Which classes there are follows from the rules, so that no key is stored.
type Book struct {
	BookHeader
	scores []scoredClasses // by plies
	next   nextBits
}

// nextBits is the bits of the classes one ply after the last of a book. Their keys are worked out when the first is
// asked for.
type nextBits struct {
	bits []byte
	last []class // of the book's last ply, until the keys are there
	once sync.Once
	keys []uint64 // in ascending order
}

// scoredClasses is all classes of ongoing positions after so many plies: their keys, in ascending order, and the
// score of each.
type scoredClasses struct {
	keys   []uint64
	scores []int8
}

// scoreOf returns the score of the class with that key, or false where there is none.
func (s *scoredClasses) scoreOf(key uint64) (score int, ok bool) {
	i, ok := slices.BinarySearch(s.keys, key)
	if !ok {
		return 0, false
	}
	return int(s.scores[i]), true
}

// BookHeader is what a book says about itself.
type BookHeader struct {
	Game      string `json:"game"`           // its spec, for people
	Identity  string `json:"identity"`       // of its board and rules
	Plies     int    `json:"plies"`          // after how many the stored positions are
	Stored    int    `json:"stored"`         // classes of them
	Positions int    `json:"positions"`      // the members of these classes
	Next      int    `json:"next,omitempty"` // classes one ply later, without a win at once, that have a bit each
}

const bookMagic = "oxo book 1\n"

// mostPlies is the most plies that a book may have.
const mostPlies = 12

// mostClasses is the most classes of positions of a ply that a book may have.
const mostClasses = 1 << 22

// gameIdentity tells the game of a board and rules from all others.
func gameIdentity(b *board.Board, r board.Rules) string {
	sum := sha256.New()
	fmt.Fprintln(sum, b.N, b.Below, r.Tested, r.Done, r.Full, r.Place)
	lines := slices.Clone(b.Lines)
	slices.SortFunc(lines, func(a, b board.Line) int {
		return bytes.Compare(fmt.Append(nil, a), fmt.Append(nil, b))
	})
	fmt.Fprintln(sum, lines)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// class is one position of a class of ongoing positions, and the class's key.
type class struct{ key, own, other uint64 }

// nodeOf returns the node of a class's position after so many plies.
func (g *geometry) nodeOf(c class, plies int) node {
	return g.withPlayableAndWins(node{own: c.own, other: c.other}, plies)
}

// childClass returns the class of the position after move m.
func (g *geometry) childClass(n node, m uint64) class {
	c := class{own: n.other, other: n.own | m}
	_, c.key = g.classKey(c.own, c.other)
	return c
}

// classesByPly returns the classes of ongoing positions after 0, 1, … plies, by ascending key.
func (g *geometry) classesByPly(plies int) (levels [][]class, err error) {
	start := class{}
	_, start.key = g.classKey(0, 0)
	levels = [][]class{{start}}
	for ply := range plies {
		level := g.nextPlyClasses(levels[ply], ply)
		if len(level) > mostClasses {
			return nil, fmt.Errorf("after %d plies there are more than %d positions", ply+1, mostClasses)
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// nextPlyClasses returns the classes one ply after those after so many plies, by ascending key.
func (g *geometry) nextPlyClasses(level []class, plies int) (next []class) {
	for _, c := range level {
		n := g.nodeOf(c, plies)
		for moves := n.play &^ n.ownWins; moves != 0; moves &= moves - 1 {
			next = append(next, g.childClass(n, moves&-moves))
		}
	}
	slices.SortFunc(next, func(a, b class) int { return cmp.Compare(a.key, b.key) })
	return slices.CompactFunc(next, func(a, b class) bool { return a.key == b.key })
}

// quiet returns the classes, after so many plies, in which the side to move can't win at once.
func (g *geometry) quiet(level []class, plies int) []class {
	return slices.DeleteFunc(slices.Clone(level), func(c class) bool { return g.winsAtOnce(g.nodeOf(c, plies)) })
}

// keysOf returns the keys of classes.
func keysOf(level []class) []uint64 {
	keys := make([]uint64, len(level))
	for i, c := range level {
		keys[i] = c.key
	}
	return keys
}

// classSize returns the number of positions of a class.
func (g *geometry) classSize(c class) int {
	if g.group != nil {
		_, _, _, size := g.group.Canonical64(c.own, c.other, 0)
		return int(size)
	}
	if _, key := g.exactKey(c.own, c.own|c.other); g.columns && g.mirror(key) != key {
		return 2
	}
	return 1
}

// newBook returns the book of a game without any scores, and its classes by plies, of so many plies more than
// the book's as well.
func newBook(spec string, b *board.Board, r board.Rules, plies, extraPlies int) (empty *Book, g *geometry,
	levels [][]class, err error) {
	g, err = newGeometry(b, r)
	if err != nil {
		return nil, nil, nil, err
	}
	if _, wide := g.keyBits(); wide {
		return nil, nil, nil, errors.New("a book needs a board whose positions fit 64 bits")
	}
	if most := min(mostPlies, b.N-1) - extraPlies; plies < 0 || plies > most {
		return nil, nil, nil, fmt.Errorf("%d plies: a book of this game has 0 to %d", plies, most)
	}
	levels, err = g.classesByPly(plies + extraPlies)
	if err != nil {
		return nil, nil, nil, err
	}
	k := &Book{BookHeader: BookHeader{Game: spec, Identity: gameIdentity(b, r), Plies: plies,
		Stored: len(levels[plies])}}
	for _, c := range levels[plies] {
		k.Positions += g.classSize(c)
	}
	return k, g, levels, nil
}

// fillScoresBackward works the scores of all levels out from those of the last.
func (k *Book) fillScoresBackward(g *geometry, levels [][]class, lastScores []byte) error {
	k.scores = make([]scoredClasses, len(levels))
	for ply := len(levels) - 1; ply >= 0; ply-- {
		r := g.possibleScores(ply)
		level := scoredClasses{keysOf(levels[ply]), make([]int8, len(levels[ply]))}
		for i, c := range levels[ply] {
			score := 0
			if ply == len(levels)-1 {
				score = int(int8(lastScores[i]))
				if score < min(r.lost, r.low) || score > max(r.high, g.winScore(ply+1)) {
					return fmt.Errorf("position %d cannot have the score %d", i+1, score)
				}
			} else {
				score = k.bestChildScore(g, g.nodeOf(c, ply), ply)
			}
			level.scores[i] = int8(score)
		}
		k.scores[ply] = level
	}
	return nil
}

// bestChildScore returns the score of a node after so many plies from those a ply later.
func (k *Book) bestChildScore(g *geometry, n node, ply int) int {
	best := -worst
	for moves := n.play; moves != 0; moves &= moves - 1 {
		m := moves & -moves
		score := g.winScore(ply + 1)
		switch {
		case n.ownWins&m == 0:
			score, _ = k.scores[ply+1].scoreOf(g.childClass(n, m).key)
			score = -score
		case g.avoids:
			score = -score
		}
		best = max(best, score)
	}
	return best
}

// bounds returns the least and the greatest score that a node can have by the book.
func (k *Book) bounds(g *geometry, n node, marks int) (low, high int) {
	if k == nil || marks > k.Plies+2 {
		return -worst, worst
	}
	if marks == k.Plies+2 {
		return k.lowerBoundFromParents(g, n, marks), worst
	}
	_, key := g.classKey(n.own, n.other)
	if marks <= k.Plies {
		if score, ok := k.scores[marks].scoreOf(key); ok {
			return score, score
		}
		return -worst, worst
	}
	low = k.lowerBoundFromParents(g, n, marks)
	switch least, ok := k.hasLeastPossibleScore(g, key); {
	case !ok:
		return low, worst
	case least:
		return low, low
	}
	return low + 1, worst
}

// hasLeastPossibleScore returns the bit of a class one ply after the book's last, whether its score is the least that
// its parents leave it, and whether it has one.
func (k *Book) hasLeastPossibleScore(g *geometry, key uint64) (least, known bool) {
	if k.Next == 0 {
		return false, false
	}
	k.next.once.Do(func() {
		level := g.quiet(g.nextPlyClasses(k.next.last, k.Plies), k.Plies+1)
		if k.next.last = nil; len(level) == k.Next {
			k.next.keys = keysOf(level)
		}
	})
	i, known := slices.BinarySearch(k.next.keys, key)
	return known && k.next.bits[i/8]>>(i%8)&1 != 0, known
}

// lowerBoundFromParents returns the least score that a node after the last ply of the book can have: it is worth no
// more to who moved than any position was that the move may have been made in.
func (k *Book) lowerBoundFromParents(g *geometry, n node, marks int) int {
	least := -worst
	for moved := n.other; moved != 0; moved &= moved - 1 {
		m := moved & -moved
		if g.squaresDirectlyAbove(m)&(n.own|n.other) != 0 {
			continue
		}
		_, high := k.bounds(g, node{own: n.other &^ m, other: n.own}, marks-1)
		least = max(least, -high)
	}
	return least
}

// IsBook reports whether a file that begins so is a book.
func IsBook(head []byte) bool { return bytes.HasPrefix(head, []byte(bookMagic)) }

// mostBook is the most bytes of a book that are read.
const mostBook = mostClasses + mostClasses/8 + 4096

// ReadBook reads a book of the game of these rules on a board. It refuses what
// is not a book, books of other games, and those that are cut short or changed.
func ReadBook(r io.Reader, b *board.Board, rules board.Rules) (*Book, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostBook))
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(data, []byte(bookMagic))
	if !ok {
		return nil, fmt.Errorf("not a book that oxo wrote: it does not begin with %q", bookMagic[:len(bookMagic)-1])
	}
	if len(rest) < sha256.Size {
		return nil, errors.New("the book is cut short")
	}
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, errors.New("the book is cut short or changed: its checksum is wrong")
	}
	line, scores, ok := bytes.Cut(rest[:len(rest)-sha256.Size], []byte("\n"))
	var header BookHeader
	if !ok || json.Unmarshal(line, &header) != nil {
		return nil, errors.New("the book's header is not a line of JSON")
	}
	if header.Identity != gameIdentity(b, rules) {
		return nil, fmt.Errorf("the book is of another game, %q", header.Game)
	}
	k, g, levels, err := newBook(header.Game, b, rules, header.Plies, 0)
	if err != nil {
		return nil, err
	}
	k.Next = header.Next
	want := k.Stored + (k.Next+7)/8
	if k.BookHeader != header || k.Next < 0 || k.Next > mostClasses || len(scores) != want {
		return nil, fmt.Errorf("the book says %d positions, and has %d bytes of %d", header.Stored, len(scores), want)
	}
	k.next.bits, k.next.last = scores[k.Stored:], levels[k.Plies]
	return k, k.fillScoresBackward(g, levels, scores[:k.Stored])
}

// checkGame refuses games that are not the book's.
func (k *Book) checkGame(b *board.Board, r board.Rules) error {
	if k != nil && k.Identity != gameIdentity(b, r) {
		return fmt.Errorf("the book is of another game, %q", k.Game)
	}
	return nil
}

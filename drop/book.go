package drop

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"oxo/board"
)

// Book has the scores of all positions of a game that can be reached in so many
// plies or fewer. A file of it is
//
//	the line "oxo book 1"
//	a line of JSON, the header
//	a byte for each class of positions after that many plies in which the game
//	goes on, by ascending key: its score
//	the SHA-256 of all that
//
// Which classes there are follows from the rules, so that no key is stored.
type Book struct {
	BookHeader
	levels [][]class        // by plies, by ascending key
	scores []map[uint64]int // by plies, of each class's key its score
}

// BookHeader is what a book says about itself.
type BookHeader struct {
	Game      string `json:"game"`      // its spec, for people
	Identity  string `json:"identity"`  // of its board and rules
	Plies     int    `json:"plies"`     // after how many the stored positions are
	Stored    int    `json:"stored"`    // classes of them
	Positions int    `json:"positions"` // the members of these classes
}

const bookMagic = "oxo book 1\n"

// MostPlies is the most plies that a book may have.
const MostPlies = 12

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

// node returns the node of a class's position after so many plies.
func (g *geometry) nodeOf(c class, plies int) node {
	return g.complete(node{own: c.own, other: c.other}, plies)
}

// childClass returns the class of the position after move m.
func (g *geometry) childClass(n node, m uint64) class {
	c := class{own: n.other, other: n.own | m}
	_, c.key = g.classKey(c.own, c.other)
	return c
}

// levels returns the classes of ongoing positions after 0, 1, … plies, and how
// many positions the last have.
func (g *geometry) levels(plies int) (levels [][]class, positions int, err error) {
	start := class{}
	_, start.key = g.classKey(0, 0)
	levels = [][]class{{start}}
	for ply := range plies {
		found := map[uint64]class{}
		for _, c := range levels[ply] {
			n := g.nodeOf(c, ply)
			for moves := n.play &^ n.ownWins; moves != 0; moves &= moves - 1 {
				next := g.childClass(n, moves&-moves)
				if _, old := found[next.key]; !old {
					found[next.key] = next
				}
			}
		}
		if len(found) > mostClasses {
			return nil, 0, fmt.Errorf("after %d plies there are more than %d positions", ply+1, mostClasses)
		}
		level := make([]class, 0, len(found))
		for _, c := range found {
			level = append(level, c)
		}
		sort.Slice(level, func(i, j int) bool { return level[i].key < level[j].key })
		levels = append(levels, level)
	}
	for _, c := range levels[plies] {
		positions += g.classSize(c)
	}
	return levels, positions, nil
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

// newBook returns the book of a game without any scores.
func newBook(spec string, b *board.Board, r board.Rules, plies int) (*Book, *geometry, error) {
	g, err := newGeometry(b, r)
	if err != nil {
		return nil, nil, err
	}
	if _, wide := g.keyBits(); wide {
		return nil, nil, errors.New("a book needs a board whose positions fit 64 bits")
	}
	if most := min(MostPlies, b.N-1); plies < 0 || plies > most {
		return nil, nil, fmt.Errorf("%d plies: a book of this game has 0 to %d", plies, most)
	}
	k := &Book{BookHeader: BookHeader{Game: spec, Identity: gameIdentity(b, r), Plies: plies}}
	if k.levels, k.Positions, err = g.levels(plies); err != nil {
		return nil, nil, err
	}
	k.Stored = len(k.levels[plies])
	return k, g, nil
}

// fill works the scores of all levels out from those of the last.
func (k *Book) fill(g *geometry, last []byte) error {
	k.scores = make([]map[uint64]int, k.Plies+1)
	for ply := k.Plies; ply >= 0; ply-- {
		scores := make(map[uint64]int, len(k.levels[ply]))
		r := g.possibleScores(ply)
		for i, c := range k.levels[ply] {
			score := 0
			if ply == k.Plies {
				score = int(int8(last[i]))
				if score < min(r.lost, r.low) || score > max(r.high, g.winScore(ply+1)) {
					return fmt.Errorf("position %d cannot have the score %d", i+1, score)
				}
			} else {
				score = k.best(g, g.nodeOf(c, ply), ply)
			}
			scores[c.key] = score
		}
		k.scores[ply] = scores
	}
	k.levels = nil
	return nil
}

// best returns the score of a node after so many plies from those a ply later.
func (k *Book) best(g *geometry, n node, ply int) int {
	best := -worst
	for moves := n.play; moves != 0; moves &= moves - 1 {
		m := moves & -moves
		score := g.winScore(ply + 1)
		switch {
		case n.ownWins&m == 0:
			score = -k.scores[ply+1][g.childClass(n, m).key]
		case g.avoids:
			score = -score
		}
		best = max(best, score)
	}
	return best
}

// score returns the score of a node, or false where the book does not have it.
func (k *Book) score(g *geometry, n node, marks int) (score int, ok bool) {
	if k == nil || marks > k.Plies {
		return 0, false
	}
	_, key := g.classKey(n.own, n.other)
	score, ok = k.scores[marks][key]
	return score, ok
}

// floor returns the least score that a node a ply after the last of the book can have: it is worth no more to who
// moved than any position was that the move may have been made in.
func (k *Book) floor(g *geometry, n node, marks int) int {
	least := -worst
	if k == nil || marks != k.Plies+1 {
		return least
	}
	for moved := n.other; moved != 0; moved &= moved - 1 {
		m := moved & -moved
		if g.squareAbove(m)&(n.own|n.other) != 0 {
			continue
		}
		_, key := g.classKey(n.other&^m, n.own)
		if score, ok := k.scores[k.Plies][key]; ok {
			least = max(least, -score)
		}
	}
	return least
}

// IsBook reports whether a file that begins so is a book.
func IsBook(head []byte) bool { return bytes.HasPrefix(head, []byte(bookMagic)) }

// mostBook is the most bytes of a book that are read.
const mostBook = mostClasses + 4096

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
	k, g, err := newBook(header.Game, b, rules, header.Plies)
	if err != nil {
		return nil, err
	}
	if k.BookHeader != header || len(scores) != k.Stored {
		return nil, fmt.Errorf("the book says %d positions, and has %d scores of %d", header.Stored, len(scores),
			k.Stored)
	}
	return k, k.fill(g, scores)
}

// checkGame refuses games that are not the book's.
func (k *Book) checkGame(b *board.Board, r board.Rules) error {
	if k != nil && k.Identity != gameIdentity(b, r) {
		return fmt.Errorf("the book is of another game, %q", k.Game)
	}
	return nil
}

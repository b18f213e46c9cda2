package gametest

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo"
)

// toy is a game with everything a game can have: chance says who begins, then
// both mark squares of a row of five, and two neighbours win. Its methods
// misbehave where fault asks for it.
type toy struct {
	x, o  uint8
	turn  oxo.Seat
	fault fault
	last  oxo.Move // only where fault is remembers
}

type fault uint8

const (
	none fault = iota
	descends
	repeats
	offersNoMove
	overwrites
	stalls        // no moves, but going on
	goesOn        // moves in a terminal position
	strangeEnd    // an unknown outcome
	strangeSeat   // an unknown seat
	remembers     // the order of moves matters
	wavers        // Play gives another answer each time
	touchesMoves  // Play changes what Moves says
	touchesResult // Play changes what Outcome says
	panics        // Play of a second mark panics
	comesBack     // Play of a second mark takes the first away
)

const five = 1<<5 - 1

// played counts calls of Play, for the faults that need a memory.
var played int

func hasPair(marks uint8) bool { return marks&(marks>>1) != 0 }

func (p toy) Turn() oxo.Seat {
	if p.fault == strangeSeat && p.x != 0 {
		return 7
	}
	return p.turn
}

func (p toy) Outcome() oxo.Outcome {
	switch {
	case p.fault == strangeEnd && p.x|p.o == five:
		return 9
	case p.fault == touchesResult && played%2 == 1:
		return oxo.Drawn
	case hasPair(p.x):
		return oxo.FirstWins
	case hasPair(p.o):
		return oxo.SecondWins
	case p.x|p.o == five:
		return oxo.Drawn
	}
	return oxo.Ongoing
}

func (p toy) Moves(buf []oxo.Move) []oxo.Move {
	if p.fault == overwrites {
		buf = buf[:0]
	}
	if p.turn == oxo.Chance {
		return append(buf, 0, 1)
	}
	free := ^(p.x | p.o) & five
	if over := hasPair(p.x) || hasPair(p.o) || free == 0; over && p.fault != goesOn {
		return buf
	}
	switch {
	case p.fault == stalls && p.x != 0:
		return buf
	case p.fault == touchesMoves && played%2 == 1 && free&(free-1) != 0:
		free &= free - 1
	}
	at := len(buf)
	for ; free != 0; free &= free - 1 {
		buf = append(buf, oxo.Move(bits.TrailingZeros8(free)))
	}
	switch p.fault {
	case descends:
		slices.Reverse(buf[at:])
	case repeats:
		buf = append(buf, buf[len(buf)-1])
	case offersNoMove:
		buf = append(buf, oxo.NoMove)
	}
	return buf
}

func (p toy) Play(m oxo.Move) toy {
	played++
	if p.turn == oxo.Chance {
		p.turn = oxo.Seat(m)
		return p
	}
	if p.fault == panics && bits.OnesCount8(p.x|p.o) == 1 {
		panic("not a second mark")
	}
	if p.fault == comesBack && bits.OnesCount8(p.x|p.o) == 1 {
		return toy{turn: p.turn ^ 1, fault: p.fault}
	}
	if p.fault == remembers {
		p.last = m
	}
	if p.fault == wavers && played%5 == 0 {
		m = oxo.Move(bits.TrailingZeros8(^(p.x | p.o)))
	}
	if p.turn == oxo.First {
		p.x |= 1 << m
	} else {
		p.o |= 1 << m
	}
	p.turn ^= 1
	return p
}

// mirror returns p seen in a mirror.
func (p toy) mirror() toy {
	p.x, p.o = bits.Reverse8(p.x)>>3, bits.Reverse8(p.o)>>3
	return p
}

func (p toy) less(q toy) bool { return p.x < q.x || p.x == q.x && p.o < q.o }

func formatToy(p toy) string {
	var text strings.Builder
	for i := range 5 {
		text.WriteByte(".xo"[p.x>>i&1+p.o>>i&1*2])
	}
	return text.String() + " " + "xo?"[p.turn:][:1]
}

func parseToy(text string) (toy, error) {
	var p toy
	if len(text) != 7 || text[5] != ' ' {
		return p, fmt.Errorf("position %q: want five squares, a space and the side to move", text)
	}
	for i := range 5 {
		switch text[i] {
		case 'x':
			p.x |= 1 << i
		case 'o':
			p.o |= 1 << i
		case '.':
		default:
			return p, fmt.Errorf("position %q: square %d", text, i+1)
		}
	}
	turn := strings.IndexByte("xo?", text[6])
	if turn < 0 {
		return p, fmt.Errorf("position %q: side to move %q", text, text[6:])
	}
	p.turn = oxo.Seat(turn)
	lead := bits.OnesCount8(p.x) - bits.OnesCount8(p.o)
	switch {
	case p.turn == oxo.Chance && p.x|p.o != 0, lead < -1, lead > 1,
		lead == 1 && p.turn == oxo.First, lead == -1 && p.turn == oxo.Second,
		hasPair(p.x) && hasPair(p.o), hasPair(p.x) && p.turn == oxo.First, hasPair(p.o) && p.turn == oxo.Second:
		return p, fmt.Errorf("position %q cannot be reached", text)
	}
	return p, nil
}

func codeToy(p toy) uint64 { return uint64(p.x) | uint64(p.o)<<5 | uint64(p.turn)<<10 }

// newToy returns the game with nothing wrong but the given fault.
func newToy(f fault) *oxo.Game[toy] {
	g := &oxo.Game[toy]{
		Spec:       "toy",
		Title:      "a toy",
		Start:      toy{turn: oxo.Chance, fault: f},
		MaxMoves:   5,
		MaxPlies:   6,
		Odds:       func(p toy, m oxo.Move) float64 { return 0.25 + 0.5*float64(m) },
		Payoff:     func(p toy) float64 { return [...]float64{0, 2, -1, 0}[p.Outcome()&3] },
		MinPayoff:  -1,
		MaxPayoff:  2,
		Format:     formatToy,
		FormatMove: func(p toy, m oxo.Move) string { return fmt.Sprint(m + 1) },
		Symmetries: big.NewInt(2),
		Code:       codeToy,
	}
	g.Parse = func(text string) (toy, error) {
		p, err := parseToy(text)
		p.fault = f
		return p, err
	}
	g.ParseMove = func(p toy, text string) (oxo.Move, error) {
		for _, m := range p.Moves(nil) {
			if g.FormatMove(p, m) == text {
				return m, nil
			}
		}
		return oxo.NoMove, fmt.Errorf("move %q: want the number of an empty square", text)
	}
	g.Canonical = func(p toy) (toy, uint64) {
		switch q := p.mirror(); {
		case q == p:
			return p, 1
		case q.less(p):
			return q, 2
		}
		return p, 2
	}
	g.Decode = func(code uint64) (toy, bool) {
		p := toy{x: uint8(code & five), o: uint8(code >> 5 & five), turn: oxo.Seat(code >> 10 & 3), fault: f}
		if p.x&p.o != 0 || p.turn > oxo.Chance || code != codeToy(p) {
			return p, false
		}
		q, err := g.Parse(formatToy(p))
		return q, err == nil
	}
	g.Perft = func(p toy, depth int) uint64 { return Perft(p, depth) }
	g.Playout = func(p toy, r *rand.PCG) oxo.Outcome { return Playout(g, p, r) }
	g.AlphaBeta = func(p toy, alpha, beta int) (int, uint64, bool) { return alphaBeta(p, alpha, beta) }
	g.Minimax = minimax[toy]
	g.WinsNow = winsNow[toy]
	g.MinMovesToWin = func(p toy, seat oxo.Seat) int {
		mine, theirs := p.x, p.o
		if seat == oxo.Second {
			mine, theirs = theirs, mine
		}
		switch {
		case !hasPair(five &^ theirs):
			return oxo.Never
		case mine == 0:
			return 2
		}
		return 1
	}
	return g
}

var errToy = errors.New("no")

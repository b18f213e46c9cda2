package verify

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// MagicNine begins certificates of games of nine boards.
const MagicNine = "oxo proof 3\n"

// What a position costs until its level is done: of work, in winning sets looked at, for each
// reply, and of memory, in bytes.
const (
	replyWork = 20
	formBytes = 100
)

// nineChecker checks the strategy of one claim of a game of nine boards. Its positions come
// in levels, all those with the same number of marks together, so no more than two levels are
// held at a time.
type nineChecker struct {
	*Nine
	in      *reader
	seat    int
	wins    bool
	within  int // plies after which the claim says nothing
	nodes   int // positions in which the seat moves, as the file says
	done    int // of these, looked at
	ply     int // of the last of them, from the start
	longest int // plies of the longest game that ended
	checks  uint64
	next    map[form]bool
}

// nine reads the rules and the position.
func (r *reader) nine() (n *Nine, name string, err error) {
	text := make([]byte, r.number(1<<16))
	for k := range text {
		text[k] = byte(r.number(256))
	}
	n = &Nine{Goal: r.number(3), Open: r.bool()}
	for k := range n.Marks {
		n.Marks[k] = uint8(r.number(3))
	}
	for b := range n.Owner {
		n.Owner[b] = uint8(r.number(3))
	}
	n.Active, n.Turn = r.number(10), r.number(2)
	if r.err != nil {
		return n, string(text), r.err
	}
	return n, string(text), n.possible()
}

// checkNine is check of a certificate of a game of nine boards. Of a file whose checksum does
// not fit it says how far it can be followed.
func (r *Result) checkNine(in *reader, asked Question, nodes int) error {
	damaged := in.err
	if !errors.Is(damaged, errDamaged) {
		return r.followNine(in, asked, nodes)
	}
	in.err = nil
	_ = r.followNine(in, asked, nodes) // which shows nothing here
	in.err, r.wins, r.holds, r.safe = damaged, [2]bool{}, [2]bool{}, [2]int{}
	return fmt.Errorf("%w; its last good position is number %d, after %d plies", damaged, r.Nodes, r.ply)
}

// followNine reads the certificate and checks what it claims.
func (r *Result) followNine(in *reader, asked Question, nodes int) error {
	n, name, err := in.nine()
	if r.Game.Spec = name; err != nil {
		return in.errorOr(err)
	}
	r.Game.Nine = n
	if err := asked.checkSubject(&r.Game); err != nil {
		return err
	}
	claims := in.number(3)
	if claims == 0 {
		return in.errorOr(errors.New("the file claims nothing"))
	}
	for k := range claims {
		c := nineChecker{Nine: n, in: in}
		text, err := c.claim(nodes - r.Nodes)
		if c.done > 0 {
			r.Nodes, r.ply = r.Nodes+c.done, c.ply
		}
		r.Checks += c.checks
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		if k > 0 {
			r.Claim += ", "
		}
		r.Claim += text
		r.shown(&c)
	}
	if err := in.checkAllRead(); err != nil {
		return err
	}
	r.setValue()
	return asked.checkAnswered(r)
}

// shown takes down what a claim shows that holds.
func (r *Result) shown(c *nineChecker) {
	r.safe[c.seat] = max(r.safe[c.seat], c.within)
	if c.whole() {
		r.holds[c.seat], r.safe[c.seat] = true, math.MaxInt
	}
	if c.wins {
		if !r.wins[c.seat] || c.longest < r.plies[c.seat] {
			r.plies[c.seat] = c.longest
		}
		r.wins[c.seat], r.holds[c.seat], r.safe[c.seat] = true, true, math.MaxInt
	}
}

// free returns how many squares have no mark, so how many plies are left at most.
func (n *Nine) free() (count int) {
	for _, mark := range n.Marks {
		if mark == 0 {
			count++
		}
	}
	return count
}

// whole reports whether the claim speaks of all that can come.
func (c *nineChecker) whole() bool { return c.within >= c.free() }

// claim reads a claim of at most so many positions and checks it. It says the claim in words.
func (c *nineChecker) claim(most int) (text string, err error) {
	c.seat, c.wins, c.within, c.nodes = c.in.number(2), c.in.bool(), c.in.number(82), c.in.number(math.MaxInt32)
	switch {
	case c.wins:
		text = seats[c.seat] + " wins"
	case c.whole():
		text = seats[c.seat] + " does not lose"
	default:
		text = fmt.Sprintf("%s does not win within %d plies", seats[1-c.seat], c.within)
	}
	switch {
	case c.in.err != nil:
		return text, c.in.err
	case c.nodes > most:
		return text, fmt.Errorf("%w: %d positions, where it may have %d", ErrTooMuch, c.nodes, most)
	}
	err = c.strategy()
	if c.wins && err == nil {
		text = fmt.Sprintf("%s within %d plies", text, c.longest)
	}
	return text, err
}

// strategy checks the moves as they come, level by level.
func (c *nineChecker) strategy() error {
	c.next = map[form]bool{}
	level := []form{c.form()}
	ply := 0 // of the level
	if c.Turn != c.seat {
		if err := c.replies(c.Nine, 0); err != nil {
			return err
		}
		level, ply = c.level(), 1
	}
	for ; len(level) > 0; ply += 2 {
		if c.done+len(level) > c.nodes {
			return fmt.Errorf("more positions than the %d it says it has", c.nodes)
		}
		for _, f := range level {
			p := c.position(f, c.seat)
			if err := c.move(&p, ply); err != nil {
				return fmt.Errorf("position %d of %d, at ply %d: %w", c.done+1, c.nodes, ply, err)
			}
			c.done, c.ply = c.done+1, ply
		}
		c.in.takeMemory(-formBytes * len(level))
		level = c.level()
	}
	if c.done != c.nodes {
		return fmt.Errorf("%d positions, where it says it has %d", c.done, c.nodes)
	}
	return nil
}

// level returns the positions that the moves of the last level lead to, in order.
func (c *nineChecker) level() []form {
	level := slices.SortedFunc(maps.Keys(c.next), func(a, b form) int {
		if a.less(b) {
			return -1
		}
		return 1
	})
	clear(c.next)
	return level
}

// move reads the seat's move in p, at that ply, and looks at all that may follow.
func (c *nineChecker) move(p *Nine, ply int) error {
	sq := c.in.number(81)
	switch {
	case c.in.err != nil:
		return c.in.err
	case !p.legal(sq):
		return fmt.Errorf("the move on cell %d of board %d is not legal", sq%9+1, sq/9+1)
	}
	q, outcome := p.play(sq)
	if on, err := c.goesOn(&q, outcome, ply+1); !on {
		return err
	}
	return c.replies(&q, ply+1)
}

// replies looks at all moves of the other side in p, at that ply.
func (c *nineChecker) replies(p *Nine, ply int) error {
	for sq := range p.Marks {
		if !p.legal(sq) {
			continue
		}
		if c.checks++; !c.in.spend(replyWork) {
			return c.in.stopReason()
		}
		q, outcome := p.play(sq)
		on, err := c.goesOn(&q, outcome, ply+1)
		if err != nil {
			return fmt.Errorf("the reply on cell %d of board %d: %w", sq%9+1, sq/9+1, err)
		}
		if !on {
			continue
		}
		f := q.form()
		if !c.next[f] {
			if c.in.takeMemory(formBytes); c.done+len(c.next) > c.nodes {
				return fmt.Errorf("more positions than the %d it says it has", c.nodes)
			}
			c.next[f] = true
		}
	}
	return nil
}

// goesOn reports whether the claim is still open in a position after so many plies. The
// error says why it is refuted.
func (c *nineChecker) goesOn(p *Nine, outcome, ply int) (bool, error) {
	own, other := 1+c.seat, 2-c.seat
	if outcome != 0 {
		c.longest = max(c.longest, ply)
		if outcome == other || c.wins && outcome != own {
			return false, fmt.Errorf("the game ends with %s", [...]string{"", "a win of first", "a win of second",
				"a draw"}[outcome])
		}
		return false, nil
	}
	left := c.within - ply
	switch {
	case c.wins && left <= 0:
		return false, fmt.Errorf("no win after %d plies", ply)
	case c.wins || left <= 0:
		return c.wins, nil
	}
	if p.Turn != c.seat {
		left++ // the other side makes the next of the moves that are left
	}
	return p.needs(uint8(other)) <= left/2, nil
}

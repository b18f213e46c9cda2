package solve

import (
	"fmt"
	"unsafe"

	"oxo"
)

// solveRetrograde solves a game in which play can go in circles: it finds every
// position that can be reached, then works backwards from the ends (Thompson,
// ICCA Journal 9(3), 1986). A position is won as soon as one move leads to a
// won end or a won position, lost when all moves lead to lost ones, and it falls in the order of
// remoteness. What has not fallen when nothing changes is drawn.
// It holds every position with the numbers of those before it, four bytes a move, so that Limit bounds it.
func (s *solver[P]) solveRetrograde(from P) error {
	nodes, ends, err := s.findReachable(from)
	if err != nil {
		return err
	}
	for queue := ends; len(queue) > 0; queue = queue[1:] { // decided, their parents not yet told
		v := nodes[queue[0]].verdict
		for _, i := range nodes[queue[0]].parents {
			parent := &nodes[i]
			if parent.verdict.Outcome != oxo.Ongoing {
				continue
			}
			value := v.Outcome.Value(parent.p.Turn())
			if value == oxo.Loss {
				parent.open--
			}
			if value == oxo.Win || parent.open == 0 {
				parent.verdict = v.onePlyEarlier()
				queue = append(queue, i)
			}
		}
	}
	settleDraws(nodes, ends)
	for _, n := range nodes {
		if n.verdict.Remoteness > longestGame {
			return fmt.Errorf("solve %s: %w", s.game.Spec, errTooLong)
		}
		s.storeVerdict(n.p, n.verdict)
	}
	return nil
}

// settleDraws says of the positions that have not fallen that they are drawn, and how long both sides can delay there
// by moves that keep the draw. It works backwards from drawn ends too: a position is settled once all
// its drawn moves are. What stays unsettled leads to a circle of drawn positions, so that the draw need never end.
func settleDraws[P oxo.Position[P]](nodes []retroNode[P], ends []int32) {
	var queue []int32
	for _, i := range ends {
		if nodes[i].verdict.Outcome == oxo.Drawn {
			queue = append(queue, i)
		}
	}
	for i := range nodes { // open is from here on the number of drawn moves not yet settled
		if n := &nodes[i]; n.verdict.Outcome == oxo.Ongoing {
			n.open, n.verdict = 0, Verdict{Outcome: oxo.Drawn, Remoteness: Endless}
		}
	}
	for i := range nodes {
		if nodes[i].verdict.Outcome == oxo.Drawn {
			for _, parent := range nodes[i].parents {
				nodes[parent].open++
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		v := nodes[queue[0]].verdict
		for _, i := range nodes[queue[0]].parents {
			parent := &nodes[i]
			if parent.open--; parent.open == 0 && parent.verdict.Outcome == oxo.Drawn {
				parent.verdict = v.onePlyEarlier() // the last to settle delays longest
				queue = append(queue, i)
			}
		}
	}
}

// retroNode is a position with those before it.
// A parent comes once for each of its moves to the position, so that open counts moves and not positions.
type retroNode[P oxo.Position[P]] struct {
	p       P
	parents []int32
	open    int // moves not yet known to lose; then drawn ones not yet settled
	verdict Verdict
}

// findReachable finds every position that can be reached, and which of them are ends.
// Nodes come in order of breadth-first search; a node's number is its place in the list.
func (s *solver[P]) findReachable(from P) (nodes []retroNode[P], terminals []int32, err error) {
	nodes = []retroNode[P]{{p: s.representative(from)}}
	index := newTable[P, int32](s.game)
	index.put(nodes[0].p, 0)
	var moves []oxo.Move
	parents := int64(0)
	for i := 0; i < len(nodes); i++ {
		if i%pollEvery == 0 {
			s.charge.SetBytes(index.bytes() + int64(cap(nodes))*int64(unsafe.Sizeof(nodes[0])) + 4*parents)
			if err := s.ctx.Err(); err != nil {
				return nil, nil, err
			}
		}
		if s.options.Limit > 0 && len(nodes) > s.options.Limit {
			return nil, nil, fmt.Errorf("%w: more than %d", ErrTooLarge, s.options.Limit)
		}
		p := nodes[i].p
		if o := p.Outcome(); o != oxo.Ongoing {
			nodes[i].verdict = Verdict{Outcome: o, Expected: s.game.PayoffToFirst(p)}
			terminals = append(terminals, int32(i))
			continue
		}
		moves = p.Moves(moves[:0])
		if err := s.game.OngoingFault(p, len(moves), 0); err != nil {
			return nil, nil, err
		}
		nodes[i].open = len(moves)
		for _, m := range moves {
			child := s.representative(p.Play(m))
			j, ok := index.get(child)
			if !ok {
				j = int32(len(nodes))
				index.put(child, j)
				nodes = append(nodes, retroNode[P]{p: child})
			}
			nodes[j].parents = append(nodes[j].parents, int32(i))
			parents++
		}
	}
	return nodes, terminals, nil
}

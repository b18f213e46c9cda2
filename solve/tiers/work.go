package tiers

import (
	"context"
	"errors"

	"oxo"
	"oxo/board"
	"oxo/solve"
)

// Counts are how many positions of a tier, or of a slice of it, there are, all
// members of each class counted, and how many each outcome has.
type Counts struct {
	Positions uint64 `json:"positions"`
	First     uint64 `json:"first"`
	Second    uint64 `json:"second"`
	Draw      uint64 `json:"draw"`
	Stored    uint64 `json:"stored"` // bytes of values
}

// Add adds others to the counts.
func (c *Counts) Add(d Counts) {
	c.Positions += d.Positions
	c.First += d.First
	c.Second += d.Second
	c.Draw += d.Draw
	c.Stored += d.Stored
}

// Task is a slice to be worked out.
type Task struct {
	Marks        int
	Index        int         // of the slice in its tier
	AdjacentTier SliceSource // of the tier before it for FindReachable, after it for SolveSlice

	// Reached is, for SolveSlice and where the space is Forward, what FindReachable made of
	// the slice.
	Reached func(buf []byte) ([]byte, error)

	Tell func(done, total int) // is told how it goes; nil for nobody
}

// sliceAndSweep returns the slice, and the sweep of the tier beside it.
func (s *Space) sliceAndSweep(ctx context.Context, t Task, other int) (Slice, *sweep, error) {
	list, err := s.Slices(ctx, t.Marks)
	if err != nil {
		return Slice{}, nil, err
	}
	if t.Tell == nil {
		t.Tell = func(int, int) {}
	}
	return list[t.Index], &sweep{space: s, marks: t.Marks, other: other, from: t.AdjacentTier, tell: t.Tell}, nil
}

// FindReachable finds which positions of a slice can be reached, and how the game stands
// in them, from the tier before. It returns the table for [Space.FindReachable] of
// the next tier and for [Space.SolveSlice] of the same slice.
func (s *Space) FindReachable(ctx context.Context, t Task) ([]byte, error) {
	slice, w, err := s.sliceAndSweep(ctx, t, t.Marks-1)
	if err != nil {
		return nil, err
	}
	w.own = s.emptyTable(t.Marks, slice)
	if t.Marks == 0 {
		w.own.block(0)[0] = open
		return w.own.data, nil
	}
	own, ranks := s.tierCombinations(t.Marks), newWordRanker(s.tierCombinations(t.Marks-1))
	last := seat(t.Marks - 1)
	if err := w.visitEdges(ctx, func(block, parent []byte, c *wordTable, bit uint32) {
		word := own.first()
		for i := range block {
			x := uint32(word)
			lastMoved := s.rules.Place != board.Own || (last == oxo.First) == (x&bit != 0)
			if lastMoved && parent[ranks.of(c.of(x))] == open {
				block[i] = open
			}
			word = own.next(word)
		}
	}); err != nil {
		return nil, err
	}
	return w.own.data, s.scoreFinished(ctx, t.Marks, w.own, func(score byte) bool { return score == open })
}

// scoreFinished writes at the places that are wanted how the game stands.
func (s *Space) scoreFinished(ctx context.Context, marks int, t sliceTable, wanted func(byte) bool) error {
	j, own := s.newFinishedScorer(marks), s.tierCombinations(marks)
	for b := range t.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		j.setOccupied(t.set(b))
		word := own.first()
		block := t.block(b)
		for i := range block {
			if wanted(block[i]) {
				block[i] = j.initialScore(uint32(word))
			}
			word = own.next(word)
		}
	}
	return nil
}

// SolveSlice works out the values of a slice's positions from those of the tier
// after it, and returns its table.
func (s *Space) SolveSlice(ctx context.Context, t Task) ([]byte, Counts, error) {
	var counts Counts
	slice, w, err := s.sliceAndSweep(ctx, t, t.Marks+1)
	if err != nil {
		return nil, counts, err
	}
	if s.forward {
		data, err := t.Reached(nil)
		if err != nil {
			return nil, counts, err
		}
		if w.own, err = s.parseTable(t.Marks, slice, data); err != nil {
			return nil, counts, err
		}
	} else {
		w.own = s.emptyTable(t.Marks, slice)
		if err := s.scoreFinished(ctx, t.Marks, w.own, func(byte) bool { return true }); err != nil {
			return nil, counts, err
		}
	}
	if t.Marks < s.n {
		if err := w.visitEdges(ctx, s.bestMoveVisitor(t.Marks)); err != nil {
			return nil, counts, err
		}
	}
	counts, err = s.countOutcomes(t.Marks, w.own)
	return w.own.data, counts, err
}

// bestMoveVisitor returns what a sweep does that finds the best move of each position.
func (s *Space) bestMoveVisitor(marks int) func(block, child []byte, c *wordTable, bit uint32) {
	own, ranks := s.tierCombinations(marks), newWordRanker(s.tierCombinations(marks+1))
	improve := func(block, child []byte, c *wordTable, bit uint32) {
		word := own.first()
		for i, score := range block {
			if !settled[score] {
				if after := before[child[ranks.of(c.of(uint32(word))|bit)]]; after > score {
					block[i] = after
				}
			}
			word = own.next(word)
		}
	}
	return func(block, child []byte, c *wordTable, bit uint32) {
		switch {
		case s.rules.Place == board.Either:
			improve(block, child, c, 0)
		case s.rules.Place == board.Own && seat(marks) == oxo.Second:
			bit = 0 // an O is no one in a word
		}
		improve(block, child, c, bit)
	}
}

// countOutcomes counts the values of a table.
func (s *Space) countOutcomes(marks int, t sliceTable) (Counts, error) {
	counts := Counts{Stored: uint64(t.blocks * t.width)}
	b := 0
	for _, class := range s.canonicalSets(marks, t.set(0)) {
		var scores [256]uint64
		for _, score := range t.block(b) {
			scores[score]++
		}
		for score, n := range scores {
			if n == 0 || score == unreached {
				continue
			}
			v, ok := decodeScore(byte(score), seat(marks))
			if !ok {
				return counts, errors.New("a position has no value: the table of the next tier is not right")
			}
			counts.addOutcome(v, n*class)
		}
		if b++; b == t.blocks {
			break
		}
	}
	return counts, nil
}

// addOutcome counts n positions of that verdict.
func (c *Counts) addOutcome(verdict solve.Verdict, n uint64) {
	c.Positions += n
	switch verdict.Outcome {
	case oxo.FirstWins:
		c.First += n
	case oxo.SecondWins:
		c.Second += n
	default:
		c.Draw += n
	}
}

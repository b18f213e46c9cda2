package prove

import (
	"fmt"
	"slices"

	"oxo"
	"oxo/prove/certificate"
)

// question is a task with its search, once begun.
// Questions are put in turn, each for a while, as nobody knows before which of them is the easy
// one.
type question struct {
	task
	text   string
	search searcher
	closed bool
	after  *question // closed before this one is put

	last    uint32 // its proof number at the end of the last round, its disproof number where that is looked for
	falling bool   // that was lower than a round before
}

// addInitialQuestions lists the questions, those likely to be settled soon first.
func (j *proofRun) addInitialQuestions() {
	g := j.game
	for _, seat := range []oxo.Seat{g.Turn, g.Turn.Other()} {
		switch {
		case !g.IsPositional():
			if mirrorSymmetry(g, seat, certificate.Automorphisms(g.Board)) != nil {
				j.addQuestion(task{seat: seat, mirror: true}, nil)
			}
			// Without draws the answer about one seat is the answer about both.
			if g.Rules.Full == oxo.Drawn || seat == g.Turn {
				j.addQuestion(task{seat: seat}, nil)
			}
		case g.CompletionWins(seat):
			var relaxed *question
			if g.CompletionWins(seat.Other()) {
				relaxed = j.addQuestion(task{seat: seat, relaxed: true, defends: true}, nil)
			}
			switch {
			case j.opt.All:
				j.addQuestion(task{seat: seat}, nil)
			case g.Board.N > j.opt.Width:
				j.addQuestion(task{seat: seat, width: j.opt.Width}, nil)
			}
			j.addQuestion(task{seat: seat, defends: true}, relaxed)
		}
	}
}

// addQuestion adds a question, which may wait for another to be closed.
// The text is what [Progress] says of it.
func (j *proofRun) addQuestion(t task, after *question) *question {
	text := fmt.Sprintf("%v wins", t.seat)
	switch {
	case t.relaxed:
		text += " where the other side owns no lines"
	case t.mirror:
		text += " by mirrored answers"
	case t.width > 0:
		text += fmt.Sprintf(" by the best %d moves", t.width)
	case t.defends:
		text += ", or a draw"
	}
	q := &question{task: t, text: text, after: after}
	j.questions = append(j.questions, q)
	return q
}

// addWiderQuestion puts a narrow question again with twice the moves, up to all of them.
// From half of the squares on the question about all moves takes its place.
func (j *proofRun) addWiderQuestion(q *question) {
	if 2*q.width < j.game.Board.N {
		j.addQuestion(task{seat: q.seat, width: 2 * q.width}, nil)
	}
}

// idle reports whether there is nothing to search about q, now or ever.
func (j *proofRun) idle(q *question) bool {
	return q.closed || j.wins[q.seat] != open || j.wins[q.seat.Other()] == proved || q.after != nil && !q.after.closed
}

// budgetWeight is the part of a round that a question gets. Most of it goes to the
// relaxed question while that looks like being disproved; else to the narrow one
// while there is less and less to be proved about it, and little to that while there
// is less and less to be disproved about the whole one.
func (j *proofRun) budgetWeight(q *question) uint64 {
	relaxed := j.questions[0]
	switch {
	case q.relaxed && !q.looksLikeProof():
		return 16
	case q.width > 0 && q.falling && (relaxed.closed || relaxed.looksLikeProof()):
		return 16
	case q.width > 0 && slices.ContainsFunc(j.questions, func(o *question) bool {
		return o.seat == q.seat && o.defends && !o.relaxed && o.falling
	}):
		return 1
	}
	return 4
}

// recordRootNumbers takes down how the question stands.
// Whether its number falls is how budgetWeight tells work that gets nearer to its end.
func (q *question) recordRootNumbers() {
	if q.search == nil {
		return
	}
	number, dn, _ := q.search.proofNumbers()
	if q.defends {
		number = dn
	}
	q.falling, q.last = number < q.last, number
}

// looksLikeProof reports whether a search begun to find a disproof looks like
// finding a proof.
// A hundred times as much to be disproved as to be proved is taken for that.
func (q *question) looksLikeProof() bool {
	if q.search == nil {
		return false
	}
	pn, dn, _ := q.search.proofNumbers()
	return dn/100 > pn
}

// tableMemory is the memory for one search's table: three can be under way.
func (j *proofRun) tableMemory() int64 { return j.opt.Memory / 3 }

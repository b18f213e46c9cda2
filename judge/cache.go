package judge

import (
	"sync"

	"oxo"
)

// mostKept is of how many moves a judge keeps what is certain.
const mostKept = 1 << 14

// answerCache is what was certain in answers that were given in time, so that a later one knows no less however
// little time it has. Answers in positions neither read nor write it: they depend on the question alone.
type answerCache[P oxo.Position[P]] struct {
	sync.Mutex
	// Both maps are nil until the first answer is kept. They go by the position itself, not by its class.
	answers map[P]*Answer
	after   map[P]Known // of positions that a move of an answer leads to
	moves   int         // of all answers
}

// recall adds what was certain of p to the answer. It leaves the answer as it is where what was kept
// does not fit it, as it may where moves were given beforehand by somebody who knows otherwise.
func (k *answerCache[P]) recall(p P, a *Answer, odds func(i int) float64) {
	k.Lock()
	was := k.answers[p]
	before, ok := k.after[p]
	k.Unlock()
	// All is merged into a copy, so that a contradiction leaves the answer untouched.
	own := a.clone()
	ok = !ok || own.narrow(before)
	if was != nil {
		ok = ok && own.narrow(was.Known)
		// A position lists its moves in the same order every time, so the same place is the same move.
		for i := range own.Moves {
			ok = ok && own.Moves[i].narrow(was.Moves[i].Known)
		}
	}
	if ok && own.propagateBounds(odds) {
		*a = *own
	}
}

// store notes what is certain of p and of the positions after it by the answer. Where there is no room all is
// forgotten. Estimates and sources left out are not kept: the next answer searches again.
func (k *answerCache[P]) store(p P, after []P, a *Answer) {
	own := a.clone()
	own.Estimate, own.LeftOut = Estimate{}, nil
	for i := range own.Moves {
		own.Moves[i].Estimate = Estimate{}
	}
	k.Lock()
	defer k.Unlock()
	if was := k.answers[p]; was != nil {
		k.moves -= len(was.Moves)
	}
	// Room is made by dropping everything, as it is not noted which answers are old.
	if k.answers == nil || k.moves+len(own.Moves) > mostKept {
		k.answers, k.after, k.moves = map[P]*Answer{}, map[P]Known{}, 0
	}
	for i := range own.Moves {
		if o := &own.Moves[i]; o.Interval != a.whole {
			k.after[after[i]] = o.Known
		}
	}
	k.answers[p] = own
	k.moves += len(own.Moves)
}

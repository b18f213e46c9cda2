package prove

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"oxo"
)

// Options bound the work of [Prove]. The zero value means no limits but 256
// megabytes of memory.
type Options struct {
	Time   time.Duration
	Nodes  uint64
	Memory int64 // bytes, about

	// Width is how many moves of the side that is to win the first search
	// tries in a position, 16 where it is 0. With All set every search tries
	// all of them.
	Width int
	All   bool

	// Progress, if set, is called now and then by the goroutine that called
	// Prove.
	Progress func(Progress)
}

// Progress tells how far a search has come. The numbers are those of the
// start position in the search under way.
type Progress struct {
	Question        string
	Proof, Disproof uint32
	Nodes           uint64 // positions searched so far, by all searches
	Elapsed         time.Duration
	Memory          uint64 // bytes in use
}

// Result is what was proved.
type Result struct {
	// Value is who wins from the start position, oxo.Drawn for a draw, or
	// oxo.Ongoing where the limits ended the work first.
	Value oxo.Outcome

	// Lose says, for each seat, that it was proved not to lose.
	Holds [2]bool

	// Proof holds a claim for all that was proved, nil where nothing was.
	Proof *Proof

	Nodes      uint64 // positions searched, inner ones, once for each visit
	ProofNodes int    // positions in the proof
	Seconds    float64
}

// String returns the value as a word: first, second, draw or unknown.
func (r *Result) String() string {
	if r.Value == oxo.Ongoing {
		return "unknown"
	}
	return r.Value.String()
}

// question is a task with its search, once begun.
type question struct {
	task
	text   string
	search searcher
	closed bool
}

// job is a run of Prove.
type job struct {
	game      *Game
	opt       Options
	began     time.Time
	questions []*question
	perms     *permutations
	result    *Result
	claims    []Claim
	wins      [2]verdict // for each seat, whether it wins
}

// Prove finds the value of g's start position and a strategy for every claim,
// or as much as ctx and the limits allow; running into them is no error.
func Prove(ctx context.Context, g Game, opt Options) (*Result, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	if outcome := g.over(); outcome != oxo.Ongoing {
		return nil, fmt.Errorf("%s: the game is over at the start: %v", g.Spec, outcome)
	}
	if opt.Memory == 0 {
		opt.Memory = 256 << 20
	}
	if opt.Nodes == 0 {
		opt.Nodes = math.MaxUint64
	}
	if opt.Width == 0 {
		opt.Width = 16
	}
	if opt.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, opt.Time)
		defer cancel()
	}
	j := &job{game: &g, opt: opt, began: time.Now(), perms: newPermutations(g.Board.N), result: &Result{}}
	if err := j.run(ctx); err != nil {
		return nil, err
	}
	return j.finish(), nil
}

// run asks the questions in turn, each time with twice the work.
func (j *job) run(ctx context.Context) error {
	if j.game.stealing() {
		j.claims = append(j.claims, Claim{Seat: j.game.Turn, Stealing: true})
		j.wins[j.game.Turn.Other()] = disproved
	}
	j.ask()
	for budget := uint64(2000); ; budget *= 2 {
		for _, q := range j.questions {
			if q.closed || j.wins[q.seat] != open || j.wins[q.seat.Other()] == proved {
				continue
			}
			if ctx.Err() != nil || j.result.Nodes >= j.opt.Nodes {
				return nil
			}
			if err := j.pursue(ctx, q, budget); err != nil {
				return err
			}
			if j.decided() {
				return nil
			}
		}
	}
}

// decided reports whether the value is known.
func (j *job) decided() bool {
	return j.wins[0] == proved || j.wins[1] == proved || j.wins[0] == disproved && (j.wins[1] == disproved || j.game.Rules.Full != oxo.Drawn) ||
		j.wins[1] == disproved && j.game.Rules.Full != oxo.Drawn
}

// ask lists the questions, those likely to be settled soon first.
func (j *job) ask() {
	g := j.game
	add := func(t task, text string) {
		j.questions = append(j.questions, &question{task: t, text: fmt.Sprintf("%v wins%s", t.seat, text)})
	}
	for _, seat := range []oxo.Seat{g.Turn, g.Turn.Other()} {
		switch {
		case g.positional() && !g.good(seat):
			// He can't win by owning a set: the other side's question is the one.
		case g.positional():
			if !j.opt.All && g.Board.N > j.opt.Width {
				add(task{seat: seat, width: j.opt.Width}, ", trying the best moves only")
			}
			if g.good(seat.Other()) {
				add(task{seat: seat, relaxed: true, hold: true}, " where the other side has no winning sets")
			}
			add(task{seat: seat, hold: true}, "")
		case g.Rules.Full == oxo.Drawn || len(j.questions) == 0:
			add(task{seat: seat}, "")
		}
	}
}

// pursue searches on and takes down what is found.
func (j *job) pursue(ctx context.Context, q *question, budget uint64) error {
	if q.search == nil {
		search, err := newSearcher(j.game, q.task, j.opt.Memory/4)
		if err != nil {
			return err
		}
		q.search = search
	}
	_, _, before := q.search.numbers()
	found := q.search.run(ctx, budget)
	pn, dn, nodes := q.search.numbers()
	j.result.Nodes += nodes - before
	if j.opt.Progress != nil {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		j.opt.Progress(Progress{Question: q.text, Proof: pn, Disproof: dn, Nodes: j.result.Nodes, Elapsed: time.Since(j.began), Memory: m.HeapInuse})
	}
	switch {
	case found == open:
		return nil
	case found == proved && q.relaxed, found == disproved && q.width > 0:
		q.closed, q.search = true, nil
		return nil
	}
	claim, err := q.search.strategy(ctx, j.perms)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("%s: writing down the strategy: %w", j.game.Spec, err)
	}
	j.wins[q.seat] = found
	j.claims = append(j.claims, claim)
	for _, q := range j.questions {
		if j.wins[q.seat] != open {
			q.search = nil
		}
	}
	return nil
}

// finish puts the result together.
func (j *job) finish() *Result {
	r := j.result
	for seat, won := range j.wins {
		switch {
		case won == proved:
			r.Value = oxo.WinFor(oxo.Seat(seat))
			r.Holds[seat] = true
		case won == disproved:
			r.Holds[1-seat] = true
		}
	}
	if r.Value == oxo.Ongoing && j.decided() {
		if r.Value = j.game.Rules.Full; r.Value != oxo.Drawn {
			// Without draws the side that does not lose wins.
			r.Value = oxo.WinFor(oxo.First)
			if r.Holds[oxo.Second] {
				r.Value = oxo.WinFor(oxo.Second)
			}
		}
	}
	if r.Value != oxo.Ongoing && r.Value != oxo.Drawn {
		// A win needs no other claim beside it.
		kept := j.claims[:0]
		for _, c := range j.claims {
			if oxo.WinFor(c.Seat) == r.Value && !c.Stealing {
				kept = append(kept, c)
			}
		}
		j.claims = kept
	}
	for _, c := range j.claims {
		r.ProofNodes += len(c.Nodes)
	}
	if len(j.claims) > 0 {
		r.Proof = &Proof{Game: *j.game, Perms: j.perms.list, Claims: j.claims}
	}
	r.Seconds = time.Since(j.began).Seconds()
	return r
}

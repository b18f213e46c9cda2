package prove

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"time"

	"oxo"
	"oxo/prove/certificate"
)

// Options bound the work of [Prove]. The zero value means no limits but 256
// megabytes of memory, and one worker.
type Options struct {
	Time    time.Duration
	Nodes   uint64           // with Checkpoint those of this run, else of all the work
	Memory  int64            // bytes, about
	Disk    certificate.Disk // where strategies are written down; nil for memory
	Workers int              // searches that share the work; with one the same work gives the same proof

	// Alone is how many positions one worker searches before others join it,
	// 500,000 where it is 0: so shorter proofs are always the same.
	Alone uint64

	// Width is how many moves of the side that is to win the first search
	// tries in a position, 16 where it is 0. With All set there is no such
	// search: every one tries all the moves.
	Width int
	All   bool

	// Progress, if set, is called now and then by the goroutine that called
	// Prove.
	Progress func(Progress)

	// Checkpoint, if set, keeps the state of the work every Every, a minute
	// where that is 0, and at the end where the value is still unknown. Prove
	// goes on from what it keeps of this game. Where the value is known what is
	// kept can go, but not before the certificate is written.
	Checkpoint Storage
	Every      time.Duration

	// Resume, if set, is the state of earlier work on this game with the same
	// options, as [Progress].Save wrote it. One worker then comes to the same
	// proof as without the interruption, unless the state was cut down.
	Resume io.Reader

	// Round, if set, makes this one of several searches that share the work.
	Round *Round
}

// Progress tells how far a search has come. The numbers are those of the
// start position in the search under way.
type Progress struct {
	Question        string
	Proof, Disproof Number
	Nodes           uint64 // positions searched so far, by all searches
	Before          uint64 // those of them that were searched before this run
	Elapsed         time.Duration
	Memory          uint64 // bytes in use

	// Save writes the state of the work in about most bytes, or as many as it
	// takes where most is 0. It may be called until the function that was given
	// the progress returns. It is nil where a search was broken off.
	Save func(w io.Writer, most int64) error
}

// Result is what was proved.
type Result struct {
	// Value is who wins from the start position, oxo.Drawn for a draw, or
	// oxo.Ongoing where the limits ended the work first.
	Value oxo.Outcome

	// Holds says, for each seat, that it was proved not to lose.
	Holds [2]bool

	// Proof holds the claims that show this, nil where nothing was proved.
	Proof *certificate.Proof

	Nodes      uint64 // positions searched, each visit counted
	Before     uint64 // with Checkpoint those of them that were searched before this run, which Seconds are of
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

// proofRun is a run of Prove.
// Its methods run on the goroutine that called Prove; only the searches of a question have more.
type proofRun struct {
	game      *certificate.Setup
	opt       Options
	began     time.Time
	saved     time.Time
	questions []*question
	budget    uint64 // of the round under way
	at        int    // the question under way
	left      uint64 // of its budget; 0 where it has not had its turn
	start     uint64 // how many positions were searched in earlier rounds
	before    uint64 // how many were searched before this run
	resumed   bool   // some of the work was done before
	perms     *permutationList
	result    *Result
	claims    []certificate.Claim
	wins      [2]verdict // for each seat, whether it wins
	charge    oxo.Charge // of all searches
}

// Prove finds the value of g's start position and a strategy for every claim,
// or as much as ctx and the limits allow; running into them is no error.
func Prove(ctx context.Context, g certificate.Setup, opt Options) (*Result, error) {
	if err := g.CheckProvable(); err != nil {
		return nil, err
	}
	if outcome := g.Outcome(); outcome != oxo.Ongoing {
		if outcome == oxo.Drawn {
			return nil, fmt.Errorf("%s: the game is over there: a draw", g.Spec)
		}
		return nil, fmt.Errorf("%s: the game is over there: %v has won", g.Spec, outcome)
	}
	opt.Memory = cmp.Or(opt.Memory, int64(max(LeastMemory, 2*oxo.TableBytesWithinBudget(ctx, 128<<20))))
	if err := opt.applyDefaults(); err != nil {
		return nil, err
	}
	ctx, cancel := oxo.WithTimeLimit(ctx, opt.Time)
	defer cancel()
	j := newProofRun(&g, opt)
	j.charge = oxo.NewCharge(ctx)
	defer j.charge.SetBytes(0)
	if err := j.loadCheckpoint(); err != nil {
		return nil, err
	}
	if opt.Round != nil {
		if err := opt.Round.joinEarlierRounds(j); err != nil {
			return nil, fmt.Errorf("round: %w", err)
		}
	}
	j.before = j.result.Nodes
	if opt.Checkpoint != nil { // a run of its own; one that was cut off and is resumed is the same one
		j.result.Before = j.before
		j.opt.Nodes += min(j.before, math.MaxUint64-j.opt.Nodes)
	}
	if err := j.runRounds(ctx); err != nil {
		return nil, err
	}
	if opt.Round != nil && opt.Round.Found != nil && !j.valueKnown() {
		if err := j.writeState(opt.Round.Found, 1, true); err != nil {
			return nil, err
		}
	}
	if !j.valueKnown() {
		if err := j.saveCheckpoint(); err != nil {
			return nil, err
		}
	}
	return j.assembleResult(), nil
}

// applyDefaults puts in what is left open, and refuses what can't be.
// Memory has been filled in before, as that depends on the context.
func (o *Options) applyDefaults() error {
	o.Nodes = cmp.Or(o.Nodes, math.MaxUint64)
	o.Width = cmp.Or(o.Width, 16)
	o.Every = cmp.Or(o.Every, time.Minute)
	if o.Memory < LeastMemory {
		return fmt.Errorf("%s of memory: a proof takes at least %s", formatBytes(o.Memory), formatBytes(LeastMemory))
	}
	return nil
}

// formatBytes writes a number of bytes in the largest unit that it is a whole number of.
func formatBytes(bytes int64) string {
	switch {
	case bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MB", bytes>>20)
	case bytes%(1<<10) == 0:
		return fmt.Sprintf("%d kB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// newProofRun returns a job with the claims that hold without a search, and the
// questions that may be put.
func newProofRun(g *certificate.Setup, opt Options) *proofRun {
	now := time.Now()
	j := &proofRun{
		game: g, opt: opt, began: now, saved: now, budget: firstBudget,
		perms: newPermutationList(g.Board.N), result: &Result{},
	}
	if canStealStrategy(g) {
		j.claims = append(j.claims, certificate.Claim{Seat: g.Turn, Stealing: true})
		j.wins[g.Turn.Other()] = disproved
	}
	for _, seat := range []oxo.Seat{g.Turn.Other(), g.Turn} {
		if claim, ok := mirrorClaim(g, seat, j.perms); ok {
			j.claims = append(j.claims, claim)
			j.wins[seat.Other()] = disproved
		}
	}
	j.addInitialQuestions()
	return j
}

const (
	LeastMemory  = 4 << 20 // that a proof takes, in bytes
	usuallyAlone = 500_000 // positions
	firstBudget  = 250     // positions, in the first round, for each unit of a question's weight
	slice        = 1 << 14 // positions between looks at the clock
)

// runRounds puts the questions in turn, in each round for twice as long.
// It returns nil where the value is known, where a limit or ctx has ended the work, and where no
// question is left to search: then the value stays unknown. In a round each question gets so many
// positions as its weight has, in slices after which the clock is looked at.
func (j *proofRun) runRounds(ctx context.Context) error {
	if j.valueKnown() {
		return nil // in earlier rounds
	}
	for idle := !j.resumed; ; idle, j.budget, j.at = true, 2*j.budget, 0 {
		for ; j.at < len(j.questions); j.at, j.left = j.at+1, 0 {
			q := j.questions[j.at]
			j.left = cmp.Or(j.left, j.budget*j.budgetWeight(q))
			for j.left > 0 && !j.idle(q) {
				if ctx.Err() != nil {
					return nil
				}
				if j.result.Nodes >= j.opt.Nodes {
					return nil
				}
				idle = false
				part := min(j.left, slice*uint64(j.activeWorkers()))
				j.left -= part
				if err := j.searchQuestion(ctx, q, part); err != nil || j.valueKnown() {
					return err
				}
			}
			q.recordRootNumbers()
		}
		if idle {
			return nil
		}
	}
}

// activeWorkers returns how many searches share the work now.
// Short proofs are found by one search, so that the same game always has the same.
func (j *proofRun) activeWorkers() int {
	if j.result.Nodes < cmp.Or(j.opt.Alone, usuallyAlone) {
		return 1
	}
	return max(1, j.opt.Workers)
}

// valueKnown reports whether the value is known.
// Without draws that one side does not win says that the other does.
func (j *proofRun) valueKnown() bool {
	draws := j.game.Rules.Full == oxo.Drawn
	a, b := j.wins[0], j.wins[1]
	return a == proved || b == proved || a == disproved && b == disproved ||
		!draws && (a == disproved || b == disproved)
}

// searchQuestion searches on and takes down what is found.
// An answer that settles nothing about the value only closes its question: that a relaxed search
// proves, or that a narrow one, or one that answers by the mirror, disproves. Any other becomes a
// claim with its strategy, and closes all questions about the seat. A disk that fails
// ends the work with its state kept, so that it can go on where there is room.
func (j *proofRun) searchQuestion(ctx context.Context, q *question, budget uint64) error {
	if q.search == nil {
		if err := j.beginSearch(q); err != nil {
			return err
		}
	}
	if j.opt.Round != nil {
		q.search.setSearchesBefore(j.opt.Round.Place)
	}
	_, _, before := q.search.proofNumbers()
	found := q.search.run(ctx, budget, j.activeWorkers())
	_, _, after := q.search.proofNumbers()
	j.result.Nodes += after - before
	j.reportProgress(q, found == open && ctx.Err() == nil)
	switch {
	case found == open:
		if time.Since(j.saved) > j.opt.Every {
			return j.saveCheckpoint()
		}
		return nil
	case found == proved && q.relaxed, found == disproved && (q.width > 0 || q.mirror):
		q.closed, q.search = true, nil
		if q.width > 0 {
			j.addWiderQuestion(q)
		}
		return nil
	}
	claim, err := q.search.extractStrategy(ctx, j.perms, j.opt.Memory, j.opt.Disk)
	if err != nil {
		if _, ok := errors.AsType[*certificate.DiskError](err); ok {
			return errors.Join(err, j.saveCheckpoint())
		}
		if ctx.Err() != nil {
			return nil
		}
		if errors.Is(err, errLost) && (j.opt.Workers > 1 || j.resumed) {
			// What one worker found by threats within its limit, another may not
			// find again. One that works alone from the start does.
			j.opt.Workers, j.resumed = 1, false
			q.search = nil
			return nil
		}
		return fmt.Errorf("%s: writing down the strategy: %w", j.game.Spec, err)
	}
	j.wins[q.seat] = found
	j.claims = append(j.claims, claim)
	for _, q := range j.questions {
		if j.wins[q.seat] != open {
			q.closed, q.search = true, nil
		}
	}
	return nil
}

// beginSearch makes the search of a question, and charges what all of them take.
// A table keeps its size from then on, so that it is counted once.
func (j *proofRun) beginSearch(q *question) (err error) {
	if q.search, err = newSearcher(j.game, q.task, j.tableMemory()); err != nil {
		return err
	}
	var bytes int64
	for _, q := range j.questions {
		if q.search != nil {
			bytes += q.search.bytes()
		}
	}
	j.charge.SetBytes(bytes)
	return nil
}

// reportProgress reports how the work goes; whole says whether its state can be saved.
func (j *proofRun) reportProgress(q *question, canSave bool) {
	if j.opt.Progress == nil {
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	p := Progress{
		Question: q.text, Nodes: j.result.Nodes, Before: j.before, Elapsed: time.Since(j.began), Memory: m.HeapInuse,
	}
	if q.search != nil {
		proof, disproof, _ := q.search.proofNumbers()
		p.Proof, p.Disproof = Number(proof), Number(disproof)
	}
	if canSave {
		p.Save = j.writeWithin
	}
	j.opt.Progress(p)
}

// assembleResult puts the result together.
// It is called once, after all searches have ended. Claims that the value makes needless are left
// out, as a certificate is read and checked for each.
func (j *proofRun) assembleResult() *Result {
	r := j.result
	if j.opt.Round != nil {
		r.Nodes -= j.start
	}
	for seat, won := range j.wins {
		switch won {
		case proved:
			r.Value = oxo.WinFor(oxo.Seat(seat))
			r.Holds[seat] = true
		case disproved:
			r.Holds[1-seat] = true
		}
	}
	if r.Value == oxo.Ongoing && j.valueKnown() {
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
		j.claims = slices.DeleteFunc(j.claims, func(c certificate.Claim) bool {
			return oxo.WinFor(c.Seat) != r.Value || !c.Wins && j.game.Rules.Full == oxo.Drawn
		})
	}
	for _, c := range j.claims {
		r.ProofNodes += c.Nodes.Len()
	}
	if len(j.claims) > 0 {
		r.Proof = &certificate.Proof{Game: *j.game, Perms: j.perms.list, Claims: j.claims}
	}
	r.Seconds = time.Since(j.began).Seconds()
	return r
}

package typed

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/prove"
	"oxo/prove/certificate"
)

// provableFree is how many free squares the start of a game may have of which a proof is
// tried without being asked for.
const provableFree = 64

// estimateProof says whether a proof is tried; nobody can tell how long it takes. A position that is
// not the start is tried with any number of free squares, as threats may decide it soon.
func estimateProof[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) (e game.Estimate, err error) {
	g, err := b.ProvableSetup(q.Position)
	if err == nil {
		err = g.CheckProvable()
	}
	switch {
	case err == nil && g.Race != nil:
		return e, unsuited("play can go in circles")
	case err == nil && g.Nine != nil:
		if q.shown, q.within = outcomeByKnownProofs(b, q.p); q.shown != oxo.Ongoing && !q.Strong {
			return game.Estimate{Seconds: new(float64)}, nil
		}
		err = errors.New("nine boards are proved by name: oxo prove")
	}
	free := 0
	if err == nil {
		free = g.Board.N - g.Marks[0].Or(g.Marks[1]).Len()
	}
	switch {
	case err != nil:
		return e, unsuited(err.Error())
	case q.Strong:
		return e, unsuited("a proof does not tell all positions")
	case q.p.Outcome() != oxo.Ongoing:
		return e, unsuited("the game is over")
	case g.Board.Below != nil:
		return e, unsuited("marks fall")
	case q.Memory < prove.LeastMemory:
		return e, fmt.Errorf("a proof takes at least %d bytes of memory, and it may take %d", prove.LeastMemory,
			q.Memory)
	case q.p == b.Start && free > provableFree:
		return e, fmt.Errorf("%d free squares, and it is tried for %d", free, provableFree)
	}
	return game.Estimate{Bytes: min(q.Memory, game.TierMemory)}, nil
}

// outcomeByKnownProofs returns how an ongoing position of nine boards ends by best play, where a proof that the program
// has with it, or that the lab is given, shows that, else Ongoing; and within how many plies, 0 where it
// does not say.
func outcomeByKnownProofs[P oxo.Position[P]](b *opened.TypedGame[P], p P) (out oxo.Outcome, within int) {
	known, err := b.KnownStrategies(context.Background())
	if err != nil || known == nil {
		return oxo.Ongoing, 0
	}
	value, ok := known.Interval(p)
	switch {
	case !ok || !value.Proven() || p.Outcome() != oxo.Ongoing:
		return oxo.Ongoing, 0
	case value.Lo == 0:
		return oxo.Drawn, 0
	}
	winner := oxo.First
	if value.Lo < 0 {
		winner = oxo.Second
	}
	return oxo.WinFor(winner), known.MaxPliesToWin(p, winner)
}

// judgeAtOnce returns what the judge knows at once of a position whose value that tells, else nil.
func judgeAtOnce[P oxo.Position[P]](b *opened.TypedGame[P], q *solveTask[P]) *game.Judged {
	return judgeWithin(context.Background(), b, q, game.NodesBeside)
}

// nodesAfterDeepening is how many positions the judge's searches look at where deepening has found nothing: some
// seconds.
const nodesAfterDeepening = 1_000_000

// judgeWithin returns what the judge knows of a position whose value that tells, else nil, by work of so many nodes.
func judgeWithin[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P], q *solveTask[P],
	nodes uint64) *game.Judged {
	if q.p.Outcome() != oxo.Ongoing || b.Payoff != nil {
		return nil
	}
	j, err := judging[P]{b}.Judge(ctx, game.JudgeOptions{Position: q.Position, Nodes: nodes}, nil)
	if err != nil || j.Value == "" {
		return nil
	}
	return j
}

// resultWithoutSearch is the result where short proofs, a proof that is there, or the judge, tell the value; else nil.
// A draw without winning sets left lasts until the board is full, which gives its distance.
func (q *solveTask[P]) resultWithoutSearch(b *opened.TypedGame[P]) *game.SolveResult {
	r := &game.SolveResult{Game: b.Spec, Position: b.Format(q.p)}
	switch {
	case q.drawn != nil:
		return q.drawn
	case q.shown != oxo.Ongoing:
		if r.Value = q.shown.String(); q.within > 0 {
			r.Bounds = &[2]int{1, q.within}
		}
	case q.judged != nil:
		if r.Value, r.Remoteness = q.judged.Value, q.judged.Plies; r.Remoteness == nil && q.judged.Within > 0 {
			r.Bounds = &[2]int{1, q.judged.Within}
		}
		if at, ok := any(q.p).(board.Positional); ok && r.Value == oxo.Drawn.String() && !b.Loopy() {
			r.Remoteness = new(freeSquares(at)) // at the end the board is full
		}
	default:
		return nil
	}
	return r
}

// proofMark begins the state of a proof among what Resume goes on from.
var proofMark = []byte("oxo solve: proof\n")

// stepsToResume returns the steps of a plan that are still to be gone, where Resume has the state of a proof
// or of a table.
func (q *solveTask[P]) stepsToResume(planSteps []string) ([]string, error) {
	if q.Resume == nil {
		return planSteps, nil
	}
	in := bufio.NewReader(q.Resume)
	q.Resume = in
	if head, _ := in.Peek(len(proofMark)); bytes.Equal(head, proofMark) {
		_, _ = in.Discard(len(proofMark)) // which is there
		q.proof = in
		return slices.DeleteFunc(planSteps, func(name string) bool { return name == game.ByTable }), nil
	}
	if head, _ := in.Peek(len(dropMark)); bytes.Equal(head, dropMark) && slices.Contains(planSteps, game.ByDrop) {
		_, _ = in.Discard(len(dropMark)) // which is there
		return planSteps, nil
	}
	if !slices.Contains(planSteps, game.ByTable) {
		return nil, errors.New("what it is to go on from is not the state of such work")
	}
	return planSteps, nil
}

// solveByProof proves the value. Of a draw that is the distance too, as the board is then full; of a win
// it goes on looking for the distance for a while, and else says where it lies. A win's distance is
// searched for farNodes positions; where that does not find it, the bounds are what deepening has
// ruled out and the free squares.
func solveByProof[P oxo.Position[P]](ctx context.Context, b *opened.TypedGame[P],
	q *solveTask[P]) (*game.SolveResult, error) {
	if r := q.resultWithoutSearch(b); r != nil {
		return r, nil
	}
	began := time.Now()
	o := game.ProveOptions{Position: q.Position, Memory: min(q.Memory, game.TierMemory), Workers: 1, Resume: q.proof}
	o.Progress = func(p prove.Progress) {
		var save func(io.Writer) error
		if p.Save != nil {
			save = func(w io.Writer) error {
				_, err := w.Write(proofMark)
				return errors.Join(err, p.Save(w, 48<<20))
			}
		}
		q.reportSolveProgress(game.ByProof, began, p.Nodes, 0, save)
	}
	proved, err := proving[P]{b}.Prove(ctx, o)
	if err == nil && proved.Value == "unknown" {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	r := &game.SolveResult{Game: b.Spec, Position: b.Format(q.p), Value: proved.Value, Positions: proved.Nodes}
	if q.outlook != nil {
		r.Positions += q.outlook.Nodes
	}
	free := freeSquares(any(q.p).(board.Positional))
	var winner oxo.Seat
	switch proved.Value {
	case oxo.Drawn.String():
		r.Remoteness = &free
		return r, addDrawKeepingMoves(ctx, b, q, r, keepAllNodes)
	case oxo.SecondWins.String():
		winner = oxo.Second
	case oxo.FirstWins.String():
	default:
		return nil, fmt.Errorf("proved is only: %s", proved.Proved)
	}
	var of [2]bool
	of[winner] = true
	exact, err := searchNearWin(ctx, b, q, farNodes, of)
	if err != nil {
		return nil, err
	} else if exact != nil {
		exact.Positions += proved.Nodes
		return exact, nil
	}
	r.Bounds, r.Positions = remotenessBounds(q, winner, free), proved.Nodes+q.outlook.Nodes
	if m, ok := strategyFirstMove(proved.Proof, winner); ok && q.p.Turn() == winner {
		r.Keeps = []string{b.FormatMove(q.p, m)}
	}
	return r, nil
}

// freeSquares returns how many squares of a position are free.
func freeSquares(p board.Positional) int {
	first, second := p.Marks()
	return p.Board().N - first.Len() - second.Len()
}

// strategyFirstMove returns the move with which the strategy of a proof begins for the side to move; false where it
// names none.
func strategyFirstMove(p *certificate.Proof, seat oxo.Seat) (m oxo.Move, found bool) {
	w, err := certificate.NewWalker(p, seat)
	if err == nil {
		m, _, err = w.Move()
	}
	return m, err == nil
}

// remotenessBounds returns between which numbers of plies a win comes that is not found within
// those that deepening has looked at. Who wins by a move of its own makes the last one.
func remotenessBounds[P oxo.Position[P]](q *solveTask[P], winner oxo.Seat, emptySquares int) *[2]int {
	least := q.outlook.None[winner] + 1
	if r := any(q.p).(board.Positional).Rules(); r.Place == board.Own && r.Full == oxo.Drawn &&
		r.Done[winner] == oxo.WinFor(winner) {
		own := 0
		if q.p.Turn() == winner {
			own = 1
		}
		least += (least + own) & 1
		emptySquares -= (emptySquares + own) & 1
	}
	return &[2]int{least, emptySquares}
}

package judge

import (
	"context"
	"math"
	"slices"

	"oxo"
	"oxo/message"
)

// Reviewed is what a move of a game did.
type Reviewed struct {
	Move          oxo.Move
	Before, After *Answer    // of the positions before and after it
	Certain       bool       // whether it gave something away or kept all is certain
	Gave          bool       // it gave something away: certainly, or probably where not Certain
	Missed        bool       // a win was certain before it; whether it still is, is not known
	Better        []int      // moves of Before that certainly were better or won, or the one that seems better
	Line          []oxo.Move // how play may go on with one of them, to the end of the game where the judge can tell

	looked bool // a better move was looked for
}

// longer is how many times the budget the second searches have that a probable mistake is judged by again, and a move
// after which all is certain, but not before. As long are candidates looked at, so many, of which none is known to keep
// what was certain.
const (
	longer     = 4
	candidates = 6
)

// lengthened returns a budget longer times as large, or the largest there is: one that wraps would be no limit.
func (b Budget) lengthened() Budget {
	b.Nodes = longer * min(b.Nodes, math.MaxUint64/longer)
	b.Time = longer * min(b.Time, math.MaxInt64/longer)
	return b
}

// followed is how many plies of a line are found that nothing has shown, followedWin of one that certainly wins, and
// each of them has a part of the budget.
const (
	followed    = 6
	followedWin = 48
	shorter     = 4
)

// noticeable is the part of all that there is to win that an estimate must fall by to be
// called a probable mistake.
const noticeable = 0.25

// sure is how many standard errors it must fall by. Were the errors normal, chance alone would do
// so less than once in 700 moves.
const sure = 3

// Review judges the moves that lead from each position to the next, from the last to the first, so
// that what is known of a position is known of the move to it. Tell, where it is not nil, is told
// of each. The error is the context's where that ended the work; what was judged until then is
// lost. There is one position more than moves. Knowledge goes backward by Ask's knownAfter, and forward
// at the end: a position is worth what was found of the move to it. Each move costs one answer, up to
// three where it seems to be a mistake, and more where a better one is looked for or shown.
func (j *Judge[P]) Review(ctx context.Context, positions []P, moves []oxo.Move, b Budget,
	tell func(i int, r *Reviewed)) ([]Reviewed, error) {
	list := make([]Reviewed, len(moves))
	after, err := j.Ask(ctx, positions[len(moves)], b, nil, nil)
	if err != nil {
		return nil, err
	}
	for i := len(moves) - 1; i >= 0; i-- {
		before, err := j.Ask(ctx, positions[i], b, map[oxo.Move]Known{moves[i]: after.Known}, nil)
		if err != nil {
			return nil, err
		}
		list[i] = Reviewed{Move: moves[i], Before: before, After: after}
		if err := j.judgeMove(ctx, &list[i], positions[i], positions[i+1], b); err != nil {
			return nil, err
		}
		if err := j.findBetterLine(ctx, &list[i], positions[i], b); err != nil {
			return nil, err
		}
		if tell != nil {
			tell(i, &list[i])
		}
		after = list[i].Before
	}
	j.carryKnowledgeForward(positions, list)
	for i := range list {
		if err := j.findBetterLine(ctx, &list[i], positions[i], b); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// findBetterLine finds a better move where a value was known but no move that keeps it, and how play may go on with one
// that wins or seems better: the line that shows what the move is worth, or what the judge would play for both sides,
// where it wins to the end. The line of a draw shows nothing.
func (j *Judge[P]) findBetterLine(ctx context.Context, r *Reviewed, p P, b Budget) error {
	if r.noteMissedWin(); len(r.Better) == 0 && !r.looked && (r.Missed || r.Gave && r.Certain) {
		if err := j.searchBetterMove(ctx, r, p, b); err != nil {
			return err
		}
	}
	b.Nodes, b.Time = b.Nodes/shorter, b.Time/shorter
	if len(r.Better) == 0 || len(r.Line) > 0 {
		return nil
	}
	// The line begins with the hint where that is one of the better moves, else with the first of them.
	first := &r.Before.Moves[r.Better[0]]
	if slices.Contains(r.Better, r.Before.Hint) {
		first = &r.Before.Moves[r.Before.Hint]
	}
	turn := r.Before.Turn
	wins := first.SeenBy(turn).Lo >= r.Before.whole.SeenBy(turn).Hi-rounding
	if r.Certain && !wins {
		return nil
	}
	most := followed
	if wins {
		most = followedWin
	}
	// next has the moves that the line is to be continued by: the better move and what shows it, then answer by
	// answer what the judge would play.
	for next := append([]oxo.Move{first.Move}, first.Line...); ; {
		for _, m := range next {
			r.Line, p = append(r.Line, m), p.Play(m)
		}
		if p.Outcome() != oxo.Ongoing || len(r.Line) >= most || !wins && len(first.Line) > 0 {
			return nil
		}
		// The winner needs one move that wins, which is found sooner than the worth of all moves.
		b.Choice = wins && p.Turn() == turn
		a, err := j.Ask(ctx, p, b, nil, nil)
		if err != nil {
			return err
		}
		if a.Hint < 0 || !slices.Contains(a.BestMoves(), a.Hint) && (wins || a.Hint != a.prefer) {
			return nil
		}
		if next = []oxo.Move{a.Moves[a.Hint].Move}; wins {
			next = append(next, a.Moves[a.Hint].Line...)
		}
	}
}

// searchBetterMove asks about the positions after other moves than the one that was made, the likely best first, until
// one of them is known to keep what was certain of the position before.
func (j *Judge[P]) searchBetterMove(ctx context.Context, r *Reviewed, p P, b Budget) error {
	r.looked = true
	b = b.lengthened()
	b.Worth = true
	a := r.Before.clone()
	least := a.SeenBy(a.Turn).Lo
	// open has the other moves that may, as far as is known, keep what was certain.
	open := a.movesWhere(func(i int) bool {
		return a.Moves[i].Move != r.Move && a.Moves[i].SeenBy(a.Turn).Hi >= least-rounding
	})
	slices.SortStableFunc(open, a.CompareMoves)
	for _, i := range open[:min(len(open), candidates)] {
		after, err := j.Ask(ctx, p.Play(a.Moves[i].Move), b, nil, nil)
		if err != nil {
			return err
		}
		if a.Moves[i].narrow(after.Known) && a.Moves[i].SeenBy(a.Turn).Lo >= least-rounding {
			r.Before = a
			r.findBetterMoves()
			return nil
		}
	}
	return nil
}

// noteMissedWin says whether a win was certain that the move is not known to keep, and which moves do.
func (r *Reviewed) noteMissedWin() {
	a := r.Before
	won := a.Turn != oxo.Chance && a.SeenBy(a.Turn).Lo >= a.whole.SeenBy(a.Turn).Hi-rounding
	r.Missed = won && !r.Certain && !r.Gave
	if r.Missed && len(r.Better) == 0 {
		r.findBetterMoves()
	}
}

// judgeForCertain says what is certain of a move, and reports whether anything is.
func (r *Reviewed) judgeForCertain() bool {
	switch at := r.moveIndex(); {
	case r.Before.Turn == oxo.Chance: // which gives nothing away
		r.Certain = true
	case r.Before.GivesAway(at):
		r.Certain, r.Gave = true, true
		r.findBetterMoves()
	case r.Before.Keeps(at):
		r.Certain, r.Gave, r.Missed, r.Better, r.Line = true, false, false, nil, nil
	}
	return r.Certain
}

// moveIndex returns where the move stands among those of the position before it.
func (r *Reviewed) moveIndex() int {
	return slices.IndexFunc(r.Before.Moves, func(o Option) bool { return o.Move == r.Move })
}

// judgeMove says whether a move gave something away. A suspicion is checked by two answers with longer
// budgets, whose findings replace the first ones. It is dropped where the search would then play the
// move itself.
func (j *Judge[P]) judgeMove(ctx context.Context, r *Reviewed, p, next P, b Budget) error {
	if r.judgeForCertain() || !r.After.Proven() && !fallsNoticeably(r.Before, r.After) {
		return nil
	}
	b = b.lengthened()
	after, err := r.After, error(nil)
	if !after.Proven() {
		after, err = j.Ask(ctx, next, b, nil, nil)
	}
	if err != nil {
		return err
	}
	before, err := j.Ask(ctx, p, b, map[oxo.Move]Known{r.Move: after.Known}, nil)
	if err != nil {
		return err
	}
	r.Before, r.After = before, after
	if at := r.moveIndex(); !r.judgeForCertain() && fallsNoticeably(before, after) && before.Hint != at &&
		before.Hint >= 0 {
		r.Gave, r.Better = true, []int{before.Hint}
	}
	return nil
}

// carryKnowledgeForward carries what is known of a position's moves to the positions after them, from the first
// to the last. What contradicts is not carried. More may be certain of a move then, never less.
func (j *Judge[P]) carryKnowledgeForward(positions []P, list []Reviewed) {
	for i := range list {
		r := &list[i]
		// The position before a move is the one after the move before it, of which more is known by now.
		if i > 0 {
			r.Before = list[i-1].After
		}
		after := r.After.clone()
		p := positions[i+1]
		if r.Before.Turn != oxo.Chance && after.narrow(r.Before.Moves[r.moveIndex()].Known) &&
			after.propagateBounds(func(k int) float64 { return j.Game.Odds(p, after.Moves[k].Move) }) {
			r.After = after
		}
		if !r.Certain {
			r.judgeForCertain()
		}
	}
}

// findBetterMoves finds all moves that are known to keep what was certain before the move, best first.
func (r *Reviewed) findBetterMoves() {
	r.Better = r.Before.movesKeepingBound()
	slices.SortStableFunc(r.Better, r.Before.CompareMoves)
}

// fallsNoticeably reports whether both positions are only estimated, and what the mover may expect
// falls by more than chance explains.
func fallsNoticeably(before, after *Answer) bool {
	x, y := before.Estimate, after.Estimate
	if before.Proven() || after.Proven() || x.Searched == 0 || y.Searched == 0 {
		return false
	}
	fall := before.Turn.Score(x.Value - y.Value)
	return fall > noticeable*(before.whole.Hi-before.whole.Lo) && fall > sure*(x.Noise+y.Noise)
}

// RemarkOnMove says what a move gave away and what it let the other side do; nothing where
// there is nothing to say.
func (v *Voice[P]) RemarkOnMove(p, next P, r *Reviewed) []message.Message {
	var list []message.Message
	turn := r.Before.Turn
	switch {
	case r.Gave && !r.Certain && !pliesMatter(v.Game):
		list = append(list, message.Of("gave.likely.payoff", message.Args{"before": formatEstimate(&r.Before.Known),
			"after": formatEstimate(&r.After.Known), "side": v.side(oxo.First)}))
	case r.Gave && !r.Certain:
		list = append(list, message.Of("gave.likely", message.Args{
			"before": v.sharePercent(r.Before.Estimate.Value, turn), "after": v.sharePercent(r.After.Estimate.Value,
				turn)}))
	case r.Gave && pliesMatter(v.Game):
		was, is := r.Before.SeenBy(turn), r.After.SeenBy(turn)
		// key says what was certain before the move, left what is certain after it.
		key, left := "gave.win", "gave.less"
		switch {
		case is.Hi <= -1:
			left = "gave.loss"
		case is.Lo == 0 && is.Hi == 0:
			left = "gave.held"
		}
		switch {
		case was.Lo < 1 && was.Hi > was.Lo+rounding:
			key = "gave.least"
		case was.Lo < 1:
			key = "gave.draw"
		}
		list = append(list, message.Of(key, message.Args{"after": message.Of(left, nil)}))
	case r.Gave && r.Certain:
		list = append(list, message.Of("gave.worth", message.Args{"after": formatInterval(&r.After.Known),
			"before": formatInterval(&r.Before.Known), "side": v.side(oxo.First)}))
	}
	if turn == oxo.Chance {
		return list
	}
	if r.Gave {
		list = append(list, v.moveEffects(p, r.Move)...)
	}
	switch stop := r.Before.movesNotLost(); {
	case r.Gave:
		list = append(list, v.ExplainAllowedWin(next, r.After)...)
		list = append(list, v.betterMovesMessage(p, r)...)
	case r.Missed && v.Game.Payoff == nil && len(r.Line) > 0:
		list = append(list, message.Of("missed", message.Args{"side": v.side(turn), "line": v.toldLine(p, r.Line)}))
	case pliesMatter(v.Game) && next.Outcome() == oxo.Ongoing && r.Before.SeenBy(turn).Lo >= 1:
		if won := r.Before.winsAtOnce(); len(won) > 0 {
			list = append(list, message.Of("slower", message.Args{"moves": v.anyOfMoves(p, r.Before, won)}))
		}
	case !r.Certain && v.Game.Payoff == nil && r.Before.leadsToWorst(r.moveIndex()):
		list = append(list, message.Of("loses", nil))
		list = append(list, v.ExplainAllowedWin(next, r.After)...)
		if len(stop) > 0 && len(stop) <= mostNamed {
			list = append(list, message.Of("stops", message.Args{"moves": v.formatMoves(p, r.Before, stop)}))
		}
	}
	return list
}

// mostTold is how many plies of a line a sentence has room for.
const mostTold = 10

// toldLine writes as much of a line as there is room for.
func (v *Voice[P]) toldLine(p P, line []oxo.Move) any {
	return v.lineText(p, line[:min(len(line), mostTold)])
}

// betterMovesMessage names the better moves, and how play may go on with one, or says that none is known.
func (v *Voice[P]) betterMovesMessage(p P, r *Reviewed) []message.Message {
	if len(r.Better) == 0 {
		return []message.Message{message.Of("better.open", nil)}
	}
	m := message.Of("better", message.Args{"moves": v.formatMoves(p, r.Before, r.Better)})
	if len(r.Line) > 1 {
		m.Key, m.Args["line"] = "better.line", v.toldLine(p, r.Line)
	}
	return []message.Message{m}
}

// winsAtOnce returns the moves that end the game with a win of the side to move.
func (a *Answer) winsAtOnce() (won []int) {
	return a.movesWhere(func(i int) bool {
		o := &a.Moves[i]
		return o.Timed && o.Plies == 0 && o.SeenBy(a.Turn).Lo >= 1
	})
}

// movesNotLost returns the moves that are not known to lose, best first, where others are. It is nil where no move
// is known to lose.
func (a *Answer) movesNotLost() []int {
	open := a.movesWhere(func(i int) bool { return !a.leadsToWorst(i) })
	if len(open) == len(a.Moves) {
		return nil
	}
	slices.SortStableFunc(open, a.CompareMoves)
	return open
}

// formatInterval writes what is known of a worth to First: a number, or a message with both ends of the interval.
func formatInterval(k *Known) any {
	if k.Proven() {
		return number(k.Lo)
	}
	return message.Of("gave.between", message.Args{"lo": number(k.Lo), "hi": number(k.Hi)})
}

// SummarizeReview says how many moves, of those that were chosen, could not be judged for certain, and, only where
// all were, that none gave anything away.
func SummarizeReview(list []Reviewed) []message.Message {
	all, open, gave := 0, 0, false
	for i := range list {
		if list[i].Before.Turn == oxo.Chance {
			continue
		}
		if all++; !list[i].Certain {
			open++
		}
		gave = gave || list[i].Gave
	}
	switch {
	case all == 0:
		return []message.Message{message.Of("no-moves", nil)}
	case open == all:
		return []message.Message{message.Of("none-judged", nil)}
	case open > 0:
		return []message.Message{message.Of("unjudged", message.Args{"n": open, "all": all})}
	case gave:
		return []message.Message{message.Of("all-judged", nil)}
	}
	return []message.Message{message.Of("none-gave", nil), message.Of("all-judged", nil)}
}

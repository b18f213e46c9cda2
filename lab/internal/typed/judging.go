package typed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/judge"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/message"
)

// judging implements game.Judging.
type judging[P oxo.Position[P]] struct{ b *opened.TypedGame[P] }

// Judge judges a position.
func (f judging[P]) Judge(ctx context.Context, o game.JudgeOptions, tell func(*game.Judged)) (*game.Judged, error) {
	p, err := opened.ParseOrStart(f.b.Game, o.Position)
	if err != nil {
		return nil, game.FaultOf("position", err)
	}
	begin := time.Now()
	j, _ := players.GameJudge(f.b)
	var told func(*judge.Answer)
	if tell != nil {
		told = func(a *judge.Answer) { tell(f.describeAnswer(p, a, begin)) }
	}
	a, err := j.Ask(ctx, p, o.Budget(), nil, told)
	return f.describeAnswer(p, a, begin), err
}

// ExplainMove says what a move leads to.
func (f judging[P]) ExplainMove(ctx context.Context, o game.JudgeOptions, move string) (message.Message, error) {
	j, v := players.GameJudge(f.b)
	return j.ExplainMove(ctx, v, o.Position, move, o.Budget())
}

// describeKnown says what is known of p in text. A value is named by its winner in games without
// chance and payoffs; elsewhere the number says it.
func (f judging[P]) describeKnown(p P, k *judge.Known) game.Known {
	out := game.Known{Lo: clampFinite(k.Lo), Hi: clampFinite(k.Hi), Source: k.Source}
	if k.Proven() {
		out.Hi = out.Lo
		if f.b.Odds == nil && f.b.Payoff == nil {
			out.Value = oxo.Value(out.Lo).Outcome(oxo.First).String()
		}
		if k.Timed {
			out.Plies = new(k.Plies)
		} else {
			out.Within = k.Within
		}
	}
	_, v := players.GameJudge(f.b)
	if len(k.Line) > 0 {
		out.Line = v.LineNames(p, k.Line)
	}
	if e := k.Estimate; e.Searched > 0 {
		out.Estimate, out.Noise, out.Searched = new(k.ClampedEstimate()+0), e.Noise, e.Searched // no negative zero
	}
	return out
}

// clampFinite keeps a bound that nobody knows in what JSON can say, and makes a negative zero 0.
func clampFinite(v float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, v)) + 0 }

// describeAnswer says an answer in text. Moves are sorted best first, those that are alike in the
// game's own order. Each text is said in English and kept as messages in Said.
func (f judging[P]) describeAnswer(p P, a *judge.Answer, begin time.Time) *game.Judged {
	_, v := players.GameJudge(f.b)
	out := &game.Judged{Game: f.b.Spec, Position: f.b.Format(p), Turn: p.Turn().String(), Known: f.describeKnown(p,
		&a.Known),
		Moves: []game.JudgedMove{}, Done: a.Done, Said: message.Said{}}
	best := a.BestMoves()
	order := make([]int, len(a.Moves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return a.CompareMoves(x, y) })
	for _, i := range order {
		m := game.JudgedMove{Move: f.b.FormatMove(p, a.Moves[i].Move),
			Known: f.describeKnown(p.Play(a.Moves[i].Move), &a.Moves[i].Known),
			Best:  slices.Contains(best, i), Gives: a.GivesAway(i), Said: message.Said{}}
		m.Text = v.SayIn(m.Said, "text", v.MoveVerdict(a, i))
		m.Short, m.Shade = v.ShortVerdict(a, i)
		out.Moves = append(out.Moves, m)
	}
	if a.Hint >= 0 {
		out.Hint, out.Certain = f.b.FormatMove(p, a.Moves[a.Hint].Move), slices.Contains(best, a.Hint)
	}
	out.Standing = v.SayIn(out.Said, "standing", v.ExplainWorth(p, a)...)
	out.Sure = v.Say(judge.WithoutEstimates(out.Said["standing"])...)
	out.Which = v.SayIn(out.Said, "which", v.NameHint(p, a))
	out.Why = v.SayIn(out.Said, "why", v.ExplainHint(p, a)...)
	for _, l := range a.LeftOut {
		out.LeftOut = append(out.LeftOut, l.Source+": "+l.Err.Error())
	}
	out.Seconds = time.Since(begin).Seconds()
	return out
}

// ReviewGame judges the moves of a game. It begins at the end, as what is known of a later position helps
// with the earlier ones.
func (f judging[P]) ReviewGame(ctx context.Context, r oxo.Record, o game.JudgeOptions,
	tell func(*game.Judgement)) (*game.Review, error) {
	positions, moves, err := arena.Replay(f.b.Game, &arena.Sheet{Record: r})
	if err != nil {
		return nil, err
	}
	j, v := players.GameJudge(f.b)
	say := func(i int, r *judge.Reviewed) *game.Judgement {
		p, next := positions[i], positions[i+1]
		out := &game.Judgement{Ply: i + 1, Move: f.b.FormatMove(p, r.Move), Turn: p.Turn().String(),
			Before: f.describeKnown(p, &r.Before.Known),
			After:  f.describeKnown(next, &r.After.Known), Certain: r.Certain, Gave: r.Gave, Missed: r.Missed,
			Better: []string{}, Line: v.LineNames(p, r.Line),
			Said: message.Said{}}
		out.Why = v.SayIn(out.Said, "why", v.RemarkOnMove(p, next, r)...)
		out.Says = v.SayIn(out.Said, "says", v.WorthMessages(next, r.After)...)
		for _, b := range r.Better {
			out.Better = append(out.Better, f.b.FormatMove(p, r.Before.Moves[b].Move))
		}
		return out
	}
	var told func(int, *judge.Reviewed)
	if tell != nil {
		told = func(i int, r *judge.Reviewed) { tell(say(i, r)) }
	}
	list, err := j.Review(ctx, positions, moves, o.Budget(), told)
	if err != nil {
		return nil, err
	}
	out := &game.Review{Game: f.b.Spec, Moves: []game.Judgement{}, Said: message.Said{}}
	out.Summary = v.SayIn(out.Said, "summary", judge.SummarizeReview(list)...)
	for i := range list {
		out.Moves = append(out.Moves, *say(i, &list[i]))
	}
	var start *judge.Answer
	if len(list) > 0 {
		start = list[0].Before
	} else if start, err = j.Ask(ctx, positions[0], o.Budget(), nil, nil); err != nil {
		return nil, err
	}
	out.Start = f.describeKnown(positions[0], &start.Known)
	out.Says = v.SayIn(out.Said, "start_says", v.WorthMessages(positions[0], start)...)
	return out, nil
}

// PreparePlayer works out what a player knows of the game from a position on.
func (f judging[P]) PreparePlayer(ctx context.Context, player, position string) (solved bool, err error) {
	return players.Prepare(ctx, f.b, player, position)
}

// SetsThrough names the winning sets through a square. Squares of a set are in the order of their names.
func (f judging[P]) SetsThrough(position, square string) ([]game.SetThrough, error) {
	p, err := opened.ParseOrStart(f.b.Game, position)
	if err != nil {
		return nil, game.FaultOf("position", err)
	}
	if f.b.Lines == nil {
		return nil, errors.New("there are no winning sets in " + f.b.Spec)
	}
	at, err := f.b.SquareNamed(square)
	if err != nil {
		return nil, game.FaultOf("square", fmt.Errorf("square %q: %w", square, err))
	}
	list := []game.SetThrough{}
	for _, line := range f.b.Lines {
		if !slices.Contains(line, at) {
			continue
		}
		s := game.SetThrough{Squares: []string{}}
		for _, sq := range line {
			s.Squares = append(s.Squares, f.b.View.Squares[sq].Name)
			switch f.b.Mark(p, sq) {
			case 0:
				s.First++
			case 1:
				s.Second++
			}
		}
		slices.SortFunc(s.Squares, opened.CompareSquareNames)
		s.Open = opened.OpenFor(f.b, s.First, s.Second)
		list = append(list, s)
	}
	return list, nil
}

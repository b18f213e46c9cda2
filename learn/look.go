package learn

import (
	"context"
	"math"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/show"
	"oxo/learn/space"
)

// Look is what a learner makes of one position.
type Look struct {
	Position string         `json:"position"`
	Turn     string         `json:"turn" enum:"first,second,chance" doc:"whose move it is"`
	Resigns  float64        `json:"resigns" doc:"the probability that it resigns in earnest"`
	Moves    []model.Looked `json:"moves"` // none where the game is over or chance is to act
}

// Look says what the trainer makes of a position. Where ctx is done, a learner
// that searches says what it has come to.
// Looking draws nothing and changes nothing that is learned.
func (t *Trainer) Look(ctx context.Context, n space.Node) Look {
	s := t.space
	l := Look{Position: s.Format(n), Turn: s.Turn(n).String(), Moves: []model.Looked{}}
	if s.Over(n) || s.Turn(n) == oxo.Chance {
		return l
	}
	odds := make([]float64, len(s.Children(n)))
	end := model.ThinkWithin(ctx, t.Performance.Hypothesis)
	t.Performance.Hypothesis.Odds(n, odds)
	end()
	l.Resigns = 1
	for e, w := range odds {
		l.Moves = append(l.Moves, model.Looked{Move: s.FormatMove(n, e), Odds: w})
		l.Resigns -= w
	}
	// What rounding leaves of a sum of odds is no wish to resign.
	l.Resigns = max(0, math.Round(l.Resigns*1e12)/1e12)
	if m, ok := t.memory.(model.Looker); ok {
		m.Look(n, l.Moves)
	}
	return l
}

// lastGameSteps lists the moves of the last game.
// Moves of chance are among them.
func (t *Trainer) lastGameSteps() []show.Step {
	if t.last == nil {
		return nil
	}
	var list []show.Step
	for i := range t.last.Choices {
		list = append(list, t.step(t.last, i))
	}
	return list
}

// step returns the i-th move of a game; one that is empty where it ended in the
// i-th position.
func (t *Trainer) step(trace *model.Trace, i int) show.Step {
	n := trace.Nodes[i]
	turn := t.space.Turn(n)
	s := show.Step{Position: t.space.Format(n), Turn: turn.String(), Learner: turn != oxo.Chance && trace.Learner[turn]}
	if i < len(trace.Choices) {
		s.Move = t.space.FormatMove(n, int(trace.Choices[i].Edge))
	}
	if boxes, ok := t.memory.(model.Boxed); ok && s.Learner {
		if b := boxes.Box(n); b >= 0 {
			s.Box = &b
		}
	}
	return s
}

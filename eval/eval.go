// Package eval is the one list of evaluation functions: estimates of what a position that is not over is worth to
// First, for searches to a depth limit. [EvaluationsFor] returns those that suit a game.
//
// Estimates lie strictly between -1, a loss, and 1, a win. To add one, write a
// function and name it in [boardEvaluations] or [nineBoardEvaluations].
package eval

import (
	"math"
	"slices"

	"oxo"
	"oxo/board"
	"oxo/eval/ninenet"
	"oxo/games/meta"
	"oxo/games/ultimate"
)

// Evaluation is an evaluation function.
type Evaluation[P oxo.Position[P]] struct {
	Name  string
	Judge func(p P) float64

	// Score returns the points that became an estimate; nil where there were none.
	Score func(estimate float64) float64

	// Guides says that mcts is stronger with it than with random playouts for the same time, by measurement.
	Guides bool

	// Temperature is what the temperature of mcts is best with it, by measurement; 0 where that was not measured.
	Temperature float64

	// Proofs is how much mcts players of it ask dfpn beside their simulations
	// (search.Sampling.Prove), by measurement; 0 is not at all.
	Proofs float64

	// JudgeAll judges at once the positions after each of the moves of p that are not over: values[i] becomes the worth
	// of after[i], where a draw counts draw to First. It is nil where that is no faster than one by one.
	JudgeAll func(p P, moves []oxo.Move, after []P, draw float64, values []float32)

	// Kin tells which positions the evaluation probably errs about alike, by
	// two numbers: see [oxo/search/mcts.BiasKeys]. It is nil where that is not known.
	BiasKeys func(p P, m oxo.Move, after P) [2]uint32
}

// EvaluationsFor returns the evaluations that suit g, the one to use by default first. There are none for games without
// squares, nor for those in which marks belong to neither side.
func EvaluationsFor[P oxo.Position[P]](g *oxo.Game[P]) []Evaluation[P] {
	var list any
	switch g := any(g).(type) {
	case *oxo.Game[board.Pos64]:
		list = boardEvaluations(g)
	case *oxo.Game[board.Pos256]:
		list = boardEvaluations(g)
	case *oxo.Game[meta.Pos]:
		list = nineBoardEvaluations(g)
	}
	suited, _ := list.([]Evaluation[P])
	return suited
}

// positional is a position on a board of squares and winning sets, which evaluations by rows take.
type positional[P any] interface {
	oxo.Position[P]
	board.Positional
}

// boardEvaluations lists the evaluations of positional games.
func boardEvaluations[P positional[P]](g *oxo.Game[P]) []Evaluation[P] {
	if g.Start.Rules().Place != board.Own {
		return nil
	}
	s := newWinningSets(g.Start)
	return []Evaluation[P]{
		OfScore("rows", 1000, positionJudgeOfMarks[P](s.rowScore)),
		{Name: "open", Judge: positionJudgeOfMarks[P](s.openSetDifference),
			Score: func(v float64) float64 { return roundScore(v * s.mostSets()) }},
		OfScore("features", 10, positionJudgeOfMarks[P](s.threatAndForkScore)),
	}
}

// nineBoardEvaluations lists the evaluations of the games on nine boards.
func nineBoardEvaluations(g *oxo.Game[meta.Pos]) []Evaluation[meta.Pos] {
	list := []Evaluation[meta.Pos]{
		// Weger's six features with the weights of his fixed opponent, and with the best that he found.
		OfScore("weger", 10, wegerEvaluation(3, 1, .5, .5, .5, .5)),
		OfScore("weger-best", 10, wegerEvaluation(3.074038, 1.049451, .767944, .605861, .281883, .220823)),
		OfScore("boards", 40, openRowScore),
	}
	list[1].Guides = true
	rules := g.Start.Rules()
	if rules&meta.Points != 0 {
		return list
	}
	net := ninenet.Learned
	if rules&ultimate.Most != 0 {
		net = ninenet.LearnedMost
	}
	return slices.Insert(list, 0, evaluationByFastNet(net, bestMCTSProofShare(rules)))
}

// positionJudgeOfMarks makes an evaluation of marks one of positions.
func positionJudgeOfMarks[P positional[P]](f func(marks [2]board.Set, turn oxo.Seat) float64) func(P) float64 {
	return func(p P) float64 {
		x, o := p.Marks()
		return f([2]board.Set{x, o}, p.Turn())
	}
}

// OfScore returns the evaluation of that name which maps scores between -1 and 1, keeping order; half becomes 1/2.
func OfScore[P oxo.Position[P]](name string, half float64, score func(P) float64) Evaluation[P] {
	return Evaluation[P]{Name: name, Judge: squash(half, score), Score: unsquash(half)}
}

// squash maps scores to (-1, 1), keeping order; half becomes 1/2.
func squash[P any](half float64, score func(P) float64) func(P) float64 {
	return func(p P) float64 {
		x := score(p)
		return x / (math.Abs(x) + half)
	}
}

// unsquash is the inverse of squash.
func unsquash(half float64) func(float64) float64 {
	return func(v float64) float64 { return roundScore(v * half / (1 - math.Abs(v))) }
}

// roundScore removes what mapping a score to an estimate and back has rounded; zero has no sign.
func roundScore(x float64) float64 { return math.Round(x*1e6)/1e6 + 0 }

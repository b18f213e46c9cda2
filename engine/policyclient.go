package engine

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"oxo"
)

// Weigher is a player that can say with which probability it makes each move. Unlike an
// [oxo.Policy] it may fail, as it asks another program.
type Weigher[P oxo.Position[P]] interface {
	// Weigh sets w[i] to the probability of moves[i], the legal moves of p.
	Weigh(ctx context.Context, p P, moves []oxo.Move, w []float64) error
}

// policyPlayer is a program that speaks the protocol policy: a line with a position and
// its legal moves is answered by a line of moves, each with its weight, as in a1=3 b2=1.
// moves and odds are of the last choice, and are used again for the next.
type policyPlayer[P oxo.Position[P]] struct {
	client[P]
	moves []oxo.Move
	odds  []float64
}

// greetPolicy tells the program the game, and waits until it is ready.
// The program says ready in a line of its own; lines before it are passed over.
func greetPolicy[P oxo.Position[P]](ctx context.Context, c client[P]) (Program[P], error) {
	if err := c.conn.Send(ctx, "game "+c.game.Spec); err != nil {
		return nil, err
	}
	if err := awaitWord(ctx, c.conn, "ready"); err != nil {
		return nil, err
	}
	return beginPolicy(c), nil
}

// beginPolicy begins a game with a program that is ready.
func beginPolicy[P oxo.Position[P]](c client[P]) Program[P] {
	c.protocol, c.farewell, c.fit = "policy", "quit", true
	return &policyPlayer[P]{client: c}
}

// Choose asks for the weights of the moves and draws one of them.
// Where rounding leaves a rest, the last move with a weight takes it.
// Without Random the number drawn is 0, which is the first move that has a weight.
func (y *policyPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	y.moves = p.Moves(y.moves[:0])
	y.odds = append(y.odds[:0], make([]float64, len(y.moves))...)
	if err := y.Weigh(ctx, p, y.moves, y.odds); err != nil {
		return oxo.Choice{}, err
	}
	x, last := 0.0, 0
	if y.options.Random != nil {
		x = y.options.Random.Float64()
	}
	for i, w := range y.odds {
		if w > 0 {
			last = i
			if x -= w; x < 0 {
				break
			}
		}
	}
	return oxo.Choice{Move: y.moves[last]}, nil
}

// Weigh asks the program.
// The next line of the program is the answer.
func (y *policyPlayer[P]) Weigh(ctx context.Context, p P, moves []oxo.Move, w []float64) error {
	ctx, cancel := y.moveContext(ctx)
	defer cancel()
	var line strings.Builder
	fmt.Fprintf(&line, "position %s moves", y.game.Format(p))
	for _, m := range moves {
		line.WriteString(" " + y.game.FormatMove(p, m))
	}
	if err := y.conn.Send(ctx, line.String()); err != nil {
		return err
	}
	answer, err := y.conn.Receive(ctx)
	if err != nil {
		return err
	}
	err = y.readWeights(p, answer, moves, w)
	y.fit = err == nil
	return err
}

// readWeights reads moves and their weights, which need not sum to 1. A move without a
// weight behind it has weight 1, one that is not named 0.
// It sets w to the weights divided by their sum; an illegal move, one named twice or a weight that is none is a
// fault.
func (y *policyPlayer[P]) readWeights(p P, answer string, moves []oxo.Move, w []float64) error {
	clear(w)
	index := make(map[oxo.Move]int, len(moves))
	for i, m := range moves {
		index[m] = i
	}
	named := make([]bool, len(moves))
	sum := 0.0
	for word := range strings.FieldsSeq(answer) {
		text, number, weighed := strings.Cut(word, "=")
		m, err := y.parseMove(p, text)
		if err != nil {
			return err
		}
		weight := 1.0
		if weighed {
			weight, err = strconv.ParseFloat(number, 64)
		}
		at := index[m]
		switch {
		case named[at]:
			return illegalMove("it names move %s twice", text)
		case err != nil || math.IsNaN(weight) || weight < 0 || weight > math.MaxFloat32:
			return illegalMove("weight %.40q of move %s: a number from 0 on is expected", number, text)
		}
		named[at], w[at] = true, weight
		sum += weight
	}
	if sum == 0 {
		return illegalMove("it answers %.60q: some move must have a weight above 0", answer)
	}
	for i := range w {
		w[i] /= sum
	}
	return nil
}

package engine

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"oxo"
)

// ugiPlayer is a program that speaks UGI.
type ugiPlayer[P oxo.Position[P]] struct{ client[P] }

// greetUGI greets a program and begins a game with it.
func greetUGI[P oxo.Position[P]](ctx context.Context, c client[P]) (Program[P], error) {
	if err := c.conn.Send(ctx, "ugi"); err != nil {
		return nil, err
	}
	if err := awaitWord(ctx, c.conn, "ugiok"); err != nil {
		return nil, err
	}
	return beginUGI(ctx, c, optionsUGI(c)...)
}

// optionsUGI are the lines that tell the game by its spec, and the memory where there is a limit.
// Memory goes as hash, in mebibytes rounded down.
func optionsUGI[P oxo.Position[P]](c client[P]) []string {
	lines := []string{"setoption name game value " + c.game.Spec}
	if mb := c.options.Limit.Memory >> 20; mb > 0 {
		lines = append(lines, fmt.Sprintf("setoption name hash value %d", mb))
	}
	return lines
}

// beginUGI begins a game with a program that has said ugiok, after those lines.
func beginUGI[P oxo.Position[P]](ctx context.Context, c client[P], options ...string) (Program[P], error) {
	if err := c.conn.Send(ctx, append(options, "uginewgame", "isready")...); err != nil {
		return nil, err
	}
	if err := awaitWord(ctx, c.conn, "readyok"); err != nil {
		return nil, err
	}
	c.farewell, c.fit = "quit", true
	return &ugiPlayer[P]{c}, nil
}

// awaitWord waits for a line that is the word.
func awaitWord(ctx context.Context, c *Conn, word string) error {
	_, err := awaitAnswer(ctx, c, func(line string) (struct{}, bool, error) { return struct{}{}, line == word, nil })
	if err != nil {
		return fmt.Errorf("waiting for %s: %w", word, err)
	}
	return nil
}

// Choose sends the position and the limits and waits for the best move.
// Of the choice, depth, nodes and score are those of the last info line that had them.
func (u *ugiPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	ctx, cancel := u.moveContext(ctx)
	defer cancel()
	if err := u.conn.Send(ctx, "position fen "+u.game.Format(p), "go"+u.goArguments(p.Turn())); err != nil {
		return oxo.Choice{}, err
	}
	var last oxo.Choice
	return awaitAnswer(ctx, u.conn, func(line string) (oxo.Choice, bool, error) {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "info":
			readInfo(rest, &last)
		case "bestmove":
			fields := strings.Fields(rest)
			if len(fields) == 0 {
				return last, true, illegalMove("it answers bestmove without a move")
			}
			m, err := u.parseMove(p, fields[0])
			last.Move, u.fit = m, err == nil
			return last, true, err
		}
		return last, false, nil
	})
}

// goArguments writes what follows go.
// seat is the program's: UGI names the clocks by seat, and the referee by own and other.
// Times are in milliseconds. Without a clock and a limit it is told movetime, so that it does not think on for ever.
func (u *ugiPlayer[P]) goArguments(seat oxo.Seat) string {
	text := ""
	if u.own > 0 {
		left := [2]time.Duration{u.own, u.other}
		if seat == oxo.Second {
			left[0], left[1] = left[1], left[0]
		}
		text += fmt.Sprintf(" p1time %d p2time %d p1inc %d p2inc %d", left[0].Milliseconds(), left[1].Milliseconds(),
			u.inc.Milliseconds(), u.inc.Milliseconds())
	}
	if u.move > 0 {
		text += fmt.Sprintf(" movetime %d", u.move.Milliseconds())
	}
	if d := u.options.Limit.Depth; d > 0 {
		text += fmt.Sprintf(" depth %d", d)
	}
	if n := u.options.Limit.Nodes; n > 0 {
		text += fmt.Sprintf(" nodes %d", n)
	}
	if text == "" {
		text = fmt.Sprintf(" movetime %d", u.maxMoveTime().Milliseconds())
	}
	return text
}

// readInfo takes depth, nodes and value from an info line; what makes no sense
// is passed over.
// What follows pv or string is no longer read. Where both are there, the later one of cp and value is the score.
func readInfo(rest string, c *oxo.Choice) {
	fields := strings.Fields(rest)
	for i, f := range fields {
		if f == "pv" || f == "string" {
			return
		}
		if i+1 >= len(fields) {
			return
		}
		value := fields[i+1]
		switch f {
		case "depth":
			if d, err := strconv.ParseUint(value, 10, 20); err == nil {
				c.Depth = int(d)
			}
		case "nodes":
			if n, err := strconv.ParseUint(value, 10, 64); err == nil {
				c.Nodes = n
			}
		case "cp":
			if x, err := strconv.ParseFloat(value, 64); err == nil && !math.IsNaN(x) {
				c.Score, c.Scored = fromCentipawns(x), true
			}
		case "value":
			if x, err := strconv.ParseFloat(value, 64); err == nil && math.Abs(x) <= 1 {
				c.Score, c.Scored = x, true
			}
		}
	}
}

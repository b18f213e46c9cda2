package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"oxo"
	"oxo/games/kind"
	"oxo/lab"
	"oxo/message"
)

// How long a person at the terminal waits for what the judge says: of a position, and of
// each position of a game that has ended.
const (
	judgeTime  = time.Second
	reviewTime = 200 * time.Millisecond
)

// judgePosition returns what is known of the position at hand. The answer is kept until the position
// changes, as hint, why and values ask for the same.
func (t *terminalGame) judgePosition(ctx context.Context) (*lab.Judged, error) {
	now := t.session.State().Position
	if t.judged == nil || t.judged.Position != now {
		j, err := t.game.Judging().Judge(ctx, lab.JudgeOptions{Position: now, Time: judgeTime}, nil)
		if err != nil {
			return nil, err
		}
		t.judged = j
	}
	return t.judged, nil
}

// printHintOrReason names a move to play, or says why it is to be played.
func (t *terminalGame) printHintOrReason(ctx context.Context, command string) {
	j, err := t.judgePosition(ctx)
	switch {
	case err != nil:
		t.sayf("%v.\n", err)
	case command == "why":
		t.sayf("%s\n", j.Why)
	case t.session.Over():
		t.sayf("%s\n", j.Standing)
	case !j.Certain && j.Estimate != nil:
		t.sayf("%s\n", strings.TrimSpace(j.Which+" "+j.CertainText())) // which says what the estimate is of
	default:
		t.sayf("%s %s\n", j.Which, j.Standing)
	}
	t.printSourcesLeftOut(j)
}

// printSourcesLeftOut says which sources could not answer.
func (t *terminalGame) printSourcesLeftOut(j *lab.Judged) {
	if j != nil && len(j.LeftOut) > 0 {
		t.sayf("Left out: %s.\n", strings.Join(j.LeftOut, "; "))
	}
}

// showBoard shows the board, with values where they are wanted.
func (t *terminalGame) showBoard(ctx context.Context) {
	s := scene{state: t.session.State(), last: t.last, owned: t.session.CompletedSetSquares()}
	if t.values && !t.session.Over() && s.state.Turn != oxo.Chance.String() {
		if j, err := t.judgePosition(ctx); err != nil {
			t.sayf("No values: %v.\n", err)
		} else {
			s.labels = squareWorthLabels(j)
			defer t.showLegend(j)
		}
	}
	t.sayf("%s\n", t.draw.draw(s))
}

// squareWorthLabels says what each square is worth to the side to move, both marks' worths where
// either may be placed.
func squareWorthLabels(j *lab.Judged) map[string]string {
	labels := map[string]string{}
	for _, m := range j.Moves {
		name, text := kind.SquareOf(m.Move), m.Short
		if before, ok := labels[name]; ok {
			text = before + "," + text
			if strings.HasPrefix(m.Move, "x") {
				text = m.Short + "," + before
			}
		}
		labels[name] = text
	}
	return labels
}

// listUndrawnWorths lists the moves that are no empty square's, such as those from square to square, each with its
// label, as many abreast as so many columns have room for.
func listUndrawnWorths(info lab.Info, j *lab.Judged, columns int) string {
	empty := map[string]bool{}
	for i, sign := range []rune(info.Signs(j.Position)) {
		empty[info.Squares[i].Name] = sign != 'x' && sign != 'o'
	}
	var words []string
	width := 0 // of the widest
	for _, m := range j.Moves {
		if !empty[kind.SquareOf(m.Move)] {
			words = append(words, m.Move+" "+m.Short)
			width = max(width, visibleWidth(words[len(words)-1]))
		}
	}
	var b strings.Builder
	for row := range slices.Chunk(words, max(1, columns/(width+2))) {
		line := ""
		for _, word := range row {
			line += "  " + pad(word, width)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// showLegend says what the labels mean, and of moves that are not drawn what each is worth.
func (t *terminalGame) showLegend(j *lab.Judged) {
	if len(t.info.Squares) == 0 {
		for _, m := range j.Moves {
			t.sayf("  %-8s %s\n", m.Move, m.Text)
		}
	} else if list := listUndrawnWorths(t.info, j, cmp.Or(t.draw.wide, 80)); list != "" {
		t.sayf("%s\n", list)
	}
	t.sayf("%s\n%s\n\n", j.Standing, legendText(j, t.game.Info().Seats[0]))
	t.printSourcesLeftOut(j)
}

// legendText explains the signs and numbers that stand for what is known of the moves; payoffs are to
// first. Only signs that occur among the moves are explained.
func legendText(j *lab.Judged, first string) string {
	var parts []string
	add := func(has func(m *lab.JudgedMove) bool, text string) {
		for i := range j.Moves {
			if has(&j.Moves[i]) {
				parts = append(parts, text)
				return
			}
		}
	}
	signed := func(sign string, plies bool) func(m *lab.JudgedMove) bool {
		return func(m *lab.JudgedMove) bool {
			return m.Value != "" && strings.HasPrefix(m.Short, sign) && (m.Short != sign) == plies
		}
	}
	add(signed("+", true), "+ wins in so many plies")
	add(signed("+", false), "+ alone wins, how soon is not known")
	add(signed("−", true), "− loses in so many plies")
	add(signed("−", false), "− alone loses, how soon is not known")
	add(signed("=", false), "= draws")
	add(func(m *lab.JudgedMove) bool { return m.Short == "≥" }, "≥ does not lose")
	add(func(m *lab.JudgedMove) bool { return m.Short == "≤" }, "≤ does not win")
	add(func(m *lab.JudgedMove) bool { return m.Short == "?" }, "? nothing is known")
	add(func(m *lab.JudgedMove) bool { return m.Value == "" && m.Lo == m.Hi }, "numbers are payoffs to "+first)
	noise := 0.0 // the largest; points are from -1 to 1
	for i := range j.Moves {
		noise = max(noise, j.Moves[i].Noise)
	}
	estimates := "numbers without a sign are estimates"
	payoffs := "numbers with ~ are estimates of the payoff to " + first
	if noise > 0 {
		estimates += fmt.Sprintf(" by simulations, in percent, with a standard error of up to %.0f",
			math.Ceil(50*noise))
		payoffs += fmt.Sprintf(" by simulations, with a standard error of up to %.2g", noise)
	}
	add(func(m *lab.JudgedMove) bool { return strings.HasPrefix(m.Short, "~") }, payoffs)
	add(func(m *lab.JudgedMove) bool { return m.Estimate != nil && !strings.HasPrefix(m.Short, "~") }, estimates)
	add(func(m *lab.JudgedMove) bool { return strings.Contains(m.Move, "@") },
		"of two, the first with an X, the second with an O")
	return message.Capitalize(strings.Join(parts, "; ")) + "."
}

// listWinningSets lists the winning sets through a square. A set is blocked where both sides have a
// mark on it, by rules under which it then can't be completed.
func (t *terminalGame) listWinningSets(square string) {
	list, err := t.game.Judging().SetsThrough(t.session.State().Position, square)
	if err != nil {
		t.sayf("%v.\n", err)
		return
	}
	for _, s := range list {
		state := "blocked"
		switch {
		case s.Open && s.First+s.Second == 0:
			state = "open"
		case s.Open:
			state = fmt.Sprintf("open, %d of %d", s.First+s.Second, len(s.Squares))
		}
		t.sayf("  %-40s %s\n", strings.Join(s.Squares, " "), state)
	}
	t.sayf("%s through %s.\n", countOf(len(list), "winning set", "winning sets"), square)
}

// reviewGame says which moves of the game at hand gave something away.
func (t *terminalGame) reviewGame(ctx context.Context) {
	r, err := lookAtMoves(ctx, &t.printer, t.game, t.session.Record(), lab.JudgeOptions{Time: reviewTime})
	if r == nil {
		t.sayf("%v.\n", err)
		return
	}
	for _, j := range r.Moves {
		if j.Gave || j.Why != "" {
			printJudgement(t.show, t.info, &j)
		}
	}
	if err != nil {
		t.sayf("%s.\n", message.Capitalize(err.Error()))
		return
	}
	t.sayf("%s\n", r.Summary)
}

// printJudgement prints what a move of a game did.
func printJudgement(w io.Writer, info lab.Info, j *lab.Judgement) {
	mark := " "
	switch {
	case j.Gave && j.Certain:
		mark = "??"
	case j.Gave:
		mark = "?"
	}
	side := max(6, utf8.RuneCountInString(info.Seats[0]), utf8.RuneCountInString(info.Seats[1]))
	fmt.Fprintf(w, "%4d. %-*s %-6s %-2s %s\n", j.Ply, side, sideName(info, j.Turn), j.Move, mark, j.Says)
	if j.Why != "" {
		fmt.Fprintf(w, "%8s%s\n", "", j.Why)
	}
}

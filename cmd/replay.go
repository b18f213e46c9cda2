package cmd

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"

	"oxo"
	"oxo/arena"
	"oxo/games/kind"
	"oxo/lab"
)

// stepThrough shows the positions of a game, one after the other on a terminal, all at once elsewhere. The trail
// has the states of the game, from the start to after the last move: one more than the sheet has moves.
func (a *app) stepThrough(ctx context.Context, g lab.Game, sheet *arena.Sheet, trail []lab.State) error {
	info := g.Info()
	view := a.newCanvas(info)
	show := func(ply int) {
		last := ""
		if ply > 0 {
			last = kind.SquareOf(sheet.Moves[ply-1])
			a.printf("%d. %s plays %s\n\n", ply, sideName(info, trail[ply-1].Turn), sheet.Moves[ply-1])
		} else {
			a.printf("%s: %s against %s\n\n", sheet.Game, unnamedOr(sheet.First),
				unnamedOr(sheet.Second))
		}
		a.printf("%s\n", view.draw(scene{state: trail[ply], last: last}))
	}
	if !isTerminal(a.in) || !isTerminal(a.out) {
		for ply := range trail {
			show(ply)
		}
		a.printf("Result: %s\n", sheetResult(info, sheet, &trail[len(trail)-1]))
		return nil
	}
	in := bufio.NewReader(a.in)
	for ply := 0; ; {
		show(ply)
		if ply == len(trail)-1 {
			a.printf("Result: %s\n", sheetResult(info, sheet, &trail[ply]))
		}
		word, err := askLine(ctx, a, in, a.out, fmt.Sprintf("%d of %d> ", ply, len(trail)-1))
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		switch word {
		case "":
			ply = min(ply+1, len(trail)-1)
		case "b":
			ply = max(ply-1, 0)
		case "q", "quit":
			return nil
		case "why":
			j, err := g.Judging().Judge(ctx, lab.JudgeOptions{Position: trail[ply].Position, Time: judgeTime}, nil)
			if err != nil {
				return err
			}
			a.printf("%s\n", j.Why)
		default:
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 || n >= len(trail) {
				a.printf("Enter goes on, b goes back, 0 to %d goes to that ply, why says what is known there, q "+
					"ends.\n", len(trail)-1)
				continue
			}
			ply = n
		}
	}
}

// sheetResult says how the game of a score sheet ended, whose last state is given, and where the board does not show
// it, why.
func sheetResult(info lab.Info, sheet *arena.Sheet, last *lab.State) string {
	result := "a draw"
	seat := oxo.SeatNamed(sheet.Result)
	switch {
	case last.Payoff != nil:
		return fmt.Sprintf("%s; the payoff is %g", sheet.Result, *last.Payoff)
	case sheet.Result == oxo.Ongoing.String():
		result = "none"
	case seat != oxo.Chance:
		result = info.Seats[seat] + " wins"
	}
	if last.Result != oxo.Ongoing.String() {
		return result
	}
	// The board goes on where the sheet has ended: say why.
	how := map[string]string{
		oxo.EndResigned:  sideName(info, seat.Other().String()) + " resigned",
		oxo.EndAgreed:    "as both agreed",
		oxo.EndAbandoned: "nobody finished the game",
		oxo.EndTime:      "by the clock",
		oxo.EndIllegal:   "by an illegal move",
		oxo.EndCrashed:   "as an engine stopped answering",
		oxo.EndSolved:    "adjudicated: how it ends under best play was known",
	}[sheet.Termination]
	switch {
	case how != "":
	case sheet.Result == oxo.Ongoing.String():
		how = "the game was not finished"
	default:
		how = "as the sheet says; the board does not show it"
	}
	if sheet.Reason != "" && sheet.Termination != oxo.EndSolved {
		how += ": " + sheet.Reason
	}
	return result + ", " + how
}

// sideName returns what the game calls a seat, whose name is first, second or chance.
func sideName(info lab.Info, seatName string) string {
	if seat := oxo.SeatNamed(seatName); seat != oxo.Chance {
		return info.Seats[seat]
	}
	return "Chance"
}

// unnamedOr is how a player of a sheet is called.
func unnamedOr(name string) string { return cmp.Or(name, "unnamed") }

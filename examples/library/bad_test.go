package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"

	"oxo"
	"oxo/games/kind"
	"oxo/lab"
	"oxo/message"
)

// spot is a position of the games here: First and Second by turns say 0, 1 or 2, until so many plies were made.
// Kind says what is wrong with the game.
type spot struct {
	kind  uint8
	plies uint8
}

// What can be wrong with a game.
const (
	playable uint8 = iota // nothing
	stuck                 // the position after two plies has no moves and is not over
	endless               // play goes round, though MaxPlies say that it ends
	panics                // Play panics after two plies
	circles               // chance makes the second move, and play can go round: such games have no values here
)

var names = []string{"playable", "stuck", "endless", "panics", "circles"}

func (p spot) Turn() oxo.Seat {
	if p.kind == circles && p.plies == 1 {
		return oxo.Chance
	}
	return oxo.Seat(p.plies % 2)
}

func (p spot) Outcome() oxo.Outcome {
	if p.plies == 6 {
		return oxo.Drawn
	}
	return oxo.Ongoing
}

func (p spot) Moves(buf []oxo.Move) []oxo.Move {
	if p.plies == 6 || p.kind == stuck && p.plies == 2 {
		return buf
	}
	return append(buf, 0, 1, 2)
}

func (p spot) Play(m oxo.Move) spot {
	if p.kind == panics && p.plies == 2 {
		panic("the game fell over")
	}
	if p.plies++; (p.kind == endless || p.kind == circles) && p.plies == 4 && m == 0 {
		p.plies = 2
	}
	return p
}

// badGame is a game that breaks what it promises, for each way to do so, with a player that names a move which is not
// there, and one that panics.
func badGame(k uint8) lab.Kind {
	g := &oxo.Game[spot]{Spec: names[k], Title: names[k], Start: spot{kind: k}, MaxMoves: 3, MaxPlies: 60,
		Symmetries: big.NewInt(1),
		Format:     func(p spot) string { return fmt.Sprint(p.plies, " made") },
		FormatMove: func(_ spot, m oxo.Move) string { return fmt.Sprint("say", m) },
		Parse: func(text string) (spot, error) {
			p := spot{kind: k}
			_, err := fmt.Sscanf(text, "%d made", &p.plies)
			return p, err
		},
		ParseMove: func(p spot, text string) (m oxo.Move, err error) {
			_, err = fmt.Sscanf(text, "say%d", &m)
			return m, err
		}}
	if k == circles {
		g.MaxPlies, g.Odds = 0, func(spot, oxo.Move) float64 { return 1. / 3 }
	}
	player := func(name string, choose func() (oxo.Choice, error)) kind.PlayerKind[spot] {
		return kind.PlayerKind[spot]{GamePlayer: kind.GamePlayer{Name: name, Form: name, About: name},
			Open: func(*oxo.Game[spot], string) (func(*rand.Rand) oxo.Player[spot], error) {
				return func(*rand.Rand) oxo.Player[spot] { return choice(choose) }, nil
			}}
	}
	return lab.KindOf(kind.Of[spot]{
		Kind: kind.Kind{Name: names[k], Form: names[k], About: "a game for tests", Example: names[k],
			Words: message.Table{"title." + names[k]: names[k]}},
		Open: func(s kind.Spec) (*kind.Opened[spot], error) {
			if err := s.RefuseArgsAndOptions(); err != nil {
				return nil, err
			}
			title := message.Of("title."+names[k], nil)
			return &kind.Opened[spot]{Game: g, Title: title,
				View: kind.View{Look: kind.Look{Drawn: kind.Tree}, Seats: [2]string{"X", "O"}}}, nil
		},
		Players: []kind.PlayerKind[spot]{
			player("cheat-"+names[k], func() (oxo.Choice, error) { return oxo.Choice{Move: 77}, nil }),
			player("boom-"+names[k], func() (oxo.Choice, error) { panic("the player fell over") }),
			player("fails-"+names[k], func() (oxo.Choice, error) { return oxo.Choice{}, errors.New("no idea") }),
		},
	})
}

// choice is a player that does what the function does.
type choice func() (oxo.Choice, error)

func (c choice) Choose(context.Context, spot) (oxo.Choice, error) { return c() }

// badGames are all of them.
func badGames() (list []lab.Part) {
	for k := range names {
		list = append(list, badGame(uint8(k)))
	}
	return list
}

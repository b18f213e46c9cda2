package studio_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"oxo"
	"oxo/games/kind"
	"oxo/lab"
	"oxo/web"
)

// swapPos is a position of a game on three squares: X wins by the one in the middle at the end, O by taking it first,
// or by swapping, as the second move, the mark that X has placed there.
type swapPos struct {
	marks [3]byte // 'x', 'o' or 0
	turn  oxo.Seat
}

// swap is the move that goes to no square.
const swap = oxo.Move(3)

func (p swapPos) Turn() oxo.Seat { return p.turn }

func (p swapPos) placed() int { return len(strings.ReplaceAll(string(p.marks[:]), "\x00", "")) }

func (p swapPos) Outcome() oxo.Outcome {
	switch {
	case p.placed() < len(p.marks):
		return oxo.Ongoing
	case p.marks[1] == 'x':
		return oxo.FirstWins
	}
	return oxo.SecondWins
}

func (p swapPos) Moves(buf []oxo.Move) []oxo.Move {
	for i, m := range p.marks {
		if m == 0 {
			buf = append(buf, oxo.Move(i))
		}
	}
	if p.placed() == 1 && p.turn == oxo.Second {
		buf = append(buf, swap)
	}
	return buf
}

func (p swapPos) Play(m oxo.Move) swapPos {
	if m == swap {
		for i := range p.marks {
			if p.marks[i] != 0 {
				p.marks[i] = 'o'
			}
		}
	} else {
		p.marks[m] = "xo"[p.turn]
	}
	p.turn = p.turn.Other()
	return p
}

// firstFree is a player that marks the first free square.
type firstFree struct{}

func (firstFree) Choose(_ context.Context, p swapPos) (oxo.Choice, error) {
	return oxo.Choice{Move: p.Moves(nil)[0]}, nil
}

// swapKind is a kind of games from outside, one move of which has no square.
var swapKind = kind.Of[swapPos]{
	Kind: kind.Kind{Name: "middle", Form: "middle", About: "the middle wins", Example: "middle",
		Offers: []kind.GameOffer{{Shelf: "From elsewhere", Spec: "middle", Name: "The middle"}}},
	Open: func(kind.Spec) (*kind.Opened[swapPos], error) {
		format := func(p swapPos) string {
			return strings.ReplaceAll(string(p.marks[:]), "\x00", ".") + " " + "xo"[p.turn:][:1]
		}
		name := func(_ swapPos, m oxo.Move) string {
			if m == swap {
				return "swap"
			}
			return fmt.Sprint(m + 1)
		}
		g := &oxo.Game[swapPos]{Spec: "middle", Title: "the middle", MaxMoves: 3, MaxPlies: 4, Format: format,
			FormatMove: name, Symmetries: big.NewInt(1),
			Parse: func(text string) (p swapPos, err error) {
				if len(text) != 5 {
					return p, fmt.Errorf("position %q", text)
				}
				copy(p.marks[:], strings.ReplaceAll(text[:3], ".", "\x00"))
				p.turn = oxo.Seat(strings.IndexByte("xo", text[4]))
				return p, nil
			},
			ParseMove: func(p swapPos, text string) (oxo.Move, error) {
				for _, m := range p.Moves(nil) {
					if name(p, m) == text {
						return m, nil
					}
				}
				return oxo.NoMove, fmt.Errorf("move %q", text)
			}}
		return &kind.Opened[swapPos]{Game: g, View: kind.GridView(3, 1)}, nil
	},
	Players: []kind.PlayerKind[swapPos]{{GamePlayer: kind.GamePlayer{Name: "leftmost", Form: "leftmost"},
		Open: func(*oxo.Game[swapPos], string) (func(*rand.Rand) oxo.Player[swapPos], error) {
			return func(*rand.Rand) oxo.Player[swapPos] { return firstFree{} }, nil
		}}},
}

// lowest is a player of all games: it makes the move of the lowest number.
var lowest = lab.Player{GamePlayer: kind.GamePlayer{Name: "lowest", Form: "lowest", About: "the first of the moves"},
	Open: func(*oxo.Game[oxo.Any], string) (func(*rand.Rand) oxo.Player[oxo.Any], error) {
		return func(*rand.Rand) oxo.Player[oxo.Any] { return firstOf{} }, nil
	}}

// firstOf plays for lowest.
type firstOf struct{}

func (firstOf) Choose(_ context.Context, p oxo.Any) (oxo.Choice, error) {
	return oxo.Choice{Move: p.Moves(nil)[0]}, nil
}

// TestMoveWithoutSquare: a move that goes to no square is a button, with its worth, that keys and fingers play.
func TestMoveWithoutSquare(t *testing.T) {
	server := newHostWith(t, func(c *web.Config) {
		if err := c.Lab.Add(lab.KindOf(swapKind), lowest); err != nil {
			t.Fatal(err)
		}
	}).server
	b := newTab(t, server, phone, "#/play?game=middle&first=human&second=human")
	b.play("2")
	b.until("swapping is offered", button("swap"))
	b.press("Values")
	b.until("swapping is said to win", `document.querySelector('.branch.shade-good[aria-label="swap +3, wins in 3"]')`)
	b.sound("swap-values")
	b.focus(`document.querySelector(".branch")`)
	b.keys(kb.Enter)
	b.holds("2", "O")
	b.until("it is played", `location.search.includes("moves=2") && location.search.includes("swap")`)
	b.until("nothing is left to swap, and the board has the focus",
		`!document.querySelector(".branch") && document.activeElement.matches(".cell")`)
	b.open("explore?game=middle&moves=2")
	b.press("swap +3, wins in 3")
	b.holds("2", "O")

	b.open("arena?game=middle")
	b.until("the game's own player is offered", `[...document.querySelectorAll(".checks label")].some(e => e.textContent.includes("Leftmost"))`)
	b.until("and its form is known", `document.querySelector('#arena-forms option[value="leftmost"]')`)
	b.open("arena?game=ttt")
	b.until("a player of all games is offered in others", `[...document.querySelectorAll(".checks label")].some(e => e.textContent.includes("Lowest"))`)
	b.open("learn?game=ttt")
	b.until("and to learners", `[...document.querySelectorAll("#against option")].some(e => e.value === "lowest")`)

	ann := anotherTab(t, server, desktop, "online?game=middle")
	bob := anotherTab(t, server, phone.dark(), "online")
	invited(t, ann, bob)
	ann.play("2")
	bob.says(".statusline", "Your turn")
	bob.sound("swap-online")
	bob.press("swap")
	ann.says(".statusline", "Your turn")
	ann.holds("2", "O")
	bob.until("it is gone", `!document.querySelector(".branch")`)
}

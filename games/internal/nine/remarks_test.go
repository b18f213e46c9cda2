package nine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/message"
)

// plainRemarks is [Remarks] by playing the move and every reply.
func plainRemarks(p Pos, m oxo.Move) (list []message.Message) {
	q, own := p.Play(m), p.Turn()
	owned := func(p Pos, s oxo.Seat) (n int) {
		for b := range 9 {
			n += int(p.Owned(s) >> b & 1)
		}
		return n
	}
	if owned(q, own) > owned(p, own) {
		list = append(list, message.Of("nine.takes", message.Args{"board": boardName(int(m) / 9)}))
	}
	if q.Outcome() != oxo.Ongoing {
		return list
	}
	var boards []int
	takes := ""
	for _, r := range q.Moves(nil) {
		if b := int(r) / 9; !slices.Contains(boards, b) {
			boards = append(boards, b)
		}
		if owned(q.Play(r), own.Other()) > owned(q, own.Other()) {
			takes = ".takes"
		}
	}
	args := message.Args{"side": map[oxo.Seat]string{oxo.First: "X", oxo.Second: "O"}[own.Other()],
		"board": boardName(boards[0])}
	if len(boards) > 1 {
		return append(list, message.Of("nine.anywhere"+takes, args))
	}
	return append(list, message.Of("nine.sends"+takes, args))
}

// TestRemarks compares what is said of moves with what they and the replies do, in random games by
// all rules.
func TestRemarks(t *testing.T) {
	said := map[string]int{}
	for _, rules := range []Rules{0, Most, Open, Points} {
		r := rand.New(rand.NewPCG(30, uint64(rules)))
		for range 40 {
			for p := start(rules); p.Outcome() == oxo.Ongoing; {
				moves := p.Moves(nil)
				m := moves[r.IntN(len(moves))]
				list, want := remarks(p, m), plainRemarks(p, m)
				if got, want := Words.Say(list...), Words.Say(want...); got != want {
					t.Fatalf("%+v, move %d: it says %q; it should say %q", p, m, got, want)
				}
				for _, x := range list {
					said[x.Key]++
				}
				p = p.Play(m)
			}
		}
	}
	for _, key := range []string{"nine.takes", "nine.sends", "nine.sends.takes", "nine.anywhere",
		"nine.anywhere.takes"} {
		if said[key] == 0 {
			t.Errorf("%s was never said: %v", key, said)
		}
	}
}

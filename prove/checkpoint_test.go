package prove

import (
	"bytes"
	"context"
	"encoding/gob"
	"testing"

	"oxo/board"
	"oxo/prove/certificate"
)

// TestDamagedCheckpoint: work whose numbers make no sense is refused.
func TestDamagedCheckpoint(t *testing.T) {
	b, err := board.New(4, [][]int{{0, 1}, {1, 2}, {2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	g := certificate.Setup{Board: b, Rules: board.Normal}
	var found bytes.Buffer
	if _, err := (&certificate.Proof{Game: g, Perms: newPermutationList(b.N).list}).WriteTo(&found); err != nil {
		t.Fatal(err)
	}
	own := func() []savedQuestion { // those of the game
		j := &proofRun{game: &g, opt: Options{Width: 16}}
		j.addInitialQuestions()
		var list []savedQuestion
		for _, q := range j.questions {
			list = append(list, savedQuestion{Seat: int(q.seat), Width: q.width, Relaxed: q.relaxed, Hold: q.defends,
				Mirror: q.mirror})
		}
		return list
	}
	for name, c := range map[string]checkpoint{
		"a question before the first": {At: -1, Questions: own()},
		"a question after the last":   {At: 100, Questions: own()},
		"a seat that is none":         {Questions: append(own(), savedQuestion{Seat: 7, Width: 2})},
		"more moves than there are":   {Questions: append(own(), savedQuestion{Width: 5})},
		"a verdict that is none":      {Wins: [2]verdict{5, 0}, Questions: own()},
		"a question of other options": {Questions: append(own(), savedQuestion{Width: 2, Hold: true})},
		"entries of a search without it": {Questions: append(own(),
			savedQuestion{Width: 2, Begun: true, Positions: 3})},
	} {
		c.Version, c.Game, c.Budget, c.Found = 1, g.Digest(), 2*firstBudget, found.Bytes()
		for _, way := range []string{"resumed", "joined"} {
			var file bytes.Buffer
			if err := gob.NewEncoder(&file).Encode(c); err != nil {
				t.Fatal(err)
			}
			opt := Options{Memory: LeastMemory, Resume: &file}
			if way == "joined" {
				opt = Options{Memory: LeastMemory, Round: &Round{Nodes: 100}}
				opt.Round.Before = append(opt.Round.Before, &file)
			}
			r, err := Prove(context.Background(), g, opt)
			if err == nil {
				t.Errorf("%s is %s: %v", name, way, r)
			}
		}
	}
}

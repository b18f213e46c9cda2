package typed

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"oxo"
	"oxo/games/ultimate"
	"oxo/prove/certificate"
	"oxo/prove/moves"
	"oxo/prove/verify"
)

func TestScratch(t *testing.T) {
	g := ultimate.New(ultimate.Open)
	mg := nineBoards(g)
	start := time.Now()
	var asked []moves.Question
	switch os.Getenv("ASK") {
	case "43":
		asked = []moves.Question{{Seat: 0, Wins: true, Plies: 43}}
	case "27":
		asked = []moves.Question{{Seat: 1, Plies: 27}}
	case "29":
		asked = []moves.Question{{Seat: 1, Plies: 29}}
	}
	last := time.Now()
	r, err := moves.Prove(context.Background(), mg, g.Start, asked, moves.Options{Time: 100 * time.Second, Memory: 512 << 20, Progress: func(q moves.Question, n uint64, s int) {
		if time.Since(last) > time.Second {
			last = time.Now()
			fmt.Println(q, n, s, time.Since(start))
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println(r.No, r.Nodes, time.Since(start))
	p := &certificate.Proof{Game: certificate.Game{Spec: g.Spec, Nine: certificateOf(g.Start), Turn: oxo.First}}
	for _, c := range r.Claims {
		fmt.Println(c.Question, len(c.Moves), c.Replies, c.Longest)
		cl := certificate.Claim{Seat: c.Seat, Wins: c.Wins, Plies: c.Plies}
		for _, m := range c.Moves {
			cl.Moves = append(cl.Moves, uint8(m))
		}
		p.Claims = append(p.Claims, cl)
	}
	var b bytes.Buffer
	p.WriteTo(&b)
	fmt.Println(b.Len(), "bytes", time.Since(start))
	v, err := verify.Check(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), verify.Question{}, verify.Limits{})
	fmt.Printf("%v %v %v %v %v %v %v\n", v.OK, v.Reason, v.Claim, v.Value, v.Nodes, v.Checks, v.Work)
	fmt.Println(time.Since(start))
	os.WriteFile("/tmp/scratch/"+os.Getenv("ASK")+".proof", b.Bytes(), 0o644)
}

package limit_test

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/learn/exam"
	"oxo/learn/limit"
	"oxo/learn/space"
)

// sums returns the weighted sums of a set of features on 3×3, and an examiner.
func sums(t *testing.T, set string) (limit.Hypothesis, *exam.Examiner) {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(t.Context(), board.Game64("mnk:3,3,3", "", b, board.Normal), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	f, err := a.Space.Features(set)
	if err != nil {
		t.Fatal(err)
	}
	x, err := exam.NewExaminer(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	return limit.Hypothesis{Space: a.Space, Size: len(f.Names),
		Of: func(n space.Node, seat oxo.Seat, x []float64) { copy(x, f.Of(n, seat)) }}, x
}

// TestDecide: which sums can be unbeatable on 3×3. Weights are examined, certificates checked.
func TestDecide(t *testing.T) {
	for set, can := range map[string][3]bool{"counts": {}, "twelve": {}, "wins": {},
		"threats": {true, true, true}} {
		h, x := sums(t, set)
		for k, seats := range []string{"first", "second", "both"} {
			a, err := h.FindUnbeatableWeights(t.Context(), limit.Seats[seats])
			if err != nil || (a.Weights != nil) != can[k] || (a.Cases != nil) == can[k] {
				t.Errorf("%s, %s: %+v, %v", set, seats, a, err)
				continue
			}
			if a.Cases != nil {
				if err := h.Check(a.Cases, limit.Seats[seats]); err != nil {
					t.Errorf("%s, %s: %v", set, seats, err)
				}
				continue
			}
			e := x.Exam(h.GreedyPolicy(a.Weights))
			for _, seat := range limit.Seats[seats] {
				if lost := []exam.SeatExam{e.AsFirst, e.AsSecond}[seat].Exploitability; lost != 0 {
					t.Errorf("%s, %s: weights %v have exploitability %v", set, seats, a.Weights, lost)
				}
			}
		}
	}
}

// squaresSecond says why no sum of nine squares is unbeatable as Second: after a corner and the centre
// one position asks for more on the side b3 than on the corner a1, the other for the opposite.
const squaresSecond = `{"sum":[{"position":"x.x/.o./... o","best":"b3","than":"a1","times":1},` +
	`{"position":"x../xo./... o","best":"a1","than":"b3","times":1}]}`

// TestCheck: a certificate written by hand holds on the seats that it is about, and none that was changed does.
func TestCheck(t *testing.T) {
	h, _ := sums(t, "squares")
	check := func(text, seats string) error {
		c := &limit.Case{}
		if err := json.Unmarshal([]byte(text), c); err != nil {
			t.Fatal(err)
		}
		return h.Check(c, limit.Seats[seats])
	}
	for _, seats := range []string{"second", "both"} {
		if err := check(squaresSecond, seats); err != nil {
			t.Errorf("%s: %v", seats, err)
		}
	}
	if check(squaresSecond, "first") == nil {
		t.Error("as First nobody meets these positions as the one to move")
	}
	sum := strings.TrimSuffix(squaresSecond, "}")
	for what, forged := range map[string]string{
		"one inequality twice":        strings.Replace(squaresSecond, `"times":1`, `"times":2`, 1),
		"less than nothing":           strings.ReplaceAll(squaresSecond, `"times":1`, `"times":-1`),
		"no number":                   strings.ReplaceAll(squaresSecond, `,"times":1`, ""),
		"nothing":                     `{}`,
		"no case":                     `{"sum":[],"cases":[null]}`,
		"the losing move is best":     strings.Replace(squaresSecond, `"b3","than":"a1"`, `"a1","than":"b3"`, 1),
		"a position that can't be":    strings.Replace(squaresSecond, "x.x/.o./...", "x.x/oo./...", 1),
		"a position that is avoided":  strings.Replace(squaresSecond, "x../xo./...", "x.o/x../...", 1),
		"a move that isn't there":     strings.Replace(squaresSecond, "b3", "z9", 1),
		"a move that is made":         strings.Replace(squaresSecond, `"than":"a1"`, `"than":"a3"`, 1),
		"moves left out":              `{"position":".x./.../... o","moves":["b2"],"cases":[` + squaresSecond + `]}`,
		"a move that was known":       `{"position":"x../.../... o","moves":["b2"],"cases":[` + squaresSecond + `]}`,
		"strict, and yet it goes on":  sum + `,"cases":[` + squaresSecond + `]}`,
		"moves of which none is best": `{"position":".x./.../... o","moves":["a1","a1"],"cases":[{},{}]}`,
	} {
		if check(forged, "second") == nil {
			t.Errorf("%s: it was let pass", what)
		}
	}
}

// TestSeparate: of inequalities at random either the weights fulfil all, or the multiples add up to nothing,
// at least one of a strict inequality.
func TestSeparate(t *testing.T) {
	for name, separate := range map[string]func([]limit.Row, int) ([]float64, []*big.Int){
		"by linear programming alone": limit.Solve, "after practice, a few rows at a time": limit.Separate,
	} {
		t.Run(name, func(t *testing.T) { testSeparate(t, separate) })
	}
}

func testSeparate(t *testing.T, separate func([]limit.Row, int) ([]float64, []*big.Int)) {
	r := rand.New(rand.NewPCG(3, 3))
	met := [2]int{}
	for range 300 {
		size := 1 + r.IntN(4)
		rows := make([]limit.Row, 1+r.IntN(9))
		for k := range rows {
			rows[k].Strict = r.IntN(2) == 0
			for range size {
				rows[k].Of = append(rows[k].Of, int64(r.IntN(7)-3))
			}
		}
		w, times := separate(rows, size)
		for _, row := range rows {
			sum := 0.0
			for i, x := range row.Of {
				if w != nil {
					sum += float64(x) * w[i]
				}
			}
			if w != nil && (sum < 0 || sum == 0 && row.Strict) {
				t.Fatalf("%v are no weights for %v", w, rows)
			}
		}
		if w != nil {
			met[0]++
			continue
		}
		met[1]++
		total, strict := make([]big.Int, size), false
		for k, row := range rows {
			strict = strict || row.Strict && times[k].Sign() > 0
			for i, x := range row.Of {
				total[i].Add(&total[i], new(big.Int).Mul(times[k], big.NewInt(x)))
			}
			if times[k].Sign() < 0 {
				t.Fatalf("%v times %v", times[k], row)
			}
		}
		for i := range total {
			if total[i].Sign() != 0 || !strict {
				t.Fatalf("%v times %v is no contradiction", times, rows)
			}
		}
	}
	if met[0] < 50 || met[1] < 50 {
		t.Errorf("met %v of either", met)
	}
}

// TestWinsAtOnce: of a move that wins at once weights are asked nothing, as it is made without them.
func TestWinsAtOnce(t *testing.T) {
	h, _ := sums(t, "squares")
	list, err := limit.Asked(h, limit.Seats["second"])
	if err != nil || len(list) == 0 {
		t.Fatalf("%d inequalities, %v", len(list), err)
	}
	for _, n := range list {
		if h.Space.Over(n) && h.Space.WorthTo(n, oxo.Second) > 0 {
			t.Errorf("one asks of the move to node %d, which wins", n)
		}
	}
}

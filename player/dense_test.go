package player_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/player"
)

// netFile writes a network as others write it.
func netFile(header string, numbers ...float32) []byte {
	var b bytes.Buffer
	b.WriteString(header + "\n")
	binary.Write(&b, binary.LittleEndian, numbers)
	return b.Bytes()
}

func smallGame(t testing.TB) *oxo.Game[board.Pos64] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: 2, Rows: 1, Run: 2})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("mnk:2,1,2", "a pair", b, board.Normal)
}

// TestDense: a network with an output for each of two squares, worked out by hand.
func TestDense(t *testing.T) {
	g := smallGame(t)
	moves := g.Start.Moves(nil)
	for _, c := range []struct {
		name string
		file []byte
		want []float64
	}{
		{"a bias for the second square", netFile(`{"game":"mnk:2,1,2","layers":[4,2]}`,
			0, 0, 0, 0, 0, 0, 0, 0, 0, 1), []float64{0, 1}},
		{"equals", netFile(`{"game":"mnk:2,1,2","layers":[4,2]}`, make([]float32, 10)...), []float64{.5, .5}},
		// One hidden unit that sees the mark on the first square, and is turned round.
		{"the board after the move", netFile(`{"game":"mnk:2,1,2","layers":[4,1,1]}`, 5, 0, 0, 0, 0, -1, 0),
			[]float64{0, 1}},
		{"hidden units are not below 0", netFile(`{"game":"mnk:2,1,2","layers":[4,1,1]}`, -5, -4, 0, 0, 0, 1, 0),
			[]float64{.5, .5}},
		{"however large they are", netFile(`{"game":"mnk:2,1,2","layers":[4,1,1,1,1,1,1,1,1,1,1],"activation":"tanh"}`,
			slices.Repeat([]float32{3e38}, 23)...), []float64{.5, .5}},
		{"unless they are tanh", netFile(`{"game":"mnk:2,1,2","layers":[4,1,1],"activation":"tanh"}`,
			-5, -1, 0, 0, 0, 1, 0), []float64{0, 1}},
	} {
		d, err := player.ReadDense(g, c.file)
		if err != nil {
			t.Fatal(c.name, err)
		}
		w := make([]float64, 2)
		d.Policy(g.Start, moves, w)
		if w[0] != c.want[0] || w[1] != c.want[1] {
			t.Errorf("%s: %v, want %v", c.name, w, c.want)
		}
	}
}

// TestDenseSides: Second's marks are its own to it, and a board that it has finished is
// worth its outcome, whatever the network says.
func TestDenseSides(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	header := `{"game":"g","layers":[18,1]}`
	numbers := make([]float32, 19)
	for i := range 9 {
		numbers[i] = .01 * float32(i+1) // own marks are good, later squares the more
		numbers[9+i] = -1               // others are not
	}
	d, err := player.ReadDense(g, netFile(header, numbers...))
	if err != nil {
		t.Fatal(err)
	}
	for position, want := range map[string]string{
		"x../.../... o": "c1", "xx./oo./x.. o": "c2", "xxo/oox/x.. o": "c1",
	} {
		p, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		moves := p.Moves(nil)
		w := make([]float64, len(moves))
		d.Policy(p, moves, w)
		for i, m := range moves {
			if (w[i] == 1) != (g.FormatMove(p, m) == want) {
				t.Errorf("%s: %s has %v, want %s alone", position, g.FormatMove(p, m), w[i], want)
			}
		}
	}
}

// TestDenseRefusals: a file that is no network for the game is refused with what is wrong.
func TestDenseRefusals(t *testing.T) {
	g := smallGame(t)
	for want, file := range map[string][]byte{
		"begins with a line of JSON": []byte("PK\x03\x04"),
		`unknown field "size"`:       netFile(`{"size":3}`),
		`game "mnk:3,3,3"`:           netFile(`{"game":"mnk:3,3,3","layers":[18,1]}`),
		`activation "gelu"`:          netFile(`{"game":"mnk:2,1,2","layers":[4,1],"activation":"gelu"}`),
		"layers []":                  netFile(`{"game":"mnk:2,1,2"}`),
		"9 inputs":                   netFile(`{"game":"mnk:2,1,2","layers":[9,1]}`),
		"3 outputs":                  netFile(`{"game":"mnk:2,1,2","layers":[4,3]}`),
		"a layer of -1 units":        netFile(`{"game":"mnk:2,1,2","layers":[4,-1,1]}`),
		"a layer of 1000000000":      netFile(`{"game":"mnk:2,1,2","layers":[4,1000000000,1]}`),
		"20 bytes: 16 bytes follow":  netFile(`{"game":"mnk:2,1,2","layers":[4,1]}`, 1, 2, 3, 4),
		"20 bytes: 24 bytes follow":  netFile(`{"game":"mnk:2,1,2","layers":[4,1]}`, 1, 2, 3, 4, 5, 6),
		"weight 2 is NaN":            netFile(`{"game":"mnk:2,1,2","layers":[4,1]}`, 1, float32(math.NaN()), 3, 4, 5),
		"layer 8 can come to more": netFile(`{"game":"mnk:2,1,2","layers":[4,1,1,1,1,1,1,1,1,1,1]}`,
			append(slices.Repeat([]float32{3e38}, 21), 0, 3e38)...),
	} {
		if _, err := player.ReadDense(g, file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is refused with %v, want %q", file, err, want)
		}
	}
}

func FuzzReadDense(f *testing.F) {
	g := smallGame(f)
	f.Add(netFile(`{"game":"mnk:2,1,2","layers":[4,1]}`, 1, 2, 3, 4, 5))
	f.Add(netFile(`{"game":"mnk:2,1,2","layers":[4,2,2],"activation":"tanh"}`, make([]float32, 16)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := player.ReadDense(g, data)
		if err != nil {
			return
		}
		moves, w := g.Start.Moves(nil), make([]float64, 2)
		if d.Policy(g.Start, moves, w); w[0]+w[1] != 1 {
			t.Errorf("%v sum to %v", w, w[0]+w[1])
		}
	})
}

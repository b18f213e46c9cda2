package certificate_test

import (
	"bytes"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/verify"
)

// found proves the game of a grid.
func found(t *testing.T, shape grid.Shape, rules board.Rules) *certificate.Proof {
	t.Helper()
	b, err := grid.New(shape)
	if err != nil {
		t.Fatal(err)
	}
	r, err := prove.Prove(t.Context(), certificate.Setup{Board: b, Rules: rules}, prove.Options{Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return r.Proof
}

// check checks what a certificate says of itself.
func check(t *testing.T, data []byte) *verify.Report {
	t.Helper()
	r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), verify.Question{}, verify.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFile writes a file, reads it, writes what was read and compares.
func TestFile(t *testing.T) {
	for _, c := range []struct {
		shape grid.Shape
		rules board.Rules
	}{
		{grid.Shape{Cols: 5, Rows: 5, Run: 4}, board.Normal},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Misere},
		{grid.Shape{Cols: 4, Rows: 4, Run: 3, Gravity: true}, board.Normal},
		{grid.Shape{Cols: 6, Rows: 6, Run: 4, Exact: true}, board.Normal},
		{grid.Shape{Cols: 22, Rows: 3, Run: 3}, board.Normal},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Wild},
	} {
		proof := found(t, c.shape, c.rules)
		var file bytes.Buffer
		size, err := proof.WriteTo(&file)
		data := file.Bytes()
		if err != nil || int64(len(data)) != size {
			t.Fatalf("%v: %d bytes, of which it tells %d, %v", c.shape, len(data), size, err)
		}
		p, err := certificate.Read(bytes.NewReader(data), int64(len(data)), nil)
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if _, err := p.WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), data) ||
			p.Game.Rules.Name != proof.Game.Rules.Name {
			t.Errorf("%v: reading and writing changes the file: %v", c.shape, err)
		}
		if !check(t, data).OK {
			t.Errorf("%v: the file does not hold", c.shape)
		}
		data[len(data)/2] ^= 1
		if _, err := certificate.Read(bytes.NewReader(data), int64(len(data)), nil); err == nil {
			t.Errorf("%v: a damaged file was read", c.shape)
		}
	}
}

// nodesOf lists nodes.
func nodesOf(t testing.TB, nodes *certificate.Nodes) []certificate.Node {
	t.Helper()
	list := make([]certificate.Node, nodes.Len())
	for k := range list {
		var err error
		if list[k], err = nodes.At(k); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

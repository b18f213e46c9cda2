package typed

import (
	"io/fs"
	"testing"

	"oxo/lab/internal/certify"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
)

// TestCarriedProofs: the checker accepts every proof that the program has with it, and each is
// found by the game that it is about. The judge believes them unchecked.
func TestCarriedProofs(t *testing.T) {
	files, err := fs.Glob(opened.Carried, "proofs/*.proof")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := 0
	for _, spec := range []string{
		"ttt", "ttt+misere", "mnk:4,3,3", "mnk:4,4,4", "mnk:5,5,4", "mnk:5,5,4+maker",
		"mnk:6,6,4", "mnk:7,7,5", "torus:4,4,4", "cube:3,3", "qubic", "animal:elly,4,4",
		"animal:knobby,5,5", "animal:tic,4,4",
		"animal:tippy,3,3", "plane:affine,4", "plane:projective,2", "ultimate+open"} {
		g, err := (&game.Lab{Kinds: BuiltIn()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		data := opened.CarriedProof(g.Info().Spec, g.Info().Identity)
		if data == nil {
			t.Errorf("%s: no proof is carried", spec)
			continue
		}
		found++
		if _, err := certify.OpenAbout(t.Context(), g, data); err != nil {
			t.Errorf("%s: %v", spec, err)
		}
	}
	if found != len(files) {
		t.Errorf("%d of %d files are tested", found, len(files))
	}
}

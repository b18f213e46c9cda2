package kind_test

import (
	"testing"

	"oxo/games/animal"
	"oxo/games/cube"
	"oxo/games/file"
	"oxo/games/grid"
	"oxo/games/kind"
	"oxo/games/meta"
	"oxo/games/plane"
	"oxo/games/race"
	"oxo/games/tree"
	"oxo/games/ultimate"
	"oxo/games/wide"
	"oxo/gametest"
)

// TestKinds: what oxo's own kinds say of themselves holds.
func TestKinds(t *testing.T) {
	for _, k := range []kind.Positional{grid.TTT, grid.MNK, grid.Torus, cube.Kind, cube.Qubic, animal.Kind, plane.Kind,
		file.Kind} {
		t.Run(k.Name, func(t *testing.T) { gametest.RunPositionalKind(t, k) })
	}
	t.Run("wide", func(t *testing.T) { gametest.RunKind(t, wide.Kind, "mnk:20,20,5", "mnk:17,16,6+misere") })
	t.Run("meta", func(t *testing.T) { gametest.RunKind(t, meta.Kind) })
	t.Run("ultimate", func(t *testing.T) { gametest.RunKind(t, ultimate.Kind, "ultimate+open") })
	t.Run("race", func(t *testing.T) { gametest.RunKind(t, race.Kind) })
	t.Run("tree", func(t *testing.T) { gametest.RunKind(t, tree.GameKind) })
}

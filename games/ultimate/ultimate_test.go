package ultimate_test

import (
	"testing"

	"oxo/games/ultimate"
	"oxo/gametest"
)

func TestConformance(t *testing.T) {
	for _, rules := range []ultimate.Rules{0, ultimate.Most, ultimate.Open, ultimate.Most | ultimate.Open} {
		g := ultimate.New(rules)
		t.Run(g.Spec, func(t *testing.T) { gametest.Run(t, g) })
	}
}

func FuzzParse(f *testing.F)     { gametest.Fuzz(f, ultimate.New(0)) }
func FuzzParseOpen(f *testing.F) { gametest.Fuzz(f, ultimate.New(ultimate.Open)) }

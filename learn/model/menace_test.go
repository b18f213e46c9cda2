package model

import (
	"testing"

	"oxo"
)

// TestMenaceBoxes: facts' §1 and §4.
func TestMenaceBoxes(t *testing.T) {
	a := ttt(t)
	m := built(t, a.Space, "menace").Memory.(*menace)
	if boxes, beads := m.countBoxes(oxo.First); boxes != 304 || beads != 1720 {
		t.Errorf("%d boxes with %d beads for the opener, want 304 with 1720", boxes, beads)
	}
	if boxes, _ := m.countBoxes(oxo.Second); boxes != 289 {
		t.Errorf("%d boxes for the second player, want 289", boxes)
	}
	if b := m.boxOf[a.Start]; m.total[b] != 12 || m.from[b+1]-m.from[b] != 3 {
		t.Errorf("the first box has %d beads of %d colours, want 12 of 3", m.total[b], m.from[b+1]-m.from[b])
	}
}

package ninenet

import "oxo/games/ultimate"

// rowNet is the part of a [Net] that looks at the rows of boards: a side needs three of them, so what a board is worth
// depends on the others of its rows. A small network of the features of a board, the same for all boards, says what it
// brings to each of its rows; a row's units are the sums over its three boards, and their positive parts, weighted, are
// added to the odds.
//
// A board brings the same however it is turned: its features are the means over the eight ways in which it can be laid
// down. Fields are by set first, 0 for boards that the next move can't be on; Direct goes past the hidden units.
type rowNet struct {
	Hidden     [netSets][netFeatures][rowHidden]float32
	HiddenBias [netSets][rowHidden]float32
	In         [netSets][rowHidden][rowUnits]float32
	Direct     [netSets][netFeatures][rowUnits]float32
	Bias       [netSets][rowUnits]float32
	Out        [2][rowUnits]float32 // for a win and for a loss of the side to move
}

// rowHidden units look at a board, rowUnits at a row.
const (
	rowHidden = 16
	rowUnits  = 32
)

// boardContributionToRows returns what a board with the given features, of which each has a share of the ways to lay
// the board down, brings to its rows, and the positive parts of its hidden units.
func (t *rowNet) boardContributionToRows(set int, shares *[netFeatures]float32) (units [rowUnits]float32,
	hidden [rowHidden]float32) {
	hidden = t.HiddenBias[set]
	units = t.Bias[set]
	for f, share := range shares {
		if share == 0 {
			continue
		}
		for k, w := range &t.Hidden[set][f] {
			hidden[k] += share * w
		}
		for k, w := range &t.Direct[set][f] {
			units[k] += share * w
		}
	}
	for i, v := range hidden {
		if v <= 0 {
			hidden[i] = 0
			continue
		}
		for k, w := range &t.In[set][i] {
			units[k] += v * w
		}
	}
	return units, hidden
}

// featureSharesOverTurns returns for each feature of a board the share of the eight ways to lay it down that have it.
func featureSharesOverTurns(own, their uint16, closed uint8) (shares [netFeatures]float32) {
	if closed != 0 {
		shares[closed] = 1
		return shares
	}
	var buf [netFeatures]uint8
	for s := range laid {
		for _, f := range boardFeatures(laid[s][own], laid[s][their], buf[:0]) {
			shares[f] += 1. / 8
		}
	}
	return shares
}

// rowSums returns the sums of all rows of n, in the order of ultimate.Rows, before negative sums are cut off.
func (t *rowNet) rowSums(n *nineBoards) (sums [len(ultimate.Rows)][rowUnits]float32) {
	for b := range 9 {
		set := int(n.here >> b & 1)
		if n.closed[b] != 0 {
			set = 0
		}
		of := featureSharesOverTurns(n.cells[b][0], n.cells[b][1], n.closed[b])
		brought, _ := t.boardContributionToRows(set, &of)
		for r, row := range ultimate.Rows {
			if row>>b&1 != 0 {
				for k, v := range brought {
					sums[r][k] += v
				}
			}
		}
	}
	return sums
}

// logOdds returns what the rows of n add to the logarithms of the odds of a win and of a loss.
func (t *rowNet) logOdds(n *nineBoards) (win, loss float64) {
	for _, row := range t.rowSums(n) {
		for k, v := range row {
			win += float64(t.Out[0][k] * max(0, v))
			loss += float64(t.Out[1][k] * max(0, v))
		}
	}
	return win, loss
}

// eachWeight calls f with every weight, in an order that is always the same, which is not that of the file.
func (t *rowNet) eachWeight(f func(w *float32)) {
	list := func(weights []float32) {
		for k := range weights {
			f(&weights[k])
		}
	}
	for set := range netSets {
		for i := range t.Hidden[set] {
			list(t.Hidden[set][i][:])
		}
		list(t.HiddenBias[set][:])
	}
	for set := range netSets {
		for i := range t.In[set] {
			list(t.In[set][i][:])
		}
	}
	for set := range netSets {
		for i := range t.Direct[set] {
			list(t.Direct[set][i][:])
		}
		list(t.Bias[set][:])
	}
	list(t.Out[0][:])
	list(t.Out[1][:])
}

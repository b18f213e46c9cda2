//go:build !amd64

package ninenet

func weighUnits(p *laneParts, w *laneWeights, odds *[4]int32) { weighUnitsPortably(p, w, odds) }

func addBoardSums(s *boardSums, units *lanes, rows *bigRows) { addBoardSumsPortably(s, units, rows) }

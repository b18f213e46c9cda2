//go:build !amd64

package ninenet

func weighLanes(p *laneParts, w *laneWeights, odds *[4]int32) { weighLanesPlainly(p, w, odds) }

func addBoards(s *boardSums, units *lanes, rows *bigRows) { addBoardsPlainly(s, units, rows) }

package ninenet

import "golang.org/x/sys/cpu"

// weighLanes is [weighLanesPlainly], by AVX2 where the processor has it.
func weighLanes(p *laneParts, w *laneWeights, odds *[4]int32) {
	if cpu.X86.HasAVX2 {
		weighLanesAVX2(p, w, odds)
		return
	}
	weighLanesPlainly(p, w, odds)
}

// addBoards is [addBoardsPlainly], by AVX2 where the processor has it.
func addBoards(s *boardSums, units *lanes, rows *bigRows) {
	if cpu.X86.HasAVX2 {
		addBoardsAVX2(s, units, rows)
		return
	}
	addBoardsPlainly(s, units, rows)
}

//go:noescape
func weighLanesAVX2(p *laneParts, w *laneWeights, odds *[4]int32)

//go:noescape
func addBoardsAVX2(s *boardSums, units *lanes, rows *bigRows)

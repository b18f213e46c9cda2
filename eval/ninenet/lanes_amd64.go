package ninenet

import "golang.org/x/sys/cpu"

// weighUnits is [weighUnitsPortably], by AVX2 where the processor has it.
func weighUnits(p *laneParts, w *laneWeights, odds *[4]int32) {
	if cpu.X86.HasAVX2 {
		weighLanesAVX2(p, w, odds)
		return
	}
	weighUnitsPortably(p, w, odds)
}

// addBoardSums is [addBoardSumsPortably], by AVX2 where the processor has it.
func addBoardSums(s *boardSums, units *lanes, rows *bigRows) {
	if cpu.X86.HasAVX2 {
		addBoardsAVX2(s, units, rows)
		return
	}
	addBoardSumsPortably(s, units, rows)
}

//go:noescape
func weighLanesAVX2(p *laneParts, w *laneWeights, odds *[4]int32)

//go:noescape
func addBoardsAVX2(s *boardSums, units *lanes, rows *bigRows)

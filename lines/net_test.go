package lines

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo/threats"
)

// levelsByDefinition returns the two highest levels that a free square of a grid has for a side: in each direction, by
// the lines through it, how many marks they lack and how many lines lack as many.
func levelsByDefinition(b threats.Board, mark []uint8, side, square int) (high, low int) {
	lacking := map[int]map[int]int{} // of each direction, lines by the marks that they lack
	for l, need := range b.Need {
		if !slices.Contains(need, square) {
			continue
		}
		lacks, lost := 0, false
		for _, s := range need {
			lost = lost || mark[s] == uint8(side^1)
			if mark[s] == empty {
				lacks++
			}
		}
		for _, s := range b.Bar[l] {
			lost = lost || mark[s] == uint8(side)
		}
		direction := need[1] - need[0]
		if lacking[direction] == nil {
			lacking[direction] = map[int]int{}
		}
		if !lost {
			lacking[direction][lacks]++
		}
	}
	list := []int{0, 0}
	for _, n := range lacking {
		switch {
		case n[1] > 0:
			list = append(list, 9)
		case n[2] > 0:
			list = append(list, 6+min(n[2], 2))
		case n[3] > 0:
			list = append(list, 3+min(n[3], 3))
		case n[4] > 0:
			list = append(list, []int{1, 2, 2, 3, 3}[n[4]-1])
		}
	}
	slices.Sort(list)
	return list[len(list)-1], list[len(list)-2]
}

// fivesPairByDefinition returns the place in fives.net of the pair of a free square.
func fivesPairByDefinition(b threats.Board, mark []uint8, side, square int) int {
	var kind [2]int
	for k := range 2 {
		high, low := levelsByDefinition(b, mark, side^k, square)
		kind[k] = high*(high+1)/2 + low
	}
	return kind[0]*55 + kind[1]
}

// cubePairByDefinition returns the place in cube.net of the pair of a free square of a cube, by the marks in the lines
// through it.
func cubePairByDefinition(b threats.Board, mark []uint8, side, square int) int {
	var lines int
	var kind [2]lineCounts
	for _, need := range b.Need {
		if !slices.Contains(need, square) {
			continue
		}
		lines++
		var marks [3]int
		for _, s := range need {
			marks[mark[s]]++
		}
		for k := range 2 {
			switch {
			case marks[side^k^1] > 0:
			case marks[side^k] == 0:
				kind[k].four++
			case marks[side^k] == 1:
				kind[k].three++
			case marks[side^k] == 2:
				kind[k].two++
			}
		}
	}
	var number [2]int
	for k := range 2 {
		if kind[k] != (lineCounts{}) {
			kind[k].rich = slices.Index(cubeLines[:], lines)
		}
		number[k] = slices.Index(cubeKinds, kind[k])
	}
	return slices.Index(cubes.pairs, number[0]*len(cubeKinds)+number[1])
}

// estimateByDefinition is what the net of a file of so many pairs says, number by number, where pair tells the place in
// the file of a free square's pair.
func estimateByDefinition(
	file []byte, pairs int, mark []uint8, side int, pair func(side, square int) (place int),
) int {
	at := func(i int) int { return int(int16(binary.LittleEndian.Uint16(file[2*i:]))) }
	vectors := pairs
	first := vectors + pairs*netWidth
	out := first + netWidth
	onMove := out + 2*netWidth
	value := at(onMove) * netOne
	var sums [2][netWidth]int
	for view := range 2 {
		for i := range netWidth {
			sums[view][i] = at(first + i)
		}
		for s := range mark {
			if mark[s] != empty {
				continue
			}
			place := pair(side^view, s)
			if view == 0 {
				value += at(place) * netOne
			}
			for i := range netWidth {
				sums[view][i] += at(vectors + place*netWidth + i)
			}
		}
		for i, v := range sums[view] {
			value += max(0, min(v, netOne)) * at(out+view*netWidth+i)
		}
	}
	return value / (netOne * netEighth)
}

// TestNet compares estimates that are kept through random games with what the file says of the marks alone.
func TestNet(t *testing.T) {
	for _, c := range []struct {
		name  string
		board threats.Board
		file  []byte
		pairs int
		pair  func(b threats.Board, mark []uint8, side, square int) (place int)
	}{
		{"free", grid(9, 9, 5), fivesNetFile, 55 * 55, fivesPairByDefinition},
		{"exact", exactGrid(9, 9, 5), fivesNetFile, 55 * 55, fivesPairByDefinition},
		{"cube", arenas(t)["cube:4,3"], cubeNetFile, len(cubes.pairs), cubePairByDefinition},
	} {
		if c.board.Bar == nil {
			c.board.Bar = make([][]int, len(c.board.Need))
		}
		r := rand.New(rand.NewPCG(1, 7))
		x := mustSearcher(t, c.board, 1<<16, Tuning{})
		told := 0
		for range 4 {
			order := r.Perm(x.p.n)[:50]
			for i, s := range order {
				x.p.play(i&1, s)
				for side := range 2 {
					got := x.staticEstimate(side)
					want := estimateByDefinition(c.file, c.pairs, x.p.mark, side, func(side, square int) int {
						return c.pair(c.board, x.p.mark, side, square)
					})
					if want = max(-highest, min(want, highest)); got != want {
						t.Fatalf("%s after %d marks: %d to side %d, want %d", c.name, i+1, got, side, want)
					}
					if got != 0 {
						told++
					}
				}
			}
			for i, s := range slices.Backward(order) {
				x.p.undo(i&1, s)
			}
		}
		if told < 300 {
			t.Errorf("%s: only %d estimates say anything", c.name, told)
		}
	}
}

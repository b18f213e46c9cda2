package space

import (
	"cmp"
	"fmt"
	"slices"

	"oxo/board"
)

// Letters makes of the positions' texts a board for a game that has none: a square for each letter that stands at a
// place of some texts and not of all, with First's mark on it in the positions that have it there.
func (s *Space) Letters() (*board.Board, Marks, error) {
	if err := s.RequireComplete("letters"); err != nil {
		return nil, nil, fmt.Errorf("it looks at boards of up to %d squares; of others %w", board.MaxSquares, err)
	}
	type letter struct {
		place int
		rune  rune
	}
	square := map[letter]int{}
	var list []letter
	texts := make([][]rune, s.Len())
	often := map[letter]int{}
	for n := range texts {
		texts[n] = []rune(s.Format(Node(n)))
		for place, r := range texts[n] {
			often[letter{place, r}]++
		}
	}
	for l, times := range often {
		if times < len(texts) { // what stands in all tells nothing
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b letter) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.rune, b.rune))
	})
	if len(list) == 0 || len(list) > board.MaxSquares {
		return nil, nil, fmt.Errorf("its positions differ in %d letters of their texts, and nets look at 1 to %d",
			len(list), board.MaxSquares)
	}
	// Sets of the first square, the first two and so on keep every symmetry away: letters have places.
	nested := make([][]int, len(list))
	var first []int
	for i, l := range list {
		square[l], first = i, append(first, i)
		nested[i] = slices.Clone(first)
	}
	b, err := board.New(len(list), nested)
	if err != nil {
		return nil, nil, err
	}
	for i, l := range list {
		b.Names[i] = fmt.Sprintf("%q at %d", l.rune, l.place+1)
	}
	marks := make([]board.Set, len(texts))
	for n, text := range texts {
		for place, r := range text {
			if i, ok := square[letter{place, r}]; ok {
				marks[n] = marks[n].With(i)
			}
		}
	}
	return b, func(n Node) (x, o board.Set) { return marks[n], board.Set{} }, nil
}

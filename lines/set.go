package lines

// setWords is the number of words of a set.
const setWords = 7

// set is a set of squares, square i at bit i%64 of word i/64.
type set [setWords]uint64

func (s *set) add(i int)      { s[i>>6] |= 1 << (i & 63) }
func (s *set) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

// keep takes the squares that are not in t from s.
func (s *set) keep(t *set) {
	for i := range s {
		s[i] &= t[i]
	}
}

package verify_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"oxo/prove/verify"
)

// token is a position of a race as these tests play it: whether First is to move, and the squares from 1.
type token struct {
	n, x, o int
	turn    int
}

// next returns what the moves of the side to move lead to, that to the left first.
func (p token) next() (list []token) {
	for _, d := range []int{-1, 1} {
		q := p
		own, other := &q.x, p.o
		if p.turn == 1 {
			own, other = &q.o, p.x
		}
		if *own += d; *own == other {
			*own += d
		}
		if q.turn = 1 - p.turn; 1 <= *own && *own <= p.n {
			list = append(list, q)
		}
	}
	return list
}

// won returns 1 where First has won, 2 where Second has, else 0.
func (p token) won() int {
	switch {
	case p.x == p.n:
		return 1
	case p.o == 1:
		return 2
	}
	return 0
}

// places lists all positions of n squares in which play goes on, also those to which no play leads.
func places(n int) (list []token) {
	for x := 1; x < n; x++ {
		for o := 2; o <= n; o++ {
			for turn := range 2 {
				if x != o {
					list = append(list, token{n, x, o, turn})
				}
			}
		}
	}
	return list
}

// forcedWins returns within how many plies a side wins by force, for the positions where it does: it asks of every
// position again and again, one ply more each time, until nothing new comes.
func forcedWins(n, side int) map[token]int {
	plies := map[token]int{}
	all := places(n)
	for more, ply := true, 1; more || ply < 4; ply++ {
		more = false
		won := []token{}
		for _, p := range all {
			wins := func(q token) bool { _, ok := plies[q]; return q.won() == 1+side || ok }
			_, known := plies[p]
			some, every := false, true
			for _, q := range p.next() {
				some, every = some || wins(q), every && wins(q)
			}
			if !known && (p.turn == side && some || p.turn != side && every) {
				won, more = append(won, p), true
			}
		}
		for _, p := range won {
			plies[p] = ply
		}
	}
	return plies
}

// raceClaim is a strategy: where the token of seat goes in each position, and of a win the rank there.
type raceClaim struct {
	start      token
	seat       int
	wins       bool
	plies      int
	to, ranked map[token]int
}

// met lists the positions that the strategy comes to in the order in which it meets them first. Where the other side
// can win it is followed no further.
func (c *raceClaim) met() (list []token) {
	known := map[token]bool{}
	meet := func(p token) {
		if p.won() == 0 && !known[p] {
			known[p] = true
			list = append(list, p)
		}
	}
	after := func(p token) {
		for _, q := range p.next() {
			meet(q)
		}
	}
	if c.start.turn == c.seat {
		meet(c.start)
	} else {
		after(c.start)
	}
	for k := 0; k < len(list); k++ {
		if q := c.played(list[k]); q.won() == 0 {
			after(q)
		}
	}
	return list
}

// played returns what the strategy's move leads to.
func (c *raceClaim) played(p token) token {
	if p.turn = 1 - p.turn; c.seat == 0 {
		p.x = c.to[token{p.n, p.x, p.o, 0}]
	} else {
		p.o = c.to[token{p.n, p.x, p.o, 1}]
	}
	return p
}

// numbers writes the claim as a certificate has it.
func (c *raceClaim) numbers() []int {
	list := c.met()
	s := c.start
	numbers := []int{1, 'r', s.n, s.x - 1, s.o - 1, s.turn, 1, c.seat, 0}
	if c.wins {
		numbers[8] = 1
		numbers = append(numbers, c.plies)
	}
	numbers = append(numbers, len(list))
	for _, p := range list {
		if numbers = append(numbers, c.to[p]-1); c.wins {
			numbers = append(numbers, c.ranked[p])
		}
	}
	return numbers
}

// keeps reports whether the strategy wins within its plies, or never loses, by playing all games of so many plies:
// those that last longer than there are positions go in circles.
func (c *raceClaim) keeps() bool {
	most, late := c.plies, !c.wins
	if !c.wins {
		most = 2 * c.start.n * c.start.n
	}
	at := map[token]bool{c.start: true}
	for range most {
		next := map[token]bool{}
		for p := range at {
			list := p.next()
			if p.turn == c.seat {
				list = []token{c.played(p)}
			}
			for _, q := range list {
				switch q.won() {
				case 2 - c.seat:
					return false
				case 0:
					next[q] = true
				}
			}
		}
		at = next
	}
	return late || len(at) == 0
}

// rank gives each position that the strategy comes to the plies within which it ends the game from there, or where it
// never need end it the rank other.
func (c *raceClaim) rank(other int) {
	c.ranked = map[token]int{}
	list := c.met()
	for more := true; more; {
		more = false
		for _, p := range list {
			rank, q := 1, c.played(p)
			if q.won() == 0 {
				for _, r := range q.next() {
					if c.ranked[r] == 0 {
						rank = 0
						break
					}
					rank = max(rank, 2+c.ranked[r])
				}
			}
			if rank > 0 && c.ranked[p] == 0 {
				c.ranked[p], more = rank, true
			}
		}
	}
	for _, p := range list {
		if c.ranked[p] == 0 {
			c.ranked[p] = other
		}
	}
}

// raceBatch are certificates with the checker's verdicts, for the second checker.
type raceBatch struct {
	files bytes.Buffer
	want  strings.Builder
	all   [][]int
}

// ask has a certificate checked.
func (b *raceBatch) ask(t *testing.T, numbers []int) *verify.Report {
	data := repacked(t, []byte(verify.MagicRace), numbers)
	r := check(t, data)
	binary.Write(&b.files, binary.LittleEndian, uint32(len(data)))
	b.files.Write(data)
	b.all = append(b.all, numbers)
	b.want.WriteByte(map[bool]byte{true: '1', false: '0'}[r.OK])
	return r
}

// agree has the second checker look at all of the batch.
func (b *raceBatch) agree(t *testing.T) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the second checker needs node, which ./check installs")
	}
	path := filepath.Join(t.TempDir(), "batch")
	if err := os.WriteFile(path, b.files.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, secondChecker, "--batch", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.TrimSpace(string(out)), b.want.String()
	if len(got) != len(want) {
		t.Fatalf("%d verdicts of %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("this checker says %c, the other %c: %v", want[i], got[i], b.all[i])
		}
	}
	t.Logf("%d files, %d accepted", len(got), strings.Count(got, "1"))
}

// TestRaceStrategiesSequential asks about every strategy of the row of three and of four squares, and about some of the
// rows of five and six, from every position: what is accepted is just what keeps its claim in every game. A strategy
// that goes in circles is refused as a win whatever its ranks are, and accepted as one that does not lose.
func TestRaceStrategiesSequential(t *testing.T) {
	t.Parallel()
	var b raceBatch
	r := rand.New(rand.NewPCG(8, 1))
	circles, accepted := 0, 0
	for n := 3; n <= 6; n++ {
		for seat := range 2 {
			var own []token
			for _, p := range places(n) {
				if p.turn == seat {
					own = append(own, p)
				}
			}
			many := min(1<<len(own), 256)
			for k := range many {
				choice := uint64(k)
				if many < 1<<len(own) {
					choice = r.Uint64()
				}
				c := raceClaim{seat: seat, to: map[token]int{}}
				for i, p := range own {
					next := p.next()
					q := next[int(choice>>i&1)%len(next)]
					c.to[p] = []int{q.x, q.o}[seat]
				}
				for _, c.start = range places(n) {
					if n > 4 && r.IntN(8) > 0 {
						continue
					}
					c.wins = false
					holds := c.keeps()
					if got := b.ask(t, c.numbers()); got.OK != holds {
						t.Fatalf("%+v: %v, %s", c, got.OK, got.Reason)
					}
					c.wins, c.plies = true, 2*n*n-1
					wins := c.keeps()
					if holds && !wins {
						circles++
					}
					for _, other := range []int{1, 2, 7, 2*n*n - 1} {
						c.rank(other)
						if got := b.ask(t, c.numbers()); got.OK != wins {
							t.Fatalf("ranks %d, %+v: %v, %s", other, c, got.OK, got.Reason)
						}
					}
					if wins {
						accepted++
						for c.plies = 0; !c.keeps(); c.plies++ {
							if b.ask(t, c.numbers()).OK {
								t.Fatalf("a win within %d plies is believed of %+v", c.plies, c)
							}
						}
						if got := b.ask(t, c.numbers()); !got.OK || !strings.HasSuffix(got.Claim,
							fmt.Sprintf("wins within %d plies", c.plies)) {
							t.Fatalf("%+v: %s, %s", c, got.Claim, got.Reason)
						}
					}
				}
			}
		}
	}
	if circles < 20 || accepted < 100 {
		t.Errorf("%d strategies go in circles without losing, %d win", circles, accepted)
	}
	b.agree(t)
}

// bestRaceClaim is the strategy of the side that wins, by moves that win as soon as any; ok is false where none does.
func bestRaceClaim(start token, of [2]map[token]int) (c raceClaim, ok bool) {
	for seat, plies := range of {
		if _, wins := plies[start]; !wins {
			continue
		}
		c = raceClaim{start: start, seat: seat, wins: true, plies: plies[start], to: map[token]int{}}
		for p, left := range plies {
			for _, q := range p.next() {
				if p.turn == seat && (q.won() == 1+seat || left > 1 && plies[q] == left-1) {
					c.to[p] = []int{q.x, q.o}[seat]
				}
			}
		}
		c.rank(0)
		return c, true
	}
	return c, false
}

// isTrueOfRace fails the test where what was accepted is not so of the race and the position in the file.
func isTrueOfRace(t testing.TB, r *verify.Report, numbers []int, of map[int][2]map[token]int) {
	t.Helper()
	g := r.Game.Race
	won, ok := of[g.Squares]
	if !ok {
		won = [2]map[token]int{forcedWins(g.Squares, 0), forcedWins(g.Squares, 1)}
		of[g.Squares] = won
	}
	at := token{g.Squares, g.Tokens[0] + 1, g.Tokens[1] + 1, g.Turn}
	for claim := range strings.SplitSeq(r.Claim, ", ") {
		seat, plies := 0, 0
		if strings.HasPrefix(claim, "second") {
			seat = 1
		}
		least, wins := won[seat][at]
		_, loses := won[1-seat][at]
		_, text, within := strings.Cut(claim, " wins within ")
		if within {
			fmt.Sscanf(text, "%d", &plies)
		}
		if within && (!wins || least > plies) || !within && loses {
			t.Fatalf("%q was accepted of %+v: %v", claim, at, numbers)
		}
	}
}

// TestRaceForgedSequential changes each number of the certificates of all positions of small races, as the squares, the
// side to move, the claim, each move and each rank, to others. What is still accepted is true, and the second checker
// agrees.
func TestRaceForgedSequential(t *testing.T) {
	t.Parallel()
	of := map[int][2]map[token]int{}
	var b raceBatch
	r := rand.New(rand.NewPCG(8, 2))
	for n := 3; n <= 8; n++ {
		of[n] = [2]map[token]int{forcedWins(n, 0), forcedWins(n, 1)}
		for _, start := range places(n) {
			c, ok := bestRaceClaim(start, of[n])
			if !ok {
				t.Fatalf("nobody wins %+v", start)
			}
			numbers := c.numbers()
			got := b.ask(t, numbers)
			if !got.OK || got.Value != []string{"first", "second"}[c.seat] {
				t.Fatalf("%+v: %s", start, got.Reason)
			}
			isTrueOfRace(t, got, numbers, of)
			for i := 2; i < len(numbers); i++ {
				for _, by := range []int{-2, -1, 1, 2, r.IntN(2 * n * n)} {
					bent := append([]int(nil), numbers...)
					if bent[i] = max(0, bent[i]+by); n > 6 && r.IntN(20) > 0 {
						continue
					}
					if got := b.ask(t, bent); got.OK {
						isTrueOfRace(t, got, bent, of)
					}
				}
			}
		}
	}
	b.agree(t)
}

// TestRaceAllChangedSequential changes each byte of a file, and cuts it at each: none of that is a certificate any
// more, and it is said how far it can be followed.
func TestRaceAllChangedSequential(t *testing.T) {
	c, _ := bestRaceClaim(token{9, 1, 9, 0}, [2]map[token]int{forcedWins(9, 0), forcedWins(9, 1)})
	data := repacked(t, []byte(verify.MagicRace), c.numbers())
	last := 0
	for at := range data {
		for _, by := range []byte{1, 0x80, 0xff} {
			bad := bytes.Clone(data)
			if bad[at] ^= by; at == len(verify.MagicRace)-2 && bad[at] >= '1' && bad[at] <= '5' {
				continue // of another format
			}
			if r := check(t, bad); r.OK || !r.Unreadable {
				t.Fatalf("byte %d: %+v", at, r)
			}
		}
		r := check(t, data[:at])
		if r.OK || !r.Unreadable || r.Nodes < last {
			t.Fatalf("%d bytes: %+v", at, r)
		}
		if last = r.Nodes; at > len(verify.MagicRace)+32 && !strings.Contains(r.Reason, "last good position") {
			t.Errorf("%d bytes: %s", at, r.Reason)
		}
	}
	if last < len(c.met())-1 {
		t.Errorf("of %d positions the last good one of the longest piece is number %d", len(c.met()), last)
	}
}

// TestRaceNumbers refuses what is no position of a race, and what does not belong into a file.
func TestRaceNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		numbers []int
		reason  string
	}{
		"nothing":             {nil, "ends where a number belongs"},
		"two squares":         {[]int{0, 2, 0, 1, 0, 1, 0, 0, 0}, "a row of 2 squares"},
		"off the row":         {[]int{0, 4, 4, 3, 0}, "the number 4 where one below 4 belongs"},
		"one square for both": {[]int{0, 4, 2, 2, 0, 1, 0, 0, 0}, "both tokens are on one square"},
		"First has won":       {[]int{0, 4, 3, 2, 1, 1, 0, 0, 0}, "the game is over at the start"},
		"Second has won":      {[]int{0, 4, 1, 0, 0, 1, 0, 0, 0}, "the game is over at the start"},
		"no claim":            {[]int{0, 4, 0, 3, 0, 0}, "the file claims nothing"},
		"three claims":        {[]int{0, 4, 0, 3, 0, 3}, "the number 3 where one below 3 belongs"},
		"no move":             {[]int{0, 4, 0, 3, 0, 1, 0, 0, 0}, "there is no move left for it"},
		"a move to nowhere":   {[]int{0, 4, 0, 3, 0, 1, 0, 0, 1, 3}, "the move to square 4 is not legal"},
		"no ply":              {[]int{0, 4, 0, 3, 0, 1, 0, 1, 0, 1, 1, 1}, "no rank is left"},
		"rank 0":              {[]int{0, 4, 0, 3, 0, 1, 0, 1, 3, 1, 1, 0}, "its rank is 0, and has to be from 1 to 3"},
		"too high a rank":     {[]int{0, 4, 0, 3, 0, 1, 0, 1, 3, 1, 1, 4}, "its rank is 4, and has to be from 1 to 3"},
		"a rank that stays": {[]int{0, 4, 0, 3, 0, 1, 0, 1, 3, 2, 1, 3, 3, 3},
			"its rank is 3, and has to be from 1 to 1"},
		"more than is claimed": {[]int{0, 4, 0, 3, 0, 1, 0, 1, 3, 2, 1, 3, 3, 1, 7}, "more in the file"},
		"more moves": {[]int{0, 4, 0, 3, 0, 1, 0, 1, 3, 3, 1, 3, 3, 1, 1, 1},
			"2 positions, where it says it has 3"},
		"the other side wins": {[]int{0, 4, 0, 3, 0, 1, 1, 0, 2, 2, 2}, "the reply to square 4 wins"},
	} {
		r := check(t, repacked(t, []byte(verify.MagicRace), c.numbers))
		if r.OK || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("%s: %v, %s", name, r.OK, r.Reason)
		}
	}
	whole := []int{0, 4, 0, 3, 0, 1, 0, 1, 3, 2, 1, 3, 3, 1}
	if r := check(t, repacked(t, []byte(verify.MagicRace), whole)); !r.OK || r.Value != "first" || r.Nodes != 2 {
		t.Errorf("%+v", r)
	}
}

// TestRaceQuestionsSequential asks a certificate what it shows, and of what.
func TestRaceQuestionsSequential(t *testing.T) {
	row := func(n, x, o, turn int) *verify.Setup {
		return &verify.Setup{Race: &verify.Race{Squares: n, Tokens: [2]int{x - 1, o - 1}, Turn: turn}}
	}
	data := repacked(t, []byte(verify.MagicRace), []int{0, 4, 0, 3, 0, 1, 0, 1, 3, 2, 1, 3, 3, 1})
	ask := func(q verify.Question) *verify.Report {
		r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), q, verify.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for claim, want := range map[string]bool{"first": true, "first<=3": true, "first<=2": false, "first<=9": true,
		"not-lose:first": true, "second>5": true, "second": false, "draw": false, "not-lose:second": false,
		"first>2": false} {
		c, err := verify.ParseClaim(claim)
		if err != nil {
			t.Fatal(err)
		}
		if r := ask(verify.Question{Game: row(4, 1, 4, 0), Claim: c}); r.OK != want {
			t.Errorf("%s: %v, %s", claim, r.OK, r.Reason)
		}
	}
	for reason, g := range map[string]*verify.Setup{
		"its row has 4 squares, and the one that is asked for 5":                        row(5, 1, 4, 0),
		"the tokens are on squares 1 and 4, and not on 1 and 3":                         row(4, 1, 3, 0),
		"in which the first side is to move, and not the second":                        row(4, 1, 4, 1),
		"its game is a race, and the one that is asked for is one of nine boards":       {Nine: &verify.Nine{}},
		"its game is a race, and the one that is asked for is one of squares and winni": {},
	} {
		if r := ask(verify.Question{Game: g}); r.OK || !strings.Contains(r.Reason, reason) {
			t.Errorf("%v, %s, not %s", r.OK, r.Reason, reason)
		}
	}
	if r := ask(verify.Question{Game: row(4, 2, 3, 1), Anywhere: true}); !r.OK {
		t.Error(r.Reason)
	}
	if r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), verify.Question{},
		verify.Limits{Nodes: 1}); err != nil || r.OK || !r.Limited {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), verify.Question{},
		verify.Limits{Memory: 800}); err != nil || r.OK || !r.Limited {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)),
		verify.Question{Part: 1, Parts: 2}, verify.Limits{}); err == nil {
		t.Error("it is checked in parts")
	}
}

// FuzzRace reads whatever: what is accepted is true.
func FuzzRace(f *testing.F) {
	f.Add(encode([]int{0, 4, 0, 3, 0, 1, 0, 1, 3, 2, 1, 3, 3, 1}))
	f.Add(encode([]int{0, 3, 0, 2, 0, 1, 1, 0, 1, 0}))
	of := map[int][2]map[token]int{}
	f.Fuzz(func(t *testing.T, content []byte) {
		numbers := []int{}
		for rest := content; len(rest) > 0; {
			x, n := binary.Uvarint(rest)
			if n <= 0 {
				return
			}
			numbers, rest = append(numbers, int(x&0xffff_ffff)), rest[n:]
		}
		r := check(t, repackedBytes(t, []byte(verify.MagicRace), content))
		if r.OK && r.Game.Race.Squares <= 12 {
			isTrueOfRace(t, r, numbers, of)
		}
	})
}

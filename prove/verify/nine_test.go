package verify

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/games/ultimate"
)

// startNine returns the start of a game of nine boards.
func startNine(goal int, open bool) *Nine {
	n := &Nine{Goal: goal, Open: open}
	if goal == goalMost {
		n.Active = 5
	}
	return n
}

// TestNineRulesSequential plays random games by the checker's rules and by the game's side by side.
func TestNineRulesSequential(t *testing.T) {
	for _, game := range []struct {
		g     *oxo.Game[ultimate.Pos]
		start *Nine
	}{
		{ultimate.New(0), startNine(goalRow, false)},
		{ultimate.New(ultimate.Open), startNine(goalRow, true)},
		{ultimate.New(ultimate.Most), startNine(goalRowMost, false)},
		{ultimate.New(ultimate.Most | ultimate.Open), startNine(goalRowMost, true)},
		{meta.New(), startNine(goalMost, false)},
	} {
		r := rand.New(rand.NewPCG(7, 7))
		for range 300 {
			p, n := game.g.Start, *game.start
			for outcome := 0; p.Outcome() == oxo.Ongoing; {
				moves := p.Moves(nil)
				sameMoves(t, game.g, p, &n, moves)
				sq := int(moves[r.IntN(len(moves))])
				p = p.Play(oxo.Move(sq))
				if n, outcome = n.play(sq); outcome != int(p.Outcome()) {
					t.Fatalf("%s, %s: outcome %d", game.g.Spec, game.g.Format(p), outcome)
				}
			}
		}
	}
}

func sameMoves(t *testing.T, g *oxo.Game[ultimate.Pos], p ultimate.Pos, n *Nine, moves []oxo.Move) {
	t.Helper()
	legal := 0
	for sq := range n.Marks {
		if n.legal(sq) {
			legal++
		}
	}
	for _, m := range moves {
		if !n.legal(int(m)) {
			legal = -1
		}
	}
	if legal != len(moves) || n.Turn != int(p.Turn()) || n.checkPossible() != nil {
		t.Fatalf("%s, %s: other moves", g.Spec, g.Format(p))
	}
	f := n.canonicalForm()
	if back := n.position(f, n.Turn); back.canonicalForm() != f ||
		(nineGame{&back}).maxPlies() != (nineGame{n}).maxPlies() {
		t.Fatalf("%s, %s: a form that is none", g.Spec, g.Format(p))
	}
	for seat := range 2 {
		want := min(g.MinMovesToWin(p, oxo.Seat(seat)), unreachable)
		if n.Goal == goalRow && min(n.marksNeededToWin(uint8(1+seat)), unreachable) != want {
			t.Fatalf("%s, %s: %d needs %d, not %d", g.Spec, g.Format(p), seat, n.marksNeededToWin(uint8(1+seat)), want)
		}
	}
}

// TestNineForm compares the form with the least of all eight written out, and wants the same of
// positions that a symmetry carries to each other.
func TestNineForm(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		n := *startNine(goalRow, true)
		for range r.IntN(60) {
			var legal []int
			for sq := range n.Marks {
				if n.legal(sq) {
					legal = append(legal, sq)
				}
			}
			next, outcome := n.play(legal[r.IntN(len(legal))])
			if outcome != 0 {
				break
			}
			n = next
		}
		least := form{^uint64(0)}
		for s := range turns {
			image := Nine{Open: true, Turn: n.Turn}
			for sq, mark := range n.Marks {
				image.Marks[9*turns[s][sq/9]+turns[s][sq%9]] = mark
			}
			for b, owner := range n.Owner {
				image.Owner[turns[s][b]] = owner
			}
			image.Active = n.activePlus1(s)
			if image.canonicalForm() != n.canonicalForm() {
				t.Fatal("an image has another form")
			}
			if f := plainForm(&image); (nineGame{}).compareForms(f, least) < 0 {
				least = f
			}
		}
		if least != n.canonicalForm() {
			t.Fatal("the form is not the least")
		}
	}
}

// plainForm writes a position as it stands.
func plainForm(n *Nine) (f form) {
	place := 0
	put := func(who uint8) {
		f[place/31] |= uint64(who) << (62 - 2*(place%31))
		place++
	}
	for _, mark := range n.Marks {
		put(mark)
	}
	for _, owner := range n.Owner {
		put(owner)
	}
	f[2] |= uint64(n.Active)
	return f
}

// certificateOfNine is the one of ultimate+open that the program carries.
func certificateOfNine(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile("../../lab/internal/opened/proofs/ultimate-open.proof")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func checkNine(t testing.TB, data []byte, q Question) *Report {
	t.Helper()
	return CheckBySome(t, data, q, Limits{Memory: 64 << 20})
}

func asking(t testing.TB, n *Nine, claim string) Question {
	t.Helper()
	c, err := ParseClaim(claim)
	if err != nil {
		t.Fatal(err)
	}
	return Question{Game: &Setup{Nine: n}, Claim: c}
}

// unpackNine returns the numbers of a certificate, as bytes, and packNine makes one of them.
func unpackNine(t testing.TB, data []byte) []byte {
	t.Helper()
	var body bytes.Buffer
	packed := data[len(MagicNine) : len(data)-sha256.Size]
	if _, err := body.ReadFrom(flate.NewReader(bytes.NewReader(packed))); err != nil {
		t.Fatal(err)
	}
	return body.Bytes()
}

func packNine(body []byte) []byte {
	var out bytes.Buffer
	out.WriteString(MagicNine)
	w, _ := flate.NewWriter(&out, flate.BestSpeed)
	w.Write(body)
	w.Close()
	sum := sha256.Sum256(out.Bytes())
	return append(out.Bytes(), sum[:]...)
}

// TestNineClaimsSequential asks what the certificate of ultimate+open shows and what it does not.
func TestNineClaimsSequential(t *testing.T) {
	data := certificateOfNine(t)
	open := startNine(goalRow, true)
	for claim, want := range map[string]bool{"first": true, "first<=43": true, "first<=50": true,
		"not-lose:first": true, "second>81": true, "second>3": true, "first<=42": false, "second": false,
		"draw": false, "not-lose:second": false, "first>27": false, "first>42": false, "second<=43": false} {
		if r := checkNine(t, data, asking(t, open, claim)); r.OK != want {
			t.Errorf("%s: %v, %s", claim, r.OK, r.Reason)
		}
	}
	elsewhere, _ := open.play(40)
	for _, other := range []*Nine{startNine(goalRow, false), startNine(goalRowMost, true), startNine(goalMost, false),
		&elsewhere} {
		if r := checkNine(t, data, asking(t, other, "first")); r.OK {
			t.Errorf("it is believed about %+v", other)
		}
	}
	if r := checkNine(t, data, Question{Game: &Setup{}, Claim: asking(t, open, "first").Claim}); r.OK {
		t.Error("it is believed about a game that is none of nine boards")
	}
}

// TestNineForgedSequential changes numbers of the certificate. What is still accepted claims nothing that is
// known to be false of ultimate+open: First wins within 43 plies, and not within 27.
func TestNineForgedSequential(t *testing.T) {
	t.Parallel()
	body := unpackNine(t, certificateOfNine(t))
	open := startNine(goalRow, true)
	r := rand.New(rand.NewPCG(11, 12))
	step := 29
	if testing.Short() {
		step = 199
	}
	tried := 0
	for at := range body {
		if at > 200 && at%step != 0 {
			continue
		}
		for _, to := range []byte{body[at] + 1, body[at] ^ 1, byte(r.IntN(81))} {
			if to == body[at] {
				continue
			}
			tried++
			forged := bytes.Clone(body)
			forged[at] = to
			file := packNine(forged)
			got := checkNine(t, file, Question{Game: &Setup{Nine: open}})
			if got.OK && (got.wins[1] || got.holds[1] || got.safe[1] >= 43 || got.wins[0] && got.plies[0] <= 27) {
				t.Fatalf("number %d changed to %d: %s is believed", at, to, got.Claim)
			}
		}
	}
	if tried < 300 {
		t.Errorf("only %d forgeries", tried)
	}
}

// TestNineCutSequential cuts the certificate short: the answer says how far it could be followed.
func TestNineCutSequential(t *testing.T) {
	data := certificateOfNine(t)
	last := 0
	for size := len(MagicNine); size < len(data); size += 1 + len(data)/40 {
		r := checkNine(t, data[:size], Question{})
		if r.OK || !r.Unreadable || r.Nodes < last {
			t.Fatalf("%d bytes: %+v", size, r)
		}
		last = r.Nodes
		if !strings.Contains(r.Reason, "last good position") {
			t.Errorf("%d bytes: %s", size, r.Reason)
		}
	}
	if last < 4000 {
		t.Errorf("the last good position of the longest piece is number %d", last)
	}
}

// TestNineNumbers refuses numbers that don't belong, and what follows the last claim.
func TestNineNumbers(t *testing.T) {
	start := append([]byte{0, 0, 1}, make([]byte, 92)...)
	for name, body := range map[string][]byte{
		"empty":          {},
		"a goal of 3":    {0, 3},
		"a mark of 3":    append([]byte{0, 0, 1}, 3),
		"no claims":      append(bytes.Clone(start), 0),
		"no moves":       append(bytes.Clone(start), 1, 0, 1, 43, 0),
		"too few plies":  append(bytes.Clone(start), 1, 0, 1, 1, 1, 40),
		"far too many":   binary.AppendUvarint(append(bytes.Clone(start), 1, 0, 1, 43), 1<<30),
		"more than said": append(bytes.Clone(start), 1, 1, 0, 1, 0, 7),
	} {
		if r := checkNine(t, packNine(body), Question{}); r.OK {
			t.Errorf("%s: it holds", name)
		}
	}
	// What could not be read is not said.
	if r := checkNine(t, packNine(append(bytes.Clone(start), 1, 3)), Question{}); !strings.HasPrefix(r.Reason,
		"what is claimed: the number 3 where one below 2 belongs") {
		t.Errorf("a claim of side 3: %s", r.Reason)
	}
	// With the second side's strategy of no plies there is nothing to show but that.
	if r := checkNine(t, packNine(append(start, 1, 1, 0, 1, 0)), Question{}); !r.OK || r.Value != "unknown" {
		t.Errorf("no win within one ply: %+v", r)
	}
}

// FuzzNine reads whatever: nothing is shown of the start of ultimate+open but that First wins.
func FuzzNine(f *testing.F) {
	body := unpackNine(f, certificateOfNine(f))
	f.Add(body)
	f.Add(body[:len(body)/2])
	f.Fuzz(func(t *testing.T, body []byte) {
		q := asking(t, startNine(goalRow, true), "not-lose:second")
		if r := checkNine(t, packNine(body), q); r.OK {
			t.Errorf("%+v", r)
		}
	})
}

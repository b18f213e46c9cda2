//go:build soak

package nine_test

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/games/ultimate"
	"oxo/lab/internal/nine"
	"oxo/prove/certificate"
	"oxo/prove/moves"
	"oxo/prove/verify"
)

// endings are how many positions TestForgedEndings makes certificates of in each game, and forgeries how many
// files it makes of each certificate.
var endings, forgeries = 12, 1500

// exact returns what p is worth to the side to move and in how many plies it ends, by looking at everything.
func exact(p ultimate.Pos, known map[ultimate.Pos][2]int) (value, plies int) {
	if out := p.Outcome(); out != oxo.Ongoing {
		return int(out.Value(p.Turn())), 0
	}
	if v, ok := known[p]; ok {
		return v[0], v[1]
	}
	value = -2
	for _, m := range p.Moves(nil) {
		v, n := exact(p.Play(m), known)
		v, n = -v, n+1
		if v > value || v == value && (v > 0 && n < plies || v <= 0 && n > plies) {
			value, plies = v, n
		}
	}
	known[p] = [2]int{value, plies}
	return value, plies
}

// TestForgedEndings makes certificates of what is true of random endings, and changes their moves and claims:
// what the checker still believes is true.
func TestForgedEndings(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	asked, believed := 0, 0
	for _, g := range []*oxo.Game[ultimate.Pos]{ultimate.New(0), ultimate.New(ultimate.Open),
		ultimate.New(ultimate.Most), ultimate.New(ultimate.Most | ultimate.Open), meta.New()} {
		of := nine.NewProvableGame(g)
		for made := 0; made < endings; {
			p := g.Start
			for range 50 + r.IntN(25) {
				if list := p.Moves(nil); p.Outcome() == oxo.Ongoing {
					p = p.Play(list[r.IntN(len(list))])
				}
			}
			if p.Outcome() != oxo.Ongoing || g.Perft(p, 3) > 40 {
				continue
			}
			made++
			value, plies := exact(p, map[ultimate.Pos][2]int{})
			found, err := moves.Prove(t.Context(), of, p, nil, moves.Budget{Memory: 1 << 20})
			if err != nil || len(found.Claims) == 0 {
				t.Fatal(err, found)
			}
			for _, c := range found.Claims {
				h := headOf(t, p, g.Spec, c)
				for k := range forgeries {
					q, list := c.Question, bytes.Clone(h.moves)
					if k > 0 {
						bend(&q, list, r)
					}
					file := h.file(q, list)
					asked++
					if ok := check(t, file); !ok {
						if k == 0 {
							t.Fatalf("%s, %s: %v is refused", g.Spec, g.Format(p), q)
						}
						continue
					}
					believed++
					winner := p.Turn()
					if value < 0 {
						winner = winner.Other()
					}
					if inTime := value != 0 && plies <= q.Plies; q.Wins && !(inTime && winner == q.Seat) ||
						!q.Wins && inTime && winner != q.Seat {
						t.Fatalf("%s, %s: %v is believed", g.Spec, g.Format(p), q)
					}
				}
			}
		}
	}
	t.Logf("%d files, %d of them believed", asked, believed)
	if asked < 1000 || believed < asked/10 {
		t.Errorf("%d files, %d believed", asked, believed)
	}
}

// bend changes moves of a strategy, or what it is said to show.
func bend(q *moves.Question, list []uint8, r *rand.Rand) {
	for range 1 + r.IntN(2) {
		if k := r.IntN(len(list) + 1); k < len(list) {
			list[k] = list[r.IntN(len(list))]
		}
	}
	switch r.IntN(4) {
	case 0:
		q.Plies = max(1, min(81, q.Plies+r.IntN(7)-3))
	case 1:
		q.Seat = q.Seat.Other()
	case 2:
		q.Wins = !q.Wins
	}
}

func check(t *testing.T, file []byte) bool {
	t.Helper()
	r, err := verify.Check(t.Context(), bytes.NewReader(file), int64(len(file)), verify.Question{}, verify.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return r.OK
}

// head is a certificate up to its claim.
type head struct {
	body   []byte
	moves  []uint8 // of the claim
	packer *flate.Writer
}

// claimed writes a claim as certificates have it.
func claimed(q moves.Question, list []uint8) []byte {
	wins := byte(0)
	if q.Wins {
		wins = 1
	}
	out := binary.AppendUvarint([]byte{1, byte(q.Seat), wins, byte(q.Plies)}, uint64(len(list)))
	return append(out, list...)
}

// headOf writes the certificate of a claim about p and takes it apart.
func headOf(t *testing.T, p ultimate.Pos, spec string, c moves.Claim) *head {
	t.Helper()
	proof := &certificate.Proof{Game: certificate.Setup{Spec: spec, Nine: nine.CertificatePosition(p), Turn: p.Turn()},
		Claims: []certificate.Claim{{Seat: c.Seat, Wins: c.Wins, Plies: c.Plies, Moves: c.Moves}}}
	var file bytes.Buffer
	if _, err := proof.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	packed := file.Bytes()[len(verify.MagicNine) : file.Len()-sha256.Size]
	body, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	body, ok := bytes.CutSuffix(body, claimed(c.Question, c.Moves))
	packer, err := flate.NewWriter(nil, flate.NoCompression)
	if !ok || err != nil {
		t.Fatal("a claim is written otherwise", err)
	}
	return &head{body, c.Moves, packer}
}

// file is the certificate with that claim.
func (h *head) file(q moves.Question, list []uint8) []byte {
	var out bytes.Buffer
	out.WriteString(verify.MagicNine)
	h.packer.Reset(&out)
	h.packer.Write(h.body)
	h.packer.Write(claimed(q, list))
	h.packer.Close()
	sum := sha256.Sum256(out.Bytes())
	return append(out.Bytes(), sum[:]...)
}

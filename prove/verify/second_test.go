package verify_test

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"oxo/board"
	"oxo/prove/verify"
)

// secondChecker is a checker in another language that was written from the
// specification alone.
const secondChecker = "../../examples/checker/checker.mjs"

// packers are used again: one is made of a megabyte.
var packers = sync.Pool{New: func() any {
	packer, err := flate.NewWriter(nil, flate.HuffmanOnly)
	if err != nil {
		panic(err)
	}
	return packer
}}

// packed makes a certificate of what is to be packed in it.
func packed(t *testing.T, shared bool, content []byte) []byte {
	t.Helper()
	b := bytes.NewBufferString(verify.Magic)
	if shared {
		b = bytes.NewBufferString(verify.MagicShared)
	}
	packer := packers.Get().(*flate.Writer)
	defer packers.Put(packer)
	packer.Reset(b)
	packer.Write(content)
	packer.Close()
	digest := sha256.Sum256(b.Bytes())
	b.Write(digest[:])
	return b.Bytes()
}

// numbersOf unpacks a certificate.
func numbersOf(t *testing.T, s seed) []int {
	t.Helper()
	content := unpacked(t, file(t, proven(t, s)))
	var numbers []int
	for len(content) > 0 {
		x, n := binary.Uvarint(content)
		numbers, content = append(numbers, int(x)), content[n:]
	}
	return numbers
}

// TestSecondCheckerSequential has two checkers that share nothing look at 100,000 files:
// those of the adversary, and proofs of known games with some numbers changed. They agree
// on every file.
func TestSecondCheckerSequential(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the second checker needs node, which ./check installs")
	}
	const many = 100_000
	var batch bytes.Buffer
	var want strings.Builder
	files := 0
	add := func(shared bool, content []byte) {
		if files == many {
			return
		}
		files++
		data := packed(t, shared, content)
		binary.Write(&batch, binary.LittleEndian, uint32(len(data)))
		batch.Write(data)
		if sound(t, data).OK {
			want.WriteByte('1')
		} else {
			want.WriteByte('0')
		}
	}
	a := newAdversary(3)
	a.seen = func(numbers []int) { add(a.shared, encode(numbers)) }
	a.run(t, many*6/10)
	r := rand.New(rand.NewPCG(4, 5))
	var proofs [][]int
	for _, s := range seeds {
		proofs = append(proofs, numbersOf(t, s))
	}
	for files < many {
		k := r.IntN(len(seeds))
		bent := append([]int(nil), proofs[k]...)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(bent))
			bent[i] = max(0, bent[i]+r.IntN(7)-3)
		}
		add(seeds[k].rules.Place != board.Own, encode(bent))
	}
	path := filepath.Join(t.TempDir(), "batch")
	if err := os.WriteFile(path, batch.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, secondChecker, "--batch", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.TrimSpace(string(out))
	if len(got) != many {
		t.Fatalf("%d verdicts of %d", len(got), many)
	}
	different := 0
	for i, data := 0, batch.Bytes(); i < many; i++ {
		size := binary.LittleEndian.Uint32(data)
		if got[i] != want.String()[i] {
			if different++; different < 5 {
				r := check(t, data[4:4+size])
				t.Errorf("file %d: this checker says %c (%s), the other %c: %v", i, want.String()[i], r.Reason, got[i],
					unpacked(t, data[4:4+size]))
			}
		}
		data = data[4+size:]
	}
	accepted := strings.Count(got, "1")
	t.Logf("%d files, %d accepted, %d different", many, accepted, different)
	if different > 0 || accepted < 5000 {
		t.Errorf("%d verdicts differ, %d files are accepted by the second checker", different, accepted)
	}
}

// unpacked returns what is packed in a certificate.
func unpacked(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := b.ReadFrom(flate.NewReader(
		bytes.NewReader(data[len(verify.Magic) : len(data)-sha256.Size]))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLargeSetsSequential: winning sets count for what they take in memory, and permutations for
// their squares.
func TestLargeSetsSequential(t *testing.T) {
	const squares, sets = 256, 3000
	numbers := []int{0, squares, sets}
	for k := range sets {
		var need []int
		for sq := range squares {
			if sq >= 12 || k>>sq&1 == 0 {
				need = append(need, sq)
			}
		}
		numbers = list(list(numbers, need), nil)
	}
	numbers = append(numbers, 0, 1, 1, 1, 2, 3, 0, 0, 0)
	for _, c := range []struct {
		perms  int
		limits verify.Limits
		reason string
	}{{0, verify.Limits{Memory: 64 << 20}, "too much memory"}, {500_000, verify.Limits{}, "500000 permutations"},
		{0, verify.Limits{}, ""}} {
		content := encode(append(slices.Clone(numbers), c.perms))
		if c.perms == 0 {
			content = append(content, encode([]int{1, 0, 0, 1, 0, 0})...) // by strategy stealing
		}
		data := packed(t, false, content)
		r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), verify.Question{}, c.limits)
		if err != nil || r.OK != (c.reason == "") || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("%d permutations, %+v: %v, %q, %v", c.perms, c.limits, r.OK, r.Reason, err)
		}
	}
}

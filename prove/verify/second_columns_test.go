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
	"testing"

	"oxo/prove/verify"
)

// repacked makes a certificate of numbers, with the first line that it has.
func repacked(t testing.TB, line []byte, numbers []int) []byte {
	t.Helper()
	return repackedBytes(t, line, encode(numbers))
}

// repackedBytes makes a certificate of what is to be packed in it.
func repackedBytes(t testing.TB, line, content []byte) []byte {
	t.Helper()
	b := bytes.NewBuffer(slices.Clone(line))
	packer, err := flate.NewWriter(b, flate.HuffmanOnly)
	if err != nil {
		t.Fatal(err)
	}
	packer.Write(content)
	packer.Close()
	digest := sha256.Sum256(b.Bytes())
	b.Write(digest[:])
	return b.Bytes()
}

// claimsAt finds in the numbers of a certificate of format 3 or 4 where its claims begin, which is where
// they are read up to the end: how many, and of each the seat, wins, plies and a list of moves.
func claimsAt(t *testing.T, numbers []int) int {
	t.Helper()
	for i, many := range numbers {
		at := i + 1
		for left := many; left > 0 && at+3 < len(numbers) && numbers[at] < 2 && numbers[at+1] < 2; left-- {
			at += 4 + numbers[at+3]
		}
		if 0 < many && many < 3 && at == len(numbers) {
			return i
		}
	}
	t.Fatal("no claims were found")
	return 0
}

// forgeries calls add with copies of a certificate's numbers in which something is changed.
func forgeries(t *testing.T, numbers []int, random int, add func(numbers []int)) {
	claims := claimsAt(t, numbers)
	change := func(i, to int) {
		bent := slices.Clone(numbers)
		bent[i] = max(0, to)
		add(bent)
	}
	seat, wins, plies, moves := claims+1, claims+2, claims+3, claims+5
	change(seat, 1-numbers[seat])
	change(wins, 1-numbers[wins])
	for _, by := range []int{-2, -1, 1} {
		change(plies, numbers[plies]+by)
		change(plies+1, numbers[plies+1]+by)
	}
	r := rand.New(rand.NewPCG(6, uint64(len(numbers))))
	for range random {
		change(moves+r.IntN(len(numbers)-moves), numbers[moves+r.IntN(len(numbers)-moves)])
		i := r.IntN(moves)
		change(i, numbers[i]+r.IntN(5)-2)
	}
}

// TestSecondCheckerLevelsSequential has two checkers that share nothing look at certificates of nine boards and
// of columns, and at copies in which the claim, a move or the game is changed. They agree on every one.
func TestSecondCheckerLevelsSequential(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the second checker needs node, which ./check installs")
	}
	paths, err := filepath.Glob("testdata/columns/*.proof")
	if err != nil || len(paths) < 6 {
		t.Fatal(paths, err)
	}
	var batch bytes.Buffer
	var want strings.Builder
	var of []string
	for _, path := range append(paths, "../../lab/internal/opened/proofs/ultimate-open.proof") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []int
		for content := unpacked(t, data); len(content) > 0; {
			x, n := binary.Uvarint(content)
			numbers, content = append(numbers, int(x)), content[n:]
		}
		line := data[:len(verify.MagicColumns)]
		add := func(numbers []int) {
			data := repacked(t, line, numbers)
			binary.Write(&batch, binary.LittleEndian, uint32(len(data)))
			batch.Write(data)
			of = append(of, path)
			if check(t, data).OK {
				want.WriteByte('1')
			} else {
				want.WriteByte('0')
			}
		}
		add(numbers)
		random := 40
		if string(line) == verify.MagicNine {
			random = 6
		}
		forgeries(t, numbers, random, add)
		if verdicts := want.String()[want.Len()-9-2*random:]; verdicts[0] != '1' || verdicts[1] != '0' {
			t.Errorf("%s: %s", path, verdicts)
		}
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
	if len(got) != want.Len() {
		t.Fatalf("%d verdicts of %d", len(got), want.Len())
	}
	for i := range got {
		if got[i] != want.String()[i] {
			t.Errorf("file %d, of %s: this checker says %c, the other %c", i, of[i], want.String()[i], got[i])
		}
	}
	t.Logf("%d files, %d accepted", len(got), strings.Count(got, "1"))
}

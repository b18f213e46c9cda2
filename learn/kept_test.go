package learn

import (
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"testing"
)

// TestKeptBrains: brains written by earlier versions still open, and play every
// position as they did.
func TestKeptBrains(t *testing.T) {
	a := ttt(t)
	for name, want := range map[string]uint64{
		"menace":            0xa086e61469c58805,
		"table_epsilon-0.1": 0x53019cf0d1827817,
		"table_merge-classes_learn-both_tries-skip": 0x4a3bc72f3a96c231,
		"lms":                              0x7767548c626d35ee,
		"lms_features-squares_fit-exact":   0x14783096224084fb,
		"td":                               0xe2b50324aadf034a,
		"td_features-counts_states-before": 0xb50b99a77b4e435b,
		"q":                                0xaa6186acbb493140,
		"q_merge-classes_order-backward_initial-1_next-other": 0xa01787a2d979747d,
		"td-leaf":                0x9a619f33c6330c51,
		"evolve_size-4_rounds-3": 0xe557dd04b7b862db,
		"nearest":                0x6c808c15a03fcf5,
	} {
		f, err := os.Open("testdata/brains/" + name + ".brain.gz")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		b, err := ReadBrain(data)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Resume(a.Space, b, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m, err := l.Mix(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		sum := fnv.New64a()
		for _, w := range m {
			fmt.Fprintf(sum, "%.6f ", w)
		}
		if sum.Sum64() != want {
			t.Errorf("%s plays otherwise: %#x, want %#x", name, sum.Sum64(), want)
		}
		run(t, l, 30)
	}
}

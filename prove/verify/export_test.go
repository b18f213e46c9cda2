package verify

import (
	"bufio"
	"bytes"
	"context"
	"math"
	"reflect"
	"testing"

	"go.uber.org/goleak"
)

// TestMain has batches of a few positions looked at, so that small certificates have many.
func TestMain(m *testing.M) {
	batchBytes, levelBatch = 2000, 3
	goleak.VerifyTestMain(m)
}

// CheckContent checks what is packed in a certificate, without the packing, by some number of workers.
func CheckContent(shared bool, content []byte) *Report {
	r := &Report{Value: "unknown"}
	version := Magic
	if shared {
		version = MagicShared
	}
	in := &reader{
		budget:  newBudget(context.Background(), int64(len(content)), Limits{Workers: 1 + len(content)%3}),
		version: version, file: bufio.NewReaderSize(bytes.NewReader(nil), 16),
		in: bufio.NewReaderSize(bytes.NewReader(content), 512),
	}
	if err := r.checkStrategies(in, Question{Part: 1, Parts: 1}, math.MaxInt32); err != nil {
		r.Reason = err.Error()
	}
	r.OK = r.Reason == ""
	return r
}

// CheckBySome has a file checked by some number of workers, and every third file as CheckByAny.
func CheckBySome(t testing.TB, data []byte, q Question, l Limits) *Report {
	t.Helper()
	if len(data)%3 == 0 {
		return CheckByAny(t, data, q, l)
	}
	l.Workers = 1 + len(data)%5
	r, err := Check(context.Background(), bytes.NewReader(data), int64(len(data)), q, l)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// CheckByAny has a file checked by one worker, and by two or by five, who say just the same.
func CheckByAny(t testing.TB, data []byte, q Question, l Limits) *Report {
	t.Helper()
	var reports []*Report
	for _, workers := range []int{1, 2 + 3*(len(data)%2)} {
		l.Workers = workers
		r, err := Check(context.Background(), bytes.NewReader(data), int64(len(data)), q, l)
		if err != nil {
			t.Fatal(err)
		}
		if reports = append(reports, r); !reflect.DeepEqual(r, reports[0]) {
			t.Fatalf("%d workers say\n%+v\nand one says\n%+v", workers, r, reports[0])
		}
	}
	return reports[0]
}

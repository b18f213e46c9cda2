package verify

import (
	"bufio"
	"bytes"
	"context"
	"math"
)

// CheckContent checks what is packed in a certificate, without the packing.
func CheckContent(shared bool, content []byte) *Report {
	r := &Report{Value: "unknown"}
	version := Magic
	if shared {
		version = MagicShared
	}
	in := &reader{
		budget: newBudget(context.Background(), int64(len(content)), Limits{}), version: version,
		file: bufio.NewReaderSize(bytes.NewReader(nil), 16), in: bufio.NewReaderSize(bytes.NewReader(content), 512),
	}
	if err := r.checkStrategies(in, Question{}, math.MaxInt32); err != nil {
		r.Reason = err.Error()
	}
	r.OK = r.Reason == ""
	return r
}

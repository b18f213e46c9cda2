package verify_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"oxo/prove/certificate"
	"oxo/prove/verify"
)

// inParts checks a file in parts and compares them with the whole, whose report it is: together they look at every
// reply once and hold just where the whole does; if one is refused, the whole is for the first of their reasons.
func inParts(t testing.TB, data []byte, parts int, whole *verify.Report) (refused []int) {
	t.Helper()
	if whole.ByMoves {
		_, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)),
			verify.Question{Part: 1, Parts: parts}, verify.Limits{})
		if err == nil || !strings.Contains(err.Error(), "is checked whole") {
			t.Fatalf("a part of a strategy of moves alone: %v", err)
		}
		return nil
	}
	var checks uint64
	same := false
	for k := range parts {
		r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)),
			verify.Question{Part: k + 1, Parts: parts}, verify.Limits{Workers: 1 + (k+len(data))%3})
		if err != nil {
			t.Fatal(err)
		}
		checks += r.Checks
		same = same || r.Reason == whole.Reason
		if parts > 1 && r.Value != "unknown" {
			t.Fatalf("part %d of %d shows that the value is %s", k+1, parts, r.Value)
		}
		if !r.OK {
			refused = append(refused, k)
		}
	}
	if whole.OK != (len(refused) == 0) || whole.OK && checks != whole.Checks || !same {
		t.Fatalf("parts %v of %d are refused, after %d replies: %+v", refused, parts, checks, whole)
	}
	return refused
}

// TestParts checks all proofs that are at hand in three parts.
func TestParts(t *testing.T) {
	for _, c := range carried {
		data := carriedProof(t, c.name)
		inParts(t, data, 3, verify.CheckByAny(t, data, verify.Question{}, verify.Limits{}))
	}
	for _, s := range seeds {
		data := file(t, proven(t, s))
		for parts := range 5 {
			inParts(t, data, parts+1, check(t, data))
		}
	}
	for _, q := range []verify.Question{{Part: 1}, {Parts: 3}, {Part: 4, Parts: 3}, {Part: -1, Parts: 3}} {
		data := carriedProof(t, "ttt")
		r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), q, verify.Limits{})
		if err == nil {
			t.Errorf("there is a part %d of %d: %+v", q.Part, q.Parts, r)
		}
	}
}

// TestFaultInPartSequential puts faults into nodes: the part that has the first refuses it, for the reason of the
// whole, and of a single one no other part does.
func TestFaultInPartSequential(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	data := carriedProof(t, "mnk-7-7-5")
	p, err := certificate.Read(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for faults := range 30 {
		q := clone(p)
		claim := &q.Claims[len(q.Claims)-1]
		nodes, first := nodesOf(t, claim.Nodes), -1
		for range 1 + faults%3 {
			k := r.IntN(len(nodes))
			for nodes[k].Kind != certificate.Line && nodes[k].End != certificate.Pairing {
				k = r.IntN(len(nodes))
			}
			nodes[k].Kind, nodes[k].Line = certificate.Line, nil // which wins nothing
			if first < 0 || k < first {
				first = k
			}
		}
		claim.Nodes = certificate.NodesOf(nodes...)
		bent := file(t, q)
		whole := verify.CheckByAny(t, bent, verify.Question{}, verify.Limits{})
		if want := fmt.Sprintf("node %d: the threats [] do not win", first); !strings.HasSuffix(whole.Reason, want) ||
			whole.Nodes != first {
			t.Fatalf("after %d: %s, where %s", whole.Nodes, whole.Reason, want)
		}
		refused := inParts(t, bent, 3, whole)
		if faults%3 == 0 && (len(refused) != 1 || refused[0] != first%3) {
			t.Fatalf("a fault in node %d is found in parts %v of 3", first, refused)
		}
	}
}

// TestWorkersOnDisk checks in little memory: batches in flight take a part of it, and what goes to disk is the same
// for any number of workers.
func TestWorkersOnDisk(t *testing.T) {
	for _, c := range carried {
		data := carriedProof(t, c.name)
		for size := len(data); size > 100; size -= 1 + len(data)/3 {
			d := &disk{}
			r := verify.CheckByAny(t, data[:size], verify.Question{}, verify.Limits{Memory: c.memory, Disk: d.create})
			if r.OK != (size == len(data)) || r.OK && d.made < c.runs || d.open != 0 {
				t.Errorf("%s, %d bytes: %+v, %d runs on disk, %d of them left", c.name, size, r, d.made, d.open)
			}
		}
	}
}

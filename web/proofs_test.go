package web

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/lab"
	"oxo/prove/certificate"
)

// TestBuiltInProofsSequential checks each proof that the server carries, and that it is
// of the game that its name says.
func TestBuiltInProofsSequential(t *testing.T) {
	x := newTester(t)
	var list ProofList
	x.answered(200, "GET", api+"proofs", nil, &list)
	if len(list.Proofs) != len(lab.Carried()) {
		t.Fatalf("%d proofs are listed", len(list.Proofs))
	}
	for i, p := range list.Proofs {
		of := &lab.Carried()[i]
		if p.ID != of.FileID() || !p.Start || len(p.Claims) == 0 || p.From != fromServer || p.Bytes == 0 ||
			p.Search.Nodes != of.Nodes || p.Method == "" ||
			p.Prove != strings.TrimSpace("oxo prove "+of.Game+" "+of.Flags)+" --out "+of.FileID()+".proof" ||
			p.Verify != "oxo verify "+of.FileID()+".proof --game "+p.Game+" --claim "+p.Shows &&
				p.Verify != "oxo verify "+of.FileID()+".proof --game "+p.Game+" --claim '"+p.Shows+"'" {
			t.Errorf("%s: %+v", p.ID, p)
		}
		r := lastCheck(t, x.ask("GET", api+"proofs/"+p.ID+"/check?format=ndjson", nil).Body.Bytes())
		if !r.OK || r.Value != p.Value || r.Nodes != p.Nodes || r.Game != p.Game {
			t.Errorf("%s: %+v", p.ID, r)
		}
	}
	x.fault(404, "GET", api+"proofs/none/file", nil)
	x.fault(404, "GET", api+"proofs/none/check", nil)
	x.fault(404, "POST", api+"proofs/none/walk", object{})
}

// lastCheck reads the lines of a check and returns the result.
func lastCheck(t *testing.T, lines []byte) lab.Verdict {
	t.Helper()
	var last CheckLine
	share := -1.0
	for line := range bytes.Lines(lines) {
		last = CheckLine{}
		if err := json.Unmarshal(line, &last); err != nil {
			t.Fatal(err)
		}
		if last.Share < share {
			t.Errorf("a share of %v after one of %v", last.Share, share)
		}
		share = last.Share
	}
	if last.Result == nil || last.Share != 1 {
		t.Fatalf("no result: %s", lines)
	}
	return *last.Result
}

// TestWalkingThroughProofs answers every move of some proofs in every way, two
// replies deep, and at random to the end.
func TestWalkingThroughProofs(t *testing.T) {
	x := newTester(t)
	for _, id := range []string{"ttt", "mnk-4-3-3", "plane-projective-2", "animal-elly-4-4", "mnk-6-6-4",
		"ttt-misere"} {
		for _, seat := range []string{"", "first", "second"} {
			var w lab.Walk
			if r := x.ask("POST", api+"proofs/"+id+"/walk", object{"seat": seat}); seat != "" && r.Code != 200 {
				continue // it has no strategy for that side
			}
			ask := object{}
			if seat != "" {
				ask["seat"] = seat
			}
			x.answered(200, "POST", api+"proofs/"+id+"/walk", ask, &w)
			start := slices.Clone(w.State.Moves)
			for i, first := range start {
				replies := []string{first}
				for w.State.Result == "*" || len(replies) == 1 {
					ask["replies"] = replies
					w = lab.Walk{}
					x.answered(200, "POST", api+"proofs/"+id+"/walk", ask, &w)
					if len(w.Notes) != len(w.Moves) {
						t.Fatalf("%s: %d notes for %d moves", id, len(w.Notes), len(w.Moves))
					}
					if w.State.Result != "*" {
						break
					}
					replies = append(replies, w.State.Moves[(i*5+len(replies)*3)%len(w.State.Moves)])
				}
				if lost := w.Seat != w.State.Result; w.Wins && lost || lost && w.State.Result != "draw" {
					t.Errorf("%s, %s: %v ends with %s", id, w.Seat, w.Moves, w.State.Result)
				}
			}
		}
	}
	_, message := x.fault(422, "POST", api+"proofs/ttt/walk", object{"replies": []string{"z9"}})
	if !strings.Contains(message, "z9") {
		t.Errorf("no square: %s", message)
	}
	x.fault(422, "POST", api+"proofs/mnk-4-3-3/walk", object{"seat": "second"})
	x.fault(422, "POST", api+"proofs/mnk-4-3-3/walk",
		object{"replies": []string{"a1", "a2", "a3", "d3", "d2", "d1", "b1"}})
}

// TestBringingProofs keeps proofs that hold, once, and refuses others.
func TestBringingProofs(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	good := lab.CarriedNamed("mnk:5,5,4").Data()
	y := x.as("")
	y.header.Set("Content-Type", "application/octet-stream")
	var e ProofEntry
	for range 2 {
		y.answered(200, "POST", api+"proofs", string(good), &e)
	}
	if e.Game != "mnk:5,5,4" || e.Value != "draw" || e.From != fromPeople || len(m.files) != 1 {
		t.Errorf("brought: %+v, %d files", e, len(m.files))
	}
	again := newTester(t, hosted(m)) // after a restart
	var list ProofList
	again.answered(200, "GET", api+"proofs", nil, &list)
	if len(list.Proofs) != len(lab.Carried())+1 || list.Proofs[0].ID != e.ID {
		t.Errorf("%d proofs, the first is %+v", len(list.Proofs), list.Proofs[0])
	}
	w := again.ask("GET", api+"proofs/"+e.ID+"/file", nil)
	if !bytes.Equal(w.Body.Bytes(), good) || w.Header().Get("Content-Disposition") != `attachment; filename="`+e.ID+
		`.proof"` {
		t.Errorf("another file came back: %v", w.Header())
	}
	var walk lab.Walk
	again.answered(200, "POST", api+"proofs/"+e.ID+"/walk", object{}, &walk)
	damaged := slices.Clone(good)
	damaged[len(damaged)/2] ^= 1
	for name, data := range map[string][]byte{"damaged": damaged, "cut": good[:100], "empty": {},
		"text": []byte("hello"), "zeros": append([]byte("oxo proof 1\n"), make([]byte, 1000)...)} {
		if w := y.ask("POST", api+"proofs", string(data)); w.Code != 422 && w.Code != 400 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if len(m.files) != 1 {
		t.Errorf("%d files are kept", len(m.files))
	}
}

// TestForgedProofsSequential: certificates of positions that their games can't have, and one that
// costs much to check, are not kept; those that an earlier version kept are not listed,
// walked or found good.
func TestForgedProofsSequential(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	x.header.Set("Content-Type", "application/octet-stream")
	files, err := filepath.Glob("../lab/testdata/forged/*.proof")
	if err != nil || len(files) != 7 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, says := filepath.Base(path), "the certificate is refused: "
		if name == "bomb.proof" {
			says = "the certificate was not checked to its end, which is no verdict: "
		}
		if w := x.ask("POST", api+"proofs", string(data)); w.Code != 422 || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		id := proofID(data)
		if err := x.server.proofs.storeFile(kindProof, id, ProofEntry{ID: id, From: fromPeople}, data); err != nil {
			t.Fatal(err)
		}
		if r := lastCheck(t, x.ask("GET", api+"proofs/"+id+"/check?format=ndjson", nil).Body.Bytes()); r.OK ||
			r.Reason == "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	y := newTester(t, hosted(m))
	var list ProofList
	y.answered(200, "GET", api+"proofs", nil, &list)
	if len(list.Proofs) != len(lab.Carried()) || len(m.files) != len(files) {
		t.Errorf("%d proofs are listed, %d kept", len(list.Proofs), len(m.files))
	}
	for _, f := range m.files {
		if w := y.ask("POST", api+"proofs/"+f.name+"/walk", object{}); w.Code != 422 {
			t.Errorf("%s: %d %s", f.name, w.Code, w.Body)
		}
	}
}

// TestProofsThatAreHeld brings proofs that are large in memory and small on the
// way: only so many bytes of them are held.
func TestProofsThatAreHeld(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	x.header.Set("Content-Type", "application/octet-stream")
	b, err := board.New(board.MaxSquares, [][]int{{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	p := &certificate.Proof{Game: certificate.Setup{Board: b, Rules: board.Normal},
		Claims: []certificate.Claim{{Seat: oxo.First, Stealing: true}}}
	for i := 2; i < b.N; i++ { // exchanges of two squares beside the set
		for j := 2; j < i && len(p.Perms) < 5_000; j++ {
			perm := make([]uint8, b.N)
			for k := range perm {
				perm[k] = uint8(k)
			}
			perm[i], perm[j] = uint8(j), uint8(i)
			p.Perms = append(p.Perms, perm)
		}
	}
	large := int64(len(p.Perms) * b.N)
	x.server.proofs.read.Bytes = 3 * large
	before := heap()
	var ids []string
	for k := range 6 {
		p.Game.Spec = "proof " + string(rune('a'+k))
		var file bytes.Buffer
		if _, err := p.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		var e ProofEntry
		x.answered(200, "POST", api+"proofs", file.String(), &e)
		ids = append(ids, e.ID)
		if int64(e.Bytes) > large/4 {
			t.Errorf("the file has %d bytes of %d", e.Bytes, large)
		}
	}
	if held := heap() - before; held > 4*large {
		t.Errorf("%d bytes are held, %d were to be", held, x.server.proofs.read.Bytes)
	}
	n := 0
	for _, id := range ids {
		if _, ok := x.server.proofs.read.Find(id); ok {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d proofs are held", n)
	}
}

// heap returns how many bytes are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

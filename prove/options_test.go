package prove_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/prove"
	"oxo/prove/certificate"
)

func TestRefused(t *testing.T) {
	slip := board.Normal
	slip.Slip = 0.1
	for _, c := range []struct {
		change func(*certificate.Setup)
		word   string
	}{
		{func(g *certificate.Setup) { g.Board = nil }, "no board"},
		{func(g *certificate.Setup) { *g = game(t, "mnk:12,12,3"); g.Rules = board.Wild }, "at most 128"},
		{func(g *certificate.Setup) { g.Rules = board.Notakto; g.Marks[1] = board.SetOf(1) }, "an O"},
		{func(g *certificate.Setup) { g.Rules = slip }, "chance"},
		{func(g *certificate.Setup) { g.Turn = oxo.Chance }, "turn"},
		{func(g *certificate.Setup) { g.Marks = [2]board.Set{board.SetOf(1), board.SetOf(1)} }, "both sides"},
		{func(g *certificate.Setup) { g.Marks[0] = board.SetOf(9) }, "off the board"},
		{func(g *certificate.Setup) { g.Marks[0] = board.SetOf(0, 1, 2) }, "over"},
	} {
		g := game(t, "mnk:3,3,3")
		c.change(&g)
		if _, err := prove.Prove(context.Background(), g, prove.Options{}); err == nil ||
			!strings.Contains(err.Error(), c.word) {
			t.Errorf("want an error about %q, have %v", c.word, err)
		}
	}
	if _, err := prove.Prove(context.Background(), game(t, "mnk:3,3,3"), prove.Options{Memory: 1000}); err == nil {
		t.Error("a proof in 1000 bytes was tried")
	}
}

// TestUnknown ends the work early: what is known by then is that the first
// player does not lose.
func TestUnknown(t *testing.T) {
	r := proveAndCheck(t, game(t, "mnk:8,8,5"), prove.Options{Nodes: 2000, Memory: 16 << 20})
	if r.String() != "unknown" || !r.Holds[0] || r.Holds[1] || r.Proof == nil || !r.Proof.Claims[0].Stealing {
		t.Errorf("%v, holds %v, %+v", r, r.Holds, r.Proof)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := prove.Prove(ctx, game(t, "mnk:5,5,4+misere"), prove.Options{}); err != nil ||
		r.String() != "unknown" || r.Proof != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// truth returns the value of a small game by looking at all of it.
func truth(g certificate.Setup) oxo.Outcome {
	best := oxo.Ongoing
	free := g.Board.Squares().Minus(g.Marks[0]).Minus(g.Marks[1])
	for sq := range free.All() {
		if g.Board.Below != nil && g.Board.Below[sq] >= 0 && free.Has(g.Board.Below[sq]) {
			continue
		}
		next, o := g, oxo.Ongoing
		next.Marks[g.Turn] = g.Marks[g.Turn].With(sq)
		next.Turn = g.Turn.Other()
		for _, k := range g.Board.LinesThrough(sq) {
			if g.Rules.Tested[g.Turn] && g.Board.Lines[k].Owned(next.Marks[g.Turn]) {
				o = g.Rules.Done[g.Turn]
			}
		}
		if o == oxo.Ongoing {
			o = truth(next)
		}
		if best == oxo.Ongoing || o.Value(g.Turn) > best.Value(g.Turn) {
			best = o
		}
	}
	if best == oxo.Ongoing {
		return g.Rules.Full
	}
	return best
}

// TestPositionsSequential proves random positions, reachable or not, either side to
// move, and compares with brute force.
func TestPositionsSequential(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	values := map[oxo.Outcome]int{}
	for _, spec := range []string{
		"mnk:3,3,3", "mnk:4,3,3", "mnk:4,3,3+exact", "mnk:4,2,2+exact", "mnk:4,3,3+gravity", "mnk:3,3,3+misere",
		"mnk:4,3,3+maker",
		"mnk:4,3,3+breaker", "mnk:3,3,3+avoider", "mnk:3,3,3+enforcer", "mnk:3,3,3+gravity+maker", "torus:3,3,3",
		"affine:3", "projective:2",
	} {
		for range 12 {
			g := game(t, spec)
			for range 2 + r.IntN(g.Board.N-4) {
				legal := g.Board.Squares().Minus(g.Marks[0]).Minus(g.Marks[1]).Squares()
				sq := legal[r.IntN(len(legal))]
				if g.Board.Below != nil && g.Board.Below[sq] >= 0 && slices.Contains(legal, g.Board.Below[sq]) {
					continue
				}
				g.Marks[g.Turn] = g.Marks[g.Turn].With(sq)
				if r.IntN(4) > 0 {
					g.Turn = g.Turn.Other()
				}
			}
			if p, err := prove.Prove(context.Background(), g, prove.Options{Memory: 8 << 20}); err != nil {
				if !strings.Contains(err.Error(), "the game is over there") {
					t.Error(err)
				}
				continue
			} else if want := truth(g); p.Value != want {
				t.Errorf("%s, %v to move after %v and %v: %v, want %v", spec, g.Turn, g.Marks[0].Squares(),
					g.Marks[1].Squares(), p, want)
			}
			values[proveAndCheck(t, g, prove.Options{Memory: 8 << 20}).Value]++
		}
	}
	if len(values) != 3 || values[oxo.Drawn] < 5 || values[oxo.SecondWins] < 12 {
		t.Errorf("too few of a kind to tell: %v", values)
	}
}

// TestLastMove: the side to move has a strategy where no set can be owned any more.
func TestLastMove(t *testing.T) {
	for spec, want := range map[string]oxo.Outcome{
		"mnk:3,3,3": oxo.Drawn, "mnk:3,3,3+breaker": oxo.FirstWins, "mnk:3,3,3+misere": oxo.Drawn,
		"mnk:3,3,3+enforcer": oxo.SecondWins,
	} {
		g := game(t, spec)
		g.Marks = [2]board.Set{board.SetOf(0, 4, 5, 6), board.SetOf(1, 2, 3, 8)} // x o o / o x x / x . o
		if r := proveAndCheck(t, g, prove.Options{Memory: 8 << 20}); r.Value != want || truth(g) != want {
			t.Errorf("%s: %v, want %v, %v by brute force", spec, r, want, truth(g))
		}
	}
}

// TestWorkers has three searches share the work.
func TestWorkers(t *testing.T) {
	climb(t, []rung{{"mnk:5,5,4", "draw"}, {"mnk:6,5,4", "first"}, {"mnk:7,6,5", "draw"}, {"mnk:3,3,3+misere", "draw"}},
		prove.Options{Memory: 32 << 20, Workers: 3, Alone: 1})
}

// memory is a storage that fails where it is told to.
type memory struct {
	data []byte
	fail bool
}

var errFull = errors.New("the storage is full")

func (m *memory) Read(read func(io.Reader) error) error {
	if m.data == nil {
		return nil
	}
	return read(bytes.NewReader(m.data))
}

func (m *memory) Write(write func(io.Writer) error) error {
	var b bytes.Buffer
	if m.fail {
		return errFull
	}
	err := write(&b)
	m.data = b.Bytes()
	return err
}

// TestCheckpoint stops the work again and again and goes on from what is kept.
func TestCheckpoint(t *testing.T) {
	work := &memory{}
	g := game(t, "mnk:5,5,4")
	opt := prove.Options{Memory: 16 << 20, Checkpoint: work}
	runs := 0
	for opt.Nodes = 2000; ; opt.Nodes += 3000 {
		r := proveAndCheck(t, g, opt)
		if runs++; r.String() == "draw" {
			break
		}
		if r.String() != "unknown" || runs > 100 {
			t.Fatalf("%v after %d runs", r, runs)
		}
		if runs == 2 {
			if _, err := prove.Prove(t.Context(), game(t, "mnk:5,4,4"), opt); err == nil ||
				!strings.Contains(err.Error(), "another game") {
				t.Errorf("the work on another game was taken over: %v", err)
			}
		}
	}
	if runs < 3 {
		t.Errorf("done after %d runs: too few to tell", runs)
	}
	if work.data == nil {
		t.Error("the work is gone before its certificate is written")
	}
	full := prove.Options{Memory: 16 << 20, Nodes: 2000, Checkpoint: &memory{fail: true}}
	if _, err := prove.Prove(t.Context(), g, full); !errors.Is(err, errFull) {
		t.Errorf("work was kept where there is no room: %v", err)
	}
	work.data = []byte("not a checkpoint")
	if _, err := prove.Prove(t.Context(), g, opt); err == nil {
		t.Error("damaged work was taken")
	}
}

// TestCheckpointTime keeps the work while it goes on.
func TestCheckpointTime(t *testing.T) {
	work, seen := &memory{}, false
	opt := prove.Options{Memory: 16 << 20, Checkpoint: work, Every: time.Nanosecond, Progress: func(prove.Progress) {
		seen = seen || work.data != nil
	}}
	if r := proveAndCheck(t, game(t, "mnk:5,5,4"), opt); r.String() != "draw" || !seen {
		t.Errorf("%v, work seen: %v", r, seen)
	}
}

// TestResumeSequential saves the state after every few searches, and goes on from there
// in a new run each time: the proof is the same as without interruption. Where
// the state is cut down the value is.
func TestResumeSequential(t *testing.T) {
	for _, c := range []struct {
		game string
		most int64
	}{{"mnk:5,5,4", 0}, {"mnk:5,4,4+gravity", 0}, {"mnk:5,4,4+gravity", 200_000}} {
		g := game(t, c.game)
		want := proveAndCheck(t, g, prove.Options{Memory: 16 << 20})
		var state []byte
		for runs := 0; ; runs++ {
			ctx, stop := context.WithCancel(t.Context())
			opt := prove.Options{Memory: 16 << 20}
			if state != nil {
				opt.Resume = bytes.NewReader(state)
			}
			calls, resumed := 0, state != nil
			opt.Progress = func(p prove.Progress) {
				if p.Before > p.Nodes || (p.Before > 0) != resumed {
					t.Errorf("%s: %d of %d positions before this run", c.game, p.Before, p.Nodes)
				}
				if calls++; calls < 4 || p.Save == nil {
					return
				}
				stop()
				var file bytes.Buffer
				if err := p.Save(&file, c.most); err != nil {
					t.Error(err)
				}
				if c.most > 0 && int64(file.Len()) > c.most+(2<<20) {
					t.Errorf("%s: a state of %d bytes", c.game, file.Len())
				}
				state = file.Bytes()
			}
			got, err := prove.Prove(ctx, g, opt)
			stop()
			if err != nil {
				t.Fatal(err)
			}
			if got.Value == oxo.Ongoing && runs < 1000 {
				continue
			}
			if got.Value != want.Value {
				t.Errorf("%s: %v in pieces, %v in one", c.game, got, want)
			}
			var a, b bytes.Buffer
			got.Proof.WriteTo(&a)
			want.Proof.WriteTo(&b)
			if c.most == 0 && (got.Nodes != want.Nodes || !bytes.Equal(a.Bytes(), b.Bytes())) {
				t.Errorf("%s: after %d interruptions %d nodes and another proof than after %d", c.game, runs, got.Nodes,
					want.Nodes)
			}
			if r := check(t, a.Bytes()); !r.OK {
				t.Errorf("%s: %s", c.game, r.Reason)
			}
			t.Logf("%s: %d interruptions, %d nodes", c.game, runs, got.Nodes)
			break
		}
	}
	if _, err := prove.Prove(t.Context(), game(t, "mnk:5,5,4"),
		prove.Options{Resume: strings.NewReader("no state")}); err == nil {
		t.Error("what is no state was gone on with")
	}
}

func TestProgress(t *testing.T) {
	calls, last := 0, uint64(0)
	opt := prove.Options{Memory: 16 << 20, Progress: func(p prove.Progress) {
		if calls++; p.Question == "" || p.Nodes < last || p.Memory == 0 {
			t.Errorf("%+v", p)
		}
		last = p.Nodes
	}}
	if r := proveAndCheck(t, game(t, "mnk:5,5,4"), opt); calls == 0 || r.Nodes != last {
		t.Errorf("%d calls, %d nodes at last of %d", calls, last, r.Nodes)
	}
}

// TestSame proves a game twice: one worker gives the same file.
func TestSame(t *testing.T) {
	var files [2]bytes.Buffer
	for k := range files {
		r, err := prove.Prove(context.Background(), game(t, "mnk:6,5,4"), prove.Options{Memory: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Proof.WriteTo(&files[k]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("two proofs of the same game differ")
	}
}

// fullDisk makes room for so many bytes.
type fullDisk struct {
	bytes.Buffer
	room int
}

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.Len()+len(p) > d.room {
		return 0, errFull
	}
	return d.Buffer.Write(p)
}

func (d *fullDisk) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(d.Bytes()).ReadAt(p, at)
}
func (d *fullDisk) Close() error { return nil }

// TestDiskFull: where there is no room on disk for a strategy, the work is kept and goes on from there once there is;
// the proof is the one that memory holds.
func TestDiskFull(t *testing.T) {
	g, work := game(t, "mnk:5,5,4"), &memory{}
	want := proveAndCheck(t, g, prove.Options{Memory: 16 << 20})
	for _, room := range []int{0, 2000, 1 << 20} {
		disk := func() (certificate.Scratch, error) { return &fullDisk{room: room}, nil }
		opt := prove.Options{Memory: 16 << 20, Checkpoint: work, Disk: disk}
		if room < 1<<20 {
			r, err := prove.Prove(t.Context(), g, opt)
			if r != nil || !errors.Is(err, errFull) || !strings.Contains(err.Error(), "no room on disk") {
				t.Fatalf("%d bytes of room: %+v, %v", room, r, err)
			}
			continue
		}
		got := proveAndCheck(t, g, opt)
		if got.ProofNodes != want.ProofNodes {
			t.Errorf("%d positions in the proof, in memory %d", got.ProofNodes, want.ProofNodes)
		}
	}
}

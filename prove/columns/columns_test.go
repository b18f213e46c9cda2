package columns_test

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/prove/certificate"
	"oxo/prove/columns"
	"oxo/prove/moves"
	"oxo/prove/verify"
)

// truth answers questions by looking at all play.
type truth map[truthKey]bool

type truthKey struct {
	p    board.Pos64
	q    moves.Question
	left int
}

// yes reports whether the answer to a question is yes in p, after which left plies count.
func (t truth) yes(p board.Pos64, q moves.Question, left int) bool {
	win, loss := oxo.WinFor(q.Seat), oxo.WinFor(q.Seat.Other())
	switch out := p.Outcome(); {
	case out != oxo.Ongoing:
		return q.Wins && out == win || !q.Wins && out != loss
	case left <= 0:
		return !q.Wins
	}
	q.Plies = 0
	key := truthKey{p, q, left}
	if v, ok := t[key]; ok {
		return v
	}
	own := p.Turn() == q.Seat
	v := !own
	for _, m := range p.Moves(nil) {
		if t.yes(p.Play(m), q, left-1) == own {
			v = own
			break
		}
	}
	t[key] = v
	return v
}

func (t truth) keeps(_ context.Context, p board.Pos64, q moves.Question, left int) (bool, error) {
	return t.yes(p, q, left), nil
}

// games returns small games of columns, of rules of all sorts.
func games(t testing.TB) (list []*oxo.Game[board.Pos64]) {
	t.Helper()
	add := func(name string, b *board.Board, err error, rules ...board.Rules) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rules {
			list = append(list, board.Game64(name+" "+r.Name, name, b, r))
		}
	}
	all := []board.Rules{board.Normal, board.Misere, board.Maker, board.Breaker, board.Avoider, board.Enforcer}
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 4, Run: 3, Gravity: true})
	add("3x4x3", b, err, all...)
	b, err = grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true})
	add("4x3x3", b, err, all...)
	b, err = grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4, Gravity: true})
	add("4x4x4", b, err, board.Normal, board.Maker)
	b, err = grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 3, Exact: true, Gravity: true})
	add("4x4x3 exact", b, err, board.Normal)
	b, err = grid.New(grid.Shape{Cols: 5, Rows: 2, Run: 3, Gravity: true})
	add("5x2x3", b, err, board.Normal, board.Misere)
	b, err = cube.New(2, 3, true)
	add("cube", b, err, board.Normal)
	return list
}

// questions are all there are about a game.
func questions(g *oxo.Game[board.Pos64]) (list []moves.Question) {
	for seat := range oxo.Seat(2) {
		for _, wins := range []bool{false, true} {
			list = append(list, moves.Question{Seat: seat, Wins: wins, Plies: g.MaxPlies})
		}
	}
	return list
}

// TestSettled compares what the theorem says in random positions with all play.
func TestSettled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := map[bool]int{}
	for _, g := range games(t) {
		c, err := columns.New(g)
		if err != nil {
			t.Fatal(err)
		}
		known := truth{}
		for range 300 {
			p := g.Start
			for range r.IntN(g.MaxPlies) {
				if p.Outcome() != oxo.Ongoing {
					break
				}
				list := p.Moves(nil)
				p = p.Play(list[r.IntN(len(list))])
			}
			if p.Outcome() != oxo.Ongoing {
				continue
			}
			for _, q := range questions(g) {
				plies, ok := c.Settled(p, q, g.MaxPlies)
				left := g.MaxPlies
				if q.Wins {
					left = plies
				}
				if ok && !known.yes(p, q, left) {
					t.Fatalf("%s, %s: %v is said to be settled in %d plies", g.Spec, g.Format(p), q, plies)
				}
				if ok {
					count[q.Wins]++
				}
			}
		}
	}
	if count[true] < 300 || count[false] < 300 {
		t.Errorf("settled are %v positions", count)
	}
}

// certify returns a certificate of a strategy.
func certify(t testing.TB, c *columns.ColumnGame, q moves.Question, list []uint8) []byte {
	t.Helper()
	p := &certificate.Proof{Perms: c.Perms, Claims: []certificate.Claim{{Seat: q.Seat, Wins: q.Wins, Plies: q.Plies,
		Moves: list}}}
	p.Game = certificate.Setup{Spec: c.Spec, Board: c.Start.Board(), Rules: c.Start.Rules()}
	var file bytes.Buffer
	if _, err := p.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func check(t testing.TB, file []byte, claim string) *verify.Report {
	t.Helper()
	c, err := verify.ParseClaim(claim)
	if err != nil {
		t.Fatal(err)
	}
	r, err := verify.Check(context.Background(), bytes.NewReader(file), int64(len(file)), verify.Question{Claim: c},
		verify.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestStrategies makes certificates of all that is true of small games, has them checked, plays them
// against random replies, and changes some of their moves: what is still believed is true.
func TestStrategies(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	shown, forged := 0, 0
	for _, g := range games(t) {
		c, err := columns.New(g)
		if err != nil {
			t.Fatal(err)
		}
		known := truth{}
		for _, q := range questions(g) {
			for _, q.Plies = range []int{g.MaxPlies, g.MaxPlies - 2, g.MaxPlies / 2} {
				f, err := c.FindStrategy(t.Context(), g.Start, q, known.keeps)
				no := errors.Is(err, moves.ErrNot) || errors.Is(err, moves.ErrBroken)
				if yes := known.yes(g.Start, q, q.Plies); yes != (err == nil) || !yes && !no {
					t.Fatalf("%s, %v: %v, and the answer is %v", g.Spec, q, err, yes)
				}
				if err != nil {
					continue
				}
				shown++
				claim := q.Claim(f)
				file := certify(t, c, claim.Question, f.Moves)
				if got := check(t, file, claim.Question.String()); !got.OK {
					t.Fatalf("%s, %v: %s", g.Spec, q, got.Reason)
				}
				play(t, c, claim.Question, f.Moves, r)
				forged += forge(t, c, claim.Question, f.Moves, known, r)
			}
		}
	}
	t.Logf("%d files, %d of them believed", shown*forgeries, forged)
	if shown < 60 || forged < 100 {
		t.Errorf("%d strategies, %d forgeries that are true", shown, forged)
	}
}

// play plays a strategy, of whose levels no two positions fit in memory, against random replies.
func play(t *testing.T, c *columns.ColumnGame, q moves.Question, list []uint8, r *rand.Rand) {
	t.Helper()
	s, err := c.ReadStrategy(c.Start, q, list, moves.Room{Memory: 1, Disk: certificate.Disk(nil).Create})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		p, ply := c.Start, 0
		for ; p.Outcome() == oxo.Ongoing && ply < q.Plies; ply++ {
			if p.Turn() != q.Seat {
				replies := p.Moves(nil)
				p = p.Play(replies[r.IntN(len(replies))])
				continue
			}
			m, _, err := s.Move(p)
			if err != nil {
				t.Fatalf("%s, %v, %s: %v", c.Spec, q, c.Format(p), err)
			}
			p = p.Play(m)
		}
		if out := p.Outcome(); q.Wins && out != oxo.WinFor(q.Seat) || out == oxo.WinFor(q.Seat.Other()) {
			t.Fatalf("%s, %v: %s after %d plies", c.Spec, q, c.Format(p), ply)
		}
	}
}

// head is a certificate of one claim up to that.
type head struct {
	line, body []byte
	packer     *flate.Writer
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

func headOf(t testing.TB, file []byte, q moves.Question, list []uint8) *head {
	t.Helper()
	line := len(verify.MagicColumns)
	body, err := io.ReadAll(flate.NewReader(bytes.NewReader(file[line : len(file)-sha256.Size])))
	if err != nil {
		t.Fatal(err)
	}
	body, ok := bytes.CutSuffix(body, claimed(q, list))
	packer, err := flate.NewWriter(nil, flate.NoCompression)
	if !ok || err != nil {
		t.Fatal("a claim is written otherwise", err)
	}
	return &head{file[:line], body, packer}
}

// file is the certificate with that claim.
func (h *head) file(q moves.Question, list []uint8) []byte {
	var out bytes.Buffer
	out.Write(h.line)
	h.packer.Reset(&out)
	h.packer.Write(h.body)
	h.packer.Write(claimed(q, list))
	h.packer.Close()
	sum := sha256.Sum256(out.Bytes())
	return append(out.Bytes(), sum[:]...)
}

// forgeries are how many files are made of a strategy by changes.
var forgeries = 40

// forge changes moves of a strategy, or what it is said to show, and returns how many files are believed.
func forge(t *testing.T, c *columns.ColumnGame, q moves.Question, list []uint8, known truth,
	r *rand.Rand) (believed int) {
	t.Helper()
	head := headOf(t, certify(t, c, q, list), q, list)
	for range forgeries {
		to, changed := q, bytes.Clone(list)
		for range 1 + r.IntN(3) {
			if k := r.IntN(len(list) + 1); k < len(list) && len(list) > 0 {
				changed[k] = list[r.IntN(len(list))]
			}
		}
		switch r.IntN(4) {
		case 0:
			to.Plies = max(1, q.Plies-r.IntN(4))
		case 1:
			to.Seat = q.Seat.Other()
		case 2:
			to.Wins = !q.Wins
		}
		got := check(t, head.file(to, changed), to.String())
		if got.OK && !known.yes(c.Start, to, to.Plies) {
			t.Fatalf("%s: %v is believed", c.Spec, to)
		}
		if got.OK {
			believed++
		}
	}
	return believed
}

// TestOthers refuses games that are not of columns.
func TestOthers(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := columns.New(board.Game64("g", "g", b, board.Normal)); err == nil {
		t.Error("squares on which marks don't fall are columns")
	}
	tree, err := board.FromLines(3, []board.Line{{Need: board.SetOf(0, 1)}})
	if err == nil {
		err = tree.SetBelow([]int{-1, 0, 0})
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := columns.New(board.Game64("g", "g", tree, board.Normal)); err == nil {
		t.Error("two squares on one are a column")
	}
}

// TestFullBoard claims a win on a full board: there is nothing to look at, and nothing is shown.
func TestFullBoard(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	p := &certificate.Proof{Claims: []certificate.Claim{{Seat: oxo.First, Wins: true, Plies: 1, Moves: []uint8{}}}}
	p.Game = certificate.Setup{Board: b, Rules: board.Normal, Turn: oxo.Second,
		Marks: [2]board.Set{board.SetOf(0, 2, 3, 7, 8), board.SetOf(1, 4, 5, 6)}}
	for _, full := range []oxo.Outcome{oxo.Drawn, oxo.FirstWins} {
		p.Game.Rules.Full = full
		var file bytes.Buffer
		if _, err := p.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if r := check(t, file.Bytes(), "first"); r.OK != (full == oxo.FirstWins) {
			t.Errorf("a full board that is worth %v: %+v", full, r)
		}
	}
}

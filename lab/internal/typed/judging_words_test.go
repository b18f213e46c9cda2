package typed

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/judge"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
	"oxo/message"
)

var updateSentences = flag.Bool("update", false, "write testdata/sentences.txt anew")

// TestJudgeSentences: what is said of positions of every kind, from the start to the end of
// a game, is what someone has read and found true and clear.
func TestJudgeSentences(t *testing.T) {
	path := filepath.Join("testdata", "sentences.txt")
	var said strings.Builder
	for _, spec := range everyKind {
		g := openKind(t, spec)
		said.WriteString(g.(interface{ sentences(t *testing.T) string }).sentences(t))
	}
	if *updateSentences {
		if err := os.WriteFile(path, []byte(said.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(want), "\n"), strings.Split(said.String(), "\n")
	for i := range max(len(was), len(is)) {
		if i >= len(was) || i >= len(is) || was[i] != is[i] {
			t.Fatalf("%s:%d: it says now %q; read it, and -update writes it", path, i+1, is[min(i, len(is)-1)])
		}
	}
}

// sentences asks about positions of a random game and of its end: the reasons, and the
// worths of the moves.
func (f typedGame[P]) sentences(t *testing.T) string {
	b := f.b
	var out strings.Builder
	for _, p := range f.gameToRead() {
		j, err := f.Judging().Judge(t.Context(), game.JudgeOptions{Position: b.Format(p), Nodes: 3000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s %s\n  %s\n ", b.Spec, j.Position, j.Why)
		last := ""
		for _, m := range j.Moves {
			if m.Text != last {
				fmt.Fprintf(&out, " %s %s;", m.Move, m.Text)
			}
			last = m.Text
		}
		out.WriteString("\n")
	}
	return out.String()
}

// checkSaid: beside each sentence of an answer stand the messages that it is made of, which say it in English
// as they are read from JSON.
func checkSaid(t *testing.T, words message.Table, answer any) {
	t.Helper()
	at := reflect.Indirect(reflect.ValueOf(answer))
	for i := range at.NumField() {
		text, ok := at.Field(i).Interface().(string)
		tag := at.Type().Field(i).Tag
		name, _, _ := strings.Cut(tag.Get("json"), ",")
		if !ok || name == "game" || name == "position" || name == "-" ||
			!strings.HasSuffix(tag.Get("doc"), "in words") && !strings.Contains(text, " ") {
			continue
		}
		data, err := json.Marshal(at.FieldByName("Said").Interface())
		var said message.Said
		if err != nil || json.Unmarshal(data, &said) != nil || words.Say(said[name]...) != text {
			t.Errorf("%s is %q, beside it %s", name, text, data)
		}
	}
}

// gameToRead returns positions of a random game: the start, at a third and two thirds of
// it, and the last before its end.
func (f typedGame[P]) gameToRead() []P {
	b := f.b
	r := rand.New(rand.NewPCG(30, 1))
	game := []P{b.Start}
	for p := b.Start; p.Outcome() == oxo.Ongoing && len(game) < 200; {
		moves := p.Moves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
		game = append(game, p)
	}
	n := len(game)
	return []P{game[0], game[n/3], game[2*n/3], game[max(0, n-3)], game[n-2]}
}

// TestZugzwang: where marks fall, the judge speaks of zugzwang where every move makes room for a
// mark with which the other side wins at once, and there only.
func TestZugzwang(t *testing.T) {
	t.Parallel()
	said := 0
	for _, spec := range []string{"mnk:4,4,3+gravity", "mnk:5,4,4+gravity", "mnk:5,5,4+gravity"} {
		g := openKind(t, spec)
		said += g.(interface{ zugzwangs(t *testing.T) int }).zugzwangs(t)
	}
	if said == 0 {
		t.Error("there was none")
	}
}

// zugzwangs asks about the positions of random games.
func (f typedGame[P]) zugzwangs(t *testing.T) (said int) {
	b := f.b
	r := rand.New(rand.NewPCG(30, 2))
	for range 400 {
		for p := b.Start; p.Outcome() == oxo.Ongoing; {
			moves := p.Moves(nil)
			forced := true
			for _, m := range moves {
				q, wins := p.Play(m), 0
				for _, reply := range q.Moves(nil) {
					if q.Outcome() == oxo.Ongoing && q.Play(reply).Outcome() == oxo.WinFor(q.Turn()) {
						wins++
						forced = forced && !slices.Contains(moves, reply) // which stands on m
					}
				}
				forced = forced && wins > 0
			}
			j, err := f.Judging().Judge(t.Context(), game.JudgeOptions{Position: b.Format(p)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if says := strings.Contains(j.Why, "Zugzwang"); says != forced {
				t.Errorf("%s: zugzwang %v, but it says %q", b.Format(p), forced, j.Why)
			} else if says {
				said++
			}
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
	return said
}

// TestNoZugzwang: nobody speaks of it where marks don't fall, as in the race, whose sides have moves
// of their own.
func TestNoZugzwang(t *testing.T) {
	for _, spec := range []string{"race:5", "ultimate", "ttt", "mnk:4,4,4+misere"} {
		g := openKind(t, spec)
		if text := g.(interface{ sentences(t *testing.T) string }).sentences(t); strings.Contains(text, "Zugzwang") {
			t.Errorf("%s: %s", spec, text)
		}
	}
}

// TestGaveWhat: what a move gave away is said as far as it was known, and no further.
func TestGaveWhat(t *testing.T) {
	g := aGame(t, "ttt").(interface {
		remark(was, is oxo.Interval) string
	})
	for _, c := range []struct {
		was, is oxo.Interval
		want    string
	}{
		{oxo.Exactly(1), oxo.Exactly(-1), "It turned a win into a loss."},
		{oxo.Exactly(1), oxo.Exactly(0), "It turned a win into a draw."},
		{oxo.Exactly(1), oxo.Interval{Lo: -1, Hi: 0}, "It turned a win into less."},
		{oxo.Exactly(0), oxo.Exactly(-1), "It turned a draw into a loss."},
		{oxo.Interval{Lo: 0, Hi: 1}, oxo.Exactly(-1), "It turned at least a draw into a loss."},
	} {
		if got := g.remark(c.was, c.is); got != c.want+" Which move would have kept it is not known." {
			t.Errorf("from %v to %v: %q, want %q", c.was, c.is, got, c.want)
		}
	}
}

// remark says what a first move gave away that certainly led from one worth to another.
func (f typedGame[P]) remark(was, is oxo.Interval) string {
	p := f.b.Start
	m := p.Moves(nil)[0]
	next := p.Play(m)
	_, v := players.GameJudge(f.b)
	return v.Say(v.RemarkOnMove(p, next, &judge.Reviewed{Move: m, Gave: true, Certain: true,
		Before: &judge.Answer{Known: judge.Known{Interval: was}, Turn: p.Turn()},
		After:  &judge.Answer{Known: judge.Known{Interval: is}, Turn: next.Turn()}})...)
}

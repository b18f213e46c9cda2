package picture_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"oxo"
	"oxo/lab"
	"oxo/lab/picture"
)

// shotsEnv names the folder that keeps what the tests draw.
const shotsEnv = "OXO_SCREENSHOTS"

// after is the board of a game after some moves.
func after(t testing.TB, spec string, moves string) picture.Board {
	t.Helper()
	l := lab.Lab{}
	g, err := l.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human})
	if err != nil {
		t.Fatal(err)
	}
	for m := range strings.FieldsSeq(moves) {
		if err := s.Move(m); err != nil {
			t.Fatal(err)
		}
	}
	return picture.BoardOfSession(g, s)
}

// cases are boards of every kind, each with something on it.
var cases = []struct {
	name, spec, moves string
	plies             bool
}{
	{"ttt", "ttt", "a1 b2 b1 c3 c1", false},
	{"grid", "mnk:5,4,4", "c2 b2 c3", true},
	{"discs", "mnk:7,6,4+gravity", "d1 d2 e1 e2 f1 f2 g1", false},
	{"stones", "mnk:15,15,5", "h8 j9 h9 h7 g8 j8 k8", true},
	{"torus", "torus:3,3,3", "a1 b1 c2 b2 b3", false},
	{"shape", "animal:knobby,5,5", "c3 b2 d3", false},
	{"nine", "meta", "e5 d6 a9 b8", false},
	{"ultimate", "ultimate", "a9 b8 d6 a7 c1 h1 d2 c4 h3 e9 d8 a4 a3 a8", false},
	{"fano", "plane:projective,2", "1 4 2 6", false},
	{"affine", "plane:affine,4", "1 6", false},
	{"race", "race:7", "2 6", false},
	{"cube", "cube:3,3", "a1a b2b a1b c3c a1c", false},
	{"qubic", "qubic", "a1a d4d b2b", true},
	{"wild", "ttt+wild", "o@b2 x@a1", false},
	{"tree", "tree:three-ply", "", false},
	{"path", "tree:three-ply", "1", false},
}

// TestEveryKind draws every kind of board as SVG and PNG, light and dark, as it is and as a card.
func TestEveryKind(t *testing.T) {
	for _, c := range cases {
		b := after(t, c.spec, c.moves)
		for _, o := range []picture.Style{{Plies: c.plies}, {Dark: true, Card: true}} {
			var svg, pixels bytes.Buffer
			for format, to := range map[string]*bytes.Buffer{"svg": &svg, "png": &pixels} {
				if err := picture.Draw(to, format, b, o); err != nil {
					t.Fatalf("%s as %s: %v", c.name, format, err)
				}
			}
			keep(t, c.name, o.Card, pixels.Bytes())
			wellFormed(t, c.name, svg.Bytes())
			img, err := png.Decode(&pixels)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if size := img.Bounds().Size(); o.Card && size != image.Pt(1200, 630) {
				t.Errorf("the card of %s is %v", c.name, size)
			}
			if n := colours(img); n < 3 {
				t.Errorf("the picture of %s has %d colours", c.name, n)
			}
		}
	}
}

// TestLinks makes every square of every kind of board a link: each leads to its address under its name, and none lies
// over another or beyond the picture.
func TestLinks(t *testing.T) {
	areas := regexp.MustCompile(`<a rel="nofollow" href="\?a=1&amp;to=\w+"><title>\w+</title>` +
		`<polygon points="([\d.]+),([\d.]+) [\d.,]+ ([\d.]+),([\d.]+) [\d.,]+ " fill-opacity="0"/></a>`)
	for _, c := range cases {
		b := after(t, c.spec, c.moves)
		var links []picture.Link
		for i, s := range b.Info.Squares {
			links = append(links, picture.Link{Address: "?a=1&to=" + s.Name, Name: s.Name, Squares: []int{i}})
		}
		var svg bytes.Buffer
		if err := picture.Draw(&svg, "svg", b, picture.Style{Links: links}); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, c.name, svg.Bytes())
		var size [2]float64
		if _, err := fmt.Sscanf(svg.String()[strings.Index(svg.String(), "width="):], `width="%f" height="%f"`,
			&size[0], &size[1]); err != nil {
			t.Fatal(err)
		}
		found := areas.FindAllStringSubmatch(svg.String(), -1)
		if len(found) != len(links) {
			t.Fatalf("%s: %d links of %d squares", c.name, len(found), len(links))
		}
		var boxes [][4]float64
		for _, f := range found {
			var at [4]float64
			for k := range at {
				at[k], _ = strconv.ParseFloat(f[k+1], 64) // the pattern lets no other text through
			}
			if at[0] < 0 || at[1] < 0 || at[2] > size[0] || at[3] > size[1] {
				t.Errorf("%s: a link at %v lies beyond a picture of %v", c.name, at, size)
			}
			for _, o := range boxes {
				if min(at[2], o[2])-max(at[0], o[0]) > 0.1 && min(at[3], o[3])-max(at[1], o[1]) > 0.1 {
					t.Errorf("%s: links at %v and %v lie over one another", c.name, at, o)
				}
			}
			boxes = append(boxes, at)
		}
	}
}

// TestLevelsNamed draws boards of several levels with the letters by which squares name them.
func TestLevelsNamed(t *testing.T) {
	for spec, letters := range map[string]string{"qubic": "abcd", "cube:3,3": "abc"} {
		var svg bytes.Buffer
		if err := picture.Draw(&svg, "svg", after(t, spec, ""), picture.Style{}); err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, found := range regexp.MustCompile(`<text[^>]*>([a-z])</text>`).FindAllStringSubmatch(svg.String(), -1) {
			said += found[1]
		}
		if said != letters {
			t.Errorf("%s: levels %q, want %q", spec, said, letters)
		}
	}
}

func keep(t *testing.T, name string, card bool, data []byte) {
	dir := os.Getenv(shotsEnv)
	if dir == "" {
		return
	}
	if card {
		name += "-card"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "picture-"+name+".png"), data, 0o644); err != nil {
		t.Error(err)
	}
}

func wellFormed(t *testing.T, name string, svg []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("the SVG of %s: %v", name, err)
		}
	}
}

func colours(img image.Image) int {
	seen := map[[3]uint32]bool{}
	for y := 0; y < img.Bounds().Dy(); y += 3 {
		for x := 0; x < img.Bounds().Dx(); x += 3 {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}

// TestReplyMap checks the maps of 3×3: a board for each way in which the other side can reply to
// the seat's moves, one mark in each square that it replies with, and never a loss of the seat.
func TestReplyMap(t *testing.T) {
	l := lab.Lab{}
	g, err := l.Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	for seat, mark := range map[oxo.Seat]byte{oxo.First: 'x', oxo.Second: 'o'} {
		m, err := g.Solving().ReplyMap(t.Context(), "", seat)
		if err != nil {
			t.Fatal(err)
		}
		boards, over := 0, 0
		var walk func(m *lab.ReplyMap)
		walk = func(m *lab.ReplyMap) {
			boards++
			marks := strings.ReplaceAll(strings.Fields(m.Position)[0], "/", "")
			if m.Move >= 0 && marks[m.Move] != mark {
				t.Errorf("%s: no mark of %v at %d", m.Position, seat, m.Move)
			}
			if len(m.Replies) == 0 {
				over++
				r, err := g.Solving().Solve(t.Context(), lab.SolveOptions{Position: m.Position})
				if err != nil || r.Remoteness == nil || *r.Remoteness != 0 || r.Value == seat.Other().String() {
					t.Errorf("%s: %+v %v, want an end that %v has not lost", m.Position, r, err, seat)
				}
			} else if len(m.Replies) != strings.Count(marks, ".") {
				t.Errorf("%s: %d replies", m.Position, len(m.Replies))
			}
			for square, reply := range m.Replies {
				after := strings.ReplaceAll(strings.Fields(reply.Position)[0], "/", "")
				if marks[square] != '.' || after[square] == '.' || after[square] == mark {
					t.Errorf("%s: the reply at %d leads to %s", m.Position, square, reply.Position)
				}
				walk(reply)
			}
		}
		walk(m)
		if boards < 30 || over < 20 {
			t.Errorf("%v: %d boards, %d of them over", seat, boards, over)
		}
		var svg bytes.Buffer
		if err := picture.DrawReplyMap(&svg, "svg", g.Info(), m, false); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(svg.Bytes(), new(struct{})); err != nil {
			t.Error(err)
		}
	}
}

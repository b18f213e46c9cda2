package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/model"
	"oxo/learn/space"
)

// menaceCurve is the curve of five learners.
func menaceCurve(t *testing.T) *Curve {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(t.Context(), board.Game64("test", "test", b, board.Normal), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	x, err := exam.NewExaminer(t.Context(), a, nil)
	if err != nil {
		t.Fatal(err)
	}
	menace, err := model.Parse("menace")
	if err != nil {
		t.Fatal(err)
	}
	opponent := learn.NewMixOpponent(a.Space, space.UniformOverBest(a.Space))
	games, names, values := []int{0, 20, 40, 60, 80, 95}, []string{}, make([][][]float64, 5)
	var bases []exam.Basis
	for run := range values {
		one, err := learn.New(a.Space, menace, learn.Plan{Against: "perfect"}, opponent, uint64(run))
		if err != nil {
			t.Fatal(err)
		}
		m := learn.JoinMeasures(learn.ExamMeasure(x), learn.ParameterMeasure)(one)
		names, bases = m.Names, m.Bases
		for _, at := range games {
			err := one.Run(t.Context(), at-one.Tally().Games, nil)
			if err != nil {
				t.Fatal(err)
			}
			point, err := m.Take(t.Context())
			if err != nil || m.Exam().Game == "" {
				t.Fatal(err)
			}
			values[run] = append(values[run], point)
		}
	}
	c, err := JoinRuns(games, names, bases, values)
	if err != nil {
		t.Fatal(err)
	}
	c.Title = "MENACE"
	return c
}

func TestCurve(t *testing.T) {
	c := menaceCurve(t)
	if len(c.Games) != 6 || c.Games[5] != 95 || len(c.Lines) != 2*(4*3+2)+3 {
		t.Fatalf("games %v, %d lines", c.Games, len(c.Lines))
	}
	for _, s := range c.Lines {
		for i := range s.Mean {
			if !(s.Low[i] <= s.High[i]) || math.IsNaN(s.Mean[i]) {
				t.Fatalf("%s at game %d: %v in %v…%v", s.Name, c.Games[i], s.Mean[i], s.Low[i], s.High[i])
			}
		}
	}
	beads := c.WithLines(func(name string) bool { return strings.HasPrefix(name, "beads on ") })
	if len(beads.Lines) != 3 || beads.Lines[0].Mean[0] != 4 {
		t.Errorf("the first box: %+v, want 3 colours of 4 beads", beads.Lines)
	}
	var one bytes.Buffer
	if err := c.WriteCSV(&one); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(one.String(), "\n"); lines != 7 {
		t.Errorf("%d lines of CSV, want 7", lines)
	}
	var svg, pixels bytes.Buffer
	if err := errors.Join(beads.WritePlot(&svg, "svg"), beads.WritePlot(&pixels, "png")); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg.Bytes())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"MENACE", "training games", "beads"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the plot does not say %q", want)
		}
	}
	if img, err := png.Decode(&pixels); err != nil || img.Bounds().Dx() < 400 {
		t.Errorf("the PNG: %v", err)
	}
	if err := c.WritePlot(io.Discard, "gif"); err == nil {
		t.Error("a plot is drawn as gif")
	}
}

// TestPlotRoom: the names of the lines stand beside what is drawn, and a long
// title is within the picture.
func TestPlotRoom(t *testing.T) {
	c := &Curve{Runs: 1, Games: []int{0, 10},
		Title: "lms:features=threats,states=after,ends=known,fit=exact,target=outcome,epsilon=0.2 on mnk:3,3,3 " +
			"against optimal"}
	for i := range 40 {
		c.Lines = append(c.Lines, Series{Name: fmt.Sprintf("%% won against %d", i), Mean: []float64{0, float64(i)}})
	}
	var svg bytes.Buffer
	if err := c.WritePlot(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	texts := regexp.MustCompile(`(?s)<text x="([^"]*)" y="([^"]*)"[^>]*>([^<]*)<`).FindAllStringSubmatch(svg.String(),
		-1)
	if len(texts) < 40 {
		t.Fatalf("%d texts", len(texts))
	}
	for _, text := range texts {
		if text[3] == "% of games" { // upright
			continue
		}
		x, y := 0.0, 0.0
		if _, err := fmt.Sscan(text[1]+" "+text[2], &x, &y); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(text[3], "% won") != (x > 7*72) || x < 0 || y < 0 {
			t.Errorf("%q stands at %v, %v", text[3], x, y)
		}
	}
	for want, lines := range map[string]string{"% of games": "% won:exam|% lost:exam|% won:games",
		"beads": "beads on a3:beads", "weight": "own marks:weights|wins:weights", "": "mistakes:exam|% won:exam",
		"% of positions": "% kept:positions", "loss": "loss:loss", "mistakes": "mistakes as first:exam"} {
		c := &Curve{}
		for line := range strings.SplitSeq(lines, "|") {
			name, of, _ := strings.Cut(line, ":")
			c.Lines = append(c.Lines, Series{Name: name, Basis: exam.Basis{Of: of}})
		}
		if got := c.commonUnit(); got != want {
			t.Errorf("lines of %s measure %q, want %q", lines, got, want)
		}
	}
}

// TestSampleSaid: plots say of a sample, and of nothing else, that it is one, and how large.
func TestSampleSaid(t *testing.T) {
	c := &Curve{Games: []int{0, 10}, Runs: 1, Lines: []Series{
		{Name: "% won against rows", Basis: exam.Basis{Of: "games", Size: 10}, Mean: []float64{0, 30}},
		{Name: "% kept", Basis: exam.Basis{Of: "positions", Size: 301}, Mean: []float64{50, 60}},
		{Name: "% won as first against random", Basis: exam.Basis{Of: "exam"}, Mean: []float64{1, 2}},
		{Name: "wins", Basis: exam.Basis{Of: "weights"}, Mean: []float64{1, 2}},
	}}
	var text, svg strings.Builder
	if err := errors.Join(c.WriteText(&text, 80), c.WritePlot(&svg, "svg")); err != nil {
		t.Fatal(err)
	}
	for _, said := range []string{text.String(), svg.String()} {
		for _, want := range []string{"% won against rows (a sample of 10 games a point)",
			"% kept (a sample of 301 positions a point)"} {
			if !strings.Contains(said, want) {
				t.Errorf("the plot does not say %q:\n%s", want, said)
			}
		}
		if strings.Count(said, "sample") != 2 {
			t.Errorf("something else is called a sample:\n%s", said)
		}
	}
}

func TestPercentile(t *testing.T) {
	list := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	if percentile(list, 0.1) != 1 || percentile(list, 0.9) != 9 || percentile(list[:1], 0.9) != 0 ||
		percentile(list[:2], 0.5) != 0.5 {
		t.Error("percentiles of 0…10 are not 1 and 9")
	}
}

// TestWriteText reads lines back from their letters: each column's row is the mean there to
// within half a row, steep lines have no gaps, and nothing is wider than what was asked for.
func TestWriteText(t *testing.T) {
	c := &Curve{Title: "two lines", Games: []int{0, 10, 40}, Runs: 1, Lines: []Series{
		{Name: "% won as first", Mean: []float64{0, 100, 50}},
		{Name: "% won as second", Mean: []float64{20, 20, 20}},
	}}
	var b strings.Builder
	if err := c.WriteText(&b, 60); err != nil {
		t.Fatal(err)
	}
	text := strings.Split(b.String(), "\n")
	for _, line := range text {
		if len(line) > 60 {
			t.Errorf("%q is wider than 60 columns", line)
		}
	}
	rows := text[1:17]
	at := func(x, y int) byte {
		if x += 10; x < len(rows[y]) {
			return rows[y][x]
		}
		return ' '
	}
	for x := range 50 {
		games := 40 * float64(x) / 49
		mean := 10 * games
		if games > 10 {
			mean = 100 - (games-10)*50/30
		}
		if y := int(math.Round((100 - mean) / 100 * 15)); at(x, y) != 'a' {
			t.Errorf("after %.1f games line a is not in row %d: %q", games, y, at(x, y))
		}
		if low := at(x, 12); low != 'a' && low != 'b' {
			t.Errorf("after %.1f games line b is not in row 12: %q", games, low)
		}
	}
	for y := range rows {
		if !strings.Contains(rows[y], "a") {
			t.Errorf("line a has a gap in row %d", y)
		}
	}
	if !strings.Contains(b.String(), "  b  % won as second: 20\n") || !strings.Contains(b.String(), "40 games\n") {
		t.Errorf("names and games are not told:\n%s", b.String())
	}
	if !strings.HasSuffix(b.String(), "\n  where lines meet, the first one's letter stands\n") {
		t.Errorf("it is not told whose letter stands where lines meet:\n%s", b.String())
	}
	for _, none := range []*Curve{{}, {Games: []int{0}, Lines: []Series{{Name: "w", Mean: []float64{3}}}}} {
		if err := none.WriteText(&b, 0); err != nil {
			t.Error(err)
		}
	}
}

// TestReadCSV: what is no curve of one run is refused with what is wrong, and a curve that is read is
// written as it was.
func TestReadCSV(t *testing.T) {
	const good = "games,% won,% won p10,% won p90\n0,0.25,,\n20,0.5,,\n"
	former, err := ReadCSV(strings.NewReader(good))
	if err != nil || !slices.Equal(former.Games, []int{0, 20}) || !slices.Equal(former.Names(), []string{"% won"}) {
		t.Fatalf("%+v, %v", former, err)
	}
	var again bytes.Buffer
	if err := former.WriteCSV(&again); err != nil || again.String() != good {
		t.Errorf("written %q, %v", &again, err)
	}
	old, err := ReadCSV(strings.NewReader("games,% won,% won p10,% won p90\n0,0.25,0.25,0.25\n20,0.5,0.5,0.5\n"))
	if err != nil || !reflect.DeepEqual(old, former) {
		t.Errorf("a curve with bands of its one run is read as %+v, %v", old, err)
	}
	var sampled bytes.Buffer
	few := *former
	few.Lines = []Series{former.Lines[0]}
	few.Lines[0].Basis = exam.Basis{Of: "games", Size: 10}
	if err := few.WriteCSV(&sampled); err != nil ||
		!strings.HasPrefix(sampled.String(), "games,% won (a sample of 10 games a point),") {
		t.Errorf("a sample is written %q, %v", &sampled, err)
	}
	if got, err := ReadCSV(&sampled); err != nil || !reflect.DeepEqual(got, former) {
		t.Errorf("a sample is read as %+v, %v", got, err)
	}
	for from, all := range map[int][]int{20: {0, 20, 30}, 25: {0, 20, 25, 30}} {
		next := &Curve{Runs: 1, Games: []int{from, 30}, Lines: []Series{{Name: "% won", Basis: exam.Basis{Of: "exam"},
			Mean: []float64{7, 8}, Low: []float64{7, 8}, High: []float64{7, 8}}}}
		whole := next.PrecededBy(former)
		s := whole.Lines[0]
		if !slices.Equal(whole.Games, all) || s.Mean[1] != 0.5 || s.Mean[len(all)-1] != 8 || s.Basis.Of != "exam" ||
			len(s.Mean) != len(all) || len(s.Low) != len(all) || len(s.High) != len(all) || len(next.Games) != 2 {
			t.Errorf("from %d games on: %+v", from, whole)
		}
	}
	for text, why := range map[string]string{
		"":                            "no learning curve",
		"a,b\n":                       "no learning curve",
		"games,a\n":                   "no learning curve",
		"games,a,b,c\nx,1,1,1\n":      `"x" is no number of games`,
		"games,a,b,c\n20,y,y,y\n":     `after 20 games: "y" is no number`,
		"games,a,b,c\n20,1,1\n":       "wrong number of fields",
		"games,a,b,c\n20,1,0.5,1.5\n": "several runs",
		"games,a,b,c\n20,1,1,\n":      "several runs",
	} {
		if _, err := ReadCSV(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %s", text, err, why)
		}
	}
}

package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"regexp"
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
	opponent := learn.NewMixOpponent(a.Space, space.Optimal(a.Space))
	games, names, values := []int{0, 20, 40, 60, 80, 95}, []string{}, make([][][]float64, 5)
	for run := range values {
		one, err := learn.New(a.Space, menace, learn.Plan{Against: "perfect"}, opponent, uint64(run))
		if err != nil {
			t.Fatal(err)
		}
		m := learn.JoinMeasures(learn.ExamMeasure(x), learn.ProbeMeasure)(one)
		names = m.Names
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
	c, err := JoinRuns(games, names, values)
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
	beads := c.Only(func(name string) bool { return strings.HasPrefix(name, "beads on ") })
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
	for want, names := range map[string]string{"% of games": "% won|% lost", "beads": "beads on a3",
		"weight": "own marks|wins", "": "mistakes|% won"} {
		c := &Curve{}
		for name := range strings.SplitSeq(names, "|") {
			c.Lines = append(c.Lines, Series{Name: name})
		}
		if got := c.commonUnit(); got != want {
			t.Errorf("lines of %s measure %q, want %q", names, got, want)
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

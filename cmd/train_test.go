package cmd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/learn"
)

// TestPace: where a brain goes on, the games that it has played before tell
// nothing of how fast the others are.
func TestPace(t *testing.T) {
	if left := timeLeft(2000, 10_000, 4); left != 16*time.Second {
		t.Errorf("2,000 of 10,000 games in 4 s: %v left", left)
	}
	if left := timeLeft(7, 5, 0); left != 0 {
		t.Errorf("after all games %v are left", left)
	}
}

// TestTeachingStopped: Ctrl-C while a person teaches loses no game that ended.
func TestTeachingStopped(t *testing.T) {
	out := filepath.Join(t.TempDir(), "t.brain")
	ctx, stop := context.WithCancel(t.Context())
	in, moves := io.Pipe()
	go func() {
		_, _ = io.WriteString(moves, "resign\n") // then nobody types any more
	}()
	go func() {
		await(out, ctx.Done())
		stop()
	}()
	var printed, errs bytes.Buffer
	status := runCommandLine(ctx, []string{"train", "q", "--against", "human", "--seats", "second", "--out", out}, in,
		&printed,
		&errs)
	data, err := readSealed(out)
	if err != nil {
		t.Fatal(err)
	}
	if brain, err := learn.ReadBrain(data); status != exitDone || err != nil || brain.Tally.Games != 1 {
		t.Errorf("exit %d, %+v, %v: %s%s", status, brain, err, &printed, &errs)
	}
	if !strings.Contains(printed.String(), "1 game in ") {
		t.Errorf("printed %s", &printed)
	}
	moves.Close()
}

// TestTrainingStopped: the points of a training that is stopped are written, with its brain.
func TestTrainingStopped(t *testing.T) {
	t.Parallel()
	csv, png, out := filepath.Join(t.TempDir(), "k.csv"), filepath.Join(t.TempDir(), "k.png"),
		filepath.Join(t.TempDir(), "k.brain")
	for _, plot := range []string{png, terminal} {
		for wait := time.Second; ; wait *= 2 { // until something was measured
			_ = os.Remove(csv) // what the time before wrote
			ctx, stop := context.WithTimeout(t.Context(), wait)
			var printed, errs bytes.Buffer
			status := runCommandLine(ctx, []string{"train", "table", "--games", "1000000000", "--exam-every", "50",
				"--curve", csv, "--plot", plot, "--out", out}, strings.NewReader(""), &printed, &errs)
			stop()
			rows, _ := os.ReadFile(csv)
			if n := bytes.Count(rows, []byte("\n")); n < 3 && wait < 30*time.Second {
				continue
			} else if n < 3 || strings.Contains(printed.String(), "no learning curve") ||
				!strings.Contains(printed.String(), "learning curve written to "+csv) {
				t.Errorf("--plot %s: status %d, %d rows, printed %s%s", plot, status, n, &printed, &errs)
			}
			if plot == terminal && !strings.Contains(printed.String(), "\n  a  exploitability as first: ") {
				t.Errorf("no curve is drawn: %s", &printed)
			}
			break
		}
	}
	if drawn, err := os.ReadFile(png); err != nil || !bytes.HasPrefix(drawn, []byte("\x89PNG")) {
		t.Errorf("the picture: %v", err)
	}
}

// TestTrainFiles: the summary of a training names the files that were written, and no others.
func TestTrainFiles(t *testing.T) {
	out := filepath.Join(t.TempDir(), "b.brain")
	for _, args := range [][]string{{"--out", out}, nil} {
		var printed, errs bytes.Buffer
		if status := runCommandLine(t.Context(), append([]string{"train", "table", "--games", "20", "--runs", "2",
			"--json"}, args...), strings.NewReader(""), &printed, &errs); status != exitDone {
			t.Fatalf("exit %d: %s", status, &errs)
		}
		var sum jobs.TrainSummary
		if err := json.Unmarshal(printed.Bytes(), &sum); err != nil || len(sum.Runs) != 2 {
			t.Fatalf("%v: %s", err, &printed)
		}
		want := ""
		if args != nil {
			want = out
		}
		if sum.Runs[0].File != want || sum.Runs[1].File != "" {
			t.Errorf("%v: files %q and %q", args, sum.Runs[0].File, sum.Runs[1].File)
		}
	}
}

// TestFolderGone: a brain whose folder is gone at the end is kept beside it, and the error says where.
func TestFolderGone(t *testing.T) {
	t.Chdir(t.TempDir())
	kept := brainFiles{out: filepath.Join("gone", "td.brain")}
	err := kept.writeBrains([]byte("a brain"), "td:epsilon=0", false)
	if data, _ := os.ReadFile("td.brain"); err == nil || !strings.Contains(err.Error(), "is written to td.brain") ||
		!bytes.Contains(data, []byte("a brain")) {
		t.Errorf("%v; %q", err, data)
	}
}

// TestWatchedByKey: before Enter a weight can be set, and what is no weight is refused by its name.
func TestWatchedByKey(t *testing.T) {
	g, err := new(lab.Lab).Game("meta")
	if err != nil {
		t.Fatal(err)
	}
	trainer, err := g.Learning().NewOrResumedTrainer(t.Context(), lab.TrainOptions{Learner: "td-leaf",
		Against: "static:depth=1"})
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	s := &trainingView{app: &app{printer: printer{out: &said}}, ctx: t.Context(), trainer: trainer,
		in: bufio.NewReader(strings.NewReader("bords=2\nboards=x\nboards=4.5\n\nq\n"))}
	if err := s.waitForKey(); err != nil || trainer.Weights()[0].Weight != 4.5 || trainer.Weights()[1].Weight != 1 {
		t.Errorf("%v, weights %v", err, trainer.Weights())
	}
	if text := said.String(); !strings.Contains(text, `"bords"; there are boards, centres`) ||
		!strings.Contains(text, "boards=x: it must be a number") {
		t.Errorf("said %s", text)
	}
	if err := s.waitForKey(); err != errSeen {
		t.Errorf("q: %v", err)
	}
	s.showTerms(learn.Seen{})
	if text := said.String(); !strings.Contains(text, "here: the features before its move; expected: in the") {
		t.Errorf("what the columns are is not in %s", text)
	}
}

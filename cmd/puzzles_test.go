package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"oxo/lab"
)

// TestPuzzlesStopped: puzzles that were found when the verb is stopped are in the file.
func TestPuzzlesStopped(t *testing.T) {
	out := filepath.Join(t.TempDir(), "puzzles.jsonl")
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(wait, stop)
		var said bytes.Buffer
		code := runCommandLine(ctx, []string{"puzzles", "mnk:5,5,4", "--count", "100000", "--out", out},
			strings.NewReader(""), &said, &said)
		stop()
		if code == exitDone {
			t.Fatalf("it was never stopped: %s", &said)
		}
		data, err := os.ReadFile(out)
		if os.IsNotExist(err) && wait < time.Minute { // none was found so soon
			continue
		}
		lines := bytes.Count(data, []byte("\n"))
		want := countOf(lines, "puzzle", "puzzles") + " in "
		if lines == 0 || !strings.Contains(said.String(), want) || !strings.Contains(said.String(), "stopped") {
			t.Errorf("%d puzzles, status %d: %s", lines, code, &said)
		}
		return
	}
}

// TestPuzzleLeft: a puzzle that is left untried counts for nothing, and its answer is not told.
func TestPuzzleLeft(t *testing.T) {
	var said bytes.Buffer
	code := runCommandLine(t.Context(), []string{"puzzles", "mnk:4,3,3+misere", "--play", "--seed", "1"},
		strings.NewReader("next\nanswer\nquit\n"), &said, &said)
	if text := said.String(); code != exitDone || strings.Count(text, "It is ") != 1 ||
		!strings.Contains(text, "0 of 1 at") {
		t.Errorf("status %d: %s", code, &said)
	}
}

// TestPuzzleAgain: after a wrong move the board is drawn again, with what is asked, and at last the one with the
// answer.
func TestPuzzleAgain(t *testing.T) {
	wrong := "a1 a2 a3 b1 b2 b3 c1 c2 c3 d1 d2 d3" // of which some are taken, and one is right
	var said bytes.Buffer
	code := runCommandLine(t.Context(), []string{"puzzles", "mnk:4,3,3", "--theme", "block", "--play", "--count", "1",
		"--seed", "1"},
		strings.NewReader(strings.ReplaceAll(wrong, " ", "\n")), &said, &said)
	text := said.String()
	again, goals := strings.Count(text, "Try again."), strings.Count(text, "to move: block")
	if code != exitDone || again == 0 || goals != again+1 || strings.Count(text, "a  b  c  d") != goals+1 {
		t.Errorf("status %d, %d wrong moves, set %d times: %s", code, again, goals, text)
	}
}

// TestPuzzleDifficulty: easier puzzles are rated below those that are set else, harder ones above.
func TestPuzzleDifficulty(t *testing.T) {
	rated := map[string]int{}
	for _, difficulty := range []string{"easier", "", "harder"} {
		var said bytes.Buffer
		if code := runCommandLine(t.Context(), []string{"puzzles", "--play", "--seed", "1", "--difficulty",
			difficulty},
			strings.NewReader("quit\n"), &said, &said); code != exitDone {
			t.Fatalf("status %d: %s", code, &said)
		}
		_, rest, _ := strings.Cut(said.String(), "  rating ")
		line, _, _ := strings.Cut(rest, "\n")
		rated[difficulty], _ = strconv.Atoi(line)
	}
	if rated["easier"] == 0 || rated["easier"] >= rated[""] || rated[""] >= rated["harder"] {
		t.Errorf("rated %v", rated)
	}
	for words, want := range map[string]string{"--play --difficulty hard": "easier or harder",
		"ttt --difficulty harder": "it goes with --play"} {
		var said bytes.Buffer
		if code := runCommandLine(t.Context(), append([]string{"puzzles"}, strings.Fields(words)...),
			strings.NewReader(""), &said, &said); code == exitDone || !strings.Contains(said.String(), want) {
			t.Errorf("%s: status %d: %s", words, code, &said)
		}
	}
}

// TestPuzzlesDiffer: without a seed one is drawn, by which the same puzzle is set again, and the move that is an
// example is not the answer.
func TestPuzzlesDiffer(t *testing.T) {
	play := func(more ...string) string {
		var said bytes.Buffer
		words := append(strings.Fields("puzzles ttt --play --count 1 --theme block"), more...)
		code := runCommandLine(t.Context(), words, strings.NewReader("answer\n"), &said, &said)
		if code != exitDone {
			t.Fatalf("status %d: %s", code, &said)
		}
		return said.String()
	}
	for range 8 {
		told, puzzle, ok := strings.Cut(play(), " the same puzzles are set again.\n\n")
		if !ok || play(strings.Fields(strings.TrimPrefix(told, "With "))...) != puzzle {
			t.Fatalf("%s", told)
		}
		_, example, _ := strings.Cut(puzzle, "such as ")
		_, answer, _ := strings.Cut(puzzle, "It is ")
		if example[:2] == answer[:2] {
			t.Errorf("the answer is an example: %s", puzzle)
		}
	}
}

// TestPuzzlesApart: of puzzles that are set or found together none is a few plies on in the game of another, as long as
// there are others.
func TestPuzzlesApart(t *testing.T) {
	for range 20 {
		list, set := lab.CarriedPuzzles("cube:4,3", ""), []lab.Puzzle(nil)
		list = slices.Clone(list)
		rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for range 10 {
			var z lab.Puzzle
			z, list = takeNearestRating(list, set, 950)
			if slices.ContainsFunc(set, func(of lab.Puzzle) bool { return of.IsAkin(&z) }) {
				t.Errorf("%s is set after %v", z.Position, set)
			}
			set = append(set, z)
		}
	}
	for game, count := range map[string]int{"ultimate": 3, "mnk:4,4,4": 4, "ttt": 6} {
		var said bytes.Buffer
		if code := runCommandLine(t.Context(), []string{"puzzles", game, "--json", "--count", strconv.Itoa(count)},
			strings.NewReader(""), &said, &said); code != exitDone {
			t.Fatalf("status %d: %s", code, &said)
		}
		var list []lab.Puzzle
		for line := range strings.Lines(said.String()) {
			var z lab.Puzzle
			if err := json.Unmarshal([]byte(line), &z); err != nil {
				t.Fatal(err)
			}
			if game != "ttt" && slices.ContainsFunc(list, func(of lab.Puzzle) bool { return of.IsAkin(&z) }) {
				t.Errorf("%s is found with %v", z.Position, list)
			}
			list = append(list, z)
		}
		if len(list) != count {
			t.Errorf("%s: %d puzzles, want %d", game, len(list), count)
		}
	}
}

// TestPuzzleToTheEnd: a fork is played on until the win is there, from the board that is drawn after each reply, and is
// solved at the first try only then.
func TestPuzzleToTheEnd(t *testing.T) {
	play := func(lines ...string) string {
		var said bytes.Buffer
		code := runCommandLine(t.Context(), []string{"puzzles", "mnk:4,4,4", "--theme", "fork", "--play",
			"--count", "1", "--seed", "1"}, strings.NewReader(strings.Join(lines, "\n")+"\n"), &said, &said)
		if code != exitDone {
			t.Fatalf("status %d: %s", code, &said)
		}
		return said.String()
	}
	told := func(text string) string {
		_, rest, _ := strings.Cut(text, "It is ")
		move, _, _ := strings.Cut(rest, ".")
		return move
	}
	first := told(play("answer"))
	text := play(first, "answer")
	last := told(text)
	if !strings.Contains(text, "go on.\n\n") || strings.Count(text, "a  b  c  d") != 3 ||
		!strings.Contains(text, "0 of 1 at") {
		t.Errorf("%s", text)
	}
	if text = play(first, last); !strings.Contains(text, "wins.\n\n") || !strings.Contains(text, "1 of 1 at") {
		t.Errorf("%s", text)
	}
	if text = play(first, "hint", last); strings.Contains(text, "at the first try") {
		t.Errorf("with a hint it counts: %s", text)
	}
}

package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"oxo/arena"
	"oxo/lab/jobs"
)

// TestFair has illegal moves, and nothing else, end a contest with status 1.
func TestFair(t *testing.T) {
	for _, c := range []struct {
		faults []arena.Faults
		want   error
	}{
		{nil, nil},
		{[]arena.Faults{{}, {Time: 2, Crashed: 3}}, nil},
		{[]arena.Faults{{}, {Illegal: 1}}, errNo},
		{[]arena.Faults{{Illegal: 2}, {}}, errNo},
	} {
		if got := illegalMoveError(c.faults...); got != c.want {
			t.Errorf("%+v: %v, want %v", c.faults, got, c.want)
		}
	}
}

// TestStoppedMatch: a match that is stopped tells how far it came and where its games are.
func TestStoppedMatch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "games.pgn")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, `nothing is kept: --save FILE keeps games`},
		{[]string{"--save", path}, `they are in ` + regexp.QuoteMeta(path)},
	} {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		var out, errs strings.Builder
		status := runCommandLine(ctx, append([]string{"match", "random", "heuristic", "--games", "500000"},
			c.args...), strings.NewReader(""), &out, &errs)
		stop()
		want := regexp.MustCompile(`oxo: stopped after [0-9,]+ games; (random|heuristic) has [0-9.e+]+ of [0-9]+; ` +
			`(random|heuristic) has [0-9.e+]+ of [0-9]+; ` + c.want)
		if status == 0 || out.Len() > 0 || !want.MatchString(errs.String()) {
			t.Errorf("%v: status %d, %q, %q", c.args, status, out.String(), errs.String())
		}
	}
}

// TestArenaPage: the contests on the page of the arena come out as it says.
func TestArenaPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/arena.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"match mcts:sims=400 mcts:sims=100 --game mnk:7,6,4+gravity --games 200 --openings 2",
		"tournament perfect heuristic rows random --games 20"} {
		var out, errs bytes.Buffer
		words := append(strings.Fields(line), "--workers", "1")
		if code := runCommandLine(t.Context(), words, strings.NewReader(""), &out, &errs); code != exitDone {
			t.Fatalf("%s: %s", line, &errs)
		}
		told := "    " + strings.ReplaceAll(strings.TrimSpace(out.String()), "\n", "\n    ")
		if !bytes.Contains(page, []byte("    oxo "+line+"\n")) || !bytes.Contains(page, []byte(told)) {
			t.Errorf("the page does not have oxo %s and\n%s", line, told)
		}
	}
}

// TestRounded: what rounds to nothing is printed without a sign.
func TestRounded(t *testing.T) {
	var out bytes.Buffer
	a := printer{out: &out, errs: &out}
	a.printMatch(&jobs.MatchSummary{Names: []string{"a", "b"}, SPRT: true,
		MatchResult: arena.MatchResult{Elo: arena.Elo{Elo: -1e-9, Normalized: -0.04}, LLR: -1e-7}})
	a.printTournament(&jobs.TournamentSummary{Names: []string{"a", "b"},
		Rows: []arena.Row{{Name: "a", Rating: -1e-9, Cross: make([]arena.Score, 2)}}})
	if strings.Contains(out.String(), "-0.0") || strings.Contains(out.String(), "counted besides") {
		t.Error(out.String())
	}
	a.printTournament(&jobs.TournamentSummary{Names: []string{"a"},
		Rows: []arena.Row{{Name: "a", Added: 1.0 / 3, Cross: make([]arena.Score, 1)}}})
	if !strings.Contains(out.String(), "\nratings:  between every two players 0.3333 of a win and as much") {
		t.Error(out.String())
	}
	if got := rounded(-1.26, 1); got != -1.3 {
		t.Errorf("-1.26 is rounded to %v", got)
	}
}

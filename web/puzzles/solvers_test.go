package puzzles

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"oxo/lab"
	"oxo/web/service"
)

// TestDays counts days in a row.
func TestDays(t *testing.T) {
	day := time.Date(2026, 2, 28, 23, 0, 0, 0, time.UTC)
	var w Solver
	for _, c := range []struct{ after, days int }{{0, 1}, {0, 1}, {1, 2}, {1, 3}, {2, 1}, {1, 2}, {-1, 2}, {2, 3}} {
		day = day.AddDate(0, 0, c.after)
		if w.extendDayStreak(day); w.Days != c.days {
			t.Errorf("on %s: %d days", w.Day, w.Days)
		}
	}
	for after, days := range []int{3, 3, 0} {
		if w.endDayStreakIfMissed(day.AddDate(0, 0, after)); w.Days != days {
			t.Errorf("%d days after %s: %d days in a row", after, w.Day, w.Days)
		}
	}
	begun := lab.DailyPuzzle(day) // at 23:00
	for after, want := range map[time.Duration]bool{0: true, 90 * time.Minute: true, 3 * time.Hour: false} {
		if of, ok := dayOfDailyPuzzle(begun, day.Add(after)); ok != want || ok && of.Format(time.DateOnly) != w.Day {
			t.Errorf("%v after %v its puzzle is that of %v, %t", after, day, of, ok)
		}
	}
}

// TestReportOfPeriod: of a period count the tries from its first day on, and the rating begins where it stood before.
func TestReportOfPeriod(t *testing.T) {
	s := &solvers{Base: &service.Base{}}
	var tries []try
	for i, on := range []string{"", "2026-02-20", "2026-02-27", "2026-02-28"} {
		z := lab.CarriedPuzzles("mnk:4,4,4", "")[i]
		tries = append(tries, try{ID: z.ID, Right: i > 1, Rating: 1000 + 10*float64(i), On: on})
	}
	for since, want := range map[string]SolverReport{
		"":           {Begins: 1000, Ratings: []int{1000, 1010, 1020, 1030}},
		"2026-02-27": {Begins: 1010, Ratings: []int{1020, 1030}, Undated: 1},
		"2026-03-01": {Ratings: []int{}, Undated: 1},
	} {
		r, err := s.report(t.Context(), &Solver{Rating: lab.Newcomer()}, tries, since)
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		for _, of := range r.Games {
			tried += of.Tried
		}
		if r.Begins != want.Begins || !slices.Equal(r.Ratings, want.Ratings) || r.Undated != want.Undated ||
			tried != len(want.Ratings) {
			t.Errorf("since %q: %+v", since, r)
		}
	}
}

// TestTriesOfOld reads lists of identities, of which it is not known how they went, and writes what it reads.
func TestTriesOfOld(t *testing.T) {
	kept := []try{{ID: "a"}, {ID: "b", Right: true, Rating: 1012.5}, {ID: "c", Redone: true, Rating: 990}}
	data, err := json.Marshal(kept)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(data), `["a",` + string(data[len(`[{"id":"a","right":false,"rating":0},`):])} {
		var read []try
		if err := json.Unmarshal([]byte(text), &read); err != nil || !slices.Equal(read, kept) {
			t.Errorf("%s: %+v, %v", text, read, err)
		}
	}
	if slices.ContainsFunc(kept, try.missed) || !(try{ID: "d", Rating: 900}).missed() {
		t.Error("only a wrong try that was not redone is missed")
	}
	var bad []try
	if err := json.Unmarshal([]byte(`[7]`), &bad); err == nil {
		t.Error("a number is read as a try")
	}
}

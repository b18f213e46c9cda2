package puzzle

import (
	"bytes"
	"compress/gzip"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestCarried: the collection is as large as it is said to be, and no puzzle is in it twice.
func TestCarried(t *testing.T) {
	games, ids := map[string]int{}, map[string]bool{}
	for _, z := range Carried() {
		games[z.Game]++
		if ids[z.ID] {
			t.Errorf("%s is there twice", z.ID)
		}
		ids[z.ID] = true
		if z.Rating < leastRating || z.Rating > firstRating(mostHardness) {
			t.Errorf("%s: rating %d", z.ID, z.Rating)
		}
		if found, ok := FindCarried(z.ID); !ok || !reflect.DeepEqual(found, z) || z.Also != nil {
			t.Errorf("%s is not found", z.ID)
		}
	}
	least := 0
	for game, n := range games {
		if n >= 100 {
			least++
		} else {
			t.Logf("%s: only %d puzzles", game, n)
		}
	}
	t.Logf("%d puzzles, 100 and more of %d games, in %d bytes", len(ids), least, len(collection))
	if len(ids) < 5000 || least < 20 || len(collection) > 300_000 {
		t.Errorf("%d puzzles, 100 and more of %d games, in %d bytes", len(ids), least, len(collection))
	}
}

// TestOf finds puzzles by game and theme.
func TestOf(t *testing.T) {
	all := 0
	for _, theme := range Themes() {
		n := len(CarriedOf("", theme))
		if all += n; n == 0 {
			t.Errorf("no puzzle is of the theme %s", theme)
		}
		for _, z := range CarriedOf("mnk:4,4,4", theme) {
			if z.Theme != theme || z.Game != "mnk:4,4,4" {
				t.Errorf("%+v", z)
			}
		}
	}
	if all != len(Carried()) || len(CarriedOf("no game", "")) != 0 {
		t.Errorf("%d of all themes, %d in all", all, len(Carried()))
	}
}

// TestWritten reads what was written.
func TestWritten(t *testing.T) {
	list := Carried()[:50]
	var b bytes.Buffer
	if err := WriteCollection(&b, list); err != nil {
		t.Fatal(err)
	}
	got, err := readCollection(&b)
	if err != nil || !reflect.DeepEqual(got, list) {
		t.Errorf("%v: %v", err, got)
	}
}

func packed(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// TestRefused names what is wrong with a line.
func TestRefused(t *testing.T) {
	const good = "ttt\tx..\twin\ta1\t3\t900\twins\tsolution\n"
	for text, word := range map[string]string{
		good + "ttt\tx..\twin\ta1\t3\t900\twins": "line 2: 7 fields", strings.Replace(good, "win", "lose", 1): `"lose"`,
		strings.Replace(good, "win", "", 1): "theme", strings.Replace(good, "wins", "all", 1): `"all"`,
		strings.Replace(good, "3", "x", 1): `"x"`, strings.Replace(good, "900", "", 1): `""`,
	} {
		if _, err := readCollection(bytes.NewReader(packed(text))); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzRead: what is no collection is refused, and nothing panics.
func FuzzRead(f *testing.F) {
	f.Add("ttt\tx..\twin\ta1\t3\t900\twins\tsolution\n")
	f.Add("\t\t\t\t\t\t\t")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := readCollection(bytes.NewReader(packed(text)))
		var b bytes.Buffer
		if err == nil && WriteCollection(&b, list) == nil {
			if again, err := readCollection(&b); err != nil || len(again) != len(list) {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

// FuzzThemeOf: a theme is one of the list, or refused by its name.
func FuzzThemeOf(f *testing.F) {
	f.Add("win")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if theme, err := ParseTheme(text); err == nil && string(theme) != text {
			t.Errorf("%q is read as %q", text, theme)
		}
	})
}

// TestWords: every puzzle of the collection says what is to be found and in what way the
// other moves are worse.
func TestWords(t *testing.T) {
	for _, z := range Carried() {
		goal, hint, others := words.Say(z.GoalMessage("X", "O")), words.Say(z.HintMessage("X", "O")), z.Others()
		if len(goal) < 15 || len(hint) < 20 || len(others) < 15 {
			t.Fatalf("%+v: %q, %q, %q", z, goal, hint, others)
		}
	}
}

// TestFirstRatings: first ratings grow with hardness, the easiest are for beginners and the hardest are hard, on the
// scale of solvers, who begin in the middle.
func TestFirstRatings(t *testing.T) {
	before := 0
	for _, c := range []struct {
		hardness float64
		rating   int
	}{{-50, 800}, {400, 800}, {500, 883}, {1000, 1300}, {2093, 2211}, {2600, 2633}, {9000, 2633}} {
		if got := firstRating(c.hardness); got != c.rating || got < before {
			t.Errorf("hardness %v: rated %d, want %d", c.hardness, got, c.rating)
		}
		before = c.rating
	}
	var ratings []int
	for _, z := range Carried() {
		ratings = append(ratings, z.Rating)
	}
	slices.Sort(ratings)
	if n := len(ratings); ratings[0] < 800 || ratings[n/2] < 950 || ratings[n/2] > 1100 || ratings[n-1] < 2200 {
		t.Errorf("%d at least, %d in the middle, %d at most", ratings[0], ratings[n/2], ratings[n-1])
	}
}

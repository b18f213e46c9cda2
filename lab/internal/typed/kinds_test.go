package typed

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"oxo/games/kind"
	"oxo/lab/internal/game"
)

// unsaid is a message's key in a text: a language has no words for it.
var unsaid = regexp.MustCompile(`[a-z]\.[a-z]|[{}]`)

// TestKinds: what kinds say of themselves is so.
func TestKinds(t *testing.T) {
	l := files(map[string]string{"pairs.json": pairs})
	offered, called := map[string]bool{}, map[string]bool{}
	for _, k := range l.ListKinds() {
		for _, m := range k.OptionMeanings() {
			if m[1] == "" || unsaid.MatchString(m[1]) {
				t.Errorf("%s: option %s is said to mean %q", k.Name, m[0], m[1])
			}
		}
		for key := range k.Words {
			if o, ok := strings.CutPrefix(key, "option."); ok && !slices.Contains(k.Options, o) {
				t.Errorf("%s says what its option %s means, which it has not", k.Name, o)
			}
		}
		if k.Example == "" && k.File == nil || k.Example != "" && !strings.HasPrefix(k.Example, k.Name) ||
			!strings.HasPrefix(k.Form, k.Name) {
			t.Errorf("%s: its example is %q, its form %q", k.Name, k.Example, k.Form)
		}
		if k.Sizes != nil {
			var usual []string
			for _, n := range k.Sizes.Numbers {
				if n.Least > n.Usual || n.Usual > n.Most || n.Name == "" {
					t.Errorf("%s: %+v", k.Name, n)
				}
				usual = append(usual, strconv.Itoa(n.Usual))
			}
			if _, err := l.Game(k.Name + ":" + strings.Join(usual, ",")); err != nil {
				t.Error(err)
			}
		}
		for _, o := range k.Offers {
			g, err := l.Game(o.Spec)
			if err != nil {
				t.Error(err)
				continue
			}
			info := g.Info()
			provable := info.Positional || info.Look.Drawn == "nine" || k.Name == "race"
			if o.Chance != info.Chance || k.Proofs != provable || offered[o.Spec] || o.Name == "" ||
				o.Shelf == "" || !strings.HasPrefix(o.Spec, k.Name) {
				t.Errorf("%s offers %+v of %+v", k.Name, o, info)
			}
			if unsaid.MatchString(info.Rules) {
				t.Errorf("%s: %s", o.Spec, info.Rules)
			}
			offered[o.Spec] = true
			for _, name := range o.Also {
				if called[name] || name != strings.ToLower(name) {
					t.Errorf("%s is called %s, as another game is, or not in small letters", o.Spec, name)
				}
				called[name] = true
				if same, err := l.Game(" " + strings.ToUpper(name) + " "); err != nil || same.Info().Spec != info.Spec {
					t.Errorf("%s opens %v, %v", name, same, err)
				}
			}
			for _, name := range []string{o.Name, strings.ToUpper(o.Name), strings.ReplaceAll(o.Name, " ", "+"),
				strings.ReplaceAll(strings.ToLower(o.Name), "×", "x"), strings.ReplaceAll(o.Name, " ", "-")} {
				if same, err := l.Game(name); err != nil || same.Info().Spec != info.Spec {
					t.Errorf("%q opens %v, %v", name, same, err)
				}
			}
			s, err := g.NewSession(game.SessionOptions{First: game.Human, Second: game.Human})
			if err != nil {
				t.Error(err)
				continue
			}
			for _, m := range o.Shown {
				if err := s.Move(m); err != nil {
					t.Errorf("%s is shown after %v: %v", o.Spec, o.Shown, err)
				}
			}
			if (len(o.Shown) == 0) != (info.Drawn == kind.Tree) {
				t.Errorf("%s is shown after %v", o.Spec, o.Shown)
			}
		}
	}
	if g, err := l.Game("connect4+misere"); err != nil || g.Info().Spec != "mnk:7,6,4+gravity+misere" &&
		g.Info().Spec != "mnk:7,6,4+misere+gravity" {
		t.Errorf("an option of a game that is called by name: %v, %v", g, err)
	}
	if len(offered) < 20 {
		t.Errorf("only %d games are offered", len(offered))
	}
}

// TestDrawn: how games are drawn is said where they are opened.
func TestDrawn(t *testing.T) {
	l := files(map[string]string{"pairs.json": pairs, "column.json": column})
	for spec, want := range map[string]string{
		"ttt": "grid X O", "mnk:7,6,4+gravity": "grid falls X O", "mnk:20,20,5": "grid stones X O",
		"mnk:15,15,5+exact": "grid stones X O",
		"mnk:8,8,5":         "grid X O", "mnk:9,9,4": "grid X O", "torus:9,9,5": "grid wraps X O",
		"plane:projective,2": "points unseen placed X O", "mnk:20,20,5+gravity": "grid falls X O",
		"torus:4,4,4": "grid wraps X O",
		"qubic":       "levels X O", "cube:3,3+gravity": "levels falls X O", "cube:3,2": "grid X O",
		"animal:tic,4,4": "grid unseen xxx X O", "animal:Knobby,5,5": "grid unseen .x./xxx X O",
		"animal:x/xx,4,4": "grid unseen x/xx X O",
		"plane:affine,3":  "points unseen X O", "file:pairs.json": "points unseen X O",
		"file:column.json": "points falls unseen X O",
		"meta":             "nine X O", "ultimate+open": "nine X O", "race:4": "grid X O",
		"tree:chance": "tree Max Min",
	} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		i := g.Info()
		got := string(i.Drawn)
		if i.Falls {
			got += " falls"
		}
		if i.Unseen {
			got += " unseen"
		}
		if i.Stones {
			got += " stones"
		}
		if i.Wraps {
			got += " wraps"
		}
		if i.Shape != "" {
			got += " " + i.Shape
		}
		if i.Places != nil {
			got += " placed"
			if len(i.Places) != len(i.Squares) {
				t.Errorf("%s has %d places for %d squares", spec, len(i.Places), len(i.Squares))
			}
		}
		if got += " " + i.Seats[0] + " " + i.Seats[1]; got != want {
			t.Errorf("%s is drawn as %q, want %q", spec, got, want)
		}
	}
}

// TestFewKinds: a lab opens the kinds that it is given, and no others.
func TestFewKinds(t *testing.T) {
	few := &game.Lab{Kinds: slices.DeleteFunc(BuiltInKinds(), func(k game.Kind) bool {
		return k.Name != "mnk" &&
			k.File == nil
	})}
	for spec, ok := range map[string]bool{"mnk:3,3,3": true, "mnk:20,20,5": true, "tree:chance": true, "ttt": false,
		"race:4": false} {
		if _, err := few.Game(spec); (err == nil) != ok {
			t.Errorf("%s: %v", spec, err)
		}
	}
	if _, err := few.Game("ttt"); err == nil || !strings.HasSuffix(err.Error(), "there are mnk, file, tree") {
		t.Error(err)
	}
	none := &game.Lab{Kinds: []game.Kind{}}
	if _, err := none.Game("ttt"); err == nil || len(none.ListKinds()) != 0 {
		t.Errorf("a lab without games opens one: %v", err)
	}
}

func TestKindOfFile(t *testing.T) {
	l := game.Lab{Kinds: BuiltInKinds()}
	for text, want := range map[string]string{
		pairs: "file", `{"squares": 3}`: "file", `{"winning": []}`: "file", `{"root": 3, "name": "x"}`: "tree",
		`{}`: "tree", `{"name": 3}`: "tree",
	} {
		if k, err := l.KindOfFile([]byte(text)); err != nil || k.Name != want {
			t.Errorf("%s holds %q, %v; want %s", text, k.Name, err, want)
		}
	}
	for _, text := range []string{"", "[]", "x", `"x"`} {
		if _, err := l.KindOfFile([]byte(text)); err == nil {
			t.Errorf("%q was taken for a game", text)
		}
	}
	if _, err := (&game.Lab{Kinds: []game.Kind{}}).KindOfFile([]byte("{}")); err == nil {
		t.Error("a lab without games took a file for one")
	}
}

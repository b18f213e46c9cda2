package typed

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"oxo/lab/internal/game"
)

// files is a lab whose files are in memory.
func files(content map[string]string) *game.Lab {
	return &game.Lab{Kinds: BuiltInKinds(), ReadFile: func(path string) ([]byte, error) {
		if text, ok := content[path]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}}
}

const pairs = `{"name": "two pairs", "squares": 3, "winning": [[1, 2], [2, 3]], "option": "misere"}`

const column = `{"squares": 3, "winning": [[1, 2, 3]], "below": [2, 3, 0], "layout": [[0, 0], [0, 1], [0, 2]]}`

func TestSpecs(t *testing.T) {
	l := files(map[string]string{"pairs.json": pairs, "a+b.json": column})
	for text, want := range map[string]string{
		"ttt":                         "mnk:3,3,3",
		" ttt ":                       "mnk:3,3,3",
		"qubic":                       "cube:4,3",
		"mnk:4,3,3":                   "mnk:4,3,3",
		"ttt+misere+wild":             "mnk:3,3,3+wild+misere",
		"mnk:7,6,4+gravity":           "mnk:7,6,4+gravity",
		"mnk:6,6,5+exact+maker":       "mnk:6,6,5+maker+exact",
		"torus:5,4,3+slip=0.25":       "torus:5,4,3+slip=0.25",
		"cube:3,3+gravity+order":      "cube:3,3+order+gravity",
		"animal:ELLY,4,4":             "animal:elly,4,4",
		"animal:x/xxx,4,4+breaker":    "animal:x/xxx,4,4+breaker",
		"plane:projective,4+notakto":  "plane:projective,4+notakto",
		"ultimate+most":               "ultimate+most",
		"meta":                        "meta",
		"race:9":                      "race:9",
		"tree:three-ply":              "tree:three-ply",
		"file:pairs.json":             "file:pairs.json",
		"file:a+b.json":               "file:a+b.json",
		"file:a+b.json+gravity":       "file:a+b.json",
		"file:a+b.json+maker+slip=.5": "file:a+b.json+maker+slip=0.5",
	} {
		g, err := l.Game(text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := g.Info().Spec; got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestSpecsRefused(t *testing.T) {
	l := files(map[string]string{"pairs.json": pairs, "bad.json": "{", "empty.json": `{"squares": 2, "winning": [[]]}`})
	for text, want := range map[string]string{
		"":                        "no kind of game",
		"chess":                   `"chess"; there are ttt, mnk`,
		"mnk":                     "mnk:M,N,K, as in mnk:4,4,4",
		"mnk:3,3,3,3":             "3 whole numbers",
		"mnk:0,3,3":               "at least 1",
		"mnk:3,3,0":               "at least 1",
		"mnk:22,21,5":             "at most 448",
		"mnk:99999999999,3,3":     "at most 448",
		"ttt:3":                   "takes no arguments",
		"ttt+":                    `unknown option ""`,
		"ttt+misere+misere":       "given twice",
		"ttt+order+misere":        "swap order and chaos",
		"ttt+notakto+misere":      "loses already",
		"ttt+avoider+misere":      "use maker or breaker",
		"ttt+wild+notakto":        "choose one",
		"ttt+slip=0":              "between 0 and 1",
		"ttt+slip=x":              "between 0 and 1",
		"ttt+slip=NaN":            "between 0 and 1",
		"ttt+slip=0.1+slip=0.2":   "slip is given twice",
		"cube:1,3":                "at least 2",
		"cube:7,3":                "more than 256",
		"cube:2,4+gravity":        "two or three dimensions",
		"plane:euclidean,3":       "affine or projective",
		"plane:affine,10":         "prime power",
		"plane:affine,3+gravity":  "no lowest row",
		"plane:affine,3+exact":    "only rows on a grid",
		"animal:tic":              "a name and two whole numbers",
		"animal:tic,2,2":          "does not fit",
		"animal:x.x,4,4":          "not in one piece",
		"animal:...,4,4":          "no cells",
		"file:":                   "missing",
		"file:nowhere.json":       "not exist",
		"file:bad.json":           "too early",
		"file:empty.json":         "set 1 is empty",
		"file:pairs.json+gravity": `no "below"`,
		"file:pairs.json+exact":   "only rows on a grid",
		"file:pairs.json+misere":  "given twice",
		"meta+misere":             "no meaning in meta",
		"meta:3":                  "takes no arguments",
		"ultimate+misere":         "most and open",
		"ultimate+most+most":      "each once",
		"race:2":                  `game "race:2": a row of 2 squares: it must have 3 to 255`,
		"race:4+wild":             "no meaning in race",
		"ttt+slip":                `option "slip" needs a probability, as in slip=0.1`,
		"tree:nowhere":            "no tree built in",
		"tree:three-ply+slip=0.1": "no meaning in a tree",
	} {
		_, err := l.Game(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", text, err, want)
		}
	}
	if _, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("file:pairs.json"); err == nil ||
		!strings.Contains(err.Error(), "can't be opened here") {
		t.Errorf("a lab without files: %v", err)
	}
}

// TestExamples opens the example of every kind and solves those that are said
// to be solved at once.
func TestExamples(t *testing.T) {
	for _, k := range (&game.Lab{Kinds: BuiltInKinds()}).ListKinds() {
		if k.Example == "" {
			continue
		}
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(k.Example)
		if err != nil {
			t.Error(err)
			continue
		}
		if !k.Solved {
			continue
		}
		if _, err := g.Solving().Solve(context.Background(), game.SolveOptions{}); err != nil {
			t.Error(err)
		}
	}
}

// TestPlayersAnywhere lets every player that needs no file play every kind of
// game to the end, or be refused with a reason.
func TestPlayersAnywhere(t *testing.T) {
	t.Parallel()
	games := []string{"ttt", "mnk:4,4,3+misere", "ttt+wild", "ttt+slip=0.2", "mnk:4,4,4+gravity", "cube:3,3",
		"plane:affine,3+maker", "animal:tic,9,9", "ultimate", "meta", "race:4", "tree:chance"}
	spec := []string{"random", "heuristic", "rows", "winratio", "perfect", "minimax:depth=2,decay=0.9",
		"alphabeta:depth=2", "mcts:sims=20", "mcts:sims=20,eval=none,proof=no,explore=1",
		"mcts:sims=20,eval=rows,reuse=no"}
	played := 0
	for _, on := range games {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(on)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range spec {
			s, err := g.NewSession(game.SessionOptions{First: p, Second: "random", Seed: 3})
			if err != nil {
				if errors.Is(err, context.DeadlineExceeded) || !strings.HasPrefix(err.Error(), "player ") {
					t.Errorf("%s on %s: %v", p, on, err)
				}
				continue
			}
			for n := 0; !s.Over() && n < 300; n++ {
				if _, err := s.Step(context.Background()); err != nil {
					t.Errorf("%s on %s: %v", p, on, err)
					break
				}
			}
			if _, err := json.Marshal(s.Record()); err != nil {
				t.Error(err)
			}
			played++
		}
	}
	if played < 60 {
		t.Errorf("only %d of %d pairings were played", played, len(games)*len(spec))
	}
}

func TestSession(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.NewSession(game.SessionOptions{First: game.Human, Second: "perfect", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Person() {
		t.Error("it is not the person's turn")
	}
	if err := s.Move("b2"); err != nil {
		t.Fatal(err)
	}
	if err := s.Move("b2"); err == nil {
		t.Error("a taken square was played again")
	}
	if _, err := s.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !s.Undo() || len(s.Record().Moves) != 0 || !s.Person() {
		t.Errorf("after undo: %+v", s.Record())
	}
	if s.Undo() {
		t.Error("something was taken back from the start")
	}
	s.Resign()
	if r := s.Record(); r.Result != "second" || r.Termination != "resigned" || !s.Over() {
		t.Errorf("after resigning: %+v", r)
	}
	if err := s.Move("b2"); err == nil {
		t.Error("a move was made after resigning")
	}
	if !s.Undo() || s.Over() {
		t.Error("resigning can't be undone")
	}
	won, err := g.NewSession(game.SessionOptions{First: game.Human, Second: game.Human, Position: "xx./oo./... x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := won.Move("3"); err != nil {
		t.Fatal(err)
	}
	if owned := won.CompletedSetSquares(); !reflect.DeepEqual(owned, [][]int{{0, 1, 2}}) {
		t.Errorf("owned sets %v", owned)
	}
	for _, spec := range []string{"mnk:5,5,3", "mnk:20,20,3"} { // in the words of one board and of a wide one
		cross, err := aGame(t, spec).NewSession(game.SessionOptions{First: game.Human, Second: game.Human})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []string{"b3", "a1", "d3", "e1", "c2", "a5", "c4", "e5", "c3"} {
			if err := cross.Move(m); err != nil {
				t.Fatal(err)
			}
		}
		if owned := cross.CompletedSetSquares(); len(owned) != 2 || len(owned[0]) != 3 || len(owned[1]) != 3 {
			t.Errorf("%s: a cross of two rows owns %v", spec, owned)
		}
	}
	full, err := aGame(t, "ttt+breaker").NewSession(game.SessionOptions{First: game.Human, Second: game.Human,
		Position: "xox/oxo/xox o"})
	if err != nil {
		t.Fatal(err)
	}
	if owned := full.CompletedSetSquares(); len(owned) > 0 || !full.Over() {
		t.Errorf("Breaker, who wins on a full board, owns %v", owned)
	}
}

func FuzzGame(f *testing.F) {
	for _, k := range (&game.Lab{Kinds: BuiltInKinds()}).ListKinds() {
		f.Add(k.Example)
	}
	f.Add("ttt+misere+slip=0.5")
	f.Add("animal:x./xx,3,3+wild")
	f.Add("file:pairs.json+maker")
	f.Add("mnk:-1,3,+3")
	l := files(map[string]string{"pairs.json": pairs})
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 60 {
			return
		}
		g, err := l.Game(text)
		if err != nil {
			return
		}
		again, err := l.Game(g.Info().Spec)
		if err != nil || again.Info().Identity != g.Info().Identity {
			t.Errorf("%q is %q, which is %v", text, g.Info().Spec, err)
		}
	})
}

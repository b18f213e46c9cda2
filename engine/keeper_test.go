package engine_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"oxo"
	"oxo/arena"
	"oxo/engine"
	"oxo/games/ultimate"
)

// playMatch plays a match of a program against our first-mover, one game after the other, and returns its standings
// and how often the program was started.
func playMatch[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], protocol, mode string, games int,
	o engine.ClientOptions) (s *arena.Standings, starts int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "starts")
	tour := &arena.Tournament[P]{
		Referee: arena.Referee[P]{Game: g}, Pairs: games / 2, Workers: 1,
		Entrants: []arena.Entrant[P]{
			{Name: "program", New: func(oxo.Seat, uint64) (oxo.Player[P], error) {
				return engine.New(t.Context(), g, protocol+command("counted", file, mode), o)
			}},
			{Name: "first", New: func(oxo.Seat, uint64) (oxo.Player[P], error) {
				return chooser[P](firstMove[P]), nil
			}},
		},
	}
	s, err := tour.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if o.Keeper != nil {
		o.Keeper.Close()
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return s, strings.Count(string(text), "\n")
}

// TestProgramsAreKept: a program plays all games of a match, with the results of programs that play one each, unless
// its protocol has no word for another game.
func TestProgramsAreKept(t *testing.T) {
	const games = 4
	check := func(name string, starts int, play func(o engine.ClientOptions) (*arena.Standings, int)) {
		single, each := play(patient)
		kept := patient
		kept.Keeper = &engine.Keeper{}
		s, once := play(kept)
		if each != games || once != starts || !reflect.DeepEqual(s, single) || s.Faults[0].Sum() != 0 {
			t.Errorf("%s: started %d times and %d times where it is kept, want %d and %d; results\n%+v and\n%+v", name,
				each, once, games, starts, single, s)
		}
	}
	for _, protocol := range []string{"ugi:", ""} {
		check("ugi", 1, func(o engine.ClientOptions) (*arena.Standings, int) {
			return playMatch(t, tttGame(), protocol, "ugi", games, o)
		})
	}
	check("gomocup", 1, func(o engine.ClientOptions) (*arena.Standings, int) {
		return playMatch(t, rows(7, 6, 5, false), "gomocup:", "gomocup", games, o)
	})
	check("policy", 1, func(o engine.ClientOptions) (*arena.Standings, int) {
		return playMatch(t, tttGame(), "policy:", "policy", games, o)
	})
	check("codingame", games, func(o engine.ClientOptions) (*arena.Standings, int) {
		return playMatch(t, ultimate.New(0), "codingame:", "codingame", games, o)
	})
	// It loses no game by leaving between two of them.
	check("once", games, func(o engine.ClientOptions) (*arena.Standings, int) {
		return playMatch(t, tttGame(), "ugi:", "once", games, o)
	})
}

// TestProgramsAtFaultAreNotKept: who has lost by its own fault begins the next game as another process.
func TestProgramsAtFaultAreNotKept(t *testing.T) {
	for mode, o := range map[string]engine.ClientOptions{"illegal": patient, "leave": patient, "garbage": patient,
		"sleep": quick} {
		o.Keeper = &engine.Keeper{}
		if s, starts := playMatch(t, tttGame(), "ugi:", mode, 4, o); starts != 4 || s.Faults[0].Sum() != 4 {
			t.Errorf("%s: started %d times, faults %+v", mode, starts, s.Faults[0])
		}
	}
}

// TestBlamedProgramIsNotKept: the referee may find a fault that the program's answers don't show.
func TestBlamedProgramIsNotKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "starts")
	o := patient
	o.Keeper = &engine.Keeper{}
	defer o.Keeper.Close()
	for _, blamed := range []bool{true, false, false} {
		p, err := engine.New(t.Context(), tttGame(), "ugi:"+command("counted", file, "ugi"), o)
		if err != nil {
			t.Fatal(err)
		}
		choose(t, tttGame(), p, "", "a3")
		if blamed {
			p.(arena.Blamed).Blame()
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if text, _ := os.ReadFile(file); strings.Count(string(text), "\n") != 2 {
		t.Errorf("started %d times, want twice", strings.Count(string(text), "\n"))
	}
}

// TestKeeperEndsPrograms: what is kept has ended when the keeper is closed, and nothing is kept afterwards.
func TestKeeperEndsPrograms(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	o := patient
	o.Keeper = &engine.Keeper{}
	for range 2 {
		p, err := engine.New(t.Context(), tttGame(), "ugi:"+command("dialling", listener.Addr().String(), "ugi"), o)
		if err != nil {
			t.Fatal(err)
		}
		program, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		said := make([]byte, len("here\n"))
		if _, err := io.ReadFull(program, said); err != nil || string(said) != "here\n" {
			t.Fatalf("the program says %q, %v", said, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		o.Keeper.Close()
		if rest, err := io.ReadAll(program); err != nil && !strings.Contains(err.Error(), "reset") || len(rest) > 0 {
			t.Errorf("the program goes on with %q, %v", rest, err)
		}
	}
}

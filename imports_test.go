package oxo_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms says which rooms of ours each room may import, tests left out. A room
// that is not listed may import nothing of ours; "games/*" stands for each
// package of games.
var rooms = map[string][]string{
	".":                 {},
	"board":             {"oxo"},
	"message":           {},
	"strictjson":        {},
	"games/*":           {"oxo", "board", "message", "strictjson", "games/*"},
	"gametest":          {"oxo", "board", "games/*", "message", "search"},
	"gametest/cases":    {"board"},
	"hash":              {},
	"machine":           {},
	"search":            {"oxo", "hash", "search/mcts", "search/proof"},
	"search/mcts":       {"oxo", "search/proof"},
	"search/proof":      {"oxo", "hash"},
	"eval":              {"oxo", "board", "eval/ninenet", "games/*"},
	"eval/ninenet":      {"oxo", "games/*", "hash"},
	"board/bitset":      {},
	"threats":           {"oxo", "board", "board/bitset"},
	"lines":             {"oxo", "board", "board/bitset", "hash", "threats"},
	"drop":              {"oxo", "board", "hash", "solve"},
	"solve":             {"oxo", "hash"},
	"solve/tiers":       {"oxo", "board", "solve"},
	"prove/moves":       {"oxo", "prove/certificate", "search/proof"},
	"prove":             {"oxo", "board", "board/bitset", "threats", "hash", "prove/certificate", "prove/pairing"},
	"prove/certificate": {"oxo", "board"},
	"prove/columns":     {"oxo", "board", "prove/certificate", "prove/moves"},
	"prove/pairing":     {"board/bitset", "threats"},
	"prove/verify":      {"board"},
	"player":            {"oxo", "board", "solve"},
	"learn": {"oxo", "eval/ninenet", "learn/exam", "learn/model", "learn/pattern", "learn/show",
		"learn/space"},
	"learn/option": {},
	"learn/show":   {"learn/regress", "message"},
	"learn/space":  {"oxo", "board", "games/*", "message"},
	"learn/limit":  {"oxo", "learn/space"},
	"learn/exam":   {"oxo", "board", "player", "learn/space"},
	"learn/model": {"oxo", "board", "eval/ninenet", "games/*", "learn/option", "learn/pattern",
		"learn/regress", "learn/show", "learn/space", "message", "search/mcts"},
	"learn/pattern":         {"oxo", "board"},
	"learn/regress":         {},
	"learn/chart":           {"learn/exam", "pen"},
	"pen":                   {},
	"judge":                 {"oxo", "board", "message", "search", "search/proof", "solve", "prove/certificate"},
	"puzzle":                {"oxo", "judge", "message", "solve"},
	"arena":                 {"oxo"},
	"arena/spsa":            {},
	"engine":                {"oxo", "board", "engine/process", "machine"},
	"engine/process":        {},
	"store":                 {"oxo", "strictjson"},
	"lab/internal/nine":     {"oxo", "games/*", "prove/certificate", "prove/moves", "prove/verify"},
	"lab/internal/falling":  {"oxo", "board", "drop", "prove/columns", "prove/moves", "solve"},
	"lab/internal/circling": {"oxo", "prove/moves", "solve"},
	"lab/internal/game": {"oxo", "arena", "board", "drop", "engine", "games/*", "judge", "learn", "learn/exam",
		"learn/limit",
		"learn/model", "learn/show", "learn/space", "message", "prove", "prove/certificate", "puzzle", "search",
		"search/mcts", "solve", "solve/tiers"},
	"lab/internal/certify": {"oxo", "board", "games/*", "lab/internal/game", "lab/internal/nine", "message",
		"prove/certificate", "prove/moves", "prove/verify"},
	"lab/internal/opened": {"oxo", "board", "eval", "games/*", "judge", "lab/internal/certify", "lab/internal/falling",
		"lab/internal/game", "lab/internal/nine", "learn", "learn/exam", "learn/space", "lines", "message",
		"player", "prove/certificate",
		"prove/columns", "prove/moves", "prove/verify", "solve", "solve/tiers", "threats"},
	"lab/internal/players": {"oxo", "arena", "board", "engine", "eval", "games/*", "judge", "lab/internal/certify",
		"lab/internal/falling", "lab/internal/game", "lab/internal/nine", "lab/internal/opened", "learn",
		"learn/model", "learn/pattern", "learn/space", "lines", "machine", "player", "prove", "prove/certificate",
		"prove/moves", "search", "solve", "solve/tiers", "threats"},
	"lab/internal/learners": {"oxo", "arena", "engine", "games/*", "lab/internal/game", "lab/internal/opened",
		"lab/internal/players", "learn", "learn/exam", "learn/limit", "learn/model", "learn/show", "learn/space",
		"message"},
	"lab/internal/typed": {"oxo", "arena", "board", "drop", "engine", "games/*", "judge",
		"lab/internal/certify", "lab/internal/circling", "lab/internal/falling", "lab/internal/game",
		"lab/internal/learners", "lab/internal/nine", "lab/internal/opened", "lab/internal/players", "learn",
		"learn/exam", "learn/model", "learn/show", "learn/space", "lines",
		"message", "player", "prove", "prove/certificate", "prove/moves", "puzzle", "search", "search/mcts", "solve",
		"solve/tiers", "threats"},
	"lab": {"oxo", "board", "games/*", "arena", "learn", "learn/model", "learn/show", "message", "puzzle", "judge",
		"lab/internal/certify", "lab/internal/game", "lab/internal/opened", "lab/internal/players",
		"lab/internal/typed"},
	"lab/jobs": {"oxo", "arena", "arena/spsa", "learn", "learn/exam", "learn/chart", "prove", "prove/certificate",
		"solve/tiers", "lab", "lab/jobs/progress", "message"},
	"lab/jobs/progress": {"lab", "learn", "message"},
	"lab/reproduce":     {"arena", "lab", "lab/jobs", "learn", "learn/exam", "learn/model", "learn/show"},
	"lab/picture":       {"lab", "pen"},
	"lab/sheet":         {"lab", "message"},
	"web": {"oxo", "lab", "lab/picture", "lab/reproduce", "lab/sheet", "message",
		"web/jobs", "web/live", "web/puzzles", "web/service", "web/studio"},
	"web/jobs":         {"arena", "lab", "lab/jobs", "message", "oxo", "web/service"},
	"web/live":         {"oxo", "lab", "web/service"},
	"web/puzzles":      {"lab", "lab/sheet", "web/service"},
	"web/service":      {"strictjson", "lab", "message"},
	"web/studio":       {},
	"web/studio/build": {},
	"web/client":       {},
	"cluster": {"oxo", "lab", "lab/jobs", "cluster/blob", "cluster/broker", "cluster/gate", "cluster/view",
		"cluster/records"},
	"cluster/broker":  {},
	"cluster/gate":    {"cluster/broker"},
	"cluster/view":    {"cluster/blob", "cluster/broker", "cluster/records", "lab/jobs"},
	"cluster/monitor": {"cluster", "cluster/broker", "cluster/records"},
	"cluster/blob":    {},
	"cluster/records": {"cluster/blob", "cluster/broker", "lab/jobs"},
	"cmd/oxo":         {"cmd"},
	"cmd/licences":    {},
	"cmd": {"strictjson", "oxo", "arena", "board", "cmd/licences", "cluster", "cluster/broker", "cluster/view",
		"cluster/monitor", "cluster/records", "drop", "engine",
		"games/*", "lab", "lab/jobs", "lab/picture",
		"lab/reproduce", "lab/sheet", "learn", "learn/model", "learn/exam", "learn/limit", "learn/show", "learn/space",
		"learn/chart", "machine", "message", "prove", "solve", "store",
		"web", "web/client"},
}

// outside says which rooms may touch the machine through the standard library:
// files and processes (os, path/filepath, os/exec, syscall), sockets (net, net/http).
// A package that is not listed is open to every room.
var outside = map[string][]string{
	"os": {"cmd", "store", "engine", "engine/process", "cluster", "lab/internal/players", "gametest", "gametest/cases",
		"machine", "web/studio/build"},
	"path/filepath": {"cmd", "store", "gametest", "web/studio/build"},
	"os/exec":       {"engine/process", "lab/internal/players"},
	"syscall":       {"cmd", "engine", "engine/process", "store"},
	"net":           {"cmd", "cluster/broker", "web", "web/service", "lab/internal/game", "lab/internal/typed"},
	"net/http": {"cmd", "web", "web/client", "web/jobs", "web/live", "web/puzzles",
		"web/service"},
	"database/sql": {"store"},
}

// TestImports keeps the imports pointing one way.
func TestImports(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); file != "." && (strings.HasPrefix(name, ".") || name == "testdata" ||
				name == "tools" || name == "examples") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		files++
		room := roomOf(path.Dir(filepath.ToSlash(file)))
		allowed, ok := rooms[room]
		if !ok {
			t.Errorf("%s: room %q is not in the list of rooms", file, room)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if may, ok := outside[imported]; ok && !slices.Contains(may, room) {
				t.Errorf("%s imports %s: only the rooms %v may", file, imported, may)
			}
			target := "oxo"
			if rest, ours := strings.CutPrefix(imported, "oxo/"); ours {
				target = rest
			} else if imported != "oxo" {
				continue
			}
			if target != room && !slices.Contains(allowed, roomOf(target)) {
				t.Errorf("%s imports %s: room %q may import %v", file, imported, room, allowed)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 30 {
		t.Errorf("only %d files looked at", files)
	}
}

// roomOf returns the room that a folder belongs to.
func roomOf(dir string) string {
	if strings.HasPrefix(dir, "games/") {
		return "games/*"
	}
	return dir
}

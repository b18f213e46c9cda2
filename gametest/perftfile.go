package gametest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// PerftCounts are known line counts of one position of one game.
type PerftCounts struct {
	Spec     string // the game's canonical spec
	Position string // "" for the start
	Depths   []int
	Leaves   []uint64 // Leaves[i] belongs to Depths[i]
	Line     int      // where it begins in its file
}

// readPerft reads line counts from text such as
//
//	# Comments and empty lines mean nothing. Say where numbers come from.
//	game ttt
//	1 9
//	2 72
//	position x../.../... o
//	1 8
//
// A game line names the game by its canonical spec, and its start is meant
// until a position line names another position of it. The other lines are a
// depth and the number of move sequences of that length.
func readPerft(r io.Reader) ([]PerftCounts, error) {
	var all []PerftCounts
	spec := ""
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		word, rest, _ := strings.Cut(text, " ")
		rest = strings.TrimSpace(rest)
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case word == "game" && rest != "":
			spec = rest
			all = append(all, PerftCounts{Spec: spec, Line: n})
		case spec == "":
			return nil, fmt.Errorf("line %d %q: want a game line first", n, text)
		case word == "position" && rest != "":
			all = append(all, PerftCounts{Spec: spec, Position: rest, Line: n})
		default:
			depth, err := strconv.Atoi(word)
			leaves, err2 := strconv.ParseUint(rest, 10, 64)
			if err != nil || err2 != nil || depth < 0 {
				return nil, fmt.Errorf("line %d %q: want game SPEC, position TEXT, or a depth and a count", n, text)
			}
			// A count belongs to the game or the position that was named last.
			last := &all[len(all)-1]
			last.Depths = append(last.Depths, depth)
			last.Leaves = append(last.Leaves, leaves)
		}
	}
	return all, lines.Err()
}

// maxPlayed is the most leaves that checkPerftFiles counts move by move where
// a kernel can count them.
const maxPlayed = 60_000

// checkPerftFiles: the game has the known line counts of testdata/*.perft, by
// the kernel and, where there is none or they are small, by playing all moves.
func (k *kit[P]) checkPerftFiles(t testing.TB) {
	files, err := filepath.Glob(filepath.Join(k.perftDir, "*.perft"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range files {
		found += k.checkPerftFile(t, name)
	}
	// A file that names another game would otherwise be passed over without a word.
	if found == 0 {
		t.Fatalf("%s: no line counts for %s in any of %d *.perft files; add some, or say WithoutPerftFile", k.perftDir,
			k.g.Spec, len(files))
	}
}

// checkPerftFile checks the counts that the file has for the game, by its canonical spec, and returns how many
// there are. Counts of other games are passed over.
func (k *kit[P]) checkPerftFile(t testing.TB, name string) int {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := readPerft(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	found := 0
	for _, counts := range all {
		if counts.Spec != k.g.Spec {
			continue
		}
		p := k.g.Start
		if counts.Position != "" {
			if p, err = k.g.Parse(counts.Position); err != nil {
				t.Fatalf("%s:%d: %v", name, counts.Line, err)
			}
		}
		for i, depth := range counts.Depths {
			found++
			want := counts.Leaves[i]
			if k.g.Perft != nil {
				if got := k.g.Perft(p, depth); got != want {
					t.Fatalf("%s:%d: perft %d is %d by the kernel, want %d", name, counts.Line, depth, got, want)
				}
			}
			// Playing all moves is slow, but is the only way where there is no kernel.
			if k.g.Perft == nil || want <= maxPlayed {
				if got := Perft(p, depth); got != want {
					t.Fatalf("%s:%d: perft %d is %d, want %d", name, counts.Line, depth, got, want)
				}
			}
		}
	}
	return found
}

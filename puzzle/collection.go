package puzzle

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed" // the collection
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// collection is what "oxo puzzles --collection" wrote.
//
//go:embed collection.gz
var collection []byte

// Carried are the puzzles that the program has with it, those of a game together, the
// easy ones first. They are not to be changed.
var Carried = sync.OnceValue(func() []Puzzle {
	list, err := readCollection(bytes.NewReader(collection))
	if err != nil {
		panic("puzzle: the collection: " + err.Error()) // it is part of the program, and tested
	}
	return list
})

// FindCarried returns the carried puzzle of that identity.
// The puzzle is a copy; false is of an identity that none has.
func FindCarried(id string) (Puzzle, bool) {
	z, ok := carriedByID()[id]
	return z, ok
}

// carriedByID has the carried puzzles by their identity.
var carriedByID = sync.OnceValue(func() map[string]Puzzle {
	byID := map[string]Puzzle{}
	for _, z := range Carried() {
		byID[z.ID] = z
	}
	return byID
})

// CarriedOf returns the carried puzzles of a game and a theme; empty is any. The list is a copy, but for its
// texts.
func CarriedOf(game string, theme Theme) (list []Puzzle) {
	for _, z := range Carried() {
		if (game == "" || z.Game == game) && (theme == "" || z.Theme == theme) {
			list = append(list, z)
		}
	}
	return list
}

// SortByGameAndRating puts puzzles of a game together, the easy ones first.
func SortByGameAndRating(list []Puzzle) {
	slices.SortFunc(list, func(a, b Puzzle) int {
		return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Rating, b.Rating), cmp.Compare(a.ID, b.ID))
	})
}

// WriteCollection writes puzzles as compressed text, a line each whose fields are parted by tabs: game,
// position, theme, answer, plies, rating, claim, and what shows it. Without identities, which follow
// from game and position, it is smallest.
// The text has no heading. No field may have a tab or the end of a line in it.
func WriteCollection(w io.Writer, list []Puzzle) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, p := range list {
		fmt.Fprintf(z, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\n", p.Game, p.Position, p.Theme, p.Answer, p.Plies,
			p.Rating, p.Unique, p.Shown)
	}
	return z.Close() // also the first error before
}

// fields is how many fields a line has.
const fields = 8

// readCollection reads what WriteCollection wrote. The error names the line that is wrong.
// Identities are worked out from game and position.
func readCollection(r io.Reader) ([]Puzzle, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	var list []Puzzle
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		p, err := parsePuzzleLine(lines.Text())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(list)+1, err)
		}
		list = append(list, p)
	}
	return list, lines.Err()
}

// parsePuzzleLine reads a puzzle from a line of the collection. A theme and a claim that this program does
// not know are refused.
func parsePuzzleLine(line string) (z Puzzle, err error) {
	f := strings.Split(line, "\t")
	if len(f) != fields {
		return z, fmt.Errorf("%d fields; there are %d", len(f), fields)
	}
	z = Puzzle{ID: identity(f[0], f[1]), Game: f[0], Position: f[1], Answer: f[3], Unique: Uniqueness(f[6]),
		Shown: f[7]}
	if z.Theme, err = ParseTheme(f[2]); err != nil || z.Theme == "" {
		return z, cmp.Or(err, errors.New("a theme is missing"))
	}
	if !slices.Contains([]Uniqueness{Wins, Draws, Fastest, Survives}, z.Unique) {
		return z, fmt.Errorf("claim %q: there is none", f[6])
	}
	if z.Plies, err = strconv.Atoi(f[4]); err == nil {
		z.Rating, err = strconv.Atoi(f[5])
	}
	return z, err
}

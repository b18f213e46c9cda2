package players

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo"
	"oxo/lab/internal/opened"
	"oxo/lines"
	"oxo/search"
	"oxo/threats"
)

// openAlphaBetaPlayer opens the player that searches by alpha-beta: by counts of lines and threats on large
// boards on which owning a line wins, else, or where the spec says plain=yes or names an evaluation,
// as the textbook has it. The option without is for measuring what each part of the search by lines is
// worth.
// Either needs a limit of depth, time or positions.
func openAlphaBetaPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	values, err := parseKeyValues(args, "depth", "time", "nodes", "eval", "plain", "without")
	if err != nil {
		return nil, err
	}
	plain, known := map[string]bool{"": false, "no": false, "yes": true}[values["plain"]]
	if !known {
		return nil, fmt.Errorf("option plain=%s: it is yes or no", values["plain"])
	}
	if values["without"] != "" && (plain || !b.SearchesByLines() || values["eval"] != "") {
		return nil, errors.New("option without: only the search by lines has parts to leave out")
	}
	if !plain && values["eval"] == "" && b.SearchesByLines() {
		return openLinesPlayer(b, values)
	}
	delete(values, "plain")
	var words []string
	for key, value := range values {
		words = append(words, key+"="+value)
	}
	// Options come out of a map in any order, which does not matter.
	return searcherOpener[P](search.AlphaBeta, []string{"depth", "time", "nodes"}, "eval")(b, strings.Join(words, ","))
}

// openLinesPlayer opens the search by lines. One is made at once, so that a board which the search does not
// take is refused with the spec and not in a game.
func openLinesPlayer[P oxo.Position[P]](b *opened.TypedGame[P], values map[string]string) (playerMaker[P], error) {
	var o lines.PlayerOptions
	var err error
	var limits search.Options[P]
	for key, value := range values {
		if key == "without" {
			err = disableSearchParts(&o.Tuning, value)
		} else {
			err = setSearchOption(&limits, &o.Time, key, value)
		}
		if err != nil {
			return nil, fmt.Errorf("option %s=%s: %w", key, value, err)
		}
	}
	o.Depth, o.Nodes = limits.Depth, limits.MaxNodes
	if o.Depth == 0 && o.Nodes == 0 && o.Time == 0 {
		return nil, noLimit{"depth=4"}
	}
	if _, err := NewLinesPlayer(b, o, 1); err != nil {
		return nil, err
	}
	return func(r *rand.Rand) (oxo.Player[P], error) { return NewLinesPlayer(b, o, r.Uint64()) }, nil
}

// disableSearchParts switches off the parts of the search that are named, joined with +. The error of an
// unknown name lists them.
// Several names can be given at once; an error leaves those before it switched off.
func disableSearchParts(t *lines.Tuning, names string) error {
	parts := map[string]*bool{
		"table": &t.NoTable, "order": &t.NoOrder, "fours": &t.NoFours, "zone": &t.NoZone,
		"slow": &t.NoSlow, "extend": &t.NoExtend, "reduce": &t.NoReduce, "width": &t.WholeList,
	}
	for name := range strings.SplitSeq(names, "+") {
		off, ok := parts[name]
		if !ok {
			return fmt.Errorf("no part %q; there are %s, joined with +", name,
				strings.Join(slices.Sorted(maps.Keys(parts)), ", "))
		}
		*off = true
	}
	return nil
}

// NewLinesPlayer returns a player that searches by lines. Its moves are squares. Each player has a
// table of its own; the seed decides among moves of equal score.
func NewLinesPlayer[P oxo.Position[P]](b *opened.TypedGame[P], o lines.PlayerOptions,
	seed uint64) (*lines.LinePlayer[P], error) {
	on := threats.Board{Squares: len(b.View.Squares), Need: b.Lines, Bar: b.Bars}
	return lines.NewPlayer(on, b.Mark, o, seed)
}

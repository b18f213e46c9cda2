package typed

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"oxo"
	"oxo/lines"
	"oxo/search"
	"oxo/threats"
)

// plainSquares is the largest board on which alphabeta is the textbook's: on
// larger ones it searches by counts of lines, where the game is one of lines.
const plainSquares = 36

// openAlphaBeta opens the player that searches by alpha-beta: by counts of
// lines and threats on large boards on which owning a line wins, else, or where
// the spec says plain=yes or names an evaluation, as the textbook has it.
func openAlphaBeta[P oxo.Position[P]](b *openedGame[P], args string) (maker[P], error) {
	values, err := keyValues(args, "depth", "time", "nodes", "eval", "plain", "without")
	if err != nil {
		return nil, err
	}
	plain, known := map[string]bool{"": false, "no": false, "yes": true}[values["plain"]]
	if !known {
		return nil, fmt.Errorf("option plain=%s: it is yes or no", values["plain"])
	}
	if values["without"] != "" && (plain || !b.searchesByLines() || values["eval"] != "") {
		return nil, errors.New("option without: only the search by lines has parts to leave out")
	}
	if !plain && values["eval"] == "" && b.searchesByLines() {
		return openLines(b, values)
	}
	delete(values, "plain")
	var words []string
	for key, value := range values {
		words = append(words, key+"="+value)
	}
	return searcherOpener[P](search.AlphaBeta, []string{"depth", "time", "nodes"}, "eval")(b, strings.Join(words, ","))
}

// racesForLines reports whether both sides want to own a winning set, and may mark
// any square for it. There alpha-beta is the stronger search; in other games
// Monte-Carlo tree search is, within the same time (docs/search.md).
func (b *openedGame[P]) racesForLines() bool { return b.lines != nil && b.wantsLines && b.free }

// searchesByLines reports whether alphabeta searches by counts of lines here.
func (b *openedGame[P]) searchesByLines() bool {
	return b.racesForLines() && len(b.view.Squares) > plainSquares
}

// openLines opens the search by lines.
func openLines[P oxo.Position[P]](b *openedGame[P], values map[string]string) (maker[P], error) {
	var o lines.Options
	var err error
	for key, value := range values {
		switch key {
		case "depth":
			o.Depth, err = parsePositiveInt(value)
		case "nodes":
			if o.Nodes, err = strconv.ParseUint(value, 10, 62); err != nil || o.Nodes == 0 {
				err = errors.New("a whole number, at least 1, is needed")
			}
		case "time":
			if o.Time, err = time.ParseDuration(value); err != nil || o.Time <= 0 {
				err = errors.New("a duration such as 100ms is needed")
			}
		case "without":
			err = disableParts(&o.Tuning, value)
		}
		if err != nil {
			return nil, fmt.Errorf("option %s=%s: %w", key, value, err)
		}
	}
	if o.Depth == 0 && o.Nodes == 0 && o.Time == 0 {
		return nil, noLimit{"depth=4"}
	}
	if _, err := newLinesPlayer(b, o, 1); err != nil {
		return nil, err
	}
	return func(r *rand.Rand) (oxo.Player[P], error) { return newLinesPlayer(b, o, r.Uint64()) }, nil
}

// disableParts switches off the parts of the search that are named, joined with +.
func disableParts(t *lines.Tuning, names string) error {
	parts := map[string]*bool{
		"table": &t.NoTable, "order": &t.NoOrder, "fours": &t.NoFours, "zone": &t.NoZone,
		"slow": &t.NoSlow, "extend": &t.NoExtend, "reduce": &t.NoReduce, "width": &t.WholeList,
	}
	for _, name := range strings.Split(names, "+") {
		off, ok := parts[name]
		if !ok {
			return fmt.Errorf("no part %q; there are %s, joined with +", name,
				strings.Join(slices.Sorted(maps.Keys(parts)), ", "))
		}
		*off = true
	}
	return nil
}

// newLinesPlayer returns a player that searches by lines.
func newLinesPlayer[P oxo.Position[P]](b *openedGame[P], o lines.Options, seed uint64) (oxo.Player[P], error) {
	on := threats.Board{Squares: len(b.view.Squares), Need: b.lines, Bar: b.bars}
	return lines.NewPlayer(on, b.mark, o, seed)
}

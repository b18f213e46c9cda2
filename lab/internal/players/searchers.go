package players

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"oxo"
	"oxo/lab/internal/opened"
	"oxo/machine"
	"oxo/search"
)

// searcherOpener opens a player that chooses by searching. It needs one of the limits; the other
// accepted keys are options. The limits are alternatives, such as depth or time; the first is the
// example in the error where none is given. The options are checked by making a player, which is
// thrown away.
// otherKeys are keys of options besides. Each player that is made has tables of its own, and a seed drawn for it.
func searcherOpener[P oxo.Position[P]](a search.Algorithm, limitKeys []string,
	otherKeys ...string) func(*opened.TypedGame[P], string) (playerMaker[P], error) {
	return func(b *opened.TypedGame[P], args string) (playerMaker[P], error) {
		values, err := parseKeyValues(args, append(limitKeys, otherKeys...)...)
		if err != nil {
			return nil, err
		}
		var o search.Options[P]
		var perMove time.Duration
		limited := false
		for _, key := range limitKeys {
			_, given := values[key]
			limited = limited || given
		}
		if !limited {
			return nil, noLimit{map[string]string{"depth": "depth=4", "sims": "sims=1000",
				"time": "time=100ms"}[limitKeys[0]]}
		}
		for key, value := range values {
			if err := setSearchOption(&o, &perMove, key, value); err != nil {
				return nil, fmt.Errorf("option %s=%s: %w", key, value, err)
			}
		}
		if o.Eval == nil {
			// A share of proofs that the spec names, or none at all, is not to be replaced by the evaluation's.
			_, told := values["dfpn"]
			if err := setNamedEval(b, &o, a, values["eval"], a == search.MCTS && !told && !o.NoProof); err != nil {
				return nil, err
			}
		}
		if a == search.AlphaBeta {
			o.Memory, o.Order = search.Everything, search.Best
			if perMove == 0 {
				o.TableBytes = shallowTable
			}
		}
		if _, err := search.NewPlayer(b.Game, a, o, perMove, 1); err != nil {
			return nil, err
		}
		return func(r *rand.Rand) (oxo.Player[P], error) {
			preloadEval(b, &o)
			return search.NewPlayer(b.Game, a, o, perMove, r.Uint64())
		}, nil
	}
}

// shallowTable is the size of the table of a player that searches to a depth.
// It is in bytes; such a search is small.
const shallowTable = 4 << 20

// setSearchOption sets an option of a search, by its key in specs. Unknown keys are ignored: parseKeyValues has
// refused them. perMove takes the time for a move, and may be nil where time is no option.
// An error says what is needed in place of value.
func setSearchOption[P oxo.Position[P]](o *search.Options[P], perMove *time.Duration, key, value string) (err error) {
	switch key {
	case "depth":
		o.Depth, err = parsePositiveInt(value)
	case "sims":
		o.Sims, err = parsePositiveInt(value)
	case "temperature":
		o.Temperature, err = parsePositiveFloat(value)
	case "contempt":
		if o.Contempt, err = strconv.ParseFloat(value, 64); err != nil || !(-1 < o.Contempt && o.Contempt < 1) {
			err = errors.New("a number between -1 and 1 is needed")
		}
	case "memory":
		o.TreeBytes, err = parseMebibytes(value)
	case "dfpn":
		if o.Prove, err = strconv.ParseFloat(value, 64); err != nil || !(0 <= o.Prove && o.Prove <= 1000) {
			err = errors.New("a number from 0, for none, to 1000 is needed")
		}
	case "proof":
		o.NoProof, err = parseIsNo(value)
	case "reuse":
		o.Forget, err = parseIsNo(value)
	case "nodes":
		if o.MaxNodes, err = strconv.ParseUint(value, 10, 62); err != nil || o.MaxNodes == 0 {
			err = errors.New("a whole number, at least 1, is needed")
		}
		o.Deepen = true
	case "workers":
		if o.Workers, err = parsePositiveInt(value); o.Workers > mostWorkers {
			err = fmt.Errorf("%d cores at most", mostWorkers)
		}
	case "time":
		if *perMove, err = time.ParseDuration(value); err != nil || *perMove <= 0 {
			err = errors.New("a duration such as 100ms is needed")
		}
	case "explore":
		o.Explore, err = parsePositiveFloat(value)
	case "rave":
		if o.RAVE, err = strconv.ParseFloat(value, 64); err != nil || !(0 <= o.RAVE && o.RAVE <= 1e9) {
			err = errors.New("a number of simulations is needed, 0 for none")
		}
	case "decay":
		if o.Decay, err = strconv.ParseFloat(value, 64); err != nil || !(0 < o.Decay && o.Decay <= 1) {
			err = errors.New("a number above 0 and at most 1 is needed")
		}
	}
	return err
}

// ReadAlgorithmOptions reads an algorithm's own options, as the player of the same
// name has them. Only mcts has some.
func ReadAlgorithmOptions[P oxo.Position[P]](so *search.Options[P], name, args string) error {
	var accepted []string
	switch name {
	case string(search.AlphaBeta):
		accepted = []string{"plain"}
	case string(search.MCTS):
		accepted = []string{"explore", "temperature", "contempt", "rave", "proof", "dfpn", "memory"}
	}
	values, err := parseKeyValues(args, accepted...)
	if err != nil {
		return err
	}
	if plain := values["plain"]; plain != "" {
		if plain != "yes" {
			return fmt.Errorf("option plain=%s: it is yes, or left out", plain)
		}
		delete(values, "plain")
	}
	for key, value := range values {
		if err := setSearchOption(so, nil, key, value); err != nil {
			return fmt.Errorf("option %s=%s: %w", key, value, err)
		}
	}
	return nil
}

// parsePositiveFloat reads a number above 0.
func parsePositiveFloat(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x > 0 && x <= math.MaxFloat64) {
		return 0, errors.New("a number above 0 is needed")
	}
	return x, nil
}

// mostWorkers is how many cores a search uses at most, each with a tree of its own.
const mostWorkers = 1024

// parseMebibytes reads a number of mebibytes, such as 64M.
// It returns bytes; more than the machine has are refused.
func parseMebibytes(text string) (bytes int, err error) {
	digits, found := strings.CutSuffix(text, "M")
	n, err := parsePositiveInt(digits)
	if err != nil || !found || n > math.MaxInt>>20 {
		return 0, fmt.Errorf("a size in mebibytes such as 64M is needed, at most %dM", machine.Memory()>>20)
	}
	return n << 20, machine.CheckMemory(int64(n) << 20)
}

// parseIsNo reads yes or no and reports which.
// Options that are on by default are kept as fields that switch something off, whose zero value is on.
func parseIsNo(text string) (isNo bool, err error) {
	if text != "yes" && text != "no" {
		return false, errors.New("it is yes or no")
	}
	return text == "no", nil
}

// parsePositiveInt reads a whole number of at least 1.
func parsePositiveInt(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, errors.New("a whole number, at least 1, is needed")
	}
	return n, nil
}

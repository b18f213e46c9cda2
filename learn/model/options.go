package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"oxo"
	"oxo/learn/space"
)

// Setting is one option of a learner with its value.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	About string `json:"about,omitempty"`
	Takes *Takes `json:"takes,omitempty"`
}

// Takes says which values an option takes.
type Takes struct {
	Kind  string   `json:"kind" enum:"number,integer,numbers,word,text" doc:"numbers are joined with slashes"`
	Low   float64  `json:"low,omitempty" doc:"the least of a number"`
	High  float64  `json:"high,omitempty" doc:"the greatest of a number"`
	Most  int      `json:"most,omitempty" doc:"how many numbers at most"`
	Words []string `json:"words,omitempty" doc:"the accepted words; of a text, some that are"`
}

// options reads the options of a spec. The first error stays, so that a kind
// can ask for all it needs and look at the error once.
type options struct {
	given   map[string]string
	settled []Setting
	err     error
}

// parseOptions reads key=value pairs joined with commas.
func parseOptions(text string) (*options, error) {
	o := &options{given: map[string]string{}}
	if text == "" {
		return o, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(word, "=")
		if key == "" || value == "" {
			return nil, fmt.Errorf("option %q: it must be written key=value", word)
		}
		if _, twice := o.given[key]; twice {
			return nil, fmt.Errorf("option %q is given twice", key)
		}
		o.given[key] = value
	}
	return o, nil
}

// text returns the value given for a key, else the usual one.
func (o *options) text(key, usual, about string) string {
	return o.settledValue(key, usual, about, Takes{Kind: "text"})
}

func (o *options) settledValue(key, usual, about string, takes Takes) string {
	value, ok := o.given[key]
	if !ok {
		value = usual
	}
	o.settled = append(o.settled, Setting{key, value, about, &takes})
	return value
}

func (o *options) recordBadValue(key, value, want string) {
	if o.err == nil {
		o.err = fmt.Errorf("option %s=%s: it must be %s", key, value, want)
	}
}

// number reads a number in lo…hi.
func (o *options) number(key, usual string, lo, hi float64, about string) float64 {
	value := o.settledValue(key, usual, about, Takes{Kind: "number", Low: lo, High: hi})
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x >= lo && x <= hi) {
		o.recordBadValue(key, value, "a number from "+plain(lo)+" to "+plain(hi))
	}
	return x
}

// plain writes a number without an exponent.
func plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// integer reads a whole number in lo…hi.
func (o *options) integer(key, usual string, lo, hi int, about string) int {
	value := o.settledValue(key, usual, about, Takes{Kind: "integer", Low: float64(lo), High: float64(hi)})
	x, err := strconv.Atoi(value)
	if err != nil || x < lo || x > hi {
		o.recordBadValue(key, value, fmt.Sprintf("a whole number from %d to %d", lo, hi))
	}
	return x
}

// numbers reads numbers in lo…hi joined with slashes; no more than most.
func (o *options) numbers(key, usual string, lo, hi float64, most int, about string) []float64 {
	value := o.settledValue(key, usual, about, Takes{Kind: "numbers", Low: lo, High: hi, Most: most})
	var list []float64
	for word := range strings.SplitSeq(value, "/") {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || !(x >= lo && x <= hi) || len(list) == most {
			o.recordBadValue(key, value, fmt.Sprintf("up to %d numbers from %s to %s joined with slashes", most,
				plain(lo), plain(hi)))
			return nil
		}
		list = append(list, x)
	}
	return list
}

// word reads one of the accepted words.
func (o *options) word(key, usual, about string, accepted ...string) string {
	value := o.settledValue(key, usual, about, Takes{Kind: "word", Words: accepted})
	if !slices.Contains(accepted, value) {
		o.recordBadValue(key, value, "one of "+strings.Join(accepted, ", "))
	}
	return value
}

// firstError returns the first error, or one about an option that nobody asked for.
func (o *options) firstError() error {
	if o.err != nil {
		return o.err
	}
	var keys []string
	for _, s := range o.settled {
		keys = append(keys, s.Key)
	}
	for _, key := range slices.Sorted(maps.Keys(o.given)) {
		if !slices.Contains(keys, key) {
			return fmt.Errorf("unknown option %q; options are %s", key, strings.Join(keys, ", "))
		}
	}
	return nil
}

// Finite reports whether every number is one.
func Finite(list []float64) bool {
	return !slices.ContainsFunc(list, func(x float64) bool { return math.IsNaN(x) || math.Abs(x) > 1e12 })
}

// StaticForm is how the options of a static player are written.
const StaticForm = "weights=3/1/0.5/0.5/0.5/0.5,features=weger,depth=3"

// ParseStatic returns the static player of those options; see [StaticForm].
func ParseStatic[P oxo.Position[P]](g *oxo.Game[P], args string) (*space.Static[P], error) {
	o, err := parseOptions(args)
	if err != nil {
		return nil, err
	}
	weights := o.numbers("weights", "3/1/0.5/0.5/0.5/0.5", -1e6, 1e6, 1000, "")
	set := o.text("features", "weger", "")
	depth := o.integer("depth", "3", 1, 100, "")
	if err := o.firstError(); err != nil {
		return nil, err
	}
	return space.NewStatic(g, set, weights, depth)
}

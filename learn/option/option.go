// Package option reads the options of a learner's spec, as in table:epsilon=0.1,factor=0.5: [Parse] takes them apart,
// and a kind of learner asks the [Reader] for each of its own, which also says what they mean and take.
package option

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Setting is one option of a learner with its value.
// Values are in text, as they were given; About and Takes are for lists, and empty in brains.
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

// Reader has the options of a spec. The first error stays, so that a kind can ask for all it needs, and [Reader.Err]
// is looked at once. The zero value has none given.
type Reader struct {
	Given    map[string]string // what the spec says, by key
	Settings []Setting         // what was asked for, in that order, each with its value
	err      error
}

// Parse reads key=value pairs joined with commas.
func Parse(text string) (*Reader, error) {
	o := &Reader{Given: map[string]string{}}
	if text == "" {
		return o, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(word, "=")
		if key == "" || value == "" {
			return nil, fmt.Errorf("option %q: it must be written key=value", word)
		}
		if _, twice := o.Given[key]; twice {
			return nil, fmt.Errorf("option %q is given twice", key)
		}
		o.Given[key] = value
	}
	return o, nil
}

// Text returns the value given for a key, else the usual one. About says what the option is.
func (o *Reader) Text(key, usual, about string) string {
	return o.settle(key, usual, about, Takes{Kind: "text"})
}

// settle notes the value of a key, and returns it.
// A key is to be asked for once: it becomes a setting each time.
func (o *Reader) settle(key, usual, about string, takes Takes) string {
	value, ok := o.Given[key]
	if !ok {
		value = usual
	}
	o.Settings = append(o.Settings, Setting{key, value, about, &takes})
	return value
}

// Refuse notes that a key can't have a value, and what it must be instead.
func (o *Reader) Refuse(key, value, want string) {
	o.Fail(fmt.Errorf("option %s=%s: it must be %s", key, value, want))
}

// Fail notes an error; nil is none.
func (o *Reader) Fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// Number reads a number in lo…hi.
// After an error the number means nothing; a kind returns its options all the same, and Err tells.
func (o *Reader) Number(key, usual string, lo, hi float64, about string) float64 {
	value := o.settle(key, usual, about, Takes{Kind: "number", Low: lo, High: hi})
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x >= lo && x <= hi) {
		o.Refuse(key, value, "a number from "+Plain(lo)+" to "+Plain(hi))
	}
	return x
}

// Plain writes a number without an exponent.
func Plain(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// Integer reads a whole number in lo…hi.
func (o *Reader) Integer(key, usual string, lo, hi int, about string) int {
	value := o.settle(key, usual, about, Takes{Kind: "integer", Low: float64(lo), High: float64(hi)})
	x, err := strconv.Atoi(value)
	if err != nil || x < lo || x > hi {
		o.Refuse(key, value, fmt.Sprintf("a whole number from %d to %d", lo, hi))
	}
	return x
}

// Numbers reads numbers in lo…hi joined with slashes; no more than most.
func (o *Reader) Numbers(key, usual string, lo, hi float64, most int, about string) []float64 {
	value := o.settle(key, usual, about, Takes{Kind: "numbers", Low: lo, High: hi, Most: most})
	var list []float64
	for word := range strings.SplitSeq(value, "/") {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || !(x >= lo && x <= hi) || len(list) == most {
			o.Refuse(key, value, fmt.Sprintf("up to %d numbers from %s to %s joined with slashes", most, Plain(lo),
				Plain(hi)))
			return nil
		}
		list = append(list, x)
	}
	return list
}

// Word reads one of the accepted words.
// A word that is not accepted is returned as it is, after it was refused.
func (o *Reader) Word(key, usual, about string, accepted ...string) string {
	value := o.settle(key, usual, about, Takes{Kind: "word", Words: accepted})
	if !slices.Contains(accepted, value) {
		o.Refuse(key, value, "one of "+strings.Join(accepted, ", "))
	}
	return value
}

// Err returns the first error, or one about an option that nobody asked for.
// The unknown options come in alphabetical order, so that the error is the same each time.
func (o *Reader) Err() error {
	if o.err != nil {
		return o.err
	}
	var keys []string
	for _, s := range o.Settings {
		keys = append(keys, s.Key)
	}
	for _, key := range slices.Sorted(maps.Keys(o.Given)) {
		switch {
		case slices.Contains(keys, key):
		case len(keys) == 0:
			return fmt.Errorf("option %q: it takes no options", key)
		default:
			return fmt.Errorf("unknown option %q; options are %s", key, strings.Join(keys, ", "))
		}
	}
	return nil
}

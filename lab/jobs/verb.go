package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"oxo/lab"
)

// Verb is a kind of work: all that any door has to know of it. The command line
// makes flags and help of it, the HTTP API its reference and what it refuses,
// and all of them carry it out by [OpenJob]. To add a verb is to add its value to
// all.
//
// Its arguments are a struct whose fields have tags:
//
//	json   the argument's name
//	help   what it means
//	word   it is what follows the verb on a command line
//	flag   the flag's name, if not the argument's with dashes; "-" for none
//	file   the flag names a file, and the argument is what is in it
//	least  the least number
//	even   the number is even: pairs of games with seats swapped
type Verb struct {
	Name    string
	Words   []string // what follows it on a command line, for people; GAME alone is the game
	Short   string   // what it does, in a line
	Long    string   // the rest of it; empty for nothing
	Example string
	Gives   string // its parts, the data of its reports and the files of its result, for programs

	Without []string // arguments of the struct that mean nothing to this verb
	Slow    bool     // it can take days, and waits behind others
	Private bool     // not for visitors of a server
	Seeded  bool     // chance plays a part
	Learns  bool     // its parts' states hold brains: see [BrainOf]
	Plays   bool     // its data is an [arena.Standings], its outputs are journals: see [JournalGames]

	usual any // the arguments with their usual values, a struct
	open  func(ctx context.Context, g lab.Game, args any, seed uint64) (stagedJob, error)
}

// newVerb fills in the verb's arguments and what opens a job with them.
func newVerb[A any](v Verb, usual A,
	open func(ctx context.Context, g lab.Game, a A, seed uint64) (stagedJob, error)) *Verb {
	v.usual = usual
	v.open = func(ctx context.Context, g lab.Game, args any, seed uint64) (stagedJob, error) {
		return open(ctx, g, *args.(*A), seed)
	}
	return &v
}

// all lists the verbs.
var all = []*Verb{Train, Match, Tournament, Tune, Prove, Solve}

// Verbs lists the verbs.
func Verbs() []*Verb { return all }

// FindVerb returns the verb of that name.
func FindVerb(name string) (*Verb, error) {
	i := slices.IndexFunc(all, func(v *Verb) bool { return v.Name == name })
	if i < 0 {
		return nil, &lab.Fault{Field: "verb", Err: fmt.Errorf("verb %q: no job is called that; there are %s", name,
			verbNames())}
	}
	return all[i], nil
}

// verbNames lists the verbs' names for people.
func verbNames() string {
	var names []string
	for _, v := range all {
		names = append(names, v.Name)
	}
	return strings.Join(names, ", ")
}

// DefaultArgs returns a pointer to arguments with their usual values.
func (v *Verb) DefaultArgs() any {
	p := reflect.New(reflect.TypeOf(v.usual))
	p.Elem().Set(reflect.ValueOf(v.usual))
	return p.Interface()
}

// Reference describes a verb to programs.
type Reference struct {
	Verb      string     `json:"verb"`
	About     string     `json:"about"`
	Args      any        `json:"args" doc:"with their usual values"`
	Arguments []Argument `json:"arguments"`
}

// VerbReferences describes all verbs.
func VerbReferences() []Reference {
	var list []Reference
	for _, v := range all {
		list = append(list, Reference{v.Name, v.Gives, v.usual, v.Arguments()})
	}
	return list
}

// Argument describes an argument of a verb.
type Argument struct {
	Name  string   `json:"name"`
	Type  string   `json:"type"` // of JSON
	Help  string   `json:"help"`
	Least *float64 `json:"least,omitempty"`
	Even  bool     `json:"even,omitempty"`

	Flag  string `json:"-"` // empty where there is none
	Word  bool   `json:"-"`
	File  bool   `json:"-"`
	Field int    `json:"-"` // its index in the struct
}

// Arguments describes the verb's arguments.
func (v *Verb) Arguments() []Argument {
	var list []Argument
	t := reflect.TypeOf(v.usual)
	for i := range t.NumField() {
		f := t.Field(i)
		a := Argument{Type: jsonTypeName(f.Type), Help: f.Tag.Get("help"), Field: i}
		a.Name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
		if slices.Contains(v.Without, a.Name) {
			continue
		}
		_, a.Word = f.Tag.Lookup("word")
		a.Flag = f.Tag.Get("flag")
		switch {
		case a.Flag == "-" || a.Word:
			a.Flag = ""
		case a.Flag == "":
			a.Flag = strings.ReplaceAll(a.Name, "_", "-")
		}
		_, a.File = f.Tag.Lookup("file")
		_, a.Even = f.Tag.Lookup("even")
		if least, err := strconv.ParseFloat(f.Tag.Get("least"), 64); err == nil {
			a.Least = &least
		}
		list = append(list, a)
	}
	return list
}

// jsonTypeName names a type as JSON has it.
func jsonTypeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			return "array"
		}
	}
	return "object"
}

// checkArgBounds refuses numbers that are out of bounds.
func (v *Verb) checkArgBounds(args any) error {
	s := reflect.ValueOf(args).Elem()
	for _, a := range v.Arguments() {
		x := math.NaN()
		switch f := s.Field(a.Field); {
		case f.CanInt():
			x = float64(f.Int())
		case f.CanUint():
			x = float64(f.Uint())
		case f.CanFloat():
			x = f.Float()
		}
		switch {
		case a.Least != nil && !(x >= *a.Least):
			return refuse(a.Name, "%v; it must be at least %v", x, *a.Least)
		case a.Even && math.Mod(x, 2) != 0:
			return refuse(a.Name, "%v; an even number is needed, as seats are swapped", x)
		}
	}
	return nil
}

// refuse is the error of an argument whose value is described.
func refuse(name, format string, values ...any) error {
	return &lab.Fault{Field: name, Err: fmt.Errorf(name+": "+format, values...)}
}

// Limits is the most that a job of a visitor may ask for.
type Limits struct {
	Memory int64 // bytes of a part
}

// limited are arguments some of which are limited for visitors.
type limited interface {
	// checkVisitorLimits refuses an argument that asks for too much.
	checkVisitorLimits(l Limits) error
}

// CheckVisitorJob refuses a job of a visitor that asks for more than its share, before
// anything is done with its arguments. The error is a [lab.Fault].
func CheckVisitorJob(j Job, l Limits) error {
	v, err := FindVerb(j.Verb)
	if err != nil {
		return err
	}
	if v.Private {
		return &lab.Fault{Field: "verb", Err: fmt.Errorf("verb %q: it is not for visitors; use the command line",
			j.Verb)}
	}
	args := v.DefaultArgs()
	if err := decodeArgs(j.Args, args); err != nil {
		return asArgsFault(err)
	}
	if a, ok := args.(limited); ok {
		return asArgsFault(a.checkVisitorLimits(l))
	}
	return nil
}

// asArgsFault says of an error about an argument that it is in args.
func asArgsFault(err error) error {
	var f *lab.Fault
	if err == nil {
		return nil
	}
	if !errors.As(err, &f) {
		return &lab.Fault{Field: "args", Err: err}
	}
	if f.Field == "game" {
		return &lab.Fault{Field: f.Field, Err: err}
	}
	return &lab.Fault{Field: "args." + f.Field, Err: err}
}

// decodeArgs decodes arguments and refuses those that into has not, by name.
func decodeArgs(data json.RawMessage, into any) error {
	if len(data) == 0 {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil || given == nil {
		return errors.New("its arguments must be a JSON object")
	}
	names := jsonFieldNames(reflect.TypeOf(into).Elem())
	for name := range given {
		if !slices.Contains(names, name) {
			return &lab.Fault{Field: name, Err: fmt.Errorf("argument %q: there is none of that name; there are %s",
				name, strings.Join(names, ", "))}
		}
	}
	err := json.Unmarshal(data, into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return &lab.Fault{Field: wrong.Field, Err: fmt.Errorf("argument %q: a JSON %s can't be read as %s",
			wrong.Field, wrong.Value, wrong.Type)}
	}
	if err != nil {
		return fmt.Errorf("its arguments: %w", err)
	}
	return nil
}

// jsonFieldNames lists the names of a struct's fields in JSON.
func jsonFieldNames(t reflect.Type) []string {
	var names []string
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// Duration is a time in text, such as 10m; empty for none.
type Duration string

// Set reads a time.
func (d *Duration) Set(text string) error {
	*d = Duration(text)
	_, err := d.parse()
	return err
}

// parse reads the duration, 0 where none is given.
func (d Duration) parse() (time.Duration, error) {
	t, err := time.ParseDuration(cmp.Or(string(d), "0"))
	if err != nil {
		return 0, fmt.Errorf("%q is no time, such as 50ms or 10m", string(d))
	}
	return t, nil
}

// Bytes is a number of bytes.
type Bytes int64

var units = map[string]int64{"": 1, "k": 1 << 10, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

// Set reads a size such as 256MB, 1.5GB or a number of bytes.
func (b *Bytes) Set(text string) error {
	number := strings.TrimRight(text, "kKMGBi")
	unit, ok := units[strings.TrimSuffix(strings.TrimSuffix(text[len(number):], "B"), "i")]
	n, err := strconv.ParseFloat(number, 64)
	switch n *= float64(unit); {
	case err != nil || !ok || strings.Trim(number, "0123456789.") != "":
		return fmt.Errorf("%q: use a number with kB, MB or GB", text)
	case n < 1:
		return fmt.Errorf("%q: it must be at least 1 byte", text)
	}
	*b = Bytes(min(n, 1<<62))
	return nil
}

// String writes a size as Set reads it.
func (b Bytes) String() string {
	switch {
	case b == 0:
		return ""
	case b%(1<<30) == 0:
		return fmt.Sprintf("%dGB", b>>30)
	case b%(1<<20) == 0:
		return fmt.Sprintf("%dMB", b>>20)
	}
	return strconv.FormatInt(int64(b), 10)
}

func (b Bytes) checkVisitorLimits(l Limits) error {
	if l.Memory > 0 && int64(b) > l.Memory {
		return refuse("memory", "%v; at most %v here", b, Bytes(l.Memory))
	}
	return nil
}

// Trust says what shows that the outputs of a job's parts are right.
type Trust string

// The kinds of trust.
const (
	ByRepetition Trust = "repetition" // the same part has the same output, byte by byte, whoever carries it out
	ByEvidence   Trust = "evidence"   // the result carries a certificate, which is checked whole wherever it is made
	ByClock      Trust = "clock"      // players look at the clock, so that a part never has the same output twice
)

// Trust returns what shows that the outputs of the job's parts are right.
func (w *Work) Trust() Trust { return w.trust }

// clocked are arguments that name players, who may look at the clock.
type clocked interface{ usesClock() bool }

// trustBasisOf returns what shows that outputs of a verb's parts are right.
func trustBasisOf(v *Verb, args any) Trust {
	if a, ok := args.(clocked); ok && a.usesClock() {
		return ByClock
	}
	if v == Prove {
		return ByEvidence
	}
	return ByRepetition
}

// clocks finds players that look at the clock, or may: other programs, levels, which are
// to answer within a second, and searches for a time.
var clocks = regexp.MustCompile(`\b(level|engine|bot|human)\b|\btime=`)

func (a *TournamentArgs) usesClock() bool {
	return a.TimeControl != "" || slices.ContainsFunc(a.Players, clocks.MatchString)
}

func (a *TrainArgs) usesClock() bool {
	return a.For != "" || clocks.MatchString(a.Against) || clocks.MatchString(a.Learner) ||
		a.Resume != nil && clocks.Match(a.Resume)
}

func (a *TuneArgs) usesClock() bool { return clocks.MatchString(a.Player) }

package lab

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// verb is a kind of job. To add one is to add a line to verbs.
type verb struct {
	name, about string
	args        any // the type of its arguments, with their usual values
	open        func(g Game, j Job) (labour, error)
}

// jobs is what a game does for the verbs.
type jobs interface {
	trainJob(TrainArgs, uint64) (labour, error)
	tournamentJob(verb string, a TournamentArgs, seed uint64) (labour, error)
	tuneJob(TuneArgs, uint64) (labour, error)
	proveJob(ProveArgs) (labour, error)
	solveJob(SolveArgs) (labour, error)
}

func verbs() []verb {
	return []verb{
		{"train", "trains learners, a part a run; data: TrainData; files: run-N.brain, curve.csv", trainArgs,
			opener(trainArgs, func(g jobs, a TrainArgs, seed uint64) (labour, error) { return g.trainJob(a, seed) })},
		{"match", "plays two players against each other, a part a range of pairs; data: StandingsData; file: games.journal", matchArgs,
			opener(matchArgs, func(g jobs, a TournamentArgs, seed uint64) (labour, error) { return g.tournamentJob("match", a, seed) })},
		{"tournament", "plays several players against one another, a part a range of pairs; data: StandingsData; file: games.journal", tournamentArgs,
			opener(tournamentArgs, func(g jobs, a TournamentArgs, seed uint64) (labour, error) {
				return g.tournamentJob("tournament", a, seed)
			})},
		{"tune", "tunes constants of a player by SPSA with paired games, a part a trial; data: TuneData; file: path.csv", tuneArgs,
			opener(tuneArgs, func(g jobs, a TuneArgs, seed uint64) (labour, error) { return g.tuneJob(a, seed) })},
		{"prove", "proves a position's value; data: ProveData; file: proof.cert", ProveArgs{},
			opener(ProveArgs{}, func(g jobs, a ProveArgs, _ uint64) (labour, error) { return g.proveJob(a) })},
		{"solve", "finds a position's exact value; file: solution.oxo where strong", SolveArgs{},
			opener(SolveArgs{}, func(g jobs, a SolveArgs, _ uint64) (labour, error) { return g.solveJob(a) })},
	}
}

// opener reads the arguments of a verb over their usual values.
func opener[A any](usual A, open func(g jobs, args A, seed uint64) (labour, error)) func(Game, Job) (labour, error) {
	return func(g Game, j Job) (labour, error) {
		args := usual
		if err := readArgs(j.Args, &args); err != nil {
			return nil, err
		}
		return open(g.(jobs), args, j.Seed)
	}
}

// readArgs decodes arguments and refuses those that to has not, by name.
func readArgs(data json.RawMessage, to any) error {
	if len(data) == 0 {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil || given == nil {
		return errors.New("its arguments must be a JSON object")
	}
	names := argNames(reflect.TypeOf(to).Elem())
	for name := range given {
		if !slices.Contains(names, name) {
			return fmt.Errorf("argument %q: there is none of that name; there are %s", name, strings.Join(names, ", "))
		}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(to); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return fmt.Errorf("argument %q: a JSON %s can't be read as %s", wrong.Field, wrong.Value, wrong.Type)
		}
		return fmt.Errorf("its arguments: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the arguments")
	}
	return nil
}

// argNames lists the names of a struct's fields in JSON.
func argNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

func verbNames() string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}

// Verb describes a kind of job.
type Verb struct {
	Name  string `json:"verb"`
	About string `json:"about"`
	Args  any    `json:"args"` // the arguments with their usual values
}

// Verbs lists the kinds of jobs.
func Verbs() []Verb {
	var list []Verb
	for _, v := range verbs() {
		list = append(list, Verb{v.name, v.about, v.args})
	}
	return list
}

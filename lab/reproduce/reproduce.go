// Package reproduce has the printed claims of the five documents that oxo grew
// from, each as an item that can be run: what is printed stands beside what comes
// out as published, with the author's slip where there is one, what comes out once
// that is mended, and what an honest measure says. Nothing but what is printed is
// written down: the rest is worked out by the lab, which runs the commands that each
// column names.
//
// To add an item is to add it to its document in claims.json: steps of commands, and
// where in their results the figures stand (see step).
package reproduce

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"oxo/lab"
)

//go:embed claims.json
var claimsJSON []byte

// claims are all documents, and figures that are read off many results, by the name of their group.
type claims struct {
	Groups    map[string][][2]string `json:"groups"`
	Documents []document             `json:"documents"`
}

// document is where claims are printed.
type document struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	Items []item `json:"items"`
}

// item is a claim and how it is put to the test. A column that it has not is nil.
type item struct {
	ID      string  `json:"id"`
	Section string  `json:"section"` // of the document: a section, slide or exercise
	Claim   string  `json:"claim"`
	Seconds float64 `json:"seconds"` // about how long it takes on one core

	Printed   Figures `json:"printed"`
	Published []step  `json:"published"` // as the document has it, slip included
	Mended    []step  `json:"mended"`    // without the slip
	Measured  []step  `json:"measured"`  // what an honest measure says
	Why       string  `json:"why"`       // what the slip is, or why the figure does not come out
}

// loadClaims reads the claims, which are part of the program.
var loadClaims = sync.OnceValue(func() (all claims) {
	d := json.NewDecoder(bytes.NewReader(claimsJSON))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		panic(fmt.Sprintf("claims.json: %v", err))
	}
	return all
})

// Longest is how many seconds an item may take without being asked for.
const Longest = 10

// Column is one side of a comparison.
type Column struct {
	Commands []string `json:"commands,omitempty" doc:"what shows the same"`
	Figures  Figures  `json:"figures" doc:"named results"`
}

// Facts says what an item is.
type Facts struct {
	ID       string  `json:"id" doc:"the item"`
	Key      string  `json:"document" doc:"where the claim is printed, in a word"`
	Title    string  `json:"title" doc:"where the claim is printed"`
	Section  string  `json:"section" doc:"section, slide or exercise"`
	Claim    string  `json:"claim" doc:"what is printed, in words"`
	Seconds  float64 `json:"seconds" doc:"about how long it takes on one core"`
	Long     bool    `json:"long,omitempty" doc:"it has to be asked for"`
	Citation string  `json:"citation" doc:"a line to cite"`
}

// Result is an item that was run. A column that an item has not is null.
type Result struct {
	Facts
	Printed   *Column `json:"printed" doc:"the figures of the document"`
	Published *Column `json:"published" doc:"what comes out as published, with the author's slip"`
	Mended    *Column `json:"mended" doc:"what comes out without the slip"`
	Measured  *Column `json:"measured" doc:"what an honest measure says"`
	Why       string  `json:"why,omitempty" doc:"what the slip is, or why a figure does not come out"`
}

// ListItems lists the items.
// They are in the order of claims.json: by document, then as they stand in it.
func ListItems() []Facts {
	var list []Facts
	for _, d := range loadClaims().Documents {
		for _, i := range d.Items {
			list = append(list, i.facts(d))
		}
	}
	return list
}

// facts describes an item of a document.
// Its citation names the command that runs the item, with --long where that is asked for.
func (i *item) facts(d document) Facts {
	f := Facts{ID: i.ID, Key: d.Key, Title: d.Title, Section: i.Section, Claim: i.Claim, Seconds: i.Seconds,
		Long: i.Seconds > Longest}
	f.Citation = fmt.Sprintf("%s, %s; reproduced by oxo reproduce %s", d.Title, i.Section, i.ID)
	if f.Long {
		f.Citation += " --long"
	}
	return f
}

// errLong is wrapped by the error of an item that takes long and was not asked for.
var errLong = errors.New("it takes long")

// Run runs the item of that name, which allowLong allows to take long. The error says
// which items there are.
func Run(ctx context.Context, l *lab.Lab, id string, allowLong bool) (*Result, error) {
	for _, d := range loadClaims().Documents {
		for _, i := range d.Items {
			if i.ID == id {
				return i.run(ctx, l, i.facts(d), allowLong)
			}
		}
	}
	err := fmt.Errorf("reproduce: no item is called %q%s; oxo reproduce lists them", id, suggestItem(id))
	return nil, &lab.Fault{Field: "item", Err: err}
}

// suggestItem suggests an item that has a part of the name in its own.
// Words of up to two letters say too little. The text is put behind the name that is refused, and is empty where
// nothing is like it.
func suggestItem(id string) string {
	for _, f := range ListItems() {
		for word := range strings.SplitSeq(id, "-") {
			if len(word) > 2 && strings.Contains(f.ID, word) {
				return "; there is " + f.ID
			}
		}
	}
	return ""
}

// run puts the item to the test. One that takes long is refused unless that is asked for.
// Columns are worked out one after the other, and the first error ends them all. A column that ends after ctx was
// done is not shown: the error is then that of ctx.
func (i *item) run(ctx context.Context, l *lab.Lab, f Facts, allowLong bool) (*Result, error) {
	if f.Long && !allowLong {
		return nil, &lab.Fault{Field: "long",
			Err: fmt.Errorf("reproduce %s: %w, about %.0f s on one core; ask for it with --long", i.ID, errLong,
				i.Seconds)}
	}
	r := &Result{Facts: f, Why: i.Why}
	if len(i.Printed) > 0 {
		r.Printed = &Column{Figures: i.Printed}
	}
	for _, c := range []struct {
		steps []step
		to    **Column
	}{{i.Published, &r.Published}, {i.Mended, &r.Mended}, {i.Measured, &r.Measured}} {
		if c.steps == nil {
			continue
		}
		figures, commands, err := runSteps(ctx, l, c.steps)
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("reproduce %s: %w", i.ID, err)
		}
		*c.to = &Column{Commands: commands, Figures: figures}
	}
	return r, nil
}

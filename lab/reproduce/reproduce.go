// Package reproduce has the printed claims of the five documents that oxo grew
// from, each as an item that can be run: what is printed stands beside what comes
// out as published, with the author's slip where there is one, what comes out once
// that is mended, and what an honest measure says. Nothing but what is printed is
// written down here: the rest is worked out by the lab, and each column names the
// command that shows the same.
//
// To add an item is to add a value to the list of its document.
package reproduce

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"oxo/lab"
)

// Document is where claims are printed.
type Document struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	items []Item
}

// documents lists the documents.
func documents() []Document {
	return []Document{
		{"notes", "P. Danenberg, Some notes and solutions to Tom Mitchell's Machine Learning, 24 October 2011",
			slices.Concat(notesPlayerItems(), notesLearningItems())},
		{"quiz", "[SUMMARY] Learning Tic-Tac-Toe (#11), Ruby Quiz, with B. Schröder's learner and reply, 16 December " +
			"2004", quizItems()},
		{"course", "CISC 260, winter 2006: Extended Example: Tic Tac Toe, slides", courseItems()},
		{"weger", "C. Weger, Meta Tic-Tac-Toe: learning by temporal differences, web page and its code", wegerItems()},
		{"textbook", "Pseudo codes and exercises of Russell and Norvig's chapter on adversarial search, 19 pages",
			textbookItems()},
	}
}

// Item is a claim and how it is put to the test. A column that it has not is nil.
type Item struct {
	ID      string
	Section string // of the document: a section, slide or exercise
	Claim   string
	Seconds float64 // about how long it takes on one core

	Printed   Figures
	Published *Measure // as the document has it, slip included
	Mended    *Measure // without the slip
	Measured  *Measure // what an honest measure says
	Why       string   // what the slip is, or why the figure does not come out
}

// Figures are named results.
type Figures []Figure

// Figure is a named result: a number or words.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value" doc:"the result, where it is a number"`
	Error float64 `json:"error,omitempty" doc:"its standard error, where it is sampled"`
	Text  string  `json:"text,omitempty" doc:"the result in words"`
}

// String writes the result without its name.
func (f Figure) String() string {
	switch {
	case f.Text != "":
		return f.Text
	case f.Error > 0:
		return fmt.Sprintf("%s ± %s", number(f.Value), number(f.Error))
	}
	return number(f.Value)
}

// number writes whole numbers in full and others to six digits.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatInt(int64(x), 10)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// numberFigure and says make a figure.
func numberFigure(name string, x float64) Figure { return Figure{Name: name, Value: x} }
func textFigure(name, text string) Figure        { return Figure{Name: name, Text: text} }

// Measure works out a column.
type Measure struct {
	commands []string // that show the same; none where no verb does
	run      func(ctx context.Context, l *lab.Lab) (Figures, error)
}

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

// List lists the items.
func List() []Facts {
	var list []Facts
	for _, d := range documents() {
		for _, i := range d.items {
			list = append(list, i.facts(d))
		}
	}
	return list
}

func (i *Item) facts(d Document) Facts {
	f := Facts{ID: i.ID, Key: d.Key, Title: d.Title, Section: i.Section, Claim: i.Claim, Seconds: i.Seconds,
		Long: i.Seconds > Longest}
	f.Citation = fmt.Sprintf("%s, %s; reproduced by oxo reproduce %s", d.Title, i.Section, i.ID)
	if f.Long {
		f.Citation += " --long"
	}
	return f
}

// ErrLong is wrapped by the error of an item that takes long and was not asked for.
var ErrLong = errors.New("it takes long")

// Run runs the item of that name, which long allows to take long. The error says
// which items there are.
func Run(ctx context.Context, l *lab.Lab, id string, long bool) (*Result, error) {
	for _, d := range documents() {
		for _, i := range d.items {
			if i.ID == id {
				return i.run(ctx, l, i.facts(d), long)
			}
		}
	}
	err := fmt.Errorf("reproduce: no item is called %q%s; oxo reproduce lists them", id, suggestItem(id))
	return nil, &lab.Fault{Field: "item", Err: err}
}

// suggestItem suggests an item that has a part of the name in its own.
func suggestItem(id string) string {
	for _, f := range List() {
		for word := range strings.SplitSeq(id, "-") {
			if len(word) > 2 && strings.Contains(f.ID, word) {
				return "; there is " + f.ID
			}
		}
	}
	return ""
}

func (i *Item) run(ctx context.Context, l *lab.Lab, f Facts, long bool) (*Result, error) {
	if f.Long && !long {
		return nil, &lab.Fault{Field: "long",
			Err: fmt.Errorf("reproduce %s: %w, about %.0f s on one core; ask for it with --long", i.ID, ErrLong,
				i.Seconds)}
	}
	r := &Result{Facts: f, Why: i.Why}
	if len(i.Printed) > 0 {
		r.Printed = &Column{Figures: i.Printed}
	}
	for _, c := range []struct {
		measure *Measure
		to      **Column
	}{{i.Published, &r.Published}, {i.Mended, &r.Mended}, {i.Measured, &r.Measured}} {
		if c.measure == nil {
			continue
		}
		figures, err := c.measure.run(ctx, l)
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("reproduce %s: %w", i.ID, err)
		}
		*c.to = &Column{Commands: c.measure.commands, Figures: figures}
	}
	return r, nil
}

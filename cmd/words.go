package cmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wrappingWriter is where answers go. On a terminal its lines are broken on words; control characters in names are
// spelled out; and it remembers that an answer was lost, as on a full disk.
type wrappingWriter struct {
	io.Writer
	whole *bool // lines are never broken where that holds; nil for false
	mu    sync.Mutex
	err   error
}

// Write writes p, with lines broken to the terminal's width, and returns how much of p was written, not of the
// longer text that the breaks make of it. The first error is kept, as printf looks at none.
func (o *wrappingWriter) Write(p []byte) (int, error) {
	text := p
	if o.whole == nil || !*o.whole {
		text = []byte(wrapText(spellControls(string(p)), terminalColumns(o)))
	}
	n, err := o.Writer.Write(text)
	if err == nil {
		n = len(p)
	} else {
		n = min(n, len(p))
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// firstError returns the first error of a write.
func (o *wrappingWriter) firstError() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// rounded rounds a number to so many digits after the point. Printed with as many it is never a zero below zero.
func rounded(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale)/scale + 0
}

// flagError says which flag is wrong, and what it takes.
func flagError(c *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &bad) && (bad.GetFlag().Value.Type() == kindText || bad.GetFlag().Value.Type() == kindFile):
		err = fmt.Errorf("--%s %w", bad.GetFlag().Name, bad.Unwrap()) // which says what it takes
	case errors.As(err, &bad):
		err = fmt.Errorf("--%s %q: it must be %s", bad.GetFlag().Name, bad.GetValue(),
			cmp.Or(flagKinds[bad.GetFlag().Value.Type()], "a "+bad.GetFlag().Value.Type()))
	case errors.As(err, &unknown) && strings.IndexAny(unknown.GetSpecifiedShortnames(), "0123456789") == 0:
		err = fmt.Errorf("unexpected %q: no number here is below 0", "-"+unknown.GetSpecifiedShortnames())
	}
	if !c.HasParent() {
		return fmt.Errorf("%w; see oxo help", err)
	}
	return fmt.Errorf("%s: %w; see oxo help %s", c.Name(), err,
		strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" "))
}

// flagKinds say what flags take, by their type.
var flagKinds = map[string]string{"int": "a whole number", "uint64": "a whole number, 0 or more",
	"float64": "a number", "duration": "a duration such as 100ms, 30s or 1h30m", "bool": "true or false"}

// help shows what a verb does and takes, or tells of a topic. A word that is both is a verb. With --json the text
// is a field of an object.
func (a *app) help(c *cobra.Command, args []string) error {
	verb, rest, err := c.Root().Find(args)
	if err == nil && len(args) == 1 && !verb.HasParent() {
		pages := append(topics(), topic{name: "reference", text: referencePage})
		if i := slices.IndexFunc(pages, func(t topic) bool { return t.name == args[0] }); i >= 0 {
			text := pages[i].text(a)
			return a.answer(map[string]string{"topic": args[0], "text": text}, func() { fmt.Fprint(a.out, text) })
		}
	}
	if err != nil {
		return err
	}
	if len(rest) > 0 && !verb.HasParent() {
		return fmt.Errorf("help: unknown verb %q; oxo help lists the verbs; topics are %s", rest[0],
			strings.Join(topicNames(), ", "))
	}
	if len(rest) > 0 {
		return fmt.Errorf("help: unexpected %q after %s", rest[0], verb.Name())
	}
	verb.InitDefaultHelpFlag()
	if !a.json {
		return verb.Help()
	}
	var text bytes.Buffer
	verb.SetOut(&text)
	return errors.Join(verb.Help(), a.printJSON(map[string]string{"verb": verb.Name(), "text": text.String()}))
}

package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo/store"
	"oxo/web"
)

// patience is how long an order is waited for; a server looks for them four times a
// second.
const patience = 10 * time.Second

// mostShown is how many things are listed.
const mostShown = 10_000

// admin is what an operator does on a server's data folder.
type admin struct{ *app }

// adminVerb is what a server's operator does on its data folder.
func adminVerb(app *app) *cobra.Command {
	a := &admin{app}
	c := &cobra.Command{
		Use: "admin", Short: "look after a server: list, show, cancel, remove, ban, audit, check",
		Long: "look after a server by its data folder, while it runs or not. What changes something is an order:\n" +
			"a server that runs carries it out at once, another when it starts. The audit lists all of them.",
		Example: "  oxo admin list jobs\n  oxo admin cancel job fk7yri3xhvks3yuq\n  oxo admin ban address " +
			"192.0.2.7\n  oxo admin check",
	}
	setUpGroupCommand(app, c)
	for _, v := range []struct {
		use, short string
		words      []string
		do         func(c *cobra.Command, s *store.Store, data string, words []string) error
	}{
		{"list KIND [TEXT]", "list jobs, proofs, games, bots, files, brains, visitors or bans, those with a text",
			[]string{"KIND", "TEXT"}, a.listKind},
		{"show KIND ID", "show one of them", []string{"KIND", "ID"}, a.showThing},
		{"cancel KIND ID", "stop a job or a game", []string{"KIND", "ID"}, a.orderHandler("cancel", "job", "game")},
		{"remove KIND ID", "remove a job, game, bot, proof, file or brain for good", []string{"KIND", "ID"},
			a.orderHandler("remove", "job", "game", "bot", "proof", "file", "brain")},
		{"ban KIND ID", "turn an address, a bot or a visitor away", []string{"KIND", "ID"},
			a.orderHandler("ban", "address", "bot", "visitor")},
		{"unban KIND ID", "let them in again", []string{"KIND", "ID"}, a.orderHandler("unban", "address", "bot",
			"visitor")},
		{"audit", "list the orders given, the latest first", nil, a.printOrders},
		{"check", "find what is damaged in the store", nil, a.checkStore},
	} {
		c.AddCommand(a.operatorVerb(v.use, v.short, v.words, v.do))
	}
	return c
}

// operatorVerb is one of the operator's verbs. The wanted words are checked before the store is
// opened. The store is the one in the folder that --data names, and it must be there already.
func (a *admin) operatorVerb(use, short string, words []string,
	do func(c *cobra.Command, s *store.Store, data string, words []string) error) *cobra.Command {
	c := storeVerb(use, short, short+".", "  oxo admin "+use,
		argsBetween(len(words)-strings.Count(use, "["), words), nil)
	data := c.Flags().Lookup("data")
	c.RunE = func(c *cobra.Command, words []string) error {
		return withStore("admin "+c.Name(), data.Value.String(), true,
			func(s *store.Store, folder string) error { return do(c, s, folder, words) })
	}
	return c
}

// parseKind reads a kind, in the singular or the plural. The singular is tried first, then the word as it
// is, for "address". The error names the word and the kinds that are accepted.
func parseKind(word string, kinds []string) (string, error) {
	if kind := strings.TrimSuffix(word, "s"); slices.Contains(kinds, kind) {
		return kind, nil
	}
	if slices.Contains(kinds, word) {
		return word, nil
	}
	return "", fmt.Errorf("%q is no kind of thing here; one of %s is needed", word, strings.Join(kinds, ", "))
}

// listKind prints what the store has of a kind. At most [mostShown] things are listed, in the order in
// which the store gives them. With --json they are one object with the kind's plural as its only
// field.
func (a *admin) listKind(c *cobra.Command, s *store.Store, _ string, words []string) error {
	kind, err := parseKind(words[0], store.ListableKinds())
	if err != nil {
		return err
	}
	list, err := s.ListThings(c.Context(), kind, "", strings.Join(words[1:], ""), mostShown)
	if err != nil {
		return err
	}
	return a.answer(map[string]any{kind + "s": list}, func() {
		for _, thing := range list {
			a.printThingLine(thing)
		}
	})
}

// showThing prints all that the store says of one thing: indented JSON for people, one line with --json.
// That there is no such thing is an error, so the exit status is 2.
func (a *admin) showThing(c *cobra.Command, s *store.Store, _ string, words []string) error {
	kind, err := parseKind(words[0], store.ListableKinds())
	if err != nil {
		return err
	}
	list, err := s.ListThings(c.Context(), kind, words[1], "", 1)
	switch {
	case err != nil:
		return err
	case len(list) == 0:
		return fmt.Errorf("there is no %s %q", kind, words[1])
	case a.json:
		return a.printJSON(list[0])
	}
	text, err := json.MarshalIndent(list[0], "", "  ")
	a.printf("%s\n", text)
	return err
}

// printThingLine prints a thing on a line, without what is said of it at length. Fields stand in
// alphabetical order after the id; numbers and short texts are printed, and the time "made", in
// milliseconds since 1970, as a date in UTC. Nested values are left to the verb show.
func (a *printer) printThingLine(thing map[string]any) {
	a.printf("%v", thing["id"])
	for _, name := range slices.Sorted(maps.Keys(thing)) {
		switch v := thing[name].(type) {
		case int64:
			if name == "made" {
				a.printf("  %s %s", name, time.UnixMilli(v).UTC().Format(time.DateTime))
				continue
			}
			a.printf("  %s %d", name, v)
		case string:
			if name != "id" {
				a.printf("  %s %s", name, v)
			}
		}
	}
	a.printf("\n")
}

// orderHandler returns what puts down an order, and waits for what comes of it where a server runs. Orders are rows
// in the store, so that a server that runs and one that starts later carry out the same ones, and the
// audit lists all. Whether a server runs is told by the lock on its folder.
func (a *admin) orderHandler(verb string, kinds ...string) func(*cobra.Command, *store.Store, string, []string) error {
	return func(c *cobra.Command, s *store.Store, data string, words []string) error {
		kind, err := parseKind(words[0], kinds)
		if err != nil {
			return err
		}
		seq, err := s.AddOrder(verb, kind, words[1])
		if err != nil {
			return err
		}
		if release, err := store.LockFolder(data); err == nil { // no server has the folder
			return errors.Join(release(), a.printOrderAnswer(store.Order{Seq: seq, Verb: verb, Kind: kind, ID: words[1],
				Answer: "no server runs: it is done when one starts"}))
		}
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(patience / 100) {
			list, err := s.Orders(c.Context(), false, mostShown)
			if err != nil {
				return err
			}
			for _, o := range list {
				if o.Seq == seq && o.Ended > 0 {
					return a.printOrderAnswer(o)
				}
			}
		}
		return errors.New("the server has not answered; the order stays, and oxo admin audit says what comes of it")
	}
}

// printOrderAnswer says what came of an order.
func (a *admin) printOrderAnswer(o store.Order) error {
	if o.Failed {
		return fmt.Errorf("%s %q: %s", o.Kind, o.ID, o.Answer)
	}
	return a.answerf(o, "%s %s: %s\n", o.Kind, o.ID, o.Answer)
}

// printOrders prints the orders that were given and what came of each.
func (a *admin) printOrders(c *cobra.Command, s *store.Store, _ string, _ []string) error {
	list, err := s.Orders(c.Context(), false, mostShown)
	if err != nil {
		return err
	}
	return a.answer(map[string]any{"orders": list}, func() {
		for _, o := range list {
			a.printf("%d  %s  %s %s %s: %s\n", o.Seq, time.UnixMilli(o.Made).UTC().Format(time.DateTime), o.Verb,
				o.Kind, o.ID, o.Answer)
		}
	})
}

// checkStore goes through the structure and the checksum of every row of the store. It exits with status 1
// where something is damaged, so that a script can watch for it.
func (a *admin) checkStore(c *cobra.Command, s *store.Store, _ string, _ []string) error {
	found, err := s.CheckIntegrity(c.Context())
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return a.answerf(map[string]any{"ok": true, "damaged": found}, "all that is kept is as it was written\n")
	}
	err = a.answer(map[string]any{"ok": false, "damaged": found}, func() {
		for _, d := range found {
			a.printf("%s\n", d)
		}
	})
	return cmp.Or(err, errNo)
}

// orders are the operator's, as the server asks for them. It implements web.Orders, which the server
// polls; the store's rows stay out of the room web.
type orders struct{ *store.Store }

// Has reports whether the store has a thing of a kind by that id.
func (o orders) Has(ctx context.Context, kind, id string) (bool, error) {
	list, err := o.ListThings(ctx, kind, id, "", 1)
	return len(list) > 0, err
}

// Pending returns the orders that are still to be carried out.
func (o orders) Pending(ctx context.Context) ([]web.Order, error) {
	list, err := o.Orders(ctx, true, mostShown)
	out := make([]web.Order, len(list))
	for i, order := range list {
		out[i] = web.Order{Seq: order.Seq, Verb: order.Verb, Kind: order.Kind, ID: order.ID}
	}
	return out, err
}

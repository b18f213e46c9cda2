package cmd

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"oxo/lab/reproduce"
)

// reproduceVerb returns the verb that puts printed claims to the test.
func reproduceVerb(a *app) *cobra.Command {
	var table string
	var long bool
	c := &cobra.Command{
		Use:   "reproduce [ITEM]",
		Short: "put the printed claims of the documents that oxo is from to the test",
		Long: `put the printed claims of the documents that oxo is from to the test.

Without an item it lists them. Of an item it shows, side by side: what is printed; what comes out
as published, with the author's slip where there is one; what comes out once that is mended; and an
honest measure, with standard errors where games are sampled. The commands that show each are named.
The same item has the same figures whenever it is run.`,
		Example: "  oxo reproduce\n  oxo reproduce course-nodes\n  oxo reproduce notes-features --csv features.csv\n" +
			"  oxo reproduce quiz-boxes --json",
		Args: atMostArgs("ITEM"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if table != "" {
					return fmt.Errorf("reproduce: --csv %s: name an item", table)
				}
				return a.listItems()
			}
			if err := checkWritable(table); err != nil {
				return err
			}
			doing := "reproducing"
			for _, i := range reproduce.ListItems() {
				if i.ID == args[0] {
					doing = fmt.Sprintf("reproducing, about %.0f s", max(1, i.Seconds))
				}
			}
			stop := a.showElapsed(doing)
			r, err := reproduce.Run(c.Context(), a.lab, args[0], long)
			stop()
			if err != nil {
				return err
			}
			if table != "" {
				if err := writeAtomicallyWith(table, func(f *os.File) error { return writeItemCSV(f, r) }); err != nil {
					return err
				}
			}
			return a.answer(r, func() { a.printItem(r) })
		},
	}
	c.Flags().StringVar(&table, "csv", "", "write the figures of an item to this file")
	annotateFiles(c.Flags(), fileWritten, "csv")
	c.Flags().BoolVar(&long, "long", false, fmt.Sprintf("also run an item that takes more than %d s",
		reproduce.Longest))
	return c
}

// listItems prints the claims that there are.
func (a *app) listItems() error {
	items := reproduce.ListItems()
	return a.answer(itemsAnswer{items}, func() {
		title := ""
		for _, i := range items {
			if i.Title != title {
				title = i.Title
				a.printf("\n%s\n", title)
			}
			a.printf("  %-26s %4.0f s  %s: %s\n", i.ID, max(1, i.Seconds), i.Section, i.Claim)
		}
		a.printf("\n%d items; oxo reproduce ITEM runs one\n", len(items))
	})
}

// itemColumns are the columns of a comparison, in their order.
func itemColumns(r *reproduce.Result) (names []string, columns []*reproduce.Column) {
	return []string{"printed", "published", "mended", "measured"},
		[]*reproduce.Column{r.Printed, r.Published, r.Mended, r.Measured}
}

// printItem prints a claim's figures, a column for each way to come by them.
func (a *printer) printItem(r *reproduce.Result) {
	a.printf("%s: %s\n  %s\n  %s\n", r.ID, r.Claim, r.Title, r.Section)
	names, columns := itemColumns(r)
	var rows []string
	cells := map[string][4]string{}
	wide := 0
	for k, c := range columns {
		if c == nil {
			continue
		}
		for _, f := range c.Figures {
			row, seen := cells[f.Name]
			if !seen {
				rows = append(rows, f.Name)
			}
			row[k] = f.String()
			cells[f.Name] = row
			wide = max(wide, len([]rune(f.Name)))
		}
	}
	var widths [4]int
	for k, name := range names {
		widths[k] = len(name)
		for _, row := range cells {
			widths[k] = max(widths[k], len([]rune(row[k])))
		}
	}
	line := func(label string, row [4]string) {
		text := "  " + pad(label, wide)
		for k, cell := range row {
			if columns[k] != nil {
				text += "  " + pad(cell, widths[k])
			}
		}
		a.printf("%s\n", strings.TrimRight(text, " "))
	}
	a.printf("\n")
	line("", [4]string(names))
	for _, name := range rows {
		line(name, cells[name])
	}
	a.printf("\n")
	if r.Why != "" {
		a.printf("  %s\n", r.Why)
	}
	for k, c := range columns {
		for i := 0; c != nil && i < len(c.Commands); i++ {
			a.printf("  %-10s %s\n", names[k]+":", c.Commands[i])
		}
	}
	a.printf("  cite:      %s\n", r.Citation)
}

// writeItemCSV writes a line a figure.
func writeItemCSV(f *os.File, r *reproduce.Result) error {
	w := csv.NewWriter(f)
	rows := [][]string{{"item", "column", "figure", "value", "error"}}
	names, columns := itemColumns(r)
	for k, c := range columns {
		if c == nil {
			continue
		}
		for _, x := range c.Figures {
			row := []string{r.ID, names[k], x.Name, x.Text, ""}
			if x.Text == "" {
				row[3] = fmt.Sprint(x.Value)
			}
			if x.Error > 0 {
				row[4] = fmt.Sprint(x.Error)
			}
			rows = append(rows, row)
		}
	}
	return w.WriteAll(rows)
}

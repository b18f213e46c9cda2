package cmd

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manVerb returns the verb that writes manual pages.
func manVerb(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "write manual pages of all verbs and topics into a folder",
		Example: "  oxo man ~/.local/share/man",
		Args:    exactArgs("DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			pages := map[string]string{}
			addManPages(c.Root(), pages)
			for _, t := range topics() {
				pages[manName("oxo "+t.name, 7)] = manHead("oxo "+t.name, 7, t.about) + manBlock(t.text(a))
			}
			written := []string{}
			for _, name := range slices.Sorted(maps.Keys(pages)) {
				path := filepath.Join(args[0], "man"+name[len(name)-1:], name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					return err
				}
				if err := writeAtomically(path, []byte(pages[name])); err != nil {
					return err
				}
				written = append(written, path)
			}
			return a.answerf(pagesAnswer{written}, "%d pages in %s\n", len(written), args[0])
		},
	}
}

// manName returns the name of the file of a page, as oxo-jobs-watch.1 of oxo jobs watch.
func manName(path string, section int) string {
	return fmt.Sprintf("%s.%d", strings.ReplaceAll(path, " ", "-"), section)
}

// manHead begins a manual page in the language of roff, up to where its description is to stand.
func manHead(path string, section int, about string) string {
	name := strings.ReplaceAll(path, " ", "-")
	return fmt.Sprintf(".TH %s %d \"\" \"oxo %s\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n",
		manText(strings.ToUpper(name)), section, version, manText(name), manText(about))
}

// addManPages adds the page of a verb and those of the verbs under it. The pages are those of section
// 1, in the manner of man(7); the topics have section 7. The help of the flags and the examples are
// the same texts as those of oxo help.
func addManPages(c *cobra.Command, pages map[string]string) {
	var b strings.Builder
	b.WriteString(manHead(c.CommandPath(), 1, c.Short))
	b.WriteString(manBlock(cmp.Or(c.Long, c.Short)))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", manText(c.UseLine()))
	if c.LocalFlags().HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\n")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			kind, usage := pflag.UnquoteUsage(f)
			if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" && f.DefValue != "0s" {
				usage += " (default " + f.DefValue + ")"
			}
			fmt.Fprintf(&b, ".TP\n\\fB\\-\\-%s\\fR %s\n%s\n", manText(f.Name), manText(kind), manText(usage))
		})
	}
	if c.Example != "" {
		b.WriteString(".SH EXAMPLES\n" + manBlock(c.Example))
	}
	// See also: the verbs below this one, and the one above it or the topics.
	var others []string
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			addManPages(sub, pages)
			others = append(others, strings.ReplaceAll(sub.CommandPath(), " ", "-")+"(1)")
		}
	}
	if !c.HasParent() {
		for _, t := range topics() {
			others = append(others, "oxo-"+t.name+"(7)")
		}
	} else {
		others = append(others, strings.ReplaceAll(c.Parent().CommandPath(), " ", "-")+"(1)")
	}
	b.WriteString(".SH SEE ALSO\n" + manText(strings.Join(others, ", ")) + "\n")
	pages[manName(c.CommandPath(), 1)] = b.String()
}

// manBlock writes text whose lines are kept as they are, as those of examples.
func manBlock(text string) string {
	var b strings.Builder
	b.WriteString(".nf\n")
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(manText(line) + "\n")
	}
	return b.String() + ".fi\n"
}

// manText writes text so that nothing in it is a request of roff. A backslash and a hyphen are
// escaped, a dot or an apostrophe at the start of a line is shielded, and what is not ASCII is named
// by its code point.
func manText(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	var b strings.Builder
	for _, r := range text {
		if r > 126 {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

package cmd

import (
	"github.com/spf13/cobra"

	"oxo/cmd/licences"
)

// licencesVerb returns the verb that lists what the program is built from.
func licencesVerb(a *app) *cobra.Command {
	var texts bool
	c := &cobra.Command{
		Use:   "licences",
		Short: "list what the program is built from, and under what licence each may be used",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			list, err := licences.All()
			if err != nil {
				return err
			}
			if !texts {
				for i := range list {
					list[i].Text = ""
				}
			}
			return a.answer(map[string]any{"licences": list}, func() {
				for _, l := range list {
					a.printf("%-42s %-36s %s\n", l.Module, l.Version, l.Licence)
					if texts {
						a.printf("\n%s\n\n", l.Text)
					}
				}
			})
		},
	}
	c.Flags().BoolVar(&texts, "texts", false, "print the licences themselves, too")
	return c
}

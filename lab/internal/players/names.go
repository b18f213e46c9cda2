package players

import (
	"fmt"
	"slices"
	"strings"

	"oxo/board"
	"oxo/lab/internal/game"
)

// CheckKinds says what is wrong with a list of kinds of games, nil where nothing is: a name that is taken, by another
// kind, by a word that opens a game, or, of a player, by one that plays all games; and what a kind lacks. A kind
// without a form extends the one of its name before it.
func CheckKinds(kinds []game.Kind) error {
	general := []string{game.Human}
	for _, p := range playerKinds[board.Pos64]() {
		general = append(general, p.name)
	}
	taken := map[string]string{} // by name, who has it
	for i := range kinds {
		k := &kinds[i]
		if err := k.Fault(); err != nil {
			return err
		}
		_, known := taken[strings.ToLower(k.Name)]
		switch {
		case known && k.Form == "":
			continue
		case k.Form == "":
			return fmt.Errorf("kind %q: Form, how its specs are written, is missing", k.Name)
		case known && taken[strings.ToLower(k.Name)] == k.Name:
			return fmt.Errorf("kind %q: there is another kind of that name", k.Name)
		}
		for _, p := range k.Only {
			if slices.Contains(general, p.Name) {
				return fmt.Errorf("kind %q: player %q: the name is taken by a player of all games", k.Name, p.Name)
			}
		}
		names := []string{k.Name}
		for _, o := range k.Offers {
			names = append(names, o.Also...)
		}
		for _, name := range names {
			if who, ok := taken[strings.ToLower(name)]; ok && who != k.Name {
				return fmt.Errorf("kind %q: the name %q is taken: it opens a game of the kind %q", k.Name, name, who)
			}
			taken[strings.ToLower(name)] = k.Name
		}
	}
	return nil
}

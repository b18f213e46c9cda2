package players

import (
	"errors"
	"fmt"
	"strings"

	"oxo/board"
	"oxo/games/kind"
	"oxo/lab/internal/game"
	"oxo/learn"
	"oxo/learn/model"
)

// Check says what is wrong with what a lab knows, nil where nothing is: with its kinds of games, its players or its
// learners. Each has a name of its own, and so have players and learners among each other, as specs of both are taken
// in one place.
func Check(l *game.Lab) error {
	taken := map[string]string{"pool": "the opponents of learners"} // by name, what has it
	taken[learn.Itself], taken[strings.TrimSuffix(learn.RivalPrefix, ":")] = taken["pool"], taken["pool"]
	taken[game.Human] = "a player of all games"
	for _, p := range playerKinds[board.Pos64]() {
		taken[p.Name] = taken[game.Human]
	}
	for _, k := range model.Forms() {
		taken[k.Name] = "a learner"
	}
	take := func(what, name string, whole bool, who string) error {
		err := kind.CheckName(name)
		switch {
		case err == nil && !whole:
			err = errors.New("it lacks what makes it, a function")
		case err == nil && taken[name] != "":
			err = fmt.Errorf("the name is taken by %s", taken[name])
		}
		if err != nil {
			return fmt.Errorf("%s %q: %w", what, name, err)
		}
		taken[name] = who
		return nil
	}
	for _, p := range l.Players {
		if err := take("player", p.Name, p.Open != nil, taken[game.Human]); err != nil {
			return err
		}
	}
	for _, k := range l.Learners {
		if err := take("learner", k.Name, k.Build != nil, "a learner"); err != nil {
			return err
		}
	}
	return checkKinds(l.Kinds, taken)
}

// checkKinds says what is wrong with a list of kinds of games, nil where nothing is: a name that is taken, by another
// kind, by a word that opens a game, or, of a player, by one that plays all games; and what a kind lacks. A kind
// without a form extends the one of its name before it.
func checkKinds(kinds []game.Kind, general map[string]string) error {
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
			if who := general[p.Name]; who != "" {
				return fmt.Errorf("kind %q: player %q: the name is taken by %s", k.Name, p.Name, who)
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

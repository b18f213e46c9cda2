package kind

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// nameForm is how names of kinds and of players are written: specs go on with a colon or a plus sign.
var nameForm = regexp.MustCompile(`^[\pL\pN][\pL\pN._-]*$`)

// Listed returns the kind as a lab lists it, with the players that play nothing else.
func (k Of[P]) Listed() Kind {
	k.Only = slices.Clone(k.Only)
	for _, p := range k.Players {
		k.Only = append(k.Only, p.GamePlayer)
		if p.Open == nil {
			k.lacks = fmt.Sprintf("player %q has no Open", p.Name)
		}
	}
	if k.Open == nil {
		k.lacks = "Open is missing"
	}
	return k.Kind
}

// Listed returns the kind as a lab lists it.
func (k Positional) Listed() Kind {
	k.Proofs = true
	if k.Open == nil {
		k.lacks = "Open is missing"
	}
	return k.Kind
}

// CheckName refuses what no kind, player or learner can be called.
func CheckName(name string) error {
	if !nameForm.MatchString(name) {
		return errors.New("a name is letters, digits, dots, hyphens and underscores, and begins with a letter or a " +
			"digit")
	}
	return nil
}

// Fault says what is wrong with what the kind says of itself, nil where nothing is.
func (k *Kind) Fault() error {
	if err := CheckName(k.Name); err != nil {
		return fmt.Errorf("kind %q: %w", k.Name, err)
	}
	if k.lacks != "" {
		return fmt.Errorf("kind %q: %s", k.Name, k.lacks)
	}
	var names []string
	for _, p := range k.Only {
		if !nameForm.MatchString(p.Name) || slices.Contains(names, p.Name) {
			return fmt.Errorf("kind %q: player %q: a name is letters, digits, dots, hyphens and underscores, and no "+
				"other player's", k.Name, p.Name)
		}
		names = append(names, p.Name)
	}
	return nil
}

// OpenWhole opens a game, and refuses what Open returns where it is none, or its view does not fit it.
func (k *Of[P]) OpenWhole(s Spec) (*Opened[P], error) {
	o, err := k.Open(s)
	switch {
	case err != nil:
		return nil, err
	case o == nil || o.Game == nil:
		return nil, errors.New("the kind's Open returns neither a game nor an error")
	case o.Game.Format == nil || o.Game.Parse == nil || o.Game.FormatMove == nil || o.Game.ParseMove == nil:
		return nil, errors.New("the game lacks one of Format, Parse, FormatMove and ParseMove")
	}
	return o, o.ViewFault(o.Game.Start)
}

// ViewFault says why the view does not fit the text of a position, nil where it does.
func (o *Opened[P]) ViewFault(p P) error {
	text := o.Game.Format(p)
	signs, _, _ := strings.Cut(text, " ")
	n := len([]rune(strings.ReplaceAll(signs, "/", "")))
	if o.Drawn != Tree && n != len(o.Squares) {
		return fmt.Errorf("its view has %d squares, and the position %q begins with %d signs", len(o.Squares), text, n)
	}
	return nil
}

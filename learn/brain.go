package learn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/show"
	"oxo/learn/space"
)

// brainFormat and brainVersion mark a brain's file.
const (
	brainFormat  = "oxo brain"
	brainVersion = 1
)

// Brain is what a trainer knows, as text: enough to go on exactly as if it had
// never stopped, and to play.
// What its fields hold is checked by [Resume], and not when it is read.
type Brain struct {
	Format   string          `json:"format"`
	Version  int             `json:"version"`
	Game     string          `json:"game"`     // the game's spec
	Identity string          `json:"identity"` // tells the game from all others
	Learner  string          `json:"learner"`  // the learner's spec
	Settings []model.Setting `json:"settings"` // all its options with their values
	Plan     Plan            `json:"plan"`
	Seed     uint64          `json:"seed"`
	Tally    Tally           `json:"tally"`
	Chance   []byte          `json:"chance"` // the state of the source of chance
	Last     *savedGame      `json:"last,omitempty"`
	Memory   json.RawMessage `json:"memory"`
	Starts   json.RawMessage `json:"starts,omitempty"` // what the experiment generator knows
	Rival    *Brain          `json:"rival,omitempty"`  // of the opponent, where it learns too

	more []model.Kind // of learners that it may be of, beside oxo's own
}

// Brain returns what the trainer knows now. Game and identity name the game,
// and are what [Brain.CheckIdentity] asks for again.
// It shares nothing with the trainer that learning would change.
func (t *Trainer) Brain(game, identity string) (*Brain, error) {
	chance, err := t.source.MarshalBinary()
	if err != nil {
		return nil, err
	}
	var memory []byte
	err = oxo.CatchPanic(func() (err error) {
		memory, err = json.Marshal(t.memory.Save())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("learner %q: what it has learned can't be kept: %w", t.spec, err)
	}
	settings := make([]model.Setting, len(t.spec.Settings()))
	for i, s := range t.spec.Settings() {
		settings[i] = model.Setting{Key: s.Key, Value: s.Value}
	}
	b := &Brain{
		Format: brainFormat, Version: brainVersion, Game: game, Identity: identity,
		Learner: t.spec.String(), Settings: settings, Plan: t.plan, Seed: t.seed,
		Tally: t.tally, Chance: chance, Last: t.saveLastGame(), Memory: memory,
	}
	if k, ok := t.Generator.(savedGenerator); ok {
		b.Starts, err = json.Marshal(k.save())
	}
	if t.rival != nil && err == nil {
		b.Rival, err = t.rival.trainer.Brain(game, identity)
	}
	return b, err
}

// Bytes returns the brain as it is written to a file.
func (b *Brain) Bytes() ([]byte, error) {
	data, err := json.MarshalIndent(b, "", " ")
	return append(data, '\n'), err
}

// ReadBrain reads a brain, of one of oxo's kinds of learners or of more. It refuses what is no brain, and brains of a
// newer version.
func ReadBrain(data []byte, more ...model.Kind) (*Brain, error) {
	var b Brain
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("it is no brain: %w", jsonErrorInWords(err))
	}
	switch {
	case b.Format != brainFormat:
		return nil, errors.New("it is no brain: its format is not " + brainFormat)
	case b.Version > brainVersion:
		return nil, fmt.Errorf("it is a brain of version %d; this program reads up to version %d", b.Version,
			brainVersion)
	case b.Version < 1:
		return nil, fmt.Errorf("it is a brain of version %d, which there never was", b.Version)
	}
	for part := &b; part != nil; part = part.Rival {
		part.more = more
	}
	return &b, nil
}

// jsonErrorInWords says what is wrong with JSON in words of the file instead of this
// program's types. Other errors stay as they are.
func jsonErrorInWords(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is cut short")
	case errors.As(err, &kind):
		return fmt.Errorf("%s is a JSON %s", cmp.Or(kind.Field, "the whole"), kind.Value)
	case errors.As(err, new(*json.SyntaxError)):
		return fmt.Errorf("it is not JSON: %w", err)
	}
	return err
}

// CheckIdentity refuses a game that is not the brain's.
// identity is that of the game at hand, see [Trainer.Brain].
func (b *Brain) CheckIdentity(identity string) error {
	if b.Identity != identity {
		return fmt.Errorf("it is a brain for %s, not for %s", b.Game, identity)
	}
	return nil
}

// BeganUsually reports whether its games began as is usual for its learner, which nobody need have
// asked for.
func (b *Brain) BeganUsually(s *space.Space) bool {
	spec, err := model.ParseWithSavedSettings(b.Learner, b.Settings, b.more...)
	return err == nil && b.Plan.Start == spec.AdaptedTo(s).UsualStart(s)
}

// mostGames is how many games a brain may have played, so that counting more
// never overflows.
const mostGames = 1 << 53

// Resume returns a trainer that goes on where the brain's stopped. The
// opponent must be the one of the brain's plan.
// The space is of the brain's game, which the caller has made sure of by [Brain.CheckIdentity]. All that stands in the
// brain is checked, as a file may hold anything.
func Resume(s *space.Space, b *Brain, opponent Opponent) (*Trainer, error) {
	spec, err := model.ParseWithSavedSettings(b.Learner, b.Settings, b.more...)
	if err != nil {
		return nil, err
	}
	// What the brain's rival has learned takes the place of what the one at hand would begin with.
	if _, ok := opponent.(*Rival); ok && b.Rival != nil {
		if opponent, err = ResumeRival(b.Rival); err != nil {
			return nil, fmt.Errorf("the brain's opponent: %w", err)
		}
	}
	t, err := New(s, spec, b.Plan, opponent, b.Seed)
	if err != nil {
		return nil, err
	}
	err = t.naming(func() error {
		if err := t.memory.Load(b.Memory); err != nil {
			return err
		}
		return t.memory.Check()
	})
	if err != nil {
		return nil, fmt.Errorf("the brain's memory: %w", jsonErrorInWords(err))
	}
	if k, ok := t.Generator.(savedGenerator); ok && b.Starts != nil {
		if err := k.load(b.Starts); err != nil {
			return nil, fmt.Errorf("the brain's starts: %w", jsonErrorInWords(err))
		}
	}
	if b.Tally.Games < 0 || b.Tally.Games > mostGames {
		return nil, fmt.Errorf("the brain has played %d games", b.Tally.Games)
	}
	t.tally = b.Tally
	if t.last, err = t.restoreLastGame(b.Last); err != nil {
		return nil, fmt.Errorf("the brain's last game: %w", err)
	}
	if err := t.source.UnmarshalBinary(b.Chance); err != nil {
		return nil, fmt.Errorf("the brain's source of chance: %w", err)
	}
	return t, nil
}

// Show says what the trainer has learned; most is how many boxes or positions
// to list.
// The last game is part of it, with its positions as text.
func (t *Trainer) Show(most int) show.Shown {
	s := t.memory.Show(most)
	if s.Summary == nil {
		s.Summary = []string{}
	}
	s.Last = t.lastGameSteps()
	return s
}

// OpenBrain returns the trainer of a brain, to be examined, shown or made a
// player of, but not to be trained: it has no opponent.
func OpenBrain(s *space.Space, b *Brain) (*Trainer, error) {
	// Copied is the brain itself, not what it points to, which is only read.
	plain := *b
	plain.Plan = Plan{Against: Itself, Start: "empty"}
	if strings.HasPrefix(b.Plan.Start, illegalStart) {
		plain.Last = nil // on boards that the space need not list
	}
	return Resume(s, &plain, nil)
}

package arena

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"oxo"
)

// Sheet is a score sheet: a record and what was noted beside it. The record's
// moves include those of the opening.
type Sheet struct {
	oxo.Record
	Title       string `json:"title,omitempty"`        // of the game, for people
	File        string `json:"file,omitempty"`         // what the file says that the game's spec names, on one line
	TimeControl string `json:"time_control,omitempty"` // as TimeControl.String writes it
	Opening     int    `json:"opening,omitempty"`      // how many of the moves were given
	Reason      string `json:"reason,omitempty"`       // says more about an end that is not normal
	Notes       []Note `json:"notes,omitempty"`        // one for each move, or none at all
}

// Note is what is noted beside a move.
type Note struct {
	Value  float64       `json:"value,omitempty"`  // to the mover, 1 a sure win, where Scored
	Depth  int           `json:"depth,omitempty"`  // plies looked ahead
	Time   time.Duration `json:"time,omitempty"`   // in nanoseconds, where Timed
	Scored bool          `json:"scored,omitempty"` // whether there is a value
	Exact  bool          `json:"exact,omitempty"`  // whether the value is the truth
	Timed  bool          `json:"timed,omitempty"`  // whether the time is known
	Text   string        `json:"text,omitempty"`   // a remark
}

// Sheet writes the game down. The names are those of First and Second.
func (g *Played[P]) Sheet(game *oxo.Game[P], names [2]string, t TimeControl) *Sheet {
	s := &Sheet{
		Record: oxo.Record{
			Game: game.Spec, First: names[0], Second: names[1], Seed: g.Seed,
			Moves: make([]string, 0, len(g.Opening.Moves)+len(g.Plies)),
			Final: game.Format(g.Final), Result: g.Outcome.String(), Termination: g.Termination,
		},
		Title: game.Title, TimeControl: t.String(), Opening: len(g.Opening.Moves), Reason: g.Reason,
		Notes: make([]Note, len(g.Opening.Moves), len(g.Opening.Moves)+len(g.Plies)),
	}
	p := g.Opening.Start
	if p != game.Start {
		s.Start = game.Format(p)
	}
	for _, m := range g.Opening.Moves {
		s.Moves = append(s.Moves, game.FormatMove(p, m))
		p = p.Play(m)
	}
	for _, ply := range g.Plies {
		s.Moves = append(s.Moves, game.FormatMove(p, ply.Move))
		s.Notes = append(s.Notes, Note{Value: ply.Score, Depth: ply.Depth, Time: ply.Time, Scored: ply.Scored,
			Exact: ply.Exact, Timed: ply.Seat != oxo.Chance})
		p = p.Play(ply.Move)
	}
	return s
}

// NewSheet returns the sheet of a record without notes.
func NewSheet(r oxo.Record) *Sheet { return &Sheet{Record: r} }

// note returns the note of move i.
func (s *Sheet) note(i int) Note {
	if i < len(s.Notes) {
		return s.Notes[i]
	}
	return Note{}
}

// Replay plays the sheet's moves by the rules of the game and returns them
// with all positions, the one after the last move last. It refuses an illegal
// move, with its number, and a result that the moves contradict. A sheet
// without a result gets that of its last position.
func Replay[P oxo.Position[P]](g *oxo.Game[P], s *Sheet) (positions []P, moves []oxo.Move, err error) {
	p := g.Start
	if s.Start != "" {
		if p, err = g.Parse(s.Start); err != nil {
			return nil, nil, fmt.Errorf("start: %w", err)
		}
	}
	positions = make([]P, 1, len(s.Moves)+1)
	positions[0] = p
	moves = make([]oxo.Move, 0, len(s.Moves))
	for i, text := range s.Moves {
		if p.Outcome() != oxo.Ongoing {
			return nil, nil, fmt.Errorf("move %d, %q: the game is over", i+1, text)
		}
		m, err := g.ParseMove(p, text)
		if err != nil {
			return nil, nil, fmt.Errorf("move %d by %s: %w", i+1, p.Turn(), err)
		}
		p = p.Play(m)
		moves = append(moves, m)
		positions = append(positions, p)
	}
	return positions, moves, s.setOrCheckResult(p.Outcome(), g.Format(p))
}

// setOrCheckResult compares what the sheet says of the end with the last position, or enters its result where the
// sheet has none.
func (s *Sheet) setOrCheckResult(o oxo.Outcome, finalPosition string) error {
	s.Result = cmp.Or(s.Result, o.String())
	switch {
	case s.Final != "" && s.Final != finalPosition:
		return fmt.Errorf("the moves lead to %q, not to %q", finalPosition, s.Final)
	case o != oxo.Ongoing && s.Result != o.String():
		return fmt.Errorf("the result is %s, but after the last move it is %s", s.Result, o)
	case o == oxo.Ongoing && s.Termination == oxo.EndNormal:
		return errors.New("the termination is normal, but the game is not over after the last move")
	}
	return s.checkTermination()
}

// checkTermination refuses a result that no game can have which ended so: where a side loses by what it did there is
// a winner, and only a draw is agreed on.
func (s *Sheet) checkTermination() error {
	want := ""
	switch s.Termination {
	case oxo.EndTime, oxo.EndIllegal, oxo.EndCrashed, oxo.EndResigned:
		if oxo.SeatNamed(s.Result) == oxo.Chance {
			want = "1-0 or 0-1"
		}
	case oxo.EndAgreed:
		if s.Result != oxo.Drawn.String() {
			want = "1/2-1/2"
		}
	case oxo.EndSolved:
		if s.Result == oxo.Ongoing.String() {
			want = "1-0, 0-1 or 1/2-1/2"
		}
	}
	if want != "" {
		return fmt.Errorf("the result is %s, but with the termination %s it is %s", resultToken(s.Result),
			s.Termination, want)
	}
	return nil
}

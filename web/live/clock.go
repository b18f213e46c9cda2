package live

import (
	"time"

	"oxo"
	"oxo/lab"
)

// lagAllowance is what the way to the server and back may take without being
// charged for, with every move.
// It is given anew with each move and can't be saved up.
const lagAllowance = 200 * time.Millisecond

// Terms are a game's clocks: each side has a bank of time, and more after each
// of its moves.
// Without terms, nil, a game has no clocks.
type Terms struct {
	BankMS      int64 `json:"bank_ms" minimum:"1000" maximum:"86400000" doc:"what each clock shows at first"`
	IncrementMS int64 `json:"increment_ms,omitempty" minimum:"0" maximum:"3600000" doc:"added after each move"`
}

// control returns the terms as score sheets write them.
func (t Terms) control() lab.TimeControl {
	return lab.TimeControl{Bank: time.Duration(t.BankMS) * time.Millisecond,
		Increment: time.Duration(t.IncrementMS) * time.Millisecond}
}

// timesOfMoves returns notes with what each move of a seat took of its clock, from what both showed after each. A move
// for which no clock ran has none.
func (t Terms) timesOfMoves(seats []string, clocks [][2]time.Duration) []lab.Note {
	c := t.control()
	notes, before := make([]lab.Note, min(len(seats), len(clocks))), [2]time.Duration{c.Bank, c.Bank}
	for i := range notes {
		side := oxo.SeatNamed(seats[i])
		if side == oxo.Chance {
			continue
		}
		if left := clocks[i][side]; left != before[side] {
			notes[i].Time = before[side] + c.Increment - left
			notes[i].Timed = notes[i].Time >= 0
		}
		before = clocks[i]
	}
	return notes
}

// clock is a pair of clocks, of which one runs at most. What is left is as of the last move or stop; of the side
// whose clock runs, what has passed since is taken off when it is asked for. After a stop the side is that whose
// clock ran last. All is guarded by the game's lock.
type clock struct {
	left      [2]time.Duration
	increment time.Duration
	running   bool
	side      oxo.Seat
	since     time.Time
}

// newClock returns the clock of a game that has not begun.
// Both sides have the whole bank, and none runs.
func newClock(t Terms) *clock {
	bank := time.Duration(t.BankMS) * time.Millisecond
	return &clock{left: [2]time.Duration{bank, bank}, increment: time.Duration(t.IncrementMS) * time.Millisecond}
}

// start has a side's clock run.
// The other side's clock must have been stopped before.
func (c *clock) start(side oxo.Seat, now time.Time) { c.running, c.side, c.since = true, side, now }

// remaining returns what a side has, with the allowance for lag taken off what
// it has used.
// It is never less than 0.
func (c *clock) remaining(side oxo.Seat, now time.Time) time.Duration {
	if !c.running || side != c.side {
		return c.left[side]
	}
	return max(0, c.left[side]-max(0, now.Sub(c.since)-lagAllowance))
}

// remainingAtEnd returns what both sides have at the end of a game, which may be that the running clock has run out.
func (c *clock) remainingAtEnd(now time.Time, outOfTime bool) [2]time.Duration {
	left := [2]time.Duration{c.remaining(oxo.First, now), c.remaining(oxo.Second, now)}
	if outOfTime {
		left[c.side] = 0
	}
	return left
}

// deadline returns when the running clock has run out.
// It means something only while a clock runs.
func (c *clock) deadline() time.Time { return c.since.Add(c.left[c.side] + lagAllowance) }

// stopAfterMove stops the running clock after a move and adds the increment.
// Where none runs, as before both sides have moved, nothing is added.
func (c *clock) stopAfterMove(now time.Time) {
	if c.running {
		c.stop(now)
		c.left[c.side] += c.increment
	}
}

// stop stops the running clock where no move was made. Where none runs it changes nothing.
func (c *clock) stop(now time.Time) {
	c.left[c.side] = c.remaining(c.side, now)
	c.running = false
}

// takeIncrements takes so many increments from a side's clock, as far as that leaves one on it.
func (c *clock) takeIncrements(side oxo.Seat, n int) {
	c.left[side] = max(min(c.left[side], c.increment), c.left[side]-time.Duration(n)*c.increment)
}

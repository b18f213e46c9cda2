package arena

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"oxo"
)

// TimeControl is what a player may use: a time for each move, or a bank for
// the whole game to which Increment is added after each of its moves, or both.
// First, where it is not 0, is the time for a player's first move in place of
// Move. The zero value has no clocks.
type TimeControl struct {
	Move, First, Bank, Increment time.Duration
}

// ParseTimeControl reads "100ms/move", "5m", "5m+2s", "5m+2s,30s/move",
// "100ms/move,1s/first", or "-" for no clocks.
func ParseTimeControl(text string) (TimeControl, error) {
	t, err := parseTimeControl(text)
	if err != nil {
		return TimeControl{}, fmt.Errorf("time control %q: %w; write 100ms/move, 5m, 5m+2s, 5m+2s,30s/move, "+
			"100ms/move,1s/first, or - for none", text, err)
	}
	return t, nil
}

// parseTimeControl reads a time control: words with commas between them, each once, for the time of
// the whole game, of the first move and of each move.
func parseTimeControl(text string) (t TimeControl, err error) {
	if text == "" || text == "-" {
		return t, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		to := &t.Bank
		amount, perMove := strings.CutSuffix(word, "/move")
		first := false
		if !perMove {
			amount, first = strings.CutSuffix(word, "/first")
		}
		if perMove {
			to = &t.Move
		} else if first {
			to = &t.First
		} else if bank, increment, found := strings.Cut(word, "+"); found {
			amount = bank
			if t.Increment, err = parseDuration(increment); err != nil {
				return t, err
			}
		}
		if *to != 0 {
			return t, fmt.Errorf("%q: that limit is given twice", word)
		}
		if *to, err = parseDuration(amount); err != nil {
			return t, err
		}
		if *to == 0 {
			return t, fmt.Errorf("%q leaves no time", word)
		}
	}
	return t, t.Check()
}

// parseDuration reads a time that is not negative and at most maxTime.
func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is no time", text)
	case d < 0:
		return 0, fmt.Errorf("%q is negative", text)
	case d > maxTime:
		return 0, fmt.Errorf("%q is more than %v", text, maxTime)
	}
	return d, nil
}

// maxTime is the most that a limit, a bank, an increment or a margin may be.
// It keeps sums of times far from what a Duration holds, which is 292 years.
const maxTime = 1000 * time.Hour

// Check refuses limits that make no sense.
func (t TimeControl) Check() error {
	switch {
	case t.Move < 0 || t.First < 0 || t.Bank < 0 || t.Increment < 0:
		return errors.New("a time limit is negative")
	case max(t.Move, t.First, t.Bank, t.Increment) > maxTime:
		return fmt.Errorf("a time limit is more than %v", maxTime)
	case t.Increment > 0 && t.Bank == 0:
		return errors.New("an increment needs a bank to be added to")
	case t.First > 0 && t.Move == 0:
		return errors.New("a time for the first move needs one for the others")
	}
	return nil
}

// String writes what ParseTimeControl reads.
func (t TimeControl) String() string {
	var words []string
	if t.Bank != 0 {
		word := t.Bank.String()
		if t.Increment != 0 {
			word += "+" + t.Increment.String()
		}
		words = append(words, word)
	}
	if t.Move != 0 {
		words = append(words, t.Move.String()+"/move")
	}
	if t.First != 0 {
		words = append(words, t.First.String()+"/first")
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, ",")
}

// clock is the clock of one game.
// left is what the banks hold, by seat, and moved whether a seat has made its first move; runs is whether there are
// limits.
type clock struct {
	TimeControl
	margin time.Duration
	left   [2]time.Duration
	moved  [2]bool
	runs   bool
}

// newClock starts both banks full; without limits it never runs.
func newClock(t TimeControl, margin time.Duration) clock {
	return clock{TimeControl: t, margin: margin, left: [2]time.Duration{t.Bank, t.Bank}, runs: t != TimeControl{}}
}

// moveLimit returns the time for the seat's next move; 0 for no such limit.
func (c *clock) moveLimit(seat oxo.Seat) time.Duration {
	if c.First != 0 && !c.moved[seat] {
		return c.First
	}
	return c.Move
}

// timeAvailableForMove returns the time that the seat has for a move.
// It is the smaller of the bank and the time for a move, where there are both.
func (c *clock) timeAvailableForMove(seat oxo.Seat) time.Duration {
	move := c.moveLimit(seat)
	if c.Bank == 0 || move != 0 && move < c.left[seat] {
		return move
	}
	return c.left[seat]
}

// bankLeft returns what is left of the seat's bank as a player is told: at least a
// nanosecond where there is a bank, as 0 means that there is none.
func (c *clock) bankLeft(seat oxo.Seat) time.Duration {
	if c.Bank == 0 {
		return 0
	}
	return max(c.left[seat], 1)
}

// suggestedTime returns the part of its time that a player which does not look at the
// clock is given for a move: a 25th of its bank and most of the increment, and
// a little less than the time for a move.
func (c *clock) suggestedTime(seat oxo.Seat) time.Duration {
	limit := c.timeAvailableForMove(seat)
	limit -= min(limit/10, 5*time.Millisecond)
	if c.Bank == 0 {
		return limit
	}
	return min(limit, c.left[seat]/25+c.Increment*3/4)
}

// graceTime is the share of the margin for which an engine is waited for after
// its time is up; the rest covers the referee's own delays.
func (c *clock) graceTime() time.Duration { return c.margin * 3 / 4 }

// chargeTime takes time from the seat's bank and returns the reason why it was too much, or "". A bank
// that is overstepped within the margin is empty, not negative.
func (c *clock) chargeTime(seat oxo.Seat, spent time.Duration) (lossReason string) {
	if !c.runs {
		return ""
	}
	if limit := c.timeAvailableForMove(seat); spent > limit+c.margin {
		return fmt.Sprintf("it took %v where it had %v", spent.Round(time.Microsecond), limit)
	}
	c.moved[seat] = true
	if c.Bank != 0 {
		c.left[seat] = min(max(0, c.left[seat]-spent)+c.Increment, maxTime)
	}
	return ""
}

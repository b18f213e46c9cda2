package lab

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// dailyFrom are the least ratings of daily puzzles from Monday, whose are easy, to Sunday.
var dailyFrom = [7]int{800, 900, 1000, 1100, 1200, 1350, 1600}

const (
	dailySeed  = 1
	dailyWeeks = 5 * 52 // after which the daily puzzles begin again
	plainDays  = 1      // of a week, from Monday, whose puzzles are of plain games
	gameRest   = 14     // days in a row no two of which are of one game
)

// firstMonday is the day from which weeks of daily puzzles are counted.
var firstMonday = time.Date(2026, time.October, 26, 0, 0, 0, 0, time.UTC)

// DailyPuzzle returns the puzzle of a day in UTC, the same for all.
func DailyPuzzle(day time.Time) *Puzzle {
	at := int(math.Floor(day.Sub(firstMonday).Hours() / 24))
	list := dailies()
	return &list[(at%len(list)+len(list))%len(list)]
}

// ParsePastDay reads a day, as 2026-01-31, that is not after today. The error says which days have a puzzle.
func ParsePastDay(text string, today time.Time) (time.Time, error) {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.After(today) {
		return day, fmt.Errorf("day %q: a day up to today is wanted, as %s", text, today.UTC().Format(time.DateOnly))
	}
	return day, nil
}

// dailies are the daily puzzles in their order, from a Monday on, none twice: each day of the game that has not been
// set for longest, in which games that many people know wait less long, and of the theme that its weekday has not had.
var dailies = sync.OnceValue(func() []Puzzle {
	left := dailyChoices()
	list := make([]Puzzle, 0, 7*dailyWeeks)
	last := map[string]int{}   // the day after the last puzzle of a game
	var asked [7]map[Theme]int // the same of a theme, on each weekday
	for day := range 7 * dailyWeeks {
		rests := map[string]bool{} // by which the end of the list is followed by its beginning, too
		for _, z := range slices.Concat(list[max(0, day-gameRest+1):],
			list[:min(len(list), max(0, day+gameRest-7*dailyWeeks))]) {
			rests[z.Game] = true
		}
		waits := func(z *Puzzle) int {
			switch n := day + gameRest - last[z.Game]; {
			case rests[z.Game]:
				return n - len(left)*7*dailyWeeks // one that rests is better than none
			case OrderOfKnownGame(z.Game) >= 0:
				return n + n/2
			default:
				return n
			}
		}
		of := left[day%7]
		best := 0
		for i := range of {
			if cmp.Or(cmp.Compare(waits(&of[i]), waits(&of[best])),
				cmp.Compare(asked[day%7][of[best].Theme], asked[day%7][of[i].Theme])) > 0 {
				best = i
			}
		}
		z := of[best]
		left[day%7] = slices.Delete(of, best, best+1)
		last[z.Game] = day + 1
		if asked[day%7] == nil {
			asked[day%7] = map[Theme]int{}
		}
		asked[day%7][z.Theme] = day + 1
		list = append(list, z)
	}
	return list
})

// dailyChoices are the puzzles that suit each weekday from Monday on, in the order of the lot.
func dailyChoices() (weekday [7][]Puzzle) {
	list := slices.Clone(CarriedPuzzles("", ""))
	lot := rand.New(rand.NewPCG(dailySeed, 0))
	lot.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	for _, z := range list {
		day := 6
		for day >= 0 && z.Rating < dailyFrom[day] {
			day--
		}
		if day >= plainDays || day >= 0 && IsPlainGame(z.Game) {
			weekday[day] = append(weekday[day], z)
		}
	}
	return weekday
}

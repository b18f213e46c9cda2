package game

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// LevelFigure is how strong a level was measured to be in a game.
type LevelFigure struct {
	Game        string  `json:"game"`
	Level       int     `json:"level" doc:"from 1 to 5"`
	Slips       float64 `json:"slips" doc:"the probability that it moves as a beginner would"`
	Elo         float64 `json:"elo" doc:"over the level below, in games against it"`
	Error       float64 `json:"error" doc:"half of the 95 % interval of elo"`
	Games       int     `json:"games"`
	Fingerprint string  `json:"-"` // of the player that was measured
}

// Text says the figure beside the level's name.
func (f *LevelFigure) Text() string {
	return fmt.Sprintf("about %+.0f over level %d", f.Elo, f.Level-1)
}

// figuresFile is what TestMeasureLevels (soak) writes.
//
//go:embed levels/figures.csv
var figuresFile string

// LevelFigures lists what was measured, by game and level. TestLevelFigures keeps out figures of
// players that have changed since.
var LevelFigures = sync.OnceValue(func() []LevelFigure {
	list, err := readLevelFigures(figuresFile)
	if err != nil {
		panic("levels/figures.csv: " + err.Error()) // it is part of the program
	}
	return list
})

// readLevelFigures reads figures from CSV with a header. The columns are game, level, slips, elo, error,
// games and fingerprint.
// The first field that is no number is the error.
func readLevelFigures(text string) ([]LevelFigure, error) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	var list []LevelFigure
	for _, row := range rows[1:] {
		f := LevelFigure{Game: row[0], Fingerprint: row[6]}
		var errs [5]error
		f.Level, errs[0] = strconv.Atoi(row[1])
		f.Slips, errs[1] = strconv.ParseFloat(row[2], 64)
		f.Elo, errs[2] = strconv.ParseFloat(row[3], 64)
		f.Error, errs[3] = strconv.ParseFloat(row[4], 64)
		f.Games, errs[4] = strconv.Atoi(row[5])
		if err := cmp.Or(errs[:]...); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// usualSlips are the levels' where nothing was measured.
var usualSlips = [TopLevel + 1]float64{1: 1, 2: .75, 3: .5, 4: .2}

// SlipProbability returns the probability that a level slips in a game. It is the measured one where
// TestMeasureLevels has tuned it for the game.
func SlipProbability(spec string, level int) float64 {
	for _, f := range LevelFigures() {
		if f.Game == spec && f.Level == level {
			return f.Slips
		}
	}
	return usualSlips[level]
}

// The levels are opponents for people, who ask for an easy game or a hard one
// and not for an algorithm. Each plays every game, and the same seed plays the same game:
//
//   - Level 5 plays what the judge calls best: exactly where the game is soon solved, where a
//     checked proof or a book holds the position, where marks fall and a search ends; else by
//     a search of few positions.
//   - Levels 2 to 4 are level 5 that slips: with a probability of its own for each game a move, in
//     long games a stretch of moves, is a beginner's.
//   - Level 1 is the beginner: it takes a win in one move, often lets none happen, and else
//     moves anywhere.
const TopLevel = 5

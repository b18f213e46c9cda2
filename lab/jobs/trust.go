package jobs

import (
	"regexp"
	"slices"
)

// Trust says what shows that the outputs of a job's parts are right.
type Trust string

// The kinds of trust.
const (
	ByRepetition Trust = "repetition" // the same part has the same output, byte by byte, whoever carries it out
	ByEvidence   Trust = "evidence"   // the result carries a certificate, which is checked whole wherever it is made
	ByClock      Trust = "clock"      // players look at the clock, so that a part never has the same output twice
)

// Trust returns what shows that the outputs of the job's parts are right.
func (w *Work) Trust() Trust { return w.trust }

// clocked are arguments that name players, who may look at the clock.
type clocked interface{ usesClock() bool }

// trustBasisOf returns what shows that outputs of a verb's parts are right.
func trustBasisOf(v *Verb, args any) Trust {
	if a, ok := args.(clocked); ok && a.usesClock() {
		return ByClock
	}
	if v == Prove {
		return ByEvidence
	}
	return ByRepetition
}

// clocks finds players that look at the clock, or may: other programs, levels, which are
// to answer within a second, and searches for a time.
var clocks = regexp.MustCompile(`\b(level|engine|bot|human)\b|\btime=`)

func (a *TournamentArgs) usesClock() bool {
	return a.TimeControl != "" || slices.ContainsFunc(a.Players, clocks.MatchString)
}

func (a *TrainArgs) usesClock() bool {
	return a.For != "" || clocks.MatchString(a.Against) || clocks.MatchString(a.Learner) ||
		a.Resume != nil && clocks.Match(a.Resume)
}

func (a *TuneArgs) usesClock() bool { return clocks.MatchString(a.Player) }

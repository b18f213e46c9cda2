package cmd

import (
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/lab/reproduce"
)

// Answers of verbs with --json that are no results of the lab's alone. [jsonResults] has all of which oxo help json
// tells.
type (
	provedAnswer struct {
		*lab.ProveResult
		File     string     `json:"file,omitempty" doc:"the file of the certificate"`
		Known    *lab.Known `json:"known,omitempty" doc:"what is known for certain, where the value is not"`
		Standing string     `json:"standing,omitempty" doc:"what is known, where the value is not, in words"`
		Said     lab.Said   `json:"said,omitempty" doc:"the messages of the standing: keys and arguments, for other languages"`
	}
	solvedAnswer struct { // what is spliced: see printResultJSON
		jobs.TierResult
		File string `json:"file,omitempty" doc:"the file of the strong solution"`
	}
	mapAnswer struct {
		Game string `json:"game"`
		File string `json:"file" doc:"the picture of the map"`
	}
	trainedAnswer struct { // the same
		jobs.TrainSummary
		Seconds float64 `json:"seconds"`
		Out     string  `json:"out" doc:"the file of the brain; empty where none is kept"`
	}
	kindAnswer struct {
		lab.Kind
		Meanings []option `json:"meanings" doc:"the options and what they mean"`
		Rules    string   `json:"rules,omitempty" doc:"the rules of the game that was named"`
	}
	listsAnswer struct {
		Games    []lab.Kind  `json:"games" doc:"the kinds, each as games GAME tells of it"`
		Players  [][2]string `json:"players" doc:"how players are named, and what they are"`
		Learners [][2]string `json:"learners" doc:"the same of learners"`
	}
	proofsAnswer struct {
		Proofs []proofEntry `json:"proofs" doc:"those that oxo has with it, each as proofs GAME tells of it"`
	}
	itemsAnswer struct {
		Items []reproduce.Facts `json:"items" doc:"the claims that can be looked at again"`
	}
	bookAnswer struct {
		Positions int     `json:"positions" doc:"positions so many plies in"`
		Stored    int     `json:"stored" doc:"classes of them, each with its score"`
		Next      int     `json:"next,omitempty" doc:"classes a ply later that have a bit each"`
		Bytes     int64   `json:"bytes" doc:"of the file"`
		Seconds   float64 `json:"seconds"`
	}
	reviewEnd struct {
		Game    string    `json:"game"`
		Moves   int       `json:"moves" doc:"how many moves were judged"`
		Start   lab.Known `json:"start" doc:"what is known of the first position"`
		Summary string    `json:"summary" doc:"how much was certain, in words"`
	}
	replayAnswer struct {
		Game      string      `json:"game"`
		Moves     []string    `json:"moves" doc:"the moves in order"`
		Result    string      `json:"result" doc:"first, second, draw or * while it goes on"`
		Positions []lab.State `json:"positions" doc:"the start and the position after each move"`
	}
	fileAnswer struct {
		Game string `json:"game"`
		File string `json:"file" doc:"the file that was written"`
	}
)

package oxo

// Record is one game as it was played, in text that [Game.Parse] and
// [Game.ParseMove] read.
type Record struct {
	Game        string   `json:"game"` // the game's canonical spec
	Date        string   `json:"date,omitempty" doc:"the day on which it began, as 2026-01-31, where that is known"`
	First       string   `json:"first" doc:"the first player's spec"`
	Second      string   `json:"second" doc:"the second player's spec"` //
	Seed        uint64   `json:"seed"`                                  // what chance and players drew from
	Start       string   `json:"start,omitempty" doc:"where play began, if not at the game's start"`
	Moves       []string `json:"moves" doc:"in order, chance's included"`
	Final       string   `json:"final" doc:"the last position"`
	Result      string   `json:"result" doc:"first, second or draw; * of a game that goes on"`
	Termination string   `json:"termination" doc:"normal, time, illegal, crashed, resigned, agreed, adjudicated or abandoned; empty of a game that goes on"` // see the Termination constants
}

// How a game can end.
const (
	EndNormal    = "normal"    // by the rules of the game
	EndResigned  = "resigned"  // a player gave up
	EndAgreed    = "agreed"    // a draw that both sides agreed on
	EndAbandoned = "abandoned" // nobody finished it
	EndTime      = "time"      // a clock ran out
	EndIllegal   = "illegal"   // a player broke the rules
	EndCrashed   = "crashed"   // an engine stopped answering
	EndSolved    = "adjudicated"
)

// Terminations lists how a game can end.
func Terminations() []string {
	return []string{EndNormal, EndTime, EndIllegal, EndCrashed, EndResigned, EndAgreed, EndSolved, EndAbandoned}
}

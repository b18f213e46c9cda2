package oxo

// Record is one game as it was played, in text that [Game.Parse] and
// [Game.ParseMove] read.
type Record struct {
	Game        string   `json:"game"`            // the game's canonical spec
	First       string   `json:"first"`           // player specs or names
	Second      string   `json:"second"`          //
	Seed        uint64   `json:"seed"`            // what chance and players drew from
	Start       string   `json:"start,omitempty"` // where play began, if not at the game's start
	Moves       []string `json:"moves"`           // in order, chance's included
	Final       string   `json:"final"`           // the last position
	Result      string   `json:"result"`          // first, second, draw, or * if unfinished
	Termination string   `json:"termination"`     // see the Termination constants
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

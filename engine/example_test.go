package engine_test

import (
	"context"
	"log"
	"os"
	"strings"

	"oxo/engine"
)

// A program that plays over UGI with a game and a player of ours.
func ExampleServeUGI() {
	dialogue := `
isready
position startpos moves b2
query p1turn
quit
`
	err := engine.ServeUGI(context.Background(), strings.NewReader(dialogue), os.Stdout,
		firstMover(tttGame()), "mnk:3,3,3", nil, engine.About{Name: "oxo", Version: "1", Author: "its authors"})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// readyok
	// response false
}

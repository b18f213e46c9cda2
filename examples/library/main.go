// Command library is oxo with a game, a player of all games and a learner more: all
// verbs, the server and the studio know them. See docs/library.md.
package main

import (
	"oxo/cmd"
	"oxo/lab"

	"example.org/library/mean"
	"example.org/library/roam"
	"example.org/library/tight"
)

func main() { cmd.Main(lab.KindOf(roam.Kind), tight.Player, mean.Learner) }

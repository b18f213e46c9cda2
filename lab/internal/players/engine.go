package players

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"

	"oxo"
	"oxo/engine"
	"oxo/lab/internal/opened"
)

// openEnginePlayer opens the player that is another program. The program is started when the player is made, unless
// one is kept from an earlier game, and is looked for on the path before, unless games are played on other machines.
// The command may have the protocol's word in front. What a protocol can't carry is refused here, before a program is
// started.
func openEnginePlayer[P oxo.Position[P]](b *opened.TypedGame[P], command string) (playerMaker[P], error) {
	switch {
	case !b.Lab.Commands:
		return nil, errors.New("commands can't be run here")
	case command == "":
		return nil, errors.New("a command is missing, as in engine:./bot or engine:gomocup:./bot")
	}
	protocol, rest := engine.SplitProtocol(command)
	argv, err := engine.SplitCommand(rest)
	if err != nil {
		return nil, err
	}
	if !b.Lab.Elsewhere {
		if _, err := exec.LookPath(argv[0]); err != nil {
			return nil, err
		}
	}
	o := engine.ClientOptions{Keeper: b.Lab.Programs}
	switch protocol {
	case "gomocup":
		if !b.IsFiveInARow() {
			return nil, fmt.Errorf("the gomocup protocol is for five in a row on a grid, not for %s", b.Spec)
		}
		// Bars keep longer rows from winning, which is rule 1 of the protocol.
		if b.Bars != nil {
			o.Rule = 1
		}
	case "codingame":
		if err := engine.CheckGrid(b.Game); err != nil {
			return nil, fmt.Errorf("the codingame protocol is for Ultimate tic-tac-toe and its like, not for %s: %w",
				b.Spec, err)
		}
	}
	// A program that starts is waited for no longer than the lab lasts.
	ctx := b.Lab.Ending
	if ctx == nil {
		ctx = context.Background()
	}
	return func(r *rand.Rand) (oxo.Player[P], error) {
		own := o
		own.Random = r
		return engine.New(ctx, b.Game, command, own)
	}, nil
}

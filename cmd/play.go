package cmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo"
	"oxo/arena"
	"oxo/games/kind"
	"oxo/lab"
	"oxo/message"
)

// playVerb returns the verb that plays in the terminal.
func playVerb(a *app) *cobra.Command {
	var o lab.SessionOptions
	var away onlineOptions
	var values bool
	var save string
	c := &cobra.Command{
		Use:   "play [GAME]",
		Short: "play a game in the terminal",
		Long: "play a game in the terminal, by default 3×3 tic-tac-toe against a beginner. Who wins meets the next " +
			"level then.\nA player is human or any player that oxo games lists.\n" +
			"With --server the other side is somebody there: who is given the invitation, a bot that is challenged, " +
			"or anybody.\nWith --json the board is shown on the error output, and the game's record is printed at " +
			"its end.",
		Example: "  oxo play\n  oxo play qubic --second level:2\n  oxo play ttt --second perfect\n  " +
			"oxo play mnk:4,4,3 --show-values\n  oxo play mnk:4,4,3 --server http://127.0.0.1:8210 --challenge deep",
		Args: atMostArgs("GAME"),
		RunE: func(c *cobra.Command, args []string) error {
			spec := cmp.Or(gameOfBrains(a.lab, o.First, o.Second), "ttt")
			if len(args) > 0 {
				spec = args[0]
			}
			if err := checkOnlineFlags(c, away.server); err != nil {
				return err
			}
			if err := checkSheetFile(save); err != nil {
				return err
			}
			if away.server != "" {
				if err := checkServer(away.server); err != nil {
					return fmt.Errorf("play: %w", err)
				}
				return explainUnreachable(away.server, a.playOnline(c.Context(), spec, o, away))
			}
			g, err := a.lab.Game(spec)
			if err != nil {
				return err
			}
			if !c.Flags().Changed("seed") {
				o.Seed = rand.Uint64() >> 11 // exact as a JSON number everywhere
			}
			o.Playable = o.First != "" && o.Second != "" // nobody takes the place of a player that was not named
			series := gameSeries{app: a, game: g, options: o, level: 1, values: values, save: save,
				attended: isTerminal(a.in)}
			return series.play(c.Context(), bufio.NewReader(a.in))
		},
	}
	c.Flags().StringVar(&o.First, "first", "", "who moves first (default human, or level:1 against a human second)")
	c.Flags().StringVar(&o.Second, "second", "",
		"who moves second (default level:1, or human against a first that is not)")
	c.Flags().StringVar(&o.Position, "position", "", "the position to begin from; with both players named, "+
		"each human, random, heuristic or rows, also one that no play leads to; without it the start")
	c.Flags().BoolVar(&values, "show-values", false, "show what every empty square is worth, as far as that is known")
	c.Flags().Uint64Var(&o.Seed, "seed", 0, "what chance draws from (default a new one each time)")
	c.Flags().StringVar(&save, "save", "", "a file to add the game to as a score sheet, for replay and review")
	annotateFiles(c.Flags(), fileWritten, "save")
	away.addFlags(c)
	return c
}

// newCanvas returns what draws a game's boards, in colours where they are seen and nobody has asked for none by
// setting NO_COLOR.
func (a *printer) newCanvas(info lab.Info) *canvas {
	return &canvas{info: info, colour: supportsEscapes(a.out) && !a.json && os.Getenv("NO_COLOR") == "",
		wide: terminalColumns(a.out)}
}

// gameSeries is games that a person plays one after the other, each from its own seed.
type gameSeries struct {
	*app
	game     lab.Game
	options  lab.SessionOptions
	level    int // of the opponent, where the options name none
	values   bool
	save     string // a file to add the games to, or ""
	attended bool   // somebody at a terminal may want another one
}

// play plays games until no other is wanted.
func (g *gameSeries) play(ctx context.Context, in *bufio.Reader) error {
	for {
		again, err := g.playOne(ctx, in)
		if !again || err != nil {
			return err
		}
		g.options.Seed++
	}
}

// playOne plays a game, and reports whether another one is wanted.
func (g *gameSeries) playOne(ctx context.Context, in *bufio.Reader) (again bool, err error) {
	o, climbs := g.players()
	s, err := g.game.NewSession(o)
	if err != nil {
		return false, err
	}
	defer s.Close()
	t := newTerminalGame(g.app, g.game, s)
	t.values, t.attended, t.keeper.path = g.values, g.attended, g.save
	if climbs && g.attended {
		t.invite = fmt.Sprintf("Win, and the next opponent is stronger than level %d of %d.", g.level, lab.TopLevel)
		if g.level == lab.TopLevel {
			t.invite = "This is the strongest level."
		}
	}
	if !g.json {
		t.next = func() string {
			if !climbs {
				return "play again"
			}
			return fmt.Sprintf("play level %d", g.levelAfter(s.Record()))
		}
	}
	broke := t.run(ctx, in)
	if err := t.saveGame(true); err != nil || broke != nil && broke != errNo {
		return false, errors.Join(broke, err)
	}
	if g.json {
		return false, errors.Join(g.printJSON(s.Record()), broke)
	}
	g.level = g.levelAfter(s.Record())
	return t.again, broke
}

// players returns the options with the players that were not named: a person for one of them, and for the other
// side a level, which climbs.
func (g *gameSeries) players() (o lab.SessionOptions, climbs bool) {
	o = g.options
	unnamed := &o.Second
	switch {
	case o.First == "" && o.Second == lab.Human:
		unnamed = &o.First
	case o.First == "":
		o.First = lab.Human
	case o.Second == "" && o.First != lab.Human:
		o.Second = lab.Human
	}
	if climbs = *unnamed == ""; climbs {
		*unnamed = fmt.Sprintf("level:%d", g.level)
	}
	return o, climbs
}

// levelAfter returns the level of the next opponent after a game: who beats one meets the one above.
func (g *gameSeries) levelAfter(r oxo.Record) int {
	if winner := map[string]string{"first": r.First, "second": r.Second}[r.Result]; winner == lab.Human {
		return min(g.level+1, lab.TopLevel)
	}
	return g.level
}

// terminalGame is where a game is played in the terminal. What the person is shown goes to show; last is the square
// that was played last, and values says that the worth of every move is shown.
type terminalGame struct {
	*app
	game     lab.Game
	session  lab.Session
	info     lab.Info
	draw     *canvas
	show     io.Writer
	values   bool
	attended bool          // somebody at a terminal may ask about the game when it is over
	invite   string        // what is said before the first move, or ""
	next     func() string // says what an empty line after the end leads to, nil where to nothing
	again    bool          // which was wanted
	lesson   bool          // a person teaches: the end of the game is final
	claim    string        // of the certificate that is walked through, "" where none is
	plies    int           // after which that says no more, 0 for none
	last     string
	judged   *lab.Judged // of the position at hand, where it was asked about
	keeper   sheetKeeper
	begun    time.Time
}

// saveGame writes the game down as it stands, so that it is there however the program ends. Where that can't be
// written, the last time says so.
func (t *terminalGame) saveGame(last bool) error {
	r := t.session.Record()
	if len(r.Moves) == 0 && !t.session.Over() {
		return nil
	}
	sheet := arena.NewSheet(r)
	sheet.Title, sheet.Date = t.info.Title, t.begun.Format(time.DateOnly)
	t.lab.EmbedGameFiles(sheet)
	if err := t.keeper.replaceSheet(sheet, last); last {
		return err
	}
	return nil
}

// newTerminalGame is where a session of a game is played; with --json it is shown on stderr.
func newTerminalGame(a *app, g lab.Game, s lab.Session) *terminalGame {
	t := &terminalGame{app: a, game: g, session: s, info: g.Info(), draw: a.newCanvas(g.Info()), show: a.out,
		attended: isTerminal(a.in), begun: time.Now()}
	if a.json {
		t.show = a.errs
	}
	return t
}

// sayf tells the person something.
func (t *terminalGame) sayf(format string, args ...any) { fmt.Fprintf(t.show, format, args...) }

// run plays the game to its end, or to the end of the input. After the end a person at a terminal may still ask
// about the game or take moves back, and then play on.
func (t *terminalGame) run(ctx context.Context, in *bufio.Reader) error {
	r, names := t.session.Record(), t.info.Seats
	t.sayf("%s\n%s: %s, %s: %s. Type a move, or help.\n\n", message.Capitalize(t.info.Title), names[0], r.First,
		names[1], r.Second)
	if t.invite != "" {
		t.sayf("%s\n\n", t.invite)
	}
	if t.claim != "" {
		t.sayf("The certificate claims that %s.\n\n", t.claim)
	}
	t.showBoard(ctx)
	for !t.pliesOver() {
		_ = t.saveGame(false)
		for !t.session.Over() && !t.session.Person() && !t.pliesOver() {
			turn := t.session.State().Turn
			move, err := t.session.Step(ctx)
			if err != nil && t.session.Over() {
				return t.reportFault(err)
			}
			if err != nil {
				return err
			}
			if move == "" { // it resigned
				continue
			}
			t.last = kind.SquareOf(move)
			t.sayf("%s plays %s\n\n", t.side(turn), move)
			t.showBoard(ctx)
		}
		if t.pliesOver() {
			continue
		}
		if t.session.Over() {
			_ = t.saveGame(false)
			t.showResult()
			if !t.hasPersonAtTerminal() {
				return nil
			}
			t.sayWhatMayFollow()
		}
		line, ended, err := t.ask(ctx, in)
		if err != nil {
			return err
		}
		if t.again = t.session.Over() && line == "" && !ended && t.next != nil; t.again {
			return nil
		}
		if ended || t.session.Over() && line == "" || t.handleLine(ctx, line) {
			return nil
		}
	}
	t.sayf("The %d plies of the claim are over, and it was kept: %s.\n", t.plies, t.claim)
	return nil
}

// pliesOver reports whether play goes on after the plies of a certificate's claim.
func (t *terminalGame) pliesOver() bool {
	return t.plies > 0 && !t.session.Over() && len(t.session.Record().Moves) >= t.plies
}

// reportFault tells of a game that a player lost by its own fault. It returns errNo
// where that was to break the rules.
func (t *terminalGame) reportFault(by error) error {
	t.sayf("%v\n", by)
	t.showResult()
	if t.session.Record().Termination == oxo.EndIllegal {
		return errNo
	}
	return nil
}

// hasPersonAtTerminal reports whether somebody may want to talk about the game when it is over.
func (t *terminalGame) hasPersonAtTerminal() bool {
	r := t.session.Record()
	return !t.lesson && (r.First == lab.Human || r.Second == lab.Human) && t.attended
}

// sayWhatMayFollow says what a person can do when the game is over.
func (t *terminalGame) sayWhatMayFollow() {
	if t.next == nil {
		t.sayf("Press Enter to leave, or type review or undo.\n")
		return
	}
	t.sayf("Press Enter to %s, or type review, undo or quit.\n", t.next())
}

// ask prompts for a line, as [readLine] reads one, and reports whether the input has ended.
func (t *terminalGame) ask(ctx context.Context, in *bufio.Reader) (line string, ended bool, err error) {
	t.sayWhichMovesAreCommands(t.session.State().Moves)
	who := t.side(t.session.State().Turn)
	if t.session.Over() {
		who = ""
	}
	if line, err = askLine(ctx, t.app, in, t.show, who+"> "); err != io.EOF {
		return line, false, err
	}
	if !t.session.Over() {
		t.sayf("The input has ended, and so has the game.\n")
	}
	return "", true, nil
}

// askLine asks for a line, and returns it as [readLine] does. Where nobody types it at a terminal it is shown.
func askLine(ctx context.Context, a *app, in *bufio.Reader, show io.Writer, prompt string) (string, error) {
	fmt.Fprint(show, prompt)
	line, err := readLine(ctx, in)
	if err != nil || !isTerminal(a.in) {
		fmt.Fprintln(show, line)
	}
	return line, err
}

// readLine returns the next line that a person types, without the blanks around it; the error is io.EOF where there is
// none, and that of ctx once it is done.
func readLine(ctx context.Context, in *bufio.Reader) (string, error) {
	line, err := untilDone(ctx, func() (string, error) { return in.ReadString('\n') })
	if line = strings.TrimSpace(line); err == io.EOF && line != "" { // the last line has no end
		err = nil
	}
	return line, err
}

// commands tell what may be typed; the place is for how a square is named.
const commands = `  a move     a square's name (%s)
  move M     play M, which may be called as a word below
  undo       take back your last move
  hint       show a good move
  why        say why it is good
  values     show or hide what every move is worth
  sets A1    list the winning sets through a square
  review     say which moves gave something away
  resign     give the game up
  moves      list the legal moves
  help       show this
  quit       leave
`

// commandsHelp tells what may be typed in this game.
func (t *terminalGame) commandsHelp() string {
	text := fmt.Sprintf(commands, t.squareHelp())
	if len(t.info.Lines) > 0 {
		return text
	}
	before, after, _ := strings.Cut(text, "  sets ")
	_, after, _ = strings.Cut(after, "\n")
	return before + after
}

// commandWords are what a line can be other than a move, here or over the network.
var commandWords = strings.Fields("undo u hint why values v sets review resign moves help h ? quit q exit clock draw " +
	"abort claim")

// isCommand reports whether a line of that word alone is no move, whatever moves there are.
func isCommand(word string) bool { return slices.Contains(commandWords, strings.ToLower(word)) }

// moveAfterWord returns the move of a line such as "move quit", which is how moves can be written that are called as
// commands are.
func moveAfterWord(line string) (move string, ok bool) {
	word, move, ok := strings.Cut(line, " ")
	return strings.TrimSpace(move), ok && strings.EqualFold(word, "move")
}

// sayWhichMovesAreCommands says before a prompt which of the moves there need the word move before them.
func (t *terminalGame) sayWhichMovesAreCommands(moves []string) {
	for _, m := range moves {
		if isCommand(m) {
			t.sayf("%s is a move here and a command: write move %s to play it.\n", m, m)
		}
	}
}

// handleLine carries out a line of a person's and reports whether the game ends
// here.
func (t *terminalGame) handleLine(ctx context.Context, line string) (quit bool) {
	if move, ok := moveAfterWord(line); ok {
		t.playMove(ctx, move)
		return false
	}
	if word, square, found := strings.Cut(strings.ToLower(line), " "); found && word == "sets" {
		t.listWinningSets(strings.TrimSpace(square))
		return false
	}
	switch strings.ToLower(line) {
	case "":
		return false
	case "sets":
		t.sayf("sets needs a square, %s.\n", t.squareHelp())
	case "quit", "q", "exit":
		return true
	case "help", "h", "?":
		t.sayf("%s\n%s", t.info.Rules, t.commandsHelp())
	case "undo", "u":
		switch {
		case t.lesson:
			t.sayf("Who teaches does not take moves back.\n")
		case !t.session.Undo():
			t.sayf("There is nothing to take back.\n")
		default:
			t.last = ""
			t.showBoard(ctx)
		}
	case "hint", "why":
		t.printHintOrReason(ctx, strings.ToLower(line))
	case "review":
		t.reviewGame(ctx)
	case "values", "v":
		t.values = !t.values
		t.showBoard(ctx)
	case "moves":
		t.sayf("%s\n", strings.Join(t.session.State().Moves, " "))
	case "resign":
		if !t.session.Over() {
			t.session.Resign()
		}
	default:
		t.playMove(ctx, line)
	}
	return false
}

// playMove plays a person's move and shows the board, or says what is wrong with it.
func (t *terminalGame) playMove(ctx context.Context, move string) {
	if err := t.session.Move(move); err != nil {
		t.sayf("%v. Try again, or type help.\n", err)
		return
	}
	if moves := t.session.Record().Moves; len(moves) > 0 {
		t.last = kind.SquareOf(moves[len(moves)-1])
	}
	t.showBoard(ctx)
}

// squareHelp says how a move is written here.
func (t *terminalGame) squareHelp() string {
	moves := t.session.State().Moves
	switch {
	case len(moves) == 0:
		return "the game is over"
	case isCommand(moves[0]):
		return "such as move " + moves[0]
	case t.info.Falls && len(moves[0]) == 2:
		return "such as " + moves[0] + ", or just its column, " + moves[0][:1]
	case len(t.info.Squares) != 9 || t.info.Squares[0].Name == "1":
		return "such as " + moves[0]
	}
	return "such as " + moves[0] + ", or the number on it"
}

// showResult says how the game ended, by what the game calls the sides.
func (t *terminalGame) showResult() {
	r := t.session.Record()
	payoff := t.session.State().Payoff
	switch {
	case payoff != nil && r.Termination == oxo.EndNormal:
		t.sayf("The payoff is %g.\n", *payoff)
	case r.Result == "draw":
		t.sayf("A draw.\n")
	case r.Termination == oxo.EndResigned:
		t.sayf("%s resigns; %s wins.\n", t.side(oxo.SeatNamed(r.Result).Other().String()), t.side(r.Result))
	default:
		t.sayf("%s wins.\n", t.side(r.Result))
	}
}

// side returns what a seat is called, such as X.
func (t *terminalGame) side(turn string) string { return sideName(t.info, turn) }

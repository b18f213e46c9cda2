package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"oxo"
	"oxo/arena"
	"oxo/lab"
	"oxo/lab/jobs"
)

// contest is what the verbs match and tournament share.
type contest struct {
	journal, save string // files
}

// contestVerb returns the command of a contest whose result is an R, of which show tells people, and
// faults returns those of its players. A run that is stopped prints the standings so far on the error
// output and saves what it has played. The exit status is 1 where a player made an illegal move.
func contestVerb[R any](a *app, v *jobs.Verb, show func(*R), faults func(*R) []arena.Faults) *cobra.Command {
	var k contest
	c := a.verbCommand(v, func(c *cobra.Command, on *verbRun) error {
		if err := checkSheetFile(k.save); err != nil {
			return err
		}
		r, played, err := k.playContest(c, on)
		// What a journal holds is saved by the run that ends the contest, of one
		// without what was played.
		kept := cmp.Or(k.journal, k.save)
		if k.save != "" && r != nil && played && (err == nil || k.journal == "") {
			if lost := saveGames(a.lab, k.save, r); lost != nil {
				err, kept = errors.Join(err, lost), k.journal
			}
		}
		if err != nil && r != nil && c.Context().Err() != nil {
			a.printStoppedStandings(r.Files[jobs.JournalFile], kept)
		}
		if err != nil {
			return ignoreDetached(err)
		}
		var told R
		if err := json.Unmarshal(r.JSON, &told); err != nil {
			return err
		}
		err = a.answer(r.JSON, func() { show(&told) })
		return errors.Join(err, illegalMoveError(faults(&told)...))
	})
	c.Flags().StringVar(&k.journal, "journal", "", "a file that keeps finished games; the same command goes on from it")
	c.Flags().StringVar(&k.save, "save", "", "a file to add the games to as score sheets")
	annotateFiles(c.Flags(), fileWritten, "journal", "save")
	return c
}

// playContest plays the contest, and says whether that took any games. The journal is locked for as long as
// the contest runs, as two writers would damage it.
func (k *contest) playContest(c *cobra.Command, on *verbRun) (r *jobs.JobResult, anyGames bool, err error) {
	o := jobs.RunOptions{Salvage: true}
	if k.journal == "" || on.nats.url != "" {
		r, _, err = on.runHereOrOnCluster(c, o, jobs.JournalFile)
		return r, true, err
	}
	f, err := os.OpenFile(k.journal, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	if err := lockFile(f); err != nil {
		return nil, false, fmt.Errorf("--journal %s: another match or tournament is writing it", k.journal)
	}
	w, err := on.openJob(c.Context())
	if err != nil {
		return nil, false, err
	}
	games, err := jobs.OpenJournalStore(w, f)
	if err != nil {
		return nil, false, err
	}
	o.State = games
	r, err = on.runHere(c, w, o)
	return r, games.GamesPlayed() > 0, err
}

// printStoppedStandings tells how far a contest came that was stopped: the points of each player, and where its games
// are kept.
func (a *printer) printStoppedStandings(journal []byte, keptIn string) {
	sheets, err := arena.JournalSheets(journal)
	if err != nil {
		return // then nothing is known of them
	}
	var names []string
	points, games := map[string]float64{}, map[string]int{}
	for _, s := range sheets {
		for i, name := range []string{s.First, s.Second} {
			if games[name]++; games[name] == 1 {
				names = append(names, name)
			}
			switch s.Result {
			case oxo.WinFor(oxo.Seat(i)).String():
				points[name]++
			case oxo.Drawn.String():
				points[name] += .5
			}
		}
	}
	text := fmt.Sprintf("stopped after %s", countOf(len(sheets), "game", "games"))
	for _, name := range names {
		text += fmt.Sprintf("; %s has %g of %d", name, points[name], games[name])
	}
	switch {
	case len(sheets) == 0:
		keptIn = "nothing is kept"
	case keptIn == "":
		keptIn = "nothing is kept: --save FILE keeps games, --journal FILE what the same command goes on from"
	default:
		keptIn = "they are in " + keptIn
	}
	fmt.Fprintf(a.errs, "oxo: %s; %s\n", text, keptIn)
}

// saveGames adds the games of a contest to a file of score sheets, by number. Those that were under way when a
// sequential test was decided are left out, as the result is.
func saveGames(l *lab.Lab, path string, r *jobs.JobResult) error {
	sheets, err := arena.JournalSheets(r.Files[jobs.JournalFile])
	if err != nil || len(sheets) == 0 {
		return err
	}
	var counted arena.MatchResult
	if json.Unmarshal(r.JSON, &counted) == nil && counted.Verdict != "" {
		sheets = sheets[:min(len(sheets), counted.Wins+counted.Draws+counted.Losses)]
	}
	l.EmbedGameFiles(sheets...)
	return appendSheets(path, sheets...)
}

// sheetKeeper keeps the score sheet of a game that goes on in a file beside those of others.
type sheetKeeper struct {
	path string // empty for none
	text []byte // the sheet as it was written last
}

// replaceSheet writes the sheet in place of what was written of the game before, the last time to a device or
// a pipe too. What it wrote last is looked for by its text, so that sheets that others have added
// meanwhile stay.
func (k *sheetKeeper) replaceSheet(s *arena.Sheet, last bool) error {
	if k.path == "" {
		return nil
	}
	at, direct, err := resolveTarget(k.path)
	if err == nil && direct && last {
		return appendSheets(k.path, s)
	}
	if err != nil || direct {
		return err
	}
	var text bytes.Buffer
	if err := arena.WriteSheet(&text, s); err != nil || bytes.Equal(text.Bytes(), k.text) {
		return err
	}
	file, err := os.ReadFile(at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	from, to := len(file), len(file) // where others have changed it, at its end
	if i := bytes.LastIndex(file, k.text); len(k.text) > 0 && i >= 0 {
		from, to = i, i+len(k.text)
	}
	if err := writeAtomically(at, slices.Concat(file[:from], text.Bytes(), file[to:])); err != nil {
		return err
	}
	k.text = text.Bytes()
	return nil
}

// checkSheetFile refuses files that score sheets can't be added to, before there are any: what can't be written, and
// what begins with something else.
func checkSheetFile(path string) error {
	if err := checkWritable(path); err != nil || path == "" {
		return err
	}
	at, direct, err := resolveTarget(path)
	if err != nil || direct {
		return err
	}
	f, err := os.Open(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := arena.NewSheetReader(f).Next(); err != nil && err != io.EOF {
		return fmt.Errorf("--save %s: the file is there and does not begin with a score sheet: %w", path, err)
	}
	return nil
}

// appendSheets adds games to the end of a file of score sheets.
func appendSheets(path string, sheets ...*arena.Sheet) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, s := range sheets {
		if err := arena.WriteSheet(f, s); err != nil {
			return err
		}
	}
	return f.Close()
}

// matchVerb returns the verb of a contest of two.
func matchVerb(a *app) *cobra.Command {
	return contestVerb(a, jobs.Match, a.printMatch, func(m *jobs.MatchSummary) []arena.Faults { return m.Faults[:] })
}

// printMatch prints the score of a match and what Elo difference it says.
func (a *printer) printMatch(m *jobs.MatchSummary) {
	a.printf("%s against %s on %s: %d won, %d drawn, %d lost\n", m.Names[0], m.Names[1], m.Game, m.Wins, m.Draws,
		m.Losses)
	if mean, pays := m.MeanPaid(); pays {
		a.printf("  mean payoff %.5f; pairs and Elo count wins, not payoffs\n", rounded(mean, 5))
	}
	a.printf("  pairs by points 0, ½, 1, 1½, 2: %v\n", m.Pairs)
	a.printf("  Elo %+.1f ± %.1f, normalized %+.1f ± %.1f, likelihood of superiority %.4f\n", rounded(m.Elo.Elo, 1),
		m.Error, rounded(m.Normalized, 1), m.NormalizedError, m.LOS)
	if pairs := m.Pairs.Count(); pairs > 1 && slices.Max(m.Pairs[:]) == pairs {
		a.printf("  all %d pairs ended alike; where they are the same games again, the figures say nothing of others: "+
			"--openings N begins from many\n", pairs)
	}
	if m.SPRT {
		a.printf("  SPRT: log-likelihood ratio %.3f, %s\n", rounded(m.LLR, 3),
			cmp.Or(m.Verdict, arena.Undecided.String()))
	}
	for i, f := range m.Faults {
		a.printFaults(m.Names[i], f)
	}
}

// printFaults prints how many games a player lost by its own fault, if any.
func (a *printer) printFaults(name string, f arena.Faults) {
	if f.Sum() > 0 {
		a.printf("  %s lost %s by its own fault: %d on time, %d by illegal moves, %d by crashing; last: %s\n",
			name, countOf(f.Sum(), "game", "games"), f.Time, f.Illegal, f.Crashed, f.Last)
	}
}

// illegalMoveError returns errNo where a player broke the rules by an illegal move. To be
// late, or not to be there, is to lose by them.
func illegalMoveError(faults ...arena.Faults) error {
	if slices.ContainsFunc(faults, func(f arena.Faults) bool { return f.Illegal > 0 }) {
		return errNo
	}
	return nil
}

// tournamentVerb returns the verb of a contest of two or more.
func tournamentVerb(a *app) *cobra.Command {
	return contestVerb(a, jobs.Tournament, a.printTournament, func(t *jobs.TournamentSummary) (list []arena.Faults) {
		for _, r := range t.Rows {
			list = append(list, r.Faults)
		}
		return list
	})
}

// printTournament prints a row for each player, and its points against each.
func (a *printer) printTournament(t *jobs.TournamentSummary) {
	names, rows := t.Names, t.Rows
	width := 8
	for _, r := range rows {
		width = max(width, len(r.Name))
	}
	a.printf("%-*s %6s %8s %8s %7s  ", width, "player", "games", "score", "rating", "error")
	for i := range names {
		a.printf(" %9d", i+1)
	}
	a.printf("\n")
	for _, r := range rows {
		a.printf("%-*s %6d %8.1f %8.1f %7.1f  ", width, r.Name, r.Games, r.Score, rounded(r.Rating, 1), r.Error)
		for j, x := range r.Cross {
			text := "-"
			if names[j] != r.Name {
				text = fmt.Sprintf("%g/%d", x.Points(), x.Games())
			}
			a.printf(" %9s", text)
		}
		a.printf("\n")
	}
	a.printf("columns: ")
	for i, name := range names {
		a.printf(" %d %s", i+1, name)
	}
	a.printf("\n")
	if len(rows) > 0 && rows[0].Added > 0 {
		a.printf("ratings:  between every two players %.4g of a win and as much of a loss are counted besides\n",
			rows[0].Added)
	}
	for _, r := range rows {
		a.printFaults(r.Name, r.Faults)
	}
}

// eachSheet yields the score sheets of a file, - for standard input, or for one that can't be read what is wrong with
// it. Every sheet is replayed by its game's rules, moves that name no game by those of the one that is given.
func (a *app) eachSheet(path, game string) iter.Seq2[*arena.Sheet, error] {
	return func(yield func(*arena.Sheet, error) bool) {
		in, err := openInput(path, a.in)
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close() // it was only read
		named := map[string]bool{}
		n := 0
		for s, err := range a.lab.EachSheet(in, game) {
			n++
			if err != nil {
				err = fmt.Errorf("%s: %w", path, err)
			} else if file := a.lab.FileNamedBy(s); file != "" && s.Game != game && !named[file] {
				named[file] = true
				fmt.Fprintf(a.errs, "oxo: %s: game %d names the file %s and does not carry it: it was read from "+
					"there\n", path, n, file)
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// picked says which game of a file is meant.
type picked struct {
	number int
	game   string // of moves that name none
}

// flags has a verb take which game is meant.
func (k *picked) flags(c *cobra.Command) {
	c.Flags().IntVar(&k.number, "number", 1, "which game of the file")
	c.Flags().StringVar(&k.game, "game", "", "the game of moves that stand alone, as in 1. b2 a3 2. c3")
}

// pickSheet returns a game of the file.
func (a *app) pickSheet(path string, k picked) (*arena.Sheet, lab.Game, error) {
	n := k.number
	var given lab.Game
	if k.game != "" {
		g, err := a.lab.Game(k.game)
		if err != nil {
			return nil, nil, fmt.Errorf("--game %s: %w", k.game, err)
		}
		given = g
	}
	sheet, err := a.sheetNumbered(n, path, k.game)
	if errors.Is(err, lab.ErrNoGame) {
		err = fmt.Errorf("%w: --game SPEC names it", err)
	}
	if err != nil {
		return nil, nil, err
	}
	g, err := a.lab.Game(sheet.Game)
	if err == nil && given != nil && g.Info().Spec != given.Info().Spec {
		err = fmt.Errorf("--game %s: game %d of %s is of %s", k.game, n, path, g.Info().Spec)
	}
	return sheet, g, err
}

// sheetNumbered returns the sheet of that number in a file, counted from 1, whatever is wrong with others.
func (a *app) sheetNumbered(n int, path, game string) (*arena.Sheet, error) {
	there, whole := 0, false
	var first error // that was met
	for s, err := range a.eachSheet(path, game) {
		if there++; there == n {
			return s, err
		}
		first, whole = cmp.Or(first, err), whole || err == nil
	}
	switch {
	case there == 0:
		return nil, fmt.Errorf("%s: there is no game in it", path)
	case !whole:
		return nil, first
	}
	return nil, fmt.Errorf("%s: no game %d; there are %d", path, n, there)
}

// reviewVerb returns the verb that judges the moves of a game.
func reviewVerb(a *app) *cobra.Command {
	var pick picked
	var o lab.JudgeOptions
	var out string
	c := &cobra.Command{
		Use:   "review FILE",
		Short: "say what each move of a game did: certain mistakes, likely ones, and the better moves",
		Long: "say what each move of a game did. ?? marks a move that certainly gave something away, ? one that " +
			"probably did, by two searches from both sides.\n" +
			"Where nothing certain is known, no certain verdict is given.",
		Example: "  oxo match heuristic random --games 2 --save games.pgn\n  oxo review games.pgn --number 2\n  oxo " +
			"review games.pgn --csv moves.csv",
		Args: exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("nodes") {
				o.Time = 0
			}
			if o.Time < 0 {
				return fmt.Errorf("review: --time %v must not be below 0", o.Time)
			}
			if err := checkWritable(out); err != nil {
				return err
			}
			sheet, g, err := a.pickSheet(args[0], pick)
			if err != nil {
				return err
			}
			r, stopped := lookAtMoves(c.Context(), &a.printer, g, sheet.Record, o)
			if r == nil {
				return stopped
			}
			if err := writeAtomically(out, reviewCSV(r)); err != nil {
				return err
			}
			if a.json {
				for i := range r.Moves {
					if err := a.printJSON(r.Moves[i]); err != nil {
						return err
					}
				}
				if stopped != nil {
					return stopped
				}
				return a.printJSON(reviewEnd{r.Game, len(r.Moves), r.Start, r.Summary})
			}
			if a.printf("%s", sheet.Game); sheet.First+sheet.Second != "" {
				a.printf(": %s against %s, %s", unnamedOr(sheet.First), unnamedOr(sheet.Second), sheet.Result)
			}
			a.printf("\n")
			if n := sheet.Opening; n > 0 {
				a.printf("The first %s given, not chosen.\n", countOf(n, "move was", "moves were"))
			}
			for i := range r.Moves {
				printJudgement(a.out, g.Info(), &r.Moves[i])
			}
			if stopped == nil {
				a.printf("%s\n", r.Summary)
			}
			return stopped
		},
	}
	pick.flags(c)
	c.Flags().DurationVar(&o.Time, "time", time.Second, "how long to look at each position")
	c.Flags().Uint64Var(&o.Nodes, "nodes", 0,
		"how many positions to search for each, instead of a time: the same answer every time")
	c.Flags().StringVar(&out, "csv", "", "write the moves to this file, one a line")
	annotateFiles(c.Flags(), fileWritten, "csv")
	return c
}

// lookAtMoves reviews a game, and shows on a terminal which move it is at. Where it is stopped, the review has the
// moves that were judged by then, the last of the game, and the error says where it was.
func lookAtMoves(ctx context.Context, a *printer, g lab.Game, record oxo.Record, o lab.JudgeOptions) (*lab.Review,
	error) {
	var at atomic.Int64
	of := len(record.Moves)
	at.Store(int64(of))
	var judged []lab.Judgement
	stop := a.showEachSecond(func(took time.Duration) string {
		return fmt.Sprintf("looking at move %d of %d, the last first, %v", at.Load(), of, took)
	})
	r, err := g.Judging().ReviewGame(ctx, record, o, func(j *lab.Judgement) {
		judged = append(judged, *j)
		at.Store(int64(max(1, j.Ply-1)))
	})
	stop()
	if err == nil || ctx.Err() == nil || of == 0 {
		return r, err
	}
	slices.Reverse(judged)
	err = fmt.Errorf("stopped at move %d of %d; it looks at the last first", at.Load(), of)
	return &lab.Review{Game: g.Info().Spec, Moves: judged}, err
}

// reviewCSV writes a review as comma-separated values.
func reviewCSV(r *lab.Review) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"ply", "move", "turn", "before_lo", "before_hi", "before_source", "after_lo", "after_hi",
		"after_source", "certain", "gave", "missed", "better", "line", "why"})
	for _, j := range r.Moves {
		w.Write([]string{strconv.Itoa(j.Ply), j.Move, j.Turn, fmt.Sprint(j.Before.Lo), fmt.Sprint(j.Before.Hi),
			j.Before.Source,
			fmt.Sprint(j.After.Lo), fmt.Sprint(j.After.Hi), j.After.Source, strconv.FormatBool(j.Certain),
			strconv.FormatBool(j.Gave), strconv.FormatBool(j.Missed), strings.Join(j.Better, " "),
			strings.Join(j.Line, " "), j.Why})
	}
	w.Flush() // into memory, which does not fail
	return b.Bytes()
}

// replayVerb returns the verb that shows a game, or writes it for other programs.
func replayVerb(a *app) *cobra.Command {
	var pick picked
	var out string
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "step through a game in the terminal, or write it for other programs",
		Long: "step through a game in the terminal: Enter goes on, b goes back, a number goes to that ply, why says " +
			"what is known there, q ends.\nIn a pipe all positions are printed.\n" +
			"With --out the game is written instead, for other programs: as SGF to a file that ends in .sgf, for " +
			"Piskvork to one in .psq.",
		Example: "  oxo replay games.pgn\n  oxo replay games.pgn --number 3 --out game.sgf",
		Args:    exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			sheet, g, err := a.pickSheet(args[0], pick)
			if err != nil {
				return err
			}
			if out != "" {
				if err := exportSheet(g, sheet, out); err != nil {
					return err
				}
				return a.answer(fileAnswer{sheet.Game, out}, func() {})
			}
			trail, err := g.Records().PositionsOfSheet(sheet)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(replayAnswer{sheet.Game, sheet.Moves, sheet.Result, trail})
			}
			return a.stepThrough(c.Context(), g, sheet, trail)
		},
	}
	pick.flags(c)
	c.Flags().StringVar(&out, "out", "", "write the game to this file, .sgf or .psq")
	annotateFiles(c.Flags(), fileWritten, "out")
	return c
}

// exportSheet writes a game in the form that the file's ending names.
func exportSheet(g lab.Game, sheet *arena.Sheet, path string) error {
	var b bytes.Buffer
	if err := g.Records().ExportSheet(&b, sheet, strings.TrimPrefix(filepath.Ext(path), ".")); err != nil {
		return fmt.Errorf("--out %s: %w", path, err)
	}
	return writeAtomically(path, b.Bytes())
}

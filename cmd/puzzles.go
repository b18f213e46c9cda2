package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/lab/sheet"
)

// puzzleLine is a puzzle as it is printed.
type puzzleLine struct {
	lab.Puzzle
	Goal string `json:"goal" doc:"what is to be found, in words"`
	Why  string `json:"why" doc:"in what way every other move is worse, in words"`
	// Played and Ply are of mistakes in score sheets.
	Played string `json:"played,omitempty" doc:"the move that was made instead"`
	Ply    int    `json:"ply,omitempty" doc:"how many moves were made before it"`
}

// puzzling is what the verb puzzles was asked for.
type puzzling struct {
	*app
	o                        lab.PuzzleOptions
	theme, out, sheet, games string
	difficulty               string
	away                     float64 // of puzzles that are set, from the solver's rating
	play, collection         bool
	seeded                   bool // a seed was given
	workers                  int
	bad                      []error // what is wrong with score sheets that are passed over
}

// puzzlesVerb returns the verb that finds puzzles, and sets them.
func puzzlesVerb(a *app) *cobra.Command {
	k := &puzzling{app: a}
	c := &cobra.Command{
		Use:   "puzzles [GAME]",
		Short: "find puzzles: positions with one right move, each checked by a second search",
		Long: "find puzzles: positions with exactly one right move, in games that are played for it. What shows that " +
			"is a solution, exact search or a search for near wins; a second, plain search has to agree.\n" +
			"Without --out they are printed, a puzzle a line with --json. With --play they are set in the terminal.",
		Example: "  oxo puzzles mnk:4,4,4\n" +
			"  oxo puzzles mnk:7,6,4+gravity --theme win --count 5 --sheet week.html\n  " +
			"oxo puzzles mnk:4,3,3+misere --play\n  oxo puzzles --from games.jsonl --out mistakes.jsonl",
		Args: atMostArgs("GAME"),
		RunE: func(c *cobra.Command, words []string) error {
			k.seeded = c.Flags().Changed("seed")
			return k.run(c.Context(), words)
		},
	}
	c.Flags().StringVar(&k.out, "out", "", "a file for the puzzles, a JSON object a line")
	c.Flags().IntVar(&k.o.Count, "count", 10, "how many puzzles")
	c.Flags().Uint64Var(&k.o.Seed, "seed", 1, "what the games are drawn from; with --play "+
		"the puzzles, where it is left out others each time")
	c.Flags().StringVar(&k.theme, "theme", "", fmt.Sprintf("only puzzles of this theme: %v", lab.Themes()))
	c.Flags().StringVar(&k.sheet, "sheet", "", "an HTML file of the puzzles to print, the answers on the back")
	c.Flags().BoolVar(&k.play, "play", false, "set the puzzles in the terminal: those that the program carries, if it "+
		"has such")
	c.Flags().StringVar(&k.difficulty, "difficulty", "", "with --play: easier or harder than your rating (default "+
		"about it)")
	c.Flags().StringVar(&k.games, "from", "", "a file of score sheets: puzzles of the mistakes in them")
	annotateFiles(c.Flags(), fileWritten, "out", "sheet")
	annotateFiles(c.Flags(), fileRead, "from")
	c.Flags().BoolVar(&k.collection, "collection", false, "find the collection that oxo carries anew, into --out")
	c.Flags().IntVar(&k.workers, "workers", 0, "games of the collection at once (default one a core)")
	return c
}

// run carries the verb out.
func (k *puzzling) run(ctx context.Context, words []string) (err error) {
	if k.o.Theme, err = lab.ThemeOf(k.theme); err != nil {
		return fmt.Errorf("puzzles: --theme: %w", err)
	}
	if k.away, err = lab.RatingOffset(k.difficulty); err != nil {
		return fmt.Errorf("puzzles: --difficulty: %w", err)
	}
	game := ""
	if len(words) > 0 {
		game = words[0]
	}
	switch {
	case k.o.Count < 1:
		return fmt.Errorf("puzzles: --count %d: it must be at least 1", k.o.Count)
	case k.collection && k.out == "":
		return errors.New("puzzles: --collection: say with --out FILE where it is to be written")
	case k.collection:
		return k.rebuildCollection(ctx)
	case k.games != "" && game != "":
		return fmt.Errorf("puzzles: %s and --from %s: score sheets name their games; give one of them", game, k.games)
	case k.difficulty != "" && !k.play:
		return fmt.Errorf("puzzles: --difficulty %s: it goes with --play", k.difficulty)
	case k.games == "" && game == "" && !k.play:
		return errors.New("puzzles: GAME is missing, or --from FILE of score sheets; oxo games lists the games")
	}
	if err := checkWritable(k.out, k.sheet); err != nil {
		return err
	}
	if k.play {
		return k.posePuzzles(ctx, game)
	}
	_, err = k.find(ctx, game, true)
	return err
}

// find mines the puzzles that are asked for, and prints or writes them; when it is stopped, those that it has.
func (k *puzzling) find(ctx context.Context, game string, show bool) (list []lab.Puzzle, err error) {
	var file bytes.Buffer
	told, wipe := k.progressLine()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	tell := func(z lab.Mistake) {
		list = append(list, z.Puzzle)
		wipe()
		if show && err == nil {
			if err = k.printPuzzle(&z, &file); err != nil {
				stop()
			}
		}
		told("puzzles: %d of %d", len(list), k.o.Count)
	}
	mined := k.mine(ctx, game, tell)
	wipe()
	for _, bad := range k.bad {
		fmt.Fprintf(k.errs, "oxo: %v: it is passed over\n", bad)
	}
	switch {
	case err != nil:
		return list, err
	case mined != nil && (ctx.Err() == nil || len(list) == 0):
		return list, mined
	case len(list) == 0 && k.games != "":
		return nil, fmt.Errorf("puzzles: %s: in no position was exactly one move right, for certain, and another "+
			"made; oxo review says what is known of each move", k.games)
	case len(list) == 0:
		return nil, fmt.Errorf("puzzles: none was found in %s; another --seed or --theme may have some",
			game)
	}
	if err := writeAtomically(k.out, file.Bytes()); err != nil {
		return list, err
	}
	if k.sheet != "" {
		drawn := *k.lab
		drawn.Drawn = true
		page, err := sheet.Of(&drawn, drawn.Game, list)
		if err != nil {
			return list, err
		}
		if err := writeAtomically(k.sheet, page); err != nil {
			return list, err
		}
	}
	if !k.json && (k.out != "" || k.sheet != "") {
		k.printf("%s in %s\n", countOf(len(list), "puzzle", "puzzles"), cmp.Or(k.out, k.sheet))
	}
	if len(k.bad) > 0 {
		return list, cmp.Or(mined, errNo)
	}
	return list, mined
}

// mine finds puzzles of a game, or of the mistakes in the score sheets.
func (k *puzzling) mine(ctx context.Context, game string, tell func(lab.Mistake)) error {
	if k.games == "" {
		g, err := k.lab.Game(game)
		if err != nil {
			return err
		}
		k.o.Apart = true
		_, err = g.Judging().MinePuzzles(ctx, k.o, func(z lab.Puzzle) { tell(lab.Mistake{Puzzle: z, Checked: true}) })
		if err != nil {
			return fmt.Errorf("puzzles: %w", err)
		}
		return nil
	}
	left, whole := k.o, false
	for s, err := range k.eachSheet(k.games, "") {
		if err != nil {
			k.bad = append(k.bad, err)
			continue
		}
		whole = true
		g, err := k.lab.Game(s.Game)
		if err != nil {
			return err
		}
		n, err := g.Judging().MineMistakes(ctx, s, left, tell)
		if left.Count -= n; err != nil || left.Count == 0 {
			return err
		}
	}
	if !whole {
		return fmt.Errorf("%s: there is no game in it that can be read", k.games)
	}
	return nil
}

// printPuzzle prints a puzzle, and adds its line to the file.
func (k *puzzling) printPuzzle(z *lab.Mistake, file *bytes.Buffer) error {
	g, err := k.lab.Game(z.Game)
	if err != nil {
		return err
	}
	text, err := lab.DescribePuzzle(g, &z.Puzzle)
	if err != nil {
		return err
	}
	line := puzzleLine{z.Puzzle, text.Goal, z.Others(), z.Played, z.Ply}
	data, err := json.Marshal(line)
	if err != nil {
		return err
	}
	file.Write(append(data, '\n'))
	switch {
	case k.json:
		return k.printJSON(line)
	case k.out != "" || k.sheet != "":
		return nil
	}
	state, err := g.Parse(z.Position)
	if err != nil {
		return err
	}
	k.printf("%s  %s, %s, %d\n%s\n\n%s\n", z.ID, z.Game, z.Theme, z.Rating, text.Goal,
		k.newCanvas(g.Info()).draw(scene{state: state}))
	if z.Played != "" {
		k.printf("Move %d of the game was %s.\n", z.Ply+1, z.Played)
	}
	second := ""
	if z.Checked {
		second = " and a second search"
	}
	k.printf("Answer: %s. %s Shown by %s%s.\n\n", z.Answer, line.Why, cmp.Or(shownBy[z.Shown], "the rules"), second)
	return nil
}

// shownBy says what a source is, where that is not the rules.
var shownBy = map[string]string{"solution": "the solution of what can follow",
	"falling": "exact search where marks fall", "near": "a search for near wins"}

// rebuildCollection finds the collection anew.
func (k *puzzling) rebuildCollection(ctx context.Context) error {
	k.workers = cmp.Or(k.workers, runtime.NumCPU())
	if k.workers < 0 {
		return fmt.Errorf("puzzles: --workers %d: it must be at least 1", k.workers)
	}
	return writeAtomicallyWith(k.out, func(f *os.File) error {
		return lab.MinePuzzleCollection(ctx, k.lab, k.o.Seed, k.workers, f, func(game string, found, wanted int) {
			fmt.Fprintf(k.errs, "puzzles: %s: %d of %d\n", game, found, wanted)
		})
	})
}

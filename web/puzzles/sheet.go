package puzzles

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"oxo/lab"
	"oxo/lab/sheet"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// sheetPolicy lets a sheet have its own script beside its styles.
var sheetPolicy = func() string {
	sum := sha256.Sum256([]byte(sheet.Script))
	return service.StylePolicy + "; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()

// registerPrinting registers the sheets of puzzles.
func (s *puzzles) registerPrinting() {
	op := service.Operation(http.MethodGet, "/puzzles/sheet", "print-puzzles", "A sheet of puzzles to print",
		"Drawn by lot, of as many games as there are, the easy ones first; the answers are on a back.",
		404, 422)
	op.Responses = service.Answer("The sheet", "text/html", &huma.Schema{Type: huma.TypeString})
	huma.Register(s.API, op, func(ctx context.Context, in *struct {
		PuzzleChoice
		Count int     `query:"count" minimum:"1" maximum:"24" doc:"how many, where there are so many; without it as many as fill a page, six, or four of large boards or of many games"`
		Seed  uint64  `query:"seed" doc:"the same one draws the same ones"`
		Near  float64 `query:"near" minimum:"0" maximum:"4000" doc:"of puzzles that are about as hard; without it of all"`
	}) (*huma.StreamResponse, error) {
		list, err := s.chosenPuzzles(ctx, &in.PuzzleChoice)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, noPuzzle(cmp.Or(in.Game, in.Theme))
		}
		count := cmp.Or(in.Count, sheet.MostOnPage)
		draw := rand.New(rand.NewPCG(cmp.Or(in.Seed, rand.Uint64()), 0))
		some := shuffled(list, draw)
		if in.Near > 0 {
			if some, _, err = s.byNearness(ctx, list, draw, in.Near, 0); err != nil {
				return nil, err
			}
			some = shuffled(some[:min(max(2*count, len(list)/8), len(some))], draw)
		}
		some = lab.PuzzlesApart(some, 4*count)
		interleave(some, func(z *lab.Puzzle) string { // so that themes, lengths and ratings vary
			themes := lab.ThemesOfPuzzle(z)
			return fmt.Sprint(z.Game, themes[len(themes)-1], z.Rating)
		})
		interleaveGames(some)
		write := sheet.Of
		if in.Count == 0 {
			write = sheet.One
		}
		some = some[:min(count, len(some))]
		slices.SortStableFunc(some, func(a, b lab.Puzzle) int { return cmp.Compare(a.Rating, b.Rating) })
		page, err := write(s.Games.Lab, func(spec string) (lab.Game, error) { return s.Games.Open(spec) }, some)
		if err != nil {
			return nil, err
		}
		return service.RespondWithData(page, "Content-Type", "text/html; charset=utf-8",
			"Content-Security-Policy", sheetPolicy), nil
	})
}

// interleaveGames puts the first puzzles of all games before the second ones, and so on.
func interleaveGames(list []lab.Puzzle) {
	interleave(list, func(z *lab.Puzzle) string { return z.Game })
}

// interleave puts the first puzzles of all kinds before the second ones, and so on.
func interleave(list []lab.Puzzle, kind func(z *lab.Puzzle) string) {
	before, of := map[string]int{}, map[string]int{}
	for i := range list {
		z, k := &list[i], kind(&list[i])
		before[z.ID] = of[k]
		of[k]++
	}
	slices.SortStableFunc(list, func(a, b lab.Puzzle) int { return cmp.Compare(before[a.ID], before[b.ID]) })
}

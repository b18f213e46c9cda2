package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"oxo/lab"
	"oxo/message"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// idLength is how many bytes an id has at most.
const idLength = 80

// subject is what an address names by an id: a puzzle, a proof, or the game of a job.
// A scene without a game is none that can be drawn.
type subject struct {
	scene        Scene
	title, about string
}

// subjectOf is what an address of a page names by an id, nil where it names none or nothing is told of it; and whether
// what it names is there. It tells no more than the API tells a stranger who has the id.
func (s *scenery) subjectOf(ctx context.Context, page string, query url.Values) (of *subject, found bool) {
	id, job := query.Get("id"), query.Get("job")
	var err error
	switch {
	case page == "puzzles" && id != "":
		of, found = s.puzzleSubject(ctx, id)
		return of, found
	case page == "proofs" && id != "":
		of, err = s.proofSubject(ctx, id, query)
	case job != "" && (page == "arena" || page == "learn" || page == "proofs"):
		of, err = s.jobSubject(ctx, page, job)
	}
	var problem huma.StatusError
	return of, !errors.As(err, &problem) || problem.GetStatus() != http.StatusNotFound
}

// findPuzzle returns the puzzle of that id, or the day's, which is the one of today in UTC; nil where there is none.
func (s *scenery) findPuzzle(id string) *lab.Puzzle {
	if id == "daily" {
		return lab.DailyPuzzle(time.Now().UTC())
	}
	if z, ok := s.puzzle(id); ok {
		return &z
	}
	return nil
}

// puzzleSubject is the puzzle of that id.
func (s *scenery) puzzleSubject(ctx context.Context, id string) (of *subject, found bool) {
	z := s.findPuzzle(id)
	if z == nil {
		return nil, false
	}
	g, err := s.OpenGame(ctx, z.Game)
	if err != nil {
		return nil, true
	}
	text, err := lab.DescribePuzzle(g, z)
	if err != nil {
		return nil, true
	}
	return &subject{Scene{Game: z.Game, From: z.Position}, strings.TrimSuffix(text.Goal, "."),
		say("puzzled", message.Args{"name": s.Games.Lab.TitleOf(g)})}, true
}

// proofSubject is the proof of that id, after the replies of the walk that the address has.
// That there is none is a problem of status 404.
func (s *scenery) proofSubject(ctx context.Context, id string, query url.Values) (*subject, error) {
	if len(id) > idLength {
		return nil, service.NewProblem(http.StatusNotFound, "no.proof")
	}
	replies, _ := Scene{Moves: query.Get("replies")}.place()
	sum, moves, err := s.proofs.findWalk(ctx, id, query.Get("seat"), replies.Moves)
	if sum == nil || err != nil {
		return nil, err
	}
	of := &subject{title: say("page-of", message.Args{"page": message.Capitalize(sum.Title), "name": claimOf(sum)})}
	if !sum.Named {
		return of, nil
	}
	of.scene = Scene{Game: sum.Game, Moves: joinMoves(moves)}
	if !sum.Start {
		of.scene.From = sum.Position
	}
	return of, nil
}

// moveEscapes are the signs of a move that addresses have otherwise.
var moveEscapes = strings.NewReplacer("%", "%25", ",", "%2C")

// joinMoves writes moves as addresses have them, as [Scene.place] reads them.
func joinMoves(moves []string) string {
	escaped := make([]string, len(moves))
	for i, m := range moves {
		escaped[i] = moveEscapes.Replace(m)
	}
	return strings.Join(escaped, ",")
}

// boundShown is what a proof shows of a side that does not win within a number of plies.
var boundShown = regexp.MustCompile(`^(first|second)>(\d+)$`)

// claimOf says what a proof claims, as the studio's page of proofs does, without a full stop.
func claimOf(sum *lab.CertificateSummary) string {
	seats := map[string]string{"first": sum.Seats[0], "second": sum.Seats[1]}
	var holds []string
	for _, c := range sum.Claims {
		args := message.Args{"side": seats[c.Seat], "plies": c.Plies}
		switch {
		case c.Wins && c.Plies > 0:
			return say("wins-within", args)
		case c.Wins:
			return strings.TrimSuffix(say("wins", args), ".")
		}
		holds = append(holds, say("holds", args))
	}
	if bound := boundShown.FindStringSubmatch(sum.Shows); bound != nil {
		return say("bounded", message.Args{"side": seats[bound[1]], "plies": bound[2]})
	}
	switch side := seats[sum.Value]; {
	case sum.Value == "draw":
		return say("nobody-loses", nil)
	case side != "":
		return strings.TrimSuffix(say("wins", message.Args{"side": side}), ".")
	}
	return strings.Join(holds, ". ")
}

// jobSubject is the game of a tournament in the arena, and of a training where programs learn; of other jobs nothing is
// told. That there is no such job is a problem of status 404.
func (s *scenery) jobSubject(ctx context.Context, page, id string) (*subject, error) {
	if s.jobs == nil || len(id) > idLength {
		return nil, service.NewProblem(http.StatusNotFound, "no.job")
	}
	j, err := s.jobs.Find(ctx, id)
	if err != nil {
		return nil, s.StoreProblem(err, "no.job")
	}
	if verb := map[string]string{"arena": "tournament", "learn": "train"}[page]; j.Verb != verb {
		return nil, nil
	}
	g, err := s.OpenGame(ctx, j.Game)
	if err != nil {
		return nil, nil //nolint:nilerr // the page shows the job without its game
	}
	of := &subject{scene: Scene{Game: j.Game}, about: g.Info().Rules}
	title := s.Games.Lab.TitleOf(g)
	if page == "arena" {
		of.title = say("tournament", message.Args{"name": title})
		return of, nil
	}
	var args struct{ Learner string }
	_ = json.Unmarshal(j.Args, &args) // it was read when the job was made
	learner, _, _ := strings.Cut(args.Learner, ":")
	of.title = say("page-of", message.Args{"page": say("page-learn", nil),
		"name": say("learns", message.Args{"name": title, "learner": learner})})
	return of, nil
}

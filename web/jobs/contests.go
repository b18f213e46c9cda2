package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"oxo/arena"
	"oxo/lab/jobs"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// Standings is how a tournament stands, its players rated.
// Rows are in the players' order.
type Standings struct {
	Games int         `json:"games" doc:"that have ended"`
	Total int         `json:"total"`
	Rows  []arena.Row `json:"rows" doc:"a player's score, its rating with half of the 95 % interval, and its scores against each player in their order"`
}

// ContestGames is a part of the games of a tournament.
type ContestGames struct {
	Count int                 `json:"count" doc:"how many there are so far"`
	Games []arena.JournalGame `json:"games" doc:"the latest first"`
}

// How many tournaments' standings are kept, and of how many bytes together; and
// how many journals.
const (
	keptStandings = 100
	heldStandings = 32 << 20
	keptJournals  = 1000
	heldJournals  = 64 << 20
)

// rated is how a tournament stands by its data, or why its players could not be
// rated.
// It is never changed once it is in the cache, where several requests may read it.
type rated struct {
	standings Standings
	err       error
	bytes     int64
}

// Held returns about how many bytes of memory the standings take, which the cache bounds.
func (r *rated) Held() int64 { return r.bytes }

// journal is the games that a part of a tournament has put out, or all of it.
type journal struct {
	games []arena.JournalGame
	bytes int64
}

// Held returns about how many bytes of memory the games take.
func (j *journal) Held() int64 { return j.bytes }

// contests answers what is asked about matches and tournaments.
// Both caches are safe for requests at the same time.
type contests struct {
	*jobsAPI
	ratings      service.RecentCache[*rated]   // by job and what it has put down
	readJournals service.RecentCache[*journal] // by job and name
}

// newContests returns what answers about contests, with nothing remembered yet.
func newContests(d *jobsAPI) *contests {
	return &contests{jobsAPI: d, ratings: service.RecentCache[*rated]{Most: keptStandings, Bytes: heldStandings},
		readJournals: service.RecentCache[*journal]{Most: keptJournals, Bytes: heldJournals}}
}

// register registers what is shown of matches and tournaments beside the job. Both may be asked of a
// job that is under way.
func (s *contests) register() {
	service.Register(s.Base, jobOp(http.MethodGet, "/jobs/{id}/standings", "job-standings",
		"Show how a tournament stands", "At any time, of a match or tournament."),
		func(ctx context.Context, in *JobPath) (*Standings, error) {
			j, _, err := s.findJob(ctx, *in)
			if err != nil {
				return nil, err
			}
			v := j.viewFor("")
			switch {
			case !isContest(v.Verb):
				return nil, service.NewProblem(409, "job.no-tournament")
			case len(v.Data) == 0: // no game has ended yet
				return &Standings{Rows: []arena.Row{}}, nil
			}
			r, err := s.rate(ctx, v)
			if err != nil {
				return nil, err
			}
			return &r.standings, r.err
		})
	service.Register(s.Base, jobOp(http.MethodGet, "/jobs/{id}/games", "job-games", "List the games of a tournament",
		"Those of the parts that are finished, at any time."),
		func(ctx context.Context, in *struct {
			JobPath
			Most int `query:"most" minimum:"1" maximum:"100" default:"20" doc:"how many at most"`
			Skip int `query:"skip" minimum:"0" maximum:"100000000" doc:"how many of the latest to leave out"`
		}) (*ContestGames, error) {
			games, err := s.contestGames(ctx, in.JobPath)
			if err != nil {
				return nil, err
			}
			// Skip and most count from the last game.
			end := max(0, len(games)-in.Skip)
			latest := slices.Clone(games[max(0, end-in.Most):end])
			slices.Reverse(latest)
			return &ContestGames{len(games), append([]arena.JournalGame{}, latest...)}, nil
		})
	sheets := jobOp(http.MethodGet, "/jobs/{id}/sheets", "job-sheets",
		"Fetch the games of a tournament as score sheets",
		"All of the parts that are finished, at any time, in one file.")
	sheets.Responses = service.SheetResponses
	huma.Register(s.API, sheets, s.contestSheets)
}

// contestSheets writes the games of a tournament down. They are many, so that it takes a slot meanwhile.
func (s *contests) contestSheets(ctx context.Context, in *JobPath) (*huma.StreamResponse, error) {
	leave, err := s.Heavy.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var list []*arena.Sheet
	if err := s.readContest(ctx, *in, func(job string) error {
		names, err := s.journalNames(ctx, job)
		if err != nil {
			return err
		}
		var journals [][]byte
		for _, name := range names {
			data, err := s.Store.Blob(ctx, job, name)
			if err != nil {
				return err
			}
			journals = append(journals, data)
		}
		if list, err = arena.JournalSheets(journals...); err != nil {
			return service.NewProblem(409, "job.no-tournament")
		}
		return nil
	}); err != nil {
		return nil, err
	}
	return s.SheetsAsTextFile("games.txt", list...)
}

// rate rates the players of a tournament. That takes long where there are many, so it is done once as
// long as no more games have ended. The cache's key is the job with a digest of its data. An error of
// the ratings, such as too many players for the time, is kept too.
// It takes a slot while it computes. An error of rate itself, such as that the request was given up, is not kept.
func (s *contests) rate(ctx context.Context, v JobView) (*rated, error) {
	id := fmt.Sprintf("%s %x", v.ID, sha256.Sum256(v.Data))
	if r, ok := s.ratings.Find(id); ok {
		return r, nil
	}
	leave, err := s.Heavy.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if r, ok := s.ratings.Find(id); ok {
		return r, nil // another request was quicker
	}
	var d arena.Standings
	if err := json.Unmarshal(v.Data, &d); err != nil {
		return nil, s.StoreProblem(err, "")
	}
	limited, cancel := context.WithTimeout(ctx, s.Longest)
	defer cancel()
	rows, err := d.Rows(limited)
	// a score takes little more than as text
	r := &rated{standings: Standings{d.Games, d.Total, rows}, bytes: 2 * int64(len(v.Data))}
	switch {
	case ctx.Err() != nil:
		return nil, service.BusyProblem("given-up.computed", 5)
	case errors.Is(err, context.DeadlineExceeded):
		r.err = service.NewProblem(503, "too-many-rated")
	case err != nil:
		return nil, s.StoreProblem(err, "")
	}
	return s.ratings.Keep(id, r), nil
}

// contestGames reads the games of a tournament: from its file once it is done,
// before that from what its finished parts have put out.
// A game that is in several journals is in the list once.
func (s *contests) contestGames(ctx context.Context, in JobPath) (games []arena.JournalGame, err error) {
	err = s.readContest(ctx, in, func(job string) error {
		journals, err := s.journals(ctx, job)
		games = arena.MergeGames(journals...)
		return err
	})
	return games, err
}

// readContest has the journals of a job read. The error is a problem.
func (s *contests) readContest(ctx context.Context, in JobPath, read func(job string) error) error {
	j, _, err := s.findJob(ctx, in)
	if err != nil {
		return err
	}
	err = read(j.ID)
	if errors.Is(err, s.Errs.NotFound) {
		// The tournament has just come to its end: its file is there, and what
		// the parts had put out is being thrown away.
		err = read(j.ID)
	}
	return s.StoreProblem(err, "job.deleted")
}

// journalNames names the whole journal of a job, or what its parts have put out.
func (s *contests) journalNames(ctx context.Context, job string) ([]string, error) {
	names, _, err := s.Store.Blobs(ctx, job)
	// The file has all games, also those that parts have put out.
	const whole = BlobFile + jobs.JournalFile
	if slices.Contains(names, whole) {
		return []string{whole}, err
	}
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, "output/") }), err
}

// journals reads the whole journal of a job, or what its parts have put out. What was put out once
// stays as it is, so it is read once. A journal in memory takes about twice its bytes.
// The lists are shared by requests and must not be written into. A job whose outputs are no journals is a problem
// of status 409.
func (s *contests) journals(ctx context.Context, job string) (list [][]arena.JournalGame, err error) {
	names, err := s.journalNames(ctx, job)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id := job + " " + name
		j, ok := s.readJournals.Find(id)
		if !ok {
			data, err := s.Store.Blob(ctx, job, name)
			if err != nil {
				return nil, err
			}
			games, err := arena.JournalGames(data)
			if err != nil {
				return nil, service.NewProblem(409, "job.no-tournament")
			}
			j = s.readJournals.Keep(id, &journal{games, 2 * int64(len(data))})
		}
		list = append(list, j.games)
	}
	return list, nil
}

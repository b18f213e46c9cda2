package web

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"oxo/lab"
)

// Standings is how a tournament stands, its players rated.
type Standings struct {
	Games int       `json:"games" doc:"that have ended"`
	Total int       `json:"total"`
	Rows  []lab.Row `json:"rows" doc:"a player's score, its rating with half of the 95 % interval, and its scores against each player in their order"`
}

// ContestGames is a part of the games of a tournament.
type ContestGames struct {
	Count int               `json:"count" doc:"how many there are so far"`
	Games []lab.JournalGame `json:"games" doc:"the latest first"`
}

// How many tournaments' standings are kept, and of how many bytes together.
const (
	keptStandings = 100
	heldStandings = 32 << 20
)

// rated is how a tournament stood by its data of that digest, or why its players
// could not be rated.
type rated struct {
	digest    [sha256.Size]byte
	standings Standings
	err       error
}

// contests registers what is shown of matches and tournaments beside the job.
func (s *Server) contests() {
	huma.Register(s.api, s.jobOp(http.MethodGet, "/jobs/{id}/standings", "job-standings", "Show how a tournament stands", "At any time, of a match or tournament."),
		func(ctx context.Context, in *JobPath) (*reply[Standings], error) {
			j, _, err := s.findJob(ctx, *in)
			if err != nil {
				return nil, err
			}
			v := j.view("")
			switch {
			case v.Verb != "tournament" && v.Verb != "match":
				return nil, refuse(409, "the job is no tournament")
			case len(v.Data) == 0: // no game has ended yet
				return &reply[Standings]{Standings{Rows: []lab.Row{}}}, nil
			}
			r, err := s.rate(ctx, v)
			if err != nil {
				return nil, err
			}
			if r.err != nil {
				return nil, r.err
			}
			return &reply[Standings]{r.standings}, nil
		})
	huma.Register(s.api, s.jobOp(http.MethodGet, "/jobs/{id}/games", "job-games", "List the games of a tournament", "Those of the parts that are finished, at any time."),
		func(ctx context.Context, in *struct {
			JobPath
			Most int `query:"most" minimum:"1" maximum:"100" default:"20" doc:"how many at most"`
			Skip int `query:"skip" minimum:"0" maximum:"100000000" doc:"how many of the latest to leave out"`
		}) (*reply[ContestGames], error) {
			games, err := s.contestGames(ctx, in.JobPath)
			if err != nil {
				return nil, err
			}
			slices.Reverse(games)
			r := &reply[ContestGames]{ContestGames{len(games), []lab.JournalGame{}}}
			games = games[min(in.Skip, len(games)):]
			r.Body.Games = append(r.Body.Games, games[:min(in.Most, len(games))]...)
			return r, nil
		})
}

// rate rates the players of a tournament. That takes long where there are many, so
// it is done once as long as no more games have ended.
func (s *Server) rate(ctx context.Context, v JobView) (rated, error) {
	digest := sha256.Sum256(v.Data)
	if r, ok := s.ratings.find(v.ID); ok && r.digest == digest {
		return r, nil
	}
	leave, err := s.heavy.enter(ctx)
	if err != nil {
		return rated{}, err
	}
	defer leave()
	if r, ok := s.ratings.find(v.ID); ok && r.digest == digest {
		return r, nil // another request was quicker
	}
	var d lab.StandingsData
	if err := json.Unmarshal(v.Data, &d); err != nil {
		return rated{}, s.hall.failed(err, "")
	}
	limited, cancel := context.WithTimeout(ctx, s.longest)
	defer cancel()
	rows, err := d.Rows(limited, v.Seed)
	r := rated{digest: digest, standings: Standings{d.Games, d.Total, rows}}
	switch {
	case ctx.Err() != nil: // then not all may have been simulated
		return rated{}, busy("the request was given up while it was computed", 5)
	case errors.Is(err, context.DeadlineExceeded):
		r.err = refuse(503, "so many players can't be rated in time")
	case err != nil:
		return rated{}, s.hall.failed(err, "")
	}
	s.ratings.put(v.ID, r, 2*int64(len(v.Data))) // in memory a score takes little more than as text
	return r, nil
}

// contestGames reads the games of a tournament: from its file once it is done,
// before that from what its finished parts have put out.
func (s *Server) contestGames(ctx context.Context, in JobPath) ([]lab.JournalGame, error) {
	j, _, err := s.findJob(ctx, in)
	if err != nil {
		return nil, err
	}
	journals, err := s.journals(ctx, j.ID)
	if errors.Is(err, s.hall.errs.notFound) {
		// The tournament has just come to its end: its file is there, and what
		// the parts had put out is being thrown away.
		journals, err = s.journals(ctx, j.ID)
	}
	if err != nil {
		return nil, s.hall.failed(err, "the job is being deleted")
	}
	games, err := lab.JournalGames(journals...)
	if err != nil {
		return nil, refuse(409, "the job is no tournament")
	}
	return games, nil
}

// journals reads the whole journal of a job, or what its parts have put out.
func (s *Server) journals(ctx context.Context, job string) ([][]byte, error) {
	names, _, err := s.crew.store.Blobs(ctx, job)
	if err != nil {
		return nil, err
	}
	const whole = blobFile + "games.journal"
	if slices.Contains(names, whole) {
		names = []string{whole}
	}
	var journals [][]byte
	for _, name := range names {
		if name != whole && !strings.HasPrefix(name, "output/") {
			continue
		}
		data, err := s.crew.store.Blob(ctx, job, name)
		if err != nil {
			return nil, err
		}
		journals = append(journals, data)
	}
	return journals, nil
}

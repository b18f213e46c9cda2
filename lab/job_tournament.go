package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"oxo"
	"oxo/arena"
)

// TournamentArgs are the arguments of a match and of a tournament.
type TournamentArgs struct {
	Players     []string  `json:"players"`
	Gauntlet    bool      `json:"gauntlet"`     // only the first player meets the others
	Games       int       `json:"games"`        // between each two players; even, as seats are swapped
	Openings    int       `json:"openings"`     // plies given before the players go on
	OpeningList string    `json:"opening_list"` // openings instead, one a line
	TimeControl string    `json:"time_control"` // such as 100ms/move; empty for no clocks
	Margin      string    `json:"margin"`       // how far a clock may be overstepped, such as 50ms
	Adjudicate  bool      `json:"adjudicate"`   // end a game as soon as its value is known
	SPRT        *SPRTArgs `json:"sprt"`         // stop a match as soon as elo0 or elo1 is accepted
	Chunk       int       `json:"chunk"`        // games a part, even; 0 makes about a hundred parts
}

// SPRTArgs are a sequential test; see [arena.SPRT].
type SPRTArgs struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"` // 0 for 0.05
	Beta  float64 `json:"beta"`  // 0 for 0.05
}

var (
	tournamentArgs = TournamentArgs{Games: 20, Margin: "50ms"}
	matchArgs      = TournamentArgs{Games: 100, Margin: "50ms"}
)

// usualParts is about how many parts a tournament has unless told otherwise,
// and sprtParts how many of them are played between two looks at the test.
const (
	usualParts = 100
	sprtParts  = 8
)

// StandingsData is how a tournament stands.
type StandingsData struct {
	Names  []string        `json:"names"`
	Games  int             `json:"games"`
	Total  int             `json:"total"`
	Cross  [][]arena.Score `json:"cross"` // [i][j]: player i against player j
	Faults []arena.Faults  `json:"faults"`
}

// TournamentSummary is the result of a tournament job.
type TournamentSummary struct {
	Game  string      `json:"game"`
	Names []string    `json:"names"`
	Games int         `json:"games"`
	Rows  []arena.Row `json:"rows"`
}

// MatchSummary is the result of a match job.
type MatchSummary struct {
	Game  string   `json:"game"`
	Names []string `json:"names"`
	arena.MatchResult
}

// contest is a match or tournament job.
type contest[P oxo.Position[P]] struct {
	arena.Tournament[P]
	verb  string
	spec  string
	chunk int // games a part
}

func (b *bound[P]) tournamentJob(verb string, a TournamentArgs, seed uint64) (labour, error) {
	margin, err := time.ParseDuration(a.Margin)
	if err != nil {
		return nil, fmt.Errorf("margin: %q is no time, such as 50ms", a.Margin)
	}
	if verb == "match" && len(a.Players) != 2 {
		return nil, fmt.Errorf("players: %d; a match is between two", len(a.Players))
	}
	o := TournamentOptions{Players: a.Players, Gauntlet: a.Gauntlet, Games: a.Games, Seed: seed, Workers: 1,
		Openings: a.Openings, Time: a.TimeControl, Margin: margin, Adjudge: a.Adjudicate}
	if a.OpeningList != "" {
		o.OpeningList = strings.NewReader(a.OpeningList)
	}
	if s := a.SPRT; s != nil {
		o.SPRT = &arena.SPRT{Elo0: s.Elo0, Elo1: s.Elo1, Alpha: 0.05, Beta: 0.05}
		if s.Alpha != 0 {
			o.SPRT.Alpha = s.Alpha
		}
		if s.Beta != 0 {
			o.SPRT.Beta = s.Beta
		}
	}
	if a.Chunk < 0 || a.Chunk%2 != 0 {
		return nil, fmt.Errorf("chunk: %d games a part; the number must be even, as pairs are played in one piece", a.Chunk)
	}
	t, err := b.tournament(o)
	if err != nil {
		return nil, err
	}
	t.Timeless = a.TimeControl == ""
	j := &contest[P]{Tournament: *t, verb: verb, spec: b.Spec, chunk: a.Chunk}
	if j.chunk == 0 {
		j.chunk = max(2, t.Games()/usualParts/2*2)
	}
	return j, nil
}

// journalRange is the input of a part: the games from From up to but not To.
type journalRange struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (j *contest[P]) stage(stage int, before Outputs) ([]Part, error) {
	from, games := 0, j.Games()
	to := games
	if j.SPRT != nil {
		from = min(stage*sprtParts*j.chunk, games)
		to = min(from+sprtParts*j.chunk, games)
		if stage > 0 {
			all, err := journal(before)
			if err != nil {
				return nil, err
			}
			if s, err := j.standings(all, j.SPRT); err != nil || s.Verdict != arena.Undecided {
				return nil, err
			}
		}
	} else if stage > 0 {
		return nil, nil
	}
	var parts []Part
	for ; from < to; from += j.chunk {
		r := journalRange{from, min(from+j.chunk, to)}
		input, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		parts = append(parts, Part{Name: fmt.Sprintf("games %d to %d", r.From+1, r.To), Size: r.To - r.From, Input: input})
	}
	return parts, nil
}

func (j *contest[P]) run(ctx context.Context, task Task, r *reporter) ([]byte, error) {
	var at journalRange
	if err := readArgs(task.Part.Input, &at); err != nil {
		return nil, err
	}
	file := &journalFile{data: bytes.Clone(task.Checkpoint)}
	t := j.Tournament
	t.From, t.To, t.SPRT = at.From, at.To, nil
	var err error
	if t.Journal, err = arena.OpenJournal(file); err != nil {
		return nil, fmt.Errorf("the checkpoint: %w", err)
	}
	send := func(s *arena.Standings) {
		report, data := j.told(task.Part, s)
		report.Checkpoint = func() ([]byte, error) { return bytes.Clone(file.data), nil }
		r.send(report, data)
	}
	t.Progress = func(s *arena.Standings) {
		if r.due() {
			send(s)
		}
	}
	s, err := t.Run(ctx)
	if err != nil {
		if ctx.Err() != nil && s != nil {
			send(s)
		}
		return nil, err
	}
	report, data := j.told(task.Part, s)
	if report.Data, err = json.Marshal(data); err != nil {
		return nil, err
	}
	r.last = &report
	return file.data, nil
}

func (j *contest[P]) told(p Part, s *arena.Standings) (Report, StandingsData) {
	return Report{Done: s.Games, Total: p.Size, Line: fmt.Sprintf("%s: %d of %d", p.Name, s.Games, p.Size)},
		StandingsData{s.Names, s.Games, p.Size, s.Cross, s.Faults}
}

func (j *contest[P]) finished(p Part, output []byte) (Report, error) {
	var at journalRange
	if err := readArgs(p.Input, &at); err != nil {
		return Report{}, err
	}
	part := *j
	part.From, part.To = at.From, at.To
	s, err := part.standings(output, nil)
	if err != nil {
		return Report{}, err
	}
	if s.Games != p.Size {
		return Report{}, fmt.Errorf("%s: an output of %d games, not %d", p.Name, s.Games, p.Size)
	}
	report, data := j.told(p, s)
	report.Data, err = json.Marshal(data)
	return report, err
}

func (j *contest[P]) sum(reports []Report) (string, any) {
	all := StandingsData{Total: j.Games(), Cross: make([][]arena.Score, len(j.Entrants)), Faults: make([]arena.Faults, len(j.Entrants))}
	for i, e := range j.Entrants {
		all.Names = append(all.Names, e.Name)
		all.Cross[i] = make([]arena.Score, len(j.Entrants))
	}
	for _, r := range reports {
		var one StandingsData
		if r.Data == nil || json.Unmarshal(r.Data, &one) != nil || len(one.Cross) != len(all.Cross) {
			continue
		}
		all.Games += one.Games
		for i, row := range one.Cross {
			for k, score := range row {
				all.Cross[i][k] = all.Cross[i][k].Add(score)
			}
			all.Faults[i] = all.Faults[i].Add(one.Faults[i])
		}
	}
	var first arena.Score
	for _, s := range all.Cross[0] {
		first = first.Add(s)
	}
	return fmt.Sprintf("%d of %d games, %s scores %.1f of %d", all.Games, all.Total, all.Names[0], first.Points(), first.Games()), all
}

// journal puts the journals of all parts together.
func journal(outputs Outputs) ([]byte, error) {
	var list [][]byte
	for stage := range outputs.Stages() {
		for i := range outputs.Parts(stage) {
			one, err := outputs.Output(stage, i)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
	}
	return joined(list), nil
}

// standings counts the games of a journal, by a sequential test where there is
// one.
func (j *contest[P]) standings(journal []byte, test *arena.SPRT) (*arena.Standings, error) {
	t := j.Tournament
	t.SPRT = test
	var err error
	if t.Journal, err = arena.OpenJournal(&journalFile{data: journal}); err != nil {
		return nil, err
	}
	return t.Count()
}

// joined makes one journal of several of the same tournament: their header and
// then their games.
func joined(journals [][]byte) []byte {
	var all []byte
	for i, journal := range journals {
		header, games, _ := bytes.Cut(journal, []byte("\n"))
		if i == 0 {
			all = append(append(all, header...), '\n')
		}
		all = append(all, games...)
	}
	return all
}

func (j *contest[P]) merge(outputs Outputs, create Create) (any, error) {
	all, err := journal(outputs)
	if err != nil {
		return nil, err
	}
	s, err := j.standings(all, j.SPRT)
	if err != nil {
		return nil, err
	}
	if err := create.write("games.journal", all); err != nil {
		return nil, err
	}
	if j.verb == "match" {
		return MatchSummary{j.spec, s.Names, s.Match()}, nil
	}
	rows, err := s.Rows(context.Background(), j.Seed)
	return TournamentSummary{j.spec, s.Names, s.Games, rows}, err
}

// journalFile is a journal's file in memory.
type journalFile struct {
	data []byte
	at   int
}

func (f *journalFile) Read(p []byte) (int, error) {
	if f.at >= len(f.data) {
		return 0, io.EOF
	}
	n := copy(p, f.data[f.at:])
	f.at += n
	return n, nil
}

// Write writes at the end: a journal is only ever added to.
func (f *journalFile) Write(p []byte) (int, error) {
	f.data = append(f.data, p...)
	f.at = len(f.data)
	return len(p), nil
}

func (f *journalFile) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart || offset < 0 || offset > int64(len(f.data)) {
		return 0, errors.New("a journal is read from its start")
	}
	f.at = int(offset)
	return offset, nil
}

func (f *journalFile) Truncate(size int64) error {
	f.data = f.data[:size]
	return nil
}

func (f *journalFile) Sync() error { return nil }

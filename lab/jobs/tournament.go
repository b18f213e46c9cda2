package jobs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"oxo/arena"
	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/message"
)

// TournamentArgs are the arguments of a match and of a tournament.
type TournamentArgs struct {
	Players     []string  `json:"players" word:"" help:"who plays: players' specs"`
	Gauntlet    bool      `json:"gauntlet" help:"only the first player meets the others"`
	Games       int       `json:"games" least:"2" even:"" help:"games between each two players; seats are swapped, so an even number"`
	Openings    int       `json:"openings" least:"0" help:"plies given before the players go on: all openings up to symmetry, or random ones where there are too many"`
	OpeningList string    `json:"opening_list" flag:"opening-file" file:"" help:"openings instead, one a line: moves from the start, or a position"`
	TimeControl string    `json:"time_control" help:"clocks, such as 100ms/move, 1m, or 1m+1s (default none)"`
	Margin      Duration  `json:"margin" help:"how far a clock may be overstepped"`
	Adjudicate  bool      `json:"adjudicate" help:"end a game as soon as its value is known and another than at its start; the record says so"`
	SPRT        *SPRTArgs `json:"sprt" help:"stop as soon as elo0 or elo1 is accepted: elo0,elo1[,alpha,beta]"`
	Chunk       int       `json:"chunk" least:"0" even:"" help:"games a part, even (default about a hundred parts)"`
}

// SPRTArgs are a sequential test; see [arena.SPRT].
type SPRTArgs struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"` // 0 for 0.05
	Beta  float64 `json:"beta"`  // 0 for 0.05
}

// Set reads elo0,elo1 or elo0,elo1,alpha,beta.
func (s *SPRTArgs) Set(text string) error {
	*s = SPRTArgs{}
	words := strings.Split(text, ",")
	for i, to := range []*float64{&s.Elo0, &s.Elo1, &s.Alpha, &s.Beta}[:min(len(words), 4)] {
		x, err := strconv.ParseFloat(strings.TrimSpace(words[i]), 64)
		if err != nil || len(words) != 2 && len(words) != 4 {
			return fmt.Errorf("%q: give elo0,elo1 or elo0,elo1,alpha,beta, as in 0,10", text)
		}
		*to = x
	}
	return nil
}

// toSPRT returns the test with its usual errors filled in, nil for none.
func (s *SPRTArgs) toSPRT() *arena.SPRT {
	if s == nil {
		return nil
	}
	return &arena.SPRT{Elo0: s.Elo0, Elo1: s.Elo1, Alpha: cmp.Or(s.Alpha, 0.05), Beta: cmp.Or(s.Beta, 0.05)}
}

// Match is the verb of that name.
var Match = newVerb(Verb{
	Name: "match", Words: []string{"A", "B"}, Seeded: true, Plays: true, Without: []string{"gauntlet"},
	Short: "play two players against each other and measure the difference",
	Example: "  oxo match mcts:sims=200 mcts:sims=50 --game mnk:7,6,4+gravity --games 200 --openings 2\n  oxo match " +
		"perfect random --games 1000",
	Gives: "plays two players against each other, a part a range of pairs; data: arena.Standings; file: games.journal",
}, TournamentArgs{Games: 100, Margin: "50ms"}, func(_ context.Context, g lab.Game, a TournamentArgs,
	seed uint64) (stagedJob, error) {
	if len(a.Players) != 2 {
		return nil, refuse("players", "%d; a match is between two", len(a.Players))
	}
	return openContestJob(g, a, seed, true, func(c *contest, s *arena.Standings) (any, error) {
		return MatchSummary{c.game, s.Names, seed, c.sprt, s.Match()}, nil
	})
})

// Tournament is the verb of that name.
var Tournament = newVerb(Verb{
	Name: "tournament", Words: []string{"PLAYER…"}, Seeded: true, Plays: true, Without: []string{"sprt"},
	Short:   "play several players against one another and rate them",
	Example: "  oxo tournament perfect heuristic rows random --game ttt --games 100",
	Gives: "plays several players against one another, a part a range of pairs; data: arena.Standings; file: " +
		"games.journal",
}, TournamentArgs{Games: 20, Margin: "50ms"},
	func(_ context.Context, g lab.Game, a TournamentArgs, seed uint64) (stagedJob, error) {
		return openContestJob(g, a, seed, false, func(c *contest, s *arena.Standings) (any, error) {
			rows, err := s.Rows(context.Background())
			return TournamentSummary{c.game, s.Names, seed, s.Games, rows}, err
		})
	})

// Most that visitors may ask for: games are kept in memory, and openings drawn
// before anything is refused.
const (
	gamesOfJob = 200_000
	partsOfJob = 20_000
	pliesOfJob = 400
)

func (a *TournamentArgs) checkVisitorLimits(Limits) error {
	n := len(a.Players)
	pairs := max(1, n*(n-1)/2)
	switch {
	case a.Games > gamesOfJob/pairs:
		return refuse("games", "at most %d games in all, which are %d between each two", gamesOfJob,
			gamesOfJob/pairs/2*2)
	case a.Openings > pliesOfJob:
		return refuse("openings", "at most %d moves", pliesOfJob)
	case a.Chunk > 0 && a.Games*pairs/a.Chunk > partsOfJob:
		return refuse("chunk", "the games would come in more than %d parts; play more of them in each", partsOfJob)
	}
	return nil
}

// usualParts is about how many parts a tournament has unless told otherwise,
// and sprtParts how many of them are played between two looks at the test.
const (
	usualParts = 100
	sprtParts  = 8
)

// TournamentSummary is the result of a tournament job.
type TournamentSummary struct {
	Game  string      `json:"game"`
	Names []string    `json:"names"`
	Seed  uint64      `json:"seed"`
	Games int         `json:"games"`
	Rows  []arena.Row `json:"rows" doc:"one for each player, in the order of names"`
}

// MatchSummary is the result of a match job.
type MatchSummary struct {
	Game  string   `json:"game"`
	Names []string `json:"names"`
	Seed  uint64   `json:"seed"`
	SPRT  bool     `json:"sprt,omitempty" doc:"whether a sequential test could end it"`
	arena.MatchResult
}

// contest is a match or tournament that was understood.
type contest struct {
	lab.Contest
	game  string // its spec
	sprt  bool   // whether a test may end it
	chunk int    // games a part
	tell  func(*contest, *arena.Standings) (any, error)
}

// openContestJob opens a match or a tournament; makeResult makes its result of the standings.
func openContestJob(g lab.Game, a TournamentArgs, seed uint64, twins bool,
	makeResult func(*contest, *arena.Standings) (any, error)) (stagedJob, error) {
	margin, err := a.Margin.parse()
	if err != nil {
		return nil, refuse("margin", "%w", err)
	}
	c, err := g.Contesting().NewContest(lab.ContestOptions{Players: a.Players, Gauntlet: a.Gauntlet, Games: a.Games,
		Seed: seed, Twins: twins,
		Openings: a.Openings, OpeningList: a.OpeningList, Time: a.TimeControl, Margin: margin, Adjudge: a.Adjudicate,
		SPRT: a.SPRT.toSPRT()})
	if err != nil {
		return nil, err
	}
	return &contest{c, g.Info().Spec, a.SPRT != nil, cmp.Or(a.Chunk, max(2, c.Games()/usualParts/2*2)), makeResult}, nil
}

// partRange is the games of a part; a test looks at the games after so many parts.
func (j *contest) partRange(stage, index int) lab.Range {
	from := (stage*sprtParts + index) * j.chunk
	return lab.Range{From: from, To: min(from+j.chunk, j.Games())}
}

// listParts lists ranges of games. With a sequential test a stage has a few of them, and there are
// stages until the test has decided; without one there is a single stage.
func (j *contest) listParts(_ context.Context, stage int, before Outputs) ([]Part, error) {
	count := sprtParts
	switch {
	case !j.sprt && stage > 0:
		return nil, nil
	case !j.sprt:
		count = (j.Games() + j.chunk - 1) / j.chunk
	case stage > 0:
		all, err := joinJournals(before)
		if err != nil {
			return nil, err
		}
		s, err := j.CountStandings(lab.Range{}, &arena.MemoryFile{Data: all})
		if err != nil || s.Verdict != arena.Undecided {
			return nil, err
		}
	}
	var parts []Part
	for index := range count {
		r := j.partRange(stage, index)
		if r.From >= r.To {
			break
		}
		parts = append(parts, newPart(fmt.Sprintf("games %d to %d", r.From+1, r.To), r.To-r.From, r))
	}
	return parts, nil
}

// runPart plays the games of a part. Its checkpoint is their journal so far, as its output is.
func (j *contest) runPart(ctx context.Context, task Task, r *reporter) ([]byte, error) {
	var at lab.Range
	if err := decodeArgs(task.Part.Input, &at); err != nil {
		return nil, err
	}
	file := &arena.MemoryFile{Data: bytes.Clone(task.Checkpoint)}
	send := func(s *arena.Standings) {
		report := j.progressReport(task.Part, s)
		report.Checkpoint = func() ([]byte, error) { return bytes.Clone(file.Data), nil }
		r.send(report)
	}
	s, err := j.Play(ctx, at, file, func(s *arena.Standings) {
		if r.due() {
			send(s)
		}
	})
	if err != nil {
		if ctx.Err() != nil && s != nil {
			send(s)
		}
		return nil, err
	}
	r.last = new(j.progressReport(task.Part, s))
	return file.Data, nil
}

// progressReport says how far a part has come.
func (j *contest) progressReport(p Part, s *arena.Standings) Report {
	own := *s
	own.Total = p.Size
	says := partSays(p, progress.GamesPlayed(s.Games, p.Size))
	return Report{Done: s.Games, Total: p.Size}.withLine(says).withData(own)
}

// finalReport refuses an output in which games are missing.
func (j *contest) finalReport(p Part, output []byte) (Report, error) {
	var at lab.Range
	if err := decodeArgs(p.Input, &at); err != nil {
		return Report{}, err
	}
	s, err := j.CountStandings(at, &arena.MemoryFile{Data: output})
	if err != nil {
		return Report{}, err
	}
	if s.Games != p.Size {
		return Report{}, fmt.Errorf("%s: an output of %d games, not %d", p.Name, s.Games, p.Size)
	}
	return j.progressReport(p, s), nil
}

func (j *contest) combineReports(reports []Report) (line message.Message, data any) {
	all := arena.NewStandings(j.Names(), j.Games())
	for _, r := range reports {
		var one arena.Standings
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
	first := all.Score(0)
	return progress.Of("score", message.Args{"games": progress.GamesPlayed(all.Games, all.Total),
		"player": all.Names[0], "points": progress.Points(first.Points()), "played": first.Games()}), *all
}

// joinJournals puts the journals of all parts together.
func joinJournals(outputs Outputs) ([]byte, error) {
	var list [][]byte
	for stage := range outputs.Stages() {
		for i := range outputs.Parts(stage) {
			one, err := outputs.Output(stage, i)
			if err != nil {
				return nil, err
			}
			if len(one) > 0 { // of a contest that was cut short some are missing
				list = append(list, one)
			}
		}
	}
	return arena.JoinJournals(list), nil
}

func (j *contest) mergeOutputs(outputs Outputs, create Create) (result any, err error) {
	all, err := joinJournals(outputs)
	if err != nil {
		return nil, err
	}
	s, err := j.CountStandings(lab.Range{}, &arena.MemoryFile{Data: all})
	if err != nil {
		return nil, err
	}
	if err := create.writeFile(JournalFile, all); err != nil {
		return nil, err
	}
	return j.tell(j, s)
}

// mergeStopped keeps the games that were played.
func (j *contest) mergeStopped(done Outputs, create Create) (result any, err error) {
	all, err := joinJournals(done)
	if err != nil {
		return nil, err
	}
	return struct{}{}, create.writeFile(JournalFile, all)
}

// JournalFile is the name of the file of a contest's games.
const JournalFile = "games.journal"

// JournalStore keeps the games of a contest in one journal, as they end.
type JournalStore struct {
	MemoryStore
	contest *contest
	mu      sync.Mutex
	file    arena.JournalFile
	header  []byte
	games   map[int][]byte // lines by the games' numbers
	played  int            // of them since it was opened
}

// OpenJournalStore returns a state store that keeps the games of a match or tournament in a
// file, which may hold some already: these are not played again.
func OpenJournalStore(w *Work, file arena.JournalFile) (*JournalStore, error) {
	c, ok := w.staged.(*contest)
	if !ok {
		return nil, fmt.Errorf("%s has no journal", w.Job.Verb)
	}
	if _, err := arena.OpenJournal(file); err != nil { // which cuts an unfinished line off
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	k := &JournalStore{contest: c, file: file, games: map[int][]byte{}}
	if len(data) == 0 {
		return k, nil
	}
	// It may be of another contest.
	if _, err := c.CountStandings(lab.Range{}, &arena.MemoryFile{Data: bytes.Clone(data)}); err != nil {
		return nil, err
	}
	_, err = k.addNewGames(data)
	k.played = 0 // these were played before
	return k, err
}

// GamesPlayed returns how many games were played since the journal was opened.
func (k *JournalStore) GamesPlayed() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.played
}

// addNewGames notes the header and the games of a journal that are not known yet, and returns their lines.
func (k *JournalStore) addNewGames(data []byte) (fresh []byte, err error) {
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		switch {
		case len(line) == 0:
		case i > 0:
			number, err := gameNumberOfLine(line)
			if err != nil {
				return nil, err
			}
			if k.games[number] == nil {
				k.games[number] = line
				k.played++
				fresh = append(fresh, line...)
			}
		case k.header == nil:
			k.header = line
			fresh = append(fresh, line...)
		}
	}
	return fresh, nil
}

// gameNumberOfLine reads the number of a journal's line.
func gameNumberOfLine(line []byte) (int, error) {
	var one struct {
		Game int `json:"game"`
	}
	err := json.Unmarshal(line, &one)
	return one.Game, err
}

// Load returns what was saved, else as a part's checkpoint its games in the file.
func (k *JournalStore) Load(key string) ([]byte, error) {
	data, err := k.MemoryStore.Load(key)
	var stage, index int
	if _, none := fmt.Sscanf(key, "checkpoint/%d/%d", &stage, &index); data != nil || err != nil || none != nil {
		return data, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.games) == 0 {
		return nil, nil
	}
	data = bytes.Clone(k.header)
	for r, n := k.contest.partRange(stage, index), 0; r.From+n < r.To; n++ {
		data = append(data, k.games[r.From+n]...)
	}
	return data, nil
}

// Save keeps data, and writes the games of a part's journal that are new.
func (k *JournalStore) Save(key string, data []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	fresh, err := k.addNewGames(data)
	if err != nil {
		return err
	}
	if len(fresh) > 0 {
		if _, err = k.file.Write(fresh); err == nil {
			err = k.file.Sync()
		}
		if err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}
	return k.MemoryStore.Save(key, data)
}

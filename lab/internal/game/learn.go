package game

import (
	"context"
	"errors"
	"strings"

	"oxo"
	"oxo/arena"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/model"
	"oxo/learn/show"
	"oxo/message"
)

// SampledExam grades a player where there is no exact exam: by positions whose moves a
// solver judges, or where the game has none, by matches, each with an error bar.
type SampledExam struct {
	Game    string                       `json:"game"`
	Sampled bool                         `json:"sampled" doc:"true: these are samples, not the truth"`
	Reason  string                       `json:"reason" doc:"why there is no exact exam"`
	Solved  *exam.Sampled                `json:"solved,omitempty" doc:"by a sample of positions that the exact solver judges; null where there is none"`
	Games   int                          `json:"games,omitempty" doc:"that are asked for against each opponent"`
	Played  int                          `json:"played,omitempty" doc:"games that were played in all"`
	Of      int                          `json:"of,omitempty" doc:"games that were to be played in all; more than were played where it was stopped"`
	Plies   int                          `json:"openings,omitempty" doc:"random plies that the games begin with"`
	Vs      map[string]arena.MatchResult `json:"vs,omitempty" doc:"against others, by name"`
}

// SampleOptions say how large a sampled exam is.
type SampleOptions struct {
	Positions int // whose moves a solver judges
	Games     int // against each opponent, where there is no solver
	Openings  int // random plies that those games begin with
	Seed      uint64
	Tell      func(done, of int) // how many positions or games are done
}

// TrainOptions say what to train, and how.
type TrainOptions struct {
	Learner string // a learner's spec
	Against string // a player's spec, itself, pool:A|B|…, or human, who teaches in a [Lesson]
	Seed    uint64
	Start   string // the experiment generator
	Sheets  string // the text of score sheets, for the start "sheets"
	Seats   string // alternate, first or second

	// Resume is a brain to go on from; then Learner and Seed are the brain's
	// own, and so is what is empty of Against, Start and Seats.
	Resume []byte
}

// ErrNoPolicy is the error of an exact exam of a player that has no policy.
var ErrNoPolicy = errors.New("chooses by more than the position, so it can't be examined exactly")

// Catalogue says what can be learned of a game, how, and against whom.
type Catalogue struct {
	Game     string        `json:"game"`
	Exact    bool          `json:"exact" doc:"whether exams are exact; else the game has too many positions and a curve is of a sample"`
	Learners []LearnerForm `json:"learners"`
	Against  []Offer       `json:"against" doc:"opponents that can play the game; any player's spec can be given"`
	Starts   []Offer       `json:"starts" doc:"how the start of each game is chosen; +N adds N random moves"`
	Seats    []Offer       `json:"seats" doc:"which side the learner plays, the usual first"`
	Usual    UsualTraining `json:"usual" doc:"what is trained where nobody says otherwise"`
}

// Basis is what the numbers of a measure are of.
type Basis = exam.Basis

// UsualTraining is how a learner is trained where nobody says otherwise.
type UsualTraining struct {
	Against string `json:"against" doc:"who to play against"`
	Games   int    `json:"games" doc:"how many each run plays"`
	Runs    int    `json:"runs" doc:"how many learners side by side"`
	Exams   int    `json:"exams" doc:"how many times a curve is measured"`
}

// Usual is the usual training; where there are few squares, see [UsualTraining.On].
var Usual = UsualTraining{Against: learn.Itself, Games: 1000, Runs: 1, Exams: 40}

// On returns the training on a board of so many squares, 0 where it has none. On up to nine,
// forty times as many games take a second.
func (u UsualTraining) On(squares int) UsualTraining {
	if 0 < squares && squares <= 9 {
		u.Games *= 40
	}
	return u
}

// LearnerForm is a kind of learner with its options, as they are for a game.
type LearnerForm struct {
	model.Form
	Settings []LearnerSetting `json:"settings"`
	Refused  string           `json:"refused,omitempty" doc:"why it can't learn this game"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// LearnerSetting is an option of a learner.
type LearnerSetting struct {
	model.Setting

	// UsualWith has the usual value where another option has a value, by that as it is in a spec.
	UsualWith map[string]string `json:"usual_with,omitempty" doc:"by other options"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// ValueWith returns the value of the option in a spec with those options, each KEY=VALUE.
func (s *LearnerSetting) ValueWith(given []string) string {
	value := s.Value
	for _, option := range given {
		if own, ok := strings.CutPrefix(option, s.Key+"="); ok {
			return own
		}
		if usual, ok := s.UsualWith[option]; ok {
			value = usual
		}
	}
	return value
}

// Offer is a word and what it stands for.
type Offer struct {
	Spec  string `json:"spec"`
	About string `json:"about"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// BrainFacts says of what game and learner a brain is, and how it came to be.
type BrainFacts struct {
	Game    string `json:"game"`
	Learner string `json:"learner"`
	Against string `json:"against"`
	Seats   string `json:"seats"`
	learn.Tally
}

// ReadBrainFacts reads what a brain is.
func ReadBrainFacts(data []byte) (BrainFacts, error) {
	b, err := learn.ReadBrain(data)
	if err != nil {
		return BrainFacts{}, err
	}
	return BrainFacts{b.Game, b.Learner, b.Plan.Against, b.Plan.Seats, b.Tally}, nil
}

// Lesson is a game in which a person teaches a learner: the session's player is
// the learner, which tries moves out. Moves are not taken back.
type Lesson interface {
	Session
	// Taught returns what the game changed in the learner; nil while it goes on.
	// The error says why nothing was learned from it.
	Taught() (*learn.Taught, error)
	// Steps lists the moves that both sides have made.
	Steps() []show.Step
	// Considered returns what the learner makes of the position of its last move;
	// nil where it has had no turn.
	Considered(ctx context.Context) *learn.Considered
	// Seat returns the learner's.
	Seat() oxo.Seat
}

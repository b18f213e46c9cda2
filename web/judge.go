package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"oxo/lab"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// JudgeRequest asks what is known of a position, or of every move of a game.
type JudgeRequest struct {
	service.Place
	TimeMS int  `json:"time_ms,omitempty" minimum:"0" maximum:"10000" doc:"how long to look at a position; 5 s at most; without it what is known for nothing"`
	Review bool `json:"review,omitempty" doc:"judge the moves that were played, from the last to the first, instead of the position after them"`
}

// JudgeLine is a line of the stream of a judge.
// Of judged, move, review and error a line has one.
type JudgeLine struct {
	Judged *lab.Judged    `json:"judged,omitempty" doc:"of a position: each line knows more than the one before"`
	Move   *lab.Judgement `json:"move,omitempty" doc:"of a review: a move"`
	Review *lab.Review    `json:"review,omitempty" doc:"the last line of a review: all of it"`
	Error  string         `json:"error,omitempty" doc:"why the stream ends early"`
	Busy   bool           `json:"busy,omitempty" doc:"whether it ends because the server has too much to do just now"`
	Said   lab.Said       `json:"said,omitempty" doc:"the message of the error: a key and arguments, for other languages"`
}

// judge says what is known of positions.
type judge struct{ *service.Base }

// registerJudge registers the judge.
// What is wrong with the request is answered before the stream begins.
func (s *judge) registerJudge() {
	o := service.Operation(http.MethodPost, "/judge", "judge-position", "Say what is known of a position and its moves",
		"Ever better answers: an interval of worths with its source for the position and each move, estimates inside "+
			"them, words. The last line of a position says done.", 400, 413, 422, 429)
	huma.Register(s.API, service.DescribeStream[JudgeLine](s.API, o), func(ctx context.Context, in *struct {
		Format string `query:"format" enum:"sse,ndjson" doc:"without it by the Accept header, else ndjson"`
		Body   JudgeRequest
	}) (*huma.StreamResponse, error) {
		g, t, _, err := s.ReplayMoves(ctx, in.Body.Place)
		if err != nil {
			return nil, err
		}
		given := min(time.Duration(in.Body.TimeMS)*time.Millisecond, s.Longest)
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			x := &judgeStream{Stream: service.OpenStream(ctx, in.Format)}
			if in.Body.Review {
				s.streamReview(ctx.Context(), x, g, t, given)
			} else {
				s.streamJudgements(ctx.Context(), x, g, t.State().Position, given)
			}
		}}, nil
	})
}

// judgeStream numbers the lines of a judge.
// Last is the latest answer about a position that was sent; nil before the first. It belongs to one request.
type judgeStream struct {
	*service.Stream
	id   int
	last *lab.Judged
}

// line sends a line of the stream.
func (x *judgeStream) line(l JudgeLine) {
	x.id++
	_ = x.Send("judge", x.id, l) // a reader that has gone ends the context
}

// sendIfBetter sends an answer that knows more than those before, or is the last.
// Work that is done twice, in a longer slot, repeats answers: they are left out.
func (x *judgeStream) sendIfBetter(j *lab.Judged) {
	if x.last != nil && !j.Done && !knowsMore(j, x.last) {
		return
	}
	x.last = j
	x.line(JudgeLine{Judged: j})
}

// knowsMore reports whether an answer knows nothing less than another for certain, and something
// more or by more search.
// Certain is how many moves' worths are proven, and how narrow the interval of the position's own is.
func knowsMore(j, than *lab.Judged) bool {
	proven, before := countProven(j), countProven(than)
	wide, was := j.Hi-j.Lo, than.Hi-than.Lo
	return proven >= before && wide <= was && (proven > before || wide < was || j.Searched > than.Searched)
}

// countProven counts the moves whose worth is known.
// It is where both ends of its interval are the same.
func countProven(j *lab.Judged) (n int) {
	for i := range j.Moves {
		if j.Moves[i].Lo == j.Moves[i].Hi {
			n++
		}
	}
	return n
}

// streamJudgements streams what is known of a position: at once what costs nothing, then what a
// moment shows, then the rest of the time.
// The last line says done, with all that was found, also where the time was up or the server too
// busy for more.
// A time limit of 0 asks for what costs nothing alone.
func (s *judge) streamJudgements(ctx context.Context, x *judgeStream, g *service.Opened, position string,
	timeLimit time.Duration) {
	judging := g.Judging()
	ask := func(ctx context.Context, d time.Duration) (*lab.Judged, error) {
		return judging.Judge(ctx, lab.JudgeOptions{Position: position, Time: d}, func(j *lab.Judged) {
			if !j.Done {
				x.sendIfBetter(j)
			}
		})
	}
	j, err := ask(ctx, 0)
	// Where every move's worth is known there is nothing left to look for.
	if err == nil && timeLimit > 0 && countProven(j) < len(j.Moves) {
		left := timeLimit
		err = s.Compute(ctx, timeLimit+service.Short, false, func(ctx context.Context) error {
			more, err := ask(ctx, left)
			left = max(timeLimit/2, timeLimit-service.Short) // where it is done again, in a slot for long work
			if more != nil {
				j = more
			}
			return err
		})
	}
	if !isSpent(err) { // else what was found stands
		x.sendFailure(ctx, err)
	}
	// A reader who has gone is sent nothing more.
	if err == nil || ctx.Err() == nil && j != nil {
		j.Done = true
		x.sendIfBetter(j)
	}
}

// isSpent reports whether work has ended as its time was up or its memory used.
// Such work has done what it could, and its result stands.
func isSpent(err error) bool {
	return errors.Is(err, service.ErrSpent) || errors.Is(err, lab.ErrMemory)
}

// sendFailure tells why a stream ends early, unless nobody reads it any more. A refusal because the server is busy
// is marked, so that the studio asks again.
func (x *judgeStream) sendFailure(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		l := JudgeLine{Error: err.Error()}
		if p, ok := errors.AsType[*service.Problem](err); ok {
			l = JudgeLine{Error: p.Detail, Busy: p.Status == http.StatusTooManyRequests}
			if said := p.Said["detail"]; said != nil {
				l.Said = lab.Said{"error": said}
			}
		}
		x.line(l)
	}
}

// streamReview streams what the moves of a game did. The time is bounded by that of every move with
// its second look.
// A move's line comes as soon as it is judged, the summary at the end.
// The lines of moves come from the last move to the first.
func (s *judge) streamReview(ctx context.Context, x *judgeStream, g *service.Opened, t lab.Session,
	timeLimit time.Duration) {
	record := t.Record()
	limit := time.Duration(len(record.Moves)+1)*timeLimit*reviewWork + s.Longest
	r, err := service.Computed(ctx, s.Base, limit, true, func(ctx context.Context) (*lab.Review, error) {
		return g.Judging().ReviewGame(ctx, record, lab.JudgeOptions{Time: timeLimit},
			func(j *lab.Judgement) { x.line(JudgeLine{Move: j}) })
	})
	x.sendFailure(ctx, err)
	if err == nil {
		x.line(JudgeLine{Review: r})
	}
}

// reviewWork is how many times the time of a position a move of a review may take: it is
// judged again, for longer, where it seems to be a mistake.
const reviewWork = 9

package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"oxo/lab"
	"oxo/web/service"
)

// TestFailureOfJudge: a judge whose time or memory is used up has nothing to complain of, as what it
// found stands; any other failure is told.
func TestFailureOfJudge(t *testing.T) {
	for _, c := range []struct {
		err  error
		told bool
	}{
		{nil, false}, {context.Canceled, false}, {service.ErrSpent, false}, {lab.ErrMemory, false},
		{errors.Join(service.NewProblem(http.StatusUnprocessableEntity, "memory"), lab.ErrMemory), false},
		{errors.New("a source has failed"), true}, {service.BusyProblem("too many requests", 5), true},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
		x := &judgeStream{Stream: service.OpenStream(humago.NewContext(&huma.Operation{}, r, w), "ndjson")}
		x.sendFailure(t.Context(), c.err)
		if told := w.Body.Len() > 0; told != c.told {
			t.Errorf("%v: told %q", c.err, w.Body)
		}
	}
}

package web

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// root is where the API lives; a change that breaks clients moves it.
const root = "/api/v1"

// bodyLimit is the most bytes of a request's body.
const bodyLimit = 64 << 10

func apiConfig(version string) huma.Config {
	c := huma.DefaultConfig("oxo", version)
	c.Info.Description = "Play, search, solve and learn the games of the tic-tac-toe family. " +
		"Games, positions, moves and players are text, as on the command line. " +
		"Errors are problem details (RFC 9457) that name the field at fault."
	c.OpenAPIPath = root + "/openapi"
	c.DocsPath = ""     // the stock page loads scripts from elsewhere
	c.SchemasPath = ""  // the document holds the schemas
	c.CreateHooks = nil // no $schema fields in answers
	return c
}

// reply is an answer with a JSON body.
type reply[T any] struct{ Body T }

// request is a question with a JSON body.
type request[T any] struct{ Body T }

// post registers an operation that takes and returns JSON bodies.
func post[I, O any](s *base, path, id, summary, description string, do func(context.Context, *I) (*O, error)) {
	huma.Register(s.api, huma.Operation{
		OperationID: id, Method: http.MethodPost, Path: root + path, Summary: summary, Description: description,
		MaxBodyBytes: bodyLimit, Errors: []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusTooManyRequests},
	}, func(ctx context.Context, in *request[I]) (*reply[O], error) {
		out, err := do(ctx, &in.Body)
		if err != nil {
			return nil, err
		}
		return &reply[O]{*out}, nil
	})
}

// wrong is the problem of a field of the body that can't be used.
func wrong(field string, value any, err error) error {
	return huma.NewError(http.StatusUnprocessableEntity, fmt.Sprintf("%s: %v", field, err),
		&huma.ErrorDetail{Message: err.Error(), Location: "body." + field, Value: value})
}

// busy is the problem of a request that comes when there is too much to do.
func busy(what string, seconds int) error {
	return huma.ErrorWithHeaders(huma.NewError(http.StatusTooManyRequests, what),
		http.Header{"Retry-After": {fmt.Sprint(seconds)}})
}

// refuse is a problem that no field is to blame for.
func refuse(status int, detail string) error { return huma.NewError(status, detail) }

package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"oxo/message"
	"oxo/strictjson"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

// Root is where the API lives; a change that breaks clients moves it.
const Root = "/api/v1"

// BodyLimit is the most bytes of a request's body.
const BodyLimit = 64 << 10

// init sets what huma has as globals, for all APIs of the process: casing is strict, lists are never null, and errors
// are problems in our words.
func init() {
	huma.DefaultArrayNullable = false // a list is empty, never null
	huma.ValidateStrictCasing = true
	validation.MsgExpectedMinLength = "at least %d characters are needed"
	validation.MsgExpectedMaxLength = "at most %d characters are accepted"
	huma.NewError = func(status int, detail string, errs ...error) huma.StatusError {
		return problemOf(status, detail, errs...)
	}
}

// Config describes the API as a whole.
func Config(version string) huma.Config {
	c := huma.DefaultConfig("oxo", version)
	c.Info.Description = "Play, search, solve and learn the games of the tic-tac-toe family. " +
		"Games, positions, moves and players are text, as on the command line. " +
		"Errors are problem details (RFC 9457) that name the field at fault."
	c.OpenAPIPath = Root + "/openapi"
	c.DocsPath = ""     // the stock page loads scripts from elsewhere
	c.SchemasPath = ""  // the document holds the schemas
	c.CreateHooks = nil // no $schema fields in answers
	// A parameter's description stands beside its schema; huma writes it in both.
	c.OnAddOperation = append(c.OnAddOperation, func(_ *huma.OpenAPI, o *huma.Operation) {
		for _, p := range o.Parameters {
			p.Schema.Description = ""
		}
	})
	strict := huma.DefaultJSONFormat
	strict.Unmarshal = func(data []byte, v any) error {
		if err := strictjson.CheckNames(data); err != nil {
			return err
		}
		return huma.DefaultJSONFormat.Unmarshal(data, v)
	}
	c.Formats = map[string]huma.Format{"application/json": strict, "json": strict}
	return c
}

// Operation describes an operation that may be refused with some statuses. The path is below [Root]; id is the
// operation's name in the document.
func Operation(method, path, id, summary, description string, refusals ...int) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: Root + path, Summary: summary,
		Description: description, MaxBodyBytes: BodyLimit, Errors: refusals}
}

// Answer describes what an operation answers with that is no JSON of a type: what it is, its type of content, and its
// schema if it has one.
func Answer(description, kind string, schema *huma.Schema) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {Description: description,
		Content: map[string]*huma.MediaType{kind: {Schema: schema}}}}
}

// reply is an answer with a JSON body.
type reply[T any] struct{ Body T }

// request is a question with a JSON body.
type request[T any] struct{ Body T }

// Register registers an operation that answers with a JSON body. Errors that are no problems are
// answered with status 500.
func Register[I, O any](s *Base, o huma.Operation, do func(context.Context, *I) (*O, error)) {
	huma.Register(s.API, o, func(ctx context.Context, in *I) (*reply[O], error) {
		out, err := do(ctx, in)
		if err != nil {
			return nil, err
		}
		return &reply[O]{*out}, nil
	})
}

// Post registers an operation that takes and returns JSON bodies. The path is below [Root]; id is the
// operation's name in the document.
func Post[I, O any](s *Base, path, id, summary, description string, do func(context.Context, *I) (*O, error)) {
	Register(s, Operation(http.MethodPost, path, id, summary, description, 400, 413, 422, 429),
		func(ctx context.Context, in *request[I]) (*O, error) { return do(ctx, &in.Body) })
}

// FieldProblem is the problem of a field of the body that can't be used, unless the
// error is a problem already, or nil.
func FieldProblem(field string, value any, err error) error {
	return unusableValueProblem("body", field, value, err)
}

// PathProblem is the problem of a parameter of the path that can't be used, unless the
// error is a problem already, or nil.
func PathProblem(name string, value any, err error) error {
	return unusableValueProblem("path", name, value, err)
}

// QueryProblem is the problem of a parameter of the query that can't be used, unless the
// error is a problem already, or nil.
func QueryProblem(name string, value any, err error) error {
	return unusableValueProblem("query", name, value, err)
}

// RefuseUnknownQuery refuses requests with a parameter of the query that their operation does not have: the problem
// names it, and those that there are.
func RefuseUnknownQuery(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		u := ctx.URL()
		if u.RawQuery == "" {
			next(ctx)
			return
		}
		var names []string
		for _, p := range ctx.Operation().Parameters {
			if p.In == "query" {
				names = append(names, p.Name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(u.Query())) {
			if !slices.Contains(names, name) {
				_ = huma.WriteErr(api, ctx, http.StatusUnprocessableEntity, "", QueryProblem(name, u.Query().Get(name),
					fmt.Errorf("there is no such parameter; there are %s", cmp.Or(strings.Join(names, ", "), "none"))))
				return
			}
		}
		next(ctx)
	}
}

// unusableValueProblem is the problem of a value at a place of the request, its body or its query.
func unusableValueProblem(place, name string, value any, err error) error {
	if err == nil || IsProblem(err) {
		return err
	}
	return huma.NewError(http.StatusUnprocessableEntity, fmt.Sprintf("%s: %v", name, err),
		&huma.ErrorDetail{Message: err.Error(), Location: place + "." + name, Value: value})
}

// BusyProblem is the problem of a request that comes when there is too much to do. It says
// when to come again.
func BusyProblem(key string, seconds int, args ...any) error {
	return laterProblem(http.StatusTooManyRequests, key, seconds, args...)
}

// laterProblem is the problem of a request that may be sent again in so many seconds.
func laterProblem(status int, key string, seconds int, args ...any) error {
	return huma.ErrorWithHeaders(NewProblem(status, "later", "why", messageOf(key, args), "n", seconds),
		http.Header{"Retry-After": {fmt.Sprint(seconds)}})
}

// Problem is an error as it is answered. What the server itself has to say has its message beside it.
type Problem struct {
	huma.ErrorModel
	Said message.Said `json:"said,omitempty" doc:"the message of the detail: a key and arguments, for other languages"`
}

// NewProblem is a problem that no field is to blame for: what the key says in words, and the names of its
// arguments, each before its value.
func NewProblem(status int, key string, namesAndValues ...any) error {
	m := messageOf(key, namesAndValues)
	p := problemOf(status, words.Say(m))
	p.Said = message.Said{"detail": {m}}
	return p
}

// problemOf is what huma answers with. Where it is to answer with a problem, it is that one.
// huma makes problems of its own for requests that do not fit the schema; all have the same form.
func problemOf(status int, detail string, errs ...error) *Problem {
	p := &Problem{ErrorModel: huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: detail}}
	for _, err := range errs {
		if known, ok := errors.AsType[*Problem](err); ok {
			return known
		} else if err != nil {
			p.Add(err)
		}
	}
	for _, detail := range p.Errors {
		detail.Value, detail.Location = shortenValue(detail.Value), shortenText(detail.Location)
	}
	return p
}

// mostEchoed is how many bytes of a value at fault are sent back.
const mostEchoed = 200

// shortenValue returns the value at fault as it is told: whole where it is short, else the beginning of its JSON.
func shortenValue(value any) any {
	text, ok := value.(string)
	if !ok {
		data, err := json.Marshal(value)
		if err != nil || len(data) <= mostEchoed {
			return value
		}
		text = string(data)
	}
	return shortenText(text)
}

// shortenText returns a text, or its beginning.
func shortenText(text string) string {
	if len(text) <= mostEchoed {
		return text
	}
	return strings.ToValidUTF8(text[:mostEchoed], "") + "…"
}

// messageOf is the message of a refusal: a key, and the names of its arguments, each before its value.
// Keys are those of the table words, below "refused.".
func messageOf(key string, namesAndValues []any) message.Message {
	m := message.Of("refused."+key, nil)
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		if m.Args == nil {
			m.Args = message.Args{}
		}
		m.Args[namesAndValues[i].(string)] = namesAndValues[i+1]
	}
	return m
}

// IsProblem reports whether an error is a problem that can be answered as it
// is.
func IsProblem(err error) bool {
	var known huma.StatusError
	return errors.As(err, &known)
}

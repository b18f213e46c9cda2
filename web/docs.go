package web

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"oxo/examples/bots"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// operation is a section of the docs page.
type operation struct {
	Method, Path, Summary, Description, ID string

	Fields []field
}

// field is a parameter of an operation, or a field of its body.
type field struct{ Name, In, Kind, About string }

var docsPage = template.Must(template.New("docs").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>oxo: the API</title>
<link rel="icon" href="../../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../../app.css">
<main class="page">
<p><a href="../../">To the studio</a></p>
<h1>{{.Title}}: the API</h1>
<p>{{.About}}</p>
<p>The full description, with every field: <a href="{{.Document}}">{{.Document}}</a> (OpenAPI 3.1).</p>
<h2>A bot</h2>
<p>In Python, with what comes with it: OXO_URL is this server, OXO_TOKEN the token that
<code>curl -X POST $OXO_URL/api/v1/bots -H 'Content-Type: application/json' -d '{"name":"mine"}'</code> shows once.</p>
<div class="tablewide" tabindex="0" role="region" aria-label="A bot in Python"><pre>{{.Bot}}</pre></div>
{{range $op := .Operations}}<section id="{{.ID}}"><h2>{{.Method}} {{.Path}}</h2>
<p>{{.Summary}}.{{with .Description}} {{.}}{{end}}</p>
{{with .Fields}}<div class="tablewide" tabindex="0" role="region" aria-label="Parameters of {{$op.ID}}"><table>
{{range .}}<tr><th scope="row"><code>{{.Name}}</code></th><td>{{.In}}, {{.Kind}}</td><td>{{.About}}</td></tr>
{{end}}</table></div>
{{end}}{{if .Try}}<p><a href="../../{{.Try}}">Try it</a></p>{{end}}</section>
{{end}}</main>
</html>
`))

// registerDocs serves a page of all operations, made from the OpenAPI document.
// It is called when all are registered.
func (s *Server) registerDocs(mux *http.ServeMux) {
	var page bytes.Buffer
	doc := s.API.OpenAPI()
	err := docsPage.Execute(&page, map[string]any{
		"Title": doc.Info.Title, "About": doc.Info.Description, "Document": service.Root + "/openapi.json",
		"Operations": operations(doc), "Bot": bots.Python,
	})
	if err != nil {
		panic("web: the docs page can't be made: " + err.Error())
	}
	mux.HandleFunc("GET "+service.Root+"/docs", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page.Bytes()) // a reader that has gone needs no answer
	})
}

func operations(doc *huma.OpenAPI) []operation {
	var list []operation
	for path, item := range doc.Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete} {
			if op != nil {
				list = append(list,
					operation{method, path, op.Summary, op.Description, op.OperationID, fields(doc, op)})
			}
		}
	}
	slices.SortFunc(list, func(a, b operation) int { return cmpOperations(a, b) })
	return list
}

// fields are what an operation is told, the required first.
func fields(doc *huma.OpenAPI, op *huma.Operation) []field {
	var list []field
	for _, p := range op.Parameters {
		list = append(list, field{p.Name, need(p.In, p.Required), kindOf(p.Schema), p.Description})
	}
	if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
		return list
	}
	s := op.RequestBody.Content["application/json"].Schema
	if s.Ref != "" {
		s = doc.Components.Schemas.SchemaFromRef(s.Ref)
	}
	names := slices.Sorted(maps.Keys(s.Properties))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(slices.Index(s.Required, b), slices.Index(s.Required, a))
	})
	for _, name := range names {
		p := s.Properties[name]
		list = append(list, field{name, need("body", slices.Contains(s.Required, name)), kindOf(p), p.Description})
	}
	return list
}

func need(in string, required bool) string {
	if required {
		return in + ", required"
	}
	return in
}

// kindOf says what a value is: its type, and what it can be where that is a few words.
func kindOf(s *huma.Schema) string {
	switch {
	case s == nil || s.Type == "":
		return "object"
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprintf("%q", v)
		}
		return strings.Join(words, " or ")
	case s.Type == huma.TypeArray && s.Items != nil:
		return "list of " + kindOf(s.Items)
	}
	return s.Type
}

// Try is where an operation that only looks can be tried as it is; empty elsewhere.
func (o operation) Try() string {
	if o.Method != http.MethodGet || strings.Contains(o.Path, "{") {
		return ""
	}
	for _, f := range o.Fields {
		if strings.HasSuffix(f.In, "required") {
			return ""
		}
	}
	return strings.TrimPrefix(o.Path, "/")
}

func cmpOperations(a, b operation) int {
	return slices.Compare([]string{a.Path, a.Method}, []string{b.Path, b.Method})
}

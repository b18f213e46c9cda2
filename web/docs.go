package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"oxo/examples/bots"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// operation is a section of the docs page.
type operation struct {
	Method, Path, Summary, Description, ID string

	Fields []field
	Body   string // an example of the JSON that is sent; empty where none is
	Sends  string // the media type of a body that is no JSON
}

// field is a parameter of an operation, or a field of its body.
type field struct {
	Name, In    string
	Required    bool
	Kind, About string
}

var docsPage = template.Must(template.New("docs").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>oxo: the API</title>
<link rel="icon" href="../../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../../app.css">
<script type="module" src="../../docs.js"></script>
<main class="page docs">
<p><a href="../../">To the studio</a></p>
<h1>{{.Title}}: the API</h1>
<p class="lead">{{.About}} <a href="{{.Document}}">{{.Document}}</a> has every field of every answer (OpenAPI 3.1).</p>
<section class="card"><h2>A bot</h2>
<p>In Python, with what comes with it: OXO_URL is this server, OXO_TOKEN the token that
<code>curl -X POST $OXO_URL/api/v1/bots -H 'Content-Type: application/json' -d '{"name":"mine"}'</code> shows once.</p>
<pre tabindex="0" role="region" aria-label="A bot in Python">{{.Bot}}</pre></section>
<details class="card noprint"><summary>All operations</summary><nav aria-label="Operations"><ul>
{{range .Operations}}<li><a href="#{{.ID}}"><code>{{.Method}} {{.Path}}</code></a></li>
{{end}}</ul></nav></details>
{{range $op := .Operations}}<section class="card" id="{{.ID}}"><h2><code>{{.Method}} {{.Path}}</code></h2>
<p>{{.Summary}}.{{with .Description}} {{.}}{{end}}</p>
{{with .Fields}}<div class="tablewide" tabindex="0" role="region" aria-label="Parameters of {{$op.ID}}"><table>
{{range .}}<tr><th scope="row"><code>{{.Name}}</code></th><td>{{.In}}{{if .Required}}, required{{end}}, {{.Kind}}</td><td>{{.About}}</td></tr>
{{end}}</table></div>
{{end}}{{if .Try}}<details class="noprint"><summary>Try it</summary>
<form data-method="{{.Method}}" data-path="{{.Path}}">{{range .Fields}}{{if .Typed}}
<label class="field">{{.Name}} <input name="{{.Name}}" data-in="{{.In}}"{{if .Required}} required{{end}}></label>{{end}}{{end}}
{{with .Body}}<label class="field">The body <textarea class="code" rows="4" spellcheck="false">{{.}}</textarea></label>
{{end}}<button type="submit" class="primary">Send</button>
<pre tabindex="0" role="status" aria-label="The answer" hidden></pre></form></details>{{end}}</section>
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
				body, sends := bodyOf(doc, op)
				list = append(list, operation{method, path, op.Summary, op.Description, op.OperationID,
					fields(op, body), exampleText(body), sends})
			}
		}
	}
	slices.SortFunc(list, func(a, b operation) int { return cmpOperations(a, b) })
	return list
}

// bodyOf is the schema of the JSON that an operation takes, or the media type of what else it takes.
func bodyOf(doc *huma.OpenAPI, op *huma.Operation) (*huma.Schema, string) {
	if op.RequestBody == nil {
		return nil, ""
	}
	content := op.RequestBody.Content["application/json"]
	if content == nil {
		return nil, slices.Sorted(maps.Keys(op.RequestBody.Content))[0]
	}
	if content.Schema.Ref != "" {
		return doc.Components.Schemas.SchemaFromRef(content.Schema.Ref), ""
	}
	return content.Schema, ""
}

// fields are what an operation is told, the required first.
func fields(op *huma.Operation, body *huma.Schema) []field {
	var list []field
	for _, p := range op.Parameters {
		list = append(list, field{p.Name, p.In, p.Required, kindOf(p.Schema), p.Description})
	}
	if body == nil {
		return list
	}
	names := slices.Sorted(maps.Keys(body.Properties))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(slices.Index(body.Required, b), slices.Index(body.Required, a))
	})
	for _, name := range names {
		p := body.Properties[name]
		list = append(list, field{name, "body", slices.Contains(body.Required, name), kindOf(p), p.Description})
	}
	return list
}

// kindOf says what a value is: its type, what it can be where that is a few words, and its limits.
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
		return "list of " + kindOf(s.Items) + limits(s.MinItems, s.MaxItems, " of them")
	case s.Type == huma.TypeString:
		return s.Type + limits(s.MinLength, s.MaxLength, " characters")
	}
	return s.Type + limits(s.Minimum, s.Maximum, "")
}

// limits says the least and the most that a value may be, where there are such.
func limits[N int | float64](least, most *N, of string) string {
	written := func(n *N) string { return strconv.FormatFloat(float64(*n), 'f', -1, 64) }
	switch {
	case least != nil && most != nil:
		return ", " + written(least) + " to " + written(most) + of
	case most != nil:
		return ", up to " + written(most) + of
	case least != nil:
		return ", from " + written(least) + of
	}
	return ""
}

// exampleText is a body with the fields that must be there; empty where no JSON is sent.
func exampleText(s *huma.Schema) string {
	if s == nil {
		return ""
	}
	body := map[string]any{}
	for _, name := range s.Required {
		body[name] = exampleOf(s.Properties[name])
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic("web: an example is no JSON: " + err.Error())
	}
	return string(text)
}

// exampleOf is a value that a schema allows as far as it says what.
func exampleOf(s *huma.Schema) any {
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == huma.TypeArray:
		return []any{}
	case s.Type == huma.TypeBoolean:
		return false
	case s.Type == huma.TypeString:
		return ""
	case s.Type == huma.TypeInteger || s.Type == huma.TypeNumber:
		if s.Minimum != nil {
			return *s.Minimum
		}
		return 0
	}
	return map[string]any{}
}

// Try reports whether an operation can be tried on the page: nothing is deleted there, and no file is sent.
func (o operation) Try() bool { return o.Method != http.MethodDelete && o.Sends == "" }

// Typed reports whether a field of the page takes it: the body is one text, and cookies are the browser's.
func (f field) Typed() bool { return f.In != "body" && f.In != "cookie" }

func cmpOperations(a, b operation) int {
	return slices.Compare([]string{a.Path, a.Method}, []string{b.Path, b.Method})
}

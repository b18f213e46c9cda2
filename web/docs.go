package web

import (
	"bytes"
	"html/template"
	"net/http"
	"slices"

	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// operation is a line of the docs page.
type operation struct {
	Method, Path, Summary, Description, ID string
}

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
{{range .Operations}}<section id="{{.ID}}"><h2>{{.Method}} {{.Path}}</h2>
<p>{{.Summary}}.{{with .Description}} {{.}}{{end}}</p></section>
{{end}}</main>
</html>
`))

// describing serves a page of all operations, made from the OpenAPI document.
// It is called when all are registered.
func (s *Server) describing(mux *http.ServeMux) {
	var page bytes.Buffer
	doc := s.API.OpenAPI()
	err := docsPage.Execute(&page, map[string]any{
		"Title": doc.Info.Title, "About": doc.Info.Description, "Document": service.Root + "/openapi.json",
		"Operations": operations(doc),
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
				list = append(list, operation{method, path, op.Summary, op.Description, op.OperationID})
			}
		}
	}
	slices.SortFunc(list, func(a, b operation) int { return cmpOperations(a, b) })
	return list
}

func cmpOperations(a, b operation) int {
	return slices.Compare([]string{a.Path, a.Method}, []string{b.Path, b.Method})
}

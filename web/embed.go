package web

import (
	"bytes"
	"html/template"
	"net/http"
	"strconv"

	"oxo/message"
	"oxo/web/service"
)

// embedPolicy lets any site show a board in a frame. Nothing in the frame runs or sends
// anything, so that it can't act for who looks at it: its links lead on in the frame or
// open a page of its own, and no other page of the server may be framed.
const embedPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"

// embedPage is the page in a frame: the board, by night a dark one besides, how the game stands, and links to the
// ply before, the ply after and the studio. It is without scripts.
var embedPage = template.Must(templateOf(`<!doctype html>
<html lang="{{say "language"}}"{{with .Theme}} data-theme="{{.}}"{{end}}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}} · oxo</title>
<link rel="stylesheet" href="app.css">
<body class="embed">
<main>
<h1>{{.Title}}</h1>
<div role="img" aria-label="{{.Title}}. {{.About}}">{{.Board}}{{with .Night}}<div class="night">{{.}}</div>{{end}}</div>
<p>{{.About}}{{with .Along}} {{.}}{{end}}</p>
<nav aria-label="{{say "walk"}}">{{with .Back}}<a href="embed?{{.}}" rel="prev">{{say "back"}}</a> {{end}}
{{- with .On}}<a href="embed?{{.}}" rel="next">{{say "on"}}</a> {{end}}
<a href="play?{{.Here}}" target="_blank" rel="noopener">{{say "play-on"}}</a></nav>
</main>
</body>
</html>
`))

// embed serves a board for frames in pages of other sites. The page works without scripts: its links
// are to the ply before and after. An error is a page too, with status 422.
func (s *scenery) embed(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", embedPolicy)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Content-Type", "text/html; charset=utf-8")
	scene := sceneOf(r.URL.Query())
	g, b, err := s.replay(r.Context(), scene)
	var board, night []byte // night is empty where the scene says light or dark
	if err == nil {
		board, err = s.drawPicture(r.Context(), scene, "svg")
	}
	if err == nil && scene.Theme == "" {
		darkly := scene
		darkly.Theme = "dark"
		night, err = s.drawPicture(r.Context(), darkly, "svg")
	}
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		nothing := map[string]any{"Title": say("nothing", nil), "About": err.Error(), "Theme": scene.Theme}
		_ = embedPage.Execute(w, nothing)
		return
	}
	place, moves := scene.place()
	ply := len(place.Moves)
	// The address of the same scene at another ply; empty where there is no such ply, and then there is no link.
	at := func(ply int) template.URL {
		if ply < 0 || ply > moves {
			return ""
		}
		there := scene
		if there.Ply = strconv.Itoa(ply); ply == moves {
			there.Ply = ""
		}
		return template.URL(there.query()) //nolint:gosec // it is escaped
	}
	var page bytes.Buffer
	along := ""
	if moves > 0 {
		along = say("move-of-all", message.Args{"move": ply, "moves": moves})
	}
	err = embedPage.Execute(&page, map[string]any{
		"Title": s.Games.Lab.TitleOf(g), "About": standingText(b), "Theme": scene.Theme, "Along": along,
		"Back": at(ply - 1), "On": at(ply + 1), "Here": at(ply),
		"Board": template.HTML(board), "Night": template.HTML(night), //nolint:gosec // the pen escapes what it writes
	})
	if err != nil {
		writeProblem(w, service.NewProblem(http.StatusInternalServerError, "frame"))
		return
	}
	_, _ = w.Write(page.Bytes()) // a reader that has gone needs no answer
}

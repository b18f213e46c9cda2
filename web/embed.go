package web

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"oxo/lab"
	"oxo/lab/picture"
	"oxo/message"
	"oxo/web/service"
)

// embedPolicy lets any site show a board in a frame. Nothing in the frame runs or sends
// anything, so that it can't act for who looks at it: its links lead on in the frame or
// open a page of its own, and no other page of the server may be framed.
const embedPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"

// embedPage is the page in a frame: the board, by night a dark one besides, how the game stands, and links to the
// ply before, the ply after and the studio; of a puzzle the squares are links to the moves that can be tried. It is
// without scripts.
var embedPage = template.Must(templateOf(`<!doctype html>
<html lang="{{say "language"}}"{{with .Theme}} data-theme="{{.}}"{{end}}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}} · oxo</title>
<link rel="stylesheet" href="app.css">
<body class="embed">
<main>
<h1>{{.Title}}</h1>
<div role="{{if .Links}}group{{else}}img{{end}}" aria-label="{{.Title}}. {{.About}}">{{.Board}}{{with .Night}}<div class="night">{{.}}</div>{{end}}</div>
<p>{{.About}}{{with .Along}} {{.}}{{end}}</p>
<nav aria-label="{{if .Puzzle}}{{say "page-puzzles"}}{{else}}{{say "walk"}}{{end}}">{{with .Back}}<a href="embed?{{.}}" rel="prev">{{say "back"}}</a> {{end}}
{{- with .On}}<a href="embed?{{.}}" rel="next">{{say "on"}}</a> {{end}}
{{- range .Tries}}<a href="embed?{{.Query}}" rel="nofollow">{{.Name}}</a> {{end}}
{{with .Puzzle}}<a href="puzzles?id={{.}}" target="_blank" rel="noopener">{{say "solve-here"}}</a>{{else -}}
<a href="play?{{.Here}}" target="_blank" rel="noopener">{{say "play-on"}}</a>{{end}}</nav>
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
	var filled map[string]any
	var err error
	if id := r.URL.Query().Get("puzzle"); id != "" {
		filled, err = s.puzzleInFrame(r.Context(), id, r.URL.Query().Get("try"), &scene)
	} else {
		filled, err = s.gameInFrame(r.Context(), scene)
	}
	var links []picture.Link
	var board, night []byte // night is empty where the scene says light or dark
	if err == nil {
		links, _ = filled["Links"].([]picture.Link)
		board, err = s.drawPicture(r.Context(), scene, "svg", links...)
	}
	if err == nil && scene.Theme == "" {
		darkly := scene
		darkly.Theme = "dark"
		night, err = s.drawPicture(r.Context(), darkly, "svg", links...)
	}
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		nothing := map[string]any{"Title": say("nothing", nil), "About": err.Error(), "Theme": scene.Theme}
		_ = embedPage.Execute(w, nothing)
		return
	}
	filled["Theme"] = scene.Theme
	filled["Board"] = template.HTML(board) //nolint:gosec // the pen escapes what it writes
	filled["Night"] = template.HTML(night) //nolint:gosec // likewise
	var page bytes.Buffer
	if err = embedPage.Execute(&page, filled); err != nil {
		writeProblem(w, service.NewProblem(http.StatusInternalServerError, "frame"))
		return
	}
	_, _ = w.Write(page.Bytes()) // a reader that has gone needs no answer
}

// gameInFrame is what the page in a frame says of a game.
func (s *scenery) gameInFrame(ctx context.Context, scene Scene) (map[string]any, error) {
	g, b, err := s.replay(ctx, scene)
	if err != nil {
		return nil, err
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
	along := ""
	if moves > 0 {
		along = say("move-of-all", message.Args{"move": ply, "moves": moves})
	}
	return map[string]any{"Title": s.Games.Lab.TitleOf(g), "About": standingText(b), "Along": along,
		"Back": at(ply - 1), "On": at(ply + 1), "Here": at(ply)}, nil
}

// tryLink is a move of a puzzle in a frame, or the way back from a wrong one.
type tryLink struct {
	Name  string
	Query template.URL
}

// linkToTry is a link to a puzzle in a frame after these moves.
func linkToTry(name, id, theme string, moves ...string) tryLink {
	q := url.Values{"puzzle": {id}}
	if len(moves) > 0 {
		q.Set("try", strings.Join(moves, ","))
	}
	if theme != "" {
		q.Set("theme", theme)
	}
	return tryLink{name, template.URL(q.Encode())} //nolint:gosec // it is escaped
}

// linkMoves makes the moves of a position links: of the squares that they go to, and where marks fall of all free ones
// of a column. Moves without a square are listed. It says what to press too.
func linkMoves(info lab.Info, state lab.State, to func(move string) tryLink) (
	links []picture.Link, listed []tryLink, press string) {
	press = "press"
	if info.Falls {
		press = "press-column"
	}
	named := map[string]int{}
	for i, s := range info.Squares {
		named[s.Name] = i
	}
	signs := info.Signs(state.Position)
	_, _, deep := info.Extent()
	for _, m := range state.Moves {
		try := to(m)
		mark, name, marked := strings.Cut(m, "@")
		if !marked {
			name = m
		}
		square, known := named[name]
		if !known {
			listed = append(listed, try)
			continue
		}
		link := picture.Link{Address: "embed?" + string(try.Query), Name: m, Squares: []int{square}}
		if marked {
			link.Mark, press = mark[0], "press-mark"
		}
		at := info.Squares[square]
		for i, s := range info.Squares {
			inColumn := s.Col == at.Col && (deep == 1 || s.Row == at.Row)
			if info.Falls && i != square && inColumn && signs[i] == '.' {
				link.Squares = append(link.Squares, i)
			}
		}
		links = append(links, link)
	}
	return links, listed, say(press, nil)
}

// puzzleInFrame is what the page in a frame says of a puzzle of the collection after the moves that were tried, with
// commas between: the right ones so far and their replies, and then one that it judges, if any. The scene is given the
// position that is to be drawn. Nothing is rated here, and no answer told.
func (s *scenery) puzzleInFrame(ctx context.Context, id, tried string, scene *Scene) (map[string]any, error) {
	z := s.findPuzzle(id)
	if z == nil {
		return nil, service.NewProblem(http.StatusNotFound, "no.puzzle", "id", id)
	}
	g, err := s.Games.Open(z.Game)
	if err != nil {
		return nil, err
	}
	*scene = Scene{Game: z.Game, From: z.Position, Moves: tried, Theme: scene.Theme}
	place, _ := scene.place()
	line, move := place.Moves, ""
	if n := len(line); n%2 == 1 {
		line, move = line[:n-1], line[n-1]
	}
	page := map[string]any{"Title": s.Games.Lab.TitleOf(g), "Puzzle": z.ID}
	err = s.Compute(ctx, s.Longest, false, func(ctx context.Context) error {
		played := line
		at, err := lab.PuzzleAfterLine(g, z, line)
		if err != nil {
			return err
		}
		if move != "" {
			t, err := lab.TryPuzzleMove(ctx, g, z, line, move)
			if err != nil {
				return err
			}
			page["About"] = t.Says
			if t.Reply != "" {
				played = append(slices.Clone(place.Moves), t.Reply)
				scene.Moves = strings.Join(played, ",")
			}
			if at = t.After; !t.Right {
				page["Tries"] = []tryLink{linkToTry(say("try-again", nil), z.ID, scene.Theme, line...)}
			}
		}
		if at == nil { // it is over, or the move was wrong
			return nil
		}
		text, err := lab.DescribePuzzle(g, at)
		if err != nil {
			return err
		}
		if move == "" {
			page["About"] = text.Goal
		}
		state, err := g.Parse(at.Position)
		if err != nil {
			return err
		}
		page["Links"], page["Tries"], page["Along"] = linkMoves(g.Info(), state, func(m string) tryLink {
			return linkToTry(m, z.ID, scene.Theme, append(slices.Clone(played), m)...)
		})
		return nil
	})
	return page, err
}

package web

import (
	"bytes"
	"html/template"
	"net/http"
	"strings"

	"oxo/lab"
	"oxo/lab/picture"
	"oxo/message"
	"oxo/web/service"
)

// words has the English of what pages say before the studio does: their names by the word that
// their addresses begin with, and what other sites show beside a link.
var words = message.Table{
	"page-": "Tic-tac-toe and its family", "page-play": "Play", "page-explore": "Explore", "page-learn": "Learn",
	"page-search": "Search step by step", "page-arena": "Arena", "page-proofs": "Proofs", "page-cluster": "Cluster",
	"page-online": "Play online", "page-teach": "Teach it yourself", "page-weger": "Weger’s laboratory",
	"page-claims": "Printed claims", "page-move": "To another device", "page-puzzles": "Puzzles",
	"not-found": "Not found", "titled": "{name} · oxo", "explored": "Explore: {name} · oxo",
	"about": "The laboratory for tic-tac-toe and its family.", "to-move": "{side} to move.", "draw": "A draw.",
	"wins": "{side} wins.", "chance": "Chance",
}

// say says a message of words.
func say(key string, args message.Args) string { return words.Say(message.Of(key, args)) }

// preview is what other sites show beside a link: a title, a sentence and a picture.
type preview struct{ Title, About, Page, Picture string }

const usualTitle = "<title>oxo</title>"

// head takes the place of the title in index.html.
var head = template.Must(template.New("head").Parse(`<title>{{.Title}}</title>
<meta property="og:type" content="website">
<meta property="og:site_name" content="oxo">
<meta property="og:title" content="{{.Title}}">
<meta property="og:description" content="{{.About}}">
<meta property="og:url" content="{{.Page}}">
<meta property="og:image" content="{{.Picture}}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">`))

// into writes the preview into a page.
func (p preview) into(page []byte) []byte {
	var to bytes.Buffer
	if err := head.Execute(&to, p); err != nil {
		return page // without a preview
	}
	return bytes.Replace(page, []byte(usualTitle), to.Bytes(), 1)
}

// preview says what a page shows, and whether there is such a page: one of the studio's, or a
// game by its spec or by a name that people type.
func (s *scenery) preview(r *http.Request, page string) (preview, bool) {
	scene := sceneOf(r.URL.Query())
	name, known := words["page-"+page]
	if !known {
		name, scene = say("not-found", nil), Scene{Game: page}
	}
	scheme := "http"
	if service.IsEncrypted(r) {
		scheme = "https"
	}
	origin := scheme + "://" + r.Host
	p := preview{Title: say("titled", message.Args{"name": name}), About: say("about", nil),
		Page: origin + r.URL.RequestURI()}
	ofGame := !known || scene.Game != ""
	shown := scene
	if !ofGame {
		shown = Scene{Game: "ttt", Moves: "b2,a3,c3,a1,a2"}
	}
	shown.Plies, shown.Card, shown.Ply = false, true, scene.Ply
	g, b, err := s.at(r.Context(), shown)
	if err != nil {
		return p, known
	}
	p.Picture = origin + service.Root + "/picture.png?" + shown.query() + "&card=true"
	if ofGame {
		title := "titled"
		if page == "explore" {
			title = "explored"
		}
		p.Title, p.About = say(title, message.Args{"name": s.title(g)}), standing(b)
		if scene.From+scene.Moves == "" {
			p.About = g.Info().Rules
		}
	}
	return p, true
}

// title is what people call a game: the name under which it is offered, or else its title.
func (s *scenery) title(g lab.Game) string {
	info := g.Info()
	name := info.Title
	for _, k := range s.Games.Lab.Games() {
		for _, o := range k.Offers {
			if o.Spec == info.Spec {
				name = o.Name
			}
		}
	}
	return strings.ToUpper(name[:min(1, len(name))]) + name[min(1, len(name)):]
}

// standing says how a game stands, in a sentence.
func standing(b *picture.Board) string {
	seat := map[string]string{"first": b.Info.Seats[0], "second": b.Info.Seats[1], "chance": say("chance", nil)}
	switch b.State.Result {
	case "*":
		return say("to-move", message.Args{"side": seat[b.State.Turn]})
	case "draw":
		return say("draw", nil)
	}
	return say("wins", message.Args{"side": seat[b.State.Result]})
}

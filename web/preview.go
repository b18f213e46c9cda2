package web

import (
	"cmp"
	"html/template"
	"net/http"
	"net/url"
	"regexp"

	"oxo/lab"
	"oxo/lab/picture"
	"oxo/lab/reproduce"
	"oxo/message"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// words has the English of what pages say before the studio does: their names by the word that
// their addresses begin with, and what other sites show beside a link.
var words = message.Table{
	"page-": "Tic-tac-toe and its family", "page-play": "Play", "page-explore": "Explore", "page-learn": "Learn",
	"page-search": "Search", "page-arena": "Arena", "page-proofs": "Proofs", "page-cluster": "Cluster",
	"page-online": "Play online", "page-teach": "Teach it yourself", "page-weger": "Weger’s laboratory",
	"page-claims": "Printed claims", "page-move": "To another device", "page-puzzles": "Puzzles",
	"page-docs": "The API", "not-found": "Not found", "titled": "{name} · oxo", "no-game": "No such game: {game} · oxo",
	"page-of": "{page}: {name}", "puzzled": "A puzzle: {name}.", "tournament": "Tournament: {name}",
	"learns": "{name}, {learner}", "wins-within": "{side} wins within {plies} plies", "holds": "{side} does not lose",
	"bounded": "{side} does not win within {plies} plies", "nobody-loses": "Nobody loses: a draw with best play",
	"about": "The laboratory for tic-tac-toe and its family.", "to-move": "{side} to move.", "draw": "A draw.",
	"wins": "{side} wins.", "chance": "Chance", "language": "en",
	"no-script":   "The studio needs JavaScript. Without it, play in a terminal: oxo play.",
	"no-studio":   "The studio is not part of this build. The API is described here:",
	"move-of-all": "Move {move} of {moves}.", "nothing": "Nothing is here", "walk": "Walk through the game",
	"back": "Back", "on": "On", "play-on": "Play from here",
	"solve-here": "Solve it in oxo", "try-again": "Try again",
	"press": "Press a square.", "press-column": "Press a column.", "press-mark": "Press X or O in a square.",
}

// say says a message of words.
func say(key string, args message.Args) string { return words.Say(message.Of(key, args)) }

// preview is what other sites show beside a link: a title, a sentence and a picture.
// Page and Picture are whole addresses; without a picture the last is empty. Base is where the studio's files lie from
// an address of several words.
type preview struct{ Title, About, Page, Picture, Base string }

// templateOf reads a page, whose texts are messages of words.
// In it {{say "key"}} stands for the text of that message.
func templateOf(page string) (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{"say": func(key string) string { return say(key, nil) }}).Parse(page)
}

// previewOf says what a page shows, and whether there is such a page: one of the studio's, of a game that
// can be opened, or a game by its spec or by a name that people type.
// The page is the word of the address, empty for the first page.
func (s *scenery) previewOf(r *http.Request, page string) (described preview, found bool) {
	scene := sceneOf(r.URL.Query())
	name, known := words["page-"+page]
	of, there := s.subjectOf(r.Context(), page, r.URL.Query())
	if of != nil {
		scene = of.scene
	}
	if !known {
		name, scene = say("not-found", nil), Scene{Game: page}
	}
	// Other sites need whole addresses, by the name under which the server was asked.
	scheme := "http"
	if service.IsEncrypted(r) {
		scheme = "https"
	}
	origin := scheme + "://" + r.Host
	p := preview{Title: say("titled", message.Args{"name": name}), About: say("about", nil),
		Page: origin + r.URL.RequestURI()}
	if !there {
		p.Title = say("titled", message.Args{"name": say("not-found", nil)})
		return p, false
	}
	ofGame := !known || scene.Game+scene.From+scene.Moves != "" // moves alone are of tic-tac-toe
	shown := scene
	if !ofGame {
		shown = Scene{Game: "ttt", Moves: "b2,a3,c3,a1,a2"}
	}
	title, about := s.titleOfPart(page, r.URL.Query())
	if of != nil {
		title, about = of.title, of.about
	}
	if title != "" {
		p.Title, p.About = say("titled", message.Args{"name": title}), cmp.Or(about, p.About)
	}
	shown.Plies, shown.Card, shown.Ply = false, true, scene.Ply
	// A scene that can't be shown leaves the page's own name; where not even its game can be opened, the page is
	// not found.
	g, b, err := s.replay(r.Context(), shown)
	if err != nil && of != nil {
		return p, true
	}
	if err != nil {
		_, err := s.OpenGame(r.Context(), cmp.Or(shown.Game, "ttt"))
		if known && err != nil && !service.IsProblem(err) && r.Context().Err() == nil {
			p.Title = say("no-game", message.Args{"game": shown.Game})
			known = false
		}
		return p, known
	}
	p.Picture = origin + service.Root + "/picture.png?" + shown.query() + "&card=true"
	if !ofGame || of != nil {
		return p, true
	}
	p.Title = say("titled", message.Args{"name": titleOnPage(page, name, s.Games.Lab.TitleOf(g))})
	p.About = sceneText(g, b, scene, r.URL.Query().Get("resigned"))
	return p, true
}

// sceneText is a sentence about a scene, which ends with that board: the game's rules where nothing was played, else
// how the game stands, which was given up as the address says.
func sceneText(g lab.Game, b *picture.Board, scene Scene, resigned string) string {
	if scene.From+scene.Moves == "" {
		return g.Info().Rules
	}
	if at, all := scene.place(); len(at.Moves) == all && b.State.Result == "*" && resigning.MatchString(resigned) {
		b.State.Result, _ = resultOfGivingUp(resigned)
	}
	return standingText(b)
}

// resigning are addresses' words for who gave a game up.
var resigning = regexp.MustCompile(`^(both|first|second)(:[a-z]+)?$`)

// titleOnPage is how a page is titled that shows a thing of that title: after the thing alone, after both, or after
// itself, as the studio's pages title themselves.
func titleOnPage(page, name, title string) string {
	switch page {
	case "explore", "learn", "search":
		return say("page-of", message.Args{"page": name, "name": title})
	case "arena", "claims", "cluster", "docs", "move", "online", "proofs", "teach", "weger":
		return name
	}
	return title
}

// titleOfPart is what an address shows of a page of many parts, a printed claim, a document or an operation of the API,
// and a sentence about it; nothing where it shows all or no such part.
func (s *scenery) titleOfPart(page string, query url.Values) (title, about string) {
	switch page {
	case "claims":
		for _, f := range reproduce.ListItems() {
			switch {
			case f.ID == query.Get("item"):
				return f.Claim, f.Title + ", " + f.Section
			case f.Key == query.Get("part"):
				title = f.Title
			}
		}
	case "docs":
		for path, item := range s.API.OpenAPI().Paths {
			for method, o := range map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post,
				http.MethodPut: item.Put, http.MethodDelete: item.Delete} {
				if o != nil && o.OperationID == query.Get("operation") {
					return o.Summary, method + " " + path
				}
			}
		}
	}
	return title, ""
}

// standingText says how a game stands, in a sentence.
// Sides are called as the game calls its seats.
func standingText(b *picture.Board) string {
	seat := map[string]string{"first": b.Info.Seats[0], "second": b.Info.Seats[1], "chance": say("chance", nil)}
	switch b.State.Result {
	case "*":
		return say("to-move", message.Args{"side": seat[b.State.Turn]})
	case "draw":
		return say("draw", nil)
	}
	return say("wins", message.Args{"side": seat[b.State.Result]})
}

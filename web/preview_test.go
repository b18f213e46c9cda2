package web

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"image/png"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"oxo/lab"
	"oxo/lab/reproduce"
)

// studied is a server with the studio's page, without its scripts.
func studied(t *testing.T, change ...func(*Config)) *tester {
	t.Helper()
	page, err := os.ReadFile("studio/src/index.html")
	if err != nil {
		t.Fatal(err)
	}
	page = regexp.MustCompile(`<script.*`).ReplaceAll(page, nil)
	return newTester(t, append(change, func(o *Config) {
		o.Studio = fstest.MapFS{"index.html": {Data: page}, "app.js": {Data: []byte("1")},
			"icon.svg": {Data: []byte("<svg/>")}}
	})...)
}

// TestMessages finds texts that stand inline where pages and previews are made, and keys that
// nothing says.
func TestMessages(t *testing.T) {
	text := regexp.MustCompile(`^[A-Z][a-z]|[a-z] |[a-z]\.$`)
	page, err := os.ReadFile("studio/src/index.html")
	if err != nil {
		t.Fatal(err)
	}
	all := string(page)
	for _, name := range []string{"preview.go", "subject.go", "embed.go", "studio.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && spec.Names[0].Name == "words" {
				return false
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				all += lit.Value
				word := strings.Trim(lit.Value, "\"`")
				if name == "preview.go" && text.MatchString(word) {
					t.Errorf("%q stands inline in %s", word, name)
				}
			}
			return true
		})
	}
	for key := range words {
		if !strings.Contains(all, `"`+key+`"`) && !strings.HasPrefix(key, "page-") {
			t.Errorf("nothing says %q", key)
		}
	}
}

// TestPreviews reads what other sites show beside a link.
func TestPreviews(t *testing.T) {
	x := studied(t)
	carried := lab.CarriedPuzzles("cube:4,3", "")[0]
	claimed := reproduce.ListItems()[0]
	for path, want := range map[string][]string{
		"/":                               {"<title>Tic-tac-toe and its family", "/picture.png?game=ttt"},
		"/play?game=connect4&moves=d1,d2": {`og:title" content="Connect Four · oxo"`, "Red to move.", "twitter:card"},
		"/explore?game=ttt&moves=a1,b2":   {`og:title" content="Explore: Tic-tac-toe · oxo"`, "moves=a1%2Cb2"},
		"/explore?moves=a1,b2":            {`og:title" content="Explore: Tic-tac-toe · oxo"`, "moves=a1%2Cb2"},
		"/play?game=ttt&moves=a1&resigned=second:time":    {`og:description" content="X wins."`},
		"/play?game=ttt&moves=a1&resigned=both":           {`og:description" content="A draw."`},
		"/play?game=ttt&moves=a1,b2&ply=1&resigned=first": {"O to move."},
		"/learn?game=ttt":                  {`og:title" content="Learn: Tic-tac-toe · oxo"`},
		"/search?game=mnk:4,3,3":           {`og:title" content="Search: 4×3, 3 in a row · oxo"`},
		"/arena?game=ttt":                  {`og:title" content="Arena · oxo"`, "game=ttt"},
		"/play?moves=a1,b2&game=ttt&ply=1": {"O to move.", "ply=1"},
		"/Connect%20Four":                  {`og:title" content="Connect Four · oxo"`},
		"/connect+four":                    {`og:title" content="Connect Four · oxo"`},
		"/four%20in%20a%20row":             {`og:title" content="Connect Four · oxo"`},
		"/tic-tac-toe-3d":                  {`og:title" content="Qubic 4×4×4 · oxo"`},
		"/fano":                            {"Fano", `og:description" content="X and O take turns`},
		"/proofs":                          {`<title>Proofs · oxo</title>`},
		"/puzzles":                         {`<title>Puzzles · oxo</title>`, "/picture.png?game=ttt"},
		"/puzzles?id=daily":                {" to move: ", `og:description" content="A puzzle: `, "from="},
		"/puzzles?id=" + carried.ID: {" to move: ", `"A puzzle: Qubic 4×4×4."`,
			url.QueryEscape(carried.Position[:40])},
		"/claims":                       {`<title>Printed claims · oxo</title>`},
		"/claims?part=weger":            {`<title>C. Weger, Meta Tic-Tac-Toe: learning by temporal differences`},
		"/claims?item=" + claimed.ID:    {html.EscapeString(claimed.Claim) + ` · oxo`, html.EscapeString(claimed.Title)},
		"/claims?item=none":             {`<title>Printed claims · oxo</title>`},
		"/docs?operation=print-puzzles": {`<title>A sheet of puzzles to print · oxo</title>`, "GET /api/v1/puzzles/sheet"},
		"/docs?operation=none":          {`<title>The API · oxo</title>`},
		"/proofs?id=mnk-7-6-4-gravity": {
			`og:title" content="Connect Four on 7×6, marks fall: Red wins within 41 plies · oxo"`,
			"game=mnk%3A7%2C6%2C4%2Bgravity"},
		"/proofs?id=cube-3-3&replies=a1a": {" wins · oxo", "game=cube%3A3%2C3&amp;moves=b2b%2Ca1a%2C"},
		"/proofs?id=ultimate-open":        {"Ultimate", "X wins within 43 plies · oxo", "game=ultimate%2Bopen"},
		"/proofs?id=ttt":                  {"Tic-tac-toe: Nobody loses: a draw with best play · oxo"},
		"/play?game=ttt&moves=z9":         {`<title>Play · oxo</title>`},
	} {
		w := x.ask("GET", path, nil)
		for _, part := range want {
			if w.Code != 200 || !strings.Contains(w.Body.String(), part) {
				t.Errorf("%s: %d without %q: %s", path, w.Code, part, w.Body)
			}
		}
		if !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s may be framed", path)
		}
	}
	picture := regexp.MustCompile(`og:image" content="http://localhost:8210([^"]*)"`).FindStringSubmatch(
		x.ask("GET", "/play?game=qubic&moves=a1a", nil).Body.String())
	if picture == nil {
		t.Fatal("no picture")
	}
	w := x.ask("GET", strings.ReplaceAll(picture[1], "&amp;", "&"), nil)
	img, err := png.Decode(w.Body)
	if err != nil || img.Bounds().Dx() != 1200 || w.Header().Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Errorf("the picture: %d %v %v", w.Code, err, w.Header())
	}
	for path, title := range map[string]string{"/nothing": "Not found", "/tic-tac-two": "Not found",
		"/a.b": "Not found", "/renju": "Not found", "/play?game=xyz": "No such game: xyz",
		"/explore?game=chess": "No such game: chess", "/play/foo": "Not found", "/puzzles/123": "Not found",
		"/proofs?id=nosuch": "Not found", "/proofs?job=nosuch": "Not found", "/puzzles?id=nosuch": "Not found",
		"/arena?job=nosuch": "Not found", "/learn?job=nosuch&game=ttt": "Not found",
		"/gomoku/x": "Not found", "/a/b/c/": "Not found", "/a%2Fb": "Not found"} {
		w := x.ask("GET", path, nil)
		below := strings.Repeat("../", strings.Count(path, "/")-1)
		if strings.Contains(w.Body.String(), `<base href="`+below+`">`) != (below != "") ||
			strings.Contains(w.Header().Get("Content-Security-Policy"), "base-uri 'self'") != (below != "") {
			t.Errorf("%s: its files lie elsewhere: %s", path, w.Body)
		}
		if body := w.Body.String(); w.Code != 404 || !strings.Contains(body, "The studio needs") ||
			!strings.Contains(body, "<title>"+title+" · oxo</title>") || strings.Contains(body, "og:image") ||
			strings.Contains(body, "twitter:card") {
			t.Errorf("%s: %d %s", path, w.Code, body)
		}
	}
	if body := x.ask("GET", "/play?game=ttt&moves=z9", nil).Body.String(); strings.Contains(body, "og:image") {
		t.Errorf("moves that lead nowhere have a picture: %s", body)
	}
}

// TestPreviewsOfJobs: a tournament and a training are titled after their games, for strangers too, and shown with a
// picture of it; what a page shows no job of goes by its own name.
func TestPreviewsOfJobs(t *testing.T) {
	x := studied(t, hosted(newMemory()))
	played := x.addJob(object{"verb": "tournament", "game": "mnk:4,3,3",
		"args": object{"players": []string{"random", "heuristic"}, "games": 2}})
	learned := x.addJob(trainRequest("menace:as=michie", 100, nil))
	x.header.Del("Cookie")
	for path, want := range map[string][]string{
		"/arena?job=" + played.ID: {`og:title" content="Tournament: 4×3, 3 in a row · oxo"`,
			"game=mnk%3A4%2C3%2C3"},
		"/learn?job=" + learned.ID:            {`og:title" content="Learn: Tic-tac-toe, menace · oxo"`, "png?game=ttt&amp;card"},
		"/learn?game=qubic&job=" + learned.ID: {"Learn: Tic-tac-toe, menace", "png?game=ttt&amp;card"},
		"/arena?job=" + learned.ID:            {`<title>Arena · oxo</title>`},
	} {
		for _, part := range want {
			if w := x.ask("GET", path, nil); w.Code != 200 || !strings.Contains(w.Body.String(), part) {
				t.Errorf("%s: %d without %q: %s", path, w.Code, part, w.Body)
			}
		}
	}
	if w := x.ask("GET", "/arena?job=nosuch", nil); w.Code != 404 {
		t.Errorf("no job: %d", w.Code)
	}
}

// TestKept: a browser keeps the icon, for which it asks at every address, and asks anew for what belongs together.
func TestKept(t *testing.T) {
	x := studied(t)
	for path, want := range map[string]string{"/icon.svg": "max-age=86400", "/app.js": "no-cache", "/": "no-cache"} {
		if got := x.ask("GET", path, nil).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestPreviewsEscape: nothing in an address becomes part of a page.
func TestPreviewsEscape(t *testing.T) {
	x := studied(t)
	evil := url.QueryEscape(`"><script>alert(1)</script>`)
	for _, path := range []string{"/play?game=" + evil, "/play?x=" + evil, "/embed?game=" + evil,
		"/embed?game=ttt&moves=" + evil, "/embed?theme=" + evil, "/" + url.PathEscape(`"><script>`),
		"/play?game=tree:three-ply&from=" + evil} {
		if w := x.ask("GET", path, nil); strings.Contains(w.Body.String(), "<script") {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
}

// TestEmbed: a board for frames runs nothing, sends nothing and leads only to itself or out.
func TestEmbed(t *testing.T) {
	x := studied(t)
	w := x.ask("GET", "/embed?game=ttt&moves=a1,b2,c3&ply=1&theme=dark", nil)
	body, csp := w.Body.String(), w.Header().Get("Content-Security-Policy")
	if w.Code != 200 || strings.Contains(body, "<script") || strings.Contains(csp, "script-src") ||
		!strings.Contains(csp, "frame-ancestors *") || !strings.Contains(csp, "form-action 'none'") ||
		len(w.Result().Cookies()) > 0 {
		t.Errorf("%d %s %s", w.Code, csp, body)
	}
	for _, part := range []string{"<svg", "Move 1 of 3", `data-theme="dark"`, "ply=0", "ply=2", `target="_blank"`} {
		if !strings.Contains(body, part) {
			t.Errorf("the frame has no %q: %s", part, body)
		}
	}
	if w := x.ask("GET", "/embed?game=nothing", nil); w.Code != 422 {
		t.Errorf("no game: %d", w.Code)
	}
	if w := x.ask("POST", "/embed", "{}"); w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
}

// TestPuzzleInFrame: a puzzle in a frame says whether a move is right and goes on after a reply, and names no answer.
func TestPuzzleInFrame(t *testing.T) {
	x := studied(t)
	list := lab.CarriedPuzzles("mnk:5,5,4", "win")
	z := list[slices.IndexFunc(list, func(z lab.Puzzle) bool { return z.Plies == 5 })]
	frame := func(tried string) string { return x.ask("GET", "/embed?puzzle="+z.ID+"&try="+tried, nil).Body.String() }
	begins := frame("")
	wrong := regexp.MustCompile(`try=([a-e]\d)"`).FindAllStringSubmatch(begins, -1)
	other := wrong[slices.IndexFunc(wrong, func(m []string) bool { return m[1] != z.Answer })][1]
	for tried, parts := range map[string][]string{
		"":       {"win by force in 3 moves.", "<svg", "try=" + z.Answer, "puzzles?id=" + z.ID},
		z.Answer: {"Right: " + z.Answer, "try=" + z.Answer + "%2C"},
		other:    {"Not " + other, ">Try again</a>"},
		"z9":     {"z9"},
	} {
		for _, part := range parts {
			if body := frame(tried); !strings.Contains(body, part) || strings.Contains(body, "<script") {
				t.Errorf("after %q the frame has no %q: %s", tried, part, body)
			}
		}
	}
	if body := frame(other); strings.Contains(body, z.Answer+"<") || strings.Contains(body, "Play from here") {
		t.Errorf("a wrong move tells the answer: %s", body)
	}
	if large := lab.CarriedPuzzles("mnk:15,15,5", "")[0]; strings.Count(
		x.ask("GET", "/embed?puzzle="+large.ID+"&theme=dark", nil).Body.String(), "<title>"+large.Answer+"<") != 1 {
		t.Errorf("%s of %s can't be tried", large.Answer, large.ID)
	}
	if w := x.ask("GET", "/embed?puzzle=none", nil); w.Code != 422 {
		t.Errorf("no puzzle: %d", w.Code)
	}
}

// TestPictures draws by the parameters of an address, and refuses what makes no sense.
func TestPictures(t *testing.T) {
	x := studied(t)
	svg := x.ask("GET", "/api/v1/picture.svg?game=mnk:9,9,5&moves=a1,b2&plies=true", nil)
	if svg.Code != 200 || svg.Header().Get("Content-Type") != "image/svg+xml" ||
		!strings.Contains(svg.Header().Get("Content-Security-Policy"), "style-src 'unsafe-inline'") || // for paper
		!bytes.Contains(svg.Body.Bytes(), []byte(">2</text>")) {
		t.Errorf("%d %v %s", svg.Code, svg.Header(), svg.Body)
	}
	if one := x.ask("GET", "/api/v1/picture.svg?game=mnk:9,9,5&moves=a1,b2&plies=true&ply=1", nil); one.Code != 200 ||
		bytes.Equal(one.Body.Bytes(), svg.Body.Bytes()) {
		t.Errorf("after one move: %d", one.Code)
	}
	for _, query := range []string{"game=x", "game=ttt&moves=z9", "game=ttt&from=x", "theme=red"} {
		x.fault(422, "GET", "/api/v1/picture.png?"+query, nil)
	}
	for query, want := range map[string]string{"game=x": "query.game", "from=x": "query.from",
		"moves=a1,z9": "query.moves",
		"ply=-1":      "query.ply", "ply=x": "query.ply", "map=third": "query.map", "size=-1": "query.size"} {
		for _, of := range []string{"picture.svg", "sheet"} {
			if at, why := x.fault(422, "GET", "/api/v1/"+of+"?"+query, nil); at != want || why == "" {
				t.Errorf("%s of %s: %s, %q, want %s", query, of, at, why, want)
			}
		}
	}
}

// TestPageNames compares the names of the pages with those that the studio routes.
func TestPageNames(t *testing.T) {
	source, err := os.ReadFile("studio/src/app.tsx")
	if err != nil {
		t.Fatal(err)
	}
	routes := regexp.MustCompile(`\{ path: "([a-z]+)", name: `).FindAllStringSubmatch(string(source), -1)
	if len(routes) < 10 {
		t.Fatalf("%d routes found", len(routes))
	}
	for _, r := range routes {
		if words["page-"+r[1]] == "" {
			t.Errorf("the page %s has no name in words", r[1])
		}
	}
}

// TestReplyMaps draws maps of optimal play, and refuses them with the reason where there is no room.
func TestReplyMaps(t *testing.T) {
	x := studied(t)
	for _, query := range []string{"map=first", "map=second&moves=b2", "game=mnk:4,3,3&map=first&theme=dark"} {
		svg := x.ask("GET", "/api/v1/picture.svg?"+query, nil)
		if svg.Code != 200 || !strings.HasPrefix(svg.Body.String(), "<svg") {
			t.Errorf("%s: %d %.200s", query, svg.Code, svg.Body)
		}
	}
	for query, why := range map[string]string{"map=third": "first", "game=qubic&map=first": "columns and rows",
		"game=mnk:4,3,3%2Bmisere&map=second": "more than 4000 boards", "game=ttt%2Bslip=0.1&map=first": "chance"} {
		if refused := x.ask("GET", "/api/v1/picture.svg?"+query, nil); refused.Code != 422 ||
			!strings.Contains(refused.Body.String(), why) {
			t.Errorf("%s: %d %s, want %q", query, refused.Code, refused.Body, why)
		}
	}
}

// Package sheet writes puzzles on pages to print, with their answers on the back of the last of them:
//
//	page, err := sheet.Of(lab, lab.Game, puzzles)
package sheet

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"oxo/lab"
	"oxo/message"
)

// printed is a puzzle on a page, its board a picture.
type printed struct {
	Number, Rating            int
	ID, Title, Goal, Solution string
	Why                       string // in what way every other move is worse
	Within                    string // of nine boards, where the next move is
	Board                     template.HTML
	of                        *ruled
}

// ruled is a game as it stands below the puzzles of a page: how it is played, and whose puzzles are of it.
type ruled struct {
	Title, Rules, Sides string
	Shape, Lines        template.HTML // pictures of what wins, where the board does not show it
	Numbers             []int
	large               bool // its boards take a quarter of a page, others a sixth
}

// sheetPage is a page of puzzles, all boards of one size, and the rules of their games below them.
type sheetPage struct {
	Puzzles []printed
	Games   []ruled
}

// Rows is how many rows of puzzles the page has, two in each; one alone does not fill it. The template asks for it.
func (p sheetPage) Rows() int { return max(2, (len(p.Puzzles)+1)/2) }

// sheet is what is printed: pages of puzzles, and all of them again, in the same order, for their answers, which begin
// on the back of a page, after an empty one where the puzzles end on a back.
type sheet struct {
	Pages []sheetPage
	All   []printed
	Of    string // the only game that they are of; empty where there are several
	About string // the games, where there are several, and what the puzzles ask for
}

// Script writes the date in the way of the reader, and prints the page at a press of its button, which is shown
// where scripts run. Policies name it by its digest.
const Script = `const [button, ...dates] = document.querySelectorAll("button, time");
for (const e of dates) e.textContent = new Intl.DateTimeFormat(undefined, {dateStyle: "long"}).format();
button.hidden = false;
button.onclick = () => print();`

// MostOnPage is how many puzzles are on a page; largeOnPage where one is large, or where they are of more than
// mostGames games, whose rules take room.
const (
	MostOnPage  = 6
	largeOnPage = 4
	mostGames   = 3
)

// paginate divides puzzles, in their order, into pages that are filled one after another.
// A puzzle that would make a page of six one of four begins the next page where the page has four already.
func paginate(all []printed) (list []sheetPage) {
	for len(all) > 0 {
		n, large, games := 0, false, []*ruled{}
		for ; n < len(all); n++ {
			with := games
			if !slices.Contains(games, all[n].of) {
				with = append(slices.Clone(games), all[n].of)
			}
			isLarge := large || all[n].of.large || len(with) > mostGames
			if n == MostOnPage || isLarge && n >= largeOnPage {
				break
			}
			large, games = isLarge, with
		}
		page := sheetPage{Puzzles: all[:n]}
		for _, g := range games {
			told := *g
			for _, p := range page.Puzzles {
				if p.of == g {
					told.Numbers = append(told.Numbers, p.Number)
				}
			}
			page.Games = append(page.Games, told)
		}
		list, all = append(list, page), all[n:]
	}
	return list
}

// Back reports whether the page after the last one is a back. The template asks for it.
func (s sheet) Back() bool { return len(s.Pages)%2 == 1 }

// Of returns an HTML document to print on both sides: the puzzles, and the answers on the back of the last page with
// some, or of an empty one. The games of the puzzles are opened by their specs, as people see them drawn, and called
// as the lab calls them.
func Of(l *lab.Lab, open func(spec string) (lab.Game, error), list []lab.Puzzle) ([]byte, error) {
	return writeSheet(l, open, list, false)
}

// One is [Of] with as many of the puzzles, from the first, as fill one page.
func One(l *lab.Lab, open func(spec string) (lab.Game, error), list []lab.Puzzle) ([]byte, error) {
	return writeSheet(l, open, list[:min(len(list), MostOnPage)], true)
}

// solutionText tells the right move from what follows it, which is no other answer.
func solutionText(line []string) string {
	if len(line) == 1 {
		return line[0]
	}
	return words.Say(message.Of("then", message.Args{"move": line[0], "line": strings.Join(line[1:], ", ")}))
}

// writeSheet writes all pages of puzzles, or only the first.
// A puzzle whose game does not open, or whose solution can't be told, is the error; nothing is written then.
func writeSheet(l *lab.Lab, open func(spec string) (lab.Game, error), list []lab.Puzzle,
	firstPageOnly bool) ([]byte, error) {
	var all []printed
	games := map[string]*ruled{}
	for i := range list {
		z := &list[i]
		g, err := open(z.Game)
		if err != nil {
			return nil, err
		}
		text, err := lab.DescribePuzzle(g, z)
		if err != nil {
			return nil, err
		}
		line, err := lab.SolutionLine(g, z)
		if err != nil {
			return nil, err
		}
		info := g.Info()
		if games[z.Game] == nil {
			games[z.Game] = &ruled{Title: l.TitleOf(g), Rules: info.Rules, Sides: marksOfSidesText(info),
				Shape: winningShapeSVG(info), Lines: winningSetsSVG(info), large: hasLargeBoard(info)}
		}
		p := printed{Number: i + 1, ID: z.ID, Title: l.TitleOf(g), Goal: text.Goal, Rating: z.Rating,
			Solution: solutionText(line), Why: z.Others(), Board: boardSVG(info, z), of: games[z.Game]}
		if mark, square, ok := strings.Cut(z.Answer, "@"); ok {
			p.Solution = words.Say(message.Of("either", message.Args{"mark": strings.ToUpper(mark), "square": square}))
		}
		if info.Drawn == nine {
			p.Within = words.Say(message.Of("in-any", nil))
			if info.ActiveBoard(z.Position) >= 0 {
				p.Within = words.Say(message.Of("in-shaded", nil))
			}
		}
		all = append(all, p)
	}
	s := sheet{Pages: paginate(all)}
	if firstPageOnly {
		s.Pages = s.Pages[:1]
	}
	if len(games) == 1 {
		s.Of = all[0].Title
	}
	for _, p := range s.Pages {
		s.All = append(s.All, p.Puzzles...)
	}
	s.About = aboutText(list[:len(s.All)], s.All)
	var to bytes.Buffer
	err := page.Execute(&to, s)
	return to.Bytes(), err
}

// aboutText says of which games puzzles are, where they are of several, and what they ask for.
func aboutText(list []lab.Puzzle, all []printed) string {
	var titles, themes message.List
	for i, p := range all {
		if !slices.Contains(titles, p.Title) {
			titles = append(titles, p.Title)
		}
		theme := words.Say(message.Of("theme-"+string(list[i].Theme), nil))
		if list[i].Theme != "" && !slices.Contains(themes, theme) {
			themes = append(themes, theme)
		}
	}
	about := message.Of("themes", message.Args{"themes": themes})
	switch {
	case len(titles) > mostGames:
		about = message.Of("games-and-themes", message.Args{"n": len(titles), "themes": themes})
	case len(titles) > 1:
		about = message.Of("titles-and-themes", message.Args{"titles": titles, "themes": themes})
	}
	return message.Capitalize(words.Say(about))
}

// hasLargeBoard reports whether boards of a game are large: nine boards, levels, and more than eight rows or columns.
func hasLargeBoard(info lab.Info) bool {
	// Rows and columns count from 0.
	const most = 8
	if info.Drawn == nine || info.Unseen && info.Shape == "" {
		return true
	}
	for _, sq := range info.Squares {
		if sq.Row >= most || sq.Col >= most || sq.Level > 0 {
			return true
		}
	}
	return false
}

// marksOfSidesText says whose marks are which, where the names of the sides don't.
func marksOfSidesText(info lab.Info) string {
	if info.Turns == nil || info.Turns.Place != "own" || info.Seats == [2]string{"X", "O"} || stones(info) {
		return ""
	}
	return words.Say(message.Of("sides", message.Args{"first": info.Seats[0], "second": info.Seats[1]}))
}

// stones reports whether marks are drawn as stones, after which the sides are called then.
func stones(info lab.Info) bool { return info.Stones && info.Seats == [2]string{"Black", "White"} }

// nine is how boards of nine boards are drawn, one of which is to be played in.
const nine = "nine"

// cellSize is the side of a square in a picture, in the units of its viewBox.
const cellSize = 20

// boardSVG draws a puzzle's board as SVG, levels two in a row, with room for names on the left, above and below each.
// All of it is made of numbers, marks and names of squares.
func boardSVG(info lab.Info, z *lab.Puzzle) template.HTML {
	cols, rows, levels := info.Extent()
	// corner is where the squares of a level begin.
	corner := func(level int) (x, y int) { return level%2*(cols+1) + 1, level/2*(rows+2) + 1 }
	var b strings.Builder
	// A level takes a column and two rows more than it has squares, for names.
	wide, high := min(levels, 2)*(cols+1)+1, (levels+1)/2*(rows+2)
	top := 0 // names at the edges need less than squares, of which nothing is to the right
	if levels == 1 {
		top = cellSize - 2
	}
	fmt.Fprintf(&b, `<svg preserveAspectRatio="xMinYMin" viewBox="3 %d %d %d" style="width:%dpx" role="img" aria-label="%s">`,
		top, (wide-1)*cellSize, high*cellSize-top-3, min(wide*cellSize*7/5, 680), template.HTMLEscapeString(z.Position))
	if info.Drawn == nine {
		b.WriteString(nineFramesSVG(info.ActiveBoard(z.Position), info.BoardOwners(z.Position)))
	}
	marks := info.Signs(z.Position)
	numbered := info.Squares[0].Name == "1"
	for i, sq := range info.Squares {
		left, top := corner(sq.Level)
		x, y := (left+sq.Col)*cellSize, (top+sq.Row)*cellSize
		if !numbered {
			writeEdgeNames(&b, info, i, left*cellSize, top*cellSize, cols, rows)
		}
		// m is how far a mark stays from the edges of its square.
		const m, half = 4, cellSize / 2
		if stones(info) {
			writeStoneSVG(&b, x+half, y+half, info, i, cols, rows, marks[i])
			continue
		}
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d"/>`, x, y, cellSize, cellSize)
		switch marks[i] {
		case 'x':
			fmt.Fprintf(&b, `<path d="M%d %dl%d %dm0 %dl%d %d"/>`, x+m, y+m, cellSize-2*m, cellSize-2*m, 2*m-cellSize,
				2*m-cellSize, cellSize-2*m)
		case 'o':
			fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="%d"/>`, x+half, y+half, half-m)
		default:
			// Numbered squares are named while they are empty, as the number would hide behind a mark.
			if numbered {
				writeNameSVG(&b, "", x, y, sq.Name)
			}
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// writeEdgeNames writes the names at the edges of a level, whose squares begin at left and top, beside a square that
// lies there: of its column below, of its row at the left, and over the first column that of the level.
func writeEdgeNames(b *strings.Builder, info lab.Info, i, left, top, cols, rows int) {
	sq := info.Squares[i]
	column, level := columnAndLevelLetters(sq.Name)
	if sq.Row == 0 {
		writeNameSVG(b, "", left+sq.Col*cellSize, top+rows*cellSize, column)
	}
	if sq.Row == 0 && sq.Col == 0 && level != "" {
		writeNameSVG(b, "level", left+(cols-1)*cellSize/2, top-cellSize, level)
	}
	if sq.Col == 0 && sq.Level%2 == 0 {
		writeNameSVG(b, "", left-cellSize, top+sq.Row*cellSize, fmt.Sprint(rows-sq.Row))
	}
}

// writeNameSVG writes a name into the middle of the square whose corner is at x and y.
func writeNameSVG(b *strings.Builder, class string, x, y int, name string) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(b, `<text%s x="%d" y="%d">%s</text>`, class, x+cellSize/2, y+cellSize/2, template.HTMLEscapeString(name))
}

// writeStoneSVG draws a crossing, the halves of the lines to its neighbours, and the stone on it.
func writeStoneSVG(b *strings.Builder, x, y int, info lab.Info, i, cols, rows int, mark byte) {
	const half = cellSize / 2
	sq := info.Squares[i]
	left, right := half*min(sq.Col, 1), half*min(cols-1-sq.Col, 1)
	up, down := half*min(sq.Row, 1), half*min(rows-1-sq.Row, 1)
	fmt.Fprintf(b, `<path class="wire" d="M%d %dh%dM%d %dv%d"/>`, x-left, y, left+right, x, y-up, up+down)
	if mark != '.' {
		fmt.Fprintf(b, `<circle class="stone %c" cx="%d" cy="%d" r="%d"/>`, mark, x, y, half-1)
	}
}

// winningShapeSVG draws the shape whose copies win, given by its rows from the top; it is empty where there is none.
func winningShapeSVG(info lab.Info) template.HTML {
	if info.Shape == "" {
		return ""
	}
	rows := strings.Split(info.Shape, "/")
	wide := 0
	var b strings.Builder
	for y, row := range rows {
		wide = max(wide, len(row))
		for x, c := range row {
			if c == 'x' {
				fmt.Fprintf(&b, `<rect x="%d" y="%d" width="1" height="1"/>`, x, y)
			}
		}
	}
	return smallSVG("shape", wide, len(rows), 14, b.String())
}

// nineFramesSVG frames each of nine boards, shades the one to play in, −1 for none, and has the owner's mark, pale and
// large, in those that are won.
func nineFramesSVG(active int, owners string) string {
	// An owner's mark lies 6 units within its board's frame.
	const side = 3 * cellSize
	var b strings.Builder
	for i := range 9 {
		class := "frame"
		if i == active {
			class = "frame active"
		}
		x, y := cellSize+i%3*side, cellSize+i/3*side
		fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`, class, x, y, side, side)
		switch owners[i] {
		case 'x':
			fmt.Fprintf(&b, `<path class="owner" d="M%d %dl%d %dm0 %dl%d %d"/>`, x+6, y+6, side-12, side-12, 12-side,
				12-side, side-12)
		case 'o':
			fmt.Fprintf(&b, `<circle class="owner" cx="%d" cy="%d" r="%d"/>`, x+side/2, y+side/2, side/2-6)
		}
	}
	return b.String()
}

// winningSetsSVG draws every winning set of a game whose board does not let them be guessed, and that has no shape.
func winningSetsSVG(info lab.Info) template.HTML {
	if !info.Unseen || info.Shape != "" {
		return ""
	}
	cols, rows, _ := info.Extent()
	var all template.HTML
	for _, line := range info.Lines {
		var b strings.Builder
		fmt.Fprintf(&b, `<rect width="%d" height="%d"/>`, cols, rows)
		for _, i := range line {
			fmt.Fprintf(&b, `<rect class="in" x="%d" y="%d" width="1" height="1"/>`, info.Squares[i].Col, info.Squares[i].Row)
		}
		all += smallSVG("line", cols, rows, 7, b.String())
	}
	return all
}

// smallSVG is a drawing beside the rules, of a board of unit squares, each of which is size pixels wide.
func smallSVG(class string, cols, rows, size int, squares string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="%s" viewBox="-.1 -.1 %d.2 %d.2" style="width:%dpx" `+
		`aria-hidden="true">%s</svg>`, class, cols, rows, cols*size, squares))
}

// columnAndLevelLetters returns the letters of column and level in a square's name, as b and c in b12c.
func columnAndLevelLetters(name string) (column, level string) {
	const digits = "0123456789"
	if !strings.ContainsAny(name, digits) {
		return name, ""
	}
	return name[:strings.IndexAny(name, digits)], name[strings.LastIndexAny(name, digits)+1:]
}

// words has the English of sheets: what the page's template says by key, and the sentences put together in write.
var words = message.Table{"language": "en", "puzzles": "Puzzles", "answers": "Answers", "answer": "Answer:",
	"name":  "Name:",
	"rated": "rated {rating}", "rules": "{title} ({numbers}):", "sides": "{first} is X, {second} is O.",
	"shape": "The shape, turned or mirrored:", "lines": "What wins is any of these:",
	"then": "{move} (then {line})", "either": "{mark} on {square}", "print": "Print", "list": "; ", "thousands": ",",
	"themes": "{themes}", "games-and-themes": "{n} games: {themes}", "titles-and-themes": "{titles}: {themes}",
	"theme-win": "win by force", "theme-fork": "find the fork", "theme-only": "the only move that wins",
	"theme-block": "block, or lose at once", "theme-save": "save the draw", "theme-avoid": "complete nothing",
	"in-shaded": "The next move is in the shaded board.", "in-any": "The next move is in any open board."}

// page is the document, with its styles and Script in it, so that it can be kept and printed without a server. A page
// of print is 24.6 cm high, which both A4 and US letter leave within margins of 1.5 cm.
var page = template.Must(template.New("").Funcs(template.FuncMap{
	"say":    func(key string) string { return words.Say(message.Of(key, nil)) },
	"script": func() template.JS { return Script },
	"rated":  func(n int) string { return words.Say(message.Of("rated", message.Args{"rating": strconv.Itoa(n)})) },
	"head": func(r ruled) string {
		return words.Say(message.Of("rules", message.Args{"title": r.Title,
			"numbers": strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Numbers), " ", ", "), "[]")}))
	},
}).Parse(`<!doctype html>
<html lang="{{say "language"}}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{{say "puzzles"}}{{with .Of}}: {{.}}{{end}}</title>
<style>
body { font: 12pt/1.4 system-ui, sans-serif; margin: 1.5cm; color: #000; background: #fff }
.puzzles { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6cm 1.2cm }
section { break-inside: avoid; max-width: 100% }
h2 { font-size: 12pt; margin: 0 0 4pt }
p { margin: 0 0 4pt }
.about { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .4cm; color: #444 }
.blank { flex: 1 1 2.6cm; max-width: 5cm; border-bottom: .7px solid #000 } .name { flex: none; max-width: 9cm }
time { white-space: nowrap; min-height: 1lh }
.tools { min-height: 44px; margin: 0 }
button { font: inherit; min-height: 44px; padding: 6px 20px; border: 0; border-radius: 10px; background: #1d58b0; color: #fff; cursor: pointer }
code { font-size: 9pt; font-weight: normal; color: #444 }
svg { max-width: 100%; height: auto; display: block }
rect, path, circle { fill: none; stroke: #000 } rect { stroke-width: .7 } path, circle { stroke-width: 2 }
text { font: 9px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; fill: #444 }
.wire { stroke-width: .7 } .stone { fill: #fff; stroke-width: 1.2 } .stone.x { fill: #000 }
.rules { font-size: 9pt; line-height: 1.3; margin: 0 0 4pt }
.shape, .line { display: inline-block; vertical-align: middle } .line { margin: 2px 4px 2px 0 }
.shape rect { fill: #bbb; stroke-width: .08 } .line rect { stroke-width: .1 } .line .in { fill: #000 }
.frame { stroke-width: 3 } .active { fill: #ddd }
.owner { stroke: #bbb; stroke-width: 6 }
.level { font-weight: bold; font-size: 11px }
ol { columns: 2; column-gap: 1.2cm; margin: 0 } li { break-inside: avoid }
.answers { font-size: 10pt }
@page { margin: 1.5cm }
@media print {
.tools { display: none }
body { margin: 0 }
h1 { margin: 0; font-size: 16pt }
.page { height: 24.6cm; display: flex; flex-direction: column; gap: .4cm } .page:not(:last-child) { break-after: page }
.puzzles { flex: 1; min-height: 0; grid-template-rows: repeat(var(--rows), minmax(0, 1fr)) }
section { display: flex; flex-direction: column; min-height: 0 }
.board { flex: 1; min-height: 0; position: relative }
.board svg { position: absolute; inset: 0; width: 100% !important; height: 100% }
}
@media screen and (max-width: 640px) { body { margin: 12px } .puzzles { grid-template-columns: minmax(0, 1fr) } ol { columns: 1 } }
</style>
<main>
<p class="tools"><button type="button" hidden>{{say "print"}}</button></p>
{{range .Pages}}<div class="page"><h1>{{say "puzzles"}}{{with $.Of}}: {{.}}{{end}}</h1><p class="about"><span>{{$.About}}</span><time></time></p><p class="blank name">{{say "name"}}</p><div class="puzzles" style="--rows:{{.Rows}}">
{{range .Puzzles}}<section><h2>{{.Number}}. {{.Goal}}</h2><div class="about"><p>{{.Title}}; {{rated .Rating}}</p><p class="blank">{{say "answer"}}</p></div>
{{with .Within}}<p class="rules">{{.}}</p>{{end}}<div class="board">{{.Board}}</div></section>
{{end}}</div><div>
{{range .Games}}<p class="rules"><b>{{head .}}</b> {{.Rules}} {{.Sides}}{{with .Shape}} {{say "shape"}} {{.}}{{end}}{{with .Lines}} {{say "lines"}} {{.}}{{end}}</p>
{{end}}</div></div>
{{end}}{{if not .Back}}<div class="page"></div>
{{end}}<div class="answers"><h1>{{say "answers"}}</h1><ol>
{{range .All}}<li>{{.Solution}}. {{.Why}} <code>{{.ID}}</code></li>
{{end}}</ol></div></main><script>{{script}}</script></html>
`))

// Package sheet writes puzzles on pages to print, with their answers on the back of the last one:
//
//	page, err := sheet.Of(lab, lab.Game, puzzles)
package sheet

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"oxo/lab"
	"oxo/message"
)

// printed is a puzzle on a page, its board a picture.
type printed struct {
	Number, Rating        int
	large                 bool // it takes a quarter of the page, others a sixth
	Title, Goal, Solution string
	Rules, Same           string        // the game's rules, or where on the sheet they are
	Within                string        // of nine boards, where the next move is
	Shape, Lines          template.HTML // pictures of what wins, where the board does not show it
	Board                 template.HTML
}

// sheet is what is printed: pages of puzzles, and all of them again, in the same order, for their answers. Blank
// adds an empty page before the answers where the pages of puzzles are even in number: printed on both sides, the
// answers are then always on a back.
type sheet struct {
	Pages [][]printed
	All   []printed
	Blank bool
}

// MostOnPage is how many puzzles are on a page, two in a row, and largeOnPage how many where one is large.
const (
	MostOnPage  = 6
	largeOnPage = 4
)

// pages divides puzzles, in their order, into pages that are filled one after another. A page takes MostOnPage
// puzzles, and largeOnPage as soon as one of them is large.
func pages(all []printed) (list [][]printed) {
	var on []printed
	large := false
	for _, p := range all {
		room := MostOnPage
		if large || p.large {
			room = largeOnPage
		}
		if len(on) >= room {
			list, on, large = append(list, on), nil, false
		}
		on, large = append(on, p), large || p.large
	}
	return append(list, on)
}

// Of returns an HTML document to print: the puzzles, and the answers on the back of the last page with some. The
// games of the puzzles are opened by their specs and called as the lab calls them.
func Of(l *lab.Lab, open func(spec string) (lab.Game, error), list []lab.Puzzle) ([]byte, error) {
	return write(l, open, list, false)
}

// One is [Of] with as many of the puzzles, from the first, as fill one page.
func One(l *lab.Lab, open func(spec string) (lab.Game, error), list []lab.Puzzle) ([]byte, error) {
	return write(l, open, list[:min(len(list), MostOnPage)], true)
}

// write writes all pages of puzzles, or only one.
func write(l *lab.Lab, open func(spec string) (lab.Game, error), list []lab.Puzzle, one bool) ([]byte, error) {
	var all []printed
	told := map[string]int{} // by game, the puzzle that its rules are printed with
	for i := range list {
		z := &list[i]
		g, err := open(z.Game)
		if err != nil {
			return nil, err
		}
		text, err := lab.TellPuzzle(g, z)
		if err != nil {
			return nil, err
		}
		info := g.Info()
		p := printed{Number: i + 1, Title: l.TitleOf(g), Goal: text.Goal, Solution: lab.TellAnswer(z).Says,
			Rating: z.Rating, Board: drawn(info, z), Shape: shape(info)}
		if mark, square, ok := strings.Cut(z.Answer, "@"); ok {
			p.Solution += " " + words.Say(message.Of("either", message.Args{"move": z.Answer,
				"mark": strings.ToUpper(mark), "square": square}))
		}
		if info.Drawn == nine {
			p.Within = words.Say(message.Of("in-any", nil))
			if boardToPlay(z) >= 0 {
				p.Within = words.Say(message.Of("in-shaded", nil))
			}
		}
		// Rules are printed with the first puzzle of a game only; the others refer to its number.
		if first := told[z.Game]; first > 0 {
			p.Same = words.Say(message.Of("rules-of", message.Args{"number": first}))
		} else {
			told[z.Game], p.Rules, p.Lines = i+1, info.Rules, lines(info)
		}
		p.large = info.Drawn == nine || p.Lines != "" || wide(info)
		all = append(all, p)
	}
	s := sheet{Pages: pages(all)}
	if one {
		s.Pages = s.Pages[:1]
	}
	s.All = slices.Concat(s.Pages...)
	s.Blank = len(s.Pages)%2 == 0
	var to bytes.Buffer
	err := page.Execute(&to, s)
	return to.Bytes(), err
}

// Rows is how many rows of puzzles the page has, two in each. The page's template asks for it.
func (s sheet) Rows(of []printed) int {
	if slices.ContainsFunc(of, func(p printed) bool { return p.large }) {
		return largeOnPage / 2
	}
	return MostOnPage / 2
}

// wide reports whether a board has so many rows or columns, more than eight, that it is large.
func wide(info lab.Info) bool {
	const most = 8
	for _, sq := range info.Squares {
		if sq.Row >= most || sq.Col >= most {
			return true
		}
	}
	return false
}

// nine is how boards of nine boards are drawn, one of which is to be played in.
const nine = "nine"

// cellSize is the side of a square in a picture, in the units of its viewBox.
const cellSize = 20

// drawn draws a puzzle's board as SVG, levels side by side, with one empty column between them and room for names
// on the left, above and below. All of it is made of numbers, marks and names of squares.
func drawn(info lab.Info, z *lab.Puzzle) template.HTML {
	cols, rows, levels := 0, 0, 0
	for _, sq := range info.Squares {
		cols, rows, levels = max(cols, sq.Col+1), max(rows, sq.Row+1), max(levels, sq.Level+1)
	}
	var b strings.Builder
	wide := levels*(cols+1) + 1
	fmt.Fprintf(&b, `<svg class="board" preserveAspectRatio="xMinYMin" viewBox="0 0 %d %d" style="width:%dpx" `+
		`role="img" aria-label="%s">`, wide*cellSize,
		(rows+2)*cellSize, min(wide*cellSize*7/5, 680), template.HTMLEscapeString(z.Position))
	if info.Drawn == nine {
		b.WriteString(nineFrames(boardToPlay(z)))
	}
	// A position begins with a sign for each square, in the order of the squares; slashes only divide its rows.
	word, _, _ := strings.Cut(z.Position, " ")
	marks := strings.ReplaceAll(word, "/", "")
	for i, sq := range info.Squares {
		x, y := (sq.Level*(cols+1)+sq.Col+1)*cellSize, (sq.Row+1)*cellSize
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d"/>`, x, y, cellSize, cellSize)
		const m, half = 4, cellSize / 2
		switch marks[i] {
		case 'x':
			fmt.Fprintf(&b, `<path d="M%d %dl%d %dm0 %dl%d %d"/>`, x+m, y+m, cellSize-2*m, cellSize-2*m, 2*m-cellSize,
				2*m-cellSize, cellSize-2*m)
		case 'o':
			fmt.Fprintf(&b, `<circle cx="%d" cy="%d" r="%d"/>`, x+half, y+half, half-m)
		default:
			// Numbered squares are named while they are empty, as the number would hide behind a mark.
			if info.Squares[0].Name == "1" {
				fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`, x+half, y+half, template.HTMLEscapeString(sq.Name))
			}
		}
	}
	// Other squares are named at the edges: letters under the columns, numbers beside the rows.
	if info.Squares[0].Name != "1" {
		for _, sq := range info.Squares {
			if sq.Row > 0 {
				continue
			}
			column, level := lettersOf(sq.Name)
			x := (sq.Level*(cols+1) + 1) * cellSize
			if level != "" && sq.Col == 0 {
				fmt.Fprintf(&b, `<text class="level" x="%d" y="%d">%s</text>`, x+cols*cellSize/2, cellSize/2, level)
			}
			fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`, x+sq.Col*cellSize+cellSize/2, (rows+1)*cellSize+cellSize/2,
				column)
		}
		for row := range rows {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%d</text>`, cellSize/2, (row+1)*cellSize+cellSize/2, rows-row)
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// shape draws the shape whose copies win, given by its rows from the top; it is empty where there is none.
func shape(info lab.Info) template.HTML {
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
	return small("shape", wide, len(rows), 14, b.String())
}

// boardToPlay is which of nine boards the next move is in, from 0; −1 for any. The text counts from 1.
func boardToPlay(z *lab.Puzzle) int {
	if words := strings.Fields(z.Position); len(words) > 2 && len(words[2]) == 1 && "1" <= words[2] && words[2] <= "9" {
		return int(words[2][0] - '1')
	}
	return -1
}

// nineFrames frames each of nine boards, and shades the one to play in, −1 for none.
func nineFrames(active int) string {
	const side = 3 * cellSize
	var b strings.Builder
	for i := range 9 {
		class := "frame"
		if i == active {
			class = "frame active"
		}
		fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`, class, cellSize+i%3*side,
			cellSize+i/3*side, side, side)
	}
	return b.String()
}

// lines draws every winning set of a game whose board does not let them be guessed, and that has no shape.
func lines(info lab.Info) template.HTML {
	if !info.Unseen || info.Shape != "" {
		return ""
	}
	cols, rows := 0, 0
	for _, sq := range info.Squares {
		cols, rows = max(cols, sq.Col+1), max(rows, sq.Row+1)
	}
	var all template.HTML
	for _, line := range info.Lines {
		var b strings.Builder
		fmt.Fprintf(&b, `<rect width="%d" height="%d"/>`, cols, rows)
		for _, i := range line {
			fmt.Fprintf(&b, `<rect class="in" x="%d" y="%d" width="1" height="1"/>`, info.Squares[i].Col, info.Squares[i].Row)
		}
		all += small("line", cols, rows, 7, b.String())
	}
	return all
}

// small is a drawing beside the rules, of a board of unit squares, each of which is size pixels wide.
func small(class string, cols, rows, size int, squares string) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="%s" viewBox="-.1 -.1 %d.2 %d.2" style="width:%dpx" `+
		`aria-hidden="true">%s</svg>`, class, cols, rows, cols*size, squares))
}

// lettersOf returns the letters of column and level in a square's name, as b and c in b12c.
func lettersOf(name string) (column, level string) {
	const digits = "0123456789"
	if !strings.ContainsAny(name, digits) {
		return name, ""
	}
	return name[:strings.IndexAny(name, digits)], name[strings.LastIndexAny(name, digits)+1:]
}

// words has the English of sheets: what the page's template says by key, and the sentences put together in write.
var words = message.Table{"language": "en", "puzzles": "Puzzles", "answers": "Answers",
	"rated":    "rated {rating}",
	"rules-of": "The rules are those of {number}.", "shape": "The shape, turned or mirrored:",
	"lines":     "What wins is any of these:",
	"either":    "{move} is {mark} on {square}.",
	"in-shaded": "The next move is in the shaded board.", "in-any": "The next move is in any open board."}

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"say":   func(key string) string { return words.Say(message.Of(key, nil)) },
	"rated": func(n int) string { return words.Say(message.Of("rated", message.Args{"rating": n})) },
}).Parse(`<!doctype html>
<html lang="{{say "language"}}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>{{say "puzzles"}}</title>
<style>
body { font: 12pt/1.4 system-ui, sans-serif; margin: 1.5cm; color: #000; background: #fff }
.puzzles { display: grid; grid-template-columns: 1fr 1fr; gap: .8cm 1.2cm }
section { break-inside: avoid; max-width: 100% }
h2 { font-size: 12pt; margin: 0 0 4pt }
p { margin: 0 0 4pt }
svg { max-width: 100%; height: auto; display: block }
rect, path, circle { fill: none; stroke: #000 } rect { stroke-width: .7 } path, circle { stroke-width: 2 }
text { font: 9px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; fill: #444 }
.rules { font-size: 9pt; line-height: 1.3; margin: 0 0 4pt }
.shape, .line { display: inline-block; vertical-align: middle } .line { margin: 2px 4px 2px 0 }
.shape rect { fill: #bbb; stroke-width: .08 } .line rect { stroke-width: .1 } .line .in { fill: #000 }
.frame { stroke-width: 3 } .active { fill: #ddd }
.level { font-weight: bold; font-size: 11px }
ol { columns: 2 }
@page { margin: 1.5cm }
@media print {
body { margin: 0 }
.puzzles { height: 22.5cm; grid-template-rows: repeat(var(--rows), minmax(0, 1fr)); break-after: page }
section { display: flex; flex-direction: column; min-height: 0 }
section > * { flex: none } .board { flex: 0 1 auto; min-height: 0 }
.blank { height: 1cm; break-after: page }
}
@media screen and (max-width: 640px) { body { margin: 12px } .puzzles { grid-template-columns: minmax(0, 1fr) } ol { columns: 1 } }
</style>
<main>
<h1>{{say "puzzles"}}</h1>
{{range .Pages}}<div class="puzzles" style="--rows:{{$.Rows .}}">
{{range .}}<section><h2>{{.Number}}. {{.Goal}}</h2><p>{{.Title}}; {{rated .Rating}}</p>
{{with .Rules}}<p class="rules">{{.}}</p>{{end}}{{with .Same}}<p class="rules">{{.}}</p>{{end}}
{{with .Within}}<p class="rules">{{.}}</p>{{end}}
{{with .Shape}}<div class="rules">{{say "shape"}} {{.}}</div>{{end}}
{{with .Lines}}<div class="rules">{{say "lines"}} {{.}}</div>{{end}}{{.Board}}</section>
{{end}}</div>
{{end}}{{if .Blank}}<div class="blank"></div>{{end}}
<div class="answers"><h1>{{say "answers"}}</h1><ol>
{{range .All}}<li>{{.Solution}}</li>
{{end}}</ol></div>
</main>
</html>
`))

// Package sheet writes puzzles on a page to print, their answers on a page of their own:
//
//	page, err := sheet.Of(lab.Game, puzzles)
package sheet

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"oxo/lab"
	"oxo/message"
)

// printed is a puzzle on a sheet, its board a picture.
type printed struct {
	Number, Rating        int
	Title, Goal, Solution string
	Board                 template.HTML
}

// Of returns an HTML page to print: the puzzles, then, on a page of their own, the answers. The games of
// the puzzles are opened by their specs.
func Of(open func(spec string) (lab.Game, error), list []lab.Puzzle) ([]byte, error) {
	var all []printed
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
		all = append(all, printed{Number: i + 1, Title: g.Info().Title, Goal: text.Goal,
			Solution: lab.TellAnswer(z).Says, Rating: z.Rating, Board: drawn(g.Info(), z)})
	}
	var to bytes.Buffer
	err := page.Execute(&to, all)
	return to.Bytes(), err
}

// cellSize is the side of a square in a picture.
const cellSize = 20

// drawn draws a puzzle's board as SVG, levels side by side. All of it is made of numbers,
// marks and names of squares.
func drawn(info lab.Info, z *lab.Puzzle) template.HTML {
	cols, rows, levels := 0, 0, 0
	for _, sq := range info.Squares {
		cols, rows, levels = max(cols, sq.Col+1), max(rows, sq.Row+1), max(levels, sq.Level+1)
	}
	var b strings.Builder
	wide := levels*(cols+1) + 1
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" style="width:%dpx" role="img" aria-label="%s">`, wide*cellSize,
		(rows+2)*cellSize, min(wide*cellSize*7/5, 680), template.HTMLEscapeString(z.Position))
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
			if info.Squares[0].Name == "1" {
				fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`, x+half, y+half, template.HTMLEscapeString(sq.Name))
			}
		}
	}
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

// lettersOf returns the letters of column and level in a square's name, as b and c in b12c.
func lettersOf(name string) (column, level string) {
	const digits = "0123456789"
	if !strings.ContainsAny(name, digits) {
		return name, ""
	}
	return name[:strings.IndexAny(name, digits)], name[strings.LastIndexAny(name, digits)+1:]
}

// words has the English of sheets.
var words = message.Table{"language": "en", "puzzles": "Puzzles", "answers": "Answers"}

var page = template.Must(template.New("").Funcs(template.FuncMap{
	"say": func(key string) string { return words.Say(message.Of(key, nil)) },
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
.level { font-weight: bold; font-size: 11px }
ol { columns: 2 } .answers { break-before: page }
@media screen and (max-width: 640px) { body { margin: 12px } .puzzles { grid-template-columns: minmax(0, 1fr) } ol { columns: 1 } }
</style>
<main>
<h1>{{say "puzzles"}}</h1>
<div class="puzzles">
{{range .}}<section><h2>{{.Number}}. {{.Goal}}</h2><p>{{.Title}}; {{.Rating}}</p>{{.Board}}</section>
{{end}}</div>
<div class="answers"><h1>{{say "answers"}}</h1><ol>
{{range .}}<li>{{.Solution}}</li>
{{end}}</ol></div>
</main>
</html>
`))

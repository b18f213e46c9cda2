package cmd

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

// sheetOf returns a page to print: the puzzles, then, on a page of their own, the answers.
func (k *puzzling) sheetOf(list []lab.Puzzle) ([]byte, error) {
	var all []printed
	for i := range list {
		z := &list[i]
		g, err := k.lab.Game(z.Game)
		if err != nil {
			return nil, err
		}
		text, err := lab.TellPuzzle(g, z)
		if err != nil {
			return nil, err
		}
		all = append(all, printed{Number: i + 1, Title: g.Info().Title, Goal: text.Goal,
			Solution: lab.TellAnswer(z).Says, Rating: z.Rating, Board: puzzlePicture(g.Info(), z)})
	}
	var page bytes.Buffer
	err := sheetPage.Execute(&page, all)
	return page.Bytes(), err
}

// cellSize is the side of a square in a picture.
const cellSize = 20

// puzzlePicture draws a puzzle's board as SVG, levels side by side. All of it is made of numbers,
// marks and names of squares.
func puzzlePicture(info lab.Info, z *lab.Puzzle) template.HTML {
	cols, rows, levels := 0, 0, 0
	for _, sq := range info.Squares {
		cols, rows, levels = max(cols, sq.Col+1), max(rows, sq.Row+1), max(levels, sq.Level+1)
	}
	var b strings.Builder
	wide := levels*(cols+1) + 1
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" style="width:%dpx" role="img" aria-label="%s">`, wide*cellSize,
		(rows+2)*cellSize, min(wide*cellSize, 680), template.HTMLEscapeString(z.Position))
	symbols := (&canvas{info: info}).symbols(z.Position)
	for i, sq := range info.Squares {
		x, y := (sq.Level*(cols+1)+sq.Col+1)*cellSize, (sq.Row+1)*cellSize
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d"/>`, x, y, cellSize, cellSize)
		const m, half = 4, cellSize / 2
		switch symbols[i] {
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
		for level := range levels {
			for col := range cols {
				fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`, (level*(cols+1)+col+1)*cellSize+cellSize/2,
					(rows+1)*cellSize+cellSize/2, columnLetters(col))
			}
		}
		for row := range rows {
			fmt.Fprintf(&b, `<text x="%d" y="%d">%d</text>`, cellSize/2, (row+1)*cellSize+cellSize/2, rows-row)
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// sheetWords has the English of sheets.
var sheetWords = message.Table{"language": "en", "puzzles": "Puzzles", "answers": "Answers"}

var sheetPage = template.Must(template.New("").Funcs(template.FuncMap{
	"say": func(key string) string { return sheetWords.Say(message.Of(key, nil)) },
}).Parse(`<!doctype html>
<html lang="{{say "language"}}"><meta charset="utf-8"><title>{{say "puzzles"}}</title>
<style>
body { font: 12pt/1.4 system-ui, sans-serif; margin: 1.5cm; color: #000; background: #fff }
main { display: flex; flex-wrap: wrap; gap: 1.2cm }
section { break-inside: avoid; max-width: 100% }
h2 { font-size: 12pt; margin: 0 0 4pt }
p { margin: 0 0 4pt }
svg { max-width: 100%; height: auto; display: block }
rect, path, circle { fill: none; stroke: #000 } rect { stroke-width: .7 } path, circle { stroke-width: 2 }
text { font: 9px system-ui, sans-serif; text-anchor: middle; dominant-baseline: central; fill: #444 }
ol { columns: 2 } .answers { break-before: page }
</style>
<h1>{{say "puzzles"}}</h1>
<main>
{{range .}}<section><h2>{{.Number}}. {{.Goal}}</h2><p>{{.Title}}; {{.Rating}}</p>{{.Board}}</section>
{{end}}</main>
<div class="answers"><h1>{{say "answers"}}</h1><ol>
{{range .}}<li>{{.Solution}}</li>
{{end}}</ol></div>
</html>
`))

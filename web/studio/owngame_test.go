package studio_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOwnGame plays a game from a file: pasted, refused, chosen, and found
// again by a link.
func TestOwnGame(t *testing.T) {
	server := newServer(t)
	b := newTab(t, server, phone, "#/play?first=human&second=human")
	b.expectRefusals()
	b.choose("game", "own")
	b.write(`[aria-label="The game’s text"]`, `{"squares": 3}`)
	b.press("Play this game")
	b.says(".own .failure", `Field "winning" is missing`)
	b.sound("own-refused")
	b.press("an example")
	b.press("Play this game")
	b.says("h1", "Three in a star")
	b.play("1")
	b.holds("1", "X")
	b.says("#game", "three in a star")
	b.sound("own-game")
	link := b.address()

	for _, page := range []string{"search", "explore"} { // a tree that the error and an example explain
		d := anotherTab(t, server, desktop, page)
		d.expectRefusals()
		d.choose("game", "own")
		d.write(`[aria-label="The game’s text"]`, `{"name": "sheet 1", "tree": [[3, 12, 8], [2, 4, 6], [2, 5, 14]]}`)
		d.press("Play this game")
		d.says(".own .failure", `unknown field "tree"; there are hi, lo, name, root`)
		d.sound("own-tree-refused")
		d.press("a tree")
		d.press("Play this game")
		d.until("it is another game", `/tree%3A|tree:/.test(location.search)`)
	}

	path := filepath.Join(t.TempDir(), "tree.json")
	if err := os.WriteFile(path, []byte(
		`{"name": "coin", "root": {"kind": "max", "children": [{"label": "stay", "value": 0}, {"kind": "chance", "label": "bet", "odds": [0.5, 0.5], "children": [2, -1]}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := anotherTab(t, server, desktop.dark(), link)
	c.holds("1", "X")
	c.choose("game", "own")
	c.upload(`.own input[type="file"]`, path)
	c.until("the file is there", `document.querySelector(".own textarea").value.includes("coin")`)
	c.press("Play this game")
	c.press("Branch bet")
	c.says(".statusline", "Payoff to Max")
	c.sound("own-tree")
}

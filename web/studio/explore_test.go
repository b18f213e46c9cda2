package studio_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// TestReview marks where a game was lost and says why.
func TestReview(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/explore?game=ttt&moves=a1,b2,c3,a3,c1,b1,c2")
	b.says(".mistakes", "4. a3 by O: It turned a draw into a loss.")
	b.says(".mistakes", "X could then make 2 threats at once with c1: ")
	b.says(".mistakes", "c1–c2–c3")
	b.says(".mistakes", "a1–b1–c1")
	b.until("the graph has all plies",
		`document.querySelector(".review .curve").getAttribute("aria-label").includes("0, 0, 0, 0, 1, 1, 1, 1")`)
	b.until("nothing is an estimate", `!document.querySelector(".review").textContent.includes("Hollow points")`)
	b.until("the moves have their marks", `[...document.querySelectorAll(".movelist li")].map(e => e.textContent).join() ===
		"a1,b2,c3,a3??,c1,b1,c2"`)
	b.sound("review")
	b.press("Show the position before")
	b.until("the board is in view", `document.querySelector(".board").getBoundingClientRect().y >= -1`)
	b.holds("a2", "draws")
	b.holds("a3", "loses in 4")
	b.press("To the start")
	b.until("the start is shown", `location.href.includes("ply=0")`)
	b.click("the middle of the graph", `document.querySelector(".review .curve")`)
	b.until("its ply is shown", `/ply=[34]/.test(location.href)`)
}

// TestManyMistakes reviews a game with sixty mistakes, made of one: their list is pushed up and down within the screen,
// so that what stands below it is near.
func TestManyMistakes(t *testing.T) {
	for _, d := range []device{zoomed, lying} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "explore?game=ttt&moves=a1,b2,c3,a3,c1,b1,c2")
			b.says(".mistakes", "4. a3 by O: It turned a draw into a loss.")
			eval[bool](b, `(() => { window.acted = true; const list = document.querySelector(".mistakes");
				for (let n = 1; n < 60; n++) list.append(list.firstElementChild.cloneNode(true));
				return true; })()`)
			b.sound("many-mistakes")
			if high := eval[float64](b, `document.querySelector(".mistakes").offsetHeight / innerHeight`); high > 0.85 {
				t.Errorf("the list is %.1f screens high", high)
			}
		})
	}
}

// TestExploreByKeyboard reads values, plays and sets up a position without a
// mouse.
func TestExploreByKeyboard(t *testing.T) {
	b := newTab(t, newServer(t), desktop.dark(), "#/explore?game=ttt&moves=a1")
	b.expectRefusals()
	b.says(".standing", "It is a draw.")
	b.holds("b2", "draws")
	b.holds("b1", "loses in 6")
	eval[bool](b, `(() => { document.querySelector('.cell[tabindex="0"]').focus(); return true; })()`)
	b.keys(kb.ArrowRight, kb.ArrowDown, kb.Enter)
	b.holds("b2", "O")
	b.says(".standing", "It is a draw.")
	b.says(".bestline", "One line of best play:")

	eval[bool](b, button("Set up a position")+`.focus() ?? true`)
	b.keys(kb.Enter)
	b.says("#position-says", "can be reached")
	eval[bool](b, `(() => { document.querySelector('.edit .cell').focus(); return true; })()`)
	b.keys(kb.Enter)
	b.says("#position-says", "can be reached") // x at a3, and o is to move
	b.keys(kb.ArrowRight, kb.Enter)
	b.says("#position-says .failure", "Position")
	b.sound("edit")
	b.keys(kb.Enter, kb.Enter) // o, then empty
	b.says("#position-says", "can be reached")
	eval[bool](b, button("Use this position")+`.focus() ?? true`)
	b.keys(kb.Enter)
	b.says(".statusline", "O to move")
	b.until("the position is part of the link", `location.href.includes("from=")`)
}

// TestSetUpStandsAlone sets up a position: the headline follows it as long as it can be reached, and nothing stands
// beside it that is known of the one before.
func TestSetUpStandsAlone(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "explore?game=ttt&moves=a3,b2")
			b.expectRefusals()
			const judged = `document.querySelector(".tablebox, .standing, .bestline, .review, .sets, .movelist, a[href*=map]")`
			const heard = `[...document.querySelectorAll("[role=status], [aria-live]")].map(e => e.textContent.trim()).filter(Boolean).join("|")`
			says := func(line string) {
				t.Helper()
				b.until("only that is said: "+line, `document.querySelector(".statusline").textContent.trim() === `+quote(line)+
					` && `+heard+` === `+quote(line))
				if eval[bool](b, judged+` !== null`) {
					t.Error("the position before is judged beside it")
				}
			}
			b.says(".standing", "a draw")
			b.says(".review", "Every move was judged for certain.")
			b.until("what is open stands there", `document.querySelector(".sets")`)
			b.press("Set up a position")
			says("X to move.")
			b.click("c3", square("c3"))
			says("O to move.")
			b.sound("set-up-reached")
			b.click("c1", square("c1"))
			b.click("a1", square("a1"))
			says("")
			b.says("#position-says .failure", "Position")
			b.sound("set-up-unreached")
			b.write("#position", "x.x/.o./o.x o")
			says("O to move.")
			b.write("#position", "xxx/oo./... o")
			says("X wins, with a3, b3, c3 complete.")
			b.press("Leave it")
			b.says(".standing", "a draw")
			b.says(".statusline", "X to move")
			b.says(".review", "Every move was judged for certain.")
			b.press("Set up a position")
			b.click("c3", square("c3"))
			says("O to move.")
			b.press("Use this position")
			b.until("it is judged", `location.href.includes("from=")`)
			b.holds("b3", "draws")
			b.says(".statusline", "O to move")
		})
	}
}

// TestMapLinks: the maps of optimal play are links for fingers, each of which says what it leads to.
func TestMapLinks(t *testing.T) {
	for _, d := range []device{narrow, desktop} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "explore?game=ttt&moves=b2,a1")
			for _, name := range []string{"Map of optimal play for X", "Map of optimal play for O"} {
				b.until(name+" is high enough", button(name)+`?.offsetHeight >= 24`)
			}
			b.sound("maps")
		})
	}
}

// TestSearchesWhereLarge shows estimates where a game can't be solved at once.
func TestSearchesWhereLarge(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/explore?game=meta&moves=e5,d6")
	b.says(".standing", "Who wins is not known for certain.")
	b.says(".tablebox", " simulations")
	b.says(".standing", "an estimate from")
	b.says(".review", "Of no move is it certain whether it gave something away")
	b.says(".review", "Hollow points are estimates")
	b.until("the chart says which values are", `/, to .*: ≈\S+, ≈\S+, ≈\S+$/.test(document.querySelector(".review canvas").ariaLabel)`)
	b.sound("explore-large")
	b.press("Search longer")
	b.says(".standing", "an estimate from")
}

// TestStepsByKeyboard walks through a search forwards and backwards and
// compares two algorithms.
func TestStepsByKeyboard(t *testing.T) {
	b := newTab(t, newServer(t), phone.dark(), "#/search?game=tree:three-ply")
	b.says(".told", "Prune node 2–2: the value of node 2 is at most 2 already") // what the figure is about
	b.open("#/search?game=tree:three-ply&step=1")
	b.says(".told", "Enter the root, a max node, with window [−∞, +∞]")
	eval[bool](b, button("Run")+`.focus() ?? true`)
	b.keys(kb.ArrowRight)
	b.says(".told", "Enter node 1, a min node")
	b.keys(kb.ArrowRight)
	b.says(".told", "Look at node 1–1, a leaf: 3")
	b.keys(kb.ArrowLeft)
	b.says(".told", "Enter node 1, a min node")
	for range 7 {
		b.keys(kb.ArrowRight)
	}
	b.says(".told", "Prune node 2–2: the value of node 2 is at most 2 already, and max has α = 3 elsewhere.")
	b.says(".detail", "up to this step 7 searched, 1 pruned")
	b.says(".detail", "[α,\u00a0β] is a node’s window")
	b.until("the link has the step", `location.href.includes("step=9")`)
	b.open(b.address())
	b.says(".told", "Prune node 2–2")
	b.says(".muted", "11 nodes searched, 2 pruned")
	b.says(".compare", "13") // nodes of minimax
	b.says(".compare", "4 6")
	b.press("Measure all")
	b.says(".tablebox td", "Alpha-beta")
	b.sound("search-measured")

	b.press("A tree with chance")
	b.says(".compare", "Star1")
	b.says(".told", "Prune node")
	b.press("Tic-tac-toe, 5 squares left")
	b.until("nodes have boards", `document.querySelectorAll(".node .mark").length > 40`)
	b.press("To the first step")
	b.until("the position is drawn", `document.querySelectorAll(".mini .sign").length === 4`)
	b.press("To the last step")
	b.says(".told", "Return from the root")
	b.sound("search-board")
	b.press("Run")
	b.says(".fixed", "2 of")
	b.press("Pause")
}

// TestSearchOptions has the course's levels of memory and early stop, and the loops of
// the race, whose search ends and says "?".
func TestSearchOptions(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/search?game=ttt&a=minimax&b=minimax&depth=0&symmetry=first")
	b.says(".compare", "179,116") // with symmetric first moves left out
	b.choose("memo", "level=5")
	b.says(".compare", "40,012")
	b.choose("stop", "best")
	b.says(".compare", "11,555")
	b.choose("deepen", "yes")
	b.until("searches to lesser depths count too", `!document.querySelector(".compare").innerText.includes("11,555")`)
	b.open("search?game=ttt&from=x../.o./..x o&depth=1")
	b.says(".compare ~ .muted", "the evaluation “rows” estimates the value")
	b.until("the game's evaluations are offered", `[...document.getElementById("eval").options].map(o => o.value).join() === ",rows,open,features,none"`)
	b.choose("eval", "open")
	b.says(".compare ~ .muted", "the evaluation “open” estimates the value")
	b.until("the address has it", `location.search.includes("eval=open")`)
	b.open("search?game=ttt&from=x../.o./..x o&depth=1")
	b.until("moves of either side are plies, in the menus and in what is known", `document.getElementById("depth")?.selectedOptions[0]?.text === "1 ply" &&
		/After 5 plies only/.test(document.getElementById("memo")?.textContent) && /It is a draw\./.test(document.querySelector(".compare + p")?.textContent)`)
	b.says(".given", "Alpha-beta and Minimax: c3, though b3 is certainly better.") // as the terminal says
	b.sound("search-gives")
	b.press("Tic-tac-toe, 5 squares left")
	b.until("nothing is said of a move that gives nothing away", `document.querySelector(".compare") && !document.querySelector(".given")`)
	b.press("The race of 4 squares")
	b.says(".compare", "11")
	b.until("it is minimax to the end", `document.getElementById("a")?.value === "minimax" &&
		document.getElementById("depth").value === "0" && !document.querySelector(".compare").innerText.includes("not exact")`)
	b.until("nothing is cut, so it opens at the last step; two nodes are on the way to themselves, and their "+
		"parent has no other way on", `[...document.querySelectorAll(".node .value")].filter(e => e.textContent.endsWith("?")).length === 3 &&
		document.querySelector("[aria-label='To the last step']").disabled`)
	b.sound("search-race")
}

// TestMeasuredInPart: a table of all combinations that takes the server too long says how many of them it has.
func TestMeasuredInPart(t *testing.T) {
	h := newHost(t)
	h.now.Load().Longest = 100 * time.Millisecond
	b := newTab(t, h.server, phone, "search?game=mnk:4,4,4&depth=0")
	b.press("Measure all")
	b.until("it is said why there are no more rows", `(([said, n, of] = []) => n > 0 && n < Number(of) &&
		Number(n) === document.querySelectorAll(".tablebox tbody tr").length)(
		document.querySelector(".cards").textContent.match(/(\d+) of (\d+) combinations begun: the server stops after [\d.]+ s/) ?? [])`)
	b.sound("search-measured-in-part")
}

// TestStepsAsTheTextbooks: each algorithm's steps are told in its own words, all nodes are counted where not all are
// recorded, and of an algorithm that has no steps it is said so.
func TestStepsAsTheTextbooks(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/search?game=ttt&a=alphabeta&depth=0&step=1")
	b.says(".told", "Enter the root, a max node, with window [−∞, +∞].")
	b.says(".detail", "18,297 nodes searched, 6,930 pruned")
	b.says(".detail", "Its first 2,000 nodes and pruned branches of 25,227 are steps here.")
	b.press("To the last step")
	b.says(".told", "Not all below it is recorded.")
	measured := func(window, alphabeta, minimax string) {
		b.press("Measure all")
		b.says(".cards .muted", "to the end, for every combination")
		b.says(".cards .muted", "Algorithms with a window begin with "+window)
		for name, nodes := range map[string]string{"Alpha-beta": alphabeta, "Minimax": minimax} {
			b.until(name+" is the same search in both tables", fmt.Sprintf(`((list, side) => list && list.children[1].textContent === %[2]q && side)(
				[...document.querySelectorAll(".tablebox tbody tr")].find(r => r.children[0].textContent === %[1]q),
				document.querySelector(".compare").innerText.includes(%[2]q))`, name, nodes))
		}
	}
	measured("[−∞, +∞]", "18,297", "549,946")
	b.choose("stop", "best")
	b.says(".detail", "16,811 nodes searched")
	measured("[−1, 1]", "16,811", "94,978")
	b.open("#/search?game=tree:three-ply&a=pvs&step=7")
	b.says(".told", "Enter node 2, a min node, with window (3, 3+ε), a null window: is its value greater than 3?")
	b.choose("order", "perfect")
	b.open("#/search?game=tree:three-ply&a=alphabeta&order=perfect&step=14")
	b.says(".detail", "in all 9 nodes searched, 4 pruned")
	b.says(".compare", "14 5")
	b.choose("order", "worst")
	b.says(".detail", "in all 13 nodes searched")
	b.open("#/search?game=tree:chance&step=1")
	b.says(".told", "a max node, with window [−2, 2]: no leaf has a value outside it.")
	b.open("#/search?game=tree:chance&step=17")
	b.says(".told", "Prune node 2–2: the mean of node 2 is at most 1, as no leaf has a value above its bound, "+
		"and its window begins at α = 1.5.")
	b.open("#/search?game=tree:three-ply&a=minimax&step=2")
	b.says(".told", "Enter node 1, a min node.")
	b.until("there is no window in the tree", `document.querySelector(".node") && !document.querySelector(".node .window")`)
	b.until("it is compared with another one", `document.querySelectorAll(".compare thead th").length === 2`)
	b.open("#/search?game=tree:three-ply&a=negamax&step=6")
	b.says(".told", "Return from node 1: its value is v = −3 for the player to move, −v = 3 at the root.")
	b.until("the tree has the mover's worth", `document.querySelector(".node.current .value")?.textContent === "−3"`)
	b.sound("search-negamax")
	b.open("#/search?game=ttt&a=mcts&step=1")
	b.says(".told", "Simulation 1, expansion: the root is added to the tree.")
	b.until("the tree begins with the root", `document.querySelectorAll(".node").length === 1`)
	b.press("To the last step")
	b.says(".told", "After 100 simulations the root has mean ")
	b.until("nodes have their visits", `document.querySelector(".node.current .visits")?.textContent === "100×"`)
	b.choose("sims", "30")
	b.says(".told", "After 30 simulations the root has mean ")
	group := func(id string) string {
		return fmt.Sprintf(`(document.getElementById(%q)?.closest("fieldset")?.querySelector("legend").textContent ?? (document.getElementById(%[1]q) ? "both" : "none"))`, id)
	}
	for of, want := range map[string]string{"sims": "Monte Carlo tree search", "depth": "Minimax", "memo": "Minimax"} {
		if got := eval[string](b, group(of)); got != want {
			t.Errorf("%s is an option of %s, want %s", of, got, want)
		}
	}
	b.sound("search-mcts")
	b.choose("b", "mcts")
	b.until("a depth is nobody's", group("depth")+` === "none" && `+group("sims")+` === "both"`)
	b.choose("a", "pvs")
	b.until("an option is said to be of its algorithm", group("memo")+` === "Principal variation search (PVS)"`)
	b.choose("b", "minimax")
	b.until("options are of both", group("memo")+` === "both" && `+group("sims")+` === "none"`)
	b.open("#/search?game=tree:three-ply&a=pns")
	b.says(".failure", "No steps of “pns” here")
	b.open("#/search?game=ttt")
	b.says(".compare ~ p", "Where no plies are left, the evaluation “rows” estimates the value. "+
		"It counts 10, 100, 1000, … ")
	b.open("#/search?game=race:4")
	b.until("nothing is compared with itself", `document.querySelectorAll(".compare thead th").length === 1`)
}

// TestSimulations: simulations are told one by one, what is proven is told and drawn as such, visits have room, and the
// options of Monte Carlo tree search are part of the link.
func TestSimulations(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/search?game=tree:three-ply&a=mcts&step=1")
	b.says(".told", "Simulation 1, expansion: the root is added to the tree.")
	b.press("One step on")
	b.says(".told", "Simulation 1: played out at random from the root. Result ")
	b.press("One step on")
	b.says(".told", "Simulation 1, backup of the result: the root 1×, mean ")
	b.press("One step on")
	b.says(".told", "Simulation 2, selection at the root: ")
	b.says(".chosen", "new")
	b.press("To the last step")
	b.says(".told", ", and its value is proven to be 3.")
	b.until("a proven worth is drawn as one", `document.querySelector(".node.current .value").textContent === "=3"`)
	b.says(".stepper table", "= 2")
	visits := `[...document.querySelectorAll(".treebox .visits")].map((e) => e.getBoundingClientRect())`
	nodes := `[...document.querySelectorAll(".node > :is(path, rect, circle), .node .frame")].map((e) => e.getBoundingClientRect())`
	clear := fmt.Sprintf(`%s.length > 3 && !%[1]s.some((v) => %s.some((n) => v.left < n.right - 1 && n.left < v.right - 1 && v.top < n.bottom - 6 && n.top < v.bottom - 1))`, visits, nodes)
	b.until("no node covers visits", clear)
	b.sound("search-simulations")
	b.open("#/search?game=ttt&from=xo./xo./..x%20o&depth=0&a=mcts")
	b.says(".told", "After 2 simulations the root has mean 0, and its value is proven to be −1.")
	b.choose("proof", "no")
	b.says(".told", "After 100 simulations the root has mean −0.")
	b.until("no board covers visits", clear)
	b.choose("explore", "0.35")
	b.says(".detail", "C = 0.35")
	b.until("both are part of the link", `/proof=no/.test(location.href) && /explore=0\.35/.test(location.href)`)
	b.open(b.address())
	b.says(".detail", "C = 0.35")
}

// apartInTree is whether what a tree with boards writes stands apart: its windows from its moves, its values from
// frames.
const apartInTree = `(at => at(".window").length > 1 && at(".node .frame").length > 9
	&& at(".window").every(w => at(".edge-name").every(m => w.bottom < m.top + 2 || m.bottom < w.top + 2 || w.right < m.left || m.right < w.left))
	&& [...document.querySelectorAll(".node:has(.frame) > .value")].every(v =>
		v.getBoundingClientRect().top >= v.parentElement.querySelector(".frame").getBoundingClientRect().bottom - 0.5))(
	s => [...document.querySelectorAll(".treebox " + s)].map(e => e.getBoundingClientRect()))`

// TestTreeFits shows a small tree as large as there is room, a large one as it can be read or, where that is asked
// for, whole, and on the whole screen.
func TestTreeFits(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/search?game=tree:three-ply&step=1")
	b.says(".told", "Enter the root")
	scale := `document.querySelector(".treebox svg")?.getScreenCTM().a`
	fits := `(e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight)(document.querySelector(".treebox"))`
	fit := button("Fit the tree")
	b.until("a small tree is drawn large, and fits", scale+" > 1.2 && "+fits+" && !"+fit) // which is disabled then
	b.press("Tic-tac-toe, 5 squares left")
	b.until("a large tree opens as it can be read", scale+" === 1 && !"+fits+" && "+fit)
	b.until("no window covers a move, and no value a board", apartInTree)
	b.medium("print")
	b.until("paper has all of it", `[...document.querySelectorAll(".node")].every(e => {
		const n = e.getBoundingClientRect(), box = document.querySelector(".treebox").getBoundingClientRect();
		return n.left >= box.left && n.right <= box.right && n.top >= box.top && n.bottom <= box.bottom; })`)
	b.medium("screen")
	b.press("Fit the tree")
	b.until("it fits when it is asked to", scale+" < 0.75 && "+fits)
	b.sound("search-fits")
	small := eval[float64](b, scale)
	b.press("To the first step")
	b.press("Present")
	b.until("it has the screen", `document.fullscreenElement?.className === "stepper" && `+fits+" && "+scale+" > "+
		fmt.Sprint(small))
	b.press("One step on")
	b.says(".told", "Enter node")
	b.focus(`document.querySelector(".treebox")`) // which has nothing to scroll
	b.keys(kb.ArrowLeft)
	b.says(".told", "Enter the root")
	b.keys(kb.PageDown) // as remotes of presenters do
	b.says(".told", "Enter node")
	b.keys(kb.PageUp)
	b.says(".told", "Enter the root")
	b.sound("search-full-screen")
	b.press("Leave")
	b.until("it has given it back", "document.fullscreenElement === null && "+scale+" === "+fmt.Sprint(small))
	b.press("Fit the tree") // not any more
	b.press("To the last step")
	b.press("Present")
	const rootSeen = `((n, box) => n.left >= box.left && n.right <= box.right && n.top >= box.top && n.bottom <= box.bottom)(
		document.querySelector(".treebox .node").getBoundingClientRect(), document.querySelector(".treebox").getBoundingClientRect())`
	b.press("One step back")
	b.press("Leave")
	b.press("Present")
	b.until("of a tree that does not fit the root is seen first", `document.fullscreenElement && !`+fits+` && `+rootSeen)
	b.sound("search-root-first")
	b.press("Leave")
	b.press("Tic-tac-toe, 4 squares left")
	b.says(".told", "Prune node c3–b1–a1")
	b.press("Present")
	b.until("all in it can be read from afar", `document.fullscreenElement && Math.min(...[...document.querySelectorAll(".treebox text")].map(e => parseFloat(getComputedStyle(e).fontSize))) * `+scale+` >= 20`)
	b.says(".detail", "Alpha-beta, in all 25 nodes searched, 4 pruned; up to this step 9 searched, 1 pruned. ▲ max")
	b.until("so that can all beside it", `document.querySelector(".detail").getBoundingClientRect().bottom <= innerHeight`)
	b.press("Leave")
	b.open("#/search?game=ttt&from=.../.x./..o x&stop=best&step=600")
	b.says(".told", "Look at node a3–b1–c2–a2–b3–c3–a1")
	b.press("Fit the tree")
	b.until("of a larger tree what is drawn fits", scale+" < 1 && "+fits)
}

// TestColours changes the colours by hand, whatever the system has.
func TestColours(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "")
	ground := `getComputedStyle(document.body).backgroundColor`
	light := eval[string](b, ground)
	b.press("Colours: as the system. Change")
	b.press("Colours: light. Change")
	b.until("it is dark", ground+" !== "+quote(light))
	b.open("#/explore")
	b.until("it is dark on the next visit", ground+" !== "+quote(light))
	b.sound("dark-by-hand")
}

// TestThreats explains a mistake on a board that is too large to be solved by
// the threats that it allows, and names a move that would have stopped them.
func TestThreats(t *testing.T) {
	h := newHost(t)
	h.now.Load().Longest = time.Minute
	h.whenJudged(func(body []byte) []byte { // there is time to refute moves on a busy machine too
		return bytes.Replace(body, []byte(`"time_ms":250`), []byte(`"time_ms":1000`), 1)
	}, func([]byte) {})
	b := newTab(t, h.server, desktop, "#/explore?game=mnk:15,15,5&moves=h8,a1,i8,a3,j8,a5")
	b.says(".mistakes", "6. a5 by White: This loses for certain")
	b.says(".mistakes", "Not known to lose: ") // g8 and k8 alone, where there is time to refute the others
	b.says(".standing", "Black wins in 3 moves, both sides counted. By two threats at once: ")
	b.says(".sets", "Black h8–i8–j8–k8–l8, 2 to go")
	b.click("the set on the eighth row",
		`[...document.querySelectorAll(".sets button")].find(e => e.textContent.includes("h8–i8–j8–k8–l8"))`)
	b.holds("l8", "in h8–i8–j8–k8–l8")
	b.sound("threats")
	b.open("#/play?game=mnk:15,15,5&first=human&second=human&moves=h8,a1,i8,a3,j8,a5")
	b.press("Hint")
	b.press("Which move?")
	b.press("Why?")
	b.says(".tip", "Black wins in 3 moves, both sides counted. A best move is ")
	b.says(".tip", "By two threats at once: ")
}

// whenJudged has what pages ask of the judge go through ask before it is answered, and done know when it was.
func (h *host) whenJudged(ask func(body []byte) []byte, done func(body []byte)) {
	next := h.server.Config.Handler
	h.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/judge") {
			next.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		body = ask(body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		// The body has been read: a deadline for it would end the request.
		next.ServeHTTP(struct {
			http.ResponseWriter
			http.Flusher
		}{w, w.(http.Flusher)}, r)
		done(body)
	})
}

// TestReviewCatchesUp: a review that had no time to see what the position shown is worth knows it once
// the values beside it do.
func TestReviewCatchesUp(t *testing.T) {
	h := newHost(t)
	h.now.Load().Longest = time.Minute // which the first review takes next to nothing of, but on a busy machine
	reviewed := make(chan struct{})    // closed after the first review, which has a millisecond a move
	once := sync.Once{}
	h.whenJudged(func(body []byte) []byte {
		first := false
		if bytes.Contains(body, []byte(`"review":true`)) {
			once.Do(func() { first = true })
		} else {
			<-reviewed
		}
		if first {
			body = bytes.Replace(body, []byte(`"time_ms":250`), []byte(`"time_ms":1`), 1)
		}
		return body
	}, func(body []byte) {
		if bytes.Contains(body, []byte(`"time_ms":1,`)) {
			close(reviewed)
		}
	})
	b := newTab(t, h.server, desktop, "#/explore?game=mnk:15,15,5&moves=h8,a1,i8,a3,j8,a5")
	b.says(".mistakes", "6. a5 by White: This loses for certain")
	b.says(".review", "After move 6: Black wins")
}

// TestBusyKeepsValues: what a busy server has found of a position before it turned the rest away stays in view until it
// is asked again.
func TestBusyKeepsValues(t *testing.T) {
	h := newHost(t)
	next, asked := h.server.Config.Handler, make(chan struct{}, 10)
	h.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/judge") {
			next.ServeHTTP(w, r)
			return
		}
		found := httptest.NewRecorder()
		next.ServeHTTP(found, r)
		said := bytes.ReplaceAll(found.Body.Bytes(), []byte(`"done":true`), []byte(`"done":false`))
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = w.Write(append(said, `{"error":"the server is busy","busy":true}`+"\n"...))
		asked <- struct{}{}
	})
	b := newTab(t, h.server, desktop, "explore?game=ttt")
	b.says(".standing", "draw")
	b.until("failures are looked for", `(() => {
		window.failures = document.querySelectorAll(".side-part .failure").length;
		new MutationObserver(() => { window.failures += document.querySelectorAll(".side-part .failure").length; })
			.observe(document.body, { childList: true, subtree: true });
		return true;
	})()`)
	for range 2 { // the second time after it was told that the server is busy
		select {
		case <-asked:
		case <-time.After(time.Minute):
			t.Fatal("the page does not ask again")
		}
	}
	b.says(".standing", "draw")
	if n := eval[int](b, `window.failures`); n != 0 {
		t.Errorf("the page says %d times that the server is busy, where it has an answer", n)
	}
}

// TestBoardStays walks from page to page: the board has one place and size on all that have one beside other
// things.
func TestBoardStays(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play?game=ttt&first=human&second=human&moves=a1")
	place := func() string {
		b.until("there is a board", `document.querySelector(".main-part .board .cell")`)
		return eval[string](b, `(r => [r.left, r.width].map(Math.round).join(" "))(document.querySelector(".main-part .board .grid").getBoundingClientRect())`)
	}
	want := place()
	for _, page := range []string{"explore?game=ttt&moves=a1", "puzzles?game=mnk:4,4,4"} {
		b.open(page)
		if got := place(); got != want {
			t.Errorf("on %s the board lies at %s, on Play at %s", page, got, want)
		}
	}
}

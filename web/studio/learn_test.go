package studio_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestLearnByMouse trains MENACE, looks inside it, saves it and plays against
// it, on both sizes.
func TestLearnByMouse(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/learn")
			b.until("the opponents are offered",
				`[...document.querySelectorAll("#against option")].some(o => o.value === "optimal")`)
			b.choose("against", "random")
			b.choose("seats", "first")
			b.write("#games", "10000")
			b.choose("pace", "0")
			b.sound("learn-begin")
			b.press("Start")
			b.says(".statusline", "finished")
			b.until("it is in view, and the focus with it", `scrollY === 0 && document.activeElement.id === "main"`)
			b.says(".legend-table", "10,000 games")
			b.says(".legend-table", "menace against random")
			b.says(".inside", "10,000 games:")
			b.until("the first box has three colours of beads",
				`document.querySelector('.wall [aria-label^="Box .../.../... x"]')?.querySelectorAll(".beads").length === 3`)
			b.until("the first box is in use",
				`document.querySelector('.used [aria-label^="Box .../.../... x, in use"]')`)
			b.until("the bead that it drew is marked", `document.querySelector('.used [aria-label*=", drew "] .drawn')`)
			b.until("on the square of the move that was played", `[...document.querySelectorAll(".boxes.used li:has(.drawn)")].every(e =>
				"abc"[e.querySelector(".drawn").style.gridColumn - 1] + (4 - e.querySelector(".drawn").style.gridRow) === e.querySelector(".muted").textContent.split(" ")[1])`)
			b.until("its view of a position can be read",
				`document.querySelector(".lookat .cell").getBoundingClientRect().width > 60`)
			b.press("Move 2")
			b.says(".inside", "12 boxes with X to move, move 2")
			b.medium("print")
			b.until("on paper no row of boxes is cut, and nothing is to be pressed", `getComputedStyle(document.querySelector(".boxes.wall")).display === "block" &&
				!/Press a square/.test(document.querySelector(".lookat").innerText)`)
			b.medium("screen")
			b.choose("measure", "inside")
			b.says(".legend-table", "beads on")
			b.until("a file can be fetched",
				`[...document.querySelectorAll("a[download]")].some(a => a.textContent === "curve.csv")`)
			b.sound("learn-menace")
			b.write(`[aria-label="Name to save it under"]`, "boxes-"+d.String())
			b.press("Save")
			b.says("[role=status]", "Saved as boxes-")
			b.choose("at", "0")
			b.says(".inside", "0 games:")
			b.choose("at", "5000")
			b.says(".inside", "5,000 games:")
			b.press("Play against it and begin")
			b.play("b2")
			b.says(".muted", "2 of 2")
			// A saved one is chosen by its name, here and as an opponent.
			saved := "brain:boxes-" + d.String()
			b.choose("second", saved)
			b.holds("b2", "empty") // another player begins a new game
			b.play("a1")
			b.says(".muted", "2 of 2")
			b.sound("play-brain")
			b.open("#/learn")
			b.choose("against", saved)
		})
	}
}

// TestLearnByKeyboard starts, pauses, resumes and stops a training that would
// take long, reads its curve, and compares it with another one.
func TestLearnByKeyboard(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/learn")
	enter := func(name string) {
		b.until("there is "+name, button(name))
		eval[bool](b, button(name)+`.focus() ?? true`)
		b.keys(kb.Enter)
	}
	b.choose("learner", "lms")
	b.until("the features are offered",
		`[...document.querySelectorAll("#option-features-words option")].some(o => o.value === "threats")`)
	b.write("#games", "100000")
	b.write("#exam", "10")
	b.choose("pace", "5")
	enter("Start")
	b.says(".statusline", "learning")
	b.says(".weights", "own open lines")
	b.until("the curve has more than its start", `document.querySelector(".curve").ariaValueNow > 0`)
	enter("Pause")
	b.says(".statusline", "paused")
	b.says(".inside", "games:")
	eval[bool](b, `document.querySelector(".curve").focus() ?? true`)
	b.keys(kb.Home)
	b.until("the curve is read at its start", `document.querySelector(".curve").getAttribute("aria-valuetext").startsWith("After 0 games:")`)
	enter("Resume")
	b.says(".statusline", "learning")
	enter("Stop")
	b.says(".statusline", "stopped")
	b.says(".weights", "own open lines")
	files := `["curve.csv", "run-1.brain"].every(f => document.querySelector('a[download="' + f + '"]'))`
	b.until("its files can be fetched", files)
	b.sound("learn-stopped")

	// What was stopped goes on, and its curve with it.
	const last = `Number(document.querySelector(".curve").ariaValueNow)`
	eval[bool](b, `document.querySelector(".curve").focus() ?? true`)
	b.keys(kb.End)
	b.until("the curve is read at its end", last+" > 0")
	drawn := eval[int](b, last)
	enter("Resume")
	b.says(".statusline", "learning")
	b.until("more is measured", fmt.Sprintf(`%s > %d`, last, drawn+10))
	enter("Stop")
	b.says(".statusline", "stopped")
	b.until("its files can be fetched", files)

	// A second one is drawn beside it.
	b.choose("learner", "tree")
	b.write("#games", "2000")
	b.write("#exam", "100")
	b.write("#runs", "3")
	b.choose("pace", "0")
	enter("Start")
	b.says(".statusline", "finished")
	b.says(".legend-table", "tree:features=threats against")
	b.says(".legend-table", "lms")
	b.says(".legend-table", "10–90 % of runs")
	b.says(".inside .plainlist", " is more than ")
	b.says(".lookat", "What it thinks each move is worth")
	b.play("a1")
	b.says(".lookat .row", "a1")
	b.sound("learn-compared")

	// Who returns finds all of it.
	b.open("#/learn")
	b.says(".shelf", "lms")
	b.says(".shelf", "on Tic-tac-toe") // the game's title comes with the list of games
	b.press(eval[string](b, `[...document.querySelectorAll(".shelf .plain")].find(e => e.textContent.startsWith("tree")).textContent`))
	b.says(".statusline", "finished")
	b.until("its curve is there", `document.querySelector(".legend-table")?.textContent.includes("2,000 games")`)
	enter("Delete")
	enter("Yes, delete")
	b.until("it is gone", `![...document.querySelectorAll(".shelf .plain")].some(e => e.textContent.startsWith("tree"))`)
}

// TestLearnLink: the link holds the setup, and another link brings another one.
func TestLearnLink(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/learn?learner=table:factor=0.3&against=random&games=700&pace=0")
	has := func(what string, values ...string) {
		for i := 0; i < len(values); i += 2 {
			b.until(what+": "+values[i]+" is "+values[i+1], `document.querySelector("`+values[i]+`")?.value === "`+
				values[i+1]+`"`)
		}
	}
	has("from the link", "#learner", "table", "#option-factor", "0.3", "#against", "random", "#games", "700", "#pace",
		"0", "#exam", "17", "#seats", "alternate", "#start", "empty")
	b.until("Start is in sight below the open options", startInSight)
	b.write("#option-factor", "0.2")
	b.write("#games", "900")
	b.focus(`(() => {
		const field = document.querySelector("#option-to");
		scrollBy(0, field.getBoundingClientRect().bottom - innerHeight + 10);
		return field;
	})()`)
	b.until("Start is in sight and covers no field that has the focus", startInSight+` && (() => {
		const field = document.activeElement.getBoundingClientRect(), start = `+startButton+`.getBoundingClientRect();
		return field.bottom <= start.top || field.top >= start.bottom;
	})()`)
	b.choose("seats", "second")
	b.until("the link says so", `["learner=table:factor=0.2", "games=900", "seats=second", "against=random"].every(part => location.href.includes(part))`)
	b.choose("against", "itself")
	b.until("what is usual is not said", `!location.href.includes("against")`)
	b.open("#/learn?learner=lms&games=40&exam=20&pace=0")
	has("from another link", "#learner", "lms", "#games", "40", "#exam", "20", "#seats", "alternate", "#against",
		"itself")
	b.press("Start")
	b.says(".statusline", "finished")
	b.says(".legend-table", "40 games")
	b.choose("learner", "menace")
	b.until("the training is still shown", `location.href.includes("job=") && location.href.includes("games=40")`)
}

const (
	startButton  = `document.querySelector(".setup button[type=submit]")`
	startInSight = `(() => { const { top, bottom } = ` + startButton +
		`.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })()`
)

// TestLearnUsual: an untouched form shows and starts what the command line trains.
func TestLearnUsual(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/learn?game=connect4")
	for learner, start := range map[string]string{"net": "empty+6", "lms": "empty"} {
		b.choose("learner", learner)
		b.until(learner+" begins "+start, `document.querySelector("#start")?.value === "`+start+`"`)
		b.until("the rest is usual", `["against itself", "games 1000", "runs 1", "seats alternate"].every(f => {
			const [id, value] = f.split(" ");
			return document.getElementById(id)?.value === value;
		})`)
	}
	b.choose("learner", "net")
	b.says(".setup", "at the start, after 6 random moves")
	b.until("the link says the learner alone", `location.href.endsWith("learner=net")`)
	b.sound("learn-usual")
}

// TestLearnMeasured: the page says of each measure what it is of.
func TestLearnMeasured(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/learn")
	for _, c := range []struct {
		game, learner, measure, heading, says string
		games                                 int
	}{
		{"ttt", "lms", "", "Exploitability as first", "moving first, against the opponent", 40},
		{"ttt", "lms", "% won as second against random", "% won as second against random",
			"Exact, no games are sampled", 40},
		{"mnk:5,5,4", "net", "", "% won against rows", "A sample: at each point 10 games", 40},
		{"connect4", "lms", "", "% kept", "A sample: the solver has judged 304 positions", 40},
		{"connect4", "lms", "inside", "Weights", "one for each feature", 40},
		{"qubic", "lms", "", "% won against rows", "A sample: at each point 10 games", 4},
		{"ultimate", "net", "loss", "Loss", "How far what it thought", 2},
	} {
		id := b.job(fmt.Sprintf(`{verb: "train", game: %q, seed: 1, args: {learner: %q, against: "itself", games: %d}}`,
			c.game, c.learner, c.games))
		b.open("#/learn?job=" + id + "&measure=" + url.QueryEscape(c.measure))
		b.says(".statusline", "finished")
		b.says(".curves h2", c.heading)
		b.says(".meaning", c.says)
		if c.measure == "inside" {
			b.until("percentages are apart from weights",
				`document.querySelector(".legend-table tbody") && !document.querySelector(".legend-table tbody").textContent.includes("%")`)
			b.sound("learn-weights")
		}
		if c.game == "mnk:5,5,4" {
			b.until("nothing is said of a side", `!document.querySelector(".meaning").textContent.includes("moving")`)
			b.sound("learn-sample")
		}
	}
}

// TestLearnEmpty: of a machine whose first box is empty it is said that it resigns without a move, of one that has
// beads in it nothing.
func TestLearnEmpty(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "learn")
	for learner, empties := range map[string]bool{"menace:as=michie,beads=1": true, "menace": false} {
		b.open("learn?job=" + b.job(`{verb: "train", game: "ttt", seed: 1, args: {
			learner: `+quote(learner)+`, against: "perfect", seats: "first", games: 300, exam_every: 10}}`))
		b.says(".statusline", "finished")
		b.until("the curve is there", `document.querySelector(".curves canvas")`)
		if said := eval[string](b, `document.querySelector(".lost")?.textContent ?? ""`); strings.Contains(said, "it loses every game that it begins, resigning at once") != empties {
			t.Errorf("%s: %q", learner, said)
		}
	}
	b.sound("learn-empty")
}

// TestLearnReady: MENACE of the first page learns what its words say.
func TestLearnReady(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/learn")
	b.click("the boxes", `document.querySelector(".starter")`)
	b.says(".statusline", "learning")
	b.choose("speed", "0")
	b.says(".statusline", "finished")
	b.says(".curves h2", "Exploitability as first")
	b.until("it loses to nobody when it begins", `document.querySelector(".legend-table td").textContent === "0"`)
	b.says(".used-options summary", "Options of menace: the usual ones")
	b.click("the options", `document.querySelector(".used-options summary")`)
	b.until("they are told in words", `[...document.querySelectorAll(".used-options li")].some(e => e.textContent === "Beads added when it loses: -10") &&
		!document.querySelector(".used-options strong")`)

	// The files of the chart have what it shows, its title, its axes and all of its lines.
	first := b.address()
	b.open("#/learn")
	b.click("MENACE as in 1961", `document.querySelectorAll(".starter")[1]`)
	b.until("what is not as usual comes first", `document.querySelector(".used-options strong")?.textContent.endsWith(": michie") &&
		[...document.querySelectorAll(".used-options strong")].some(e => e.textContent === "Beads added when it loses: -1")`)
	b.choose("speed", "0")
	b.says(".statusline", "finished")
	b.open(b.address() + "&also=" + regexp.MustCompile(`job=(\w+)`).FindStringSubmatch(first)[1])
	b.until("two are compared", `document.querySelectorAll(".legend-table tbody tr").length === 2`)
	b.says(".used-options + .used-options", "the usual ones")
	eval[bool](b, `(() => { window.taken = []; const make = URL.createObjectURL;
		URL.createObjectURL = (f) => { f.text().then(t => window.taken.push(t)); return make.call(URL, f); }; return true; })()`)
	for _, kind := range []string{"SVG", "As CSV", "PNG"} {
		b.press(kind)
	}
	b.until("there are three files", `window.taken.length === 3`)
	b.until("the drawing is whole", `["Exploitability as first: tic-tac-toe", ">games<", "menace against itself",
		"menace:as=michie against optimal"].every(text => window.taken.some(t => t.startsWith("<svg") && t.toLowerCase().includes(text.toLowerCase())))`)
	b.until("the table has both lines", `window.taken.some(t => t.startsWith("line,games,value\n") && t.includes("\nmenace against itself,0,"))`)
}

// TestLearnGoesOn loses the server and finds the training again.
func TestLearnGoesOn(t *testing.T) {
	h := newHost(t)
	b := newTab(t, h.server, desktop, "#/learn")
	b.expectRefusals()
	b.write("#games", "100000")
	b.write("#exam", "100")
	b.choose("pace", "5")
	b.press("Start")
	b.says(".statusline", "learning")
	h.stop()
	b.says(".lost", "The connection is lost")
	h.start()
	b.until("it is connected again", `!document.querySelector(".lost")`)
	b.press("Stop")
	b.says(".statusline", "stopped")
}

// TestLearnRefused shows what the server refuses beside the field.
func TestLearnRefused(t *testing.T) {
	b := newTab(t, newServer(t), phone.dark(), "")
	b.expectRefusals()
	b.open("#/learn?job=none")
	b.says(".failure", "no such training")
	b.press("Choose another")
	b.choose("learner", "lms")
	b.press("Options of lms")
	b.write("#option-eta", "9")
	b.press("Start")
	b.says(".setup .failure", "eta=9")
	b.until("the learner is marked", `document.querySelector("#learner").getAttribute("aria-invalid") === "true"`)
	b.sound("learn-refused")
}

// TestLearnMeta draws the six constants of Weger's learner over games.
func TestLearnMeta(t *testing.T) {
	b := newTab(t, newServer(t), desktop.dark(), "#/learn?game=meta")
	b.choose("learner", "td-leaf")
	b.choose("against", "static:depth=3")
	b.choose("seats", "first")
	b.write("#games", "20")
	b.press("Start")
	b.says(".statusline", "finished")
	b.until("there are six lines", `document.querySelectorAll(".legend-table tbody tr").length === 6`)
	b.says(".legend-table", "potentials")
	b.until("its view of the start is drawn", `document.querySelectorAll(".lookat .cell").length === 81`)
	if eval[bool](b, `Boolean(document.querySelector(".lookat .sweep"))`) {
		b.Error("rows of boards are struck through at the start")
	}
	b.sound("learn-meta")
}

// TestLearnNarrow: on a phone, what a weight is of is read in a few lines.
func TestLearnNarrow(t *testing.T) {
	b := newTab(t, newServer(t), phone, "#/learn?game=qubic&learner=net&games=20")
	b.press("Start")
	b.says(".statusline", "finished")
	b.says(".weights", "which say no more")
	if tall := eval[float64](b, `Math.max(...[...document.querySelectorAll(".weights tbody tr")].map(r => r.offsetHeight))`); tall > 160 {
		b.Errorf("a weight takes %.0f pixels", tall)
	}
	b.sound("learn-narrow")
}

// TestResignation teaches MENACE until boxes run empty: where it resigned, and
// why, is said inside the learner and in a game against it.
func TestResignation(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/learn")
	taught := func(learner string, seed, games int) string {
		id := b.job(fmt.Sprintf(`{verb: "train", game: "ttt", seed: %d,
			args: {learner: %q, against: "perfect", seats: "first", games: %d}}`, seed, learner, games))
		b.open("#/learn?job=" + id)
		b.says(".statusline", "finished")
		return id
	}
	taught("menace:as=michie,beads=9/1/1/1", 1, 40)
	b.says(".used", "X resigned: its box for this position is empty")
	b.shot("learn-resigned")
	id := taught("menace:as=michie,beads=3/1/1/1,draw=0", 3, 14)
	b.says(".used", "its first box is empty")
	b.open("#/play?game=ttt&second=human&first=brain:" + id + "/1@14")
	b.says(".statusline", "X resigned: its box for this position is empty. O wins.")
}

// TestBoxesOfATree: matchboxes of a game without squares are named where they can't be drawn.
func TestBoxesOfATree(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "learn")
	b.open("learn?job=" + b.job(`{verb: "train", game: "tree:three-ply", seed: 1, args: {learner: "menace", games: 20}}`))
	b.says(".statusline", "finished")
	b.says(".inside", "First won")
	b.until("the boxes that were used are named", `document.querySelector(".boxes.used li")?.textContent.length > 10`)
}

package studio_test

import (
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"
)

// nameless keeps back what games are called.
const nameless = `{ const ask = window.fetch;
	window.fetch = (path, init) => path === "api/v1/games" ? new Promise(() => {}) : ask(path, init); }`

// TestArena starts a tournament, watches it to its end and opens one of its
// games, on both sizes.
func TestArena(t *testing.T) {
	server := newServer(t)
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, server, d, "#/arena")
			b.says(".side-part", "None yet.")
			b.sound("arena")
			b.unfold("new")
			b.press("Start it")
			b.says(".statusline", "Finished: 120 of 120 games.")
			b.says(".ratings", "Perfect play")
			b.until("four players are rated", `document.querySelectorAll(".ratings .span circle").length === 4`)
			b.until("the best of them do not lose",
				`document.querySelectorAll(".cross tbody tr").length === 4 && document.querySelector(".ratings tbody th").textContent !== "Random"`)
			b.says(".games", "of them given")
			b.sound("arena-over")
			b.click("the latest game", `document.querySelector(".games a")`)
			b.says("h1", "Explore")
			b.says(".review", "The game so far")
			b.open("#/arena")
			b.says(".side-part", "Tic-tac-toe, finished")
			b.run(command(page.AddScriptToEvaluateOnNewDocument,
				page.AddScriptToEvaluateOnNewDocumentParams{Source: nameless}))
			b.open("#/arena")
			b.says(".side-part", "…, finished") // not the name that the game has on the command line
			b.click("the button to delete it", `document.querySelector(".shelf .icon")`)
			b.click("the same button again", `document.querySelector(".shelf .remove")`)
			b.says(".side-part", "None yet.")
		})
	}
}

// TestGivenMovesLost plays from moves that all decide the game, which the list of games says.
func TestGivenMovesLost(t *testing.T) {
	b := newTab(t, newServer(t), phone, "arena?game=mnk:4,3,3")
	b.choose("games", "2")
	b.choose("openings", "1")
	b.press("Start it")
	b.says(".statusline", "Finished")
	b.says(".games", "1 of them given, a lost start for ")
}

// TestTablesOnPhone: a cross table that is wider than the screen fades where it goes on, and says who is who when it
// is pushed there; ratings have an axis in Elo, round signs, and lines through its numbers.
func TestTablesOnPhone(t *testing.T) {
	b := newTab(t, newServer(t), phone, "arena")
	id := b.job(`{verb: "tournament", game: "ttt", seed: 1, args: {
		players: ["perfect", "heuristic", "rows", "random", "level:1", "level:2"], games: 2}}`)
	b.open("arena?job=" + id)
	b.says(".statusline", "Finished")
	b.open("arena?job=" + id) // whose rows keep their places now
	b.until("the table fades", `document.querySelector(".tablewide.more-right .cross")`)
	b.until("all are named when it is pushed", pushed)
	b.until("it fades no more", `document.querySelector(".tablewide.more-left:not(.more-right) .cross")`)
	b.until("the axis has numbers", `(all => all.length > 1 && all.includes("0"))([...document.querySelectorAll(".axis text")].map(e => e.textContent))`)
	b.says(".axis", "Elo")
	b.until("its zero is that of the bars", `(axis => [...document.querySelectorAll(".zero")].every(e => Math.abs(e.getBoundingClientRect().x - axis) < 1))(
		(r => r.x + r.width / 2)([...document.querySelectorAll(".axis text")].find(e => e.textContent === "0").getBoundingClientRect()))`)
	b.sound("tables")
}

// TestTournamentHandedOut takes a tournament's table as a file, and of its Share its link for cameras, its ratings as
// pictures, on white in dark colours too, and its games as score sheets.
func TestTournamentHandedOut(t *testing.T) {
	server := newServer(t)
	for _, d := range []device{desktop, phone.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, server, d, "arena")
			id := b.job(`{verb: "tournament", game: "ttt", seed: 1, args: {
				players: ["perfect", "heuristic", "rows", "mcts:sims=20,explore=0.7"], games: 2}}`)
			b.until("it has ended, as games that end meanwhile push the others down", `fetch("api/v1/jobs/`+id+
				`").then(r => r.json()).then(j => j.state === "done")`)
			b.open("arena?job=" + id)
			b.says(".statusline", "Finished")
			eval[bool](b, `(() => { const make = URL.createObjectURL; URL.createObjectURL = (f) => { f.type === "image/png" ?
				createImageBitmap(f).then(i => window.wide = i.width) : f.text().then(t => window.taken = t); return make.call(URL, f); }; return true; })()`)
			b.press("As CSV")
			b.until("the file has a row a player", `window.taken?.trim().split("\n").length === 5`)
			b.until("and a column for each of them",
				`taken.startsWith("player,games,points,rating,error,against_") && taken.split("\n")[1].split(",").length === 9`)
			b.press("Share")
			b.until("the link is a code", `document.querySelector("dialog[open] .qr path")`)
			b.sound("share-tournament")
			b.press("SVG")
			b.until("the ratings are drawn", `window.taken?.startsWith("<svg") && (window.drawn = new DOMParser().parseFromString(taken, "image/svg+xml"))`)
			b.until("on white", `drawn.querySelector("rect").getAttribute("fill") === "#ffffff"`)
			b.until("with an error bar for each, in its place", `(bars => bars.length === 4 && bars.every(c => {
				const svg = c.closest("svg"), line = c.previousElementSibling, of = (e, x) => parseFloat(e.getAttribute(x));
				return of(svg, "width") > 0 && svg.getAttribute("viewBox") === "0 0 " + svg.getAttribute("width") + " 20" &&
					Math.abs(of(line, "x1") + of(line, "x2") - 2 * of(c, "cx")) < 0.01 && of(line, "x2") > of(line, "x1"); }))([...drawn.querySelectorAll("circle")])`)
			b.until("names are in lines as on the page, and words stand below", `(texts => texts.includes("Perfect play") &&
				texts.join("").includes("mcts:sims=20,explore=0.7") && /Tournament: Tic-tac-toe. Finished: 12 of 12 games. Elo around/.test(texts.join(" ")))(
				[...drawn.querySelectorAll("text")].map(e => e.textContent))`)
			b.until("a name that is broken on a phone is broken there too",
				`[...drawn.querySelectorAll("text")].some(e => e.textContent === "mcts:sims=20,explore=0.7") === innerWidth > 600`)
			b.press("PNG")
			b.until("it is large", `window.wide >= 2400`)
			b.until("the games are score sheets", `fetch(document.querySelector("a[download='games.txt']").href).then(r => r.text()).then(t =>
				t.split('[Game "mnk:3,3,3"]').length === 13)`)
		})
	}
}

// TestArenaByKeyboard starts a long tournament without a mouse, pauses it, goes
// on after a restart of the server, is watched by somebody else, and stops it.
func TestArenaByKeyboard(t *testing.T) {
	h := newHost(t)
	b := newTab(t, h.server, phone.dark(), "#/arena?game=mnk:4,4,4")
	b.expectRefusals() // while the server is away
	b.says(".entrants", "Random")
	b.focus(`[...document.querySelectorAll(".checks input")].find(e => e.checked && e.parentElement.textContent.includes("Perfect"))`)
	b.keys(" ")
	b.focus(`document.querySelector('[aria-label="Another player, typed"]')`)
	b.write(`[aria-label="Another player, typed"]`, "mcts:sims=3000")
	b.keys(kb.Enter)
	b.says(".checks", "mcts:sims=3000")
	b.choose("games", "1000")
	b.focus(button("Start it"))
	b.keys(kb.Enter)
	b.says(".statusline", "Being played")
	b.says(".games", "of them given")
	b.focus(button("Pause"))
	b.keys(kb.Enter)
	b.says(".statusline", "Paused")
	b.sound("arena-paused")

	other := anotherTab(t, h.server, desktop, b.address())
	other.expectRefusals()
	other.says(".statusline", "Paused")
	other.until("who watches can't stop it",
		`![...document.querySelectorAll("button")].some(e => e.textContent === "Stop for good")`)
	h.stop()
	h.start()
	b.focus(button("Go on"))
	b.keys(kb.Enter)
	other.open(other.address())
	other.says(".statusline", "Being played")
	b.says(".statusline", "Being played")
	b.focus(button("Stop for good"))
	b.keys(kb.Enter)
	b.says(".statusline", "Stopped")
	other.says(".statusline", "Stopped")

	b.open("#/arena")
	b.unfold("new")
	b.write(`[aria-label="Another player, typed"]`, "nobody")
	b.press("Add")
	b.press("Start it")
	b.says(".failure", "nobody")
	b.sound("arena-refused")
	b.open("#/arena?job=none")
	b.says(".failure", "no such tournament")
}

// TestArenaWithBot has a bot that is connected take part.
func TestArenaWithBot(t *testing.T) {
	server := newServer(t)
	connectBot(t, server, "mel")
	b := newTab(t, server, desktop.dark(), "#/arena")
	b.click("the bot", `[...document.querySelectorAll(".checks label")].find(e => e.textContent.includes("mel, a bot"))`)
	b.choose("games", "2")
	b.until("there is a clock", `document.getElementById("clock").value === "1m+1s"`)
	b.press("Start it")
	b.says(".statusline", "Finished: 20 of 20 games.")
	b.says(".ratings", "mel, a bot")
	b.until("it lost no game by a fault", `!document.querySelector(".ratings .fault")`)
	b.sound("arena-bot")
	b.open("online?game=ttt")
	b.says(".side-part", " Elo around the mean of your tournament, 8 games")
	b.sound("online-measured")
}

// TestSpecs shows a game that no list offers: its title in words stands over its page and in the list of tournaments.
func TestSpecs(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "arena")
	id := b.job(`{verb: "tournament", game: "mnk:9,7,5", seed: 1, args: {players: ["rows", "random"], games: 2}}`)
	b.open("arena?job=" + id)
	b.says("h1", "9×7, 5 in a row")
	b.open("arena")
	b.says(".shelf", "9×7, 5 in a row, ")
}

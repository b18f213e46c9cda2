package studio_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"

	"oxo/web/service"
)

// cutOff has ann, on a device, and bob in a game of tic-tac-toe, ann to move, whose server has been stopped.
func cutOff(t *testing.T, d device) (host *host, ann, bob *tab) {
	t.Helper()
	host = newHost(t)
	ann = newTab(t, host.server, d, "online?game=ttt")
	bob = anotherTab(t, host.server, desktop, "online")
	ann.expectRefusals()
	bob.expectRefusals()
	invited(t, ann, bob)
	host.stop()
	ann.says(".statusline.away", "The connection is lost")
	return host, ann, bob
}

// TestWaitingMoveKept: a move that waits for the server is sent when the page is opened again.
func TestWaitingMoveKept(t *testing.T) {
	host, ann, bob := cutOff(t, desktop)
	here := ann.address()
	ann.until("of the other side it is not known whether it is here", `!document.querySelector(".player").textContent.includes("here")`)
	ann.play("b2")
	ann.says(".statusline", "b2 waits")
	kept := eval[string](ann, `(() => { window.fetch = () => new Promise(() => {}); return JSON.stringify({...localStorage}); })()`)
	host.start()
	later := anotherTab(t, host.server, desktop, "online")
	eval[bool](later, `Object.assign(localStorage, `+kept+`) && true`)
	later.open(here)
	later.holds("b2", "X")
	bob.holds("b2", "X")
}

// TestWaitingMoveTooLate: where the game ends while a move waits for the server, it is said that the move came too
// late, and stays so.
func TestWaitingMoveTooLate(t *testing.T) {
	ann, bob := begunOnline(t)
	eval[bool](ann, `(() => { const asks = window.fetch; window.fetch = (path, ...a) => path.endsWith("/move") ? new Promise(() => {}) : asks(path, ...a); return true; })()`)
	ann.play("c3")
	ann.says(".statusline", "c3 waits until the server answers.") // as it does not within a few seconds
	ann.shot("online-slow")
	bob.press("Resign")
	bob.press("Yes, resign")
	ann.says(".statusline", "You won!")
	ann.says(".failure", "The game had ended: c3 was not sent.")
	bob.press("New game, sides swapped")
	ann.says(".actions", "Bob asks for another game.")
	ann.says(".failure", "The game had ended: c3 was not sent.")
}

// TestSilence: a server that says nothing any more is lost, also where no connection breaks.
func TestSilence(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, phone, "online?game=ttt")
	eval[bool](ann, `(() => { window.EventSource = class extends EventSource { constructor(...a) { super(...a); window.stream = this; } }; return true; })()`)
	bob := anotherTab(t, server, desktop, "online")
	invited(t, ann, bob)
	time.Sleep(2 * service.KeepAlive)
	ann.until("a quiet server is not lost", `!document.querySelector(".statusline.away")`)
	eval[bool](ann, `(() => { stream.close(); window.fetch = () => new Promise(() => {}); return true; })()`)
	ann.says(".statusline.away", "The connection is lost")
}

// TestWaitingMark: the mark of a move that waits is shown faintly on boards of all kinds, and told as one that is not
// there yet; in forced colours, where nothing is faint, it is dashed.
func TestWaitingMark(t *testing.T) {
	server := newServer(t)
	connectBot(t, server, "mel")
	b := newTab(t, server, phone, "online")
	for _, c := range []struct{ spec, move, of string }{
		{"ttt", "b2", ".sign"}, {"ultimate", "e5", ".sign"}, {"torus:4,4,4", "b2", ".sign"}, {"fano", "1", ".sign"},
		{"connect4", "d1", ".disc"}, {"mnk:9,9,5", "e5", ".stone"}, {"cube:4,3", "aa1", ".bead"},
	} {
		b.run(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}))
		b.open("online?game=" + url.QueryEscape(c.spec))
		b.choose("seat", "first")
		b.press("Play against mel")
		b.says(".statusline", "Your turn")
		eval[bool](b, `(() => { const asks = window.fetch; window.fetch = (path, ...a) => path.endsWith("/move") ? new Promise(() => {}) : asks(path, ...a); return true; })()`)
		name := eval[string](b, `(document.querySelector("button.cell[aria-label^='`+c.move+`,']") ?? document.querySelector("button.cell[aria-disabled=false]")).getAttribute("aria-label").split(",")[0]`)
		if c.spec != "fano" && c.spec != "cube:4,3" && name != c.move {
			t.Errorf("%s has no square %s", c.spec, c.move)
		}
		b.click(name, square(name))
		if button := eval[string](b, `document.querySelector(".aimbar .primary")?.textContent ?? ""`); button != "" {
			b.press(button)
		}
		b.holds(name, "empty")
		b.holds(name, "waits to be sent")
		const mark = `document.querySelector(".cell.sent .sign.x")`
		b.until("its mark is there", mark)
		style := func(property string) string {
			return eval[string](b, `getComputedStyle(`+mark+`.closest("`+c.of+`")).`+property)
		}
		if got := style("opacity"); got != "0.5" {
			t.Errorf("%s: the mark that waits has the opacity %s", c.spec, got)
		}
		b.shot("waits-" + c.spec)
		b.run(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}}))
		stroke := eval[string](b, `getComputedStyle(`+mark+`.firstElementChild).strokeDasharray`)
		if style("opacity") != "1" || !strings.HasPrefix(stroke, "0.09") {
			t.Errorf("%s: in forced colours the mark that waits has the opacity %s, strokes of %s", c.spec,
				style("opacity"), stroke)
		}
		b.shot("waits-forced-" + c.spec)
	}
}

// TestWaitingMoveSent: a move that waits for the server is sent from any page, which says so until it is.
func TestWaitingMoveSent(t *testing.T) {
	host, ann, bob := cutOff(t, phone)
	ann.play("b2")
	ann.press("Take b2 back")
	ann.holds("b2", "empty")
	ann.play("c3")
	ann.says(".statusline", "c3 waits")
	ann.click("another page", `document.querySelector("header .brand")`)
	ann.says(".waits", "Tic-tac-toe: c3 waits until the server answers.")
	host.start()
	bob.holds("c3", "X")
	ann.until("nothing waits", `!document.querySelector(".waits")`)
}

// TestWaitingMoveOfPuzzlesAndLessons: a move in a puzzle or in a lesson that is made while the server is away waits on
// its square, as is said, and is sent when the server is there again; nothing says then that it is away.
func TestWaitingMoveOfPuzzlesAndLessons(t *testing.T) {
	host := newHost(t)
	b := newTab(t, host.server, phone, "puzzles?id=daily")
	b.expectRefusals()
	const free = `document.querySelector('.board:not(.busy) .cell[aria-disabled="false"]')`
	try := func() string {
		b.Helper()
		name := eval[string](b, free+`.getAttribute("aria-label").split(",")[0]`)
		b.click(name, free)
		if button := eval[string](b, `document.querySelector(".aimbar .primary")?.textContent ?? ""`); button != "" {
			b.press(button)
		}
		b.until("its mark waits on the board", `document.querySelector(".cell.sent")`)
		return name
	}
	const top = `document.querySelector(".board").getBoundingClientRect().top + scrollY`
	waits := func(where string) {
		b.Helper()
		b.until("a move is there to be made", free)
		host.stop()
		before := eval[float64](b, top)
		name := try()
		b.says(where, "waits until the server answers.")
		b.says(".failure", "The server does not answer. It is asked again by itself.")
		b.shot("waits-" + where[1:])
		b.press("Take " + name + " back")
		b.until("it is taken back", free+` && !document.querySelector(".cell.sent") && !`+button("Take "+name+" back"))
		try()
		if now := eval[float64](b, top); now != before {
			t.Errorf("%s: the board's top was at %v, and is at %v", where, before, now)
		}
		host.start()
		b.until("nothing waits", `!document.querySelector(".cell.sent") && !document.querySelector(".failure")`)
	}
	waits(".tip")
	b.until("it was answered", `document.querySelector(".tip.right, .tip.wrong")`)
	b.open("teach?game=ttt")
	b.press("Start")
	b.says(".statusline", "Your turn: you play O.")
	waits(".statusline")
	b.until("it was made and answered", `document.querySelectorAll(".cell.o").length === 1 || document.querySelectorAll(".board .sign.o").length === 1`)
	b.until("it is the teacher's turn again", free)

	// A puzzle whose hint was seen has not been tried.
	hinted := anotherTab(t, host.server, desktop, "puzzles?id=daily")
	hinted.press("Hint")
	hinted.open("puzzles?id=daily")
	hinted.says(".tip", "You have seen a hint for this one before: it does not count again.")
}

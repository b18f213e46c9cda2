package studio_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"oxo/web"
)

// TestProve proves a small game from the page of proofs, opens the proof and
// has it checked, on both sizes.
func TestProve(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "#/proofs")
			b.says(".proof", "Nobody loses")
			b.until("only what can be proved is offered", `document.querySelectorAll("#game option").length > 10 && ![...document.querySelectorAll("#game option")].some(o => o.value.startsWith("tree:"))`)
			b.until("none was proved here",
				`![...document.querySelectorAll(".proof")].some(e => e.textContent.includes("proved here"))`)
			b.sound("prove-begin")
			b.choose("game", "animal:knobby,5,5")
			b.press("Prove it")
			b.says(".statusline", "Knobby, a polyomino, on 5×5: finished.")
			b.says(".good", "Proved: X wins.")
			b.says(".proof", "proved here")
			b.until("it is announced", `[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("Proved: X wins."))`)
			b.until("the certificate can be fetched", `document.querySelector('.course a[download="proof.cert"]')`)
			b.sound("prove-done")
			b.press("Open the proof")
			b.says(".statusline", "it claims that X wins. Your turn, as O.")
			b.press("Check it here")
			b.says(".checked", "It holds: X wins.")

			// Who deletes the search keeps the proof.
			b.press("All proofs")
			b.says(".shelf", "Knobby, a polyomino, on 5×5, finished")
			b.click("the button to delete it", `document.querySelector(".shelf .icon")`)
			b.click("the same button again", `document.querySelector(".shelf .remove")`)
			b.until("nothing was started here", `!document.querySelector(".shelf")`)
			b.says(".proof", "proved here")
		})
	}
}

// TestProveRace proves a race, in which play can go in circles, and loses against its proof, on both sizes.
func TestProveRace(t *testing.T) {
	for _, d := range bothSizes() {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "proofs?game=race:7")
			b.press("Prove it")
			b.says(".good", "Proved: O wins within 12 plies.")
			b.press("Open the proof")
			b.says("h1", "Jumping tokens on 7 squares: O wins within 12 plies.")
			b.says(".statusline", "it claims that O wins within 12 plies")
			b.says(".side-part", "Retrograde analysis, which gives each move its rank")
			b.press("Check it here")
			b.says(".checked", "It holds: O wins within 12 plies. 12 positions and 16 replies were checked")
			b.play("2")
			b.says(".statusline", "The proof plays 6, as its strategy says; it claims that O wins within 12 plies.")
			b.sound("prove-race-" + d.String())
			for range 6 {
				b.until("the proof has answered",
					`document.querySelector(".ended") || document.querySelectorAll(".cell[aria-disabled=false]").length > 0`)
				if eval[bool](b, `Boolean(document.querySelector(".ended"))`) {
					break
				}
				b.click("the last move there is", `[...document.querySelectorAll(".cell[aria-disabled=false]")].at(-1)`)
			}
			b.says(".statusline", "O wins")
			b.says(".statusline", "As the proof claims.")
			b.sound("prove-race-lost-" + d.String())
		})
	}
}

// TestProveByKeyboard starts, pauses and ends the search for a proof that takes
// hours, with a restart of the server in each state, and is watched by somebody
// else.
func TestProveByKeyboard(t *testing.T) {
	h := newHostWith(t, plenty)
	b := newTab(t, h.server, phone.dark(), "#/proofs?game=mnk:7,6,4%2Bgravity")
	b.expectRefusals() // while the server is away
	enter := func(name string) {
		b.focus(button(name))
		b.keys(kb.Enter)
	}
	again := func(state string) {
		b.Helper()
		h.stop()
		h.start()
		b.open(b.address())
		b.says(".course .statusline", state)
	}
	enter("Prove it")
	b.says(".course .statusline", "Connect Four: being proved.")
	b.until("positions are counted",
		`document.querySelectorAll(".facts td").length === 4 && ![...document.querySelectorAll(".facts td")].some(e => e.textContent === "–")`)
	b.sound("prove-running")
	again("Connect Four: being proved.")
	enter("Pause")
	b.says(".course .statusline", "Connect Four: paused.")
	b.until("it is announced", `[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("paused"))`)
	b.sound("prove-paused")
	again("Connect Four: paused.")

	other := anotherTab(t, h.server, desktop, b.address())
	other.says(".course .statusline", "Connect Four: paused.")
	other.until("who watches can't go on with it", `!document.querySelector(".course button")`)
	enter("Go on")
	b.says(".course .statusline", "Connect Four: being proved.")
	other.says(".course .statusline", "Connect Four: being proved.")
	enter("End it")
	b.says(".course .statusline", "Connect Four: ended.")
	b.says(".course", "There is no proof, as the search was ended before it was found.")
	other.says(".course .statusline", "Connect Four: ended.")
	b.sound("prove-ended")
}

// plenty is memory for jobs, whatever other tests take of it.
func plenty(o *web.Config) { o.JobMemory = 1 << 40 }

// TestProveGivesUp has a search end when its time is up, and says so.
func TestProveGivesUp(t *testing.T) {
	b := newTab(t, newHostWith(t, plenty).server, desktop, "#/proofs?game=mnk:7,6,4%2Bgravity&time=1ms")
	b.press("Prove it")
	b.says(".course .failure", "There is no proof: the search has ended without an answer. It was to give up after "+
		"1ms.")
	b.choose("time", "10m")
	b.until("the link has it", `location.href.includes("time=10m")`)
	b.sound("prove-given-up")
}

// TestProveRefused shows why there is no proof.
func TestProveRefused(t *testing.T) {
	h := newHostWith(t, func(o *web.Config) { o.JobMemory = 1 })
	b := newTab(t, h.server, phone, "#/proofs")
	b.expectRefusals()
	b.choose("game", "typed")
	b.write(`[aria-label="Game, typed"]`, "tree:three-ply")
	b.press("Use it")
	b.until("the game is chosen", `location.href.includes("tree:three-ply")`)
	b.press("Prove it")
	b.says(".failure",
		"proofs are of games with squares and winning sets, of nine boards, and of races; tree:three-ply is none")
	b.sound("prove-refused")
	b.choose("game", "mnk:7,6,4+gravity")
	b.until("that was about the other game", `!document.querySelector(".failure")`)
	b.press("Prove it")
	b.says(".failure", "There is no proof. It needs more memory than the server has for jobs")
	b.sound("prove-failed")
	b.open("#/proofs?job=none")
	b.says(".failure", "There is no such search for a proof on this server.")
}

// TestProveClaim asks for a claim: what is none is refused with what is accepted, and another is proved.
// Nine boards are among the games.
func TestProveClaim(t *testing.T) {
	b := newTab(t, newServer(t), phone, "proofs?game=mnk:4,3,3")
	b.expectRefusals()
	b.until("nine boards are offered", `document.querySelector('#game option[value="ultimate"]')`)
	b.write("#claim", "foo")
	b.press("Prove it")
	b.says(".failure", `claim "foo": there are first, second, draw, not-lose:first`)
	b.sound("prove-claim")
	b.write("#claim", "not-lose:second")
	b.until("that was about another claim", `!document.querySelector(".failure")`)
	b.press("Prove it")
	b.says(".course", "It is not so: not-lose:second. Proved: X wins.")
}

// TestProofFound has a proof come while its page is open, for who follows the search's link and for who opens it from
// the list: nothing that stands there moves.
func TestProofFound(t *testing.T) {
	for _, c := range []struct {
		d    device
		from string
	}{{desktop, "link"}, {phone, "list"}, {lying, "link"}} {
		t.Run(c.d.String()+"/"+c.from, func(t *testing.T) {
			b := newTab(t, newHostWith(t, plenty).server, c.d, "proofs")
			id := b.job(`{verb: "prove", game: "mnk:5,5,4", seed: 1}`)
			steer := func(verb string) {
				eval[bool](b, fmt.Sprintf(`fetch("api/v1/jobs/%s/%s", {method: "POST"}).then(r => r.ok)`, id, verb))
			}
			steer("pause")
			if c.from == "link" {
				b.open("proofs?job=" + id)
			} else {
				b.open("proofs")
				b.click("the search", `document.querySelector(".shelf button.plain")`)
			}
			b.says(".course .statusline", "paused")
			b.says(".proof", "Nobody loses")
			time.Sleep(time.Second) // the press is no reason any more
			eval[bool](b, `window.acted = false; window.shifted = 0; window.shifts = []; true`)
			steer("resume")
			b.says(".course .good", "Proved: nobody loses.")
			b.says(".proof", "proved here")
			b.sound("proof-found-" + c.from)
			if shift := eval[float64](b, "window.shifted"); shift > noShift {
				t.Errorf("the layout jumps by %.3f: %s", shift, eval[string](b, `window.shifts.join("; ")`))
			}
		})
	}
}

package studio_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"oxo/web/live"
)

// pageOf is the address in a link, without the server's.
func pageOf(link string) string { return link[strings.LastIndex(link, "/")+1:] }

// TestInvitedJoins: the address of an open game is its invitation, and who has less of it is told. Somebody accepts,
// and what the inviter sees becomes the game without a jump.
func TestInvitedJoins(t *testing.T) {
	server := newServer(t)
	for _, d := range []device{handheld, desktop} {
		t.Run(d.String(), func(t *testing.T) {
			ann := newTab(t, server, d, "online?game=ttt")
			ann.press("Open the game")
			ann.until("there is an invitation", `document.getElementById("invitation")?.value.includes("invite=")`)
			ann.sound("invited")
			ann.open(ann.address())
			ann.until("the seat is kept", `document.getElementById("invitation")?.value === location.href`)
			cat := anotherTab(t, server, phone, strings.Split(ann.address(), "#")[0])
			cat.says("main", "Are you the one? Then ask for the whole link")
			eval[bool](ann, `window.acted = false; window.shifted = 0; window.shifts = []; true`)
			bob := anotherTab(t, server, phone, ann.address())
			bob.press("Accept and play")
			ann.until("the game begins", `document.querySelectorAll(".main-part .cell").length === 9`)
			ann.until("the invitation is used up", `!location.hash`)
			ann.says(".player", "here")
			if shift := eval[float64](ann, "window.shifted"); shift > noShift {
				t.Errorf("the layout jumps by %.3f: %s", shift, eval[string](ann, `window.shifts.join("; ")`))
			}
			ann.sound("joined")
		})
	}
}

// TestOnline has two people play each other and a third watch: on one screen by
// mouse, on the other by touch.
func TestOnline(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, desktop, "#/play?game=ttt&first=human&second=human")
	ann.press("Play somebody online, or a bot")
	ann.says("h1", "Play online")
	ann.says(".side-part", "No program is connected just now.")
	ann.says(".side-part", "Games that were open to anybody stand here")
	ann.says(".side-part", "Nobody is looking for a game")
	ann.sound("online")
	ann.choose("seat", "first")
	ann.choose("clock", "15+10")
	ann.write("#name", "Ann")
	ann.press("Open the game")
	ann.says(".statusline", "Waiting for the other side")
	ann.until("there is an invitation", `document.getElementById("invitation")?.value.includes("invite=")`)
	ann.says(".card", "Whoever accepts it first plays O against you. Each side has 15 minutes and 10 s a move.")
	ann.sound("online-open")
	link := eval[string](ann, `document.getElementById("invitation").value`)

	bob := anotherTab(t, server, phone.dark(), pageOf(link))
	bob.says(".card", "Ann asks you to play tic-tac-toe. You would play O; 15 minutes and 10 s a move.")
	bob.says(".card", "Whoever first owns 3 in a row")
	bob.says(".card", "Whoever stays away for 90 s can be made to lose.")
	bob.says(".card", "Without a first move within 5 minutes the game is called off.")
	bob.sound("online-invited")
	bob.write("#name", "Bob")
	bob.press("Accept and play")
	bob.says(".statusline", "Ann’s turn: X to move")
	ann.says(".statusline", "Your turn: X to move")
	ann.says(".player", "Bob")
	ann.says(".player.turn", "first move within 4:")
	ann.until("the title says whose turn it is", `document.title.startsWith("● Your turn – ")`)
	bob.until("the title is that of the game", `document.title.startsWith("Tic-tac-toe")`)

	ann.play("b2")
	bob.holds("b2", "X")
	bob.says(".statusline", "Your turn")
	bob.until("the move is announced",
		`[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("b2 was played. Your turn: O to move"))`)
	bob.play("a1")
	ann.holds("a1", "O")
	ann.until("a clock runs", `document.querySelectorAll(".clock").length === 2 && document.querySelector(".player.turn .clock").textContent !== "15:00"`)
	bob.sound("online-playing")
	bob.until("the moves stand right under what can be done", `(() => { const at = e => e.getBoundingClientRect(); return at(document.querySelector(".moves")).top - at(document.querySelector(".actions")).bottom < 90; })()`)

	// The link to watch gives no seat.
	ann.until("it is a code for cameras too", `document.querySelector(".side-part details:not([open]):has(#watching) .qr path")`)
	cat := anotherTab(t, server, phone, pageOf(eval[string](ann, `document.getElementById("watching").value`)))
	cat.holds("a1", "O")
	cat.says(".statusline", "Ann to move.")
	cat.until("who watches can do nothing",
		`![...document.querySelectorAll("button")].some(e => e.textContent === "Resign") && document.querySelectorAll(".cell[aria-disabled=false]").length === 0`)
	ann.play("a2")
	cat.holds("a2", "X")
	cat.sound("online-watching")

	// A person who comes back has the seat still, and the front page leads there.
	bob.open("")
	bob.says(".left", "Tic-tac-toe online, against Ann, your turn")
	bob.sound("online-left")
	bob.click("the game", `document.querySelector(".left")`)
	bob.says(".statusline", "Your turn")
	bob.play("c2")
	ann.says(".statusline", "Your turn")
	ann.press("One move back")
	ann.says(".muted", "You look back.")
	ann.holds("c2", "empty")
	ann.press("To the game")
	ann.holds("c2", "O")
	ann.press("To the start")
	ann.holds("b2", "empty")
	ann.click("b3, which leads back and plays nothing", square("b3"))
	ann.holds("c2", "O")
	ann.holds("b3", "empty")

	bob.press("Offer a draw")
	ann.says(".statusline", "Bob offers a draw.")
	ann.until("it can be declined, at one's turn too", button("Decline the draw"))
	ann.until("the offer is announced",
		`[...document.querySelectorAll('[aria-live="polite"]')].some(e => e.textContent.includes("Bob offers a draw."))`)
	bob.says(".statusline", "Draw offered until they move.")
	ann.sound("online-draw")
	ann.play("b3")
	bob.until("the offer has lapsed", button("Offer a draw"))

	ann.press("Resign")
	ann.press("No")
	ann.press("Resign")
	ann.press("Yes, resign")
	cat.says(".statusline", "Ann resigned. Bob wins.")
	ann.says(".statusline", "You resigned. Bob won.")
	ann.says(".player", "Bobhere")
	ann.says(".ending h2", "You lost this one.")
	bob.says(".statusline", "You won! Ann resigned.")
	bob.says(".ending.triumph h2", "You won!")
	ann.says(".ending .why", "With best play it was still a draw when you gave up.")
	bob.says(".ending .why", "With best play it was still a draw")
	bob.sound("online-won")
	for _, b := range []*tab{ann, cat} {
		b.until("nothing is celebrated", `document.querySelector(".ending") && !document.querySelector(".burst")`)
	}
	cat.until("who watches has not played", `!/You (won|lost)/.test(document.querySelector("main").textContent)`)
	cat.says(".ending h2", "Ann resigned. Bob wins.")
	ann.sound("online-over")
	ann.press("New game, sides swapped")
	ann.says(".actions", "Rematch offer sent to Bob.")
	ann.says(".statusline", "You resigned. Bob won.") // the end stays in view
	ann.sound("online-offered-again")
	bob.says(".actions", "Ann asks for another game.")
	bob.sound("online-again")
	bob.press("Accept and play")
	bob.play("a1")
	cat.press("To the next game")
	cat.holds("a1", "X")
	ann.play("b2")
	ann.press("Offer a draw")
	bob.press("Accept the draw")
	for _, b := range []*tab{ann, bob} {
		b.says(".statusline", "A draw: both sides agreed on it.")
	}
	ann.says(".tally", "You 0Drawn 1Bob 1")
	bob.says(".tally", "You 1Drawn 1Ann 0")
	bob.sound("online-score")
	ann.press("New game, sides swapped")
	ann.says(".actions", "Rematch offer sent to Bob.")
	ann.says(".tally", "You 0Drawn 1Bob 1")
	ann.press("Withdraw it")
	ann.says(".actions", "New game, sides swapped")
	ann.until("both are there still", `document.querySelector(".player").textContent.includes("here")`)
	bob.open("play")
	ann.says(".player", "away")
	bob.says(".shelf", "Tic-tac-toe against Ann, you won")
	bob.until("no game goes on", `!document.querySelector(".left")`)
	bob.click("the game online", `[...document.querySelectorAll(".shelf button")].find(e => e.textContent.includes("you won"))`)
	bob.says(".statusline", "You won! Ann resigned.")
	bob.press("Another game online")
	bob.until("the game has its name", `document.getElementById("game")?.selectedOptions[0]?.textContent === "Tic-tac-toe"`)
	bob.open("play")
	bob.press("Explore")
	bob.says("h1", "Explore")
}

// TestOnlineByKeyboard opens a game to anybody, accepts one, plays and calls it
// off without a mouse; a lost connection is taken up again.
func TestOnlineByKeyboard(t *testing.T) {
	host := newHost(t)
	server := host.server
	ann := newTab(t, server, phone, "#/online?game=mnk:4,4,4")
	ann.expectRefusals() // while the server is away
	ann.choose("whom", "anybody")
	ann.choose("seat", "first")
	ann.choose("clock", "15+10")
	ann.focus(`document.getElementById("name")`)
	ann.keys(kb.Enter)
	ann.says(".statusline", "Waiting for the other side")

	eve := anotherTab(t, server, phone, "online")
	eve.until("what is offered stands before the form on a phone", `(() => { const [offer, form] = [document.querySelector(".shelf button"), document.querySelector("form")]; return offer && form && offer.compareDocumentPosition(form) & Node.DOCUMENT_POSITION_FOLLOWING; })()`)
	eve.sound("online-seek-phone")
	eve.open("search")
	bob := anotherTab(t, server, desktop.dark(), "#/online")
	bob.expectRefusals()
	bob.says(".side-part", "4×4, four in a row")
	bob.sound("online-seek")
	bob.focus(button("Accept the game of Guest"))
	bob.keys(kb.Enter)
	bob.says(".statusline", "Guest’s turn: X to move")
	bob.says(".player", "Guest 2 (you)")
	cat := anotherTab(t, server, phone, "online")
	cat.expectRefusals()
	cat.says(".shelf", "Guest – Guest 2")
	cat.sound("online-played")
	cat.click("the game", `[...document.querySelectorAll(".shelf a")].find(e => e.textContent === "Watch")`)
	cat.says(".muted", "You watch this game.")
	dan := anotherTab(t, server, desktop, "online")
	dan.expectRefusals()
	dan.says(".shelf", "Guest – Guest 2 · 1 watching")
	bob.until("the other side has no mark of being oneself", `document.querySelector(".player").textContent.startsWith("XGuesthere")`)

	ann.says(".statusline", "Your turn")
	ann.focus(`document.querySelector('.cell[tabindex="0"]')`)
	ann.keys(kb.ArrowDown, kb.Enter)
	bob.holds("a3", "X")

	host.stop()
	ann.says(".statusline.away", "The connection is lost")
	bob.says(".statusline.away", "The connection is lost")
	eval[bool](bob, `(window.clocks = new Set()) && setInterval(() => clocks.add(document.querySelector(".player.turn .clock")?.textContent), 100) > 0`)
	time.Sleep(1500 * time.Millisecond)
	bob.until("clocks of which nothing is known stand", `clocks.size === 1`)
	host.start()
	for _, b := range []*tab{ann, bob} {
		b.until("it is connected again", `!document.querySelector(".away")`)
	}
	bob.focus(`document.querySelector('.cell[tabindex="0"]')`)
	bob.keys(kb.End, kb.Enter)
	bob.holds("d1", "O")
	ann.holds("d1", "O")

	// One who leaves is seen to be away, and back.
	here := ann.address()
	ann.open("#/search")
	bob.says(".player", "away")
	bob.says(".actions", "is away: claim the win in")
	bob.says(".statusline", "Guest has been away for")
	bob.says("[role=status]", "Guest is away.")
	ann.open(here)
	bob.says(".player", "here")

	ann.focus(button("Resign"))
	ann.keys(kb.Enter)
	ann.until("the answer has the focus", `document.activeElement.textContent === "Yes, resign"`)
	ann.keys(kb.Escape)
	ann.until("the question has gone, and the focus is there", `document.activeElement.textContent === "Resign"`)
	ann.keys(kb.Enter)
	ann.until("the answer has the focus again", `document.activeElement.textContent === "Yes, resign"`)
	ann.keys(kb.Enter)
	bob.says(".statusline", "You won! Guest resigned.")
	bob.open("#/online?id=nothing")
	bob.says(".failure", "no such game on this server")
}

// TestNothingToClaim: who leaves before both have moved has not lost, and the game that nobody plays to its end is none
// to go on with.
func TestNothingToClaim(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, desktop, "online?game=ttt")
	bob := anotherTab(t, server, phone, "online")
	invited(t, ann, bob)
	ann.play("b2")
	bob.says(".statusline", "Your turn")
	here := bob.address()
	bob.open("search")
	ann.says(".player", "away")
	time.Sleep(3 * time.Second) // after which a win is counted down to
	if said := eval[string](ann, `document.querySelector(".actions").innerText`); said != "Call the game off\nTake back" {
		t.Errorf("of one who has not moved it says %q", said)
	}
	bob.open(here)
	bob.press("Call the game off")
	bob.press("Yes, call it off")
	ann.says(".statusline", "No result: Bob called the game off.")
	bob.says(".statusline", "No result: you called the game off.")
	ann.open("")
	ann.says(".statusline", "to move")
	if eval[bool](ann, `document.querySelector("main").innerText.includes("The game you left")`) {
		t.Error("a game without a result is offered to go on with")
	}
}

// TestBotOnline challenges a connected bot from the page.
func TestBotOnline(t *testing.T) {
	server := newServer(t)
	connectBot(t, server, "mel")
	b := newTab(t, server, desktop, "#/online?game=ttt")
	b.choose("seat", "second")
	b.says(".side-part", "strength not measured")
	b.says("#begins", "Play begins Tic-tac-toe, no clocks, you second.")
	b.press("Play against mel")
	b.says(".statusline", "Your turn")
	b.holds("a3", "X") // it plays the first square that is free
	b.play("b2")
	b.holds("b3", "X")
	b.play("c2")
	b.says(".statusline", "X wins, with a3, b3, c3 complete")
	b.says(".player", "mel, a bot")
	b.sound("online-bot")
	b.press("New game, sides swapped")
	b.says(".statusline", "Your turn")
	b.press("Call the game off")
	b.press("No")
	b.press("Call the game off")
	b.press("Yes, call it off")
	b.says(".statusline", "No result")
}

// connectBot connects a bot that accepts every challenge and always plays the
// first legal move. It goes when the server closes.
func connectBot(t *testing.T, server *httptest.Server, name string) {
	t.Helper()
	var made live.TokenReply
	call := func(method, path, token string, body, into any) error {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		q, err := http.NewRequest(method, server.URL+"/api/v1/"+path, bytes.NewReader(data))
		if err != nil {
			return err
		}
		q.Header.Set("Content-Type", "application/json")
		if token != "" {
			q.Header.Set("Authorization", "Bearer "+token)
		}
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			return err
		}
		defer r.Body.Close()
		if lines, ok := into.(func(line []byte)); ok {
			scan := bufio.NewScanner(r.Body)
			scan.Buffer(nil, 1<<20)
			for scan.Scan() {
				lines(scan.Bytes())
			}
			return scan.Err()
		}
		data, err = io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			return fmt.Errorf("%s %s: %s: %s: %w", method, path, r.Status, data, err)
		}
		if into == nil {
			return nil
		}
		return json.Unmarshal(data, into)
	}
	if err := call("POST", "bots", "", map[string]any{"name": name}, &made); err != nil {
		t.Fatal(err)
	}
	play := func(id, seat string) {
		_ = call("GET", "sessions/"+id+"/stream", made.Token, nil, func(line []byte) {
			var v live.View
			if json.Unmarshal(line, &v) == nil && v.State == "playing" && v.Turn == seat {
				// the page shows what comes of it
				_ = call("POST", "sessions/"+id+"/move", made.Token, map[string]any{"move": v.Legal[0], "ply": v.Ply},
					nil)
			}
		})
	}
	listening := make(chan struct{})
	go func() {
		said := false
		_ = call("GET", "bots/stream", made.Token, nil, func(line []byte) {
			if !said { // the first line, empty, says that all has been told
				said = true
				close(listening)
			}
			var e live.BotEvent
			if json.Unmarshal(line, &e) != nil {
				return
			}
			switch e.Type {
			case live.EventChallenge:
				_ = call("POST", "sessions/"+e.Session.ID+"/accept", made.Token, map[string]any{}, nil)
			case live.EventGameStart:
				go play(e.Session.ID, e.Seat)
			}
		})
	}()
	<-listening
}

// invited opens the game of the page in which ann moves first, and has bob accept it.
func invited(t *testing.T, ann, bob *tab) {
	t.Helper()
	ann.choose("seat", "first")
	ann.write("#name", "Ann")
	ann.press("Open the game")
	ann.until("there is an invitation", `document.getElementById("invitation")?.value.includes("invite=")`)
	bob.open(pageOf(eval[string](ann, `document.getElementById("invitation").value`)))
	bob.says(".card", "Whoever stays away for a day can be made to lose.")
	bob.write("#name", "Bob")
	bob.press("Accept and play")
	bob.says(".statusline", "Ann’s turn") // and so its seat is kept
	ann.says(".statusline", "Your turn")
}

// begunOnline has two people play each other by a link, the one who invited to move after a move of each.
func begunOnline(t *testing.T) (ann, bob *tab) {
	t.Helper()
	server := newServer(t)
	ann = newTab(t, server, desktop, "online?game=ttt")
	bob = anotherTab(t, server, phone, "online")
	invited(t, ann, bob)
	ann.play("b2")
	bob.play("a1")
	ann.says(".statusline", "Your turn")
	return ann, bob
}

// TestDrawAnswered: a draw is declined and accepted out of turn, and Explore says that it was agreed on.
func TestDrawAnswered(t *testing.T) {
	ann, bob := begunOnline(t)
	for _, b := range []*tab{ann, bob} {
		eval[bool](b, listen)
	}
	ann.press("Offer a draw")
	bob.until("the title says that an offer waits", `document.title.startsWith("● An offer – ")`)
	bob.says(".statusline", "Ann’s turn: X to move. Ann offers a draw.")
	ann.says(".statusline", "Your turn: X to move. Draw offered until they move.")
	for b, text := range map[*tab]string{ann: "Draw offered until they move.", bob: "Ann offers a draw."} {
		if got := eval[[]string](b, "window.told"); len(got) != 1 || got[0] != text {
			t.Errorf("of the offer %q is told", got)
		}
		b.oneRow()
	}
	bob.sound("online-offered")
	bob.press("Resign")
	bob.oneRow()
	bob.press("No")
	bob.press("Decline the draw")
	ann.says(".statusline", "Draw declined.")
	ann.until("it can't be offered again", button("Offer a draw")+`?.getAttribute("aria-disabled") === "true"`)
	ann.sound("online-declined")
	bob.until("nothing is offered", `!`+button("Decline the draw")+` && `+button("Offer a draw"))
	ann.play("a2")
	ann.until("it can be offered again", `!document.querySelector(".statusline").textContent.includes("declined")`)
	bob.says(".statusline", "Your turn")
	// The answer to the offer comes after the end of the game.
	eval[bool](bob, `(() => { const asks = window.fetch; window.fetch = (path, ...a) => asks(path, ...a).then(r =>
		path.endsWith("/draw") ? new Promise(done => setTimeout(() => done(r), 2000)) : r); return true; })()`)
	bob.press("Offer a draw")
	for _, b := range []*tab{ann, bob} {
		eval[bool](b, `(window.told = [], true)`)
	}
	ann.press("Accept the draw")
	bob.says(".statusline", "A draw: both sides agreed on it.")
	time.Sleep(3 * time.Second)
	for _, b := range []*tab{ann, bob} {
		got := eval[[]string](b, "window.told")
		at := slices.Index(got, "A draw: both sides agreed on it.")
		if at < 0 || slices.ContainsFunc(got[at+1:], func(s string) bool { // after it the judge alone has its say
			return !strings.HasPrefix(s, "Nobody made a mistake: well played!")
		}) {
			t.Errorf("of the end %q is told", got)
		}
		b.saidOnce()
		b.says(".statusline", "A draw: both sides agreed on it.")
	}
	bob.press("Look at the game in Explore")
	bob.says(".statusline", "A draw: both sides agreed on it.")
}

// oneRow holds what can be done in a game to stand in one row, in sight, at widths of a laptop and of phones.
func (b *tab) oneRow() {
	b.Helper()
	defer b.run(chromedp.EmulateViewport(b.device.width, b.device.height))
	for _, size := range [][2]int64{{1366, 768}, {390, 844}, {320, 640}} {
		b.run(chromedp.EmulateViewport(size[0], size[1]))
		if high := eval[float64](b, `document.querySelector(".statusline").offsetHeight / parseFloat(getComputedStyle(document.querySelector(".statusline")).fontSize)`); high > 3.3 {
			b.Errorf("at %d×%d the line over the board is %.1f em high", size[0], size[1], high)
		}
		rows := eval[int](b, `new Set([...document.querySelectorAll(".main-part > .actions button")].filter(e => e.offsetHeight > 0).map(e => e.offsetTop)).size`)
		end := eval[float64](b, `document.querySelector(".main-part > .actions").getBoundingClientRect().bottom`)
		if rows != 1 || end > float64(size[1]) {
			b.Errorf("at %d×%d what can be done stands in %d rows, and ends at %v", size[0], size[1], rows, end)
		}
	}
}

// TestOwnClock plays with a clock of one's own, which runs out: what the server takes for none is said before, and
// Explore says how the game ended.
func TestOwnClock(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, phone, "online?game=connect4")
	ann.choose("seat", "first")
	ann.choose("clock", "own")
	ann.write("#minutes", "1441")
	ann.press("Open the game")
	ann.says(".failure", "to 1,440 minutes, and adds from 0 to 3,600 seconds a move.")
	ann.sound("online-clock")
	ann.write("#minutes", "0,05")
	ann.write("#more", "1")
	ann.press("Open the game")
	ann.until("there is an invitation", `document.getElementById("invitation")?.value.includes("invite=")`)
	bob := anotherTab(t, server, desktop, pageOf(eval[string](ann, `document.getElementById("invitation").value`)))
	bob.says(".card", "3 s and 1 s a move")
	bob.press("Accept and play")
	ann.until("discs say who is who", `document.querySelectorAll(".player .disc").length === 2`)
	ann.play("d1")
	bob.play("c1")
	bob.sound("online-discs")
	ann.says(".statusline", "You ran out of time. Guest 2 won.")
	bob.says(".statusline", "You won! Guest ran out of time.")
	bob.press("Look at the game in Explore")
	bob.says(".statusline", "Red ran out of time. Yellow wins.")
	bob.says(".main-part", "Red: Guest; Yellow: Guest 2")
	bob.open("play")
	bob.says(".shelf", "Connect Four against Guest, you won")
}

// TestTypedGame: who opens a game gets the one that stands in the fields, also where it was not entered before; one
// that there is not is refused in its place. So it is where a tournament, a proof or a training is started.
func TestTypedGame(t *testing.T) {
	server := newServer(t)
	b := newTab(t, server, desktop, "online")
	b.expectRefusals()
	const typed = `[aria-label="Game, typed"]`
	b.choose("game", "typed")
	b.write(typed, "mnk:4,4")
	b.press("Open the game")
	b.says(".field .failure", "3 whole numbers")
	b.write(typed, "mnk:4,4,4+misere")
	b.press("Open the game")
	b.says("h1", "4×4, 4 in a row, misère")
	b.press("Withdraw it")
	b.open("online")
	b.choose("game", "sizes:mnk")
	b.write("#game-size0", "5")
	b.write("#game-size1", "4")
	b.write("#game-size2", "4")
	b.press("Open the game")
	b.says("h1", "5×4, 4 in a row")
	b.open("learn")
	b.choose("game", "typed")
	b.write(typed, "mnk:3,3")
	b.press("Start")
	b.says(".field .failure", "3 whole numbers")
	b.open("arena?game=ttt")
	b.choose("game", "typed")
	b.write(typed, "mnk:4,3,3")
	b.press("Start it")
	b.says("h1", "4×3, 3 in a row")
	b.open("arena")
	b.says(".shelf", "4×3, 3 in a row, ")
	b.open("learn?game=mnk:4,3,3")
	b.press("Start")
	b.says(".statusline", " on 4×3, 3 in a row")
	b.open("learn")
	b.says(".shelf", " on 4×3, 3 in a row")
}

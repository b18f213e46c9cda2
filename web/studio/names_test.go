package studio_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// Names of forty letters that differ in the last one.
const (
	longName   = "alphabeta:time=100ms,eval=rows,deeper=yx"
	longerName = "alphabeta:time=100ms,eval=rows,deeper=yy"
)

// TestLongNamesDiffer: who is who can be told where names are long and differ at the end: in a game that goes on, among
// those that wait and are played, and over the board; each name is there whole for those who point at it or hear it.
func TestLongNamesDiffer(t *testing.T) {
	b := newTab(t, newServer(t), handheld, "online")
	id := eval[string](b, fmt.Sprintf(`(async () => {
		const post = (path, body) => fetch("api/v1/sessions" + path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)}).then(r => r.json());
		const open = (name) => post("", {game: "ttt", seat: "first", name, public: true, clock: {bank_ms: 300000, increment_ms: 0}});
		const {session} = await open(%[1]q);
		await post("/" + session.id + "/accept", {name: %[2]q});
		await Promise.all([open(%[1]q), open(%[2]q)]);
		return session.id; })()`, longName, longerName))
	all := func(end string) string {
		return fmt.Sprintf(`(all => all.length > 0 && all.every(e => { const box = e.parentElement.getBoundingClientRect(), r = e.getBoundingClientRect();
			return r.right <= box.right + 1 && r.bottom <= box.bottom + 1 && r.width > 20; }))([...document.querySelectorAll(%s)])`, quote(end))
	}
	b.until("the games are listed", `document.querySelectorAll(".shelf .plain").length === 3`)
	for _, size := range [][2]int64{{1366, 768}, {390, 844}, {320, 640}} {
		b.run(chromedp.EmulateViewport(size[0], size[1]))
		if cut := eval[string](b, `[...document.querySelectorAll(".shelf .plain .muted")].filter(e => e.scrollWidth > e.clientWidth + 1 || getComputedStyle(e).textOverflow === "ellipsis").map(e => e.textContent).join("; ")`); cut != "" {
			t.Errorf("at %d the lobby cuts %s", size[0], cut)
		}
	}
	b.open("online?id=" + id)
	b.until("both sides are named", `document.querySelectorAll(".player .long").length === 2`)
	for _, size := range [][2]int64{{1366, 768}, {390, 844}, {320, 640}} {
		b.run(chromedp.EmulateViewport(size[0], size[1]))
		b.until(fmt.Sprintf("at %d the ends are in sight", size[0]), all(".player .long > :last-child"))
		if high := eval[float64](b, `Math.max(...[...document.querySelectorAll(".player")].map(e => e.offsetHeight))`); high > 60 {
			t.Errorf("at %d a side's row is %v pixels high", size[0], high)
		}
		b.sound(fmt.Sprintf("long-names-%d", size[0]))
	}
	said := eval[string](b, `[...document.querySelectorAll(".player .long")].map(e => e.title + " " + e.querySelector(".unseen").textContent).sort().join(" ")`)
	if want := fmt.Sprintf("%[1]s %[1]s %[2]s %[2]s", longName, longerName); said != want {
		t.Errorf("the names are %s", said)
	}
	b.open("play?game=ttt&first=human&second=alphabeta:time=100ms,eval=rows,without=killers")
	b.until("its opponent's end is in sight", all(".opponent .long > :last-child"))
}

package studio_test

import (
	"testing"
)

// longPages are pages of many screens: a part of each, by its title and the address at which it opens, with what
// is in it.
var longPages = []struct{ name, address, title, part, holds string }{
	{"docs", "docs", "/jobs", "docs?part=part-jobs", "#list-jobs"},
	{"claims", "claims", "C. Weger, Meta Tic-Tac-Toe: learning by temporal differences, web page and its code",
		"claims?part=weger", `a[href*="weger-series"]`},
	{"weger", "weger", "The honest measure", "weger?part=measure", "#measure .row button"},
}

// seen asks whether what the selector names is shown, if not in sight.
func seen(selector string) string {
	return `document.querySelector(` + quote(selector) + `)?.checkVisibility({contentVisibilityAuto: true})`
}

// atTop asks whether the part that holds what the selector names begins at the top of the screen, or as near to it as
// the page's end lets it.
func atTop(selector string) string {
	return `((e) => e && (e.getBoundingClientRect().top < 60 || scrollY + innerHeight > document.documentElement.scrollHeight - 2) &&
		e.getBoundingClientRect().top > -1 && e.contains(document.activeElement))(document.querySelector(` + quote(selector) + `)?.closest("main .page > .fold, section > .fold"))`
}

// TestLongPages opens pages of many screens on a phone: their parts are folded, contents lead to them, addresses
// open them, one press leads back to the top, and on paper all is there.
func TestLongPages(t *testing.T) {
	for _, d := range []device{handheld, narrow, handheld.dark()} {
		t.Run(d.String(), func(t *testing.T) {
			b := newTab(t, newServer(t), d, "play")
			for _, p := range longPages {
				b.open(p.address)
				b.says(".contents a", p.title)
				if screens := eval[float64](b, "document.documentElement.scrollHeight / innerHeight"); screens > 4 {
					t.Errorf("%s is %.1f screens high", p.name, screens)
				}
				if eval[bool](b, seen(".contents a")) {
					t.Errorf("%s: contents are open", p.name)
				}
				b.sound("long-" + p.name)
				b.press("Contents")
				b.click("the part", `[...document.querySelectorAll(".contents a")].find(a => a.textContent === `+quote(p.title)+`)`)
				b.until(p.name+" shows its part", seen(p.holds)+" && "+atTop(p.holds))
				b.until("the address names it", "location.href.endsWith("+quote(p.part)+")")
				b.shot("long-part-" + p.name)

				b.open(p.part)
				b.until(p.name+" opens at its part", seen(p.holds)+" && "+atTop(p.holds))
			}
			b.open("docs?operation=stream-session")
			b.until("the operation is open", seen("#stream-session .tablewide"))
			b.press("To the top")
			b.until("it is at the top", `scrollY === 0 && document.activeElement.id === "main"`)
		})
	}
}

// TestLongPagesWhole shows them where there is room, and on paper: nothing of claims and of the laboratory is folded,
// and on paper nothing of the API either.
func TestLongPagesWhole(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play")
	for _, p := range longPages {
		b.open(p.address)
		b.until(p.name+" shows its parts", seen(p.holds))
	}
	c := anotherTab(t, newServer(t), handheld, "play")
	for _, p := range longPages {
		c.medium("screen")
		c.open(p.address)
		c.until(p.name+" is folded", `document.querySelector(".fold") && !(`+seen(p.holds)+")")
		c.medium("print")
		c.until(p.name+" is whole on paper", `[...document.querySelectorAll(".fold")].every(e => e.open)`)
	}
}

// unfold opens a part of a page by its name, where it is folded.
func (b *tab) unfold(id string) {
	b.Helper()
	part := "document.getElementById(" + quote(id) + ")"
	if !eval[bool](b, part+".open") {
		b.click("the part "+id, part+".querySelector(\"summary\")")
	}
	b.until(id+" is open", part+".open")
}

// TestSecondaryFolded opens pages on a phone that begin with what most want: the rest is folded, and opens.
func TestSecondaryFolded(t *testing.T) {
	b := newTab(t, newServer(t), handheld, "play")
	for _, p := range []struct{ address, fold, holds string }{
		{"proofs", "more", ".proofs li:nth-child(7)"}, {"arena", "new", "#games"},
	} {
		b.open(p.address)
		b.until(p.fold+" is there", "document.getElementById("+quote(p.fold)+")")
		if screens := eval[float64](b, "document.documentElement.scrollHeight / innerHeight"); screens > 2.5 {
			t.Errorf("%s is %.1f screens high", p.address, screens)
		}
		b.sound("folded-" + p.address)
		b.unfold(p.fold)
		b.until("it is seen", seen(p.holds))
	}
	wide := anotherTab(t, newServer(t), desktop, "proofs")
	wide.until("all proofs are there", seen(".proofs li:nth-child(7)"))
	wide.open("arena")
	wide.until("so is the form", seen("#games"))
}

// TestProofsLeadOn presses, on a phone, what leads past all proofs to where a game is proved.
func TestProofsLeadOn(t *testing.T) {
	b := newTab(t, newServer(t), handheld, "proofs")
	b.until("proofs are there", `document.querySelector(".proof .board") && document.querySelector("#own #game")`)
	b.press("Prove a game")
	b.until("its form is in sight", `(r => r.top > -1 && r.bottom <= innerHeight)(document.querySelector("#own #game").getBoundingClientRect()) &&
		document.activeElement.id === "own"`)
	b.sound("proofs-own")
}

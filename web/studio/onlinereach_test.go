package studio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// coveredOnline names the squares out of sight, and those that a side's row or what can be done lies over.
var coveredOnline = outOfSight(".main-part button.cell") + " + " +
	strings.ReplaceAll(covered, ".dock", ".player, .actions")

// TestOnlineInReach plays online on phones of all sizes, against somebody with a long name and clocks: before anything
// is scrolled the whole board is in sight, and nothing lies over it. Nine boards with squares for fingers need some
// height.
func TestOnlineInReach(t *testing.T) {
	phones := [][2]int64{{320, 568}, {360, 640}, {375, 667}, {390, 844}, {640, 360}, {844, 390}}
	for _, game := range []string{"ttt", "connect4", "gomoku", "meta"} {
		t.Run(game, func(t *testing.T) {
			server := newServer(t)
			ann := newTab(t, server, narrow, "online?game="+game)
			ann.choose("seat", "first")
			ann.choose("clock", "15+10")
			ann.write("#name", "Annabella of the Long Name, Mistress")
			ann.press("Open the game")
			ann.until("there is an invitation", `document.getElementById("invitation")?.value.includes("invite=")`)
			link := eval[string](ann, `document.getElementById("invitation").value`)
			bob := anotherTab(t, server, narrow, pageOf(link))
			bob.write("#name", "Bartholomew of the Long Name, Master")
			bob.press("Accept and play")
			bob.says(".statusline", "turn")
			ann.says(".statusline", "Your turn")
			for _, b := range []*tab{ann, bob} {
				eval[bool](b, `(scrollTo(0, 0), true)`)
				for _, size := range phones {
					if game == "meta" && size[1] > lying.height && size[1] < 667 {
						continue
					}
					b.run(chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateMobile, chromedp.EmulateTouch))
					if over := eval[string](b, coveredOnline); over != "" {
						t.Errorf("%d×%d: out of sight, or covered: %s", size[0], size[1], over)
					}
					who := map[bool]string{true: "ann", false: "bob"}[b == ann]
					b.shot(fmt.Sprintf("online-reach-%.4s-%d-%s", game, size[1], who))
				}
			}
		})
	}
}

// TestClaimInPlace: who presses Claim the win is asked in its place, as who resigns is, and the page stays where it is.
func TestClaimInPlace(t *testing.T) {
	server := newServer(t)
	ann := newTab(t, server, handheld, "online?game=ttt")
	ann.choose("clock", "1+2")
	bob := anotherTab(t, server, phone, "online")
	ann.choose("seat", "first")
	ann.press("Open the game")
	ann.until("there is an invitation", `document.getElementById("invitation")?.value.includes("invite=")`)
	bob.open(pageOf(eval[string](ann, `document.getElementById("invitation").value`)))
	bob.press("Accept and play")
	bob.says(".statusline", "turn")
	ann.play("b2")
	bob.play("a1")
	ann.play("c3")
	// Nobody has to wait for the win: all that the server says of it is that it can be claimed at once.
	eval[bool](ann, `(() => { const parse = JSON.parse;
		JSON.parse = (...of) => {
			const v = parse(...of);
			for (const s of [v?.first, v?.second]) if (s?.grace_ms) s.grace_ms = 0;
			return v;
		};
		return true; })()`)
	bob.open("search")
	const where = `[scrollY, document.querySelector(".actions").getBoundingClientRect().top].join()`
	for name, yes := range map[string]string{"Claim the win": "Yes, claim it", "Resign": "Yes, resign"} {
		ann.until("there is "+name, button(name))
		before := eval[string](ann, where)
		eval[bool](ann, button(name)+".click() ?? true") // a pointer would scroll to it
		ann.until("it is asked", fmt.Sprintf(`document.activeElement.textContent === %q`, yes))
		if after := eval[string](ann, where); after != before {
			t.Errorf("%s moves the page from %s to %s", name, before, after)
		}
		if left := eval[string](ann, outOfSight(".answered button")); left != "" {
			t.Errorf("%s: out of sight: %s", name, left)
		}
		ann.shot("claim-" + name[:5])
		eval[bool](ann, button("No")+".click() ?? true")
	}
}

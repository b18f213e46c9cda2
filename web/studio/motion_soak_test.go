//go:build soak

package studio_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// motionScript does something and returns how long each frame of the second after it took.
const motionScript = `new Promise(done => {
	const took = []; let before = 0;
	const look = now => { if (before) took.push(now - before); before = now; now - start < 1000 ? requestAnimationFrame(look) : done(took); };
	const start = performance.now(); %s; requestAnimationFrame(look);
})`

// TestMotion measures the frames of every motion of a board on a phone whose processor is
// slowed four times: the aim is 60 a second.
func TestMotion(t *testing.T) {
	const turning = `let n = 0; const range = document.querySelector(".turners input"); const by = () => {
		range.value = 5 * n; range.dispatchEvent(new Event("input", {bubbles: true})); if (++n < 55) requestAnimationFrame(by); }; by()`
	for _, c := range []struct{ name, query, do string }{
		{"a mark", "game=ttt", square("b2") + ".click()"},
		{"a line", "game=ttt&moves=a1,a2,b1,b2", square("c1") + ".click()"},
		{"a disc", "game=connect4", square("d1") + ".click()"},
		{"a stone", "game=mnk:15,15,5", square("h8") + ".click()"},
		{"a bead", "game=qubic", square("b2b") + ".click()"},
		{"a turned cube", "game=qubic", turning},
		{"ultimate", "game=ultimate", square("e5") + ".click()"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newTab(t, newServer(t), phone, "#/play?first=human&second=human&"+c.query)
			b.says(".statusline", "to move")
			b.run(command(emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4}))
			took := eval[[]float64](b, fmt.Sprintf(motionScript, c.do))
			b.run(command(emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 1}))
			slices.Sort(took)
			late := len(took) - slices.IndexFunc(append(took, 1e9), func(ms float64) bool { return ms > 25 })
			t.Logf("%s: %d frames, %.0f ms at the median, %.0f ms at the longest, %d over 25 ms", c.name,
				len(took), took[len(took)/2], took[len(took)-1], late)
		})
	}
}

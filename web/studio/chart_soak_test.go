//go:build soak

package studio_test

import (
	"slices"
	"testing"
	"time"
)

// framesScript notes, from now on, how long each frame takes, in milliseconds,
// and each task of more than 50.
const framesScript = `(() => { window.frames_ = []; window.tasks_ = []; let last = 0;
  const look = (t) => { if (last) window.frames_.push(t - last); last = t; requestAnimationFrame(look); };
  requestAnimationFrame(look);
  new PerformanceObserver((l) => window.tasks_.push(...l.getEntries().map((e) => e.duration))).observe({type: "longtask"});
  return true; })()`

// hoverScript moves a pointer over the chart, a step a frame, and reads points
// by keys, for so many frames.
const hoverScript = `new Promise((done) => { const c = document.querySelector(".curve"); const r = c.getBoundingClientRect(); let n = 0;
  const step = () => {
    if (n++ >= 300) return done(true);
    if (n % 3) c.dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: r.x + 60 + (n * 7) % (r.width - 80), clientY: r.y + 100}));
    else c.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true, key: "PageDown"}));
    requestAnimationFrame(step);
  }; step(); })`

// TestSmoothChart tells how long frames take while a curve of 100,000 points is
// streamed to the page, and while its points are read.
func TestSmoothChart(t *testing.T) {
	for _, d := range []device{desktop, phone} {
		b := anotherTab(t, newServer(t), d, "#/learn?game=mnk:2,2,2")
		b.choose("learner", "table")
		b.choose("against", "random")
		b.write("#games", "100000")
		b.write("#exam", "1")
		b.choose("pace", "0")
		eval[bool](b, framesScript)
		b.press("Start")
		for !eval[bool](b, `document.querySelector(".statusline")?.textContent.includes("finished") ?? false`) {
			time.Sleep(time.Second)
		}
		b.says(".legend-table", "100,000 games")
		tell := func(what string) {
			frames := eval[[]float64](b, "window.frames_.splice(0)")
			tasks := eval[[]float64](b, "window.tasks_.splice(0)")
			slices.Sort(frames)
			t.Logf("%v, %s: %d frames, %.0f ms at the median, %.0f ms at the 99th percentile, %.0f ms at worst; %d "+
				"tasks of more than 50 ms: %.0f",
				d, what, len(frames), frames[len(frames)/2], frames[len(frames)*99/100], frames[len(frames)-1],
				len(tasks), tasks)
		}
		tell("streaming")
		eval[bool](b, hoverScript)
		tell("reading points")
	}
}

package studio_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// maxWeight is how many bytes a page may have a browser load at first, packed as they come.
const maxWeight = 150_000

// TestPagesAreLight opens every page for somebody who has nothing of it yet, scrolls nowhere, and adds up what
// came over the wire.
func TestPagesAreLight(t *testing.T) {
	server := newServer(t)
	for _, path := range []string{"", "play", "play?game=qubic", "explore", "explore?game=ttt&moves=a1,b2", "puzzles",
		"puzzles?id=daily", "learn", "search", "arena", "proofs", "cluster", "online", "teach", "claims", "move",
		"docs", "weger", "ultimate"} {
		t.Run(path, func(t *testing.T) {
			b := newTab(t, server, desktop, "")
			if path == "cluster" {
				b.expectRefusals() // there is none
			}
			b.run(chromedp.Navigate("about:blank"), command(network.ClearBrowserCache, cdp.Empty{}))
			var weight weights
			if err := chromedp.Listen(b.ctx, weight.note); err != nil {
				t.Fatal(err)
			}
			b.open(path)
			b.until("nothing more comes", `performance.now() - Math.max(...performance.getEntries().map(e => e.responseEnd ?? 0)) > 1000`)
			weight.mu.Lock()
			defer weight.mu.Unlock()
			t.Logf("%d bytes: %v", weight.sum, weight.parts)
			if weight.sum > maxWeight || weight.sum < maxWeight/3 {
				t.Errorf("%q loads %d bytes, more than %d: %v", path, weight.sum, maxWeight, weight.parts)
			}
		})
	}
}

// TestPageThatDoesNotCome goes to a page whose file the server can't give any more: the page says so, and
// comes once the server is there again.
func TestPageThatDoesNotCome(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	b := anotherTab(t, h.server, desktop, "puzzles")
	b.says("h1", "Puzzles")
	b.expectRefusals()
	h.stop()
	b.click("Search in the navigation", `document.querySelector('nav a[href^="search"]')`)
	b.says(".failure", "The page did not come")
	h.start()
	b.press("Try again")
	b.until("the page is there", `document.querySelector("h1")?.textContent.startsWith("Search") && !document.querySelector(".failure")`)
}

// hastyScript follows a link as soon as it is drawn, before anything else of the page could run.
const hastyScript = `(() => {
	new MutationObserver((_, me) => {
		const link = document.querySelector('nav a[href^="learn"]');
		if (!link || !document.querySelector("h1")) return;
		me.disconnect();
		link.click();
	}).observe(document, {childList: true, subtree: true});
})();`

// TestHasty follows a link at the moment when it appears: the page that it leads to is shown.
func TestHasty(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "play")
	b.run(command(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: hastyScript}))
	b.open("search")
	b.says("h1", "Watch it learn")
}

// weights adds up the bytes that come for a page.
type weights struct {
	mu    sync.Mutex
	sum   int
	names map[network.RequestID]string
	parts []string // the heavy ones
}

// note takes an event of the browser.
func (w *weights) note(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const heavy = 3000
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if w.names == nil {
			w.names = map[network.RequestID]string{}
		}
		w.names[e.RequestID] = e.Request.URL
	case *network.EventLoadingFinished:
		w.sum += int(e.EncodedDataLength)
		if e.EncodedDataLength > heavy {
			w.parts = append(w.parts, fmt.Sprintf("%s %.0f", w.names[e.RequestID], e.EncodedDataLength))
		}
	}
}

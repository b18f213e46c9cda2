package web

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// unpacked reads a compressed answer.
func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// maxScript is how many bytes of script, as sent, the studio may make a browser
// load before its page can be used.
const maxScript = 150_000

// TestStudioIsCompressed compares what is sent with and without compression.
func TestStudioIsCompressed(t *testing.T) {
	x := newTester(t, func(o *Config) { o.Studio = nil })
	plain := x.ask("GET", "/app.js", nil)
	x.header.Set("Accept-Encoding", "br, gzip;q=0.8")
	small := x.ask("GET", "/app.js", nil)
	if small.Header().Get("Content-Encoding") != "gzip" || small.Header().Get("Vary") != "Accept-Encoding" ||
		plain.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("not compressed: %v", small.Header())
	}
	if !bytes.Equal(unpacked(t, small.Body.Bytes()), plain.Body.Bytes()) {
		t.Error("the compressed script is another one")
	}
	t.Logf("the script: %d bytes, sent as %d", plain.Body.Len(), small.Body.Len())
	if n := small.Body.Len(); n > maxScript {
		t.Errorf("the script is sent as %d bytes, more than %d", n, maxScript)
	}
	// Each form has a tag of its own, and neither is sent twice.
	tag := small.Header().Get("ETag")
	if tag == plain.Header().Get("ETag") {
		t.Errorf("both forms have the tag %s", tag)
	}
	x.header.Set("If-None-Match", `W/"other", `+tag)
	if w := x.ask("GET", "/app.js", nil); w.Code != 304 || w.Body.Len() != 0 ||
		w.Header().Get("Content-Encoding") != "" {
		t.Errorf("with its tag: %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
}

// TestAnswersAreCompressed compresses what is large and no stream.
func TestAnswersAreCompressed(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	ask := object{"game": "mnk:15,15,5"}
	plain := x.ask("POST", "/api/v1/game", ask).Body.Bytes()
	x.header.Set("Accept-Encoding", "gzip")
	for _, c := range []struct {
		method, path string
		body         any
		packed       bool
	}{
		{"GET", "/api/v1/openapi.json", nil, true},
		{"GET", "/healthz", nil, false},
		{"GET", "/app.js", nil, false}, // of the tests: one byte
		{"GET", "/api/v1/nothing", nil, false},
	} {
		w := x.ask(c.method, c.path, c.body)
		if (w.Header().Get("Content-Encoding") == "gzip") != c.packed {
			t.Errorf("%s: %v, %d bytes", c.path, w.Header(), w.Body.Len())
		}
	}
	w := x.ask("POST", "/api/v1/game", ask)
	got := w.Body.Bytes()
	if w.Header().Get("Content-Encoding") == "gzip" {
		got = unpacked(t, got)
	}
	if !bytes.Equal(got, plain) || !json.Valid(got) || w.Body.Len() > len(plain)/3 ||
		w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d bytes for %d: %v", w.Body.Len(), len(plain), w.Header())
	}
}

func TestTakesGzip(t *testing.T) {
	x := newTester(t, func(o *Config) { o.Studio = nil })
	for accept, want := range map[string]bool{"": false, "gzip": true, "br": false, "*": true, "gzip;q=0": false,
		"gzip; q=0.000, br":            false,
		"deflate, gzip;q=1.0, *;q=0.5": true, "gzip;q=x": false, "identity": false} {
		x.header.Set("Accept-Encoding", accept)
		w := x.ask("GET", "/app.js", nil)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("%q: compressed is %v", accept, got)
		}
		if !want && !strings.Contains(w.Body.String(), "function") {
			t.Errorf("%q: not as it is", accept)
		}
	}
}

package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// worthwhile is how many bytes an answer must have to be compressed; less fits
// in one packet anyway.
const worthwhile = 1200

// packable are the types of content that are compressed. Streams are not among
// them: each of their lines must leave at once.
var packable = []string{"application/json", "application/problem+json", "application/openapi+json",
	"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml"}

func isCompressible(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return slices.Contains(packable, strings.TrimSpace(kind))
}

// takesGzip reports whether the sender of a request understands gzip.
func takesGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, weighted := strings.Cut(strings.TrimSpace(coding), ";")
		if name = strings.TrimSpace(name); name != "gzip" && name != "*" {
			continue
		}
		if !weighted {
			return true
		}
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q="), 64)
		return err == nil && q > 0
	}
	return false
}

// packers are gzip writers that are used again: each takes 800 kB, so there are
// no more than so many. Where all are in use, an answer goes as it is.
var (
	packers     = make(chan *gzip.Writer, 8)
	packersMade atomic.Int32
)

// takeGzipWriter returns a packer that writes to w, or nil where none is free.
func takeGzipWriter(w io.Writer) *gzip.Writer {
	select {
	case p := <-packers:
		p.Reset(w)
		return p
	default:
	}
	if packersMade.Add(1) > int32(cap(packers)) {
		packersMade.Add(-1)
		return nil
	}
	p, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		panic("web: " + err.Error()) // the level is a constant
	}
	return p
}

// compressed compresses the answers of h that are worth it. The secrets that
// some hold are answers to POST requests, which pages of other sites can't
// send, so that nobody can guess them by the size of an answer.
func compressed(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead || !takesGzip(r) {
			h.ServeHTTP(w, r)
			return
		}
		p := &packed{ResponseWriter: w}
		h.ServeHTTP(p, r)
		p.close() // not after a panic, which is answered further out
	})
}

// packed compresses an answer, if its first Write shows that this is worth it.
type packed struct {
	http.ResponseWriter
	status  int // said but not yet sent
	decided bool
	w       *gzip.Writer // nil where the answer goes as it is
}

func (p *packed) WriteHeader(status int) {
	if p.decided {
		return
	}
	if status < 200 {
		p.ResponseWriter.WriteHeader(status)
		return
	}
	p.status = cmp.Or(p.status, status)
}

func (p *packed) Write(data []byte) (int, error) {
	p.decide(len(data))
	if p.w != nil {
		return p.w.Write(data)
	}
	return p.ResponseWriter.Write(data)
}

// decide sends the header before a body whose first part has that size.
func (p *packed) decide(size int) {
	if p.decided {
		return
	}
	p.decided = true
	h := p.Header()
	if isCompressible(h.Get("Content-Type")) && h.Get("Content-Encoding") == "" && size >= worthwhile {
		if p.w = takeGzipWriter(p.ResponseWriter); p.w != nil {
			h.Set("Content-Encoding", "gzip")
			h.Del("Content-Length")
		}
	}
	if isCompressible(h.Get("Content-Type")) {
		h.Add("Vary", "Accept-Encoding")
	}
	if p.status != 0 {
		p.ResponseWriter.WriteHeader(p.status)
	}
}

// FlushError sends what was written so far.
func (p *packed) FlushError() error {
	p.decide(0)
	if p.w != nil {
		if err := p.w.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(p.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the writer's other abilities.
func (p *packed) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// close ends the answer.
func (p *packed) close() {
	p.decide(0)
	if p.w != nil {
		_ = p.w.Close() // a reader that has gone needs no answer
		p.w.Reset(nil)
		packers <- p.w // has room for all that were made
	}
}

// gzipBytes compresses what is served again and again, as well as gzip can.
func gzipBytes(data []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := w.Write(data); err != nil || w.Close() != nil {
		return nil
	}
	return b.Bytes()
}

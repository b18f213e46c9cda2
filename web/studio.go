package web

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"

	"oxo/web/service"
)

// policy lets a page load from this server only, and run and style nothing
// that is written inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src " +
	"'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'"

// plainPage takes the place of a studio that has not been built.
const plainPage = `<!doctype html>
<html lang="{{say "language"}}"><meta charset="utf-8"><title>oxo</title>
<p>{{say "no-studio"}} <a href="/api/v1/openapi.json">/api/v1/openapi.json</a></p></html>
`

// page is a file of the studio as it is served: as it is and, where that is
// shorter, compressed.
// The tag is a digest of the plain bytes; small is nil where packing is not worthwhile.
type page struct {
	kind, keep   string
	plain, small []byte
	tag          string
}

// newPage returns a file of the studio, packed too where that is worthwhile.
// The data is kept, not copied.
func newPage(name string, data []byte) *page {
	sum := sha256.Sum256(data)
	p := &page{kind: contentType(name), keep: "no-cache", plain: data, tag: hex.EncodeToString(sum[:8])}
	if path.Ext(name) == ".svg" {
		p.keep = "max-age=86400"
	}
	if small := gzipBytes(data); isCompressible(p.kind) && len(data) >= worthwhile && len(small) < len(data) {
		p.small = small
	}
	return p
}

// serve answers with the page, or says that the browser has it already. Browsers
// ask each time whether it has changed, so that after an update of oxo no page
// mixes old and new files; pictures, for which they ask whenever the address
// changes, they keep for a day.
func (p *page) serve(w http.ResponseWriter, r *http.Request) {
	data, tag, h := p.plain, `"`+p.tag+`"`, w.Header()
	if p.small != nil && takesGzip(r) {
		data, tag = p.small, `"`+p.tag+`-gzip"`
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Type", p.kind)
	h.Set("Cache-Control", p.keep)
	h.Set("ETag", tag)
	if strings.Contains(r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // a reader that has gone needs no answer
}

// studioPages reads and compresses the studio's files, and reads its page.
// Files are by their paths. The template is executed once here, so that a broken one is an error at the start.
func studioPages(files fs.FS) (pages map[string]*page, index *template.Template, err error) {
	pages = map[string]*page{"index.html": newPage("index.html", []byte(plainPage))}
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err == nil {
			pages[name] = newPage(name, data)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	index, err = templateOf(string(pages["index.html"].plain))
	if err != nil {
		return nil, nil, err
	}
	return pages, index, index.Execute(io.Discard, preview{})
}

// notFoundOrMethodNotAllowed answers below the API where no operation does: either the path
// takes other methods, or there is nothing.
// The first is status 405 with the methods in Allow, the second 404.
func notFoundOrMethodNotAllowed(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var takes []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
			http.MethodDelete} {
			if _, pattern := mux.Handler(&http.Request{Method: method, URL: r.URL, Host: r.Host}); pattern != below {
				takes = append(takes, method)
			}
		}
		if len(takes) == 0 {
			writeProblem(w, service.NewProblem(http.StatusNotFound, "no.page", "path", r.URL.Path, "docs",
				service.Root+"/docs"))
			return
		}
		w.Header().Set("Allow", strings.Join(takes, ", "))
		writeProblem(w, service.NewProblem(http.StatusMethodNotAllowed, "takes", "path", r.URL.Path, "methods",
			strings.Join(takes, " or "), "method", r.Method, "docs", service.Root+"/docs"))
	})
}

// below is the pattern of all that the API's operations leave.
const below = "/api/"

// studioHandler serves the studio's files, and its page at the addresses of all pages,
// which are one word each: the page's, and what it shows after a question mark. So files
// lie beside every page, wherever the studio is served. A slash at the end leads
// back there; an address of several words is no page, and its answer names where files lie.
// A page that there is not has status 404 and the studio in it all the same.
func (s *scenery) studioHandler(files fs.FS) (http.Handler, error) {
	pages, index, err := studioPages(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if p, ok := pages[name]; ok && name != "index.html" {
			p.serve(w, r)
			return
		}
		// What is called like a file is no page.
		if contentType(name) != unknownType && path.Ext(name) != ".html" {
			http.NotFound(w, r)
			return
		}
		base := strings.Repeat("../", strings.Count(r.URL.EscapedPath(), "/")-1)
		switch {
		case base == "":
		case !strings.Contains(name, "/"):
			w.Header().Set("Location", "./"+base+url.PathEscape(name))
			w.WriteHeader(http.StatusFound)
			return
		default:
			w.Header().Set("Content-Security-Policy", strings.Replace(policy, "base-uri 'none'", "base-uri 'self'", 1))
		}
		if name == "index.html" {
			name = ""
		}
		shown, known := s.previewOf(r, name)
		shown.Base = base
		var filled bytes.Buffer
		_ = index.Execute(&filled, shown) // it was tried
		page := newPage("index.html", filled.Bytes())
		if !known {
			w.Header().Set("Content-Type", page.kind)
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write(page.plain) // it says so
			return
		}
		page.serve(w, r)
	}), err
}

// documented serves the API's document, which is the same as long as the server runs, compressed as well as the
// studio's files: it is the largest part of the page that shows it.
func (s *Server) documented(next http.Handler) http.Handler {
	const address = service.Root + "/openapi.json"
	document := sync.OnceValue(func() *page {
		data, err := json.Marshal(s.API.OpenAPI())
		if err != nil {
			return nil
		}
		p := newPage("openapi.json", data)
		p.kind = "application/openapi+json"
		return p
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && r.URL.Path == address {
			if p := document(); p != nil {
				r.Pattern = "GET " + address
				p.serve(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// unknownType is the type of what no ending tells.
const unknownType = "application/octet-stream"

// contentTypes are what the studio's files have, whatever the machine says.
var contentTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".svg": "image/svg+xml",
	".json": "application/json", ".map": "application/json", ".webmanifest": "application/json"}

// contentType returns the type of a file by its name's ending.
func contentType(name string) string {
	ending := path.Ext(name)
	return cmp.Or(contentTypes[ending], mime.TypeByExtension(ending), unknownType)
}

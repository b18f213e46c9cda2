package web

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// policy lets a page load from this server only, and run and style nothing
// that is written inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// plainPage takes the place of a studio that has not been built.
const plainPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>oxo</title>
<p>The studio is not part of this build. The API is described at <a href="/api/v1/docs">/api/v1/docs</a>.</p></html>
`

// studioHandler serves the studio's files. A path without an extension is a
// page of the studio's own, which index.html shows; unknown paths below the
// API are not.
func studioHandler(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if strings.HasPrefix(r.URL.Path, "/api/") {
			problem(w, http.StatusNotFound, "there is nothing at "+r.URL.Path+"; see "+root+"/docs")
			return
		}
		if path.Ext(name) == "" {
			name = "index.html"
		}
		data, err := fs.ReadFile(files, name)
		switch {
		case err == nil:
		case name == "index.html":
			data = []byte(plainPage)
		default:
			http.NotFound(w, r)
			return
		}
		sum := sha256.Sum256(data)
		tag := `"` + hex.EncodeToString(sum[:8]) + `"`
		h := w.Header()
		h.Set("Content-Type", contentType(name))
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(data) // a reader that has gone needs no answer
	})
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".json", ".map", ".webmanifest":
		return "application/json"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

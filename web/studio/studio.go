// Package studio holds the pages of oxo that run in a browser: TypeScript in
// src, bundled with the two libraries in vendor into dist, which is committed
// and embedded. After a change in src run go generate ./web/studio; a test
// compares dist with what src gives. Neither Node nor a network is needed.
//
// The pages speak to the server's /api/v1 only. They need no inline script or
// style, so a content-security policy of default-src 'self' suits them.
package studio

import "embed"

//go:generate go run ./build

// Files are the built pages: dist/index.html and what it names.
//
//go:embed dist
var Files embed.FS

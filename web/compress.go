package web

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

// worthwhile is how many bytes an answer must have to be compressed; less fits
// in one packet anyway.
const worthwhile = 1200

// packable are the types of content that are compressed. Streams are not among
// them: each of their lines must leave at once.
var packable = []string{"application/json", "application/problem+json", "application/openapi+json",
	"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml"}

// isCompressible reports whether content of that type is worth packing.
// The type may have parameters after a semicolon, such as its charset.
func isCompressible(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	return slices.Contains(packable, strings.TrimSpace(kind))
}

// takesGzip reports whether the sender of a request understands gzip. A weight of 0 refuses it, as RFC
// 9110 has it.
// The first of gzip and * in the header decides.
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

// compressed compresses the answers of h that are worth it, without memory kept between the
// parts of an answer. The secrets that some hold are answers to POST requests, which pages of
// other sites can't send, so that nobody can guess them by the size of an answer.
func compressed(h http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(worthwhile), gzhttp.ContentTypeFilter(isCompressible),
		gzhttp.CompressionLevel(gzip.StatelessCompression), gzhttp.SetContentType(false), gzhttp.EnableZstd(false))
	if err != nil {
		panic("web: " + err.Error()) // the options are constants
	}
	return wrap(h)
}

// gzipBytes compresses what is served again and again, as well as gzip can. It is for files of the
// studio, once each; nil where it can't be done, and then the file is served as it is.
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

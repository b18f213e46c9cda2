package store

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// older unpacks testdata/version-3.db.gz, which a server with schema 3 has written, into a
// folder of its own: two games, two bots with a revoked token, a training and a proof
// with all that they put down, a brain and a file of either kind.
func older(t testing.TB) (dir string) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "version-3.db.gz"))
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	data, err := io.ReadAll(z)
	must(t, err)
	dir = t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, File), data, 0o600))
	return dir
}

// exportOfOlder is the SHA-256 of what the program that wrote the older file exports of it.
const exportOfOlder = "a68771c86712b359aba207f1047386ec57e40e024696fed3230acd4152dba174"

// TestOlderFile: a file of schema 3 opens, and all that is in it is what it was.
func TestOlderFile(t *testing.T) {
	s := open(t, older(t))
	var all bytes.Buffer
	must(t, errorOf(s.Export(t.Context(), &all)))
	rows := all.Bytes()[:bytes.LastIndex(all.Bytes(), []byte(`{"end"`))] // that program wrote no end line
	if sum := sha256.Sum256(rows); hex.EncodeToString(sum[:]) != exportOfOlder {
		t.Errorf("the export has the digest %x, and had %s", sum, exportOfOlder)
	}
	_, moves, _, err := s.Game(t.Context(), "7ynzcpr3qn7xzhf4")
	must(t, err)
	if !slices.Equal(moves, []string{"b2", "a1", "c3"}) {
		t.Errorf("moves %v", moves)
	}
	must(t, s.AddMove("7ynzcpr3qn7xzhf4", 3, "a2", 0, 0))
	if err := s.AddMove("7ynzcpr3qn7xzhf4", 3, "a3", 0, 0); err == nil {
		t.Error("a ply twice")
	}
	if err := s.AddMove("7ynzcpr3qn7xzhf4", 5, "a3", 0, 0); err == nil {
		t.Error("a ply left out")
	}
}

package store

import (
	"errors"
	"testing"
)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	must(t, s.AddFileIfAbsent("proof", "a", []byte(`"first"`), []byte{1, 2}))
	must(t, s.AddFileIfAbsent("proof", "b", []byte(`"second"`), []byte{3}))
	must(t, s.AddFileIfAbsent("game", "a", []byte(`"game"`), []byte{}))
	must(t, s.AddFileIfAbsent("proof", "a", []byte(`"other"`), []byte{9})) // is there already
	must(t, s.AddOrReplaceFile("solver", "c", []byte(`"before"`), []byte{1}))
	must(t, s.AddOrReplaceFile("solver", "c", []byte(`"after"`), []byte{4, 5}))
	must(t, s.Close())
	s = open(t, dir)
	if doc, data, err := s.File(t.Context(), "solver", "c"); err != nil || string(doc) != `"after"` || len(data) != 2 {
		t.Errorf("what took another's place: %s, %v, %v", doc, data, err)
	}
	doc, data, err := s.File(t.Context(), "proof", "a")
	if err != nil || string(doc) != `"first"` || len(data) != 2 || data[0] != 1 {
		t.Errorf("proof a: %s, %v, %v", doc, data, err)
	}
	if _, _, err := s.File(t.Context(), "game", "b"); !errors.Is(err, ErrNotFound) {
		t.Errorf("a file that is not there: %v", err)
	}
	docs, err := s.Files(t.Context(), "proof", 1)
	if err != nil || len(docs) != 1 || string(docs[0]) != `"second"` {
		t.Errorf("the latest proof: %s, %v", docs, err)
	}
}

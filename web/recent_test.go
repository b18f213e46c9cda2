package web

import (
	"slices"
	"testing"
)

func TestRecent(t *testing.T) {
	r := recent[string]{most: 3, bytes: 100}
	kept := func(want ...string) {
		t.Helper()
		var got []string
		for _, k := range r.kept {
			got = append(got, k.id)
		}
		if !slices.Equal(got, want) {
			t.Errorf("it keeps %v, want %v", got, want)
		}
	}
	for _, id := range []string{"a", "b", "c", "d"} {
		r.put(id, "value of "+id, 10)
	}
	kept("d", "c", "b")
	if v, ok := r.find("b"); !ok || v != "value of b" {
		t.Errorf("b is %q, %v", v, ok)
	}
	if v, ok := r.find("a"); ok || v != "" {
		t.Errorf("a is %q", v)
	}
	kept("b", "d", "c")
	r.put("e", "", 80)
	kept("e", "b", "d")
	r.put("e", "another", 85)
	kept("e", "b")
	r.put("f", "", 1000)
	kept("f")
	r.put("g", "", 1)
	kept("g")
}

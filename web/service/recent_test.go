package service

import (
	"slices"
	"testing"
)

// weight is a value that holds so many bytes.
type weight struct{ bytes int64 }

func (w *weight) Held() int64 { return w.bytes }

func TestRecent(t *testing.T) {
	r := RecentCache[*weight]{Most: 3, Bytes: 100}
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
	all := map[string]*weight{}
	for _, id := range []string{"a", "b", "c", "d"} {
		all[id] = &weight{10}
		if got := r.Keep(id, all[id]); got != all[id] {
			t.Errorf("%s is another one", id)
		}
	}
	kept("d", "c", "b")
	if v, ok := r.Find("b"); !ok || v != all["b"] {
		t.Errorf("b is %v, %v", v, ok)
	}
	if v, ok := r.Find("a"); ok || v != nil {
		t.Errorf("a is %v", v)
	}
	kept("b", "d", "c")
	r.Keep("e", &weight{80})
	kept("e", "b", "d")
	if got := r.Keep("d", &weight{1}); got != all["d"] {
		t.Error("d is kept twice")
	}
	kept("d", "e", "b")
	all["d"].bytes = 15 // it has come to hold more
	kept("d", "e", "b")
	r.Find("d")
	kept("d", "e")
	r.Keep("f", &weight{1000})
	kept("f")
	r.Keep("g", &weight{1})
	kept("g")
}

package strictjson

import (
	"encoding/json"
	"testing"
)

// TestCheckNames refuses fields that come twice, at any depth, and unknown ones of the outermost object.
func TestCheckNames(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":[{"a":"a"},{"a":2}]}}`: "",
		`[{"a":1},{"a":1}]`:                     "",
		`{"a":"b","b":"a"}`:                     "",
		`{"a":{},"b":[]} {"a":1,"a":2}`:         "", // what follows is for who reads it
		`{"a":1,"b":2,"a":3}`:                   `field "a" comes twice`,
		`{"a":1,"A":3}`:                         `field "A" comes twice`,
		`{"a":[{"c":[],"c":0}]}`:                `field "c" comes twice`,
		`{"c":1}`:                               `unknown field "c"; there are a, b`,
		`{"B":1}`:                               `unknown field "B"; there are a, b`,
		`{"a":1,`:                               "",
		`}`:                                     "",
		``:                                      "",
		`7`:                                     "",
	} {
		got := ""
		if err := CheckNames([]byte(text), "a", "b"); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// FuzzCheckNames never panics, and finds nothing in what is written anew.
func FuzzCheckNames(f *testing.F) {
	f.Add([]byte(`{"a":{"a":1,"b":[1,{"c":null}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		err := CheckNames(data)
		var v map[string]json.RawMessage
		if json.Unmarshal(data, &v) != nil || err != nil {
			return
		}
		if n := len(v); n > 0 && CheckNames(data, "no field") == nil {
			if _, ok := v["no field"]; !ok || n > 1 {
				t.Errorf("%s: %d fields, none unknown", data, n)
			}
		}
	})
}

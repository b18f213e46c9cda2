// Package strictjson finds what encoding/json passes over in silence: a field of an object that comes twice, of which
// the last one would count, and a field whose name is spelled with other capitals than its own.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// CheckNames refuses JSON text in which an object, at any depth, has a field twice, capitals or not. Where names are
// given, these are all that the outermost object may have. Text that is no JSON is left to who reads it.
func CheckNames(data []byte, names ...string) error {
	// An object or a list that is open at this place of the text; open holds them from the outermost inward.
	type object struct {
		seen  map[string]bool // in small letters; nil for a list
		value bool            // what comes next is a value, not a field's name
	}
	var open []object
	// Token checks the syntax on the way; at the first fault nothing more is said here.
	for in := json.NewDecoder(bytes.NewReader(data)); ; {
		token, err := in.Token()
		if err != nil {
			return nil
		}
		// Names and values of an object alternate, and a value that opens an object or a list comes with its first
		// token.
		if last := len(open) - 1; last >= 0 && open[last].seen != nil && token != json.Delim('}') {
			if at := &open[last]; !at.value {
				name, small := token.(string), strings.ToLower(token.(string))
				switch {
				case at.seen[small]:
					return fmt.Errorf("field %q comes twice", name)
				case last == 0 && names != nil && !slices.Contains(names, name):
					return fmt.Errorf("unknown field %q; there are %s", name, strings.Join(names, ", "))
				}
				at.seen[small], at.value = true, true
				continue
			} else {
				at.value = false
			}
		}
		switch token {
		case json.Delim('{'):
			open = append(open, object{seen: map[string]bool{}})
		case json.Delim('['):
			open = append(open, object{})
		case json.Delim('}'), json.Delim(']'):
			if open = open[:len(open)-1]; len(open) == 0 {
				return nil
			}
		}
	}
}

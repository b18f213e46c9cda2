// Package licences holds the licences of all that the program is built from.
package licences

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"errors"
	"sync"
)

// Licence is under what terms a module may be used.
type Licence struct {
	Module  string `json:"module" doc:"the module that is linked"`
	Version string `json:"version" doc:"of the module"`
	Licence string `json:"licence" doc:"its SPDX identifiers, joined with AND"`
	Text    string `json:"text,omitempty" doc:"the licence itself, with --texts"`
}

//go:embed licences.json.gz
var packed []byte

// All returns the licences of the modules that are linked on any system, by module.
var All = sync.OnceValues(func() ([]Licence, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var list []Licence
	return list, errors.Join(json.NewDecoder(r).Decode(&list), r.Close())
})

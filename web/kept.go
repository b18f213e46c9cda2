package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"oxo/web/service"
)

// uploads keeps files that people bring for good, as positions and links name them.
type uploads struct{ *service.Base }

// has reports whether a file is kept already, and reads into entry what is said of
// it.
func (s *uploads) has(ctx context.Context, kind, name string, entry any) (bool, error) {
	doc, _, err := s.Store.File(ctx, kind, name)
	if errors.Is(err, s.Errs.NotFound) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(doc, entry)
	}
	if err != nil {
		return false, s.Failed(err, "")
	}
	return true, nil
}

// room is an error where most files of a kind are kept.
func (s *uploads) room(ctx context.Context, kind string, most int) error {
	docs, err := s.Store.Files(ctx, kind, most)
	if err != nil {
		return s.Failed(err, "")
	}
	if len(docs) >= most {
		return service.Busy(fmt.Sprintf("the server keeps as many %ss as it can", kind), 3600)
	}
	return nil
}

// brings is an error where too many files come from an address, each of which takes
// a place that others then don't have.
func (s *uploads) brings(from service.From) error {
	if !service.IsLoopback(from.Address) && !s.BringLimit.Allow(from.Address) {
		return service.Busy("too many files are brought from there", int(1/service.BringPace.PerSecond))
	}
	return nil
}

// keep keeps a file with what is said of it.
func (s *uploads) keep(kind, name string, entry any, data []byte) error {
	doc, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	if err := s.Store.AddFile(kind, name, doc, data); err != nil {
		return s.Failed(err, "")
	}
	return nil
}

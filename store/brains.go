package store

import (
	"context"
	"fmt"
)

// BrainStore keeps brains and what they are.
type BrainStore struct{ *file }

// AddBrain keeps a brain under a name; doc is JSON that says what it is. The error is ErrTaken where
// there is one of that name. A name is used once: to replace a brain it is dropped first.
func (s *BrainStore) AddBrain(name string, doc, data []byte) error {
	return s.execOne(fmt.Errorf("brain %q: %w", name, ErrTaken), insert["brains"]+" ON CONFLICT DO NOTHING", name,
		nowMillis(), string(doc), data)
}

// DropBrain forgets a brain.
func (s *BrainStore) DropBrain(name string) error {
	return s.execOne(fmt.Errorf("brain %q: %w", name, ErrNotFound), "DELETE FROM brains WHERE name = ?", name)
}

// Brain returns what a brain is and the brain, or ErrNotFound.
func (s *BrainStore) Brain(ctx context.Context, name string) (doc, data []byte, err error) {
	return s.twoColumns(ctx, "brains", fmt.Sprintf("brain %q", name), "doc, data", "name = ?", name)
}

// Brains returns what the brains are, the latest first.
func (s *BrainStore) Brains(ctx context.Context, limit int) (docs [][]byte, err error) {
	return s.intactDocs(ctx, "brains", "true ORDER BY made DESC, rowid DESC LIMIT ?", limit)
}

package jobs

import "fmt"

// BlobStore is where parts of a job leave what is too large for an output, such as
// tables of a solution, for parts of later stages and for the result. A part
// that is done twice leaves the same twice. Names are of letters, digits, - and
// /.
type BlobStore interface {
	Put(name string, data []byte) error

	// Get returns what was put there, in buf where that is large enough. It is
	// an error if there is nothing.
	Get(name string, buf []byte) ([]byte, error)

	Drop(name string) error // also where there is nothing
}

// keepShelf is a shelf in a Keep.
type keepShelf struct{ keep Keep }

func shelfKey(name string) string { return "shelf/" + name }

func (s keepShelf) Put(name string, data []byte) error { return s.keep.Save(shelfKey(name), data) }

func (s keepShelf) Get(name string, buf []byte) ([]byte, error) {
	data, err := s.keep.Load(shelfKey(name))
	if err == nil && data == nil {
		err = fmt.Errorf("%s is not on the shelf", name)
	}
	return append(buf[:0], data...), err
}

func (s keepShelf) Drop(name string) error { return s.keep.Save(shelfKey(name), nil) }

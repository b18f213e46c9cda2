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

// blobsInStore is a blob store in a state store. It serves small jobs and tests: the whole table
// passes through memory.
type blobsInStore struct{ keep StateStore }

func blobKey(name string) string { return "shelf/" + name }

func (s blobsInStore) Put(name string, data []byte) error { return s.keep.Save(blobKey(name), data) }

// Get copies, as the caller may change buf.
func (s blobsInStore) Get(name string, buf []byte) ([]byte, error) {
	data, err := s.keep.Load(blobKey(name))
	if err == nil && data == nil {
		err = fmt.Errorf("%s is not on the shelf", name)
	}
	return append(buf[:0], data...), err
}

func (s blobsInStore) Drop(name string) error { return s.keep.Save(blobKey(name), nil) }

package moves

import (
	"bufio"
	"errors"
	"sort"

	"oxo"
	"oxo/prove/certificate"
)

// moveFile has the moves of a strategy by the forms of its positions, which are of one length: those of each level in
// the order of the forms. When all have been added several may read it at once.
type moveFile struct {
	file   certificate.Scratch
	out    *bufio.Writer
	form   int   // bytes of a form; a record has the move in one more
	starts []int // the first record of each level
	count  int
	last   string
}

// newTable returns an empty table on disk.
func newTable(d certificate.Disk) (*moveFile, error) {
	file, err := d.Create()
	return &moveFile{file: file, out: bufio.NewWriter(file)}, err
}

// add adds a move, as the form has it. Forms have to come level by level, ascending within each; one that does not
// ascend begins the next level. Where the first form of a level follows the last of the one before, they count as
// one level, which findMove does not mind.
func (t *moveFile) add(form string, m uint8) error {
	if t.count == 0 || form <= t.last {
		t.starts = append(t.starts, t.count)
		t.form = len(form)
	}
	if len(form) != t.form {
		return errors.New("forms are of two lengths")
	}
	t.count, t.last = t.count+1, form
	t.out.WriteString(form)
	if err := t.out.WriteByte(m); err != nil { // which keeps the first error
		return &certificate.DiskError{Err: err}
	}
	return nil
}

// finishWriting ends the adding: it writes what is still buffered. Nothing can be looked up before.
func (t *moveFile) finishWriting() error {
	if err := t.out.Flush(); err != nil {
		return &certificate.DiskError{Err: err}
	}
	t.out = nil
	return nil
}

// recordAt returns record k, counted from 0 over all levels.
func (t *moveFile) recordAt(k int) (form string, m oxo.Move, err error) {
	record := make([]byte, t.form+1)
	if _, err := t.file.ReadAt(record, int64(k)*int64(len(record))); err != nil {
		return "", 0, &certificate.DiskError{Err: err}
	}
	return string(record[:t.form]), oxo.Move(record[t.form]), nil
}

// findMove returns the move of a form, if the strategy has one. It halves each level in turn, as a form does not say
// how many plies led to it.
func (t *moveFile) findMove(form string) (m oxo.Move, ok bool, err error) {
	for i, from := range t.starts {
		to := t.count
		if i+1 < len(t.starts) {
			to = t.starts[i+1]
		}
		k := from + sort.Search(to-from, func(k int) bool {
			at, _, fault := t.recordAt(from + k)
			err = errors.Join(err, fault)
			return at >= form
		})
		if k == to || err != nil {
			continue
		}
		if at, m, err := t.recordAt(k); err != nil || at == form {
			return m, err == nil, err
		}
	}
	return 0, false, err
}

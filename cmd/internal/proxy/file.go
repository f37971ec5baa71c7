package proxy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gofrs/flock"

	"github.com/replyproof/replyproof/cmd/internal/capture"
)

// File is a file of records that only grows. Each Write is a record; one that
// cannot be written whole leaves nothing of itself.
type File struct {
	file *os.File
	lock *flock.Flock
	end  int64
}

// OpenFile opens a file of records to go on with, or makes one that its owner
// alone can read. torn tells how many bytes of a last record that was cut short,
// as when its writer was killed, were taken away. A file that holds something
// else, or that somebody else is writing, is an error.
func OpenFile(name string) (f *File, torn int64, err error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, err // it names the file
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDWR))
	f = &File{file: file, lock: lock}
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		return f, 0, nil // a pipe or a device, which has no end to look at
	}
	locked, err := lock.TryLock()
	switch {
	case err != nil:
		err = fmt.Errorf("lock %s: %w", name, err)
	case !locked:
		err = fmt.Errorf("%s is being written by another replyproof; name another file", name)
	default:
		torn, err = f.mend(name)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, torn, nil
}

// mend looks at what is there, and takes away half a record at its end.
func (f *File) mend(name string) (torn int64, err error) {
	begin := []byte(`{"format":"` + capture.RecordFormat + `"`)
	head := make([]byte, len(begin))
	n, err := io.ReadFull(f.file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	if !bytes.HasPrefix(begin, head[:n]) {
		return 0, fmt.Errorf("%s is there and holds no records of the form %s; name another file", name, capture.RecordFormat)
	}
	size, err := f.file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	for f.end = size; f.end > 0; {
		const piece = 64 << 10
		from := max(f.end-piece, 0)
		text := make([]byte, f.end-from)
		if _, err := f.file.ReadAt(text, from); err != nil {
			return 0, fmt.Errorf("read the end of %s: %w", name, err)
		}
		if at := bytes.LastIndexByte(text, '\n'); at >= 0 {
			f.end = from + int64(at) + 1
			break
		}
		f.end = from
	}
	if f.end == size {
		return 0, nil
	}
	if err := f.file.Truncate(f.end); err != nil {
		return 0, err
	}
	_, err = f.file.Seek(f.end, io.SeekStart)
	return size - f.end, err
}

// Restart takes away every record, as if the file had just been made. What is no
// regular file has nothing to take away.
func (f *File) Restart() error {
	if !f.lock.Locked() {
		return nil
	}
	if err := f.file.Chmod(0o600); err != nil {
		return fmt.Errorf("keep others from reading it: %w", err)
	}
	if err := f.file.Truncate(0); err != nil {
		return err
	}
	f.end = 0
	_, err := f.file.Seek(0, io.SeekStart)
	return err
}

// Write adds a record.
func (f *File) Write(line []byte) (int, error) {
	n, err := f.file.Write(line)
	if err != nil && n > 0 {
		if f.file.Truncate(f.end) == nil {
			_, _ = f.file.Seek(f.end, io.SeekStart)
		}
		return 0, err
	}
	f.end += int64(n)
	return n, err
}

// Close makes sure that what was written is on the disk, and lets go of the file.
func (f *File) Close() error {
	err := f.file.Sync()
	if !f.lock.Locked() {
		err = nil // what is no regular file may know no Sync
	}
	return errors.Join(err, f.lock.Close(), f.file.Close())
}

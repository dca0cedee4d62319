// Package blob keeps the bytes of objects. A blob is written once, whole, under a
// name that was never used before, and is not changed after: what an object's
// row says is always either the old bytes or the new ones.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Errors that a caller tells apart. Stores wrap them, with the name.
var (
	// ErrNotFound says that there is no blob, or no upload, of this name.
	ErrNotFound = errors.New("no such blob")
	// ErrFull says that there is no room left for the bytes.
	ErrFull = errors.New("no room left for objects")
	// ErrName says that no blob can have a name.
	ErrName = errors.New("not the name of a blob")
)

// UnknownSize is for bytes that are counted only as they come.
const UnknownSize = -1

// Store keeps blobs. Names are paths such as "9f/0190…9f", without "." and ".."
// segments. Its methods may be called at once, for one name too.
type Store interface {
	// Put keeps what r gives and tells how many bytes that were. When it returns
	// nil, they outlive a loss of power; when it fails, nothing has the name.
	// size is the number of bytes to come, or UnknownSize; another number is
	// io.ErrUnexpectedEOF.
	//
	// Errors: ErrFull; what r gives.
	Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error)

	// Get opens a blob at an offset. length is how many bytes the caller will
	// read at most; more may come. A blob on disk is an *os.File, which the
	// kernel can send.
	//
	// Errors: ErrNotFound.
	Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)

	// Stat tells about a blob. Errors: ErrNotFound.
	Stat(ctx context.Context, name string) (Info, error)

	// Copy gives a blob a second name. Errors: ErrNotFound, ErrFull.
	Copy(ctx context.Context, from, to string) error

	// Delete removes blobs. One that is not there is no error.
	Delete(ctx context.Context, names ...string) error

	// List calls each for every blob whose name begins with prefix, in no
	// certain order, until it fails.
	List(ctx context.Context, prefix string, each func(Info) error) error

	Parts
}

// Parts are a blob that comes in pieces: uploads that are resumed, and those of
// the S3 protocol. Nothing of them is seen as a blob until they are joined.
type Parts interface {
	// Begin opens an upload that is to become the blob of a name, and gives what
	// it is called from then on.
	Begin(ctx context.Context, name string) (upload string, err error)

	// PutPart keeps a part, in place of one of that number. Numbers go from 1 to
	// 10,000. All parts but the last must have MinPart bytes or more. It promises
	// what Put does.
	//
	// Errors: ErrNotFound, ErrFull; what r gives.
	PutPart(ctx context.Context, name, upload string, number int, r io.Reader, size int64) (Part, error)

	// Parts lists the parts there are, by number. Errors: ErrNotFound.
	Parts(ctx context.Context, name, upload string) ([]Part, error)

	// Join makes a blob of parts, in the order given, which must be that of their
	// numbers, and ends the upload. Done again, it gives the same blob or
	// ErrNotFound.
	//
	// Errors: ErrNotFound, also for a part that is not there; ErrFull; a part that
	// is too small, where the store sees that.
	Join(ctx context.Context, name, upload string, parts []Part) (Info, error)

	// Discard ends an upload and removes its parts. One that is not there is no
	// error.
	Discard(ctx context.Context, name, upload string) error

	// DiscardAll ends all uploads of a name. It is for one whose Begin may have
	// been the last thing that a process did, and may look at all uploads.
	DiscardAll(ctx context.Context, name string) error

	// MinPart is how many bytes a part that is not the last must have.
	MinPart() int64
}

// Info is what is known of a blob without opening it.
type Info struct {
	Name     string
	Size     int64 // bytes
	Modified time.Time
}

// Part is a piece of an upload.
type Part struct {
	Number   int
	Size     int64  // bytes
	ETag     string // as the store names its content
	Modified time.Time
}

// CheckName reports whether a name may be a blob's: segments between slashes, none
// of them "." or "..", and a name at both ends.
//
// Errors: ErrName.
func CheckName(name string) error {
	if name == "" || strings.ContainsRune(name, 0) || strings.HasPrefix(name, "/") || strings.HasSuffix(name, "/") {
		return ErrName
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == "." || segment == ".." {
			return ErrName
		}
	}
	return nil
}

// MaxPart is the highest number of a part.
const MaxPart = 10_000

// CheckParts reports whether parts may be joined: their numbers go up.
//
// Errors: ErrNotFound where there is none.
func CheckParts(parts []Part) error {
	if len(parts) == 0 {
		return fmt.Errorf("%w: no parts", ErrNotFound)
	}
	for i := 1; i < len(parts); i++ {
		if parts[i].Number <= parts[i-1].Number {
			return fmt.Errorf("part %d cannot come after part %d", parts[i].Number, parts[i-1].Number)
		}
	}
	return nil
}

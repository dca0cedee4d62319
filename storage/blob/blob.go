// Package blob stores the bytes of objects. A blob is written once, as a whole, under a
// name that was never used before, and is never changed. An object's row therefore
// always refers to either the old bytes or the new ones.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Errors that callers distinguish. Stores wrap them with the name of the blob.
var (
	// ErrNotFound means that there is no blob, or no upload, of this name.
	ErrNotFound = errors.New("no such blob")
	// ErrFull means that there is not enough space.
	ErrFull = errors.New("no room left for objects")
	// ErrUnavailable means that the store cannot be reached now.
	ErrUnavailable = errors.New("the object storage cannot be reached")
	// ErrName means that a name is not valid for a blob.
	ErrName = errors.New("not the name of a blob")
)

// UnknownSize is the size of data whose length is not known in advance.
const UnknownSize = -1

// Store stores blobs. Names are paths such as "9f/0190…9f", without "." and ".."
// segments. Its methods are safe for concurrent use, even for the same name.
type Store interface {
	// Put stores the bytes of r and returns their number. If it returns nil, the blob
	// is durable; if it fails, no blob of this name exists. size is the number of bytes
	// or UnknownSize. If the number differs, Put returns io.ErrUnexpectedEOF.
	//
	// Errors: ErrFull; errors of r.
	Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error)

	// Get opens a blob at an offset. length is the maximum number of bytes that the
	// caller will read; the reader may return more. For a store on disk the reader is
	// an *os.File, so that the kernel can send it.
	//
	// Errors: ErrNotFound.
	Get(ctx context.Context, name string, offset, length int64) (io.ReadCloser, error)

	// Stat returns information about a blob. Errors: ErrNotFound.
	Stat(ctx context.Context, name string) (Info, error)

	// Copy copies a blob to a second name. Errors: ErrNotFound, ErrFull.
	Copy(ctx context.Context, from, to string) error

	// Delete removes blobs. A missing blob is not an error.
	Delete(ctx context.Context, names ...string) error

	// List calls each for every blob whose name begins with prefix, in no particular
	// order, until each returns an error.
	List(ctx context.Context, prefix string, each func(Info) error) error

	Parts
}

// Parts stores blobs in parts, for resumable uploads and for the multipart uploads of
// the S3 protocol. The blob does not exist until the parts are joined.
type Parts interface {
	// Begin starts an upload for the blob of a name, and returns the upload's id.
	Begin(ctx context.Context, name string) (upload string, err error)

	// PutPart stores a part. It replaces an existing part of the same number. Numbers
	// go from 1 to 10,000. All parts except the last must have at least MinPart bytes.
	// The guarantees are the same as those of Put.
	//
	// Errors: ErrNotFound, ErrFull; errors of r.
	PutPart(ctx context.Context, name, upload string, number int, r io.Reader, size int64) (Part, error)

	// Parts lists the existing parts, by number. Errors: ErrNotFound.
	Parts(ctx context.Context, name, upload string) ([]Part, error)

	// Join creates the blob from parts, which must be in the order of their numbers,
	// and ends the upload. If it is repeated, it returns the same blob or ErrNotFound.
	//
	// Errors: ErrNotFound, also for a missing part; ErrFull; an error for a part that is
	// too small, if the store checks that.
	Join(ctx context.Context, name, upload string, parts []Part) (Info, error)

	// Discard ends an upload and removes its parts. A missing upload is not an error.
	Discard(ctx context.Context, name, upload string) error

	// DiscardAll ends all uploads of a name. It is used if a process may have been
	// killed right after Begin. It may have to scan all uploads.
	DiscardAll(ctx context.Context, name string) error

	// MinPart returns the minimum size of parts that are not the last.
	MinPart() int64
}

// Info holds the metadata of a blob.
type Info struct {
	Name     string
	Size     int64 // bytes
	Modified time.Time
}

// Part is a part of an upload.
type Part struct {
	Number   int
	Size     int64  // bytes
	ETag     string // the store's tag for the content
	Modified time.Time
}

// CheckName returns an error if a name is not valid for a blob. Valid names are segments
// separated by slashes, without "." and ".." segments and without leading and trailing
// slashes.
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

// CheckParts returns an error if parts cannot be joined: their numbers must be ascending.
//
// Errors: ErrNotFound if there are no parts.
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

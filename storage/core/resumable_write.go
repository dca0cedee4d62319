package core

import (
	"bytes"
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"os"

	"plaza/storage/blob"
	"plaza/storage/mimetype"
	"plaza/storage/storageerr"
)

const (
	// pieceSize bounds how much of a running request is lost if the process is killed.
	pieceSize = 8 << 20

	// maxParts leaves part numbers for requests that reserve one and then write nothing.
	maxParts = blob.MaxPart * 9 / 10

	// maxInMemory bounds what is buffered in memory until it is enough for a part; more is
	// buffered in a file.
	maxInMemory = 256 << 10
)

// Write stores body from an offset on, as much of it as arrives, and makes the object once
// it is complete. t is the target that was authorized; size is the size of body in bytes,
// or UnknownSize.
//
// Errors: ErrOffset; EntityTooLarge if the body exceeds the upload's length;
// InvalidMimeType; KeyAlreadyExists; ResourceLocked if another request took the upload
// over.
func (w *Writer) Write(ctx context.Context, call Call, t Target, offset int64, body io.Reader, size int64) error {
	switch {
	case offset != w.Offset():
		return storageerr.ErrOffset
	case size > w.Length-offset:
		return storageerr.ErrMoreThanLength
	}
	from := &tolerantReader{from: body}
	ctx = context.WithoutCancel(ctx) // if the client disconnects, the body ends
	if again := w.Stored - offset; again > 0 {
		if n, _ := io.CopyN(io.Discard, from, again); n < again {
			return w.checkComplete(from)
		}
	}
	all, err := w.checkFirst(ctx, t, from)
	if err != nil {
		return err
	}
	if err := w.storeBody(ctx, all); err != nil {
		return err
	}
	if w.Finished || w.Stored < w.Length {
		return w.checkComplete(from)
	}
	return w.finish(ctx, call, t)
}

// checkComplete returns why a body ended early, if it did.
func (w *Writer) checkComplete(body *tolerantReader) error {
	if w.stopped.Load() {
		return storageerr.ErrTakenOver
	}
	if body.err != nil {
		return storageerr.ErrIncomplete.WithCause(body.err)
	}
	return nil
}

// tolerantReader returns io.EOF for any error of a body, so that what arrived before it is
// stored.
type tolerantReader struct {
	from  io.Reader
	ended bool
	err   error // nil: the body was complete
}

func (r *tolerantReader) Read(to []byte) (int, error) {
	if r.ended {
		return 0, io.EOF
	}
	n, err := r.from.Read(to)
	if err == nil {
		return n, nil
	}
	r.ended = true
	if !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, io.EOF
}

// checkFirst compares the first bytes with the bucket's types if there are enough of them,
// and returns the whole body. Otherwise the complete object is checked.
func (w *Writer) checkFirst(ctx context.Context, t Target, body io.Reader) (io.Reader, error) {
	bucket, err := w.s.Bucket(ctx, t.Bucket)
	if err != nil || w.Stored > 0 || len(bucket.MimeTypes) == 0 {
		return body, err
	}
	size := min(mimetype.HeadSize, w.Length)
	head, _ := io.ReadAll(io.LimitReader(body, size)) // a tolerantReader has no errors
	if int64(len(head)) == size {
		if err := mimetype.CheckHead(head, t.MimeType, bucket.MimeTypes); err != nil {
			return nil, err
		}
	}
	return io.MultiReader(bytes.NewReader(head), body), nil
}

// storeBody stores a body piece by piece until it ends or the object is complete.
func (w *Writer) storeBody(ctx context.Context, body io.Reader) error {
	for w.Stored < w.Length {
		before := w.Stored
		if err := w.storePiece(ctx, body); err != nil {
			return err
		}
		if w.Stored == before {
			break
		}
	}
	return w.checkEnd(w.Stored, body)
}

// checkEnd returns an error if the body continues after the end of the object.
func (w *Writer) checkEnd(stored int64, body io.Reader) error {
	if stored < w.Length {
		return nil
	}
	if n, _ := io.CopyN(io.Discard, body, 1); n > 0 {
		return storageerr.ErrMoreThanLength
	}
	return nil
}

// storePiece stores a part, or bytes that are too few for one.
func (w *Writer) storePiece(ctx context.Context, body io.Reader) error {
	least := max(w.s.blobs.MinPart(), (w.Length+maxParts-1)/maxParts)
	rest := w.Length - w.Stored
	most := min(max(pieceSize, least)-w.TailSize, rest) // new bytes of this piece
	first := max(least-w.TailSize, 0)
	if first > maxInMemory {
		first = most // it is buffered in a file, and the store needs no memory while it arrives
	}
	first = min(first, most)
	counted := &counter{from: io.TeeReader(body, w.sum)}
	held, err := buffer(counted, first)
	if err != nil {
		return err
	}
	defer held.release()
	switch {
	case counted.n == 0:
		return nil
	case w.TailSize+counted.n < least && counted.n < rest:
		return w.storeTail(ctx, held, counted.n)
	}
	size := w.TailSize + counted.n
	if first < most {
		size = blob.UnknownSize
	}
	return w.storePart(ctx, io.MultiReader(held, io.LimitReader(counted, most-counted.n)), size, counted, body)
}

type counter struct {
	from io.Reader
	n    int64
}

func (c *counter) Read(to []byte) (int, error) {
	n, err := c.from.Read(to)
	c.n += int64(n)
	return n, err
}

// buffered are bytes that were read ahead.
type buffered struct {
	io.Reader
	file *os.File // nil: in memory
}

func (h buffered) release() {
	if h.file != nil {
		_ = h.file.Close() // which deletes it, as it has no name
	}
}

// buffer reads up to size bytes.
func buffer(body io.Reader, size int64) (buffered, error) {
	if size <= maxInMemory {
		read, err := io.ReadAll(io.LimitReader(body, size))
		return buffered{Reader: bytes.NewReader(read)}, err
	}
	file, err := os.CreateTemp("", "upload-*")
	if err != nil {
		return buffered{}, err
	}
	h := buffered{Reader: file, file: file}
	err = os.Remove(file.Name())
	if err == nil {
		_, err = io.CopyN(file, body, size)
	}
	if err == nil || errors.Is(err, io.EOF) {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		h.release()
		return buffered{}, fmt.Errorf("buffer a piece of an upload: %w", err)
	}
	return h, nil
}

// withTail prepends the bytes that were too few for a part.
func (w *Writer) withTail(ctx context.Context, others io.Reader) (io.Reader, func(), error) {
	if w.Tail == "" {
		return others, func() {}, nil
	}
	tail, err := w.s.blobs.Get(ctx, blobName("", "", w.Tail), 0, w.TailSize)
	if err != nil {
		return nil, nil, fmt.Errorf("read the last bytes of upload %s: %w", w.Version, err)
	}
	return io.MultiReader(io.LimitReader(tail, w.TailSize), others), func() { _ = tail.Close() }, nil
}

// storeTail stores bytes that are too few for a part as a blob of their own.
func (w *Writer) storeTail(ctx context.Context, held io.Reader, n int64) error {
	all, release, err := w.withTail(ctx, held)
	if err != nil {
		return err
	}
	defer release()
	version, err := w.s.versions.reserve(ctx)
	if err != nil {
		return err
	}
	if _, err := w.s.blobs.Put(ctx, blobName("", "", version), all, w.TailSize+n); err != nil {
		w.s.versions.discard(ctx, version)
		return storageerr.FromBlobs(err)
	}
	defer w.s.versions.release(version)
	if err := w.save(ctx, n, version, w.TailSize+n, blob.Part{}); err != nil {
		w.s.versions.discard(ctx, version)
		return err
	}
	return nil
}

// storePart stores a part, which includes the tail. size is as for PutPart.
func (w *Writer) storePart(ctx context.Context, r io.Reader, size int64, counted *counter, body io.Reader) error {
	all, release, err := w.withTail(ctx, r)
	if err != nil {
		return err
	}
	defer release()
	number, err := w.nextPart(ctx)
	if err != nil {
		return err
	}
	part, err := w.s.blobs.PutPart(ctx, blobName("", "", w.Version), w.StoredAs, number, all, size)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return storageerr.ErrNoSuchResumable.WithCause(err)
	case err != nil:
		return storageerr.FromBlobs(err)
	}
	if err := w.checkEnd(w.Stored+counted.n, body); err != nil {
		return err
	}
	return w.save(ctx, counted.n, "", 0, part)
}

const (
	reservePart = `update storage.resumable_uploads u set next_part = u.next_part + 1 where u.version = $1 and u.holder = $2 returning ` + resumableJSON
	saveStore   = `update storage.resumable_uploads u set stored_as = $3 where u.version = $1 and u.holder = $2 returning ` + resumableJSON
	savePiece   = `with saved as (
			update storage.resumable_uploads u set stored = u.stored + $3::bigint, md5_state = $4, tail = $5, tail_size = $6::bigint, updated_at = now()
			from (select tail from storage.resumable_uploads where version = $1) before
			where u.version = $1 and u.holder = $2 returning u.*, before.tail as tail_before
		), part as (
			insert into storage.resumable_uploads_parts (version, number, size, stored_as)
			select version, $7::int, $8::bigint, $9 from saved where $7::int > 0
		), kept as (
			update storage.unused_blobs b set delete_after = saved.expires_at + $10::bigint * interval '1 second'
			from saved where b.name = storage.blob_name('', '', nullif($5, ''))
		), freed as (
			update storage.unused_blobs b set delete_after = now() from saved where b.name = storage.blob_name('', '', nullif(saved.tail_before, ''))
		)
		select ` + resumableJSON + ` from saved u`
)

// change runs a statement that only the holder may run, and reads the changed upload.
// Errors: ResourceLocked if another request took the upload over.
func (w *Writer) change(ctx context.Context, sql string, args ...any) error {
	changed := false
	err := w.s.query(ctx, Call{}.asService(), sql, append([]any{w.Version, w.holder}, args...), func(row [][]byte) error {
		changed = true
		return readResumable(&w.Resumable)(row)
	})
	if err == nil && !changed {
		return storageerr.ErrTakenOver
	}
	return storageerr.FromDatabase(err)
}

// nextPart reserves the number of the next part, and begins the store's upload for the
// first one. A reserved number without an upload in the row means that the process was
// killed after Begin: such uploads are discarded.
func (w *Writer) nextPart(ctx context.Context) (int, error) {
	number, name := w.NextPart, blobName("", "", w.Version)
	if w.StoredAs == "" && number > 1 {
		if err := w.s.blobs.DiscardAll(ctx, name); err != nil {
			return 0, storageerr.FromBlobs(err)
		}
	}
	if err := w.change(ctx, reservePart); err != nil || w.StoredAs != "" {
		return number, err
	}
	made, err := w.s.blobs.Begin(ctx, name)
	if err != nil {
		return 0, storageerr.FromBlobs(err)
	}
	if err := w.change(ctx, saveStore, made); err != nil {
		return 0, errors.Join(err, w.s.blobs.Discard(ctx, name, made))
	}
	return number, nil
}

// save records n more stored bytes, in a part or a new tail.
func (w *Writer) save(ctx context.Context, n int64, tail string, tailSize int64, part blob.Part) error {
	state, err := w.sum.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return err
	}
	return w.change(ctx, savePiece, n, base64Text(state), tail, tailSize, part.Number, part.Size, part.ETag, int64(2*uploadGrace.Seconds()))
}

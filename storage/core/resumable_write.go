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
	// pieceSize bounds what a kill of the process loses of a running request.
	pieceSize = 8 << 20

	// mostParts leaves numbers for requests that take one and then write nothing.
	mostParts = blob.MaxPart * 9 / 10

	// heldInMemory bounds what is held in memory before it is known to be enough
	// for a part; more is held in a file.
	heldInMemory = 256 << 10
)

// Write keeps what body gives from an offset on, as far as it comes, and makes the
// object once all is there. t is what Authorize was asked for; size is that of body,
// in bytes, or UnknownSize.
//
// Errors: ErrOffset; EntityTooLarge where the body goes past the length;
// InvalidMimeType; KeyAlreadyExists; ResourceLocked where another request took over.
func (w *Writer) Write(ctx context.Context, call Call, t Target, offset int64, body io.Reader, size int64) error {
	switch {
	case offset != w.Offset():
		return storageerr.ErrOffset
	case size > w.Length-offset:
		return storageerr.ErrMoreThanLength
	}
	from := &steadyReader{from: body}
	ctx = context.WithoutCancel(ctx) // a client that leaves ends the body
	if again := w.Stored - offset; again > 0 {
		if n, _ := io.CopyN(io.Discard, from, again); n < again {
			return w.brokenOff(from)
		}
	}
	all, err := w.sniffFirst(ctx, t, from)
	if err != nil {
		return err
	}
	if err := w.keep(ctx, all); err != nil {
		return err
	}
	if w.Finished || w.Stored < w.Length {
		return w.brokenOff(from)
	}
	return w.finish(ctx, call, t)
}

// brokenOff tells why a body ended early, if it did.
func (w *Writer) brokenOff(body *steadyReader) error {
	if w.stopped.Load() {
		return storageerr.ErrTakenOver
	}
	if body.err != nil {
		return storageerr.ErrIncomplete.WithCause(body.err)
	}
	return nil
}

// steadyReader ends where a body breaks off: what came until then is kept.
type steadyReader struct {
	from  io.Reader
	ended bool
	err   error // nil: it ended by itself
}

func (r *steadyReader) Read(to []byte) (int, error) {
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

// sniffFirst holds the first bytes to the bucket's list, where they are enough to
// tell, and gives the whole body. The rest is told of the whole object.
func (w *Writer) sniffFirst(ctx context.Context, t Target, body io.Reader) (io.Reader, error) {
	bucket, err := w.s.Bucket(ctx, t.Bucket)
	if err != nil || w.Stored > 0 || len(bucket.MimeTypes) == 0 {
		return body, err
	}
	size := min(mimetype.HeadSize, w.Length)
	head, _ := io.ReadAll(io.LimitReader(body, size)) // a steadyReader has no errors
	if int64(len(head)) == size {
		if err := mimetype.CheckHead(head, t.MimeType, bucket.MimeTypes); err != nil {
			return nil, err
		}
	}
	return io.MultiReader(bytes.NewReader(head), body), nil
}

// keep stores pieces of a body until it ends, or all is there.
func (w *Writer) keep(ctx context.Context, body io.Reader) error {
	for w.Stored < w.Length {
		before := w.Stored
		if err := w.keepPiece(ctx, body); err != nil {
			return err
		}
		if w.Stored == before {
			break
		}
	}
	return w.checkEnd(w.Stored, body)
}

// checkEnd refuses bytes behind the last one.
func (w *Writer) checkEnd(stored int64, body io.Reader) error {
	if stored < w.Length {
		return nil
	}
	if n, _ := io.CopyN(io.Discard, body, 1); n > 0 {
		return storageerr.ErrMoreThanLength
	}
	return nil
}

// keepPiece stores a part, or bytes that are too few for one.
func (w *Writer) keepPiece(ctx context.Context, body io.Reader) error {
	least := max(w.s.blobs.MinPart(), (w.Length+mostParts-1)/mostParts)
	rest := w.Length - w.Stored
	most := min(max(pieceSize, least)-w.TailSize, rest) // new bytes of the piece
	first := max(least-w.TailSize, 0)
	if first > heldInMemory {
		first = most // it lies in a file: no memory of the store is taken while it comes
	}
	first = min(first, most)
	counted := &counter{from: io.TeeReader(body, w.sum)}
	held, err := hold(counted, first)
	if err != nil {
		return err
	}
	defer held.release()
	switch {
	case counted.n == 0:
		return nil
	case w.TailSize+counted.n < least && counted.n < rest:
		return w.keepTail(ctx, held, counted.n)
	}
	size := w.TailSize + counted.n
	if first < most {
		size = blob.UnknownSize
	}
	return w.keepPart(ctx, io.MultiReader(held, io.LimitReader(counted, most-counted.n)), size, counted, body)
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

// heldBytes are some that were read ahead.
type heldBytes struct {
	io.Reader
	file *os.File // nil: they are in memory
}

func (h heldBytes) release() {
	if h.file != nil {
		_ = h.file.Close() // it has no name, so that it is gone
	}
}

// hold reads so many bytes, or as many as there are.
func hold(body io.Reader, size int64) (heldBytes, error) {
	if size <= heldInMemory {
		read, err := io.ReadAll(io.LimitReader(body, size))
		return heldBytes{Reader: bytes.NewReader(read)}, err
	}
	file, err := os.CreateTemp("", "upload-*")
	if err != nil {
		return heldBytes{}, err
	}
	h := heldBytes{Reader: file, file: file}
	err = os.Remove(file.Name())
	if err == nil {
		_, err = io.CopyN(file, body, size)
	}
	if err == nil || errors.Is(err, io.EOF) {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		h.release()
		return heldBytes{}, fmt.Errorf("hold a piece of an upload: %w", err)
	}
	return h, nil
}

// withTail puts the bytes that were too few for a part before others.
func (w *Writer) withTail(ctx context.Context, others io.Reader) (io.Reader, func(), error) {
	if w.Tail == "" {
		return others, func() {}, nil
	}
	tail, err := w.s.blobs.Get(ctx, blobName("", "", w.Tail), 0, w.TailSize)
	if err != nil {
		return nil, nil, fmt.Errorf("the last bytes of upload %s: %w", w.Version, err)
	}
	return io.MultiReader(io.LimitReader(tail, w.TailSize), others), func() { _ = tail.Close() }, nil
}

// keepTail stores bytes that are too few for a part as a blob of their own.
func (w *Writer) keepTail(ctx context.Context, held io.Reader, n int64) error {
	all, release, err := w.withTail(ctx, held)
	if err != nil {
		return err
	}
	defer release()
	version, err := w.s.noted.take(ctx)
	if err != nil {
		return err
	}
	if _, err := w.s.blobs.Put(ctx, blobName("", "", version), all, w.TailSize+n); err != nil {
		w.s.noted.giveUp(ctx, version)
		return storageerr.FromBlobs(err)
	}
	defer w.s.noted.drop(version)
	if err := w.save(ctx, n, version, w.TailSize+n, blob.Part{}); err != nil {
		w.s.noted.giveUp(ctx, version)
		return err
	}
	return nil
}

// keepPart stores a part, which takes the tail in. size is as for PutPart.
func (w *Writer) keepPart(ctx context.Context, r io.Reader, size int64, counted *counter, body io.Reader) error {
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

// change runs a statement that only the holder may run, and reads what it made of
// the upload. Errors: ResourceLocked where another request took over.
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

// nextPart returns the number of a part that is written now, and begins the store's
// upload for the first one. That a number was taken tells of a Begin that a kill
// of the process kept from being saved.
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

// save notes n more bytes as stored, in a part or a new tail.
func (w *Writer) save(ctx context.Context, n int64, tail string, tailSize int64, part blob.Part) error {
	state, err := w.sum.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		return err
	}
	return w.change(ctx, savePiece, n, base64Text(state), tail, tailSize, part.Number, part.Size, part.ETag, int64(2*uploadGrace.Seconds()))
}

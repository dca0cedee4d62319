package walarchive

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/klauspost/compress/zstd"

	"plaza/storage/blob"
)

// History is the WAL of a run from a backup on.
type History struct {
	archive *Archive
	run     Run
	chunks  []chunk
	reach   reach
}

// Open returns the WAL that continues a backup. system is the system identifier of the backup's
// database, and from the position at which the backup ends.
//
// Errors: ErrOtherDatabase; ErrGap if the run, or WAL right after the backup, is missing; ErrTime
// if there is no archive, or no WAL was archived since the backup; ErrDamaged.
func (a *Archive) Open(ctx context.Context, run, system string, from LSN) (*History, error) {
	var found owner
	if err := a.readJSON(ctx, archiveKey, &found); errors.Is(err, blob.ErrNotFound) {
		return nil, fmt.Errorf("%w: there is none at PLAZA_ARCHIVE", ErrTime)
	} else if err != nil {
		return nil, err
	}
	if err := sameSystem(found.System, system); err != nil {
		return nil, err
	}
	described, err := a.run(ctx, run)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, fmt.Errorf("%w: it does not have the WAL of this backup (run %s)", ErrGap, run)
	}
	if err != nil {
		return nil, err
	}
	if err := sameSystem(described.System, system); err != nil {
		return nil, err
	}
	chunks, err := a.chunks(ctx, described)
	if err != nil {
		return nil, err
	}
	first := described.segmentStart(from)
	h := &History{archive: a, run: described, chunks: chunks, reach: continuous(chunks, first)}
	if h.reach.end <= from {
		if h.reach.afterGap != 0 {
			return nil, fmt.Errorf("%w: WAL from %s to %s is missing, right after the backup", ErrGap, max(first, h.reach.end), h.reach.afterGap)
		}
		return nil, fmt.Errorf("%w: no WAL was archived since the backup", ErrTime)
	}
	return h, nil
}

// Covered returns the latest time to which a restore is possible.
func (h *History) Covered() time.Time { return h.reach.covered }

// Check returns an error if the WAL does not reach a time.
//
// Errors: ErrTime; ErrGap if it does not because of a gap.
func (h *History) Check(until time.Time) error {
	if !until.After(h.reach.covered) {
		return nil
	}
	reached := h.reach.covered.UTC().Format(time.RFC3339)
	if h.reach.afterGap != 0 {
		return fmt.Errorf("%w: WAL from %s to %s is missing; the latest time before it is %s", ErrGap, h.reach.end, h.reach.afterGap, reached)
	}
	return fmt.Errorf("%w: the latest one is %s", ErrTime, reached)
}

// Fetched is what Fetch has written.
type Fetched struct {
	Bytes    int64 // of WAL
	Segments int
}

// Fetch writes the segments that a restore to a time needs to a folder, which may have
// some already.
//
// Errors: those of Check; ErrDamaged with the name of a file; ErrOtherDatabase.
func (h *History) Fetch(ctx context.Context, from LSN, until time.Time, folder string, progress func(string)) (done Fetched, err error) {
	if err := h.Check(until); err != nil {
		return done, err
	}
	unpacker, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(max(h.run.Segment, 1)))
	if err != nil {
		return done, err
	}
	defer unpacker.Close()
	w := segmentWriter{run: h.run, folder: folder}
	defer func() { err = errors.Join(err, w.close()) }()
	last := time.Now()
	w.next = h.run.segmentStart(from)
	for _, c := range h.chunks {
		if c.end <= w.next {
			continue
		}
		content, err := h.read(ctx, unpacker, c)
		if err == nil {
			err = w.write(content[w.next-c.start:])
		}
		if err != nil {
			return done, fmt.Errorf("%s: %w", c.name, err)
		}
		done.Bytes, done.Segments = int64(w.next-h.run.segmentStart(from)), w.segments
		if now := time.Now(); now.Sub(last) > 10*time.Second {
			last = now
			progress(fmt.Sprintf("%d MB of WAL so far", done.Bytes>>20))
		}
		if !c.covered.Before(until) {
			break
		}
	}
	return done, nil
}

// read returns the WAL of a chunk.
//
// Errors: ErrDamaged.
func (h *History) read(ctx context.Context, unpacker *zstd.Decoder, c chunk) ([]byte, error) {
	if uint64(c.end-c.start) > h.run.Segment {
		return nil, fmt.Errorf("%w: it is longer than a segment", ErrDamaged)
	}
	packed, err := h.archive.read(ctx, c.name)
	if err != nil {
		return nil, err
	}
	content, err := unpacker.DecodeAll(packed, make([]byte, 0, c.end-c.start)) // compares a checksum, too
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if len(content) != int(c.end-c.start) {
		return nil, fmt.Errorf("%w: it has %d bytes of WAL instead of %d", ErrDamaged, len(content), c.end-c.start)
	}
	return content, nil
}

// segmentWriter writes WAL to segment files.
type segmentWriter struct {
	run      Run
	folder   string
	next     LSN // position of the next byte
	file     *os.File
	segments int
}

// write writes WAL that is in one segment.
func (w *segmentWriter) write(content []byte) error {
	start := w.run.segmentStart(w.next)
	if w.next == start {
		if err := errors.Join(w.close(), w.create(content)); err != nil {
			return err
		}
	}
	if _, err := w.file.WriteAt(content, int64(w.next-start)); err != nil {
		return err
	}
	w.next += LSN(len(content))
	return nil
}

// create creates the file of a segment, filled with zeros. PostgreSQL treats zeros after
// the content as the end of the WAL.
//
// Errors: ErrOtherDatabase, ErrDamaged.
func (w *segmentWriter) create(content []byte) error {
	if err := w.checkHeader(content); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(w.folder, w.run.segmentName(w.next)), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w.file = file
	w.segments++
	return file.Truncate(int64(w.run.Segment))
}

// headerSize is the number of bytes of a segment's header that are read.
const headerSize = 32

// checkHeader compares the header of a segment with the run.
// Source: src/include/access/xlog_internal.h.
func (w *segmentWriter) checkHeader(content []byte) error {
	if len(content) < headerSize {
		return fmt.Errorf("%w: it is shorter than a header", ErrDamaged)
	}
	order := binary.LittleEndian
	if at := LSN(order.Uint64(content[8:])); at != w.next {
		return fmt.Errorf("%w: it has the WAL at %s instead of %s", ErrDamaged, at, w.next)
	}
	return sameSystem(fmt.Sprint(order.Uint64(content[24:])), w.run.System)
}

func (w *segmentWriter) close() error {
	if w.file == nil {
		return nil
	}
	err := w.file.Close()
	w.file = nil
	return err
}

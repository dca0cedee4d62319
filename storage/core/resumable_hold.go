package core

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"encoding"
	"encoding/json"
	"fmt"
	"hash"
	"sync"
	"sync/atomic"
	"time"

	"plaza/storage/storageerr"
)

// Times of requests that want an upload which another one holds.
const (
	// takeOverAfter is how long the holder may take to keep what it was sent. One
	// that is gone, with its server, takes all of it.
	takeOverAfter = 5 * time.Second

	takeAgainAfter = 50 * time.Millisecond
)

// writers are the requests of this server that hold uploads.
type writers struct {
	mu   sync.Mutex
	held map[string]*Writer // by holder
}

func newWriters() *writers { return &writers{held: make(map[string]*Writer)} }

func (w *writers) add(one *Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held[one.holder] = one
}

func (w *writers) remove(one *Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.held, one.holder)
}

// stop tells a holder that another request wants its upload. One that let it go is
// not told any more: what interrupt ends may be another request's by then.
func (w *writers) stop(holder string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if found := w.held[holder]; found != nil && !found.stopped.Swap(true) {
		found.interrupt()
	}
}

// Writer is an upload that one request holds: only it may write. A newer request
// takes it over.
type Writer struct {
	Resumable
	s         *Service
	holder    string
	stopped   atomic.Bool // another request wants it
	interrupt func()
	sum       hash.Hash // of what is stored
}

const (
	takeResumable = `with held as (
			select holder from storage.resumable_uploads where version = $1 and holder is not null and not $3::boolean
		), taken as (
			update storage.resumable_uploads set holder = $2, updated_at = now() where version = $1 and (holder is null or $3::boolean) returning *
		)
		select coalesce((select ` + resumableJSON + ` from taken u), '{}'), (select count(pg_notify('` + channel + `', '/' || holder)) from held)`
	letGoResumable = `update storage.resumable_uploads set holder = null where version = $1 and holder = $2`
)

// Hold takes an upload for a request, from another one where need be: that keeps
// what it was sent so far, and fails. interrupt is called where it is this request's
// turn to end, and must have reads of its body end. Release is for the end.
//
// Errors: ErrNoSuchResumable.
func (r *Resumables) Hold(ctx context.Context, upload Resumable, interrupt func()) (*Writer, error) {
	w := &Writer{s: r.s, holder: rand.Text(), interrupt: interrupt}
	r.s.writers.add(w)
	err := w.take(ctx, upload.Version)
	if err == nil {
		err = w.restoreSum()
	}
	if err != nil {
		w.Release(ctx)
		return nil, err
	}
	return w, nil
}

func (w *Writer) take(ctx context.Context, version string) error {
	force := time.NewTimer(takeOverAfter)
	defer force.Stop()
	for forced := false; ; {
		err := w.s.query(ctx, Call{}.asService(), takeResumable, []any{version, w.holder, forced},
			func(row [][]byte) error { return json.Unmarshal(row[0], &w.Resumable) })
		switch {
		case err != nil:
			return storageerr.FromDatabase(err)
		case w.Version != "":
			return nil
		case forced:
			return storageerr.ErrNoSuchResumable
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-force.C:
			forced = true
		case <-time.After(takeAgainAfter):
		}
	}
}

func (w *Writer) restoreSum() error {
	w.sum = md5.New() // what an ETag is
	if len(w.MD5State) == 0 {
		return nil
	}
	if err := w.sum.(encoding.BinaryUnmarshaler).UnmarshalBinary(w.MD5State); err != nil {
		return fmt.Errorf("the sum of upload %s: %w", w.Version, err)
	}
	return nil
}

// Interrupted reports whether interrupt was called. It is for the time after Release.
func (w *Writer) Interrupted() bool { return w.stopped.Load() }

// Release lets the upload go.
func (w *Writer) Release(ctx context.Context) {
	w.s.writers.remove(w)
	if w.Version == "" || w.Finished {
		return
	}
	ctx, cancel := finish(ctx)
	defer cancel()
	if err := w.s.query(ctx, Call{}.asService(), letGoResumable, []any{w.Version, w.holder}, nil); err != nil {
		w.s.log.WarnContext(ctx, "an upload is held until another request takes it over", "error", err)
	}
}

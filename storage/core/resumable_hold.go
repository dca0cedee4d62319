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

// Times of a request that takes over an upload from another one.
const (
	// takeOverTimeout is how long the holder may take to store what it has received. If its
	// server has crashed, the upload is taken over after that.
	takeOverTimeout = 5 * time.Second

	takeOverInterval = 50 * time.Millisecond
)

// writers are the requests of this server that hold an upload.
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

// stop interrupts a holder whose upload is taken over. A holder that has released its
// upload is not interrupted, since its connection may serve another request by then.
func (w *writers) stop(holder string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if found := w.held[holder]; found != nil && !found.stopped.Swap(true) {
		found.interrupt()
	}
}

// Writer is an upload that one request holds, which alone may write to it. A newer request
// takes it over.
type Writer struct {
	Resumable
	s         *Service
	holder    string
	stopped   atomic.Bool // another request takes it over
	interrupt func()
	sum       hash.Hash // of the stored bytes
}

const (
	takeResumable = `with held as (
			select holder from storage.resumable_uploads where version = $1 and holder is not null and not $3::boolean
		), taken as (
			update storage.resumable_uploads set holder = $2, updated_at = now() where version = $1 and (holder is null or $3::boolean) returning *
		)
		select coalesce((select ` + resumableJSON + ` from taken u), '{}'), (select count(pg_notify('` + channel + `', '/' || holder)) from held)`
	releaseResumable = `update storage.resumable_uploads set holder = null where version = $1 and holder = $2`
)

// Hold acquires an upload for a request. If another request holds it, that request stores
// what it has received and fails. interrupt is called when a newer request takes the
// upload over, and must end reads of the request's body. The caller must call Release.
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
	force := time.NewTimer(takeOverTimeout)
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
		case <-time.After(takeOverInterval):
		}
	}
}

func (w *Writer) restoreSum() error {
	w.sum = md5.New() // for the ETag
	if len(w.MD5State) == 0 {
		return nil
	}
	if err := w.sum.(encoding.BinaryUnmarshaler).UnmarshalBinary(w.MD5State); err != nil {
		return fmt.Errorf("restore the MD5 state of upload %s: %w", w.Version, err)
	}
	return nil
}

// Interrupted reports whether interrupt was called. It may be called after Release.
func (w *Writer) Interrupted() bool { return w.stopped.Load() }

// Release releases the upload.
func (w *Writer) Release(ctx context.Context) {
	w.s.writers.remove(w)
	if w.Version == "" || w.Finished {
		return
	}
	ctx, cancel := detach(ctx)
	defer cancel()
	if err := w.s.query(ctx, Call{}.asService(), releaseResumable, []any{w.Version, w.holder}, nil); err != nil {
		w.s.log.WarnContext(ctx, "could not release an upload; the next request takes it over", "error", err)
	}
}

package core

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/storage/storageerr"
)

// Times of blobs that no row names.
const (
	// uploadGrace is how long a noted blob is kept while nobody says that it is
	// still being uploaded.
	uploadGrace = time.Hour

	// sweepEvery is how often unused blobs are looked for, and how often this
	// server says which ones it is uploading.
	sweepEvery = 5 * time.Minute

	// notedAtOnce is how many names are noted in one commit: most uploads then
	// need none of their own.
	notedAtOnce = 16

	// sweptAtOnce bounds the blobs deleted in one transaction.
	sweptAtOnce = 500
)

// notes are the names of blobs that are noted as unused and that this server may
// write to: those of uploads, and some in store.
type notes struct {
	s     *Service
	mu    sync.Mutex
	spare []string // versions
	made  time.Time
	held  map[string]struct{} // names of blobs that are being written
}

func newNotes(s *Service) *notes { return &notes{s: s, held: make(map[string]struct{})} }

const noteBlobs = `insert into storage.unused_blobs (name, delete_after)
	select storage.blob_name('', '', version), now() + $2::bigint * interval '1 second' from jsonb_array_elements_text($1::jsonb) as version`

// take returns the version of a new blob, which is noted as unused. It is to be
// given back when it is in use or not needed.
func (n *notes) take(ctx context.Context) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.s.now()
	if len(n.spare) == 0 || now.Sub(n.made) > uploadGrace/4 {
		n.spare = n.spare[:0] // what is older is swept
		made := make([]string, notedAtOnce)
		for i := range made {
			made[i] = newVersion(now)
		}
		if err := n.s.query(ctx, Call{}.asService(), noteBlobs, []any{made, int64(uploadGrace.Seconds())}, nil); err != nil {
			return "", storageerr.FromDatabase(err)
		}
		n.spare, n.made = made, now
	}
	version := n.spare[0]
	n.spare = n.spare[1:]
	n.held[blobName("", "", version)] = struct{}{}
	return version, nil
}

// note notes the blob of an upload as unused, while it is made, by a statement that
// finds the upload by args. Errors: NoSuchUpload where the upload has ended.
func (n *notes) note(ctx context.Context, version, sql string, args ...any) error {
	n.mu.Lock()
	n.held[blobName("", "", version)] = struct{}{}
	n.mu.Unlock()
	noted := false
	err := n.s.query(ctx, Call{}.asService(), sql, append([]any{int64(uploadGrace.Seconds())}, args...), func([][]byte) error { noted = true; return nil })
	if err == nil && noted {
		return nil
	}
	n.drop(version)
	if err == nil {
		return storageerr.ErrNoSuchUpload
	}
	return storageerr.FromDatabase(err)
}

// drop ends the holding of a blob; what is still noted is swept in time.
func (n *notes) drop(version string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.held, blobName("", "", version))
}

func (n *notes) names() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	names := make([]string, 0, len(n.held))
	for name := range n.held {
		names = append(names, name)
	}
	return names
}

const (
	holdBlobs = `update storage.unused_blobs set delete_after = greatest(delete_after, now() + $2::bigint * interval '1 second')
		where name in (select jsonb_array_elements_text($1::jsonb))`
	giveUpBlob = `update storage.unused_blobs set delete_after = now() where name = $1`
)

// giveUp ends an upload whose blob is not needed, and has it deleted soon.
func (n *notes) giveUp(ctx context.Context, version string) {
	ctx, cancel := finish(ctx)
	defer cancel()
	n.drop(version)
	if err := n.s.query(ctx, Call{}.asService(), giveUpBlob, []any{blobName("", "", version)}, nil); err != nil {
		n.s.log.WarnContext(ctx, "a blob that is not needed is kept for some time", "error", err)
		return
	}
	n.s.sweeper.wake()
}

// hold says which blobs are still being uploaded.
func (n *notes) hold(ctx context.Context) error {
	names := n.names()
	if len(names) == 0 {
		return nil
	}
	return n.s.query(ctx, Call{}.asService(), holdBlobs, []any{names, int64(uploadGrace.Seconds())}, nil)
}

// sweeper deletes the blobs that nobody needs.
type sweeper struct {
	s      *Service
	woken  chan struct{}
	counts counts
}

func newSweeper(s *Service) *sweeper { return &sweeper{s: s, woken: make(chan struct{}, 1)} }

// wake has due blobs deleted now.
func (w *sweeper) wake() {
	select {
	case w.woken <- struct{}{}:
	default: // it is about to look, and will see what is due by then
	}
}

// run sweeps at once, then whenever it is woken and every few minutes.
func (w *sweeper) run(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		if err := w.s.noted.hold(ctx); err != nil && ctx.Err() == nil {
			w.s.log.WarnContext(ctx, "cannot say which uploads are running", "error", err)
		}
		err := w.s.Sweep(ctx)
		if err == nil {
			err = w.countUnused(ctx)
		}
		if ctx.Err() == nil {
			w.counts.note(err, w.s.now())
			if err != nil {
				w.s.log.WarnContext(ctx, "unused blobs are not deleted", "error", err)
			}
		}
		if err := w.s.Resumables.Sweep(ctx); err != nil && ctx.Err() == nil {
			w.s.log.WarnContext(ctx, "expired uploads are not removed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-w.woken:
		}
	}
}

const (
	dueBlobs = `select name from storage.unused_blobs where delete_after <= clock_timestamp()
		order by delete_after limit $1 for update skip locked`
	forgetBlobs = `delete from storage.unused_blobs where name = any($1)`
)

// Sweep deletes the blobs that are due. Servers may sweep at once: each takes
// others. A blob's note goes when its bytes are gone. While a backup copies blobs,
// none is deleted.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		swept := 0
		err := s.db.AsService(ctx, pg.StorageAdmin, func(tx pgx.Tx) error {
			var may bool
			if err := tx.QueryRow(ctx, mayDeleteBlobs).Scan(&may); err != nil || !may {
				return err
			}
			rows, err := tx.Query(ctx, dueBlobs, sweptAtOnce)
			if err != nil {
				return err
			}
			names, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if err != nil || len(names) == 0 {
				return err
			}
			swept = len(names)
			if err := s.blobs.Delete(ctx, names...); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, forgetBlobs, names)
			return err
		})
		if err == nil {
			s.sweeper.counts.swept.Add(uint64(swept))
		}
		if err != nil || swept < sweptAtOnce {
			return err
		}
	}
}

// decodeNumber reads a number that is the one value of a row.
func decodeNumber(to *int64) func(row [][]byte) error {
	return func(row [][]byte) error { return json.Unmarshal(row[0], to) }
}

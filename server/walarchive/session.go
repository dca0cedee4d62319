package walarchive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/storage/blob"
)

// slotPrefix is the prefix of the replication slots' names. The id of the run follows.
const slotPrefix = "plaza_archive_"

func slotName(run string) string { return slotPrefix + run }

// newRunID returns an id that is valid in the name of a slot.
func newRunID(now time.Time) string {
	return now.UTC().Format("20060102t150405") + "_" + strings.ToLower(rand.Text()[:8])
}

const (
	askServer = `select (select system_identifier::text from pg_control_system()), ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
		pg_size_bytes(current_setting('wal_segment_size')), pg_current_wal_flush_lsn()::text`
	askSlots = `select slot_name::text, coalesce(restart_lsn::text, ''), coalesce(wal_status, ''), active from pg_replication_slots
		where slot_name like 'plaza\_archive\_%' order by slot_name desc`
	dropSlot   = `select pg_drop_replication_slot($1)`
	createSlot = `select lsn::text from pg_create_physical_replication_slot($1, true)`

	// The message is written to the WAL by a transaction. A restore to a time ends at the first commit after
	// it, so there must be one after every time that is archived.
	emitHeartbeat = `select clock_timestamp(), pg_logical_emit_message(true, 'plaza.archive', '')::text`
	askFlushed    = `select pg_current_wal_flush_lsn()::text`
)

// connect opens a connection whose commits are on the local disk when they return, whatever the
// database's default is, and do not wait for replicas.
func connect(ctx context.Context, address string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["synchronous_commit"] = "local"
	return pgx.ConnectConfig(ctx, config)
}

// server describes a PostgreSQL server.
type server struct {
	system   string
	timeline uint32
	segment  uint64
	flushed  LSN
}

func describe(ctx context.Context, conn *pgx.Conn) (s server, err error) {
	var flushed string
	if err := conn.QueryRow(ctx, askServer).Scan(&s.system, &s.timeline, &s.segment, &flushed); err != nil {
		return s, fmt.Errorf("read the database's system identifier and WAL position: %w", err)
	}
	s.flushed, err = ParseLSN(flushed)
	return s, err
}

// slot is a replication slot that keeps WAL for an archive.
type slot struct {
	run     string
	restart LSN
	status  string // "lost" if WAL that it needs was removed
	active  bool
}

// lost reports whether PostgreSQL no longer has the WAL that is not archived.
func (s slot) lost() bool { return s.status == "lost" || s.restart == 0 }

func slots(ctx context.Context, conn *pgx.Conn) ([]slot, error) {
	rows, err := conn.Query(ctx, askSlots)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (s slot, err error) {
		var name, restart string
		if err := row.Scan(&name, &restart, &s.status, &s.active); err != nil {
			return s, err
		}
		s.run = strings.TrimPrefix(name, slotPrefix)
		if restart != "" {
			s.restart, err = ParseLSN(restart)
		}
		return s, err
	})
}

// CurrentRun returns the id of the run to which a database is archived, or "".
func CurrentRun(ctx context.Context, conn *pgx.Conn) (string, error) {
	all, err := slots(ctx, conn)
	if err != nil || len(all) == 0 || all[0].lost() {
		return "", err
	}
	return all[0].run, nil
}

// DropSlots ends archiving, so that PostgreSQL keeps no WAL for it. It returns the number
// of dropped slots.
func DropSlots(ctx context.Context, conn *pgx.Conn) (int, error) {
	all, err := slots(ctx, conn)
	if err != nil {
		return 0, err
	}
	for _, s := range all {
		if _, err := conn.Exec(ctx, dropSlot, slotName(s.run)); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

// errSlotActive means that another server archives the database.
var errSlotActive = errors.New("another server archives this database")

// resume returns the run to continue and the position to continue at. It begins a new run
// if there is none, or if the last one cannot be continued; in that case gap is the reason.
//
// Errors: ErrOtherDatabase; ErrDamaged; errSlotActive.
func (a *Archive) resume(ctx context.Context, conn *pgx.Conn, now time.Time) (run Run, next LSN, gap string, err error) {
	here, err := describe(ctx, conn)
	if err != nil {
		return run, 0, "", err
	}
	if err := a.claim(ctx, here.system); err != nil {
		return run, 0, "", err
	}
	all, err := slots(ctx, conn)
	if err != nil {
		return run, 0, "", err
	}
	for _, s := range all {
		if s.active {
			return run, 0, "", errSlotActive
		}
	}
	if len(all) > 0 {
		run, next, gap, err = a.continueRun(ctx, all[0], here)
		if err != nil || gap == "" {
			return run, next, "", err
		}
	}
	if _, err := DropSlots(ctx, conn); err != nil {
		return run, 0, "", err
	}
	run = Run{ID: newRunID(now), System: here.system, Timeline: here.timeline, Segment: here.segment, Began: now.UTC()}
	var position string
	if err := conn.QueryRow(ctx, createSlot, slotName(run.ID)).Scan(&position); err != nil {
		return run, 0, "", fmt.Errorf("create a replication slot: %w", err)
	}
	if run.Start, err = ParseLSN(position); err != nil {
		return run, 0, "", err
	}
	run.Start = run.segmentStart(run.Start)
	return run, run.Start, gap, a.writeJSON(ctx, run.prefix()+runKey, run)
}

// continueRun returns the run of a slot and the position to continue at. gap is the reason if
// that is not possible.
func (a *Archive) continueRun(ctx context.Context, s slot, here server) (run Run, next LSN, gap string, err error) {
	run, err = a.run(ctx, s.run)
	if errors.Is(err, blob.ErrNotFound) {
		return run, 0, "the archive does not have the WAL that was archived before", nil
	}
	if err != nil {
		return run, 0, "", err
	}
	chunks, err := a.chunks(ctx, run)
	if err != nil {
		return run, 0, "", err
	}
	found := continuous(chunks, startOf(run, chunks))
	next = found.end
	switch {
	case s.lost():
		return run, 0, "PostgreSQL removed WAL that was not archived yet (max_slot_wal_keep_size)", nil
	case run.Timeline != here.timeline:
		return run, 0, "the database was restored or replaced", nil
	case found.afterGap != 0 || next < s.restart:
		return run, 0, fmt.Sprintf("WAL after %s is missing in the archive", next), nil
	case next > here.flushed:
		return run, 0, "the database is older than the archive", nil
	}
	return run, next, "", nil
}

// startOf returns the position of the oldest chunk, or the start of the run if there is none.
// Older chunks may have been removed.
func startOf(run Run, chunks []chunk) LSN {
	if len(chunks) == 0 {
		return run.Start
	}
	return chunks[0].start
}

// reach is how far chunks go without a gap.
type reach struct {
	end      LSN
	covered  time.Time // all commits until then are in the chunks
	afterGap LSN       // the start of the first chunk after a gap; 0 if there is no gap
}

// continuous follows chunks from a position to the end or to a gap.
func continuous(chunks []chunk, from LSN) reach {
	r := reach{end: from}
	for _, c := range chunks {
		if c.end <= r.end {
			continue
		}
		if c.start > r.end {
			r.afterGap = c.start
			break
		}
		r.end = c.end
		if c.covered.After(r.covered) {
			r.covered = c.covered
		}
	}
	return r
}

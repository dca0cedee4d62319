package pg

import (
	"context"
	"strconv"

	"plaza/server/claims"
	"plaza/server/pg/pipeline"
	"plaza/server/pg/replica"

	"github.com/jackc/pgx/v5/pgconn"
)

// position is a position in the primary's log; zero: none.
type position struct {
	at       LSN
	timeline uint32 // which grows when a replica becomes the primary
}

// positionSQL selects a position at or after everything that is committed, and the name of a file of the log, which begins
// with the timeline. It cannot be asked for within the transaction, whose commit record must precede it.
const positionSQL = "select pg_catalog.pg_current_wal_insert_lsn()::text, pg_catalog.pg_walfile_name('0/1')"

// parsePosition parses a row of positionSQL.
func parsePosition(row [][]byte) position {
	timeline, _ := strconv.ParseUint(string(row[1][:8]), 16, 32) // PostgreSQL writes eight digits
	return position{replica.ParseLSN(string(row[0])), uint32(timeline)}
}

// askPosition adds to a write, after its Sync, the statement that selects its position.
func (l *lease) askPosition(line *pipeline.Pipeline, j *job) []pipeline.Sent {
	if set := j.set; !l.at.returnsPosition || set.ReadOnly || set.Rollback || set.Verify != nil {
		return nil
	}
	line.Begin()
	sent := line.Send("", positionSQL, nil)
	sent.Scan = func(row [][]byte) error {
		j.committed = parsePosition(row)
		return nil
	}
	return []pipeline.Sent{sent}
}

// position returns a position at or after a job that is committed, from a connection other than the job's, which was lost.
//
// Errors: the job's, if there is none.
func (db *DB) position(j *job) (position, error) {
	if !isGone(j.err) {
		return position{}, j.err
	}
	conn, _, err := db.primary.acquire(j.ctx, claims.Caller{}, nil)
	if err != nil {
		return position{}, j.err
	}
	defer conn.release()
	committed, err := currentPosition(j.ctx, conn.raw())
	if err != nil {
		return position{}, j.err
	}
	return committed, nil
}

// currentPosition returns a position at or after everything that is committed.
func currentPosition(ctx context.Context, conn *pgconn.PgConn) (position, error) {
	results, err := conn.Exec(ctx, positionSQL).ReadAll()
	if err != nil {
		return position{}, unavailable(err)
	}
	return parsePosition(results[0].Rows[0]), nil
}

// wroteSQL selects whether the transaction has written.
const wroteSQL = "select pg_catalog.pg_current_xact_id_if_assigned() is not null"

// commitSQL commits an explicit transaction and selects its position, in one round trip.
// It fails where the transaction has failed.
const commitSQL = wroteSQL + "; commit; " + positionSQL

// commitAt commits and returns the position; zero where nothing was written.
func commitAt(ctx context.Context, conn *pgconn.PgConn) (position, error) {
	results, err := conn.Exec(ctx, commitSQL).ReadAll()
	if err != nil {
		return position{}, unavailable(err)
	}
	if string(results[0].Rows[0][0]) == "f" {
		return position{}, nil
	}
	return parsePosition(results[2].Rows[0]), nil
}

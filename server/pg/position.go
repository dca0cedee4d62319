package pg

import (
	"context"

	"plaza/server/claims"
	"plaza/server/pg/pipeline"
	"plaza/server/pg/replica"

	"github.com/jackc/pgx/v5/pgconn"
)

// positionSQL selects a position at or after everything that is committed. It cannot be
// asked for within the transaction, whose commit record must precede it.
const positionSQL = "select pg_catalog.pg_current_wal_insert_lsn()"

// askPosition adds to a write, after its Sync, the statement that selects its position.
func (l *lease) askPosition(line *pipeline.Pipeline, j *job) []pipeline.Sent {
	if set := j.set; !l.at.returnsPosition || set.ReadOnly || set.Rollback || set.Verify != nil {
		return nil
	}
	line.Begin()
	sent := line.Send("", positionSQL, nil)
	sent.Scan = func(row [][]byte) error {
		j.committed = replica.ParseLSN(string(row[0]))
		return nil
	}
	return []pipeline.Sent{sent}
}

// position returns a position at or after a job that is committed, from a connection other than the job's, which was lost.
//
// Errors: the job's, if there is none.
func (db *DB) position(j *job) (LSN, error) {
	if !isGone(j.err) {
		return 0, j.err
	}
	conn, _, err := db.primary.acquire(j.ctx, claims.Caller{}, nil)
	if err != nil {
		return 0, j.err
	}
	defer conn.release()
	results, err := conn.raw().Exec(j.ctx, positionSQL).ReadAll()
	if err != nil {
		return 0, j.err
	}
	return replica.ParseLSN(string(results[0].Rows[0][0])), nil
}

// commitSQL commits an explicit transaction and selects its position, in one round trip.
// It fails where the transaction has failed.
const commitSQL = "select pg_catalog.pg_current_xact_id_if_assigned() is not null; commit; " + positionSQL

// commitAt commits and returns the position; zero where nothing was written.
func commitAt(ctx context.Context, conn *pgconn.PgConn) (LSN, error) {
	results, err := conn.Exec(ctx, commitSQL).ReadAll()
	if err != nil {
		return 0, unavailable(err)
	}
	if string(results[0].Rows[0][0]) == "f" {
		return 0, nil
	}
	return replica.ParseLSN(string(results[2].Rows[0][0])), nil
}

package pg

import (
	"context"
	"errors"

	"plaza/server/pg/pipeline"

	"github.com/jackc/pgx/v5/pgconn"
)

// positionSQL gives a position at or after all that is committed. The commit's
// own record has to be before it, so it cannot be asked for in the transaction.
const positionSQL = "select pg_catalog.pg_current_wal_insert_lsn()"

// askPosition sends, behind a write's Sync and in the same network write, the
// question where it is committed.
func (l *lease) askPosition(line *pipeline.Pipeline, j *job) []pipeline.Sent {
	if set := j.set; !l.at.tells || set.ReadOnly || set.Rollback || set.Verify != nil {
		return nil
	}
	line.Begin()
	sent := line.Send("", positionSQL, nil)
	sent.Scan = func(row [][]byte) error {
		j.committed = ParseLSN(string(row[0]))
		return nil
	}
	return []pipeline.Sent{sent}
}

// commitSQL ends an explicit transaction and asks for its position, in one
// network write. It fails where the transaction has failed.
const commitSQL = "select pg_catalog.pg_current_xact_id_if_assigned() is not null; commit; " + positionSQL

// commitAt commits and gives the position; zero where nothing was written.
func commitAt(ctx context.Context, conn *pgconn.PgConn) (LSN, error) {
	results, err := conn.Exec(ctx, commitSQL).ReadAll()
	if err != nil {
		return 0, unavailable(err)
	}
	if string(results[0].Rows[0][0]) == "f" {
		return 0, nil
	}
	return ParseLSN(string(results[2].Rows[0][0])), nil
}

// replayedSQL gives how far a replica is; NULL where it is none, or no longer.
const replayedSQL = "case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn() end"

// errBehind says that a replica does not show what the caller has to see.
var errBehind = errors.New("the replica has not replayed what the caller wrote")

// checkReplayed looks at the row of the statement that becomes the caller on a
// replica: how far it is stands last. What the job reads after that is no older.
func (j *job) checkReplayed(row [][]byte) error {
	if replayed := ParseLSN(string(row[len(row)-1])); replayed == 0 || replayed < j.need {
		return errBehind
	}
	return nil
}

// fitsReplica reports whether a read's failure has nothing to do with being run on
// a replica.
func fitsReplica(err error) bool {
	var pgErr *pgconn.PgError
	return !errors.As(err, &pgErr) || pgErr.Code != readOnly && pgErr.Code != notSupported && pgErr.Code != recoveryConflict && pgErr.Code != recoveryDeadlock
}

// What only a replica refuses.
const (
	readOnly         = "25006" // LISTEN, a transaction id, a temporary table
	notSupported     = "0A000" // an unlogged table, serializable
	recoveryConflict = "40001" // the rows it reads were vacuumed on the primary
	recoveryDeadlock = "40P01"
)

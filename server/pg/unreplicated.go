package pg

import (
	"net/http"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
)

// With synchronous replication PostgreSQL commits, and then waits until a replica has the commit. If that wait
// is cancelled, as by our own cancel request when a request times out, the statement succeeds with a
// warning. A new primary may lack the commit, so it must not count as successful.

// errUnreplicated is the error for such a commit: its outcome is unknown.
var errUnreplicated = apierr.New(http.StatusServiceUnavailable, codeLost, "The database has not confirmed the write.")

// syncWaitRoutine is the C function that waits for replicas. The warning has no SQLSTATE of its own, and its text
// depends on lc_messages.
const syncWaitRoutine = "SyncRepWaitForLSN"

// unreplicatedKey marks a connection on which the wait for replicas was cancelled.
const unreplicatedKey = "plaza.unreplicated"

// noteUnreplicated handles the notices of a connection.
func noteUnreplicated(conn *pgconn.PgConn, notice *pgconn.Notice) {
	if notice.Routine == syncWaitRoutine {
		conn.CustomData()[unreplicatedKey] = true
	}
}

// checkReplicated returns errUnreplicated if the wait for replicas was cancelled since the last call.
func checkReplicated(conn *pgconn.PgConn) error {
	if _, found := conn.CustomData()[unreplicatedKey]; !found {
		return nil
	}
	delete(conn.CustomData(), unreplicatedKey)
	return errUnreplicated
}

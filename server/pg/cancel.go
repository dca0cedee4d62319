package pg

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// cancelGrace is how long PostgreSQL may take to acknowledge a cancel request, and the
// cancelled statement to end; then the connection is closed.
const cancelGrace = 2 * time.Second

// cancelHandler has PostgreSQL cancel the statement of a connection when the context of
// its request ends.
//
// A cancel request names a connection, not a statement. One that arrives after the
// statement has ended cancels the statement of the next request. pgx's own handler
// waits for 100 ms then, which is too short where PostgreSQL has little processor time.
// This one waits for PostgreSQL to acknowledge the request, which it does after it has
// signalled the connection's process, and closes the connection if there is no
// acknowledgement within cancelGrace.
type cancelHandler struct {
	conn *pgconn.PgConn
	done chan bool // whether the request was acknowledged
}

// HandleCancel sends the cancel request.
func (h *cancelHandler) HandleCancel(context.Context) {
	deadline := time.Now().Add(cancelGrace)
	_ = h.conn.Conn().SetDeadline(deadline) // an error here is also one of the next read
	h.done = make(chan bool, 1)
	go func() {
		ctx, cancel := context.WithDeadline(context.Background(), deadline)
		defer cancel()
		// It returns nil also where it gave up waiting for the acknowledgement.
		err := h.conn.CancelRequest(ctx)
		h.done <- err == nil && ctx.Err() == nil
	}()
}

// HandleUnwatchAfterCancel makes the connection ready for the next request, or closes it.
func (h *cancelHandler) HandleUnwatchAfterCancel() {
	if <-h.done {
		_ = h.conn.Conn().SetDeadline(time.Time{})
		return
	}
	_ = h.conn.Conn().Close()
	_ = h.conn.Close(context.Background()) // marks it as closed for the pool
}

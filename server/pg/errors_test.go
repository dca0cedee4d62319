package pg

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
)

// Whatever keeps a server from being reached, the client may ask again later.
func TestAServerThatCannotBeReachedIsUnavailable(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	for name, address := range map[string]string{
		"nobody there":       "postgres://u@127.0.0.1:1/d?sslmode=disable",
		"nothing is said":    "postgres://u@" + silent.Addr().String() + "/d?sslmode=disable&connect_timeout=1",
		"there is no such":   "postgres://u@/d?host=/nowhere",
		"neither of the two": "postgres://u@127.0.0.1:1,127.0.0.1:2/d?sslmode=disable&target_session_attrs=read-write",
	} {
		_, err := pgconn.Connect(t.Context(), address)
		answer := apierr.As(unavailable(err))
		if answer == nil || answer.Status != http.StatusServiceUnavailable || !isLost(answer) {
			t.Errorf("%s: %v becomes %v", name, err, answer)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pgconn.Connect(cancelled, "postgres://u@"+silent.Addr().String()+"/d?sslmode=disable"); isLost(unavailable(err)) {
		t.Errorf("a client that has gone: %v", err)
	}
}

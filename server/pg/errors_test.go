package pg

import (
	"context"
	"net"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
)

// If a server cannot be reached for any reason, the error is a 503 that the client may retry.
func TestUnreachableServer(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections but sends nothing
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	for name, address := range map[string]string{
		"connection refused": "postgres://u@127.0.0.1:1/d?sslmode=disable",
		"silent server":      "postgres://u@" + silent.Addr().String() + "/d?sslmode=disable&connect_timeout=1",
		"no such socket":     "postgres://u@/d?host=/nowhere",
		"two hosts refused":  "postgres://u@127.0.0.1:1,127.0.0.1:2/d?sslmode=disable&target_session_attrs=read-write",
	} {
		_, err := pgconn.Connect(t.Context(), address)
		apiErr := apierr.As(unavailable(err))
		if apiErr == nil || apiErr.Status != http.StatusServiceUnavailable || !isLost(apiErr) {
			t.Errorf("%s: %v becomes %v", name, err, apiErr)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pgconn.Connect(cancelled, "postgres://u@"+silent.Addr().String()+"/d?sslmode=disable"); isLost(unavailable(err)) {
		t.Errorf("a cancelled request: %v", err)
	}
}

// A raised status that is not a final HTTP status becomes 500. It would be sent as a success.
func TestRaisedStatuses(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{"PT402": 402, "PT200": 200, "PT599": 599, "PT100": 500, "PT199": 500, "PT600": 500, "PTabc": 500} {
		if got := apierr.As(APIError(&pgconn.PgError{Code: code}, false)); got.Status != want {
			t.Errorf("%s: status %d, want %d", code, got.Status, want)
		}
	}
	for status, want := range map[string]int{"402": 402, "42": 500, "100": 500, "1000": 500, "-1": 500} {
		raised := &pgconn.PgError{Code: "PGRST", Message: `{"code":"1","message":"m"}`, Detail: `{"status":` + status + `,"headers":{}}`}
		if got := apierr.As(APIError(raised, false)); got.Status != want {
			t.Errorf("raised status %s: %d, want %d", status, got.Status, want)
		}
	}
}

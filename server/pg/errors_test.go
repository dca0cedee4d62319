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

// A status that HTTP has no final answer for would be sent as a success.
func TestRaisedStatusesAreThoseOfAnswers(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{"PT402": 402, "PT200": 200, "PT599": 599, "PT100": 500, "PT199": 500, "PT600": 500, "PTabc": 500} {
		if got := apierr.As(APIError(&pgconn.PgError{Code: code}, false)); got.Status != want {
			t.Errorf("%s is answered with %d, want %d", code, got.Status, want)
		}
	}
	for status, want := range map[string]int{"402": 402, "42": 500, "100": 500, "1000": 500, "-1": 500} {
		raised := &pgconn.PgError{Code: "PGRST", Message: `{"code":"1","message":"m"}`, Detail: `{"status":` + status + `,"headers":{}}`}
		if got := apierr.As(APIError(raised, false)); got.Status != want {
			t.Errorf("status %s is answered with %d, want %d", status, got.Status, want)
		}
	}
}

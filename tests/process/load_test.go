package process

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
	"plaza/tests/testkit/freeport"
)

// loaded is a running `plaza rest` on a database of the test's own.
type loaded struct {
	*server
	admin *server
	db    *pgxpool.Pool // the superuser's
}

// load runs fixture on the database and starts `plaza rest`. Requests run as service_role, which has no timeout.
func load(t *testing.T, url, fixture string, environ ...string) *loaded {
	t.Helper()
	l := &loaded{db: testkit.Open(t, url)}
	if _, err := l.db.Exec(t.Context(), fixture); err != nil {
		t.Fatal(err)
	}
	port, admin := freeport.Pick(), freeport.Pick()
	l.server = run(t, port, []string{"rest"}, append([]string{
		"PGRST_DB_URI=" + url, "PGRST_DB_ANON_ROLE=service_role", "PGRST_SERVER_HOST=127.0.0.1", "PGRST_SERVER_PORT=" + port, "PGRST_ADMIN_SERVER_PORT=" + admin,
	}, environ...))
	l.admin = &server{url: "http://127.0.0.1:" + admin, ended: l.ended, output: l.output}
	l.admin.waitFor(t, "/ready", http.StatusOK)
	return l
}

// peak returns the maximum memory of the server since resetPeak, in megabytes.
func (s *server) peak(t *testing.T) int {
	t.Helper()
	return s.memory(t, "VmHWM")
}

// memory returns one of the values that Linux reports for a process, in megabytes.
func (s *server) memory(t *testing.T, figure string) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.command.Process.Pid))
	if err != nil {
		t.Skip("no /proc")
	}
	_, rest, _ := strings.Cut(string(status), figure+":")
	return atoi(t, strings.Fields(rest)[0]) >> 10
}

// resetPeak resets the value that peak returns.
func (l *loaded) resetPeak(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", l.command.Process.Pid), []byte("5"), 0o600); err != nil {
		t.Skip("the peak of a process cannot be reset")
	}
}

// metric returns a value from the admin server.
func (l *loaded) metric(t *testing.T, name string) int {
	t.Helper()
	_, text := l.admin.call(t, http.MethodGet, "/metrics", "", "")
	_, rest, _ := strings.Cut(text, "\n"+name+" ")
	line, _, _ := strings.Cut(rest, "\n")
	number, err := strconv.ParseFloat(line, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return int(number)
}

// waitForMetric polls a value until it is as wanted.
func (l *loaded) waitForMetric(t *testing.T, name string, wanted func(now int) bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		now := l.metric(t, name)
		if wanted(now) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is %d", name, now)
		}
	}
}

// waitForGoroutines waits until the server has no more goroutines than before.
func (l *loaded) waitForGoroutines(t *testing.T, before int) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	l.waitForMetric(t, "go_goroutines", func(now int) bool { return now <= before })
}

// wait polls a boolean query until it returns true.
func (l *loaded) wait(t *testing.T, question string) {
	t.Helper()
	for yes, end := false, time.Now().Add(time.Minute); !yes; {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s\n%s", question, l.output)
		}
		if err := l.db.QueryRow(t.Context(), question).Scan(&yes); err != nil {
			t.Fatal(err)
		}
	}
}

// send sends a request with a body that may be streamed.
func (l *loaded) send(ctx context.Context, method, path string, header http.Header, body io.Reader) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, l.url+path, body)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		request.Header[name] = values
	}
	return http.DefaultClient.Do(request)
}

// ownCluster returns a PostgreSQL for one test, which may damage it.
func ownCluster(t *testing.T) *cluster.Cluster {
	t.Helper()
	yours, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = yours.Stop(context.Background()) })
	return yours
}

package process

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"plaza/tests/testkit"
	checked "plaza/tests/testkit/load"
)

// balancer distributes connections to servers, as a proxy in front of them does.
type balancer struct {
	mu        sync.Mutex
	addresses []string
	next      int
}

// use replaces the servers that get new connections.
func (b *balancer) use(servers ...*server) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.addresses = nil
	for _, s := range servers {
		b.addresses = append(b.addresses, strings.TrimPrefix(s.url, "http://"))
	}
}

// balancedHost is the host that stands for all servers.
const balancedHost = "plaza.example"

// dial connects to the next server that accepts connections.
func (b *balancer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if !strings.HasPrefix(address, balancedHost) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	b.mu.Lock()
	b.next++
	first, addresses := b.next, b.addresses
	b.mu.Unlock()
	var failed error
	for i := range addresses {
		conn, err := new(net.Dialer).DialContext(ctx, network, addresses[(first+i)%len(addresses)])
		if err == nil {
			return conn, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// outage is a period in which requests may fail.
type outage struct {
	mu           sync.Mutex
	began, ended time.Time
}

func (o *outage) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.began = time.Now()
}

func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = time.Now()
}

// mayFail reports whether a request that has failed now may have.
func (o *outage) mayFail(began time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.began.IsZero() && (o.ended.IsZero() || began.Before(o.ended))
}

// Two servers share a primary and a replica. One server is killed and started again, then the other is restarted
// as an upgrade does: the first may fail requests, the second none. Acknowledged writes are kept and
// each read shows the reader's last write, whichever server and database serve it.
func TestTwoServersUnderLoad(t *testing.T) {
	t.Parallel()
	const (
		clients  = 6
		requests = 150 // in each phase
	)
	primary := ownCluster(t)
	standby, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = standby.Stop(context.Background()) })
	root := project(t)
	if err := os.WriteFile(filepath.Join(root, "supabase/migrations/20260101000000_load.sql"), []byte(checked.Migration+checked.SharedMigration), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "supabase/config.toml"), []byte("project_id = \"cluster\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := []string{
		"DATABASE_URL=" + primary.URL(), "DATABASE_REPLICA_URLS=" + standby.URL(), "STORAGE_FILE_BACKEND_PATH=" + filepath.Join(root, "objects"),
		"PGRST_DB_POOL=4", "GOTRUE_MAILER_AUTOCONFIRM=true", "GOTRUE_RATE_LIMIT_TOKEN_REFRESH=1000000", "PLAZA_WATCH=false",
	}
	data := filepath.Join(root, "data") // with the shared secrets
	first := startIn(t, root, data, environ...)
	second := startIn(t, root, data, environ...)
	both := &balancer{}
	both.use(first, second)
	failures := &outage{}
	report := checked.NewReport()
	target := &checked.Target{
		URL: "http://" + balancedHost, Anon: first.keys.Anon, Dial: both.dial, MayFail: failures.mayFail,
		HTTP: &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: both.dial, DisableKeepAlives: true}},
	}
	users := make([]*checked.Client, clients)
	for i := range users {
		if users[i], err = checked.New(t.Context(), target, report, i); err != nil {
			t.Fatal(err)
		}
	}
	loading, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer func() { stop(); running.Wait() }()
	for _, user := range users {
		running.Go(func() { user.Work(loading) })
	}
	shared := &checked.Shared{
		Target: target, Service: first.keys.Service, Servers: []string{first.url, second.url}, Within: time.Minute, Report: report,
	}
	running.Go(func() {
		if err := shared.Run(loading); err != nil {
			report.AddViolation("shared", "%v", err)
		}
	})
	more := func() {
		t.Helper()
		if err := report.Wait(t.Context(), requests); err != nil {
			t.Fatal(err)
		}
	}

	more()
	failures.begin()
	_ = first.stop(t, syscall.SIGKILL)
	more() // the other one serves alone
	first = restartServer(t, first)
	both.use(first, second)
	failures.end()
	more()

	both.use(first)
	if err := second.stop(t, syscall.SIGTERM); err != nil {
		t.Errorf("the restarted server ended with %v\n%s", err, second.output)
	}
	second = restartServer(t, second)
	both.use(first, second)
	more()

	stop()
	running.Wait()
	conn, err := testkit.Open(t, primary.URL()).Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if err := checked.Verify(t.Context(), conn.Conn(), users, report); err != nil {
		t.Fatal(err)
	}
	if report.Print() > 0 {
		t.Errorf("the load has found violations\nfirst:\n%s\nsecond:\n%s", first.output, second.output)
	}
}

// restartServer starts a server that has ended, at the same address.
func restartServer(t *testing.T, ended *server) *server {
	t.Helper()
	_, port, _ := strings.Cut(strings.TrimPrefix(ended.url, "http://"), ":")
	s := run(t, port, ended.command.Args[1:], ended.environ)
	s.dir = ended.dir
	if !s.waitReady(t) {
		t.Fatalf("the server ended\n%s", s.output)
	}
	s.readKeys(t)
	return s
}

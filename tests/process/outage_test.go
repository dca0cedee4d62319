package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
)

const slow = `
	create table todos (id int primary key); insert into todos values (1); grant select on todos to service_role;
	create function slow() returns void language sql as 'select pg_sleep(600)';`

const sleepers = `from pg_stat_activity where datname = current_database() and query like '%"slow"(%' and state = 'active' and pid <> pg_backend_pid()`

// get returns the status and the body of a response.
func (l *loaded) get(ctx context.Context, path string) (int, string, error) {
	response, err := l.send(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return 0, "", err
	}
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), errors.Join(err, response.Body.Close())
}

// sendSleepingQueries makes clients send a query that does not end; leave disconnects them.
func (l *loaded) sendSleepingQueries(t *testing.T, clients int) (leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var left sync.WaitGroup
	for range clients {
		left.Go(func() {
			if response, err := l.send(ctx, http.MethodPost, "/rpc/slow", nil, http.NoBody); err == nil {
				_ = response.Body.Close()
			}
		})
	}
	return func() { cancel(); left.Wait() }
}

func TestDisconnectedClientsReleaseTheirConnections(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), slow, "PGRST_DB_POOL=2", "PGRST_DB_POOL_ACQUISITION_TIMEOUT=600")
	for round := range 3 {
		leave := l.sendSleepingQueries(t, 10)
		l.wait(t, "select count(*) = 2 "+sleepers)
		l.waitForMetric(t, "pgrst_db_pool_waiting", func(waiting int) bool { return waiting == 8 })
		leave()
		if status, body, err := l.get(t.Context(), "/todos"); status != http.StatusOK || body != `[{"id":1}]` {
			t.Fatalf("round %d: %d %s, %v", round, status, body, err)
		}
		l.wait(t, "select count(*) = 0 "+sleepers)
	}
}

func TestFullPoolTimesOut(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), slow, "PGRST_DB_POOL=2", "PGRST_DB_POOL_ACQUISITION_TIMEOUT=1")
	leave := l.sendSleepingQueries(t, 2)
	l.wait(t, "select count(*) = 2 "+sleepers)
	for range 3 {
		if status, body, err := l.get(t.Context(), "/todos"); status != http.StatusGatewayTimeout || !strings.Contains(body, `"PGRST003"`) {
			t.Errorf("while all connections are taken: %d %s, %v", status, body, err)
		}
	}
	leave()
	l.waitForText(t, "/todos", `[{"id":1}]`)
	if missed := l.metric(t, "pgrst_db_pool_timeouts_total"); missed != 3 {
		t.Errorf("%d time-outs are counted", missed)
	}
}

// loadDurable serves a table on a separate PostgreSQL with durable commits.
func loadDurable(t *testing.T) (*cluster.Cluster, *loaded) {
	t.Helper()
	yours := ownCluster(t)
	return yours, load(t, yours.URL(), `
		alter database postgres set synchronous_commit = on; -- what a test's cluster gives up
		create role service_role;
		create table kept (id bigint); grant all on kept to service_role;`)
}

// TestWriteWithLostResponseIsNotRetried: an insert that was committed, but whose response was lost, is
// refused and not repeated. Waiting for a standby that does not exist holds the response back.
func TestWriteWithLostResponseIsNotRetried(t *testing.T) {
	t.Parallel()
	_, l := loadDurable(t)
	for _, sql := range []string{"alter system set synchronous_standby_names = 'nobody'", "select pg_reload_conf()"} {
		if _, err := l.db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	answers := make(chan int, 1)
	insert := func(id int) {
		status := 0
		response, err := l.send(t.Context(), http.MethodPost, "/kept", http.Header{"Content-Type": {"application/json"}}, strings.NewReader(fmt.Sprintf(`{"id":%d}`, id)))
		if err != nil {
			t.Error(err)
		} else if status = response.StatusCode; response.Body.Close() != nil {
			t.Error("the answer broke off")
		}
		answers <- status
	}
	// PostgreSQL applies the name shortly after it was set: until then commits do not wait.
	inserted := 0
	for waits := false; !waits; {
		inserted++
		go insert(inserted)
		for answered := false; !answered && !waits; {
			select {
			case status := <-answers:
				if answered = true; status != http.StatusCreated {
					t.Fatalf("status %d before commits waited", status)
				}
			default:
				if err := l.db.QueryRow(t.Context(), "select count(*) = 1 from pg_stat_activity where wait_event = 'SyncRep'").Scan(&waits); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var backend int
	if err := l.db.QueryRow(t.Context(), "select pid from pg_stat_activity where wait_event = 'SyncRep'").Scan(&backend); err != nil {
		t.Fatal(err)
	}
	l.wait(t, fmt.Sprintf("select pg_terminate_backend(%d)", backend))
	l.wait(t, fmt.Sprintf("select count(*) = 0 from pg_stat_activity where pid = %d", backend))
	for _, sql := range []string{"alter system reset synchronous_standby_names", "select pg_reload_conf()"} {
		if _, err := l.db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if status := <-answers; status != http.StatusServiceUnavailable {
		t.Errorf("status %d, want 503", status)
	}
	l.wait(t, fmt.Sprintf("select count(*) = %d from kept", inserted))
}

// TestPostgreSQLKilledUnderLoad: acknowledged writes are kept, failed writes are not applied
// twice, and our server needs no restart.
func TestPostgreSQLKilledUnderLoad(t *testing.T) {
	t.Parallel()
	yours, l := loadDurable(t)
	var dir string
	if err := l.db.QueryRow(t.Context(), "show data_directory").Scan(&dir); err != nil {
		t.Fatal(err)
	}
	var (
		next, read, written, refused atomic.Int64
		ids                          sync.Map // → status
		load                         sync.WaitGroup
		done                         = make(chan struct{})
	)
	stop := sync.OnceFunc(func() { close(done); load.Wait() })
	defer stop()
	client := func(ask func() (int, string, error)) {
		for {
			select {
			case <-done:
				return
			default:
			}
			switch status, body, err := ask(); {
			case err == nil && status == http.StatusServiceUnavailable:
				refused.Add(1)
			case err != nil || status/100 != 2:
				t.Errorf("%d %s, %v", status, body, err)
			}
		}
	}
	for range 4 {
		load.Go(func() {
			client(func() (int, string, error) {
				status, body, err := l.get(t.Context(), "/kept?limit=1")
				if status == http.StatusOK {
					read.Add(1)
				}
				return status, body, err
			})
		})
		load.Go(func() {
			client(func() (int, string, error) {
				id := next.Add(1)
				response, err := l.send(t.Context(), http.MethodPost, "/kept", http.Header{"Content-Type": {"application/json"}}, strings.NewReader(fmt.Sprintf(`{"id":%d}`, id)))
				if err != nil {
					return 0, "", err
				}
				text, err := io.ReadAll(response.Body)
				ids.Store(id, response.StatusCode)
				if response.StatusCode == http.StatusCreated {
					written.Add(1)
				}
				return response.StatusCode, string(text), errors.Join(err, response.Body.Close())
			})
		})
	}
	more := func(counters ...*atomic.Int64) {
		t.Helper()
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for _, counter := range counters {
			for start, end := counter.Load(), time.Now().Add(time.Minute); counter.Load() < start+20; <-tick.C {
				if time.Now().After(end) {
					t.Fatalf("the load stands still\n%s", l.output)
				}
			}
		}
	}
	for range 3 {
		more(&read, &written)
		killPostmaster(t, dir)
		more(&refused)
		restart(t, yours)
		more(&read, &written)
	}
	stop()
	for range 50 {
		if status, body, err := l.get(t.Context(), "/kept?limit=1"); status != http.StatusOK {
			t.Errorf("after the restart: %d %s, %v", status, body, err)
		}
	}
	db := testkit.Open(t, yours.URL())
	ids.Range(func(id, status any) bool {
		var times int
		if err := db.QueryRow(t.Context(), "select count(*) from kept where id = $1", id).Scan(&times); err != nil {
			t.Fatal(err)
		}
		if times > 1 || times == 0 && status == http.StatusCreated {
			t.Errorf("%d was answered %d, and is there %d times", id, status, times)
		}
		return true
	})
	t.Logf("%d reads, %d inserts, %d refusals", read.Load(), written.Load(), refused.Load())
}

// postmaster returns the process id of PostgreSQL's first process from its pid file; 0 if there is
// none.
func postmaster(dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// killPostmaster kills PostgreSQL's first process; the others exit a little later.
func killPostmaster(t *testing.T, dir string) (pid int) {
	t.Helper()
	pid = postmaster(dir)
	if pid == 0 {
		t.Fatal("PostgreSQL does not run")
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	return pid
}

// restart starts PostgreSQL as soon as its remaining processes have exited.
func restart(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; {
		err := c.Run(t.Context())
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"github.com/jackc/pgx/v5/pgxpool"
)

// realtimeSchema is what the measured channels need beside the tables of the data API.
const realtimeSchema = `
create table items (id bigint generated always as identity primary key, owner uuid not null, text text not null default 'a text of usual length');
alter table items enable row level security;
grant select on items to authenticated, anon;
create policy items_select_owner on items for select to authenticated using (owner = (select auth.uid()));
create policy items_select_anon on items for select to anon using (owner is not null and (select auth.uid()) is null);
alter publication supabase_realtime add table items;
create policy listen on realtime.messages for select to authenticated using (realtime.topic() like 'team:%' and (select auth.uid()) is not null);
create policy send on realtime.messages for insert to authenticated with check (realtime.topic() like 'team:%');
`

// realtimeRun measures one server.
type realtimeRun struct {
	server *server
	db     *pgxpool.Pool
}

// runRealtime measures the realtime server: what it delivers, and the processor time for it. The
// clients run in this process, on the same cores.
func runRealtime(ctx context.Context, s settings) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	started, err := startServer(ctx, s, s.binary, false)
	if err != nil {
		return err
	}
	defer started.stop()
	run := &realtimeRun{server: started}
	if run.db, err = pgxpool.New(ctx, started.postgres); err != nil {
		return err
	}
	defer run.db.Close()
	if _, err := run.db.Exec(ctx, realtimeSchema); err != nil {
		return err
	}
	idle, err := idleMemories(ctx, started)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d cores, %s; memory without connections: %s\n", runtime.NumCPU(), runtime.Version(), idle[0])
	for _, scenario := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"latency", run.latency}, {"broadcasts", run.broadcasts}, {"joins", run.joins}, {"own filters", run.filters}, {"own claims", run.ownClaims}, {"anon key", run.anonKey}, {"database broadcasts", run.stored}, {"idle connections", run.idle},
	} {
		if !s.only.MatchString(scenario.name) {
			continue
		}
		if err := scenario.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", scenario.name, err)
		}
	}
	return nil
}

// listener is a client's connection. It counts what arrives.
type listener struct {
	conn     net.Conn
	in       *bufio.Reader
	received atomic.Int64
	last     atomic.Int64 // when the last message arrived, in Unix nanoseconds
	arrived  chan struct{}
	ended    error
}

// connect opens connections, a few at a time.
func (r *realtimeRun) connect(ctx context.Context, n int) ([]*listener, error) {
	all := make([]*listener, n)
	address := "ws://" + r.server.address + "/realtime/v1/websocket?" + url.Values{"apikey": {r.server.secrets.Keys.Anon}, "vsn": {"2.0.0"}}.Encode()
	failed := inParallel(n, func(i int) error {
		conn, early, _, err := ws.Dial(ctx, address)
		if err != nil {
			return err
		}
		if early == nil {
			early = bufio.NewReaderSize(conn, 512)
		}
		all[i] = &listener{conn: conn, in: early, arrived: make(chan struct{}, 1)}
		return nil
	})
	return all, failed
}

// inParallel calls do for 0 to n-1.
func inParallel(n int, do func(i int) error) error {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var running sync.WaitGroup
	for range min(n, 64) {
		running.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && failed.Load() == nil; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	running.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

func (l *listener) send(text string) error { return wsutil.WriteClientText(l.conn, []byte(text)) }

// read reads a message.
func (l *listener) read() ([]byte, error) {
	header, err := ws.ReadHeader(l.in)
	if err != nil {
		return nil, err
	}
	payload := make([]byte, header.Length)
	_, err = io.ReadFull(l.in, payload)
	return payload, err
}

// join joins a topic and waits for the answer, and for the subscription if config has changes.
func (l *listener) join(topic, token, config string) error {
	text, err := json.Marshal([]any{"1", "1", "realtime:" + topic, "phx_join", map[string]any{"config": json.RawMessage(config), "access_token": token}})
	if err != nil {
		return err
	}
	if err := l.send(string(text)); err != nil {
		return err
	}
	for {
		message, err := l.read()
		if err != nil {
			return err
		}
		var parts []json.RawMessage
		if err := json.Unmarshal(message, &parts); err != nil || len(parts) != 5 {
			return fmt.Errorf("answer %s: %w", message, err)
		}
		var answer struct{ Status, Extension string }
		if err := json.Unmarshal(parts[4], &answer); err != nil || answer.Status != "ok" {
			return fmt.Errorf("answer %s: %w", message, err)
		}
		if answer.Extension == "postgres_changes" || string(parts[3]) == `"phx_reply"` && !hasChanges(config) {
			return nil
		}
	}
}

func hasChanges(config string) bool {
	var asked struct {
		Changes []any `json:"postgres_changes"`
	}
	return json.Unmarshal([]byte(config), &asked) == nil && len(asked.Changes) > 0
}

// count reads and counts messages until the connection ends.
func (l *listener) count() {
	l.in = bufio.NewReaderSize(l.in, 32<<10)
	for {
		header, err := ws.ReadHeader(l.in)
		if err == nil {
			_, err = l.in.Discard(int(header.Length))
		}
		if err != nil {
			l.ended = err
			return
		}
		l.received.Add(1)
		l.last.Store(time.Now().UnixNano())
		select {
		case l.arrived <- struct{}{}:
		default:
		}
	}
}

func countAll(all []*listener) {
	for _, l := range all {
		go l.count()
	}
}

func closeAll(all []*listener) {
	for _, l := range all {
		if l != nil {
			_ = l.conn.Close()
		}
	}
}

// received waits until all messages have arrived, and returns when the last one did.
func received(ctx context.Context, all []*listener, want int64) (time.Time, error) {
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(5 * time.Millisecond) {
		sum, last := int64(0), int64(0)
		for _, l := range all {
			sum += l.received.Load()
			last = max(last, l.last.Load())
		}
		if sum >= want {
			return time.Unix(0, last), nil
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return time.Time{}, fmt.Errorf("%d of %d messages arrived", sum, want)
		}
	}
}

// spent measures the processor time of the server, and of PostgreSQL, for work.
func (r *realtimeRun) spent(work func() error) (server, database time.Duration, err error) {
	before, err := r.server.share()
	if err != nil {
		return 0, 0, err
	}
	if err := work(); err != nil {
		return 0, 0, err
	}
	after, err := r.server.share()
	used := after.minus(before)
	return time.Duration(used.server * float64(time.Microsecond)), time.Duration(used.database * float64(time.Microsecond)), err
}

func report(name string, n int64, took, server, database time.Duration) {
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(n) }
	fmt.Printf("%-44s %9.0f/s   server %6.1f µs, database %6.1f µs each; %9.0f/s per core of the server\n",
		name, float64(n)/took.Seconds(), each(server), each(database), float64(n)/server.Seconds())
}

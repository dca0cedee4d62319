package process

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/tests/testkit/freeport"
	"plaza/tests/testkit/wsframe"
)

// listener is a client that receives a table's changes, broadcasts and presence.
type listener struct {
	t    *testing.T
	name string
	in   chan event
	send func(topic, event, payload string)

	last    int         // number of the last row
	gaps    int         // times that the server reported missed changes
	present bool        // whether ana, the other client, is present
	arrived map[int]int // how often the broadcast of each number has arrived
}

type event struct {
	name    string
	payload string
}

const eventTimeout = 60 * time.Second

// listen joins a topic with changes of the table log, and is present there under name.
func listen(t *testing.T, s *server, name string) *listener {
	t.Helper()
	address := strings.Replace(s.url, "http", "ws", 1) + "/realtime/v1/websocket?" + url.Values{"apikey": {s.keys.Anon}, "vsn": {"2.0.0"}}.Encode()
	conn, early, _, err := ws.Dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	var from io.Reader = conn
	if early != nil {
		from = early
	}
	var sending sync.Mutex
	send := func(topic, name, payload string) {
		sending.Lock()
		defer sending.Unlock()
		_ = wsutil.WriteClientText(conn, fmt.Appendf(nil, `["1","1",%q,%q,%s]`, topic, name, payload))
	}
	l := &listener{t: t, name: name, in: make(chan event, 100_000), send: send, arrived: make(map[int]int)}
	go l.read(from)
	go func() {
		for {
			select {
			case <-t.Context().Done():
				return
			case <-time.After(20 * time.Second):
				send("phoenix", "heartbeat", "{}")
			}
		}
	}()
	l.join()
	return l
}

func (l *listener) read(from io.Reader) {
	defer close(l.in)
	for {
		code, payload, err := wsframe.Read(from)
		if err != nil || code == ws.OpClose {
			return
		}
		if code == ws.OpBinary { // a broadcast: 5 bytes, of which 3 are lengths, and the names before the payload
			names := int(payload[1]) + int(payload[2]) + int(payload[3])
			l.in <- event{"broadcast", string(payload[5+names:])}
			continue
		}
		var parts [5]json.RawMessage
		if json.Unmarshal(payload, &parts) == nil {
			l.in <- event{strings.Trim(string(parts[3]), `"`), string(parts[4])}
		}
	}
}

// join joins the topic and waits for the server's reply. A refused join is repeated.
func (l *listener) join() {
	l.t.Helper()
	ask := func() {
		l.send("realtime:log", "phx_join", `{"config":{"presence":{"key":"`+l.name+`","enabled":true},"postgres_changes":[{"event":"INSERT","schema":"public","table":"log"}],
			"postgres_changes_options":{"wait":true,"timeout":20000}}}`)
	}
	ask()
	l.until("the answer to a join", func(e event) bool {
		isRefused := e.name == "phx_reply" && strings.Contains(e.payload, `"status":"error"`)
		if isRefused {
			ask()
		}
		return e.name == "phx_reply" && !isRefused
	})
	l.send("realtime:log", "presence", `{"type":"presence","event":"track","payload":{"who":"`+l.name+`"}}`)
	l.last = 0
}

// until handles events until one fulfils a condition. Changes must come in the order of commits, each
// once; when the server reports a gap, the listener joins again.
func (l *listener) until(what string, holds func(event) bool) {
	l.t.Helper()
	for end := time.After(eventTimeout); ; {
		select {
		case e, ok := <-l.in:
			if !ok {
				l.t.Fatalf("%s: disconnected", what)
			}
			l.follow(e)
			if holds(e) {
				return
			}
			if e.name == "phx_error" {
				l.gaps++
				l.join()
			}
		case <-end:
			l.t.Fatalf("%s: not within %s; last row %d", what, eventTimeout, l.last)
		}
	}
}

func (l *listener) follow(e event) {
	l.t.Helper()
	switch e.name {
	case "postgres_changes":
		var change struct {
			Data struct{ Record struct{ At int } }
		}
		if err := json.Unmarshal([]byte(e.payload), &change); err != nil {
			l.t.Fatal(err)
		}
		at := change.Data.Record.At
		if l.last != 0 && at != l.last+1 {
			l.t.Fatalf("row %d after %d", at, l.last)
		}
		l.last = at
	case "broadcast":
		var sent struct{ N int }
		if err := json.Unmarshal([]byte(e.payload), &sent); err != nil {
			l.t.Fatal(err)
		}
		l.arrived[sent.N]++
	case "presence_state":
		l.present = strings.Contains(e.payload, `"ana"`)
	case "presence_diff":
		joins, leaves, _ := strings.Cut(e.payload, `"leaves"`)
		if strings.Contains(joins, `"ana"`) {
			l.present = true
		} else if strings.Contains(leaves, `"ana"`) {
			l.present = false
		}
	}
}

const logSchema = `
	create table public.log (at int primary key, writer int);
	create function public.number() returns trigger language plpgsql as $$
	begin
		perform pg_advisory_xact_lock(1); -- held until the commit, so that numbers have its order
		new.at := coalesce((select max(at) from public.log), 0) + 1;
		return new;
	end $$;
	create trigger number before insert on public.log for each row execute function public.number();
	alter table public.log enable row level security;
	create policy "Everybody reads." on public.log for select using (true);
	alter publication supabase_realtime add table public.log;`

// RT-27 RT-28 RT-30: under eight writers, another server is killed, the connection that reads the log
// is ended, and PostgreSQL is killed: changes come in the order of commits, each once, or a gap is
// reported; clients of the killed server are no longer present.
func TestRealtimeSurvivesKilledServerAndDatabase(t *testing.T) {
	t.Parallel()
	own := ownCluster(t)
	root := folder(t)
	if err := os.MkdirAll(filepath.Join(root, "supabase/migrations"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "supabase/migrations/20260101000000_log.sql"), []byte(logSchema), 0o600); err != nil {
		t.Fatal(err)
	}
	serve := func(name string) *server {
		return startIn(t, root, filepath.Join(root, name), "DATABASE_URL="+own.URL(), "REALTIME_BUS=127.0.0.1:"+freeport.Pick())
	}
	first := serve("one")
	secrets, err := os.ReadFile(filepath.Join(first.dir, "secrets.json"))
	if err == nil {
		err = os.MkdirAll(filepath.Join(root, "two"), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "two/secrets.json"), secrets, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	second := serve("two")
	db, err := pgxpool.New(t.Context(), own.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)

	_ = listen(t, first, "ana")
	ben := listen(t, second, "ben")
	ben.until("ana of the other server is present", func(event) bool { return ben.present })

	const writers, rows = 8, 10_000
	var written atomic.Int64
	write := func(ctx context.Context, writer int) {
		for written.Add(1) <= rows {
			if _, err := db.Exec(ctx, "insert into public.log (writer) values ($1)", writer); err != nil && ctx.Err() != nil {
				return
			}
		}
	}
	var writing sync.WaitGroup
	for writer := range writers {
		writing.Go(func() { write(t.Context(), writer) })
	}
	total := func() (n int) {
		if err := db.QueryRow(context.Background(), "select coalesce(max(at), 0) from public.log").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	ben.until("a fifth", func(event) bool { return ben.last >= rows/5 })
	if err := first.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ben.until("two fifths", func(event) bool { return ben.last >= 2*rows/5 })
	if ben.gaps != 0 {
		t.Errorf("%d gaps", ben.gaps)
	}
	if _, err := db.Exec(t.Context(), "select pg_terminate_backend(active_pid) from pg_replication_slots where active_pid is not null"); err != nil {
		t.Fatal(err)
	}
	writing.Wait()
	want := total()
	if ben.last < want {
		ben.until("all rows, or a gap", func(event) bool { return ben.last == want || ben.gaps == 1 })
	}
	if ben.present {
		ben.until("ana of the killed server is no longer present", func(event) bool { return !ben.present })
	}
	if ben.gaps != 1 {
		ben.until("the report of the gap", func(event) bool { return ben.gaps == 1 })
	}

	if err := own.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := own.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	db.Reset()
	ben.until("the report of the second gap", func(event) bool { return ben.gaps == 2 })
	for range 100 {
		if _, err := db.Exec(t.Context(), "insert into public.log (writer) values (0)"); err != nil {
			t.Fatal(err)
		}
	}
	want = total()
	ben.until("the rows after it", func(event) bool { return ben.last == want })
}

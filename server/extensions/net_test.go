package extensions_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"plaza/server/extensions"
	"plaza/server/pgnet/send"
)

var development = send.Options{Development: true}

// outside is a server that requests are sent to. It answers with the request.
func outside(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("X-Token", r.Header.Get("X-Token"))
		w.WriteHeader(http.StatusTeapot)
		_, _ = fmt.Fprintf(w, "%s %s %s %s", r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), body)
	})
	mux.Handle("/moved", http.RedirectHandler("/new", http.StatusFound))
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 2<<20)) })
	mux.HandleFunc("/zero", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a\x00b")) })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// response waits for the response to a request and returns it in one line.
func (d *database) response(request string, args ...any) string {
	d.Helper()
	id := d.value(request, args...)
	d.value("select net._await_response(" + id + ")")
	return d.value("select concat_ws(' ', status_code, content_type, timed_out, error_msg, content) from net._http_response where id = " + id)
}

// dropHours drops the partitions of responses, as if the last server had ended long ago.
func (d *database) dropHours() {
	d.Helper()
	d.exec(`do $$ declare part regclass; begin
		for part in select inhrelid from pg_inherits where inhparent = 'net._http_response'::regclass and inhrelid <> 'net._http_response_other'::regclass loop
			execute format('drop table %s', part);
		end loop;
	end $$`)
}

func TestRequestsAreSentAsByPgNet(t *testing.T) {
	t.Parallel()
	d := open(t, "create extension pg_net")
	d.serve(nil, development)
	server := outside(t)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for name, c := range map[string]struct{ request, want string }{
		"get with parameters":                      {`net.http_get('URL', '{"a b": "c&d", "é": "1"}')`, "418 text/plain f GET /?%C3%A9=1&a%20b=c%26d  "},
		"parameters are added to those of the URL": {`net.http_get('URL/p?x=1#part', '{"y": 2}')`, "418 text/plain f GET /p?x=1&y=2  "},
		"post is JSON":                             {`net.http_post('URL/p', '{"a": [1]}')`, `418 text/plain f POST /p application/json {"a": [1]}`},
		"delete":                                   {`net.http_delete('URL/p', body => '{"a": 1}')`, `418 text/plain f DELETE /p  {"a": 1}`},
		"redirect":                                 {`net.http_get('URL/moved')`, "418 text/plain f GET /new  "},
		"zero byte":                                {`net.http_get('URL/zero')`, "200 application/octet-stream f a"},
		"too large":                                {`net.http_get('URL/large')`, "f the response is too large: it has more than 1048576 bytes"},
		"refused":                                  {`net.http_get('` + closed.URL + `')`, "f Couldn't connect to server"},
		"no such host":                             {`net.http_get('http://no-such-host.invalid')`, "f Couldn't resolve host name"},
		"other protocols":                          {`net.http_get('file://host/etc/passwd')`, "f Unsupported protocol"},
	} {
		if got := d.response("select " + strings.ReplaceAll(c.request, "URL", server.URL)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := d.response("select net.http_get('" + server.URL + "/slow', timeout_milliseconds => 100)"); !strings.HasPrefix(got, "t Timeout of 100 ms reached. Total time: 1") {
		t.Errorf("a slow response: %q", got)
	}
	id := d.value(`select net.http_get('` + server.URL + `', headers => '{"X-Token": "secret"}')`)
	d.value("select net._await_response(" + id + ")")
	for query, want := range map[string]string{
		"select headers->>'X-Token' from net._http_response where id = " + id: "secret",
		"select net._http_collect_response(" + id + ") is not null":           "true",
		"select count(*) from net.http_request_queue":                         "0",
		"select count(*) from net._in_flight":                                 "0",
		"select net.check_worker_is_up()":                                     "",
	} {
		if got := d.value(query); got != want {
			t.Errorf("%s is %q, want %q", query, got, want)
		}
	}
}

func TestInvalidRequestsAreRefused(t *testing.T) {
	t.Parallel()
	d := open(t, "")
	for request, want := range map[string]string{
		`net.http_get('example.com')`:                                        "URL using bad/illegal format",
		`net.http_post('http://a.test', headers => '{"content-type": "a"}')`: `must be "application/json"`,
		`net.http_get('http://a.test', timeout_milliseconds => 0)`:           "use 1 to 600000",
	} {
		if _, err := d.db.Exec(t.Context(), "select "+request); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", request, err, want)
		}
	}
	d.exec("set role anon; select net.http_get('http://a.test'); reset role")
	for _, query := range []string{"select * from net.http_request_queue", "select net._enqueue('GET', 'http://a.test', null, null, null, 1)"} {
		if _, err := d.db.Exec(t.Context(), "set role anon; "+query); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s as anon: %v", query, err)
		}
		d.db.Reset()
	}
}

func TestPrivateAddressesAreRefusedInProduction(t *testing.T) {
	t.Parallel()
	server := outside(t)
	for _, c := range []struct{ setting, want string }{{"", "f the address is not on the public internet"}, {"allow", "418 "}} {
		d := open(t, "")
		// The address is checked after the name was resolved.
		options := send.Options{Hosts: map[string]string{"public.test:80": server.Listener.Addr().String()}}
		d.serve(func(c2 *extensions.Config) { c2.Net.Send.Private = c.setting }, options)
		if got := d.response("select net.http_get('http://public.test')"); !strings.HasPrefix(got, c.want) {
			t.Errorf("setting %q: %q, want %q", c.setting, got, c.want)
		}
	}
}

// A webhook is sent after the commit of the row that causes it, and not after a rollback.
func TestWebhooksAreSentAfterTheCommit(t *testing.T) {
	t.Parallel()
	server := outside(t)
	d := open(t, `create table shops (name text);
		create trigger told after insert on shops for each row execute function supabase_functions.http_request('`+server.URL+`', 'POST', '{}', '{}', '5000');`)
	d.serve(nil, development)
	d.exec("begin; insert into shops values ('lost'); rollback")
	d.exec("insert into shops values ('a')")
	d.eventually(`select string_agg(content, '|') from net._http_response`,
		`POST / application/json {"type": "INSERT", "table": "shops", "record": {"name": "a"}, "schema": "public", "old_record": null}`)
}

// Two servers share a queue; each request is sent once.
func TestServersShareTheQueue(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(server.Close)
	d := open(t, "")
	few := func(c *extensions.Config) { c.Net.BatchSize = 7 }
	d.serve(few, development)
	d.serve(few, development)
	d.exec("select net.http_get($1) from generate_series(1, 200)", server.URL)
	d.eventually("select count(*) from net._http_response where status_code = 200", "200")
	if calls.Load() != 200 {
		t.Errorf("%d requests arrived, want 200", calls.Load())
	}
}

// A transaction that waits for a response locks the table, so that partitions cannot be created. It gets the response even so.
func TestRequestsAreSentWhileAReaderWaits(t *testing.T) {
	t.Parallel()
	server := outside(t)
	d := open(t, "")
	d.dropHours()
	tx, err := d.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	if _, err := tx.Exec(t.Context(), "select from net._http_response"); err != nil {
		t.Fatal(err)
	}
	d.serve(nil, development)
	if got := d.response("select net.http_get($1)", server.URL); got != "418 text/plain f GET /  " {
		t.Errorf("%q", got)
	}
}

// A request that a killed server had taken is not sent again; its response is an error.
func TestRequestOfAKilledServer(t *testing.T) {
	t.Parallel()
	d := open(t, "")
	d.exec("insert into net._in_flight values (7, now() - interval '1 s')")
	d.exec("insert into net._http_response (id, created) values (1, now() - interval '7 hours')")
	d.serve(nil, development)
	d.eventually("select string_agg(id || ' ' || error_msg, ',') from net._http_response", "7 the server ended before the response arrived")
}

// The response to such a request is an error also if its partition is being created at the same time, as at the start of a
// server.
func TestRequestOfAKilledServerWhileThePartitionIsCreated(t *testing.T) {
	t.Parallel()
	d := open(t, "")
	d.exec("insert into net._in_flight values (7, now() - interval '1 s')")
	d.dropHours()
	tx, err := d.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "select net._renew_partitions('6 hours')"); err != nil {
		t.Fatal(err)
	}
	stop := d.serve(nil, development)
	d.eventually("select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%from net._in_flight%' and datname = current_database() and pid <> pg_backend_pid()", "1")
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.eventually("select error_msg from net._http_response where id = 7", "the server ended before the response arrived")
	stop()
	if failures := d.value("select failures from plaza.jobs where name = 'pg_net'"); failures != "0" {
		t.Errorf("%s runs of the job failed", failures)
	}
}

// Responses are in unlogged partitions of an hour, which are dropped when they are old.
func TestResponsesByHour(t *testing.T) {
	t.Parallel()
	d := open(t, "")
	d.exec("create unlogged table net._http_response_old partition of net._http_response for values from (now() - interval '9 hours') to (now() - interval '8 hours')")
	d.serve(nil, development)
	const parts = "select string_agg(c.relname || c.relpersistence::text, ' ' order by c.relname) from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'net._http_response'::regclass"
	hours := d.value("select string_agg('_http_response_' || to_char(now() at time zone 'UTC' + n * interval '1 hour', 'YYYY_MM_DD_HH24') || 'u', ' ' order by n) from generate_series(-1, 2) n")
	d.eventually(parts, hours+" _http_response_otheru")
	d.exec("insert into net._http_response (id) values (1)")
	if in := d.value("select tableoid::regclass = ('net._http_response_' || to_char(created at time zone 'UTC', 'YYYY_MM_DD_HH24'))::regclass from net._http_response"); in != "true" {
		t.Error("a response is not in the partition of its hour")
	}
}

// A response is stored even if its partition is created while it is being inserted into the default partition.
func TestResponseWhileItsPartitionIsCreated(t *testing.T) {
	t.Parallel()
	server := outside(t)
	d := open(t, "")
	d.serve(nil, development)
	d.eventually("select count(*) > 1 from pg_inherits where inhparent = 'net._http_response'::regclass", "true")
	d.exec(`do $$ begin execute format('drop table net.%I', '_http_response_' || to_char(now() at time zone 'UTC', 'YYYY_MM_DD_HH24')); end $$`)
	tx, err := d.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `create unlogged table net._http_response_now (like net._http_response including defaults);
		alter table net._http_response attach partition net._http_response_now for values from (date_trunc('hour', now())) to (date_trunc('hour', now()) + interval '1 hour')`); err != nil {
		t.Fatal(err)
	}
	id := d.value("select net.http_get($1)", server.URL+"/now")
	d.eventually("select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into net._http_response%' and datname = current_database() and pid <> pg_backend_pid()", "1")
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.eventually("select content from net._http_response where id = "+id, "GET /now  ")
}

func TestStopStoresAnErrorForRunningRequests(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	d := open(t, "")
	stop := d.serve(nil, development)
	d.exec("select net.http_get($1, timeout_milliseconds => 60000)", server.URL)
	<-arrived
	stop()
	if got := d.value("select error_msg from net._http_response"); got != "the server stopped before the response arrived" {
		t.Errorf("the response is %q", got)
	}
}

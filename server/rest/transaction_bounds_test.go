package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

const apartFixture = `
	create schema other;
	create table notes (id int primary key, body text);
	alter table notes enable row level security; create policy everyone on notes using (true) with check (true);
	create table other.things (id int);
	alter table other.things enable row level security; create policy everyone on other.things using (true) with check (true);
	grant usage on schema other to service_role; grant all on other.things to service_role;
	create function fine() returns void language plpgsql as $$ begin raise sqlstate 'PT200' using message = 'fine'; end $$;
	create function hurry() returns void language sql set statement_timeout = '7s' as 'select';
	create function created() returns void language sql as
		$$ select set_config('response.status', '201', true), set_config('response.headers', '[{"X-Mine": "yes"}]', true) $$;
	create function around() returns text language sql stable as
		$$ select concat_ws(' ', current_setting('search_path'), current_setting('timezone'), current_setting('statement_timeout')) $$;
	create function sent(name text) returns text language sql stable as
		$$ select current_setting('request.headers')::json ->> name $$;
	create function long(size int) returns text language sql stable as $$ select repeat('x', size) $$;
	create function numbers(size int) returns setof int language sql stable as $$ select generate_series(1, size) $$;`

// TestRequestsOfATransactionAreIsolated: settings of one request do not affect the next one.
func TestRequestsOfATransactionAreIsolated(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, apartFixture, func(c *settings.Config) { c.Schemas = []string{"public", "other"} })
	service := api.TokenOf(t, map[string]any{"role": "service_role"}) // without a time-out of its own
	for name, between := range map[string]string{
		"time zone":             `{"method":"POST","path":"/notes","body":{"id":1},"headers":{"Prefer":"timezone=America/Lima"}}`,
		"search path":           `{"method":"POST","path":"/things","body":{"id":1},"headers":{"Content-Profile":"other"}}`,
		"a function's settings": `{"method":"POST","path":"/rpc/hurry"}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, body := api.Do(t, together("", service, 0, "", `[{"path":"/rpc/around"},`+between+`,{"path":"/rpc/around"}]`))
			if got := bodies(t, body); got[0] != got[2] {
				t.Errorf("before %s, after %s", got[0], got[2])
			}
		})
	}
	_, body := api.Do(t, together("", "", 0, "", `[{"method":"POST","path":"/rpc/created"},{"method":"POST","path":"/notes","body":{"id":2}},{"method":"PATCH","path":"/notes?id=eq.2","body":{"body":"x"}}]`))
	if !strings.Contains(body, `"status":201,"headers":{`) || strings.Count(body, `"x-mine":"yes"`) != 1 || !strings.Contains(body, `"status":204`) {
		t.Errorf("status and headers of the first request are those of others, too: %s", body)
	}
}

// TestErrorWithASuccessStatusIsAFailure: SQL may raise an error with a success status; the
// aborted transaction is nevertheless reported as failed.
func TestErrorWithASuccessStatusIsAFailure(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, apartFixture, nil)
	api.Run(t, together("", "", 400, `{"code":"PT200","message":"fine","details":null,"hint":null,"request":1}`,
		`[{"method":"POST","path":"/notes","body":{"id":1}},{"method":"POST","path":"/rpc/fine"}]`))
	api.Run(t, restkit.Case{Path: "/notes", Status: 200, Text: "[]"})
}

// TestPartsInheritProxyHeaders: headers set by a proxy are those of the outer
// request; a part can only set headers for its own format.
func TestPartsInheritProxyHeaders(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, apartFixture, func(c *settings.Config) { c.TxIsolation = true })
	c := together("", "", 0, "", `[{"path":"/rpc/sent?name=x-forwarded-for","headers":{"X-Forwarded-For":"6.6.6.6"}},
		{"path":"/rpc/sent?name=x-real-ip","headers":{"x-real-ip":"6.6.6.6"}},
		{"path":"/rpc/sent?name=prefer","headers":{"prefer":"handling=lenient,isolation=serializable"}}]`)
	c.Header["X-Forwarded-For"] = "192.0.2.1"
	_, body := api.Do(t, c)
	if got := strings.Join(bodies(t, body), " "); got != `"192.0.2.1" null "handling=lenient,isolation=serializable"` {
		t.Errorf("the parts see %s", got)
	}
	if !strings.Contains(body, `"preference-applied":"handling=lenient"`) {
		t.Errorf("a part has no isolation of its own: %s", body)
	}
}

// TestTransactionSizeIsBounded: a small body must not expand to a large one.
func TestTransactionSizeIsBounded(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, apartFixture+patient, func(c *settings.Config) { c.MaxBody = 32 << 20 })
	repeat := func(each string, times int) string { return strings.TrimSuffix(strings.Repeat(each+",", times), ",") }
	distinct := make([]string, 2000)
	for i := range distinct {
		distinct[i] = fmt.Sprintf(`{"$result":"/0/body/%d"}`, 100_000+i)
	}
	for _, c := range []restkit.Case{
		together("what follows the last that is allowed is not read", "", 400,
			`{"code":"PLZ004","message":"The body is no list of requests","details":"it has more than 100 requests","hint":null}`,
			"["+repeat(`{"path":"/notes"}`, 101)+`,{"path":5`),
		together("something after the list", "", 400, "", `[{"path":"/notes"}] more`),
		together("references that bring a lot", "", 400,
			`{"code":"PLZ006","message":"The answers of the requests are too large together","details":"References put more than 16777216 bytes in.","hint":null}`,
			`[{"path":"/rpc/long?size=1000000"},{"method":"POST","path":"/notes","body":[`+repeat(`{"body":{"$result":"/0/body"}}`, 20)+`]}]`),
		together("the same in a path", "", 400, "", `[{"path":"/rpc/long?size=60000"},{"path":"/notes?body=eq.{/0/body}{/0/body}"}]`),
		together("many references into a large answer", "", 400,
			`{"code":"PLZ006","message":"The answers of the requests are too large together","details":"References look through more than 134217728 bytes.","hint":null}`,
			`[{"path":"/rpc/numbers?size=200000"},{"method":"POST","path":"/notes","body":[`+strings.Join(distinct, ",")+`]}]`),
		together("a long path", "", 400, "", `[{"path":"/notes?body=eq.`+strings.Repeat("x", 70<<10)+`"}]`),
		together("many headers", "", 400, "", `[{"path":"/notes","headers":{`+repeat(`"a":"b"`, 10_000)+`}}]`),
	} {
		t.Run(c.Name, func(t *testing.T) { api.Run(t, c) })
	}
	api.Run(t, together("a large body in a part", "", 200, "", `[{"method":"POST","path":"/notes?columns=id","body":[{"id":1,"body":"`+strings.Repeat("x", 5<<20)+`"}]}]`))
	if response, _ := api.Do(t, restkit.Case{Method: http.MethodHead, Path: "/notes?id=eq.1", Header: map[string]string{"Prefer": "count=exact"}}); response.Header.Get("Content-Range") != "0-0/1" {
		t.Errorf("range %q", response.Header.Get("Content-Range"))
	}
}

// TestTransactionHasTheStatementTimeout: requests that together exceed the timeout are
// rolled back, even if each of them is fast enough.
func TestTransactionHasTheStatementTimeout(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, apartFixture+`
		create function sleep() returns void language sql as 'select pg_sleep(1.5)';`, nil)
	api.Run(t, together("", "", 504, `{"code":"PLZ011","message":"The requests take too long together, and were undone.","details":null,
		"hint":"Send fewer requests in one transaction."}`,
		`[{"method":"POST","path":"/notes","body":{"id":7}},{"method":"POST","path":"/rpc/sleep"},{"method":"POST","path":"/rpc/sleep"},{"method":"POST","path":"/rpc/sleep"}]`))
	api.Run(t, restkit.Case{Path: "/notes?id=eq.7", Status: 200, Want: `[]`})
}

// TestTransactionsHaveAShareOfTheConnections: other requests are served, however many
// batches are running.
func TestTransactionsHaveAShareOfTheConnections(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, apartFixture+`
		create function wait_for_lock() returns void language sql as 'select pg_advisory_xact_lock(1)';`,
		func(c *settings.Config) { c.Pool, c.AcquireTimeout = 4, settings.Seconds(200*time.Millisecond) })
	tx, err := api.DB.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "select pg_advisory_xact_lock(1)"); err != nil {
		t.Fatal(err)
	}
	const parts = `[{"method":"POST","path":"/rpc/wait_for_lock"},{"method":"POST","path":"/notes","body":{"id":8}}]`
	service := api.TokenOf(t, map[string]any{"role": "service_role"})
	var first sync.WaitGroup
	first.Go(func() { api.Do(t, together("", "", 0, "", parts)) })
	first.Go(func() { api.Do(t, together("", service, 0, "", `[{"method":"POST","path":"/rpc/wait_for_lock"}]`)) })
	api.WaitFor(t, "select count(*) = 2 from pg_stat_activity where wait_event = 'advisory' and datname = current_database()")
	const refusal = `{"code":"PLZ012","message":"Too many transactions are running.","details":null,"hint":"Retry later, or send the requests one by one."}`
	api.Run(t, together("", "", 503, refusal, parts))
	api.Run(t, together("", service, 503, refusal, parts))
	api.Run(t, restkit.Case{Path: "/notes", Status: 200, Want: `[]`})
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	api.Run(t, together("", "", 200, "", `[{"path":"/notes"}]`))
}

package rest_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// large returns responses of about ten megabytes.
const large = `
	create table lines (id int primary key, text text not null);
	insert into lines select n, repeat('x', 1000) from generate_series(1, 10000) n;
	create table few (id int primary key);
	insert into few select generate_series(1, 10);
	create view broken as select id, text, 1 / (id - 9999) as inverse from lines;
	create view arrays as select id, array[text] as texts from lines;
	create function all_lines() returns setof lines language sql stable as 'select * from lines order by id';
	create function written() returns setof lines language sql volatile as 'select * from lines order by id';
	alter table lines enable row level security; alter table few enable row level security;
	create policy all_rows on lines using (true); create policy all_rows on few using (true);`

// patient raises anon's statement timeout above 3 s, for tests that take longer under the
// race detector.
const patient = `
	do $$ begin execute format('alter role anon in database %I set statement_timeout = %L', current_database(), '2min'); end $$;`

// ask sends a request and reads the whole response. err is the error of reading.
func ask(t *testing.T, api *restkit.API, c restkit.Case) (answer *http.Response, body []byte, err error) {
	t.Helper()
	answer = api.Send(t, c)
	defer func() { _ = answer.Body.Close() }()
	body, err = io.ReadAll(answer.Body)
	return answer, body, err
}

func TestLargeResponsesAreStreamed(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, large+patient, nil)
	for _, test := range []struct {
		name, path, count, wantRange string
		status, rows                 int
	}{
		{"all", "/lines?order=id", "", "", 200, 10000},
		{"all, counted", "/lines?order=id", "exact", "0-9999/10000", 200, 10000},
		{"a page, counted", "/lines?order=id&limit=8000&offset=100", "exact", "100-8099/10000", 206, 8000},
		{"the last page, counted", "/lines?order=id&limit=8000&offset=2000", "exact", "2000-9999/10000", 206, 8000},
		{"by a function", "/rpc/all_lines", "", "", 200, 10000},
		{"arrays, as PostgreSQL has them", "/arrays?order=id", "", "", 200, 10000},
		{"with nothing that is null", "/lines?order=id", "", "", 200, 10000},
		{"by a function that may write, counted", "/rpc/written", "exact", "0-9999/10000", 200, 10000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			request := restkit.Case{Path: test.path, Header: map[string]string{}}
			if test.count != "" {
				request.Header["Prefer"] = "count=" + test.count
			}
			if strings.Contains(test.name, "null") {
				request.Header["Accept"] = "application/vnd.pgrst.array+json;nulls=stripped"
			}
			if strings.Contains(test.name, "write") {
				request.Method = http.MethodPost
			}
			answer, body, err := ask(t, api, request)
			if err != nil {
				t.Fatal(err)
			}
			var rows []struct{ ID int }
			if err := json.Unmarshal(body, &rows); err != nil {
				t.Fatal(err)
			}
			if answer.StatusCode != test.status || len(rows) != test.rows {
				t.Errorf("status %d with %d rows, want %d with %d", answer.StatusCode, len(rows), test.status, test.rows)
			}
			if got := answer.Header.Get("Content-Range"); got != test.wantRange {
				t.Errorf("Content-Range %q, want %q", got, test.wantRange)
			}
			for i := 1; i < len(rows); i++ {
				if rows[i].ID != rows[i-1].ID+1 {
					t.Fatalf("row %d has id %d after %d", i, rows[i].ID, rows[i-1].ID)
				}
			}
		})
	}
}

// TestFailureAbortsAStreamedResponse: after the first part is sent, a failure can only abort
// the response.
func TestFailureAbortsAStreamedResponse(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, large, nil)
	_, _, err := ask(t, api, restkit.Case{Path: "/broken"})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("reading ended with %v, want an unexpected end", err)
	}
	// If nothing was sent yet, the response is a normal error.
	api.Run(t, restkit.Case{Path: "/broken?id=gt.9000", Status: 400, Want: `{"code":"22012","message":"division by zero","details":null,"hint":null}`})
}

// TestLargeResponsesLeaveConnectionsForOthers: clients that do not read their large
// responses use at most half of the connections.
func TestLargeResponsesLeaveConnectionsForOthers(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, strings.ReplaceAll(large, "10000", "60000")+patient, func(c *settings.Config) { c.Pool = 4 })
	var refused []*http.Response
	for range 3 {
		answer := api.Send(t, restkit.Case{Path: "/lines"})
		if answer.StatusCode != http.StatusOK {
			refused = append(refused, answer)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
	}
	if len(refused) != 1 || refused[0].StatusCode != http.StatusServiceUnavailable || refused[0].Header.Get("Retry-After") == "" {
		t.Fatalf("%d of 3 were refused, want one with 503 and Retry-After", len(refused))
	}
	for range 20 {
		api.Run(t, restkit.Case{Path: "/few?id=eq.1", Status: 200, Text: `[{"id":1}]`})
	}
}

// TestLargeResponseDoesNotDelayShortOnes: a statement that is known to be short but now
// returns many rows is removed from its batch.
func TestLargeResponseDoesNotDelayShortOnes(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, large+patient, nil)
	for range 50 { // learn that the statement is short
		api.Run(t, restkit.Case{Path: "/lines?select=id,text&id=lt.2", Status: 200})
	}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			below, want := "2", 1
			if i%20 == 0 {
				below, want = "20000", 10000
			}
			_, body, err := ask(t, api, restkit.Case{Path: "/lines?select=id,text&id=lt." + below})
			var rows []json.RawMessage
			if err == nil {
				err = json.Unmarshal(body, &rows)
			}
			if err != nil || len(rows) != want {
				t.Errorf("%d rows, %v; want %d", len(rows), err, want)
			}
		})
	}
	all.Wait()
}

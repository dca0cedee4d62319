package extensions_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/server/pgnet/send"
)

const withHTTP = "create extension http with schema extensions;"

func TestSynchronousRequests(t *testing.T) {
	t.Parallel()
	d := open(t, withHTTP)
	d.serve(nil, development)
	server := outside(t)
	d.eventually("select count(*) from plaza.http_endpoint", "1")
	for name, c := range map[string]struct{ call, want string }{
		"get":            {`http_get('URL/a')`, `418 text/plain GET /a  `},
		"get with data":  {`http_get('URL/a', '{"a b": "c&d", "n": 1, "t": true, "z": null, "o": {}}')`, `418 text/plain GET /a?n=1&t=true&z=&a+b=c%26d  `},
		"post":           {`http_post('URL/a', '{"b": 1}', 'application/json')`, `418 text/plain POST /a application/json {"b": 1}`},
		"post of a form": {`http_post('URL/a', '{"a": "b c"}'::jsonb)`, `418 text/plain POST /a application/x-www-form-urlencoded a=b+c`},
		"put":            {`http_put('URL/a', 'x', 'text/plain')`, `418 text/plain PUT /a text/plain x`},
		"patch":          {`http_patch('URL/a', 'x', 'text/plain')`, `418 text/plain PATCH /a text/plain x`},
		"delete":         {`http_delete('URL/a', 'x', 'text/plain')`, `418 text/plain DELETE /a text/plain x`},
		"head":           {`http_head('URL/a')`, `418 text/plain `},
		"own method":     {`http(('propfind', 'URL/a', http_headers('X-Token', 't'), null, null)::http_request)`, `418 text/plain PROPFIND /a  `},
	} {
		if got := d.value("select concat_ws(' ', status, content_type, content) from extensions." + strings.ReplaceAll(qualified(c.call), "URL", server.URL)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := d.value("select h.value from extensions.http(('GET', '" + server.URL + "', extensions.http_headers('X-Token', 't'), null, null)::extensions.http_request) r, unnest(r.headers) h where h.field = 'X-Token'"); got != "t" {
		t.Errorf("the response's header is %q", got)
	}
	for call, want := range map[string]string{
		"http_get('http://no-such-host.invalid')":                                    "Couldn't resolve host name",
		"http(('GET', null, null, null, null)::extensions.http_request)":             "http_request.uri is NULL",
		"http(('POST', 'http://a.test', null, null, null)::extensions.http_request)": "http_request.content is NULL",
		"http(('POST', 'http://a.test', null, null, 'a')::extensions.http_request)":  "http_request.content_type is NULL",
		"http_set_curlopt('CURLOPT_PROXY', 'a')":                                     "curl option 'CURLOPT_PROXY' is not available for run-time configuration",
		"http_set_curlopt('CURLOPT_TIMEOUT', 'soon')":                                "invalid integer provided for 'CURLOPT_TIMEOUT'",
		"http_get('" + server.URL + "/large')":                                       "the response is too large",
	} {
		if _, err := d.db.Exec(t.Context(), "select extensions."+call); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", call, err, want)
		}
	}
	_, err := d.db.Exec(t.Context(), "begin; select extensions.http_set_curlopt('curlopt_timeout_ms', '100'); select extensions.http_get('"+server.URL+"/slow')")
	if err == nil || !strings.Contains(err.Error(), "Timeout of 100 ms reached") {
		t.Errorf("a slow response: %v", err)
	}
	d.db.Reset()
	_, err = d.db.Exec(t.Context(), "begin; set local statement_timeout = '200ms'; select extensions.http_get('"+server.URL+"/slow')")
	if err == nil || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("a statement with a timeout: %v", err)
	}
	d.db.Reset()
	// Callers may send requests, but cannot read the address and password of the server.
	d.exec("begin; set local role anon; select extensions.http_get('" + server.URL + "'); commit")
	for _, query := range []string{"select * from plaza.http_endpoint", "select * from plaza.http_call('', '') as r (a text)"} {
		if _, err := d.db.Exec(t.Context(), "begin; set local role anon; "+query); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s as anon: %v", query, err)
		}
		d.db.Reset()
	}
}

// qualified returns a call whose nested functions and types have their schema.
func qualified(call string) string {
	return strings.NewReplacer("::http_request", "::extensions.http_request", "http_headers(", "extensions.http_headers(").Replace(call)
}

func TestSynchronousRequestsAreLimited(t *testing.T) {
	t.Parallel()
	d := open(t, withHTTP)
	stop := d.serve(nil, development)
	d.eventually("select count(*) from plaza.http_endpoint", "1")
	arrived := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	}))
	defer server.Close()
	defer stop()
	const limit = 20
	call := fmt.Sprintf("select extensions.http_set_curlopt('CURLOPT_TIMEOUT', '50'); select extensions.http_get('%s')", server.URL)
	for range limit {
		conn, err := d.db.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		waiting := conn.Hijack()
		go func() {
			_, _ = waiting.Exec(t.Context(), call)
			_ = waiting.Close(t.Context())
		}()
		<-arrived
	}
	if _, err := d.db.Exec(t.Context(), call); err == nil || !strings.Contains(detail(err), "20 requests of http() are under way already") {
		t.Errorf("one more: %v", err)
	}
}

func TestSynchronousRequestsWithoutAServer(t *testing.T) {
	t.Parallel()
	d := open(t, withHTTP)
	const call = "select extensions.http_get('http://a.test')"
	if _, err := d.db.Exec(t.Context(), call); err == nil || !strings.Contains(err.Error(), "no plaza server serves this database") {
		t.Errorf("without a server: %v", err)
	}
	d.exec("insert into plaza.http_endpoint values ('host=127.0.0.1 port=1 password=secret sslmode=disable')")
	if _, err := d.db.Exec(t.Context(), call); err == nil || !strings.Contains(err.Error(), "must run on the same machine") || strings.Contains(detail(err), "secret") {
		t.Errorf("with one that cannot be reached: %v", err)
	}
	stop := d.serve(nil, send.Options{})
	d.eventually("select count(*) from plaza.http_endpoint where conninfo not like '%port=1 %'", "1")
	if _, err := d.db.Exec(t.Context(), "select extensions.http_get('http://127.0.0.1')"); err == nil || !strings.Contains(err.Error(), "not on the public internet") {
		t.Errorf("a private address: %v", err)
	}
	d.exec("update plaza.http_endpoint set conninfo = regexp_replace(conninfo, 'password=\\S*', 'password=wrong')")
	if _, err := d.db.Exec(t.Context(), call); err == nil || !strings.Contains(detail(err), "password authentication failed") {
		t.Errorf("a wrong password: %v", err)
	}
	stop()
}

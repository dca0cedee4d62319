package process

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"plaza/tests/testkit"
)

const open = `
	create table todos (id int primary key, text text, rest json); insert into todos values (1); grant all on todos to service_role;
	create function split(headers text) returns text language sql as $$ select set_config('response.headers', headers, true) $$;`

// exchange sends raw bytes and returns the first response; nil if the server closed the connection
// without one. ends closes the sending side.
func (l *loaded) exchange(t *testing.T, request string, ends bool) (answer *http.Response, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(l.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	go func() {
		_, _ = io.WriteString(conn, request) // fails if the response arrives before everything was sent
		if ends {
			_ = conn.(*net.TCPConn).CloseWrite()
		}
	}()
	if answer, err = http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
		return nil, ""
	}
	text, _ := io.ReadAll(answer.Body)
	return answer, string(text)
}

func getRequest(path string, headers ...string) string {
	return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + strings.Join(append(headers, ""), "\r\n") + "\r\n"
}

func postRequest(path, kind, body string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: " + kind + "\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), open)
	before := l.metric(t, "go_goroutines")
	const js = "application/json"
	many := func(text string, times int) string { return strings.Repeat(text, times) }
	for _, test := range []struct {
		name, request string
		status        int
		code          string // empty if the HTTP layer itself refuses
	}{
		{"a header of a megabyte", getRequest("/todos", "X: "+many("x", 1<<20)), 431, ""},
		{"headers of a megabyte", getRequest("/todos", many("X: "+many("x", 1020)+"\r\n", 1024)+"Y: z"), 431, ""},
		{"a URL of 64 KB", getRequest("/todos?id=eq." + many("1", 64<<10)), 400, "22003"},
		{"a path of 64 KB", getRequest("/" + many("x", 64<<10)), 404, "PGRST205"},
		{"a URL of a megabyte", getRequest("/todos?id=eq." + many("1", 1<<20)), 431, ""},
		{"a long select", getRequest("/todos?select=id" + many(",id", 10_000)), 400, "PGRST100"},
		{"a long order", getRequest("/todos?order=id" + many(",id", 10_000)), 400, "PGRST100"},
		{"a long list", getRequest("/todos?id=in.(1" + many(",1", 10_000) + ")"), 200, ""},
		{"many filters", getRequest("/todos?id=eq.1" + many("&id=eq.1", 7000)), 200, ""},
		{"a deep select", getRequest("/todos?select=" + many("a(", 20_000) + many(")", 20_000)), 400, "PGRST100"},
		{"a deeper one", getRequest("/todos?select=" + many("a(", 50_000) + many(")", 50_000)), 431, ""},
		{"deep logic", getRequest("/todos?and=" + many("(and", 10_000) + many(")", 10_000)), 400, "PGRST100"},
		{"deep negated logic", getRequest("/todos?or=" + many("(not.or", 8_000)), 400, "PGRST100"},
		{"a deep path", getRequest("/todos?" + many("a.", 30_000) + "id=eq.1"), 400, "PGRST108"},
		{"deep JSON steps", getRequest("/todos?select=rest" + many("->a", 20_000)), 400, "PGRST100"},
		{"a deep select in a transaction", postRequest("/", "application/vnd.plaza.transaction+json", `[{"path":"/todos?select=`+many("a(", 30_000)+`"}]`), 400, "PGRST100"},
		{"many references", postRequest("/", "application/vnd.plaza.transaction+json", `[{"path":"/todos?id=eq.`+many("{/0/body}", 7_000)+`"}]`), 400, "PLZ005"},
		{"a deep list", postRequest("/todos", js, many("[", 100_000)+many("]", 100_000)), 400, "PGRST102"},
		{"a deep object", postRequest("/todos", js, many(`{"id":`, 100_000)+"1"+many("}", 100_000)), 400, "PGRST102"},
		{"a deep value", postRequest("/todos", js, `{"id":2,"rest":`+many("[", 9_000)+many("]", 9_000)+"}"), 201, ""},
		{"a deep value in a transaction", postRequest("/", "application/vnd.plaza.transaction+json", `[{"method":"POST","path":"/todos","body":`+many("[", 100_000)+many("]", 100_000)+"}]"), 400, "PLZ004"},
		{"many keys", postRequest("/todos", js, `{"x":1`+many(`,"x1":1`, 100_000)+"}"), 400, "PGRST204"},
		{"NUL in the URL", getRequest("/todos?id=eq.\x00"), 400, ""},
		{"NUL in a value", getRequest("/todos?text=eq.%00"), 400, "22021"},
		{"NUL in a path", getRequest("/todos%00"), 404, "PGRST205"},
		{"NUL in a header", getRequest("/todos", "Prefer: \x00"), 400, ""},
		{"NUL in JSON", postRequest("/todos", js, "{\"id\":\x00}"), 400, "PGRST102"},
		{"NUL in a text of JSON", postRequest("/todos", js, `{"id":2,"text":"\u0000"}`), 400, "22P05"},
		{"no UTF-8 in a value", getRequest("/todos?text=eq.%ff"), 400, "22021"},
		{"no UTF-8 in a path", getRequest("/%ff%fe"), 404, "PGRST205"},
		{"no UTF-8 in a column", getRequest("/todos?select=%22%ff%22"), 400, "22021"},
		{"no UTF-8 in JSON", postRequest("/todos", js, "{\"id\":2,\"text\":\"\xff\"}"), 400, "22021"},
		{"an unpaired surrogate", postRequest("/todos", js, `{"id":2,"text":"\ud800"}`), 400, "22P02"},
		{"out of the root", getRequest("/../../etc/passwd"), 404, "PGRST125"},
		{"out of the root, escaped", getRequest("/%2e%2e/%2e%2e/etc/passwd"), 404, "PGRST125"},
		{"out of the root, twice escaped", getRequest("/%252e%252e%252fetc"), 404, "PGRST205"},
		{"back from a table", getRequest("/todos/../rpc/split"), 404, "PGRST125"},
		{"an empty step", getRequest("//todos"), 404, "PGRST125"},
		{"another host", getRequest("//evil.example/../todos"), 404, "PGRST125"},
		{"a body that ends early", strings.Replace(postRequest("/todos", js, `{"id":2}`), "Length: 8", "Length: 80", 1), 499, "client_closed_request"},
		{"a large body that ends early", strings.Replace(postRequest("/todos", js, `{"id":2}`), "Length: 8", "Length: 80000000", 1), 499, "client_closed_request"},
		{"a body that is longer", strings.Replace(postRequest("/todos", js, `{"id":2}`), "Length: 8", "Length: 5", 1), 400, "PGRST102"},
		{"two lengths", strings.Replace(postRequest("/todos", js, `{"id":2}`), "Content-Length: 8", "Content-Length: 8\r\nContent-Length: 9", 1), 400, ""},
		{"a negative length", strings.Replace(postRequest("/todos", js, `{"id":2}`), "Length: 8", "Length: -8", 1), 400, ""},
		{"a length over the limit", strings.Replace(postRequest("/todos", js, `{"id":2}`), "Length: 8", "Length: 8000000000000", 1), 413, "request_entity_too_large"},
		{"invalid chunks", strings.Replace(postRequest("/todos", js, "zz\r\n{}\r\n"), "Content-Length: 8", "Transfer-Encoding: chunked", 1), 400, "PGRST102"},
		{"a chunk that ends early", strings.Replace(postRequest("/todos", js, "8\r\n{}"), "Content-Length: 5", "Transfer-Encoding: chunked", 1), 499, "client_closed_request"},
		{"a length and chunks", strings.Replace(postRequest("/todos", js, "2\r\n{}\r\n0\r\n\r\n"), "Connection: close", "Transfer-Encoding: chunked", 1), 400, "23502"},
		{"a broken form", postRequest("/todos", "application/x-www-form-urlencoded", "id=%zz"), 400, "PGRST102"},
		{"a broken line of CSV", postRequest("/todos", "text/csv", "id\n\"2"), 400, "PGRST102"},
		{"an invalid method", strings.Replace(getRequest("/todos"), "GET", "G\"ET", 1), 400, ""},
		{"an unknown method", strings.Replace(getRequest("/todos"), "GET", "BREW", 1), 405, "PGRST117"},
		{"an invalid token", getRequest("/todos", "Authorization: Bearer "+many("a.", 10_000)), 401, "PGRST301"},
		{"an unknown schema", getRequest("/todos", "Accept-Profile: \"; drop table todos"), 406, "PGRST106"},
		{"an invalid path", "GET /todos%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
		{"no HTTP", "\x16\x03\x01\x02\x00\x01" + many("\xff", 1000), 400, ""},
		{"no host", "GET /todos HTTP/1.1\r\n\r\n", 400, ""},
	} {
		answer, body := l.exchange(t, test.request, strings.HasSuffix(test.name, "ends early"))
		if answer == nil {
			t.Errorf("%s: no answer", test.name)
			continue
		}
		var refusal struct{ Code string }
		_ = json.Unmarshal([]byte(body), &refusal) // the HTTP layer responds in plain text
		if location := answer.Header.Get("Location"); location != "" && (location[0] != '/' || strings.HasPrefix(location, "//")) {
			t.Errorf("%s leads to %s", test.name, location)
		}
		if answer.StatusCode != test.status || refusal.Code != test.code {
			t.Errorf("%s: %d %q, want %d %q\n%.300s", test.name, answer.StatusCode, refusal.Code, test.status, test.code, body)
		}
	}
	if status, body := l.call(t, http.MethodGet, "/todos?select=id&id=eq.1", "", ""); status != http.StatusOK || body != `[{"id":1}]` {
		t.Errorf("after all that: %d %s", status, body)
	}
	l.waitForGoroutines(t, before)
	if strings.Contains(l.output.String(), "goroutine ") {
		t.Errorf("the server panicked:\n%s", l.output)
	}
}

// TestSQLCannotInjectHeaders: a value set by a function cannot leave its header.
func TestSQLCannotInjectHeaders(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), open)
	for _, headers := range []string{
		`[{"X-Own":"a\r\nSet-Cookie: b=c"}]`, `[{"X-Own":"a\nSet-Cookie: b=c"}]`, `[{"X-Own: a\r\nSet-Cookie":"b=c"}]`, `[{"Set-Cookie\r\n":"b=c"}]`, `[{"":"b=c"}]`,
		`[{"X-Own":"a\r\n\r\n<script>"}]`, `[{"Content-Length":"1"}]`, `[{"Transfer-Encoding":"chunked"}]`,
	} {
		text, _ := json.Marshal(map[string]string{"headers": headers})
		answer, body := l.exchange(t, postRequest("/rpc/split", "application/json", string(text)), false)
		if answer == nil {
			t.Errorf("%s: no answer", headers)
			continue
		}
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Set-Cookie") != "" || !json.Valid([]byte(body)) {
			t.Errorf("%s: %d %v %s", headers, answer.StatusCode, answer.Header, body)
		}
	}
}

// TestStalledRequestHeaderTimesOut: the server closes the connection.
func TestStalledRequestHeaderTimesOut(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), open)
	before := l.metric(t, "go_goroutines")
	for range 20 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(l.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if _, err := io.WriteString(conn, "GET /todos HTTP/1.1\r\nHost: x\r\nX-Slow: "); err != nil {
			t.Fatal(err)
		}
	}
	l.waitForGoroutines(t, before)
}

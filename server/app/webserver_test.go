package app

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"plaza/server/config"
)

// Only net/http's server lets a handler of a plain HTTP/1.1 request hijack the
// connection, so hijacking shows which server is running. Clients see no other
// difference; the tests of http1 compare both servers.
func TestSettingSelectsNetHTTPServer(t *testing.T) {
	t.Parallel()
	answers := map[bool]string{}
	for _, netHTTP := range []bool{false, true} {
		cfg, err := config.Load([]string{"PLAZA_NET_HTTP=" + map[bool]string{false: "false", true: "true"}[netHTTP]})
		if err != nil {
			t.Fatal(err)
		}
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		seen := make(chan bool, 1)
		server := newWebServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, taken := w.(http.Hijacker)
			seen <- taken
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write(append([]byte(r.Method+" "+r.URL.String()+" "), body...))
		}), cfg.NetHTTP, slog.New(slog.DiscardHandler))
		go func() { _ = server.Serve(listener) }()
		t.Cleanup(func() { _ = server.Close() })
		response, err := http.Post("http://"+listener.Addr().String()+"/a?b=c", "text/plain", strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		response.Header.Del("Date")
		var head strings.Builder
		_ = response.Header.Write(&head)
		answers[netHTTP] = response.Proto + " " + response.Status + "\n" + head.String() + string(body)
		if got := <-seen; got != netHTTP {
			t.Errorf("PLAZA_NET_HTTP=%v: served by net/http: %v", netHTTP, got)
		}
	}
	if answers[false] != answers[true] {
		t.Errorf("answers differ:\n%s\n\n%s", answers[false], answers[true])
	}
}

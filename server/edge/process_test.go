package edge_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Another process that finds the port of a function cannot bypass the authentication.
func TestFunctionsAnswerOnlyTheServer(t *testing.T) {
	t.Parallel()
	k := start(t, defaults(t), map[string]string{"pid/index.ts": `Deno.serve(() => new Response(String(Deno.pid)))`}, nil)
	_, pid := k.call(t, http.MethodPost, "/pid", "", nil)
	ports := listening(t, pid)
	if len(ports) != 1 {
		t.Fatalf("the process listens on %v", ports)
	}
	for name, header := range map[string]http.Header{"no token": {}, "a wrong one": {"X-Plaza-Edge": {"guess"}, "X-Plaza-Probe": {"1"}}} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+ports[0]+"/pid", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header = header
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if _ = response.Body.Close(); response.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", name, response.StatusCode)
		}
	}
}

// listening returns the IPv4 addresses on which a process listens.
func listening(t *testing.T, pid string) (addresses []string) {
	t.Helper()
	handles, err := filepath.Glob("/proc/" + pid + "/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	sockets := map[string]bool{}
	for _, handle := range handles {
		if target, err := os.Readlink(handle); err == nil {
			sockets[strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")] = true
		}
	}
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		const local, state, inode, listens = 1, 3, 9, "0A"
		fields := strings.Fields(line)
		if len(fields) <= inode || fields[state] != listens || !sockets[fields[inode]] {
			continue
		}
		address, port, _ := strings.Cut(fields[local], ":")
		number, err := strconv.ParseUint(port, 16, 16)
		if err != nil || address != "0100007F" {
			t.Fatalf("listens on %s: %v", fields[local], err)
		}
		addresses = append(addresses, "127.0.0.1:"+strconv.FormatUint(number, 10))
	}
	return addresses
}

// An idle function is stopped. The next call starts it again.
func TestIdleFunctionsEnd(t *testing.T) {
	t.Parallel()
	cfg := defaults(t)
	cfg.Idle = time.Millisecond
	k := start(t, cfg, map[string]string{"pid/index.ts": `Deno.serve(() => new Response(String(Deno.pid)))`}, nil)
	_, first := k.call(t, http.MethodPost, "/pid", "", nil)
	for {
		if _, err := os.Stat("/proc/" + first); os.IsNotExist(err) {
			break
		}
	}
	k.advance(time.Minute)
	if response, second := k.call(t, http.MethodPost, "/pid", "", nil); response.StatusCode != http.StatusOK || second == first {
		t.Errorf("%d %s after %s", response.StatusCode, second, first)
	}
}

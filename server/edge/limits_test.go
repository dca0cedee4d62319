package edge_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// A function that exceeds a limit is killed, and the next call gets a new process.
func TestLimits(t *testing.T) {
	t.Parallel()
	cfg := defaults(t)
	cfg.CPU, cfg.Temporary = 300*time.Millisecond, 1
	k := start(t, cfg, map[string]string{
		"cpu/index.ts": `Deno.serve(async (r) => { if (await r.text() === 'die') for (;;); return new Response('alive') })`,
		"tmp/index.ts": `Deno.serve(async (r) => {
			if (await r.text() === 'die') { await Deno.writeFile('/tmp/large', new Uint8Array(2 << 20)); await new Promise(() => {}) }
			return new Response('alive') })`,
		"background/index.ts": `Deno.serve(async (r) => { const text = await r.text(); EdgeRuntime.waitUntil((async () => { if (text) for (;;) await 0 })()); return new Response('alive') })`,
	}, nil)
	for name, limit := range map[string]string{"cpu": "cpu_time", "tmp": "temporary_files"} {
		k.expect(t, "/"+name, 200, "alive")
		if response, body := k.call(t, http.MethodPost, "/"+name, "die", nil); response.StatusCode != 546 || !strings.Contains(body, "WORKER_LIMIT") {
			t.Errorf("%s: %d %s\n%s", name, response.StatusCode, body, k.logText())
		}
		k.until(t, `function=`+name+` limit=`+limit)
		k.advance(time.Minute) // after any restart pause
		k.expect(t, "/"+name, 200, "alive")
	}
	k.expect(t, "/background", 200, "alive")
	k.call(t, http.MethodPost, "/background", "loop", nil)
	k.until(t, "function=background limit=cpu_time")
	if stats := k.runtime.Stats()["cpu"]; stats.Overruns != 1 || stats.Starts != 2 {
		t.Errorf("%+v", stats)
	}
}

// The number of running processes is limited. To start another, the one that was unused for the longest time is stopped.
func TestNumberOfProcesses(t *testing.T) {
	t.Parallel()
	cfg := defaults(t)
	cfg.Processes = 2
	const function = `Deno.serve(async (r) => { const url = await r.text(); if (url) await fetch(url); return new Response(String(Deno.pid)) })`
	k := start(t, cfg, map[string]string{"a/index.ts": function, "b/index.ts": function, "c/index.ts": function}, nil)
	calls := 0
	pid := func(path string) string {
		k.advance(time.Second)
		response, body := k.call(t, http.MethodPost, path, "", nil)
		if response.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", path, response.StatusCode, body)
		}
		// The client has its response before the call has ended, which then is logged.
		for calls++; strings.Count(k.logText(), `msg="function call"`) < calls; runtime.Gosched() {
			if t.Context().Err() != nil {
				t.Fatal("the call does not end")
			}
		}
		return body
	}
	a, b := pid("/a"), pid("/b")
	if again := pid("/a"); again != a {
		t.Errorf("a runs again as %s after %s", again, a)
	}
	pid("/c")
	if _, err := os.Stat("/proc/" + b); err == nil {
		t.Error("the function that was unused for the longest time runs on")
	}
	if again := pid("/a"); again != a {
		t.Errorf("a function that was used later was stopped: %s after %s", again, a)
	}

	// A function that is in use makes room when its call ends.
	entered, release := make(chan struct{}, 2), make(chan struct{})
	slow := serve(t, func(http.ResponseWriter, *http.Request) { entered <- struct{}{}; <-release })
	ended := make(chan int, 3)
	call := func(path, body string) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, k.url+path+"?apikey="+k.keys.Anon, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		ended <- response.StatusCode
	}
	go call("/a", slow)
	go call("/c", slow)
	<-entered
	<-entered
	k.runtime.SetSlotTimeout(time.Millisecond)
	k.expect(t, "/b", 503, "functions_busy")
	k.runtime.SetSlotTimeout(time.Minute)
	go call("/b", "")
	k.runtime.AwaitStarts(t, 1)
	close(release)
	for range 3 {
		if status := <-ended; status != http.StatusOK {
			t.Errorf("status %d\n%s", status, k.logText())
		}
	}
}

// While a process waits for its start, its files change and its only call is cancelled. It ends when it starts, so that the
// process with the new files can start.
func TestObsoleteStartReleasesItsSlot(t *testing.T) {
	t.Parallel()
	cfg := defaults(t)
	cfg.Processes = 1
	k := start(t, cfg, map[string]string{
		"slow/index.ts": `Deno.serve(async (r) => new Response(await (await fetch(await r.text())).text()))`,
		"fast/index.ts": `Deno.serve(() => new Response('old'))`,
	}, nil)
	k.runtime.SetSlotTimeout(time.Minute)
	call := func(ctx context.Context, name, body string) *httptest.ResponseRecorder {
		t.Helper()
		function, _ := k.runtime.Find(name)
		out := httptest.NewRecorder()
		if err := function.Serve(out, httptest.NewRequestWithContext(ctx, http.MethodPost, "/"+name, strings.NewReader(body))); err != nil && ctx.Err() == nil {
			t.Errorf("%s: %v\n%s", name, err, k.logText())
		}
		return out
	}
	entered, release := make(chan struct{}), make(chan struct{})
	held := serve(t, func(http.ResponseWriter, *http.Request) { close(entered); <-release })
	var calls sync.WaitGroup
	calls.Go(func() { call(t.Context(), "slow", held) })
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cancelled := make(chan struct{})
	go func() { defer close(cancelled); call(ctx, "fast", "") }()
	k.runtime.AwaitStarts(t, 1)
	k.write(t, "fast/index.ts", `Deno.serve(() => new Response('changed'))`)
	calls.Go(func() {
		if answer := call(t.Context(), "fast", ""); answer.Body.String() != "changed" {
			t.Errorf("%d %q\n%s", answer.Code, answer.Body, k.logText())
		}
	})
	k.runtime.AwaitStarts(t, 2)
	cancel()
	<-cancelled
	close(release)
	calls.Wait()
}

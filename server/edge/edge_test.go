package edge_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/server/edge"
	"plaza/server/invoke"
)

const (
	hello  = `Deno.serve(() => new Response('Hello World'))`
	mirror = `
Deno.serve(async (request, info) => new Response(JSON.stringify({
  url: request.url, method: request.method, headers: Object.fromEntries(request.headers), body: await request.text(),
  env: Deno.env.toObject(), from: typeof info.remoteAddr.hostname,
}), { status: 201, headers: { 'content-type': 'application/json', 'x-own': 'yes' } }))`
)

// The ways in which functions register a handler.
func TestHandlers(t *testing.T) {
	t.Parallel()
	k := start(t, defaults(t), map[string]string{
		"hello/index.ts":    hello,
		"options/index.ts":  `Deno.serve({ port: 8000, onListen: (at) => console.log('port', at.port) }, () => new Response('options'))`,
		"inside/index.ts":   `Deno.serve({ handler: (): Response => new Response('inside') })`,
		"exports/index.ts":  `export default { async fetch(request: Request) { return new Response('exports ' + request.method) } }`,
		"function/index.ts": `export default (): Response => new Response('function')`,
		"onerror/index.ts":  `Deno.serve({ onError: (e) => new Response('kept: ' + e.message, { status: 418 }) }, () => { throw new Error('oops') })`,
		"throws/index.ts":   `Deno.serve(() => { throw new Error('oops') })`,
		"shared/index.ts":   `import { word } from '../_shared/word.ts'; Deno.serve(() => new Response(word))`,
		"_shared/word.ts":   `export const word: string = 'shared'`,
		"mapped/index.ts":   `import { word } from 'words'; Deno.serve(() => new Response('mapped ' + word))`,
		"mapped/deno.json":  `{ "imports": { "words": "../_shared/word.ts" } }`,
		"global/index.ts":   `import { word } from 'words/word.ts'; Deno.serve(() => new Response('global ' + word))`,
		"import_map.json":   `{ "imports": { "words/": "./_shared/" } }`,
		// The API used by std/http up to 0.199.
		"listens/index.ts": `
async function answer(event) { await event.respondWith(new Response('listens ' + await event.request.text())) }
for await (const conn of Deno.listen({ port: 8000 })) { (async () => { for await (const event of Deno.serveHttp(conn)) answer(event) })() }`,
		"accepts/index.ts": `
const listener = Deno.listen({ port: 8000 })
async function loop() {
  while (true) {
    const http = Deno.serveHttp(await listener.accept())
    ;(async () => { for (let e = await http.nextRequest(); e; e = await http.nextRequest()) e.respondWith(Promise.resolve(new Response('accepts'))) })()
  }
}
loop()`,
		"_shared/part.ts": `export const isMain: boolean = import.meta.main`,
		"main/index.ts": `import { isMain } from '../_shared/part.ts'
if (import.meta.main) Deno.serve(() => new Response('main ' + isMain as string))`,
		"waits/index.ts": `Deno.serve(() => { EdgeRuntime.waitUntil(Promise.reject(new Error('later'))); return new Response('waits') })`,
	}, nil)
	for path, want := range map[string]struct {
		status int
		part   string
	}{
		"/hello": {200, "Hello World"}, "/options": {200, "options"}, "/inside": {200, "inside"}, "/exports": {200, "exports POST"},
		"/function": {200, "function"}, "/onerror": {418, "kept: oops"}, "/throws": {500, "Internal Server Error"},
		"/shared": {200, "shared"}, "/mapped": {200, "mapped shared"}, "/global": {200, "global shared"},
		"/main": {200, "main false"}, "/listens": {200, "listens "}, "/accepts": {200, "accepts"}, "/waits": {200, "waits"},
		"/_shared": {404, "function_not_found"}, "/nope": {404, "function_not_found"}, "/..%2fhello": {404, "function_not_found"},
	} {
		k.expect(t, path, want.status, want.part)
	}
	k.expect(t, "/listens", 200, "listens") // and again, on the same connection
	if output := k.logText(); !strings.Contains(output, `function=options stream=console text="port 8000"`) {
		t.Errorf("the function's output is not in the log: %s", output)
	}
}

// A function sees the same request as in upstream, and only the environment of edge functions.
func TestFunctionSeesRequestAndEnvironment(t *testing.T) {
	t.Setenv("PLAZA_SECRET_OF_THE_SERVER", "hush")
	k := start(t, defaults(t), map[string]string{
		"mirror/index.ts": mirror, ".env": "# of the project\nMY_KEY=\"from .env\"\nOTHER='x'\nSUPABASE_URL=http://forged\n",
	}, func(f *edge.Folder, _ *edge.Deps) {
		f.Secrets = map[string]string{"MY_KEY": "from config.toml", "TOML": "yes"}
	})
	response, body := k.call(t, http.MethodPatch, "/mirror/sub%20path/x?a=1&a=2", "the body", map[string]string{"X-Custom": "c", "X-Plaza-Probe": "1", "X-Request-Id": "id-1"})
	if response.StatusCode != http.StatusCreated || response.Header.Get("X-Own") != "yes" || response.Header.Get("X-Sb-Edge-Region") != "local" || response.Header.Get(invoke.RelayHeader) != "" {
		t.Fatalf("%d %v %s", response.StatusCode, response.Header, body)
	}
	var seen struct {
		URL, Method, Body, From string
		Headers, Env            map[string]string
	}
	if err := json.Unmarshal([]byte(body), &seen); err != nil {
		t.Fatal(err)
	}
	host := strings.TrimSuffix(k.url, "/functions/v1")
	if seen.URL != host+"/mirror/sub%20path/x?a=1&a=2" || seen.Method != "PATCH" || seen.Body != "the body" || seen.From != "string" {
		t.Errorf("%+v", seen)
	}
	if seen.Headers["x-custom"] != "c" || seen.Headers["authorization"] == "" || seen.Headers["x-request-id"] != "id-1" || seen.Headers["x-forwarded-for"] != "127.0.0.1" {
		t.Errorf("headers %v", seen.Headers)
	}
	for name := range seen.Headers {
		if strings.HasPrefix(name, "x-plaza") {
			t.Errorf("the function sees %s", name)
		}
	}
	for name, pattern := range map[string]string{
		"SB_EXECUTION_ID": `^[0-9a-f-]{36}$`, "SB_REGION": `^local$`, "DENO_DEPLOYMENT_ID": `^local_mirror_[0-9a-f]+$`, "TMPDIR": `/mirror-[0-9]+/tmp$`,
	} {
		if !regexp.MustCompile(pattern).MatchString(seen.Env[name]) {
			t.Errorf("%s is %q", name, seen.Env[name])
		}
		delete(seen.Env, name)
	}
	maps.DeleteFunc(seen.Env, func(name, _ string) bool { return slices.Contains(edge.PassedOn, name) })
	want := map[string]string{"SUPABASE_URL": "http://project.test", "MY_KEY": "from .env", "OTHER": "x", "TOML": "yes"}
	if diff := cmp.Diff(want, seen.Env); diff != "" {
		t.Errorf("environment (-want +got):\n%s", diff)
	}
}

// config.toml declares functions, their files and whether they require a token. Preflights reach the
// function without a token.
func TestDeclaredFunctions(t *testing.T) {
	t.Parallel()
	no := false
	k := start(t, defaults(t), map[string]string{
		"open/index.ts":   `Deno.serve((r) => new Response(r.method + ' ' + r.headers.get('authorization'), { headers: { 'Access-Control-Allow-Origin': 'https://a.example' } }))`,
		"closed/index.ts": hello, "off/index.ts": hello, "elsewhere/main.js": hello,
	}, func(f *edge.Folder, _ *edge.Deps) {
		f.Declared = map[string]edge.Declared{
			"open": {VerifyJWT: &no}, "off": {Enabled: &no}, "moved": {Entrypoint: "./functions/elsewhere/main.js"}, "missing": {Entrypoint: "./nowhere.ts"},
		}
	})
	k.expect(t, "/moved", 200, "Hello World")
	k.expect(t, "/off", 404, "function_not_found")
	k.expect(t, "/missing", 404, "function_not_found")
	if _, body := k.call(t, http.MethodPost, "/open", "", map[string]string{"Authorization": "Basic of its own"}); body != "POST Basic of its own" {
		t.Error(body)
	}
	for token, code := range map[string]string{"": "missing_authorization", "Bearer a.b.c": "invalid_jwt"} {
		response, body := k.call(t, http.MethodPost, "/closed", "", map[string]string{"Authorization": token})
		if response.StatusCode != http.StatusUnauthorized || response.Header.Get(invoke.RelayHeader) != "true" || !strings.Contains(body, code) {
			t.Errorf("%q: %d %s", token, response.StatusCode, body)
		}
	}
	response, _ := k.call(t, http.MethodOptions, "/open", "", map[string]string{"Origin": "https://a.example", "Access-Control-Request-Method": "POST", "Authorization": ""})
	if got := response.Header.Values("Access-Control-Allow-Origin"); !slices.Equal(got, []string{"https://a.example"}) {
		t.Errorf("the function's own CORS became %v", got)
	}
}

// If a function exits, hangs, leaks or fails to start, the client gets an error and the next call gets
// a new process.
func TestMisbehavingFunctions(t *testing.T) {
	t.Parallel()
	cfg := defaults(t)
	cfg.Memory = 64
	k := start(t, cfg, map[string]string{
		"hello/index.ts": hello,
		"dies/index.ts":  `Deno.serve(async (r) => { const text = await r.text(); if (text === 'die') Deno.exit(3); return new Response('alive') })`,
		"heap/index.ts":  `Deno.serve(async (r) => { if (await r.text() === 'die') { const kept = []; for (;;) kept.push(new Array(1000).fill({})) } return new Response('alive') })`,
		"buffers/index.ts": `Deno.serve(async (r) => {
			if (await r.text() === 'die') { const kept = []; for (;;) { kept.push(new Uint8Array(1e6).fill(1)); await new Promise((next) => setTimeout(next)) } }
			return new Response('alive') })`,
		"rejects/index.ts": `Deno.serve(async (r) => { if (await r.text() === 'die') await new Promise(() => Promise.reject(new Error('unhandled'))); return new Response('alive') })`,
		"reads/index.ts":   `Deno.serve(async (r) => new Response(String((await r.text()).length)))`,
		"silent/index.ts":  `setTimeout(() => Deno.exit(0), 1)`,
	}, nil)
	for _, tt := range []struct {
		name   string
		status int
		code   string
	}{
		{"dies", 500, "WORKER_ERROR"}, {"rejects", 500, "WORKER_ERROR"}, {"heap", 546, "WORKER_LIMIT"}, {"buffers", 546, "WORKER_LIMIT"},
	} {
		if response, body := k.call(t, http.MethodPost, "/"+tt.name, "die", nil); response.StatusCode != tt.status || !strings.Contains(body, tt.code) {
			t.Errorf("%s: %d %s, want %d %s\n%s", tt.name, response.StatusCode, body, tt.status, tt.code, k.logText())
		}
		k.advance(time.Minute) // after any restart pause
		k.expect(t, "/"+tt.name, 200, "alive")
	}
	k.expect(t, "/silent", 503, "BOOT_ERROR")
	response, body := k.call(t, http.MethodPost, "/reads", strings.Repeat("x", 1<<20+1), nil)
	if response.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(body, "request_entity_too_large") {
		t.Errorf("a large body: %d %s", response.StatusCode, body)
	}
	k.expect(t, "/hello", 200, "Hello World")
}

// An endless loop only blocks its own process, which is killed.
func TestEndlessLoop(t *testing.T) {
	t.Parallel()
	cfg := defaults(t)
	k := start(t, cfg, map[string]string{"hello/index.ts": hello}, nil)
	k.expect(t, "/hello", 200, "Hello World")
	cfg.Timeout = 10 * time.Second // also of a start, which takes seconds on a busy machine
	k = start(t, cfg, map[string]string{
		"loops/index.ts": `Deno.serve(async (r) => { if (await r.text() === 'loop') for (;;); return new Response('alive') })`,
	}, nil)
	k.expect(t, "/loops", 200, "alive")
	response, body := k.call(t, http.MethodPost, "/loops", "loop", nil)
	if response.StatusCode != http.StatusGatewayTimeout || !strings.Contains(body, "function_timeout") || response.Header.Get(invoke.RelayHeader) != "true" {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	for {
		// Until the process is found to hang, calls wait for it and time out.
		if response, body = k.call(t, http.MethodPost, "/loops", "", nil); response.StatusCode != http.StatusGatewayTimeout {
			break
		}
		k.advance(time.Minute)
	}
	if k.advance(time.Minute); response.StatusCode != http.StatusOK {
		k.expect(t, "/loops", 200, "alive")
	} else if body != "alive" {
		t.Error(body)
	}
}

// A function that fails to start is not restarted for every call until its files change. Changed files
// of a running function are noticed, too.
func TestRestartAfterChangedFilesOrAPause(t *testing.T) {
	t.Parallel()
	k := start(t, defaults(t), map[string]string{"f/index.ts": `console.log('tried'); throw new Error('at load')`}, nil)
	tried := func() int { return strings.Count(k.logText(), "text=tried") }
	k.expect(t, "/f", 503, "BOOT_ERROR")
	k.expect(t, "/f", 503, "BOOT_ERROR")
	if tried() != 1 {
		t.Errorf("started %d times within its pause", tried())
	}
	k.advance(time.Minute)
	k.expect(t, "/f", 503, "BOOT_ERROR")
	if tried() != 2 {
		t.Errorf("started %d times after its pause", tried())
	}
	k.write(t, "f/index.ts", `Deno.serve(() => new Response('mended'))`)
	k.expect(t, "/f", 200, "mended")
	k.write(t, "f/index.ts", `import { text } from './text.ts'; Deno.serve(() => new Response(text))`)
	k.write(t, "f/text.ts", `export const text = 'of two files'`)
	k.expect(t, "/f", 200, "of two files")
	k.write(t, "f/text.ts", `export const text = 'changed beside it'`)
	k.expect(t, "/f", 200, "changed beside it")
	k.write(t, "new/index.ts", hello)
	k.expect(t, "/new", 200, "Hello World")
}

// In development the output of functions is logged whatever the level of the log is.
func TestOutputInDevelopment(t *testing.T) {
	t.Parallel()
	for _, isDevelopment := range []bool{true, false} {
		var out synced
		k := start(t, defaults(t), map[string]string{"says/index.ts": `Deno.serve(() => { console.debug("a word"); return new Response("said") })`}, func(_ *edge.Folder, deps *edge.Deps) {
			deps.Log = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn}))
			deps.Development = isDevelopment
		})
		k.expect(t, "/says", 200, "said")
		k.runtime.Close()
		if isLogged := strings.Contains(out.String(), `function=says stream=console text="a word"`); isLogged != isDevelopment {
			t.Errorf("development %v: %s", isDevelopment, out.String())
		}
	}
}

// synced is a buffer for several goroutines.
type synced struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *synced) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(line)
}

func (s *synced) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// Without deno, calls return an error. With an external runtime deno is not needed.
func TestExternalRuntime(t *testing.T) {
	t.Parallel()
	cfg := defaults(t)
	cfg.Deno = "/nowhere/deno"
	k := start(t, cfg, map[string]string{"hello/index.ts": hello}, nil)
	k.expect(t, "/hello", 503, "functions_runtime_missing")
	if err := k.runtime.CheckDeno(); err == nil {
		t.Error("nothing is missing without deno")
	}
	if err := start(t, cfg, nil, nil).runtime.CheckDeno(); err != nil {
		t.Errorf("without functions: %v", err)
	}

	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Method+" "+r.URL.String()+" "+r.Header.Get("X-Plaza-Edge"))
	}))
	defer elsewhere.Close()
	cfg.Upstream = elsewhere.URL + "/base"
	k = start(t, cfg, nil, nil)
	k.expect(t, "/any/sub?x=1", 200, "POST /base/any/sub?x=1 ")
	if err := k.runtime.CheckDeno(); err != nil {
		t.Errorf("with another runtime: %v", err)
	}
	if response, _ := k.call(t, http.MethodPost, "/any", "", map[string]string{"Authorization": ""}); response.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %d", response.StatusCode)
	}
	elsewhere.Close()
	k.expect(t, "/any", 503, "functions_unreachable")
}

func TestCheck(t *testing.T) {
	t.Parallel()
	good := defaults(t)
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(*edge.Config){
		"upstream": func(c *edge.Config) { c.Upstream = "127.0.0.1:9000" }, "timeout": func(c *edge.Config) { c.Timeout = 0 },
		"memory": func(c *edge.Config) { c.Memory = 1 }, "body": func(c *edge.Config) { c.MaxBody = -1 },
	} {
		bad := good
		if spoil(&bad); bad.Check() == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}

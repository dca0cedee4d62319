package edge_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// until waits until the log has a text.
func (k *kit) until(t *testing.T, text string) {
	t.Helper()
	for !strings.Contains(k.logText(), text) {
		select {
		case <-t.Context().Done():
			t.Fatalf("not in the log: %s\n%s", text, k.logText())
		case <-time.After(time.Millisecond):
		}
	}
}

// Work that EdgeRuntime.waitUntil is given continues after the response and after the process is no
// longer used. The function is notified why it ends.
func TestBackgroundWork(t *testing.T) {
	t.Parallel()
	const works = `
let finish
addEventListener('beforeunload', (event) => {
  console.log('ends by ' + event.detail.reason)
  EdgeRuntime.waitUntil(new Promise((done) => setTimeout(() => { console.log('last words'); done() }, 1)))
})
Deno.serve(async (request) => {
  const url = await request.text()
  if (url) EdgeRuntime.waitUntil(fetch(url).then(async (answer) => console.log('work got ' + await answer.text())))
  return new Response(String(Deno.pid))
})`
	release := make(chan struct{})
	slow := serve(t, func(w http.ResponseWriter, _ *http.Request) { <-release; _, _ = fmt.Fprint(w, "its answer") })
	k := start(t, defaults(t), map[string]string{"works/index.ts": works}, nil)
	_, first := k.call(t, http.MethodPost, "/works", slow, nil)
	k.write(t, "works/index.ts", works+"\n") // the process is replaced
	_, second := k.call(t, http.MethodPost, "/works", "", nil)
	if _, err := os.Stat("/proc/" + first); err != nil || first == second {
		t.Fatalf("process %s did not wait for its work, or was not replaced by %s: %v", first, second, err)
	}
	close(release)
	k.until(t, "work got its answer")
	k.until(t, "ends by early_drop")
	if output := k.logText(); strings.Index(output, "ends by") < strings.Index(output, "work got") {
		t.Errorf("the function was notified of its end before its work was done: %s", output)
	}
	k.until(t, "last words")
	for {
		if _, err := os.Stat("/proc/" + first); err != nil {
			break
		}
	}
	k.runtime.Close()
	k.until(t, "ends by termination")
	if _, err := os.Stat("/proc/" + second); err == nil {
		t.Error("the second process lives on")
	}
}

// Background work ends when its time is over, and is notified before.
func TestBackgroundWorkIsBounded(t *testing.T) {
	t.Parallel()
	cfg := defaults(t)
	cfg.WallClock, cfg.Idle = 5*time.Second, time.Millisecond
	k := start(t, cfg, map[string]string{"works/index.ts": `
addEventListener('beforeunload', (event) => console.log('ends by ' + event.detail.reason))
Deno.serve(() => { EdgeRuntime.waitUntil(new Promise(() => {})); return new Response(String(Deno.pid)) })`}, nil)
	_, pid := k.call(t, http.MethodPost, "/works", "", nil)
	k.until(t, "ends by wall_clock")
	for {
		if _, err := os.Stat("/proc/" + pid); err != nil {
			break
		}
	}
}

// The console's messages are logged with the function's name, level and lines. Long ones are cut, and
// too many are counted.
func TestConsole(t *testing.T) {
	t.Parallel()
	k := start(t, defaults(t), map[string]string{
		"says/index.ts": `Deno.serve(() => {
  console.debug('a %s', 'detail'); console.info({ x: 1 }); console.warn('two\nlines'); console.error(new Error('bad'))
  console.log('é'.repeat(12000)); Deno.stdout.writeSync(new TextEncoder().encode('raw')); console.log('after raw')
  return new Response('said')
})`,
		"floods/index.ts": `Deno.serve(() => { for (let i = 0; i < 5000; i++) console.log('flood ' + i); return new Response('said') })`,
	}, nil)
	k.expect(t, "/says", 200, "said")
	for _, want := range []string{
		`level=DEBUG msg="function output" function=says stream=console text="a detail"`, `level=INFO msg="function output" function=says stream=console text="{ x: 1 }"`,
		`level=WARN msg="function output" function=says stream=console text="two\nlines"`, `level=ERROR msg="function output" function=says stream=console text="Error: bad\n`,
		"… (2000 more characters)", `stream=stdout text=raw`, `stream=console text="after raw"`,
	} {
		k.until(t, want)
	}
	k.expect(t, "/floods", 200, "said")
	k.advance(time.Minute)
	k.expect(t, "/floods", 200, "said")
	k.until(t, `msg="lines of a function suppressed" function=floods`)
	if logged, most := strings.Count(k.logText(), `text="flood `), 2*200; logged > most { // in two windows
		t.Errorf("%d lines of a flood are logged", logged)
	}
}

// A function writes below /tmp, which is a private folder that is deleted with its process.
func TestTemporaryFiles(t *testing.T) {
	t.Parallel()
	k := start(t, defaults(t), map[string]string{
		"tmp/index.ts": `
import { tmpdir } from 'node:os'
import { writeFileSync } from 'node:fs'
Deno.serve(async (request) => {
  const name = '/tmp/' + (await request.text() || 'a/unnamed')
  const was = await Deno.readTextFile(name).catch((e) => e.name)
  await Deno.mkdir('/tmp/a/b', { recursive: true })
  await Deno.writeTextFile('/tmp/a/b/c', 'x')
  await Deno.rename('/tmp/a/b/c', name)
  Deno.statSync(new URL('file://' + name))
  await Deno.writeTextFile(await Deno.makeTempFile({ prefix: 'own-' }), 'y')
  await Deno.makeTempDir({ dir: '/tmp/a' })
  writeFileSync(tmpdir() + '/by-node', 'z')
  const listed = []
  for await (const entry of Deno.readDir('/tmp')) listed.push(entry.name.replace(/own-.*/, 'own'))
  const outside = await Deno.writeTextFile('/tmp/../var/x', '').catch((e) => e.name)
  return Response.json([was, listed.sort(), outside])
})`,
	}, nil)
	name := filepath.Base(t.TempDir()) + "-of-a-test"
	k.expect(t, "/tmp", 200, `["NotFound",["a","by-node","own"],"NotCapable"]`)
	if _, body := k.call(t, http.MethodPost, "/tmp", name, nil); !strings.Contains(body, `"`+name+`"`) {
		t.Error(body)
	}
	if _, err := os.Stat(filepath.Join("/tmp", name)); err == nil {
		t.Error("the machine's /tmp has the file")
	}
	run := filepath.Join(k.data, "functions/run")
	if left, err := os.ReadDir(run); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
	k.runtime.Close()
	if left, err := os.ReadDir(run); err != nil || len(left) != 0 {
		t.Errorf("%v %v", left, err)
	}
}

package edge

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// bootTimeout is how long a function may take until it serves; its modules may
// have to be fetched.
const bootTimeout = time.Minute

// probeTimeout is how long a process that did not answer in time may take to
// show that it still turns.
const probeTimeout = 2 * time.Second

// watchInterval is how often the memory of a process is looked at.
const watchInterval = 250 * time.Millisecond

// overhead is what deno takes beside a function's heap, in bytes.
const overhead = 160 << 20

// child is a process that runs one function.
type child struct {
	name  string
	log   *lineLog
	token string
	began time.Time
	print uint64 // of the files it was started from

	pid   int
	serve http.Handler // to it, once it is ready
	at    *url.URL
	stdin io.Closer // its end is the process's, too

	ready   chan struct{} // closed when it serves or will not
	booted  atomic.Bool
	done    chan struct{} // closed when it has ended
	overrun atomic.Bool   // it took too much memory
	probing atomic.Bool

	mu      sync.Mutex
	users   int
	retired bool
	idle    *time.Timer
}

// launch starts a process. It does not wait until it serves.
func (r *Runtime) launch(s spec, print uint64) (*child, error) {
	env, err := r.environment()
	if err != nil {
		return nil, err
	}
	c := &child{
		name: s.name, log: newLineLog(r.Log, s.name, r.Now), token: rand.Text(), began: r.Now(), print: print,
		ready: make(chan struct{}), done: make(chan struct{}),
	}
	cmd := exec.Command(r.deno, r.arguments(s)...)
	cmd.Dir = filepath.Dir(s.entry)
	cmd.SysProcAttr = attributes()
	if cmd.Env, err = r.childEnvironment(c.token, s, env); err != nil {
		return nil, err
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	c.stdin = stdin
	ports := make(chan string, 1)
	cmd.Stdout = &lineWriter{take: func(line string) {
		if port, ok := strings.CutPrefix(line, c.token+" "); ok {
			select {
			case ports <- port:
			default:
			}
			return
		}
		c.log.line("stdout", line)
	}}
	cmd.Stderr = &lineWriter{take: func(line string) { c.log.line("stderr", line) }}
	started := make(chan error)
	go func() {
		// The death signal comes when this thread ends, so it is kept. A thread
		// whose goroutine ends while it is locked is not used again.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is seen by what it said
			close(c.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	c.pid = cmd.Process.Pid
	r.starts.Add(s.name, 1)
	go c.boot(r, ports)
	go c.watch(int64(r.cfg.Memory)<<20+overhead, func() { r.overruns.Add(s.name, 1) })
	return c, nil
}

// childEnvironment is all that the process gets: nothing of the server's own
// secrets that is not in env.
func (r *Runtime) childEnvironment(token string, s spec, env map[string]string) ([]string, error) {
	own := []string{"DENO_DIR=" + r.cacheDir(), "TMPDIR=" + r.tempDir(), "DENO_NO_UPDATE_CHECK=1", "NO_COLOR=1"}
	hidden := []string{"DENO_DIR", "TMPDIR", "DENO_NO_UPDATE_CHECK", "NO_COLOR", "PATH", "DENO_NODE_SHIM_ACTIVE"} // the last two deno sets itself
	if _, set := os.LookupEnv(caStore); !set {
		own = append(own, caStore+"=mozilla,system")
	}
	for _, name := range passedOn {
		if value, ok := os.LookupEnv(name); ok {
			own = append(own, name+"="+value)
		}
	}
	for name, value := range env {
		own = append(own, name+"="+value)
		for i, other := range hidden {
			if other == name { // the project's own counts, and is seen
				hidden[i] = "PLAZA_EDGE"
			}
		}
	}
	entry := url.URL{Scheme: "file", Path: filepath.ToSlash(s.entry)}
	text, err := json.Marshal(map[string]any{"token": token, "entry": entry.String(), "hidden": hidden})
	return append(own, "PLAZA_EDGE="+string(text)), err
}

// boot waits until the process tells where it serves.
func (c *child) boot(r *Runtime, ports <-chan string) {
	defer close(c.ready)
	limit := time.NewTimer(bootTimeout)
	defer limit.Stop()
	select {
	case port := <-ports:
		c.at = &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", port)}
		c.serve = r.proxy(c.at, &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 50}, c.token)
		c.booted.Store(true)
	case <-c.done:
	case <-limit.C:
		c.kill()
	}
}

// watch ends a process that takes more memory than it may, in bytes, and tells.
func (c *child) watch(most int64, overran func()) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-tick.C:
			if resident(c.pid) > most {
				c.overrun.Store(true)
				overran()
				c.kill()
				return
			}
		}
	}
}

// kill ends the process and its children, at once.
func (c *child) kill() {
	select {
	case <-c.done: // its id may be another's by now
	default:
		_ = syscall.Kill(-c.pid, syscall.SIGKILL)
	}
	_ = c.stdin.Close()
}

// enter counts a call in; false where the process is to end.
func (c *child) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.retired {
		return false
	}
	if c.idle != nil {
		c.idle.Stop()
	}
	c.users++
	return true
}

// leave counts a call out; the last one sets the clock of idleness.
func (c *child) leave(idle time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users--; c.users > 0 {
		return
	}
	if c.retired {
		c.kill()
		return
	}
	c.idle = time.AfterFunc(idle, c.retireIdle)
}

func (c *child) retireIdle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users == 0 {
		c.retired = true
		c.kill()
	}
}

// retire lets running calls end, and takes no others.
func (c *child) retire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retired = true
	if c.users == 0 {
		c.kill()
	}
}

// probe ends a process that no longer answers anything, as one in an endless
// loop does.
func (c *child) probe() {
	if !c.probing.CompareAndSwap(false, true) {
		return
	}
	defer c.probing.Store(false)
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.at.String(), nil)
	if err != nil {
		return
	}
	request.Header.Set(tokenHeader, c.token)
	request.Header.Set(probeHeader, "1")
	request.Close = true
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		c.log.warn("the function hangs and is ended")
		c.kill()
		return
	}
	_ = response.Body.Close()
}

// failure says why a call that reached the process was not answered.
func (c *child) failure(cause error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(cause, &tooLarge) {
		return cause
	}
	grace := time.NewTimer(time.Second) // its end is seen a moment after the connection's
	defer grace.Stop()
	select {
	case <-c.done:
		if c.overrun.Load() || c.log.ranOut() {
			return workerLimit().WithCause(cause)
		}
	case <-grace.C:
	}
	return workerError().WithCause(fmt.Errorf("%s: %w", c.name, cause))
}

// lineWriter cuts what a process says into lines.
type lineWriter struct {
	take    func(line string)
	partial []byte
}

// maxLine bounds what is kept of a line that has no end, in bytes.
const maxLine = 8 << 10

func (w *lineWriter) Write(piece []byte) (int, error) {
	w.partial = append(w.partial, piece...)
	for {
		advance, line, _ := bufio.ScanLines(w.partial, false) // never fails
		if advance == 0 {
			break
		}
		w.take(string(line))
		w.partial = w.partial[advance:]
	}
	if len(w.partial) > maxLine {
		w.take(string(w.partial))
		w.partial = nil
	}
	return len(piece), nil
}

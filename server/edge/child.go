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
	"time"
)

// bootTimeout is how long a function may take to start. It may have to download modules.
const bootTimeout = time.Minute

// probeTimeout is how long a process may take to respond to a probe after a timeout.
const probeTimeout = 2 * time.Second

// watchInterval is how often the memory of a process is checked.
const watchInterval = 250 * time.Millisecond

// denoOverhead is the memory that deno uses in addition to a function's heap, in bytes.
const denoOverhead = 160 << 20

// child is a process that runs one function.
type child struct {
	name        string
	log         *lineLog
	token       string
	began       time.Time
	fingerprint uint64 // fingerprint of the files it was started from

	pid     int
	serve   http.Handler // proxy to the process; set before ready is closed
	address *url.URL
	stdin   io.Closer // closing it ends the process, too

	ready   chan struct{} // closed when the process serves or has failed to start
	booted  atomic.Bool
	done    chan struct{} // closed when the process has ended
	overrun atomic.Bool   // it was killed because it used too much memory
	probing atomic.Bool

	mu      sync.Mutex
	users   int
	retired bool
	idle    *time.Timer
}

// launch starts a process. It does not wait until the process serves.
func (r *Runtime) launch(s spec, print uint64) (*child, error) {
	env, err := r.environment()
	if err != nil {
		return nil, err
	}
	c := &child{
		name: s.name, log: newLineLog(r.output, s.name, r.Now), token: rand.Text(), began: r.Now(), fingerprint: print,
		ready: make(chan struct{}), done: make(chan struct{}),
	}
	cmd := exec.Command(r.deno, r.arguments(s)...)
	cmd.Dir = filepath.Dir(s.entry)
	cmd.SysProcAttr = procAttributes()
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
		// Pdeathsig is sent when the parent thread ends, so this goroutine keeps its thread. The runtime
		// terminates a thread whose goroutine ends while locked to it.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // the log shows why it ended
			close(c.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	c.pid = cmd.Process.Pid
	r.starts.Add(s.name, 1)
	go c.boot(r, ports)
	go c.watch(int64(r.cfg.Memory)<<20+denoOverhead, func() { r.overruns.Add(s.name, 1) })
	return c, nil
}

// childEnvironment returns the environment of the process. It contains none of the server's own
// secrets except those in env.
func (r *Runtime) childEnvironment(token string, s spec, env map[string]string) ([]string, error) {
	own := []string{"DENO_DIR=" + r.cacheDir(), "TMPDIR=" + r.tempDir(), "DENO_NO_UPDATE_CHECK=1", "NO_COLOR=1"}
	hidden := []string{"DENO_DIR", "TMPDIR", "DENO_NO_UPDATE_CHECK", "NO_COLOR", "PATH", "DENO_NODE_SHIM_ACTIVE"} // the last two deno sets itself
	if _, set := os.LookupEnv(caStore); !set {
		own = append(own, caStore+"=mozilla,system")
	}
	for _, name := range inheritedVariables {
		if value, ok := os.LookupEnv(name); ok {
			own = append(own, name+"="+value)
		}
	}
	for name, value := range env {
		own = append(own, name+"="+value)
		for i, other := range hidden {
			if other == name { // a variable of the project is not hidden
				hidden[i] = "PLAZA_EDGE"
			}
		}
	}
	entry := url.URL{Scheme: "file", Path: filepath.ToSlash(s.entry)}
	text, err := json.Marshal(map[string]any{"token": token, "entry": entry.String(), "hidden": hidden})
	return append(own, "PLAZA_EDGE="+string(text)), err
}

// boot waits until the process reports its port.
func (c *child) boot(r *Runtime, ports <-chan string) {
	defer close(c.ready)
	limit := time.NewTimer(bootTimeout)
	defer limit.Stop()
	select {
	case port := <-ports:
		c.address = &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", port)}
		c.serve = r.proxy(c.address, &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 50}, c.token)
		c.booted.Store(true)
	case <-c.done:
	case <-limit.C:
		c.kill()
	}
}

// watch kills the process if it uses more than most bytes of memory, and calls overran.
func (c *child) watch(limit int64, overran func()) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-c.done:
			return
		case <-tick.C:
			if residentMemory(c.pid) > limit {
				c.overrun.Store(true)
				overran()
				c.kill()
				return
			}
		}
	}
}

// kill kills the process and its children.
func (c *child) kill() {
	select {
	case <-c.done: // its pid may have been reused
	default:
		killGroup(c.pid)
	}
	_ = c.stdin.Close()
}

// acquire counts a new call. It returns false if the process is retired.
func (c *child) acquire() bool {
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

// release ends a call. After the last call it starts the idle timer.
func (c *child) release(idle time.Duration) {
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

// retire refuses new calls and kills the process after its running calls.
func (c *child) retire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retired = true
	if c.users == 0 {
		c.kill()
	}
}

// probe kills the process if it no longer responds, for example because of an endless loop.
func (c *child) probe() {
	if !c.probing.CompareAndSwap(false, true) {
		return
	}
	defer c.probing.Store(false)
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address.String(), nil)
	if err != nil {
		return
	}
	request.Header.Set(tokenHeader, c.token)
	request.Header.Set(probeHeader, "1")
	request.Close = true
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		c.log.warn("function does not respond and is killed")
		c.kill()
		return
	}
	_ = response.Body.Close()
}

// callError returns the error for a call that the process did not respond to.
func (c *child) callError(cause error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(cause, &tooLarge) {
		return cause
	}
	grace := time.NewTimer(time.Second) // the exit is noticed shortly after the connection is closed
	defer grace.Stop()
	select {
	case <-c.done:
		if c.overrun.Load() || c.log.ranOutOfMemory() {
			return workerLimit().WithCause(cause)
		}
	case <-grace.C:
	}
	return workerError().WithCause(fmt.Errorf("%s: %w", c.name, cause))
}

// lineWriter splits the output of a process into lines.
type lineWriter struct {
	take    func(line string)
	partial []byte
}

// maxLine bounds the buffer of an unfinished line, in bytes.
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

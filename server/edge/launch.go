package edge

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// launch starts a process for a function in the background. print is the fingerprint of the function's files.
func (r *Runtime) launch(p plan, print uint64) *child {
	c := &child{
		name: p.name, log: newLineLog(r.output, p.name, r.Now), token: rand.Text(), fingerprint: print,
		ready: make(chan struct{}), done: make(chan struct{}),
	}
	r.runs.Go(func() { r.run(c, p) })
	return c
}

// run runs a process from its start to its end.
func (r *Runtime) run(c *child, p plan) {
	defer close(c.done)
	if err := r.slots.take(r); err != nil {
		c.fail(err)
		return
	}
	defer r.slots.free()
	ports, ended := make(chan string, 1), make(chan struct{})
	cmd, err := r.command(c, p, ports)
	if c.dir != "" {
		defer func() { _ = os.RemoveAll(c.dir) }()
	}
	if err == nil {
		c.began = r.Now()
		err = start(c, cmd, ended)
	}
	if err != nil {
		c.fail(err)
		return
	}
	r.starts.Add(c.name, 1)
	if !r.register(c) || c.isStopped() {
		c.kill()
	}
	defer r.unregister(c)
	r.runs.Go(func() { r.boot(c, ports, ended) })
	r.watch(c, ended)
	<-c.ready
}

// boot waits until the process reports its port.
func (r *Runtime) boot(c *child, ports <-chan string, ended <-chan struct{}) {
	limit := time.NewTimer(bootTimeout)
	defer limit.Stop()
	select {
	case port := <-ports:
		c.address = &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", port)}
		c.serve = r.proxy(c.address, &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 50}, c.token)
		close(c.ready)
	case <-ended:
		c.fail(errors.New("process ended before it served"))
	case <-limit.C:
		c.kill()
		c.fail(fmt.Errorf("process did not serve within %s", bootTimeout))
	}
}

// fail records why the process did not start.
func (c *child) fail(cause error) {
	c.failure = cause
	close(c.ready)
}

// start starts a command and closes ended when it has ended.
func start(c *child, cmd *exec.Cmd, ended chan<- struct{}) error {
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	started := make(chan error)
	go func() {
		// Pdeathsig is sent when the parent thread ends, so this goroutine keeps its thread. The runtime
		// terminates a thread whose goroutine ends while locked to it.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // the log shows why it ended
			close(ended)
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	c.pid = cmd.Process.Pid
	c.mu.Lock()
	c.stdin = stdin
	c.mu.Unlock()
	return nil
}

// command returns the command that runs a function. Its port is sent to ports.
func (r *Runtime) command(c *child, p plan, ports chan<- string) (*exec.Cmd, error) {
	var err error
	if c.dir, err = os.MkdirTemp(r.runDir(), p.name+"-"); err != nil {
		return nil, err
	}
	if err := os.Mkdir(c.tempDir(), 0o700); err != nil {
		return nil, err
	}
	args, readable, err := r.arguments(c, p)
	if err != nil {
		return nil, err
	}
	env, err := r.environment()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(r.deno, args...)
	cmd.Dir = filepath.Dir(p.entry)
	cmd.SysProcAttr = procAttributes()
	if cmd.Env, err = r.childEnvironment(c, p, env, readable); err != nil {
		return nil, err
	}
	cmd.Stdout = &lineWriter{take: func(line string) { c.takeLine(line, ports) }}
	cmd.Stderr = &lineWriter{take: func(line string) { c.log.line("stderr", line) }}
	return cmd, nil
}

// tempDir returns the folder of the function's temporary files.
func (c *child) tempDir() string { return filepath.Join(c.dir, "tmp") }

// takeLine reads a line of the process's output: a message of main.js, or output of the function.
func (c *child) takeLine(line string, ports chan<- string) {
	output, message, isMessage := strings.Cut(line, c.token+" ")
	if output != "" { // the function's last line may have no end
		c.log.line("stdout", output)
	}
	if !isMessage {
		return
	}
	switch kind, value, _ := strings.Cut(message, " "); kind {
	case "port":
		select {
		case ports <- value:
		default:
		}
	case "busy":
		c.busy.Store(value == "true")
	case "log":
		var entry struct{ Level, Text string }
		if json.Unmarshal([]byte(value), &entry) == nil {
			c.log.entry(entry.Level, entry.Text)
		}
	}
}

// arguments returns deno's arguments, and the paths that the function may read. It may use the network,
// its environment, and a folder for temporary files, but no other files, no subprocesses and no native
// code.
func (r *Runtime) arguments(c *child, p plan) (args, readable []string, err error) {
	files, err := p.writeFiles(c.dir)
	if err != nil {
		return nil, nil, err
	}
	readable = append([]string{r.functionsDir(), filepath.Dir(p.entry), r.cacheDir(), c.tempDir()}, p.readable...)
	args = append([]string{
		"run", "--quiet", "--no-prompt", "--unstable-no-legacy-abort", "--allow-net", "--allow-env", "--allow-sys", "--allow-import",
		"--v8-flags=--max-old-space-size=" + strconv.Itoa(r.cfg.Memory), "--allow-write=" + c.tempDir(), "--allow-read=" + pathList(readable),
	}, files...)
	return append(args, r.mainPath()), readable, nil
}

// pathList joins paths as deno's permission flags expect them.
func pathList(paths []string) string {
	escaped := make([]string, len(paths))
	for i, path := range paths {
		escaped[i] = strings.ReplaceAll(path, ",", ",,")
	}
	return strings.Join(escaped, ",")
}

// region is the value of SB_REGION: there is only one.
const region = "local"

// childEnvironment returns the environment of the process. env has the function's variables; of this
// server's environment only inheritedVariables are added.
func (r *Runtime) childEnvironment(c *child, p plan, env map[string]string, readable []string) ([]string, error) {
	own := []string{
		"DENO_DIR=" + r.cacheDir(), "TMPDIR=" + c.tempDir(), "DENO_NO_UPDATE_CHECK=1", "DENO_NO_PACKAGE_JSON=1", "NO_COLOR=1",
		"SB_REGION=" + region, "SB_EXECUTION_ID=" + uuid.NewString(), fmt.Sprintf("DENO_DEPLOYMENT_ID=%s_%s_%x", region, p.name, c.fingerprint),
	}
	hidden := []string{"DENO_DIR", "DENO_NO_UPDATE_CHECK", "DENO_NO_PACKAGE_JSON", "NO_COLOR", "PATH", "DENO_NODE_SHIM_ACTIVE"} // the last two deno sets itself
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
	entry := url.URL{Scheme: "file", Path: filepath.ToSlash(p.entry)}
	text, err := json.Marshal(map[string]any{
		"token": c.token, "entry": entry.String(), "hidden": hidden, "readable": readable, "project": r.projectDir(),
	})
	return append(own, "PLAZA_EDGE="+string(text)), err
}

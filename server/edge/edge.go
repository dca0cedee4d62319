// Package edge runs the functions of a project's folder, functions/*/index.ts, compatible with
// Supabase's edge runtime. Each function runs in a child process of deno, which is started at its
// first call. Alternatively, calls are forwarded to an external runtime.
//
// A process per function isolates crashes, endless loops and leaks, gives each function its own
// import map, and allows limiting its memory, CPU time and temporary files. A process takes about 20 MB
// in addition to what all of them share. It is stopped after it was idle for a while, or when
// another function needs to start and the maximum number of processes is running.
package edge

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"plaza/server/apierr"
	"plaza/server/invoke"
	"plaza/server/lazyregexp"
	"plaza/server/tally"
)

// Config has the operator's settings.
type Config struct {
	Upstream  string        `env:"UPSTREAM"`                             // URL of an external runtime; empty: deno runs here
	VerifyJWT bool          `env:"VERIFY_JWT" envDefault:"true"`         // default for functions that are not in config.toml
	Deno      string        `env:"DENO"`                                 // path of the program; empty: it is searched
	Timeout   time.Duration `env:"TIMEOUT" envDefault:"150s"`            // until the response begins
	WallClock time.Duration `env:"WALL_CLOCK" envDefault:"400s"`         // until the response is complete
	Memory    int           `env:"MEMORY_MB" envDefault:"256"`           // per function
	MaxBody   int64         `env:"MAX_BODY_BYTES" envDefault:"20971520"` // of a request
	Idle      time.Duration `env:"IDLE" envDefault:"5m"`                 // after which an unused function is stopped
	CPU       time.Duration `env:"CPU" envDefault:"2s"`                  // CPU time of a call; 0: no limit
	Temporary int           `env:"TMP_MB" envDefault:"256"`              // temporary files per function
	Processes int           `env:"PROCESSES" envDefault:"20"`            // functions running at one time
}

// Check validates the configuration.
func (c Config) Check() error {
	var errs []error
	if c.Upstream != "" {
		if address, err := url.Parse(c.Upstream); err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
			errs = append(errs, fmt.Errorf("FUNCTIONS_UPSTREAM is %q: use an address such as http://127.0.0.1:9000", c.Upstream))
		}
	}
	if c.Timeout <= 0 || c.WallClock <= 0 || c.Idle <= 0 || c.MaxBody <= 0 || c.Temporary <= 0 || c.Processes <= 0 || c.CPU < 0 || c.Memory < 32 {
		errs = append(errs, errors.New("FUNCTIONS_TIMEOUT, _WALL_CLOCK, _IDLE, _MAX_BODY_BYTES, _TMP_MB and _PROCESSES must be more than 0, FUNCTIONS_CPU at least 0, and FUNCTIONS_MEMORY_MB at least 32"))
	}
	return errors.Join(errs...)
}

// Folder is a project's folder of functions, with their settings in config.toml.
type Folder struct {
	Root     string // absolute; contains functions/. Empty: no functions
	Declared map[string]Declared
	Secrets  map[string]string // for the functions' environment
	Disabled bool
}

// Declared is a section [functions.NAME]. Paths are relative to Root.
type Declared struct {
	Enabled    *bool  `toml:"enabled"`
	VerifyJWT  *bool  `toml:"verify_jwt"`
	Entrypoint string `toml:"entrypoint"`
	ImportMap  string `toml:"import_map"`
	// StaticFiles are patterns of files that the function may read.
	StaticFiles []string `toml:"static_files"`
}

// Deps are the dependencies of a Runtime.
type Deps struct {
	Env            func() map[string]string // SUPABASE_URL and so on; called at each start of a function
	DataDir        string                   // for the runtime's files and deno's cache
	Prefix         string                   // URL prefix of functions, such as /functions/v1
	TrustedProxies []netip.Prefix
	Development    bool // check for changed files at each call
	Log            *slog.Logger
	Now            func() time.Time
}

// Runtime finds and runs functions.
type Runtime struct {
	Deps
	cfg      Config
	folder   Folder
	upstream http.Handler // proxy to the external runtime; nil: none
	output   *slog.Logger // for what functions write

	mu      sync.Mutex
	deno    string // path of deno; empty until it is found
	workers map[string]*worker
	live    map[*child]bool // started processes that have not ended
	closed  bool

	slots *slots
	runs  sync.WaitGroup // of processes

	starts, overruns tally.Of[string] // by function
}

// Stats are the statistics of one function's processes.
type Stats struct {
	Running  bool
	Resident int64  // memory, in bytes; 0: unknown
	Starts   uint64 // since the server started
	Overruns uint64 // processes killed because they exceeded a limit
}

// Stats returns the statistics of all functions that were called, by name.
func (r *Runtime) Stats() map[string]Stats {
	starts, overruns := r.starts.All(), r.overruns.All()
	r.mu.Lock()
	workers := maps.Clone(r.workers)
	r.mu.Unlock()
	all := make(map[string]Stats, len(workers))
	for name, w := range workers {
		stats := Stats{Starts: starts[name], Overruns: overruns[name]}
		if c := w.current(); c != nil {
			stats.Running, stats.Resident = true, residentMemory(c.pid)
		}
		all[name] = stats
	}
	return all
}

// New returns a Runtime. No process is started before a call.
func New(cfg Config, folder Folder, deps Deps) (*Runtime, error) {
	dir, err := filepath.Abs(deps.DataDir)
	if err != nil {
		return nil, err
	}
	deps.DataDir = filepath.Join(dir, "functions")
	r := &Runtime{Deps: deps, cfg: cfg, folder: folder, output: deps.Log, workers: make(map[string]*worker), live: make(map[*child]bool), slots: newSlots(cfg.Processes)}
	if deps.Development { // console.log is seen whatever the level of the server's log is
		r.output = slog.New(everyLevel{deps.Log.Handler()})
	}
	if cfg.Upstream != "" {
		address, err := url.Parse(cfg.Upstream)
		if err != nil {
			return nil, err
		}
		r.upstream = r.proxy(address, http.DefaultTransport, "")
	}
	return r, nil
}

// CheckDeno returns an error if deno, which the folder's functions need, is not found. It returns nil if
// there are no functions, or if an external runtime runs them.
func (r *Runtime) CheckDeno() error {
	if r.upstream != nil || r.folder.Disabled || r.folder.Root == "" {
		return nil
	}
	entries, err := os.ReadDir(r.functionsDir())
	if err != nil {
		return nil // without the folder there are none
	}
	for _, entry := range entries {
		if _, isFunction := r.Find(entry.Name()); isFunction {
			_, err := findDeno(r.cfg.Deno, r.folder.Root)
			return err
		}
	}
	return nil
}

// slug is the pattern of a function's name. Source: the Supabase CLI.
var slug = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]*$`)

// Find returns the function with a name: one that exists in the folder and is not disabled in
// config.toml, or any function if there is an external runtime.
func (r *Runtime) Find(name string) (invoke.Function, bool) {
	declared := r.folder.Declared[name]
	if !slug().MatchString(name) || r.folder.Disabled || declared.Enabled != nil && !*declared.Enabled {
		return invoke.Function{}, false
	}
	f := invoke.Function{HandlesCORS: true, Limits: invoke.Limits{HeaderTimeout: r.cfg.Timeout, TotalTimeout: r.cfg.WallClock, MaxRequestBytes: r.cfg.MaxBody}}
	if verify := declared.VerifyJWT; verify != nil && !*verify || verify == nil && !r.cfg.VerifyJWT {
		f.Access = invoke.Unchecked
	}
	if r.upstream != nil {
		f.Serve, f.Wildcard = r.serveUpstream, true
		return f, true
	}
	s, ok := r.spec(name, declared)
	if !ok {
		return invoke.Function{}, false
	}
	f.Serve = func(w http.ResponseWriter, request *http.Request) error {
		worker, err := r.worker(s)
		if err != nil {
			return err
		}
		return worker.serve(w, request)
	}
	return f, true
}

// serveUpstream forwards a call to the external runtime.
//
// Errors: 503 functions_unreachable.
func (r *Runtime) serveUpstream(w http.ResponseWriter, request *http.Request) error {
	err := forward(r.upstream, w, request)
	var tooLarge *http.MaxBytesError
	if err == nil || errors.As(err, &tooLarge) || request.Context().Err() != nil {
		return err
	}
	return invoke.NewRelayError(http.StatusServiceUnavailable, "functions_unreachable", "The runtime of functions cannot be reached").WithCause(err)
}

// worker returns the worker of a function and creates it if necessary.
//
// Errors: 503 functions_runtime_missing; 503 shutting_down.
func (r *Runtime) worker(s spec) (*worker, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, invoke.NewRelayError(http.StatusServiceUnavailable, "shutting_down", "The server is stopping")
	}
	if r.deno == "" {
		found, err := r.prepare()
		if err != nil {
			return nil, err
		}
		r.deno = found
	}
	found := r.workers[s.name]
	if found == nil {
		found = &worker{runtime: r, spec: s}
		r.workers[s.name] = found
	}
	return found, nil
}

// shutdownTimeout is how long functions may take to end when the server stops.
const shutdownTimeout = 2 * time.Second

// Close stops all functions.
func (r *Runtime) Close() {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	r.closed = true
	close(r.slots.closing)
	workers := r.workers
	r.mu.Unlock()
	for _, w := range workers {
		w.close()
	}
	for _, c := range r.running() {
		c.terminate(shutdownTimeout)
	}
	r.runs.Wait()
}

// register adds a started process to live. It returns false if the runtime is closed.
func (r *Runtime) register(c *child) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live[c] = true
	return !r.closed
}

func (r *Runtime) unregister(c *child) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.live, c)
}

// running returns the processes that have started and not ended.
func (r *Runtime) running() []*child {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Keys(r.live))
}

// Errors with the codes and messages of upstream, which clients know. Source: the Supabase CLI.
func bootError() *apierr.Error {
	return invoke.NewRelayError(http.StatusServiceUnavailable, "BOOT_ERROR", "Worker failed to boot (please check logs)")
}

func workerError() *apierr.Error {
	return apierr.New(http.StatusInternalServerError, "WORKER_ERROR", "Function exited due to an error (please check logs)")
}

// statusWorkerLimit is upstream's status for a function that exceeded a resource limit.
const statusWorkerLimit = 546

func workerLimit() *apierr.Error {
	return apierr.New(statusWorkerLimit, "WORKER_LIMIT", "Worker failed to respond due to a resource limit (please check logs)")
}

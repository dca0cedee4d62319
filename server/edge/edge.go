// Package edge runs the functions of a project's folder, functions/*/index.ts,
// as Supabase's edge runtime does: each in a child process of deno, started at
// its first call; or it hands calls to a runtime elsewhere.
//
// One process for each function, and not one for all, keeps a crash, a loop or a
// leak in one function away from the others, gives each its own import map, and
// lets memory be measured and limited by function. A process costs about 60 MB
// while it runs and is ended when it was idle for a while.
package edge

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"plaza/server/apierr"
	"plaza/server/invoke"
	"plaza/server/tally"
)

// Config is what an operator can set.
type Config struct {
	Upstream  string        `env:"UPSTREAM"`                             // address of a runtime elsewhere; empty: deno runs here
	VerifyJWT bool          `env:"VERIFY_JWT" envDefault:"true"`         // of functions that config.toml does not name
	Deno      string        `env:"DENO"`                                 // path of the program; empty: looked for
	Timeout   time.Duration `env:"TIMEOUT" envDefault:"150s"`            // until an answer begins
	WallClock time.Duration `env:"WALL_CLOCK" envDefault:"400s"`         // until it is complete
	Memory    int           `env:"MEMORY_MB" envDefault:"256"`           // of one function
	MaxBody   int64         `env:"MAX_BODY_BYTES" envDefault:"20971520"` // of a request
	Idle      time.Duration `env:"IDLE" envDefault:"5m"`                 // a function that nobody calls is ended after
}

// Check tells what of a configuration cannot be.
func (c Config) Check() error {
	var wrong []error
	if c.Upstream != "" {
		if address, err := url.Parse(c.Upstream); err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
			wrong = append(wrong, fmt.Errorf("FUNCTIONS_UPSTREAM is %q: use an address such as http://127.0.0.1:9000", c.Upstream))
		}
	}
	if c.Timeout <= 0 || c.WallClock <= 0 || c.Idle <= 0 || c.MaxBody <= 0 || c.Memory < 32 {
		wrong = append(wrong, errors.New("FUNCTIONS_TIMEOUT, _WALL_CLOCK, _IDLE and _MAX_BODY_BYTES must be more than 0, and FUNCTIONS_MEMORY_MB at least 32"))
	}
	return errors.Join(wrong...)
}

// Folder is where a project keeps its functions, and what its config.toml says
// of them.
type Folder struct {
	Root     string // absolute; holds functions/. Empty: there are none
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
}

// Deps are what functions and their runtime need of the server.
type Deps struct {
	Env            func() map[string]string // SUPABASE_URL and so on, asked for at each start
	DataDir        string                   // for the runtime's files and deno's cache
	Prefix         string                   // where functions are called, such as /functions/v1
	TrustedProxies []netip.Prefix
	Development    bool // changes of files are looked for at each call
	Log            *slog.Logger
	Now            func() time.Time
}

// Runtime finds and runs functions.
type Runtime struct {
	Deps
	cfg       Config
	folder    Folder
	elsewhere http.Handler // nil without an upstream

	mu      sync.Mutex
	deno    string // once it is found
	workers map[string]*worker
	closed  bool

	starts, overruns tally.Of[string] // by function
}

// Stats is about the processes of one function.
type Stats struct {
	Running  bool
	Resident int64  // memory, in bytes; 0 where it is not known
	Starts   uint64 // since the server started
	Overruns uint64 // … of them ended for too much memory
}

// Stats tells of functions that were called, by their names.
func (r *Runtime) Stats() map[string]Stats {
	starts, overruns := r.starts.All(), r.overruns.All()
	r.mu.Lock()
	workers := maps.Clone(r.workers)
	r.mu.Unlock()
	all := make(map[string]Stats, len(workers))
	for name, w := range workers {
		stats := Stats{Starts: starts[name], Overruns: overruns[name]}
		if c := w.current(); c != nil {
			stats.Running, stats.Resident = true, resident(c.pid)
		}
		all[name] = stats
	}
	return all
}

// New makes a runtime. Nothing is started before a call.
func New(cfg Config, folder Folder, deps Deps) (*Runtime, error) {
	dir, err := filepath.Abs(deps.DataDir)
	if err != nil {
		return nil, err
	}
	deps.DataDir = filepath.Join(dir, "functions")
	r := &Runtime{Deps: deps, cfg: cfg, folder: folder, workers: make(map[string]*worker)}
	if cfg.Upstream != "" {
		address, err := url.Parse(cfg.Upstream)
		if err != nil {
			return nil, err
		}
		r.elsewhere = r.proxy(address, http.DefaultTransport, "")
	}
	return r, nil
}

// slug is the form of a function's name. Source: the Supabase CLI.
var slug = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// Find returns the function of a name: one that the folder holds and config.toml
// does not disable or, with an upstream, any.
func (r *Runtime) Find(name string) (invoke.Function, bool) {
	declared := r.folder.Declared[name]
	if !slug.MatchString(name) || r.folder.Disabled || declared.Enabled != nil && !*declared.Enabled {
		return invoke.Function{}, false
	}
	f := invoke.Function{OwnCORS: true, Limits: invoke.Limits{Begin: r.cfg.Timeout, End: r.cfg.WallClock, Body: r.cfg.MaxBody}}
	if verify := declared.VerifyJWT; verify != nil && !*verify || verify == nil && !r.cfg.VerifyJWT {
		f.Access = invoke.Unchecked
	}
	if r.elsewhere != nil {
		f.Serve, f.AnyName = r.serveElsewhere, true
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

// serveElsewhere hands a call to the runtime elsewhere.
//
// Errors: 503 functions_unreachable.
func (r *Runtime) serveElsewhere(w http.ResponseWriter, request *http.Request) error {
	err := forward(r.elsewhere, w, request)
	var tooLarge *http.MaxBytesError
	if err == nil || errors.As(err, &tooLarge) || request.Context().Err() != nil {
		return err
	}
	return invoke.Relay(http.StatusServiceUnavailable, "functions_unreachable", "The runtime of functions cannot be reached").WithCause(err)
}

// worker returns the one that runs a function.
//
// Errors: 503 functions_runtime_missing.
func (r *Runtime) worker(s spec) (*worker, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, invoke.Relay(http.StatusServiceUnavailable, "shutting_down", "The server is stopping")
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

// Close ends all functions.
func (r *Runtime) Close() {
	r.mu.Lock()
	r.closed = true
	workers := r.workers
	r.mu.Unlock()
	for _, w := range workers {
		w.close()
	}
}

// Failures that clients of edge functions know. Source: the Supabase CLI.
func bootError() *apierr.Error {
	return invoke.Relay(http.StatusServiceUnavailable, "BOOT_ERROR", "Worker failed to boot (please check logs)")
}

func workerError() *apierr.Error {
	return apierr.New(http.StatusInternalServerError, "WORKER_ERROR", "Function exited due to an error (please check logs)")
}

// statusWorkerLimit is upstream's status for a function that took too much.
const statusWorkerLimit = 546

func workerLimit() *apierr.Error {
	return apierr.New(statusWorkerLimit, "WORKER_LIMIT", "Worker failed to respond due to a resource limit (please check logs)")
}

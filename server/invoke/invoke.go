// Package invoke serves calls of named functions, /functions/v1/{name}. It authenticates callers,
// enforces limits of time and size, logs calls, and renders errors.
package invoke

import (
	"cmp"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/tracing"
)

// Access is the authentication that a function requires.
type Access int

// The kinds of access.
const (
	Required  Access = iota // a valid token or API key
	Optional                // without either, the caller is anon; an invalid token is refused
	Unchecked               // not checked: the function authenticates callers itself
)

// Limits are the limits of one call. Zero means the default.
type Limits struct {
	HeaderTimeout    time.Duration // until the response begins
	TotalTimeout     time.Duration // until the response is complete
	MaxRequestBytes  int64         // of the body
	MaxResponseBytes int64         // of the body
	MaxConcurrent    int           // concurrent calls of the function
}

// defaults are the default limits. The times are those of Supabase's hosted functions.
var defaults = Limits{
	HeaderTimeout: 150 * time.Second, TotalTimeout: 400 * time.Second, MaxRequestBytes: 6 << 20, MaxResponseBytes: 100 << 20, MaxConcurrent: 200,
}

func (l Limits) withDefaults() Limits {
	return Limits{
		HeaderTimeout:    cmp.Or(l.HeaderTimeout, defaults.HeaderTimeout),
		TotalTimeout:     cmp.Or(l.TotalTimeout, defaults.TotalTimeout),
		MaxRequestBytes:  cmp.Or(l.MaxRequestBytes, defaults.MaxRequestBytes),
		MaxResponseBytes: cmp.Or(l.MaxResponseBytes, defaults.MaxResponseBytes),
		MaxConcurrent:    cmp.Or(l.MaxConcurrent, defaults.MaxConcurrent),
	}
}

// Function is a function that can be called.
type Function struct {
	Access      Access
	HandlesCORS bool // it handles preflights and CORS headers itself
	Limits      Limits
	Wildcard    bool          // its names are unbounded, so its calls are counted as one function
	Serve       httpx.Handler // gets {name} and {rest...} as path values, the caller in the context
}

// Find returns the function with a name. ok is false if there is none.
type Find func(name string) (f Function, ok bool)

// Gate serves calls of functions.
type Gate struct {
	auth *claims.Authenticator
	log  *slog.Logger
	now  func() time.Time
	find []Find

	calls *Calls // nil: calls are not counted

	mu      sync.Mutex
	running map[string]int // calls by name
}

// New returns a Gate. The first find that knows a name is used.
func New(auth *claims.Authenticator, log *slog.Logger, now func() time.Time, find ...Find) *Gate {
	return &Gate{auth: auth, log: log, now: now, find: find, running: make(map[string]int)}
}

// Counted makes the gate count calls in calls, and returns the gate.
func (g *Gate) Counted(calls *Calls) *Gate {
	g.calls = calls
	return g
}

// RelayHeader marks a response that does not come from a function. functions-js then throws a
// FunctionsRelayError instead of a FunctionsHttpError.
const RelayHeader = "X-Relay-Error"

// NewRelayError returns an error that does not come from a function.
func NewRelayError(status int, code, format string, args ...any) *apierr.Error {
	err := apierr.New(status, code, format, args...)
	err.Headers = map[string]string{RelayHeader: "true"}
	return err
}

var adapter = httpx.Adapter{
	Render: func(w http.ResponseWriter, _ *http.Request, e *apierr.Error) {
		for name, value := range e.Headers {
			w.Header().Set(name, value)
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		_ = httpx.WriteJSON(w, e.Status, map[string]string{"code": e.Code, "message": e.Message})
	},
	Internal: apierr.New(http.StatusInternalServerError, "function_failed", "The function failed. The details are in the server's log."),
}

// Error codes that are counted separately.
const (
	codeBusy    = "function_busy"
	codeTimeout = "function_timeout"
)

// exposed are the headers that pages of other origins may read.
var exposed = []string{"X-Request-Id", RelayHeader}

// Routes serves functions under a prefix such as "/functions/v1".
func (g *Gate) Routes(prefix string) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc(prefix+"/{name}", g.serve)
	routes.HandleFunc(prefix+"/{name}/{rest...}", g.serve)
	routes.Handle("/", httpx.CORS(exposed, adapter.Handle(func(http.ResponseWriter, *http.Request) error { return notFound() })))
	return routes
}

func notFound() error {
	return NewRelayError(http.StatusNotFound, "function_not_found", "Requested function was not found")
}

func (g *Gate) lookup(name string) (Function, bool) {
	for _, find := range g.find {
		if f, ok := find(name); ok {
			f.Limits = f.Limits.withDefaults()
			return f, true
		}
	}
	return Function{}, false
}

func (g *Gate) serve(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	f, known := g.lookup(name)
	if !known {
		httpx.CORS(exposed, adapter.Handle(func(http.ResponseWriter, *http.Request) error { return notFound() })).ServeHTTP(w, r)
		return
	}
	inv := &invocation{name: name, countedName: name, began: g.now()}
	if f.Wildcard {
		inv.countedName = anyName
	}
	g.calls.begin(inv)
	defer g.report(r, inv)
	watched := &statusWriter{ResponseWriter: w, note: inv}
	handler := adapter.Handle(func(w http.ResponseWriter, r *http.Request) error {
		err := g.call(w, r, name, f, inv)
		inv.fail(err)
		return err
	})
	if !f.HandlesCORS {
		handler = httpx.CORS(exposed, handler)
	}
	handler.ServeHTTP(watched, r)
}

// call authenticates the caller, checks the function's limits, and runs it.
func (g *Gate) call(w http.ResponseWriter, r *http.Request, name string, f Function, inv *invocation) error {
	who, err := g.authenticate(r, f)
	if err != nil {
		return err
	}
	inv.role = who.Role
	leave, ok := g.acquire(name, f.Limits.MaxConcurrent)
	if !ok {
		busy := NewRelayError(http.StatusServiceUnavailable, codeBusy, "The function is running as often as it may at one time. Try again.")
		busy.Headers["Retry-After"] = "1"
		return busy
	}
	if r.ContentLength > f.Limits.MaxRequestBytes {
		leave()
		return NewRelayError(http.StatusRequestEntityTooLarge, "request_entity_too_large", "Request body is larger than the %d bytes allowed", f.Limits.MaxRequestBytes)
	}
	r.Body = http.MaxBytesReader(w, r.Body, f.Limits.MaxRequestBytes)
	ctx, span := tracing.Start(r.Context(), "function")
	span.Text("faas.name", inv.countedName)
	err = run(w, httpx.SetCaller(r.WithContext(ctx), who), f, leave)
	span.End(err)
	return err
}

// authenticate returns the caller of a request. A preflight carries no token, so it is not checked if the
// function handles preflights itself.
func (g *Gate) authenticate(r *http.Request, f Function) (claims.Caller, error) {
	anonymous := claims.ForRole(claims.Anon)
	if f.Access == Unchecked || f.HandlesCORS && r.Method == http.MethodOptions {
		return anonymous, nil
	}
	who, ok, err := g.auth.Bearer(r)
	if err != nil {
		return who, refusedToken(err)
	}
	if ok && who.ReadOnly { // a function could write
		return who, NewRelayError(http.StatusForbidden, "insufficient_scope", "The OAuth client's token lacks the scope %q", claims.WriteScope)
	}
	if ok {
		return who, nil
	}
	if who, err = g.auth.Key(r); err == nil {
		return who, nil
	}
	if f.Access == Optional {
		return anonymous, nil
	}
	return who, NewRelayError(http.StatusUnauthorized, "missing_authorization", "Missing authorization header").WithCause(err)
}

// refusedToken returns the error for a refused token.
func refusedToken(err error) error {
	switch {
	case errors.Is(err, claims.ErrSessionEnded):
		return NewRelayError(http.StatusUnauthorized, "session_not_found", "Session of the token has ended").WithCause(err)
	case errors.Is(err, claims.ErrUserBanned):
		return NewRelayError(http.StatusUnauthorized, "user_banned", "User is banned").WithCause(err)
	}
	return NewRelayError(http.StatusUnauthorized, "invalid_jwt", "Invalid JWT").WithCause(err)
}

// acquire counts a new call of a function. leave ends the call; it must be called once.
func (g *Gate) acquire(name string, limit int) (leave func(), ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running[name] >= limit {
		return nil, false
	}
	g.running[name]++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.running[name]--; g.running[name] == 0 {
			delete(g.running, name)
		}
	}, true
}

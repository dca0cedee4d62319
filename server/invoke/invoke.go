// Package invoke is the gate before named functions, /functions/v1/{name}: who
// may call, how long a call may take, how much it may read and write, what the
// log says of it, and what clients are told where no function answered.
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

// Access says what a caller has to bring.
type Access int

// The kinds of access.
const (
	Required  Access = iota // a valid token or API key
	Optional                // without either the caller is anon; a broken one is refused
	Unchecked               // whatever it is: the function looks itself
)

// Limits bound one call. A field that is zero has its default.
type Limits struct {
	Begin  time.Duration // until the answer begins
	End    time.Duration // until it is complete
	Body   int64         // bytes of the request
	Answer int64         // bytes of the answer
	AtOnce int           // calls of the function at one time
}

// defaults are the limits of functions that name none. Times are those of
// Supabase's hosted functions.
var defaults = Limits{Begin: 150 * time.Second, End: 400 * time.Second, Body: 6 << 20, Answer: 100 << 20, AtOnce: 200}

func (l Limits) orDefaults() Limits {
	return Limits{
		Begin: cmp.Or(l.Begin, defaults.Begin), End: cmp.Or(l.End, defaults.End), Body: cmp.Or(l.Body, defaults.Body),
		Answer: cmp.Or(l.Answer, defaults.Answer), AtOnce: cmp.Or(l.AtOnce, defaults.AtOnce),
	}
}

// Function is what answers a name.
type Function struct {
	Access  Access
	OwnCORS bool // it answers preflights itself, and says who may read its answers
	Limits  Limits
	AnyName bool          // it answers names that nobody has listed, which are counted as one
	Serve   httpx.Handler // sees {name} and {rest...} as path values, the caller in the context
}

// Find gives the function of a name; ok is false where there is none.
type Find func(name string) (f Function, ok bool)

// Gate lets calls through to functions.
type Gate struct {
	auth *claims.Authenticator
	log  *slog.Logger
	now  func() time.Time
	find []Find

	calls *Calls // nil: nobody counts

	mu      sync.Mutex
	running map[string]int // calls by name
}

// New makes a gate. Where several know a name, the first one has it.
func New(auth *claims.Authenticator, log *slog.Logger, now func() time.Time, find ...Find) *Gate {
	return &Gate{auth: auth, log: log, now: now, find: find, running: make(map[string]int)}
}

// Counted has calls counted, and gives the gate.
func (g *Gate) Counted(calls *Calls) *Gate {
	g.calls = calls
	return g
}

// RelayHeader marks an answer that no function gave; functions-js then makes a
// FunctionsRelayError of it instead of a FunctionsHttpError.
const RelayHeader = "X-Relay-Error"

// Relay makes an error of what stands between client and function.
func Relay(status int, code, format string, args ...any) *apierr.Error {
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

// Codes of failures that are counted apart.
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
	return Relay(http.StatusNotFound, "function_not_found", "Requested function was not found")
}

func (g *Gate) lookup(name string) (Function, bool) {
	for _, find := range g.find {
		if f, ok := find(name); ok {
			f.Limits = f.Limits.orDefaults()
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
	note := &invocation{name: name, counted: name, began: g.now()}
	if f.AnyName {
		note.counted = anyName
	}
	g.calls.begin(note)
	defer g.report(r, note)
	watched := &statusWriter{ResponseWriter: w, note: note}
	handler := adapter.Handle(func(w http.ResponseWriter, r *http.Request) error {
		err := g.call(w, r, name, f, note)
		note.fail(err)
		return err
	})
	if !f.OwnCORS {
		handler = httpx.CORS(exposed, handler)
	}
	handler.ServeHTTP(watched, r)
}

// call admits the caller and runs the function.
func (g *Gate) call(w http.ResponseWriter, r *http.Request, name string, f Function, note *invocation) error {
	who, err := g.admit(r, f)
	if err != nil {
		return err
	}
	note.role = who.Role
	leave, ok := g.enter(name, f.Limits.AtOnce)
	if !ok {
		busy := Relay(http.StatusServiceUnavailable, codeBusy, "The function is running as often as it may at one time. Try again.")
		busy.Headers["Retry-After"] = "1"
		return busy
	}
	if r.ContentLength > f.Limits.Body {
		leave()
		return Relay(http.StatusRequestEntityTooLarge, "request_entity_too_large", "Request body is larger than the %d bytes allowed", f.Limits.Body)
	}
	r.Body = http.MaxBytesReader(w, r.Body, f.Limits.Body)
	ctx, span := tracing.Start(r.Context(), "function")
	span.Text("faas.name", note.counted)
	err = run(w, httpx.SetCaller(r.WithContext(ctx), who), f, leave)
	span.End(err)
	return err
}

// admit tells who calls. A preflight carries no token; a function that answers
// those itself is asked without one.
func (g *Gate) admit(r *http.Request, f Function) (claims.Caller, error) {
	anonymous := claims.ForRole(claims.Anon)
	if f.Access == Unchecked || f.OwnCORS && r.Method == http.MethodOptions {
		return anonymous, nil
	}
	who, ok, err := g.auth.Bearer(r)
	if err != nil {
		return who, refusedToken(err)
	}
	if ok && who.ReadOnly { // a function may do anything
		return who, Relay(http.StatusForbidden, "insufficient_scope", "The OAuth client's token lacks the scope %q", claims.WriteScope)
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
	return who, Relay(http.StatusUnauthorized, "missing_authorization", "Missing authorization header").WithCause(err)
}

// refusedToken is the answer to a token that is not accepted.
func refusedToken(err error) error {
	switch {
	case errors.Is(err, claims.ErrSessionEnded):
		return Relay(http.StatusUnauthorized, "session_not_found", "Session of the token has ended").WithCause(err)
	case errors.Is(err, claims.ErrUserBanned):
		return Relay(http.StatusUnauthorized, "user_banned", "User is banned").WithCause(err)
	}
	return Relay(http.StatusUnauthorized, "invalid_jwt", "Invalid JWT").WithCause(err)
}

// enter counts a call in; leave counts it out, once.
func (g *Gate) enter(name string, most int) (leave func(), ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running[name] >= most {
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

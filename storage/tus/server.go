// Package tus implements the TUS 1.0.0 protocol for resumable uploads to the storage
// service, with the extensions creation, creation-with-upload, termination and expiration.
package tus

import (
	"net/http"
	"strings"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

// Path is the path of the protocol below the storage API's prefix.
const Path = "/upload/resumable"

// Config configures the URLs of uploads.
type Config struct {
	// PublicURL is the server's public URL, including a path prefix that a proxy
	// removes. If it is empty, the request's headers determine the URL.
	PublicURL string

	// ForwardedPrefix means that X-Forwarded-Prefix holds the path prefix that a proxy has
	// removed.
	ForwardedPrefix bool
}

// Server serves the protocol.
type Server struct {
	cfg    Config
	core   *core.Service
	caller func(*http.Request) (claims.Caller, error)
	prefix string
}

// New returns a Server for a service. caller determines the caller of a request.
func New(cfg Config, service *core.Service, caller func(*http.Request) (claims.Caller, error)) *Server {
	return &Server{cfg: cfg, core: service, caller: caller}
}

// request holds the parts of a request that are common to all operations.
type request struct {
	core.Call
	id     string // from the path
	signed bool   // authenticated by a signature instead of a token
}

// operation is one operation of the protocol.
type operation struct {
	name   string // name of the operation for policies
	handle func(*Server, http.ResponseWriter, *http.Request, *request) error
}

var operations = map[string]operation{
	http.MethodPost:   {"storage.tus.upload.create", (*Server).create},
	http.MethodPatch:  {"storage.tus.upload.part", (*Server).patch},
	http.MethodHead:   {"storage.tus.upload.get", (*Server).head},
	http.MethodDelete: {"storage.tus.upload.delete", (*Server).terminate},
}

// signedSuffix is appended to the names of operations that are authenticated by a signature.
const signedSuffix = "_signed"

// Routes returns the handler of the protocol under a prefix such as "/storage/v1". refused
// renders the errors of caller.
func (s *Server) Routes(prefix string, refused httpx.Adapter) http.Handler {
	s.prefix = prefix
	created, named := prefix+Path, prefix+Path+"/{id}"
	protocol := httpx.Adapter{Render: renderError, Internal: errInternal}.Handle(s.serve)
	authenticated := refused.Handle(func(w http.ResponseWriter, r *http.Request) error {
		if _, signed := s.split(r); !signed {
			who, err := s.caller(r)
			if err != nil {
				return err
			}
			r = httpx.SetCaller(r, who)
		}
		protocol.ServeHTTP(w, r)
		return nil
	})
	handler := httpx.CORS(exposed, authenticated)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Tus-Resumable", version)
		pattern := created
		if id, _ := s.split(r); id != "" {
			pattern = named
		}
		httpx.RecordRoute(r.Context(), pattern)
		if r.Method == http.MethodOptions {
			s.options(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	})
}

// split returns the upload's id in a path, if any. signed reports whether the path is for
// requests with a signature.
func (s *Server) split(r *http.Request) (id string, signed bool) {
	rest := strings.Trim(strings.TrimPrefix(r.URL.EscapedPath(), s.prefix+Path), "/")
	if below, ok := strings.CutPrefix(rest+"/", "sign/"); ok {
		return strings.TrimSuffix(below, "/"), true
	}
	return rest, false
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	if err := checkHeaders(w.Header(), r.Header); err != nil {
		return err
	}
	method := r.Method
	if other := r.Header.Get("X-HTTP-Method-Override"); other != "" {
		method = other
	}
	found, ok := operations[method]
	if !ok {
		return errNotFound
	}
	c := &request{Call: core.Call{
		Operation: found.name, Method: r.Method, Path: strings.TrimPrefix(r.URL.Path, s.prefix), Headers: httpx.HeadersJSON(r.Header),
	}}
	if c.id, c.signed = s.split(r); c.signed {
		c.Who = claims.ForRole(claims.Anon)
		c.Operation += signedSuffix
	} else {
		c.Who, _ = claims.FromContext(r.Context())
	}
	return found.handle(s, w, r, c)
}

// setOwner sets the owner and upsert flag of a target: from the signature, which replaces
// the checks of all policies, or from the token and the headers.
//
// Errors: InvalidSignature, InvalidJWT.
func (s *Server) setOwner(r *http.Request, c *request, t *core.Target) error {
	if !c.signed {
		t.Upsert, t.Owner = r.Header.Get("X-Upsert") == "true", c.Who.Subject
		return nil
	}
	signature := r.Header.Get("X-Signature")
	if signature == "" {
		return errNoSignature
	}
	grant, err := s.core.URLs.VerifyUpload(signature, t.Bucket, t.Key)
	t.Upsert, t.Owner = grant.Upsert, grant.Owner
	return err
}

// find returns the upload of a request and the target that the request writes to.
func (s *Server) find(r *http.Request, c *request) (core.Resumable, core.Target, error) {
	bucket, key, version, ok := parseID(c.id)
	if !ok {
		return core.Resumable{}, core.Target{}, storageerr.ErrNoSuchResumable
	}
	wanted := core.Target{Bucket: bucket, Key: key}
	if err := s.setOwner(r, c, &wanted); err != nil {
		return core.Resumable{}, core.Target{}, err
	}
	found, err := s.core.Resumables.Find(r.Context(), bucket, key, version)
	t := found.Target()
	t.Upsert, t.Owner = wanted.Upsert, wanted.Owner
	return found, t, err
}

var (
	errInternal    = apierr.New(http.StatusInternalServerError, storageerr.CodeInternal, "Something went wrong with that request\n")
	errNotFound    = apierr.New(http.StatusNotFound, storageerr.CodeInvalidRequest, "Not found\n")
	errNoSignature = apierr.New(http.StatusBadRequest, storageerr.CodeInvalidSignature, "Missing x-signature header")
)

// renderError writes an error in upstream's format for this protocol: the message as
// plain text, with the error's status.
func renderError(w http.ResponseWriter, r *http.Request, e *apierr.Error) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Del("Location")
	if e.Status == http.StatusLocked {
		header.Set("Connection", "close")
	}
	w.WriteHeader(e.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(e.Message)) // fails only if the client has disconnected
	}
}

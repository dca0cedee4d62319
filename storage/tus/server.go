// Package tus speaks TUS 1.0.0 in front of the storage service: uploads that are
// resumed where they broke off, with its extensions creation, creation-with-upload,
// termination and expiration.
package tus

import (
	"net/http"
	"strings"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/storageerr"
	"plaza/storage/surface"
)

// Path is where the protocol is served, below the storage API's prefix.
const Path = "/upload/resumable"

// Config says how uploads are addressed.
type Config struct {
	// PublicURL is where clients reach the server, with what a proxy takes off
	// before the prefix; empty: as the request's headers tell.
	PublicURL string

	// ForwardedPrefix has X-Forwarded-Prefix tell what a proxy took off.
	ForwardedPrefix bool
}

// Server answers the protocol.
type Server struct {
	cfg    Config
	core   *core.Service
	caller func(*http.Request) (claims.Caller, error)
	prefix string
}

// New makes the server of a service. caller tells who asks.
func New(cfg Config, service *core.Service, caller func(*http.Request) (claims.Caller, error)) *Server {
	return &Server{cfg: cfg, core: service, caller: caller}
}

// request is what is known of a request before its own operation looks at it.
type request struct {
	core.Call
	id     string // as the path has it
	signed bool   // a signature stands for a token
}

// operation is one of the protocol.
type operation struct {
	name   string // what policies are told
	handle func(*Server, http.ResponseWriter, *http.Request, *request) error
}

var operations = map[string]operation{
	http.MethodPost:   {"storage.tus.upload.create", (*Server).create},
	http.MethodPatch:  {"storage.tus.upload.part", (*Server).patch},
	http.MethodHead:   {"storage.tus.upload.get", (*Server).head},
	http.MethodDelete: {"storage.tus.upload.delete", (*Server).terminate},
}

// signedSuffix ends the names of operations that a signature allows.
const signedSuffix = "_signed"

// Routes serves the protocol under a prefix such as "/storage/v1". refused answers
// those whom caller does not know.
func (s *Server) Routes(prefix string, refused httpx.Adapter) http.Handler {
	s.prefix = prefix
	created, named := prefix+Path, prefix+Path+"/{id}"
	protocol := httpx.Adapter{Render: renderError, Internal: errInternal}.Handle(s.serve)
	known := refused.Handle(func(w http.ResponseWriter, r *http.Request) error {
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
	open := httpx.CORS(exposed, known)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Tus-Resumable", version)
		pattern := created
		if id, _ := s.split(r); id != "" {
			pattern = named
		}
		httpx.NoteRoute(r.Context(), pattern)
		if r.Method == http.MethodOptions {
			s.options(w, r)
			return
		}
		open.ServeHTTP(w, r)
	})
}

// split returns the id that a path names, if any, and tells whether it is one of
// those that a signature opens.
func (s *Server) split(r *http.Request) (id string, signed bool) {
	rest := strings.Trim(strings.TrimPrefix(r.URL.EscapedPath(), s.prefix+Path), "/")
	if below, is := strings.CutPrefix(rest+"/", "sign/"); is {
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
		Operation: found.name, Method: r.Method, Path: strings.TrimPrefix(r.URL.Path, s.prefix), Headers: surface.HeadersJSON(r.Header),
	}}
	if c.id, c.signed = s.split(r); c.signed {
		c.Who = claims.ForRole(claims.Anon)
		c.Operation += signedSuffix
	} else {
		c.Who, _ = claims.FromContext(r.Context())
	}
	return found.handle(s, w, r, c)
}

// permit completes what a request wants to write: by its signature, which then
// stands for all policies, or by its headers.
//
// Errors: InvalidSignature, InvalidJWT.
func (s *Server) permit(r *http.Request, c *request, t *core.Target) error {
	if !c.signed {
		t.Upsert, t.Owner = r.Header.Get("X-Upsert") == "true", c.Who.Subject
		return nil
	}
	signature := r.Header.Get("X-Signature")
	if signature == "" {
		return errNoSignature
	}
	said, err := s.core.URLs.VerifyUpload(signature, t.Bucket, t.Key)
	t.Upsert, t.Owner = said.Upsert, said.Owner
	return err
}

// find returns the upload that a request names, and what the request wants to write.
func (s *Server) find(r *http.Request, c *request) (core.Resumable, core.Target, error) {
	bucket, key, made, ok := parseID(c.id)
	if !ok {
		return core.Resumable{}, core.Target{}, storageerr.ErrNoSuchResumable
	}
	asked := core.Target{Bucket: bucket, Key: key}
	if err := s.permit(r, c, &asked); err != nil {
		return core.Resumable{}, core.Target{}, err
	}
	found, err := s.core.Resumables.Find(r.Context(), bucket, key, made)
	t := found.Target()
	t.Upsert, t.Owner = asked.Upsert, asked.Owner
	return found, t, err
}

var (
	errInternal    = apierr.New(http.StatusInternalServerError, storageerr.CodeInternal, "Something went wrong with that request\n")
	errNotFound    = apierr.New(http.StatusNotFound, storageerr.CodeInvalidRequest, "Not found\n")
	errNoSignature = apierr.New(http.StatusBadRequest, storageerr.CodeInvalidSignature, "Missing x-signature header")
)

// renderError writes an error as upstream does here: its text, with its own status.
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
		_, _ = w.Write([]byte(e.Message)) // fails only where the client has gone
	}
}

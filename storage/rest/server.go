// Package rest speaks the storage service's HTTP API: buckets, objects and signed
// URLs, as Supabase's clients expect it.
package rest

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/render"
)

// Exposed are the headers of answers that pages of other origins may read.
var Exposed = []string{"Content-Length", "Content-Range", "Content-Disposition", "ETag", "Last-Modified", "X-Transformations"}

// Config says how the API is served.
type Config struct {
	Version string // what /version tells

	// Alone says that no gateway is part of this server: the header apikey is not
	// read, and a request without a token is told so.
	Alone bool

	CDN    CDN
	Tenant string       // as the CDN knows the project
	Log    *slog.Logger // of what clients are not told
}

// Server answers the storage API.
type Server struct {
	cfg      Config
	core     *core.Service
	pictures *render.Service // nil: pictures are not rendered
	auth     *claims.Authenticator
	cdn      *cdn // nil: there is none
	prefix   string
	patterns []string // of routes, as the log and the metrics call them
}

// New makes the server of a service. Without pictures it renders none.
func New(cfg Config, service *core.Service, pictures *render.Service, auth *claims.Authenticator) *Server {
	return &Server{cfg: cfg, core: service, pictures: pictures, auth: auth, cdn: newCDN(cfg.CDN, cfg.Tenant, cfg.Log)}
}

// access says who may call.
type access int

const (
	anybody  access = iota // the request shows by itself that it may: a public bucket, a signed URL
	optional               // a token counts, and may be missing or bad
	token                  // a good token is needed
	service                // service_role's token is needed
)

// route is one operation of the API.
type route struct {
	method    string
	path      string // ends in {bucket}, or {bucket}/{key} with slashes in the key
	access    access
	operation string // what policies are told
	handle    func(*Server, http.ResponseWriter, *http.Request, *request) error
}

// routes are tried in order: a bucket may be called "sign", too.
var routes = []route{
	{"POST", "/bucket", token, "storage.bucket.create", (*Server).createBucket},
	{"GET", "/bucket", token, "storage.bucket.list", (*Server).listBuckets},
	{"POST", "/bucket/{bucket}/empty", service, "storage.bucket.empty", (*Server).emptyBucket},
	{"GET", "/bucket/{bucket}", token, "storage.bucket.get", (*Server).getBucket},
	{"PUT", "/bucket/{bucket}", token, "storage.bucket.update", (*Server).updateBucket},
	{"DELETE", "/bucket/{bucket}", token, "storage.bucket.delete", (*Server).deleteBucket},

	{"GET", "/object/public/{bucket}/{key}", anybody, "storage.object.get_public", (*Server).getPublic},
	{"HEAD", "/object/public/{bucket}/{key}", anybody, "storage.object.info_public", (*Server).headPublic},
	{"GET", "/object/info/public/{bucket}/{key}", anybody, "storage.object.info_public", (*Server).infoPublic},
	{"GET", "/object/sign/{bucket}/{key}", anybody, "storage.object.get_signed", (*Server).getSigned},
	{"HEAD", "/object/sign/{bucket}/{key}", anybody, "storage.object.get_signed", (*Server).getSigned},
	{"PUT", "/object/upload/sign/{bucket}/{key}", anybody, "storage.object.upload_signed", (*Server).uploadSigned},

	{"POST", "/object/copy", token, "storage.object.copy", (*Server).copyObject},
	{"POST", "/object/move", token, "storage.object.move", (*Server).moveObject},
	{"POST", "/object/list/{bucket}", token, "storage.object.list", (*Server).search},
	{"POST", "/object/list-v2/{bucket}", token, "storage.object.list_v2", (*Server).list},
	{"POST", "/object/sign/{bucket}/{key}", token, "storage.object.sign", (*Server).signDownload},
	{"POST", "/object/sign/{bucket}", token, "storage.object.sign_many", (*Server).signDownloads},
	{"POST", "/object/upload/sign/{bucket}/{key}", token, "storage.object.sign_upload_url", (*Server).signUpload},
	{"HEAD", "/object/info/public/{bucket}/{key}", anybody, "storage.object.info_public", (*Server).infoPublic},
	{"HEAD", "/object/info/authenticated/{bucket}/{key}", token, "object.get_authenticated_info", (*Server).info},
	{"HEAD", "/object/info/{bucket}/{key}", optional, "object.get_authenticated_info", (*Server).info},
	{"GET", "/object/info/authenticated/{bucket}/{key}", token, "object.get_authenticated_info", (*Server).info},
	{"GET", "/object/info/{bucket}/{key}", optional, "object.get_authenticated_info", (*Server).info},
	{"GET", "/object/authenticated/{bucket}/{key}", token, "storage.object.get_authenticated", (*Server).get},
	{"HEAD", "/object/authenticated/{bucket}/{key}", token, "object.head_authenticated_info", (*Server).head},

	{"POST", "/object/{bucket}/{key}", token, "storage.object.upload", (*Server).upload},
	{"PUT", "/object/{bucket}/{key}", token, "storage.object.upload_update", (*Server).update},
	{"GET", "/object/{bucket}/{key}", optional, "storage.object.get_authenticated", (*Server).get},
	{"HEAD", "/object/{bucket}/{key}", optional, "object.head_authenticated_info", (*Server).head},
	{"DELETE", "/object/{bucket}/{key}", token, "storage.object.delete", (*Server).deleteObject},
	{"DELETE", "/object/{bucket}", token, "storage.object.delete_many", (*Server).deleteObjects},

	{"GET", "/render/image/public/{bucket}/{key}", anybody, "storage.render.image_public", (*Server).renderPublic},
	{"HEAD", "/render/image/public/{bucket}/{key}", anybody, "storage.render.image_public", (*Server).renderPublic},
	{"GET", "/render/image/authenticated/{bucket}/{key}", token, "storage.render.image_authenticated", (*Server).renderVisible},
	{"HEAD", "/render/image/authenticated/{bucket}/{key}", token, "storage.render.image_authenticated", (*Server).renderVisible},
	{"GET", "/render/image/sign/{bucket}/{key}", anybody, "storage.render.image_sign", (*Server).renderSigned},
	{"HEAD", "/render/image/sign/{bucket}/{key}", anybody, "storage.render.image_sign", (*Server).renderSigned},

	{"DELETE", "/cdn", service, "", (*Server).forget},
	{"DELETE", "/cdn/{bucket}", service, "", (*Server).forget},
	{"DELETE", "/cdn/{bucket}/{key}", service, "", (*Server).forget},

	{"GET", "/status", anybody, "", (*Server).status},
	{"GET", "/version", anybody, "", (*Server).tellVersion},
	{"GET", "/health", token, "", (*Server).health},
}

// Routes serves the API under a prefix such as "/storage/v1". Paths are to come as
// they were sent: a key may hold "//" and "..".
func (s *Server) Routes(prefix string) http.Handler {
	s.prefix = prefix
	s.patterns = make([]string, len(routes))
	for i, known := range routes {
		s.patterns[i] = prefix + known.path
	}
	return httpx.CORS(Exposed, Adapter.Handle(s.serve))
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	path := strings.TrimPrefix(r.URL.EscapedPath(), s.prefix)
	for i, candidate := range routes {
		if candidate.method != r.Method {
			continue
		}
		if c, ok := candidate.match(path); ok {
			httpx.NoteRoute(r.Context(), s.patterns[i])
			if err := s.identify(r, candidate, c); err != nil {
				return err
			}
			return candidate.handle(s, w, r, c)
		}
	}
	return notFound(r)
}

// match reads bucket and key from a path that is still escaped, so that a slash
// in the name of a bucket does not end it.
func (t route) match(path string) (*request, bool) {
	pattern, withKey := strings.CutSuffix(t.path, "/{key}")
	begin, end, withBucket := strings.Cut(pattern, "/{bucket}")
	rest, ok := strings.CutPrefix(path, begin)
	if !ok {
		return nil, false
	}
	if !withBucket {
		return &request{}, strings.TrimSuffix(rest, "/") == ""
	}
	rest, ok = strings.CutPrefix(rest, "/")
	if end != "" {
		rest, ok = strings.CutSuffix(strings.TrimSuffix(rest, "/"), end)
	}
	bucket, key, slash := strings.Cut(rest, "/")
	if !ok || bucket == "" || withKey != (slash && (key != "" || withKey)) {
		return nil, false
	}
	c := &request{}
	var errs [2]error
	c.bucket, errs[0] = url.PathUnescape(bucket)
	c.key, errs[1] = url.PathUnescape(key)
	return c, errors.Join(errs[:]...) == nil
}

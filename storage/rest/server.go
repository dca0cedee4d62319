// Package rest implements the storage service's HTTP API for buckets, objects and signed
// URLs, compatible with Supabase's clients.
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

// ExposedHeaders lists the response headers that pages of other origins may read.
var ExposedHeaders = []string{"Content-Length", "Content-Range", "Content-Disposition", "ETag", "Last-Modified", "X-Transformations"}

// Config configures the API.
type Config struct {
	Version string // the response of /version

	// Alone means that the service runs without a built-in gateway: the header apikey is
	// ignored, and requests without a token get a separate error.
	Alone bool

	CDN    CDN
	Tenant string       // the project's name in purge requests
	Log    *slog.Logger // for errors that are not reported to clients
}

// Server serves the storage API.
type Server struct {
	cfg      Config
	core     *core.Service
	pictures *render.Service // nil if image transformation is disabled
	auth     *claims.Authenticator
	cdn      *cdn // nil if there is none
	prefix   string
	routes   []route
	patterns []string // names of the routes in log and metrics
}

// New returns a Server for a service. If pictures is nil, image transformation is disabled.
func New(cfg Config, service *core.Service, pictures *render.Service, auth *claims.Authenticator) *Server {
	return &Server{cfg: cfg, core: service, pictures: pictures, auth: auth, cdn: newCDN(cfg.CDN, cfg.Tenant, cfg.Log)}
}

// access determines who may use a route.
type access int

const (
	anybody  access = iota // no token is needed: a public bucket or a signed URL
	optional               // a token is used if it is valid
	token                  // a valid token is required
	service                // a token of service_role is required
)

// route is one operation of the API.
type route struct {
	method    string
	path      string // ends in {bucket}, or {bucket}/{key} with slashes in the key
	access    access
	operation string // name of the operation for policies
	handle    func(http.ResponseWriter, *http.Request, *request) error
}

// routesOf lists the operations in the order in which they are matched. The order
// matters, because a bucket may be named "sign".
func routesOf(s *Server) []route {
	b := &buckets{s.core, s.cdn}
	return []route{
		{"POST", "/bucket", token, "storage.bucket.create", b.create},
		{"GET", "/bucket", token, "storage.bucket.list", b.list},
		{"POST", "/bucket/{bucket}/empty", service, "storage.bucket.empty", b.empty},
		{"GET", "/bucket/{bucket}", token, "storage.bucket.get", b.get},
		{"PUT", "/bucket/{bucket}", token, "storage.bucket.update", b.update},
		{"DELETE", "/bucket/{bucket}", token, "storage.bucket.delete", b.delete},

		{"GET", "/object/public/{bucket}/{key}", anybody, "storage.object.get_public", s.getPublic},
		{"HEAD", "/object/public/{bucket}/{key}", anybody, "storage.object.info_public", s.headPublic},
		{"GET", "/object/info/public/{bucket}/{key}", anybody, "storage.object.info_public", s.infoPublic},
		{"GET", "/object/sign/{bucket}/{key}", anybody, "storage.object.get_signed", s.getSigned},
		{"HEAD", "/object/sign/{bucket}/{key}", anybody, "storage.object.get_signed", s.getSigned},
		{"PUT", "/object/upload/sign/{bucket}/{key}", anybody, "storage.object.upload_signed", s.uploadSigned},

		{"POST", "/object/copy", token, "storage.object.copy", s.copyObject},
		{"POST", "/object/move", token, "storage.object.move", s.moveObject},
		{"POST", "/object/list/{bucket}", token, "storage.object.list", s.search},
		{"POST", "/object/list-v2/{bucket}", token, "storage.object.list_v2", s.list},
		{"POST", "/object/sign/{bucket}/{key}", token, "storage.object.sign", s.signDownload},
		{"POST", "/object/sign/{bucket}", token, "storage.object.sign_many", s.signDownloads},
		{"POST", "/object/upload/sign/{bucket}/{key}", token, "storage.object.sign_upload_url", s.signUpload},
		{"HEAD", "/object/info/public/{bucket}/{key}", anybody, "storage.object.info_public", s.infoPublic},
		{"HEAD", "/object/info/authenticated/{bucket}/{key}", token, "object.get_authenticated_info", s.info},
		{"HEAD", "/object/info/{bucket}/{key}", optional, "object.get_authenticated_info", s.info},
		{"GET", "/object/info/authenticated/{bucket}/{key}", token, "object.get_authenticated_info", s.info},
		{"GET", "/object/info/{bucket}/{key}", optional, "object.get_authenticated_info", s.info},
		{"GET", "/object/authenticated/{bucket}/{key}", token, "storage.object.get_authenticated", s.get},
		{"HEAD", "/object/authenticated/{bucket}/{key}", token, "object.head_authenticated_info", s.head},

		{"POST", "/object/{bucket}/{key}", token, "storage.object.upload", s.upload},
		{"PUT", "/object/{bucket}/{key}", token, "storage.object.upload_update", s.update},
		{"GET", "/object/{bucket}/{key}", optional, "storage.object.get_authenticated", s.get},
		{"HEAD", "/object/{bucket}/{key}", optional, "object.head_authenticated_info", s.head},
		{"DELETE", "/object/{bucket}/{key}", token, "storage.object.delete", s.deleteObject},
		{"DELETE", "/object/{bucket}", token, "storage.object.delete_many", s.deleteObjects},

		{"GET", "/render/image/public/{bucket}/{key}", anybody, "storage.render.image_public", s.renderPublic},
		{"HEAD", "/render/image/public/{bucket}/{key}", anybody, "storage.render.image_public", s.renderPublic},
		{"GET", "/render/image/authenticated/{bucket}/{key}", token, "storage.render.image_authenticated", s.renderVisible},
		{"HEAD", "/render/image/authenticated/{bucket}/{key}", token, "storage.render.image_authenticated", s.renderVisible},
		{"GET", "/render/image/sign/{bucket}/{key}", anybody, "storage.render.image_sign", s.renderSigned},
		{"HEAD", "/render/image/sign/{bucket}/{key}", anybody, "storage.render.image_sign", s.renderSigned},

		{"DELETE", "/cdn", service, "", s.purge},
		{"DELETE", "/cdn/{bucket}", service, "", s.purge},
		{"DELETE", "/cdn/{bucket}/{key}", service, "", s.purge},

		{"GET", "/status", anybody, "", s.status},
		{"GET", "/version", anybody, "", s.version},
		{"GET", "/health", token, "", s.health},
	}
}

// Routes returns the handler of the API under a prefix such as "/storage/v1". Paths must
// not be cleaned before, because a key may contain "//" and "..".
func (s *Server) Routes(prefix string) http.Handler {
	s.prefix = prefix
	s.routes = routesOf(s)
	s.patterns = make([]string, len(s.routes))
	for i, known := range s.routes {
		s.patterns[i] = prefix + known.path
	}
	return httpx.CORS(ExposedHeaders, Adapter.Handle(s.serve))
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	path := strings.TrimPrefix(r.URL.EscapedPath(), s.prefix)
	for i, candidate := range s.routes {
		if candidate.method != r.Method {
			continue
		}
		if c, ok := candidate.match(path); ok {
			httpx.RecordRoute(r.Context(), s.patterns[i])
			if err := s.identify(r, candidate, c); err != nil {
				return err
			}
			return candidate.handle(w, r, c)
		}
	}
	return notFound(r)
}

// match extracts bucket and key from an escaped path. Unescaping first would split
// bucket names that contain a slash.
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

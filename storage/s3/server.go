// Package s3 implements the S3 protocol with path-style addressing for the storage
// service. Clients sign with the project's keys, which have full access, or with a
// user's token, in which case policies apply.
package s3

import (
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/secret"
	"plaza/storage/core"
	"plaza/storage/s3/signature"
	"plaza/storage/storageerr"
)

// Config configures the protocol, with supabase/storage's settings.
type Config struct {
	Enabled       bool        `env:"ENABLED" envDefault:"true"`
	EnforceRegion bool        `env:"ENFORCE_REGION" envDefault:"false"` // reject requests that are signed for another region
	AccessKey     string      `env:"ACCESS_KEY_ID"`                     // has full access
	SecretKey     secret.Text `env:"ACCESS_KEY_SECRET"`

	Prefix string `env:"PREFIX"` // path prefix that clients sign and a proxy removes

	Region string `env:"-"` // the server's region
	// Tenant is the access key of clients that sign with a user's token. Their secret key
	// is the anon key.
	Tenant string `env:"-"`
}

// Server serves the protocol.
type Server struct {
	cfg      Config
	core     *core.Service
	auth     *claims.Authenticator
	verifier *signature.Verifier
	prefix   string
}

// New returns a Server for a service.
func New(cfg Config, service *core.Service, auth *claims.Authenticator, now func() time.Time) *Server {
	return &Server{cfg: cfg, core: service, auth: auth, verifier: &signature.Verifier{
		Region: cfg.Region, EnforceRegion: cfg.EnforceRegion, Prefix: strings.TrimSuffix(cfg.Prefix, "/"), Now: now,
	}}
}

// request holds the parts of a request that are common to all operations.
type request struct {
	core.Call
	bucket, key string
	query       url.Values
	body        io.Reader            // verified against the signature at its end
	size        int64                // of body, in bytes, or core.UnknownSize
	form        *form                // of a form upload; nil otherwise
	checksum    func() (h, v string) // returns the header of the verified checksum, after body is read
}

// level is the kind of resource that a path identifies.
type level int

const (
	account level = iota
	bucket
	object
)

// operation is one operation of the protocol.
type operation struct {
	method string
	level  level
	query  string // required parameter, optionally with its value
	header string // required header
	name   string // name of the operation for policies
	handle func(*Server, http.ResponseWriter, *http.Request, *request) error
}

// pattern returns the name of an operation in log and metrics: "/{bucket}/{key}?uploadId".
func (o operation) pattern() string {
	path := map[level]string{account: "/", bucket: "/{bucket}", object: "/{bucket}/{key}"}[o.level]
	if o.query != "" {
		path += "?" + o.query
	}
	return path
}

// operations lists the operations in the order in which they are matched.
var operations = []operation{
	{"GET", account, "", "", "storage.s3.bucket.list", (*Server).listBuckets},

	{"GET", bucket, "location", "", "storage.s3.bucket.get_location", (*Server).bucketLocation},
	{"GET", bucket, "versioning", "", "storage.s3.bucket.get_versioning", (*Server).bucketVersioning},
	{"GET", bucket, "uploads", "", "storage.s3.upload.list_multipart", (*Server).listUploads},
	{"GET", bucket, "list-type=2", "", "storage.s3.object.list", (*Server).listObjects},
	{"GET", bucket, "", "", "storage.s3.object.list", (*Server).listObjectsV1},
	{"PUT", bucket, "", "", "storage.s3.bucket.create", (*Server).createBucket},
	{"HEAD", bucket, "", "", "storage.s3.bucket.head", (*Server).headBucket},
	{"DELETE", bucket, "", "", "storage.s3.bucket.delete", (*Server).deleteBucket},
	{"POST", bucket, "delete", "", "storage.s3.object.delete_many", (*Server).deleteObjects},
	{"POST", bucket, "", "", "storage.s3.upload", (*Server).postObject},

	{"GET", object, "tagging", "", "storage.s3.object.get_tagging", (*Server).tagging},
	{"GET", object, "uploadId", "", "storage.s3.upload.list_parts", (*Server).listParts},
	{"GET", object, "", "", "storage.s3.object.get", (*Server).getObject},
	{"HEAD", object, "", "", "storage.s3.object.info", (*Server).getObject},
	{"PUT", object, "uploadId", "X-Amz-Copy-Source", "storage.s3.upload.part_copy", (*Server).copyPart},
	{"PUT", object, "uploadId", "", "storage.s3.upload.part", (*Server).putPart},
	{"PUT", object, "", "X-Amz-Copy-Source", "storage.s3.object.copy", (*Server).copyObject},
	{"PUT", object, "", "", "storage.s3.upload", (*Server).putObject},
	{"POST", object, "uploads", "", "storage.s3.upload.create_multipart", (*Server).beginUpload},
	{"POST", object, "uploadId", "", "storage.s3.upload.complete_multipart", (*Server).completeUpload},
	{"DELETE", object, "uploadId", "", "storage.s3.upload.abort_multipart", (*Server).abortUpload},
	{"DELETE", object, "", "", "storage.s3.object.delete", (*Server).deleteObject},
}

// unsupported lists parameters that select an unsupported operation: a PUT of tags must
// not be treated as a PUT of an object.
var unsupported = []string{
	"accelerate", "acl", "analytics", "attributes", "cors", "encryption", "intelligent-tiering", "inventory", "legal-hold", "lifecycle",
	"logging", "metrics", "notification", "object-lock", "ownershipControls", "policy", "policyStatus", "publicAccessBlock",
	"replication", "requestPayment", "restore", "retention", "select", "tagging", "torrent", "versions", "website",
}

var errNotImplemented = apierr.New(http.StatusNotImplemented, "NotImplemented", "A header or query you provided implies functionality that is not implemented.")

// Routes returns the handler of the protocol under a prefix such as "/storage/v1/s3".
// Paths must not be cleaned before.
func (s *Server) Routes(prefix string) http.Handler {
	s.prefix = prefix
	return httpx.CORS([]string{"ETag", "Content-Length", "Content-Range", "Last-Modified", "X-Amz-Request-Id"},
		httpx.Adapter{Render: s.renderError, Internal: errInternal}.Handle(s.serve))
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) error {
	c := &request{query: r.URL.Query()}
	found, err := s.find(r, c)
	if err != nil {
		return err
	}
	httpx.RecordRoute(r.Context(), s.prefix+found.pattern())
	c.Call = core.Call{Operation: found.name, Method: r.Method, Path: strings.TrimPrefix(r.URL.Path, s.prefix), Headers: httpx.HeadersJSON(r.Header)}
	if err := s.identify(r, c); err != nil {
		return err
	}
	httpx.RecordRole(r.Context(), c.Who.Role)
	return found.handle(s, w, r, c)
}

// find returns the operation of a request, and sets its bucket and key.
func (s *Server) find(r *http.Request, c *request) (operation, error) {
	path := strings.TrimPrefix(strings.TrimPrefix(r.URL.EscapedPath(), s.prefix), "/")
	name, key, _ := strings.Cut(path, "/")
	var errs [2]error
	c.bucket, errs[0] = url.PathUnescape(name)
	c.key, errs[1] = url.PathUnescape(key)
	if errors.Join(errs[:]...) != nil {
		return operation{}, apierr.New(http.StatusBadRequest, storageerr.CodeInvalidKey, "Invalid key: %s", key)
	}
	of := object
	if c.key == "" {
		of = bucket
	}
	if c.bucket == "" {
		of = account
	}
	for _, candidate := range operations {
		parameter, value, exact := strings.Cut(candidate.query, "=")
		switch {
		case candidate.method != r.Method, candidate.level != of,
			parameter != "" && !c.query.Has(parameter), exact && c.query.Get(parameter) != value,
			candidate.header != "" && r.Header.Get(candidate.header) == "":
			continue
		case slices.ContainsFunc(unsupported, func(name string) bool { return name != parameter && c.query.Has(name) }):
			return operation{}, errNotImplemented
		}
		return candidate, nil
	}
	return operation{}, apierr.New(http.StatusMethodNotAllowed, "MethodNotAllowed", "The specified method is not allowed against this resource.")
}

var errAccessKey = apierr.New(http.StatusForbidden, storageerr.CodeAccessDenied, "Invalid Access Key")

// identify verifies the signature of a request, determines the caller and opens the body.
func (s *Server) identify(r *http.Request, c *request) error {
	if isForm(r) {
		return s.identifyForm(r, c)
	}
	signed, err := signature.Parse(r)
	if err != nil {
		return err
	}
	key, err := s.secretOf(signed)
	if err != nil {
		return err
	}
	if err := s.verifier.Verify(r, signed, key); err != nil {
		return err
	}
	if c.Who, err = s.caller(signed); err != nil {
		return err
	}
	body, err := signed.Body(r, key)
	if err != nil {
		return err
	}
	c.body, c.size = body, body.Size
	c.checksum = func() (string, string) { sum := body.Checksum(); return sum.Header, sum.Value }
	return nil
}

// secretOf returns the secret key with which a request must be signed.
func (s *Server) secretOf(signed *signature.Signature) (string, error) {
	expected, key := s.cfg.AccessKey, s.cfg.SecretKey.Reveal()
	if signed.SessionToken != "" {
		expected, key = s.cfg.Tenant, s.auth.Keys.Anon
	}
	if expected == "" || key == "" || subtle.ConstantTimeCompare([]byte(expected), []byte(signed.Scope.AccessKey)) != 1 {
		return "", errAccessKey
	}
	return key, nil
}

// caller returns the caller for a verified signature.
func (s *Server) caller(signed *signature.Signature) (claims.Caller, error) {
	if signed.SessionToken == "" {
		return claims.ForRole(claims.ServiceRole), nil
	}
	who, err := s.auth.Verifier.Verify(signed.SessionToken)
	switch {
	case errors.Is(err, claims.ErrExpired):
		return who, apierr.New(http.StatusBadRequest, storageerr.CodeExpired, "The provided token has expired.").WithCause(err)
	case errors.Is(err, claims.ErrSessionEnded), errors.Is(err, claims.ErrUserBanned):
		return who, apierr.New(http.StatusBadRequest, storageerr.CodeExpired, "The session of the provided token has ended.").WithCause(err)
	case err != nil:
		return who, apierr.New(http.StatusBadRequest, storageerr.CodeInvalidJWT, "The session token is not valid.").WithCause(err)
	}
	return who, nil
}

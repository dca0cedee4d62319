package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"plaza/server/apierr"
	"plaza/server/secret"
	"plaza/server/tracing"
	"plaza/storage/storageerr"
)

// CDN configures a CDN in front of this server that caches public objects. The server
// purges its entries.
type CDN struct {
	Endpoint string      `env:"ENDPOINT_URL"` // POST requests go to "/purge" below it; empty means that there is no CDN
	Key      secret.Text `env:"ENDPOINT_KEY"` // bearer token
}

// Check returns an error if the settings are invalid.
func (c CDN) Check() error {
	if at, err := url.Parse(c.Endpoint); c.Endpoint != "" && (err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https") {
		return fmt.Errorf("CDN_PURGE_ENDPOINT_URL is %q: use an address such as https://cdn.example.com", c.Endpoint)
	}
	return nil
}

// purgeTimeout is the timeout of a purge request.
// Source: supabase/storage waits 10 s.
const purgeTimeout = 10 * time.Second

var errNoCDN = apierr.New(http.StatusBadRequest, storageerr.CodeMissingParameter, "Missing Required Parameter CDN_PURGE_ENDPOINT_URL is not set")

// cdn sends purge requests. It is nil if there is no CDN.
type cdn struct {
	address string
	key     string
	tenant  string
	client  *http.Client
	log     *slog.Logger
}

func newCDN(c CDN, tenant string, log *slog.Logger) *cdn {
	at, err := url.Parse(c.Endpoint)
	if c.Endpoint == "" || err != nil {
		return nil
	}
	at = at.JoinPath("purge")
	at.RawQuery, at.Fragment = "", ""
	return &cdn{
		address: at.String(), key: c.Key.Reveal(), tenant: tenant, log: log,
		client: &http.Client{
			Timeout: purgeTimeout, Transport: tracing.Transport(nil, false),
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// purgeRequest identifies what to purge: a project, a bucket or an object, or the
// images transformed from them.
type purgeRequest struct {
	Type   string `json:"type"`
	Tenant struct {
		Ref string `json:"ref"`
	} `json:"tenant"`
	Bucket string `json:"bucketId,omitempty"`
	Object string `json:"objectName,omitempty"`
}

// purge sends a purge request.
//
// Errors: MissingParameter if there is no CDN; InternalError if the request fails.
func (n *cdn) purge(ctx context.Context, what purgeRequest) error {
	if n == nil {
		return errNoCDN
	}
	what.Tenant.Ref = n.tenant
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, n.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if n.key != "" {
		request.Header.Set("Authorization", "Bearer "+n.key)
	}
	response, err := n.client.Do(request)
	if err == nil {
		err = response.Body.Close()
		if response.StatusCode < 200 || response.StatusCode > 299 {
			err = errors.Join(fmt.Errorf("the CDN responded with %s", response.Status), err)
		}
	}
	if err != nil {
		return apierr.New(http.StatusInternalServerError, storageerr.CodeInternal, "Error purging cache").WithCause(err)
	}
	return nil
}

// purgeBucket purges a bucket that is no longer public, even if the client disconnects
// meanwhile.
func (n *cdn) purgeBucket(ctx context.Context, bucket string) {
	if n == nil {
		return
	}
	if err := n.purge(context.WithoutCancel(ctx), purgeRequest{Type: "bucket", Bucket: bucket}); err != nil {
		n.log.ErrorContext(ctx, "cannot purge a bucket from the CDN", "bucket", bucket, "error", err)
	}
}

// purge handles DELETE /cdn and the paths below it.
func (s *Server) purge(w http.ResponseWriter, r *http.Request, c *request) error {
	query := readQuery(r.URL.Query())
	pictures := query.boolean("transformations")
	if err := query.check(); err != nil {
		return err
	}
	what := purgeRequest{Type: "tenant", Bucket: c.bucket, Object: c.key}
	switch {
	case c.key != "":
		what.Type = "object"
	case c.bucket != "":
		what.Type = "bucket"
	}
	if pictures != nil && *pictures {
		what.Type += "-transforms"
	}
	if err := s.cdn.purge(r.Context(), what); err != nil {
		return err
	}
	return message(w, "success")
}

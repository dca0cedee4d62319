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

// CDN is a network before this server that keeps public objects, and is told what
// to forget.
type CDN struct {
	Endpoint string      `env:"ENDPOINT_URL"` // "/purge" below it takes a POST; empty: there is none
	Key      secret.Text `env:"ENDPOINT_KEY"` // its bearer token
}

// Check tells what is wrong with the settings.
func (c CDN) Check() error {
	if at, err := url.Parse(c.Endpoint); c.Endpoint != "" && (err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https") {
		return fmt.Errorf("CDN_PURGE_ENDPOINT_URL is %q: use an address such as https://cdn.example.com", c.Endpoint)
	}
	return nil
}

// purgeTimeout bounds a call of the network.
// Source: supabase/storage waits 10 s.
const purgeTimeout = 10 * time.Second

var errNoCDN = apierr.New(http.StatusBadRequest, storageerr.CodeMissingParameter, "Missing Required Parameter CDN_PURGE_ENDPOINT_URL is not set")

// cdn tells the network. A nil one is for where there is none.
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

// forgotten is what the network is to forget: a project, a bucket or an object, or
// the pictures made of them.
type forgotten struct {
	Type   string `json:"type"`
	Tenant struct {
		Ref string `json:"ref"`
	} `json:"tenant"`
	Bucket string `json:"bucketId,omitempty"`
	Object string `json:"objectName,omitempty"`
}

// purge has the network forget. Errors: MissingParameter where there is none;
// InternalError where it fails.
func (n *cdn) purge(ctx context.Context, what forgotten) error {
	if n == nil {
		return errNoCDN
	}
	what.Tenant.Ref = n.tenant
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, n.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	asked.Header.Set("Content-Type", "application/json")
	if n.key != "" {
		asked.Header.Set("Authorization", "Bearer "+n.key)
	}
	answer, err := n.client.Do(asked)
	if err == nil {
		err = answer.Body.Close()
		if answer.StatusCode < 200 || answer.StatusCode > 299 {
			err = errors.Join(fmt.Errorf("the CDN answered %s", answer.Status), err)
		}
	}
	if err != nil {
		return apierr.New(http.StatusInternalServerError, storageerr.CodeInternal, "Error purging cache").WithCause(err)
	}
	return nil
}

// hide has the network forget a bucket that nobody may see any more, also where the
// client has left by then.
func (n *cdn) hide(ctx context.Context, bucket string) {
	if n == nil {
		return
	}
	if err := n.purge(context.WithoutCancel(ctx), forgotten{Type: "bucket", Bucket: bucket}); err != nil {
		n.log.ErrorContext(ctx, "the CDN may still show a bucket", "bucket", bucket, "error", err)
	}
}

// forget answers DELETE /cdn and what is below it.
func (s *Server) forget(w http.ResponseWriter, r *http.Request, c *request) error {
	query := readQuery(r.URL.Query())
	pictures := query.boolean("transformations")
	if err := query.check(); err != nil {
		return err
	}
	what := forgotten{Type: "tenant", Bucket: c.bucket, Object: c.key}
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

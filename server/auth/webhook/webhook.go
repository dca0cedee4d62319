// Package webhook calls a service over HTTP by the Standard Webhooks specification: a signed POST
// of JSON with a JSON response.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/server/tracing"
)

// Limits of one call. Source: supabase/auth.
const (
	Timeout     = 5 * time.Second // for all attempts together
	maxAttempts = 3
	pause       = 2 * time.Second
	maxResponse = 200 << 10
)

// Hook is a service to call.
type Hook struct {
	address string
	secrets [][]byte
	client  *http.Client
	now     func() time.Time
	pause   time.Duration
}

// loopbackHosts are the hosts that may be called without TLS.
var loopbackHosts = map[string]bool{"localhost": true, "127.0.0.1": true, "::1": true, "host.docker.internal": true}

// New returns a Hook. secrets has one or more secrets of the form v1,whsec_…, separated by "|". A
// request carries a signature for each secret.
//
// Errors: a URL that is not https, except on this machine; a missing or malformed secret.
func New(address, secrets string, now func() time.Time) (*Hook, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%q is not a URL: %w", address, err)
	}
	if parsed.Scheme != "https" && (parsed.Scheme != "http" || !loopbackHosts[parsed.Hostname()]) {
		return nil, fmt.Errorf("%q: use an https URL, or http on this machine", address)
	}
	h := &Hook{address: address, now: now, pause: pause, client: &http.Client{
		Transport: tracing.Transport(nil, true),
		// A redirect could lead into the private network.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	for secret := range strings.SplitSeq(secrets, "|") {
		encoded, ok := strings.CutPrefix(strings.TrimSpace(secret), "v1,whsec_")
		key, err := base64.StdEncoding.DecodeString(encoded)
		if !ok || err != nil || len(key) < 24 {
			return nil, errors.New("a secret is not of the form v1,whsec_ and at least 24 bytes in base64")
		}
		h.secrets = append(h.secrets, key)
	}
	return h, nil
}

// Error codes. Source: supabase/auth.
const (
	codeTimeout = "hook_timeout"
	codeRetries = "hook_timeout_after_retry"
	codeSize    = "hook_payload_over_size_limit"
	codeType    = "hook_payload_invalid_content_type"
	codeOther   = "unexpected_failure"
)

func timedOut() error {
	return apierr.New(http.StatusUnprocessableEntity, codeTimeout, "Failed to reach hook within maximum time of %f seconds", Timeout.Seconds())
}

func unavailable() error {
	return apierr.New(http.StatusInternalServerError, codeOther, "Service currently unavailable due to hook")
}

// Call sends a JSON request body and returns the JSON of the response, or nil for a response without a
// body. If the service cannot be reached, or asks for a retry with Retry-After, it is called up to
// three times.
//
// Errors: 422 hook_timeout, hook_timeout_after_retry, hook_payload_over_size_limit; 400
// hook_payload_invalid_content_type; 500 for any status but 200, 202 and 204.
func (h *Hook) Call(ctx context.Context, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	for try := 1; ; try++ {
		response, err := h.send(ctx, body)
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return nil, timedOut()
		case err != nil && try == maxAttempts:
			return nil, apierr.New(http.StatusUnprocessableEntity, codeRetries, "Failed to reach hook after maximum retries").WithCause(err)
		case err == nil && !wantsRetry(response):
			return readResponse(response)
		case err == nil:
			_ = response.Body.Close()
			if try == maxAttempts {
				return nil, unavailable()
			}
		}
		if err := h.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// wantsRetry reports whether the service asks for a retry.
func wantsRetry(response *http.Response) bool {
	busy := response.StatusCode == http.StatusTooManyRequests || response.StatusCode == http.StatusServiceUnavailable
	return busy && response.Header.Get("Retry-After") != ""
}

func (h *Hook) wait(ctx context.Context) error {
	timer := time.NewTimer(h.pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return timedOut()
	}
}

func (h *Hook) send(ctx context.Context, body []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	id, at := "msg_"+rand.Text(), strconv.FormatInt(h.now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Webhook-Id", id)
	request.Header.Set("Webhook-Timestamp", at)
	request.Header.Set("Webhook-Signature", h.signatures(id, at, body))
	return h.client.Do(request)
}

// signatures returns the signatures separated by spaces, as in Standard Webhooks.
func (h *Hook) signatures(id, at string, body []byte) string {
	signed := make([]string, len(h.secrets))
	for i, key := range h.secrets {
		mac := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
		signed[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signed, " ")
}

func readResponse(response *http.Response) ([]byte, error) {
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusNoContent:
		return nil, nil
	case http.StatusOK, http.StatusAccepted:
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return nil, unavailable()
	case http.StatusBadRequest:
		return nil, apierr.New(http.StatusInternalServerError, codeOther, "Invalid payload sent to hook")
	case http.StatusUnauthorized:
		return nil, apierr.New(http.StatusInternalServerError, codeOther, "Hook requires authorization token")
	default:
		return nil, apierr.New(http.StatusInternalServerError, codeOther, "Unexpected status code returned from hook: %d", response.StatusCode)
	}
	kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return nil, apierr.New(http.StatusBadRequest, codeType, "Invalid JSON response. Received content-type: %s", response.Header.Get("Content-Type"))
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	switch {
	case len(body) > maxResponse:
		return nil, apierr.New(http.StatusUnprocessableEntity, codeSize, "Payload size exceeded size limit of %d bytes", maxResponse)
	case err != nil:
		return nil, unavailable()
	}
	return body, nil
}

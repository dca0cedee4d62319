// Package batch reads a list of requests that run in one transaction, in order.
// A request can refer to values in the responses of earlier requests. The user
// documentation is docs/transactions.md.
package batch

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	gopath "path"
	"slices"

	"plaza/server/apierr"
	"plaza/server/rest/request"
)

// Limits of a batch.
const (
	maxParts     = 100      // requests
	maxResponses = 16 << 20 // total bytes of all responses

	// Bytes of a request's path and of its headers. Outside a batch, the HTTP server
	// limits them.
	maxPath    = 64 << 10
	maxHeaders = 64 << 10
)

// errResponsesTooLarge is returned if the responses, or the references to them, exceed a limit.
var errResponsesTooLarge = apierr.New(http.StatusBadRequest, "PLZ006", "The answers of the requests are too large together")

// Part is one of the requests.
type Part struct {
	ID      string          `json:"id"`      // an optional name that references can use instead of the number
	Method  string          `json:"method"`  // empty means GET
	Path    string          `json:"path"`    // relative to the API's root, with its query: "/films?id=eq.1"
	Headers headers         `json:"headers"` // such as Prefer
	Body    json.RawMessage `json:"body"`
}

// ownHeaders are the headers that a part sets itself. All others are copied from the
// outer request, so that headers added by a proxy are kept.
var ownHeaders = []string{"Accept", "Accept-Profile", "Content-Profile", "Content-Type", "Prefer", "Range"}

type headers map[string]string

// UnmarshalJSON rejects headers that are too large before it decodes them.
func (h *headers) UnmarshalJSON(text []byte) error {
	if len(text) > maxHeaders {
		return fmt.Errorf("headers of more than %d bytes", maxHeaders)
	}
	return json.Unmarshal(text, (*map[string]string)(h))
}

// response is the response to a part.
type response struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body,omitempty"`
}

// Batch holds the responses to the parts that have run so far.
type Batch struct {
	responses []response
	numbers   map[string]int // part numbers by name
	size      int            // total bytes of the responses

	resolved map[string][]byte // values by reference
	filled   int               // bytes that references have inserted
	searched int               // bytes that were searched for referenced values
}

// New returns a batch without responses.
func New() *Batch { return &Batch{numbers: make(map[string]int), resolved: make(map[string][]byte)} }

// Request builds the HTTP request of the next part, with prefix before its path and
// its references replaced. Headers that a part may not set are the outer request's.
//
// Errors: 400 PLZ004, PLZ005, PLZ006.
func (b *Batch) Request(ctx context.Context, outer *http.Request, prefix string, part Part) (*http.Request, error) {
	if part.ID != "" {
		if _, duplicate := b.numbers[part.ID]; duplicate {
			return nil, Malformed("two requests are called %q", part.ID)
		}
		b.numbers[part.ID] = len(b.responses)
	}
	path, err := b.fillPath(part.Path)
	if err != nil {
		return nil, err
	}
	if len(path) > maxPath {
		return nil, Malformed("a path has more than %d bytes", maxPath)
	}
	body, err := b.fillBody(part.Body)
	if err != nil {
		return nil, err
	}
	inner, err := http.NewRequestWithContext(ctx, part.Method, prefix+path, request.NewMemoryBody(body))
	if err != nil {
		return nil, Malformed("%s", err)
	}
	if clean := gopath.Clean(inner.URL.Path); clean != inner.URL.Path && clean+"/" != inner.URL.Path {
		return nil, Malformed("the path %q is not a plain one", part.Path)
	}
	inner.ContentLength = int64(len(body))
	inner.Header = outer.Header.Clone()
	inner.Header.Del("Content-Length")
	for _, own := range ownHeaders {
		inner.Header.Del(own)
	}
	for name, value := range part.Headers {
		if slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)) {
			inner.Header.Set(name, value)
		}
	}
	return inner, nil
}

// Keep stores the response to the next part.
//
// Errors: *Error if the part failed; 400 PLZ006.
func (b *Batch) Keep(recorder *Recorder) error {
	if recorder.status >= http.StatusBadRequest {
		return &Error{len(b.responses), recorder}
	}
	if b.size += recorder.body.Len(); b.size > maxResponses {
		return errResponsesTooLarge.WithDetail("They have more than %d bytes.", maxResponses)
	}
	b.responses = append(b.responses, recorder.response())
	return nil
}

// JSON returns the responses as a JSON array.
func (b *Batch) JSON() ([]byte, error) { return json.Marshal(b.responses) }

// Package batch reads a list of requests that run in one transaction, and puts what
// earlier ones answered into later ones. They run in order; what a later one takes
// from the answers of earlier ones, it names by references. docs/transactions.md
// tells it to users.
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

// Bounds of a batch.
const (
	maxParts   = 100      // requests
	maxAnswers = 16 << 20 // bytes of all answers together

	// Bytes of a request's path and of its headers, as a server takes them of one
	// that comes alone.
	maxPath    = 64 << 10
	maxHeaders = 64 << 10
)

// errAnswersTooLarge says that a transaction would take too much memory or time.
var errAnswersTooLarge = apierr.New(http.StatusBadRequest, "PLZ006", "The answers of the requests are too large together")

// Part is one of the requests.
type Part struct {
	ID      string          `json:"id"`      // a name for references, beside its number
	Method  string          `json:"method"`  // GET where empty
	Path    string          `json:"path"`    // below the API's root, with its query: "/films?id=eq.1"
	Headers headers         `json:"headers"` // such as Prefer
	Body    json.RawMessage `json:"body"`
}

// ownHeaders are those that say how a request is read and answered. All others
// are the outer request's: what a proxy has written into them stays true.
var ownHeaders = []string{"Accept", "Accept-Profile", "Content-Profile", "Content-Type", "Prefer", "Range"}

type headers map[string]string

// UnmarshalJSON refuses what is too large before it is read.
func (h *headers) UnmarshalJSON(text []byte) error {
	if len(text) > maxHeaders {
		return fmt.Errorf("headers of more than %d bytes", maxHeaders)
	}
	return json.Unmarshal(text, (*map[string]string)(h))
}

// answer is what a request gave.
type answer struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body,omitempty"`
}

// Batch is the requests that were answered so far.
type Batch struct {
	answers []answer
	places  map[string]int // of names
	size    int            // of the answers, in bytes

	resolved         map[string][]byte // what references lead to
	filled, followed int               // bytes that they put in and looked through
}

// New returns a batch of which nothing is answered.
func New() *Batch { return &Batch{places: make(map[string]int), resolved: make(map[string][]byte)} }

// Request makes the HTTP request of the next part below a prefix, its references
// filled in. It has the outer request's headers but those that a part has itself.
//
// Errors: 400 PLZ004, PLZ005, PLZ006.
func (b *Batch) Request(ctx context.Context, outer *http.Request, prefix string, part Part) (*http.Request, error) {
	if part.ID != "" {
		if _, twice := b.places[part.ID]; twice {
			return nil, Malformed("two requests are called %q", part.ID)
		}
		b.places[part.ID] = len(b.answers)
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

// Keep takes the answer of the next part.
//
// Errors: *Error where the part failed; 400 PLZ006.
func (b *Batch) Keep(recorder *Recorder) error {
	if recorder.status >= http.StatusBadRequest {
		return &Error{len(b.answers), recorder}
	}
	if b.size += recorder.body.Len(); b.size > maxAnswers {
		return errAnswersTooLarge.WithDetail("They have more than %d bytes.", maxAnswers)
	}
	b.answers = append(b.answers, recorder.answer())
	return nil
}

// JSON writes the list of answers.
func (b *Batch) JSON() ([]byte, error) { return json.Marshal(b.answers) }

package site

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A page may include what its first screen would request next: preload tags for the
// modules of its code, and responses of the data API as JSON in the element that
// answersTag begins. Both only save round trips: a client that does not find them sends
// the requests as usual. From the same responses a project may render the first screen,
// for users whose scripts are still loading and for crawlers that run no scripts.

// Request is a GET request of the data API, as the client would send it for a visitor:
// its path with query, and its Prefer header.
type Request struct{ Path, Prefer string }

// Answer is the data API's response to a Request.
type Answer struct {
	Path   string          `json:"path"`
	Prefer string          `json:"prefer,omitempty"`
	Status int             `json:"status"`
	Range  string          `json:"range,omitempty"` // Content-Range
	Body   json.RawMessage `json:"body"`
}

// Next returns further requests that depend on the responses to the page's requests. An
// answer is nil if it did not arrive in time.
type Next func(answers []*Answer) []Request

// Draw renders a first screen from the responses to the page's requests, followed by
// those to the requests of Next. An answer is nil if it did not arrive in time.
type Draw func(answers []*Answer) View

// View is a rendered first screen, its HTTP status, and what the responses add to the
// page's head.
type View struct {
	Head

	HTML   []byte // nil means that nothing is rendered
	Status int    // HTTP status of the page; 0 does not change it
}

// rootTag begins the element into which the client's script renders.
var rootTag = []byte(`<div id="root">`)

const (
	answersTag = `<script type="application/json" id="first-answers">`
	// maxAnswer is the maximum size of each response in the page, in bytes. The client
	// requests larger ones itself, and those that do not arrive within Options.Timeout.
	maxAnswer = 64 << 10
	// DefaultTimeout is the usual Options.Timeout.
	DefaultTimeout = time.Second
)

// build adds the head, preload tags, responses and the rendered first screen to the
// client's page. It returns the page, its status, and whether all responses arrived.
func (s *Site) build(r *http.Request, meta Meta) (page []byte, status int, isWhole bool) {
	var tags []string
	for _, module := range meta.Modules {
		for _, tag := range s.preloads[module] {
			if !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	answers := s.fetchAnswers(r, meta)
	var first View
	if meta.Draw != nil {
		first = meta.Draw(answers)
	}
	page = meta.with(first.Head).rewrite(s.page)
	page = bytes.Replace(page, []byte("</head>"), []byte(strings.Join(tags, "")+"</head>"), 1)
	if first.HTML != nil {
		page = bytes.Replace(page, rootTag, slices.Concat(rootTag, first.HTML), 1)
	}
	page = bytes.Replace(page, []byte("</body>"), append(encode(answers), "</body>"...), 1)
	var scripts []byte
	for _, module := range meta.Scripts {
		scripts = append(scripts, s.scripts[module]...)
	}
	page = bytes.Replace(page, entryTag, slices.Concat(scripts, entryTag), 1)
	return page, cmp.Or(meta.Status, first.Status, http.StatusOK), !slices.Contains(answers, nil)
}

// fetchAnswers sends the requests to the data API as anon. An answer that does not arrive
// in time is nil.
func (s *Site) fetchAnswers(r *http.Request, meta Meta) []*Answer {
	ctx, cancel := context.WithTimeout(r.Context(), s.Timeout)
	defer cancel()
	answers := s.fetchAll(ctx, r, meta.Requests)
	if meta.Next != nil {
		answers = append(answers, s.fetchAll(ctx, r, meta.Next(answers))...)
	}
	return answers
}

func (s *Site) fetchAll(ctx context.Context, page *http.Request, requests []Request) []*Answer {
	answers := make([]*Answer, len(requests))
	var wait sync.WaitGroup
	for i, one := range requests {
		wait.Go(func() { answers[i] = s.fetch(ctx, page, one) })
	}
	wait.Wait()
	return answers
}

// encode returns the element with the answers, or nil if there are none.
func encode(answers []*Answer) []byte {
	arrived := slices.DeleteFunc(slices.Clone(answers), func(a *Answer) bool { return a == nil })
	if len(arrived) == 0 {
		return nil
	}
	// Marshal escapes "<", ">" and "&", so that no answer can end the element.
	text, err := json.Marshal(arrived)
	if err != nil {
		panic("site: valid JSON cannot be encoded: " + err.Error())
	}
	return slices.Concat([]byte(answersTag), text, []byte("</script>"))
}

// fetch sends a request to the data API. It returns nil if the response is an error or
// too large, so that the client must send the request itself.
func (s *Site) fetch(ctx context.Context, page *http.Request, wanted Request) (got *Answer) {
	target, err := url.ParseRequestURI(wanted.Path)
	if err != nil {
		return nil
	}
	request := page.Clone(ctx) // keeps the client's address, for rate limits
	request.Method, request.URL, request.RequestURI, request.Pattern = http.MethodGet, target, wanted.Path, ""
	// No other header: the page may be cached and served to other visitors.
	request.Header = make(http.Header)
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "User-Agent", "X-Request-Id", "Traceparent"} {
		if values := page.Header.Values(name); len(values) > 0 {
			request.Header[name] = values
		}
	}
	request.Header.Set("Apikey", s.AnonKey)
	request.Header.Set("Authorization", "Bearer "+s.AnonKey)
	if wanted.Prefer != "" {
		request.Header.Set("Prefer", wanted.Prefer)
	}
	// A handler aborts a response by panicking. httpx.Observe has logged any other panic.
	defer func() {
		if recover() != nil {
			got = nil
		}
	}()
	response := &recorder{header: make(http.Header), status: http.StatusOK}
	s.API.ServeHTTP(response, request)
	if response.full || response.status >= 300 || ctx.Err() != nil || !json.Valid(response.body.Bytes()) {
		return nil
	}
	return &Answer{wanted.Path, wanted.Prefer, response.status, response.header.Get("Content-Range"), response.body.Bytes()}
}

// recorder is an http.ResponseWriter that stores a response of up to maxAnswer bytes.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	full   bool
}

var errFull = errors.New("the answer is too large for the page")

func (r *recorder) Header() http.Header    { return r.header }
func (r *recorder) WriteHeader(status int) { r.status = status }
func (r *recorder) Write(part []byte) (int, error) {
	if r.full = r.full || r.body.Len()+len(part) > maxAnswer; r.full {
		return 0, errFull
	}
	return r.body.Write(part)
}

// entryTag begins the client's script.
var entryTag = []byte(`<script type="module"`)

// chunk is an entry of the manifest that Vite writes for a built client.
type chunk struct {
	File    string   `json:"file"`
	CSS     []string `json:"css"`
	Imports []string `json:"imports"`
}

// preloads returns, by source module of the client, the tags that preload its files,
// without those that the page already contains.
func preloads(manifest, page []byte) (map[string][]string, error) {
	var chunks map[string]chunk
	if err := json.Unmarshal(manifest, &chunks); err != nil {
		return nil, err
	}
	tags := make(map[string][]string, len(chunks))
	for name := range chunks {
		files := make(map[string]bool)
		follow(chunks, name, files)
		for _, file := range slices.Sorted(maps.Keys(files)) {
			// Style sheets have priority over scripts.
			kind, address := `modulepreload" fetchpriority="low`, "/"+html.EscapeString(file)
			if strings.HasSuffix(file, ".css") {
				kind = "stylesheet"
			}
			if !bytes.Contains(page, []byte(`"`+address+`"`)) {
				tags[name] = append(tags[name], `<link rel="`+kind+`" crossorigin href="`+address+`">`)
			}
		}
	}
	return tags, nil
}

// scripts returns, by source module of the client, the tag that runs its file.
func scripts(manifest []byte) (map[string]string, error) {
	var chunks map[string]chunk
	if err := json.Unmarshal(manifest, &chunks); err != nil {
		return nil, err
	}
	tags := make(map[string]string, len(chunks))
	for name, one := range chunks {
		tags[name] = `<script type="module" crossorigin src="/` + html.EscapeString(one.File) + `"></script>`
	}
	return tags, nil
}

func follow(chunks map[string]chunk, name string, files map[string]bool) {
	one, ok := chunks[name]
	if !ok || files[one.File] {
		return
	}
	files[one.File] = true
	for _, style := range one.CSS {
		files[style] = true
	}
	for _, imported := range one.Imports {
		follow(chunks, imported, files)
	}
}

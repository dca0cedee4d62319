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

// A page may carry what its first screen would ask for next: the modules of its
// code, as tags that load them at once, and answers of the data API, as JSON in
// the element that answersTag begins. Both only save trips: a client that finds
// nothing there asks as it always does. From the same answers a project may draw
// the first screen, for people whose scripts are on their way and for readers
// that run none.

// Request is a GET of the data API, as the client will send it as a visitor: its
// path with its query, and its Prefer header.
type Request struct{ Path, Prefer string }

// Answer is what the data API said to a Request.
type Answer struct {
	Path   string          `json:"path"`
	Prefer string          `json:"prefer,omitempty"`
	Status int             `json:"status"`
	Range  string          `json:"range,omitempty"` // Content-Range
	Body   json.RawMessage `json:"body"`
}

// Next returns further requests, which depend on the answers to those of the page; nil
// stands for an answer that did not come in time.
type Next func(answers []*Answer) []Request

// Draw gives a first screen, from the answers to the page's requests and
// then to those of Next, in their order; nil stands for one that did not come in time.
type Draw func(answers []*Answer) View

// View is a first screen, and what the answers say of the page.
type View struct {
	HTML   []byte // nil draws nothing
	Status int    // HTTP status of the page; 0 leaves it
}

// rootTag begins the element of the client's page that its script draws in.
var rootTag = []byte(`<div id="root">`)

const (
	answersTag = `<script type="application/json" id="first-answers">`
	// maxAnswer bounds each answer in the page, maxWait them all. The client requests
	// larger or slower ones itself.
	maxAnswer = 64 << 10
	maxWait   = 300 * time.Millisecond
)

// begin puts into a page what its first screen asks for, and gives its status.
func (s *Site) begin(r *http.Request, meta Meta, page []byte) ([]byte, int) {
	var tags []string
	for _, module := range meta.Modules {
		for _, tag := range s.preloads[module] {
			if !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	page = bytes.Replace(page, []byte("</head>"), []byte(strings.Join(tags, "")+"</head>"), 1)
	answers := s.answers(r, meta)
	var first View
	if meta.Draw != nil {
		first = meta.Draw(answers)
	}
	if first.HTML != nil {
		page = bytes.Replace(page, rootTag, slices.Concat(rootTag, first.HTML), 1)
	}
	page = bytes.Replace(page, []byte("</body>"), append(encode(answers), "</body>"...), 1)
	return page, cmp.Or(meta.Status, first.Status, http.StatusOK)
}

// answers asks the data API as anon. What did not come in time is nil.
func (s *Site) answers(r *http.Request, meta Meta) []*Answer {
	ctx, cancel := context.WithTimeout(r.Context(), maxWait)
	defer cancel()
	found := s.askAll(ctx, r, meta.Requests)
	if meta.Next != nil {
		found = append(found, s.askAll(ctx, r, meta.Next(found))...)
	}
	return found
}

func (s *Site) askAll(ctx context.Context, page *http.Request, asked []Request) []*Answer {
	found := make([]*Answer, len(asked))
	var wait sync.WaitGroup
	for i, one := range asked {
		wait.Go(func() { found[i] = s.ask(ctx, page, one) })
	}
	wait.Wait()
	return found
}

// encode returns the element that carries the answers; nil when there is none.
func encode(answers []*Answer) []byte {
	came := slices.DeleteFunc(slices.Clone(answers), func(a *Answer) bool { return a == nil })
	if len(came) == 0 {
		return nil
	}
	// Marshal escapes "<", ">" and "&", so that no answer can end the element.
	text, err := json.Marshal(came)
	if err != nil {
		panic("site: what was read as JSON encodes as JSON: " + err.Error())
	}
	return slices.Concat([]byte(answersTag), text, []byte("</script>"))
}

// ask returns nil for what the client had better ask itself.
func (s *Site) ask(ctx context.Context, page *http.Request, asked Request) (got *Answer) {
	target, err := url.ParseRequestURI(asked.Path)
	if err != nil {
		return nil
	}
	request := page.Clone(ctx) // whose address limits count
	request.Method, request.URL, request.RequestURI, request.Pattern = http.MethodGet, target, asked.Path, ""
	for _, name := range []string{"Cookie", "Authorization", "Accept", "Accept-Encoding", "Accept-Profile", "Range", "If-None-Match", "Origin", "Prefer"} {
		request.Header.Del(name)
	}
	request.Header.Set("Apikey", s.AnonKey)
	request.Header.Set("Authorization", "Bearer "+s.AnonKey)
	if asked.Prefer != "" {
		request.Header.Set("Prefer", asked.Prefer)
	}
	// A handler breaks an answer off by panicking; httpx.Observe has logged any other panic.
	defer func() {
		if recover() != nil {
			got = nil
		}
	}()
	kept := &recorder{header: make(http.Header), status: http.StatusOK}
	s.API.ServeHTTP(kept, request)
	if kept.full || kept.status >= 300 || ctx.Err() != nil || !json.Valid(kept.body.Bytes()) {
		return nil
	}
	return &Answer{asked.Path, asked.Prefer, kept.status, kept.header.Get("Content-Range"), kept.body.Bytes()}
}

// recorder keeps an answer of up to maxAnswer bytes.
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

// chunk is an entry of the manifest that Vite writes beside the client it built.
type chunk struct {
	File    string   `json:"file"`
	CSS     []string `json:"css"`
	Imports []string `json:"imports"`
}

// preloads gives, per source module of the client, the tags that load its code at
// once, but for what the page names already.
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
			// What draws the page goes before what runs in it.
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

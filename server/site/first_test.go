package site_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"plaza/server/site"
)

const manifest = `{
	"index.html": {"file": "assets/main.js", "imports": ["_shared"]},
	"_shared": {"file": "assets/shared.js"},
	"src/shop.tsx": {"file": "assets/shop.js", "imports": ["_shared", "_card", "index.html"]},
	"src/other.tsx": {"file": "assets/other.js", "imports": ["_card"]},
	"_card": {"file": "assets/card.js", "css": ["assets/card.css"], "imports": ["src/shop.tsx"]}
}`

// api is a substitute for the data API that checks the headers of its requests.
func api(t *testing.T) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /rest/v1/shops", func(w http.ResponseWriter, r *http.Request) {
		for name, want := range map[string]string{
			"Authorization": "Bearer key", "Apikey": "key", "Cookie": "", "Accept-Encoding": "", "Prefer": "count=exact", "X-Forwarded-For": "192.0.2.7",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		w.Header().Set("Content-Range", "0-0/12")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = fmt.Fprintf(w, `[{"name":"</script><b>&","id":%q}]`, r.URL.Query().Get("id"))
	})
	routes.HandleFunc("GET /rest/v1/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	routes.HandleFunc("GET /rest/v1/large", func(w http.ResponseWriter, _ *http.Request) {
		for range 100 {
			_, _ = fmt.Fprintf(w, "%2000d", 1)
		}
	})
	routes.HandleFunc("GET /rest/v1/broken", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`[`))
		panic(http.ErrAbortHandler)
	})
	routes.HandleFunc("GET /rest/v1/words", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`words`)) })
	return routes
}

func begins(t *testing.T, meta site.Meta) *site.Site {
	t.Helper()
	built := client()
	built[".vite/manifest.json"] = &fstest.MapFile{Data: []byte(manifest)}
	s, err := site.New(built, site.Options{AnonKey: "key", Describe: func(*http.Request) site.Meta { return meta }, API: api(t)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The first responses are embedded in the page. They are requested as an anonymous
// visitor, and their content cannot close the script element.
func TestPageContainsFirstResponses(t *testing.T) {
	t.Parallel()
	s := begins(t, site.Meta{Requests: []site.Request{
		{Path: "/rest/v1/shops?id=eq.1&select=a(b)", Prefer: "count=exact"},
		{Path: "/rest/v1/slow"}, {Path: "/rest/v1/large"}, {Path: "/rest/v1/broken"}, {Path: "/rest/v1/missing"}, {Path: "no path"},
	}})
	_, body := get(t, s, "/", "Cookie", "a=b", "Authorization", "Bearer other", "Accept-Encoding", "deflate", "X-Forwarded-For", "192.0.2.7")
	_, rest, found := strings.Cut(body, `<script type="application/json" id="first-answers">`)
	text, after, ended := strings.Cut(rest, "</script>")
	if !found || !ended || after != "</body>\n</html>" {
		t.Fatalf("no answers in %s", body)
	}
	var answers []struct {
		Path, Prefer, Range string
		Status              int
		Body                []struct{ Name, ID string }
	}
	if err := json.Unmarshal([]byte(text), &answers); err != nil {
		t.Fatal(err)
	}
	if len(answers) != 1 {
		t.Fatalf("%d answers: %s", len(answers), text)
	}
	got := answers[0]
	if got.Path != "/rest/v1/shops?id=eq.1&select=a(b)" || got.Prefer != "count=exact" || got.Status != 206 || got.Range != "0-0/12" ||
		got.Body[0].Name != "</script><b>&" || got.Body[0].ID != "eq.1" {
		t.Errorf("%+v", got)
	}
}

// A project renders from the responses. A response that did not arrive in time is nil.
func TestPageIsRendered(t *testing.T) {
	t.Parallel()
	meta := site.Meta{
		Requests: []site.Request{{Path: "/rest/v1/slow"}, {Path: "/rest/v1/shops?id=eq.1", Prefer: "count=exact"}},
		Draw: func(answers []*site.Answer) site.View {
			if len(answers) != 2 || answers[0] != nil || answers[1] == nil || answers[1].Range != "0-0/12" {
				t.Errorf("answers %v", answers)
			}
			return site.View{HTML: []byte("<h1>One shop</h1>")}
		},
	}
	if _, body := get(t, begins(t, meta), "/", "X-Forwarded-For", "192.0.2.7"); strings.Count(body, `<div id="root"><h1>One shop</h1></div>`) != 1 {
		t.Error(body)
	}
	for _, status := range []int{0, http.StatusNotFound} {
		meta.Draw = func([]*site.Answer) site.View { return site.View{Status: status} }
		answer, body := get(t, begins(t, meta), "/", "X-Forwarded-For", "192.0.2.7")
		if !strings.Contains(body, `<div id="root"></div>`) || answer.StatusCode != cmp.Or(status, http.StatusOK) {
			t.Error(answer.Status, body)
		}
	}
}

// The data of a page has a second, or as long as the configuration says.
func TestPageTimeout(t *testing.T) {
	t.Parallel()
	for given, want := range map[time.Duration]time.Duration{0: time.Second, time.Hour: time.Hour} {
		var deadline time.Time
		api := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { deadline, _ = r.Context().Deadline() })
		built := client()
		built[".vite/manifest.json"] = &fstest.MapFile{Data: []byte(manifest)}
		s, err := site.New(built, site.Options{
			AnonKey: "key", Timeout: given, API: api,
			Describe: func(*http.Request) site.Meta { return site.Meta{Requests: []site.Request{{Path: "/rest/v1/shops"}}} },
		})
		if err != nil {
			t.Fatal(err)
		}
		before := time.Now()
		get(t, s, "/")
		if deadline.Before(before.Add(want)) || deadline.After(time.Now().Add(want)) {
			t.Errorf("with %s: %s", given, deadline.Sub(before))
		}
	}
}

// Later requests of a page may depend on the first responses; the page is rendered from
// both.
func TestPageSendsFurtherRequests(t *testing.T) {
	t.Parallel()
	meta := site.Meta{
		Requests: []site.Request{{Path: "/rest/v1/missing"}, {Path: "/rest/v1/shops?id=eq.1", Prefer: "count=exact"}},
		Next: func(answers []*site.Answer) []site.Request {
			if len(answers) != 2 || answers[0] != nil || answers[1] == nil {
				t.Errorf("answers %v", answers)
			}
			return []site.Request{{Path: "/rest/v1/shops?id=eq.2", Prefer: "count=exact"}, {Path: "/rest/v1/missing"}}
		},
		Draw: func(answers []*site.Answer) site.View {
			if len(answers) != 4 || answers[1] == nil || answers[3] != nil {
				t.Fatalf("answers %v", answers)
			}
			return site.View{HTML: []byte("<h1>Two shops</h1>")}
		},
	}
	_, body := get(t, begins(t, meta), "/", "X-Forwarded-For", "192.0.2.7")
	if !strings.Contains(body, `<div id="root"><h1>Two shops</h1></div>`) || !strings.Contains(body, `"path":"/rest/v1/shops?id=eq.2"`) {
		t.Error(body)
	}
}

func TestPageWithoutResponsesIsComplete(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/rest/v1/missing", "/rest/v1/words", "/rest/v1/broken"} {
		_, body := get(t, begins(t, site.Meta{Requests: []site.Request{{Path: path}}}), "/")
		if body != strings.Replace(page, "__SUPABASE_ANON_KEY__", "key", 1) {
			t.Errorf("%s: %s", path, body)
		}
	}
}

// Each file of a module is listed once, without files that the page already references.
func TestPageListsFilesOfModules(t *testing.T) {
	t.Parallel()
	_, body := get(t, begins(t, site.Meta{Modules: []string{"src/shop.tsx", "src/other.tsx", "src/none.tsx"}}), "/")
	for tag, times := range map[string]int{
		`<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/shop.js">`:   1,
		`<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/other.js">`:  1,
		`<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/card.js">`:   1,
		`<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/shared.js">`: 1,
		`<link rel="stylesheet" crossorigin href="/assets/card.css">`:                         1,
		`/assets/main.js`: 1,
	} {
		if got := strings.Count(body, tag); got != times {
			t.Errorf("%s: %d times, want %d", tag, got, times)
		}
	}
}

// Scripts that must run first are before the client's own, in their order.
func TestScriptsRunFirst(t *testing.T) {
	t.Parallel()
	_, body := get(t, begins(t, site.Meta{Scripts: []string{"src/other.tsx", "src/none.tsx", "src/shop.tsx"}}), "/")
	scripts := `<script type="module" crossorigin src="/assets/other.js"></script>` +
		`<script type="module" crossorigin src="/assets/shop.js"></script>`
	if at := strings.Index(body, scripts); at < 0 || at > strings.Index(body, "/assets/main.js") {
		t.Errorf("no %s before the client:\n%s", scripts, body)
	}
}

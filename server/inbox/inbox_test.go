package inbox_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/inbox"
)

var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

func start(t *testing.T, mails ...inbox.Mail) (*inbox.Inbox, func(method, path string, header ...string) (*http.Response, string)) {
	t.Helper()
	box := inbox.New(func() time.Time { return noon })
	for _, m := range mails {
		box.Add(m)
	}
	web := httptest.NewServer(box.Routes("/inbox"))
	t.Cleanup(web.Close)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return box, func(method, path string, header ...string) (*http.Response, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, web.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response, string(body)
	}
}

var (
	ana = inbox.Mail{Kind: "confirmation", To: "ana@plaza.test", Subject: "Confirm your email", HTML: "<!doctype html><html><head></head><body>Hi</body></html>", Text: "Hi"}
	ben = inbox.Mail{Kind: "recovery", To: "ben@plaza.test", Subject: "Reset <your> password", Text: "Code 123456"}
)

func TestMessages(t *testing.T) {
	t.Parallel()
	_, get := start(t, ana, ben, ana)
	tests := []struct {
		name, query string
		want        []int
	}{
		{"all, newest first", "", []int{3, 2, 1}},
		{"to one address", "?to=" + url.QueryEscape("ANA@plaza.test"), []int{3, 1}},
		{"to nobody", "?to=x@plaza.test", []int{}},
		{"an address is matched as a whole", "?to=na@plaza.test", []int{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			response, body := get("GET", "/inbox/messages"+tt.query)
			var mails []inbox.Mail
			if err := json.Unmarshal([]byte(body), &mails); err != nil || response.StatusCode != http.StatusOK {
				t.Fatalf("%d %v\n%s", response.StatusCode, err, body)
			}
			ids := []int{}
			for _, m := range mails {
				ids = append(ids, m.ID)
			}
			if fmt.Sprint(ids) != fmt.Sprint(tt.want) {
				t.Errorf("got %v, want %v", ids, tt.want)
			}
		})
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	_, get := start(t, ana, ben)
	tests := []struct {
		name, path string
		status     int
		has, not   []string
	}{
		{"list", "/inbox", 200, []string{`href="/inbox/1"`, `href="/inbox/2"`, "Reset &lt;your&gt; password", `src="/inbox/live.js"`, `<p role="status">2 mails</p>`}, []string{"<iframe"}},
		{"search by address", "/inbox?q=BEN", 200, []string{`href="/inbox/2?q=BEN"`, `value="BEN"`}, []string{`href="/inbox/1`}},
		{"search without a hit", "/inbox?q=%3Cb%3E", 200, []string{"No mail matches “&lt;b&gt;”"}, []string{"<b>"}},
		{"a mail", "/inbox/1", 200, []string{`src="/inbox/1/html"`, `sandbox="allow-popups allow-popups-to-escape-sandbox"`, `aria-current="page"`}, nil},
		{"a mail of text alone", "/inbox/2", 200, []string{"Code 123456"}, []string{"<iframe"}},
		{"no such mail", "/inbox/9", 404, []string{"Choose a mail"}, nil},
		{"no number", "/inbox/x", 404, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			response, body := get("GET", tt.path)
			if response.StatusCode != tt.status {
				t.Fatalf("status %d, want %d", response.StatusCode, tt.status)
			}
			for _, text := range tt.has {
				if !strings.Contains(body, text) {
					t.Errorf("%q is missing in\n%s", text, body)
				}
			}
			for _, text := range append(tt.not, "<script>", " style=", " onclick=") {
				if strings.Contains(body, text) {
					t.Errorf("%q is in the page", text)
				}
			}
			policy := response.Header.Get("Content-Security-Policy")
			if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") {
				t.Errorf("policy %q", policy)
			}
		})
	}
}

// The HTML of a mail cannot run scripts or access the server.
func TestMailIsSandboxed(t *testing.T) {
	t.Parallel()
	_, get := start(t, ana)
	response, body := get("GET", "/inbox/1/html")
	if !strings.HasPrefix(response.Header.Get("Content-Security-Policy"), "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';") {
		t.Errorf("policy %q", response.Header.Get("Content-Security-Policy"))
	}
	if !strings.Contains(body, `<base target="_blank">`) {
		t.Error("links stay in the frame")
	}
	if response, _ := get("GET", "/inbox/9/html"); response.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", response.StatusCode)
	}
}

func TestLiveScript(t *testing.T) {
	t.Parallel()
	_, get := start(t)
	response, body := get("GET", "/inbox/live.js")
	if response.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || !strings.Contains(body, "setInterval") {
		t.Errorf("%s\n%s", response.Header.Get("Content-Type"), body)
	}
}

func TestClear(t *testing.T) {
	t.Parallel()
	box, call := start(t, ana)
	if response, _ := call("POST", "/inbox/clear", "Sec-Fetch-Site", "cross-site"); response.StatusCode != http.StatusForbidden || len(box.Find("")) != 1 {
		t.Errorf("another site cleared the inbox: %d", response.StatusCode)
	}
	if response, _ := call("POST", "/inbox/clear", "Sec-Fetch-Site", "same-origin"); response.StatusCode != http.StatusSeeOther || len(box.Find("")) != 0 {
		t.Errorf("not cleared: %d", response.StatusCode)
	}
	if _, body := call("GET", "/inbox"); !strings.Contains(body, "No mails yet") {
		t.Error("an empty inbox does not say so")
	}
}

func TestOldMailsAreDropped(t *testing.T) {
	t.Parallel()
	box, _ := start(t)
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			for range 75 {
				box.Add(ana)
			}
		})
	}
	senders.Wait()
	held := box.Find("")
	if len(held) != 200 || held[0].ID != 300 || held[199].ID != 101 {
		t.Errorf("%d mails, %d to %d", len(held), held[len(held)-1].ID, held[0].ID)
	}
}

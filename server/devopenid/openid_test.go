package devopenid_test

import (
	"context"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"plaza/server/devopenid"
	"plaza/tests/testkit"
)

const (
	callback = "http://app.test/auth/v1/callback"
	verifier = "a-verifier-of-tests-that-is-43-characters-long"
)

// served is a running provider with a client.
type served struct {
	t      *testing.T
	web    *httptest.Server
	clock  *testkit.Clock
	client oauth2.Config
	verify *oidc.IDTokenVerifier
}

func serve(t *testing.T) *served {
	t.Helper()
	s := &served{t: t, clock: testkit.NewClock(time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC))}
	mux := http.NewServeMux()
	s.web = httptest.NewServer(mux)
	t.Cleanup(s.web.Close)
	provider, err := devopenid.New(devopenid.Options{Issuer: s.web.URL + "/openid", Callback: callback, Now: s.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle("/openid/", provider.Routes("/openid"))
	// Through Network, as the server itself calls it.
	ctx := oidc.ClientContext(t.Context(), &http.Client{Transport: devopenid.NewTransport(mux)})
	found, err := oidc.NewProvider(ctx, s.web.URL+"/openid")
	if err != nil {
		t.Fatal(err)
	}
	s.client = oauth2.Config{
		ClientID: devopenid.ClientID, ClientSecret: provider.Secret(), Endpoint: found.Endpoint(), RedirectURL: callback, Scopes: []string{"openid", "email"},
	}
	s.verify = found.Verifier(&oidc.Config{ClientID: devopenid.ClientID, Now: s.clock.Now})
	return s
}

func (s *served) request(extra ...oauth2.AuthCodeOption) string {
	return s.client.AuthCodeURL("the-state", append(extra, oauth2.S256ChallengeOption(verifier), oidc.Nonce("the-nonce"))...)
}

func (s *served) get(address string) (*http.Response, string) {
	return s.send(http.MethodGet, address, nil)
}

func (s *served) send(method, address string, form url.Values) (*http.Response, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, string(body)
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// press opens the page of an authorization request and presses a button.
func (s *served) press(address string, pressed url.Values) (*http.Response, string) {
	s.t.Helper()
	response, page := s.get(address)
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("the page answers %s:\n%s", response.Status, page)
	}
	form := url.Values{}
	for _, field := range hidden.FindAllStringSubmatch(page, -1) {
		form.Set(field[1], html.UnescapeString(field[2]))
	}
	for name, value := range pressed {
		form[name] = value
	}
	return s.send(http.MethodPost, s.web.URL+"/openid/authorize", form)
}

// back returns the parameters of the redirect after a press.
func (s *served) back(response *http.Response, body string) url.Values {
	s.t.Helper()
	target, err := url.Parse(response.Header.Get("Location"))
	if err != nil || response.StatusCode != http.StatusSeeOther || !strings.HasPrefix(target.String(), callback+"?") {
		s.t.Fatalf("answer %s, location %q\n%s", response.Status, response.Header.Get("Location"), body)
	}
	return target.Query()
}

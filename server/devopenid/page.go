package devopenid

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"sync"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("openid").Parse(pageHTML)) })

// policy has no form-action, because the redirect leads through this server to the app, which may
// have any origin.
var policy = func() string {
	sum := sha256.Sum256([]byte(pageCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; frame-ancestors 'none'"
}()

// request is an authorization request. The form passes it on in hidden fields.
type request struct {
	Client, Redirect, State, Nonce, Scope, Type, Challenge, Method string
	Offline                                                        bool
}

func parseRequest(values url.Values) request {
	return request{
		Client: values.Get("client_id"), Redirect: values.Get("redirect_uri"), State: values.Get("state"), Nonce: values.Get("nonce"),
		Scope: values.Get("scope"), Type: values.Get("response_type"), Challenge: values.Get("code_challenge"),
		Method: values.Get("code_challenge_method"), Offline: values.Get("access_type") == "offline",
	}
}

// Fields returns the request as hidden fields of the form.
func (q request) Fields() map[string]string {
	fields := map[string]string{
		"client_id": q.Client, "redirect_uri": q.Redirect, "state": q.State, "nonce": q.Nonce, "scope": q.Scope, "response_type": q.Type,
		"code_challenge": q.Challenge, "code_challenge_method": q.Method,
	}
	if q.Offline {
		fields["access_type"] = "offline"
	}
	return fields
}

// view has the data of the page.
type view struct {
	Style   template.CSS
	Host    string
	Request request
	People  []Person
	Problem string // an error, shown instead of the form
	Hint    string // an error about the typed user
	Typed   Person
}

// isKnownClient reports whether a request comes from the only client with its redirect URI.
func (p *Provider) isKnownClient(q request) bool {
	return q.Client == ClientID && q.Redirect == p.options.Callback
}

// page answers GET /authorize with the choice of users.
func (p *Provider) page(w http.ResponseWriter, r *http.Request) {
	q := parseRequest(r.URL.Query())
	switch {
	case !p.isKnownClient(q):
		p.render(w, http.StatusBadRequest, view{Problem: "This request is not from an app that this provider knows."})
	case q.Type != "code":
		redirectBack(w, r, q, url.Values{"error": {"unsupported_response_type"}, "error_description": {"Only the code flow is served"}})
	case q.Challenge == "" || q.Method != "S256":
		redirectBack(w, r, q, url.Values{"error": {"invalid_request"}, "error_description": {"A code_challenge with S256 is needed"}})
	default:
		p.render(w, http.StatusOK, view{Request: q, Typed: Person{Verified: true}})
	}
}

// handleChoice answers POST /authorize, which the page's buttons send.
func (p *Provider) handleChoice(w http.ResponseWriter, r *http.Request) {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" {
		p.render(w, http.StatusForbidden, view{Problem: "Another page tried to sign you in."})
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		p.render(w, http.StatusBadRequest, view{Problem: "The form cannot be read."})
		return
	}
	q := parseRequest(r.PostForm)
	if !p.isKnownClient(q) || q.Challenge == "" {
		p.render(w, http.StatusBadRequest, view{Problem: "This request is not from an app that this provider knows."})
		return
	}
	if r.PostForm.Has("cancel") {
		redirectBack(w, r, q, url.Values{"error": {"access_denied"}, "error_description": {"The sign-in was cancelled"}})
		return
	}
	person, ok := p.parseChoice(r.PostForm)
	if !ok {
		p.render(w, http.StatusUnprocessableEntity, view{Request: q, Typed: person, Hint: "Enter a name and an email address such as name@example.com."})
		return
	}
	redirectBack(w, r, q, url.Values{"code": {p.store(p.codes, grant{request: q, person: person}, codeLifetime)}})
}

// Limits of typed and stored users.
const (
	maxName   = 100
	maxPeople = 8
)

// parseChoice returns the chosen user, or the typed one, which it adds to the offered users. It
// returns false if the choice is invalid.
func (p *Provider) parseChoice(form url.Values) (Person, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if chosen := form.Get("person"); chosen != "" {
		index := slices.IndexFunc(p.people, func(person Person) bool { return person.Email == chosen })
		if index < 0 {
			return Person{}, false
		}
		return p.people[index], true
	}
	person := Person{strings.TrimSpace(form.Get("name")), strings.ToLower(strings.TrimSpace(form.Get("email"))), form.Has("verified")}
	address, err := mail.ParseAddress(person.Email)
	if err != nil || address.Address != person.Email || person.Name == "" || len(person.Name) > maxName || len(person.Email) > maxName {
		return person, false
	}
	p.people = slices.DeleteFunc(p.people, func(other Person) bool { return other.Email == person.Email })
	p.people = append(p.people, person)
	if len(p.people) > maxPeople {
		p.people = slices.Delete(p.people, len(People), len(People)+1)
	}
	return person, true
}

// redirectBack redirects to the app.
func redirectBack(w http.ResponseWriter, r *http.Request, q request, params url.Values) {
	params.Set("state", q.State)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, q.Redirect+"?"+params.Encode(), http.StatusSeeOther)
}

func (p *Provider) render(w http.ResponseWriter, status int, v view) {
	p.mu.Lock()
	v.People = slices.Clone(p.people)
	p.mu.Unlock()
	if issuer, err := url.Parse(p.options.Issuer); err == nil {
		v.Host = issuer.Host
	}
	v.Style = template.CSS(pageCSS)
	var out bytes.Buffer
	if err := page().Execute(&out, v); err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", policy)
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // fails only if the client has disconnected
}

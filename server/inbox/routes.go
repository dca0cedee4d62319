package inbox

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed live.js
var liveJS []byte

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("inbox").Parse(pageHTML)) })

// policy allows only our own script file. A mail's HTML is shown in a sandboxed frame.
var policy = func() string {
	sum := sha256.Sum256([]byte(pageCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; script-src 'self'; connect-src 'self'; " +
		"frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}()

// mailPolicy is the policy of a mail's HTML. It allows inline styles, images and links that open a new
// page, but no scripts.
const mailPolicy = "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https: http:; base-uri 'none'; frame-ancestors 'self'"

// Routes serves the inbox under a prefix such as "/inbox".
func (b *Inbox) Routes(prefix string) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET "+prefix, b.list(prefix))
	routes.HandleFunc("GET "+prefix+"/{id}", b.show(prefix))
	routes.HandleFunc("GET "+prefix+"/{id}/html", b.html)
	routes.HandleFunc("GET "+prefix+"/messages", b.messages)
	routes.HandleFunc("GET "+prefix+"/live.js", live)
	routes.HandleFunc("POST "+prefix+"/clear", b.clear(prefix))
	return routes
}

// view has the data of the page: the list and, if one is chosen, a mail.
type view struct {
	Style  template.CSS
	Prefix string
	Search string
	Mails  []Mail
	Open   *Mail
}

func (b *Inbox) list(prefix string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		search := r.URL.Query().Get("q")
		render(w, http.StatusOK, view{Prefix: prefix, Search: search, Mails: b.Find(search)})
	}
}

func (b *Inbox) show(prefix string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		search := r.URL.Query().Get("q")
		shown, status := view{Prefix: prefix, Search: search, Mails: b.Find(search)}, http.StatusNotFound
		if m, ok := b.byPath(r); ok {
			shown.Open, status = &m, http.StatusOK
		}
		render(w, status, shown)
	}
}

func (b *Inbox) byPath(r *http.Request) (Mail, bool) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return Mail{}, false
	}
	return b.Get(id)
}

func render(w http.ResponseWriter, status int, v view) {
	v.Style = template.CSS(pageCSS)
	var out bytes.Buffer
	if err := page().Execute(&out, v); err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	setSecurityHeaders(w.Header(), policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes()) // fails only if the client has disconnected
}

// live serves the script that refreshes the list.
func live(w http.ResponseWriter, _ *http.Request) {
	setSecurityHeaders(w.Header(), policy)
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, _ = w.Write(liveJS)
}

func setSecurityHeaders(header http.Header, contentPolicy string) {
	header.Set("Content-Security-Policy", contentPolicy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")
}

// html serves the HTML of a mail for the frame.
func (b *Inbox) html(w http.ResponseWriter, r *http.Request) {
	m, ok := b.byPath(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	setSecurityHeaders(w.Header(), mailPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	// Links in a mail open outside of the frame.
	_, _ = w.Write([]byte(strings.Replace(m.HTML, "<head>", `<head><base target="_blank">`, 1)))
}

// messages serves the mails as JSON: all of them, or those to one address, newest first.
func (b *Inbox) messages(w http.ResponseWriter, r *http.Request) {
	found := b.Find("")
	if address := r.URL.Query().Get("to"); address != "" {
		found = b.To(address)
	}
	encoded, err := json.Marshal(found)
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	setSecurityHeaders(w.Header(), policy)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(encoded)
}

func (b *Inbox) clear(prefix string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" {
			http.Error(w, "Forbidden", http.StatusForbidden)
			return
		}
		b.Clear()
		http.Redirect(w, r, prefix, http.StatusSeeOther)
	}
}

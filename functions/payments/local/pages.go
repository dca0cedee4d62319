package local

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("payments").Parse(pageHTML)) })

// policy has no form-action, as forms redirect to the app, which may be on any origin.
var policy = func() string {
	sum := sha256.Sum256([]byte(pageCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; frame-ancestors 'none'"
}()

// view is the data of a page: a checkout, a portal, or only a problem.
type view struct {
	Style         template.CSS
	Title         string
	Problem       string
	Checkout      *checkout
	Portal        *portal
	Subscriptions []*subscription
}

// Amount returns the price of a period as text.
func (p price) Amount() string {
	period := map[string]string{"year": "a year"}[p.Recurring.Interval]
	if period == "" {
		period = "a month"
	}
	return fmt.Sprintf("%d.%02d %s %s", p.UnitAmount/100, p.UnitAmount%100, strings.ToUpper(p.Currency), period)
}

// Price returns the price of a period of the subscription.
func (s *subscription) Price() price { return s.item().Price }

// Routes serves the pages.
func (p *Provider) Routes() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET "+Prefix+"checkout/{id}", p.showCheckout)
	routes.HandleFunc("POST "+Prefix+"checkout/{id}", p.pay)
	routes.HandleFunc("GET "+Prefix+"portal/{id}", p.showPortal)
	routes.HandleFunc("POST "+Prefix+"portal/{id}", p.manage)
	return routes
}

func render(w http.ResponseWriter, status int, shown view) {
	shown.Style = template.CSS(pageCSS)
	var out bytes.Buffer
	if err := page().Execute(&out, shown); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Security-Policy", policy)
	head.Set("Cache-Control", "no-store")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_, _ = w.Write(out.Bytes())
}

// renderError writes a page for an error.
func (p *Provider) renderError(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, errNotFound) {
		render(w, http.StatusNotFound, view{Title: "Nothing here", Problem: "This page is not known, or was used already."})
		return
	}
	p.options.Log.ErrorContext(r.Context(), "render a page of test payments", "error", err)
	render(w, http.StatusInternalServerError, view{Title: "Something went wrong", Problem: "Please try again in a moment."})
}

// readAction returns the action of the button that was pressed. ok is false if another
// site's page sent the form; the response is then written.
func readAction(w http.ResponseWriter, r *http.Request) (action string, ok bool) {
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" {
		render(w, http.StatusForbidden, view{Title: "Not from here", Problem: "Another page tried to press a button of this one."})
		return "", false
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	return r.PostFormValue("action"), true
}

func (p *Provider) openCheckout(w http.ResponseWriter, r *http.Request) (*checkout, bool) {
	found := &checkout{}
	err := p.store.get(r.Context(), r.PathValue("id"), kindCheckout, found)
	if err == nil && found.Status != "open" {
		err = fmt.Errorf("%w: it is paid", errNotFound)
	}
	if err != nil {
		p.renderError(w, r, err)
		return nil, false
	}
	return found, true
}

func (p *Provider) showCheckout(w http.ResponseWriter, r *http.Request) {
	if found, ok := p.openCheckout(w, r); ok {
		render(w, http.StatusOK, view{Title: "Subscribe to " + found.Product, Checkout: found})
	}
}

// pay handles the form of a checkout page.
func (p *Provider) pay(w http.ResponseWriter, r *http.Request) {
	action, ok := readAction(w, r)
	if !ok {
		return
	}
	found, ok := p.openCheckout(w, r)
	if !ok {
		return
	}
	switch action {
	case "pay":
	case "cancel":
		redirect(w, r, found.CancelURL)
		return
	default:
		render(w, http.StatusPaymentRequired, view{Title: "Subscribe to " + found.Product, Checkout: found, Problem: "Your card was declined. Nothing was paid."})
		return
	}
	created := newSubscription(*found, p.options.Now())
	done, err := p.store.complete(r.Context(), found.ID, created.ID)
	if err == nil {
		err = p.storeAndNotify(r.Context(), created, "customer.subscription.created", "invoice.paid")
	}
	if err != nil {
		p.renderError(w, r, err)
		return
	}
	p.sendEvent(r.Context(), "checkout.session.completed", done)
	redirect(w, r, strings.ReplaceAll(found.SuccessURL, "{CHECKOUT_SESSION_ID}", url.QueryEscape(found.ID)))
}

func redirect(w http.ResponseWriter, r *http.Request, target string) {
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, target, http.StatusSeeOther)
}

func (p *Provider) openPortal(w http.ResponseWriter, r *http.Request) (*portal, []*subscription, bool) {
	found := &portal{}
	err := p.store.get(r.Context(), r.PathValue("id"), kindPortal, found)
	var list []*subscription
	if err == nil {
		list, err = p.store.subscriptions(r.Context(), found.Customer)
	}
	if err != nil {
		p.renderError(w, r, err)
		return nil, nil, false
	}
	return found, list, true
}

func (p *Provider) showPortal(w http.ResponseWriter, r *http.Request) {
	if found, list, ok := p.openPortal(w, r); ok {
		render(w, http.StatusOK, view{Title: "Billing", Portal: found, Subscriptions: list})
	}
}

// manage handles the form of a portal page.
func (p *Provider) manage(w http.ResponseWriter, r *http.Request) {
	action, ok := readAction(w, r)
	if !ok {
		return
	}
	found, list, ok := p.openPortal(w, r)
	if !ok {
		return
	}
	for _, s := range list {
		if s.ID != r.PostFormValue("subscription") || s.Status == statusCanceled {
			continue
		}
		if err := p.storeAndNotify(r.Context(), s, s.apply(action, p.options.Now())...); err != nil {
			p.renderError(w, r, err)
			return
		}
	}
	redirect(w, r, Prefix+"portal/"+found.ID)
}

// apply applies the action of a button at the time now, and returns the events to send.
func (s *subscription) apply(action string, now time.Time) (events []string) {
	const updated, deleted = "customer.subscription.updated", "customer.subscription.deleted"
	switch action {
	case "cancel", "resume":
		s.CancelAtPeriodEnd = action == "cancel"
		return []string{updated}
	case "renew": // the period ends: the next one is paid, or the subscription ends
		if s.CancelAtPeriodEnd {
			s.end(now)
			return []string{deleted}
		}
		s.renew()
		return []string{"invoice.paid", updated}
	case "fail": // the period ends, and the card is declined
		s.renew()
		s.Status = statusPastDue
		return []string{"invoice.payment_failed", updated}
	case "settle":
		s.Status = statusActive
		return []string{"invoice.paid", updated}
	case "end":
		s.end(now)
		return []string{deleted}
	}
	return nil
}

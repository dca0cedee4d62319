// Package local is a payment provider for development and tests. It implements the part
// of Stripe's API that the marketplace uses, serves its own payment pages, and sends the
// same signed events to the webhook, so that only the card payment is simulated. It is
// not used in production.
package local

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"

	"plaza/server/httpx"
	"plaza/server/pg"
)

// Name identifies the provider where its ids are stored.
const Name = "test-payments"

// Prefix is the URL prefix of the provider's pages.
const Prefix = "/payments/test/"

// Options configure a Provider.
type Options struct {
	DB     *pg.DB
	Site   string // URL of the server, without a trailing slash
	Secret string // signs events
	Log    *slog.Logger
	Now    func() time.Time
}

// Provider is the test provider.
type Provider struct {
	options Options
	store   store

	webhook     http.Handler
	webhookPath string
}

// New returns a Provider with the given options.
func New(o Options) *Provider { return &Provider{options: o, store: store{o.DB}} }

// SetWebhook sets the handler and path that events are sent to. It must be called once,
// before the provider is used.
func (p *Provider) SetWebhook(handler http.Handler, path string) {
	p.webhook, p.webhookPath = handler, path
}

// maxForm is the largest form read, in bytes.
const maxForm = 1 << 16

// RoundTrip implements http.RoundTripper: it handles a call of Stripe's API in memory.
func (p *Provider) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	return serveInMemory(p.api(), r), nil
}

func (p *Provider) api() http.Handler {
	routes := http.NewServeMux()
	handle := func(pattern string, serve func(r *http.Request) (any, error)) {
		routes.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if err := r.ParseForm(); err != nil {
				writeError(w, http.StatusBadRequest, "parameter_invalid", err)
				return
			}
			result, err := serve(r)
			switch {
			case errors.Is(err, errNotFound):
				writeError(w, http.StatusNotFound, "resource_missing", err)
			case err != nil:
				writeError(w, http.StatusInternalServerError, "", err)
			default:
				_ = httpx.WriteJSON(w, http.StatusOK, result)
			}
		})
	}
	handle("POST /v1/customers", p.createCustomer)
	handle("POST /v1/checkout/sessions", p.createCheckout)
	handle("POST /v1/billing_portal/sessions", p.createPortal)
	handle("GET /v1/subscriptions", p.listSubscriptions)
	handle("DELETE /v1/subscriptions/{id}", p.endSubscription)
	return routes
}

// writeError writes an error in the format of Stripe's API.
func writeError(w http.ResponseWriter, status int, code string, err error) {
	_ = httpx.WriteJSON(w, status, map[string]any{"error": map[string]string{"type": "invalid_request_error", "code": code, "message": err.Error()}})
}

// metadata reads the fields name[key] of a form.
func metadata(r *http.Request, name string) map[string]string {
	found := map[string]string{}
	for field := range r.Form {
		if key, ok := strings.CutPrefix(field, name+"["); ok && strings.HasSuffix(key, "]") {
			found[strings.TrimSuffix(key, "]")] = r.Form.Get(field)
		}
	}
	return found
}

func (p *Provider) createCustomer(r *http.Request) (any, error) {
	created := customer{ID: newID("cus"), Object: kindCustomer, Email: r.Form.Get("email"), Name: r.Form.Get("name"), Metadata: metadata(r, "metadata")}
	return created, p.store.put(r.Context(), created.ID, kindCustomer, created.ID, created)
}

func (p *Provider) createCheckout(r *http.Request) (any, error) {
	const line = "line_items[0][price_data]"
	amount, err := strconv.ParseInt(r.Form.Get(line+"[unit_amount]"), 10, 64)
	if err != nil || amount < 0 {
		return nil, fmt.Errorf("unit_amount %q is no amount", r.Form.Get(line+"[unit_amount]"))
	}
	created := checkout{
		ID: newID("cs"), Object: kindCheckout, Customer: r.Form.Get("customer"), Mode: r.Form.Get("mode"), Status: "open",
		Reference: r.Form.Get("client_reference_id"), SuccessURL: r.Form.Get("success_url"), CancelURL: r.Form.Get("cancel_url"),
		Metadata: metadata(r, "subscription_data[metadata]"), Product: r.Form.Get(line + "[product_data][name]"),
		Price: price{UnitAmount: amount, Currency: r.Form.Get(line + "[currency]"), Recurring: recurring{r.Form.Get(line + "[recurring][interval]")}},
	}
	created.URL = p.options.Site + Prefix + "checkout/" + created.ID
	if err := p.store.get(r.Context(), created.Customer, kindCustomer, new(customer)); err != nil {
		return nil, err
	}
	return created, p.store.put(r.Context(), created.ID, kindCheckout, created.Customer, created)
}

func (p *Provider) createPortal(r *http.Request) (any, error) {
	created := portal{ID: newID("bps"), Object: kindPortal, Customer: r.Form.Get("customer"), ReturnURL: r.Form.Get("return_url")}
	created.URL = p.options.Site + Prefix + "portal/" + created.ID
	if err := p.store.get(r.Context(), created.Customer, kindCustomer, new(customer)); err != nil {
		return nil, err
	}
	return created, p.store.put(r.Context(), created.ID, kindPortal, created.Customer, created)
}

func (p *Provider) listSubscriptions(r *http.Request) (any, error) {
	customerID := r.Form.Get("customer")
	if err := p.store.get(r.Context(), customerID, kindCustomer, new(customer)); err != nil {
		return nil, err
	}
	list, err := p.store.subscriptions(r.Context(), customerID)
	return map[string]any{"object": "list", "data": list, "has_more": false, "url": "/v1/subscriptions"}, err
}

func (p *Provider) endSubscription(r *http.Request) (any, error) {
	var s subscription
	if err := p.store.get(r.Context(), r.PathValue("id"), kindSubscription, &s); err != nil {
		return nil, err
	}
	if s.Status == statusCanceled {
		return nil, fmt.Errorf("%w: %s has ended", errNotFound, s.ID)
	}
	s.end(p.options.Now())
	return s, p.storeAndNotify(r.Context(), &s, "customer.subscription.deleted")
}

// storeAndNotify stores a subscription and sends the given kinds of events about it.
func (p *Provider) storeAndNotify(ctx context.Context, s *subscription, events ...string) error {
	if err := p.store.put(ctx, s.ID, kindSubscription, s.Customer, s); err != nil {
		return err
	}
	for _, kind := range events {
		var object any = s
		if strings.HasPrefix(kind, "invoice.") {
			object = map[string]any{"id": newID("in"), "object": "invoice", "customer": s.Customer, "amount_due": s.item().Price.UnitAmount, "currency": s.item().Price.Currency}
		}
		p.sendEvent(ctx, kind, object)
	}
	return nil
}

// sendEvent sends an event to the webhook. A failure is only logged: the change is stored,
// and the reconciliation finds it later.
func (p *Provider) sendEvent(ctx context.Context, kind string, object any) {
	now := p.options.Now()
	payload, err := json.Marshal(map[string]any{
		"id": newID("evt"), "object": "event", "api_version": stripe.APIVersion, "created": now.Unix(), "type": kind, "livemode": false,
		"data": map[string]any{"object": object},
	})
	if err != nil {
		p.options.Log.ErrorContext(ctx, "a test payment's event", "error", err)
		return
	}
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: payload, Secret: p.options.Secret, Timestamp: now})
	request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPost, p.webhookPath, bytes.NewReader(payload))
	if err != nil {
		p.options.Log.ErrorContext(ctx, "a test payment's event", "error", err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Stripe-Signature", signed.Header)
	if response := serveInMemory(p.webhook, request); response.StatusCode >= http.StatusMultipleChoices {
		body, _ := io.ReadAll(response.Body)
		p.options.Log.WarnContext(ctx, "event of a test payment was not accepted", "event", kind, "status", response.StatusCode, "answer", string(body))
	}
}

// Package local is a payment provider for development and tests. It speaks the
// part of Stripe's API that the marketplace uses, has pages of its own to pay on,
// and tells of what happens through the same signed webhook, so that everything
// but the card is as it will be. Production refuses it.
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

// Name tells the provider's ids from those of others.
const Name = "test-payments"

// Prefix is where the provider's pages are.
const Prefix = "/payments/test/"

// Options of a provider.
type Options struct {
	DB     *pg.DB
	Site   string // address of the server, without a slash at its end
	Secret string // signs events
	Log    *slog.Logger
	Now    func() time.Time
}

// Provider is the test provider.
type Provider struct {
	options Options
	store   store
	hook    http.Handler
	path    string
}

// New makes a provider.
func New(o Options) *Provider { return &Provider{options: o, store: store{o.DB}} }

// Tell names the webhook that events are sent to. It is called once, before
// anything is bought.
func (p *Provider) Tell(hook http.Handler, path string) { p.hook, p.path = hook, path }

// maxForm is the largest form read, in bytes.
const maxForm = 1 << 16

// RoundTrip answers a call of Stripe's API, without a network.
func (p *Provider) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	return ask(p.api(), r), nil
}

func (p *Provider) api() http.Handler {
	routes := http.NewServeMux()
	on := func(pattern string, serve func(r *http.Request) (any, error)) {
		routes.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if err := r.ParseForm(); err != nil {
				refuse(w, http.StatusBadRequest, "parameter_invalid", err)
				return
			}
			made, err := serve(r)
			switch {
			case errors.Is(err, errNone):
				refuse(w, http.StatusNotFound, "resource_missing", err)
			case err != nil:
				refuse(w, http.StatusInternalServerError, "", err)
			default:
				_ = httpx.WriteJSON(w, http.StatusOK, made)
			}
		})
	}
	on("POST /v1/customers", p.makeCustomer)
	on("POST /v1/checkout/sessions", p.makeCheckout)
	on("POST /v1/billing_portal/sessions", p.makePortal)
	on("GET /v1/subscriptions", p.listSubscriptions)
	on("DELETE /v1/subscriptions/{id}", p.endSubscription)
	return routes
}

// refuse answers as Stripe's API does.
func refuse(w http.ResponseWriter, status int, code string, err error) {
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

func (p *Provider) makeCustomer(r *http.Request) (any, error) {
	made := customer{ID: newID("cus"), Object: kindCustomer, Email: r.Form.Get("email"), Name: r.Form.Get("name"), Metadata: metadata(r, "metadata")}
	return made, p.store.put(r.Context(), made.ID, kindCustomer, made.ID, made)
}

func (p *Provider) makeCheckout(r *http.Request) (any, error) {
	const line = "line_items[0][price_data]"
	amount, err := strconv.ParseInt(r.Form.Get(line+"[unit_amount]"), 10, 64)
	if err != nil || amount < 0 {
		return nil, fmt.Errorf("unit_amount %q is no amount", r.Form.Get(line+"[unit_amount]"))
	}
	made := checkout{
		ID: newID("cs"), Object: kindCheckout, Customer: r.Form.Get("customer"), Mode: r.Form.Get("mode"), Status: "open",
		Reference: r.Form.Get("client_reference_id"), SuccessURL: r.Form.Get("success_url"), CancelURL: r.Form.Get("cancel_url"),
		Metadata: metadata(r, "subscription_data[metadata]"), Product: r.Form.Get(line + "[product_data][name]"),
		Price: price{UnitAmount: amount, Currency: r.Form.Get(line + "[currency]"), Recurring: recurring{r.Form.Get(line + "[recurring][interval]")}},
	}
	made.URL = p.options.Site + Prefix + "checkout/" + made.ID
	if err := p.store.get(r.Context(), made.Customer, kindCustomer, new(customer)); err != nil {
		return nil, err
	}
	return made, p.store.put(r.Context(), made.ID, kindCheckout, made.Customer, made)
}

func (p *Provider) makePortal(r *http.Request) (any, error) {
	made := portal{ID: newID("bps"), Object: kindPortal, Customer: r.Form.Get("customer"), ReturnURL: r.Form.Get("return_url")}
	made.URL = p.options.Site + Prefix + "portal/" + made.ID
	if err := p.store.get(r.Context(), made.Customer, kindCustomer, new(customer)); err != nil {
		return nil, err
	}
	return made, p.store.put(r.Context(), made.ID, kindPortal, made.Customer, made)
}

func (p *Provider) listSubscriptions(r *http.Request) (any, error) {
	whose := r.Form.Get("customer")
	if err := p.store.get(r.Context(), whose, kindCustomer, new(customer)); err != nil {
		return nil, err
	}
	list, err := p.store.subscriptions(r.Context(), whose)
	return map[string]any{"object": "list", "data": list, "has_more": false, "url": "/v1/subscriptions"}, err
}

func (p *Provider) endSubscription(r *http.Request) (any, error) {
	var s subscription
	if err := p.store.get(r.Context(), r.PathValue("id"), kindSubscription, &s); err != nil {
		return nil, err
	}
	if s.Status == statusCanceled {
		return nil, fmt.Errorf("%w: %s has ended", errNone, s.ID)
	}
	s.end(p.options.Now())
	return s, p.keep(r.Context(), &s, "customer.subscription.deleted")
}

// keep stores a subscription and tells of it.
func (p *Provider) keep(ctx context.Context, s *subscription, events ...string) error {
	if err := p.store.put(ctx, s.ID, kindSubscription, s.Customer, s); err != nil {
		return err
	}
	for _, kind := range events {
		var object any = s
		if strings.HasPrefix(kind, "invoice.") {
			object = map[string]any{"id": newID("in"), "object": "invoice", "customer": s.Customer, "amount_due": s.item().Price.UnitAmount, "currency": s.item().Price.Currency}
		}
		p.tell(ctx, kind, object)
	}
	return nil
}

// tell sends an event to the webhook. One that is not taken is only logged: what
// happened stands, and is found when the customers are looked through.
func (p *Provider) tell(ctx context.Context, kind string, object any) {
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
	request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPost, p.path, bytes.NewReader(payload))
	if err != nil {
		p.options.Log.ErrorContext(ctx, "a test payment's event", "error", err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Stripe-Signature", signed.Header)
	if answer := ask(p.hook, request); answer.StatusCode >= http.StatusMultipleChoices {
		said, _ := io.ReadAll(answer.Body)
		p.options.Log.WarnContext(ctx, "a test payment's event was not taken", "event", kind, "status", answer.StatusCode, "answer", string(said))
	}
}

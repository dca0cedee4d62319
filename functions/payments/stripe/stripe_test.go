package stripe_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"

	"plaza/functions/payments"
	"plaza/functions/payments/stripe"
	"plaza/tests/testkit/freeport"
	"plaza/tests/testkit/program"
)

// stripe-mock validates requests against Stripe's API definition: it rejects unknown fields
// and values. It stores nothing, so its responses prove little.
func TestRequestsMatchAPI(t *testing.T) {
	t.Parallel()
	address := program.Start(t, program.Program{
		Binary: ".tools/bin/stripe-mock", Health: "/",
		Args: func(address string) []string {
			return []string{"-http-addr", address, "-https-addr", "127.0.0.1:" + freeport.Pick()}
		},
	})
	p := stripe.New(stripe.Config{Key: "sk_test_123", URL: "http://" + address})
	ctx := t.Context()
	customer, err := p.Customer(ctx, payments.User{ID: "u1", Email: "ana@example.com", Name: "Ana Vidal"})
	if err != nil || !strings.HasPrefix(customer, "cus_") {
		t.Errorf("customer %q, %v", customer, err)
	}
	for _, period := range []payments.Period{payments.Monthly, payments.Yearly} {
		page, err := p.Checkout(ctx, payments.Order{
			Customer: customer, User: "u1", Plan: "p1", Name: "Pro", Period: period, Amount: 1900, Currency: "usd",
			Success: "https://plaza.test/plans?checkout=done", Cancelled: "https://plaza.test/plans",
		})
		if err != nil || !strings.HasPrefix(page, "https://") {
			t.Errorf("%s checkout at %q, %v", period, page, err)
		}
	}
	if _, err := p.Checkout(ctx, payments.Order{Customer: customer, Period: "daily", Amount: 1, Currency: "usd"}); err == nil {
		t.Error("an unknown period was accepted")
	}
	if page, err := p.Portal(ctx, customer, "https://plaza.test/plans"); err != nil || !strings.HasPrefix(page, "https://") {
		t.Errorf("portal at %q, %v", page, err)
	}
	list, err := p.Subscriptions(ctx, customer)
	if err != nil || len(list) == 0 || list[0].Created.IsZero() {
		t.Errorf("subscriptions %v, %v", list, err)
	}
	if err := p.End(ctx, "sub_1"); err != nil {
		t.Error(err)
	}
	if _, err := stripe.New(stripe.Config{Key: "no key", URL: "http://" + address}).Customer(ctx, payments.User{}); err == nil {
		t.Error("an invalid key was accepted")
	}
}

// fixedResponse is a Stripe API that always returns the same response.
type fixedResponse struct {
	status int
	body   string
}

func (f fixedResponse) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: f.status, Header: http.Header{"Content-Type": {"application/json"}}, Request: r, Body: io.NopCloser(strings.NewReader(f.body)),
	}, nil
}

// Subscriptions as Stripe's API returns them.
func TestSubscriptions(t *testing.T) {
	t.Parallel()
	const item = `"items":{"object":"list","data":[{"id":"si_1","object":"subscription_item","current_period_end":2000}]},"metadata":{"plan_id":"p1","billing_period":"yearly"}`
	paid := time.Unix(2000, 0)
	for _, tt := range []struct {
		object string
		want   payments.Subscription
	}{
		{`"status":"active"`, payments.Subscription{Status: payments.Active, Until: paid, Renews: true}},
		{`"status":"trialing"`, payments.Subscription{Status: payments.Active, Until: paid, Renews: true}},
		{`"status":"past_due"`, payments.Subscription{Status: payments.PastDue, Until: paid, Renews: true}},
		{`"status":"active","cancel_at_period_end":true`, payments.Subscription{Status: payments.Active, Until: paid}},
		{`"status":"active","cancel_at":1500`, payments.Subscription{Status: payments.Active, Until: time.Unix(1500, 0)}},
		{`"status":"canceled","ended_at":1200`, payments.Subscription{Status: payments.Ended, Until: time.Unix(1200, 0), Renews: true}},
		{`"status":"incomplete"`, payments.Subscription{Status: payments.Ended, Until: paid, Renews: true}},
		{`"status":"unpaid"`, payments.Subscription{Status: payments.Ended, Until: paid, Renews: true}},
		{`"status":"a_new_one"`, payments.Subscription{Status: payments.Ended, Until: paid, Renews: true}},
	} {
		body := `{"object":"list","has_more":false,"url":"/v1/subscriptions","data":[{"id":"sub_old","object":"subscription","created":1,"status":"canceled"},{"id":"sub_1","object":"subscription","created":1000,` + item + `,` + tt.object + `}]}`
		p := stripe.New(stripe.Config{Key: "sk_test_1", HTTP: &http.Client{Transport: fixedResponse{http.StatusOK, body}}})
		list, err := p.Subscriptions(t.Context(), "cus_1")
		if err != nil || len(list) != 2 {
			t.Fatalf("%s: %v, %v", tt.object, list, err)
		}
		tt.want.ID, tt.want.Plan, tt.want.Period, tt.want.Created = "sub_1", "p1", payments.Yearly, time.Unix(1000, 0)
		if list[0] != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.object, list[0], tt.want)
		}
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	missing := stripe.New(stripe.Config{Key: "sk_test_1", HTTP: &http.Client{Transport: fixedResponse{http.StatusNotFound, `{"error":{"type":"invalid_request_error","code":"resource_missing","message":"No such customer"}}`}}})
	if _, err := missing.Subscriptions(t.Context(), "cus_1"); !errors.Is(err, payments.ErrNoCustomer) {
		t.Errorf("subscriptions of an unknown customer: %v", err)
	}
	if _, err := missing.Portal(t.Context(), "cus_1", "https://plaza.test"); !errors.Is(err, payments.ErrNoCustomer) {
		t.Errorf("portal of an unknown customer: %v", err)
	}
	if err := missing.End(t.Context(), "sub_1"); err != nil {
		t.Errorf("ending a subscription that has ended: %v", err)
	}
	refused := stripe.New(stripe.Config{Key: "sk_test_1", HTTP: &http.Client{Transport: fixedResponse{http.StatusBadRequest, `{"error":{"type":"invalid_request_error","message":"no"}}`}}})
	if err := refused.End(t.Context(), "sub_1"); err == nil || errors.Is(err, payments.ErrNoCustomer) {
		t.Errorf("another error: %v", err)
	}
}

// ParseEvent returns the customer of events in all formats that Stripe sends.
func TestParseEvent(t *testing.T) {
	t.Parallel()
	const secret = "whsec_1"
	p := stripe.New(stripe.Config{Key: "sk_test_1", WebhookSecret: secret})
	for _, tt := range []struct{ payload, customer string }{
		{`{"id":"evt_1","object":"event","api_version":"2026-03-25.dahlia","type":"customer.subscription.updated","data":{"object":{"id":"sub_1","object":"subscription","customer":"cus_1"},"previous_attributes":{}}}`, "cus_1"},
		{`{"id":"evt_1","object":"event","api_version":"2019-12-03","type":"invoice.payment_failed","data":{"object":{"id":"in_1","customer":{"id":"cus_2","object":"customer"}}}}`, "cus_2"},
		{`{"id":"evt_1","type":"checkout.session.completed","data":{"object":{"id":"cs_1","customer":"cus_3"}}}`, "cus_3"},
		{`{"id":"evt_1","type":"checkout.session.completed","data":{"object":{"id":"cs_1","customer":null}}}`, ""},
		{`{"id":"evt_1","type":"payout.paid","data":{"object":{"customer":"cus_1"}}}`, ""},
		{`{"id":"evt_1","type":"invoice.paid"}`, ""},
	} {
		signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: []byte(tt.payload), Secret: secret})
		event, err := p.ParseEvent([]byte(tt.payload), http.Header{"Stripe-Signature": {signed.Header}})
		if err != nil || event.Customer != tt.customer || event.ID != "evt_1" {
			t.Errorf("%s: %+v, %v", tt.payload, event, err)
		}
		if _, err := p.ParseEvent([]byte(tt.payload+" "), http.Header{"Stripe-Signature": {signed.Header}}); !errors.Is(err, payments.ErrSignature) {
			t.Errorf("another payload with the same signature: %v", err)
		}
	}
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: []byte("no JSON"), Secret: secret})
	if _, err := p.ParseEvent([]byte("no JSON"), http.Header{"Stripe-Signature": {signed.Header}}); err == nil || errors.Is(err, payments.ErrSignature) {
		t.Errorf("signed, but not an event: %v", err)
	}
}

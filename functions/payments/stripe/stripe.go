// Package stripe takes payments through Stripe.
package stripe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"

	"plaza/functions/payments"
	"plaza/server/tracing"
)

// Config describes an account at Stripe.
type Config struct {
	Key           string // sk_…
	WebhookSecret string // whsec_…
	URL           string // of the API; empty means Stripe's
	HTTP          *http.Client
	Name          string // provider name where ids are stored; empty means "stripe"
}

// Provider is Stripe. It implements payments.Provider.
type Provider struct {
	client *stripe.Client
	secret string
	name   string
}

// timeout bounds a call of the API, including retries.
const timeout = 20 * time.Second

// New returns the Provider of an account.
func New(c Config) *Provider {
	if c.HTTP == nil {
		c.HTTP = &http.Client{Timeout: timeout, Transport: tracing.Transport(nil, false)}
	}
	if c.Name == "" {
		c.Name = "stripe"
	}
	backend := &stripe.BackendConfig{
		HTTPClient: c.HTTP, EnableTelemetry: stripe.Bool(false), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	if c.URL != "" {
		backend.URL = stripe.String(c.URL)
	}
	return &Provider{stripe.NewClient(c.Key, stripe.WithBackends(stripe.NewBackendsWithConfig(backend))), c.WebhookSecret, c.Name}
}

// Name returns the name that ids are stored under.
func (p *Provider) Name() string { return p.name }

// Metadata keys that are set on Stripe's objects.
const (
	metaUser   = "user_id"
	metaPlan   = "plan_id"
	metaPeriod = "billing_period"
)

// Customer creates a customer.
func (p *Provider) Customer(ctx context.Context, user payments.User) (string, error) {
	params := &stripe.CustomerCreateParams{Metadata: map[string]string{metaUser: user.ID}}
	sum := sha256.Sum256([]byte(user.ID + "\n" + user.Email + "\n" + user.Name))
	params.SetIdempotencyKey("customer-" + hex.EncodeToString(sum[:]))
	if user.Email != "" {
		params.Email = stripe.String(user.Email)
	}
	if user.Name != "" {
		params.Name = stripe.String(user.Name)
	}
	created, err := p.client.V1Customers.Create(ctx, params)
	if err != nil {
		return "", fmt.Errorf("stripe: create a customer: %w", err)
	}
	return created.ID, nil
}

var intervals = map[payments.Period]stripe.PriceRecurringInterval{
	payments.Monthly: stripe.PriceRecurringIntervalMonth, payments.Yearly: stripe.PriceRecurringIntervalYear,
}

// Checkout creates a checkout page. The price is part of the request, because prices of
// plans are stored in the database and not at Stripe.
func (p *Provider) Checkout(ctx context.Context, o payments.Order) (string, error) {
	meta := map[string]string{metaUser: o.User, metaPlan: o.Plan, metaPeriod: string(o.Period)}
	params := &stripe.CheckoutSessionCreateParams{
		Mode: stripe.String(stripe.CheckoutSessionModeSubscription), Customer: stripe.String(o.Customer),
		ClientReferenceID: stripe.String(o.User), SuccessURL: stripe.String(o.Success), CancelURL: stripe.String(o.Cancelled),
		LineItems: []*stripe.CheckoutSessionCreateLineItemParams{{
			Quantity: stripe.Int64(1),
			PriceData: &stripe.CheckoutSessionCreateLineItemPriceDataParams{
				Currency: stripe.String(o.Currency), UnitAmount: stripe.Int64(o.Amount),
				ProductData: &stripe.CheckoutSessionCreateLineItemPriceDataProductDataParams{Name: stripe.String(o.Name)},
				Recurring: &stripe.CheckoutSessionCreateLineItemPriceDataRecurringParams{
					Interval: stripe.String(intervals[o.Period]),
				},
			},
		}},
		SubscriptionData: &stripe.CheckoutSessionCreateSubscriptionDataParams{Metadata: meta},
		Metadata:         meta,
	}
	session, err := p.client.V1CheckoutSessions.Create(ctx, params)
	if err != nil {
		return "", fmt.Errorf("stripe: create a checkout: %w", err)
	}
	return session.URL, nil
}

// Portal creates the page of a customer's bills.
func (p *Provider) Portal(ctx context.Context, customer, returnURL string) (string, error) {
	session, err := p.client.V1BillingPortalSessions.Create(ctx, &stripe.BillingPortalSessionCreateParams{
		Customer: stripe.String(customer), ReturnURL: stripe.String(returnURL),
	})
	if err != nil {
		return "", fmt.Errorf("stripe: create a portal: %w", translateError(err))
	}
	return session.URL, nil
}

// Subscriptions returns the subscriptions of a customer, the newest first.
func (p *Provider) Subscriptions(ctx context.Context, customer string) ([]payments.Subscription, error) {
	params := &stripe.SubscriptionListParams{Customer: stripe.String(customer), Status: stripe.String("all")}
	var found []payments.Subscription
	for one, err := range p.client.V1Subscriptions.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("stripe: list subscriptions: %w", translateError(err))
		}
		found = append(found, subscriptionOf(one))
	}
	slices.SortStableFunc(found, func(a, b payments.Subscription) int { return b.Created.Compare(a.Created) })
	return found, nil
}

func subscriptionOf(s *stripe.Subscription) payments.Subscription {
	converted := payments.Subscription{
		ID: s.ID, Plan: s.Metadata[metaPlan], Period: payments.Period(s.Metadata[metaPeriod]), Status: payments.Ended,
		Created: time.Unix(s.Created, 0), Renews: !s.CancelAtPeriodEnd && s.CancelAt == 0,
	}
	switch s.Status {
	case stripe.SubscriptionStatusActive, stripe.SubscriptionStatusTrialing:
		converted.Status = payments.Active
	case stripe.SubscriptionStatusPastDue:
		converted.Status = payments.PastDue
	}
	var until int64
	if s.Items != nil {
		for _, item := range s.Items.Data {
			until = max(until, item.CurrentPeriodEnd)
		}
	}
	if s.CancelAt > 0 {
		until = s.CancelAt
	}
	if converted.Status == payments.Ended && s.EndedAt > 0 {
		until = s.EndedAt
	}
	if until > 0 {
		converted.Until = time.Unix(until, 0)
	}
	return converted
}

// End ends a subscription, and credits the customer with the unused part of the period.
func (p *Provider) End(ctx context.Context, subscription string) error {
	_, err := p.client.V1Subscriptions.Cancel(ctx, subscription, &stripe.SubscriptionCancelParams{
		InvoiceNow: stripe.Bool(true), Prorate: stripe.Bool(true),
	})
	if err != nil && !isMissing(err) {
		return fmt.Errorf("stripe: end a subscription: %w", err)
	}
	return nil
}

// ParseEvent verifies and decodes an event that Stripe sent to the webhook.
func (p *Provider) ParseEvent(payload []byte, header http.Header) (payments.Event, error) {
	if err := webhook.ValidatePayload(payload, header.Get("Stripe-Signature"), p.secret); err != nil {
		return payments.Event{}, fmt.Errorf("%w: %w", payments.ErrSignature, err)
	}
	// An event has the API version of the account, which may differ from this library's.
	// Only fields that all versions have are read.
	var event struct {
		ID, Type string
		Data     struct{ Object json.RawMessage }
	}
	if err := json.Unmarshal(payload, &event); err != nil {
		return payments.Event{}, fmt.Errorf("stripe: read an event: %w", err)
	}
	parsed := payments.Event{ID: event.ID, Kind: event.Type}
	var object struct{ Customer json.RawMessage }
	for _, kind := range []string{"checkout.session.", "customer.subscription.", "invoice."} {
		if strings.HasPrefix(event.Type, kind) && json.Unmarshal(event.Data.Object, &object) == nil {
			parsed.Customer = idOf(object.Customer)
		}
	}
	return parsed, nil
}

// idOf returns the id in a JSON value that is an id or an expanded object.
func idOf(raw json.RawMessage) string {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return id
	}
	var object struct{ ID string }
	_ = json.Unmarshal(raw, &object)
	return object.ID
}

// translateError adds payments.ErrNoCustomer to Stripe's error for a missing object.
func translateError(err error) error {
	if isMissing(err) {
		return fmt.Errorf("%w: %w", payments.ErrNoCustomer, err)
	}
	return err
}

func isMissing(err error) bool {
	var stripeErr *stripe.Error
	return errors.As(err, &stripeErr) && stripeErr.Code == stripe.ErrorCodeResourceMissing
}

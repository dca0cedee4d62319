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

// Config is an account at Stripe.
type Config struct {
	Key           string // sk_…
	WebhookSecret string // whsec_…
	URL           string // of the API; empty: Stripe's
	HTTP          *http.Client
	Name          string // where ids are stored; empty: stripe
}

// Provider is Stripe. It implements payments.Provider.
type Provider struct {
	client *stripe.Client
	secret string
	name   string
}

// timeout bounds a call of the API, tries again included.
const timeout = 20 * time.Second

// New returns the provider of an account.
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

// Name is what ids are stored under.
func (p *Provider) Name() string { return p.name }

// Names of what Stripe keeps for us with its objects.
const (
	metaUser   = "user_id"
	metaPlan   = "plan_id"
	metaPeriod = "billing_period"
)

// Customer makes a customer.
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
	made, err := p.client.V1Customers.Create(ctx, params)
	if err != nil {
		return "", fmt.Errorf("stripe: make a customer: %w", err)
	}
	return made.ID, nil
}

var intervals = map[payments.Period]stripe.PriceRecurringInterval{
	payments.Monthly: stripe.PriceRecurringIntervalMonth, payments.Yearly: stripe.PriceRecurringIntervalYear,
}

// Checkout opens a page to buy on. The price is made for it: what a plan costs
// stands in the database, not at Stripe.
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
	made, err := p.client.V1CheckoutSessions.Create(ctx, params)
	if err != nil {
		return "", fmt.Errorf("stripe: open a checkout: %w", err)
	}
	return made.URL, nil
}

// Portal opens the page of a customer's bills.
func (p *Provider) Portal(ctx context.Context, customer, back string) (string, error) {
	made, err := p.client.V1BillingPortalSessions.Create(ctx, &stripe.BillingPortalSessionCreateParams{
		Customer: stripe.String(customer), ReturnURL: stripe.String(back),
	})
	if err != nil {
		return "", fmt.Errorf("stripe: open the portal: %w", known(err))
	}
	return made.URL, nil
}

// Subscriptions lists a customer's, the newest first.
func (p *Provider) Subscriptions(ctx context.Context, customer string) ([]payments.Subscription, error) {
	params := &stripe.SubscriptionListParams{Customer: stripe.String(customer), Status: stripe.String("all")}
	var found []payments.Subscription
	for one, err := range p.client.V1Subscriptions.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("stripe: list subscriptions: %w", known(err))
		}
		found = append(found, subscriptionOf(one))
	}
	slices.SortStableFunc(found, func(a, b payments.Subscription) int { return b.Created.Compare(a.Created) })
	return found, nil
}

func subscriptionOf(s *stripe.Subscription) payments.Subscription {
	made := payments.Subscription{
		ID: s.ID, Plan: s.Metadata[metaPlan], Period: payments.Period(s.Metadata[metaPeriod]), Status: payments.Ended,
		Created: time.Unix(s.Created, 0), Renews: !s.CancelAtPeriodEnd && s.CancelAt == 0,
	}
	switch s.Status {
	case stripe.SubscriptionStatusActive, stripe.SubscriptionStatusTrialing:
		made.Status = payments.Active
	case stripe.SubscriptionStatusPastDue:
		made.Status = payments.PastDue
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
	if made.Status == payments.Ended && s.EndedAt > 0 {
		until = s.EndedAt
	}
	if until > 0 {
		made.Until = time.Unix(until, 0)
	}
	return made
}

// End ends a subscription, and credits the customer with what is left of it.
func (p *Provider) End(ctx context.Context, subscription string) error {
	_, err := p.client.V1Subscriptions.Cancel(ctx, subscription, &stripe.SubscriptionCancelParams{
		InvoiceNow: stripe.Bool(true), Prorate: stripe.Bool(true),
	})
	if err != nil && !isMissing(err) {
		return fmt.Errorf("stripe: end a subscription: %w", err)
	}
	return nil
}

// Read reads an event that Stripe sent to the webhook.
func (p *Provider) Read(payload []byte, header http.Header) (payments.Event, error) {
	if err := webhook.ValidatePayload(payload, header.Get("Stripe-Signature"), p.secret); err != nil {
		return payments.Event{}, fmt.Errorf("%w: %w", payments.ErrSignature, err)
	}
	// The version of an event is that of the account, not of this library: only
	// what all versions have alike is read.
	var event struct {
		ID, Type string
		Data     struct{ Object json.RawMessage }
	}
	if err := json.Unmarshal(payload, &event); err != nil {
		return payments.Event{}, fmt.Errorf("stripe: read an event: %w", err)
	}
	read := payments.Event{ID: event.ID, Kind: event.Type}
	var object struct{ Customer json.RawMessage }
	for _, kind := range []string{"checkout.session.", "customer.subscription.", "invoice."} {
		if strings.HasPrefix(event.Type, kind) && json.Unmarshal(event.Data.Object, &object) == nil {
			read.Customer = idOf(object.Customer)
		}
	}
	return read, nil
}

// idOf returns the id of what is an id or a whole object.
func idOf(raw json.RawMessage) string {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return id
	}
	var object struct{ ID string }
	_ = json.Unmarshal(raw, &object)
	return object.ID
}

// known names the errors that callers tell apart.
func known(err error) error {
	if isMissing(err) {
		return fmt.Errorf("%w: %w", payments.ErrNoCustomer, err)
	}
	return err
}

func isMissing(err error) bool {
	var refused *stripe.Error
	return errors.As(err, &refused) && refused.Code == stripe.ErrorCodeResourceMissing
}

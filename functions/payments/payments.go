// Package payments defines the interface of payment providers. The marketplace never
// handles card data: payment and billing happen on the provider's own pages.
package payments

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Errors of providers.
var (
	// ErrSignature means that an event is not from the provider, or is too old.
	ErrSignature = errors.New("the event is not signed by the payment provider")
	// ErrNoCustomer means that the provider does not know a customer.
	ErrNoCustomer = errors.New("the payment provider does not know this customer")
)

// Provider takes payments for subscriptions.
type Provider interface {
	// Name identifies the provider where its ids are stored.
	Name() string

	// Customer creates a customer and returns its id. Concurrent calls for the same
	// user return the same id.
	Customer(ctx context.Context, user User) (id string, err error)

	// Checkout creates a page on which the customer buys a subscription, and returns
	// its URL.
	Checkout(ctx context.Context, order Order) (address string, err error)

	// Portal creates a page on which a customer sees bills and ends subscriptions,
	// and returns its URL. The page links back to returnURL.
	Portal(ctx context.Context, customer, returnURL string) (address string, err error)

	// Subscriptions returns all subscriptions of a customer, including ended ones,
	// the newest first. Errors: ErrNoCustomer.
	Subscriptions(ctx context.Context, customer string) ([]Subscription, error)

	// End ends a subscription now and credits the unused part of the period. It is no
	// error if the subscription has ended already.
	End(ctx context.Context, subscription string) error

	// ParseEvent verifies and decodes a message to the webhook. Its Customer is empty if
	// the event does not concern subscriptions. Errors: ErrSignature.
	ParseEvent(payload []byte, header http.Header) (Event, error)
}

// User is the user that a customer is created for.
type User struct{ ID, Email, Name string }

// Period is a billing period.
type Period string

// The billing periods.
const (
	Monthly Period = "monthly"
	Yearly  Period = "yearly"
)

// Order is an order of a subscription.
type Order struct {
	Customer, User     string
	Plan, Name         string // id and name of the plan
	Period             Period
	Amount             int64  // per period, in the currency's smallest unit
	Currency           string // ISO 4217, in lower case
	Success, Cancelled string // URLs that the page redirects to
}

// Status is the status of a subscription.
type Status string

// The statuses. PastDue means that a payment failed and is retried; the subscription is
// active until the provider gives up.
const (
	Active  Status = "active"
	PastDue Status = "past_due"
	Ended   Status = "ended" // also a subscription that never began
)

// Subscription is a subscription of a customer.
type Subscription struct {
	ID, Plan string
	Period   Period
	Status   Status
	Created  time.Time
	Until    time.Time // end of the paid period
	Renews   bool      // at the end of the paid period
}

// IsActive reports whether the customer may use the plan.
func (s Subscription) IsActive() bool { return s.Status == Active || s.Status == PastDue }

// Event is a message to the webhook.
type Event struct {
	ID, Kind string
	Customer string // empty if the event is not about a customer
}

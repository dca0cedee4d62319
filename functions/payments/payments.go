// Package payments is what the marketplace asks of whoever takes people's cards.
// It sees no card: buying and billing happen on the provider's own pages.
package payments

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Errors that callers tell apart.
var (
	// ErrSignature says that an event is not from the provider, or is too old.
	ErrSignature = errors.New("the event is not signed by the payment provider")
	// ErrNoCustomer says that the provider does not know a customer.
	ErrNoCustomer = errors.New("the payment provider does not know this customer")
)

// Provider takes payments for subscriptions.
type Provider interface {
	// Name tells providers apart where their ids are stored.
	Name() string

	// Customer makes a customer and gives its id. For one user it gives the same
	// id when asked twice at once.
	Customer(ctx context.Context, user User) (id string, err error)

	// Checkout opens a page on which the customer buys a subscription, and gives
	// its address.
	Checkout(ctx context.Context, order Order) (address string, err error)

	// Portal opens a page on which a customer sees bills and ends subscriptions,
	// and gives its address. back is where its way back leads.
	Portal(ctx context.Context, customer, back string) (address string, err error)

	// Subscriptions are all of a customer's, the newest first, also those that
	// have ended. Errors: ErrNoCustomer.
	Subscriptions(ctx context.Context, customer string) ([]Subscription, error)

	// End ends a subscription now and gives back what is left of it. One that
	// has ended is no error.
	End(ctx context.Context, subscription string) error

	// Read names whom a message to the webhook is about; none where it
	// does not matter to subscriptions. Errors: ErrSignature.
	Read(payload []byte, header http.Header) (Event, error)
}

// User is whom a customer stands for.
type User struct{ ID, Email, Name string }

// Period is how long is paid for at once.
type Period string

// The periods.
const (
	Monthly Period = "monthly"
	Yearly  Period = "yearly"
)

// Order is what is bought.
type Order struct {
	Customer, User     string
	Plan, Name         string // id and name of the plan
	Period             Period
	Amount             int64  // of a period, in the currency's smallest unit
	Currency           string // ISO 4217, in lower case
	Success, Cancelled string // addresses that the page leads to
}

// Status is how a subscription stands.
type Status string

// The states that matter here. Past due is a payment that failed and is tried
// again; until the provider gives up, the subscription runs.
const (
	Active  Status = "active"
	PastDue Status = "past_due"
	Ended   Status = "ended" // also one that never began
)

// Subscription is what a customer has bought.
type Subscription struct {
	ID, Plan string
	Period   Period
	Status   Status
	Created  time.Time
	Until    time.Time // end of what is paid for
	Renews   bool      // goes on then
}

// Runs reports whether the customer has what was bought.
func (s Subscription) Runs() bool { return s.Status == Active || s.Status == PastDue }

// Event is a message to the webhook.
type Event struct {
	ID, Kind string
	Customer string // empty where it is about none
}

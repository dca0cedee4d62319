package local

import "time"

// Kinds of Stripe's objects. The types below have only the fields that the client library reads.
const (
	kindCustomer     = "customer"
	kindCheckout     = "checkout.session"
	kindPortal       = "billing_portal.session"
	kindSubscription = "subscription"
)

type customer struct {
	ID       string            `json:"id"`
	Object   string            `json:"object"`
	Email    string            `json:"email"`
	Name     string            `json:"name"`
	Metadata map[string]string `json:"metadata"`
}

// price is the price of one period, in the currency's smallest unit.
type price struct {
	Product    string    `json:"-"`
	UnitAmount int64     `json:"unit_amount"`
	Currency   string    `json:"currency"`
	Recurring  recurring `json:"recurring"`
}

type recurring struct {
	Interval string `json:"interval"` // month or year
}

// after returns the end of a period that starts at begin.
func (p price) after(begin time.Time) time.Time {
	if p.Recurring.Interval == "year" {
		return begin.AddDate(1, 0, 0)
	}
	return begin.AddDate(0, 1, 0)
}

type checkout struct {
	ID           string            `json:"id"`
	Object       string            `json:"object"`
	URL          string            `json:"url"`
	Customer     string            `json:"customer"`
	Mode         string            `json:"mode"`
	Status       string            `json:"status"` // open or complete
	Subscription string            `json:"subscription,omitempty"`
	Reference    string            `json:"client_reference_id"`
	SuccessURL   string            `json:"success_url"`
	CancelURL    string            `json:"cancel_url"`
	Metadata     map[string]string `json:"metadata"`

	Product string `json:"plaza_product"`
	Price   price  `json:"plaza_price"`
}

type portal struct {
	ID        string `json:"id"`
	Object    string `json:"object"`
	URL       string `json:"url"`
	Customer  string `json:"customer"`
	ReturnURL string `json:"return_url"`
}

// Statuses of a subscription.
const (
	statusActive   = "active"
	statusPastDue  = "past_due"
	statusCanceled = "canceled"
)

type subscription struct {
	ID                string            `json:"id"`
	Object            string            `json:"object"`
	Customer          string            `json:"customer"`
	Status            string            `json:"status"`
	Created           int64             `json:"created"`
	CancelAtPeriodEnd bool              `json:"cancel_at_period_end"`
	CanceledAt        int64             `json:"canceled_at,omitempty"`
	EndedAt           int64             `json:"ended_at,omitempty"`
	Metadata          map[string]string `json:"metadata"`
	Items             items             `json:"items"`

	Product string `json:"plaza_product"`
}

type items struct {
	Object string `json:"object"`
	Data   []item `json:"data"`
}

type item struct {
	ID                 string `json:"id"`
	Object             string `json:"object"`
	CurrentPeriodStart int64  `json:"current_period_start"`
	CurrentPeriodEnd   int64  `json:"current_period_end"`
	Price              price  `json:"price"`
}

func newSubscription(from checkout, now time.Time) *subscription {
	return &subscription{
		ID: newID("sub"), Object: kindSubscription, Customer: from.Customer, Status: statusActive, Created: now.Unix(),
		Metadata: from.Metadata, Product: from.Product,
		Items: items{Object: "list", Data: []item{{
			ID: newID("si"), Object: "subscription_item", CurrentPeriodStart: now.Unix(), CurrentPeriodEnd: from.Price.after(now).Unix(), Price: from.Price,
		}}},
	}
}

// item returns the subscription's only item.
func (s *subscription) item() *item { return &s.Items.Data[0] }

// Until returns the end of the paid period, for the page.
func (s *subscription) Until() time.Time { return time.Unix(s.item().CurrentPeriodEnd, 0).UTC() }

// renew starts the next paid period.
func (s *subscription) renew() {
	at := s.item()
	begin := time.Unix(at.CurrentPeriodEnd, 0).UTC()
	at.CurrentPeriodStart, at.CurrentPeriodEnd = begin.Unix(), at.Price.after(begin).Unix()
	s.Status = statusActive
}

func (s *subscription) end(now time.Time) {
	s.Status, s.CanceledAt, s.EndedAt = statusCanceled, now.Unix(), now.Unix()
}

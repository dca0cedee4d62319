// Package billing lets owners subscribe to a plan, and stores the state of their
// subscriptions as the payment provider reports it.
package billing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/functions"
	"plaza/functions/payments"
	"plaza/server/jobs"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/tally"
)

// Options configure Billing.
type Options struct {
	DB       *pg.DB
	Provider payments.Provider // nil: plans cannot be bought
	Site     string            // URL of the client, without a trailing slash
	Currency string            // ISO 4217 code of the plans' prices
	Log      *slog.Logger
}

// Billing manages the subscriptions of the marketplace.
type Billing struct {
	options  Options
	provider payments.Provider
	db       *pg.DB
	log      *slog.Logger

	events tally.Of[string] // by outcome
}

// New returns a Billing with the given options.
func New(o Options) *Billing {
	return &Billing{options: o, provider: o.Provider, db: o.DB, log: o.Log}
}

// Measure reports metrics of the provider's events.
func (b *Billing) Measure(s ops.Scrape) {
	for outcome, count := range b.events.All() {
		s.Count("plaza_payment_events_total", "Events of the payment provider by outcome: ok, unsigned, unreadable or failed.", float64(count), "outcome", outcome)
	}
}

// Functions returns the functions that clients and the provider call.
func (b *Billing) Functions() []functions.Func {
	if b.provider == nil {
		off := func(http.ResponseWriter, *http.Request) error { return errOff }
		return []functions.Func{b.checkSubscription(), {Name: "create-checkout", Serve: off}, {Name: "customer-portal", Serve: off}}
	}
	return []functions.Func{b.checkSubscription(), b.createCheckout(), b.customerPortal(), b.webhook()}
}

const (
	beginSync = `update private.billing_accounts set revision = revision + 1
		where provider = $1 and customer_id = $2 returning user_id::text, revision`

	// endSync writes nothing if a later sync has begun.
	endSync = `with mine as (
			update private.billing_accounts set subscription_id = $3, synced_at = now(), updated_at = now()
			where user_id = $1 and revision = $2 returning user_id
		)
		insert into public.user_subscriptions (user_id, plan_id, subscribed, subscription_end)
		select mine.user_id, p.id, $5 and p.id is not null, $6 from mine left join public.subscription_plans p on p.id::text = $4
		on conflict (user_id) do update set plan_id = excluded.plan_id, subscribed = excluded.subscribed, subscription_end = excluded.subscription_end
		returning user_id::text`
)

// sync stores the current state of a customer's subscription. It asks the provider for
// that state and does not use the content of the event, which may arrive late, twice, or
// after a newer one. A customer has one subscription: an older one that is still active
// beside a newer one is ended.
func (b *Billing) sync(ctx context.Context, customer string) error {
	var user string
	var revision int64
	err := b.db.QueryRowAsService(ctx, pg.ServiceRole, beginSync, []any{b.provider.Name(), customer}, &user, &revision)
	if errors.Is(err, pgx.ErrNoRows) {
		b.log.InfoContext(ctx, "payment event about an unknown customer", "customer", customer)
		return nil
	}
	if err != nil {
		return fmt.Errorf("billing: %w", err)
	}
	list, err := b.provider.Subscriptions(ctx, customer)
	if errors.Is(err, payments.ErrNoCustomer) {
		list, err = nil, nil // deleted at the provider, so there are no subscriptions
	}
	if err != nil {
		return err
	}
	current, older := choose(list)
	var until *time.Time
	if !current.Until.IsZero() {
		until = &current.Until
	}
	err = b.db.QueryRowAsService(ctx, pg.ServiceRole, endSync, []any{user, revision, pg.OrNull(current.ID), current.Plan, current.IsActive(), until}, &user)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("billing: %w", err)
	}
	for _, one := range older {
		if err := b.provider.End(ctx, one.ID); err != nil {
			return err
		}
	}
	b.log.InfoContext(ctx, "subscription updated", "user", user, "plan", current.Plan, "status", string(current.Status))
	return nil
}

// choose returns the current subscription of a list that has the newest first: the newest
// active one, or else the newest one. older are the other active ones.
func choose(list []payments.Subscription) (current payments.Subscription, older []payments.Subscription) {
	current.Status = payments.Ended
	if len(list) > 0 {
		current = list[0]
	}
	for _, one := range list {
		switch {
		case !one.IsActive():
		case !current.IsActive():
			current = one
		case one.ID != current.ID:
			older = append(older, one)
		}
	}
	return current, older
}

// Interval and batch size of the reconciliation.
const (
	reconcileEvery = 10 * time.Minute
	reconcileBatch = 50
)

// dueAccounts claims accounts that were not synced for a day, or whose paid period is
// over. Several servers may run it at the same time: each claims different accounts. An
// account whose sync fails is due again at the next run.
const dueAccounts = `with due as (
		select a.user_id from private.billing_accounts a left join public.user_subscriptions s using (user_id)
		where a.provider = $1 and (a.synced_at < now() - interval '1 day'
			or s.subscribed and s.subscription_end < now() and a.synced_at < now() - interval '10 minutes')
		order by a.synced_at limit $2 for update of a skip locked)
	update private.billing_accounts a set synced_at = now() - interval '1 day' + interval '10 minutes' from due where a.user_id = due.user_id returning a.customer_id`

// Reconcile syncs customers that were not synced for long, since an event may have been
// lost.
func (b *Billing) Reconcile(ctx context.Context) error {
	var customers []string
	err := b.db.AsService(ctx, pg.ServiceRole, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, dueAccounts, b.provider.Name(), reconcileBatch)
		if err != nil {
			return err
		}
		customers, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	for _, customer := range customers {
		err = errors.Join(err, b.sync(ctx, customer))
	}
	return err
}

// Jobs returns the background job that reconciles, if there is a provider.
func (b *Billing) Jobs() []jobs.Job {
	if b.provider == nil {
		return nil
	}
	return []jobs.Job{{Name: "billing", Every: reconcileEvery, Run: b.Reconcile}}
}

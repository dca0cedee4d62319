// Package billing lets owners subscribe to a plan, and keeps what they have
// bought as the payment provider says it stands.
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
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/tally"
)

// Options of billing.
type Options struct {
	DB       *pg.DB
	Provider payments.Provider // nil: nothing is sold
	Site     string            // address of the client, without a slash at its end
	Currency string            // ISO 4217; in what plans are priced
	Log      *slog.Logger
}

// Billing is the subscriptions of the marketplace.
type Billing struct {
	options  Options
	provider payments.Provider
	db       *pg.DB
	log      *slog.Logger

	events     tally.Of[string] // by what came of them
	reconciled tally.Moment
}

// New makes the billing of a provider.
func New(o Options) *Billing {
	return &Billing{options: o, provider: o.Provider, db: o.DB, log: o.Log}
}

// Measure tells how the provider's events are taken.
func (b *Billing) Measure(s ops.Scrape) {
	for outcome, count := range b.events.All() {
		s.Count("plaza_payment_events_total", "Events of the payment provider, by what came of them: ok, unsigned, unreadable or failed.", float64(count), "outcome", outcome)
	}
	s.Job("billing", b.reconciled.Get())
}

// Functions are what clients and the provider call.
func (b *Billing) Functions() []functions.Func {
	if b.provider == nil {
		off := func(http.ResponseWriter, *http.Request) error { return errOff }
		return []functions.Func{b.check(), {Name: "create-checkout", Serve: off}, {Name: "customer-portal", Serve: off}}
	}
	return []functions.Func{b.check(), b.checkout(), b.portal(), b.webhook()}
}

const (
	beginSync = `update private.billing_accounts set revision = revision + 1
		where provider = $1 and customer_id = $2 returning user_id::text, revision`

	// endSync writes nothing where a later sync has begun.
	endSync = `with mine as (
			update private.billing_accounts set subscription_id = $3, synced_at = now(), updated_at = now()
			where user_id = $1 and revision = $2 returning user_id
		)
		insert into public.user_subscriptions (user_id, plan_id, subscribed, subscription_end)
		select mine.user_id, p.id, $5 and p.id is not null, $6 from mine left join public.subscription_plans p on p.id::text = $4
		on conflict (user_id) do update set plan_id = excluded.plan_id, subscribed = excluded.subscribed, subscription_end = excluded.subscription_end
		returning user_id::text`
)

// sync writes down how a customer stands. What an event says is not used: it may
// come late, twice, or after a newer one, while the provider's answer is always
// how things are. One customer has one subscription: an older one that still runs
// beside a newer is ended.
func (b *Billing) sync(ctx context.Context, customer string) error {
	var user string
	var revision int64
	err := b.db.QueryRowAsService(ctx, pg.ServiceRole, beginSync, []any{b.provider.Name(), customer}, &user, &revision)
	if errors.Is(err, pgx.ErrNoRows) {
		b.log.InfoContext(ctx, "a payment event about a customer that is not ours", "customer", customer)
		return nil
	}
	if err != nil {
		return fmt.Errorf("billing: %w", err)
	}
	list, err := b.provider.Subscriptions(ctx, customer)
	if errors.Is(err, payments.ErrNoCustomer) {
		list, err = nil, nil // deleted at the provider: nothing runs there
	}
	if err != nil {
		return err
	}
	current, older := choose(list)
	var until *time.Time
	if !current.Until.IsZero() {
		until = &current.Until
	}
	err = b.db.QueryRowAsService(ctx, pg.ServiceRole, endSync, []any{user, revision, pg.OrNull(current.ID), current.Plan, current.Runs(), until}, &user)
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
	b.log.InfoContext(ctx, "a subscription was brought up to date", "user", user, "plan", current.Plan, "status", string(current.Status))
	return nil
}

// choose returns the subscription that counts of a list that has the newest first:
// the newest that runs, else the newest. older are others that run.
func choose(list []payments.Subscription) (current payments.Subscription, older []payments.Subscription) {
	current.Status = payments.Ended
	if len(list) > 0 {
		current = list[0]
	}
	for _, one := range list {
		switch {
		case !one.Runs():
		case !current.Runs():
			current = one
		case one.ID != current.ID:
			older = append(older, one)
		}
	}
	return current, older
}

// Times of the looking through.
const (
	reconcileEvery  = 10 * time.Minute
	reconcileAtOnce = 50
)

// dueAccounts claims accounts that nothing was heard of for a day, or whose paid
// time is over. Servers may look at once: each takes others. One whose provider
// does not answer is due again at the next looking through.
const dueAccounts = `with due as (
		select a.user_id from private.billing_accounts a left join public.user_subscriptions s using (user_id)
		where a.provider = $1 and (a.synced_at < now() - interval '1 day'
			or s.subscribed and s.subscription_end < now() and a.synced_at < now() - interval '10 minutes')
		order by a.synced_at limit $2 for update of a skip locked)
	update private.billing_accounts a set synced_at = now() - interval '1 day' + interval '10 minutes' from due where a.user_id = due.user_id returning a.customer_id`

// Reconcile asks the provider about customers of whom nothing was heard for long:
// an event may have been lost.
func (b *Billing) Reconcile(ctx context.Context) error {
	var customers []string
	err := b.db.AsService(ctx, pg.ServiceRole, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, dueAccounts, b.provider.Name(), reconcileAtOnce)
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

// Run reconciles from time to time, until ctx ends.
func (b *Billing) Run(ctx context.Context) {
	if b.provider == nil {
		return
	}
	ticker := time.NewTicker(reconcileEvery)
	defer ticker.Stop()
	for {
		if err := b.Reconcile(ctx); err == nil {
			b.reconciled.Set(time.Now())
		} else if ctx.Err() == nil {
			b.log.WarnContext(ctx, "subscriptions were not looked through", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

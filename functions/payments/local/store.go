package local

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
)

// store keeps Stripe's objects, as JSON, in private.test_payments.
type store struct{ db *pg.DB }

// errNotFound means that there is no such object.
var errNotFound = errors.New("no such object")

const (
	putObject = `insert into private.test_payments (id, kind, customer, data) values ($1, $2, $3, $4)
		on conflict (id) do update set data = excluded.data returning 1`
	getObject   = `select data from private.test_payments where id = $1 and kind = $2`
	listObjects = `select coalesce(jsonb_agg(data order by created_at desc, id), '[]') from private.test_payments where customer = $1 and kind = $2`
)

func (s store) put(ctx context.Context, id, kind, customer string, object any) error {
	data, err := json.Marshal(object)
	if err != nil {
		return err
	}
	var one int
	return s.db.QueryRowAsService(ctx, pg.ServiceRole, putObject, []any{id, kind, customer, data}, &one)
}

func (s store) get(ctx context.Context, id, kind string, to any) error {
	var data json.RawMessage
	err := s.db.QueryRowAsService(ctx, pg.ServiceRole, getObject, []any{id, kind}, &data)
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("%w: %s", errNotFound, id)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

const completeCheckout = `update private.test_payments set data = data || jsonb_build_object('status', 'complete', 'subscription', $2::text)
	where id = $1 and data ->> 'status' = 'open' returning data`

// complete marks an open checkout as complete and stores its subscription's id. Errors:
// errNotFound if the checkout is not open any more.
func (s store) complete(ctx context.Context, id, subscription string) (done checkout, err error) {
	var data json.RawMessage
	err = s.db.QueryRowAsService(ctx, pg.ServiceRole, completeCheckout, []any{id, subscription}, &data)
	if errors.Is(err, pgx.ErrNoRows) {
		return done, fmt.Errorf("%w: it is paid", errNotFound)
	}
	if err != nil {
		return done, err
	}
	return done, json.Unmarshal(data, &done)
}

func (s store) subscriptions(ctx context.Context, customer string) (list []*subscription, err error) {
	var data json.RawMessage
	if err := s.db.QueryRowAsService(ctx, pg.ServiceRole, listObjects, []any{customer, kindSubscription}, &data); err != nil {
		return nil, err
	}
	return list, json.Unmarshal(data, &list)
}

// newID returns an unguessable id with Stripe's prefix for the kind of object.
func newID(prefix string) string { return prefix + "_test_" + strings.ToLower(rand.Text()) }

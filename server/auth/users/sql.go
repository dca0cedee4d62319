package users

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
)

// Columns selects an account u with its identities and factors, as User.Targets are
// in this order.
const Columns = `
	coalesce(u.id::text, ''), coalesce(u.aud, ''), coalesce(u.role, ''), coalesce(u.email, ''), u.email_confirmed_at, u.invited_at,
	coalesce(u.phone, ''), u.phone_confirmed_at, u.confirmation_sent_at, u.confirmed_at, u.recovery_sent_at,
	coalesce(u.email_change, ''), u.email_change_sent_at, coalesce(u.phone_change, ''), u.phone_change_sent_at,
	u.reauthentication_sent_at, u.last_sign_in_at, coalesce(u.raw_app_meta_data, '{}'), coalesce(u.raw_user_meta_data, '{}'),
	(select coalesce(json_agg(json_build_object(
		'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data, 'provider', i.provider,
		'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at, 'updated_at', i.updated_at, 'email', i.email)), '[]') from auth.identities i where i.user_id = u.id),
	(select coalesce(json_agg(json_build_object(
		'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status, 'friendly_name', f.friendly_name,
		'factor_type', f.factor_type, 'phone', f.phone, 'last_challenged_at', f.last_challenged_at)), '[]') from auth.mfa_factors f where f.user_id = u.id),
	coalesce(u.created_at, now()), coalesce(u.updated_at, now()), u.banned_until, u.deleted_at, coalesce(u.is_anonymous, false),
	coalesce(u.encrypted_password, ''), coalesce(u.is_sso_user, false), coalesce(u.email_change_confirm_status, 0)::int4`

const (
	byID       = `select ` + Columns + ` from auth.users u where u.id = $1`
	byEmail    = `select ` + Columns + ` from auth.users u where u.email = $1 and u.aud = $2 and u.is_sso_user = false`
	byPhone    = `select ` + Columns + ` from auth.users u where u.phone = $1 and u.aud = $2 and u.is_sso_user = false`
	byIDLocked = `select ` + Columns + ` from auth.users u where u.id = $1 for update`
)

// byContact finds accounts by a kind of contact.
var byContact = map[string]string{ByEmail: byEmail, ByPhone: byPhone}

// Find looks an account up by its contact; nil where there is none.
func Find(ctx context.Context, db *store.Store, c Contact, audience string) (*User, error) {
	u := &User{}
	return u.found(db.QueryRow(ctx, byContact[c.Kind], []any{c.Value, audience}, u.Targets()...))
}

// FindLocked looks an account up to do something to it: who asks at the same time
// waits for the end of tx.
func FindLocked(ctx context.Context, tx *store.Tx, c Contact, audience string) (*User, error) {
	u := &User{}
	return u.found(tx.QueryRow(ctx, byContact[c.Kind]+" for update", c.Value, audience).Scan(u.Targets()...))
}

// Get returns the account of an id that a request names.
//
// Errors: 404 validation_failed for no UUID, user_not_found.
func Get(ctx context.Context, db *store.Store, id string) (*User, error) {
	if !store.IsUUID(id) {
		return nil, ErrNoID
	}
	u := &User{}
	found, err := u.found(db.QueryRow(ctx, byID, []any{id}, u.Targets()...))
	if err == nil && found == nil {
		err = ErrNone
	}
	return found, err
}

// Load reads an account.
//
// Errors: pgx.ErrNoRows.
func Load(ctx context.Context, tx *store.Tx, id string) (*User, error) {
	return readUser(ctx, tx, byID, id)
}

// Lock reads an account and keeps others from changing it until the end of tx.
//
// Errors: pgx.ErrNoRows.
func Lock(ctx context.Context, tx *store.Tx, id string) (*User, error) {
	return readUser(ctx, tx, byIDLocked, id)
}

func readUser(ctx context.Context, tx *store.Tx, sql, id string) (*User, error) {
	u := &User{}
	if err := tx.QueryRow(ctx, sql, id).Scan(u.Targets()...); err != nil {
		return nil, err
	}
	u.Normalize()
	return u, nil
}

// found returns the user that was read, or nil where there was no row.
func (u *User) found(err error) (*User, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	u.Normalize()
	return u, nil
}

const lockKey = `select u.id::text from auth.users u where u.id = $1 for no key update`

// LockKey keeps other changes to what belongs to an account away until the end of tx.
//
// Errors: pgx.ErrNoRows.
func LockKey(ctx context.Context, tx *store.Tx, id string) error {
	return tx.QueryRow(ctx, lockKey, id).Scan(&id)
}

// What an admin is told who names no account.
var (
	ErrNoID = autherr.NotFound(autherr.CodeValidation, "user_id must be an UUID")
	ErrNone = autherr.NotFound(autherr.CodeUserNotFound, "User not found")
)

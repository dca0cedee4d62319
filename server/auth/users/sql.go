package users

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
)

// Columns are the columns of an account u with its identities and factors, in the order of
// User.ScanTargets.
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

// byContact has the statement that finds an account by each kind of contact.
var byContact = map[string]string{ByEmail: byEmail, ByPhone: byPhone}

// Find returns an account by contact, or nil if there is none.
func Find(ctx context.Context, db *store.Store, c Contact, audience string) (*User, error) {
	u := &User{}
	return u.orNil(db.QueryRow(ctx, byContact[c.Kind], []any{c.Value, audience}, u.ScanTargets()...))
}

// FindLocked is Find with a lock on the account's row until the end of tx.
func FindLocked(ctx context.Context, tx *store.Tx, c Contact, audience string) (*User, error) {
	u := &User{}
	return u.orNil(tx.QueryRow(ctx, byContact[c.Kind]+" for update", c.Value, audience).Scan(u.ScanTargets()...))
}

// Get returns an account by the id in a request.
//
// Errors: 404 validation_failed for an invalid UUID, user_not_found.
func Get(ctx context.Context, db *store.Store, id string) (*User, error) {
	if !store.IsUUID(id) {
		return nil, ErrInvalidID
	}
	u := &User{}
	found, err := u.orNil(db.QueryRow(ctx, byID, []any{id}, u.ScanTargets()...))
	if err == nil && found == nil {
		err = ErrNotFound
	}
	return found, err
}

// Load returns an account by id.
//
// Errors: pgx.ErrNoRows.
func Load(ctx context.Context, tx *store.Tx, id string) (*User, error) {
	return readUser(ctx, tx, byID, id)
}

// Lock returns an account by id and locks its row until the end of tx.
//
// Errors: pgx.ErrNoRows.
func Lock(ctx context.Context, tx *store.Tx, id string) (*User, error) {
	return readUser(ctx, tx, byIDLocked, id)
}

func readUser(ctx context.Context, tx *store.Tx, sql, id string) (*User, error) {
	u := &User{}
	if err := tx.QueryRow(ctx, sql, id).Scan(u.ScanTargets()...); err != nil {
		return nil, err
	}
	u.Normalize()
	return u, nil
}

// orNil returns the scanned user, or nil if there was no row.
func (u *User) orNil(err error) (*User, error) {
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

// LockKey locks an account's row until the end of tx, to serialize changes to rows that belong to it.
//
// Errors: pgx.ErrNoRows.
func LockKey(ctx context.Context, tx *store.Tx, id string) error {
	return tx.QueryRow(ctx, lockKey, id).Scan(&id)
}

// Errors of an admin's request for an invalid or unknown account.
var (
	ErrInvalidID = autherr.NotFound(autherr.CodeValidation, "user_id must be an UUID")
	ErrNotFound  = autherr.NotFound(autherr.CodeUserNotFound, "User not found")
)

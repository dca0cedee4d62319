package testkit

import (
	"context"
	"encoding/json"
	"maps"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Beginner begins a transaction: a pool, a connection, or a transaction (which then begins a
// savepoint).
type Beginner interface {
	Begin(ctx context.Context) (pgx.Tx, error)
}

// Querier runs a query: a pool, a connection or a transaction.
type Querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// As begins a transaction that acts as the API does for a caller: in the role, with the claims of a
// token. The role is added to the claims. The transaction is rolled back when the test ends.
func As(t testing.TB, db Beginner, role string, claims map[string]any) pgx.Tx {
	t.Helper()
	all := map[string]any{"role": role}
	maps.Copy(all, claims)
	token, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	tx := begin(t, db)
	const become = `select set_config('request.jwt.claims', $2, true), set_config('role', $1, true)`
	if _, err := tx.Exec(t.Context(), become, role, string(token)); err != nil {
		t.Fatal(err)
	}
	return tx
}

// AsUser is As for a signed-in user.
func AsUser(t testing.TB, db Beginner, id string) pgx.Tx {
	t.Helper()
	return As(t, db, "authenticated", map[string]any{"sub": id})
}

// User inserts a user with a confirmed address, as after signing up, and returns its id. It has no
// password.
func User(t testing.TB, db Querier, email string) string {
	t.Helper()
	const insert = `insert into auth.users
			(id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
		values (gen_random_uuid(), 'authenticated', 'authenticated', $1, now(),
			'{"provider": "email", "providers": ["email"]}', '{}', now(), now())
		returning id::text`
	var id string
	if err := db.QueryRow(t.Context(), insert, email).Scan(&id); err != nil {
		t.Fatalf("insert user %s: %v", email, err)
	}
	return id
}

func begin(t testing.TB, db Beginner) pgx.Tx {
	t.Helper()
	tx, err := db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// A test may have ended the transaction itself; then this does nothing.
	t.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	return tx
}

// Package doctor finds problems in a database that expose data or make queries slow.
package doctor

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Finding is one problem to fix.
type Finding struct {
	Code    string `json:"code"`    // stable; docs/doctor.md lists them
	Subject string `json:"subject"` // the table, function, policy or other object that has the problem
	Problem string `json:"problem"`
	Remedy  string `json:"remedy"` // SQL if possible
}

// Querier runs queries.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// Examine checks the exposed schemas and the storage schema. It changes nothing.
func Examine(ctx context.Context, db Querier, schemas []string) ([]Finding, error) {
	var findings []Finding
	for _, c := range checks {
		found, err := c.run(ctx, db, schemas)
		if err != nil {
			return nil, err
		}
		findings = append(findings, found...)
	}
	found, err := examinePolicies(ctx, db, schemas)
	if err != nil {
		return nil, err
	}
	findings = append(findings, found...)
	secrets, err := SecretsInClear(ctx, db)
	if secrets != "" {
		findings = append(findings, Finding{"vault_in_clear", "vault.secrets", "it keeps " + secrets + " in clear: PostgreSQL has neither the extension supabase_vault nor a key",
			"take the secrets out, or put a key where docs/extensions.md says"})
	}
	return findings, err
}

// check is a query that returns subjects and remedies for the exposed schemas ($1), with
// the description of the problem.
type check struct{ code, problem, sql string }

func (c check) run(ctx context.Context, db Querier, schemas []string) ([]Finding, error) {
	rows, err := db.Query(ctx, c.sql, schemas)
	if err != nil {
		return nil, fmt.Errorf("examine the database for %s: %w", c.code, err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Finding, error) {
		f := Finding{Code: c.code, Problem: c.problem}
		err := row.Scan(&f.Subject, &f.Remedy)
		return f, err
	})
	if err != nil {
		return nil, fmt.Errorf("examine the database for %s: %w", c.code, err)
	}
	return found, nil
}

// standInSQL reports whether vault.secrets is the replacement for Supabase's vault,
// which encrypts where it has a key.
const standInSQL = `select to_regclass('vault.secrets') is not null and not exists (select from pg_catalog.pg_extension where extname = 'supabase_vault' and extversion <> 'stand-in')`

// SecretsInClear returns the number of unencrypted secrets in the replacement for
// Supabase's vault, such as "2 secrets", or "" if there are none.
func SecretsInClear(ctx context.Context, db Querier) (string, error) {
	standIn, err := one[bool](ctx, db, standInSQL)
	if err != nil || !standIn {
		return "", err
	}
	switch kept, err := one[int64](ctx, db, "select count(*) from vault.secrets where nonce is null"); kept {
	case 0:
		return "", err
	case 1:
		return "1 secret", nil
	default:
		return fmt.Sprintf("%d secrets", kept), nil
	}
}

func one[T any](ctx context.Context, db Querier, sql string) (value T, err error) {
	rows, err := db.Query(ctx, sql)
	if err == nil {
		value, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	}
	if err != nil {
		return value, fmt.Errorf("examine the database: %w", err)
	}
	return value, nil
}

// Package doctor finds rules of a database that leave data open or queries slow.
package doctor

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Finding is one thing to fix.
type Finding struct {
	Subject string // what it is about: a table, a function, a policy
	Problem string
	Remedy  string
}

// Querier is what Examine needs of a database.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// check is a query for subjects, given the exposed schemas, and what to say of each.
type check struct{ sql, problem, remedy string }

var checks = []check{
	{`select format('%I.%I', n.nspname, c.relname)
		from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relrowsecurity
			and (has_table_privilege('anon', c.oid, 'select, insert, update, delete') or has_table_privilege('authenticated', c.oid, 'select, insert, update, delete'))
		order by 1`,
		"row-level security is off: everybody with the public key can read or change all rows",
		"alter table … enable row level security, and add policies"},
	{`select format('%I.%I', n.nspname, c.relname)
		from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where n.nspname = any($1) and c.relkind = 'v'
			and not coalesce(c.reloptions::text[] && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false)
			and has_table_privilege('anon', c.oid, 'select')
		order by 1`,
		"the view reads with its owner's rights, past the policies of the tables behind it, and anon may select from it",
		"create view … with (security_invoker = true), or revoke select from anon"},
	{`select format('%I.%I(%s)', n.nspname, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid))
		from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
		where n.nspname = any($1) and p.prosecdef
			and not exists (select from unnest(p.proconfig) s (setting) where s.setting like 'search_path=%')
		order by 1`,
		"a security definer function without a fixed search_path can be made to run somebody else's code",
		"alter function … set search_path = ''"},
	{`select format('%I.%I: %I', p.schemaname, p.tablename, p.policyname)
		from pg_catalog.pg_policies p
		where p.schemaname = any($1)
			and regexp_replace(coalesce(p.qual, '') || ' ' || coalesce(p.with_check, ''), '\(\s*select\s+auth\.(uid|role|jwt|email)\(\)[^)]*\)', '', 'gi') ~* 'auth\.(uid|role|jwt|email)\(\)'
		order by 1`,
		"the policy looks the caller up once for each row",
		"wrap the call in a subselect: (select auth.uid())"},
	{`select format('%I.%I (%s)', n.nspname, c.relname, k.conname)
		from pg_catalog.pg_constraint k
		join pg_catalog.pg_class c on c.oid = k.conrelid
		join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where k.contype = 'f' and n.nspname = any($1)
			and not exists (select from pg_catalog.pg_index i where i.indrelid = k.conrelid and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)
		order by 1`,
		"the foreign key has no index: deletes and embeds scan the whole table",
		"create index on the foreign key's columns"},
}

// Examine runs all checks on the exposed schemas.
func Examine(ctx context.Context, db Querier, schemas []string) ([]Finding, error) {
	var findings []Finding
	for _, c := range checks {
		rows, err := db.Query(ctx, c.sql, schemas)
		if err != nil {
			return nil, fmt.Errorf("examine the database: %w", err)
		}
		subjects, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return nil, fmt.Errorf("examine the database: %w", err)
		}
		for _, subject := range subjects {
			findings = append(findings, Finding{subject, c.problem, c.remedy})
		}
	}
	secrets, err := SecretsInClear(ctx, db)
	if secrets != "" {
		findings = append(findings, Finding{"vault.secrets", "it keeps " + secrets + " in clear: it only stands in for the extension supabase_vault",
			"take the secrets out, or serve the project on a PostgreSQL that has the extension (DATABASE_URL)"})
	}
	return findings, err
}

// standInSQL tells whether vault.secrets is the stand-in for Supabase's, which
// does not encrypt.
const standInSQL = `select to_regclass('vault.secrets') is not null and not exists (select from pg_catalog.pg_extension where extname = 'supabase_vault')`

// SecretsInClear says how many secrets the stand-in for Supabase's vault keeps,
// such as "2 secrets"; nothing where there is none.
func SecretsInClear(ctx context.Context, db Querier) (string, error) {
	standIn, err := one[bool](ctx, db, standInSQL)
	if err != nil || !standIn {
		return "", err
	}
	switch kept, err := one[int64](ctx, db, "select count(*) from vault.secrets"); kept {
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

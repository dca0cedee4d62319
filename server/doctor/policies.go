package doctor

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/lazyregexp"
)

// policy is a row-level security policy of an exposed table or of the storage schema.
type policy struct {
	Table   string // quoted
	Name    string
	Command string // SELECT, INSERT, UPDATE, DELETE, ALL
	Roles   []string
	Using   string // in PostgreSQL's output format; may be empty
	Check   string
	Calls   []string // stable functions that it calls, in PostgreSQL's output format
	Columns []string // columns of the table, quoted if necessary
	Indexed []string // columns that are the first column of an index
}

const listPolicies = `
	select format('%I.%I', n.nspname, c.relname), p.polname::text,
		case p.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' when 'd' then 'DELETE' else 'ALL' end,
		array(select coalesce(r.rolname::text, 'public') from unnest(p.polroles) o left join pg_catalog.pg_roles r on r.oid = o),
		coalesce(pg_catalog.pg_get_expr(p.polqual, p.polrelid), ''), coalesce(pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid), ''),
		array(select f.oid::regproc::text from pg_catalog.pg_depend d join pg_catalog.pg_proc f on f.oid = d.refobjid
			where d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_proc'::regclass and f.provolatile = 's'),
		array(select quote_ident(a.attname) from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
		array(select quote_ident(a.attname) from pg_catalog.pg_attribute a join pg_catalog.pg_index i on i.indrelid = c.oid and i.indkey[0] = a.attnum and i.indpred is null
			where a.attrelid = c.oid)
	from pg_catalog.pg_policy p
	join pg_catalog.pg_class c on c.oid = p.polrelid
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where n.nspname = any($1) or n.nspname = 'storage'
	order by 1, 2`

func examinePolicies(ctx context.Context, db Querier, schemas []string) ([]Finding, error) {
	rows, err := db.Query(ctx, listPolicies, schemas)
	if err != nil {
		return nil, fmt.Errorf("examine the policies: %w", err)
	}
	policies, err := pgx.CollectRows(rows, pgx.RowToStructByPos[policy])
	if err != nil {
		return nil, fmt.Errorf("examine the policies: %w", err)
	}
	var findings []Finding
	for _, p := range policies {
		findings = append(findings, p.examine()...)
	}
	return findings, nil
}

func (p policy) subject() string { return p.Table + ": " + pgx.Identifier{p.Name}.Sanitize() }

func (p policy) examine() (findings []Finding) {
	if found := p.unwrapped(); found != "" {
		findings = append(findings, Finding{"auth_rls_initplan", p.subject(), "the policy calls a function for each row that returns the same value for all rows", found})
	}
	for _, column := range p.unindexed() {
		findings = append(findings, Finding{"unindexed_policy_column", p.subject(), "the policy compares " + column + ", which has no index: each request reads the whole table",
			fmt.Sprintf("create index on %s (%s);", p.Table, column)})
	}
	if strings.Contains(p.Using+p.Check, "user_metadata") {
		findings = append(findings, Finding{"rls_references_user_metadata", p.subject(), "the policy trusts user_metadata, which users change themselves",
			fmt.Sprintf("drop policy %s on %s; -- and decide by app_metadata or a table", pgx.Identifier{p.Name}.Sanitize(), p.Table)})
	}
	if p.alwaysTrue() {
		findings = append(findings, Finding{"rls_policy_always_true", p.subject(), "the policy lets all users of its roles write any row",
			fmt.Sprintf("drop policy %s on %s; -- and say whose rows", pgx.Identifier{p.Name}.Sanitize(), p.Table)})
	}
	return findings
}

// alwaysTrue reports whether a policy allows writing without a condition. Inserts by all
// signed-in users are accepted.
func (p policy) alwaysTrue() bool {
	public := slices.Contains(p.Roles, "public") || slices.Contains(p.Roles, "anon")
	signedIn := public || slices.Contains(p.Roles, "authenticated")
	switch p.Command {
	case "INSERT":
		return public && p.Check == "true"
	case "UPDATE", "DELETE", "ALL":
		return signedIn && p.Using == "true" && (p.Check == "" || p.Check == "true")
	}
	return false
}

// unwrapped returns the statement that wraps the policy's calls, or "" if this is not
// necessary.
func (p policy) unwrapped() string {
	using, check := wrapCalls(p.Using, p.Calls), wrapCalls(p.Check, p.Calls)
	if using == p.Using && check == p.Check {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "alter policy %s on %s", pgx.Identifier{p.Name}.Sanitize(), p.Table)
	for _, part := range []struct{ word, text string }{{" using (", using}, {" with check (", check}} {
		if part.text != "" {
			b.WriteString(part.word + part.text + ")")
		}
	}
	return b.String() + ";"
}

const (
	identifier = `((?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)(?:\.(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*))?)`
	caller     = `(?:\(\s*SELECT auth\.uid\(\)(?: AS uid)?\)|auth\.uid\(\))`
)

var comparesCaller = []func() *regexp.Regexp{
	lazyregexp.New(identifier + `\)?(?:::[a-z ]+)? = \(?` + caller),
	lazyregexp.New(caller + `\)?(?:::[a-z ]+)? = \(?` + identifier),
}

// unindexed returns the columns that the policy compares with the caller and that are
// not the first column of an index. It ignores storage.objects, whose rows are found by
// an index on the bucket.
func (p policy) unindexed() (columns []string) {
	if p.Table == "storage.objects" {
		return nil
	}
	for _, pattern := range comparesCaller {
		for _, found := range pattern().FindAllStringSubmatch(p.Using, -1) {
			column := found[1]
			if slices.Contains(p.Columns, column) && !slices.Contains(p.Indexed, column) && !slices.Contains(columns, column) {
				columns = append(columns, column)
			}
		}
	}
	return columns
}

package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Levels of issues, as the Supabase CLI's db lint has them.
const (
	LevelWarning = "warning"
	LevelError   = "error"
)

// errorCodes are the findings that expose data. The others are warnings.
var errorCodes = []string{
	"rls_disabled_in_public", "policy_exists_rls_disabled", "security_definer_view", "auth_users_exposed", "role_bypasses_rls",
	"rls_references_user_metadata", "vault_in_clear",
}

// Level returns the level of a finding.
func (f Finding) Level() string {
	if slices.Contains(errorCodes, f.Code) {
		return LevelError
	}
	return LevelWarning
}

// LintResult lists the issues of an object, in the form that the Supabase CLI's db lint writes.
type LintResult struct {
	Function string  `json:"function"` // name of a function or another object
	Issues   []Issue `json:"issues"`
}

// Issue is one problem of an object.
type Issue struct {
	Level    string `json:"level"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
	Detail   string `json:"detail,omitempty"`
	Context  string `json:"context,omitempty"`
	SQLState string `json:"sqlState,omitempty"`
}

// Lint returns the functions of schemas whose bodies PostgreSQL rejects, and the findings of Examine. It
// changes nothing.
func Lint(ctx context.Context, conn *pgx.Conn, schemas []string) ([]LintResult, error) {
	results, err := checkFunctions(ctx, conn, schemas)
	if err != nil {
		return nil, err
	}
	findings, err := Examine(ctx, conn, schemas)
	for _, f := range findings {
		issue := Issue{Level: f.Level(), Message: f.Problem, Hint: f.Remedy, Detail: f.Code}
		if i := slices.IndexFunc(results, func(r LintResult) bool { return r.Function == f.Subject }); i >= 0 {
			results[i].Issues = append(results[i].Issues, issue)
			continue
		}
		results = append(results, LintResult{Function: f.Subject, Issues: []Issue{issue}})
	}
	return results, err
}

// function is a function with a body that its language can check.
type function struct {
	ID         uint32
	Name       string
	Validator  string
	SearchPath string // that the function sets; empty: the session's
}

const listFunctions = `
	select p.oid, format('%I.%I(%s)', n.nspname, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid)), l.lanvalidator::regproc::text,
		coalesce((select nullif(substr(setting, strpos(setting, '=') + 1), '') from unnest(p.proconfig) setting where setting like 'search_path=%'), '')
	from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace join pg_catalog.pg_language l on l.oid = p.prolang
	where n.nspname = any ($1) and l.lanname in ('sql', 'plpgsql') and p.prokind <> 'a'
		and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
	order by 2`

// prepareCheck sets the search path of a function ($1; empty: the session's) for a transaction. With
// check_function_bodies off, validators check nothing.
const prepareCheck = `
	select set_config('check_function_bodies', 'on', true), set_config('search_path', coalesce(nullif($1, ''), current_setting('search_path')), true)`

// checkFunctions calls the validators of functions' languages, which check the bodies: of SQL each name and
// type, of PL/pgSQL the syntax.
func checkFunctions(ctx context.Context, conn *pgx.Conn, schemas []string) (results []LintResult, err error) {
	rows, err := conn.Query(ctx, listFunctions, schemas)
	if err != nil {
		return nil, fmt.Errorf("list the functions: %w", err)
	}
	functions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[function])
	if err != nil {
		return nil, fmt.Errorf("list the functions: %w", err)
	}
	for _, f := range functions {
		err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, prepareCheck, f.SearchPath); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "select "+f.Validator+"($1)", f.ID)
			return err
		})
		var fault *pgconn.PgError
		if err != nil && !errors.As(err, &fault) {
			return nil, fmt.Errorf("check the function %s: %w", f.Name, err)
		}
		if fault != nil {
			results = append(results, LintResult{Function: f.Name, Issues: []Issue{{
				Level: LevelError, Message: fault.Message, Hint: fault.Hint, Detail: fault.Detail, Context: strings.TrimSpace(fault.Where), SQLState: fault.Code,
			}}})
		}
	}
	return results, nil
}

package pg

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// SetRoleSQL sets the caller for the transaction: role, claims, method, path, headers,
// cookies and whether it is read-only.
const SetRoleSQL = `select pg_catalog.set_config('role', $1, true), pg_catalog.set_config('request.jwt.claims', $2, true), ` +
	`pg_catalog.set_config('request.method', $3, true), pg_catalog.set_config('request.path', $4, true), ` +
	`pg_catalog.set_config('request.headers', $5, true), pg_catalog.set_config('request.cookies', $6, true), ` +
	`pg_catalog.set_config('transaction_read_only', $7, true)`

// roleSettingsSQL lists what was set with ALTER ROLE … SET. PostgreSQL applies
// these at sign-in only. As a caller's role is set later, they are applied with it, as
// PostgREST does. Settings that the role that signs in ($1) may not change are left out.
const roleSettingsSQL = `
	select r.rolname, split_part(s.setting, '=', 1), substr(s.setting, strpos(s.setting, '=') + 1)
	from pg_catalog.pg_db_role_setting d
	join pg_catalog.pg_roles r on r.oid = d.setrole
	cross join unnest(d.setconfig) s (setting)
	left join pg_catalog.pg_settings k on k.name = split_part(s.setting, '=', 1)
	where d.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
	  and (s.setting like 'plan_filter.statement_cost_limit=%' or k.context = 'user' or k.context = 'superuser' and pg_catalog.has_parameter_privilege($1, k.name, 'set'))
	  and split_part(s.setting, '=', 1) <> 'search_path'
	order by 1, d.setdatabase, 2`

// roleSettings builds, once per role, the statement that sets that role.
type roleSettings struct {
	extra map[string]string // role → further set_config calls
	// isolation has the default isolation levels of roles, which BEGIN has to name: the
	// role is set after it.
	isolation map[string]string
	// costLimit has the highest cost, in the planner's units, that statements of
	// a role may have. Source: the setting of the extension pg_plan_filter.
	costLimit map[string]float64
	// timeouts has the statement timeouts of roles; user is the role that signs in, whose
	// timeout applies to roles without one.
	timeouts map[string]time.Duration
	user     string

	always string   // settings of every role
	made   sync.Map // role → statement
}

func readRoleSettings(ctx context.Context, pool *pgxpool.Pool, user string, always map[string]string) (*roleSettings, error) {
	rows, err := pool.Query(ctx, roleSettingsSQL, user)
	if err != nil {
		return nil, fmt.Errorf("read role settings: %w", err)
	}
	settings := &roleSettings{extra: make(map[string]string), isolation: make(map[string]string), costLimit: make(map[string]float64),
		timeouts: make(map[string]time.Duration), user: user}
	for _, name := range slices.Sorted(maps.Keys(always)) {
		settings.always += setConfig(name, always[name])
	}
	var role, name, value string
	_, err = pgx.ForEachRow(rows, []any{&role, &name, &value}, func() error {
		switch name {
		case "default_transaction_isolation":
			settings.isolation[role] = value
		case "plan_filter.statement_cost_limit":
			if settings.costLimit[role], err = strconv.ParseFloat(value, 64); err != nil {
				err = fmt.Errorf("plan_filter.statement_cost_limit of the role %s is %q: use a number", role, value)
			}
		case "statement_timeout":
			settings.timeouts[role], _ = parseTimeout(value)
			settings.extra[role] += setConfig(name, value)
		default:
			settings.extra[role] += setConfig(name, value)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read role settings: %w", err)
	}
	return settings, nil
}

// withColumn returns the same settings, whose statements select one more column.
func (s *roleSettings) withColumn(column string) *roleSettings {
	return &roleSettings{extra: s.extra, isolation: s.isolation, costLimit: s.costLimit, timeouts: s.timeouts, user: s.user, always: s.always + ", " + column}
}

func setConfig(name, value string) string {
	return fmt.Sprintf(", pg_catalog.set_config(%s, %s, true)", quoteLiteral(name), quoteLiteral(value))
}

// CostLimit returns the highest planned cost of a role's statements; 0 means none.
func (db *DB) CostLimit(role string) float64 { return db.primary.roles.Load().costLimit[role] }

// StatementTimeout returns the statement timeout of a role, or of the role that signs in
// if it has none. 0 means no limit.
func (db *DB) StatementTimeout(role string) time.Duration {
	roles := db.primary.roles.Load()
	if limit, known := roles.timeouts[role]; known {
		return limit
	}
	return roles.timeouts[roles.user]
}

// localsSQL sets the settings of a function for its transaction. They come from the
// schema, so there are few different texts.
func localsSQL(locals []Local) string {
	text := ""
	for _, local := range locals {
		text += setConfig(local.Name, local.Value)
	}
	return "select " + strings.TrimPrefix(text, ", ")
}

// begin returns the statement that starts an explicit transaction.
func (set Settings) begin() string {
	switch level := strings.ToLower(set.Isolation); level {
	case "serializable", "repeatable read", "read committed", "read uncommitted":
		return beginSQL + " isolation level " + level
	}
	return beginSQL
}

func (s *roleSettings) statement(role string) string {
	if s.extra[role] == "" && s.always == "" {
		return SetRoleSQL
	}
	if made, ok := s.made.Load(role); ok {
		return made.(string)
	}
	// The role's settings come before the role: the role that signs in may be allowed to
	// change what the role may not.
	made := "select " + strings.TrimPrefix(s.extra[role]+", ", ", ") + strings.TrimPrefix(SetRoleSQL, "select ") + s.always
	s.made.Store(role, made)
	return made
}

// SetRoleSQL returns the statement that makes a transaction the caller's: SetRoleSQL with the role's settings.
func (db *DB) SetRoleSQL(role string) string { return db.primary.roles.Load().statement(role) }

func quoteLiteral(text string) string {
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}

// Package visible queries what a role may see of a table, and which rows a caller sees.
package visible

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/claims"
	"plaza/server/pg"
)

// RoleView is a table as a role may see it.
type RoleView struct {
	OID          uint32
	Schema, Name string
	Columns      []Column
	Key          []string // columns of the primary key; nil: it has none

	// Secured means that policies decide which rows the role sees. PerCaller means that they
	// may depend on the caller, so that they are checked for each one; otherwise the result is the
	// same for all callers of the role.
	Secured, PerCaller bool
}

// Column is a column of a RoleView.
type Column struct {
	Name       string
	Type       string // pg_type.typname
	SQL        string // the type in SQL
	Base       uint32 // OID of the type without domains
	Kind       string // pg_type.typtype of Base: "b" base, "e" enum and so on
	Selectable bool
	Exact      bool // equal values have equal texts, whatever a session's settings
}

// Column returns a column by its name, or nil.
func (v *RoleView) Column(name string) *Column {
	for i := range v.Columns {
		if v.Columns[i].Name == name {
			return &v.Columns[i]
		}
	}
	return nil
}

// IsKey reports whether a column is part of the primary key.
func (v *RoleView) IsKey(name string) bool { return slices.Contains(v.Key, name) }

// ErrNoTable means that a table does not exist.
var ErrNoTable = errors.New("the table does not exist")

// maxAge is how long a RoleView is cached. Changes of the schema, of grants and of policies empty the
// cache (see Invalidate). Changes of roles do not, and have an effect after maxAge.
const maxAge = time.Minute

// Catalog reads and caches RoleViews and the tables of a publication.
type Catalog struct {
	db          *pg.DB
	publication string
	now         func() time.Time

	mu        sync.Mutex
	isCaching bool
	epoch     uint64
	views     map[viewKey]cachedView
	published []Table
	readAt    time.Time // when published was read; zero: it is not cached
}

type viewKey struct {
	oid  uint32
	role string
}

type cachedView struct {
	view   *RoleView
	readAt time.Time
}

// NewCatalog returns a Catalog for a publication. It caches nothing until SetCaching is called.
func NewCatalog(db *pg.DB, publication string, now func() time.Time) *Catalog {
	return &Catalog{db: db, publication: publication, now: now, views: make(map[viewKey]cachedView)}
}

// SetCaching enables or disables caching. It must be disabled while nobody calls Invalidate after
// changes of the schema.
func (c *Catalog) SetCaching(isCaching bool) {
	c.Invalidate()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isCaching = isCaching
}

// Invalidate empties the cache.
func (c *Catalog) Invalidate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	clear(c.views)
	c.published, c.readAt = nil, time.Time{}
}

// rowNodes are the nodes of expressions that depend on nothing but the row, as pg_node_tree names them.
const rowNodes = `'VAR', 'CONST', 'BOOLEXPR', 'NULLTEST', 'BOOLEANTEST', 'OPEXPR', 'SCALARARRAYOPEXPR', 'FUNCEXPR', 'RELABELTYPE', 'DISTINCTEXPR'`

// viewSQL runs as the role.
const viewSQL = `
	select json_build_object('oid', c.oid::bigint, 'schema', n.nspname, 'name', c.relname, 'secured', pg_catalog.row_security_active(c.oid),
		'key', (select json_agg(a.attname order by k.place) from pg_catalog.pg_index i, unnest(i.indkey::int2[]) with ordinality k (number, place)
			join pg_catalog.pg_attribute a on a.attnum = k.number where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid),
		'percaller', exists (select from pg_catalog.pg_policy p
			where p.polrelid = c.oid and p.polcmd in ('r', '*')
				and (p.polroles = '{0}' or exists (select from unnest(p.polroles) r where r <> 0 and pg_catalog.pg_has_role(r, 'member')))
				and (exists (select from regexp_matches(p.polqual::text, '\{([A-Z_]+)', 'g') node where node[1] not in (` + rowNodes + `))
					or exists (select from regexp_matches(p.polqual::text, ':(?:opfuncid|funcid) (\d+)', 'g') used
						left join pg_catalog.pg_proc f on f.oid = used[1]::oid
						where f.provolatile is distinct from 'i' or f.pronamespace <> 'pg_catalog'::regnamespace))),
		'columns', (select json_agg(json_build_object('name', a.attname, 'type', t.typname, 'sql', pg_catalog.format_type(a.atttypid, -1),
				'base', b.oid::bigint, 'kind', b.typtype,
				'selectable', pg_catalog.has_schema_privilege(n.oid, 'usage') and pg_catalog.has_column_privilege(c.oid, a.attnum, 'select'),
				'exact', b.typtype = 'e' or b.oid::regtype in ('bool', 'int2', 'int4', 'int8', 'uuid')
					or b.oid::regtype in ('text', 'varchar') and coalesce(l.collisdeterministic, true)) order by a.attnum)
			from pg_catalog.pg_attribute a
			join pg_catalog.pg_type t on t.oid = a.atttypid
			cross join lateral (
				with recursive base as (
					select t.oid, t.typtype, t.typbasetype
					union all
					select d.oid, d.typtype, d.typbasetype from base join pg_catalog.pg_type d on d.oid = base.typbasetype where base.typtype = 'd'
				)
				select * from base where typtype <> 'd') b
			left join pg_catalog.pg_collation l on l.oid = a.attcollation
			where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped))
	from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = $1::oid`

// Views returns a table as roles may see it, by role. Roles that do not exist are left out.
//
// Errors: ErrNoTable; the database's.
func (c *Catalog) Views(ctx context.Context, oid uint32, roles []string) (map[string]*RoleView, error) {
	found := make(map[string]*RoleView, len(roles))
	var missing []*pg.CallerQuery
	c.mu.Lock()
	epoch, now := c.epoch, c.now()
	for _, role := range roles {
		if k, ok := c.views[viewKey{oid, role}]; ok && now.Sub(k.readAt) < maxAge {
			found[role] = k.view
			continue
		}
		missing = append(missing, viewQuery(oid, role, found))
	}
	c.mu.Unlock()
	if len(missing) == 0 {
		return found, nil
	}
	if err := c.db.QueryAsCallers(ctx, missing); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range missing {
		view := found[q.Who.Role]
		switch {
		case q.Err != nil:
			delete(found, q.Who.Role)
		case view == nil:
			return nil, ErrNoTable
		case epoch == c.epoch && c.isCaching:
			c.views[viewKey{oid, q.Who.Role}] = cachedView{view, now}
		}
	}
	return found, nil
}

func viewQuery(oid uint32, role string, found map[string]*RoleView) *pg.CallerQuery {
	return &pg.CallerQuery{
		Who: claims.ForRole(role), Statement: pg.Statement{SQL: viewSQL, Args: [][]byte{fmt.Append(nil, oid)}},
		Scan: func(row [][]byte) error {
			view := new(RoleView)
			err := json.Unmarshal(row[0], view)
			found[role] = view
			return err
		},
	}
}

// Table identifies a published table.
type Table struct {
	OID          uint32
	Schema, Name string
}

const publishedSQL = `
	select c.oid, t.schemaname, t.tablename from pg_catalog.pg_publication_tables t
	join pg_catalog.pg_namespace n on n.nspname = t.schemaname join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = t.tablename
	where t.pubname = $1`

// Published returns the tables of the publication for which isWanted returns true. If the cache has none,
// the database is queried again, since one may have been published meanwhile.
func (c *Catalog) Published(ctx context.Context, isWanted func(Table) bool) ([]Table, error) {
	c.mu.Lock()
	published, epoch, now := c.published, c.epoch, c.now()
	if now.Sub(c.readAt) >= maxAge {
		published = nil
	}
	c.mu.Unlock()
	if wanted := filter(published, isWanted); len(wanted) > 0 {
		return wanted, nil
	}
	rows, err := c.db.Owner().Query(ctx, publishedSQL, c.publication)
	if err != nil {
		return nil, err
	}
	if published, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Table]); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if epoch == c.epoch && c.isCaching {
		c.published, c.readAt = published, now
	}
	return filter(published, isWanted), nil
}

func filter(tables []Table, isWanted func(Table) bool) (wanted []Table) {
	for _, t := range tables {
		if isWanted(t) {
			wanted = append(wanted, t)
		}
	}
	return wanted
}

// RowCheck is a check of which rows of a table a caller sees.
type RowCheck struct {
	Who  claims.Caller
	View *RoleView
	Keys [][]string // values of the key's columns, in text form, row by row

	Visible []bool // by row
	Err     error  // of a policy; Visible is all false then
}

// CheckRows checks which rows callers see now, and sets Visible or Err of each check.
//
// Errors: the database's.
func (c *Catalog) CheckRows(ctx context.Context, checks []*RowCheck) error {
	queries := make([]*pg.CallerQuery, len(checks))
	for i, r := range checks {
		r.Visible = make([]bool, len(r.Keys))
		queries[i] = r.query()
	}
	err := c.db.QueryAsCallers(ctx, queries)
	for i, q := range queries {
		if q.Err != nil {
			checks[i].Err = q.Err
			clear(checks[i].Visible)
		}
	}
	return err
}

// query returns a query for the numbers of the rows that the caller sees, from 1. Each is looked up by
// its key: with a join, PostgreSQL might read the whole table.
func (r *RowCheck) query() *pg.CallerQuery {
	var arrays, names, equal []string
	args := make([][]byte, len(r.View.Key))
	for i, key := range r.View.Key {
		column := r.View.Column(key)
		arrays = append(arrays, fmt.Sprintf("$%d::%s[]", i+1, column.SQL))
		names = append(names, fmt.Sprintf("k%d", i))
		equal = append(equal, fmt.Sprintf("t.%s = keys.k%d", pgx.Identifier{key}.Sanitize(), i))
		values := make([]string, len(r.Keys))
		for row, key := range r.Keys {
			values[row] = key[i]
		}
		args[i] = TextArray(values)
	}
	sql := fmt.Sprintf("select keys.n from unnest(%s) with ordinality keys (%s, n), lateral (select from %s t where %s limit 1) seen",
		strings.Join(arrays, ", "), strings.Join(names, ", "), pgx.Identifier{r.View.Schema, r.View.Name}.Sanitize(), strings.Join(equal, " and "))
	return &pg.CallerQuery{Who: r.Who, Statement: pg.Statement{SQL: sql, Args: args}, Scan: func(row [][]byte) error {
		n, err := strconv.Atoi(string(row[0]))
		if err != nil || n < 1 || n > len(r.Visible) {
			return fmt.Errorf("row %q of %d: %w", row[0], len(r.Visible), err)
		}
		r.Visible[n-1] = true
		return nil
	}}
}

// TextArray returns an array of values in PostgreSQL's text format.
func TextArray(values []string) []byte {
	out := []byte{'{'}
	for i, value := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '"')
		for _, char := range []byte(value) {
			if char == '"' || char == '\\' {
				out = append(out, '\\')
			}
			out = append(out, char)
		}
		out = append(out, '"')
	}
	return append(out, '}')
}

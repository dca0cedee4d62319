// Package ddl reads the schema of a database as SQL: each object with the statement that creates it, and
// the objects it needs. Script returns all statements, in an order that can be run; Diff returns those that
// turn one schema into another.
package ddl

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Object is one object of a schema, or a property that is altered by itself: a comment, privileges, an
// owner, the default of a column.
type Object struct {
	Kind   string
	Name   string // unique, in the words of SQL: "table public.notes", "policy p on public.notes"
	Create string // the statement without a semicolon
	Drop   string

	goesWith   string   // the object with which it is dropped; may be empty
	needs      []string // objects that must exist before
	grantOn    string   // what GRANT names; may be empty
	attributes json.RawMessage
	privileges privileges // of kinds privileges and default privileges
	initial    privileges // that the object has when it is created
}

// Schema is the schema of a database.
type Schema struct {
	objects map[string]*Object
	version int // of the server, as server_version_num has it
	// Unwritten names the objects of the schemas read that this package cannot write.
	Unwritten []string
}

// Options configures Read.
type Options struct {
	Schemas []string // the schemas to read; none means those of the project
}

// platformSchemas are the platform's schemas in which projects create triggers and policies.
var platformSchemas = []string{"auth", "storage", "realtime"}

// Read reads a schema in one transaction, which sees one state of it.
func Read(ctx context.Context, conn *pgx.Conn, o Options) (*Schema, error) {
	read := reader{schema: &Schema{objects: map[string]*Object{}}, names: map[address]string{}}
	inSchemas := func(schema string) bool { return len(o.Schemas) == 0 || slices.Contains(o.Schemas, schema) }
	if err := read.addStandIns(ctx, conn, inSchemas); err != nil {
		return nil, fmt.Errorf("look for stand-ins of extensions: %w", err)
	}
	err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local search_path = ''"); err != nil {
			return err
		}
		read.tx = tx
		return read.all(ctx, o)
	})
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	return read.schema, nil
}

// address identifies an object in PostgreSQL's catalogue, as in pg_depend.
type address struct {
	Class, ID uint32
	Sub       int32
}

type reader struct {
	tx      pgx.Tx
	schema  *Schema
	schemas []string
	names   map[address]string  // the objects' names
	aliases map[address]address // see listAliases
}

// row is an object as a query of catalogue returns it.
type row struct {
	Kind, Name, Create, Drop, Parent, GoesWith string
	Class, ID                                  uint32
	Sub                                        int32
	Owner, GrantOn                             string
	Attributes                                 []byte
}

func collect[T any](ctx context.Context, r *reader, sql string, args ...any) ([]T, error) {
	rows, err := r.tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

func (r *reader) all(ctx context.Context, o Options) error {
	if err := r.chooseSchemas(ctx, o); err != nil {
		return err
	}
	var user string
	if err := r.tx.QueryRow(ctx, "select current_user::text, current_setting('server_version_num')::int").Scan(&user, &r.schema.version); err != nil {
		return err
	}
	for _, query := range catalogue {
		found, err := collect[row](ctx, r, query, r.schemas, platformSchemas)
		if err != nil {
			return fmt.Errorf("%.40q: %w", strings.TrimSpace(query), err)
		}
		for _, f := range found {
			r.add(f, user)
		}
	}
	for _, step := range []func(context.Context) error{r.readDependencies, r.readComments, r.readPrivileges, r.readDefaultPrivileges} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return r.readUnwritten(ctx)
}

func (r *reader) chooseSchemas(ctx context.Context, o Options) (err error) {
	if r.schemas = o.Schemas; len(r.schemas) > 0 {
		var missing []string
		if err := r.tx.QueryRow(ctx, "select coalesce(array_agg(name), '{}') from unnest($1::text[]) name where not exists (select from pg_catalog.pg_namespace where nspname = name)", r.schemas).Scan(&missing); err != nil {
			return err
		}
		if len(missing) > 0 {
			return fmt.Errorf("there is no schema %q", missing)
		}
		return nil
	}
	rows, err := r.tx.Query(ctx, listSchemas)
	if err == nil {
		r.schemas, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	return err
}

// add adds an object, and its owner where that is not the current user.
func (r *reader) add(f row, user string) {
	at := address{f.Class, f.ID, f.Sub}
	if r.isPart(at) {
		return
	}
	o := &Object{Kind: f.Kind, Name: f.Name, Create: f.Create, Drop: f.Drop, goesWith: f.GoesWith, grantOn: f.GrantOn, attributes: f.Attributes}
	if o.Drop == "" {
		o.Drop = "drop " + f.Name
	}
	o.need(f.Parent)
	if f.Kind == "sequence owner" {
		o.need(f.GoesWith)
	}
	r.schema.objects[o.Name] = o
	if f.Class != 0 {
		r.names[at] = o.Name
	}
	if f.Owner != "" && f.Owner != user {
		r.schema.property(o, "owner", "alter "+f.Name+" owner to "+pgx.Identifier{f.Owner}.Sanitize(), "alter "+f.Name+" owner to current_user")
	}
}

// isPart reports whether an object belongs to the stand-in of an extension.
func (r *reader) isPart(a address) bool {
	return strings.HasPrefix(r.names[address{a.Class, a.ID, 0}], "extension ")
}

// property adds a property of an object.
func (s *Schema) property(of *Object, kind, create, drop string) *Object {
	p := &Object{Kind: kind, Name: kind + " of " + of.Name, Create: create, Drop: drop, goesWith: of.Name, grantOn: of.grantOn}
	p.need(of.Name)
	s.objects[p.Name] = p
	return p
}

func (o *Object) need(name string) {
	if name != "" && name != o.Name && !slices.Contains(o.needs, name) {
		o.needs = append(o.needs, name)
	}
}

// find returns the object at an address; if that is a part that is no object itself, the object that it is part of.
func (r *reader) find(a address) *Object {
	for range 4 { // an alias may lead to an alias: array → row type → table
		for _, at := range []address{a, {a.Class, a.ID, 0}} {
			if name, found := r.names[at]; found {
				return r.schema.objects[name]
			}
		}
		next, found := r.aliases[address{a.Class, a.ID, 0}]
		if !found {
			return nil
		}
		a = next
	}
	return nil
}

func (r *reader) readDependencies(ctx context.Context) error {
	type pair struct{ From, To address }
	pairs := func(sql string) ([]pair, error) {
		rows, err := r.tx.Query(ctx, sql)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p pair, err error) {
			err = row.Scan(&p.From.Class, &p.From.ID, &p.From.Sub, &p.To.Class, &p.To.ID, &p.To.Sub)
			return p, err
		})
	}
	aliases, err := pairs(listAliases)
	if err != nil {
		return err
	}
	r.aliases = make(map[address]address, len(aliases))
	for _, a := range aliases {
		r.aliases[a.From] = a.To
	}
	found, err := pairs(listDependencies)
	if err != nil {
		return err
	}
	for _, d := range found {
		from, to := r.find(d.From), r.find(d.To)
		if from != nil && to != nil {
			from.need(to.Name)
		}
	}
	return nil
}

func (r *reader) readComments(ctx context.Context) error {
	type comment struct {
		Class, ID uint32
		Sub       int32
		Text      string
	}
	found, err := collect[comment](ctx, r, listComments)
	if err != nil {
		return err
	}
	for _, c := range found {
		name, known := r.names[address{c.Class, c.ID, c.Sub}]
		if !known || name == "schema public" || r.isPart(address{c.Class, c.ID, 0}) {
			continue
		}
		on := "comment on " + name + " is "
		r.schema.property(r.schema.objects[name], "comment", on+quoteLiteral(c.Text), on+"null")
	}
	return nil
}

func (r *reader) readUnwritten(ctx context.Context) error {
	found, err := collect[identity](ctx, r, listUnwritten, r.schemas)
	for _, o := range found {
		if !r.isPart(address{o.Class, o.ID, 0}) {
			r.schema.Unwritten = append(r.schema.Unwritten, o.Name)
		}
	}
	return err
}

// quoteLiteral returns a string constant of SQL.
func quoteLiteral(text string) string {
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}

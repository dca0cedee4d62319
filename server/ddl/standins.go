package ddl

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
)

// probe is the name of a schema that only a transaction which is rolled back sees.
const probe = "plaza_probe"

// standIn is what a database has in place of an extension; see server/pg/migrate. Its objects are none of
// an extension's in PostgreSQL's catalogue.
type standIn struct {
	Extension string // quoted
	Schema    string
	Makes     string
	Probe     string // the statement that makes it in the schema probe
	quoted    string // Schema, quoted
}

// listStandIns lists the stand-ins that the database may have. Their schemas are expressions, which are null
// for those that it does not have.
const listStandIns = `
	select quote_ident(s.extension), s.schema, s.makes, case when (to_jsonb(s) ->> 'as_superuser')::boolean
			then format('select plaza.make_as_superuser(%L, %L)', s.extension, '` + probe + `') else replace(s.makes, '@extschema@', '` + probe + `') end
	from plaza.stand_ins s
	where not exists (select from pg_catalog.pg_extension e where e.extname = s.extension and e.extversion <> 'stand-in') order by 1`

// findStandIns returns the stand-ins in the database, with the names of their schemas.
func findStandIns(ctx context.Context, conn *pgx.Conn) (found []standIn, err error) {
	var known bool
	if err := conn.QueryRow(ctx, "select coalesce(has_table_privilege(to_regclass('plaza.stand_ins'), 'select'), false)").Scan(&known); err != nil || !known {
		return nil, err
	}
	rows, err := conn.Query(ctx, listStandIns)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[standIn])
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if err := conn.QueryRow(ctx, "select coalesce(name, ''), coalesce(quote_ident(name), '') from (select ("+s.Schema+")::text) found (name)").Scan(&s.Schema, &s.quoted); err != nil {
			return nil, err
		}
		if s.Schema != "" {
			found = append(found, s)
		}
	}
	return found, nil
}

// isMovable reports whether a stand-in is in the schema that CREATE EXTENSION names, and not in a fixed one.
func (s standIn) isMovable() bool { return strings.Contains(s.Makes, "@extschema@") }

// create returns the statement that creates the stand-in where the server offers its extension.
func (s standIn) create() string {
	schema := "extensions"
	if s.isMovable() {
		schema = s.quoted
	}
	return "create extension if not exists " + s.Extension + " with schema " + schema
}

// errRollback ends a transaction that must leave nothing behind.
var errRollback = errors.New("roll back")

// listIdentities lists the objects of a schema, and the casts of its types, with their names.
const listIdentities = `
	select own.class, own.id, i.identity from (
		select classid as class, objid as id from pg_catalog.pg_depend where refclassid = 'pg_namespace'::regclass and refobjid = $1::text::regnamespace
		union select 'pg_cast'::regclass, c.oid from pg_catalog.pg_cast c join pg_catalog.pg_type t on t.oid in (c.castsource, c.casttarget) where t.typnamespace = $1::text::regnamespace
	) own, pg_catalog.pg_identify_object(own.class, own.id, 0) i`

type identity struct {
	Class, ID uint32
	Name      string
}

// objectsOf returns the addresses of the objects of a stand-in. It makes the stand-in once more, in a
// schema that is rolled back, and looks for objects of the same names.
func objectsOf(ctx context.Context, conn *pgx.Conn, s standIn) (addresses []address, err error) {
	identities := func(tx pgx.Tx, schema string) ([]identity, error) {
		rows, err := tx.Query(ctx, listIdentities, schema)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowToStructByPos[identity])
	}
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "create schema "+probe+"; set local search_path = "+probe+", pg_temp; set local client_min_messages = error"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, s.Probe); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "set local search_path = ''"); err != nil {
			return err
		}
		made, err := identities(tx, probe)
		if err != nil {
			return err
		}
		there, err := identities(tx, s.quoted)
		if err != nil {
			return err
		}
		names := make(map[string]bool, len(made))
		for _, m := range made {
			names[strings.ReplaceAll(m.Name, probe+".", s.quoted+".")] = true
		}
		for _, o := range there {
			if names[o.Name] {
				addresses = append(addresses, address{o.Class, o.ID, 0})
			}
		}
		return errRollback
	})
	if errors.Is(err, errRollback) {
		err = nil
	}
	return addresses, err
}

// addStandIns adds the extensions that have a stand-in. The objects of a stand-in in a schema that is read
// count as parts of the extension.
func (r *reader) addStandIns(ctx context.Context, conn *pgx.Conn, wanted func(schema string) bool) error {
	found, err := findStandIns(ctx, conn)
	if err != nil {
		return err
	}
	for _, s := range found {
		name := "extension " + s.Extension
		r.schema.objects[name] = &Object{Kind: "extension", Name: name, Create: s.create(), Drop: "drop " + name}
		if !s.isMovable() || !wanted(s.Schema) {
			continue
		}
		addresses, err := objectsOf(ctx, conn, s)
		if err != nil {
			return err
		}
		for _, a := range addresses {
			r.names[a] = name
		}
	}
	return nil
}

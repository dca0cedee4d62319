// Package dump writes a database as SQL that psql restores into another project, as supabase db dump does
// with pg_dump: the schema, the rows, or the roles.
package dump

import (
	"context"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/ddl"
)

// Options configures what is dumped. Without DataOnly and RoleOnly it is the schema.
type Options struct {
	Schemas  []string // none: the project's; for rows, also the platform's that contain the project's data
	DataOnly bool
	RoleOnly bool
	UseCopy  bool     // rows as COPY, and not as INSERT
	Exclude  []string // tables without their rows: "schema.table"
}

// Write writes the dump, and warns of what it cannot contain. The schema, the roles or the rows are read in one
// transaction, and so are of one moment.
func Write(ctx context.Context, conn *pgx.Conn, out io.Writer, o Options, warn func(string)) error {
	switch {
	case o.DataOnly:
		return writeRows(ctx, conn, out, o)
	case o.RoleOnly:
		roles, err := Roles(ctx, conn)
		if err != nil {
			return err
		}
		_, err = io.WriteString(out, roles+footer)
		return err
	}
	schema, err := ddl.Read(ctx, conn, ddl.Options{Schemas: o.Schemas})
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, object := range schema.Unwritten {
		warn(object + " is not in the dump: plaza cannot write objects of this kind")
		b.WriteString("-- Not in this dump: " + oneLine(object) + "\n")
	}
	b.WriteString(header)
	for _, statement := range schema.Script() {
		b.WriteString(statement + ";\n\n")
	}
	b.WriteString(footer)
	_, err = io.WriteString(out, b.String())
	return err
}

// header lets functions refer to what comes later, and names mean the same in every session.
const header = `set statement_timeout = 0;
set lock_timeout = 0;
set client_encoding = 'UTF8';
set standard_conforming_strings = on;
set check_function_bodies = off;
set client_min_messages = warning;
select pg_catalog.set_config('search_path', '', false);

`

const footer = "reset all;\n"

// oneLine returns a text that can follow "--".
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

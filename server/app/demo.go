package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"plaza/server/doctor"
	"plaza/server/project"
)

// sampleOf returns the doctor's description of a project's sample accounts.
func sampleOf(p project.Project) doctor.Sample {
	sample := doctor.Sample{Users: p.Demo.Users, Passwords: make(map[string]string)}
	for _, account := range p.Accounts {
		sample.Passwords[account.Email] = account.Password
	}
	return sample
}

// markProduction records in the database whether it is used in production. For
// production it stores the time of the first use.
func markProduction(ctx context.Context, conn *pgx.Conn, production bool) error {
	_, err := conn.Exec(ctx, `update plaza.environment set production_since = case when $1 then now() end
		where production_since is null = $1`, production)
	if err != nil {
		return fmt.Errorf("note the environment: %w", err)
	}
	return nil
}

// RemoveDemo deletes the development accounts, their content and the project's sample
// content in one transaction, and prints what it removed. It keeps the rows of other
// accounts.
func (d Database) RemoveDemo(ctx context.Context, out io.Writer) error {
	if _, err := d.up(ctx); err != nil {
		return err
	}
	return d.connected(ctx, func(conn *pgx.Conn) error {
		var removed []removal
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) (err error) {
			removed, err = removeDemo(ctx, tx, d.project)
			return err
		})
		if err != nil {
			return fmt.Errorf("remove the demo data: %w", err)
		}
		total := int64(0)
		for _, r := range removed {
			total += r.Removed
			if r.Removed > 0 {
				fmt.Fprintf(out, "%6d %s\n", r.Removed, r.What)
			}
		}
		if total == 0 {
			fmt.Fprintln(out, "nothing to remove: there are no demo accounts and no demo content")
		}
		return nil
	})
}

// removal is the number of removed rows of one kind.
type removal struct {
	What    string
	Removed int64
}

func removeDemo(ctx context.Context, tx pgx.Tx, p project.Project) (removed []removal, err error) {
	users, err := doctor.SampleUsers(ctx, tx, sampleOf(p))
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(users))
	for i, u := range users {
		ids[i] = u.ID
	}
	if p.Demo.Remove != "" {
		rows, err := tx.Query(ctx, "select what, removed from "+p.Demo.Remove+"($1::uuid[])", ids)
		if err == nil {
			removed, err = pgx.CollectRows(rows, pgx.RowToStructByPos[removal])
		}
		if err != nil {
			return nil, err
		}
	}
	// The server later deletes the blobs of objects that no longer have a row.
	for _, step := range []struct{ what, sql string }{
		{"", "select set_config('storage.allow_delete_query', 'true', true)"},
		{"stored objects", "delete from storage.objects where owner_id = any ($1::text[])"},
		{"accounts", "delete from auth.users where id = any ($1::uuid[])"},
	} {
		var args []any
		if step.what != "" {
			args = []any{ids}
		}
		done, err := tx.Exec(ctx, step.sql, args...)
		if err != nil {
			return nil, err
		}
		if step.what != "" {
			removed = append(removed, removal{step.what, done.RowsAffected()})
		}
	}
	return removed, nil
}

// checkNoSample returns an error that lists the development accounts, which must not
// exist in production.
func checkNoSample(ctx context.Context, conn *pgx.Conn, p project.Project) error {
	users, err := doctor.SampleUsers(ctx, conn, sampleOf(p))
	if err != nil {
		return err
	}
	var wrong []error
	for _, problem := range doctor.DescribeSample(users) {
		wrong = append(wrong, errors.New(problem))
	}
	if len(wrong) > 0 {
		wrong = append(wrong, errors.New("the database was made in development: `plaza demo remove` takes all of these and the demo content out"))
	}
	return errors.Join(wrong...)
}

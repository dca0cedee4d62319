package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"plaza/server/config"
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
		return fmt.Errorf("record whether this is production: %w", err)
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
		var removed []change
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) (err error) {
			removed, err = removeDemo(ctx, tx, d.project)
			return err
		})
		if err != nil {
			return fmt.Errorf("remove the demo data: %w", err)
		}
		printChanges(out, removed, "nothing to remove: there are no demo accounts and no demo content")
		return nil
	})
}

// change is the number of rows of one kind that were created or removed.
type change struct {
	What string
	Rows int64
}

// SeedTest creates the project's test data, in an amount such as "minimal", and prints what it created.
//
// Errors: one in production, and one if the project has no test data.
func (d Database) SeedTest(ctx context.Context, intensity string, out io.Writer) error {
	if d.cfg.Env == config.Production {
		return errSampleInProduction
	} else if d.project.Demo.Seed == "" {
		return errors.New("this project has no test data")
	}
	if _, err := d.up(ctx); err != nil {
		return err
	}
	return d.connected(ctx, func(conn *pgx.Conn) error {
		// CollectRows returns the error of the query.
		rows, _ := conn.Query(ctx, "select what, made from "+d.project.Demo.Seed+"($1)", intensity)
		made, err := pgx.CollectRows(rows, pgx.RowToStructByPos[change])
		if err != nil {
			return fmt.Errorf("create test data: %w", err)
		}
		printChanges(out, made, "nothing to make: the test data is there already")
		return nil
	})
}

// printChanges prints the changes with their numbers of rows, or the text none if there are none.
func printChanges(out io.Writer, changes []change, none string) {
	total := int64(0)
	for _, c := range changes {
		total += c.Rows
		if c.Rows > 0 {
			fmt.Fprintf(out, "%6d %s\n", c.Rows, c.What)
		}
	}
	if total == 0 {
		fmt.Fprintln(out, none)
	}
}

func removeDemo(ctx context.Context, tx pgx.Tx, p project.Project) (removed []change, err error) {
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
			removed, err = pgx.CollectRows(rows, pgx.RowToStructByPos[change])
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
			removed = append(removed, change{step.what, done.RowsAffected()})
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

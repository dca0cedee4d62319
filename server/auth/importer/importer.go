// Package importer imports accounts from a Supabase dump, a list in CSV or JSON, or
// Firebase's export.
package importer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"plaza/server/auth/store"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/password"
	"plaza/server/lazyregexp"
	"plaza/server/pg"
)

// Options are the options of Import.
type Options struct {
	HashConfig string    // the text of Firebase's hash configuration; empty: none
	Dry        bool      // roll back the import
	Now        time.Time // creation time of accounts without one in the file
}

// Report counts what was imported.
type Report struct{ Users, Identities, Sessions, RefreshTokens int64 }

// maxProblems bounds the number of reported errors of a file.
const maxProblems = 20

// Import imports a file into the database in one transaction.
//
// Errors name the line, or the number of the account, and the problem.
func Import(ctx context.Context, conn *pgx.Conn, file io.Reader, o Options) (report Report, err error) {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return report, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // returns an error after a commit
	if _, err := tx.Exec(ctx, prepare); err != nil {
		return report, err
	}
	in := bufio.NewReaderSize(file, 1<<20)
	switch start, _ := in.Peek(4096); {
	case isJSON(start):
		report, err = importAccounts(ctx, tx, jsonAccounts(in, o), o)
	case isCSV(start):
		report, err = importAccounts(ctx, tx, csvAccounts(in), o)
	default:
		report, err = importDump(ctx, tx, in)
	}
	if err != nil || o.Dry {
		return report, err
	}
	return report, tx.Commit(ctx)
}

func isJSON(start []byte) bool {
	start = bytes.TrimSpace(start)
	return len(start) > 0 && (start[0] == '{' || start[0] == '[')
}

var csvHeader = lazyregexp.New(`(?i)^\x{feff}?[a-z_",]*(email|phone)[a-z_",]*\r?(\n|$)`)

func isCSV(start []byte) bool { return csvHeader().Match(start) }

// account is an account to import.
type account struct {
	place      string // position in the file: "line 3"
	id         string
	email      string
	phone      string
	hash       string
	user, app  map[string]any
	created    time.Time
	signedIn   *time.Time
	confirmed  bool // the address is confirmed
	verified   bool // the number is confirmed
	banned     bool
	identities []identity
}

type identity struct {
	Provider string         `json:"provider"`
	ID       string         `json:"id"`
	Data     map[string]any `json:"data"`
}

// problems are the errors found in a file.
type problems []error

func (p problems) err() error {
	if len(p) > maxProblems {
		p = append(p[:maxProblems:maxProblems], fmt.Errorf("and %d more", len(p)-maxProblems))
	}
	return errors.Join(p...)
}

var (
	emailPattern = lazyregexp.New(`^[^\s@]+@[^\s@]+$`)
	phonePattern = lazyregexp.New(`^[1-9][0-9]{1,14}$`)
)

// check validates an account and normalizes it to its stored form.
func (a *account) check() error {
	a.email, a.phone, a.id = strings.ToLower(strings.TrimSpace(a.email)), strings.TrimPrefix(strings.TrimSpace(a.phone), "+"), strings.ToLower(a.id)
	switch {
	case a.id != "" && !store.IsUUID(a.id):
		return fmt.Errorf("%s: the id %q is no UUID", a.place, a.id)
	case a.email == "" && a.phone == "" && len(a.identities) == 0:
		return fmt.Errorf("%s: neither an email nor a phone", a.place)
	case a.email != "" && (len(a.email) > 255 || !emailPattern().MatchString(a.email)):
		return fmt.Errorf("%s: %q is no email address", a.place, a.email)
	case a.phone != "" && !phonePattern().MatchString(a.phone):
		return fmt.Errorf("%s: %q is no phone number in international form", a.place, a.phone)
	}
	if a.hash != "" {
		if err := password.CheckSupported(a.hash); err != nil {
			return fmt.Errorf("%s: password: %w", a.place, err)
		}
	}
	if a.email != "" {
		a.identities = append(a.identities, identity{"email", "", map[string]any{"email": a.email, "email_verified": a.confirmed, "phone_verified": false}})
	}
	if a.phone != "" {
		a.identities = append(a.identities, identity{"phone", "", map[string]any{"phone": a.phone, "email_verified": false, "phone_verified": a.verified}})
	}
	names := make([]string, len(a.identities))
	for i, one := range a.identities {
		names[i] = one.Provider
	}
	if a.app == nil {
		a.app = map[string]any{}
	}
	a.app["provider"], a.app["providers"] = names[0], names
	if a.user == nil {
		a.user = map[string]any{}
	}
	return nil
}

// importAccounts streams accounts into a temporary table. If all of them are valid, it copies
// them to the tables of the auth server.
func importAccounts(ctx context.Context, tx pgx.Tx, accounts iter.Seq2[account, error], o Options) (Report, error) {
	next, stop := iter.Pull2(accounts)
	defer stop()
	var found problems
	number := 0
	source := pgx.CopyFromFunc(func() ([]any, error) {
		for {
			a, err, more := next()
			if !more {
				return nil, nil
			}
			if err == nil {
				err = a.check()
			}
			if err != nil {
				if found = append(found, err); errors.Is(err, errStop) {
					return nil, nil
				}
				continue
			}
			number++
			return a.row(number, o.Now)
		}
	})
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"import_accounts"}, columns, source); err != nil {
		return Report{}, err
	}
	rows, err := tx.Query(ctx, findTaken, maxProblems+1)
	if err != nil {
		return Report{}, err
	}
	taken, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return Report{}, err
	}
	for _, problem := range taken {
		found = append(found, errors.New(problem))
	}
	if len(found) > 0 {
		return Report{}, found.err()
	}
	users, err := tx.Exec(ctx, insertUsers)
	if err != nil {
		return Report{}, err
	}
	identities, err := tx.Exec(ctx, insertIdentities)
	return Report{Users: users.RowsAffected(), Identities: identities.RowsAffected()}, err
}

// columns are the columns of import_accounts.
var columns = []string{
	"number", "place", "id", "email", "phone", "hash", "user_data", "app_data", "created_at", "signed_in_at", "confirmed", "verified", "banned", "identities",
}

func (a account) row(number int, now time.Time) ([]any, error) {
	created := a.created
	if created.IsZero() {
		created = now
	}
	var texts [3]string
	for i, value := range []any{a.user, a.app, a.identities} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.place, err)
		}
		texts[i] = string(text)
	}
	return []any{
		number, a.place, pg.OrNull(a.id), pg.OrNull(a.email), pg.OrNull(a.phone), a.hash, texts[0], texts[1], created, a.signedIn, a.confirmed, a.verified, a.banned, texts[2],
	}, nil
}

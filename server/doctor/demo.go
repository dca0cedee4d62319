package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"golang.org/x/crypto/bcrypt"
)

// Sample describes a project's sample accounts.
type Sample struct {
	Users     string            // SQL function that returns their ids; may be empty or missing
	Passwords map[string]string // known passwords by address
}

// SampleUser is an account that must not exist in production.
type SampleUser struct {
	ID       string
	Email    string
	Reason   string // "demo account" or "test account"
	Password string // the account's password, if it is a known one
	hash     string
}

// markedSQL matches accounts that a seed has marked in raw_app_meta_data, which users
// cannot write.
const markedSQL = `coalesce(u.raw_app_meta_data ->> 'plaza_demo', u.raw_app_meta_data ->> 'plaza_test', 'false') <> 'false'`

// testAddressSQL matches confirmed accounts with addresses that are reserved by RFC 2606.
const testAddressSQL = `u.email_confirmed_at is not null
	and u.email ~* '[@.](test|example|invalid|localhost|example\.(com|net|org))$'`

// developedSQL matches accounts that were created before the database was first used in
// production. Of later accounts the address proves nothing: if sign-ups are confirmed
// automatically, anyone can register one.
const developedSQL = `not exists (select from plaza.environment e where e.production_since <= u.created_at)`

// SampleUsers returns the development accounts: those marked as demo or test, those of
// the project's seed, those with known sample addresses, and confirmed ones with test
// addresses.
func SampleUsers(ctx context.Context, db Querier, s Sample) ([]SampleUser, error) {
	ready, err := one[bool](ctx, db, "select to_regclass('auth.users') is not null and to_regclass('plaza.environment') is not null")
	if err != nil || !ready {
		return nil, err
	}
	seeded := "false"
	if s.Users != "" {
		known, err := one[bool](ctx, db, "select to_regprocedure('"+s.Users+"()') is not null")
		if err != nil {
			return nil, err
		}
		if known {
			seeded = "u.id in (select " + s.Users + "())"
		}
	}
	addresses := make([]string, 0, len(s.Passwords))
	for address := range s.Passwords {
		addresses = append(addresses, address)
	}
	rows, err := db.Query(ctx, `select id::text, email, demo, hash from (
			select u.id, coalesce(u.email, u.phone, '') as email, coalesce(u.encrypted_password, '') as hash,
				coalesce(`+markedSQL+` or `+seeded+` or u.email = any ($1) and `+developedSQL+`, false) as demo,
				coalesce(`+testAddressSQL+` and `+developedSQL+`, false) as test
			from auth.users u
		) found where demo or test order by hash = '', email`, addresses)
	if err != nil {
		return nil, fmt.Errorf("look for demo accounts: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (SampleUser, error) {
		var found SampleUser
		var demo bool
		if err := row.Scan(&found.ID, &found.Email, &demo, &found.hash); err != nil {
			return found, err
		}
		found.Reason = "test account"
		if demo {
			found.Reason = "demo account"
			found.Password = s.passwordOf(found.hash)
		}
		return found, nil
	})
}

// passwordOf returns the known password that matches a hash, or "".
func (s Sample) passwordOf(hash string) string {
	tried := make(map[string]bool)
	for _, password := range s.Passwords {
		if hash == "" || tried[password] {
			continue
		}
		tried[password] = true
		if bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil {
			return password
		}
	}
	return ""
}

// DescribeSample returns a description of each development account. Accounts without a
// password share one entry.
func DescribeSample(users []SampleUser) []string {
	var descriptions, noPassword []string
	for _, u := range users {
		switch {
		case u.Password != "":
			descriptions = append(descriptions, fmt.Sprintf("the %s %s signs in with the known password %q", u.Reason, u.Email, u.Password))
		case u.hash != "":
			descriptions = append(descriptions, fmt.Sprintf("the %s %s can sign in", u.Reason, u.Email))
		default:
			noPassword = append(noPassword, u.Email)
		}
	}
	if len(noPassword) > 0 {
		descriptions = append(descriptions,
			fmt.Sprintf("%d demo or test accounts have no password: %s", len(noPassword), strings.Join(noPassword, ", ")))
	}
	return descriptions
}

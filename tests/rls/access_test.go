package rls

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/tests/testkit"
)

// outcome is the result of a statement for its caller.
type outcome string

const (
	allowed outcome = "allowed" // it finds or writes the row
	hidden  outcome = "hidden"  // no error, and no row
	refused outcome = "refused" // SQLSTATE 42501
)

// access is one row of an access table: caller, operation, row, outcome. op is "select", "select
// column", "update column = value", "delete" or "insert".
type access struct {
	who  caller
	op   string
	row  row
	want outcome
}

// row is a row of a table, for inserts the new row.
type row struct {
	name   string
	table  string
	where  string // of a row that exists
	values string // "(columns) values (…)" of a new one
}

// rowOf returns the row of a table with an id.
func rowOf(name, table, id string) row {
	return rowWhere(name, table, "id", id)
}

func rowWhere(name, table, column, value string) row {
	return row{name: name, table: table, where: fmt.Sprintf("%s = '%s'", column, value)}
}

func newRow(name, table, format string, args ...any) row {
	return row{name: name, table: table, values: fmt.Sprintf(format, args...)}
}

// features lists every table of the exposed schema with its access table.
var features = []struct {
	tables []string
	access func(w *world) []access
}{
	{[]string{"profiles"}, profileAccess},
	{[]string{"subscription_plans", "user_subscriptions"}, subscriptionAccess},
	{[]string{"user_sessions", "user_security_events", "user_totp_secrets"}, securityAccess},
	{[]string{"businesses", "business_former_slugs"}, businessAccess},
	{[]string{"services", "business_photos", "business_categories", "business_availability", "blackout_dates"}, businessPartAccess},
	{[]string{"categories", "categories-plaza", "category_synonyms", "cities", "towns", "url_mappings", "url_redirects", "url_migration_preview",
		"directory_counts", "city_counts", "category_counts"}, referenceAccess},
	{[]string{"bookings", "booking_notes"}, bookingAccess},
	{[]string{"reviews", "review_responses"}, reviewAccess},
	{[]string{"favorites", "recent_searches", "search_alerts"}, favoriteAccess},
	{[]string{"notifications", "messages", "conversations"}, messageAccess},
	{[]string{"notification_settings"}, noticeAccess},
	{[]string{"seller_applications", "claim_requests", "reports", "reports_with_entity", "audit_logs", "audit_logs_with_actor"}, moderationAccess},
	{[]string{"business_metrics", "advertiser_metrics"}, metricAccess},
	{[]string{"support_tickets"}, supportAccess},
	{[]string{"import_rows"}, importAccess},
}

// TestAccess tests PERM-09, PERM-10, PERM-11, PERM-15, PERM-16 and the S- requirements named next
// to the lines.
func TestAccess(t *testing.T) {
	t.Parallel()
	for _, feature := range features {
		t.Run(feature.tables[0], func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for _, a := range feature.access(w) {
				if !slices.Contains(feature.tables, a.row.table) {
					t.Fatalf("%s is not listed in features", a.row.table)
				}
				t.Run(strings.Join([]string{a.who.name, a.op, a.row.name}, " "), func(t *testing.T) {
					if got, err := w.try(t, a); got != a.want {
						t.Errorf("got %s, want %s (%v)", got, a.want, err)
					}
				})
			}
		})
	}
}

func (w *world) try(t *testing.T, a access) (outcome, error) {
	t.Helper()
	tag, err := w.as(t, a.who).Exec(t.Context(), a.statement())
	switch {
	case err == nil && tag.RowsAffected() > 0:
		return allowed, nil
	case err == nil:
		return hidden, nil
	case code(err) == "42501":
		return refused, err
	default:
		return outcome("failed with " + code(err)), err
	}
}

func (a access) statement() string {
	verb, rest, _ := strings.Cut(a.op, " ")
	table := `public."` + a.row.table + `"`
	switch verb {
	case "insert":
		return "insert into " + table + " " + a.row.values
	case "update":
		return "update " + table + " set " + rest + " where " + a.row.where
	case "delete":
		return "delete from " + table + " where " + a.row.where
	default:
		if rest == "" {
			rest = "1"
		}
		return "select " + rest + " from " + table + " where " + a.row.where
	}
}

func asPgError(err error) (*pgconn.PgError, bool) {
	var pgErr *pgconn.PgError
	ok := errors.As(err, &pgErr)
	return pgErr, ok
}

func TestEveryTableHasAnAccessTable(t *testing.T) {
	t.Parallel()
	var listed []string
	for _, feature := range features {
		listed = append(listed, feature.tables...)
	}
	slices.Sort(listed)
	want := list(t, testkit.Tx(t), `select relname::text from pg_class
		where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p', 'm') order by 1`)
	slices.Sort(want)
	if diff := cmp.Diff(want, listed); diff != "" {
		t.Errorf("tables of schema public and features (-want +got):\n%s", diff)
	}
}

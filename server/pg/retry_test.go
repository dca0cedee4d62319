package pg_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// conflicts creates a function that fails with a conflict the given number of times. It counts
// with a sequence, whose value is not rolled back.
const conflicts = `
	create sequence tries; create table kept (id int);
	grant usage on sequence tries to anon; grant all on kept to anon;
	create function public.conflicts(times int, code text) returns int language plpgsql as $$
	declare n int := nextval('public.tries');
	begin
		insert into public.kept values (n);
		if n <= times then raise exception using errcode = code, message = 'lost'; end if;
		return n;
	end $$;`

func TestConflictIsRetried(t *testing.T) {
	t.Parallel()
	for code, times := range map[string]int{"40001": 2, "40P01": 2, "40002": 1} {
		api := restkit.New(t, conflicts, func(c *settings.Config) { c.Pool = 1 })
		run := func(times int) (string, error) {
			var got string
			_, err := api.ServerDB.QueryAsCaller(t.Context(), claims.ForRole(claims.Anon), pg.Settings{}, pg.Statement{SQL: fmt.Sprintf("select public.conflicts(%d, '%s')", times, code)},
				func(row [][]byte) error { got = string(row[0]); return nil })
			return got, pg.APIError(err, false)
		}
		got, err := run(times)
		if code == "40002" { // not a conflict: it is not retried
			if err == nil {
				t.Errorf("%s is retried", code)
			}
			continue
		}
		if err != nil || got != "3" {
			t.Errorf("%s: %q, %v", code, got, err)
		}
		if apiErr := apierr.As(second(run(100))); apiErr == nil || apiErr.Status != http.StatusConflict || apiErr.Code != code {
			t.Errorf("%s each time: %v", code, apiErr)
		}
		if got, err := run(0); err != nil || got != "7" { // after exactly three tries
			t.Errorf("%s: %s tries, %v", code, got, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// None of these errors is the server's fault. Upstream responds to them with 500.
func TestStatusesOfDatabaseErrors(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		"57014": http.StatusGatewayTimeout, "40001": http.StatusConflict, "40P01": http.StatusConflict, "55000": http.StatusBadRequest,
		"54000": http.StatusBadRequest, "54001": http.StatusBadRequest, "54011": http.StatusBadRequest, "54023": http.StatusBadRequest,
		"55P03": http.StatusConflict, "55006": http.StatusConflict,
	} {
		apiErr := apierr.As(pg.APIError(&pgconn.PgError{Code: code, Message: "m"}, false))
		if apiErr.Status != want || apiErr.Code != code || !strings.Contains(apiErr.Message, "m") {
			t.Errorf("%s: %d %s, want %d", code, apiErr.Status, apiErr.Code, want)
		}
	}
}

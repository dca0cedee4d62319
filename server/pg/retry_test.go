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

// loses is a function that loses against others so many times; a sequence keeps
// its value where a transaction is rolled back.
const loses = `
	create sequence tries; create table kept (id int);
	grant usage on sequence tries to anon; grant all on kept to anon;
	create function public.loses(times int, code text) returns int language plpgsql as $$
	declare n int := nextval('public.tries');
	begin
		insert into public.kept values (n);
		if n <= times then raise exception using errcode = code, message = 'lost'; end if;
		return n;
	end $$;`

func TestATransactionThatLostIsRunAgain(t *testing.T) {
	t.Parallel()
	for code, times := range map[string]int{"40001": 2, "40P01": 2, "40002": 1} {
		api := restkit.New(t, loses, func(c *settings.Config) { c.Pool = 1 })
		run := func(times int) (string, error) {
			var got string
			_, err := api.Door.QueryAsCaller(t.Context(), claims.ForRole(claims.Anon), pg.Settings{}, pg.Statement{SQL: fmt.Sprintf("select public.loses(%d, '%s')", times, code)},
				func(row [][]byte) error { got = string(row[0]); return nil })
			return got, pg.APIError(err, false)
		}
		got, err := run(times)
		if code == "40002" { // no conflict: said at once
			if err == nil {
				t.Errorf("%s is run again", code)
			}
			continue
		}
		if err != nil || got != "3" {
			t.Errorf("%s: %q, %v", code, got, err)
		}
		if answer := apierr.As(second(run(100))); answer == nil || answer.Status != http.StatusConflict || answer.Code != code {
			t.Errorf("%s for good: %v", code, answer)
		}
		if got, err := run(0); err != nil || got != "7" { // three tries were made, and no more
			t.Errorf("%s: %s tries, %v", code, got, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// None of these is a fault of the server's.
func TestStatusesThatUpstreamHas500For(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		"57014": http.StatusGatewayTimeout, "40001": http.StatusConflict, "40P01": http.StatusConflict, "55000": http.StatusBadRequest,
		"54000": http.StatusBadRequest, "54001": http.StatusBadRequest, "54011": http.StatusBadRequest, "54023": http.StatusBadRequest,
		"55P03": http.StatusConflict, "55006": http.StatusConflict,
	} {
		answer := apierr.As(pg.APIError(&pgconn.PgError{Code: code, Message: "m"}, false))
		if answer.Status != want || answer.Code != code || !strings.Contains(answer.Message, "m") {
			t.Errorf("%s is answered with %d %s, want %d", code, answer.Status, answer.Code, want)
		}
	}
}

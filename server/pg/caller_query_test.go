package pg_test

import (
	"fmt"
	"strings"
	"testing"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

// notes has a row for each of many users, with a policy of the recommended form. Numbers of
// users above 900 raise an error.
const notes = `
	create table notes (id int primary key, owner uuid);
	alter table notes enable row level security;
	create policy own on notes for select to authenticated using (owner = (select auth.uid())
		and 1 / (case when right(owner::text, 3)::int > 900 and (select auth.uid()) = owner then 0 else 1 end) = 1);
	insert into notes select n, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, 999) n;
	grant select on notes to service_role;`

func numbered(n int) claims.Caller { return user(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)) }

// ask asks each caller for the ids that it sees, and returns them joined by commas.
func ask(t *testing.T, db *pg.DB, callers []claims.Caller, sql string) (seen []string, errs []error) {
	t.Helper()
	seen = make([]string, len(callers))
	questions := make([]*pg.CallerQuery, len(callers))
	for i, who := range callers {
		var ids []string
		questions[i] = &pg.CallerQuery{Who: who, Statement: pg.Statement{SQL: sql}, Scan: func(row [][]byte) error {
			ids = append(ids, string(row[0]))
			seen[i] = strings.Join(ids, ",")
			return nil
		}}
	}
	if err := db.QueryAsCallers(t.Context(), questions); err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		errs = append(errs, q.Err)
	}
	return seen, errs
}

// RT-21: of many callers in one round trip, each sees the own rows, also with a policy that has
// (select auth.uid()).
func TestEachCallerQueryHasItsIdentity(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, notes, func(c *settings.Config) { c.Pool = 1 })
	var callers []claims.Caller
	for n := 1; n <= 300; n++ {
		callers = append(callers, numbered(n))
		if n%50 == 0 {
			callers = append(callers, claims.ForRole("service_role"), claims.ForRole(claims.Anon))
		}
	}
	for range 2 { // prepared, too
		seen, errs := ask(t, api.ServerDB, callers, "select id from public.notes where id <= 300 order by id")
		for i, who := range callers {
			want := ""
			switch who.Role {
			case claims.Authenticated:
				want = strings.TrimLeft(who.Subject[24:], "0")
			case "service_role":
				want = seen[i] // all of them
				if !strings.HasPrefix(want, "1,2,3,") || strings.Count(want, ",") != 299 {
					t.Errorf("the service role sees %s", want)
				}
			}
			if seen[i] != want || errs[i] != nil {
				t.Errorf("%s sees %q (%v), want %q", who.JSON, seen[i], errs[i], want)
			}
		}
	}
	// Nobody's identity stays on the connection.
	if seen, _ := ask(t, api.ServerDB, []claims.Caller{claims.ForRole(claims.Anon)}, "select coalesce(auth.uid()::text, current_user)"); seen[0] != claims.Anon {
		t.Errorf("afterwards a caller without a user is %s", seen[0])
	}
}

// This is why there is one statement per caller: in one for all of them, PostgreSQL evaluates
// (select auth.uid()) once, and all others see the rows of the first.
func TestOneStatementForAllCallersIsWrong(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, notes, nil)
	const joined = `
		select c.who || ' sees ' || n.id
		from unnest(array[1, 2, 3]) with ordinality c (who, place),
			lateral (select set_config('request.jwt.claims', '{"role":"authenticated","sub":"00000000-0000-4000-8000-' || lpad(c.who::text, 12, '0') || '"}', true)) claims,
			lateral (select id from public.notes where claims is not null) n`
	seen, _ := ask(t, api.ServerDB, []claims.Caller{numbered(1)}, joined)
	if want := "1 sees 1,2 sees 2,3 sees 3"; seen[0] == want {
		t.Errorf("one statement for all callers returns the right rows: %s", seen[0])
	}
}

// RT-23: a caller whose policy fails does not affect the others' results.
func TestFailingCallerQueryAffectsNoOther(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, notes, func(c *settings.Config) { c.Pool = 1 })
	nobody := claims.Caller{Role: "does_not_exist", JSON: `{"role":"does_not_exist"}`}
	callers := []claims.Caller{numbered(1), numbered(901), numbered(2), nobody, numbered(902), numbered(3)}
	seen, errs := ask(t, api.ServerDB, callers, "select id from public.notes order by id")
	for i, want := range []string{"1", "", "2", "", "", "3"} {
		if seen[i] != want || (errs[i] == nil) != (want != "") {
			t.Errorf("%s sees %q (%v), want %q", callers[i].JSON, seen[i], errs[i], want)
		}
	}
	// Tables that have changed since a statement was prepared are no failure.
	api.Exec(t, "alter table notes add column more int")
	if seen, errs = ask(t, api.ServerDB, callers[:3:3], "select * from public.notes order by id"); seen[0] != "1" || errs[0] != nil {
		t.Errorf("sees %q, %v", seen, errs)
	}
	api.Exec(t, "alter table notes drop column more")
	if seen, errs = ask(t, api.ServerDB, callers[:3:3], "select * from public.notes order by id"); seen[0] != "1" || seen[2] != "2" || errs[0] != nil {
		t.Errorf("sees %q, %v", seen, errs)
	}
}

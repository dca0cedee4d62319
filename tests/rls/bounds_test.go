package rls

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit"
)

// lengthCheckFunctions are functions that column checks may call instead of a length: each refuses
// long values. TestChecksRefuseLongValues tests them.
var lengthCheckFunctions = []string{
	"is_web_address", "is_public_url", "is_phone", "are_hours", "are_amenities", "are_rating_sources", "are_day_slots", "are_short_texts",
}

// columnsOfAnyLength lists the columns whose type has no length, with all their checks. Derived
// columns are excluded: generated columns and references.
const columnsOfAnyLength = `
	select format('%I.%I', n.nspname, c.relname), a.attname, coalesce((
		select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
		where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)), '')
	from pg_attribute a
	join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
	join pg_namespace n on n.oid = c.relnamespace
	join pg_type t on t.oid = a.atttypid
	where n.nspname in ('public', 'private') and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
		and (t.typcategory in ('S', 'A') or t.typname in ('json', 'jsonb', 'bytea', 'xml'))
		and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum])
	order by 1, 2`

// Every column has a limit that the database enforces: a text, list or object without one would let
// anybody make the pages that show it arbitrarily large.
func TestEveryColumnIsBounded(t *testing.T) {
	t.Parallel()
	rows, err := testkit.Tx(t).Query(t.Context(), columnsOfAnyLength)
	if err != nil {
		t.Fatal(err)
	}
	var table, column, checks string
	seen := 0
	_, err = pgx.ForEachRow(rows, []any{&table, &column, &checks}, func() error {
		seen++
		name := `"?` + regexp.QuoteMeta(column) + `"?`
		bounded := regexp.MustCompile(`(char|octet)_length\(\(?` + name + `\)?(::text)?\) <= \d+|\(` + name + ` = ANY \(ARRAY\[|private\.(` +
			strings.Join(lengthCheckFunctions, "|") + `)\([^()]*` + name)
		if !bounded.MatchString(checks) {
			t.Errorf("%s.%s has no bound; its checks: %s", table, column, checks)
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("%d columns, %v", seen, err)
	}
}

// Refused values are as large as a request may be; accepted values are those that the screens
// write.
func TestChecksRefuseLongValues(t *testing.T) {
	t.Parallel()
	db := testkit.Tx(t)
	long := strings.Repeat("x", 100_000)
	const day = `"monday": {"open": "09:00", "close": "17:00", "isOpen": true, "closed": false}`
	tests := []struct {
		call string
		args []any
		want string
	}{
		{"is_web_address($1)", []any{"https://example.com/" + long}, "false"},
		{"is_public_url($1)", []any{"https://example.com/" + long}, "false"},
		{"is_phone($1)", []any{strings.Repeat(" ", 100_000) + "+34 600 000 000"}, "false"},
		{"are_hours($1)", []any{`{"structured": {` + day + `}}`}, "true"},
		{"are_hours($1)", []any{`"Mon-Fri 9-17"`}, "true"},
		{"are_hours($1)", []any{`"` + long + `"`}, "false"},
		{"are_hours($1)", []any{`{"structured": {` + day + `}, "note": "x"}`}, "false"},
		{"are_hours($1)", []any{`{"structured": {"monday": {"open": "09:00", "note": "` + long + `"}}}`}, "false"},
		{"are_amenities($1)", []any{`[{"name": "Wi-Fi", "icon": "wifi", "category": "connectivity", "available": true}]`}, "true"},
		{"are_amenities($1)", []any{`[{"name": "Wi-Fi", "icon": null}]`}, "true"},
		{"are_amenities($1)", []any{`[{"name": "Wi-Fi", "icon": "` + long + `"}]`}, "false"},
		{"are_amenities($1)", []any{`[{"name": "Wi-Fi", "icon": {"a": "` + long + `"}}]`}, "false"},
		{"are_amenities($1)", []any{`[{"name": "Wi-Fi", "note": "x"}]`}, "false"},
		{"are_amenities($1)", []any{`[{"name": "` + strings.Repeat(" ", 1000) + `Wi-Fi"}]`}, "false"},
		{"are_rating_sources($1)", []any{`[{"source": "Guide", "rating": 4.5, "count": 12}]`}, "true"},
		{"are_rating_sources($1)", []any{`[{"source": "` + long + `", "rating": 4.5, "count": 12}]`}, "false"},
		{"are_rating_sources($1)", []any{`[{"source": "Guide", "rating": 4.5, "count": 12, "note": "x"}]`}, "false"},
		{"are_rating_sources($1)", []any{`[` + strings.Repeat(`{"source": "Guide", "rating": 4.5, "count": 12},`, 99) + `{"source": "Guide", "rating": 4.5, "count": 12}]`}, "false"},
		{"are_day_slots(true, $1)", []any{`[{"start": "09:00", "end": "13:00"}]`}, "true"},
		{"are_day_slots(true, $1)", []any{`[{"start": "09:00", "end": "13:00", "note": "x"}]`}, "false"},
		{"are_short_texts($1, 2, 5)", []any{[]string{"12345", "ñ"}}, "true"},
		{"are_short_texts($1, 2, 5)", []any{[]string{"123456"}}, "false"},
		{"are_short_texts($1, 2, 5)", []any{[]string{""}}, "false"},
		{"are_short_texts($1, 2, 5)", []any{[]string{"1", "2", "3"}}, "false"},
		{"are_short_texts($1, 2, 5)", []any{[]*string{nil}}, "false"},
		{"are_short_texts($1, 2, 5)", []any{[]string{}}, "true"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %.60v", tt.call, tt.args), func(t *testing.T) {
			if got, err := tryText(t.Context(), db, "select (private."+tt.call+")::text", tt.args...); got != tt.want || err != nil {
				t.Errorf("answers %q (%v), want %q", got, err, tt.want)
			}
		})
	}
}

// A review that is deleted still counts among the day's: each notifies the owner.
func TestReviewsOfADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const write = `insert into public.reviews (business_id, rating) values ($1, 5)`
	w.exec(t, `delete from public.reviews`)
	for range 20 {
		w.do(t, w.ben, write, w.shop)
		w.do(t, w.ben, `delete from public.reviews where user_id = $1`, w.ben.id)
	}
	w.fails(t, w.ben, "too_many_reviews", write, w.shop)
}

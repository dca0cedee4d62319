package rls

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// An import of Ada's, in the transaction of the world.
type testImport struct {
	w  *world
	id string
}

// newImport stages rows, whose first one has the columns, and checks them.
func newImport(t *testing.T, w *world, rows ...[]string) testImport {
	t.Helper()
	w.signedIn(t, w.ada)
	i := testImport{w, w.text(t, `select public.admin_begin_import('shops.csv')::text`)}
	i.stage(t, rows...)
	w.exec(t, `select public.admin_check_import($1)`, i.id)
	return i
}

// signedIn makes functions that the superuser calls see a caller.
func (w *world) signedIn(t *testing.T, who caller) {
	t.Helper()
	w.exec(t, `select set_config('request.jwt.claims', json_build_object('sub', $1::text, 'role', 'authenticated')::text, true)`, who.id)
}

func (i testImport) stage(t *testing.T, rows ...[]string) {
	t.Helper()
	var given [][]any
	for n, row := range rows[1:] {
		cells := []any{n + 2}
		for _, cell := range row {
			cells = append(cells, cell)
		}
		given = append(given, cells)
	}
	text, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	i.w.exec(t, `select public.admin_stage_import($1, $2, $3)`, i.id, rows[0], string(text))
}

func (i testImport) run(t *testing.T, skipDuplicates bool) {
	t.Helper()
	i.w.exec(t, `select public.admin_run_import($1, $2)`, i.id, skipDuplicates)
	if got := i.w.text(t, `select private.run_next_import()::text`); got != "true" {
		t.Fatal("no import was run")
	}
}

func (i testImport) status(t *testing.T) string {
	t.Helper()
	return i.w.text(t, `select concat_ws(' ', state, 'total', total, 'ready', ready, 'faulty', faulty, 'duplicates', duplicates, 'imported', imported, error) from public.admin_import()`)
}

// The faults of each row, as "line field:code …".
func (i testImport) faults(t *testing.T) string {
	t.Helper()
	return i.w.text(t, `select coalesce(string_agg(line || ' ' || (
			select string_agg(f ->> 'field' || ':' || (f ->> 'code'), ' ' order by f ->> 'field', f ->> 'code') from jsonb_array_elements(faults) as f), '; ' order by line), '')
		from private.import_rows where import_id = $1 and state = 'faulty'`, i.id)
}

// importAccess returns the access table of staged rows: admins see the rows of their own imports.
func importAccess(w *world) []access {
	staged := rowWhere("a staged row", "import_rows", "name", "Bar Sol")
	_, err := w.tx.Exec(context.Background(), `with one as (insert into private.business_imports (created_by, file_name) values ($1, 'a.csv') returning id)
		insert into private.import_rows (import_id, line, fields) select id, 2, '{"name": "Bar Sol"}' from one`, w.ada.id)
	if err != nil {
		panic(err)
	}
	return []access{
		{w.ada, "select", staged, allowed}, {w.owner, "select", staged, hidden}, {anon, "select", staged, refused},
	}
}

// Issue 19: only an admin imports, and only what is their own.
func TestImportAccess(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const none = `'00000000-0000-4000-8000-000000000000'`
	for _, call := range []string{
		`public.admin_begin_import('a.csv')`, `public.admin_stage_import(` + none + `, array['name'], '[]')`, `public.admin_check_import(` + none + `)`,
		`public.admin_run_import(` + none + `, true)`, `public.admin_discard_import(` + none + `)`, `public.admin_import()`,
	} {
		w.fails(t, w.owner, "not_admin", "select * from "+call)
		w.fails(t, anon, "42501", "select * from "+call)
		w.fails(t, w.ada, map[bool]string{true: "import_not_found"}[strings.Contains(call, none)], "select * from "+call)
	}
	w.fails(t, w.ada, "42501", `select private.run_next_import()`)
	w.fails(t, w.ada, "42501", `select private.remove_old_imports()`)
	w.fails(t, w.ada, "42501", `select * from private.import_rows`)
	i := newImport(t, w, []string{"name", "type", "location"}, []string{"Bar Sol", "Bar", "Madrid"})
	w.exec(t, `update private.profiles set role = 'admin' where id = $1`, w.rival.id)
	w.fails(t, w.rival, "import_not_found", `select public.admin_check_import($1)`, i.id)
	if got := w.ask(t, w.rival, `select count(*)::text from public.import_rows`); got != "0" {
		t.Errorf("another admin sees %s rows", got)
	}
}

// Issue 19: the rules are those of the table: a row has faults exactly if the table refuses it.
func TestImportRulesAgree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	columns := []string{"name", "type", "location", "address", "phone", "website", "image_url", "latitude", "longitude", "hours", "amenities",
		"tagline", "company_values", "languages", "weekday_text", "rating", "user_ratings_total"}
	good := []string{"Bar Sol", "Bar", "Madrid", "Calle Mayor 1", "+34 600 000 001", "https://sol.example.com", "https://sol.example.com/a.png", "40,4168", "-3.70",
		"De 9 a 5", "Wi-Fi|Parking", "Open", "Honest|Quick", "es|ca", "lunes: 9–17", "4,5", "12"}
	changes := []struct {
		column, text string
		want         string // faults
	}{
		{"name", "", "name:missing"}, {"name", "A", "name:businesses_name_check"}, {"name", strings.Repeat("n", 101), "name:businesses_name_check name:businesses_name_size"},
		{"name", "<b>", "name:businesses_name_check"}, {"type", "", "type:missing"}, {"type", "B", "type:businesses_type_check"}, {"location", "", "location:missing"},
		{"location", "x", "location:businesses_location_check"}, {"address", "abc", "address:businesses_address_check"}, {"address", "", ""},
		{"phone", "call me", "phone:businesses_phone_check"}, {"phone", "+34 123", "phone:businesses_phone_check"}, {"phone", "", ""},
		{"website", "http://localhost/", "website:businesses_website_check"}, {"website", "javascript:alert(1)", "website:businesses_website_check"},
		{"image_url", "file:///etc/passwd", "image_url:businesses_image_url_check"}, {"latitude", "90.1", "latitude:businesses_latitude_check"}, {"latitude", "-90", ""},
		{"longitude", "181", "longitude:businesses_longitude_check"}, {"longitude", "east", "longitude:wrong_type"}, {"longitude", "NaN", "longitude:wrong_type"},
		{"hours", strings.Repeat("h", 1001), "hours:businesses_hours_check"}, {"hours", `{"structured": {"monday": {"open": "09:00", "close": "17:00"}}}`, ""},
		{"hours", `{"structured": {"monday": {"open": "9"}}}`, "hours:businesses_hours_check"}, {"hours", `{"open`, "hours:wrong_type"},
		{"amenities", "Wi-Fi|Wi-Fi", "amenities:businesses_amenities_check"}, {"amenities", "", ""}, {"amenities", strings.Repeat("a", 61), "amenities:businesses_amenities_check"},
		{"tagline", strings.Repeat("t", 161), "tagline:businesses_tagline_check"}, {"company_values", strings.Repeat("a|", 31), "company_values:businesses_company_values_check company_values:businesses_company_values_size"},
		{"languages", strings.Repeat("l", 51), "languages:businesses_languages_size"}, {"weekday_text", strings.Repeat("x|", 8), "weekday_text:businesses_weekday_text_check weekday_text:businesses_weekday_text_size"},
		{"rating", "5.1", "rating:businesses_rating_check"}, {"rating", "1000", "rating:businesses_rating_check"}, {"rating", "-1", "rating:businesses_rating_check"}, {"rating", "good", "rating:wrong_type"},
		{"user_ratings_total", "-1", "user_ratings_total:wrong_type"}, {"user_ratings_total", "1,5", "user_ratings_total:wrong_type"},
	}
	rows := [][]string{columns, good}
	var want []string
	for n, c := range changes {
		row := append([]string(nil), good...)
		for at, column := range columns {
			if column == c.column {
				row[at] = c.text
			}
		}
		rows = append(rows, row)
		if c.want != "" {
			want = append(want, fmt.Sprintf("%d %s", n+3, c.want))
		}
	}
	i := newImport(t, w, rows...)
	if diff := cmp.Diff(want, strings.Split(i.faults(t), "; ")); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	// Each row whose texts could be read is inserted as it is.
	refused := 0
	var lines []int
	var values []string
	rs, err := w.tx.Query(t.Context(), `select line, business::text from private.import_rows where import_id = $1 and not faults @> '[{"code": "wrong_type"}]' order by line`, i.id)
	if err != nil {
		t.Fatal(err)
	}
	var line int
	var business string
	if _, err := pgx.ForEachRow(rs, []any{&line, &business}, func() error {
		lines, values = append(lines, line), append(values, business)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	faulty := " " + strings.Join(want, "; ")
	for n, value := range values {
		_, err := w.tx.Exec(t.Context(), `savepoint one`)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.tx.Exec(t.Context(), `insert into public.businesses (name, type, location, address, phone, website, image_url, latitude, longitude, hours, amenities, tagline, company_values, languages, weekday_text, rating, user_ratings_total)
			select name, type, location, address, phone, website, image_url, latitude, longitude, hours, amenities, tagline, company_values, languages, weekday_text, rating, user_ratings_total
			from private.imported_business($1::jsonb)`, value)
		if isFaulty := strings.Contains(faulty, fmt.Sprintf(" %d ", lines[n])); isFaulty != (err != nil) {
			t.Errorf("row %d: faulty is %t, the table returns %v", lines[n], isFaulty, err)
		} else if isFaulty {
			refused++
		}
		if _, err := w.tx.Exec(t.Context(), `rollback to savepoint one`); err != nil {
			t.Fatal(err)
		}
	}
	if refused < 20 {
		t.Errorf("only %d rows were refused", refused)
	}
	if got := w.text(t, `select string_agg(k.conname, ' ') from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
		where k.conrelid = 'public.businesses'::regclass and k.contype = 'c' and a.attname = any (private.import_columns()) and obj_description(k.oid, 'pg_constraint') is null`); got != "" {
		t.Errorf("constraints without a text: %s", got)
	}
}

// Issue 19: duplicates are found by name and place, in the file and among the businesses.
func TestImportDuplicates(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.businesses (name, type, location, latitude, longitude) values ('Café Ñandú', 'Bar', 'Sevilla', 37.389, -5.984), ('Bar Nowhere', 'Bar', 'Villa Vieja', 0, 0)`)
	i := newImport(t, w,
		[]string{"name", "type", "location", "latitude", "longitude"},
		[]string{"CAFE NANDU", "Bar", "Sevilla", "", ""},              // 2: as the first one above
		[]string{"Café Ñandú", "Bar", "Sevilla", "37,3891", "-5.984"}, // 3: near it
		[]string{"Café Ñandú", "Bar", "Sevilla", "37,50", "-5.984"},   // 4: far from it
		[]string{"Café Ñandú", "Bar", "Madrid", "", ""},               // 5: another city
		[]string{"Café Ñandú", "Bar", "Madrid, España", "", ""},       // 6: as 5
		[]string{"Bar Nowhere", "Bar", "Villa vieja", "", ""},         // 7: no known city
		[]string{"Bar Nowhere", "Bar", "Villa Nueva", "", ""},         // 8
		[]string{"Bar Nowhere", "", "Villa Nueva", "", ""},            // 9: faulty
		[]string{"Bar Nowhere", "Bar", "Villa Nueva", "", ""},         // 10: as 8
	)
	const marks = `select string_agg(concat_ws(' ', line, duplicate_line, case when duplicate_business is not null then 'exists' end), '; ' order by line)
		from private.import_rows where import_id = $1 and state = 'duplicate'`
	if got, want := w.text(t, marks, i.id), "2 exists; 3 2 exists; 4 2; 6 5; 7 exists; 10 8"; got != want {
		t.Errorf("the duplicates are %q, want %q", got, want)
	}
	// One that was added since the check is left out, too.
	w.exec(t, `insert into public.businesses (name, type, location) values ('Bar Nowhere', 'Bar', 'Villa Nueva')`)
	i.run(t, true)
	if got, want := i.status(t), "done total 9 ready 1 faulty 1 duplicates 7 imported 1"; got != want {
		t.Errorf("the status is %q, want %q", got, want)
	}
	if got := w.text(t, `select location from public.businesses where source = 'CSV-upload'`); got != "Madrid" {
		t.Errorf("imported the one in %s", got)
	}
	again := newImport(t, w, []string{"name", "type", "location"}, []string{"Café Ñandú", "Bar", "Madrid"}, []string{"Café Ñandú", "Bar", "Madrid"})
	w.fails(t, w.ada, "nothing_to_import", `select public.admin_run_import($1, true)`, again.id)
	again.run(t, false)
	if got, want := again.status(t), "done total 2 ready 0 faulty 0 duplicates 2 imported 2"; got != want {
		t.Errorf("the status is %q, want %q", got, want)
	}
}

// Issue 19: imported businesses are as those inserted one by one, and so is all that follows from them.
func TestImportEqualsInserts(t *testing.T) {
	t.Parallel()
	columns := []string{"name", "type", "location", "address", "phone", "latitude", "longitude", "hours", "amenities", "rating", "user_ratings_total", "languages"}
	rows := [][]string{columns}
	for n := range 40 {
		rows = append(rows, []string{
			fmt.Sprintf("Peluquería Zafir %d, S.L.", n/2), []string{"Peluquería", "Bar", "Dentista"}[n%3], []string{"Madrid", "Encamp", "Villa Nueva", "Las Palmas"}[n%4],
			fmt.Sprintf("Calle Mayor %d", n), "+34 600 000 001", "28,1", "-15,4", []string{"De 9 a 5", `{"structured": {"monday": {"open": "09:00", "close": "17:00"}}}`}[n%2],
			"Wi-Fi|Parking", "4,5", "10", "es|ca",
		})
	}
	const (
		compared = `select coalesce(string_agg((to_jsonb(b) - array['id', 'display_id', 'slug', 'created_at', 'updated_at', 'source'] || jsonb_build_object('slug', regexp_replace(slug, '^(peluqueria-zafir-[0-9]+)-[0-9]+$', '\1')))::text, E'\n' order by name, address), '')
			from public.businesses b where name like '%Zafir%'`
		counts = `select string_agg(concat_ws(' ', city_slug, category_code, businesses), '; ' order by city_slug, category_code) from public.directory_counts where businesses > 0`
		// Numbers are left out: every world's own businesses are named by its number.
		words = `select string_agg(word || weights, ' ' order by word) from private.search_words where word !~ '^[0-9]+$'`
	)
	ways := make([][]string, 2)
	for way := range ways {
		w := newWorld(t)
		if way == 0 {
			newImport(t, w, rows...).run(t, false)
			if got := w.text(t, `select count(*)::text from public.audit_logs where table_name = 'businesses' and new_data ->> 'source' = 'CSV-upload'`); got != "1" {
				t.Errorf("the audit log has %s entries", got)
			}
			if got, want := w.text(t, `select concat_ws(' ', user_id = $1, action, new_data ->> 'file', new_data ->> 'rows') from public.audit_logs where new_data ->> 'file' is not null`, w.ada.id), "t INSERT shops.csv 40"; got != want {
				t.Errorf("the entry is %q, want %q", got, want)
			}
		} else {
			newImport(t, w, rows...)
			w.exec(t, `do $$ declare one record; begin
				for one in select b.* from private.import_rows r, private.imported_business(r.business) as b where r.import_id = (select id from private.business_imports) order by line loop
					insert into public.businesses (name, type, location, address, phone, latitude, longitude, hours, amenities, rating, user_ratings_total, combined_rating, rating_sources, languages)
					values (one.name, one.type, one.location, one.address, one.phone, one.latitude, one.longitude, one.hours, one.amenities, one.rating, one.user_ratings_total, one.rating,
						private.imported_ratings('CSV-upload', one.rating, one.user_ratings_total), one.languages);
				end loop; end $$`)
		}
		ways[way] = []string{w.text(t, compared), w.text(t, counts), w.text(t, words), w.text(t, `select count(*)::text from public.businesses where slug ~ '^peluqueria-zafir-[0-9]+-[0-9]+$'`)}
	}
	if diff := cmp.Diff(ways[1], ways[0]); diff != "" {
		t.Errorf("the import differs from inserts (-inserts +import):\n%s", diff)
	}
	if n := strings.Count(ways[0][0], "\n"); n != 39 {
		t.Errorf("compared %d businesses", n+1)
	}
}

// The ratings of a file count beside the first review that is written here.
func TestImportedRatingsAreKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	newImport(t, w, []string{"name", "type", "location", "rating", "user_ratings_total"}, []string{"Zafir", "Bar", "Encamp", "4,6", "9"},
		[]string{"Topaz", "Bar", "Encamp", "4,6", ""}).run(t, false)
	id := w.text(t, `select id::text from public.businesses where name = 'Zafir'`)
	const ratings = `select concat_ws(' ', combined_rating, user_ratings_total, rating_sources) from public.businesses where id = $1`
	const source = ` [{"count": 9, "rating": 4.60, "source": "CSV-upload"}]`
	got := []string{w.text(t, ratings, id)}
	w.exec(t, `set local plaza.seeding = off`) // as in the next transaction
	w.exec(t, `insert into public.reviews (business_id, user_id, rating) values ($1, $2, 1)`, id, w.ben.id)
	got = append(got, w.text(t, ratings, id))
	w.exec(t, `delete from public.reviews where business_id = $1`, id)
	got = append(got, w.text(t, ratings, id), w.text(t, `select concat_ws(' ', rating, user_ratings_total, rating_sources) from public.businesses where name = 'Topaz'`))
	if diff := cmp.Diff([]string{"4.60 9" + source, "4.24 10" + source, "4.60 9" + source, "4.60 0"}, got); diff != "" {
		t.Errorf("at first, with a review, without it, without a number (-want +got):\n%s", diff)
	}
}

// Issue 19: a failed import leaves no rows, and is retried before it is given up.
func TestImportFailure(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := newImport(t, w, []string{"name", "type", "location"}, []string{"Bar One", "Bar", "Madrid"}, []string{"Bar Two", "Bar", "Madrid"})
	w.exec(t, `alter table public.businesses add constraint no_two check (name <> 'Bar Two')`)
	i.run(t, true)
	if got := i.status(t); !strings.HasPrefix(got, "queued") {
		t.Errorf("the status is %q", got)
	}
	w.fails(t, w.ada, "import_running", `select public.admin_begin_import('b.csv')`)
	for range 2 {
		w.exec(t, `select private.run_next_import()`)
	}
	if got := i.status(t); !strings.HasPrefix(got, "failed") || !strings.Contains(got, "no_two") {
		t.Errorf("the status is %q", got)
	}
	if got := w.text(t, `select private.run_next_import()::text || (select count(*) from public.businesses where name like 'Bar %')`); got != "false0" {
		t.Errorf("got %s", got)
	}
	w.exec(t, `alter table public.businesses drop constraint no_two`)
	w.exec(t, `select public.admin_check_import($1)`, i.id)
	i.run(t, true)
	if got, want := i.status(t), "done total 2 ready 2 faulty 0 duplicates 0 imported 2"; got != want {
		t.Errorf("the status is %q, want %q", got, want)
	}
}

// Issue 19: bounds of a file, and old staged rows.
func TestImportBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := newImport(t, w, []string{"name"}, []string{"Bar"})
	w.fails(t, w.ada, "import_not_ready", `select public.admin_stage_import($1, array['name'], '[[2, "Bar"]]')`, i.id)
	id := w.text(t, `select public.admin_begin_import('b.csv')::text`)
	const stage = `select public.admin_stage_import($1, $2, $3)`
	for _, columns := range [][]string{{}, {"owner_id"}, {"name", "name"}, {"name); drop table x"}} {
		w.fails(t, w.ada, "import_columns", stage, id, columns, "[]")
	}
	for _, rows := range []string{"{}", `[[1, "Bar"]]`, `[[50002, "Bar"]]`, `[["x", "Bar"]]`, `[["-2", "Bar"]]`, `["a"]`, "[" + strings.Repeat(`[2, ""],`, 1000) + `[2, ""]]`} {
		w.fails(t, w.ada, "import_too_large", stage, id, []string{"name"}, rows)
	}
	w.fails(t, w.ada, "23514", stage, id, []string{"name"}, `[[2, "`+strings.Repeat("x", 262145)+`"]]`)
	// A chunk that is sent again changes nothing.
	for range 2 {
		w.exec(t, stage, id, []string{"name"}, `[[2, "Bar"], [3, "\u00a0Pub "]]`)
	}
	if got := w.text(t, `select string_agg(line || name, ' ' order by line) from public.import_rows where import_id = $1`, id); got != "2Bar 3Pub" {
		t.Errorf("staged %s", got)
	}
	if got := w.text(t, `select count(*)::text from private.business_imports`); got != "1" {
		t.Errorf("%s imports are left", got)
	}
	w.exec(t, `update private.business_imports set created_at = now() - interval '25 hours'`)
	if got := w.text(t, `select concat_ws(' ', private.remove_old_imports(), (select count(*) from private.import_rows))`); got != "1 2" && got != "1 0" {
		t.Errorf("removed %s", got)
	}
}

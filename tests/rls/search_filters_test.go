package rls

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// insertBusinesses adds 300 businesses that differ in everything that filters use.
func insertBusinesses(t *testing.T, w *world) {
	t.Helper()
	w.exec(t, `delete from public.bookings`)
	w.exec(t, `delete from public.businesses`)
	w.exec(t, `set local plaza.seeding = 'on'`)
	w.exec(t, `insert into public.businesses (name, type, location, owner_id, latitude, longitude, rating, time_zone, hours, amenities,
			booking_days_ahead, booking_notice_minutes, booking_buffer_minutes, booking_capacity, created_at)
		select 'Shop ' || n, (array['Peluquería', 'Bar', 'Dentista'])[1 + n % 3], (array['Madrid', 'Barcelona', 'Encamp', 'Las Palmas', 'Toledo'])[1 + n % 5],
			case when n % 4 > 0 then $1::uuid end,
			case when n % 7 > 0 then 27 + private.pick('lat' || n, 16000) / 1000.0 else 0 end,
			case when n % 7 > 0 then -18 + private.pick('lon' || n, 21000) / 1000.0 else 0 end,
			case when n % 6 > 0 then private.pick('rating' || n, 50) / 10.0 end,
			(array['Europe/Madrid', 'Atlantic/Canary', 'Europe/Andorra'])[1 + n % 3],
			case when n % 9 = 0 then null when n % 9 = 1 then '"By appointment"' when n % 9 = 2 then '{"structured": {}}' else jsonb_build_object('structured', (
				select jsonb_object_agg(day, case when private.pick(n || day, 6) = 0 then '{"closed": true}' else jsonb_build_object(
					'open', to_char(make_interval(mins => 15 * private.pick(n || day || 'open', 96)), 'HH24:MI'),
					'close', to_char(make_interval(mins => 15 * private.pick(n || day || 'close', 96)), 'HH24:MI'),
					'isOpen', private.pick(n || day || 'is', 8) > 0) end)
				from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as day
				where private.pick(n || day || 'there', 9) > 0)) end,
			case when n % 5 = 0 then '[{"name": "WiFi"}]'::jsonb else '[]' end,
			private.pick('ahead' || n, 20) + 1, (array[0, 0, 60, 1500, 6000])[1 + private.pick('notice' || n, 5)],
			(array[0, 0, 15, 90, 240])[1 + private.pick('buffer' || n, 5)], 1 + private.pick('capacity' || n, 2), now() - make_interval(hours => n)
		from generate_series(1, 300) n`, w.owner.id)
	w.exec(t, `insert into public.services (business_id, name, price, duration)
		select b.id, 'Service ' || k, private.pick(b.name || k, 300), 30 + 15 * private.pick(b.name || 'd' || k, 8)
		from public.businesses b, generate_series(1, 3) k where private.pick(b.name || 'sells' || k, 4) > 0`)
	w.exec(t, `insert into public.business_availability (business_id, weekday, is_open, slots)
		select b.id, day, open > 0, case open when 0 then '[]' when 1 then '[{"start": "09:30", "end": "13:00"}, {"start": "16:00", "end": "18:30"}]'
			else '[{"start": "00:00", "end": "24:00"}]' end::jsonb
		from public.businesses b, unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as day,
			lateral (select private.pick(b.name || day, 3) as open) picked
		where private.pick(b.name || 'week', 3) = 0`)
	w.exec(t, `insert into public.blackout_dates (business_id, blackout_date)
		select b.id, current_date + k from public.businesses b, generate_series(0, 15) k where private.pick(b.name || 'off' || k, 8) = 0`)
	// Enough bookings to fill some days.
	w.exec(t, `do $$
		declare wanted record;
		begin
			for wanted in select b.id, s.id as service, current_date + k / 4 as day, private.clock(540 + 30 * private.pick(b.name || 'at' || k, 18)) as clock
				from public.businesses b join lateral (select id from public.services s where s.business_id = b.id order by s.duration desc limit 1) s on true,
					generate_series(-4, 24) k
				where b.owner_id is not null and private.pick(b.name || 'full', 2) = 0
			loop
				begin
					insert into public.bookings (business_id, service_id, booking_date, start_time, status, source, customer_name)
					values (wanted.id, wanted.service, wanted.day, wanted.clock, 'confirmed', 'business', 'Somebody');
				exception when others then
				end;
			end loop;
		end $$`)
	w.exec(t, `set local plaza.seeding = ''`)
}

// The columns stored for filters agree with hours, schedule and bookings.
func TestFilterColumnsMatchTheirSources(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	insertBusinesses(t, w)
	if wrong := list(t, w.tx, `select concat_ws(' ', b.name, day, kept, meant)
		from public.businesses b, generate_series(0, 6) day,
			lateral (select b.open_week * int4multirange(int4range(1440 * day, 1440 * day + 1440)) as kept) k,
			lateral (select private.hours_of_day(b.hours, '2026-03-02'::date + day) as one offset 0) h,
			lateral (select case when one is not null then coalesce((
				select range_agg(int4range(1440 * day + lower(open), 1440 * day + upper(open))) from unnest(one) as open), '{}') end as meant) m
		where kept is distinct from meant`); len(wrong) > 0 {
		t.Errorf("open_week differs: %d, %s", len(wrong), wrong[0])
	}
	if wrong := list(t, w.tx, `select b.name || ': ' || b.search_document::text from public.businesses b where b.search_document <> private.search_document(b)`); len(wrong) > 0 {
		t.Errorf("documents are out of date: %d, %s", len(wrong), wrong[0])
	}
	compare := func(name, filter, means string, args ...any) int {
		t.Helper()
		want := list(t, w.tx, `select b.name from public.businesses b where `+means+` order by 1`, args...)
		got := list(t, w.as(t, anon), `select name from public.best_businesses(`+filter+`) order by 1`, args...)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if count := w.ask(t, anon, `select public.count_businesses(`+filter+`)::text`, args...); count != strconv.Itoa(len(want)) {
			t.Errorf("%s: %s counted, %d there", name, count, len(want))
		}
		return len(want)
	}
	if wrong := list(t, w.tx, `select b.name || ' at ' || minute from public.businesses b, generate_series(0, 10079, 30) as minute,
			lateral (select (minute + case b.time_zone when 'Atlantic/Canary' then 60 else 0 end) % 10080 as mainland) clock,
			lateral (select jsonb_populate_record(private.search_of(null, null, null, null, null, true, null, null, null, null, null, null, null, null),
				jsonb_build_object('minute', mainland)) as search) s
		where b.open_week @> minute and not private.matches_all(b.search_document, private.filter_queries(s.search))`); len(wrong) > 0 {
		t.Errorf("not found by the hour: %d, %s", len(wrong), wrong[0])
	}
	if w.text(t, `select count(*)::text from public.businesses b where b.time_zone = 'Atlantic/Canary' and b.open_week is not null`) == "0" {
		t.Error("nobody is in the Canary Islands")
	}
	compare("open now", `open_now => true`, `private.hours_of_day(b.hours, (now() at time zone b.time_zone)::date)
		@> (extract(hour from now() at time zone b.time_zone) * 60 + extract(minute from now() at time zone b.time_zone))::integer`)
	found := 0
	for day := -1; day < 12; day++ {
		date := w.text(t, `select (current_date + $1::integer)::text`, day)
		found += compare("free on "+date, `free_on => $1`, `exists (select from private.slots(b.id, $1::date, 30) s where s.reason is null)`, date)
	}
	if found < 300 {
		t.Errorf("only %d free days", found)
	}
	if full := w.text(t, `select count(*)::text from public.businesses b, generate_series(0, 6) k
		where b.last_slots[extract(isodow from current_date + k)::integer] is not null and not exists (
			select from public.blackout_dates d where d.business_id = b.id and d.blackout_date = current_date + k)
			and not exists (select from private.slots(b.id, current_date + k, 30) s where s.reason is null or s.reason <> 'taken' and s.reason <> 'closed' and s.reason <> 'unavailable')`); full == "0" {
		t.Error("no day is booked out")
	}
	const price = `(select min(s.price) from public.services s where s.business_id = b.id)`
	for _, bounds := range [][2]string{{"10", "40"}, {"0", "5"}, {"40", "40"}, {"299", "300"}, {"100", "20"}} {
		compare("price "+bounds[0], `min_price => $1, max_price => $2`, price+` between $1::numeric and $2::numeric`, bounds[0], bounds[1])
	}
	compare("price from", `min_price => 150`, price+` >= 150`)
	compare("price to", `max_price => 30`, price+` <= 30`)
	// With few businesses the index of points is not used for counting, so the test calls it
	// directly.
	counted := 0
	around := func(want int, place string, args ...any) {
		t.Helper()
		search := `private.search_of(null, null, null, null, null, null, null, null, ` + place + `, null)`
		if w.text(t, `select private.is_around(`+search+`)::text`, args...) == "true" {
			counted++
			for _, most := range []int{want, want + 1} {
				if count := w.text(t, fmt.Sprintf(`select private.count_around(%s, %d)::text`, search, most), args...); count != strconv.Itoa(want) {
					t.Errorf("%v: %s counted around it, %d there", args, count, want)
				}
			}
		}
	}
	const real = `(b.latitude, b.longitude) <> (0::float8, 0::float8)`
	const away = real + ` and 6371 * 2 * asin(sqrt(power(sin(radians(b.latitude - $1::float8) / 2), 2)
		+ cos(radians($1::float8)) * cos(radians(b.latitude)) * power(sin(radians(b.longitude - $2::float8) / 2), 2))) <= $3::float8`
	for _, circle := range [][3]string{{"40.4", "-3.7", "100"}, {"41.4", "2.1", "500"}, {"28.1", "-15.4", "60"}, {"0", "0", "500"}, {"89.9", "10", "500"}, {"40", "179.9", "500"}} {
		near := compare("within "+circle[2]+" of "+circle[0], `near_latitude => $1, near_longitude => $2, within_km => $3`, away, circle[0], circle[1], circle[2])
		around(near, `null, $1::float8, $2::float8, $3::numeric, null`, circle[0], circle[1], circle[2])
	}
	for _, box := range [][4]string{{"40", "-5", "42", "3"}, {"27", "-19", "30", "-13"}, {"-90", "-180", "90", "180"}, {"-1", "-1", "1", "1"}, {"40.1", "-3.9", "40.6", "-3.2"}, {"30", "-500", "50", "500"}} {
		in := compare("in "+strings.Join(box[:], " "), `bounds => array[$1, $2, $3, $4]::float8[]`,
			real+` and b.latitude between $1::float8 and $3::float8 and b.longitude between $2::float8 and $4::float8`, box[0], box[1], box[2], box[3])
		around(in, `null, null, null, null, array[$1, $2, $3, $4]::float8[]`, box[0], box[1], box[2], box[3])
	}
	if counted < 6 {
		t.Errorf("only %d counted around a point", counted)
	}
	// Without a text, an index in order is scanned if its first rows fill a page; otherwise the hits are
	// collected.
	const isWalked = `select (private.tried(private.search_of(null, $1, $2, null, $3::numeric, null, null, null, 250, null, null, null, null, null))).is_broad::text`
	for _, walked := range []struct{ loc, category, rating, is string }{
		{"Madrid", "", "0", "true"}, {"", "hair", "1", "true"}, {"Madrid", "hair", "0", "true"}, {"Madrid", "", "4.9", "false"}, {"", "", "0", "true"}, {"", "", "4.9", "false"},
	} {
		name := "best of " + walked.loc + walked.category + walked.rating
		if is := w.text(t, isWalked, walked.loc, walked.category, walked.rating); is != walked.is {
			t.Errorf("%s: walked %s", name, is)
		}
		compare(name, `null, $1, $2, min_rating => $3::numeric, max_price => 250`, `($1 = '' or b.city_slug = lower($1))
			and ($2 = '' or b.category_code = $2) and b.sort_rating >= $3::numeric and `+price+` <= 250`, walked.loc, walked.category, walked.rating)
	}
	soon := w.text(t, `select (current_date + 3)::text`)
	compare("all of them", `'shop', null, 'hair', free_on => $1, max_price => 200, bounds => '{35,-10,44,4}', min_rating => 1`,
		`b.category_code = 'hair' and `+price+` <= 200 and b.sort_rating >= 1 and `+real+` and b.latitude between 35 and 44 and b.longitude between -10 and 4
		and exists (select from private.slots(b.id, $1::date, 30) s where s.reason is null)`, soon)
}

// A broad search scans an index, and many hits are collected from the best down. With few businesses
// there are neither, so the test forces all ways: they find the same.
func TestSearchPlansAgree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	insertBusinesses(t, w)
	w.exec(t, `analyze public.businesses`)
	const search = `private.search_of($1, $2, $3, null, null, null, null, null, nullif($4, '')::numeric, null, null, null, null, null)`
	for _, filters := range [][]any{
		{"peluquería", "", "", ""}, {"shop madrid", "", "", ""}, {"bar", "Madrid", "", "200"}, {"service encamp", "", "", "100"},
		{"", "Madrid", "", ""}, {"", "", "hair", ""}, {"", "Toledo", "bars", "150"}, {"", "toledo viejo", "", ""}, {"xyzzy", "", "", ""},
	} {
		gathered := list(t, w.tx, `select name from private.found_businesses(jsonb_populate_record(`+search+`, '{"is_broad": false}')) order by 1`, filters...)
		walked := list(t, w.tx, `select name from private.found_businesses(jsonb_populate_record(`+search+`, '{"is_broad": true}')) order by 1`, filters...)
		if diff := cmp.Diff(gathered, walked); diff != "" {
			t.Errorf("%v (-gathered +walked):\n%s", filters, diff)
		}
		ordered := list(t, w.tx, `select b.slug from private.found_businesses(jsonb_populate_record(`+search+`, '{"is_broad": false}')) b
			order by b.ranking desc, b.created_at desc`, filters...)
		for _, steps := range []string{"[0]", "[900, 800, 702, 701, 0]", "[1000, 850, 0]"} {
			best := list(t, w.tx, `select slug from private.ordered_businesses(jsonb_populate_record(`+search+`, '{"is_broad": false, "best_steps": `+steps+`}'))`,
				filters...)
			if diff := cmp.Diff(ordered, best); diff != "" {
				t.Errorf("%v in steps %s (-sorted +in steps):\n%s", filters, steps, diff)
			}
		}
	}
	for query, first := range map[string]string{
		`'a'`: `'a'`, `'a' & 'b' & 'c'`: `'a'`, `( 'a' | 'b' ) & 'c'`: `'a' | 'b'`, `'a':*B & 'b'`: `'a':*B`, `'x' | ( 'a' & 'b' )`: `'x' | 'a' & 'b'`,
		`( 'a' | 'b' & 'c' ) & 'd'`: `( 'a' | 'b' & 'c' ) & 'd'`, `!'a' & 'b'`: `!'a' & 'b'`, `'a' | 'b'`: `'a' | 'b'`,
		`'a' & 'b' & 'c' & 'd' & 'e'`: `'a'`, `'a' & 'b' & 'c' & 'd' & 'e' & 'f'`: `'a' & 'b' & 'c' & 'd' & 'e' & 'f'`,
	} {
		if got := w.text(t, `select (private.conjuncts($1::tsquery))[1]::text`, query); got != w.text(t, `select $1::tsquery::text`, first) {
			t.Errorf("the first of %s is %s", query, got)
		}
	}
}

func TestSorts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	insertBusinesses(t, w)
	const away = `private.distance_km(%, b.latitude, b.longitude)`
	tests := []struct{ sort, order string }{
		{`sort_by => 'price'`, `b.price_from nulls last, b.ranking desc, b.created_at desc`},
		{`sort_by => 'rating'`, `b.ranking desc, b.created_at desc`},
		{`sort_by => 'newest'`, `b.created_at desc`},
		{`sort_by => 'best'`, `b.ranking desc, b.created_at desc`},
		{`sort_by => ''`, `b.ranking desc, b.created_at desc`},
		{`sort_by => 'distance', near_latitude => 41.4, near_longitude => 2.2`, strings.ReplaceAll(away, "%", "41.4, 2.2") + `, b.ranking desc, b.created_at desc`},
		// Without a place there is no distance.
		{`sort_by => 'distance'`, `b.ranking desc, b.created_at desc`},
		{`find_loc => 'zzzz', sort_by => 'distance'`, `b.name limit 0`},
	}
	for _, tt := range tests {
		want := list(t, w.tx, `select b.name from public.businesses b order by `+tt.order)
		got := list(t, w.as(t, anon), `select name from public.best_businesses(`+tt.sort+`)`)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.sort, diff)
		}
	}
	// An unserved place has a location: Girona is near Barcelona. Its results are around it, not in
	// it.
	for _, place := range []string{"Girona", "Gerona", "jirona", "GIRONA, España"} {
		got := list(t, w.as(t, anon), `select name from public.best_businesses(find_loc => $1, within_km => 200, sort_by => 'distance')`, place)
		want := list(t, w.tx, `select b.name from public.businesses b where b.latitude <> 0 and private.distance_km(41.9831, 2.8249, b.latitude, b.longitude) <= 200
			order by private.distance_km(41.9831, 2.8249, b.latitude, b.longitude)`)
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("around %s (-want +got):\n%s", place, diff)
		}
	}
}

// Invalid searches fail with a stable code; unusual ones return a result.
func TestUnusualSearches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, arguments := range []string{
		`sort_by => 'cheapest'`, `near_latitude => 'NaN', near_longitude => 1`, `near_latitude => 1, near_longitude => 'Infinity'`,
		`near_latitude => 40`, `near_longitude => 3`, `near_latitude => 91, near_longitude => 0`, `within_km => 0`, `within_km => 501`, `within_km => 'NaN'`,
		`bounds => '{1,2,3}'`, `bounds => '{40,0,30,1}'`, `bounds => '{30,5,40,1}'`, `bounds => '{NaN,0,1,1}'`, `bounds => '{0,0,1,Infinity}'`,
		`bounds => '{0,0,1,NULL}'`, `bounds => '{{0,0},{1,1}}'`, `min_price => 'NaN'`,
	} {
		w.fails(t, anon, "22023", `select public.best_businesses(`+arguments+`)`)
		if !strings.HasPrefix(arguments, "sort") {
			w.fails(t, anon, "22023", `select public.count_businesses(`+arguments+`)`)
		}
	}
	all := w.text(t, `select count(*)::text from public.businesses`)
	tests := []struct{ arguments, want string }{
		{`free_on => '1970-01-01'`, "0"},
		{`free_on => '9999-12-31'`, "0"},
		{`free_on => '-infinity'`, "0"},
		{`free_on => 'infinity'`, "0"},
		{`min_price => 50, max_price => 10`, "0"},
		{`min_price => -1e30, max_price => 1e30`, "2"},
		{`within_km => 5`, all}, // without a place
		{`'   ', '  ', '', '{}', 0, bounds => '{}'`, all},
		{`repeat('x', 10000), repeat('y', 10000), repeat('z', 10000)`, "0"},
		{`'💇‍♀️', 'مدريد'`, "0"},
		{`'%', '_', ''''`, all},
		{`with_amenities => array(select 'a' || n from generate_series(1, 100) n)`, "0"},
		{`with_amenities => array[null, '']`, "0"},
	}
	for _, tt := range tests {
		for _, call := range []string{`select public.count_businesses(` + tt.arguments + `)::text`, `select count(*)::text from public.best_businesses(` + tt.arguments + `)`} {
			if got := w.ask(t, anon, call); got != tt.want {
				t.Errorf("%s: %s, want %s", call, got, tt.want)
			}
		}
	}
	if got := w.ask(t, anon, `select count(*)::text from (select from public.best_businesses() offset 1000000) past`); got != "0" {
		t.Errorf("a page past the end has %s", got)
	}
}

func TestSearchAlternatives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `delete from public.bookings`)
	w.exec(t, `delete from public.businesses`)
	w.exec(t, `insert into public.businesses (name, type, location, rating, latitude, longitude) values
		('Uno', 'Peluquería', 'Barcelona', 5, 41.4, 2.2), ('Dos', 'Peluquería', 'Barcelona', 3, 41.4, 2.2),
		('Tres', 'Peluquería', 'Encamp', 3, 42.5, 1.6), ('Cuatro', 'Bar', 'Madrid', 4, 40.4, -3.7), ('Cinco', 'Bar', 'Girona', 4, 42, 2.8)`)
	tests := []struct{ arguments, want string }{
		{`'peluqueria', 'Girona'`, "filter place 3; filter text 1; place barcelona 2 85.8; place encamp 1 119.4"},
		{`'peluqueria', 'Madrid', min_rating => 4`, "filter text 1; filter place 1; place barcelona 1 505.1"},
		{`'peluqueria', 'Barcelona', min_rating => 4`, "filter rating 2"},
		{`'peluqueria', min_rating => 5, max_price => 10`, "filter price 1"},
		{`'xyzzy'`, ""},
		{`'xyzzy', 'Girona'`, "filter text 1"},
		{`'peluqueria', near_latitude => 40.4, near_longitude => -3.7, within_km => 5`, "filter distance 3; filter text 1; place encamp 1 499.8; place barcelona 2 505.2"},
		{`'peluqueria', 'Girona', within_km => 10`, "filter place 3; filter text 1; place barcelona 2 85.8; place encamp 1 119.4"},
		{`'bar', 'Girona', open_now => true`, "filter open_now 1"},
		{``, ""},
		{`repeat('x', 10000), '%', '_'`, ""},
	}
	for _, tt := range tests {
		got := w.ask(t, anon, `select coalesce(string_agg(concat_ws(' ', kind, target, businesses, distance_km), '; '), '') from public.search_alternatives(`+tt.arguments+`)`)
		if got != tt.want {
			t.Errorf("(%s): %s, want %s", tt.arguments, got, tt.want)
		}
	}
}

func TestSuggestPlaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tests := []struct{ typed, want string }{
		{"g", ""},
		{"giro", "girona 0"},
		{"GERO", "girona 0"},
		{"jirona", "girona 0, jijona 0"},
		{"madr", "madrid 3, madridejos 0, las-rozas-de-madrid 0, humanes-de-madrid 0"},
		{"donos", "san-sebastian 0"},
		{"lérida", "lleida 0"},
		{"coruña", "a-coruna 0"},
		{"%", ""},
		{"   ", ""},
		{strings.Repeat("x", 10000), ""},
		{"مدريد", ""},
	}
	for _, tt := range tests {
		got := w.ask(t, anon, `select coalesce(string_agg(slug || ' ' || businesses, ', '), '') from public.suggest_places($1)`, tt.typed)
		if got != tt.want {
			t.Errorf("%.20q: %s, want %s", tt.typed, got, tt.want)
		}
	}
	if got := w.ask(t, anon, `select count(*)::text from public.suggest_places('sa')`); got != "6" {
		t.Errorf("%s places begin with sa", got)
	}
}

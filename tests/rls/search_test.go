package rls

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/tests/testkit"
)

// SEARCH-09, SEARCH-10, SEARCH-12, SEARCH-14, API-21, S-34, C-24, C-25, C-31, C-35.
func TestSearch(t *testing.T) {
	t.Parallel()
	tx := testkit.Tx(t)
	if _, err := tx.Exec(t.Context(), `insert into public.businesses (name, type, location, rating, combined_rating, created_at) values
		('Peluquería Núñez', 'Peluquería', 'Málaga', 4, null, '2026-01-01'),
		('Ca la Núria', 'Restaurant', 'Encamp, Andorra', 3, 5, '2026-01-02'),
		('Taller Ruiz', 'Taller mecánico', 'Triana, Sevilla', null, null, '2026-01-03'),
		('Bar Pepe 100%', 'Bar', 'Toledo', 4, null, '2026-01-04'),
		('Forn de l''Àvia', 'Forn', 'Girona', null, null, '2026-01-02')`); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ rule, desc, loc, category, want string }{
		{"all, by rating, then the newest", "", "", "", "Ca la Núria, Bar Pepe 100%, Peluquería Núñez, Taller Ruiz, Forn de l'Àvia"},
		{"a name without its accents", "nunez", "", "", "Peluquería Núñez"},
		{"in capitals with accents", "NÚÑEZ", "", "", "Peluquería Núñez"},
		{"without the apostrophe that RULE-21 takes out", "forn lavia", "", "", "Forn de l'Àvia"},
		{"with the apostrophe", "l'àvia", "", "", "Forn de l'Àvia"},
		{"without the article", "avia", "", "", "Forn de l'Àvia"},
		{"a type", "mecanico", "", "", "Taller Ruiz"},
		{"type and name, in either order", "nunez peluqueria", "", "", "Peluquería Núñez"},
		{"a synonym in another language", "hairdresser", "", "", "Peluquería Núñez"},
		{"a Catalan synonym", "perruqueria", "", "", "Peluquería Núñez"},
		{"two letters", "ru", "", "", "Taller Ruiz"},
		{"the documents' English city", "", "Seville", "", "Taller Ruiz"},
		{"the city's own name", "", "sevilla", "", "Taller Ruiz"},
		{"a city without its accents", "", "malaga", "", "Peluquería Núñez"},
		{"a country and its parishes", "", "Andorra", "", "Ca la Núria"},
		{"a place that is no city of ours", "", "toledo", "", "Bar Pepe 100%"},
		{"a part of a location", "", "triana", "", "Taller Ruiz"},
		{"a category by label", "", "", "Beauty & Spas", "Peluquería Núñez"},
		{"a category by code", "", "", "restaurants", "Ca la Núria"},
		{"a child category", "", "", "hair", "Peluquería Núñez"},
		{"a category that is only a type", "", "", "Taller", "Taller Ruiz"},
		{"all three", "ruiz", "seville", "Automotive", "Taller Ruiz"},
		{"nothing fits", "nunez", "seville", "", ""},
		{"signs of the filter language", `Pepe,(100%)*"`, "", "", "Bar Pepe 100%"},
		{"a pattern is taken literally", "%pep_", "", "", "Bar Pepe 100%"},
		{"a very long term", strings.Repeat("x", 5000), "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := queryText(t, testkit.As(t, tx, "anon", nil), `select string_agg(name, ', ' order by sort_rating desc, created_at desc)
				from public.search_businesses(nullif($1, ''), nullif($2, ''), nullif($3, ''))`, tt.desc, tt.loc, tt.category)
			if got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// indexWalk matches a scan of a whole index: one without a condition.
var indexWalk = regexp.MustCompile(`Index (Only )?Scan (Backward )?using [^\n]*(\n\s+[^I\s][^\n]*|$)`)

// Matches are collected with the search indexes; the ranking is only scanned if a page is filled
// soon. 10,000 rows, of which none, few or most match, give the planner the estimates of a large
// table.
func TestSearchScansTheRankingOnlyIfBroad(t *testing.T) {
	t.Parallel()
	tx := testkit.Tx(t)
	for _, sql := range []string{
		`set local plaza.seeding = 'on'`,
		`insert into public.businesses (slug, name, type, location, rating, city_slug, category_code)
			select 'b-' || n, case when n % 4 > 0 then 'Casa ' else 'Bodega ' end || md5(n::text), case when n % 2 = 0 then 'Restaurante' else 'Peluquería' end,
				'Madrid', n % 50 / 10.0, case when n % 3 = 0 then 'madrid' else 'barcelona' end, case when n % 2 = 0 then 'spanish' else 'hair' end
			from generate_series(1, 10000) n`,
		`analyze public.businesses`,
	} {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	const walk, none = "businesses_ranking_idx", "no walk"
	tests := []struct{ rule, arguments, want string }{
		{"nothing is asked for", ``, walk},
		{"a word of most names", `'casa'`, walk},
		{"a word of no name", `'zzzz'`, none},
		{"signs and a number", `'50%'`, none},
		{"a rare word", `'c4ca4238'`, none},
		{"a common word in the wrong category", `'restaurante', null, 'hair'`, none},
		{"a common word in a city without it", `'casa', 'Ordino'`, none},
		{"a place that nobody names", `null, 'zzzz'`, none},
		{"a category that nobody names", `null, null, 'zzzz'`, none},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			for _, order := range []string{"ranking desc, created_at desc", "created_at desc", "slug", "id"} {
				plan := strings.Join(list(t, testkit.As(t, tx, "anon", nil), `explain select id from public.search_businesses(`+tt.arguments+`) order by `+order+` limit 12`), "\n")
				walks := indexWalk.MatchString(plan)
				switch {
				case strings.Contains(plan, "Function Scan"):
					t.Errorf("search_businesses is not inlined:\n%s", plan)
				case tt.want == none && walks:
					t.Errorf("order by %s walks:\n%s", order, plan)
				case strings.HasPrefix(order, "ranking") && tt.want == walk && !strings.Contains(plan, walk):
					t.Errorf("order by %s does not use %s:\n%s", order, walk, plan)
				}
			}
		})
	}
}

// A business is found by a service as soon as the service is added, and no longer once it is
// deleted.
func TestSearchFindsServices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	finds := func(term string) string {
		return w.ask(t, anon, `select coalesce(string_agg(name, ', '), '') from public.search_businesses($1)`, term)
	}
	name := w.text(t, `select name from public.businesses where id = $1`, w.shop)
	w.exec(t, `insert into public.services (business_id, name, price, duration) values ($1, 'Ritual Ayurveda', 40, 60)`, w.shop)
	for _, term := range []string{"ayurveda", "rituales", "ayurveda ritual", "ayurbeda", "un ritual de ayurveda en madrid"} {
		if got := finds(term); got != name {
			t.Errorf("%s finds %q", term, got)
		}
	}
	w.exec(t, `update public.services set name = 'Kobido' where name = 'Ritual Ayurveda'`)
	if got := finds("ayurveda") + "/" + finds("kobido"); got != "/"+name {
		t.Errorf("after the change: %s", got)
	}
	w.exec(t, `delete from public.services where name = 'Kobido'`)
	if got := finds("kobido"); got != "" {
		t.Errorf("after the end: %s", got)
	}
	w.do(t, w.owner, `update public.businesses set amenities = '[{"name": "Roof Garden"}, {"name": "Sauna", "available": false}]' where id = $1`, w.shop)
	for amenity, want := range map[string]string{"Roof Garden": "1", "Sauna": "0"} {
		if got := w.ask(t, anon, `select count(*)::text from public.best_businesses(with_amenities => array[$1])`, amenity); got != want {
			t.Errorf("%s with %s", got, amenity)
		}
	}
}

// Intended matches come first, and a rating is weighted by its number of reviews: a single perfect
// review does not lead.
func TestIntendedMatchesComeFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.businesses (name, type, location, rating, user_ratings_total) values
		('Zirgon Perfecta', 'Peluquería', 'Toledo', 5, 1),
		('Zirgon Probada', 'Peluquería', 'Toledo', 4.6, 80),
		('Zirgon Nueva', 'Peluquería', 'Toledo', null, 0),
		('Zirgon Mala', 'Peluquería', 'Toledo', 2, 30),
		('Zirgon Canina', 'Peluquería canina', 'Toledo', 5, 500)`)
	got := w.ask(t, anon, `select string_agg(name, ', ') from public.best_businesses('peluqueria', 'Toledo')`)
	if want := "Zirgon Probada, Zirgon Perfecta, Zirgon Nueva, Zirgon Mala, Zirgon Canina"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// SEARCH-11: the displayed count equals the number of results, with all filters.
func TestCountBusinesses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.businesses (name, type, location, rating, amenities) values
		('Zirgon Uno', 'Peluquería', 'Encamp', 5, '[{"name": "Parking"}]'),
		('Zirgon Dos', 'Peluquería', 'Ordino', 3, '[{"name": "Parking"}, {"name": "WiFi"}]'),
		('Zirgon Tres', 'Bar', 'Ordino', null, '[]')`)
	tests := []struct{ arguments, want string }{
		{`'zirgon'`, "3"},
		{`'zirgon', 'Ordino'`, "2"},
		{`'zirgon', 'Ordino', 'hair'`, "1"},
		{`'zirgon', min_rating => 4`, "1"},
		{`'zirgon', with_amenities => '{Parking}'`, "2"},
		{`'zirgon', with_amenities => '{Parking,WiFi}'`, "1"},
		{`null, 'Andorra'`, "3"},
		{`null, 'Andorra', 'Beauty & Spas'`, "2"},
		{`null, 'Andorra', 'nowhere'`, "0"},
	}
	for _, tt := range tests {
		if got := w.ask(t, anon, `select public.count_businesses(`+tt.arguments+`)::text`); got != tt.want {
			t.Errorf("(%s): %s, want %s", tt.arguments, got, tt.want)
		}
	}
}

// The descriptions of a search on cards and above the results.
func TestSearchDescriptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.services (business_id, name, price, duration) values
		($1, 'Corte de pelo', 20, 30), ($1, 'Corte de pelo con masaje', 35, 60), ($1, 'Masaje relajante', 40, 60), ($1, 'Masaje capilar', 15, 20)`, w.shop)
	for typed, want := range map[string]string{
		"masaje relajante":     "Masaje relajante 40.00",
		"masajes":              "Masaje capilar 15.00",
		"corte de pelo":        "Corte de pelo 20.00",
		"un masaje y un corte": "Corte de pelo con masaje 35.00",
		"peluquería":           "",
		"":                     "",
	} {
		if got := w.ask(t, anon, `select coalesce(string_agg(name || ' ' || price, ', '), '') from public.matching_services(array[$1::uuid], $2)`, w.shop, typed); got != want {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
	for typed, want := range map[string]string{
		"masaje relajante":        "",
		"quiero un corte de pelo": "",
		"peluqeria":               "peluqeria=peluquería",
		"peluqeria qwrtzxcv":      "peluqeria=peluquería, qwrtzxcv=",
		"qwrtzxcv":                "qwrtzxcv=",
	} {
		if got := w.ask(t, anon, `select coalesce(string_agg(typed || '=' || coalesce(meant, ''), ', '), '') from public.search_meaning($1)`, typed); got != want {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
}

func TestSuggestSearches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.services (business_id, name, price, duration) values ($1, 'Ritual Ayurveda', 40, 60), ($1, 'Pelado', 5, 10)`, w.shop)
	w.exec(t, `insert into public.businesses (name, type, location) values ('Pelayo e Hijos', 'Bar', 'Toledo')`)
	tests := []struct{ typed, want string }{
		{"p", ""},
		{"pela", "business Pelayo e Hijos (Toledo), service Pelado ()"},
		{"PELUQUERÍA", "category peluquería (Hair Salons), category peluquería canina (Pet Grooming)"},
		{"ayur", "service Ritual Ayurveda ()"},
		{"ayurbeda", "category ayurveda (Spa & Wellness), service Ritual Ayurveda ()"},
		{"%", ""},
		{strings.Repeat("x", 5000), ""},
	}
	for _, tt := range tests {
		got := w.ask(t, anon, `select coalesce(string_agg(format('%s %s (%s)', kind, label, detail), ', ' order by kind, label), '')
			from public.suggest_searches($1) where label not like 'Salon%'`, tt.typed)
		if got != tt.want {
			t.Errorf("%.20q: %s, want %s", tt.typed, got, tt.want)
		}
	}
	w.exec(t, `delete from public.services where name = 'Ritual Ayurveda'`)
	if got := w.ask(t, anon, `select count(*)::text from public.suggest_searches('ayur')`); got != "0" {
		t.Error("what nobody offers is suggested")
	}
}

// SEARCH-14, SEARCH-15, API-16, C-32.
func TestSuggestSynonyms(t *testing.T) {
	t.Parallel()
	db := testkit.Tx(t)
	const counts = `select string_agg(match || ' ' || n, ', ' order by match) from (select match, count(*) n from public.suggest_synonyms($1) group by 1) m`
	limits := map[string]int{"exact": 5, "partial": 3, "contained": 3, "fuzzy": 2}
	for _, term := range []string{"pelu", "a", "bar", "música", "taller"} {
		for _, match := range list(t, db, `select match || ' ' || count(*) from public.suggest_synonyms($1) group by match`, term) {
			kind, n, _ := strings.Cut(match, " ")
			if len(n) > 1 || int(n[0]-'0') > limits[kind] {
				t.Errorf("%q: %s %s, at most %d", term, n, kind, limits[kind])
			}
		}
	}
	if got := queryText(t, db, counts, "a"); got != "" {
		t.Errorf("one character finds %s", got)
	}
	got := list(t, db, `select distinct category_slug from public.suggest_synonyms('Perruqueria') where match = 'exact'`)
	if diff := cmp.Diff([]string{"hair"}, got); diff != "" {
		t.Errorf("categories of perruqueria (-want +got):\n%s", diff)
	}
}

// FN-11, FN-12, ADMIN-MIGR-03.
func TestNamesFromText(t *testing.T) {
	t.Parallel()
	db := testkit.Tx(t)
	tests := []struct{ function, value, want string }{
		{"extract_city_name", "Avenida de Madrid 5, Zaragoza", "Zaragoza"},
		{"extract_city_name", "Carrer Major 2, Encamp, Andorra", "Encamp"},
		{"extract_city_name", "C/ Betis, SEVILLA", "Seville"},
		{"extract_city_name", "Las Palmas de Gran Canaria", "Las Palmas"},
		{"extract_city_name", "Palma de Mallorca", "Palma"},
		{"extract_city_name", "sant julia de loria", "Sant Julià de Lòria"},
		{"extract_city_name", "Toledo", ""},
		{"map_business_type_to_category", "Restaurants", "restaurants"},
		{"map_business_type_to_category", "Peluquería canina", "pet-grooming"},
		{"map_business_type_to_category", "Taller mecánico Hermanos Ruiz", "auto-repair"},
		{"map_business_type_to_category", "something else", "localservices"},
	}
	for _, tt := range tests {
		if got := queryText(t, db, `select public.`+tt.function+`($1)`, tt.value); got != tt.want {
			t.Errorf("%s(%q) = %q, want %q", tt.function, tt.value, got, tt.want)
		}
	}
}

// NAV-09 and RULE-22: the 21 categories and the 18 places exist, by the requirements' names.
func TestReferenceData(t *testing.T) {
	t.Parallel()
	db := testkit.Tx(t)
	places := "andorra, andorra la vella, barcelona, bilbao, canillo, encamp, escaldes-engordany, la massana, las palmas, madrid, malaga, murcia, ordino, palma, sant julià de lòria, seville, valencia, zaragoza"
	if got := queryText(t, db, `select string_agg(lower(original), ', ' order by lower(original) collate "C") from public.url_mappings where type = 'location'`); got != places {
		t.Errorf("locations: %s", got)
	}
	codes := "active, arts, auto, beautysvc, education, eventservices, financialservices, food, health, homeservices, hotelstravel, localservices, massmedia, nightlife, pets, professional, publicservices, realestate, religiousorgs, restaurants, shopping"
	if got := queryText(t, db, `select string_agg(category_code, ', ' order by category_code) from public."categories-plaza" where category_level = 1`); got != codes {
		t.Errorf("categories: %s", got)
	}
	if got := queryText(t, db, `select count(*)::text from public."categories-plaza" where category_code in ('beauty-salon', 'spa-wellness') and parent_category = 'beautysvc'`); got != "2" {
		t.Errorf("C-24: %s of beauty-salon and spa-wellness", got)
	}
	// SUB-02, API-09
	if got := queryText(t, db, `select string_agg(tier, ' ' order by price_monthly) from public.subscription_plans where is_active`); got != "free pro premium" {
		t.Errorf("plans: %s", got)
	}
}

// CITY-02, HOME-06: counts per place, with children in their parents and parishes in Andorra.
func TestCategoryCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(t, `insert into public.businesses (name, type, location) values ('Bar Neu', 'Restaurants', 'Encamp'), ('Bar Sol', 'Pizza', 'Ordino')`)
	got := list(t, w.as(t, anon), `select concat_ws(' ', nullif(city_slug, ''), category_code, businesses) from public.category_counts
		where category_code in ('restaurants', 'pizza') order by city_slug, category_code`)
	want := []string{"pizza 1", "restaurants 2", "andorra pizza 1", "andorra restaurants 2", "encamp restaurants 1", "ordino pizza 1", "ordino restaurants 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("category counts (-want +got):\n%s", diff)
	}
}

// Search alerts: one per search, of a signed-in user, limited in number.
func TestSearchAlertLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const add = `insert into public.search_alerts (find_desc, find_loc, category) values (`
	w.do(t, w.ana, add+`'Peluquería', 'Girona', null)`)
	for _, again := range []string{`'peluqueria', 'GIRONA', ''`, `' Peluquería ', ' Girona', null`} {
		w.fails(t, w.ana, "23505", add+again+`)`)
	}
	for _, nothing := range []string{`null, null, null`, `'  ', '', null`, `'%', '¿?', '_'`} {
		w.fails(t, w.ana, "23514", add+nothing+`)`)
	}
	w.fails(t, w.ana, "23514", add+`repeat('x', 101), null, null)`)
	w.fails(t, w.ana, "23514", add+`null, repeat('x', 101), null)`)
	w.fails(t, w.ben, "", add+`'Peluquería', 'Girona', null)`)
	w.do(t, w.ana, `insert into public.search_alerts (find_desc) select 'search ' || n from generate_series(1, 19) n`)
	w.fails(t, w.ana, "too_many_search_alerts", add+`'one more', null, null)`)
	w.exec(t, `update public.search_alerts set notified_at = now() where user_id = $1`, w.ana.id)
	w.fails(t, w.ana, "", add+`'Peluquería', 'Girona', null)`)
	for range 4 {
		w.do(t, w.ana, `insert into public.search_alerts (find_desc) select 'search ' || n from generate_series(1, 20) n`)
		w.exec(t, `update public.search_alerts set notified_at = now() where user_id = $1`, w.ana.id)
	}
	if kept := w.text(t, `select (count(*) <= 70)::text from public.search_alerts where user_id = $1`, w.ana.id); kept != "true" {
		t.Error("alerts pile up")
	}
	w.exec(t, `delete from auth.users where id = $1`, w.ana.id)
	if left := w.text(t, `select count(*)::text from public.search_alerts where user_id = $1`, w.ana.id); left != "0" {
		t.Errorf("%s alerts outlive the account", left)
	}
}

func TestSearchLink(t *testing.T) {
	t.Parallel()
	db := testkit.Tx(t)
	for _, tt := range []struct{ desc, loc, category, want string }{
		{"café & té", "A Coruña", "", "/search?find_desc=caf%C3%A9%20%26%20t%C3%A9&find_loc=A%20Coru%C3%B1a"},
		{"", "", "hair", "/search?category=hair"},
		{"💇", "", "", "/search?find_desc=%F0%9F%92%87"},
		{strings.Repeat("ñ", 100), strings.Repeat("é", 100), "", "/search?find_desc=" + strings.Repeat("n", 100) + "&find_loc=" + strings.Repeat("e", 100)},
	} {
		if got := queryText(t, db, `select private.search_link(nullif($1, ''), nullif($2, ''), nullif($3, ''))`, tt.desc, tt.loc, tt.category); got != tt.want {
			t.Errorf("%.10s: %s, want %s", tt.desc, got, tt.want)
		}
	}
}

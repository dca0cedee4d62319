package rls

import "testing"

// fillMetrics gives the shop and its rival figures of two days.
func (w *world) fillMetrics(t *testing.T) {
	t.Helper()
	w.exec(t, `delete from public.business_metrics`)
	w.exec(t, `insert into public.business_metrics (business_id, metric_date, num_total_page_views, online_bookings, rating) values
		($1, '2026-03-01', 10, 1, 4.5), ($1, '2026-03-02', 20, 2, 4.7), ($2, '2026-03-02', 25, 0, null)`, w.shop, w.rivalShop)
}

// ADMIN-METRICS-02: the sums of all businesses follow every change of a figure.
func TestMetricsOfAllDays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fillMetrics(t)
	const days = `select coalesce(string_agg(concat_ws(' ', to_char(metric_date, 'DD'), businesses, num_total_page_views, online_bookings), ', '), '')
		from public.admin_metrics_days('2026-02-20', '2026-04-10')`
	const months = `select coalesce(string_agg(concat_ws(' ', kept.business_id, kept.month), ', '), '')
		from (select business_id, date_trunc('month', metric_date::timestamp)::date as month, sum(num_total_page_views) as views, sum(rating) as stars, count(rating) as rated
			from public.business_metrics group by 1, 2) real
		full join private.metrics_months kept using (business_id, month)
		where (coalesce(real.views, 0), coalesce(real.stars, 0), coalesce(real.rated, 0)) is distinct from (kept.num_total_page_views, kept.rating_sum, kept.rated_days)`
	const newest = `select coalesce(string_agg(business_id::text, ', '), '')
		from (select distinct on (business_id) business_id, metric_date, num_total_page_views from public.business_metrics order by business_id, metric_date desc) real
		full join private.metrics_newest kept using (business_id)
		where (real.metric_date, real.num_total_page_views) is distinct from (kept.metric_date, kept.num_total_page_views)`
	steps := []struct{ what, sql, want string }{
		{"inserted", `select`, "01 1 10 1, 02 2 45 2"},
		{"changed", `update public.business_metrics set num_total_page_views = num_total_page_views + 1`, "01 1 11 1, 02 2 47 2"},
		{"upserted", `insert into public.business_metrics as m (business_id, metric_date, num_total_page_views)
			select id, '2026-03-02', 100 from public.businesses on conflict (business_id, metric_date) do update set num_total_page_views = 100`, "01 1 11 1, 02 3 300 2"},
		{"moved to another month", `update public.business_metrics set metric_date = '2026-04-03' where metric_date = '2026-03-02'`, "01 1 11 1, 03 3 300 2"},
		{"the newest day deleted", `delete from public.business_metrics where metric_date > '2026-03-31'`, "01 1 11 1"},
		{"deleted", `delete from public.business_metrics`, ""},
		{"inserted again", `insert into public.business_metrics (business_id, metric_date, num_total_page_views) select id, '2026-03-07', 1 from public.businesses`, "07 3 3 0"},
		{"deleted with their business", `delete from public.businesses`, ""},
	}
	for _, step := range steps {
		w.exec(t, step.sql)
		if got := w.ask(t, w.ada, days); got != step.want {
			t.Errorf("%s: %q, want %q", step.what, got, step.want)
		}
		if got := w.text(t, newest); got != "" {
			t.Errorf("%s: newest figures that are not: %s", step.what, got)
		}
		if got := w.text(t, months); got != "" {
			t.Errorf("%s: months that differ from their days: %s", step.what, got)
		}
	}
	w.fails(t, w.ada, "invalid_range", `select public.admin_metrics_days('2026-03-10', '2026-03-09')`)
	w.fails(t, w.ada, "range_too_long", `select public.admin_metrics_days('2025-01-01', '2026-03-09')`)
}

// ADMIN-METRICS-03: five businesses a list, by each metric.
func TestTopBusinesses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fillMetrics(t)
	const top = `select string_agg(concat_ws(' ', place, name, figure), ', ' order by place) from public.admin_top_businesses($2, $3) where metric = $1`
	w.exec(t, `insert into public.business_metrics (business_id, metric_date, num_total_page_views) values ($1, '2026-04-05', 40)`, w.rivalShop)
	w.exec(t, `update public.businesses set name = case id when $1 then 'Shop' when $2 then 'Rival' else 'Other' end`, w.shop, w.rivalShop)
	for _, tt := range []struct{ metric, first, last, want string }{
		{"pageViews", "2026-03-01", "2026-03-01", "1 Shop 30, 2 Rival 25"},
		{"pageViews", "2026-03-31", "2026-04-30", "1 Rival 65, 2 Shop 30"},
		{"pageViews", "2026-04-01", "2026-04-01", "1 Rival 40"},
		{"bookings", "2026-03-01", "2026-03-01", "1 Shop 3"},
		{"rating", "2026-03-01", "2026-03-01", "1 Shop 4.60"},
		{"leads", "2026-03-01", "2026-03-01", ""},
	} {
		if got := w.ask(t, w.ada, top, tt.metric, tt.first, tt.last); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.metric, got, tt.want)
		}
	}
	w.exec(t, `with added as (insert into public.businesses (name, type, location) select 'More ' || n, 'Bar', 'Madrid' from generate_series(1, 8) n returning id)
		insert into public.business_metrics (business_id, metric_date, num_total_page_views) select id, '2026-03-02', 500 from added`)
	if got := w.ask(t, w.ada, `select count(*) || ' ' || max(place) from public.admin_top_businesses('2026-03-01', '2026-03-01') where metric = 'pageViews'`); got != "5 5" {
		t.Errorf("%s are listed", got)
	}
}

// ADMIN-METRICS-01, ADMIN-METRICS-05, ADMIN-METRICS-06, S-42: each business with its newest figures, by
// name, for admins.
func TestBusinessMetricsList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fillMetrics(t)
	w.exec(t, `update public.businesses set name = case id when $1 then 'Núñez' when $2 then 'Rival' else 'Other' end`, w.shop, w.rivalShop)
	const all = `select coalesce(string_agg(concat_ws(' ', name, to_char(metric_date, 'DD'), num_total_page_views), ', ' order by metric_date desc, name), '')
		from public.admin_business_metrics($1)`
	for _, tt := range []struct {
		who          caller
		search, want string
	}{
		{w.ada, "", "Núñez 02 20, Rival 02 25"},
		{w.ada, "nunez", "Núñez 02 20"},
		{w.ada, "other", ""},
		{w.owner, "", ""},
		{w.ana, "", ""},
	} {
		if got := w.ask(t, tt.who, all, tt.search); got != tt.want {
			t.Errorf("%s searching %q: %q, want %q", tt.who.name, tt.search, got, tt.want)
		}
	}
}

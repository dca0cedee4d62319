package rls

import (
	"strings"
	"testing"
)

// ADMIN-AUDIT: the log is partitioned by month; the months ahead exist, and those past the retention
// are dropped.
func TestAuditMonths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const parts = `select coalesce(string_agg(c.relname, ' ' order by c.relname), '') from pg_inherits i join pg_class c on c.oid = i.inhrelid
		where i.inhparent = 'public.audit_logs'::regclass and c.relname ~ '_[0-9]'`
	const keep = `select private.keep_months()::text`
	ahead := w.text(t, `select string_agg('audit_logs_' || to_char(date_trunc('month', now() at time zone 'UTC') + n * interval '1 month', 'YYYY_MM'), ' ' order by n)
		from generate_series(1, 2) as n`)
	// A row of a month that nobody has made is kept, and moved when the month is made.
	id := w.text(t, `insert into public.audit_logs (table_name, action, created_at) values ('bookings', 'INSERT', now() + interval '1 month') returning id::text`)
	w.text(t, keep)
	if got := w.text(t, parts); got != ahead {
		t.Errorf("the partitions are %q, want %q", got, ahead)
	}
	if got := w.text(t, `select tableoid::regclass::text from public.audit_logs where id = $1`, id); got != "private."+ahead[:len("audit_logs_2026_12")] {
		t.Errorf("the row of next month is in %s", got)
	}
	if got := w.text(t, keep); got != "0" {
		t.Errorf("dropped %s partitions", got)
	}
	w.exec(t, `insert into public.audit_logs (table_name, action, created_at) values ('bookings', 'INSERT', now() - interval '3 years')`)
	if got := w.text(t, keep); got != "0" {
		t.Errorf("dropped %s partitions, though the first one lasts until this month ends", got)
	}
	// As if the first partition had ended three years ago.
	w.exec(t, `alter table public.audit_logs detach partition private.audit_logs_before`)
	w.exec(t, `create table private.audit_logs_2020_01 partition of public.audit_logs for values from ('2020-01-01 00:00+00') to ('2020-02-01 00:00+00')`)
	if got := w.text(t, keep); got != "1" {
		t.Errorf("dropped %s partitions, want 1", got)
	}
	w.exec(t, `create table private.audit_logs_2020_01 partition of public.audit_logs for values from ('2020-01-01 00:00+00') to ('2020-02-01 00:00+00')`)
	w.exec(t, `update private.market_settings set value = '0' where name = 'audit_retention_months'`)
	if got := w.text(t, keep); got != "0" {
		t.Errorf("without a retention %s partitions were dropped", got)
	}
}

// Metrics are partitioned by month, too; their sums and the newest of a business go with what is dropped.
func TestMetricsMonths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const keep = `select private.keep_months()::text`
	const kept = `select concat_ws(' ', (select count(*) from public.business_metrics), (select count(*) from private.metrics_months where num_total_page_views > 0),
		(select count(*) from private.metrics_days where businesses > 0), (select count(*) from private.metrics_newest))`
	w.exec(t, `delete from public.business_metrics`)
	for _, table := range []string{"public.business_metrics", "private.metrics_months"} {
		before := "private." + table[strings.IndexByte(table, '.')+1:]
		w.exec(t, `alter table `+table+` detach partition `+before+`_before`)
		w.exec(t, `create table `+before+`_2020_01 partition of `+table+` for values from ('2020-01-01') to ('2020-02-01')`)
		w.exec(t, `create table `+before+`_now partition of `+table+` for values from (date_trunc('month', current_date)::date) to ((date_trunc('month', current_date) + interval '1 month')::date)`)
	}
	w.exec(t, `insert into public.business_metrics (business_id, metric_date, num_total_page_views) values ($1, '2020-01-05', 3), ($2, '2020-01-05', 4), ($2, date_trunc('month', current_date), 5)`,
		w.shop, w.rivalShop)
	// Triggers see a row that moves to another partition as changed.
	w.exec(t, `update public.business_metrics set metric_date = metric_date + 32 where metric_date > '2021-01-01'`)
	w.exec(t, `update public.business_metrics set metric_date = metric_date - 32 where metric_date > '2021-01-01'`)
	if got := w.text(t, kept); got != "3 3 2 2" {
		t.Errorf("rows, months, days and newest are %s", got)
	}
	w.exec(t, `update private.market_settings set value = '0' where name = 'metrics_retention_months'`)
	if got := w.text(t, keep); got != "0" {
		t.Errorf("without a retention %s partitions were dropped", got)
	}
	w.exec(t, `update private.market_settings set value = '36' where name = 'metrics_retention_months'`)
	for call, want := range []string{"1", "1", "0"} {
		if got := w.text(t, keep); got != want {
			t.Errorf("dropped %s partitions in call %d, want %s", got, call+1, want)
		}
	}
	if got := w.text(t, kept); got != "1 1 1 1" {
		t.Errorf("rows, months, days and newest are %s once 2020 is dropped", got)
	}
}

// ADMIN-AUDIT-01: the totals are of the whole log, and for admins.
func TestAuditTotals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const totals = `select concat_ws(' ', logs, today, active_users, tables) from public.admin_audit_totals('Europe/Madrid')`
	w.exec(t, `delete from public.audit_logs`)
	w.exec(t, `insert into public.audit_logs (user_id, table_name, action, created_at) values
		($1, 'bookings', 'INSERT', now()), ($1, 'bookings', 'UPDATE', now()), (null, 'reviews', 'INSERT', now()), ($2, 'reviews', 'INSERT', now() - interval '2 days')`, w.ana.id, w.ben.id)
	watched := w.text(t, `select count(*)::text from pg_trigger where tgname = 'zz_audit'`)
	if got, want := w.ask(t, w.ada, totals), "4 3 1 "+watched; got != want {
		t.Errorf("the totals are %q, want %q", got, want)
	}
	w.fails(t, w.ana, "not_admin", totals)
	w.fails(t, w.ana, "not_admin", `select * from public.admin_audit_tables()`)
	if got := w.ask(t, w.ana, `select count(*)::text from public.audit_logs_with_actor`); got != "0" {
		t.Errorf("ana sees %s entries", got)
	}
}

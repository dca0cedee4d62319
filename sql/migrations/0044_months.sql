-- Security events and metrics by month, and visitors' events by day, as the audit log (0036): what is past its retention is
-- dropped with its partition. The rows so far are the first partition of each.
drop function if exists private.keep_audit_months();
drop function if exists private.partition_end(oid);
insert into private.market_settings (name, value, comment) values
  ('security_events_retention_months', '24', 'Whole months for which users'' security events are kept; 0 keeps them for good.'),
  ('metrics_retention_months', '36', 'Whole months for which the metrics of businesses are kept; 0 keeps them for good.');

alter table public.user_security_events rename to user_security_events_before;
alter table public.user_security_events_before
  drop constraint user_security_events_pkey,
  add constraint user_security_events_before_pkey primary key (id, created_at);
alter index public.user_security_events_user_idx rename to user_security_events_before_user_idx;
alter table public.user_security_events_before set schema private;
create table public.user_security_events (
  like private.user_security_events_before including defaults including constraints including comments,
  primary key (id, created_at),
  foreign key (user_id) references private.profiles (id) on delete cascade
) partition by range (created_at);
create index user_security_events_user_idx on public.user_security_events (user_id, created_at desc);
-- No sign-in may fail because nobody has made its month.
create table private.user_security_events_other partition of public.user_security_events default;

-- Only the roll-up writes metrics, of the last months: without a default partition the newest row of a business is found in
-- the newest partition that has one.
drop trigger if exists sum_added on public.business_metrics;
drop trigger if exists sum_changed on public.business_metrics;
drop trigger if exists sum_removed on public.business_metrics;
drop trigger if exists keep_newest_added on public.business_metrics;
drop trigger if exists keep_newest_changed on public.business_metrics;
drop trigger if exists keep_newest_removed on public.business_metrics;
alter table public.business_metrics rename to business_metrics_before;
alter table public.business_metrics_before rename constraint business_metrics_pkey to business_metrics_before_pkey;
alter index public.business_metrics_recent_idx rename to business_metrics_before_recent_idx;
alter table public.business_metrics_before set schema private;
create table public.business_metrics (
  like private.business_metrics_before including defaults including constraints including comments,
  primary key (business_id, metric_date),
  foreign key (business_id) references public.businesses (id) on delete cascade
) partition by range (metric_date);
create index business_metrics_recent_idx on public.business_metrics (metric_date desc);

alter table public.advertiser_metrics rename to advertiser_metrics_before;
alter table public.advertiser_metrics_before rename constraint advertiser_metrics_pkey to advertiser_metrics_before_pkey;
alter index public.advertiser_metrics_recent_idx rename to advertiser_metrics_before_recent_idx;
alter table public.advertiser_metrics_before set schema private;
create table public.advertiser_metrics (
  like private.advertiser_metrics_before including defaults including constraints including comments,
  primary key (business_id, metric_date),
  foreign key (business_id) references public.businesses (id) on delete cascade
) partition by range (metric_date);
create index advertiser_metrics_recent_idx on public.advertiser_metrics (metric_date desc);

alter table private.metrics_months rename to metrics_months_before;
alter table private.metrics_months_before rename constraint metrics_months_pkey to metrics_months_before_pkey;
alter index private.metrics_months_business_idx rename to metrics_months_before_business_idx;
create table private.metrics_months (
  like private.metrics_months_before including defaults including constraints including comments,
  primary key (month, business_id),
  foreign key (business_id) references public.businesses (id) on delete cascade
) partition by range (month);
create index metrics_months_business_idx on private.metrics_months (business_id);

do $$
declare
  -- Months are UTC's. Until the next one begins, rows go where the earlier ones are.
  next_month constant timestamp := date_trunc('month', now() at time zone 'UTC') + interval '1 month';
  attached record;
begin
  for attached in select * from (values
    ('public.user_security_events'::regclass, 'private.user_security_events_before'),
    ('public.business_metrics', 'private.business_metrics_before'),
    ('public.advertiser_metrics', 'private.advertiser_metrics_before'),
    ('private.metrics_months', 'private.metrics_months_before')) as t (whole, part)
  loop
    execute format('alter table %s attach partition %s for values from (minvalue) to (%L)', attached.whole, attached.part, next_month at time zone 'UTC');
    perform plaza.make_partitions(attached.whole, 'month', 2, 'private');
  end loop;
end
$$;

-- Visitors' events are deleted when their day is final, so they need not follow a deleted business: without a key to it,
-- and its index, they are written faster, and dropping a day does not wait for who reads businesses.
alter table private.business_events rename to business_events_before;
alter table private.business_events_before rename constraint business_events_pkey to business_events_before_pkey;
alter table private.business_events_before drop constraint business_events_business_id_fkey;
drop index private.business_events_business_idx;
create table private.business_events (
  like private.business_events_before including defaults including constraints including comments,
  primary key (day, business_id, kind, visitor)
) partition by range (day);
alter table private.business_events attach partition private.business_events_before default;
-- Before visitors write: a row on its way to the default partition is refused while its day is attached.
select plaza.make_partitions('private.business_events', 'day', 2);

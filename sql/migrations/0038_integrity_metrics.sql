-- What the nightly run of the integrity checks found (functions/integrity.sql): a row per day, per check, and per finding
-- that admins have been told of.
create table private.integrity_runs (
  day date primary key,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);

create table private.integrity_results (
  check_key text primary key constraint integrity_results_key_size check (char_length(check_key) <= 63),
  status text not null check (status in ('pass', 'warning', 'fail')),
  total bigint not null,
  -- Findings that admins have not been told of yet.
  new_total integer not null default 0,
  error text constraint integrity_results_error_size check (char_length(error) <= 63),
  checked_at timestamptz not null
);
comment on column private.integrity_results.error is 'SQLSTATE, if the check could not be made.';

create table private.integrity_findings (
  check_key text not null constraint integrity_findings_key_size check (char_length(check_key) <= 63),
  finding text not null constraint integrity_findings_finding_size check (char_length(finding) <= 300),
  primary key (check_key, finding)
);

-- The figures of all businesses by day, kept by triggers (functions/metrics.sql), so that a sum over a hundred thousand
-- businesses reads a row per day.
create table private.metrics_days (
  metric_date date primary key,
  businesses bigint not null default 0,
  num_total_page_views bigint not null default 0,
  num_search_views bigint not null default 0,
  num_photo_views bigint not null default 0,
  num_calls bigint not null default 0,
  num_directions_and_map_views bigint not null default 0,
  url_clicks bigint not null default 0,
  num_messages_to_business bigint not null default 0,
  online_bookings bigint not null default 0,
  num_bookmarks bigint not null default 0,
  reviews bigint not null default 0,
  total_leads bigint not null default 0,
  num_user_photos bigint not null default 0,
  num_check_ins bigint not null default 0
);
comment on column private.metrics_days.businesses is 'How many businesses have figures of that day.';
insert into private.metrics_days
select metric_date, count(*), sum(num_total_page_views), sum(num_search_views), sum(num_photo_views), sum(num_calls),
  sum(num_directions_and_map_views), sum(url_clicks), sum(num_messages_to_business), sum(online_bookings), sum(num_bookmarks),
  sum(reviews), sum(total_leads), sum(num_user_photos), sum(num_check_ins)
from public.business_metrics group by metric_date;

-- The figures of each business by calendar month, kept likewise: the best of a month are found without reading its days.
create table private.metrics_months (
  month date not null,
  business_id uuid not null references public.businesses (id) on delete cascade,
  num_total_page_views bigint not null default 0,
  num_search_views bigint not null default 0,
  online_bookings bigint not null default 0,
  total_leads bigint not null default 0,
  num_bookmarks bigint not null default 0,
  reviews bigint not null default 0,
  -- Of the days that have a rating.
  rating_sum numeric not null default 0,
  rated_days bigint not null default 0,
  primary key (month, business_id)
);
create index metrics_months_business_idx on private.metrics_months (business_id);
comment on column private.metrics_months.month is 'Its first day.';
insert into private.metrics_months
select date_trunc('month', metric_date::timestamp)::date, business_id, sum(num_total_page_views), sum(num_search_views), sum(online_bookings),
  sum(total_leads), sum(num_bookmarks), sum(reviews), coalesce(sum(rating), 0), count(rating)
from public.business_metrics group by 1, 2;

-- The newest figures of each business, kept likewise, for the list that is ordered by them.
create table private.metrics_newest (
  business_id uuid primary key references public.businesses (id) on delete cascade,
  metric_date date not null,
  num_total_page_views integer not null,
  online_bookings integer not null,
  total_leads integer not null,
  num_bookmarks integer not null,
  rating numeric(3, 2)
);
insert into private.metrics_newest
select distinct on (business_id) business_id, metric_date, num_total_page_views, online_bookings, total_leads, num_bookmarks, rating
from public.business_metrics order by business_id, metric_date desc;

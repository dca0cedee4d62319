-- One row per business and day, written by the server only (S-42).
create table public.business_metrics (
  business_id uuid not null references public.businesses (id) on delete cascade,
  metric_date date not null,
  num_total_page_views integer not null default 0,
  num_calls integer not null default 0,
  num_directions_and_map_views integer not null default 0,
  url_clicks integer not null default 0,
  num_messages_to_business integer not null default 0,
  online_bookings integer not null default 0,
  num_bookmarks integer not null default 0,
  rating numeric(3, 2) check (rating between 0 and 5),
  reviews integer not null default 0,
  total_leads integer not null default 0,
  num_user_photos integer not null default 0,
  collection_item_added integer not null default 0,
  num_check_ins integer not null default 0,
  reply_rate numeric(5, 2) check (reply_rate between 0 and 100),
  median_response_time_in_sec integer check (median_response_time_in_sec >= 0),
  primary key (business_id, metric_date)
);
create index business_metrics_recent_idx on public.business_metrics (metric_date desc);
comment on column public.business_metrics.reply_rate is 'Percent.';

create table public.advertiser_metrics (
  business_id uuid not null references public.businesses (id) on delete cascade,
  metric_date date not null,
  billed_impressions integer not null default 0,
  billed_clicks integer not null default 0,
  ad_cost bigint not null default 0,
  ad_click_through_rate numeric(5, 2) check (ad_click_through_rate between 0 and 100),
  average_cost_per_click bigint not null default 0,
  ad_driven_calls integer not null default 0,
  ad_driven_online_reservations integer not null default 0,
  ad_driven_biz_page_views integer not null default 0,
  ad_driven_messages_to_business integer not null default 0,
  ad_driven_total_leads integer not null default 0,
  primary key (business_id, metric_date)
);
create index advertiser_metrics_recent_idx on public.advertiser_metrics (metric_date desc);
comment on column public.advertiser_metrics.ad_cost is 'Cents of the display currency.';
comment on column public.advertiser_metrics.average_cost_per_click is 'Cents of the display currency.';
comment on column public.advertiser_metrics.ad_click_through_rate is 'Percent.';

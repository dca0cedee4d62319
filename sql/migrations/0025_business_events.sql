-- What visitors do with a listing, until it is rolled up into business_metrics and advertiser_metrics. A visitor is a
-- hash of address and browser with a salt of the day; when the day is over its salt and its events are deleted, and
-- nothing is left by which anybody could be recognised.
create table private.visitor_salts (
  day date primary key,
  salt bytea not null check (octet_length(salt) <= 32)
);

create table private.business_events (
  day date not null,
  business_id uuid not null references public.businesses (id) on delete cascade,
  kind text not null check (kind in ('page_view', 'search_view', 'photo_view', 'call', 'directions', 'website',
    'booking', 'message', 'promoted_view', 'promoted_click')),
  visitor bytea not null check (octet_length(visitor) <= 16),
  from_promotion boolean not null default false,
  primary key (day, business_id, kind, visitor)
);
create index business_events_business_idx on private.business_events (business_id);
comment on column private.business_events.day is 'Date in the business''s zone.';
comment on column private.business_events.from_promotion is 'The visitor came by a promoted place in a list.';

-- The days up to which figures are final. One row.
create table private.metrics_rollup (
  id boolean primary key default true check (id),
  final_day date not null
);
insert into private.metrics_rollup (final_day) values (current_date - 2);

alter table public.business_metrics
  add column num_search_views integer not null default 0,
  add column num_photo_views integer not null default 0;
comment on column public.business_metrics.num_total_page_views is 'Visitors, each counted once a day, as in the other counts of what visitors did.';
comment on column public.business_metrics.num_search_views is 'Visitors to whom a list of results showed the business.';
comment on column public.business_metrics.collection_item_added is 'Plaza has no collections: 0.';
comment on column public.business_metrics.num_check_ins is 'Bookings of that day that were completed.';
comment on column public.business_metrics.reply_rate is 'Percent of the day''s customers who wrote and had an answer by the end of the next day.';
comment on column public.business_metrics.median_response_time_in_sec is 'Of those answers.';
comment on column public.advertiser_metrics.ad_cost is 'Cents of the display currency. A promoted place comes with the plan: 0.';

-- An owner's wish; it counts while the plan has promoted listings (SUB-07).
alter table public.businesses add column is_promoted boolean not null default false;
create index businesses_promoted_idx on public.businesses (owner_id) where is_promoted;
comment on column public.businesses.is_promoted is 'The owner asks for a promoted place in lists.';

-- The newest rows are asked for every few minutes, to count them. Rows lie in the order in which they were made.
create index bookings_made_idx on public.bookings using brin (created_at) with (pages_per_range = 32);
create index favorites_made_idx on public.favorites using brin (created_at) with (pages_per_range = 32);
create index reviews_made_idx on public.reviews using brin (created_at) with (pages_per_range = 32);
create index business_photos_made_idx on public.business_photos using brin (created_at) with (pages_per_range = 32);
create index messages_made_idx on public.messages using brin (created_at) with (pages_per_range = 32);
create index bookings_completed_idx on public.bookings (booking_date) where status = 'completed';

-- Documents and the step of the ranking in one index (private.ranking_step), instead of documents alone; those of a sample
-- (private.is_sampled); and when bookings end beside when they start, for free days. Indexes that were not finished are built
-- anew.
drop index concurrently if exists public.businesses_search_idx;
create index concurrently businesses_search_idx on public.businesses using gin (search_document, (array[floor(200 * ranking)::integer]));
drop index concurrently if exists public.businesses_sample_idx;
create index concurrently businesses_sample_idx on public.businesses using gin (search_document) where get_byte(uuid_send(id), 15) & 63 = 0;
drop index concurrently if exists public.bookings_business_day_idx;
create index concurrently bookings_business_day_idx on public.bookings (business_id, booking_date)
  include (start_time, end_time, status, service_price, service_id, service_name, user_id);

-- The sums of analytics read all bookings of a business in some dates, whose rows lie anywhere in the table. This
-- index has what they read, so that the rows themselves need not be fetched.
drop index public.bookings_business_date_idx;
create index bookings_business_date_idx on public.bookings (business_id, booking_date)
  include (start_time, status, service_price, service_id, service_name, user_id);

-- How far ahead a business takes bookings; null is not a choice, so there always is an end.
alter table public.businesses
  add column booking_days_ahead integer not null default 365
    constraint businesses_booking_days_ahead_check check (booking_days_ahead between 1 and 730);
comment on column public.businesses.booking_days_ahead is 'Bookings are taken for today and this many days after it.';

-- Dates that no calendar shows. The day's own limit is checked against the clock, by trigger.
alter table public.bookings
  add constraint bookings_booking_date_check check (booking_date between '2000-01-01' and '2199-12-31');
alter table public.blackout_dates
  add constraint blackout_dates_blackout_date_check check (blackout_date between '2000-01-01' and '2199-12-31');

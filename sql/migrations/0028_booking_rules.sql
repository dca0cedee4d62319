-- The rules by which a business is booked. The defaults are what held for every business before: any time until it
-- begins, no pause between two bookings, one booking at a time. How far ahead is in booking_days_ahead.
alter table public.businesses
  add column booking_notice_minutes integer not null default 0
    constraint businesses_booking_notice_minutes_check check (booking_notice_minutes between 0 and 20160),
  add column booking_buffer_minutes integer not null default 0
    constraint businesses_booking_buffer_minutes_check check (booking_buffer_minutes between 0 and 240),
  add column booking_capacity integer not null default 1
    constraint businesses_booking_capacity_check check (booking_capacity between 1 and 50),
  add column availability_revision integer not null default 0;
comment on column public.businesses.booking_notice_minutes is 'Customers book at least this many minutes before the start.';
comment on column public.businesses.booking_buffer_minutes is 'Minutes that stay free between two bookings.';
comment on column public.businesses.booking_capacity is 'How many bookings there may be at a time.';
comment on column public.businesses.availability_revision is 'Counts the saves of the availability and these rules: a save names the one it was made from.';

-- At most one booking at a time has a place, and a business has as many places as it takes bookings at a time.
alter table public.bookings
  add column place integer not null default 1
    constraint bookings_place_check check (place between 1 and 50),
  add column buffer_minutes integer not null default 0
    constraint bookings_buffer_minutes_check check (buffer_minutes between 0 and 240),
  add column held tsrange not null generated always as (
    tsrange(booking_date + start_time, booking_date + end_time + make_interval(mins => buffer_minutes), '[)')) stored,
  drop constraint bookings_no_overlap;
-- Deferrable, so that one statement can let several bookings change places.
alter table public.bookings
  add constraint bookings_no_overlap
    exclude using gist (business_id with =, place with =, held with &&) where (status in ('pending', 'confirmed', 'completed'))
    deferrable;
comment on column public.bookings.place is 'Which of the business''s places it holds; filled by trigger.';
comment on column public.bookings.buffer_minutes is 'The business''s buffer when it was booked, or a shorter one since.';
comment on column public.bookings.held is 'How long its place is held: during, and the buffer.';

-- It takes the rules, too, and returns the revision.
drop function if exists public.save_availability(uuid, jsonb, date[]);

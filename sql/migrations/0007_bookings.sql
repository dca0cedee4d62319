create table public.bookings (
  id uuid primary key default gen_random_uuid(),
  -- The history of a booking outlives the rows it names (S-41); the names are kept beside them.
  business_id uuid references public.businesses (id) on delete set null,
  user_id uuid default auth.uid() references public.profiles (id) on delete set null,
  service_id uuid references public.services (id) on delete set null,
  -- These and end_time are filled by trigger; their defaults only say that a caller need not send them.
  business_name text not null default '',
  service_name text not null default '',
  service_price numeric(10, 2) not null default 0,
  service_duration integer not null default 0,
  booking_date date not null,
  start_time time(0) not null,
  end_time time(0) not null default '00:00',
  time_zone text not null default 'Europe/Madrid',
  notes text check (char_length(notes) <= 500),
  status text not null default 'pending' check (status in ('pending', 'confirmed', 'cancelled', 'completed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  during tsrange not null generated always as (tsrange(booking_date + start_time, booking_date + end_time, '[)')) stored,
  constraint bookings_end_after_start check (end_time > start_time),
  constraint bookings_no_overlap
    exclude using gist (business_id with =, during with &&) where (status in ('pending', 'confirmed', 'completed'))
);
comment on column public.bookings.booking_date is 'Date in the business''s zone, as start_time and end_time are its wall time.';
comment on column public.bookings.service_price is 'The price when it was booked, in units of the display currency.';
comment on column public.bookings.service_duration is 'Minutes.';
comment on column public.bookings.during is 'Half open: a booking may start when another ends.';

create index bookings_user_date_idx on public.bookings (user_id, booking_date desc);
create index bookings_business_date_idx on public.bookings (business_id, booking_date);
create index bookings_service_idx on public.bookings (service_id);

-- What a business and a customer agree on after a booking was made (BOOK-18).

alter table public.bookings
  -- The documents know four statuses and readers compare them, so that what ended a booking stands beside "cancelled".
  add column cancel_kind text
    constraint bookings_cancel_kind_check check (cancel_kind in ('customer', 'business', 'declined', 'expired', 'no_show')),
  add column cancel_reason text
    constraint bookings_cancel_reason_size check (cancel_reason <> '' and char_length(cancel_reason) <= 500),
  -- Who entered it: a customer online, or the business for somebody who called or walked in.
  add column source text not null default 'online'
    constraint bookings_source_check check (source in ('online', 'business')),
  add column customer_name text
    constraint bookings_customer_name_size check (btrim(customer_name) <> '' and char_length(customer_name) <= 100),
  add column customer_phone text
    constraint bookings_customer_phone_size check (btrim(customer_phone) <> '' and char_length(customer_phone) <= 30),
  -- Another time that one side has proposed and the other has not answered.
  add column proposed_date date
    constraint bookings_proposed_date_check check (proposed_date between '2000-01-01' and '2199-12-31'),
  add column proposed_start time(0),
  add column proposed_by text
    constraint bookings_proposed_by_check check (proposed_by in ('customer', 'business')),
  add constraint bookings_cancelled_check
    check (status = 'cancelled' or (cancel_kind is null and cancel_reason is null)),
  add constraint bookings_walk_in_check
    check (case source when 'business' then user_id is null and customer_name is not null
      else customer_name is null and customer_phone is null end),
  add constraint bookings_proposal_check
    check (num_nulls(proposed_date, proposed_start, proposed_by) in (0, 3)),
  add constraint bookings_proposal_open_check
    check (proposed_by is null or status in ('pending', 'confirmed'));
comment on column public.bookings.cancel_kind is 'What ended a cancelled booking; null for those from before it was noted.';
comment on column public.bookings.customer_name is 'The customer of a booking that the business entered; null when user_id names the customer.';

-- Those whose start nobody has answered are looked for every minute.
create index bookings_pending_idx on public.bookings (booking_date) where status = 'pending';

-- What a business notes for itself. A table of its own, since a customer reads the whole row of a booking.
create table public.booking_notes (
  booking_id uuid primary key references public.bookings (id) on delete cascade,
  note text not null constraint booking_notes_note_size check (btrim(note) <> '' and char_length(note) <= 1000),
  updated_at timestamptz not null default now()
);

-- They take a reason now.
drop function if exists public.set_booking_status(uuid, text);
drop function if exists public.cancel_booking(uuid);

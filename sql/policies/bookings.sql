-- A booking is visible to its customer, the business's owner and admins (S-26). Its customer inserts it, and only
-- functions change it (S-28).
alter table public.bookings enable row level security;
revoke all on public.bookings from anon, authenticated;
grant select on public.bookings to authenticated;
-- The client chooses the id, so that a request whose response was lost can be looked up, and repeated without booking
-- twice.
grant insert (id, business_id, user_id, service_id, booking_date, start_time, end_time, notes, status)
  on public.bookings to authenticated;

drop policy if exists bookings_select_user on public.bookings;
create policy bookings_select_user on public.bookings
  for select to authenticated using (user_id = (select auth.uid()));
drop policy if exists bookings_select_owner on public.bookings;
create policy bookings_select_owner on public.bookings
  for select to authenticated
  using (business_id in (select b.id from public.businesses b where b.owner_id = (select auth.uid())));
drop policy if exists bookings_select_admin on public.bookings;
create policy bookings_select_admin on public.bookings
  for select to authenticated using ((select public.is_admin()));
drop policy if exists bookings_insert_user on public.bookings;
create policy bookings_insert_user on public.bookings
  for insert to authenticated with check (user_id = (select auth.uid()));

-- A business's own notes: read and written by those who manage it, never by the customer.
alter table public.booking_notes enable row level security;
revoke all on public.booking_notes from anon, authenticated;
grant select, delete, insert (booking_id, note), update (booking_id, note) on public.booking_notes to authenticated;

drop policy if exists booking_notes_all_manager on public.booking_notes;
create policy booking_notes_all_manager on public.booking_notes
  for all to authenticated
  using (exists (select from public.bookings b where b.id = booking_id and private.manages(b.business_id)))
  with check (exists (select from public.bookings b where b.id = booking_id and private.manages(b.business_id)));

-- A schedule is public, like opening hours; only those who manage the business may change it (S-44).
alter table public.business_availability enable row level security;
alter table public.blackout_dates enable row level security;
revoke all on public.business_availability, public.blackout_dates from anon, authenticated;
grant select on public.business_availability, public.blackout_dates to anon, authenticated;
grant insert (business_id, weekday, is_open, slots), update (business_id, weekday, is_open, slots), delete
  on public.business_availability to authenticated;
grant insert (business_id, blackout_date), delete on public.blackout_dates to authenticated;

drop policy if exists business_availability_select_all on public.business_availability;
create policy business_availability_select_all on public.business_availability for select to anon, authenticated using (true);
drop policy if exists business_availability_write_manager on public.business_availability;
create policy business_availability_write_manager on public.business_availability for all to authenticated
  using (private.manages(business_id)) with check (private.manages(business_id));

drop policy if exists blackout_dates_select_all on public.blackout_dates;
create policy blackout_dates_select_all on public.blackout_dates for select to anon, authenticated using (true);
drop policy if exists blackout_dates_write_manager on public.blackout_dates;
create policy blackout_dates_write_manager on public.blackout_dates for all to authenticated
  using (private.manages(business_id)) with check (private.manages(business_id));

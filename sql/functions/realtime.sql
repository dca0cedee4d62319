-- Whether the caller is a party of the conversation with this topic.
create or replace function private.takes_part(p_topic text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from public.conversations c
      where c.id = substring(p_topic from '^conversation:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid
        and (select auth.uid()) in (c.customer_id, c.owner_id))
  $$;

-- Tells the readers of a business's page that times of a day were taken or are free again. Bookings themselves are not
-- visible to them.
create or replace function private.tell_slots() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not private.is_seeding() then
      perform realtime.send(jsonb_build_object('date', day), 'slots', 'slots:' || business)
      from (values (old.business_id, old.booking_date), (new.business_id, new.booking_date)) changed (business, day)
      where business is not null
      group by business, day;
    end if;
    return null;
  end
  $$;
create or replace trigger tell_slots after insert on public.bookings
  for each row when (new.status <> 'cancelled') execute function private.tell_slots();
create or replace trigger tell_slots_changed after update on public.bookings
  for each row when ((old.business_id, old.booking_date, old.start_time, old.end_time, old.status = 'cancelled')
    is distinct from (new.business_id, new.booking_date, new.start_time, new.end_time, new.status = 'cancelled'))
  execute function private.tell_slots();
create or replace trigger tell_slots_freed after delete on public.bookings
  for each row when (old.status <> 'cancelled') execute function private.tell_slots();

-- The place of a booking. A business has as many places as concurrent bookings, and the constraint bookings_no_overlap
-- allows one booking per place and time. These functions look for a free place while holding lock_bookings; a write
-- without that lock still cannot take a place twice.

-- Reassigns the places of a day's bookings, in the order of their starts, and returns the place of the booking to be
-- added. Each gets the lowest free place, so no more places are used than bookings overlap at one instant.
create or replace function private.rearrange_bookings(p_business_id uuid, p_date date, p_added uuid, p_held tsrange) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    free_from timestamp[]; -- by place
    booking record;
    chosen integer;
    place_of_added integer;
    ids uuid[];
    places integer[];
  begin
    for booking in
      select k.id, k.held, case when k.booking_date < p_date then k.place end as kept
      from public.bookings k
      where k.business_id = p_business_id and k.booking_date between p_date - 1 and p_date and upper(k.held) > p_date
        and k.status in ('pending', 'confirmed', 'completed') and k.id <> p_added
      union all
      select p_added, p_held, null
      order by 2
    loop
      chosen := coalesce(booking.kept, (
        select min(n) from generate_series(1, 50) as n where coalesce(free_from[n] <= lower(booking.held), true)));
      free_from[chosen] := upper(booking.held);
      if booking.id = p_added then
        place_of_added := chosen;
      else
        ids := ids || booking.id;
        places := places || chosen;
      end if;
    end loop;
    update public.bookings k set place = arranged.place
    from unnest(ids, places) as arranged (id, place)
    where k.id = arranged.id and k.place <> arranged.place;
    return place_of_added;
  end
  $$;
revoke execute on function private.rearrange_bookings(uuid, date, uuid, tsrange) from public, anon, authenticated;

-- Finds a place for a booking that is created, moved or reactivated. Existing bookings made under other rules are kept;
-- today's rules only apply when a booking is added next to them.
create or replace function private.place_booking() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    business record;
    wanted tsrange;
  begin
    select b.booking_capacity as capacity, b.booking_buffer_minutes as buffer into business
    from public.businesses b where b.id = new.business_id;
    if private.is_full(new.business_id, tsrange(new.booking_date + new.start_time, new.booking_date + new.end_time), new.id) then
      raise exclusion_violation using message = 'That time is taken', constraint = 'bookings_no_overlap';
    end if;
    new.buffer_minutes := business.buffer;
    wanted := tsrange(new.booking_date + new.start_time, new.booking_date + new.end_time + make_interval(mins => business.buffer));
    new.place := coalesce(
      (select min(n) from generate_series(1, business.capacity) as n
        where not exists (
          select from public.bookings k
          where k.business_id = new.business_id and k.place = n and k.held && wanted
            and k.status in ('pending', 'confirmed', 'completed') and k.id <> new.id)),
      private.rearrange_bookings(new.business_id, new.booking_date, new.id, wanted));
    return new;
  end
  $$;

create or replace trigger place before insert on public.bookings
  for each row when (new.business_id is not null and new.status <> 'cancelled') execute function private.place_booking();
create or replace trigger place_again before update on public.bookings
  for each row when (new.business_id is not null and new.status <> 'cancelled' and (old.status = 'cancelled'
    or (old.business_id, old.booking_date, old.start_time, old.end_time)
      is distinct from (new.business_id, new.booking_date, new.start_time, new.end_time)))
  execute function private.place_booking();

-- A shorter buffer frees the reserved time of existing bookings at once. A longer one does not change them.
create or replace function private.shorten_buffers() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.lock_bookings(new.id, null);
    update public.bookings k set buffer_minutes = new.booking_buffer_minutes
    where k.business_id = new.id and k.buffer_minutes > new.booking_buffer_minutes;
    return null;
  end
  $$;
create or replace trigger shorten_buffers after update of booking_buffer_minutes on public.businesses
  for each row when (new.booking_buffer_minutes < old.booking_buffer_minutes) execute function private.shorten_buffers();

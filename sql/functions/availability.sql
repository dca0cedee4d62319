-- When a business can be booked. Times of a day are minutes since its midnight, in
-- the business's own wall time; sets of them are multiranges.

create or replace function private.minutes(clock text) returns integer
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select split_part(clock, ':', 1)::integer * 60 + split_part(clock, ':', 2)::integer
  $$;

create or replace function private.clock(minutes integer) returns time
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select case when minutes >= 1440 then '24:00'::time else make_time(minutes / 60, minutes % 60, 0) end
  $$;

create or replace function private.weekday(day date) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select (array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])[extract(isodow from day)::integer]
  $$;

-- One weekday's opening time and the minutes it lasts; no row when closed. A close
-- at or before the open is on the next day. `closed` wins over `isOpen` (C-45).
create or replace function private.opening(hours jsonb, day date, out opens integer, out closes integer) returns setof record
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select opens, case when closes <= opens then closes + 1440 else closes end
    from (select hours -> 'structured' -> private.weekday(day) as entry) today,
      lateral (select
        private.minutes(coalesce(entry ->> 'open', '09:00')) as opens,
        private.minutes(coalesce(entry ->> 'close', '17:00')) as closes) times
    where jsonb_typeof(entry) = 'object'
      and coalesce((entry ->> 'isOpen')::boolean, true)
      and not coalesce((entry ->> 'closed')::boolean, false)
  $$;

-- The open minutes of a date by the opening hours, with what reaches over from the
-- night before; null when the hours are unknown (none, or raw text).
create or replace function private.hours_of_day(hours jsonb, day date) returns int4multirange
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case when jsonb_typeof(hours -> 'structured') = 'object' then coalesce((
      select range_agg(int4range(greatest(opens - shift, 0), least(closes - shift, 1440)))
      from (values (0), (1440)) as nights (shift),
        lateral private.opening(hours, day - shift / 1440)
      where closes > shift), '{}') end
  $$;

-- The open minutes of a date by the saved weekly schedule; null when none was saved.
create or replace function private.availability_of_day(p_business_id uuid, day date) returns int4multirange
  language sql stable security definer
  set search_path = ''
  as $$
    select case when exists (select from public.business_availability a where a.business_id = p_business_id) then coalesce((
      select range_agg(int4range(private.minutes(slot ->> 'start'), private.minutes(slot ->> 'end')))
      from public.business_availability a, jsonb_array_elements(a.slots) as slot
      where a.business_id = p_business_id and a.weekday = private.weekday(day) and a.is_open), '{}') end
  $$;

-- The default schedule of CONST-16, for a business that says nothing.
create or replace function private.default_hours(day date) returns int4multirange
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case when extract(isodow from day) <= 5 then '{[540,1020)}' else '{}' end::int4multirange
  $$;

-- The 18 slots of a date for a booking of p_minutes, each with what stands against
-- it, the reason that lasts longest first; null when it is free.
create or replace function private.slots(p_business_id uuid, p_date date, p_minutes integer)
  returns table (starts integer, ends integer, reason text)
  language sql stable security definer
  set search_path = ''
  as $$
    with business as (
      select b.id, b.owner_id, b.time_zone, b.booking_days_ahead, (now() at time zone b.time_zone) as local_now,
        private.hours_of_day(b.hours, p_date) as hours,
        private.availability_of_day(b.id, p_date) as availability,
        exists (select from public.blackout_dates d where d.business_id = b.id and d.blackout_date = p_date) as blackout
      from public.businesses b where b.id = p_business_id
    )
    select slot, slot + p_minutes,
      case
        when p_date + private.clock(slot) <= local_now then 'past'
        when p_date - local_now::date > booking_days_ahead then 'too_far'
        when owner_id is null then 'unavailable'
        when blackout then 'blackout'
        when slot + p_minutes > 1440
          or not coalesce(hours, case when availability is null then private.default_hours(p_date) else '{[0,1440)}' end)
            @> int4range(slot, slot + p_minutes) then 'closed'
        when availability is not null and not availability @> int4range(slot, slot + p_minutes) then 'unavailable'
        when exists (
          select from public.bookings k
          where k.business_id = business.id and k.booking_date = p_date
            and k.status in ('pending', 'confirmed', 'completed')
            and k.during && tsrange(p_date + private.clock(slot), p_date + private.clock(slot + p_minutes))
        ) then 'taken'
      end
    from business, generate_series(540, 1050, 30) as slot
  $$;

-- The 18 slots of a day for a service (BOOK-07, C-36); reason: past, too_far, blackout,
-- closed, unavailable or taken. Without a service, slots of 30 minutes.
create or replace function public.booking_slots(p_business_id uuid, p_service_id uuid, p_date date)
  returns table (start_time time, end_time time, available boolean, reason text)
  language sql stable security definer
  set search_path = ''
  as $$
    select private.clock(s.starts), private.clock(s.ends), s.reason is null, s.reason
    from private.slots(p_business_id, p_date, case
      when p_service_id is null then 30
      else (select v.duration from public.services v where v.id = p_service_id and v.business_id = p_business_id)
    end) s
    where s.ends is not null
    order by s.starts
  $$;

-- When a business is taken on a day: times and nothing else (S-26).
create or replace function public.booked_slots(p_business_id uuid, p_date date)
  returns table (start_time time, end_time time)
  language sql stable security definer
  set search_path = ''
  as $$
    select b.start_time, b.end_time
    from public.bookings b
    where b.business_id = p_business_id and b.booking_date = p_date and b.status in ('pending', 'confirmed', 'completed')
    order by b.start_time
  $$;

-- The first free slot within 30 days from today; no row when there is none. Day by
-- day, since most businesses are free on one of the first.
create or replace function public.next_free_slot(p_business_id uuid, p_service_id uuid default null)
  returns table (booking_date date, start_time time, end_time time)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    minutes constant integer := coalesce((
      select v.duration from public.services v where v.id = p_service_id and v.business_id = p_business_id), 30);
    today constant date := (select (now() at time zone b.time_zone)::date from public.businesses b where b.id = p_business_id);
  begin
    for ahead in 0..30 loop
      return query
        select today + ahead, private.clock(s.starts), private.clock(s.ends)
        from private.slots(p_business_id, today + ahead, minutes) s
        where s.reason is null
        order by s.starts
        limit 1;
      if found then
        return;
      end if;
    end loop;
  end
  $$;

-- The same for a page of businesses, with slots of 30 minutes; at most 50 of them.
create or replace function public.next_free_slots(p_business_ids uuid[])
  returns table (business_id uuid, booking_date date, start_time time)
  language sql stable
  set search_path = ''
  as $$
    select wanted.id, free.booking_date, free.start_time
    from (select distinct id from unnest(p_business_ids[1:50]) as id) wanted
    cross join lateral public.next_free_slot(wanted.id) free
  $$;

-- Stores a whole availability at once (C-58): p_weekly_schedule maps weekdays to
-- {"isOpen": boolean, "slots": [{"start", "end"}]}; days it leaves out are closed.
create or replace function public.save_availability(p_business_id uuid, p_weekly_schedule jsonb, p_blackout_dates date[])
  returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_user();
    if not private.manages(p_business_id) then
      perform private.fail(403, 'not_your_business', 'You do not have permission to perform this action');
    end if;
    if coalesce(cardinality(p_blackout_dates), 0) > 366 then
      perform private.fail(422, 'too_many_blackout_dates', 'At most 366 blackout dates can be set');
    end if;
    perform private.lock('business.' || p_business_id);
    insert into public.business_availability (business_id, weekday, is_open, slots)
    select p_business_id, weekday,
      coalesce((p_weekly_schedule -> weekday ->> 'isOpen')::boolean, false),
      coalesce(p_weekly_schedule -> weekday -> 'slots', '[]')
    from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as weekday
    on conflict (business_id, weekday) do update
      set is_open = excluded.is_open, slots = excluded.slots, updated_at = now();
    delete from public.blackout_dates d
    where d.business_id = p_business_id and not d.blackout_date = any (coalesce(p_blackout_dates, '{}'));
    insert into public.blackout_dates (business_id, blackout_date)
    select p_business_id, day from unnest(p_blackout_dates) as day
    on conflict do nothing;
  end
  $$;
revoke execute on function public.save_availability(uuid, jsonb, date[]) from public, anon;

-- As many blackout dates as save_availability takes.
create or replace function private.before_blackout_date() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.is_client() then
      perform private.lock('business.' || new.business_id);
      if (select count(*) from public.blackout_dates d where d.business_id = new.business_id) >= 366 then
        perform private.fail(422, 'too_many_blackout_dates', 'At most 366 blackout dates can be set');
      end if;
    end if;
    return new;
  end
  $$;
create or replace trigger bound before insert on public.blackout_dates
  for each row execute function private.before_blackout_date();

-- When a business can be booked. Times of a day are minutes since its midnight, in the business's own local time; sets
-- of them are multiranges.

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

-- The opening time of a weekday and its duration in minutes; no row if closed. A closing time at or before the opening
-- time is on the next day. `closed` overrides `isOpen` (C-45).
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

-- The open minutes of a date according to the opening hours, including those of the previous night; null if the hours
-- are unknown (none, or raw text).
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

-- The open minutes of a date according to the saved weekly schedule; null if none was saved.
create or replace function private.availability_of_day(p_business_id uuid, day date) returns int4multirange
  language sql stable security definer
  set search_path = ''
  as $$
    select case when exists (select from public.business_availability a where a.business_id = p_business_id) then coalesce((
      select range_agg(int4range(private.minutes(slot ->> 'start'), private.minutes(slot ->> 'end')))
      from public.business_availability a, jsonb_array_elements(a.slots) as slot
      where a.business_id = p_business_id and a.weekday = private.weekday(day) and a.is_open), '{}') end
  $$;

-- The default schedule of CONST-16, for a business without hours and schedule.
create or replace function private.default_hours(day date) returns int4multirange
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case when extract(isodow from day) <= 5 then '{[540,1020)}' else '{}' end::int4multirange
  $$;

-- The occupied ranges of a business on a day: its bookings, each with the business's current buffer. Bookings of the
-- adjacent days are included, since buffers extend past midnight.
create or replace function private.booked(p_business_id uuid, p_date date, p_except uuid default null) returns tsrange[]
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(array_agg(tsrange(lower(k.during), upper(k.during) + make_interval(mins => b.booking_buffer_minutes))), '{}')
    from public.bookings k join public.businesses b on b.id = k.business_id
    where k.business_id = p_business_id and k.booking_date between p_date - 1 and p_date + 1
      and k.status in ('pending', 'confirmed', 'completed') and k.id is distinct from p_except
  $$;
revoke execute on function private.booked(uuid, date, uuid) from public, anon, authenticated;

-- The maximum number of ranges that overlap at one instant of p_within. It is reached at its start or where another
-- range starts.
create or replace function private.most_at_once(ranges tsrange[], p_within tsrange) returns bigint
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select coalesce(max(counted.held), 0)
    from (
      select count(*) as held
      from (
        select lower(p_within) as at
        union
        select lower(each.range) from unnest(ranges) as each (range) where lower(each.range) <@ p_within
      ) moments
      join unnest(ranges) as each (range) on each.range @> moments.at
      group by moments.at) counted
  $$;

-- Whether a business has no place left for a booking; p_except is one of its own bookings to ignore, because it is
-- being moved.
create or replace function private.is_full(p_business_id uuid, p_during tsrange, p_except uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select b.booking_capacity <= private.most_at_once(
      private.booked(b.id, lower(p_during)::date, p_except),
      tsrange(lower(p_during), upper(p_during) + make_interval(mins => b.booking_buffer_minutes)))
    from public.businesses b where b.id = p_business_id
  $$;
revoke execute on function private.is_full(uuid, tsrange, uuid) from public, anon, authenticated;

-- Whether a local time is less than the notice away. Elapsed minutes are counted, so that days with a clock change are
-- handled correctly.
create or replace function private.is_too_soon(starts timestamp, zone text, notice_minutes integer, at timestamptz) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select starts at time zone zone < at + make_interval(mins => notice_minutes)
  $$;

-- The 18 slots of a date for a booking of p_minutes, each with the reason why it is not available, the longest-lasting
-- reason first; null if it is free.
create or replace function private.slots(p_business_id uuid, p_date date, p_minutes integer)
  returns table (starts integer, ends integer, reason text)
  language sql stable security definer
  set search_path = ''
  as $$
    with business as materialized (
      select b.owner_id, b.time_zone, b.booking_days_ahead, b.booking_notice_minutes, b.booking_capacity,
        make_interval(mins => b.booking_buffer_minutes) as buffer,
        (now() at time zone b.time_zone) as local_now,
        private.hours_of_day(b.hours, p_date) as hours,
        private.availability_of_day(b.id, p_date) as availability,
        exists (select from public.blackout_dates d where d.business_id = b.id and d.blackout_date = p_date) as blackout,
        private.booked(b.id, p_date) as booked
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
        when private.is_too_soon(p_date + private.clock(slot), time_zone, booking_notice_minutes, now()) then 'too_soon'
        when booking_capacity <= private.most_at_once(booked,
          tsrange(p_date + private.clock(slot), p_date + private.clock(slot + p_minutes) + buffer)) then 'taken'
      end
    from business, generate_series(540, 1050, 30) as slot
  $$;

-- The 18 slots of a day for a service (BOOK-07, C-36); reason: past, too_far, blackout, closed, unavailable, too_soon
-- or taken. Without a service, slots of 30 minutes.
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

-- When a business is fully booked on a day, because all its places are taken: only times are returned (S-26).
create or replace function public.booked_slots(p_business_id uuid, p_date date)
  returns table (start_time time, end_time time)
  language sql stable security definer
  set search_path = ''
  as $$
    with business as materialized (
      select b.booking_capacity, private.booked(b.id, p_date) as booked from public.businesses b where b.id = p_business_id
    ), moments as (
      select distinct greatest(p_date::timestamp, least(p_date + interval '1 day', edge.at)) as at
      from business, unnest(booked) as each (range), lateral (values (lower(each.range)), (upper(each.range))) as edge (at)
    ), spans as (
      select at as starts, lead(at) over (order by at) as ends from moments
    )
    select starts::time, case when ends::date > p_date then '24:00' else ends::time end
    from spans, business
    where ends is not null and booking_capacity <= private.most_at_once(booked, tsrange(starts, ends))
    order by starts
  $$;

-- The first free slot within 30 days from today; no row if there is none. It searches day by day, since most businesses
-- have one soon.
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

-- Stores a complete availability (C-58): p_weekly_schedule maps weekdays to {"isOpen": boolean, "slots": [{"start",
-- "end"}]}; missing days are closed. A null schedule (SQL's null or JSON's) and null booking rules keep the stored
-- values. With p_revision, it fails if another revision is stored, so that it does not overwrite somebody else's
-- change. Returns the new revision.
create or replace function public.save_availability(p_business_id uuid, p_weekly_schedule jsonb, p_blackout_dates date[],
  p_notice_minutes integer default null, p_days_ahead integer default null, p_buffer_minutes integer default null,
  p_capacity integer default null, p_revision integer default null) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    revision integer;
  begin
    perform private.require_user();
    if not private.manages(p_business_id) then
      perform private.fail(403, 'not_your_business', 'You do not have permission to perform this action');
    end if;
    if coalesce(cardinality(p_blackout_dates), 0) > 366 then
      perform private.fail(422, 'too_many_blackout_dates', 'At most 366 blackout dates can be set');
    end if;
    -- First, as the rules may change what its bookings hold.
    perform private.lock_bookings(p_business_id, null);
    perform private.lock('business.' || p_business_id);
    update public.businesses b
    set booking_notice_minutes = coalesce(p_notice_minutes, b.booking_notice_minutes),
      booking_days_ahead = coalesce(p_days_ahead, b.booking_days_ahead),
      booking_buffer_minutes = coalesce(p_buffer_minutes, b.booking_buffer_minutes),
      booking_capacity = coalesce(p_capacity, b.booking_capacity),
      availability_revision = b.availability_revision + 1
    where b.id = p_business_id and b.availability_revision = coalesce(p_revision, b.availability_revision)
    returning b.availability_revision into revision;
    if revision is null then
      perform private.fail(409, 'availability_changed', 'The availability was changed in another window', 'Read it again before you save.');
    end if;
    insert into public.business_availability (business_id, weekday, is_open, slots)
    select p_business_id, weekday,
      coalesce((p_weekly_schedule -> weekday ->> 'isOpen')::boolean, false),
      coalesce(p_weekly_schedule -> weekday -> 'slots', '[]')
    from unnest(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']) as weekday
    where jsonb_typeof(p_weekly_schedule) <> 'null'
    on conflict (business_id, weekday) do update
      set is_open = excluded.is_open, slots = excluded.slots, updated_at = now();
    delete from public.blackout_dates d
    where d.business_id = p_business_id and not d.blackout_date = any (coalesce(p_blackout_dates, '{}'));
    insert into public.blackout_dates (business_id, blackout_date)
    select p_business_id, day from unnest(p_blackout_dates) as day
    on conflict do nothing;
    return revision;
  end
  $$;
revoke execute on function public.save_availability(uuid, jsonb, date[], integer, integer, integer, integer, integer) from public, anon;

-- Limits blackout dates to the number that save_availability accepts.
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

-- Updates the business's last slots, which searches use, when its schedule changes.
create or replace function private.keep_last_slots() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    touched uuid[];
  begin
    if tg_op = 'INSERT' then
      touched := array(select distinct business_id from added);
    elsif tg_op = 'DELETE' then
      touched := array(select distinct business_id from removed);
    else
      touched := array(select business_id from added union select business_id from removed);
    end if;
    perform from public.businesses b where b.id = any (touched) order by b.id for no key update;
    update public.businesses b set last_slots = made.slots
    from (
      select k.id, private.last_slots(k) as slots from public.businesses k where k.id = any (touched) offset 0
    ) made
    where b.id = made.id and b.last_slots is distinct from made.slots;
    return null;
  end
  $$;
create or replace trigger keep_last_slots_added after insert on public.business_availability
  referencing new table as added for each statement execute function private.keep_last_slots();
create or replace trigger keep_last_slots_removed after delete on public.business_availability
  referencing old table as removed for each statement execute function private.keep_last_slots();
create or replace trigger keep_last_slots_changed after update on public.business_availability
  referencing old table as removed new table as added for each statement execute function private.keep_last_slots();

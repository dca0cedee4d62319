-- Filters of a search besides words, place and category, and whether a business matches them.

-- The distance between two points along the earth's surface, in kilometres.
create or replace function private.distance_km(
    latitude double precision, longitude double precision, other_latitude double precision, other_longitude double precision)
  returns double precision
  language sql immutable parallel safe
  as $$
    select 12742 * asin(least(1, sqrt(
      sind((other_latitude - latitude) / 2) ^ 2 + cosd(latitude) * cosd(other_latitude) * sind((other_longitude - longitude) / 2) ^ 2)))
  $$;

-- The current minute of the week in a zone, since Monday 0:00.
create or replace function private.week_minute(zone text, at timestamptz) returns integer
  language sql immutable parallel safe
  as $$
    select ((extract(isodow from wall) - 1) * 1440 + extract(hour from wall) * 60 + extract(minute from wall))::integer from timezone(zone, at) as wall
  $$;

-- The minutes since the midnight of a day in a zone, negative before it. They are counted back from noon, so that slots
-- after a clock change are compared correctly with now. Null for a null day.
create or replace function private.minutes_since(zone text, p_date date) returns double precision
  language sql stable strict parallel safe
  as $$
    select case when isfinite(p_date) then extract(epoch from now() - timezone(zone, p_date + interval '12 hours')) / 60 + 720 end
  $$;

-- In how many days a day is in a zone; null for a null day.
create or replace function private.days_until(zone text, p_date date) returns integer
  language sql stable strict parallel safe
  as $$
    select case when isfinite(p_date) then p_date - timezone(zone, now())::date end
  $$;

-- The map squares that a box touches, as words of documents, in the smallest size with few of them; null for a large
-- box.
create or replace function private.squares(box double precision[]) returns text[]
  language plpgsql immutable parallel safe
  set search_path = ''
  as $$
  declare
    -- Few, as the index holds each hit against each; of the largest more, so that a large box without anybody is known to have none.
    most constant integer[] := '{64,16,16}';
    rows int4range;
    columns int4range;
  begin
    for level in reverse 2..0 loop
      rows := int4range(floor((greatest(box[1], -90) + 90) * 8 ^ level)::integer, floor((least(box[3], 90) + 90) * 8 ^ level)::integer, '[]');
      columns := int4range(floor((least(greatest(box[2], -180), 180) + 180) * 8 ^ level)::integer,
        floor((greatest(least(box[4], 180), -180) + 180) * 8 ^ level)::integer, '[]');
      if (upper(rows) - lower(rows)) * (upper(columns) - lower(columns)) <= most[level + 1] then
        return array(
          select private.square((y + 0.5) / 8 ^ level - 90, (x + 0.5) / 8 ^ level - 180, level)
          from generate_series(lower(rows), upper(rows) - 1) as y, generate_series(lower(columns), upper(columns) - 1) as x);
      end if;
    end loop;
    return null;
  end
  $$;

-- The bounding box of a circle; null if it includes a pole or the 180th meridian.
create or replace function private.box_around(latitude double precision, longitude double precision, km double precision)
  returns double precision[]
  language sql immutable parallel safe
  as $$
    select array[latitude - north, longitude - east, latitude + north, longitude + east]
    from (select degrees(km / 6371) as north) up,
      lateral (select case when abs(latitude) + north < 89 then degrees(asin(sin(km / 6371) / cosd(latitude))) end as east) across
    where longitude - east >= -180 and longitude + east <= 180
  $$;

-- Queries for the parts of a search's filters that documents contain, which need not be exact: at most five.
create or replace function private.filter_queries(s private.search) returns tsquery[]
  language plpgsql immutable parallel safe
  set search_path = ''
  as $$
  declare
    dearest constant integer := 16;
    -- Where there is something else to find few by, so many words would take longer than a look at those few.
    most_steps constant integer := case when s.rest is null and s.slugs is null and s.codes is null then dearest + 1 else 8 end;
    lowest constant integer := coalesce(private.price_step(s.min_price), 0);
    highest constant integer := coalesce(private.price_step(s.max_price), dearest);
    sought tsquery[];
  begin
    if s.free_on is not null then
      sought := sought || private.any_of(array['d/' || extract(isodow from s.free_on)]);
    end if;
    if s.min_price > s.max_price then
      sought := sought || private.any_of('{v/none}');
    elsif (s.min_price is not null or s.max_price is not null) and highest - lowest < most_steps then
      sought := sought || private.any_of(array(select 'v/' || step from generate_series(lowest, highest) as step));
    end if;
    if s.open_now then
      -- The part of three hours of the week that it is in; documents have it by the clock of the mainland.
      sought := sought || private.any_of(array['h/' || s.minute / 180, 'h/all']);
    end if;
    if s.bounds is not null then
      sought := sought || private.any_of(private.squares(s.bounds));
    end if;
    if s.within_km is not null then
      sought := sought || private.any_of(private.squares(private.box_around(s.latitude, s.longitude, s.within_km)));
    end if;
    return sought;
  end
  $$;

-- Normalizes a search: filters that are not set are null, and invalid ones fail. A distance is measured from near, or
-- else from the place that find_loc names; the place itself is then not a filter.
create or replace function private.search_of(find_desc text, find_loc text, category text, with_amenities text[], min_rating numeric,
    open_now boolean, free_on date, min_price numeric, max_price numeric, near_latitude double precision, near_longitude double precision,
    within_km numeric, bounds double precision[], sort_by text) returns private.search
  language plpgsql immutable parallel safe security definer
  set search_path = ''
  as $$
  declare
    s private.search;
    place record;
  begin
    s := row(nullif(find_desc, ''), nullif(find_loc, ''), nullif(category, ''), nullif(with_amenities, '{}'), nullif(min_rating, 0),
      coalesce(open_now, false), free_on, min_price, max_price, near_latitude, near_longitude, within_km, nullif(bounds, '{}'),
      coalesce(nullif(sort_by, ''), 'best'), private.week_minute('Atlantic/Canary', now()), private.week_minute('Europe/Madrid', now()),
      null, null, null, null, null, null,
      private.minutes_since('Atlantic/Canary', free_on), private.minutes_since('Europe/Madrid', free_on),
      private.days_until('Atlantic/Canary', free_on), private.days_until('Europe/Madrid', free_on));
    if s.sort_by <> all (array['best', 'distance', 'price', 'rating', 'newest']) then
      raise exception using errcode = '22023', message = format('sort_by is %L', left(s.sort_by, 50)), hint = 'It is best, distance, price, rating or newest.';
    elsif s.min_price = 'NaN' or s.max_price = 'NaN' then
      raise exception using errcode = '22023', message = 'A price is a number';
    elsif (s.latitude is null) <> (s.longitude is null) or not (s.latitude between -90 and 90 and s.longitude between -180 and 180) then
      raise exception using errcode = '22023', message = 'near_latitude and near_longitude are a point of the earth';
    elsif not s.within_km between 0.1 and 500 then
      raise exception using errcode = '22023', message = 'within_km is from 0.1 to 500';
    elsif s.bounds is not null and (array_ndims(s.bounds) <> 1 or cardinality(s.bounds) <> 4 or array_lower(s.bounds, 1) <> 1
        or array_position(s.bounds, null) is not null
        or not (s.bounds[1] between -90 and s.bounds[3] and s.bounds[3] <= 90)
        or not (s.bounds[2] between -1000 and s.bounds[4] and s.bounds[4] <= 1000)) then
      raise exception using errcode = '22023', message = 'bounds are {south, west, north, east}';
    end if;
    if s.latitude is null and (s.within_km is not null or s.sort_by = 'distance') then
      select * into place from private.located(s.find_loc);
      s.latitude := place.latitude;
      s.longitude := place.longitude;
      if place.latitude is null then
        s.within_km := null;
      elsif s.within_km is not null then
        s.find_loc := null;
      end if;
    end if;
    if s.sort_by = 'distance' and s.latitude is null then
      s.sort_by := 'best';
    end if;
    return private.understood(s);
  end
  $$;

-- Whether a search has filters besides words, place, category and amenities, or an order other than the ranking.
create or replace function private.has_filters(s private.search) returns boolean
  language sql immutable parallel safe
  as $$
    select s.min_rating is not null or s.open_now or s.free_on is not null or s.min_price is not null or s.max_price is not null
      or s.within_km is not null or s.bounds is not null or s.sort_by not in ('best', 'rating')
  $$;

-- Whether private.slots has a free slot of 30 minutes on a day that is neither a day off nor too far ahead. Optimized
-- for frequent calls; its own queries are planned anew for each search. As slots are between 9:00 and 18:00, and a buffer has
-- at most four hours, only bookings of the day matter, of which an index has all that is needed.
create or replace function private.has_free_slot(p_business_id uuid, p_date date) returns boolean
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = force_generic_plan
  as $$
  declare
    day constant integer := extract(isodow from p_date)::integer - 1;
    buffer interval;
    business record;
    has_week boolean;
    its_slots jsonb;
    booked tsrange[];
  begin
    select b.open_week, b.time_zone, b.booking_capacity, b.booking_notice_minutes, make_interval(mins => b.booking_buffer_minutes) as buffer
    into business from public.businesses b where b.id = p_business_id;
    buffer := business.buffer;
    has_week := exists (select from public.business_availability a where a.business_id = p_business_id);
    select a.slots into its_slots from public.business_availability a
    where a.business_id = p_business_id and a.weekday = private.weekday(p_date) and a.is_open;
    booked := array(
      select tsrange(p_date + k.start_time, p_date + k.end_time + buffer) from public.bookings k
      where k.business_id = p_business_id and k.booking_date = p_date and k.status in ('pending', 'confirmed', 'completed'));
    return exists (
      select from generate_series(540, 1050, 30) as slot,
        lateral (select p_date + make_interval(mins => slot) as starts) clock,
        lateral (select tsrange(starts, starts + interval '30 minutes' + buffer) as held) wanted
      where case when business.open_week is not null then business.open_week @> int4range(1440 * day + slot, 1440 * day + slot + 30)
          else has_week or (day < 5 and slot < 1020) end
        and (not has_week or exists (
          select from jsonb_array_elements(its_slots) as one
          where extract(epoch from (one ->> 'start')::time) <= 60 * slot and extract(epoch from (one ->> 'end')::time) >= 60 * (slot + 30)))
        and starts > now() at time zone business.time_zone
        and starts at time zone business.time_zone >= now() + make_interval(mins => business.booking_notice_minutes)
        and case when business.booking_capacity = 1 then not exists (select from unnest(booked) as one where one && held)
          else private.most_at_once(booked, held) < business.booking_capacity end);
  end
  $$;
revoke execute on function private.has_free_slot(uuid, date) from public, anon, authenticated;

-- Whether a business still can be booked on a day whose schedule has p_last as its last slot: that slot, or any other.
create or replace function private.has_room(p_business_id uuid, p_date date, p_last integer, p_buffer_minutes integer) returns boolean
  language plpgsql stable security definer
  set search_path = '' set plan_cache_mode = force_generic_plan
  as $$
  declare
    buffer constant interval := make_interval(mins => p_buffer_minutes);
    starts constant timestamp := p_date + make_interval(mins => p_last);
  begin
    return not exists (select from public.blackout_dates d where d.business_id = p_business_id and d.blackout_date = p_date)
      and (not exists (
          select from public.bookings k
          where k.business_id = p_business_id and k.booking_date = p_date and k.status in ('pending', 'confirmed', 'completed')
            and p_date + k.end_time + buffer > starts and p_date + k.start_time < starts + interval '30 minutes' + buffer)
        or private.has_free_slot(p_business_id, p_date));
  end
  $$;

-- Whether the requested day has a slot of 30 minutes, ignoring bookings and days off: slots pass from the first to the
-- last, so it checks the last.
create or replace function private.may_be_free(b public.businesses, s private.search) returns boolean
  language sql stable parallel safe
  as $$
    select b.last_slots[extract(isodow from s.free_on)::integer] > case b.time_zone when 'Atlantic/Canary' then s.canary_minutes_since else s.minutes_since end
      and b.last_slots[extract(isodow from s.free_on)::integer]
        >= case b.time_zone when 'Atlantic/Canary' then s.canary_minutes_since else s.minutes_since end + b.booking_notice_minutes
      and case b.time_zone when 'Atlantic/Canary' then s.canary_days else s.days end between 0 and b.booking_days_ahead
  $$;

-- Whether a business passes the filters of a search, apart from its bookings and days off. Inlined without the filters
-- that are not set, so it is no definer function and has no fixed search_path.
create or replace function private.fits(b public.businesses, s private.search) returns boolean
  language sql stable parallel safe
  as $$
    select (s.min_rating is null or b.sort_rating >= s.min_rating)
      and (s.open_now is not true or b.open_week @> case b.time_zone when 'Atlantic/Canary' then s.canary_minute else s.minute end)
      -- By the index of prices only where it gives the order, too; the planner would take it and sort all.
      and (s.min_price is null or case when s.sort_by = 'price' then b.price_from >= s.min_price else b.price_from + 0 >= s.min_price end)
      and (s.max_price is null or case when s.sort_by = 'price' then b.price_from <= s.max_price else b.price_from + 0 <= s.max_price end)
      and (s.within_km is null or ((b.latitude <> 0 or b.longitude <> 0)
        and private.distance_km(s.latitude, s.longitude, b.latitude, b.longitude) <= s.within_km))
      and (s.bounds is null or ((b.latitude <> 0 or b.longitude <> 0)
        and b.latitude between s.bounds[1] and s.bounds[3] and b.longitude between s.bounds[2] and s.bounds[4]))
      and (s.free_on is null or private.may_be_free(b, s))
  $$;

-- Whether a business that fits has a slot of 30 minutes that is free on the day, according to private.slots.
create or replace function private.is_free(b public.businesses, s private.search) returns boolean
  language sql stable parallel safe
  as $$
    select s.free_on is null
      or private.has_room(b.id, s.free_on, b.last_slots[extract(isodow from s.free_on)::integer], b.booking_buffer_minutes)
  $$;

-- Whether a business passes all filters of a search.
create or replace function private.passes(b public.businesses, s private.search) returns boolean
  language sql stable parallel safe
  as $$
    select private.fits(b, s) and private.is_free(b, s)
  $$;

-- A search without one of its filters, for each of them; none if it has only one. find_loc is the place as it was
-- typed, which a search around it no longer contains.
create or replace function private.lifted(s private.search, find_loc text)
  returns table (target text, name text, search private.search)
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    asked constant text[] := array_remove(array[
      case when private.normalize(s.category) <> '' then 'category' end, case when s.min_rating is not null then 'rating' end,
      case when s.with_amenities is not null then 'amenities' end, case when s.open_now then 'open_now' end,
      case when s.free_on is not null then 'free_on' end, case when coalesce(s.min_price, s.max_price) is not null then 'price' end,
      case when s.within_km is not null or s.bounds is not null then 'distance' end,
      case when private.normalize(s.find_desc) <> '' then 'text' end, case when private.normalize(find_loc) <> '' then 'place' end], null);
    one text;
    less private.search;
  begin
    if cardinality(asked) < 2 then
      return;
    end if;
    foreach one in array asked loop
      less := s;
      case one
        when 'category' then less.category := null;
        when 'rating' then less.min_rating := null;
        when 'amenities' then less.with_amenities := null;
        when 'open_now' then less.open_now := false;
        when 'free_on' then less.free_on := null;
        when 'price' then less.min_price := null; less.max_price := null;
        when 'distance' then less.within_km := null; less.bounds := null; less.find_loc := nullif(find_loc, '');
        when 'text' then less.find_desc := null;
        when 'place' then
          less.find_loc := null;
          -- Around the place, and not only in it.
          if s.find_loc is null then
            less.within_km := null;
          end if;
      end case;
      target := one;
      name := case one when 'category' then 'Category' when 'rating' then 'Rating' when 'amenities' then 'Amenities' when 'open_now' then 'Open now'
        when 'free_on' then 'Date' when 'price' then 'Price' when 'distance' then 'Distance' when 'text' then 'Text' else 'Place' end;
      search := less;
      return next;
    end loop;
  end
  $$;

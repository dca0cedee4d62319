-- The number of businesses that a search matches.

-- The number of businesses that a search matches, at most p_most; uses the search index, whose benefit the planner does
-- not see.
create or replace function private.gather_count(s private.search, p_most integer) returns bigint
  language plpgsql stable parallel safe
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off
  as $$
  begin
    return (select count(*) from (
      select from public.businesses b where private.matches_all(b.search_document, s.queries) and private.passes(b, s) limit p_most) found);
  end
  $$;

-- The same for a search only by distance from a point or by a small map: uses the index of points, the inner half
-- first, as people look where many are, and the corners of the index's range are far from the point.
create or replace function private.count_around(s private.search, p_most integer) returns bigint
  language plpgsql stable parallel safe
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = off
  as $$
  declare
    centre constant extensions.cube := case when s.within_km is not null then private.earth(s.latitude, s.longitude)
      else private.earth((s.bounds[1] + s.bounds[3]) / 2, (s.bounds[2] + s.bounds[4]) / 2) end;
    radius constant double precision := coalesce(s.within_km, (
      -- Of a box of some degrees a corner is what is farthest, to a thousandth.
      select 1.01 * max(private.earth(latitude, longitude) operator(extensions.<->) centre)
      from unnest(array[s.bounds[1], s.bounds[3]]) as latitude, unnest(array[s.bounds[2], s.bounds[4]]) as longitude));
    km double precision;
    found bigint;
  begin
    foreach km in array array[radius / 2, radius] loop
      select count(*) into found from (
        select from public.businesses b
        where private.earth(b.latitude, b.longitude) operator(extensions.<@) extensions.cube_enlarge(centre, km, 3) and private.passes(b, s)
        limit p_most) one;
      exit when found = p_most;
    end loop;
    return found;
  end
  $$;

-- Whether a search is only by distance from a point or by a map, which is neither large nor long.
create or replace function private.is_around(s private.search) returns boolean
  language sql immutable parallel safe
  as $$
    select s.rest is null and s.slugs is null and s.codes is null and s.min_rating is null and not s.open_now
      and s.min_price is null and s.max_price is null
      and (s.within_km is not null
        or (s.bounds[3] - s.bounds[1] between 0.0001 and 4 and s.bounds[4] - s.bounds[2] between 0.0001 and 4
          and (s.bounds[3] - s.bounds[1]) / (s.bounds[4] - s.bounds[2]) between 0.2 and 5))
  $$;

-- The same for a search for a free day: those whose last slot is not taken, and of the others those with another free
-- slot, which takes longer to check. If more than p_most are requested, the former alone may be enough.
-- Definer: bookings are not visible to everybody.
create or replace function private.free_count(s private.search, p_most integer) returns bigint
  language plpgsql stable parallel safe security definer
  set search_path = '' set plan_cache_mode = force_custom_plan set enable_seqscan = off
  as $$
  declare
    day constant date := s.free_on;
    weekday constant integer := extract(isodow from s.free_on);
    looked_at integer := p_most + p_most / 16;
    seen bigint;
    free bigint;
    held uuid[];
  begin
    if not isfinite(day) or greatest(s.days, s.canary_days) < 0 then
      return 0;
    end if;
    loop
      select count(*), count(*) filter (where not is_held), array_agg(id) filter (where is_held) into seen, free, held
      from (
        select b.id, exists (
            select from public.bookings k
            where k.business_id = b.id and k.booking_date = day and k.status in ('pending', 'confirmed', 'completed')
              and day + k.end_time + make_interval(mins => b.booking_buffer_minutes) > day + make_interval(mins => b.last_slots[weekday])
              and day + k.start_time < day + make_interval(mins => b.last_slots[weekday] + 30 + b.booking_buffer_minutes)) as is_held
        from public.businesses b
        where private.matches_all(b.search_document, s.queries) and private.fits(b, s)
          and not exists (select from public.blackout_dates d where d.business_id = b.id and d.blackout_date = day)
        limit looked_at) one;
      if free < p_most then
        free := free + (select count(*) from unnest(held) as id where private.has_free_slot(id, day));
      end if;
      if free >= p_most or seen < looked_at then
        return least(free, p_most);
      end if;
      looked_at := 4 * looked_at;
    end loop;
  end
  $$;

-- The number of businesses that a search matches: exact up to 5,000, and 5,001 for more. Without text and filters it is
-- read from the counts of places and categories, which are always exact.
create or replace function private.count_of(s private.search) returns bigint
  language plpgsql stable parallel safe
  set search_path = ''
  as $$
  declare
    most_counted constant integer := 5000;
    most_gathered constant integer := 2000;
  begin
    if not private.has_filters(s) and s.rest is null then
      return (
        select coalesce(sum(d.businesses), 0) from public.directory_counts d
        where (s.slugs is null or d.city_slug = any (s.slugs)) and (s.codes is null or d.category_code = any (s.codes)));
    end if;
    if private.directory_size() > most_counted and private.has_more_than(s, most_counted) then
      return most_counted + 1;
    elsif s.free_on is not null then
      return private.free_count(s, most_counted + 1);
    elsif private.is_around(s) and (private.estimated(s)).hits > most_gathered then
      return private.count_around(s, most_counted + 1);
    end if;
    return private.gather_count(s, most_counted + 1);
  end
  $$;

-- The count that screens show, with the filters of best_businesses.
create or replace function public.count_businesses(
    find_desc text default null, find_loc text default null, category text default null,
    with_amenities text[] default null, min_rating numeric default null, open_now boolean default null, free_on date default null,
    min_price numeric default null, max_price numeric default null,
    near_latitude double precision default null, near_longitude double precision default null, within_km numeric default null,
    bounds double precision[] default null)
  returns bigint
  language sql stable parallel safe
  set search_path = ''
  as $$
    select private.count_of(private.search_of(find_desc, find_loc, category, with_amenities, min_rating,
      open_now, free_on, min_price, max_price, near_latitude, near_longitude, within_km, bounds, null))
  $$;

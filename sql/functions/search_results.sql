-- The results of a search: rows, and alternatives. Counts are in search_totals.sql, the meaning of a search in
-- search.sql, its filters in search_filters.sql, samples in search_samples.sql, descriptions of a text in search_texts.sql.

-- The step of a ranking, 200 for each star, by which the search index gathers the best hits first.
create or replace function private.ranking_step(ranking real) returns integer
  language sql immutable parallel safe
  as $$
    select floor(200 * ranking)::integer
  $$;

-- Whether the first rows of the index in the requested order fill a page. The planner cannot know this: it assumes that
-- words, places and categories are independent, and would scan a million rows to find that no hairdresser is called a
-- restaurant.
create or replace function private.fills_page(s private.search, first_rows integer) returns boolean
  language plpgsql immutable parallel safe
  set search_path = '' set plan_cache_mode = force_custom_plan
  as $$
  declare
    page constant integer := 12;
  begin
    s.is_broad := true;
    return page = case s.sort_by
      when 'distance' then (
        select count(*) from (
          select from (select * from public.businesses k
            order by private.earth(k.latitude, k.longitude) operator(extensions.<->) private.earth(s.latitude, s.longitude) limit first_rows) b
          where private.finds(b, s) and private.is_free(b, s) limit page) found)
      when 'price' then (
        select count(*) from (
          select from (select * from public.businesses k where s.min_price is null or k.price_from >= s.min_price
            order by k.price_from, k.ranking desc, k.created_at desc limit first_rows) b
          where private.finds(b, s) and private.is_free(b, s) limit page) found)
      when 'newest' then (
        select count(*) from (
          select from (select * from public.businesses k order by k.created_at desc limit first_rows) b
          where private.finds(b, s) and private.is_free(b, s) limit page) found)
      else (
        select count(*) from (
          select from (select * from public.businesses k
            -- Of one place, or one category, there is an index in order.
            where ((cardinality(s.slugs) = 1) is not true or k.city_slug = s.slugs[1])
              and ((cardinality(s.codes) = 1) is not true or k.category_code = s.codes[1])
            order by k.ranking desc, k.created_at desc limit first_rows) b
          where private.finds(b, s) and private.is_free(b, s) limit page) found)
      end;
  end
  $$;

-- Chooses the plan of a search: scan an index that has the requested order (is_broad), read hits by their ranking, the best
-- first (best_steps), or read all hits and sort them. For a single place or category the planner chooses an index itself,
-- since it knows how many businesses these have.
create or replace function private.tried(s private.search) returns private.search
  language plpgsql immutable parallel safe
  set search_path = ''
  as $$
  declare
    page constant integer := 12;
    first_rows constant integer := 1000;
    most_gathered constant integer := 2000;
    found record;
  begin
    s.is_broad := true;
    if not private.has_filters(s) and s.rest is null and (s.slugs is null or s.codes is null) then
      return s;
    elsif (s.intended is null or s.sort_by <> 'best') and private.fills_page(s, first_rows) then
      return s;
    end if;
    s.is_broad := false;
    if private.directory_size() <= most_gathered then
      return s;
    end if;
    found := private.estimated(s);
    if found.hits <= most_gathered then
      return s;
    elsif s.sort_by not in ('best', 'rating') then
      -- Of other orders, an index is scanned for half as many rows as gathering would read.
      s.is_broad := found.hits / 2 * (found.passing / private.directory_size()) >= page and private.fills_page(s, found.hits / 2);
      return s;
    end if;
    -- Few hits of a text are gathered, as intended ones come first.
    s.is_broad := s.intended is not null and s.sort_by = 'best' and private.fills_page(s, first_rows);
    s.best_steps := case when not s.is_broad then found.best_steps end;
    return s;
  end
  $$;

-- Whether a search whose plan has been chosen finds a business, including one without a free slot on the requested day. The
-- search is evaluated at planning time, so one branch of the case remains: conditions of the columns that an index in order
-- starts with, or those that the search index gathers. In the former the planner sees one word only: it assumes that several
-- are independent, which is far off for "masaje relajante".
create or replace function private.finds(b public.businesses, s private.search) returns boolean
  language sql stable parallel safe
  as $$
    select case when s.is_broad
      then (s.slugs is null or case when cardinality(s.slugs) = 1 then b.city_slug = s.slugs[1] else b.city_slug = any (s.slugs) end)
        and (s.codes is null or case when cardinality(s.codes) = 1 then b.category_code = s.codes[1] else b.category_code = any (s.codes) end)
        and (s.rest is null or b.search_document @@ (private.conjuncts(s.rest))[1]
          and (cardinality(private.conjuncts(s.rest)) = 1 or coalesce(b.search_document @@ s.rest, false)))
      else private.matches_all(b.search_document, s.queries) end
      and private.fits(b, s)
  $$;

-- The results of a search in no order, including businesses without a free slot on the requested day. It is no definer
-- function and has no fixed search_path, so that PostgreSQL inlines it and the caller's filters, order, range and count can
-- use the indexes; every name in it is qualified. Hits that are gathered are collected first: whatever order a caller
-- requests, no index is scanned for it.
create or replace function private.found_businesses(s private.search)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.*
    from public.businesses b
    where case when s.is_broad then private.finds(b, s)
      else b.ctid = any (array(select hit.ctid from public.businesses hit where private.finds(hit, s))) end
  $$;

-- The directory search (API-21). It does not sort: request order=ranking.desc,created_at.desc, or call best_businesses.
create or replace function public.search_businesses(
    find_desc text default null, find_loc text default null, category text default null)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.* from private.found_businesses(private.tried(private.search_of(find_desc, find_loc, category,
      null, null, null, null, null, null, null, null, null, null, null))) b
  $$;

-- The results of a search in the requested order. By default intended matches come before those that only contain the
-- words, then by ranking; searches with many hits are ordered by ranking alone, from the best steps down as far as a page
-- needs. Because of the offset, bookings are read last, for as many as a page needs.
create or replace function private.ordered_businesses(s private.search)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select o.*
    from (
      (
        select b.*
        from public.businesses b
        where s.best_steps is null and private.finds(b, s)
        order by
          -- First where hits are gathered, as then no index has this order.
          case when s.is_broad then null when s.sort_by = 'best' and s.intended is not null then b.search_document @@ s.intended
            else b.ranking is not null end desc,
          case when s.sort_by = 'distance'
            then private.earth(b.latitude, b.longitude) operator(extensions.<->) private.earth(s.latitude, s.longitude) end,
          case when s.sort_by = 'price' then b.price_from end,
          case when s.sort_by = 'newest' then b.created_at end desc,
          b.ranking desc, b.created_at desc
        offset 0
      )
      union all
      select b.*
      from unnest(s.best_steps) with ordinality as step (lowest, place),
        lateral (
          select *
          from public.businesses k
          where private.finds(k, s)
            and array[private.ranking_step(k.ranking)] && array(select generate_series(step.lowest, coalesce(s.best_steps[step.place - 1] - 1, 1000)))
          order by k.ranking desc, k.created_at desc
          offset 0
        ) b
      where s.best_steps is not null
    ) o
    where private.is_free(o, s)
  $$;

-- A search with all its filters, in its own order: do not request an order, but a range of rows. Null and empty mean no
-- restriction.
-- - with_amenities: names of amenities, all of which a business must have.
-- - open_now: open by its hours, which are known. free_on: a slot of 30 minutes is free that day.
-- - min_price, max_price: of its cheapest service.
-- - within_km (0.1 to 500) of near, or else around the place that find_loc names; bounds: {south, west, north, east}.
-- - sort_by: best, distance (from near, or else from the place), price, rating, newest.
create or replace function public.best_businesses(
    find_desc text default null, find_loc text default null, category text default null,
    with_amenities text[] default null, min_rating numeric default null, open_now boolean default null, free_on date default null,
    min_price numeric default null, max_price numeric default null,
    near_latitude double precision default null, near_longitude double precision default null, within_km numeric default null,
    bounds double precision[] default null, sort_by text default null)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.* from private.ordered_businesses(private.tried(private.search_of(find_desc, find_loc, category, with_amenities, min_rating,
      open_now, free_on, min_price, max_price, near_latitude, near_longitude, within_km, bounds, sort_by))) b
  $$;

-- Alternatives to a search with few results. kind filter: a filter to remove, with the resulting count; the largest
-- first, and none that would leave no restriction or find no more. kind place: the nearest places with matching
-- businesses, in the form of find_loc, at most four; the distance is from the requested place.
create or replace function public.search_alternatives(
    find_desc text default null, find_loc text default null, category text default null,
    with_amenities text[] default null, min_rating numeric default null, open_now boolean default null, free_on date default null,
    min_price numeric default null, max_price numeric default null,
    near_latitude double precision default null, near_longitude double precision default null, within_km numeric default null,
    bounds double precision[] default null)
  returns table (kind text, name text, target text, distance_km numeric, businesses bigint)
  language plpgsql stable security definer rows 8
  set search_path = ''
  as $$
  declare
    most_places constant integer := 4;
    asked constant private.search := private.search_of(find_desc, find_loc, category, with_amenities, min_rating,
      open_now, free_on, min_price, max_price, near_latitude, near_longitude, within_km, bounds, null);
    has bigint := private.count_of(asked);
    names text[] := '{}';
    targets text[] := '{}';
    counts bigint[] := '{}';
    lifted record;
    place record;
    origin record;
    elsewhere private.search := asked;
    others bigint;
    places integer := 0;
  begin
    for lifted in select * from private.lifted(asked, find_loc) loop
      others := private.count_of(private.understood(lifted.search));
      if others > has then
        names := names || lifted.name;
        targets := targets || lifted.target;
        counts := counts || others;
      end if;
    end loop;
    return query
      select 'filter', one.name, one.target, null::numeric, one.businesses
      from unnest(names, targets, counts) with ordinality as one (name, target, businesses, place)
      order by one.businesses desc, one.place;

    select * into origin from private.located(find_loc);
    if origin.latitude is null and asked.latitude is not null then
      select null as slug, null as name, asked.latitude, asked.longitude into origin;
    end if;
    elsewhere.find_loc := null;
    elsewhere.within_km := null;
    elsewhere.bounds := null;
    if origin.latitude is null or private.gather_count(private.understood(elsewhere), 1) = 0 then
      return;
    end if;
    for place in
      select c.slug, c.name, private.distance_km(origin.latitude, origin.longitude, c.latitude, c.longitude) as away
      from public.cities c join public.city_counts n using (slug)
      where n.businesses > 0 and c.slug is distinct from origin.slug and (c.part_of = origin.slug) is not true
        and not exists (select from public.cities part where part.part_of = c.slug)
      order by away, c.slug
    loop
      elsewhere.find_loc := place.slug;
      others := private.count_of(private.understood(elsewhere));
      if others > 0 then
        return query select 'place', place.name, place.slug, round(place.away::numeric, 1), others;
        places := places + 1;
        exit when places = most_places;
      end if;
    end loop;
  end
  $$;

-- The position of a place that a search names, whether it has businesses or not.

-- A city, the first one of a region, or else a town, by its name, tolerating a typo; no row if there is none.
create or replace function private.located(find_loc text)
  returns table (slug text, name text, latitude double precision, longitude double precision)
  language plpgsql stable parallel safe security definer rows 1
  set search_path = ''
  as $$
  declare
    term constant text := private.normalize(left(find_loc, 100));
    most_letters constant integer := 60;
    wanted constant text := regexp_replace(left(term, most_letters), ' (spain|espana|espanya|andorra)$', '');
  begin
    return query
      select c.slug, c.name, c.latitude, c.longitude from public.cities c where c.slug = (private.city_slugs(find_loc))[1];
    if found or coalesce(wanted, '') = '' then
      return;
    end if;
    return query
      select t.slug, t.name, t.latitude, t.longitude from public.towns t
      where t.spellings && array[term, wanted]
      order by t.population desc
      limit 1;
    if found then
      return;
    end if;
    return query
      select t.slug, t.name, t.latitude, t.longitude
      from public.towns t, unnest(t.spellings) as spelling
      where extensions.levenshtein_less_equal(left(spelling, most_letters), wanted, 2) <= least(2, char_length(wanted) / 4)
      order by extensions.levenshtein(left(spelling, most_letters), wanted), t.population desc
      limit 1;
  end
  $$;

-- Places that start with a text, from two letters on, or that it names with a typo; those with businesses first, then
-- the largest.
create or replace function public.suggest_places(term text)
  returns table (name text, slug text, country text, latitude double precision, longitude double precision, businesses bigint)
  language plpgsql stable security definer rows 6
  set search_path = ''
  as $$
  declare
    most constant integer := 6;
    wanted constant text := private.normalize(left(term, 60));
  begin
    if coalesce(char_length(wanted), 0) < 2 then
      return;
    end if;
    return query
      with known as (
        select c.local_name as its_name, c.slug as its_slug, c.country as its_country, c.latitude as north, c.longitude as east,
          c.spellings, 1000000000 - c.position as size, n.businesses
        from public.cities c join public.city_counts n on n.slug = c.slug
        union all
        select t.name, t.slug, t.country, t.latitude, t.longitude, t.spellings, t.population, 0::bigint from public.towns t
      ), compared as (
        select k.*, (
          select min(case when starts_with(spelling, wanted) then 0 when strpos(spelling, ' ' || wanted) > 0 then 1
            when char_length(wanted) >= 4 and extensions.levenshtein_less_equal(left(left(spelling, char_length(wanted)), 60), wanted, 2)
              <= least(2, char_length(wanted) / 4) then 2 end)
          from unnest(k.spellings) as spelling) as step
        from known k
      )
      select k.its_name, k.its_slug, k.its_country, k.north, k.east, k.businesses
      from compared k
      where k.step < 2 or (k.step = 2 and not exists (select from compared other where other.step < 2))
      order by k.businesses > 0 desc, k.step, k.size desc, k.its_slug
      limit most;
  end
  $$;

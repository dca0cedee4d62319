-- What a search finds: rows, their count, suggestions. What it means is in search.sql.

-- Whether a query finds so much that walking the ranking and leaving out the rest is the way to a page. The planner
-- cannot know: it takes words, places and categories for independent, and would walk a million rows to find that no
-- hairdresser is called a restaurant. So it is tried, at the top of the ranking and on a sample of the table.
create or replace function private.is_broad(query tsquery) returns boolean
  language plpgsql immutable parallel safe
  set search_path = ''
  as $$
  declare
    broad constant numeric := 0.003;
    most_gathered constant integer := 2000;
    sample_rows constant integer := 1000;
    size real;
    percent real;
    share numeric;
  begin
    select greatest(c.reltuples, 1) into size from pg_class c where c.oid = 'public.businesses'::regclass;
    if size <= most_gathered then
      return false;
    end if;
    percent := least(100, 100.0 * sample_rows / size);
    select avg((b.search_document @@ query)::integer) into share
    from public.businesses b tablesample system (percent) repeatable (0);
    return coalesce(share, 0) >= broad and share * size > most_gathered and exists (
      select from (select * from public.businesses order by ranking desc, created_at desc limit sample_rows) b
      where b.search_document @@ query);
  end
  $$;

-- The same of a search. A known place or a known category alone is left to the planner, which has its exact share.
create or replace function private.is_broad_search(find_desc text, find_loc text, category text, with_amenities text[]) returns boolean
  language plpgsql immutable parallel safe
  set search_path = ''
  as $$
  declare
    query constant tsquery := private.search_query(find_desc, find_loc, category, with_amenities);
    asked constant text := query::text;
  begin
    return (query is null
      or (numnode(query) = 1 and asked ~ '^''[pc]/')
      or coalesce(private.remembered('is_broad', asked), private.remember('is_broad', asked, private.is_broad(query)::text))::boolean);
  end
  $$;

-- What search_businesses and best_businesses find. No definer and no fixed path, so that PostgreSQL inlines it and
-- the caller's filters, order, range and count reach the indexes; every name in it is qualified.
--
-- All look-ups are evaluated when the statement is planned, so one arm of the case is left. The second one gathers
-- the hits by the search index first: whatever order a caller asks for, no index is walked for them.
create or replace function private.found_businesses(find_desc text, find_loc text, category text, with_amenities text[])
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.*
    from public.businesses b
    where case
      when private.is_broad_search(find_desc, find_loc, category, with_amenities)
      then (private.city_slugs(find_loc) is null or b.city_slug = any (private.city_slugs(find_loc)))
        and (private.category_codes(category) is null or b.category_code = any (private.category_codes(category)))
        and (private.remaining_query(find_desc, find_loc, category, with_amenities) is null
          or b.search_document @@ private.remaining_query(find_desc, find_loc, category, with_amenities))
      else b.ctid = any (array(
        select hit.ctid from public.businesses hit
        where hit.search_document @@ private.search_query(find_desc, find_loc, category, with_amenities)))
      end
  $$;

-- The directory search (API-21). It does not order: ask for order=ranking.desc,created_at.desc, or call best_businesses.
create or replace function public.search_businesses(
    find_desc text default null, find_loc text default null, category text default null)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.* from private.found_businesses(find_desc, find_loc, category, null) b
  $$;

-- The same with the best first: those that are meant before those that only have the words, then by ranking. What is
-- broad is ordered by ranking alone. The order is the function's: ask for none. with_amenities are names of amenities,
-- all of which a business must have. Further filters and the range are the caller's.
create or replace function public.best_businesses(
    find_desc text default null, find_loc text default null, category text default null,
    with_amenities text[] default null, min_rating numeric default null)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.*
    from private.found_businesses(find_desc, find_loc, category, with_amenities) b
    where min_rating is null or b.sort_rating >= min_rating
    order by
      case when private.normalize(find_desc) is null or private.is_broad_search(find_desc, find_loc, category, with_amenities) then false
        else b.search_document @@ private.text_query(find_desc, true) end desc,
      b.ranking desc, b.created_at desc
  $$;

-- How many businesses a search finds, with the filters of the screen: exact up to 5,000, and 5,001 for more. Without
-- text and filters the counts of places and categories know it, exact in any size.
create or replace function public.count_businesses(
    find_desc text default null, find_loc text default null, category text default null,
    with_amenities text[] default null, min_rating numeric default null)
  returns bigint
  language plpgsql stable parallel safe
  set search_path = ''
  as $$
  declare
    most_counted constant integer := 5000;
    slugs constant text[] := private.city_slugs(find_loc);
    codes constant text[] := private.category_codes(category);
    total bigint;
  begin
    if coalesce(min_rating, 0) = 0 and private.remaining_query(find_desc, find_loc, category, with_amenities) is null then
      return (
        select coalesce(sum(d.businesses), 0) from public.directory_counts d
        where (slugs is null or d.city_slug = any (slugs)) and (codes is null or d.category_code = any (codes)));
    end if;
    execute format('select count(*) from (
        select from private.found_businesses(%L, %L, %L, %L) b where %L::numeric is null or b.sort_rating >= %5$L limit %s) found',
      find_desc, find_loc, category, with_amenities, nullif(min_rating, 0), most_counted + 1) into total;
    return total;
  end
  $$;

-- Of each business the service that a search text means best, if one has a word of it: most words first, then the
-- cheapest. For the businesses of a page, 50 at most.
create or replace function public.matching_services(p_business_ids uuid[], find_desc text)
  returns table (business_id uuid, name text, price numeric)
  language sql stable security definer rows 12
  set search_path = ''
  as $$
    with sought as materialized (
      select word from unnest(private.understood_words(find_desc)) as word
    )
    select distinct on (s.business_id) s.business_id, s.name, s.price
    from public.services s,
      lateral (
        select count(*) as words from sought where private.is_form_of(sought.word, private.words(s.name))
      ) found
    where s.business_id = any (p_business_ids[:50]) and found.words > 0
    order by s.business_id, found.words desc, s.price, s.name
  $$;

-- How a search text was understood, where not as it was typed: a word and the one that it was taken for, as synonyms
-- write it; null where it was left out, as no business has it, or none together with the rest.
create or replace function public.search_meaning(find_desc text)
  returns table (typed text, meant text)
  language sql stable security definer rows 3
  set search_path = ''
  as $$
    select word, case when near = any (private.sought_words(find_desc)) then coalesce((
        select s.synonym_term from public.category_synonyms s where s.normalized_term = near
        order by s.priority desc, s.synonym_term limit 1), near) end
    from unnest(private.without_fillers(private.words(left(find_desc, 100)))) as word,
      lateral (select case when private.is_known_word(word) then word else private.nearest_word(word) end as near) known
    where near is distinct from word or near <> all (private.sought_words(find_desc))
  $$;

-- What a text may be the beginning of, from two letters: three categories (label in the language of what is typed,
-- detail the category's name, target its code), four services (label), three businesses (label, detail the place,
-- target the slug). Where nothing begins so, the same of the text without its typing errors.
create or replace function public.suggest_searches(term text)
  returns table (kind text, label text, detail text, target text)
  language plpgsql stable security definer rows 10
  set search_path = ''
  as $$
  declare
    most_letters constant integer := 60;
    most_gathered constant integer := 1000;
    typed constant text := private.normalize(left(term, most_letters));
    meant constant text := array_to_string(private.understood_words(left(term, most_letters)), ' ');
    wanted text;
    names tsquery;
    is_found boolean;
  begin
    if coalesce(char_length(typed), 0) < 2 then
      return;
    end if;
    foreach wanted in array array[typed, nullif(meant, typed)] loop
      exit when wanted is null;
      return query
        select 'category', s.synonym_term, k.category_name, k.category_code
        from (
          select distinct on (s.category_slug) s.*
          from public.category_synonyms s
          where s.normalized_term like wanted || '%'
          order by s.category_slug, s.normalized_term = wanted desc, s.priority desc, s.synonym_term
        ) s
        join public."categories-plaza" k on k.category_code = s.category_slug
        order by s.normalized_term = wanted desc, s.priority desc, s.synonym_term
        limit 3;
      is_found := found;
      return query
        select 'service', n.name, null, null
        from private.service_names n
        where ' ' || n.normalized_name like '% ' || wanted || '%'
          and not exists (select from public.category_synonyms s where s.normalized_term = n.normalized_name)
        order by starts_with(n.normalized_name, wanted) desc, n.offered desc, n.name
        limit 4;
      is_found := is_found or found;
      select string_agg(quote_literal(word) || case when place = cardinality(words) then ':*A' else ':A' end, '&')::tsquery into names
      from (select string_to_array(regexp_replace(wanted, ' .$', ''), ' ') as words) each, unnest(words) with ordinality as one (word, place)
      group by words;
      if private.is_broad(names) then
        return query
          select 'business', b.name, b.location, b.slug
          from public.businesses b
          where b.search_document @@ names
          order by b.ranking desc, b.created_at desc
          limit 3;
      else
        return query
          select 'business', b.name, b.location, b.slug
          from (
            select * from public.businesses k
            where k.ctid = any (array(select hit.ctid from public.businesses hit where hit.search_document @@ names limit most_gathered))
          ) b
          order by b.ranking desc, b.created_at desc
          limit 3;
      end if;
      exit when is_found or found;
    end loop;
  end
  $$;

-- From words to places and categories. The look-ups behind search are declared
-- immutable although they read reference tables: the planner then evaluates them
-- before it plans, and search_businesses uses the one index that fits. They stand
-- in no index and no generated column, so a changed row is seen by the next call.

-- The place an address names: the last one in it, Andorra only when no parish is named (FN-11).
create or replace function private.city_of(full_address text) returns text
  language sql stable strict parallel safe
  set search_path = ''
  as $$
    select c.slug
    from (select ' ' || private.normalize(full_address) || ' ' as words) address,
      public.cities c,
      unnest(c.spellings) as term
    where words like '% ' || term || ' %'
    order by c.slug = 'andorra',
      char_length(words) - strpos(reverse(words), reverse(' ' || term || ' ')) desc,
      char_length(term) desc
    limit 1
  $$;

create or replace function public.extract_city_name(full_address text) returns text
  language sql stable
  set search_path = ''
  as $$
    select c.name from public.cities c where c.slug = private.city_of(full_address)
  $$;

-- The category a free-text type belongs to (FN-12): by name, by code, by synonym,
-- by a synonym or name among its words, the longest first; else local services.
create or replace function public.map_business_type_to_category(business_type text) returns text
  language sql stable
  set search_path = ''
  as $$
    select coalesce((
      select match.category_code
      from (select private.normalize(business_type) as term) wanted,
        lateral (
          select c.category_code, 0 as distance, -c.category_level as level, 0 as size
          from public."categories-plaza" c
          where c.normalized_name = term or c.category_code = private.slugify(business_type)
          union all
          select s.category_slug, 1, 0, -s.priority
          from public.category_synonyms s where s.normalized_term = term
          union all
          select s.category_slug, 2, 0, -char_length(s.normalized_term)
          from public.category_synonyms s where ' ' || term || ' ' like '% ' || s.normalized_term || ' %'
          union all
          select c.category_code, 3, -c.category_level, -char_length(c.category_name)
          from public."categories-plaza" c
          where ' ' || term || ' ' like '% ' || c.normalized_name || ' %'
        ) match
      where term <> ''
      order by distance, level, size, category_code
      limit 1), 'localservices')
  $$;

-- The places a search for find_loc means; null when it is no known place.
create or replace function private.city_slugs(find_loc text) returns text[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select array_agg(c.slug)
    from public.cities c, (
      select k.slug
      from (select private.normalize(left(find_loc, 100)) as term) wanted,
        public.cities k, unnest(k.spellings) as place
      where term = place or term in (place || ' spain', place || ' espana', place || ' espanya', place || ' andorra')
      order by term = place desc
      limit 1
    ) found
    where c.slug = found.slug or c.part_of = found.slug
  $$;

-- A category with its children, by label or code (C-25); null when it is none.
create or replace function private.category_codes(category text) returns text[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select array_agg(c.category_code)
    from public."categories-plaza" c, (
      select k.category_code
      from public."categories-plaza" k
      where k.normalized_name = private.normalize(category) or k.category_code = lower(btrim(category))
      order by k.category_level
      limit 1
    ) found
    where c.category_code = found.category_code or c.parent_category = found.category_code
  $$;

-- The categories that a term means in any language, with their children (SEARCH-14: from 2 characters).
create or replace function private.synonym_codes(term text) returns text[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select coalesce(array_agg(distinct c.category_code), '{}')
    from (select private.normalize(left(term, 100)) as wanted) query
    join lateral (
      select s.category_slug as code from public.category_synonyms s
      where s.normalized_term = wanted
        or (char_length(wanted) >= 4 and s.normalized_term like wanted || '%'
          and not exists (select from public.category_synonyms e where e.normalized_term = wanted))
      union
      select k.category_code from public."categories-plaza" k where k.normalized_name = wanted
    ) found on char_length(wanted) >= 2
    join public."categories-plaza" c on c.category_code = found.code or c.parent_category = found.code
  $$;

-- The LIKE pattern of a search term, its words in order; null when nothing is left
-- of it. A word of one or two letters is sought at the start of a word, where the
-- trigram index still helps.
create or replace function private.search_pattern(term text) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select '%' || string_agg(case when char_length(word) < 3 then ' ' || word else word end, '%' order by place) || '%'
    from unnest(string_to_array(nullif(private.normalize(left(term, 100)), ''), ' ')) with ordinality as each (word, place)
  $$;

-- Whether a business is among what a search means: term and synonyms from find_desc, cities or else place from
-- find_loc, codes or else kind from category; null asks for nothing. Inlined, so that indexes serve it.
create or replace function private.matches_search(
    b public.businesses, term text, synonyms text[], cities text[], place text, codes text[], kind text) returns boolean
  language sql immutable parallel safe
  as $$
    select (term is null or b.search_text like term or b.category_code = any (synonyms))
      and (cities is null or b.city_slug = any (cities))
      and (cities is not null or place is null or b.search_location like place)
      and (codes is null or b.category_code = any (codes))
      and (codes is not null or kind is null
        or (b.search_text like kind and ' ' || private.normalize(b.type) || ' ' like kind))
  $$;

-- Whether a search finds so much that walking the ranking and leaving out the rest is the way to a page. The planner
-- cannot know: it takes words, places and categories for independent, and would walk a million rows to find that no
-- hairdresser is called a restaurant. So it is tried, at the top of the ranking and on a sample of the table.
-- A known city or a known category alone is left to the planner, which has its exact share.
create or replace function private.is_broad_search(
    term text, synonyms text[], cities text[], place text, codes text[], kind text) returns boolean
  language plpgsql immutable parallel safe
  set search_path = ''
  as $$
  declare
    broad constant numeric := 0.05;
    sample_rows constant integer := 1000;
    percent real;
    share numeric;
  begin
    if term is null and (cities is not null or place is null) and (codes is not null or kind is null)
      and (cities is null or codes is null) then
      return true;
    end if;
    select avg(private.matches_search(b, term, synonyms, cities, place, codes, kind)::integer) into share
    from (select * from public.businesses order by sort_rating desc, created_at desc limit 200) b;
    if share is null or share < broad then
      return false;
    end if;
    select least(100, 100.0 * sample_rows / greatest(c.reltuples, 1)) into percent
    from pg_class c where c.oid = 'public.businesses'::regclass;
    select avg(private.matches_search(b, term, synonyms, cities, place, codes, kind)::integer) into share
    from public.businesses b tablesample system (percent) repeatable (0);
    return coalesce(share >= broad, false);
  end
  $$;

-- The directory search (API-21). No definer and no fixed path, so that PostgreSQL
-- inlines it and the caller's filters, order, range and count reach the indexes;
-- every name in it is qualified. It does not order: ask for
-- order=sort_rating.desc,created_at.desc.
--
-- All look-ups are evaluated when the statement is planned, so one arm of the case is left. The second one gathers
-- the hits by the search indexes first: whatever order a caller asks for, no index is walked for them.
create or replace function public.search_businesses(
    find_desc text default null, find_loc text default null, category text default null)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.*
    from public.businesses b
    where case
      when private.is_broad_search(
        private.search_pattern(find_desc), private.synonym_codes(find_desc), private.city_slugs(find_loc),
        private.search_pattern(find_loc), private.category_codes(category), private.search_pattern(category))
      then private.matches_search(b,
        private.search_pattern(find_desc), private.synonym_codes(find_desc), private.city_slugs(find_loc),
        private.search_pattern(find_loc), private.category_codes(category), private.search_pattern(category))
      else b.ctid = any (array(
        select hit.ctid
        from public.businesses hit
        where private.matches_search(hit,
          private.search_pattern(find_desc), private.synonym_codes(find_desc), private.city_slugs(find_loc),
          private.search_pattern(find_loc), private.category_codes(category), private.search_pattern(category))))
      end
  $$;

-- Synonyms of a term with the documents' limits (API-16, C-32): 5 exact, 3 that
-- contain it, 3 that it contains, 2 that resemble it.
create or replace function public.suggest_synonyms(term text)
  returns table (category_slug text, synonym_term text, language_code text, priority integer, match text)
  language sql stable
  set search_path = ''
  as $$
    with wanted as (select private.normalize(left(term, 100)) as word),
    found as (
      (select s.*, 'exact' as match, 1 as step from public.category_synonyms s, wanted
        where char_length(word) >= 2 and s.normalized_term = word
        order by s.priority desc, s.synonym_term limit 5)
      union all
      (select s.*, 'partial', 2 from public.category_synonyms s, wanted
        where char_length(word) >= 2 and s.normalized_term like '%' || word || '%' and s.normalized_term <> word
        order by s.priority desc, s.synonym_term limit 3)
      union all
      (select s.*, 'contained', 3 from public.category_synonyms s, wanted
        where char_length(word) >= 2 and ' ' || word || ' ' like '% ' || s.normalized_term || ' %' and s.normalized_term <> word
        order by s.priority desc, s.synonym_term limit 3)
      union all
      (select s.*, 'fuzzy', 4 from public.category_synonyms s, wanted
        where char_length(word) >= 2 and extensions.similarity(s.normalized_term, word) between 0.45 and 0.999
        order by extensions.similarity(s.normalized_term, word) desc, s.synonym_term limit 2)
    )
    select f.category_slug, f.synonym_term, f.language_code, f.priority, f.match
    from found f
    order by f.step, f.priority desc, f.synonym_term
  $$;

-- The admin panel's lists. There may be a hundred thousand rows: they are searched and paged here.

-- The LIKE pattern of what looks like a display id; null for any other text. A letter with six digits or more
-- ('B-000017', 'b1000017') is one id; fewer digits ('u-17', '17') are sought in all of them.
create or replace function private.display_id_pattern(term text) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case
      when wanted ~ '^[A-Z]-?[0-9]{6,}$' then regexp_replace(wanted, '^([A-Z])-?', '\1-')
      when wanted ~ '^[A-Z]-?[0-9]+$' then regexp_replace(wanted, '^([A-Z])-?0*', '\1-%') || '%'
      when wanted ~ '^[0-9]+$' then '%' || wanted || '%' end
    from (select upper(btrim(term)) as wanted) typed
  $$;

-- Businesses by name or display id, and by type (ADMIN-BIZ-01). Inlined, as search_businesses is: the caller's
-- order, range and count reach the indexes. search_text holds the type, too, so the name is compared once more.
create or replace function public.admin_businesses(p_search text default null, p_type text default null)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.*
    from public.businesses b
    where (coalesce(btrim(p_search), '') = ''
        or (b.search_text like private.search_pattern(p_search)
          and ' ' || private.normalize(b.name) || ' ' like private.search_pattern(p_search))
        or b.display_id like private.display_id_pattern(p_search))
      and (p_type is null or b.type = p_type)
  $$;
revoke execute on function public.admin_businesses(text, text) from public, anon;

-- The distinct types, from one step of the index each and not from every row (S-57).
create or replace function public.admin_business_types() returns table (type text)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      with recursive types (one) as (
        select min(b.type) from public.businesses b
        union all
        select (select min(b.type) from public.businesses b where b.type > t.one) from types t where t.one is not null
      )
      select one from types where one is not null;
  end
  $$;
revoke execute on function public.admin_business_types() from public, anon;

-- Categories and locations whose name contains a text (ADMIN-CAT-01, ADMIN-LOC-01, ADMIN-LOC-08).
create or replace function public.admin_categories(p_search text default null) returns setof public.categories
  language sql stable parallel safe
  as $$
    select c.*
    from public.categories c
    where coalesce(btrim(p_search), '') = ''
      or ' ' || private.normalize(c.name) || ' ' like private.search_pattern(p_search)
  $$;
revoke execute on function public.admin_categories(text) from public, anon;

create or replace function public.admin_locations(p_search text default null) returns setof public.url_mappings
  language sql stable parallel safe
  as $$
    select u.*
    from public.url_mappings u
    where u.type = 'location' and (coalesce(btrim(p_search), '') = ''
      or ' ' || private.normalize(u.original) || ' ' like private.search_pattern(p_search))
  $$;
revoke execute on function public.admin_locations(text) from public, anon;

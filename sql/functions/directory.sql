-- Mapping words to places and categories, and the lists of the admin panel.

-- The place in an address: the last one, Andorra only if no parish is named (FN-11).
-- As a function of a FROM clause, which a query of many addresses inlines: without a search_path, which prevents that;
-- its names are qualified.
create or replace function private.city_in(full_address text) returns table (slug text, time_zone text)
  language sql stable parallel safe
  as $$
    select c.slug, c.time_zone
    from (select ' ' || private.normalize(full_address) || ' ' as words offset 0) address, -- made once
      public.cities c,
      unnest(c.spellings) as term
    where words like '% ' || term || ' %'
    order by c.slug = 'andorra',
      char_length(words) - strpos(reverse(words), reverse(' ' || term || ' ')) desc,
      char_length(term) desc
    limit 1
  $$;
create or replace function private.city_of(full_address text) returns text
  language sql stable strict parallel safe
  set search_path = ''
  as $$ select slug from private.city_in(full_address) $$;

create or replace function public.extract_city_name(full_address text) returns text
  language sql stable
  set search_path = ''
  as $$
    select c.name from public.cities c where c.slug = private.city_of(full_address)
  $$;

-- The category of a free-text type (FN-12): by name, by code, by synonym, by a synonym or name among its words, the
-- longest first; otherwise local services.
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

-- The LIKE pattern of a search term, its words in order; null if nothing is left of it. A word of one or two letters
-- must match at the start of a word, where the trigram index still helps.
create or replace function private.search_pattern(term text) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select '%' || string_agg(case when char_length(word) < 3 then ' ' || word else word end, '%' order by place) || '%'
    from unnest(string_to_array(nullif(private.normalize(left(term, 100)), ''), ' ')) with ordinality as each (word, place)
  $$;

-- Synonyms of a term, with the requirements' limits (API-16, C-32): 5 exact, 3 that contain it, 3 that it contains, 2
-- that resemble it.
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

-- The admin panel's lists. There may be a hundred thousand rows, so they are searched and paged here.

-- The LIKE pattern of a text that looks like a display id; null for any other text. A letter with six digits or more
-- ('B-000017', 'b1000017') is one id; fewer digits ('u-17', '17') are searched in all of them.
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

-- Businesses by name or display id, and by type (ADMIN-BIZ-01). Inlined, like search_businesses: the caller's order,
-- range and count can use the indexes.
create or replace function public.admin_businesses(p_search text default null, p_type text default null)
  returns setof public.businesses
  language sql stable parallel safe rows 1000
  as $$
    select b.*
    from public.businesses b
    where (coalesce(btrim(p_search), '') = ''
        or ' ' || private.normalize(b.name) || ' ' like private.search_pattern(p_search)
        or b.display_id like private.display_id_pattern(p_search))
      and (p_type is null or b.type = p_type)
  $$;
revoke execute on function public.admin_businesses(text, text) from public, anon;

-- The distinct types, with one index step each instead of reading every row (S-57).
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

-- Descriptions of a search text: the services that it means, how it was interpreted, and suggestions.

-- For each business, the service that best matches a search text, if one contains a word of it: most words first, then
-- the cheapest. For the businesses of a page, at most 50.
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

-- How a search text was interpreted, if not literally: a word and its interpretation, spelled as in the synonyms; null
-- if it was dropped, because no business has it, or none together with the rest.
create or replace function public.search_meaning(find_desc text)
  returns table (typed text, meant text)
  language sql stable security definer rows 3
  set search_path = ''
  as $$
    select word, case when string_to_array(near, ' ') <@ (private.sought(find_desc)).words then coalesce((
        select s.synonym_term from public.category_synonyms s where s.normalized_term = near
        order by s.priority desc, s.synonym_term limit 1), near) end
    from unnest(private.typed_words(find_desc)) as word,
      lateral (select private.as_known(word) as near) known
    where near is distinct from word or near <> all ((private.sought(find_desc)).words)
  $$;

-- Suggestions for a text, from two letters on: three categories (label in the language of the text, detail the
-- category's name, target its code), four services (label), three businesses (label, detail the place, target the
-- slug). If nothing starts with the text, suggestions for the text without its typos. Words that belong to a category
-- without naming it (06_vocabulary.sql) are suggested only as whole words.
create or replace function public.suggest_searches(term text)
  returns table (kind text, label text, detail text, target text)
  language plpgsql stable security definer rows 10
  set search_path = ''
  as $$
  declare
    most_letters constant integer := 60;
    first_rows constant integer := 1000;
    most_gathered constant integer := 1000;
    least_suggested constant integer := 40;
    typed constant text := private.normalize(left(term, most_letters));
    meant constant text := array_to_string(private.understood_words(left(term, most_letters)), ' ');
    wanted text;
    named private.search;
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
          where s.normalized_term like wanted || '%' and (s.priority >= least_suggested or s.normalized_term = wanted)
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
          and not exists (select from public.category_synonyms s where s.normalized_term = n.normalized_name and s.priority >= least_suggested)
        order by starts_with(n.normalized_name, wanted) desc, n.offered desc, n.name
        limit 4;
      is_found := is_found or found;
      select string_agg(quote_literal(word) || case when place = cardinality(words) then ':*A' else ':A' end, '&')::tsquery into named.rest
      from (select string_to_array(regexp_replace(wanted, ' .$', ''), ' ') as words) each, unnest(words) with ordinality as one (word, place)
      group by words;
      if private.fills_page(named, first_rows) then
        return query
          select 'business', b.name, b.location, b.slug
          from public.businesses b
          where b.search_document @@ named.rest
          order by b.ranking desc, b.created_at desc
          limit 3;
      else
        return query
          select 'business', b.name, b.location, b.slug
          from (
            select * from public.businesses k
            where k.ctid = any (array(select hit.ctid from public.businesses hit where hit.search_document @@ named.rest limit most_gathered))
          ) b
          order by b.ranking desc, b.created_at desc
          limit 3;
      end if;
      exit when is_found or found;
    end loop;
  end
  $$;

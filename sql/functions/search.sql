-- The meaning of a search: its words become one query of search documents (0031_search.sql). The functions are declared
-- immutable although they read tables: the planner then evaluates them at planning time, and uses the one index that
-- fits. No index or generated column uses them, so the next call sees a changed row.

-- The places that find_loc means: one, those of a region, or no known place. A text that no address contains may be a
-- typo.
create or replace function private.city_slugs(find_loc text) returns text[]
  language plpgsql immutable parallel safe security definer
  set search_path = ''
  as $$
  declare
    term constant text := private.normalize(left(find_loc, 100));
    found text[];
  begin
    if coalesce(term, '') = '' then
      return null;
    end if;
    found := array(
      select c.slug
      from public.cities c, unnest(c.spellings) as place
      where term = place or term in (place || ' spain', place || ' espana', place || ' espanya', place || ' andorra')
      order by term = place desc, c.slug
      limit 1);
    if found = '{}' then
      found := array(select c.slug from public.cities c where c.region_spellings && array[term] order by c.position);
    end if;
    if found = '{}' and not private.is_known_word('l/' || split_part(term, ' ', 1))
        and not exists (select from public.towns t where t.spellings && array[term]) then
      found := array(
        select c.slug
        from public.cities c, unnest(c.spellings) as place
        where extensions.levenshtein_less_equal(place, term, 2) <= least(2, char_length(term) / 4)
        order by extensions.levenshtein(place, term), c.slug
        limit 1);
    end if;
    return nullif(found, '{}');
  end
  $$;

-- Places, including their parts.
create or replace function private.places_and_parts(p_slugs text[]) returns text[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select array_agg(c.slug) from public.cities c where c.slug = any (p_slugs) or c.part_of = any (p_slugs)
  $$;

-- The code of a category by its label or code (C-25); null if it is not one.
create or replace function private.category_code(category text) returns text
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select k.category_code
    from public."categories-plaza" k
    where k.normalized_name = private.normalize(category) or k.category_code = lower(btrim(category))
    order by k.category_level
    limit 1
  $$;

-- A category and its children.
create or replace function private.category_and_children(p_code text) returns text[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select array_agg(c.category_code) from public."categories-plaza" c where c.category_code = p_code or c.parent_category = p_code
  $$;

-- The place, or else the places of the region, named by words: the one with the longest name. No row if there is none.
create or replace function private.places_of(p_words text[])
  returns table (slugs text[], words text[])
  language sql stable parallel safe security definer rows 1
  set search_path = ''
  as $$
    select array_agg(named.slug order by named.position), named.words
    from (
      select c.slug, c.position, string_to_array(term, ' ') as words, false as is_region
      from public.cities c, unnest(c.spellings) as term
      union all
      select c.slug, c.position, string_to_array(term, ' '), true
      from public.cities c, unnest(c.region_spellings) as term
    ) named
    where named.words && p_words and private.without_fillers(named.words) <@ p_words
    group by named.words, named.is_region
    order by cardinality(named.words) desc, named.is_region, named.words
    limit 1
  $$;

-- The categories that words mean, each with the words it covers: a synonym matches in any form if none of its words is
-- missing. The name of a place means none. From two letters on (SEARCH-14); a word of four letters or more may be the
-- start of a synonym.
create or replace function private.categories_of(p_words text[])
  returns setof private.meant_category
  language plpgsql stable parallel safe security definer
  set search_path = ''
  as $$
  declare
    its_place constant text[] := (select p.words from private.places_of(p_words) p);
    words constant text[] := array(select word from unnest(p_words) as word where (word = any (its_place)) is not true);
    one text;
    its_forms text[];
    weights text;
    -- Of all words, and the word that each is one of.
    forms text[] := '{}';
    formed text[] := '{}';
    unknown text[] := '{}';
    meant private.meant_category[];
  begin
    if char_length(array_to_string(words, '')) < 2 then
      return;
    end if;
    foreach one in array words loop
      select array_agg(f.form) filter (where f.weights ~ 'S'), string_agg(f.weights, '') into its_forms, weights from private.forms(one) f;
      forms := forms || its_forms;
      formed := formed || array_fill(one, array[coalesce(cardinality(its_forms), 0)]);
      if char_length(one) >= 4 and coalesce(weights, '') !~ '[BCS]' then
        unknown := unknown || one;
      end if;
    end loop;
    meant := array(
      select row(s.category_slug, array(select distinct f.one from unnest(forms, formed) as f (form, one) where f.form = any (s.parts)))
      from public.category_synonyms s
      where s.parts && forms and s.parts <@ forms
      union all
      select row(k.category_code, words)
      from public."categories-plaza" k
      where k.normalized_name = array_to_string(words, ' '));
    foreach one in array unknown loop
      meant := meant || array(
        select row(s.category_slug, array[one])::private.meant_category
        from public.category_synonyms s where s.normalized_term like one || '%' and s.normalized_term not like '% %');
    end loop;
    return query select distinct * from unnest(meant);
  end
  $$;

-- Combines two queries with "and"; either may be null.
create or replace function private.both(one tsquery, other tsquery) returns tsquery
  language sql immutable parallel safe
  as $$
    select case when one is null then other when other is null then one else one && other end
  $$;

-- The queries that a query combines with "and", at most five; the whole query if it has more, or another form.
create or replace function private.conjuncts(query tsquery) returns tsquery[]
  language sql immutable strict parallel safe
  as $$
    select case
      when regexp_replace(query::text, '\( [^()&]* \)', '', 'g') ~ '[|()!<]' or cardinality(string_to_array(query::text, ' & ')) > 5
        then array[query]
      else string_to_array(query::text, ' & ')::tsquery[] end
  $$;

-- Whether a document matches all queries, at most twelve: five of words, place, category and five of filters. As conditions
-- of their own they take the index a half to a sixtieth of the time of one long query.
create or replace function private.matches_all(document tsvector, queries tsquery[]) returns boolean
  language sql immutable parallel safe
  as $$
    select (queries[1] is null or document @@ queries[1]) and (queries[2] is null or document @@ queries[2])
      and (queries[3] is null or document @@ queries[3]) and (queries[4] is null or document @@ queries[4])
      and (queries[5] is null or document @@ queries[5]) and (queries[6] is null or document @@ queries[6])
      and (queries[7] is null or document @@ queries[7]) and (queries[8] is null or document @@ queries[8])
      and (queries[9] is null or document @@ queries[9]) and (queries[10] is null or document @@ queries[10])
      and (queries[11] is null or document @@ queries[11]) and (queries[12] is null or document @@ queries[12])
  $$;

-- Combines words of documents with "or"; null if there are none.
create or replace function private.any_of(words text[]) returns tsquery
  language sql immutable parallel safe
  as $$
    select string_agg(quote_literal(word), '|')::tsquery from unnest(words) as word
  $$;

-- The queries of words; null if there are none. A word matches itself and its other forms, a category that it means, or
-- a place; a word known only as a name also matches words that start with it. The strict query matches what the best
-- results have: the category or the type rather than a service, the name rather than the street, and for a word that
-- means a category, the category rather than a name that is another form of the word. If the words include document
-- words of categories, the most likely first, then only those and a place are searched.
create or replace function private.sought_by(p_words text[]) returns private.sought_text
  language plpgsql stable parallel safe security definer
  set search_path = ''
  as $$
  declare
    most_forms constant integer := 30;
    categories constant text[] := array(select word from unnest(p_words) as word where word like 'c/%');
    sought private.sought_text := row(p_words, null, null);
    meant private.meant_category[];
    named record;
    one text;
    forms text[];
    weights text;
    codes text[];
    answers text[];
    strict_answers text[];
  begin
    select * into named from private.places_of(p_words);
    if categories <> '{}' then
      sought.query := private.any_of(array(select 'p/' || slug from unnest(named.slugs) as slug));
      sought.best := private.both(sought.query, private.any_of(categories[:1]));
      sought.query := private.both(sought.query, private.any_of(categories));
      return sought;
    end if;
    meant := array(select private.categories_of(p_words));
    foreach one in array coalesce(p_words, '{}') loop
      select array_agg(f.form), string_agg(f.weights, '') into forms, weights from (select * from private.forms(one) limit most_forms) f;
      forms := case when one = any (named.words) then array[one] else array_append(array_remove(forms, one), one) end;
      codes := array(select distinct m.category_code from unnest(meant) as m where one = any (m.answered));
      answers := array(select quote_literal('c/' || code) from unnest(codes) as code);
      if one = any (named.words) then
        answers := answers || array(select quote_literal('p/' || slug) from unnest(named.slugs) as slug);
      end if;
      strict_answers := answers || array(
        select quote_literal(form) || case when codes = '{}' and weights ~ '[BCS]' then ':ABC' else ':A' end
        from unnest(forms) as form where codes = '{}' or form = one);
      answers := answers || array(select quote_literal(form) from unnest(forms) as form);
      if (one = any (named.words)) is not true then
        answers := answers || quote_literal('l/' || one);
        if codes = '{}' and (weights is null or (char_length(one) = 2 and weights !~ '[BC]')) then
          answers := answers || (quote_literal(one) || ':*');
          -- Of an address from four letters.
          if char_length(one) >= 4 then
            answers := answers || (quote_literal('l/' || one) || ':*');
          end if;
        end if;
      end if;
      sought.query := private.both(sought.query, array_to_string(answers, '|')::tsquery);
      sought.best := private.both(sought.best, array_to_string(strict_answers, '|')::tsquery);
    end loop;
    return sought;
  end
  $$;

-- The categories that words may mean, the most likely first, each with the words that say so. A word votes for the
-- categories of the synonyms that contain it. A vote weighs more, the more of the synonym is present and the fewer
-- categories it has. Categories with less than two thirds of the top score are excluded, and so are wide ones if there
-- is a narrow one.
create or replace function private.likely_categories(p_words text[])
  returns setof private.meant_category
  language sql stable parallel safe security definer rows 3
  set search_path = ''
  as $$
    with typed as materialized (
      select one, array(select f.form from private.forms(one) f where f.weights ~ 'S') as forms from unnest(p_words) as one
    ), vote as (
      select t.one, s.category_slug, max(present.parts::real / cardinality(s.parts)) as share
      from typed t join public.category_synonyms s on s.parts && t.forms,
        lateral (select count(*) as parts from unnest(s.parts) as part where exists (select from typed o where part = any (o.forms))) present
      group by 1, 2
    ), weighed as (
      select one, category_slug, share, share ^ 2 / sqrt(count(*) over (partition by one)) as votes from vote
    ), counted as (
      select k.category_code, array_agg(w.one) as answered, sum(w.votes) as votes, k.category_level,
        bool_or(w.share = 1 and k.category_level = 2) as is_narrow
      from weighed w join public."categories-plaza" k on k.category_code = w.category_slug
      group by k.category_code, k.category_level
    )
    select c.category_code, c.answered
    from counted c, lateral (select max(votes) as most, bool_or(is_narrow) as is_narrow from counted) best
    where c.votes >= 0.67 * best.most and (c.category_level = 2 or not best.is_narrow)
    order by c.votes desc, c.category_code
  $$;

-- The query of a search text: all interpreted words, if some business has them together; otherwise those that are names
-- or mean a category or a place; of three words or more, those that mean a category or a place; otherwise the most
-- likely categories, as their document words next to the words that mean them; otherwise a single word without meaning.
-- It never matches businesses that sell something else or are elsewhere: a place is never dropped.
create or replace function private.sought_of(find_desc text) returns private.sought_text
  language plpgsql stable parallel safe security definer
  set search_path = ''
  as $$
  declare
    words constant text[] := private.understood_words(find_desc);
    its_place constant text[] := coalesce((select p.words from private.places_of(words) p), '{}');
    sought private.sought_text := private.sought_by(words);
    all_words constant private.sought_text := sought;
    likely private.meant_category[];
    meant text[];
    fewer text[];
  begin
    if words is null or private.finds_any(sought.query) then
      return sought;
    end if;
    meant := array(select unnest(c.answered) from private.categories_of(words) c) || its_place;
    fewer := array(
      select one from unnest(words) with ordinality as each (one, place)
      where one = any (meant) or (select bool_and(f.weights = 'A') from private.forms(one) f)
      order by place);
    sought := private.sought_by(fewer);
    if not fewer <@ its_place and private.finds_any(sought.query) then
      return sought;
    end if;
    fewer := array(select word from unnest(words) as word where word = any (meant));
    if cardinality(words) > 2 and not fewer <@ its_place then
      sought := private.sought_by(fewer);
      if private.finds_any(sought.query) then
        return sought;
      end if;
    end if;
    likely := array(select private.likely_categories(array(select word from unnest(words) as word where word <> all (its_place))));
    meant := array(select distinct unnest(l.answered) from unnest(likely) l);
    if likely <> '{}' then
      sought := private.sought_by(array(select 'c/' || l.category_code from unnest(likely) l) || meant || its_place);
      if private.finds_any(sought.query) then
        return sought;
      end if;
    end if;
    for fewer in
      select array[word] || its_place
      from unnest(words) as word
      where word <> all (its_place || meant)
      order by array[word] <@ private.typed_words(find_desc) desc, char_length(word) desc
    loop
      sought := private.sought_by(fewer);
      if private.finds_any(sought.query) then
        return sought;
      end if;
    end loop;
    return all_words;
  end
  $$;

-- The same for callers that search. A statement calls it in several places, so the result is cached until the
-- transaction ends.
create or replace function private.sought(find_desc text) returns private.sought_text
  language plpgsql immutable parallel safe security definer
  set search_path = ''
  as $$
  declare
    kept constant text := current_setting('plaza.sought', true);
    asked constant text := find_desc || chr(31);
    sought private.sought_text;
  begin
    if coalesce(find_desc, '') = '' then
      return null;
    elsif starts_with(kept, asked) then
      return substr(kept, char_length(asked) + 1)::private.sought_text;
    end if;
    sought := private.sought_of(find_desc);
    perform set_config('plaza.sought', asked || sought::text, true);
    return sought;
  end
  $$;

-- The query of a text in scripts that no word here uses (Greek to Thai, Chinese, Arabic); null for other texts,
-- including those of signs only. Letters are defined by ranges, as letter classes depend on the database's locale.
create or replace function private.foreign_query(value text) returns tsquery
  language sql immutable parallel safe
  as $$
    select case when private.normalize(left(value, 100)) = '' and value ~ '[\u0370-\u1FFF\u2C00-\u2DFF\u3040-\uD7FF\uF900-\uFDFF\uFE70-\uFEFC]'
      then private.any_of('{l/}') end
  $$;

-- The query of a place that is not in our list, by the words of its name; null if there are no words.
create or replace function private.location_query(find_loc text) returns tsquery
  language plpgsql immutable parallel safe security definer
  set search_path = ''
  as $$
  declare
    one text;
    sought tsquery;
  begin
    foreach one in array coalesce(private.understood_words(regexp_replace(left(find_loc, 100),
        '\m(calle|carrer|avenida|avinguda|paseo|passeig|camino|kalea)\M\s*(?=\w)', '', 'gi')), '{}') loop
      sought := private.both(sought, (quote_literal('l/' || one) || case when exists (select from private.search_words w where w.word = 'l/' || one)
        then '' else ':*' end)::tsquery);
    end loop;
    return sought;
  end
  $$;

-- Interprets a search. A known place and a known category have columns, and are also words of documents.
create or replace function private.understood(s private.search) returns private.search
  language plpgsql immutable parallel safe
  set search_path = ''
  as $$
  declare
    most_amenities constant integer := 60;
    places constant text[] := private.city_slugs(s.find_loc);
    code constant text := private.category_code(s.category);
  begin
    s.slugs := private.places_and_parts(places);
    s.codes := case when code is not null then private.category_and_children(code) end;
    s.intended := (private.sought(s.find_desc)).best;
    s.rest := (private.sought(s.find_desc)).query;
    if places is null then
      s.rest := private.both(s.rest, private.location_query(s.find_loc));
    end if;
    if code is null then
      s.rest := private.both(s.rest, (
        select string_agg(quote_literal(one) || ':*B', '&') from unnest(private.words(left(s.category, 100))) as one)::tsquery);
    end if;
    s.rest := private.both(s.rest, (
      select string_agg(quote_literal('a/' || private.slugify(name)), '&') from unnest(s.with_amenities[:most_amenities]) as name)::tsquery);
    s.rest := private.both(s.rest, coalesce(private.foreign_query(s.find_desc), private.foreign_query(s.find_loc), private.foreign_query(s.category)));
    s.queries := array_remove(private.conjuncts(s.rest) || private.filter_queries(s)
      || array[private.any_of(array(select 'p/' || slug from unnest(places) as slug)), quote_literal('c/' || code)::tsquery], null);
    return s;
  end
  $$;

-- What search knows of a business: one document of words, kept by triggers. The words are those written; stems,
-- synonyms and typing errors are looked up for what is sought, so that new synonyms need no document written again.
create extension if not exists fuzzystrmatch schema extensions;

-- The words of a text as documents have them: an article with an apostrophe goes, and stays, as people write both.
create function private.words(value text) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select string_to_array(nullif(private.normalize(case
      when value ~ $mark$['’‘`´]$mark$ then value || ' ' || regexp_replace(value, $mark$\m(l|d|s|n|m|t|j|c|qu)['’‘`´]$mark$, ' ', 'gi')
      else value end), ''), ' ')
  $$;

-- What words have in common that are forms of one: the singular, and from five letters the stems in three languages.
create function private.word_keys(words text[]) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select coalesce(array_agg(distinct key), '{}')
    from unnest(words) as word, lateral (values
      ('w/' || regexp_replace(word, '(?<=..)s$', '')),
      (case when word ~ '..[^aeiou]es$' then 'w/' || left(word, -2) end),
      (case when char_length(word) >= 5 then 'es/' || (ts_lexize('pg_catalog.spanish_stem', word))[1] end),
      (case when char_length(word) >= 5 then 'ca/' || (ts_lexize('pg_catalog.catalan_stem', word))[1] end),
      (case when char_length(word) >= 5 then 'en/' || (ts_lexize('pg_catalog.english_stem', word))[1] end)
    ) as form (key)
    where key is not null
  $$;

-- Words that say nothing of what is sought, unless nothing else is there.
create function private.without_fillers(words text[]) returns text[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select coalesce((
      select array_agg(word order by place)
      from (
        select word, min(place) as place
        from unnest(words) with ordinality as each (word, place)
        where word <> all (string_to_array(
          'a abierta abierto ahora al algun alguna amb an and any aqui at avui barat barata baratas barato baratos '
          'best buen buena bueno buenos buscando buscar busco can cap center centre centro cerca cercar cheap com '
          'como con cual d de del dels demana des do donde dono e economico el els em en encontrar es esta este '
          'estic et find for from get good hacer hacerme hacerse hay hi hola how hoy i in is la las le les lloc lo '
          'local locales looking los m manana me mejor mejores mi millor millors mis my near nearby necesito '
          'necessito need negocio o oberta of on one open or para pel pels per place poder por precio precios preu '
          'price prop puc puedo que quiero quin quina se si sitio some something su the to today tomorrow tu un una '
          'urgent urgente us vull want we where which with y you your', ' '))
        group by word
      ) kept), words)
  $$;

alter table public.category_synonyms
  add column word_keys text[] not null generated always as (private.word_keys(private.words(synonym_term))) stored,
  add column parts text[] not null generated always as (private.without_fillers(private.words(synonym_term))) stored;
create index category_synonyms_word_keys_idx on public.category_synonyms using gin (word_keys);
comment on column public.category_synonyms.word_keys is 'What its words have in common with other forms of them.';
comment on column public.category_synonyms.parts is 'Its words, all of which must be meant.';

create type private.meant_category as (category_code text, answered text[]);

alter table public.businesses
  add column search_document tsvector not null default '',
  add column ranking real not null generated always as (
    case when coalesce(combined_rating, rating, 0) > 0
      then (coalesce(combined_rating, rating) * user_ratings_total + 35) / (user_ratings_total + 10)
      else 3.5 end) stored;
comment on column public.businesses.search_document is
  'Words by weight: A name, B type, C services, D amenities; a/ amenities, c/ categories, p/ places, l/ words of location and address. By trigger.';
comment on column public.businesses.ranking is
  'sort_rating as it would be with ten more reviews of 3.5: what the best of a search is ordered by.';

create function private.search_document(b public.businesses) returns tsvector
  language sql stable parallel safe
  set search_path = ''
  as $$
    select coalesce(string_agg(quote_literal(word) || place, ' '), '')::tsvector
    from (
      select unnest(private.words(b.name)), ':1A'
      union all select unnest(private.words(b.type)), ':2B'
      union all select unnest(private.words(s.name)), ':3C' from public.services s where s.business_id = b.id
      union all select unnest(private.words(a ->> 'name')), ':4D'
        from jsonb_array_elements(case when jsonb_typeof(b.amenities) = 'array' then b.amenities else '[]' end) as each (a) where coalesce(a ->> 'available', 'true') = 'true'
      union all select 'a/' || private.slugify(a ->> 'name'), ''
        from jsonb_array_elements(case when jsonb_typeof(b.amenities) = 'array' then b.amenities else '[]' end) as each (a)
        where coalesce(a ->> 'available', 'true') = 'true'
      union all select 'l/' || unnest(private.words(concat_ws(' ', b.location, b.address))), ''
      union all select 'c/' || unnest(array[k.category_code, k.parent_category]), ''
        from public."categories-plaza" k where k.category_code = b.category_code
      union all select 'p/' || unnest(array[c.slug, c.part_of]), '' from public.cities c where c.slug = b.city_slug
    ) as each (word, place)
    where word is not null
  $$;

-- All words that documents have had, for their other forms and for typing errors.
create table private.search_words (
  word text collate "C" primary key check (char_length(word) <= 202),
  weights text not null check (char_length(weights) <= 5),
  keys text[] not null generated always as (case when word like 'l/%' then '{}' else private.word_keys(array[word]) end) stored
);
comment on table private.search_words is
  'word as in search_document, with l/ before those of places; weights: A to D as there, S a synonym or a spelling.';
create index search_words_keys_idx on private.search_words using gin (keys);
create index search_words_trigram_idx on private.search_words using gin (word extensions.gin_trgm_ops);

create function private.learn_words(p_words text[], p_weights text[]) returns void
  language sql
  set search_path = ''
  as $$
    insert into private.search_words as known (word, weights)
    select word, string_agg(distinct weight, '' order by weight)
    from unnest(p_words, p_weights) as new (word, weight)
    where not exists (select from private.search_words w where w.word = new.word and strpos(w.weights, new.weight) > 0)
    group by word
    order by word
    on conflict (word) do update set weights = known.weights || translate(excluded.weights, known.weights, '')
  $$;

-- Nothing else follows from it, and nobody has changed these rows.
alter table public.businesses disable trigger user;
update public.businesses b set search_document = private.search_document(b);
alter table public.businesses enable trigger user;
do $$
begin
  perform private.learn_words(array_agg(word), array_agg(weight))
  from (
    select lexeme, coalesce(weight, 'D')
    from public.businesses b, unnest(b.search_document) as found left join lateral unnest(weights) as weight on true
    where lexeme !~ '^[acp]/'
    union
    select word, 'S' from public.category_synonyms s, unnest(private.words(s.synonym_term)) as word
    union
    select 'l/' || word, 'S' from public.cities c, unnest(c.spellings) as spelling, unnest(private.words(spelling)) as word
  ) as known (word, weight);
end
$$;

-- The names of services, as they are suggested while typing.
create table private.service_names (
  normalized_name text primary key check (char_length(normalized_name) <= 300),
  name text not null check (char_length(name) <= 100),
  offered bigint not null
);
comment on column private.service_names.offered is 'By how many services it is borne.';
create index service_names_trigram_idx on private.service_names using gin ((' ' || normalized_name) extensions.gin_trgm_ops);
insert into private.service_names (normalized_name, name, offered)
select private.normalize(name), min(name), count(*) from public.services where private.normalize(name) <> '' group by 1;

create index businesses_search_document_idx on public.businesses using gin (search_document);
create index businesses_ranking_idx on public.businesses (ranking desc, created_at desc);
create index businesses_city_ranking_idx on public.businesses (city_slug, ranking desc, created_at desc);
create index businesses_category_ranking_idx on public.businesses (category_code, ranking desc, created_at desc);
create index businesses_city_category_ranking_idx on public.businesses (city_slug, category_code, ranking desc, created_at desc);
-- The administrators search names only.
create index businesses_name_trigram_idx on public.businesses using gin ((' ' || private.normalize(name) || ' ') extensions.gin_trgm_ops);

-- These functions read the columns that go; the files of functions make them anew.
drop function if exists public.admin_businesses(text, text);
drop function if exists public.promoted_businesses(text, text, text);
drop function if exists public.search_businesses(text, text, text);
drop function if exists private.is_broad_search(text, text[], text[], text, text[], text);
drop function if exists private.matches_search(public.businesses, text, text[], text[], text, text[], text);
alter table public.businesses drop column search_text, drop column search_location;

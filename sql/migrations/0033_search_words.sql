-- What searches know of words beside their letters: how they sound, that they say nothing, that they name a region.
-- And what the clock shows for the day that is asked for.

-- How a word sounds in Spanish and Catalan, roughly: one that is spelled by ear is taken for the one that is meant.
create function private.sound(word text) returns text
  language plpgsql immutable strict parallel safe
  set search_path = ''
  as $$
  declare
    rules constant text[][] := array[
      ['ph', 'f'], ['au', 'o'], ['tx|ch', 'C'], ['h', ''], ['c(?=[ei])', 's'], ['qu(?=[ei])|[cq]', 'k'],
      ['g(?=[ei])', 'j'], ['gu(?=[ei])', 'g'], ['ny(?=[aeiou])', 'n'], ['ll|y', 'i'], ['[vw]', 'b'], ['[zx]', 's'],
      ['(.)\1+', '\1']];
    rule text[];
  begin
    foreach rule slice 1 in array rules loop
      word := regexp_replace(word, rule[1], rule[2], 'g');
    end loop;
    return word;
  end
  $$;
create index search_words_sound_idx on private.search_words (private.sound(word));

-- The plural's "s" goes from four letters on: "pa" (bread) is none of "pas".
create or replace function private.word_keys(words text[]) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select coalesce(array_agg(distinct key), '{}')
    from unnest(words) as word, lateral (values
      ('w/' || regexp_replace(word, '(?<=...)s$', '')),
      (case when word ~ '..[^aeiou]es$' then 'w/' || left(word, -2) end),
      (case when char_length(word) >= 5 then 'es/' || (ts_lexize('pg_catalog.spanish_stem', word))[1] end),
      (case when char_length(word) >= 5 then 'ca/' || (ts_lexize('pg_catalog.catalan_stem', word))[1] end),
      (case when char_length(word) >= 5 then 'en/' || (ts_lexize('pg_catalog.english_stem', word))[1] end)
    ) as form (key)
    where key is not null
  $$;
update private.search_words set word = word where word ~ '^..s$';

-- Words that say nothing of what is sought, unless nothing else is there.
create or replace function private.without_fillers(words text[]) returns text[]
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select coalesce((
      select array_agg(word order by place)
      from (
        select word, min(place) as place
        from unnest(words) with ordinality as each (word, place)
        where word <> all (string_to_array(
          -- Spanish.
          '24 a abierta abierto ahora al alguien algun alguna ante aqui barat barata baratas barato baratos buen buena bueno buenos buscando '
          'buscar busco cerca como con conoce conoceis cual cualquier cuando cuanto cuesta d de debo del desde donde dono e economico el '
          'ella ellos els en encontrar entre es esa ese eso esta estan estaba este esto estos estoy gustaria ha hace hacen hacer hacerme '
          'hacerse haceis hasta hay he hola hora horas hoy ir la las le les lo local locales los m manana me mejor mejores mi mis mucho muy necesita '
          'necesitamos necesito negocio no nos nuestra nuestro nueva nuevas nuevo nuevos o otra otro '
          'par para per pero persona personas por porque precio precios preciso puede pueden puedo '
          'que querria quien quiero quisiera recomendais se ser si sitio sobre soy su sus tambien tengo tiene tienen todo toda todos '
          'tu un una unos urgent urgente vale voy y ya '
          -- Catalan.
          'amb aquest aquesta aquestes aquests avui cap cercar cerco com demana dels des em estic et fa fan fer fes hi hores i llocs lloc ls '
          'meu meus meva meves millor millors molt necessitem necessito nou nova nous noves ns nostra nostre obert oberta on pel pels persones '
          'poden poder podria preu prop puc '
          'quan quin quina s sa seu seva ses tambe tinc tenen us uns unes vaig volem voldria vull '
          -- English.
          'am an and any anyone anywhere are around as at be been best can cheap could do does find for from get getting good had has have '
          'help how if in into is it its just like looking me make making must my near '
          'nearby need needs new of one open or our people place places please price '
          'should some somebody someone something somewhere such that the their there these thing things this to today tomorrow try very want '
          'wants was we were what when where which who with would you your ve ll im center centre centro', ' '))
        group by word
      ) kept), words)
  $$;

-- The words that are typed, but for those that say nothing: without articles and endings that an apostrophe parts from
-- them, and without "unas" as an article, which is not the first word, while "uñas" may be. Null for no words at all.
create function private.typed_words(value text) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select (private.without_fillers(private.words(regexp_replace(regexp_replace(regexp_replace(left(value, most_letters),
      $mark$\m(l|d|s|n|m|t|j|c|qu)['’‘`´](?=\w)$mark$, ' ', 'gi'),
      $mark$(?<=\w)['’‘`´](s|m|d|t|re|ve|ll)\M$mark$, '', 'gi'),
      '(\S)\s+unas\M', '\1', 'gi'))))[:most_words]
    from (values (100, 12)) as bound (most_letters, most_words)
  $$;

alter table public.category_synonyms
  drop column word_keys,
  drop column parts,
  add column parts text[] not null generated always as (coalesce(private.typed_words(synonym_term), '{}')) stored;
-- Written seldom and read by each search, which would look through all that is pending.
create index category_synonyms_parts_idx on public.category_synonyms using gin (parts) with (fastupdate = off);
alter index private.search_words_keys_idx set (fastupdate = off);
alter index private.search_words_trigram_idx set (fastupdate = off);
comment on column public.category_synonyms.parts is 'Its words, all of which must be meant.';

-- What is sought of a text: its words, the query of all that it finds and that of the best of them.
create type private.sought_text as (words text[], query tsquery, best tsquery);

-- Islands, provinces and regions, whose names are not those of a place in an address: who asks for one means its places.
alter table public.cities
  add column regions text[] not null default '{}' constraint cities_regions_size check (private.are_short_texts(regions, 50, 100)),
  add column region_spellings text[] not null generated always as (coalesce(private.normalize_all(regions), '{}')) stored;
comment on column public.cities.regions is 'Names of islands, provinces and regions that it is found by.';
comment on column public.cities.region_spellings is 'The same as they are compared.';

-- Their arguments are others; the files of functions make them anew.
drop function if exists private.city_slug(text);
drop function if exists private.place_and_parts(text);
drop function if exists private.place_of(text[]);
drop function if exists private.words_query(text[], boolean);
drop function if exists private.text_query(text, boolean);
drop function if exists private.sought_words(text);
drop function if exists private.remembered(text, text);
drop function if exists private.remember(text, text, text);

-- For free_on, in the Canary Islands and elsewhere: the minutes since its midnight, negative before it, counted back from
-- noon, as no slot is before the hour in which clocks change; and in how many days it is.
alter type private.search
  add attribute canary_minutes_since double precision,
  add attribute minutes_since double precision,
  add attribute canary_days integer,
  add attribute days integer;
drop function if exists private.may_be_free_on(public.businesses, date);
drop function if exists private.is_free_on(public.businesses, date);

-- The words that search knows: of documents, synonyms and spellings of places (private.search_words), and what is typed
-- as they have it. On why functions that read tables are immutable see search.sql.

-- Whether words with a stem in common are forms of one: they differ in the end. "Dental" is none of "dentista".
create or replace function private.is_form(one text, other text) returns boolean
  language sql immutable strict parallel safe
  as $$
    select starts_with(one, left(other, greatest(3, least(char_length(one), char_length(other)) - 1)))
  $$;

-- Whether a word is one of others, in any form.
create or replace function private.is_form_of(p_word text, others text[]) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select exists (
      select from unnest(others) as other
      where other = p_word
        or (private.is_form(p_word, other) and private.word_keys(array[other]) && private.word_keys(array[p_word])))
  $$;

-- The known words that are forms of a word. One that synonyms have is itself and its plural only: "renta" is none of
-- "rentar".
create or replace function private.forms(p_word text) returns table (form text, weights text)
  language plpgsql stable parallel safe security definer rows 4
  set search_path = '' set enable_seqscan = off
  as $$
  declare
    its_keys constant text[] := private.word_keys(array[p_word]);
    plural constant text[] := array(select key from unnest(its_keys) as key where key like 'w/%');
    -- Its verbs change more than the last letter.
    spanish constant text[] := array(select key from unnest(its_keys) as key where key like 'es/%');
  begin
    return query
      select known.word, known.weights
      from (
        select w.word, w.weights, w.keys && plural as is_same, bool_or(w.keys && plural and w.weights ~ 'S') over () as is_synonym
        from private.search_words w
        where w.keys && its_keys and (private.is_form(w.word, p_word) or (w.keys && spanish and starts_with(w.word, left(p_word, -2))))
      ) known
      where known.is_same or not known.is_synonym
      order by known.word;
  end
  $$;

-- A word as it is known: without the pronoun at the end of a Spanish verb, with its typing errors corrected; two for what
-- was written as one; null for what nobody knows.
create or replace function private.as_known(p_word text) returns text
  language plpgsql stable parallel safe security definer
  set search_path = ''
  as $$
  declare
    verb constant text := regexp_replace(p_word, '(?<=..[aei]r)(me|te|se|nos|lo|la|los|las|le|les)$', '');
  begin
    return case
      when verb <> p_word and not exists (select from private.search_words w where w.word = p_word)
        and exists (select from private.search_words w where w.word = verb) then verb
      when private.is_known_word(p_word) then p_word
      else private.nearest_word(p_word) end;
  end
  $$;

-- What a text asks for, as it is understood: words as they are known, and one for two of which it is known only together;
-- those that no document and no synonym has are left out where others remain. Null for no words at all.
create or replace function private.understood_words(value text) returns text[]
  language plpgsql immutable parallel safe security definer
  set search_path = ''
  as $$
  declare
    words constant text[] := private.typed_words(value);
    understood text[] := '{}';
    place integer := 1;
    joined text;
  begin
    while place <= cardinality(words) loop
      joined := words[place] || words[place + 1];
      if exists (select from private.search_words w where w.word in (joined, 'l/' || joined))
          and not (exists (select from private.forms(words[place])) and exists (select from private.forms(words[place + 1]))) then
        understood := understood || joined;
        place := place + 1;
      else
        understood := understood || string_to_array(private.as_known(words[place]), ' ');
      end if;
      place := place + 1;
    end loop;
    understood := array(
      select word from unnest(understood) with ordinality as each (word, nth) where word is not null group by word order by min(nth));
    return case when understood = '{}' then words else understood end;
  end
  $$;

-- Whether documents or synonyms have a word, another form of it, or one that begins with it.
create or replace function private.is_known_word(p_word text) returns boolean
  language plpgsql stable parallel safe security definer
  set search_path = ''
  as $$
  begin
    return exists (select from private.forms(p_word))
      or (char_length(p_word) >= 2 and p_word ~ '[a-z]' and (
        exists (select from private.search_words w where w.word between p_word and p_word || '~')
        or (char_length(p_word) >= 4 and exists (
          select from private.search_words w where w.word between 'l/' || p_word and 'l/' || p_word || '~'))
        or exists (select from private.search_words w where w.word = 'l/' || p_word)));
  end
  $$;

-- The letters of a word in the order of the alphabet: equal for two that differ in order only.
create or replace function private.letters(word text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select string_agg(letter, '' order by letter) from string_to_table(word, null) as letter
  $$;

-- What a word of four to six letters may have been before one slip: a letter left out or two in the wrong order, from
-- five letters one added or another. It has too few trigrams to be found by them.
create or replace function private.slips(word text) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select array_agg(distinct slip)
    from generate_series(0, char_length(word)) as place,
      lateral (select left(word, place) as before, substr(word, place + 1) as rest) cut,
      lateral (
        select before || reverse(left(rest, 2)) || substr(rest, 3)
        union all select before || substr(rest, 2)
        union all select before || letter || substr(rest, skipped)
          from string_to_table('abcdefghijklmnopqrstuvwxyz', null) as letter,
            generate_series(1, case when char_length(word) > 4 then 2 else 1 end) as skipped) as made (slip)
    where char_length(word) between 4 and 6 and char_length(slip) >= 4
  $$;

-- What a word of at least six letters is the diminutive of.
create or replace function private.undiminished(word text) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select array_agg(base || ending)
    from regexp_replace(word, '(c|ec)?(it|ill)[oa]s?$', '') as base, unnest('{a,e,o,""}'::text[]) as ending
    where char_length(word) >= 6 and base <> word and char_length(base) >= 3
  $$;

-- The known words that one of at least seven letters is when they are written apart: two, or two with "de" or the like
-- between them, which is left out. Null if it is none.
create or replace function private.apart(p_word text) returns text
  language sql stable parallel safe security definer
  set search_path = ''
  as $$
    select one || ' ' || other
    from generate_series(3, char_length(p_word) - 3) as place, left(p_word, place) as one,
      unnest('{"",de,del,dela,a,en,el,la}'::text[]) as between_them, substr(p_word, place + 1 + char_length(between_them)) as other
    where char_length(p_word) >= 7 and substr(p_word, place + 1, char_length(between_them)) = between_them and char_length(other) >= 3
      and exists (select from private.search_words w where w.word in (one, 'l/' || one))
      and exists (select from private.search_words w where w.word in (other, 'l/' || other))
    order by char_length(between_them), abs(2 * place - char_length(p_word))
    limit 1
  $$;

-- What an unknown word is taken for: a known one that it sounds like, is the diminutive of, or differs from by a letter,
-- of longer ones by two, or in their order; or else two known ones. Null for none.
create or replace function private.nearest_word(p_word text) returns text
  language sql stable parallel safe security definer
  set search_path = '' set pg_trgm.similarity_threshold = 0.3
  as $$
    with candidate as (
      select w.word, w.weights from private.search_words w
      where w.word operator(extensions.%) p_word and char_length(p_word) >= 4
      union
      select w.word, w.weights
      from private.search_words w, unnest(private.slips(p_word) || private.undiminished(p_word)) as made
      where w.word in (made, 'l/' || made)
      union
      select w.word, w.weights from private.search_words w
      where private.sound(w.word) in (private.sound(p_word), 'l/' || private.sound(p_word)) and char_length(p_word) >= 4
    ), compared as (
      select near, weights, word, sounds_alike, case
        when sounds_alike or private.letters(near) = private.letters(p_word) or near = any (private.undiminished(p_word)) then 1
        else extensions.levenshtein_less_equal(near, p_word, 2) end as errors
      from candidate, regexp_replace(word, '^l/', '') as near,
        lateral (select private.sound(near) = private.sound(p_word) as sounds_alike) heard
      where char_length(near) >= least(4, char_length(p_word))
    )
    select near
    from (
      select near, errors, sounds_alike as is_likely, weights, word from compared
      where errors <= case when char_length(p_word) < 8 then 1 else 2 end
        -- With another letter in it, a word of four letters is another word.
        and (char_length(p_word) > 4 or char_length(near) <> 4 or sounds_alike or private.letters(near) = private.letters(p_word))
      union all
      select near, 2, true, '', '' from private.apart(p_word) as near where near is not null
    ) found
    order by errors, is_likely desc, strpos(weights, 'S') = 0, char_length(weights) desc,
      extensions.similarity(near, p_word) desc, word
    limit 1
  $$;

-- Synonyms, spellings of places and regions are words that search knows.
create or replace function private.learn_synonyms() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.learn_words(array_agg(word), array_agg('S'::text))
    from added, unnest(private.words(added.synonym_term)) as word;
    return null;
  end
  $$;
create or replace trigger learn_added after insert on public.category_synonyms
  referencing new table as added for each statement execute function private.learn_synonyms();
create or replace trigger learn_changed after update on public.category_synonyms
  referencing new table as added for each statement execute function private.learn_synonyms();

create or replace function private.learn_spellings() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.learn_words(array_agg('l/' || word), array_agg('S'::text))
    from added, unnest(added.spellings || added.region_spellings) as spelling, unnest(private.words(spelling)) as word;
    return null;
  end
  $$;
create or replace trigger learn_added after insert on public.cities
  referencing new table as added for each statement execute function private.learn_spellings();
create or replace trigger learn_changed after update on public.cities
  referencing new table as added for each statement execute function private.learn_spellings();

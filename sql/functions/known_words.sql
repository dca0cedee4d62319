-- The words that search knows: of documents, synonyms and spellings of places (private.search_words), and the mapping
-- of typed words to them. See search.sql for why functions that read tables are immutable.

-- Whether words with a common stem are forms of the same word: they may differ only in the ending. "Dental" is not a
-- form of "dentista".
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

-- The known words that are forms of a word. A word used in synonyms only has itself and its plural as forms: "renta"
-- does not include "rentar".
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

-- Maps a word to a known one: without the pronoun at the end of a Spanish verb, with its typos corrected; two words for
-- a joined one; null if nothing is known.
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

-- The interpreted words of a text: mapped to known words, with two consecutive words joined if only their combination
-- is known; words without any document or synonym are dropped if others remain. Null if there are no words at all.
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

-- Whether documents or synonyms contain a word, another form of it, or a word that starts with it.
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

-- The sorted letters of a word: equal for two words that differ only in the order of letters.
create or replace function private.letters(word text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select string_agg(letter, '' order by letter) from string_to_table(word, null) as letter
  $$;

-- The possible originals of a word of four to six letters with one typo: a missing letter or two swapped ones, from
-- five letters on one added or replaced. Such a word has too few trigrams to be found by them.
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

-- The possible words of which a word of at least six letters is the diminutive.
create or replace function private.undiminished(word text) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select array_agg(base || ending)
    from regexp_replace(word, '(c|ec)?(it|ill)[oa]s?$', '') as base, unnest('{a,e,o,""}'::text[]) as ending
    where char_length(word) >= 6 and base <> word and char_length(base) >= 3
  $$;

-- The known words that a joined word of at least seven letters consists of: two, or two with "de" or the like in
-- between, which is dropped. Null if there are none.
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

-- The session of an upgrade has not used pg_trgm, and only a superuser may set the settings of a library that is not loaded.
select extensions.similarity('', '');

-- The known word that an unknown word most likely means: one that sounds the same, its base word if it is a diminutive,
-- one that differs by a letter (by two for longer words) or in the order of letters; or else two known words. Null if
-- there is none.
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

-- Adds synonyms, spellings of places and regions to the known words.
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

-- pg_hashids: short texts for numbers.
-- Source: functions of pg_hashids 1.3, and the algorithm of hashids.
create or replace function _hashids_shuffle(alphabet text, salt text) returns text
  language plpgsql immutable parallel safe
  as $$
  declare
    chars text[] := string_to_array(alphabet, null);
    code integer;
    total integer := 0;
    place integer := 0;
    other integer;
    kept text;
  begin
    if salt = '' then
      return alphabet;
    end if;
    for i in reverse cardinality(chars) - 1..1 loop
      place := place % length(salt);
      code := ascii(substr(salt, place + 1, 1));
      total := total + code;
      other := (code + place + total) % i;
      kept := chars[i + 1];
      chars[i + 1] := chars[other + 1];
      chars[other + 1] := kept;
      place := place + 1;
    end loop;
    return array_to_string(chars, '');
  end
  $$;
-- The characters that stand for numbers, that separate them, and that pad the text.
create or replace function _hashids_alphabets(salt text, inout alphabet text, out separators text, out guards text)
  language plpgsql immutable parallel safe
  as $$
  declare
    wanted integer;
  begin
    alphabet := (select string_agg(c, '' order by place) from (select c, min(place) as place from unnest(string_to_array(_hashids_alphabets.alphabet, null)) with ordinality a (c, place) group by c) a);
    if length(alphabet) < 16 or alphabet ~ '\s' or alphabet is null then
      raise exception using errcode = '22023', message = 'the alphabet must have at least 16 different characters and no space';
    end if;
    separators := (select coalesce(string_agg(c, '' order by place), '') from unnest(string_to_array('cfhistuCFHISTU', null)) with ordinality s (c, place) where strpos(alphabet, c) > 0);
    alphabet := translate(alphabet, separators, '');
    separators := @extschema@._hashids_shuffle(separators, salt);
    wanted := ceil(length(alphabet) / 3.5);
    if length(alphabet) > 3.5 * length(separators) and wanted > length(separators) then
      wanted := wanted - length(separators);
      separators := separators || substr(alphabet, 1, wanted);
      alphabet := substr(alphabet, wanted + 1);
    end if;
    alphabet := @extschema@._hashids_shuffle(alphabet, salt);
    wanted := ceil(length(alphabet) / 12.0);
    if length(alphabet) < 3 then
      guards := substr(separators, 1, wanted);
      separators := substr(separators, wanted + 1);
    else
      guards := substr(alphabet, 1, wanted);
      alphabet := substr(alphabet, wanted + 1);
    end if;
  end
  $$;
create or replace function id_encode(numbers bigint[], salt text default '', min_length integer default 0, alphabet text default 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') returns text
  language plpgsql immutable strict parallel safe
  as $$
  declare
    chars text;
    separators text;
    guards text;
    checksum bigint := (select sum(n % (place + 99)) from unnest(numbers) with ordinality u (n, place));
    lottery text;
    word text;
    made text;
    left_over bigint;
    excess integer;
  begin
    if cardinality(numbers) = 0 or exists (select from unnest(numbers) n where n < 0 or n is null) then
      return '';
    elsif min_length > 1000 then
      raise exception using errcode = '54000', message = 'min_length must not be greater than 1000';
    end if;
    select a.alphabet, a.separators, a.guards into chars, separators, guards from @extschema@._hashids_alphabets(salt, id_encode.alphabet) a;
    lottery := substr(chars, (checksum % length(chars))::integer + 1, 1);
    made := lottery;
    for i in 1..cardinality(numbers) loop
      chars := @extschema@._hashids_shuffle(chars, left(lottery || salt || chars, length(chars)));
      word := '';
      left_over := numbers[i];
      loop
        word := substr(chars, (left_over % length(chars))::integer + 1, 1) || word;
        left_over := left_over / length(chars);
        exit when left_over = 0;
      end loop;
      made := made || word;
      if i < cardinality(numbers) then
        made := made || substr(separators, (numbers[i] % (ascii(word) + i - 1) % length(separators))::integer + 1, 1);
      end if;
    end loop;
    if length(made) < min_length then
      made := substr(guards, ((checksum + ascii(made)) % length(guards))::integer + 1, 1) || made;
    end if;
    if length(made) < min_length then
      made := made || substr(guards, ((checksum + ascii(substr(made, 3, 1))) % length(guards))::integer + 1, 1);
    end if;
    while length(made) < min_length loop
      chars := @extschema@._hashids_shuffle(chars, chars);
      made := substr(chars, length(chars) / 2 + 1) || made || left(chars, length(chars) / 2);
      excess := length(made) - min_length;
      if excess > 0 then
        made := substr(made, excess / 2 + 1, min_length);
      end if;
    end loop;
    return made;
  end
  $$;
create or replace function id_encode(number bigint, salt text default '', min_length integer default 0, alphabet text default 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') returns text
  language sql immutable strict parallel safe
  as $$ select @extschema@.id_encode(array[number], salt, min_length, alphabet) $$;
-- The numbers of a text; none if it is not the text of any.
create or replace function id_decode(id text, salt text default '', min_length integer default 0, alphabet text default 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') returns bigint[]
  language plpgsql immutable strict parallel safe
  as $$
  declare
    chars text;
    separators text;
    guards text;
    parts text[];
    part text;
    lottery text;
    number numeric;
    numbers bigint[] := '{}';
  begin
    select a.alphabet, a.separators, a.guards into chars, separators, guards from @extschema@._hashids_alphabets(salt, id_decode.alphabet) a;
    parts := string_to_array(translate(id, guards, repeat(' ', length(guards))), ' ');
    part := coalesce(parts[case when cardinality(parts) in (2, 3) then 2 else 1 end], '');
    lottery := left(part, 1);
    foreach part in array string_to_array(translate(substr(part, 2), separators, repeat(' ', length(separators))), ' ') loop
      chars := @extschema@._hashids_shuffle(chars, left(lottery || salt || chars, length(chars)));
      number := 0;
      for i in 1..length(part) loop
        number := number * length(chars) + strpos(chars, substr(part, i, 1)) - 1;
        if number > 9223372036854775807 or strpos(chars, substr(part, i, 1)) = 0 then
          return '{}';
        end if;
      end loop;
      numbers := numbers || number::bigint;
    end loop;
    return case when @extschema@.id_encode(numbers, salt, min_length, alphabet) = id then numbers else '{}' end;
  end
  $$;
create or replace function id_decode_once(id text, salt text default '', min_length integer default 0, alphabet text default 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890') returns bigint
  language sql immutable strict parallel safe
  as $$ select (@extschema@.id_decode(id, salt, min_length, alphabet))[1] $$;
create or replace function hash_encode(bigint, text default '', integer default 0) returns text language sql immutable strict parallel safe as $$ select @extschema@.id_encode($1, $2, $3) $$;
create or replace function hash_decode(text, text default '', integer default 0) returns bigint language sql immutable strict parallel safe as $$ select @extschema@.id_decode_once($1, $2, $3) $$;

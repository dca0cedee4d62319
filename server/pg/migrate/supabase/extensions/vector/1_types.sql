-- vector: types of pgvector as text, its functions and operators in SQL, and access methods whose indexes no query uses.
-- Source: names, signatures and messages of pgvector 0.8.
--
-- A type needs input and output functions in C. Those of json do: they take and write [1,2,3] and refuse what is not JSON. What has a
-- number of dimensions, such as a column of type vector(3), is checked and written in full by the cast that applies the modifier.
do $$
begin
  if to_regtype('@extschema@.vector') is not null then
    return;
  end if;
  create type vector;
  create function vector_in(cstring) returns vector language internal immutable strict parallel safe as 'json_in';
  create function vector_out(vector) returns cstring language internal immutable strict parallel safe as 'json_out';
  create function vector_typmod_in(cstring[]) returns integer language internal immutable strict parallel safe as 'varbittypmodin';
  create function _vector_typmod_out(integer) returns cstring language internal immutable strict parallel safe as 'varbittypmodout';
  create type vector (input = vector_in, output = vector_out, typmod_in = vector_typmod_in, typmod_out = _vector_typmod_out, alignment = int4, storage = external);
  create type halfvec;
  create function halfvec_in(cstring) returns halfvec language internal immutable strict parallel safe as 'json_in';
  create function halfvec_out(halfvec) returns cstring language internal immutable strict parallel safe as 'json_out';
  create type halfvec (input = halfvec_in, output = halfvec_out, typmod_in = vector_typmod_in, typmod_out = _vector_typmod_out, alignment = int4, storage = external);
  create type sparsevec;
  create function sparsevec_in(cstring) returns sparsevec language internal immutable strict parallel safe as 'textin';
  create function sparsevec_out(sparsevec) returns cstring language internal immutable strict parallel safe as 'textout';
  create type sparsevec (input = sparsevec_in, output = sparsevec_out, typmod_in = vector_typmod_in, typmod_out = _vector_typmod_out, alignment = int4, storage = external);
  create cast (vector as text) without function as assignment;
  create cast (halfvec as text) without function as assignment;
  create cast (sparsevec as text) without function as assignment;
end
$$;

-- As in pgvector, no function has names of arguments, so that the data API and generated types, for which an argument needs a
-- name, leave them out also where the schema is exposed. Earlier versions had names, which cannot be replaced.
do $$
declare
  named regprocedure;
begin
  for named in select oid from pg_catalog.pg_proc where pronamespace = '@extschema@'::regnamespace and proargnames is not null
    and proname in ('_floats', '_check_dimensions', '_check', '_half', '_to_vector', '_to_halfvec', '_to_sparsevec', '_l2_squared', '_dot', '_l1', '_cosine',
      '_norm', '_normalized', '_same_dimensions', '_slice') loop
    execute format('drop function %s', named);
  end loop;
end
$$;

-- The elements of a value.
create or replace function _floats(vector) returns real[]
  language plpgsql immutable strict parallel safe
  as $$
  declare
    value alias for $1;
    floats real[] := replace(replace(value::text, '[', '{'), ']', '}')::real[];
  begin
    if floats = '{}' then
      raise exception using errcode = '22000', message = 'vector must have at least 1 dimension';
    elsif array_ndims(floats) > 1 or strpos(value::text, 'null') > 0 then
      raise exception using errcode = '22P02', message = 'invalid input syntax for type vector';
    end if;
    return floats;
  end
  $$;
create or replace function _floats(halfvec) returns real[]
  language sql immutable strict parallel safe
  as $$ select @extschema@._floats($1::text::@extschema@.vector) $$;
-- Those of a sparsevec are all written down, so it has no more dimensions than a vector may have.
create or replace function _floats(sparsevec) returns real[]
  language plpgsql immutable strict parallel safe
  as $$
  declare
    value alias for $1;
    parts text[] := regexp_match(value::text, '^\s*\{([^}]*)\}\s*/\s*(\d{1,9})\s*$');
    dimensions integer := parts[2];
    floats real[];
    entry text;
    index integer;
  begin
    if parts is null then
      raise exception using errcode = '22P02', message = format('invalid input syntax for type sparsevec: "%s"', value::text);
    end if;
    perform @extschema@._check_dimensions(dimensions, -1, 'sparsevec');
    floats := array_fill(0::real, array[dimensions]);
    foreach entry in array string_to_array(nullif(btrim(parts[1]), ''), ',') loop
      index := split_part(entry, ':', 1);
      if index not between 1 and dimensions then
        raise exception using errcode = '22000', message = 'sparsevec index out of bounds';
      end if;
      floats[index] := split_part(entry, ':', 2)::real;
    end loop;
    return floats;
  end
  $$;
create or replace function _check_dimensions(integer, integer, text) returns void
  language plpgsql immutable strict parallel safe
  as $$
  declare
    dimensions alias for $1;
    wanted alias for $2;
    type alias for $3;
  begin
    if wanted <> -1 and dimensions <> wanted then
      raise exception using errcode = '22000', message = format('expected %s dimensions, not %s', wanted, dimensions);
    elsif dimensions < 1 then
      raise exception using errcode = '22000', message = type || ' must have at least 1 dimension';
    elsif dimensions > 16000 then
      raise exception using errcode = '54000', message = type || ' cannot have more than 16000 dimensions';
    end if;
  end
  $$;
create or replace function _check(real[], integer, text) returns void
  language plpgsql immutable strict parallel safe
  as $$
  declare
    floats alias for $1;
    wanted alias for $2;
    type alias for $3;
  begin
    perform @extschema@._check_dimensions(cardinality(floats), wanted, type);
    if array_ndims(floats) > 1 then
      raise exception using errcode = '22000', message = 'array must be 1-D';
    elsif array_position(floats, null) is not null then
      raise exception using errcode = '22004', message = 'array must not contain nulls';
    elsif 'NaN' = any (floats) then
      raise exception using errcode = '22000', message = 'NaN not allowed in ' || type;
    elsif floats && '{Infinity,-Infinity}' then
      raise exception using errcode = '22000', message = 'infinite value not allowed in ' || type;
    end if;
  end
  $$;
-- A number rounded to half precision: 11 significant bits, or multiples of 2^-24 where it is smaller than 2^-14.
create or replace function _half(real) returns real
  language plpgsql immutable strict parallel safe
  as $$
  declare
    number alias for $1;
    unit double precision;
    half double precision := 0;
  begin
    if number <> 0 then
      unit := 2.0::double precision ^ (greatest(floor(ln(abs(number::double precision)) / ln(2.0::double precision)), -14) - 10);
      half := round(number / unit) * unit;
    end if;
    if abs(half) > 65504 then
      raise exception using errcode = '22003', message = format('"%s" is out of range for type halfvec', number);
    end if;
    return half;
  end
  $$;

-- Values of elements, with a number of dimensions or -1.
create or replace function _to_vector(real[], integer) returns vector
  language plpgsql immutable strict parallel safe
  as $$
  declare
    floats alias for $1;
    typmod alias for $2;
  begin
    perform @extschema@._check(floats, typmod, 'vector');
    return replace(replace(floats::text, '{', '['), '}', ']');
  end
  $$;
create or replace function _to_halfvec(real[], integer) returns halfvec
  language plpgsql immutable strict parallel safe
  as $$
  declare
    floats alias for $1;
    typmod alias for $2;
  begin
    perform @extschema@._check(floats, typmod, 'halfvec');
    return replace(replace(array(select @extschema@._half(f) from unnest(floats) f)::text, '{', '['), '}', ']');
  end
  $$;
create or replace function _to_sparsevec(real[], integer) returns sparsevec
  language plpgsql immutable strict parallel safe
  as $$
  declare
    floats alias for $1;
    typmod alias for $2;
  begin
    perform @extschema@._check(floats, typmod, 'sparsevec');
    return format('{%s}/%s', (select string_agg(place || ':' || f, ',' order by place) from unnest(floats) with ordinality u (f, place) where f <> 0), cardinality(floats));
  end
  $$;

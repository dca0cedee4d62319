-- Distances of elements. A loop is faster here than a query over both arrays.
do $do$
declare
  t record;
begin
  for t in select * from (values
    ('_l2_squared', 'total := total + (a[i]::double precision - b[i]) * (a[i]::double precision - b[i]);', 'total'),
    ('_dot', 'total := total + a[i]::double precision * b[i];', 'total'),
    ('_l1', 'total := total + abs(a[i]::double precision - b[i]);', 'total'),
    ('_cosine', 'total := total + a[i]::double precision * b[i]; aa := aa + a[i]::double precision * a[i]; bb := bb + b[i]::double precision * b[i];',
      $$case when aa = 0 or bb = 0 then 'NaN' else 1 - greatest(-1, least(1, total / sqrt(aa * bb))) end$$)) t (name, step, result) loop
    execute format($f$
      create or replace function %1$s(real[], real[]) returns double precision language plpgsql immutable strict parallel safe as $b$
      declare
        a alias for $1;
        b alias for $2;
        total double precision := 0;
        %4$s
      begin
        if cardinality(a) <> cardinality(b) then
          raise exception using errcode = '22000', message = format('different vector dimensions %%s and %%s', cardinality(a), cardinality(b));
        end if;
        for i in 1..cardinality(a) loop
          %2$s
        end loop;
        return %3$s;
      end
      $b$ $f$, t.name, t.step, t.result, case when t.name = '_cosine' then 'aa double precision := 0; bb double precision := 0;' else '' end);
  end loop;
end
$do$;
create or replace function _norm(real[]) returns double precision language sql immutable strict parallel safe as $$ select sqrt(sum(x::double precision * x)) from unnest($1) x $$;
create or replace function _normalized(real[]) returns real[]
  language sql immutable strict parallel safe
  as $$ select case when norm = 0 then $1 else array(select (x / norm)::real from unnest($1) x) end from @extschema@._norm($1) norm $$;
create or replace function _same_dimensions(real[], real[]) returns void
  language plpgsql immutable strict parallel safe
  as $$
  declare
    a alias for $1;
    b alias for $2;
  begin
    if cardinality(a) <> cardinality(b) then
      raise exception using errcode = '22000', message = format('different vector dimensions %s and %s', cardinality(a), cardinality(b));
    end if;
  end
  $$;
create or replace function _slice(real[], integer, integer) returns real[]
  language sql immutable strict parallel safe
  as $$ select $1[greatest($2, 1):least($2::bigint + $3 - 1, cardinality($1))::integer] $$;
create or replace function hamming_distance(bit, bit) returns double precision language sql immutable strict parallel safe as $$ select bit_count($1 # $2)::double precision $$;
create or replace function jaccard_distance(bit, bit) returns double precision
  language sql immutable strict parallel safe
  as $$ select case when bit_count($1 & $2) = 0 then 1 else 1 - bit_count($1 & $2)::double precision / bit_count($1 | $2) end $$;

-- The functions of each type. Those that SQL puts in place of a call (they are one expression) read a constant's elements once and not for
-- each row.
do $do$
declare
  t record;
  f record;
begin
  for t in select * from (values ('vector'), ('halfvec'), ('sparsevec')) t (type) loop
    execute format('create or replace function %1$s(%1$s, integer, boolean) returns %1$s language sql immutable strict parallel safe as $b$ select @extschema@._to_%1$s(@extschema@._floats($1), $2) $b$', t.type);
    for f in select * from (values ('integer[]'), ('real[]'), ('double precision[]'), ('numeric[]')) f (array_type) loop
      execute format('create or replace function array_to_%1$s(%2$s, integer, boolean) returns %1$s language sql immutable strict parallel safe as $b$ select @extschema@._to_%1$s($1::real[], $2) $b$', t.type, f.array_type);
    end loop;
    for f in select * from (values ('vector'), ('halfvec'), ('sparsevec')) f (other) where other <> t.type loop
      execute format('create or replace function %1$s_to_%2$s(%1$s, integer, boolean) returns %2$s language sql immutable strict parallel safe as $b$ select @extschema@._to_%2$s(@extschema@._floats($1), $2) $b$', t.type, f.other);
    end loop;
    for f in select * from (values
      ('l2_distance', 'double precision', 'sqrt(@extschema@._l2_squared(%1$s, %2$s))'),
      ('%s_l2_squared_distance', 'double precision', '@extschema@._l2_squared(%1$s, %2$s)'),
      ('inner_product', 'double precision', '@extschema@._dot(%1$s, %2$s)'),
      ('%s_negative_inner_product', 'double precision', '- @extschema@._dot(%1$s, %2$s)'),
      ('cosine_distance', 'double precision', '@extschema@._cosine(%1$s, %2$s)'),
      ('l1_distance', 'double precision', '@extschema@._l1(%1$s, %2$s)'),
      ('%s_cmp', 'integer', 'btarraycmp(%1$s, %2$s)'),
      ('%s_lt', 'boolean', '%1$s < %2$s'), ('%s_le', 'boolean', '%1$s <= %2$s'), ('%s_eq', 'boolean', '%1$s = %2$s'), ('%s_ne', 'boolean', '%1$s <> %2$s'),
      ('%s_ge', 'boolean', '%1$s >= %2$s'), ('%s_gt', 'boolean', '%1$s > %2$s')) f (name, result, expression) loop
      execute format('create or replace function %2$s(%1$s, %1$s) returns %3$s language sql immutable strict parallel safe as $b$ select %4$s $b$',
        t.type, format(f.name, t.type), f.result, format(f.expression, '@extschema@._floats($1)', '@extschema@._floats($2)'));
    end loop;
    for f in select * from (values
      (case t.type when 'vector' then 'vector_norm' else 'l2_norm' end, 'double precision', '@extschema@._norm(@extschema@._floats($1))'),
      ('l2_normalize', t.type, format('@extschema@._to_%s(@extschema@._normalized(@extschema@._floats($1)), -1)', t.type))) f (name, result, expression) loop
      execute format('create or replace function %1$s(%2$s) returns %3$s language sql immutable strict parallel safe as $b$ select %4$s $b$', f.name, t.type, f.result, f.expression);
    end loop;
    continue when t.type = 'sparsevec';
    for f in select * from (values
      ('vector_dims(%1$s)', 'integer', 'cardinality(@extschema@._floats($1))'),
      ('%1$s_to_float4(%1$s, integer, boolean)', 'real[]', '@extschema@._floats($1)'),
      ('%1$s_spherical_distance(%1$s, %1$s)', 'double precision', 'acos(greatest(-1, least(1, @extschema@._dot(@extschema@._floats($1), @extschema@._floats($2))))) / pi()'),
      ('%1$s_concat(%1$s, %1$s)', t.type, '@extschema@._to_%1$s(@extschema@._floats($1) || @extschema@._floats($2), -1)'),
      ('subvector(%1$s, integer, integer)', t.type, '@extschema@._to_%1$s(@extschema@._slice(@extschema@._floats($1), $2, $3), -1)')) f (signature, result, expression) loop
      execute format('create or replace function %1$s returns %2$s language sql immutable strict parallel safe as $b$ select %3$s $b$', format(f.signature, t.type), f.result, format(f.expression, t.type));
    end loop;
    for f in select * from (values ('add', '+'), ('sub', '-'), ('mul', '*')) f (name, operator) loop
      execute format($f$
        create or replace function %1$s_%2$s(%1$s, %1$s) returns %1$s language plpgsql immutable strict parallel safe as $b$
        declare
          a real[] := @extschema@._floats($1);
          b real[] := @extschema@._floats($2);
        begin
          perform @extschema@._same_dimensions(a, b);
          return @extschema@._to_%1$s(array(select x %3$s y from unnest(a, b) u (x, y)), -1);
        end
        $b$ $f$, t.type, f.name, f.operator);
    end loop;
    execute format($f$
      create or replace function binary_quantize(%1$s) returns bit language plpgsql immutable strict parallel safe as
        $b$ begin return (select string_agg(case when x > 0 then '1' else '0' end, '') from unnest(@extschema@._floats($1)) x)::bit varying; end $b$;
      create or replace function %1$s_accum(double precision[], %1$s) returns double precision[] language plpgsql immutable strict parallel safe as $b$
      declare
        floats real[] := @extschema@._floats($2);
      begin
        if $1[1] = 0 then
          return 1::double precision || floats::double precision[];
        end if;
        perform @extschema@._check_dimensions(cardinality(floats), cardinality($1) - 1, '%1$s');
        return $1[1] + 1 || array(select x + y from unnest($1[2:], floats) u (x, y));
      end
      $b$;
      create or replace function %1$s_combine(double precision[], double precision[]) returns double precision[] language plpgsql immutable strict parallel safe as $b$
      begin
        if $1[1] = 0 or $2[1] = 0 then
          return case when $1[1] = 0 then $2 else $1 end;
        end if;
        perform @extschema@._check_dimensions(cardinality($2) - 1, cardinality($1) - 1, '%1$s');
        return array(select x + y from unnest($1, $2) u (x, y));
      end
      $b$;
      create or replace function %1$s_avg(double precision[]) returns %1$s language sql immutable strict parallel safe as
        $b$ select @extschema@._to_%1$s(array(select (x / $1[1])::real from unnest($1[2:]) x), -1) where $1[1] > 0 $b$;
      create or replace aggregate avg(%1$s) (sfunc = %1$s_accum, stype = double precision[], finalfunc = %1$s_avg, combinefunc = %1$s_combine, initcond = '{0}', parallel = safe);
      create or replace aggregate sum(%1$s) (sfunc = %1$s_add, stype = %1$s, combinefunc = %1$s_add, parallel = safe);
      $f$, t.type);
  end loop;
end
$do$;

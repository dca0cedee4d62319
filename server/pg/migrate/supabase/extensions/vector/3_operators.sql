-- Casts, operators and operator classes. They are made once, after all functions.
create or replace function _hash(vector) returns integer language internal immutable strict parallel safe as 'hashvarlena';
create or replace function _hash(halfvec) returns integer language internal immutable strict parallel safe as 'hashvarlena';
create or replace function _hash(sparsevec) returns integer language internal immutable strict parallel safe as 'hashvarlena';
create or replace function _hash(bit) returns integer language internal immutable strict parallel safe as 'hashvarlena';
do $do$
declare
  t record;
  f record;
begin
  if to_regoperator('@extschema@.<->(@extschema@.vector, @extschema@.vector)') is not null then
    return;
  end if;
  for t in select * from (values ('vector'), ('halfvec'), ('sparsevec')) t (type) loop
    execute format('create cast (%1$s as %1$s) with function %1$s(%1$s, integer, boolean) as implicit', t.type);
    for f in select * from (values ('integer[]'), ('real[]'), ('double precision[]'), ('numeric[]')) f (array_type) loop
      execute format('create cast (%2$s as %1$s) with function array_to_%1$s(%2$s, integer, boolean) as assignment', t.type, f.array_type);
    end loop;
    for f in select * from (values
      ('<->', 'l2_distance', '<->', null, null), ('<#>', '%s_negative_inner_product', '<#>', null, null), ('<=>', 'cosine_distance', '<=>', null, null), ('<+>', 'l1_distance', '<+>', null, null),
      ('<', '%s_lt', '>', '>=', 'scalarlt'), ('<=', '%s_le', '>=', '>', 'scalarle'), ('=', '%s_eq', '=', '<>', 'eq'), ('<>', '%s_ne', '<>', '=', 'neq'),
      ('>=', '%s_ge', '<=', '<', 'scalarge'), ('>', '%s_gt', '<', '<=', 'scalargt')) f (operator, function, commutator, negator, estimator) loop
      execute format('create operator %s (leftarg = %2$s, rightarg = %2$s, function = %3$s, commutator = %4$s%5$s)', f.operator, t.type, format(f.function, t.type), f.commutator,
        case when f.negator is not null then format(', negator = %s, restrict = %ssel, join = %2$sjoinsel', f.negator, f.estimator) else '' end);
    end loop;
    execute format('create operator class %1$s_ops default for type %1$s using btree as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 %1$s_cmp(%1$s, %1$s)', t.type);
    continue when t.type = 'sparsevec';
    execute format('create cast (%1$s as real[]) with function %1$s_to_float4(%1$s, integer, boolean) as %2$s', t.type, case t.type when 'vector' then 'implicit' else 'assignment' end);
    for f in select * from (values ('+', 'add', ', commutator = +'), ('-', 'sub', ''), ('*', 'mul', ', commutator = *'), ('||', 'concat', '')) f (operator, function, more) loop
      execute format('create operator %s (leftarg = %2$s, rightarg = %2$s, function = %2$s_%3$s%4$s)', f.operator, t.type, f.function, f.more);
    end loop;
  end loop;
  create cast (vector as halfvec) with function vector_to_halfvec(vector, integer, boolean) as implicit;
  create cast (vector as sparsevec) with function vector_to_sparsevec(vector, integer, boolean) as implicit;
  create cast (halfvec as vector) with function halfvec_to_vector(halfvec, integer, boolean) as assignment;
  create cast (halfvec as sparsevec) with function halfvec_to_sparsevec(halfvec, integer, boolean) as implicit;
  create cast (sparsevec as vector) with function sparsevec_to_vector(sparsevec, integer, boolean) as assignment;
  create cast (sparsevec as halfvec) with function sparsevec_to_halfvec(sparsevec, integer, boolean) as assignment;
  create operator <~> (leftarg = bit, rightarg = bit, function = hamming_distance, commutator = <~>);
  create operator <%> (leftarg = bit, rightarg = bit, function = jaccard_distance, commutator = <%>);

  -- Indexes of these access methods are hash indexes. Their operator classes have no operator, so queries compare all rows.
  if not exists (select from pg_catalog.pg_am where amname = 'hnsw') then
    create access method hnsw type index handler hashhandler;
    create access method ivfflat type index handler hashhandler;
  end if;
  for t in select * from (values ('vector', 'vector_l2_ops'), ('vector', 'vector_ip_ops'), ('vector', 'vector_cosine_ops'), ('vector', 'vector_l1_ops'), ('halfvec', 'halfvec_l2_ops'), ('halfvec', 'halfvec_ip_ops'),
    ('halfvec', 'halfvec_cosine_ops'), ('halfvec', 'halfvec_l1_ops'), ('sparsevec', 'sparsevec_l2_ops'), ('sparsevec', 'sparsevec_ip_ops'), ('sparsevec', 'sparsevec_cosine_ops'), ('sparsevec', 'sparsevec_l1_ops'),
    ('bit', 'bit_hamming_ops'), ('bit', 'bit_jaccard_ops')) t (type, name) loop
    execute format('create operator class %I for type %s using hnsw as function 1 _hash(%2$s)', t.name, t.type);
    if t.name !~ '_l1_|jaccard|sparsevec' then
      execute format('create operator class %I %sfor type %s using ivfflat as function 1 _hash(%3$s)', t.name, case t.name when 'vector_l2_ops' then 'default ' else '' end, t.type);
    end if;
  end loop;
end
$do$;

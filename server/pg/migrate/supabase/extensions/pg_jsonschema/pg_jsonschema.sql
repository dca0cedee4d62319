-- pg_jsonschema: JSON values checked by JSON Schema, draft 2020-12.
-- Source: functions of pg_jsonschema 0.3; JSON Schema's specification.
-- The part of a schema that a reference inside it names.
create or replace function _schema_part(root jsonb, reference text) returns jsonb
  language plpgsql immutable parallel safe
  as $$
  declare
    part jsonb := root;
  begin
    if reference not like '#%' or reference ~ '^#[^/]' then
      raise exception using errcode = '0A000', message = format('the reference "%s" leads out of the schema', reference);
    end if;
    part := root #> array(select replace(replace(step, '~1', '/'), '~0', '~') from unnest(string_to_array(substr(reference, 3), '/')) step where reference <> '#');
    if part is null then
      raise exception using errcode = '22023', message = format('the reference "%s" names nothing', reference);
    end if;
    return part;
  end
  $$;
create or replace function _is_json_type(value jsonb, type text) returns boolean
  language sql immutable parallel safe
  as $$ select jsonb_typeof(value) = type or type = 'integer' and jsonb_typeof(value) = 'number' and (value #>> '{}')::numeric % 1 = 0 $$;
-- What a schema finds wrong with a value, each with the path to it. Keywords that cannot be checked here are refused.
create or replace function _schema_errors(root jsonb, schema jsonb, instance jsonb, path text, depth integer) returns setof text
  language plpgsql immutable parallel safe
  as $$
  declare
    kind text := jsonb_typeof(instance);
    number numeric := case when kind = 'number' then (instance #>> '{}')::numeric end;
    word text := case when kind = 'string' then instance #>> '{}' end;
    size integer := case kind when 'array' then jsonb_array_length(instance) when 'object' then (select count(*) from jsonb_object_keys(instance)) when 'string' then length(word) end;
    rule record;
    item record;
    matching integer;
  begin
    if schema = 'true' then
      return;
    elsif schema = 'false' then
      return next format('%s is not allowed', path);
      return;
    elsif jsonb_typeof(schema) <> 'object' then
      raise exception using errcode = '22023', message = format('a schema must be an object or a boolean, not %s', schema);
    elsif depth > 200 then
      raise exception using errcode = '54001', message = 'the schema refers to itself without end, or the instance is nested too deeply';
    end if;
    for rule in select r.key, r.value as wanted from jsonb_each(schema) r loop
      case rule.key
        when 'type' then
          if not exists (select from jsonb_array_elements_text(case jsonb_typeof(rule.wanted) when 'array' then rule.wanted else jsonb_build_array(rule.wanted) end) t where @extschema@._is_json_type(instance, t)) then
            return next format('%s is not of type %s', path, rule.wanted);
          end if;
        when 'enum' then
          if not exists (select from jsonb_array_elements(rule.wanted) e where e = instance) then
            return next format('%s is not one of %s', path, rule.wanted);
          end if;
        when 'const' then
          if instance <> rule.wanted then
            return next format('%s is not %s', path, rule.wanted);
          end if;
        when 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf' then
          if not (case rule.key when 'minimum' then number >= rule.wanted::numeric when 'maximum' then number <= rule.wanted::numeric when 'exclusiveMinimum' then number > rule.wanted::numeric
            when 'exclusiveMaximum' then number < rule.wanted::numeric else number % rule.wanted::numeric = 0 end) then
            return next format('%s breaks %s %s', path, rule.key, rule.wanted);
          end if;
        when 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties' then
          if kind = (case substr(rule.key, 4) when 'Length' then 'string' when 'Items' then 'array' else 'object' end)
            and (case left(rule.key, 3) when 'min' then size < rule.wanted::numeric else size > rule.wanted::numeric end) then
            return next format('%s breaks %s %s', path, rule.key, rule.wanted);
          end if;
        when 'pattern' then
          if word !~ (rule.wanted #>> '{}') then
            return next format('%s does not match %s', path, rule.wanted);
          end if;
        when 'required' then
          if kind = 'object' then
            return query select format('%s has no property "%s"', path, r) from jsonb_array_elements_text(rule.wanted) r where not instance ? r;
          end if;
        when 'dependentRequired' then
          if kind = 'object' then
            return query select format('%s has no property "%s"', path, r) from jsonb_each(rule.wanted) d, jsonb_array_elements_text(d.value) r where instance ? d.key and not instance ? r;
          end if;
        when 'dependentSchemas' then
          if kind = 'object' then
            return query select e from jsonb_each(rule.wanted) d, @extschema@._schema_errors(root, d.value, instance, path, depth + 1) e where instance ? d.key;
          end if;
        when 'properties' then
          if kind = 'object' then
            return query select e from jsonb_each(rule.wanted) p, @extschema@._schema_errors(root, p.value, instance -> p.key, path || '/' || p.key, depth + 1) e where instance ? p.key;
          end if;
        when 'patternProperties' then
          if kind = 'object' then
            return query select e from jsonb_each(rule.wanted) p, jsonb_each(instance) v, @extschema@._schema_errors(root, p.value, v.value, path || '/' || v.key, depth + 1) e where v.key ~ p.key;
          end if;
        when 'additionalProperties' then
          if kind = 'object' then
            return query select e from jsonb_each(instance) v, @extschema@._schema_errors(root, rule.wanted, v.value, path || '/' || v.key, depth + 1) e
              where not coalesce(schema -> 'properties' ? v.key, false) and not exists (select from jsonb_object_keys(coalesce(schema -> 'patternProperties', '{}')) p where v.key ~ p);
          end if;
        when 'propertyNames' then
          if kind = 'object' then
            return query select e from jsonb_object_keys(instance) k, @extschema@._schema_errors(root, rule.wanted, to_jsonb(k), path || '/' || k, depth + 1) e;
          end if;
        when 'prefixItems' then
          if kind = 'array' then
            return query select e from jsonb_array_elements(rule.wanted) with ordinality p (item_schema, place), @extschema@._schema_errors(root, p.item_schema, instance -> (place - 1)::integer, path || '/' || place - 1, depth + 1) e
              where place <= size;
          end if;
        when 'items' then
          if kind = 'array' then
            return query select e from jsonb_array_elements(instance) with ordinality v (item, place), @extschema@._schema_errors(root, rule.wanted, v.item, path || '/' || place - 1, depth + 1) e
              where place > jsonb_array_length(coalesce(schema -> 'prefixItems', '[]'));
          end if;
        when 'uniqueItems' then
          if rule.wanted = 'true' and kind = 'array' and (select count(distinct v) from jsonb_array_elements(instance) v) < size then
            return next format('%s has equal items', path);
          end if;
        when 'contains' then
          if kind = 'array' then
            matching := (select count(*) from jsonb_array_elements(instance) v where not exists (select from @extschema@._schema_errors(root, rule.wanted, v, path, depth + 1)));
            if matching < coalesce((schema ->> 'minContains')::integer, 1) or matching > (schema ->> 'maxContains')::integer then
              return next format('%s has %s items that match contains', path, matching);
            end if;
          end if;
        when 'allOf' then
          return query select e from jsonb_array_elements(rule.wanted) s, @extschema@._schema_errors(root, s, instance, path, depth + 1) e;
        when 'anyOf', 'oneOf' then
          matching := (select count(*) from jsonb_array_elements(rule.wanted) s where not exists (select from @extschema@._schema_errors(root, s, instance, path, depth + 1)));
          if matching = 0 or matching > 1 and rule.key = 'oneOf' then
            return next format('%s matches %s of %s', path, matching, rule.key);
          end if;
        when 'not' then
          if not exists (select from @extschema@._schema_errors(root, rule.wanted, instance, path, depth + 1)) then
            return next format('%s must not match %s', path, rule.wanted);
          end if;
        when 'if' then
          return query select e from @extschema@._schema_errors(root, coalesce(case when exists (select from @extschema@._schema_errors(root, rule.wanted, instance, path, depth + 1)) then schema -> 'else' else schema -> 'then' end, 'true'),
            instance, path, depth + 1) e;
        when '$ref' then
          return query select e from @extschema@._schema_errors(root, @extschema@._schema_part(root, rule.wanted #>> '{}'), instance, path, depth + 1) e;
        when 'unevaluatedProperties', 'unevaluatedItems', 'additionalItems', 'dependencies', '$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor' then
          raise exception using errcode = '0A000', message = format('the keyword "%s" of JSON Schema is not supported', rule.key);
        else
          null; -- part of another keyword, or an annotation
      end case;
    end loop;
  end
  $$;
create or replace function jsonschema_validation_errors(schema json, instance json) returns text[]
  language sql immutable strict parallel safe
  as $$ select array(select e from @extschema@._schema_errors(schema::jsonb, schema::jsonb, instance::jsonb, '', 0) e) $$;
create or replace function jsonb_matches_schema(schema json, instance jsonb) returns boolean
  language sql immutable strict parallel safe
  as $$ select not exists (select from @extschema@._schema_errors(schema::jsonb, schema::jsonb, instance, '', 0)) $$;
create or replace function json_matches_schema(schema json, instance json) returns boolean
  language sql immutable strict parallel safe
  as $$ select @extschema@.jsonb_matches_schema(schema, instance::jsonb) $$;
-- Whether the keywords of a schema have values of their types, at each level of it.
create or replace function jsonschema_is_valid(schema json) returns boolean
  language sql immutable strict parallel safe
  as $$
    select @extschema@.jsonb_matches_schema('{
      "type": ["object", "boolean"],
      "properties": {
        "type": {"anyOf": [{"$ref": "#/$defs/type"}, {"type": "array", "items": {"$ref": "#/$defs/type"}, "minItems": 1, "uniqueItems": true}]},
        "enum": {"type": "array"}, "multipleOf": {"type": "number", "exclusiveMinimum": 0}, "pattern": {"type": "string"}, "format": {"type": "string"}, "$ref": {"type": "string"}, "uniqueItems": {"type": "boolean"},
        "minimum": {"type": "number"}, "maximum": {"type": "number"}, "exclusiveMinimum": {"type": "number"}, "exclusiveMaximum": {"type": "number"},
        "minLength": {"$ref": "#/$defs/size"}, "maxLength": {"$ref": "#/$defs/size"}, "minItems": {"$ref": "#/$defs/size"}, "maxItems": {"$ref": "#/$defs/size"},
        "minProperties": {"$ref": "#/$defs/size"}, "maxProperties": {"$ref": "#/$defs/size"}, "minContains": {"$ref": "#/$defs/size"}, "maxContains": {"$ref": "#/$defs/size"},
        "required": {"$ref": "#/$defs/names"}, "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/names"}},
        "properties": {"$ref": "#/$defs/schemas"}, "patternProperties": {"$ref": "#/$defs/schemas"}, "$defs": {"$ref": "#/$defs/schemas"}, "definitions": {"$ref": "#/$defs/schemas"}, "dependentSchemas": {"$ref": "#/$defs/schemas"},
        "additionalProperties": {"$ref": "#"}, "propertyNames": {"$ref": "#"}, "items": {"$ref": "#"}, "contains": {"$ref": "#"}, "not": {"$ref": "#"}, "if": {"$ref": "#"}, "then": {"$ref": "#"}, "else": {"$ref": "#"},
        "prefixItems": {"$ref": "#/$defs/list"}, "allOf": {"$ref": "#/$defs/list"}, "anyOf": {"$ref": "#/$defs/list"}, "oneOf": {"$ref": "#/$defs/list"}
      },
      "$defs": {
        "type": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]}, "size": {"type": "integer", "minimum": 0},
        "names": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}, "schemas": {"type": "object", "additionalProperties": {"$ref": "#"}}, "list": {"type": "array", "items": {"$ref": "#"}, "minItems": 1}
      }
    }', schema::jsonb)
  $$;

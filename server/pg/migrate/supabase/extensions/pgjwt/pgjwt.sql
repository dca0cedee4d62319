-- pgjwt: tokens signed and read in SQL, by pgcrypto.
create or replace function extensions.url_encode(data bytea) returns text
  language sql immutable
  as $$ select translate(encode(data, 'base64'), e'+/=\n', '-_') $$;
create or replace function extensions.url_decode(data text) returns bytea
  language sql immutable
  as $$ select decode(rpad(translate(data, '-_', '+/'), 4 * ((length(data) + 3) / 4), '='), 'base64') $$;
create or replace function extensions.algorithm_sign(signables text, secret text, algorithm text) returns text
  language sql immutable
  as $$
    select extensions.url_encode(extensions.hmac(signables, secret,
      case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' else '' end))
  $$;
create or replace function extensions.sign(payload json, secret text, algorithm text default 'HS256') returns text
  language sql immutable
  as $$
    select signables || '.' || extensions.algorithm_sign(signables, secret, algorithm)
    from (select extensions.url_encode(convert_to(json_build_object('alg', algorithm, 'typ', 'JWT')::text, 'utf8'))
      || '.' || extensions.url_encode(convert_to(payload::text, 'utf8')) as signables) parts
  $$;
create or replace function extensions.verify(token text, secret text, algorithm text default 'HS256', out header json, out payload json, out valid boolean)
  language sql immutable
  as $$
    select convert_from(extensions.url_decode(parts[1]), 'utf8')::json, convert_from(extensions.url_decode(parts[2]), 'utf8')::json,
      parts[3] = extensions.algorithm_sign(parts[1] || '.' || parts[2], secret, algorithm)
    from (select string_to_array(token, '.') as parts) split
  $$;

-- What every feature stands on: the schema of functions the API does not show,
-- and the pure text functions that generated columns and constraints use.
create schema private;
comment on schema private is 'Functions and tables of the marketplace that the data API does not expose.';
grant usage on schema private to anon, authenticated, service_role, supabase_auth_admin;

-- Lower case, without accents, every run of other characters one space.
-- Declared immutable although unaccent is only stable: its rules never change here.
create function private.normalize(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select btrim(regexp_replace(
      -- Apostrophes go without a trace, as RULE-21 takes them out of what is typed.
      translate(lower(extensions.unaccent('extensions.unaccent'::regdictionary, value)), $marks$'’‘`´·$marks$, ''),
      '[^a-z0-9]+', ' ', 'g'))
  $$;

create function private.normalize_all(terms text[]) returns text[]
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select array_agg(distinct private.normalize(term)) from unnest(terms) as term
  $$;

-- The slug of RULE-23.
create function private.slugify(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select btrim(left(btrim(regexp_replace(regexp_replace(
      lower(extensions.unaccent('extensions.unaccent'::regdictionary, value)),
      '[^a-z0-9 -]', '', 'g'), '[ -]+', '-', 'g'), '-'), 50), '-')
  $$;

-- The slug of a company's name: legal forms at its end are dropped first (RULE-24).
-- A name that consists of nothing else keeps them.
create function private.company_slug(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select coalesce(
      nullif(private.slugify(regexp_replace(
        value, '([ ,]+(s\.?l|ltd|inc|corp|llc|gmbh|s\.?a)\.?)+\s*$', '', 'i')), ''),
      nullif(private.slugify(value), ''),
      'business')
  $$;

-- An address a browser may be sent to or load from (S-40): http(s), or a path of this site.
create function private.is_web_address(value text) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select char_length(value) <= 2048
      and (value ~* '^https?://[^\s/?#<>"]+[^\s<>"]*$' or value ~ '^/[^/\\\s<>"][^\s<>"]*$')
  $$;

-- A website of others (RULE-08): http(s) and no internal or private host.
create function private.is_public_url(value text) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select char_length(value) <= 2048
      and value ~* '^https?://[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\.?(:[0-9]{1,5})?([/?#][^\s<>"]*)?$'
      and value !~* '^https?://([^/?#]*\.)?(localhost|local|localdomain|internal|intranet|lan|home|corp|test|invalid)\.?([:/?#]|$)'
  $$;

-- Digits, spaces, dashes, brackets, one leading plus; 7 to 15 digits (RULE-07, SEED-07).
create function private.is_phone(value text) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select value ~ '^\+?[0-9 ()-]+$'
      and char_length(value) <= 24
      and char_length(regexp_replace(value, '[^0-9]', '', 'g')) between 7 and 15
  $$;

grant execute on all functions in schema private to anon, authenticated, service_role;

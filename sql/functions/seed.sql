-- Helpers for demo and volume data: numbers and ids that look random but are the same on every machine.

-- A number from 0 to choices - 1.
create or replace function private.pick(key text, choices integer) returns integer
  language sql immutable strict parallel safe
  as $$
    select (('x' || left(md5(key), 8))::bit(32)::bigint % choices)::integer
  $$;

-- Marked as a version 4 UUID, which strict parsers require.
create or replace function private.seed_id(key text) returns uuid
  language sql immutable strict parallel safe
  as $$
    select overlay(overlay(md5('plaza ' || key) placing '4' from 13) placing '8' from 17)::uuid
  $$;

-- Vault: secrets that are encrypted with a key which is not in the database. The key
-- is in the file vault.key beside the data folder of PostgreSQL, where the server puts
-- it; without it, secrets are kept in clear.
-- Source: tables, functions and privileges of supabase_vault 0.3.
create schema if not exists vault;
create table if not exists vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index if not exists secrets_name_idx on vault.secrets (name) where name is not null;
comment on table vault.secrets is 'Table with encrypted `secret` column for storing sensitive information on disk.';
comment on column vault.secrets.nonce is 'Null: the secret is in clear, since there was no key.';

-- The key, or null. Only a superuser reads files, so it must own this function.
create or replace function vault._key() returns bytea
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    content text;
  begin
    if has_function_privilege('pg_catalog.pg_read_file(text, bigint, bigint, boolean)', 'execute') then
      content := rtrim(pg_catalog.pg_read_file('../vault.key', 0, 100, true), E'\n');
    end if;
    if content !~ '^[0-9a-f]{64}$' then
      raise exception using errcode = '58030', message = 'the file vault.key beside the data folder of PostgreSQL is damaged';
    end if;
    return decode(content, 'hex');
  end
  $$;

-- Functions that run as a superuser name the types of all arguments, so that no function of
-- the same name that others create in the schema extensions fits better.
-- AES-256 in CBC mode, and then an HMAC of the id, the nonce and the result.
create or replace function vault._authenticate(id uuid, nonce bytea, encrypted bytea, key bytea) returns bytea
  language sql immutable
  set search_path = ''
  as $$ select extensions.hmac(convert_to(id::text, 'utf8') || nonce || encrypted, extensions.hmac('authenticate'::bytea, key, 'sha256'::text), 'sha256'::text) $$;
create or replace function vault._encrypt(secret text, id uuid, nonce bytea, key bytea) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    encrypted bytea := extensions.encrypt_iv(convert_to(secret, 'utf8'), extensions.hmac('encrypt'::bytea, key, 'sha256'::text), nonce, 'aes-cbc/pad:pkcs'::text);
  begin
    return encode(encrypted || vault._authenticate(id, nonce, encrypted, key), 'base64');
  end
  $$;
create or replace function vault._decrypt(secret text, id uuid, nonce bytea) returns text
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    key bytea := vault._key();
    sealed bytea;
    encrypted bytea;
  begin
    if nonce is null then
      return secret;
    elsif key is null then
      raise exception using errcode = '55000', message = 'the key of the vault is missing: no file vault.key is beside the data folder of PostgreSQL';
    end if;
    sealed := decode(secret, 'base64');
    encrypted := substr(sealed, 1, greatest(0, length(sealed) - 32));
    if substr(sealed, greatest(1, length(sealed) - 31)) is distinct from vault._authenticate(id, nonce, encrypted, key) then
      raise exception using errcode = '22000', message = format('the secret %s was encrypted with another key or for another row', id);
    end if;
    return convert_from(extensions.decrypt_iv(encrypted, extensions.hmac('encrypt'::bytea, key, 'sha256'::text), nonce, 'aes-cbc/pad:pkcs'::text), 'utf8');
  end
  $$;

-- Encrypts what is written in clear. A statement that brings a nonce, such as one
-- of a dump, brings an encrypted secret.
create or replace function vault._encrypt_secret() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    key bytea := vault._key();
  begin
    if tg_op = 'INSERT' and new.nonce is not null
      or tg_op = 'UPDATE' and (new.secret is not distinct from old.secret or new.nonce is distinct from old.nonce) then
      return new;
    end if;
    new.nonce := case when key is not null then extensions.gen_random_bytes(16) end;
    if key is not null then
      new.secret := vault._encrypt(new.secret, new.id, new.nonce, key);
    end if;
    return new;
  end
  $$;
create or replace trigger encrypt_secret before insert or update on vault.secrets for each row execute function vault._encrypt_secret();
-- Encrypts the secrets of an earlier version, or of a time without a key. The server
-- calls it at each start.
create or replace function vault._encrypt_clear() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    key bytea := vault._key();
  begin
    if key is not null then
      update vault.secrets s set secret = vault._encrypt(s.secret, s.id, n.nonce, key), nonce = n.nonce
      from (select c.id, extensions.gen_random_bytes(16) as nonce from vault.secrets c where c.nonce is null) n
      where s.id = n.id;
    end if;
  end
  $$;

create or replace view vault.decrypted_secrets as
  select id, name, description, secret, vault._decrypt(secret, id, nonce) as decrypted_secret, key_id, nonce, created_at, updated_at from vault.secrets;
create or replace function vault.create_secret(new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null) returns uuid
  language sql security definer
  set search_path = ''
  as $$ insert into vault.secrets (secret, name, description) values (new_secret, new_name, new_description) returning id $$;
create or replace function vault.update_secret(secret_id uuid, new_secret text default null, new_name text default null,
    new_description text default null, new_key_id uuid default null) returns void
  language sql security definer
  set search_path = ''
  as $$
    update vault.secrets s
    set secret = coalesce(new_secret, s.secret), name = coalesce(new_name, s.name), description = coalesce(new_description, s.description), updated_at = now()
    where s.id = secret_id
  $$;

revoke execute on all functions in schema vault from public, service_role;
grant usage on schema vault to service_role;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on function vault.create_secret(text, text, text, uuid), vault.update_secret(uuid, text, text, text, uuid), vault._decrypt(text, uuid, bytea) to service_role;
do $$
declare
  ours regprocedure;
begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    for ours in select p.oid::regprocedure from pg_catalog.pg_proc p
      where p.pronamespace = 'vault'::regnamespace and p.proname in ('_key', '_decrypt', '_encrypt_secret', '_encrypt_clear')
    loop
      execute format('alter function %s owner to supabase_admin', ours);
    end loop;
    if exists (select from pg_catalog.pg_roles where rolname = 'postgres' and not rolsuper) then
      grant usage on schema vault to postgres with grant option;
      grant select, insert, update, delete on vault.secrets, vault.decrypted_secrets to postgres with grant option;
      grant execute on function vault.create_secret(text, text, text, uuid), vault.update_secret(uuid, text, text, text, uuid), vault._decrypt(text, uuid, bytea)
        to postgres with grant option;
    end if;
  end if;
end
$$;

-- The roles every Supabase project knows. They belong to the cluster, not to a
-- database, so each is made only where it is missing, also when two databases
-- of one cluster are set up at once.
do $$
declare
  wanted record;
begin
  for wanted in
    select * from (values
      ('anon',                   'nologin noinherit'),
      ('authenticated',          'nologin noinherit'),
      ('service_role',           'nologin noinherit bypassrls'),
      ('authenticator',          'login noinherit'),
      ('supabase_auth_admin',    'nologin noinherit createrole'),
      ('supabase_storage_admin', 'nologin noinherit createrole')
    ) as role (name, attributes)
  loop
    begin
      if not exists (select from pg_catalog.pg_roles where rolname = wanted.name) then
        execute format('create role %I %s', wanted.name, wanted.attributes);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another migrator was faster
    end;
  end loop;

  -- Only a superuser makes another; on a managed server the owner stands in.
  begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'supabase_admin') then
      if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
        create role supabase_admin nologin superuser;
      else
        create role supabase_admin nologin createrole createdb bypassrls;
      end if;
    end if;
  exception when duplicate_object or unique_violation then
    null;
  end;
end
$$;

-- The data API signs in as authenticator and may become one of these three.
grant anon, authenticated, service_role to authenticator;
grant supabase_auth_admin, supabase_storage_admin to current_user;

-- A request of the public must not hold a connection for long.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role supabase_auth_admin set search_path = auth;
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_storage_admin set search_path = storage;
